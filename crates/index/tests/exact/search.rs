//! The searcher against the scan.

use crate::codes::{Random, clustered, crowded, extremes, planted};
use nearprint_bits::Fingerprint;
use nearprint_index::{Error, Searcher, scan};

/// Searches near stored codes and anywhere, with tables built for each of `ks`, for that radius
/// and smaller ones. Returns the tables used.
fn check<const W: usize>(codes: &[Fingerprint<W>], ks: &[u32]) -> Vec<usize> {
    let bits = 64 * W;
    let mut random = Random(6);
    let check = |k: &u32| {
        let searcher = Searcher::new(codes, *k).unwrap();
        for i in 0..60 {
            let code = codes[random.below(codes.len())];
            let flips = [0, *k as usize, *k as usize + 1][i % 3].min(bits);
            let query = if i < 50 { random.flip(code, 0..bits, flips) } else { random.code() };
            for radius in [*k, k / 2] {
                let found = searcher.neighbors(&query, radius).unwrap();
                let expected = scan::neighbors(codes, &query, radius);
                assert_eq!(found, expected, "built for {k}, {} tables", searcher.plan().tables());
            }
        }
        searcher.plan().tables()
    };
    ks.iter().map(check).collect()
}

fn everything<const W: usize>() {
    let bits = 64 * W;
    let tables = check(&planted::<W>(8000, 4), &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert!(tables[..4].iter().all(|tables| *tables > 0), "{tables:?}");
    assert_eq!(check(&planted::<W>(300, 20), &[20, 40, bits as u32]), [0; 3]);
    for codes in [
        clustered::<W>(4000, 5, 6),
        crowded(4000, 0..16),
        crowded(4000, bits - 16..bits),
        extremes(),
        vec![Fingerprint::ZERO],
    ] {
        check::<W>(&codes, &[0, 1, 3, 6]);
    }
}

#[test]
fn codes_of_64_bits() {
    everything::<1>();
}

#[test]
fn codes_of_128_bits() {
    everything::<2>();
}

#[test]
fn codes_of_256_bits() {
    everything::<4>();
}

#[test]
fn nothing_is_near_nothing() {
    let none = Searcher::new(Vec::<Fingerprint<1>>::new(), 3).unwrap();
    assert_eq!(none.neighbors(&Fingerprint::ZERO, 3).unwrap(), []);
}

#[test]
fn refuses_what_it_cannot_answer() {
    let codes = [1_u64, 2, 2].map(Fingerprint::from);
    assert_eq!(Searcher::new(codes, 3).unwrap_err(), Error::NotAscending { position: 2 });
    assert_eq!(
        Searcher::new(&codes[..2], 65).unwrap_err(),
        Error::RadiusOverWidth { k: 65, width: 64 }
    );
    let searcher = Searcher::new(&codes[..2], 3).unwrap();
    assert_eq!(
        searcher.neighbors(&codes[0], 4).unwrap_err().to_string(),
        "k = 4 is more than the radius 3 that the tables were built for; build them for k = 4"
    );
}
