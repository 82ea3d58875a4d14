//! `nearprint text`: what a recipe sees of a document.

use crate::flags::endings;
use crate::flags::heading::OUTPUT;
use crate::flags::input::{Format, InputFlags};
use crate::flags::output::OutputFlags;
use crate::flags::recipe::RecipeFlags;
use crate::input::corpus::remark;
use crate::input::place::Place;
use crate::input::taken::{invalid_utf8, part_taken, taken};
use crate::input::text_parts::look_for_parts;
use crate::usage::wrong;
use clap::ValueEnum;
use nearprint_corpus::{Fallback, Fields, Output, Reader, Source};
use nearprint_dedup::{Counts, FieldsSeen, FileTally, Origin, Reading, fields_for};
use nearprint_fingerprint::Weighting;
use serde_json::Value;

/// Print the text that a recipe sees of each document
///
/// For an HTML page this is the part that the recipe takes: the main text, or all text. For a row it
/// is the text field; FILE:LINE names one row. Normalisation and the cutting into words come after it.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES, mut_arg("output", |arg| arg.value_parser(endings::any())),
    mut_arg("input_format", |arg| arg.value_parser(Format::of_text())))]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputFlags,
    #[command(flatten)]
    output: OutputFlags,
    /// How texts are printed
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Form,
    /// Do not say which pages gave all their text
    #[arg(long, short, help_heading = OUTPUT)]
    quiet: bool,
    #[command(flatten)]
    recipe: RecipeFlags,
}

/// How texts are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// As they are, an empty line between two documents
    Text,
    /// A row each: {"id","text"}, and why all text of a page was taken
    Json,
}

const EXAMPLES: &str = "Examples:
  nearprint text page.html --recipe web
  nearprint text crawl/ --recipe web --format json -o texts.jsonl
  nearprint text corpus.jsonl:3
  nearprint text corpus.jsonl --text-field body
  curl -s https://example.org/ | nearprint text - --input-format html --html full";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.input.input_format.is_some_and(|format| format.raw_width().is_some()) {
        return wrong("text prints texts: raw fingerprints have none");
    }
    if let Err(problem) = endings::check_texts(args.output.named().0, args.format == Form::Json) {
        return wrong(format!("--output: {problem}"));
    }
    let asked = args.asked()?;
    let sources: Vec<_> = asked.iter().flat_map(|(sources, _)| sources.iter().cloned()).collect();
    let recipe = args.recipe.suiting(&sources, args.quiet).unbound()?;
    if recipe.weights == Weighting::Given {
        return wrong(format!("recipe {} takes features, not texts", recipe.name));
    }
    let reading = args.input.reading(Origin::from(recipe.clone()), 1)?;
    let mut output = args.output.create(&sources)?;
    let (mut counts, mut seen) = (Counts::default(), FieldsSeen::default());
    let fields = fields_for(&recipe, &reading.fields);
    for (sources, row) in &asked {
        let (asked, told) = ((&sources[..], *row), (&mut counts, &mut seen));
        write(&reading, &fields, asked, args.format, &mut output, told)?;
    }
    seen.check_text(&fields)?;
    output.commit()?;
    if !args.quiet {
        remark(&counts);
    }
    for (sources, _) in &asked {
        args.input.say_rows_instead(sources, args.quiet);
    }
    Ok(())
}

impl Args {
    /// The files that are read, together where no row is named.
    fn asked(&self) -> anyhow::Result<Vec<(Vec<Source>, Option<Place<'_>>)>> {
        let inputs = &self.input.inputs;
        let places = inputs.iter().map(|input| Place::of_row(input));
        if places.clone().all(|place| place.is_none()) {
            return Ok(vec![(self.input.awaited(inputs)?, None)]);
        }
        let each = inputs.iter().zip(places).map(|(input, place)| {
            let path = place.map_or(input.as_os_str(), |place| place.path);
            Ok((self.input.discover(&[path])?, place))
        });
        each.collect()
    }
}

/// Writes the texts of the files, or of the row of a file that is named.
fn write(
    reading: &Reading,
    fields: &Fields,
    (sources, place): (&[Source], Option<Place<'_>>),
    form: Form,
    output: &mut Output,
    (counts, seen): (&mut Counts, &mut FieldsSeen),
) -> anyhow::Result<()> {
    let invalid = invalid_utf8(reading);
    // Of a row that is named nothing is said of others.
    let (mut rows, mut first, mut found) = (0, 1, false);
    let fails = reading.fail_on_empty && place.is_none();
    let mut tally = FileTally::new(if place.is_none() { sources } else { &[] }, fails);
    for batch in Reader::new(sources, reading.options) {
        let Some(batch) = part_taken(batch, reading, counts, &mut tally)? else { continue };
        if place.is_none() {
            part_taken(batch.check_columns(fields), reading, counts, &mut tally)?;
        }
        let mut skipped = 0;
        for record in batch.records() {
            rows += 1;
            if rows == 1 {
                first = record.number(rows);
            }
            if place.is_some_and(|place| !place.is_at(&record, rows)) {
                continue;
            }
            found = true;
            let document = record.document(fields, invalid);
            let Some(document) = taken(document, reading, counts)? else {
                skipped += 1;
                continue;
            };
            seen.add_text(&record, &document);
            counts.pages.add_document(&document);
            counts.replaced_utf8 += u64::from(document.replaced_utf8);
            let id = document.id.unwrap_or_else(|| record.default_id());
            let row = match form {
                Form::Json => row(id.as_json(), &document.text, document.fallback),
                Form::Text if counts.documents > 0 => format!("\n{}\n", document.text),
                Form::Text => format!("{}\n", document.text),
            };
            counts.documents += 1;
            output.write_record(row.as_bytes())?;
        }
        counts.add_batch(&batch, skipped, &mut tally)?;
    }
    match place {
        None => counts.few_documents = tally.end()?,
        Some(place) if !found => return place.missing(rows, first),
        Some(_) => look_for_parts(seen, sources, reading.options, fields),
    }
    Ok(())
}

/// A document as a row of JSON.
fn row(id: &str, text: &str, fallback: Option<Fallback>) -> String {
    let all_because = match fallback {
        None => "",
        Some(Fallback::Costly) => ",\"all_because\":\"too costly\"",
        Some(Fallback::Short) => ",\"all_because\":\"without main text\"",
        Some(Fallback::Small) => ",\"all_because\":\"little main text\"",
        Some(Fallback::Doubtful) => ",\"all_because\":\"doubtful main text\"",
    };
    format!("{{\"id\":{id},\"text\":{}{all_because}}}\n", Value::from(text))
}
