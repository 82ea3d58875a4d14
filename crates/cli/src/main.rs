//! The `nearprint` command: arguments in, one library call, printed result, exit status.
//!
//! One file a verb; the flags that verbs share are in [`flags`]. Nothing is computed here that a
//! library user could not compute.

mod arena;
mod at_width;
mod bar;
mod budget;
mod clusters;
mod compare;
mod completions;
mod corpus;
mod dedup;
mod estimate;
mod figures;
mod fingerprint;
mod flags;
mod idf;
mod index;
mod keeping;
mod likeness;
mod mapped;
mod pairs;
mod plan;
mod recipe;
mod report;
mod seen;
#[cfg(feature = "serve")]
mod serve;
mod stats;
mod store;
#[cfg(feature = "serve")]
mod token;
mod usage;
mod words;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Find near-duplicate documents: exactly, fast, and with the reason for each.
#[derive(Parser)]
#[command(name = "nearprint", version, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

const EXAMPLES: &str = "Examples:
  nearprint dedup crawl.jsonl.zst -o kept.jsonl.zst --removed removed.jsonl
  nearprint pairs articles/ -k 6
  nearprint compare old.txt new.txt
  nearprint store add pages crawl.jsonl --unless-duplicate
  nearprint serve pages

Exit status: 0 done, 1 failed, 2 wrong usage.";

#[derive(Subcommand)]
enum Verb {
    Dedup(dedup::Args),
    Fingerprint(fingerprint::Args),
    Pairs(pairs::Args),
    Clusters(clusters::Args),
    Compare(compare::Args),
    Plan(plan::Args),
    #[command(subcommand)]
    Index(index::What),
    #[command(subcommand)]
    Idf(idf::What),
    Stats(Box<stats::Args>),
    #[command(subcommand)]
    Store(store::What),
    #[cfg(feature = "serve")]
    Serve(Box<serve::Args>),
    #[cfg(feature = "serve")]
    Token(token::Args),
    #[command(subcommand)]
    Recipe(recipe::What),
    Completions(completions::Args),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().verb {
        Verb::Dedup(args) => dedup::run(&args),
        Verb::Fingerprint(args) => fingerprint::run(&args),
        Verb::Pairs(args) => pairs::run(&args),
        Verb::Clusters(args) => clusters::run(&args),
        Verb::Compare(args) => compare::run(&args),
        Verb::Plan(args) => plan::run(&args),
        Verb::Index(what) => index::run(&what),
        Verb::Idf(what) => idf::run(&what),
        Verb::Stats(args) => stats::run(&args),
        Verb::Store(what) => store::run(&what),
        #[cfg(feature = "serve")]
        Verb::Serve(args) => serve::run(&args),
        #[cfg(feature = "serve")]
        Verb::Token(args) => token::run(&args),
        Verb::Recipe(what) => recipe::run(&what),
        Verb::Completions(args) => completions::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if usage::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            usage::say(&format!("error: {}", usage::message(&error)));
            ExitCode::from(usage::exit_code(&error))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent_and_every_verb_has_examples() {
        let mut command = Cli::command();
        command.build();
        command.clone().debug_assert();
        let nested =
            ["index", "idf", "store"].into_iter().filter_map(|verb| command.find_subcommand(verb));
        let verbs =
            command.get_subcommands().chain(nested.flat_map(clap::Command::get_subcommands));
        for verb in verbs.filter(|verb| verb.get_name() != "help") {
            let after = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(after.contains("Examples:\n  nearprint "), "{}", verb.get_name());
        }
    }
}
