//! The store that is served.

use crate::figures::{Done, code, id};
use nearprint_fingerprint::{Fingerprint, Recipe, Width};
use nearprint_store::{Document, Settings, Store, Threshold, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Documents of one bulk write.
const BULK: u64 = 1 << 15;
/// A store in which nothing changes for so long makes no segment: longer than the largest takes.
const SETTLED: Duration = Duration::from_secs(15);

/// Makes a store of `number` documents for texts, and waits until its segments are made.
pub fn make(folder: &Path, number: u64) -> Done {
    let recipe = Some(Recipe::named("text")?.with_width(Width::W64));
    let settings = Settings { recipe, width: Width::W64, threshold: Threshold::Radius(3) };
    let store = Store::create(folder, &settings)?;
    let begun = Instant::now();
    for first in (0..number).step_by(BULK as usize) {
        let numbers = first..number.min(first + BULK);
        let document = |number| {
            Write::Add(Document::new(
                format!("{:016x}", id(number)),
                Fingerprint::from(code(number)),
            ))
        };
        for outcome in store.write_all(numbers.map(document).collect())? {
            outcome?;
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let (mut before, mut still) = (store.stats()?, Instant::now());
    while still.elapsed() < SETTLED {
        thread::sleep(Duration::from_millis(100));
        let stats = store.stats()?;
        if stats != before {
            (before, still) = (stats, Instant::now());
        }
    }
    println!(
        "{{\"job\":\"store\",\"documents\":{},\"seconds\":{seconds:.1},\"segments\":{}}}",
        before.documents,
        before.segments.len()
    );
    Ok(())
}

/// Opens the store, and tells what memory that takes which is no mapped file.
pub fn open(folder: &Path) -> Done {
    let store = Store::open(folder)?;
    thread::sleep(Duration::from_secs(1));
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes: u64 =
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0);
    println!(
        "{{\"job\":\"open\",\"documents\":{},\"own_bytes\":{}}}",
        store.stats()?.documents,
        kilobytes * 1024
    );
    Ok(())
}
