//! `nearprint tune`: which setting to take for a corpus without labels.

#[cfg(feature = "serve")]
mod answers;
mod page;
mod plot;
#[cfg(feature = "serve")]
mod served;
mod sources;
mod suggestion;
mod table;

use crate::flags::age::age;
use crate::flags::endings;
use crate::flags::heading::{DUPLICATE, OUTPUT, RESOURCES};
use crate::flags::input::{Format as InputFormat, InputFlags};
use crate::flags::likeness::{measured, share};
use crate::flags::plot::PlotFlags;
use crate::flags::recipe::RecipeFlags;
use crate::flags::run::RunFlags;
use crate::input::corpus::spooled;
use crate::show::bar::Bar;
use crate::show::figures::count_of;
use crate::show::format::Format;
use crate::show::remarks::{EARLIER_ID, skipped_by};
use crate::usage::{print, say, wrong};
#[cfg(feature = "serve")]
use crate::verb::tune::answers::Answers;
use crate::verb::tune::page::Asked;
use crate::verb::tune::suggestion::suggestion;
use nearprint_corpus::{OutputOptions, Outputs, Source, total_bytes};
use nearprint_dedup::{
    FingerprintSpec, InputSpec, JobSpec, Likeness, Origin, Progress, Reading, ReadingSpec,
    RecordNumber, Resources, Verify,
};
use nearprint_evaluation::{Error, Question, Sampling, Setting, Survey, Tuning};
use nearprint_fingerprint::{Recipe, Weighting};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Choose a similarity on your own documents, without labels
///
/// Draws documents at random and compares each exactly with the whole corpus. From that it estimates how similar
/// documents are. For each setting of dedup it estimates the share of documents removed, the share of similar pairs
/// found, and the time. Each share has its 95 % interval. It ends with a command where the documents suggest a
/// similarity, or --similarity names one. Similarities are those of Jaccard, also where a recipe weighs features.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES, mut_arg("input_format", |arg| arg.value_parser(InputFormat::of_text())))]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputFlags,
    #[command(flatten)]
    recipe: RecipeFlags,
    /// The similarity to use [default: the valley of the histogram, else 0.8]
    #[arg(long, value_name = "S", value_parser = share, allow_negative_numbers = true, help_heading = DUPLICATE)]
    similarity: Option<f64>,
    /// Documents to look at
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=100_000), help_heading = RESOURCES)]
    documents: u64,
    /// Seed for the choice of documents
    ///
    /// The same seed chooses the same documents. If the budget ends the reading, the figures also depend on how far
    /// it got.
    #[arg(long, default_value_t = 1, value_name = "N", help_heading = RESOURCES, hide_short_help = true)]
    seed: u64,
    /// Time that the comparison may take, such as 30s or 2m
    ///
    /// If a corpus is too large for the time, each document is compared with a fair sample of it. The figures are then
    /// scaled up, and the answer says how large the sample was.
    #[arg(long, default_value = "2m", value_name = "TIME", value_parser = age, help_heading = RESOURCES)]
    budget: Duration,
    /// How the answer is printed
    #[arg(long, value_enum, default_value = "table", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Format,
    #[command(flatten)]
    plot: PlotFlags,
    /// Write a page on which you decide which pairs are the same
    ///
    /// One HTML file that needs no network. It shows pairs side by side, asks about the most informative ones
    /// first, and suggests a threshold. The answers can be saved as labels for `nearprint evaluate`.
    #[arg(long, value_name = "FILE.html", help_heading = OUTPUT, value_parser = endings::page())]
    page: Option<PathBuf>,
    /// Pairs on the page, at most
    #[arg(long, default_value_t = 300, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000), help_heading = OUTPUT, hide_short_help = true)]
    pairs: u32,
    /// Ask about as many pairs from each value of FIELD, such as a source or a language
    ///
    /// The page then names it beside each text, and counts the answers of each value. Without it a large source gives most of the pairs.
    #[arg(long, value_name = "FIELD", help_heading = OUTPUT)]
    by: Option<String>,
    /// Show the page on this machine, and save each answer at once
    #[cfg(feature = "serve")]
    #[arg(long, conflicts_with = "page", help_heading = OUTPUT)]
    serve: bool,
    /// Address of the page: one of this machine [default: a free port of 127.0.0.1]
    #[cfg(feature = "serve")]
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0", hide_default_value = true, requires = "serve", help_heading = OUTPUT, hide_short_help = true)]
    listen: std::net::SocketAddr,
    /// File of labels to which --serve appends the answers
    #[cfg(feature = "serve")]
    #[arg(long, value_name = "FILE", default_value = "labels.jsonl", requires = "serve", help_heading = OUTPUT, hide_short_help = true)]
    answers: PathBuf,
    /// Replace outputs that exist
    #[arg(long, help_heading = OUTPUT)]
    force: bool,
    /// Folder for temporary files [default: the system's]
    ///
    /// It holds a copy of standard input.
    #[arg(long, value_name = "DIR", help_heading = RESOURCES, hide_short_help = true)]
    work_dir: Option<PathBuf>,
    #[command(flatten)]
    run: RunFlags,
}

const EXAMPLES: &str = "Examples:
  nearprint tune corpus.jsonl
  nearprint tune crawl/ --recipe web --documents 5000 --budget 5m
  nearprint tune corpus.jsonl --similarity 0.7 --format json
  nearprint tune corpus.jsonl --plot similarities.svg
  nearprint tune corpus.jsonl --page pairs.html
  nearprint tune corpus.jsonl --page pairs.html --by source
  nearprint tune corpus.jsonl --serve --answers labels.jsonl";

/// Runs the verb; `words` are its arguments as they were given.
pub(crate) fn run(args: &Args, words: &[OsString]) -> anyhow::Result<()> {
    args.plot.formats()?;
    if args.by.is_some() && !args.asks() {
        return wrong("--by: it is about the pairs of a page; add --page FILE.html or --serve");
    }
    if let Some(asked) = args.similarity.filter(|asked| *asked < Survey::LEAST) {
        let least = Survey::LEAST;
        return wrong(format!(
            "--similarity {asked}: tune looks at pairs from {least} on; use {least} to 1"
        ));
    }
    #[cfg(feature = "serve")]
    if args.serve {
        served::check(args.listen)?;
    }
    if args.input.input_format.is_some_and(|format| format.raw_width().is_some()) {
        return wrong("tune compares texts: raw fingerprints have none");
    }
    let sources = args.input.awaited(&args.input.inputs)?;
    // Before one document is found to be too few.
    args.input.say_instead(&sources, args.run.quiet);
    let flags = args.recipe.suiting(&sources, args.run.quiet);
    let (recipe, content) = flags.or_width(Likeness::WIDTH)?.content()?;
    if recipe.weights == Weighting::Given {
        return wrong(format!("--recipe {}: tune takes texts, not features", recipe.name));
    }
    let mut outputs = Outputs::new(&sources, OutputOptions { force: args.force });
    let plots = args.plot.open(&mut outputs)?;
    let page = args.page.as_ref().map(|path| outputs.create(path)).transpose()?;
    #[cfg(feature = "serve")]
    let answers = args.serve.then(|| Answers::open(&args.answers)).transpose()?;
    let sources = spooled(&sources, args.work_dir.as_ref(), args.input.longest())?;
    let corpus = Corpus {
        args,
        words,
        progress: Arc::new(Progress::default()),
        recipe,
        sources,
        reading: args.input.reading(content, args.run.threads()?)?,
    };
    let survey = corpus.survey()?;
    if !args.run.quiet {
        skipped_by(&survey.skipped).iter().for_each(|line| say(line));
        args.say_repeated(survey.repeated_ids);
    }
    let tuning = corpus.tuning(&survey)?;
    if let Some(field) = survey.unseen.as_ref().filter(|_| !args.run.quiet) {
        say(&format!("no document that was looked at has a value in the field {field:?}"));
    }
    plots.write(&plot::figure(&tuning))?;
    #[cfg(feature = "serve")]
    let is_answered = answers
        .as_ref()
        .is_some_and(|answers| answers.rows().iter().any(|row| row["same"].is_boolean()));
    #[cfg(not(feature = "serve"))]
    let is_answered = false;
    let command = suggestion::<Args>(words, tuning.recommended().map_or("", |one| &one.flags));
    let rests = (args.similarity.is_some(), tuning.suggested.is_some(), is_answered);
    let end = table::conclusion(&command, rests);
    let other = match Verify::suiting(corpus.recipe.weights, tuning.threshold) {
        Verify::Jaccard(_) => None,
        other => Some(measured(other.measure().name())),
    };
    let said = table::recommendation(&tuning, other, end, args.pairs_shown().as_deref());
    if let Some(mut output) = page {
        output.write_record(corpus.page(&survey, tuning.threshold, None)?.as_bytes())?;
        output.commit()?;
    }
    let printed = match args.format {
        Format::Json => {
            let mut answer = json!(tuning);
            if !survey.skipped.is_empty() {
                answer["skipped"] = json!(survey.skipped);
            }
            answer["recommendation"] = json!(said.join("\n"));
            print(&format!("{answer:#}\n"))
        }
        Format::Table => print(&table::table(&tuning, &said)?),
    };
    #[cfg(feature = "serve")]
    if let Some(answers) = answers {
        printed?;
        let saved = (answers.path(), answers.rows());
        let page = corpus.page(&survey, tuning.threshold, Some(saved))?;
        return served::serve(args.listen, page, answers, &corpus.progress);
    }
    printed
}

impl Args {
    /// Whether a person is asked about pairs.
    fn asks(&self) -> bool {
        #[cfg(feature = "serve")]
        let serves = self.serve;
        #[cfg(not(feature = "serve"))]
        let serves = false;
        serves || self.page.is_some()
    }

    /// Where a person sees pairs.
    fn pairs_shown(&self) -> Option<String> {
        match &self.page {
            Some(page) => Some(format!("are written to {}; open it in a browser.", page.display())),
            None => self.asks().then(|| "are shown on the page.".to_owned()),
        }
    }

    /// Says how many documents have an id that one before them has, and before a person answers, what comes of that.
    fn say_repeated(&self, documents: u64) {
        let [one, several] = EARLIER_ID;
        let what = if documents == 1 { one } else { several };
        let more = match self.asks() {
            true => {
                ": evaluate refuses labels of these, as they name documents by their ids; --id-field names the field of ids"
            }
            false => "",
        };
        if documents > 0 {
            say(&format!("{} {what}{more}", count_of(documents, "document")));
        }
    }
}

/// What is tuned for.
struct Corpus<'a> {
    args: &'a Args,
    /// The arguments as they were given.
    words: &'a [OsString],
    /// How far the reading is; cancelled where a signal came.
    progress: Arc<Progress>,
    recipe: Recipe,
    sources: Vec<Source>,
    reading: Reading,
}

impl Corpus<'_> {
    fn survey(&self) -> anyhow::Result<Survey> {
        let Args { documents, seed, budget, .. } = *self.args;
        let sampling = Sampling { documents, seed, budget };
        let bar = Bar::show(&self.progress, total_bytes(&self.sources), self.args.run.quiet);
        let survey = Survey::take(&self.reading, &self.sources, sampling, &self.progress);
        drop(bar);
        survey.map_err(of_survey)
    }

    fn tuning(&self, survey: &Survey) -> anyhow::Result<Tuning> {
        let threads = self.reading.threads;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let asked = self.args.similarity;
        let (similarities, threshold) = pool.install(|| {
            let similarities = survey.similarities();
            let threshold = asked.unwrap_or_else(|| similarities.threshold());
            (similarities, threshold)
        });
        let settings = match Tuning::settings(survey, &self.recipe, threshold) {
            Ok(settings) => settings,
            Err(Error::Dedup(error)) if asked.is_some() => {
                return wrong(format!("--similarity {threshold}: {error}"));
            }
            Err(error) => return Err(of_survey(error)),
        };
        let tuning =
            pool.install(|| Tuning::of(survey, &self.recipe, similarities, threshold, &settings));
        let asked: Vec<_> =
            settings.iter().map(|Setting { likeness, width, .. }| (*likeness, *width)).collect();
        let statistics = match &self.reading.content {
            Origin::Text { statistics, .. } => statistics.clone(),
            Origin::Hex(_) => None,
        };
        let Reading { fields, on_error, fail_on_empty, options, .. } = self.reading.clone();
        let (recipe, width) = (self.recipe.clone(), Some(self.recipe.width));
        let spec = JobSpec {
            fingerprints: FingerprintSpec { recipe, statistics, width },
            input: InputSpec { sources: self.sources.clone(), ..InputSpec::default() },
            reading: ReadingSpec { fields, on_error, fail_on_empty, options },
            ..JobSpec::default()
        };
        let with = Resources { threads: Some(threads), ..Resources::default() };
        let forecasts = spec.resolve(&with, &self.progress)?.forecasts(&asked, &self.progress)?;
        Ok(tuning.costing(&forecasts))
    }

    /// The page of pairs around a similarity. Where it is served: with the file of answers, and those in it.
    fn page(
        &self,
        survey: &Survey,
        around: f64,
        saved: Option<(String, &[Value])>,
    ) -> anyhow::Result<String> {
        let (count, by) = (self.args.pairs as usize, self.args.by.as_deref());
        let looked = if by.is_some() { sources::candidates(count) } else { count };
        let questions = survey.questions(looked, around, self.args.seed);
        if questions.is_empty() {
            anyhow::bail!(
                "there is no pair to decide: no pair that was found has a similarity within 0.3 of {around}; look at more \
                 documents (--documents), or around another similarity (--similarity)"
            );
        }
        let (questions, of_records) = match by {
            Some(by) => {
                let asked = (by, &records(&questions)[..]);
                let told = sources::told(&self.reading, &survey.sources, asked, &self.progress)?;
                (sources::evenly(questions, &told, count), told)
            }
            None => (questions, BTreeMap::new()),
        };
        let records = records(&questions);
        let excerpts = self.reading.excerpts(&survey.sources, &records, &self.progress)?;
        let (saved, answers) = saved.unzip();
        let told = Setting::by_similarity(around, &self.recipe)?.flags();
        let flags = told.replace(&around.to_string(), "{similarity}");
        let asked = Asked {
            questions: &questions,
            excerpts: &excerpts,
            around,
            command: &suggestion::<Args>(self.words, &flags),
            saved: saved.as_deref(),
            answers: answers.unwrap_or_default(),
            by,
            told: &of_records,
        };
        asked.page()
    }
}

/// The records of pairs, ascending.
fn records(questions: &[Question]) -> Vec<RecordNumber> {
    let mut records: Vec<_> = questions.iter().flat_map(|one| [one.a, one.b]).collect();
    records.sort_unstable();
    records.dedup();
    records
}

/// An error of the survey, as the command tells errors.
fn of_survey(error: Error) -> anyhow::Error {
    match error {
        Error::Dedup(error) => error.into(),
        Error::Corpus(error) => error.into(),
        error @ Error::Budget { .. } => anyhow::anyhow!("--budget: {error}"),
        error => error.into(),
    }
}
