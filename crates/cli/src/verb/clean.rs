//! `nearprint clean`: dedup, passages and decontaminate over one corpus, each a run of that verb, and what each is worth.

mod figures;
mod kept;
mod page;
mod step;

use crate::allocator::return_large_buffers;
use crate::flags::endings;
use crate::flags::heading::{DUPLICATE, INPUT, OUTPUT, RESOURCES};
use crate::flags::input::{Format, InputFlags};
use crate::flags::names::{matches_of, with_other_names};
use crate::flags::run::{RunFlags, work_dir};
use crate::flags::size;
use crate::show::bar::Bar;
use crate::show::remarks::{passed_over, remarks, skipped};
use crate::show::warnings::warnings;
use crate::signals::heed_in_order;
use crate::usage::{say, wrong};
use crate::verb::clean::figures::{Figures, told};
use crate::verb::clean::kept::Kept;
use crate::verb::clean::step::Step;
use crate::verb::decontaminate::remarks::told_of_items;
use crate::verb::{decontaminate, dedup, passages};
use anyhow::Context as _;
use clap::parser::ValueSource;
use clap::{Args as _, Command, FromArgMatches};
use nearprint_corpus::{InputFormat, Output, OutputOptions, Outputs, Source, total_bytes};
use nearprint_dedup::{CorpusSize, FewDocuments, Progress};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Run dedup, passages and decontaminate, and show what each step removes
///
/// The steps are runs of `nearprint dedup`, `nearprint passages` and, with --evals, `nearprint decontaminate`, with
/// their defaults. Each reads the output of the one before. The documents and tokens left after each step are printed,
/// and written with --summary and --report. To inspect a step before the next one starts, run the verbs separately.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES, override_usage = USAGE,
    mut_arg("input_format", |arg| arg.value_parser(Format::of_text()).hide_short_help(true)),
    mut_arg("inputs", |arg| arg.num_args(1).help("A folder or a file").long_help("A folder or a file: rows or texts. Make rows of HTML and archives with `nearprint text` first")))]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputFlags,
    /// Recipe of all steps, by name or file [default: text]
    #[arg(long, value_name = "NAME|FILE", help_heading = DUPLICATE)]
    recipe: Option<String>,
    /// Eval set whose items are removed: a file or a folder, as --against of decontaminate
    ///
    /// May be repeated. Without it no step looks for items.
    #[arg(long, value_name = "EVAL", help_heading = DUPLICATE)]
    evals: Vec<String>,
    /// Flags of nearprint dedup for the first step, as one text
    ///
    /// Such as --dedup='--similarity 0.9 --keep longest'. Spaces separate the flags; quotes around a value are part of
    /// it.
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, help_heading = DUPLICATE)]
    dedup: Option<String>,
    /// Flags of nearprint passages for the second step, as one text
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, help_heading = DUPLICATE)]
    passages: Option<String>,
    /// Flags of nearprint decontaminate for the third step, as one text
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, requires = "evals", help_heading = DUPLICATE)]
    decontaminate: Option<String>,
    /// The clean corpus: a file or a folder
    ///
    /// As for `nearprint dedup`.
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    output: PathBuf,
    /// Replace outputs that exist
    #[arg(long, help_heading = OUTPUT)]
    force: bool,
    /// Folder for the lists of what was removed and why
    ///
    /// removed.jsonl of dedup, cuts.jsonl of passages, leaks.jsonl and items.jsonl of decontaminate. Each appears when
    /// its step ends.
    #[arg(long, value_name = "DIR", help_heading = OUTPUT)]
    lists: Option<PathBuf>,
    /// Write the figures of all steps as JSON
    ///
    /// "steps" has "documents", "bytes" of text and "tokens" before and after each step, and the "summary" that the
    /// verb writes.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::figures())]
    summary: Option<PathBuf>,
    /// Write a page with what each step removed and the commands that were run
    #[arg(long, value_name = "FILE.html", help_heading = OUTPUT, value_parser = endings::page())]
    report: Option<PathBuf>,
    /// Memory that the program may take [default: that of each step]
    ///
    /// K, M, G and T stand for powers of 1000, KiB and so on for powers of 1024.
    #[arg(long, value_name = "SIZE", value_parser = size::bytes, help_heading = RESOURCES)]
    memory: Option<usize>,
    /// Folder for temporary files, and for --resume [default: the system's]
    ///
    /// It holds the outputs of the first and the second step, each until the next step has ended, and the temporary
    /// files of all.
    #[arg(long, value_name = "DIR", help_heading = RESOURCES)]
    work_dir: Option<PathBuf>,
    /// Resume the same command after the last finished step, and within the one that was started
    #[arg(long, requires = "work_dir", help_heading = RESOURCES)]
    resume: bool,
    #[command(flatten)]
    run: RunFlags,
}

const USAGE: &str = "nearprint clean [OPTIONS] --output <OUT> <IN>";

const EXAMPLES: &str = "Examples:
  nearprint clean crawl/ -o clean/ --evals evals/ --lists lists/ --report clean.html
  nearprint clean corpus.jsonl -o clean.jsonl --summary clean.json
  nearprint clean crawl/ -o clean/ --dedup='--similarity 0.9' --passages='--copies 10 --whole sentence'
  nearprint clean crawl/ -o clean/ --evals evals/ --memory 8G --work-dir /scratch --resume";

/// Flags that each step gets as they are, beside those that say what the input is.
const COMMON: [&str; 3] = ["recipe", "memory", "threads"];
/// Those of them that decide nothing.
const FREE: [&str; 2] = ["--memory=", "--threads="];
/// What is asked of the input alone: a step may leave nothing of a file.
const OF_INPUT: &str = "--fail-on-empty";

/// The folder with the steps, in that for temporary files.
const FOLDER: &str = "nearprint-clean";

/// Cleans with these arguments, which are these words behind the verb.
pub(crate) fn run(args: &Args, words: &[OsString]) -> anyhow::Result<()> {
    if args.memory.is_some() {
        return_large_buffers();
    }
    let progress = Arc::new(Progress::default());
    heed_in_order(&progress);
    let figures = cleaned(args, words, &progress)?;
    if !args.run.quiet {
        told(&figures).iter().for_each(|line| say(line));
    }
    Ok(())
}

/// Cleans for a program with these words behind the verb: the figures, as --summary writes them.
pub(crate) fn run_for(words: &[OsString], progress: &Arc<Progress>) -> anyhow::Result<Value> {
    let name = OsString::from("clean");
    let matches = matches_of::<Args>("clean", [&name].into_iter().chain(words))?;
    let mut args = Args::from_arg_matches(&matches)?;
    args.run.quiet = true;
    Ok(figures::json(&cleaned(&args, words, progress)?))
}

/// What each step is worth, after all of them.
fn cleaned(
    args: &Args,
    words: &[OsString],
    progress: &Arc<Progress>,
) -> anyhow::Result<Vec<Figures>> {
    let [input] = args.input.inputs.as_slice() else {
        return wrong("clean: name one folder or file");
    };
    if input == "-" || args.output == Path::new("-") {
        return wrong(
            "clean: name files and folders: each step reads what the one before has written",
        );
    }
    let (sources, _) = args.input.find(&args.input.inputs, None)?;
    // Flags of steps may name more files.
    let of_steps = [&args.dedup, &args.passages, &args.decontaminate];
    let more = !args.evals.is_empty() || of_steps.iter().any(|flags| flags.is_some());
    args.input.refuse_idle_marks(&sources, more)?;
    let temporary;
    let folder = match args.work_dir.as_ref() {
        named @ Some(_) => work_dir(named)?.join(FOLDER),
        None => {
            let place = work_dir(None)?;
            let made = tempfile::Builder::new().prefix("nearprint-clean-").tempdir_in(&place);
            temporary = made.with_context(|| place.display().to_string())?;
            temporary.path().join(FOLDER)
        }
    };
    let common = common(words)?;
    let mut plan = Plan {
        args,
        input: Path::new(input),
        sources: &sources,
        folder: &folder,
        common,
        force: args.force,
    };
    let begun = Kept::read(&folder, args.resume, &plan.asked(), &sources)?;
    // What stands there then is of the run that was begun.
    plan.force |= begun.is_some();
    let mut outputs = Outputs::new(&sources, OutputOptions { force: plan.force });
    let summary = args.summary.as_ref().map(|path| outputs.create(path)).transpose()?;
    let report = args.report.as_ref().map(|path| outputs.create(path)).transpose()?;
    plan.check(progress)?;
    args.input.say_instead(&sources, args.run.quiet);
    let mut kept = match begun {
        Some(kept) => kept,
        None => {
            let files = vec![PathBuf::from(input)];
            let size = plan.size(&files, progress)?;
            let first = Figures { step: None, size, summary: Value::Null, remarks: Vec::new() };
            Kept::begin(&folder, plan.asked(), &sources, first)?
        }
    };
    let steps = plan.steps();
    for (number, step) in steps.iter().enumerate().skip(kept.figures.len() - 1) {
        if !args.run.quiet {
            say(&format!("step {} of {}: {}", number + 1, steps.len(), step.name()));
        }
        let from = plan.input_of(*step);
        let bar = Bar::follow(progress, plan.bytes(std::slice::from_ref(&from)), args.run.quiet);
        let (summary, mut remarks) = plan.run(*step, progress)?;
        drop(bar);
        remarks.retain(|line| !kept.figures.iter().any(|before| before.remarks.contains(line)));
        if !args.run.quiet {
            remarks.iter().for_each(|line| say(line));
        }
        let size = plan.size(&plan.written(*step), progress)?;
        kept.figures.push(Figures { step: Some(*step), size, summary, remarks });
        kept.save(&folder)?;
        // What the step before has left is read no more.
        if from != plan.input {
            fs::remove_dir_all(&from).with_context(|| from.display().to_string())?;
        }
    }
    let figures = kept.figures;
    write(summary, || Ok(serde_json::to_string_pretty(&figures::json(&figures))?))?;
    write(report, || Ok(page::page(&figures, &plan.commands())?))?;
    fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    Ok(figures)
}

/// Writes what is asked for.
fn write(
    output: Option<Output>,
    text: impl FnOnce() -> anyhow::Result<String>,
) -> anyhow::Result<()> {
    let Some(mut output) = output else { return Ok(()) };
    output.write_record(format!("{}\n", text()?).as_bytes())?;
    Ok(output.commit()?)
}

/// The flags among these words that each step gets as they are.
fn common(words: &[OsString]) -> anyhow::Result<Vec<OsString>> {
    let command = with_other_names(Args::augment_args(Command::new("clean")));
    let name = OsString::from("clean");
    let matches = command.clone().try_get_matches_from([&name].into_iter().chain(words))?;
    let mut common = Vec::new();
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        let is_common = arg.get_help_heading() == Some(INPUT) || COMMON.contains(&id);
        let is_given = matches.value_source(id) == Some(ValueSource::CommandLine);
        let Some(long) = arg.get_long().filter(|_| is_common && is_given) else { continue };
        if !arg.get_action().takes_values() {
            common.push(format!("--{long}").into());
            continue;
        }
        for value in matches.get_raw(id).into_iter().flatten() {
            let mut flag = OsString::from(format!("--{long}="));
            flag.push(value);
            common.push(flag);
        }
    }
    Ok(common)
}

/// What is to be done.
struct Plan<'a> {
    args: &'a Args,
    input: &'a Path,
    /// Its files.
    sources: &'a [Source],
    /// Where steps leave what the next one reads.
    folder: &'a Path,
    /// Flags of every step.
    common: Vec<OsString>,
    /// Whether outputs are replaced that exist.
    force: bool,
}

impl Plan<'_> {
    /// The steps, in their order.
    fn steps(&self) -> Vec<Step> {
        let looks = (!self.args.evals.is_empty()).then_some(Step::Decontaminate);
        [Step::Dedup, Step::Passages].into_iter().chain(looks).collect()
    }

    /// What a step reads.
    fn input_of(&self, step: Step) -> PathBuf {
        match step {
            Step::Dedup => self.input.to_owned(),
            Step::Passages => self.output_of(Step::Dedup),
            Step::Decontaminate => self.output_of(Step::Passages),
        }
    }

    /// What a step writes: the last one the clean corpus, the others folders with the files of the input.
    fn output_of(&self, step: Step) -> PathBuf {
        match step {
            _ if self.steps().last() == Some(&step) => self.args.output.clone(),
            Step::Dedup => self.folder.join("1-deduped/"),
            Step::Passages | Step::Decontaminate => self.folder.join("2-cut/"),
        }
    }

    /// What lists call the files that a step reads. One that is a document is called as in the input: the name is its id.
    /// A file of rows is not that of the input: it is called by the step before, as this folder has another name in each
    /// run.
    fn names(&self, step: Step) -> BTreeMap<String, String> {
        let folder = self.input_of(step);
        let before = Path::new(folder.file_name().unwrap_or_default());
        let names = self.sources.iter().map(|source| {
            let file = folder.join(source.relative());
            let name = match source.format() == Some(InputFormat::TEXT) {
                true => source.name().to_owned(),
                false => before.join(source.relative()).display().to_string(),
            };
            (file.display().to_string(), name)
        });
        names.collect()
    }

    /// The files that a step has written of those of the input; in a folder others may lie beside them.
    fn written(&self, step: Step) -> Vec<PathBuf> {
        let output = self.output_of(step);
        match output.is_dir() {
            false => vec![output],
            true => {
                let files = self.sources.iter().map(|source| output.join(source.relative()));
                files.filter(|file| file.exists()).collect()
            }
        }
    }

    /// The flags of every step, for one that reads the input or what a step has written.
    fn common_of(&self, is_input: bool) -> impl Iterator<Item = &OsString> {
        self.common.iter().filter(move |flag| is_input || *flag != OF_INPUT)
    }

    /// The words of a step that reads `input`, first the name of its verb.
    fn words(&self, step: Step, input: &Path) -> Vec<OsString> {
        let args = self.args;
        let (own, evals) = match step {
            Step::Dedup => (&args.dedup, &[][..]),
            Step::Passages => (&args.passages, &[][..]),
            Step::Decontaminate => (&args.decontaminate, args.evals.as_slice()),
        };
        let mut words = vec![OsString::from(step.name()), OsString::from(input)];
        words.extend(self.common_of(step == Step::Dedup).cloned());
        words.extend([OsString::from("-o"), OsString::from(self.output_of(step))]);
        for eval in evals {
            words.extend([OsString::from("--against"), OsString::from(eval)]);
        }
        for (flag, name) in step.lists() {
            if let Some(lists) = &args.lists {
                words.extend([OsString::from(flag), OsString::from(lists.join(name))]);
            }
        }
        words.extend(own.iter().flat_map(|own| own.split_whitespace()).map(OsString::from));
        words.extend(self.force.then(|| OsString::from("--force")));
        words
    }

    /// The commands that the steps are.
    fn commands(&self) -> Vec<String> {
        let command = |step: &Step| {
            let input = self.input_of(*step);
            // What a step has written is UTF-8.
            let is_said = |word: &&OsString| {
                input == self.input || !word.to_string_lossy().starts_with("--encoding=")
            };
            let words = self.words(*step, &input);
            let words: Vec<_> =
                words.iter().filter(is_said).map(|word| word.to_string_lossy()).collect();
            // The folder between the steps is gone when a reader sees this.
            let said = format!("nearprint {}", words.join(" "));
            said.replace(&*self.folder.to_string_lossy(), "BETWEEN")
        };
        self.steps().iter().map(command).collect()
    }

    /// What decides the outcome of all steps.
    fn asked(&self) -> Vec<String> {
        let words =
            self.steps().into_iter().flat_map(|step| self.words(step, &self.input_of(step)));
        let words = words.map(|word| word.to_string_lossy().into_owned());
        let decides =
            |word: &String| word != "--force" && !FREE.iter().any(|free| word.starts_with(free));
        [env!("CARGO_PKG_VERSION").to_owned()].into_iter().chain(words.filter(decides)).collect()
    }

    /// Refuses what some step would refuse, before the first one begins. Says what is known of the items.
    fn check(&self, progress: &Arc<Progress>) -> anyhow::Result<()> {
        if let Some(lists) = &self.args.lists {
            fs::create_dir_all(lists).with_context(|| lists.display().to_string())?;
        }
        for step in self.steps() {
            let words = self.words(step, self.input).into_iter();
            match step {
                Step::Dedup => {
                    dedup::check(&step.taken(dedup::Args::parse_args(words))?, progress)?
                }
                Step::Passages => {
                    passages::check(&step.taken(passages::Args::parse_args(words))?, progress)?
                }
                Step::Decontaminate => {
                    let mut args = step.taken(decontaminate::Args::parse_args(words))?;
                    // A character set of this step alone is that of the eval sets.
                    if !self.args.input.names_encoding() {
                        args.own();
                    }
                    let items = decontaminate::check(&args, progress)?;
                    if !self.args.run.quiet {
                        told_of_items(&items).iter().for_each(|line| say(line));
                    }
                }
            }
        }
        Ok(())
    }

    /// Does a step; the summary that its verb writes, and what it says of what it read. Files that the step before has
    /// emptied are no news.
    fn run(&self, step: Step, progress: &Arc<Progress>) -> anyhow::Result<(Value, Vec<String>)> {
        let of_step = |line: String| format!("{}: {line}", step.name());
        let mut words = self.words(step, &self.input_of(step));
        words.extend([OsString::from("--work-dir"), OsString::from(self.folder)]);
        if self.args.resume {
            words.push(OsString::from("--resume"));
        }
        let words = words.into_iter();
        Ok(match step {
            Step::Dedup => {
                let args = step.taken(dedup::Args::parse_args(words))?;
                let summary = dedup::run_for(&args, progress)?;
                let read = [passed_over(&summary), remarks(&summary), skipped(&summary)].concat();
                (serde_json::to_value(&summary)?, [read, warnings(&summary)].concat())
            }
            Step::Passages => {
                let mut args = step.taken(passages::Args::parse_args(words))?;
                args.own();
                args.call(self.names(step));
                let mut summary = passages::run_for(&args, None, progress)?;
                summary.few_documents = FewDocuments::default();
                let mut said = passages::remarks::remarks(&summary);
                let flag = "--min-left 1 in --passages";
                said.extend(passages::remarks::emptied(&summary, flag).map(of_step));
                (serde_json::to_value(&summary)?, said)
            }
            Step::Decontaminate => {
                let mut args = step.taken(decontaminate::Args::parse_args(words))?;
                args.own();
                args.call(self.names(step));
                let mut summary = decontaminate::run_for(&args, None, Vec::new(), progress)?.1;
                summary.few_documents = FewDocuments::default();
                let mut said = decontaminate::remarks::remarks(&summary);
                said.extend(decontaminate::remarks::emptied(&summary).map(of_step));
                (serde_json::to_value(&summary)?, said)
            }
        })
    }

    /// What a corpus of these files and folders holds.
    fn size(&self, files: &[PathBuf], progress: &Arc<Progress>) -> anyhow::Result<CorpusSize> {
        if files.is_empty() {
            return Ok(CorpusSize::default());
        }
        let _bar = Bar::follow(progress, self.bytes(files), self.args.run.quiet);
        let name = OsString::from(Step::Passages.name());
        let names = files.iter().map(OsString::from);
        let is_input = files == [self.input];
        let common = self.common_of(is_input).cloned();
        let words = [name].into_iter().chain(names).chain(common);
        let mut args = passages::Args::parse_args(words)?;
        if !is_input {
            args.own();
        }
        passages::size(&args, progress)
    }

    /// Bytes of a corpus as it lies on disk.
    fn bytes(&self, files: &[PathBuf]) -> Option<u64> {
        let (sources, _) = self.args.input.find(files, None).ok()?;
        total_bytes(&sources)
    }
}
