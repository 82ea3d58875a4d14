//! Load for `nearprint serve`, and the store that it serves. Prints what it measured as a line of JSON and
//! ends with status 1 where an answer is wrong. `benchmarks/server.py` runs it.

mod batch;
mod figures;
mod load;
mod postgres;
mod redis;
mod store;
mod swarm;

use crate::swarm::Load;
use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "usage: server-bench JOB FOLDER|ADDRESS N SECONDS [CONNECTIONS [RATE]]
  store    FOLDER: a new store of N documents, written in bulk, its segments made
  open     FOLDER: open it, and tell what the process holds in memory
  empty    ADDRESS: requests that ask for nothing, the most that the machine answers
  check    ADDRESS: ready fingerprints, half of them near one of N stored
  text     ADDRESS: texts of 2 KB
  add      ADDRESS: check and add new fingerprints
  batch    ADDRESS: add new fingerprints as lines of batches
  mixed    ADDRESS: as check, while others check and add on as many connections again
  redis-fill, redis-check, redis-add           ADDRESS: the same of Redis
  postgres-rows, postgres-check, postgres-add  ADDRESS: the same of PostgreSQL; the rows of COPY";

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [job, place, number, seconds, rest @ ..] = &*args else { return Err(USAGE.into()) };
    let (number, time) = (number.parse()?, Duration::from_secs(seconds.parse()?));
    let connections = rest.first().map_or(Ok(64), |connections| connections.parse())?;
    let rate = rest.get(1).map(|rate| rate.parse()).transpose()?;
    let address = || place.parse::<SocketAddr>();
    let load =
        || Ok::<_, std::net::AddrParseError>(Load { address: address()?, connections, time, rate });
    match job.as_str() {
        "store" => store::make(Path::new(place), number),
        "open" => store::open(Path::new(place)),
        "empty" => load::empty(load()?),
        "check" => load::check(load()?, number),
        "text" => load::text(load()?),
        "add" => load::add(load()?),
        "batch" => batch::add(address()?, connections, time),
        "mixed" => load::mixed(load()?, number),
        "redis-fill" => redis::fill(load()?, number),
        "redis-check" => redis::check(load()?, number),
        "redis-add" => redis::add(load()?),
        "postgres-rows" => postgres::rows(number),
        "postgres-check" => postgres::check(load()?, number),
        "postgres-add" => postgres::add(load()?),
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
