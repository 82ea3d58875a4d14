//! Plans: the paper's numbers, forecasts against real segments, the choice within a budget.

use crate::codes::planted;
use crate::oracle;
use nearprint_bits::Fingerprint;
use nearprint_index::{
    Built, Error, Layout, Match, Means, Plan, Planner, Purpose, Request, Scheme, Segment,
    SegmentBuilder,
};
use std::io::Cursor;

fn request(documents: u64, width: u32, k: u32) -> Request {
    Request { documents, width, k, ids: true, memory: None, purpose: Purpose::Batch }
}

/// The paper's recursion: the fewest tables for `f` bits and radius `k` such that no probe meets more
/// than `2^tau` of `2^d` fingerprints.
fn fewest_tables(f: f64, k: usize, d: f64, tau: f64) -> f64 {
    if d <= tau {
        return 1.0;
    }
    let choose = |r: usize| (0..k).fold(1.0, |c, i| c * (r - i) as f64 / (i + 1) as f64);
    let with = |r: usize| {
        let bits = f * (r - k) as f64 / r as f64;
        choose(r) * fewest_tables(f - bits, k, d - bits, tau)
    };
    // More blocks than this are never the fewest, and one bit less a step would go on for ever.
    (k + 1..=k + 4).filter(|_| f > 4.0).map(with).fold(f64::INFINITY, f64::min)
}

#[test]
fn tables_are_as_many_as_the_paper_has() {
    let planner = Planner::new(request(1 << 34, 64, 3)).unwrap();
    for (least, tables, name, bits, candidates) in [
        (16, 4, "paper-4", 16..=16, 1_048_576.0),
        (25, 10, "paper-10", 25..=26, 3584.0),
        (28, 16, "paper-16", 28..=28, 1024.0),
        (31, 20, "paper-20", 31..=33, 88.0),
    ] {
        assert_eq!(fewest_tables(64.0, 3, 34.0, 34.0 - f64::from(least)), tables as f64);
        let plan = planner.named(name).unwrap();
        assert_eq!((plan.layout().tables(), plan.prefix_bits()), (tables, bits));
        assert_eq!(plan.candidates(), candidates, "{name}");
        let each = plan.tables().iter();
        assert_eq!(each.clone().map(|table| table.candidates).sum::<f64>(), candidates);
        let n = 34_u32;
        assert!(
            each.clone().all(|table| table.candidates == f64::from(1 << (n - table.prefix_bits)))
        );
        let papers = planner.plans().iter().filter(|plan| plan.name().starts_with("paper-"));
        let fit = papers.filter(|plan| *plan.prefix_bits().start() >= least);
        assert_eq!(fit.map(|plan| plan.layout().tables()).min(), Some(tables));
    }
    let missing = planner.named("paper-11").unwrap_err().to_string();
    assert!(missing.contains("paper-10, paper-16, paper-20"), "{missing}");
}

#[test]
fn four_tables_of_16_bits_take_4096_candidates_of_2_to_the_26() {
    let planner = Planner::new(request(1 << 26, 64, 3)).unwrap();
    let four = planner.named("paper-4").unwrap();
    assert_eq!((four.candidates(), four.tables()[1].blocks.first()), (4096.0, Some(&(16..32))));
}

#[test]
fn eight_billion_fingerprints_without_ids_fit_into_64_gb() {
    let asked =
        |ids| Request { ids, memory: Some(64_000_000_000), ..request(8_000_000_000, 64, 3) };
    let planner = Planner::new(asked(false)).unwrap();
    let plan = planner.choose().unwrap();
    assert!(plan.bytes() <= 64_000_000_000 && !plan.is_scan(), "{}", plan.name());
    assert!(matches!(Planner::new(asked(true)).unwrap().choose(), Err(Error::Budget { .. })));
}

#[test]
fn plans_are_named_by_their_tables() {
    for (width, k) in [(64, 3), (64, 1), (128, 26), (256, 8), (64, 0)] {
        let planner = Planner::new(request(1_000_000, width, k)).unwrap();
        for plan in planner.plans() {
            let name = Planner::name_of(plan.layout()).unwrap();
            assert_eq!(name, plan.name(), "{width} bits, k = {k}");
        }
    }
    let odd = Layout::new(64, 3, Scheme::Prefixes(vec![vec![0..7], vec![9..64]]), 100).unwrap();
    assert_eq!(Planner::name_of(&odd), None);
    // As earlier releases kept the fingerprints of a scan.
    let old = Layout::new(64, 0, Scheme::Parts(1), 100).unwrap();
    assert!(old.tells_no_radius() && Planner::name_of(&old).as_deref() == Some("scan"));
}

#[test]
fn no_scan_is_chosen_for_lack_of_a_little_memory() {
    for (documents, width, k) in [(50_000_000, 128, 26), (1_000_000, 128, 26), (50_000_000, 64, 17)]
    {
        for purpose in [Purpose::Query, Purpose::Batch] {
            let free = Request { purpose, ..request(documents, width, k) };
            let planner = Planner::new(free).unwrap();
            let (plan, scan) = (planner.choose().unwrap(), planner.named("scan").unwrap());
            assert!(
                4.0 * plan.query_microseconds() <= scan.query_microseconds(),
                "{}",
                plan.name()
            );
            assert!(plan.bytes() <= planner.memory().unwrap());
            assert!(plan.bytes() <= 10 * documents * u64::from(width) / 8);
            // Where a given memory has no room for tables, the planner says which would be faster.
            let memory = planner.named("scan").unwrap().bytes();
            let tight = Planner::new(Request { memory: Some(memory), ..free }).unwrap();
            assert!(tight.choose().unwrap().is_scan());
            let faster = tight.faster().unwrap().unwrap();
            assert!(4.0 * faster.query_microseconds() <= scan.query_microseconds());
            let enough = Request { memory: Some(faster.bytes()), ..free };
            assert!(!Planner::new(enough).unwrap().choose().unwrap().is_scan());
        }
    }
    // One table where two take little more, and are faster by far.
    let memory = Some(100_000_000);
    let planner = Planner::new(Request { memory, ..request(10_000_000, 64, 3) }).unwrap();
    assert_eq!(planner.choose().unwrap().name(), "parts-1");
    assert_eq!(planner.faster().unwrap().map(|plan| plan.name()), Some("parts-2"));
    let planner = Planner::new(request(10_000_000, 64, 3)).unwrap();
    assert_eq!(planner.faster().unwrap().map(|plan| plan.name()), None);
}

/// A segment of `plan` with these documents.
fn segment_of<const W: usize>(
    plan: &Plan,
    documents: &[Fingerprint<W>],
    ids: bool,
) -> (Built, Segment<Vec<u8>, W>) {
    let mut file = Cursor::new(Vec::new());
    let entries = || documents.iter().copied().zip(0_u64..);
    let builder = SegmentBuilder::new(plan.layout().clone(), None, 1 << 20);
    let builder = if ids { builder } else { builder.without_ids() };
    let built = builder.build(entries, &mut file).unwrap();
    (built, Segment::open(file.into_inner()).unwrap())
}

/// A segment knows the radius that it was built for, and answers it and any below as a scan does, by its tables or
/// without; a larger one it refuses, or answers too.
fn answers_as_a_scan<const W: usize>(
    plan: &Plan,
    segment: &Segment<Vec<u8>, W>,
    documents: &[Fingerprint<W>],
    k: u32,
) {
    let (width, name) = (64 * W as u32, plan.name());
    let told = format!("{width} bits, k = {k}, {name}, {} documents", documents.len());
    assert_eq!(segment.layout().k(), k, "{told}");
    assert_eq!(segment.layout().is_scan(), plan.is_scan(), "{told}");
    let queries = &documents[..documents.len().min(40)];
    let mut radii = vec![0, k / 2, k, (k + 1).min(width)];
    radii.dedup();
    for asked in radii {
        let found: Vec<Vec<_>> = if segment.has_ids() {
            let near = segment.batch(queries, asked, None, Means::Tables);
            if asked > k && !plan.is_scan() {
                assert_eq!(near, Err(Error::RadiusOverTables { k: asked, built: k }), "{told}");
                continue;
            }
            let near = near.unwrap().into_iter();
            near.map(|near| near.iter().map(|near| (near.distance, near.doc)).collect()).collect()
        } else {
            let near = segment.matches(queries, asked, None, Means::Tables);
            if asked > k && !plan.is_scan() {
                assert!(near.is_err(), "{told}");
                continue;
            }
            // The codes ascend, as their documents do.
            let doc = |code| documents.binary_search(&code).unwrap() as u64;
            let near = near.unwrap().into_iter();
            let all = |near: Vec<Match<W>>| {
                near.iter().map(|near| (near.distance, doc(near.fingerprint))).collect()
            };
            near.map(all).collect()
        };
        for (query, found) in queries.iter().zip(found) {
            let near = oracle::neighbors(documents, query, asked, |position| position);
            let near: Vec<_> = near.iter().map(|near| (near.distance, near.doc)).collect();
            assert_eq!(found, near, "{told}, asked for {asked}");
        }
    }
}

fn every_plan_is_exact<const W: usize>() {
    let width = 64 * W as u32;
    for k in [0, 1, 2, 3, 4, 6, 9, 14, width / 4, width / 3, width] {
        let documents = planted::<W>(300, k);
        let n = documents.len() as u64;
        for ids in [true, false].into_iter().filter(|ids| k < 3 || *ids == (k % 2 == 0)) {
            let planner = Planner::new(Request { ids, ..request(n, width, k) }).unwrap();
            assert!(planner.plans().len() > 3 || k > 9);
            for plan in planner.plans() {
                let (built, segment) = segment_of(plan, &documents, ids);
                // The gaps between sections are no part of a forecast.
                let gaps = 64 * (3 + 2 * plan.layout().tables() as u64) + 4096;
                assert!(built.bytes.abs_diff(plan.bytes()) < gaps, "{}: {built:?}", plan.name());
                answers_as_a_scan(plan, &segment, &documents, k);
            }
        }
    }
}

fn every_choice_is_exact<const W: usize>() {
    let (width, mut scans) = (64 * W as u32, 0);
    for n in [1, 65, 2000] {
        for k in [0, 3, 11, 17, width / 4 - 6, width / 4, width / 2] {
            let documents = planted::<W>(2 * n, k);
            let documents = &documents[..documents.len().min(n)];
            for ids in [true, false] {
                let free = Request { ids, ..request(documents.len() as u64, width, k) };
                let smallest = Planner::new(free).unwrap().plans().iter().map(Plan::bytes).min();
                for memory in [None, smallest, smallest.map(|bytes| 2 * bytes)] {
                    let purpose = if ids { Purpose::Query } else { Purpose::Batch };
                    let planner = Planner::new(Request { memory, purpose, ..free }).unwrap();
                    let plan = planner.choose().unwrap();
                    scans += usize::from(plan.is_scan());
                    let (_, segment) = segment_of(plan, documents, ids);
                    answers_as_a_scan(plan, &segment, documents, k);
                }
            }
        }
    }
    assert!(scans > 20, "{scans} scans");
}

#[test]
fn every_plan_that_is_chosen_is_exact() {
    every_choice_is_exact::<1>();
    every_choice_is_exact::<2>();
    every_choice_is_exact::<4>();
}

#[test]
fn every_plan_of_64_bits_is_exact() {
    every_plan_is_exact::<1>();
}

#[test]
fn every_plan_of_128_bits_is_exact() {
    every_plan_is_exact::<2>();
}

#[test]
fn every_plan_of_256_bits_is_exact() {
    every_plan_is_exact::<4>();
}

#[test]
fn bytes_are_those_of_the_sections() {
    let documents = planted::<1>(50_000, 3);
    let n = documents.len() as u64;
    for name in ["parts-1", "parts-2", "paper-4", "paper-16", "cover-6"] {
        let planner = Planner::new(request(n, 64, 3)).unwrap();
        let plan = planner.named(name).unwrap();
        let builder = SegmentBuilder::new(plan.layout().clone(), None, 1 << 24);
        let entries = || documents.iter().copied().zip(0_u64..);
        let built = builder.build(entries, Cursor::new(Vec::new())).unwrap();
        let error = built.bytes as f64 / plan.bytes() as f64 - 1.0;
        assert!(error.abs() < 0.005, "{name}: {} instead of {}", built.bytes, plan.bytes());
    }
}

#[test]
fn more_of_anything_costs_more() {
    let plan = |n, k, name| Planner::new(request(n, 64, k)).unwrap().named(name).unwrap().clone();
    for name in ["parts-2", "parts-4", "scan"] {
        // Powers of two, so that buckets are equally full.
        let mut before = plan(1 << 10, 3, name);
        for n in [1 << 17, 1 << 23, 1 << 30, 1 << 33, 1 << 36] {
            let after = plan(n, 3, name);
            assert!(after.bytes() > before.bytes() && after.join_bytes() > before.join_bytes());
            assert!(after.batch_microseconds() > before.batch_microseconds(), "{name}, {n}");
            assert!(after.join_seconds() > before.join_seconds(), "{name}, {n}");
            before = after;
        }
        for k in (0..9).filter(|_| name != "scan") {
            let (near, far) = (plan(1 << 24, k, name), plan(1 << 24, k + 1, name));
            assert!(far.batch_microseconds() > near.batch_microseconds(), "{name}, k = {k}");
            assert!(far.buckets() > near.buckets() && far.candidates() > near.candidates());
            assert!(near.query_microseconds() > near.batch_microseconds());
        }
    }
}

#[test]
fn more_memory_is_never_slower() {
    for purpose in [Purpose::Query, Purpose::Batch] {
        let mut before = f64::INFINITY;
        for memory in [100_u64, 160, 200, 300, 500, 900, 2000].map(|megabytes| megabytes << 20) {
            let asked = Request { memory: Some(memory), purpose, ..request(10_000_000, 64, 3) };
            let planner = Planner::new(asked).unwrap();
            let plan = planner.choose().unwrap();
            assert!(plan.bytes() <= memory);
            let time = match purpose {
                Purpose::Query => plan.query_microseconds(),
                _ => plan.batch_microseconds(),
            };
            assert!(time <= before, "{purpose:?}, {memory}");
            before = time;
        }
    }
}

#[test]
fn what_is_asked_for_by_most_is_two_tables() {
    for n in [10_000_000, 100_000_000, 1 << 30, 1 << 33] {
        let planner = Planner::new(request(n, 64, 3)).unwrap();
        assert_eq!(planner.choose().unwrap().name(), "parts-2", "{n}");
        assert!(planner.choose().unwrap().bytes() <= 20 * n);
    }
}

#[test]
fn a_budget_too_small_is_told_with_what_would_do() {
    for (documents, width, k) in [(1_000_000, 64, 3), (1 << 33, 128, 10), (1, 256, 0)] {
        let asked = |memory| Request { memory: Some(memory), ..request(documents, width, k) };
        let error = Planner::new(asked(1)).unwrap().choose().unwrap_err();
        let Error::Budget { needed, plan, .. } = &error else { panic!("{error}") };
        let enough = Planner::new(asked(*needed)).unwrap();
        assert_eq!(enough.choose().unwrap().name(), plan);
        assert!(Planner::new(asked(needed - 1)).unwrap().choose().is_err());
    }
    let asked = Request { memory: Some(5 << 20), ..request(1_000_000, 64, 3) };
    let message = Planner::new(asked).unwrap().choose().unwrap_err().to_string();
    assert!(
        message.contains("fits into 5243 kB: the smallest, parts-1, takes 9263 kB"),
        "{message}"
    );
}

#[test]
fn there_are_tables_up_to_k_16_and_an_answer_up_to_the_width() {
    for width in [64, 128, 256] {
        for k in (0..=16).chain([20, 40, width]) {
            for n in [1, 1_000_000, 1 << 33] {
                let planner = Planner::new(request(n, width, k)).unwrap();
                let tables = planner.plans().iter().any(|plan| !plan.is_scan());
                assert!(tables || k > 16, "{width} bits, k = {k}");
                let scan = planner.choose().unwrap().is_scan();
                assert!(k > 16 || !scan, "{width} bits, k = {k}, {n} documents");
            }
        }
        let refused = Planner::new(request(9, width, width + 1)).unwrap_err();
        assert_eq!(refused, Error::RadiusOverWidth { k: width + 1, width });
    }
    assert_eq!(Planner::new(request(9, 96, 3)).unwrap_err(), Error::Scheme { width: 96 });
    let planner = Planner::new(request(1_000_000, 64, 40)).unwrap();
    assert!(planner.choose().unwrap().is_scan());
}
