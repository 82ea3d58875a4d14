//! The jobs: what is done with a store, and timed.

use crate::figures::{code, disk, document, memory, quantile, random};
use nearprint_fingerprint::{Fingerprint, Width};
use nearprint_store::{Outcome, Settings, Store, Threshold, Write};
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

type Done = Result<(), Box<dyn std::error::Error>>;

/// Documents of one bulk write.
const BULK: u64 = 1 << 15;
/// Bytes of an id.
const ID: u64 = 16;

pub fn sync(folder: &Path, number: u64) -> Done {
    let path = folder.join("raw");
    let mut file = File::create(&path)?;
    let begun = Instant::now();
    for _ in 0..number {
        file.write_all(&[1; 4096])?;
        file.sync_data()?;
    }
    println!("{{\"syncs_per_second\":{:.0}}}", number as f64 / begun.elapsed().as_secs_f64());
    Ok(std::fs::remove_file(path)?)
}

pub fn load(folder: &Path, number: u64) -> Done {
    let settings = Settings { recipe: None, width: Width::W64, threshold: Threshold::Radius(3) };
    let store = Store::create(folder, &settings)?;
    let begun = Instant::now();
    // The next bulk is made while one is written, as a program that reads a corpus would.
    let (sender, bulks) = std::sync::mpsc::sync_channel(1);
    let make = thread::spawn(move || {
        for first in (0..number).step_by(BULK as usize) {
            let numbers = first..number.min(first + BULK);
            let writes: Vec<_> = numbers.map(|number| Write::Add(document(number))).collect();
            if sender.send(writes).is_err() {
                return;
            }
        }
    });
    let mut worst = Duration::ZERO;
    for writes in bulks {
        let begun = Instant::now();
        for outcome in store.write_all(writes)? {
            if outcome? != Outcome::New {
                return Err("a new document is not new".into());
            }
        }
        worst = worst.max(begun.elapsed());
    }
    let seconds = begun.elapsed().as_secs_f64();
    make.join().map_err(|_| "no documents")?;
    println!(
        "{{\"documents\":{number},\"per_second\":{:.0},\"worst_bulk_ms\":{:.0},\"own_bytes\":{}}}",
        number as f64 / seconds,
        worst.as_secs_f64() * 1e3,
        memory().1
    );
    // As if killed: the next opening has the most to do.
    std::process::exit(0);
}

pub fn open(folder: &Path, number: u64) -> Done {
    let begun = Instant::now();
    let store = Store::open(folder)?;
    let seconds = begun.elapsed().as_secs_f64();
    let found = store.stats()?.documents;
    if found < number {
        return Err(format!("{found} documents of {number}").into());
    }
    let begun = Instant::now();
    drop(store);
    let closed = begun.elapsed().as_secs_f64();
    println!(
        "{{\"documents\":{found},\"open_seconds\":{seconds:.3},\"close_seconds\":{closed:.3}}}"
    );
    Ok(())
}

pub fn settle(folder: &Path) -> Done {
    let store = Store::open(folder)?;
    let begun = Instant::now();
    let (mut before, mut still) = (store.stats()?, Instant::now());
    // Longer than the largest segment takes.
    while still.elapsed() < Duration::from_secs(15) {
        thread::sleep(Duration::from_millis(100));
        let stats = store.stats()?;
        if stats != before {
            (before, still) = (stats, Instant::now());
        }
    }
    let segments: u64 = before.segments.iter().map(|segment| segment.bytes).sum();
    let sizes: Vec<u64> = before.segments.iter().map(|segment| segment.documents).collect();
    let each = |bytes: u64| bytes as f64 / before.documents.max(1) as f64;
    println!(
        "{{\"seconds\":{:.1},\"segments\":{sizes:?},\"recent\":{},\"segment_bytes\":{:.1},\
         \"bytes_in_segments\":{:.1},\"database_bytes\":{:.1},\"bytes_beyond_ids\":{:.1}}}",
        begun.elapsed().as_secs_f64() - 3.0,
        before.recent,
        each(segments),
        segments as f64 / sizes.iter().sum::<u64>().max(1) as f64,
        each(before.database_bytes),
        each(disk(folder)?) - ID as f64
    );
    Ok(())
}

/// The fingerprint of the `asked`-th query of `number` documents; every other is near a stored one.
fn query(asked: u64, number: u64) -> Fingerprint<1> {
    if asked.is_multiple_of(2) {
        return code(u64::MAX - asked);
    }
    let [word] = *code(random(asked) % number).words();
    Fingerprint::from(word ^ 1 << (asked % 64) ^ 1 << (asked / 64 % 64))
}

pub fn check(folder: &Path, number: u64) -> Done {
    const ASKED: u64 = 200_000;
    let store = Store::open(folder)?;
    let ask = |asked| {
        let query = query(asked, number);
        let begun = Instant::now();
        let near = store.check(query);
        near.map(|near| (begun.elapsed(), near.is_some()))
    };
    for asked in ASKED..ASKED + 20_000 {
        ask(asked)?;
    }
    let (mut misses, mut hits) = (Vec::new(), Vec::new());
    for asked in 0..ASKED {
        let (time, found) = ask(asked)?;
        if !asked.is_multiple_of(2) && !found {
            return Err(format!("query {asked} found nothing").into());
        }
        if found { hits.push(time) } else { misses.push(time) }
    }
    let mut all: Vec<_> = misses.iter().chain(&hits).copied().collect();
    println!(
        "{{\"p50\":{:.1},\"p99\":{:.1},\"new_p50\":{:.1},\"new_p99\":{:.1},\"near_p50\":{:.1},\
         \"near_p99\":{:.1},\"segments\":{}}}",
        quantile(&mut all, 0.5),
        quantile(&mut all, 0.99),
        quantile(&mut misses, 0.5),
        quantile(&mut misses, 0.99),
        quantile(&mut hits, 0.5),
        quantile(&mut hits, 0.99),
        store.stats()?.segments.len()
    );
    Ok(())
}

pub fn mixed(folder: &Path, number: u64, seconds: u64) -> Done {
    const THREADS: u64 = 2;
    /// Documents that are added at a time, and the pause after.
    const ADDED: u64 = 500;
    const PAUSE: Duration = Duration::from_millis(50);
    let store = Store::open(folder)?;
    let first = store.stats()?.documents.max(number);
    let (stop, asked, added) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (store, stop, asked) = (&store, &stop, &asked);
            scope.spawn(move || {
                for at in (0..).map(|at| at * THREADS + thread) {
                    if stop.load(Ordering::Relaxed) || store.check(query(at, number)).is_err() {
                        return;
                    }
                    asked.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        scope.spawn(|| {
            for start in (first..).step_by(ADDED as usize) {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let writes = (start..start + ADDED).map(|at| Write::Add(document(at))).collect();
                if store.write_all(writes).is_ok() {
                    added.fetch_add(ADDED, Ordering::Relaxed);
                }
                thread::sleep(PAUSE);
            }
        });
        thread::sleep(Duration::from_secs(seconds));
        stop.store(true, Ordering::Relaxed);
    });
    let per_second = |count: AtomicU64| count.into_inner() / seconds;
    println!(
        "{{\"checks_per_second\":{},\"adds_per_second\":{}}}",
        per_second(asked),
        per_second(added)
    );
    Ok(())
}

pub fn add(folder: &Path, seconds: u64) -> Done {
    const THREADS: u64 = 32;
    let store = Store::open(folder)?;
    let before = store.stats()?;
    let begun = Instant::now();
    let end = begun + Duration::from_secs(seconds);
    let times = thread::scope(|scope| {
        let work = |thread: u64| {
            let store = &store;
            move || {
                let mut times = Vec::new();
                for at in 0_u64.. {
                    let begun = Instant::now();
                    if begun > end {
                        break;
                    }
                    // Of numbers that nobody else uses.
                    let number = (1 << 60) + (before.commits << 30) + (thread << 24) + at;
                    match store.write(Write::CheckAndAdd(document(number))) {
                        Ok(Outcome::New) => times.push(begun.elapsed()),
                        other => return Err(format!("{other:?}")),
                    }
                }
                Ok(times)
            }
        };
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(work(thread))).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, Result<_, String>>| {
            thread.join().map_err(|_| "a thread ended".to_owned())?
        };
        threads.into_iter().map(join).collect::<Result<Vec<Vec<Duration>>, String>>()
    })?;
    let took = begun.elapsed().as_secs_f64();
    let mut times: Vec<_> = times.into_iter().flatten().collect();
    let commits = store.stats()?.commits - before.commits;
    println!(
        "{{\"per_second\":{:.0},\"commits_per_second\":{:.0},\"p50\":{:.0},\"p99\":{:.0}}}",
        times.len() as f64 / took,
        commits as f64 / took,
        quantile(&mut times, 0.5),
        quantile(&mut times, 0.99)
    );
    Ok(())
}

pub fn soak(folder: &Path, number: u64, seconds: u64) -> Done {
    let store = Store::open(folder)?;
    let stop = AtomicBool::new(false);
    let mut taken = Vec::new();
    thread::scope(|scope| {
        for thread in 0_u64..4 {
            let (store, stop) = (&store, &stop);
            scope.spawn(move || {
                for at in 0_u64.. {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    // As many documents come as go.
                    let turn = (1 << 61) + (thread << 40) + at;
                    let _new = store.write(Write::CheckAndAdd(document(turn)));
                    let moved =
                        nearprint_store::Document { sketch: code(!turn).into(), ..document(turn) };
                    let _moved = store.write(Write::Update(moved));
                    if let Some(old) = at.checked_sub(1000) {
                        let _gone = store.delete(&document((1 << 61) + (thread << 40) + old).id);
                    }
                    for asked in 0..20 {
                        let _near = store.check(query(at * 20 + asked, number));
                    }
                }
            });
        }
        for _ in 0..seconds.div_ceil(10) {
            thread::sleep(Duration::from_secs(10));
            taken.push(memory());
        }
        stop.store(true, Ordering::Relaxed);
    });
    let (resident, own): (Vec<u64>, Vec<u64>) = taken.into_iter().unzip();
    let stats = store.stats()?;
    println!(
        "{{\"resident_bytes\":{resident:?},\"own_bytes\":{own:?},\"commits\":{},\"documents\":{}}}",
        stats.commits, stats.documents
    );
    Ok(())
}

pub fn verify(folder: &Path) -> Done {
    let store = Store::open(folder)?;
    let begun = Instant::now();
    let verified = store.verify()?;
    let seconds = begun.elapsed().as_secs_f64();
    println!("{{\"documents\":{},\"verify_seconds\":{seconds:.1}}}", verified.documents);
    Ok(())
}
