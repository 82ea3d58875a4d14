//! The document that is explained: a text, a file, or a row.

use super::by_hand::Given;
use crate::flags::input::InputFlags;
use crate::input::place::Place;
use crate::input::taken::{invalid_utf8, part_taken, taken};
use crate::input::text_parts::look_for_parts;
use crate::show::remarks::{left_out, skipped_by};
use crate::usage::{say, wrong};
use anyhow::{Context, bail};
use nearprint_corpus::{Reader, Record, Source};
use nearprint_dedup::{
    Counts, FewDocuments, FieldsSeen, FileTally, Origin, Reading, fields_for, several_of_id,
    text_of,
};
use nearprint_fingerprint::{Language, Recipe, Weighting};
use std::ffi::OsString;

/// What a fingerprint is made of.
pub(super) enum Content {
    /// A text, and the language that comes with it.
    Text(String, Option<Language>),
    Features(Vec<Given>),
}

/// The text that the one argument is.
pub(super) fn text(inputs: &[OsString], recipe: &Recipe) -> anyhow::Result<Content> {
    let [text] = inputs else {
        return wrong("--text: give one text, in quotes");
    };
    let text = text.to_str().context("the text is not UTF-8")?;
    Ok(Content::Text(text_of(recipe, text).into_owned(), None))
}

/// The files in which the document is.
pub(super) fn sources(input: &InputFlags) -> anyhow::Result<Vec<Source>> {
    if input.input_format.is_some_and(|format| format.raw_width().is_some()) {
        return wrong("explain explains documents: raw fingerprints do not say how they were made");
    }
    if let [only] = &input.inputs[..]
        && let Some(text) = only.to_str()
        && text.contains(char::is_whitespace)
        && !std::path::Path::new(text).exists()
    {
        bail!("{text}: no such file; use --text to explain the words themselves");
    }
    match place(input) {
        Some(place) => input.discover(&[place.path]),
        None => input.discover(&input.inputs),
    }
}

/// The row that the input names.
fn place(input: &InputFlags) -> Option<Place<'_>> {
    match &input.inputs[..] {
        [only] => Place::of_row(only),
        _ => None,
    }
}

/// The document in the files: the only one, the row that the input names, or the one of this id.
pub(super) fn read(
    input: &InputFlags,
    sources: &[Source],
    id: Option<&str>,
    recipe: &Recipe,
) -> anyhow::Result<Content> {
    let reading = input.reading(Origin::from(recipe.clone()), 1)?;
    let fields = fields_for(recipe, &reading.fields);
    let place = place(input);
    if place.is_some() && id.is_some() {
        return wrong("--id: the input names a row; leave one of them out");
    }
    let (mut rows, mut first) = (0, 1);
    // JSON strings and numbers are known by what they say.
    let is_asked = |found: &str| match id {
        None => true,
        Some(id) => found == id || serde_json::from_str::<String>(found).is_ok_and(|f| f == id),
    };
    let names_one = place.is_some() || id.is_some();
    // Documents with the id: behind the first, others are looked at for nothing else.
    let mut of_id = 0;
    // With its file among the sources, and the number that names it there.
    let mut only: Option<(Content, usize, u64)> = None;
    let mut seen = FieldsSeen::default();
    let (mut counts, invalid) = (Counts::default(), invalid_utf8(&reading));
    // Of a document that is named nothing is said of others.
    let mut tally = FileTally::new(sources, reading.fail_on_empty && !names_one);
    'all: for batch in Reader::new(sources, reading.options) {
        if of_id > 0 && batch.is_err() {
            continue;
        }
        let batch = part_taken(batch, &reading, &mut counts, &mut tally)?;
        let Some(batch) = batch else { continue };
        if of_id == 0 {
            part_taken(batch.check_columns(&fields), &reading, &mut counts, &mut tally)?;
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
            let content = if recipe.weights == Weighting::Given {
                let vector = record.vector(&fields, invalid);
                if of_id > 0 && vector.is_err() {
                    continue;
                }
                let Some(vector) = of_row(vector, place, &reading, &mut counts)? else {
                    skipped += 1;
                    continue;
                };
                let found = vector.id.unwrap_or_else(|| record.default_id());
                is_asked(found.as_json()).then(|| features(vector.features))
            } else {
                let document = record.document(&fields, invalid);
                if of_id > 0 && document.is_err() {
                    continue;
                }
                let Some(document) = of_row(document, place, &reading, &mut counts)? else {
                    skipped += 1;
                    continue;
                };
                let language = document.tag.as_deref().and_then(Language::from_tag);
                seen.add_text(&record, &document);
                let found = document.id.unwrap_or_else(|| record.default_id());
                is_asked(found.as_json())
                    .then(|| Content::Text(document.text.into_owned(), language))
            };
            if let Some(content) = content {
                of_id += usize::from(id.is_some());
                if of_id > 1 {
                    continue;
                }
                if let Some((_, at, number)) = only {
                    return several(sources.get(at), number);
                }
                let number = record.number(rows);
                only = Some((checked(content, &record)?, batch.source_index(), number));
                if place.is_some() {
                    break 'all;
                }
            }
        }
        counts.add_batch(&batch, skipped, &mut tally)?;
    }
    let few = tally.end()?;
    skipped_by(&counts.skipped).iter().for_each(|line| say(line));
    if let Some((only, at, number)) = only {
        if let Some(id) = id.filter(|_| of_id > 1) {
            let file = sources.get(at).map_or("", Source::name);
            return wrong(several_of_id(id, of_id, &format!("{file}:{number}")));
        }
        look_for_parts(&mut seen, sources, reading.options, &fields);
        seen.check_text(&fields)?;
        return Ok(only);
    }
    if let Some(place) = place {
        return place.missing(rows, first);
    }
    match id {
        Some(id) => anyhow::bail!("no document has the id {id}; --id-field names the field of ids"),
        None => none(&counts, &few),
    }
}

/// Refuses a second document, where none is named: the first is the row of that number in that file.
fn several<T>(source: Option<&Source>, number: u64) -> anyhow::Result<T> {
    let file = source.map_or_else(String::new, |source| source.name().to_owned());
    let remedy = match source.is_some_and(Source::is_stream) {
        true => "give --id".to_owned(),
        false => format!("name a row, such as {file}:{number}, or give --id"),
    };
    wrong(format!("{file}: more than one document; {remedy}"))
}

/// Says that no file holds a document.
fn none<T>(counts: &Counts, few: &FewDocuments) -> anyhow::Result<T> {
    let mut lines = left_out(&counts.other_records, few);
    let last = lines.pop();
    lines.iter().for_each(|line| say(line));
    bail!(last.unwrap_or_else(|| "no document to explain".to_owned()))
}

/// What a row holds; nothing of one that is to be left out, unless it is the one that the input names.
fn of_row<T>(
    read: Result<T, nearprint_corpus::Error>,
    place: Option<Place<'_>>,
    reading: &Reading,
    counts: &mut Counts,
) -> anyhow::Result<Option<T>> {
    match place {
        Some(_) => Ok(Some(read?)),
        None => Ok(taken(read, reading, counts)?),
    }
}

fn features(features: Vec<(String, f64)>) -> Content {
    Content::Features(features.into_iter().map(|(name, weight)| Given::of(name, weight)).collect())
}

/// Refuses weights that are no finite numbers, at the place of the record.
fn checked(content: Content, record: &Record<'_>) -> anyhow::Result<Content> {
    if let Content::Features(features) = &content
        && let Some(Given { name, weight, .. }) =
            features.iter().find(|given| !given.weight.is_finite())
    {
        anyhow::bail!(
            "{}: feature \"{name}\" has weight {weight}; weights are finite numbers",
            record.place()
        );
    }
    Ok(content)
}
