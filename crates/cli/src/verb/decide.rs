//! `nearprint decide`: which documents stay, decided again from the pairs that `dedup` kept.

mod chart;
mod sweep;

use crate::allocator::return_large_buffers;
use crate::flags::endings;
use crate::flags::heading::{DUPLICATE, INPUT, OUTPUT, RESOURCES};
use crate::flags::input::{Format as InputFormat, InputFlags, say_passed_over};
use crate::flags::keeping::{KeepFlags, ScoreFields};
use crate::flags::likeness::share;
use crate::flags::names::matches_of;
use crate::flags::plot::PlotFlags;
use crate::flags::run::RunFlags;
use crate::flags::size;
use crate::flags::survivors::SurvivorFlags;
use crate::flags::target::{of, target};
use crate::flags::within::WithinFlags;
use crate::show::bar::Bar;
use crate::show::figures::{bytes, count_of};
use crate::show::format::Format;
use crate::show::kept::kept;
use crate::show::remarks::{remarks_of, skipped};
use crate::show::warnings::{by_source, warnings};
use crate::signals::heed_in_order;
use crate::usage::{WrongUsage, refuse_missing, say, wrong};
use clap::builder::StyledStr;
use clap::{Arg, FromArgMatches};
use nearprint_dedup::{
    ClusterRule, DecisionSpec, Error, InputSpec, KeepRule, Memory, Met, Origin, OutputSpec,
    Progress, Reading, ReadingSpec, Resources, Summary, Target,
};
use nearprint_fingerprint::{LanguageRule, Recipe, Weighting};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use sweep::Sweep;

/// Decide again which documents are kept, in seconds and without their texts
///
/// FILE has the pairs that `nearprint dedup --decisions FILE` found, at the similarity of that run and above. Flags that
/// are not given are those of the run. With any such similarity, either cluster rule and any document to keep, the
/// result is that of dedup with these settings. It may differ for documents that dedup did not compare with all others,
/// which it tells. The corpus is needed only to
/// write survivors (-o, with --in). --sweep prints what each of many similarities would leave; --target finds the one
/// that leaves a given size.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES, mut_arg("inputs", corpus), mut_arg("input_format", |arg| arg.value_parser(InputFormat::of_text()).hide_short_help(true)), mut_arg("id_field", hidden), mut_arg("text_field", hidden), mut_arg("features_field", |arg| arg.hide(true)), mut_arg("on_error", hidden), mut_arg("cluster_rule", |arg| of_run(arg, "[default: star]")), mut_arg("keep", |arg| of_run(arg, "[default: central; first with --cluster-rule connected]")))]
pub(crate) struct Args {
    /// File that `nearprint dedup --decisions` wrote
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    input: InputFlags,
    /// Least similarity of near-duplicates, 0 to 1 [default: that of the run]
    #[arg(long, value_name = "S", value_parser = share, allow_negative_numbers = true, help_heading = DUPLICATE)]
    similarity: Option<f64>,
    /// Take the similarity that leaves this much: 1.2M-documents, 30% (of the documents) or 40G (of text)
    ///
    /// The highest similarity, to four digits, that leaves no more than that. In large files with --cluster-rule star
    /// it is one above which the next leaves more. A still higher one may leave less again, and a line says that not
    /// all were tried. If even 1 leaves less, that is taken, and a line says so. If even the lowest of the file leaves
    /// more, nothing is written, and the status is 1. Sizes are bytes of text, before compression.
    #[arg(long, value_name = "SIZE", value_parser = target, conflicts_with = "similarity", help_heading = DUPLICATE)]
    target: Option<Target>,
    #[command(flatten)]
    within: WithinFlags,
    #[command(flatten)]
    keeping: KeepFlags,
    /// Print what each similarity would leave, such as 0.6:1.0:0.02
    ///
    /// From the first to the second, in steps of the third. Nothing else is written.
    #[arg(long, value_name = "FROM:TO:STEP", conflicts_with_all = ["similarity", "target", "output", "removed", "kept", "clusters", "summary", "annotate", "copies", "count_by", "group_by", "rehydrate", "fail_if_removed", "shard_size", "keep_requests"], help_heading = OUTPUT)]
    sweep: Option<Sweep>,
    /// How --sweep is printed
    #[arg(long, value_enum, default_value = "table", requires = "sweep", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Format,
    #[command(flatten)]
    plot: PlotFlags,
    /// Survivors, of the corpus that --in names: a file, a folder, or - for standard output
    #[arg(short, long, value_name = "OUT", requires = "inputs", help_heading = OUTPUT)]
    output: Option<PathBuf>,
    /// Replace outputs that exist
    #[arg(long, help_heading = OUTPUT)]
    force: bool,
    /// Write what is removed, and because of which document
    ///
    /// The rows of `nearprint dedup --removed`. With --cluster-rule connected, a removed document may have no pair with
    /// the kept one. Their similarity is then computed from the corpus that --in names. Without it, and with --against or
    /// --idf, it is estimated ("estimated-cosine"). Distances are in bits of the width that the run had.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::rows())]
    removed: Option<PathBuf>,
    /// Write the ids of the kept documents
    ///
    /// Rows are {"id"}. Documents without text are kept too, but not listed.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::rows())]
    kept: Option<PathBuf>,
    /// Write every document of a group
    ///
    /// Rows are {"id","cluster","representative"}.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::rows())]
    clusters: Option<PathBuf>,
    /// Write the figures as JSON
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::figures())]
    summary: Option<PathBuf>,
    #[command(flatten)]
    survivors: SurvivorFlags,
    /// Memory that the program may take [default: what it needs]
    ///
    /// Pairs that it has no room for go to --work-dir. Documents take about 60 bytes each at 128 bits, and their ids.
    #[arg(long, value_name = "SIZE", value_parser = size::bytes, help_heading = RESOURCES)]
    memory: Option<usize>,
    /// Folder for temporary files [default: the system's]
    #[arg(long, value_name = "DIR", help_heading = RESOURCES)]
    work_dir: Option<PathBuf>,
    #[command(flatten)]
    run: RunFlags,
}

const EXAMPLES: &str = "Examples:
  nearprint dedup crawl/ --similarity 0.6 --decisions crawl.decisions
  nearprint decide crawl.decisions --sweep 0.6:1.0:0.02 --plot sweep.svg
  nearprint decide crawl.decisions --similarity 0.85 --keep longest --removed removed.jsonl
  nearprint decide crawl.decisions --target 30% --kept kept.jsonl
  nearprint decide crawl.decisions --similarity 0.9 --in crawl/ -o clean/";

/// The usual value of a flag that the run had too.
const OF_RUN: &str = "[default: that of the run]";

/// The corpus as a flag.
fn corpus(arg: Arg) -> Arg {
    const HELP: &str = "Corpus that the run read, to write survivors";
    const MORE: &str = "The files of the run, in the same order, without those of --against, and read with the same flags. \
                        They are compared with FILE. May be repeated.";
    let arg = arg.long("in").required(false).num_args(1).help_heading(INPUT);
    arg.help(HELP).long_help(format!("{HELP}\n\n{MORE}"))
}

/// A flag whose usual value is that of the run.
fn of_run(arg: Arg, usual: &str) -> Arg {
    let told = |help: Option<&StyledStr>| {
        help.map(|help| help.to_string().replace(usual, OF_RUN)).unwrap_or_default()
    };
    let (short, long) = (told(arg.get_help()), told(arg.get_long_help()));
    arg.help(short).long_help(long)
}

fn hidden(arg: Arg) -> Arg {
    arg.hide_short_help(true)
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.memory.is_some() {
        return_large_buffers();
    }
    let nothing_asked = [&args.output, &args.removed, &args.kept, &args.clusters, &args.summary];
    if args.sweep.is_none() && args.run.quiet && nothing_asked.iter().all(|it| it.is_none()) {
        return wrong(
            "decide: with --quiet, name what to write: -o, --removed, --kept, --clusters or --summary",
        );
    }
    let progress = Arc::new(Progress::default());
    args.check_plot()?;
    refuse_missing(&args.file)?;
    let (spec, with) = (args.asked()?, args.resources()?);
    if let Some(sweep) = &args.sweep {
        return sweep.print(&spec, &with, args.format, &args.plot, &progress);
    }
    heed_in_order(&progress);
    let ready = spec.open(&with, &progress).map_err(|error| args.by_flag(error))?;
    let bar = Bar::follow(&progress, None, args.run.quiet);
    let decision = ready.run(&progress)?;
    drop(bar);
    if args.run.quiet && decision.met != Some(Met::MoreIsLeft) {
        return Ok(());
    }
    let summary = &decision.outcome.summary;
    let place = args.output.as_deref().map(|output| args.survivors.place(output));
    kept(summary, "", place.as_deref()).iter().for_each(|line| say(line));
    if let Some((met, target)) = decision.met.zip(args.target) {
        say(&told(met, target, decision.similarity));
    }
    let remarks = remarks_of(summary, args.output.is_some());
    let of_input = [by_source(summary), remarks, skipped(summary), warnings(summary)];
    of_input.iter().flatten().for_each(|line| say(line));
    let memory = summary
        .peak_memory
        .map_or_else(String::new, |peak| format!(", peak memory {}", bytes(peak)));
    if let Some(line) = args.as_in_run(summary) {
        say(&line);
    }
    say(&format!(
        "decided by {} from {} of different content in {:.2} s{memory}; recipe {}",
        summary.verify,
        count_of(summary.candidates, "pair"),
        summary.seconds.total,
        summary.recipe
    ));
    match decision.met {
        Some(Met::MoreIsLeft) => {
            anyhow::bail!("--target: not reached; create the file again at a lower similarity")
        }
        _ => Ok(()),
    }
}

/// Decides and says nothing. A target that is not met is an error, as it is one for the command.
pub(crate) fn run_for(args: &Args, progress: &Arc<Progress>) -> anyhow::Result<Summary> {
    if args.sweep.is_some() {
        return wrong("--sweep: a table is printed; run the command `nearprint decide`");
    }
    args.check_plot()?;
    let spec = args.asked()?;
    let ready = spec.open(&args.resources()?, progress).map_err(|error| args.by_flag(error))?;
    let decision = ready.run(progress)?;
    match decision.met.zip(args.target) {
        Some((met @ Met::MoreIsLeft, target)) => {
            Err(Error::TargetUnmet(told(met, target, decision.similarity)).into())
        }
        _ => Ok(decision.outcome.summary),
    }
}

/// Whether a similarity leaves what was asked for.
fn told(met: Met, target: Target, similarity: f64) -> String {
    let asked = of(target);
    match met {
        Met::Yes => format!("similarity {similarity}: the highest that leaves at most {asked}"),
        Met::NextLeavesMore => format!(
            "similarity {similarity}: leaves at most {asked}, and {:.4} leaves more; some higher one may leave less again: not \
             all were tried",
            similarity + 0.0001
        ),
        Met::MoreIsLeft => format!(
            "similarity {similarity}, the lowest of the file, leaves more than {asked}: the file cannot get closer"
        ),
        Met::LessIsLeft => {
            format!(
                "similarity {similarity}, which removes only equal documents, leaves less than {asked}"
            )
        }
    }
}

impl Args {
    /// The arguments of the verb alone, the first of which is its name, for a run that says nothing.
    pub(crate) fn parse_args(args: impl Iterator<Item = OsString>) -> anyhow::Result<Self> {
        let mut args = Self::from_arg_matches(&matches_of::<Self>("decide", args)?)?;
        args.run.quiet = true;
        Ok(args)
    }

    /// Refuses a chart where there is none.
    fn check_plot(&self) -> anyhow::Result<()> {
        match (self.plot.paths().first(), &self.sweep) {
            (Some(path), None) => wrong(format!(
                "--plot {}: the chart is that of --sweep, such as --sweep 0.6:1.0:0.02; add it, or leave --plot out",
                path.display()
            )),
            _ => Ok(()),
        }
    }

    /// Refuses what is said of survivors where none are written.
    fn check_survivors(&self) -> anyhow::Result<()> {
        match self.survivors.named().filter(|_| self.output.is_none()) {
            Some(flag) => wrong(format!("{flag}: it is for survivors; name the output with -o")),
            None => Ok(()),
        }
    }

    fn asked(&self) -> anyhow::Result<DecisionSpec> {
        self.check_survivors()?;
        let (keep, scores) = match self.keeping.named_rule()? {
            Some((keep, scores)) => (Some(keep), scores),
            None => (None, ScoreFields::default()),
        };
        let threads = self.run.threads()?;
        let room = self.memory.map(Memory::Process).and_then(|memory| memory.for_lists(threads));
        let (sources, passed_over) = match self.input.inputs.as_slice() {
            [] => (Vec::new(), Vec::new()),
            inputs => self.input.find(inputs, room)?,
        };
        self.input.refuse_idle_marks(&sources, false)?;
        self.input.refuse_idle_requests(&sources, self.survivors.keep_requests)?;
        if !self.run.quiet {
            say_passed_over(&passed_over);
        }
        // The recipe is that of the file, which knows its fields.
        let usual = Recipe { language: LanguageRule::Auto, ..Recipe::default() };
        let content = Origin::from(match self.input.names_features() {
            true => Recipe { weights: Weighting::Given, ..usual },
            false => usual,
        });
        let Reading { fields, on_error, fail_on_empty, options, .. } =
            self.input.reading(content, threads)?;
        let fields = scores.among(fields);
        let labels = self.survivors.labels(self.within.labels());
        Ok(DecisionSpec {
            file: self.file.clone(),
            similarity: self.similarity,
            target: self.target,
            cluster_rule: self.keeping.named_cluster_rule(),
            keep,
            score: fields.score.clone(),
            labels,
            input: InputSpec { sources, passed_over, ..InputSpec::default() },
            reading: ReadingSpec { fields, on_error, fail_on_empty, options },
            outputs: OutputSpec {
                survivors: self.output.clone(),
                removed: self.removed.clone(),
                kept: self.kept.clone(),
                clusters: self.clusters.clone(),
                summary: self.summary.clone(),
                ..self.survivors.outputs()
            },
        })
    }

    /// The settings of the run that hold here, where these are not the usual ones.
    fn as_in_run(&self, summary: &Summary) -> Option<String> {
        let rule = ClusterRule::default().name();
        let usual = summary.cluster_rule.parse().map(|rule| KeepRule::of(rule).name()).ok()?;
        let is_named = [
            self.keeping.named_cluster_rule().is_some(),
            self.keeping.is_named(),
            self.within.within.is_some(),
            self.within.across.is_some(),
        ];
        let settings = &summary.settings;
        let of_run = [
            Some(&summary.cluster_rule)
                .filter(|name| *name != rule)
                .map(|it| format!("cluster rule {it}")),
            Some(&summary.keep).filter(|name| *name != usual).map(|it| format!("keep {it}")),
            settings.within.as_ref().map(|field| format!("within {field}")),
            settings.across.as_ref().map(|field| format!("across {field}")),
        ];
        let told: Vec<String> = of_run
            .into_iter()
            .zip(is_named)
            .filter_map(|(it, named)| it.filter(|_| !named))
            .collect();
        (!told.is_empty()).then(|| format!("as in the run of dedup: {}", told.join(", ")))
    }

    fn resources(&self) -> anyhow::Result<Resources> {
        Ok(Resources {
            threads: Some(self.run.threads()?),
            memory: self.memory.map_or(Memory::Frugal, Memory::Process),
            work_dir: self.work_dir.clone(),
            resume: false,
            force: self.force,
        })
    }

    /// What is refused, with the flag that helps.
    fn by_flag(&self, error: Error) -> anyhow::Error {
        match error {
            Error::Undecidable { problem } => WrongUsage(problem).into(),
            error => self.survivors.by_flag(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_similarity_that_is_not_known_to_be_the_highest_is_told_as_such() {
        let said = "similarity 0.8033: leaves at most 50 % of the documents, and 0.8034 leaves more; some higher one may \
                    leave less again: not all were tried";
        assert_eq!(told(Met::NextLeavesMore, Target::Share(0.5), 0.8033), said);
    }
}
