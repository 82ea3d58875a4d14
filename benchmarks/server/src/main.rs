//! Load for `nearprint serve`, and the store that it serves. Prints what it measured as a line of JSON and
//! ends with status 1 where an answer is wrong. `benchmarks/server.py` runs it.

mod batch;
mod figures;
mod load;
mod store;
mod swarm;

use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "usage: server-bench JOB FOLDER|ADDRESS N SECONDS [CONNECTIONS]
  store    FOLDER: a new store of N documents, written in bulk, its segments made
  open     FOLDER: open it, and tell what the process holds in memory
  empty    ADDRESS: requests that ask for nothing, the most that the machine answers
  check    ADDRESS: ready fingerprints, half of them near one of N stored
  text     ADDRESS: texts of 2 KB
  add      ADDRESS: check and add new fingerprints
  batch    ADDRESS: add new fingerprints as lines of batches
  mixed    ADDRESS: as check, while others check and add on as many connections again";

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [job, place, number, seconds, rest @ ..] = &*args else { return Err(USAGE.into()) };
    let (number, time) = (number.parse()?, Duration::from_secs(seconds.parse()?));
    let connections = rest.first().map_or(Ok(64), |connections| connections.parse())?;
    let address = || place.parse::<SocketAddr>();
    match job.as_str() {
        "store" => store::make(Path::new(place), number),
        "open" => store::open(Path::new(place)),
        "empty" => load::empty(address()?, connections, time),
        "check" => load::check(address()?, number, connections, time),
        "text" => load::text(address()?, connections, time),
        "add" => load::add(address()?, connections, time),
        "batch" => batch::add(address()?, connections, time),
        "mixed" => load::mixed(address()?, number, connections, time),
        _ => Err(USAGE.into()),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("server-bench: {failure}");
            ExitCode::FAILURE
        }
    }
}
