//! Joins that would take long end soon after they are asked to, and say so.

use crate::codes::{clustered, crowded, sorted};
use nearprint_bits::{Codes, Fingerprint};
use nearprint_index::{Distinct, Error, JoinTable, Pairing, SelfJoin, StreamJoin};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Pairs of the joins below: all codes are near each other.
const ALL: u64 = 1_000_000_000;
/// What two threads may find after the request: a tile of 2^16 pairs each, and some more.
const FEW: u64 = 1 << 18;

/// Asks `join` to stop when it has called the function that it is given a thousand times.
fn stops(join: impl FnOnce(&AtomicBool, &(dyn Fn() + Sync)) -> Result<(), Error> + Send) {
    let (stop, found) = (AtomicBool::new(false), AtomicU64::new(0));
    let count = || {
        if found.fetch_add(1, Ordering::Relaxed) == 1000 {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    assert_eq!(pool.install(|| join(&stop, &count)), Err(Error::Interrupted));
    let found = found.into_inner();
    assert!((1001..FEW).contains(&found), "{found} of some {ALL} pairs");
}

/// Codes that are all within 12 bits of each other, and many pairs of them.
fn near<const W: usize>() -> Vec<Fingerprint<W>> {
    let codes = clustered(100_000, 1, 6);
    assert!((codes.len() as u64).pow(2) / 2 > ALL);
    codes
}

#[test]
fn a_self_join_stops() {
    let codes = near::<1>();
    stops(|stop, count| SelfJoin::new(&codes, 12)?.stopped_by(stop).pairs(|_| count()));
    stops(|stop, count| {
        SelfJoin::new(&codes, 12)?.stopped_by(stop).links(|rank| rank, |_| count())
    });
    // By tables, within a crowded bucket of which there is more.
    let codes = sorted([near::<2>(), crowded(100_000, 0..28)].concat());
    stops(|stop, count| {
        let join = SelfJoin::new(&codes, 6)?.stopped_by(stop);
        assert!(join.plan().tables() > 0);
        join.pairs(|_| count())
    });
}

#[test]
fn a_table_stops() {
    let codes = near::<1>();
    stops(|stop, count| JoinTable::root(12).stopped_by(stop).pairs(&codes, 0, |_| count()));
    stops(|stop, count| {
        JoinTable::root(12).stopped_by(stop).cross(&codes[..40_000], &codes, |_| count())
    });
    // Within the root: a scan of few codes, and tables of many.
    let varying = Fingerprint::from(u64::MAX);
    for (k, expected) in [(12, 9), (3, 1 << 20)] {
        stops(|stop, count| {
            let inner = JoinTable::root(k).stopped_by(stop).within(&varying, expected);
            assert_eq!(inner[0].bits() > 0, expected > 9);
            inner.iter().try_for_each(|table| table.pairs(&codes, 0, |_| count()))
        });
    }
}

#[test]
fn a_streamed_join_stops() {
    let codes = near::<1>();
    for (k, scans) in [(12, false), (30, true)] {
        stops(|stop, count| {
            let join = StreamJoin::stopped_by(&codes, k, stop)?;
            assert_eq!(join.plan().tables() == 0, scans);
            join.chunk(&codes, 0, |_| count())
        });
    }
    let (queries, codes) = (clustered::<1>(20_000, 1, 4), clustered::<1>(400_000, 1, 4));
    stops(|stop, count| {
        let join = StreamJoin::stopped_by(&queries, 3, stop)?;
        assert!(join.plan().tables() > 0);
        (0..1000).try_for_each(|_| join.chunk(&codes, 0, |_| count()))
    });
}

/// Where nothing is found, so that only the comparing can look at the request.
#[test]
fn a_join_that_finds_nothing_stops() {
    let codes = crate::codes::planted::<1>(1_000_000, 3);
    let stop = AtomicBool::new(false);
    let asked = thread::scope(|scope| {
        let join = SelfJoin::by_scan(&codes, 0).unwrap().stopped_by(&stop);
        let running = scope.spawn(move || join.collect());
        thread::sleep(Duration::from_millis(100));
        stop.store(true, Ordering::Relaxed);
        let asked = Instant::now();
        assert_eq!(running.join().unwrap(), Err(Error::Interrupted));
        asked
    });
    // 10^12 / 2 comparisons take minutes.
    assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
}

#[test]
fn what_is_asked_before_it_begins_does_not_begin() {
    let (codes, stop) = (clustered::<1>(1000, 9, 9), AtomicBool::new(true));
    assert_eq!(
        SelfJoin::new(&codes, 3).unwrap().stopped_by(&stop).collect(),
        Err(Error::Interrupted)
    );
    assert_eq!(Distinct::stopped_by(&codes, &stop).err(), Some(Error::Interrupted));
    assert_eq!(StreamJoin::stopped_by(&codes, 3, &stop).err(), Some(Error::Interrupted));
    stop.store(false, Ordering::Relaxed);
    assert!(SelfJoin::new(&codes, 3).unwrap().stopped_by(&stop).collect().is_ok());
    assert_eq!(Distinct::stopped_by(&codes, &stop).unwrap().codes(), codes);
}

#[test]
fn all_pairs_stop() {
    // Codes that are near each other; then equal ones, which no join sees.
    let equal = vec![Fingerprint::from(7_u64); 50_000];
    for codes in [near::<1>(), equal] {
        stops(|stop, count| {
            Pairing::within(12).stopped_by(stop).for_each(Codes::of(&codes), &|_| count())
        });
        let stop = AtomicBool::new(true);
        let listed = Pairing::within(12).stopped_by(&stop).list(Codes::of(&codes));
        assert_eq!(listed, Err(Error::Interrupted));
    }
}
