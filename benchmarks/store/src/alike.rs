//! The jobs for a store that answers by similarity.

use crate::figures::{memory, quantile, random};
use nearprint_fingerprint::estimate::filter_radius;
use nearprint_fingerprint::{BandShape, BandSketcher, Fingerprint, Width};
use nearprint_store::{Document, Outcome, Settings, Sketch, Store, Threshold, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

type Done = Result<(), Box<dyn std::error::Error>>;

/// Documents of one bulk write.
const BULK: u64 = 1 << 14;
/// Features of a document: as a passage of some hundred words has.
const FEATURES: u64 = 95;

/// Makes sketches of documents.
struct Maker {
    sketcher: BandSketcher,
    keys: Vec<u64>,
}

impl Maker {
    fn new() -> Result<Self, nearprint_fingerprint::BandError> {
        let shape = BandShape::for_similarity(BandShape::SIMILARITY, BandShape::RECALL)?;
        Ok(Self { sketcher: BandSketcher::new(shape), keys: Vec::new() })
    }

    /// The sketch of document `number`, with some of its features replaced by others, which `edit` tells.
    fn sketch(&mut self, number: u64, replaced: u64, edit: u64) -> Sketch {
        let key = |at| match at < replaced {
            true => random(random(number) ^ random(edit << 8 | at)),
            false => random(random(number).wrapping_add(at)),
        };
        self.keys.clear();
        self.keys.extend((0..FEATURES).map(key));
        let mut sums = [0_i16; 128];
        for key in &self.keys {
            let bits = u128::from(random(*key)) << 64 | u128::from(random(!*key));
            for (bit, sum) in sums.iter_mut().enumerate() {
                *sum += ((bits >> bit & 1) as i16) * 2 - 1;
            }
        }
        let bits = |from: usize| {
            (0..64).fold(0, |word, bit| word | u64::from(sums[from + bit] > 0) << bit)
        };
        let mut sketch = Sketch::from(Fingerprint::from_words([bits(0), bits(64)]));
        self.sketcher.sketch(&self.keys, &mut sketch.bands);
        sketch
    }

    /// Document `number`, with a random id of 16 characters.
    fn document(&mut self, number: u64) -> Document {
        Document::new(format!("{:016x}", random(number)), self.sketch(number, 0, 0))
    }
}

/// The similarity of a document to itself with so many features replaced.
fn similarity(replaced: u64) -> f64 {
    (FEATURES - replaced) as f64 / (FEATURES + replaced) as f64
}

pub fn load(folder: &Path, number: u64) -> Done {
    let threshold = Threshold::similarity(BandShape::SIMILARITY).estimated();
    let settings = Settings { recipe: None, width: Width::W128, threshold };
    let store = Store::create(folder, &settings)?;
    let begun = Instant::now();
    let (sender, bulks) = std::sync::mpsc::sync_channel(1);
    let mut maker = Maker::new()?;
    let make = thread::spawn(move || {
        for first in (0..number).step_by(BULK as usize) {
            let numbers = first..number.min(first + BULK);
            let writes: Vec<_> = numbers.map(|at| Write::Add(maker.document(at))).collect();
            if sender.send(writes).is_err() {
                return;
            }
        }
    });
    for writes in bulks {
        for outcome in store.write_all(writes)? {
            if outcome? != Outcome::New {
                return Err("a new document is not new".into());
            }
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    make.join().map_err(|_| "no documents")?;
    println!(
        "{{\"documents\":{number},\"per_second\":{:.0},\"own_bytes\":{}}}",
        number as f64 / seconds,
        memory().1
    );
    Ok(())
}

pub fn check(folder: &Path, number: u64) -> Done {
    const ASKED: u64 = 100_000;
    let (store, mut maker) = (Store::open(folder)?, Maker::new()?);
    let (mut misses, mut hits) = (Vec::new(), Vec::new());
    for asked in 0..ASKED + ASKED / 10 {
        // Every other query is near a stored document, and not so near that it might be missed.
        let sketch = match asked % 2 {
            0 => maker.sketch(u64::MAX - asked, 0, 0),
            _ => maker.sketch(random(asked) % number, asked / 2 % 4, asked),
        };
        let begun = Instant::now();
        let near = store.check(sketch)?;
        let time = begun.elapsed();
        if near.is_some() != (asked % 2 == 1) {
            return Err(format!("query {asked}: {near:?}").into());
        }
        if asked >= ASKED / 10 {
            if near.is_some() { hits.push(time) } else { misses.push(time) }
        }
    }
    let mut all: Vec<Duration> = misses.iter().chain(&hits).copied().collect();
    let stats = store.stats()?;
    println!(
        "{{\"p50\":{:.1},\"p99\":{:.1},\"new_p50\":{:.1},\"new_p99\":{:.1},\"near_p50\":{:.1},\
         \"near_p99\":{:.1},\"segments\":{},\"crowded\":{},\"resident_bytes\":{},\"own_bytes\":{}}}",
        quantile(&mut all, 0.5),
        quantile(&mut all, 0.99),
        quantile(&mut misses, 0.5),
        quantile(&mut misses, 0.99),
        quantile(&mut hits, 0.5),
        quantile(&mut hits, 0.99),
        stats.segments.len(),
        stats.crowded,
        memory().0,
        memory().1
    );
    Ok(())
}

/// Pairs of stored documents and their edits: how many are found before the estimate, and what the verdict
/// is, by their similarity.
pub fn pairs(folder: &Path, number: u64) -> Done {
    const EACH: u64 = 20_000;
    let (store, mut maker) = (Store::open(folder)?, Maker::new()?);
    let shape = maker.sketcher.shape();
    let k = filter_radius(BandShape::SIMILARITY, 128);
    let (mut rows, mut shares) = (Vec::new(), [(0_u64, 0_u64); 3]);
    for replaced in 0..=18 {
        let (mut met, mut called) = (0, 0);
        for pair in 0..EACH {
            let asked = random(pair << 8 | replaced);
            let (stored, edited) =
                (maker.sketch(asked % number, 0, 0), maker.sketch(asked % number, replaced, asked));
            let mut bands = stored.bands.chunks(5).zip(edited.bands.chunks(5));
            let distance = stored.fingerprint.distance(&edited.fingerprint);
            let near = distance.is_some_and(|distance| distance <= k);
            let meets = near && bands.any(|(a, b)| a == b);
            let alike = shape.similarity(&stored.bands, &edited.bands) >= BandShape::SIMILARITY;
            let found = store.check(edited)?.is_some();
            if found != (meets && alike) {
                return Err(format!("pair {pair} at {replaced}: {found}, {meets} {alike}").into());
            }
            met += u64::from(meets);
            called += u64::from(found);
        }
        let similarity = similarity(replaced);
        let above = similarity >= BandShape::SIMILARITY;
        // Those found, those above that are not called duplicates, those below that are.
        let of: &[(usize, u64)] =
            if above { &[(0, met), (1, EACH - called)] } else { &[(2, called)] };
        for (at, count) in of {
            // Only near the threshold is anything uncertain.
            if (similarity - BandShape::SIMILARITY).abs() < 0.1 {
                shares[*at] = (shares[*at].0 + count, shares[*at].1 + EACH);
            }
        }
        let share = |count: u64| count as f64 / EACH as f64;
        rows.push(format!("[{similarity:.3},{:.5},{:.5}]", share(met), share(called)));
    }
    let [recall, missed, wrong] = shares.map(|(count, of)| count as f64 / of.max(1) as f64);
    println!(
        "{{\"recall\":{recall:.5},\"missed_from_80_to_90\":{missed:.4},\"called_from_70_to_80\":{wrong:.4},\
         \"similarity_met_called\":[{}]}}",
        rows.join(",")
    );
    Ok(())
}
