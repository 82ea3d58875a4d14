//! What the sketch for bands adds to the time of a fingerprint.

use crate::definition;
use crate::{CHECKED, Failure};
use nearprint_fingerprint::{BandShape, BandSketcher, Fingerprinter, Recipe};
use std::hint::black_box;
use std::time::Instant;

/// The bands of `nearprint dedup` by default.
const SIMILARITY: f64 = 0.8;
const RECALL: f64 = 0.999;
/// Texts of a turn, in bytes: a turn is over before the machine changes its speed.
const TURN: usize = 4 << 20;

/// Fingerprints the texts without and with sketches in turn, so many times, and prints the seconds of
/// each time: `{"without":[..],"with":[..]}`.
pub fn run<const WORDS: usize>(
    recipe: &Recipe,
    texts: &[String],
    times: usize,
) -> Result<(), Failure> {
    let mut maker = Maker::<WORDS> {
        fingerprinter: Fingerprinter::new(recipe)?,
        sketcher: BandSketcher::new(BandShape::for_similarity(SIMILARITY, RECALL)?),
        bytes: Vec::new(),
    };
    maker.check(recipe, texts)?;
    let turns = turns(texts);
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for time in 0..=times {
        let mut seconds = [0.0; 2];
        for (number, turn) in turns.iter().enumerate() {
            // Whoever comes second finds the texts in the caches: each does so in half of the turns.
            let first = (number + time) % 2 == 1;
            for sketched in [first, !first] {
                seconds[usize::from(sketched)] += maker.seconds(turn, sketched);
            }
        }
        if time > 0 {
            without.push(seconds[0]);
            with.push(seconds[1]);
        }
    }
    println!(r#"{{"without":{without:?},"with":{with:?}}}"#);
    Ok(())
}

/// The texts cut into turns.
fn turns(texts: &[String]) -> Vec<&[String]> {
    let mut bytes = 0;
    let fits = |text: &String, _: &String| {
        bytes += text.len();
        if bytes < TURN {
            return true;
        }
        bytes = 0;
        false
    };
    texts.chunk_by(fits).collect()
}

struct Maker<const WORDS: usize> {
    fingerprinter: Fingerprinter<WORDS>,
    sketcher: BandSketcher,
    bytes: Vec<u8>,
}

impl<const WORDS: usize> Maker<WORDS> {
    fn seconds(&mut self, texts: &[String], sketched: bool) -> f64 {
        let start = Instant::now();
        for text in texts {
            let seen = self.fingerprinter.read(text);
            black_box(seen.fingerprint());
            if sketched {
                self.bytes.clear();
                seen.sketch(&mut self.sketcher, &mut self.bytes);
                black_box(&self.bytes);
            }
        }
        start.elapsed().as_secs_f64()
    }

    /// Compares some of the sketches with those of the keys by definition.
    fn check(&mut self, recipe: &Recipe, texts: &[String]) -> Result<(), Failure> {
        let mut expected = Vec::new();
        for text in texts.iter().step_by(CHECKED) {
            self.bytes.clear();
            self.fingerprinter.read(text).sketch(&mut self.sketcher, &mut self.bytes);
            expected.clear();
            let keys: Vec<u64> = definition::counts(recipe, text).into_keys().collect();
            self.sketcher.sketch(&keys, &mut expected);
            if self.bytes != expected {
                let start: String = text.chars().take(60).collect();
                return Err(format!("a wrong sketch of the text that begins {start:?}").into());
            }
        }
        Ok(())
    }
}
