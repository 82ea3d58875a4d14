//! The `nearprint` command as a library: arguments in, one library call, printed result, exit status.
//!
//! | room | what belongs there |
//! |---|---|
//! | `verb` | one file a verb, and a folder for a verb with verbs of its own |
//! | `input` | input flags to fingerprints: files found, read or mapped |
//! | `flags` | flags that verbs share |
//! | `show` | numbers, tables and JSON, charts, the progress bar |
//!
//! Each room imports only those below it. Below all lie `usage` (what goes to standard error, and exit
//! statuses), `signals`, `platform` (what Unix and Windows do in different ways), `mapped` (files as memory)
//! and `arena`. Nothing is computed here that a library user could not compute.

mod allocator;
mod arena;
mod flags;
mod input;
mod mapped;
mod platform;
mod show;
mod signals;
mod usage;
mod verb;

use crate::flags::names::{advised, refuse_expanded, with_other_names};
pub use crate::show::remarks::{passed_over, remarks, skipped};
pub use crate::show::warnings::warnings;
use crate::verb::{
    clean, clusters, compare, completions, contamination, decide, decontaminate, dedup, evaluate,
    explain, fingerprint, idf, index, man, methods, pairs, passages, plan, recipe, shard, split,
    stats, store, text, tune,
};
#[cfg(feature = "serve")]
use crate::verb::{ping, serve, token};
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use nearprint_dedup::{
    ContaminationSummary, NamedSet, PassagesSummary, Progress, SelfTest, SplitSummary, Summary,
};
use nearprint_fingerprint::Recipe;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Find near-duplicate documents: exactly, fast, and with the reason for each.
#[derive(Parser)]
#[command(name = "nearprint", version, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

const EXAMPLES: &str = "Examples:
  nearprint dedup crawl.jsonl.zst -o kept.jsonl.zst --removed removed.jsonl
  nearprint passages kept.jsonl.zst -o cut.jsonl.zst
  nearprint decontaminate cut.jsonl.zst --against evals/ -o final.jsonl.zst
  nearprint pairs articles/ -k 6
  nearprint compare old.txt new.txt
  nearprint store add pages crawl.jsonl --unless-duplicate
  nearprint serve pages

Exit status: 0 done, 1 failed, 2 wrong usage, 3 a stage of shard came too early; 130, 143, 129: ended by Ctrl-C, SIGTERM, SIGHUP.";

#[derive(Subcommand)]
enum Verb {
    Dedup(Box<dedup::Args>),
    Decide(Box<decide::Args>),
    Passages(Box<passages::Args>),
    Decontaminate(Box<decontaminate::Args>),
    Contamination(Box<contamination::Args>),
    Clean(Box<clean::Args>),
    #[command(subcommand)]
    Shard(shard::What),
    Fingerprint(fingerprint::Args),
    Text(text::Args),
    Pairs(pairs::Args),
    Clusters(clusters::Args),
    Split(Box<split::Args>),
    Compare(compare::Args),
    Explain(Box<explain::Args>),
    Plan(plan::Args),
    #[command(subcommand)]
    Index(index::What),
    #[command(subcommand)]
    Idf(idf::What),
    Stats(Box<stats::Args>),
    Evaluate(Box<evaluate::Args>),
    Tune(Box<tune::Args>),
    Methods(methods::Args),
    #[command(subcommand)]
    Store(store::What),
    #[cfg(feature = "serve")]
    Serve(Box<serve::Args>),
    #[cfg(feature = "serve")]
    Ping(ping::Args),
    #[cfg(feature = "serve")]
    Token(token::Args),
    #[command(subcommand)]
    Recipe(recipe::What),
    Completions(completions::Args),
    Man(man::Args),
}

impl Cli {
    /// What is taken for the command.
    fn parser() -> Command {
        with_other_names(Self::command())
    }
}

/// Runs the command with these arguments, of which the first is its name, and returns its exit status: 0
/// done, 1 failed, 2 wrong usage, 3 a stage of `shard` came too early; 130, 143 and 129 where Ctrl-C, SIGTERM or SIGHUP ended it.
///
/// It prints to standard output and standard error, reads standard input where an argument says so, and
/// takes these signals for itself once a verb reads its input.
///
/// # Examples
///
/// ```
/// assert_eq!(nearprint_cli::run(["nearprint", "recipe", "list"]), 0);
/// assert_eq!(nearprint_cli::run(["nearprint", "no-such-verb"]), 2);
/// ```
pub fn run(args: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    let parsed = Cli::parser().try_get_matches_from(&args).and_then(|matches| {
        refuse_expanded(&Cli::parser(), &args)?;
        Cli::from_arg_matches(&matches)
    });
    let verb = match parsed {
        Ok(Cli { verb }) => verb,
        Err(refusal) => {
            let refusal = advised(refusal, &Cli::parser(), &args);
            // Help that nobody reads is no failure.
            let _printed = refusal.print();
            return u8::from(refusal.use_stderr()) * 2;
        }
    };
    status(|| match verb {
        Verb::Dedup(args) => dedup::run(&args),
        Verb::Decide(args) => decide::run(&args),
        Verb::Passages(args) => passages::run(&args),
        Verb::Decontaminate(args) => decontaminate::run(&args),
        Verb::Contamination(args) => contamination::run(&args),
        Verb::Clean(parsed) => clean::run(&parsed, args.get(2..).unwrap_or_default()),
        Verb::Shard(what) => shard::run(&what),
        Verb::Fingerprint(args) => fingerprint::run(&args),
        Verb::Text(args) => text::run(&args),
        Verb::Pairs(args) => pairs::run(&args),
        Verb::Clusters(args) => clusters::run(&args),
        Verb::Split(args) => split::run(&args),
        Verb::Compare(args) => compare::run(&args),
        Verb::Explain(args) => explain::run(&args),
        Verb::Plan(args) => plan::run(&args),
        Verb::Index(what) => index::run(&what),
        Verb::Idf(what) => idf::run(&what),
        Verb::Stats(args) => stats::run(&args),
        Verb::Evaluate(args) => evaluate::run(&args),
        Verb::Tune(parsed) => tune::run(&parsed, args.get(2..).unwrap_or_default()),
        Verb::Methods(args) => methods::run(&args),
        Verb::Store(what) => store::run(&what),
        #[cfg(feature = "serve")]
        Verb::Serve(parsed) => serve::run(&parsed, args.get(1..).unwrap_or_default()),
        #[cfg(feature = "serve")]
        Verb::Ping(args) => ping::run(&args),
        #[cfg(feature = "serve")]
        Verb::Token(args) => token::run(&args),
        Verb::Recipe(what) => recipe::run(&what),
        Verb::Completions(args) => completions::run(&args, &mut Cli::command()),
        Verb::Man(args) => man::run(&args, Cli::command()),
    })
}

/// The exit status of a verb, whose error is said. A panic is one too, as that of any thread that a verb waits for.
fn status(verb: impl FnOnce() -> anyhow::Result<()>) -> u8 {
    let outcome = catch_unwind(AssertUnwindSafe(verb)).unwrap_or_else(|_| {
        Err(anyhow::anyhow!(
            "a bug in nearprint: a panic ended the run (see above); please report it"
        ))
    });
    match outcome {
        Ok(()) => 0,
        Err(error) if usage::is_broken_pipe(&error) => 0,
        Err(error) => {
            usage::say(&format!("error: {}", usage::message(&error)));
            usage::exit_code(&error)
        }
    }
}

/// Runs `nearprint dedup` with these arguments, without the name of command or verb, for a program: nothing is
/// printed, no signal is taken, and `progress` shows how far the job is and ends it.
///
/// # Errors
/// Wrong arguments; those of the job, which are a [`nearprint_dedup::Error`].
///
/// # Examples
///
/// ```
/// use nearprint_dedup::Progress;
/// use std::sync::Arc;
///
/// # let folder = tempfile::tempdir()?;
/// # let (texts, kept) = (folder.path().join("texts.jsonl"), folder.path().join("kept.jsonl"));
/// std::fs::write(&texts, "{\"text\":\"one two three four\"}\n".repeat(3))?;
/// let args = [texts.as_os_str(), "-o".as_ref(), kept.as_os_str()];
/// let summary = nearprint_cli::dedup(args, &Arc::new(Progress::default()))?;
/// assert_eq!((summary.kept, summary.removed), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn dedup(
    args: impl IntoIterator<Item = impl Into<OsString>>,
    progress: &Arc<Progress>,
) -> anyhow::Result<Summary> {
    let name = std::iter::once(OsString::from("dedup"));
    let args = dedup::Args::parse_args(name.chain(args.into_iter().map(Into::into)))?;
    dedup::run_for(&args, progress)
}

/// `nearprint decide` with its arguments, for a program: nothing is printed, no signal is taken.
///
/// # Errors
/// What the arguments ask for and makes no sense; those of the decision, which are a [`nearprint_dedup::Error`].
///
/// # Examples
///
/// ```
/// # use std::sync::Arc;
/// # let folder = tempfile::tempdir()?;
/// # let (texts, pairs) = (folder.path().join("texts.jsonl"), folder.path().join("pairs"));
/// std::fs::write(&texts, "{\"text\":\"one two three four\"}\n".repeat(3))?;
/// let kept = folder.path().join("kept.jsonl");
/// let keep = [texts.as_os_str(), "-o".as_ref(), kept.as_os_str(), "--decisions".as_ref(), pairs.as_os_str()];
/// nearprint_cli::dedup(keep, &Arc::default())?;
/// let summary = nearprint_cli::decide([pairs.as_os_str(), "--similarity=0.9".as_ref()], &Arc::default())?;
/// assert_eq!((summary.kept, summary.removed), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn decide(
    args: impl IntoIterator<Item = impl Into<OsString>>,
    progress: &Arc<Progress>,
) -> anyhow::Result<Summary> {
    let name = std::iter::once(OsString::from("decide"));
    let args = decide::Args::parse_args(name.chain(args.into_iter().map(Into::into)))?;
    decide::run_for(&args, progress)
}

/// `nearprint passages` with its arguments, for a program: nothing is printed, no signal is taken.
///
/// # Examples
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (texts, cut) = (folder.path().join("texts.jsonl"), folder.path().join("cut.jsonl"));
/// std::fs::write(&texts, "{\"text\":\"one two three\"}\n".repeat(2))?;
/// let args = [texts.as_os_str(), "-o".as_ref(), cut.as_os_str(), "--length=3".as_ref()];
/// let summary = nearprint_cli::Passages::parse(args)?.run(None, &std::sync::Arc::default())?;
/// assert_eq!((summary.cut_documents, summary.cut_tokens), (1, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Passages(Box<passages::Args>);

impl Passages {
    /// Takes the arguments, without the name of command or verb.
    ///
    /// # Errors
    /// Wrong arguments.
    pub fn parse(args: impl IntoIterator<Item = impl Into<OsString>>) -> anyhow::Result<Self> {
        let name = std::iter::once(OsString::from("passages"));
        let args = passages::Args::parse_args(name.chain(args.into_iter().map(Into::into)))?;
        Ok(Self(Box::new(args)))
    }

    /// Does the job, with a recipe in place of the one that the arguments name, if there is one. `progress` shows how
    /// far it is and ends it.
    ///
    /// # Errors
    /// What the arguments ask for and makes no sense; those of the job, which are a [`nearprint_dedup::Error`].
    pub fn run(
        &self,
        recipe: Option<Recipe>,
        progress: &Arc<Progress>,
    ) -> anyhow::Result<PassagesSummary> {
        passages::run_for(&self.0, recipe, progress)
    }

    /// What a reader of the result would want to know of the input, a line each.
    #[must_use]
    pub fn remarks(summary: &PassagesSummary) -> Vec<String> {
        passages::remarks::remarks(summary)
    }
}

/// `nearprint decontaminate` with its arguments, for a program: nothing is printed, no signal is taken. Eval sets may have
/// names of their own; the arguments name none then.
///
/// # Examples
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let [texts, evals, kept] = ["texts.jsonl", "evals.jsonl", "kept.jsonl"].map(|name| folder.path().join(name));
/// let question = "Which of the planets turns around the sun in the shortest time?";
/// std::fs::write(&evals, format!("{{\"question\":\"{question}\"}}\n"))?;
/// std::fs::write(&texts, format!("{{\"text\":\"Other words.\"}}\n{{\"text\":\"Quiz: {question}\"}}\n"))?;
/// let args = [texts.as_os_str(), "-o".as_ref(), kept.as_os_str(), "--against".as_ref(), evals.as_os_str()];
/// let job = nearprint_cli::Decontaminate::parse(args)?;
/// let (summary, _) = job.run(None, Vec::new(), &std::sync::Arc::default())?;
/// assert_eq!((summary.contaminated, summary.removed), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Decontaminate(Box<decontaminate::Args>);

impl Decontaminate {
    /// Takes the arguments, without the name of command or verb.
    ///
    /// # Errors
    /// Wrong arguments.
    pub fn parse(args: impl IntoIterator<Item = impl Into<OsString>>) -> anyhow::Result<Self> {
        let name = std::iter::once(OsString::from("decontaminate"));
        let args = decontaminate::Args::parse_args(name.chain(args.into_iter().map(Into::into)))?;
        Ok(Self(Box::new(args)))
    }

    /// Takes the input for UTF-8, whatever character set the arguments name: that is then the one of the eval sets.
    #[must_use]
    pub fn of_utf_8(mut self) -> Self {
        self.0.own();
        self
    }

    /// Does the job, with a recipe in place of the one that the arguments name, if there is one; also what a reader of the
    /// result would want to know of items and input, a line each. `progress` shows how far it is and ends it.
    ///
    /// # Errors
    /// What the arguments ask for and makes no sense; those of the job, which are a [`nearprint_dedup::Error`].
    pub fn run(
        &self,
        recipe: Option<Recipe>,
        sets: Vec<NamedSet>,
        progress: &Arc<Progress>,
    ) -> anyhow::Result<(ContaminationSummary, Vec<String>)> {
        use decontaminate::remarks::{remarks, told_of_items};
        let (items, summary) = decontaminate::run_for(&self.0, recipe, sets, progress)?;
        let told = [told_of_items(&items), remarks(&summary)].concat();
        Ok((summary, told))
    }

    /// Does the self-test that the arguments ask for; also what the command prints of it.
    ///
    /// # Errors
    /// Those of [`run`](Self::run); arguments that ask for none; a corpus without a document.
    pub fn self_test(
        &self,
        recipe: Option<Recipe>,
        sets: Vec<NamedSet>,
        progress: &Arc<Progress>,
    ) -> anyhow::Result<(SelfTest, String)> {
        let tested = decontaminate::test_for(&self.0, recipe, sets, progress)?;
        let told = decontaminate::self_test::told(&tested);
        Ok((tested, told))
    }
}

/// `nearprint split` with its arguments, for a program: the figures, and what was passed over in folders, a line for each
/// reason. Nothing is printed, no signal is taken.
///
/// # Errors
/// Wrong arguments; those of the job, which are a [`nearprint_dedup::Error`].
///
/// # Examples
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (texts, parts) = (folder.path().join("texts.jsonl"), folder.path().join("parts"));
/// std::fs::write(&texts, "{\"text\":\"one two three four\"}\n".repeat(3))?;
/// let args = [texts.as_os_str(), "-o".as_ref(), parts.as_os_str(), "--parts=train=80,test=20".as_ref()];
/// let (summary, _) = nearprint_cli::split(args, &std::sync::Arc::default())?;
/// assert_eq!((summary.documents, summary.clusters), (3, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn split(
    args: impl IntoIterator<Item = impl Into<OsString>>,
    progress: &Arc<Progress>,
) -> anyhow::Result<(SplitSummary, Vec<String>)> {
    let name = std::iter::once(OsString::from("split"));
    let args = split::Args::parse_args(name.chain(args.into_iter().map(Into::into)))?;
    split::run_for(&args, progress)
}

/// `nearprint clean` with its arguments, for a program: the figures of all steps, as --summary writes them. Nothing is
/// printed, no signal is taken.
///
/// # Errors
/// Wrong arguments; those of the steps, which are a [`nearprint_dedup::Error`].
///
/// # Examples
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (texts, cleaned) = (folder.path().join("texts.jsonl"), folder.path().join("cleaned.jsonl"));
/// std::fs::write(&texts, "{\"text\":\"one two three four\"}\n".repeat(3))?;
/// let args = [texts.as_os_str(), "-o".as_ref(), cleaned.as_os_str()];
/// let figures = nearprint_cli::clean(args, &std::sync::Arc::default())?;
/// assert_eq!((&figures["steps"][0]["tokens"], &figures["steps"][2]["tokens"]), (&12.into(), &4.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn clean(
    args: impl IntoIterator<Item = impl Into<OsString>>,
    progress: &Arc<Progress>,
) -> anyhow::Result<serde_json::Value> {
    let words: Vec<OsString> = args.into_iter().map(Into::into).collect();
    clean::run_for(&words, progress)
}

/// What the command says of an error of these calls: its causes, and the flag that helps.
///
/// # Examples
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (texts, kept) = (folder.path().join("texts.jsonl"), folder.path().join("kept.jsonl"));
/// std::fs::write(&texts, "{\"body\":\"one two three four\"}\n")?;
/// let args = [texts.as_os_str(), "-o".as_ref(), kept.as_os_str()];
/// let refusal = nearprint_cli::dedup(args, &std::sync::Arc::default()).unwrap_err();
/// assert!(nearprint_cli::message(&refusal).ends_with("name the field of the text with --text-field"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn message(error: &anyhow::Error) -> String {
    usage::message(error)
}

/// What `nearprint methods` prints of a run with this summary: a sentence, a table of Markdown, or of LaTeX, and the
/// entries to cite.
///
/// # Errors
/// A text that is no summary of a run of `nearprint dedup`.
///
/// # Examples
///
/// ```
/// assert!(nearprint_cli::methods("{}", false).unwrap_err().to_string().starts_with("not the summary of a run"));
/// ```
pub fn methods(summary: &str, is_latex: bool) -> anyhow::Result<String> {
    let format = if is_latex { methods::Format::Latex } else { methods::Format::Markdown };
    methods::text_of(summary, format)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of `-h`: what a screen shows.
    const SCREEN: usize = 45;

    /// The verbs that run, with the names of those above them.
    fn leaves(command: &Command, above: &str) -> Vec<(String, Command)> {
        let name = format!("{above} {}", command.get_name());
        let below = command.get_subcommands().filter(|verb| verb.get_name() != "help");
        let found: Vec<_> = below.flat_map(|verb| leaves(verb, &name)).collect();
        if found.is_empty() { vec![(name, command.clone())] } else { found }
    }

    fn verbs() -> Vec<(String, Command)> {
        let mut command = Cli::command().term_width(100);
        command.build();
        leaves(&command, "")
    }

    #[test]
    fn a_panic_is_a_failure() {
        assert_eq!(status(|| panic!("as a test wants")), 1);
        let of_thread = || {
            std::thread::scope(|scope| drop(scope.spawn(|| panic!("so too"))));
            Ok(())
        };
        assert_eq!(status(of_thread), 1);
        assert_eq!(status(|| Ok(())), 0);
    }

    #[test]
    fn the_arguments_are_consistent_and_every_verb_has_examples() {
        Cli::parser().debug_assert();
        assert!(verbs().len() > 20);
        for (name, verb) in verbs().iter().filter(|(name, _)| !name.contains(" recipe ")) {
            let after = verb.get_after_long_help().map(ToString::to_string).unwrap_or_default();
            assert!(after.contains("Examples:\n  nearprint "), "{name}");
        }
    }

    #[test]
    fn short_help_fits_a_screen_and_every_flag_has_a_heading() {
        for (name, mut verb) in verbs() {
            let help = verb.render_help().to_string();
            let lines = help.lines().count();
            assert!(lines <= SCREEN, "{name}: {lines} lines\n{help}");
            assert!(help.lines().all(|line| line.chars().count() <= 100), "{name}\n{help}");
            let flags = verb.get_arguments().filter(|arg| !arg.is_positional());
            for arg in flags.filter(|arg| arg.get_id() != "help") {
                assert!(arg.get_help_heading().is_some(), "{name}: {}", arg.get_id());
            }
        }
    }
}
