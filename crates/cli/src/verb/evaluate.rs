//! `nearprint evaluate`: how well near-duplicates are found, by labels.

mod page;
mod plot;
mod side_by_side;
mod tables;

use crate::flags::endings;
use crate::flags::heading::{DUPLICATE, INPUT, OUTPUT, RESOURCES};
use crate::flags::input::InputFlags;
use crate::flags::keeping::KeepFlags;
use crate::flags::likeness::{LikenessFlags, or_similarity, said, share};
use crate::flags::plot::{PlotFlags, Plots};
use crate::flags::run::{RunFlags, work_dir};
use crate::flags::size::bytes;
use crate::input::corpus::spooled;
use crate::show::figures::count_of;
use crate::show::format::Format;
use crate::show::remarks::{left_out, skipped_by};
use crate::signals::heed;
use crate::usage::{print, say, wrong};
use clap::ValueEnum;
use nearprint_corpus::{Dialect, InputFormat, Output, OutputOptions, Outputs, Source};
use nearprint_dedup::{
    Counts, CriteriaSpec, Dedup, JobSpec, Likeness, Origin, Progress, State, Verify, stored,
};
use nearprint_evaluation::{
    Asked, Case, Codes, Evaluation, Gold, Judged, Labels, Texts, Unlisted, id_text,
};
use nearprint_fingerprint::{DocumentPart, Recipe, Width};
use rayon::ThreadPoolBuilder;
use serde_json::json;
use side_by_side::{Judgement, SHOWN, SideBySide};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Measure how well near-duplicates are found, on documents that people labelled
///
/// Prints precision, recall and F1 of pairs and of clusters, each with its 95 % interval. They are by radius, by
/// similarity, and of the setting that `dedup` would run. Labels are rows. {"a","b"} is a pair of near-duplicates; with
/// "same": false it is a pair that is not, and with null a doubtful one. Or {"id","cluster"} names the cluster of each
/// document. The file may be JSONL, CSV or TSV. Several recipes and widths are shown side by side.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES, mut_arg("k", or_similarity), mut_arg("keep_by", |by| by.hide(true)))]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputFlags,
    /// File of labels: rows {"a","b","same"} or {"id","cluster"}
    #[arg(long, value_name = "FILE", required_unless_present = "cluster_field", conflicts_with = "cluster_field", help_heading = INPUT)]
    labels: Option<PathBuf>,
    /// Field of a row that names the cluster of its document, in place of --labels
    #[arg(long, value_name = "FIELD", help_heading = INPUT)]
    cluster_field: Option<String>,
    /// A pair without a label: different, or ignored [default: by the labels]
    ///
    /// If some label says that two documents are not the same, pairs without a label are ignored. Then only labelled
    /// documents are held, compared and made clusters of. Otherwise these pairs are different, and not near-duplicates.
    #[arg(long, value_enum, value_name = "WHAT", help_heading = INPUT)]
    unlisted: Option<WhatUnlisted>,
    #[command(flatten)]
    recipes: SideBySide,
    #[command(flatten)]
    likeness: LikenessFlags,
    #[command(flatten)]
    keeping: KeepFlags,
    /// Judge one thing only: radius, similarity or dedup [default: all three]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = DUPLICATE, hide_possible_values = true)]
    only: Option<Judge>,
    /// Greatest radius of the curve [default: a quarter of the width]
    ///
    /// For more than 50 000 documents the default is twice the default radius: 6 bits in 64.
    #[arg(long, value_name = "K", help_heading = DUPLICATE, hide_short_help = true)]
    max_k: Option<u32>,
    /// Least similarity of the curve
    ///
    /// The similarity is that of --verify, or else the one that suits the recipe.
    #[arg(long, value_name = "S", value_parser = share, allow_negative_numbers = true, default_value_t = Evaluation::SIMILARITY, help_heading = DUPLICATE, hide_short_help = true)]
    min_similarity: f64,
    /// How the figures are printed
    #[arg(long, value_enum, default_value = "table", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Format,
    /// Write the pairs that dedup misses, with the reason for each
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::rows())]
    missed: Option<PathBuf>,
    /// Write the pairs that dedup finds and that are not the same
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::rows())]
    wrong: Option<PathBuf>,
    /// Most rows of --missed and of --wrong, for each recipe and width
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = OUTPUT, hide_short_help = true)]
    limit: usize,
    #[command(flatten)]
    plot: PlotFlags,
    /// Write a page of HTML with figures, curves and pairs
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::page())]
    page: Option<PathBuf>,
    /// Replace outputs that exist
    #[arg(long, help_heading = OUTPUT)]
    force: bool,
    /// Memory that the texts may take
    #[arg(long, value_name = "SIZE", value_parser = bytes, default_value = "4G", help_heading = RESOURCES, hide_short_help = true)]
    memory: usize,
    /// Folder for temporary files [default: the system's]
    #[arg(long, value_name = "DIR", help_heading = RESOURCES, hide_short_help = true)]
    work_dir: Option<PathBuf>,
    #[command(flatten)]
    run: RunFlags,
}

/// [`Unlisted`] as a flag.
#[derive(Clone, Copy, ValueEnum)]
enum WhatUnlisted {
    Different,
    Ignored,
}

/// What is judged.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Judge {
    Radius,
    Similarity,
    Dedup,
}

const EXAMPLES: &str = "Examples:
  nearprint evaluate corpus.jsonl --labels labels.jsonl
  nearprint evaluate corpus.jsonl --labels labels.jsonl --similarity 0.9 --missed missed.jsonl --wrong wrong.jsonl
  nearprint evaluate corpus.jsonl --cluster-field topic --recipe text --recipe words --width 64 --width 128
  nearprint evaluate corpus.jsonl --labels labels.jsonl --page evaluation.html
  nearprint evaluate corpus.jsonl --labels labels.jsonl --plot curves.pdf --plot curves.csv
  nearprint evaluate fingerprints.jsonl --labels labels.jsonl --format json";

/// What is written beside the figures.
struct Files {
    missed: Option<Output>,
    wrong: Option<Output>,
    plots: Plots,
    page: Option<Output>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.plot.formats()?;
    if let (Some(path), Some(Judge::Dedup)) = (args.plot.paths().first(), args.only) {
        return wrong(format!(
            "--plot {}: the chart shows the curves by radius and by similarity; leave --only dedup out",
            path.display()
        ));
    }
    if !args.judges(Judge::Dedup)
        && let Some(flag) = args.flag_of_cases()
    {
        return wrong(format!(
            "{flag}: the pairs are those that dedup misses or gets wrong; leave --only out"
        ));
    }
    args.likeness.refuse_equal()?;
    if args.min_similarity <= 0.0 {
        return wrong(
            "--min-similarity: above 0, as documents that share nothing are not compared",
        );
    }
    let threads = args.run.threads()?;
    let sources = args.input.discover_beside(&args.input.inputs, args.has_table_of_labels())?;
    // Before labels are found to name no document.
    args.input.say_instead(&sources, args.run.quiet);
    let labels = match &args.labels {
        Some(path) => {
            let path = path.display().to_string();
            let dialect = args.dialect_of_labels(&path, &sources)?;
            Some(Labels::read_as(&path, dialect).map_err(of_labels)?)
        }
        None => None,
    };
    let sources = spooled(&sources, args.work_dir.as_ref(), args.input.longest())?;
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    let progress = Arc::new(Progress::default());
    heed(&progress);
    let on_error = args.input.on_error();
    let is_text = stored::first_row_has(&sources, &args.input.text_field, on_error);
    let of_rows = || stored::width_of_rows(&sources, on_error).ok().flatten();
    let width = if is_text { None } else { of_rows() };
    let mut files = args.files(&sources)?;
    let (judgements, gold) = match (width, &labels) {
        (Some(width), Some(labels)) => {
            pool.install(|| stored_codes(args, &sources, labels, (width, threads)))?
        }
        (Some(_), None) => {
            return wrong(
                "--cluster-field: the input holds fingerprints; give labels with --labels",
            );
        }
        (None, _) => pool.install(|| texts(args, &sources, labels, threads, &progress))?,
    };
    if !args.run.quiet {
        remark(&gold, &judgements);
    }
    files.plots.write(&plot::figure(&judgements))?;
    if let Some(output) = &mut files.page {
        output.write_record(page::page(&judgements, &gold)?.as_bytes())?;
    }
    for Judgement { recipe, width, judged, .. } in &judgements {
        let Some(setting) = &judged.dedup else { continue };
        let (missed, wrong) = (&setting.missed, &setting.wrong);
        for (output, cases) in [(&mut files.missed, missed), (&mut files.wrong, wrong)] {
            let Some(output) = output else { continue };
            cases.iter().take(args.limit).try_for_each(|case| {
                output
                    .write_record(row(recipe, *width, case)?.as_bytes())
                    .map_err(anyhow::Error::from)
            })?;
        }
    }
    let outputs = [files.missed, files.wrong, files.page];
    outputs.into_iter().flatten().try_for_each(|output| output.commit().map(|_| ()))?;
    match args.format {
        Format::Json => print(&format!("{:#}\n", tables::json(&judgements, &gold))),
        Format::Table => print(&tables::table(&judgements, &gold)?),
    }
}

/// A case as a row.
fn row(recipe: &str, width: Width, case: &Case) -> anyhow::Result<String> {
    let mut row = serde_json::to_value(case)?;
    if let Some(row) = row.as_object_mut() {
        row.insert("recipe".to_owned(), json!(recipe));
        row.insert("width".to_owned(), json!(width.bits()));
    }
    Ok(format!("{row}\n"))
}

impl Args {
    fn files(&self, sources: &[Source]) -> anyhow::Result<Files> {
        let mut outputs = Outputs::new(sources, OutputOptions { force: self.force });
        if let Some(labels) = &self.labels {
            let named = [&self.missed, &self.wrong, &self.page].into_iter().flatten();
            for path in named.chain(self.plot.paths()) {
                if is_same(path, labels) {
                    return wrong(format!(
                        "{}: an output would replace the labels",
                        path.display()
                    ));
                }
            }
        }
        let mut create =
            |path: &Option<PathBuf>| path.as_ref().map(|path| outputs.create(path)).transpose();
        Ok(Files {
            missed: create(&self.missed)?,
            wrong: create(&self.wrong)?,
            page: create(&self.page)?,
            plots: self.plot.open(&mut outputs)?,
        })
    }

    /// Whether the labels are a table.
    fn has_table_of_labels(&self) -> bool {
        let format = self.labels.as_deref().and_then(InputFormat::of_name);
        format.is_some_and(InputFormat::is_table)
    }

    /// How a table of labels is written: as flags say, but for a delimiter that its header lacks. Where the quotes may be those
    /// of the input, they are those of labels whose header is one with them alone.
    fn dialect_of_labels(&self, path: &str, sources: &[Source]) -> anyhow::Result<Dialect> {
        let said = Dialect { encoding: None, ..self.input.dialect()? };
        let usual = Dialect { delimiter: said.delimiter, ..Dialect::default() };
        let may_be_table = |source: &Source| source.format().is_none_or(InputFormat::is_table);
        if said == usual || !sources.iter().any(may_be_table) {
            return Ok(said);
        }
        let is = |dialect| Labels::are_written(path, dialect).map_err(of_labels);
        Ok(if !is(usual)? && is(said)? { said } else { usual })
    }

    fn unlisted(&self, labels: &Labels) -> Unlisted {
        match self.unlisted {
            Some(WhatUnlisted::Different) => Unlisted::Different,
            Some(WhatUnlisted::Ignored) => Unlisted::Ignored,
            None => labels.unlisted(),
        }
    }

    /// A flag that asks for pairs.
    fn flag_of_cases(&self) -> Option<&'static str> {
        let flags = [("--missed", &self.missed), ("--wrong", &self.wrong)];
        flags.into_iter().find_map(|(flag, path)| path.is_some().then_some(flag))
    }

    /// Refuses a radius over `width`.
    fn check_radii(&self, width: Width) -> anyhow::Result<()> {
        self.likeness.check(width)?;
        match self.max_k.filter(|k| *k > width.bits()) {
            Some(k) => {
                wrong(format!("--max-k {k}: fingerprints have {width} bits; use at most {width}"))
            }
            None => Ok(()),
        }
    }

    /// The least similarity of the curve, in the measure of the check that `likeness` has.
    fn least_similar(&self, likeness: &Likeness, recipe: &Recipe) -> Verify {
        let least = self.min_similarity;
        match likeness.verify() {
            Verify::Jaccard(_) => Verify::Jaccard(least),
            Verify::Cosine(_) => Verify::Cosine(least),
            Verify::WeightedJaccard(_) => Verify::WeightedJaccard(least),
            Verify::None | Verify::Containment(_) => Verify::suiting(recipe.weights, least),
        }
    }

    fn judges(&self, what: Judge) -> bool {
        self.only.is_none_or(|only| only == what)
    }

    /// The job that is judged, without its recipe.
    fn dedup(&self, threads: usize, progress: &Arc<Progress>) -> anyhow::Result<Dedup> {
        let (keep, scores) = self.keeping.rule()?;
        if !scores.is_empty() {
            return wrong(
                "--keep-by: it changes which documents are kept, and no pair; leave it out",
            );
        }
        let criteria = CriteriaSpec {
            cluster_rule: self.keeping.cluster_rule(),
            keep: Some(keep),
            ..self.likeness.asked()
        };
        let dedup = Dedup::from(JobSpec { criteria, ..JobSpec::default() }).threads(threads);
        let work_dir = work_dir(self.work_dir.as_ref())?;
        Ok(dedup.work_dir(work_dir).progress(Arc::clone(progress)))
    }
}

/// An error of the documents, as the command tells errors.
fn of_texts(error: nearprint_evaluation::Error) -> anyhow::Error {
    match error {
        nearprint_evaluation::Error::Corpus(error) => error.into(),
        nearprint_evaluation::Error::Dedup(error) => error.into(),
        error => error.into(),
    }
}

/// The same of labels, whose character set no flag names.
fn of_labels(error: nearprint_evaluation::Error) -> anyhow::Error {
    match error {
        nearprint_evaluation::Error::Corpus(error) if error.reason() == "invalid-utf8" => {
            nearprint_evaluation::Error::Corpus(error).into()
        }
        error => of_texts(error),
    }
}

/// Ends where a signal asked for it.
fn go_on(progress: &Progress) -> anyhow::Result<()> {
    if progress.is_cancelled() { Err(nearprint_dedup::Error::Interrupted.into()) } else { Ok(()) }
}

/// Whether two paths are of one file.
fn is_same(a: &Path, b: &Path) -> bool {
    a == b || a.canonicalize().ok().zip(b.canonicalize().ok()).is_some_and(|(a, b)| a == b)
}

/// Judges texts by each recipe.
fn texts(
    args: &Args,
    sources: &[Source],
    labels: Option<Labels>,
    threads: usize,
    progress: &Arc<Progress>,
) -> anyhow::Result<(Vec<Judgement>, Gold)> {
    let by_radius = args.only == Some(Judge::Radius);
    let recipes = args.recipes.each((sources, args.run.quiet), &args.likeness, by_radius)?;
    let dedup = args.dedup(threads, progress)?;
    let mut held: Option<(DocumentPart, Texts, Gold)> = None;
    let mut judgements = Vec::new();
    for (recipe, statistics) in recipes {
        args.check_radii(recipe.width)?;
        let likeness = LikenessFlags::of(&args.likeness.by(&recipe))?;
        let origin = Origin::from(recipe.clone());
        let reading = args.input.reading(origin, threads)?;
        if reading.fields.tag.is_some() {
            return wrong(
                "--language-field: evaluate detects the language of each text; leave it out",
            );
        }
        let content = recipe.content;
        let (texts, gold) = match held.take() {
            Some((part, texts, gold)) if part == content => (texts, gold),
            _ => {
                let ignored = |labels: &&Labels| args.unlisted(labels) == Unlisted::Ignored;
                let asked = Asked {
                    labels: labels.as_ref().filter(ignored),
                    cluster_field: args.cluster_field.as_deref(),
                    most: args.memory,
                };
                let texts = Texts::read(&reading, sources, &recipe, asked).map_err(of_texts)?;
                if !args.run.quiet {
                    say_left_out(texts.counts());
                }
                go_on(progress)?;
                let of_field = match (&labels, &args.cluster_field) {
                    (None, Some(field)) => match texts.labels() {
                        Ok(labels) => Some(labels),
                        Err(nearprint_evaluation::Error::NoLabels { .. }) => {
                            return wrong(format!(
                                "--cluster-field {field}: no row has a string or a number in that field"
                            ));
                        }
                        Err(error) => return Err(error.into()),
                    },
                    _ => None,
                };
                let Some(labels) = labels.as_ref().or(of_field.as_ref()) else {
                    return wrong("give labels with --labels, or --cluster-field");
                };
                let gold = Gold::of(labels, texts.ids(), args.unlisted(labels))?;
                (texts, gold)
            }
        };
        let wants_cases = args.missed.is_some() || args.wrong.is_some();
        let evaluation = Evaluation {
            statistics,
            radii: args.judges(Judge::Radius).then_some(args.max_k),
            similarities: args
                .judges(Judge::Similarity)
                .then(|| args.least_similar(&likeness, &recipe)),
            dedup: args.judges(Judge::Dedup).then(|| dedup.clone()),
            cases: if wants_cases { args.limit.max(SHOWN) } else { SHOWN },
            ..Evaluation::new(recipe.clone())
        };
        let setting = args.judges(Judge::Dedup).then(|| said(&likeness, recipe.width));
        let judged = evaluation.run(&texts, &gold)?;
        go_on(progress)?;
        let (name, id) = (recipe.name.clone(), Some(recipe.id().to_string()));
        judgements.push(Judgement { recipe: name, id, width: recipe.width, setting, judged });
        held = Some((content, texts, gold));
    }
    match held {
        Some((_, _, gold)) => Ok((judgements, gold)),
        None => wrong("no recipe"),
    }
}

/// Judges fingerprints as they lie in rows, by radius.
fn stored_codes(
    args: &Args,
    sources: &[Source],
    labels: &Labels,
    (width, threads): (Width, usize),
) -> anyhow::Result<(Vec<Judgement>, Gold)> {
    args.recipes.refuse_for_stored(width)?;
    if let Some(only) = args.only.filter(|only| *only != Judge::Radius) {
        let only =
            only.to_possible_value().map_or_else(String::new, |one| one.get_name().to_owned());
        return wrong(format!(
            "--only {only}: the input holds fingerprints, which can only be judged by radius; leave --only out, or give the texts"
        ));
    }
    if args.likeness.bits_radius(width.bits())?.is_some() {
        return wrong("-k: fingerprints are judged at every radius, up to --max-k; leave -k out");
    }
    if let Some(flag) = args.flag_of_cases() {
        return wrong(format!(
            "{flag}: the input holds fingerprints, and dedup compares texts; leave {flag} out, or give the texts"
        ));
    }
    args.check_radii(width)?;
    let reading = args.input.reading(Origin::Hex(width), threads)?;
    let (mut ids, mut codes, mut counts) = (Vec::new(), Vec::new(), Counts::default());
    let few = reading.sketches(sources, &Progress::default(), &mut |batch| {
        for (sketched, id) in batch.iter().filter(|(one, _)| one.state != State::Skipped) {
            ids.push(if id.is_empty() { ids.len().to_string() } else { id_text(id) });
            codes.push((sketched.fingerprint, sketched.state));
        }
        counts.add(&batch);
        Ok(())
    })?;
    counts.few_documents = few;
    if !args.run.quiet {
        say_left_out(&counts);
    }
    let gold = Gold::of(labels, &ids, args.unlisted(labels))?;
    let codes = Codes::new(width, codes);
    let judged: Judged = Evaluation::stored(&codes, args.max_k, &gold)?;
    let recipe = "fingerprints".to_owned();
    Ok((vec![Judgement { recipe, id: None, width, setting: None, judged }], gold))
}

/// Says what was left out of the input.
fn say_left_out(counts: &Counts) {
    let lines =
        [skipped_by(&counts.skipped), left_out(&counts.other_records, &counts.few_documents)];
    lines.concat().iter().for_each(|line| say(line));
}

/// Says what a reader of the figures would want to know of the labels.
fn remark(gold: &Gold, judgements: &[Judgement]) {
    let unknown = gold.unknown();
    if !unknown.is_empty() {
        let shown: Vec<_> = unknown.iter().take(5).map(|id| format!("{id:?}")).collect();
        let more = if unknown.len() > shown.len() { ", ..." } else { "" };
        say(&format!(
            "{} in labels that no document has: {}{more}",
            count_of(unknown.len() as u64, "id"),
            shown.join(", ")
        ));
    }
    // At each width as many are.
    for same in judgements.chunk_by(|a, b| a.recipe == b.recipe) {
        if let Some(one) = same.first().filter(|one| one.judged.too_short > 0) {
            say(&format!(
                "{}: {} empty, too short or one phrase for the most part (by radius, duplicates only of identical ones)",
                one.recipe,
                count_of(one.judged.too_short, "document")
            ));
        }
    }
    for Judgement { recipe, width, judged, .. } in judgements {
        let curves = [("radius", &judged.by_radius), ("similarity", &judged.by_similarity)];
        for (name, curve) in curves {
            let Some(curve) = curve else { continue };
            if curve.cut {
                say(&format!(
                    "{recipe}, {width} bits: the curve by {name} ends where there are more than {} pairs",
                    crate::show::figures::count(Evaluation::PAIRS as u64)
                ));
            }
        }
    }
}
