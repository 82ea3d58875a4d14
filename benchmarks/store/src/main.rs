//! Measures the crate `nearprint-store`, one job a call. Prints what it measured as a line of JSON and
//! ends with status 1 where an answer is wrong. `benchmarks/store.py` runs it.

mod alike;
mod figures;
mod jobs;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: store-bench JOB FOLDER N [SECONDS]
  sync     raw: append 4 KiB and sync, N times
  load     a new store of N documents with random ids, written in bulk; ends without closing it
  open     open the store of N documents
  settle   open it, and wait until no segment is made any more
  check    ask it on one thread: half of the queries are near a stored document
  mixed    ask it on two threads for SECONDS while documents are added
  add      check and add on 32 threads for SECONDS
  soak     ask, add, update and delete for SECONDS: resident memory by the minute
  verify   compare everything in it
  alike-load    a new store by similarity of N documents
  alike-check   ask it on one thread: half of the queries are near a stored document
  alike-pairs   ask it for edits of stored documents: what is found, what is called a duplicate";

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [job, folder, number, rest @ ..] = &*args else { return Err(USAGE.into()) };
    let (folder, number) = (Path::new(folder), number.parse()?);
    let seconds = rest.first().map_or(Ok(10), |seconds| seconds.parse())?;
    match job.as_str() {
        "sync" => jobs::sync(folder, number),
        "load" => jobs::load(folder, number),
        "open" => jobs::open(folder, number),
        "settle" => jobs::settle(folder),
        "check" => jobs::check(folder, number),
        "mixed" => jobs::mixed(folder, number, seconds),
        "add" => jobs::add(folder, seconds),
        "soak" => jobs::soak(folder, number, seconds),
        "verify" => jobs::verify(folder),
        "alike-load" => alike::load(folder, number),
        "alike-check" => alike::check(folder, number),
        "alike-pairs" => alike::pairs(folder, number),
        _ => Err(USAGE.into()),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("store-bench: {failure}");
            ExitCode::FAILURE
        }
    }
}
