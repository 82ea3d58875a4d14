//! The self join, from codes in memory to every pair of documents: grouping equal codes included.

use crate::args::{Args, Failure};
use crate::codes;
use crate::report::{Line, memory, timed};
use nearprint_fingerprint::Fingerprint;
use nearprint_index::{Distinct, Pair, Planner, Purpose, Request, SelfJoin};
use std::sync::atomic::{AtomicU64, Ordering};

/// Pairs found, and a sum over them that does not depend on their order.
#[derive(Default)]
struct Tally {
    pairs: AtomicU64,
    sum: AtomicU64,
}

impl Tally {
    /// Takes in some pairs of documents at a time.
    fn add(&self, pairs: impl Iterator<Item = (u64, u64)>, distance: u32) {
        let (count, sum) = pairs.fold((0, 0_u64), |(count, sum), (a, b)| {
            (count + 1, sum.wrapping_add(weight(a.min(b), a.max(b), distance)))
        });
        self.pairs.fetch_add(count, Ordering::Relaxed);
        self.sum.fetch_add(sum, Ordering::Relaxed);
    }
}

/// What one pair adds to the sum; the rivals' programs add the same.
fn weight(a: u64, b: u64, distance: u32) -> u64 {
    (a << 32 ^ b)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(23)
        .wrapping_add(distance.into())
        .wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

pub fn run<const WORDS: usize>(args: &mut Args, threads: usize) -> Result<(), Failure> {
    let codes = codes::read::<WORDS>(&args.file)?;
    let (k, runs): (u32, usize) = (args.number("k", 3)?, args.number("runs", 3)?);
    let by = args.text("by").unwrap_or("plan");
    let (mut seconds, mut answers) = (Vec::new(), Vec::new());
    let mut tables = 0;
    for _ in 0..runs {
        let (answer, took) = timed(|| once(&codes, k, by));
        let (used, tally) = answer?;
        tables = used;
        answers.push((tally.pairs.into_inner(), tally.sum.into_inner()));
        seconds.push(took);
    }
    let Some(&(pairs, sum)) = answers.first() else { return Err("--runs is 0".into()) };
    if answers.iter().any(|answer| *answer != (pairs, sum)) {
        return Err("two runs do not find the same pairs".into());
    }
    let request = Request {
        documents: codes.len() as u64,
        width: 64 * WORDS as u32,
        k,
        ids: true,
        memory: None,
        purpose: Purpose::Join,
    };
    let planner = Planner::new(request)?;
    let plan = if by == "scan" { planner.named("scan") } else { planner.choose() }?;
    Line::new("join")
        .word("by", by)
        .number("codes", codes.len())
        .number("k", k)
        .number("threads", threads)
        .number("tables", tables)
        .number("plan_s", plan.join_seconds())
        .numbers("seconds", &seconds)
        .number("pairs", pairs)
        .word("sum", &sum.to_string())
        .number("peak_bytes", memory("VmHWM"))
        .print();
    Ok(())
}

/// One join: the tables used and what was found.
fn once<const WORDS: usize>(
    codes: &[Fingerprint<WORDS>],
    k: u32,
    by: &str,
) -> Result<(usize, Tally), Failure> {
    let distinct = Distinct::new(codes);
    let join = match by {
        "plan" => SelfJoin::new(distinct.codes(), k)?,
        "scan" => SelfJoin::by_scan(distinct.codes(), k)?,
        _ => return Err(format!("--by {by} is neither plan nor scan").into()),
    };
    let tally = Tally::default();
    let docs = |rank: u64| distinct.docs(rank);
    join.pairs(|Pair { a, b, distance }| {
        tally.add(docs(a).flat_map(|a| docs(b).map(move |b| (a, b))), distance);
    })?;
    for rank in (0..distinct.codes().len() as u64).filter(|rank| docs(*rank).len() > 1) {
        let equal: Vec<u64> = docs(rank).collect();
        for (at, a) in equal.iter().enumerate() {
            tally.add(equal[at + 1..].iter().map(|b| (*a, *b)), 0);
        }
    }
    Ok((join.plan().tables(), tally))
}
