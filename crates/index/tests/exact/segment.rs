//! Segments against the scan: every scheme of tables, every width, damage and all.

use crate::codes::{Random, clustered, crowded, extremes, planted};
use crate::oracle;
use nearprint_bits::{Codes, Fingerprint};
use nearprint_index::{
    AnySegment, Built, EachBlock, Error, Family, Index, Layout, Match, Means, Neighbor, Scheme,
    Segment, SegmentBuilder, search_all,
};
use std::io::Cursor;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

fn build<const W: usize>(
    documents: &[Fingerprint<W>],
    layout: Layout,
    memory: usize,
) -> (Vec<u8>, Built) {
    let mut file = Cursor::new(Vec::new());
    // Ordinals far beyond 32 bits.
    let entries = || documents.iter().copied().zip(1_u64 << 40..);
    let built = SegmentBuilder::new(layout, Some(7), memory).build(entries, &mut file).unwrap();
    (file.into_inner(), built)
}

/// The documents within `k` bits, by the scan.
fn expected<const W: usize>(
    documents: &[Fingerprint<W>],
    query: &Fingerprint<W>,
    k: u32,
) -> Vec<Neighbor> {
    oracle::neighbors(documents, query, k, |position| position + (1 << 40))
}

fn check<const W: usize>(documents: &[Fingerprint<W>], scheme: &Scheme, built_k: u32) {
    let n = documents.len() as u64;
    check_layout(documents, Layout::new(64 * W as u32, built_k, scheme.clone(), n).unwrap());
}

fn check_layout<const W: usize>(documents: &[Fingerprint<W>], layout: Layout) {
    let (bits, built_k, scheme) = (64 * W, layout.k(), layout.scheme().clone());
    let (bytes, built) = build(documents, layout, 1 << 30);
    assert_eq!(built.bytes, bytes.len() as u64);
    let segment = Segment::<_, W>::open(bytes).unwrap();
    segment.verify().unwrap();
    assert_eq!((segment.documents(), segment.len()), (documents.len() as u64, built.fingerprints));
    let mut random = Random(8);
    let mut queries = Vec::new();
    for i in 0..40 {
        let code = documents[random.below(documents.len())];
        let flips = [0, built_k as usize, built_k as usize + 1, 1][i % 4].min(bits);
        queries.push(if i < 34 { random.flip(code, 0..bits, flips) } else { random.code() });
    }
    for k in [built_k, built_k.saturating_sub(1), built_k / 2, 0] {
        let mut found = vec![0; queries.len()];
        segment
            .search(&queries, k, |near| {
                assert_eq!(queries[near.query].distance(&near.fingerprint), near.distance);
                found[near.query] += segment.documents_of(&near).unwrap().count();
                ControlFlow::Continue(())
            })
            .unwrap();
        for (query, found) in queries.iter().zip(found) {
            let near = expected(documents, query, k);
            assert_eq!(segment.neighbors(query, k, None).unwrap(), near, "{scheme:?}, k = {k}");
            assert_eq!(found, near.len(), "batch, {scheme:?}, k = {k}");
            let two = &near[..near.len().min(2)];
            assert_eq!(segment.neighbors(query, k, Some(2)).unwrap(), two);
            assert_eq!(segment.any(query, k).unwrap().is_some(), !near.is_empty());
        }
    }
    // By the scan, a few queries and many, within radii that no table serves too.
    for k in [0, built_k, built_k + 1, bits as u32 / 4, bits as u32] {
        for queries in [&queries[..3], &queries[30..]] {
            let mut found = vec![Vec::new(); queries.len()];
            let visit = |near: Match<W>| {
                assert_eq!(queries[near.query].distance(&near.fingerprint), near.distance);
                let doc = |doc| Neighbor { doc, distance: near.distance };
                found[near.query].extend(segment.documents_of(&near).unwrap().map(doc));
                ControlFlow::Continue(())
            };
            segment.scan(queries, k, visit).unwrap();
            for (query, mut found) in queries.iter().zip(found) {
                found.sort_unstable_by_key(Neighbor::nearness);
                assert_eq!(found, expected(documents, query, k), "scan, {scheme:?}, k = {k}");
            }
        }
    }
}

fn everything<const W: usize>() {
    let bits = 64 * W as u32;
    let parts: Vec<_> = [1, 2, 3, 4, 6, 8].into_iter().filter(|parts| bits / parts >= 21).collect();
    for k in 0..=10 {
        for &parts in parts.iter().filter(|parts| **parts * 4 > k) {
            check(&planted::<W>(1000, k), &Scheme::Parts(parts), k);
        }
    }
    for parts in parts {
        for documents in [
            clustered::<W>(2000, 4, 5),
            crowded(2000, 0..16),
            crowded(2000, bits as usize - 16..bits as usize),
            extremes(),
            vec![Fingerprint::ZERO; 2000],
            planted(3000, 3).into_iter().cycle().take(5000).collect(),
        ] {
            check(&documents, &Scheme::Parts(parts), 3);
        }
    }
    for family in [Family::combinations(4, 3), Family::combinations(5, 3), Family::pairs(3, 2)] {
        check(&planted::<W>(2000, 3), &Scheme::family(bits, &family.unwrap()), 3);
    }
    check(&clustered::<W>(2000, 4, 5), &Scheme::nested(bits, 4, 4), 3);
}

/// Few buckets, so that each holds hundreds and is narrowed to the whole prefix.
fn check_narrowed<const W: usize>() {
    let bits = 64 * W as u32;
    let [five, six] = [5, 6].map(|r| Family::combinations(r, 3).unwrap());
    let schemes = [
        Scheme::family(bits, &five),
        Scheme::family(bits, &six),
        Scheme::nested(bits, 4, 4),
        Scheme::Parts(4),
        Scheme::Parts(2),
    ];
    for documents in [
        planted::<W>(3000, 3),
        clustered(3000, 3, 5),
        crowded(3000, 0..9),
        crowded(3000, 20..40),
        crowded(3000, bits as usize - 12..bits as usize),
        extremes(),
    ] {
        for scheme in &schemes {
            for bucket_bits in [1, 4] {
                let layout =
                    Layout::with_bucket_bits(bits, 3, scheme.clone(), bucket_bits).unwrap();
                check_layout(&documents, layout);
            }
        }
    }
}

#[test]
fn large_buckets_are_narrowed_without_loss() {
    check_narrowed::<1>();
    check_narrowed::<2>();
    check_narrowed::<4>();
}

#[test]
fn segments_of_64_bits() {
    everything::<1>();
    let twenty = Scheme::family(64, &Family::combinations(6, 3).unwrap());
    check(&planted::<1>(2000, 3), &twenty, 3);
}

#[test]
fn segments_of_128_bits() {
    everything::<2>();
    check(&planted::<2>(2000, 16), &Scheme::Parts(4), 16);
    check(&planted::<2>(2000, 24), &Scheme::Parts(6), 24);
}

#[test]
fn segments_of_256_bits() {
    everything::<4>();
    check(&planted::<4>(2000, 16), &Scheme::Parts(8), 16);
}

#[test]
fn a_small_memory_makes_the_same_bytes_in_more_passes() {
    let documents: Vec<_> = planted::<1>(6000, 3).into_iter().cycle().take(9000).collect();
    let layout = || Layout::new(64, 3, Scheme::Parts(2), 6000).unwrap();
    let (large, few) = build(&documents, layout(), 1 << 30);
    let (small, many) = build(&documents, layout(), 10_000);
    assert!(large == small && few.passes == 1 && many.passes > 20, "{few:?}, {many:?}");
}

#[test]
fn entries_come_back_with_all_their_documents() {
    let documents: Vec<_> = planted::<2>(2000, 3).into_iter().cycle().take(5000).collect();
    let layout = Layout::new(128, 3, Scheme::Parts(2), 2000).unwrap();
    let segment = Segment::<_, 2>::open(build(&documents, layout, 1 << 20).0).unwrap();
    let mut seen = 0;
    for entry in segment.entries() {
        let (code, docs) = entry.unwrap();
        let docs: Vec<_> = docs.collect();
        seen += docs.len();
        assert!(docs.is_sorted());
        assert!(docs.iter().all(|doc| documents[(doc - (1 << 40)) as usize] == code));
    }
    assert_eq!(seen, documents.len());
}

#[test]
fn a_segment_without_ids_finds_fingerprints() {
    let documents: Vec<_> = planted::<2>(2000, 3).into_iter().cycle().take(5000).collect();
    let mut codes = documents.clone();
    codes.sort_unstable();
    codes.dedup();
    let n = codes.len() as u64;
    let layout = || Layout::new(128, 3, Scheme::Parts(2), n).unwrap();
    let mut file = Cursor::new(Vec::new());
    let builder = SegmentBuilder::new(layout(), Some(7), 1 << 16).without_ids();
    let built = builder.build(|| documents.iter().copied().zip(0..), &mut file).unwrap();
    let (with_ids, _) = build(&documents, layout(), 1 << 20);
    let bytes = file.into_inner();
    assert!(bytes.len() as u64 == built.bytes && bytes.len() + 6 * 5000 <= with_ids.len());
    let segment = Segment::<_, 2>::open(&bytes).unwrap();
    segment.verify().unwrap();
    let counts = (segment.documents(), segment.len(), segment.has_ids(), segment.section_bytes().0);
    assert_eq!(counts, (5000, n, false, 0));
    let queries = &documents[..200];
    for (means, k) in [(Means::Tables, 3), (Means::Tables, 0), (Means::Scan, 40)] {
        for limit in [None, Some(2)] {
            let answers = segment.matches(queries, k, limit, means).unwrap();
            for (query, answer) in queries.iter().zip(answers) {
                let mut near: Vec<_> =
                    codes.iter().map(|code| (query.distance(code), *code)).collect();
                near.retain(|(distance, _)| *distance <= k);
                near.sort_unstable();
                near.truncate(limit.unwrap_or(usize::MAX));
                let found: Vec<_> = answer.iter().map(|m| (m.distance, m.fingerprint)).collect();
                assert_eq!(found, near, "{means:?}, k = {k}");
            }
        }
    }
    let checked = segment.recheck(100, 1).unwrap();
    assert!(checked.queries == 100 && checked.found >= 100);
    // Documents are refused, whether or not anything is near.
    for query in [documents[0], Fingerprint::from_words([!documents[0].words()[0], 1])] {
        assert_eq!(segment.neighbors(&query, 3, None), Err(Error::NoIds));
    }
    let near = segment.any(&documents[0], 0).unwrap().unwrap();
    assert_eq!(segment.documents_of(&near).err(), Some(Error::NoIds));
    assert_eq!(segment.documents_of_each(&[], |_, _| ()), Err(Error::NoIds));
    assert!(matches!(segment.entries().next(), Some(Err(Error::NoIds))));
    let index = Index::<_, 2>::open(&bytes).unwrap();
    assert_eq!(index.query(documents[0]), Err(Error::NoIds));
}

#[test]
fn an_empty_segment_has_no_neighbours() {
    let layout = Layout::new(64, 3, Scheme::Parts(2), 0).unwrap();
    let segment = Segment::<_, 1>::open(build::<1>(&[], layout, 1 << 20).0).unwrap();
    segment.verify().unwrap();
    assert!(segment.is_empty());
    assert_eq!(segment.neighbors(&Fingerprint::ZERO, 3, None).unwrap(), []);
}

#[test]
fn damage_is_an_error_and_never_a_panic() {
    let documents: Vec<_> = planted::<1>(60, 3).into_iter().cycle().take(90).collect();
    let layout = Layout::new(64, 3, Scheme::Parts(2), 60).unwrap();
    let (bytes, _) = build(&documents, layout, 1 << 20);
    let sound = Segment::<_, 1>::open(&bytes).unwrap();
    let answers = |segment: &Segment<&Vec<u8>, 1>| -> Result<Vec<_>, Error> {
        documents.iter().map(|query| segment.neighbors(query, 3, None)).collect()
    };
    let right = answers(&sound).unwrap();
    let mut noticed = 0;
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut broken = bytes.clone();
            broken[at] ^= flip;
            let Ok(segment) = Segment::open(&broken) else {
                noticed += 1;
                continue;
            };
            // Asking must not panic whatever comes back; checking must notice what is wrong.
            let answered = answers(&segment);
            let sound = segment.verify().is_ok();
            noticed += usize::from(!sound);
            assert!(!sound || answered.as_ref() == Ok(&right), "byte {at}, flip {flip:#x}");
        }
    }
    assert!(noticed > 2 * bytes.len(), "{noticed} of {} flips", 3 * bytes.len());
    for length in 0..bytes.len() {
        assert!(Segment::<_, 1>::open(&bytes[..length]).is_err(), "{length} bytes");
    }
}

#[test]
fn questions_beyond_the_segment_are_refused() {
    let layout = Layout::new(64, 3, Scheme::Parts(2), 10).unwrap();
    let (bytes, _) = build(&planted::<1>(10, 3), layout, 1 << 20);
    let segment = Segment::<_, 1>::open(&bytes).unwrap();
    let refused = segment.neighbors(&Fingerprint::ZERO, 4, None).unwrap_err();
    assert_eq!(refused, Error::RadiusOverTables { k: 4, built: 3 });
    assert_eq!(segment.recipe(), Some(7));
    let narrow = Segment::<_, 2>::open(&bytes).unwrap_err();
    assert_eq!(narrow, Error::SegmentWidth { found: 64, asked: 128 });
}

/// A segment of whichever width, made of blocks, answers as the one of its width does.
fn check_any<const W: usize>(documents: &[Fingerprint<W>]) {
    let layout = Layout::new(64 * W as u32, 3, Scheme::Parts(2), 600).unwrap();
    let (bytes, built) = build(documents, layout.clone(), 1 << 20);
    let blocks = |each: &mut EachBlock<'_>| {
        let numbers: Vec<_> = (1_u64 << 40..).take(documents.len()).collect();
        for (codes, numbers) in documents.chunks(77).zip(numbers.chunks(77)) {
            if each(Codes::of(codes), numbers).is_break() {
                return;
            }
        }
    };
    let mut file = Cursor::new(Vec::new());
    let builder = SegmentBuilder::new(layout.clone(), Some(7), 1 << 20);
    assert_eq!(builder.build_blocks(&blocks, &mut file).unwrap(), built);
    assert_eq!(file.into_inner(), bytes);

    let (own, any) = (Segment::<_, W>::open(&bytes).unwrap(), AnySegment::open(&bytes).unwrap());
    assert_eq!((any.width().bits(), any.len()), (64 * W as u32, own.len()));
    let expected_head = (documents.len() as u64, true, Some(7));
    assert_eq!((any.documents(), any.has_ids(), any.recipe()), expected_head);
    assert_eq!((any.layout().k(), any.section_bytes()), (3, own.section_bytes()));
    any.verify().unwrap();
    assert_eq!(any.recheck(50, 1).unwrap(), own.recheck(50, 1).unwrap());
    let queries = Codes::of(&documents[..100]);
    for (k, limit, means) in
        [(3, None, Means::Tables), (2, Some(2), Means::Tables), (20, Some(9), Means::Scan)]
    {
        let answers = own.batch(&documents[..100], k, limit, means).unwrap();
        assert_eq!(any.batch(queries, k, limit, means).unwrap(), answers);
        let found = any.matches(queries, k, limit, means).unwrap();
        let matches = own.matches(&documents[..100], k, limit, means).unwrap();
        let shown = |near: &[Match<W>]| -> Vec<_> {
            near.iter().map(|near| (near.fingerprint.into(), near.distance)).collect()
        };
        for (found, near) in found.iter().zip(&matches) {
            let found: Vec<_> = found.iter().map(|it| (it.fingerprint, it.distance)).collect();
            assert_eq!(found, shown(near));
        }
    }
    for (near, query) in any.any_of_each(queries, 3).unwrap().iter().zip(documents) {
        let near = near.unwrap();
        let first = any.first_document(&near).unwrap().unwrap();
        let found = expected(documents, query, near.distance);
        assert!(found.iter().any(|it| (it.doc, it.distance) == (first, near.distance)));
    }
    // A damaged segment is refused, and so are queries and entries of another width.
    assert!(matches!(
        AnySegment::open(&bytes[..bytes.len() - 1]),
        Err(Error::NoSegment | Error::Corrupt { .. })
    ));
    let other = [Fingerprint::<4>::ZERO, Fingerprint::ZERO];
    let (wide, narrow) = (Codes::of(&other), Codes::of(&[Fingerprint::<1>::ZERO]));
    let other = if W == 4 { narrow } else { wide };
    let refused = any.batch(other, 3, None, Means::Tables).unwrap_err();
    let (found, asked) = (64 * W as u32, other.width().bits());
    assert_eq!(refused, Error::SegmentWidth { found, asked });
    let odd = |each: &mut EachBlock<'_>| {
        let _ended = each(other, &[1, 2][..other.len()]);
    };
    let refused = builder.build_blocks(&odd, Cursor::new(Vec::new())).unwrap_err();
    assert_eq!(refused, Error::SegmentWidth { found, asked });
}

#[test]
fn a_segment_of_any_width_answers_as_one_of_its_width() {
    check_any(&clustered::<1>(600, 3, 40));
    check_any(&clustered::<2>(600, 3, 40));
    check_any(&clustered::<4>(600, 3, 40));
}

#[test]
fn a_scan_answers_any_radius() {
    let documents = clustered::<2>(600, 3, 40);
    let layout = Layout::new(128, 3, Scheme::Parts(2), 600).unwrap();
    let segment = Segment::<_, 2>::open(build(&documents, layout, 1 << 20).0).unwrap();
    let queries = &documents[..150];
    for k in [0, 3, 30, 64, 128] {
        let answers = segment.batch(queries, k, None, Means::Scan).unwrap();
        let few = segment.batch(queries, k, Some(3), Means::Scan).unwrap();
        for ((query, answer), few) in queries.iter().zip(answers).zip(few) {
            let near = expected(&documents, query, k);
            assert_eq!(few, near[..near.len().min(3)], "k = {k}");
            assert_eq!(answer, near, "k = {k}");
        }
    }
    let refused = segment.batch(queries, 129, None, Means::Scan).unwrap_err();
    assert_eq!(refused, Error::RadiusOverWidth { k: 129, width: 128 });
    let refused = segment.batch(queries, 4, None, Means::Tables).unwrap_err();
    assert_eq!(refused, Error::RadiusOverTables { k: 4, built: 3 });
}

#[test]
fn a_segment_without_tables_is_searched_among_others() {
    let documents = clustered::<1>(900, 3, 40);
    let of = |scheme, documents: &[_]| {
        let layout = Layout::new(64, 9, scheme, 300).unwrap();
        Segment::<_, 1>::open(build(documents, layout, 1 << 20).0).unwrap()
    };
    let (old, between, young) = (
        of(Scheme::Parts(2), &documents[..300]),
        of(Scheme::Scan, &documents[300..600]),
        of(Scheme::Parts(3), &documents[600..]),
    );
    for segments in [[&old, &between, &young], [&between, &old, &young], [&old, &young, &between]] {
        let queries = &documents[200..700];
        let mut found = Vec::new();
        search_all(&segments, queries, 9, |segment, near| {
            found.push((near.query, segment, near.fingerprint));
            ControlFlow::Continue(9)
        })
        .unwrap();
        let mut each = Vec::new();
        for (number, segment) in segments.iter().enumerate() {
            for (query, near) in
                segment.matches(queries, 9, None, Means::Scan).unwrap().into_iter().enumerate()
            {
                each.extend(near.iter().map(|near| (query, number, near.fingerprint)));
            }
        }
        found.sort_unstable();
        each.sort_unstable();
        assert!(found == each && found.len() > 500);
        // Whoever has enough is asked no more.
        let mut seen = 0;
        search_all(&segments, queries, 9, |_, _| {
            seen += 1;
            ControlFlow::Break(())
        })
        .unwrap();
        assert_eq!(seen, 1);
    }
    // Only a table has a radius beyond which it does not answer.
    let asked =
        |segments: &[_], k| search_all(segments, &documents, k, |_, _| ControlFlow::Break(()));
    assert_eq!(asked(&[&between, &old], 10), Err((1, Error::RadiusOverTables { k: 10, built: 9 })));
    assert_eq!(asked(&[&between], 64), Ok(()));
    assert_eq!(asked(&[&between], 65), Err((0, Error::RadiusOverWidth { k: 65, width: 64 })));
    let checked = between.recheck(100, 1).unwrap();
    assert!(checked.queries == 100 && checked.found >= 100);
    let index = Index::<_, 1>::open(between.as_bytes()).unwrap();
    assert_eq!(index.k(), 9);
}

#[test]
fn a_recheck_notices_a_table_that_answers_wrong() {
    let documents = planted::<1>(4000, 3);
    let layout = Layout::new(64, 3, Scheme::Parts(2), 4000).unwrap();
    let (mut bytes, _) = build(&documents, layout, 1 << 20);
    let sound = Segment::<_, 1>::open(&bytes).unwrap();
    let checked = sound.recheck(300, 1).unwrap();
    assert!(checked.queries == 300 && checked.found >= 300, "{checked:?}");
    assert_ne!(sound.recheck(300, 2).unwrap(), checked);
    // The suffixes of the second table lie between its start and the footer: wipe some.
    let (ids, tables) = sound.section_bytes();
    let second = (ids + tables[0].0 + tables[0].1 + 300) as usize;
    bytes[second..second + 6000].fill(0x55);
    let broken = Segment::<_, 1>::open(&bytes).unwrap();
    assert_eq!(broken.recheck(300, 1), Err(Error::Contradiction));
}

/// The documents within `k` bits in several segments searched as one, and the nearest by a search
/// that looks no further than for what is nearer than what it has.
fn together<const W: usize>(documents: &[Fingerprint<W>], schemes: &[Scheme; 5], built_k: u32) {
    let bits = 64 * W as u32;
    // Of sizes from nothing to half, and with what follows shared by many.
    let cuts = [0, 0, 10, documents.len() / 8, documents.len() / 2, documents.len()];
    let parts: Vec<_> = cuts.windows(2).map(|cut| &documents[cut[0]..cut[1]]).collect();
    let segments: Vec<_> = std::iter::zip(&parts, schemes)
        .map(|(part, scheme)| {
            let layout = Layout::new(bits, built_k, scheme.clone(), part.len() as u64).unwrap();
            Segment::<_, W>::open(build(part, layout, 1 << 30).0).unwrap()
        })
        .collect();
    let segments: Vec<_> = segments.iter().collect();
    let mut random = Random(9);
    let flipped = |i: usize| {
        let code = documents[random.below(documents.len())];
        random.flip(code, 0..64 * W, i % (built_k as usize + 2))
    };
    let queries: Vec<_> = (0..300).map(flipped).collect();
    for k in 0..=built_k {
        let mut found = vec![Vec::new(); queries.len()];
        let visit = |segment: usize, near: Match<W>| {
            let docs = segments[segment].documents_of(&near).unwrap();
            found[near.query].extend(docs.map(|doc| (segment, doc, near.distance)));
            ControlFlow::Continue(k)
        };
        search_all(&segments, &queries, k, visit).unwrap();
        for (query, mut found) in std::iter::zip(&queries, found) {
            let near = |(number, part): (usize, &&[_])| {
                expected(part, query, k).into_iter().map(move |n| (number, n.doc, n.distance))
            };
            let mut near: Vec<_> = parts.iter().enumerate().flat_map(near).collect();
            near.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, near, "k = {k}");
            let mut best: Option<(u32, usize)> = None;
            let nearest = |segment: usize, near: Match<W>| {
                best = best.into_iter().chain([(near.distance, segment)]).min();
                match best.and_then(|best| best.0.checked_sub(1)) {
                    Some(nearer) => ControlFlow::Continue(nearer),
                    None => ControlFlow::Break(()),
                }
            };
            search_all(&segments, std::slice::from_ref(query), k, nearest).unwrap();
            assert_eq!(best, near.iter().map(|near| (near.2, near.0)).min(), "k = {k}");
            // What is not as near stays away from the segments to come, not from the one it is in.
            let (mut told, mut nearest) = (Vec::new(), k);
            let narrowing = |segment: usize, near: Match<W>| {
                told.push((segment, near.fingerprint, near.distance));
                nearest = nearest.min(near.distance);
                ControlFlow::Continue(nearest.saturating_sub(1))
            };
            search_all(&segments, std::slice::from_ref(query), k, narrowing).unwrap();
            for (segment, _, distance) in &told {
                let count = |of: &dyn Fn(u32) -> bool| {
                    let mut codes: Vec<_> = parts[*segment].to_vec();
                    codes.sort_unstable();
                    codes.dedup();
                    codes.iter().filter(|code| of(query.distance(code))).count()
                };
                let all = told.iter().filter(|other| other.0 == *segment && other.2 <= *distance);
                assert_eq!(all.count(), count(&|d| d <= *distance), "k = {k}");
            }
        }
    }
}

fn all_together<const W: usize>() {
    let [one, two, three, four] = [1, 2, 3, 4].map(Scheme::Parts);
    let family = Scheme::family(64 * W as u32, &Family::combinations(4, 3).unwrap());
    let schemes = [two.clone(), one, two.clone(), family, three.clone()];
    together(&planted::<W>(4000, 3), &schemes, 3);
    together(&clustered::<W>(4000, 4, 5), &schemes, 3);
    together(&crowded::<W>(4000, 0..16), &schemes, 3);
    together(&[Fingerprint::<W>::ZERO; 500], &schemes, 3);
    // So many buckets of the first table that some are compared before the second is begun.
    let schemes = [two.clone(), three.clone(), two, four, three];
    together(&clustered::<W>(2000, 20, 5), &schemes, 5);
}

#[test]
fn segments_searched_as_one() {
    all_together::<1>();
    all_together::<2>();
    all_together::<4>();
}

#[test]
fn a_search_of_many_says_which_segment_is_at_fault() {
    let codes = planted::<1>(300, 3);
    let layout = |k| Layout::new(64, k, Scheme::Parts(2), 300).unwrap();
    let (sound, narrow) =
        (build(&codes, layout(3), 1 << 20).0, build(&codes, layout(2), 1 << 20).0);
    let mut broken = sound.clone();
    let segment = Segment::<_, 1>::open(&sound).unwrap();
    let (ids, tables) = segment.section_bytes();
    // Sections begin at lines of 64 bytes.
    let directory = (ids + tables[0].0) as usize + 128;
    broken[directory..directory + 100].fill(0xff);
    let (narrow, broken) = (Segment::open(&narrow).unwrap(), Segment::open(&broken).unwrap());
    let search = |segments: &[_]| {
        search_all(segments, &codes, 3, |_, _| ControlFlow::Continue(3)).map_err(|e| e.0)
    };
    assert_eq!(search(&[&segment, &segment, &narrow]), Err(2));
    assert_eq!(search(&[&segment, &broken, &segment]), Err(1));
    assert_eq!(search(&[&segment, &segment]), Ok(()));
    assert_eq!(search(&[]), Ok(()));
}

#[test]
fn a_build_stops_wherever_it_is_asked() {
    let mut random = Random(5);
    let codes: Vec<Fingerprint<1>> = (0..200_000).map(|_| random.code()).collect();
    for memory in [1 << 30, 1 << 20] {
        for at in [0, 100_000, 199_999, usize::MAX] {
            let (stop, read) = (AtomicBool::new(false), AtomicUsize::new(0));
            let look = |_: &_| {
                if read.fetch_add(1, Ordering::Relaxed) == at {
                    stop.store(true, Ordering::Relaxed);
                }
            };
            let entries = || codes.iter().copied().zip(0..).inspect(look);
            let layout = Layout::new(64, 3, Scheme::Parts(2), 200_000).unwrap();
            let builder = SegmentBuilder::new(layout, None, memory).stopped_by(&stop);
            let built = builder.build(entries, &mut Cursor::new(Vec::new()));
            match at {
                usize::MAX => assert_eq!(built.unwrap().documents, 200_000),
                _ => assert_eq!(built.unwrap_err(), Error::Interrupted, "{at}"),
            }
        }
    }
}
