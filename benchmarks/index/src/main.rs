//! Measures the crate `nearprint-index`, one job a call. Prints what it measured as lines of JSON
//! and ends with status 1 where an answer is wrong. `benchmarks/index.py` runs it.

mod args;
mod codes;
mod generate;
mod join;
mod report;
mod search;
mod segments;
mod stream;

use args::{Args, Failure};
use std::process::ExitCode;

const USAGE: &str = "usage: index-bench JOB FILE [--NAME VALUE ...]
  generate FILE   write N codes: --n N --width W --flips K [--seed S] [--base FILE]
                  and queries for them: --queries FILE --asked Q
  search FILE     build a segment and ask it: --width W --queries FILE --k LIST --layout parts:P
                  [--segment FILE] [--memory BYTES] [--asked Q] [--runs R] [--checked C]
                  [--counts PREFIX] [--batch Q] [--threads T]
  join FILE       self join: --width W --k K [--by plan|scan] [--threads T] [--runs R]
  stream FILE     join with queries, FILE streamed: --queries FILE --k K [--threads T] [--runs R]
                  [--counts FILE]";

fn run() -> Result<(), Failure> {
    let mut args = Args::parse(std::env::args().skip(1), USAGE)?;
    let threads = args.number("threads", 1)?;
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    let width: u32 = args.number("width", 64)?;
    match (args.job.clone().as_str(), width) {
        ("generate", 64) => generate::run::<1>(&mut args),
        ("generate", 128) => generate::run::<2>(&mut args),
        ("generate", 256) => generate::run::<4>(&mut args),
        ("search", 64) => search::run::<1>(&mut args, threads),
        ("search", 128) => search::run::<2>(&mut args, threads),
        ("search", 256) => search::run::<4>(&mut args, threads),
        ("join", 64) => join::run::<1>(&mut args, threads),
        ("join", 128) => join::run::<2>(&mut args, threads),
        ("join", 256) => join::run::<4>(&mut args, threads),
        ("stream", 64) => stream::run::<1>(&mut args, threads),
        _ => Err(USAGE.into()),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("index-bench: {failure}");
            ExitCode::FAILURE
        }
    }
}
