//! `nearprint man`: manual pages, made of what the verbs say of themselves.

use crate::flags::heading::OUTPUT;
use crate::usage::{print, wrong};
use anyhow::Context;
use clap::Command;
use clap::builder::Resettable;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use nearprint_corpus::{OutputOptions, Outputs, publish};
use std::path::{Path, PathBuf};

/// Print a manual page, or write all of them into a folder
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The verb, such as `dedup` or `store add` [default: the command itself]
    #[arg(value_name = "VERB", conflicts_with = "output")]
    verb: Vec<String>,
    /// Folder for the pages of the command and of all verbs, created if missing
    #[arg(short, long, value_name = "FOLDER", help_heading = OUTPUT)]
    output: Option<PathBuf>,
    /// Replace pages that exist
    #[arg(long, requires = "output", help_heading = OUTPUT)]
    force: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint man dedup | man -l -
  nearprint man store add | man -l -
  nearprint man -o ~/.local/share/man/man1";

pub(crate) fn run(args: &Args, command: Command) -> anyhow::Result<()> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    if let Some(folder) = &args.output {
        return write(&command, folder, OutputOptions { force: args.force });
    }
    let mut asked = &command;
    for verb in &args.verb {
        match asked.find_subcommand(verb) {
            Some(below) => asked = below,
            None => {
                return wrong(format!("no verb {:?}; see nearprint --help", args.verb.join(" ")));
            }
        }
    }
    print(&String::from_utf8_lossy(&page(asked)?))
}

/// Writes the pages of a command and of all verbs below it: all of them, or none.
fn write(command: &Command, folder: &Path, options: OutputOptions) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut outputs = Outputs::new(&[], options);
    let (mut finished, mut rest) = (Vec::new(), vec![command]);
    while let Some(command) = rest.pop() {
        let mut output = outputs.create(&folder.join(format!("{}.1", name(command))))?;
        output.write_bytes(&page(command)?)?;
        finished.push(output.finish()?);
        rest.extend(command.get_subcommands());
    }
    Ok(publish(finished)?)
}

/// The name of a command and of those above it: `nearprint-store-add`.
fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// The manual page of a command.
fn page(command: &Command) -> std::io::Result<Vec<u8>> {
    let after = command.get_after_long_help().or_else(|| command.get_after_help());
    let after = after.map(ToString::to_string).unwrap_or_default();
    // Its paragraphs would run together.
    let told = command.clone().after_help(Resettable::Reset).after_long_help(Resettable::Reset);
    let version = concat!("nearprint ", env!("CARGO_PKG_VERSION"));
    let mut page = Vec::new();
    Man::new(told).source(version).manual("nearprint").render(&mut page)?;
    after_help(&after).to_writer(&mut page)?;
    Ok(page)
}

/// What follows the flags: each paragraph is a section under its first words, and examples stay line by line.
fn after_help(text: &str) -> Roff {
    let mut roff = Roff::new();
    for (heading, text) in text.split("\n\n").filter_map(|paragraph| paragraph.split_once(':')) {
        roff.control("SH", [heading.to_uppercase().as_str()]);
        if text.starts_with('\n') {
            roff.control("nf", []);
            for line in text.lines().skip(1) {
                roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
            }
            roff.control("fi", []);
        } else {
            roff.text([roman(text.trim_start())]);
        }
    }
    roff
}
