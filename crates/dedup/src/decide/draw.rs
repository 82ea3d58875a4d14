//! The draw of an audit: some pairs around the similarity that is asked for, each with the same probability.

use crate::decide::audit::{AROUND, Audit, AuditedPair, AuditedRange};
use crate::numbers::DocumentNumber;
use nearprint_fingerprint::mix64;
use nearprint_rules::Verify;
use std::collections::BTreeMap;

/// Draws pairs while they are told.
///
/// A pair of similarity `s` is looked at with a probability `p`, so it counts `1 / p` times. Each pair draws a
/// number from its documents, and those with the lowest numbers stay: the same on any threads, in any order and
/// memory.
///
/// Memory: the pairs that are drawn.
///
/// # References
/// Efraimidis, Spirakis, "Weighted random sampling with a reservoir", IPL 97 (2006).
pub(crate) struct Draw<'a> {
    verify: Verify,
    /// The share of the pairs of a similarity that are looked at.
    share_found: &'a dyn Fn(f64) -> f64,
    count: usize,
    least: f64,
    above: Drawing,
    below: Drawing,
}

/// What was drawn of a range.
#[derive(Default)]
struct Drawing {
    pairs: f64,
    /// By the number that each drew, then by its documents.
    drawn: BTreeMap<(u64, DocumentNumber, DocumentNumber), (u32, f64)>,
}

impl<'a> Draw<'a> {
    /// A draw of at most `count` pairs on each side of the similarity `least`.
    pub(crate) fn new(
        verify: Verify,
        share_found: &'a dyn Fn(f64) -> f64,
        count: usize,
        least: f64,
    ) -> Self {
        let (above, below) = Default::default();
        Self { verify, share_found, count, least, above, below }
    }

    /// The check that pairs on both sides pass.
    pub(crate) fn rule(&self) -> Verify {
        self.verify.at(self.from().max(f64::MIN_POSITIVE))
    }

    fn from(&self) -> f64 {
        (self.least - AROUND).max(0.0)
    }

    fn to(&self) -> f64 {
        (self.least + AROUND).min(1.0)
    }

    /// Takes a pair of different content.
    pub(crate) fn take(
        &mut self,
        (a, b): (DocumentNumber, DocumentNumber),
        distance: u32,
        similarity: f64,
    ) {
        if similarity < self.from() || similarity > self.to() {
            return;
        }
        let weight = 1.0 / (self.share_found)(similarity).max(1e-6);
        let range = match self.verify.reaches(similarity) {
            true => &mut self.above,
            false => &mut self.below,
        };
        range.pairs += weight;
        let (a, b) = (a.min(b), a.max(b));
        let number = (-uniform(mix64(mix64(a.0) ^ b.0)).ln() / weight).to_bits();
        range.drawn.insert((number, a, b), (distance, similarity));
        if range.drawn.len() > self.count {
            range.drawn.pop_last();
        }
    }

    /// What was drawn.
    pub(crate) fn finish(self) -> Audit<DocumentNumber> {
        let (from, least, to) = (self.from(), self.least, self.to());
        Audit { above: self.above.finish(least, to), below: self.below.finish(from, least) }
    }
}

impl Drawing {
    fn finish(self, from: f64, to: f64) -> AuditedRange<DocumentNumber> {
        let pair = |((_, a, b), (distance, similarity))| AuditedPair { a, b, distance, similarity };
        let mut drawn: Vec<_> = self.drawn.into_iter().map(pair).collect();
        drawn.sort_by(|x, y| {
            x.similarity.total_cmp(&y.similarity).then((x.a, x.b).cmp(&(y.a, y.b)))
        });
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count, and above 0"
        )]
        let pairs = self.pairs.round() as u64;
        AuditedRange { from, to, pairs, drawn }
    }
}

/// A number above 0 and at most 1 from a random word.
#[expect(clippy::cast_precision_loss, reason = "53 bits are taken")]
fn uniform(word: u64) -> f64 {
    ((word >> 11) + 1) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::{Recipe, Width};
    use nearprint_rules::Likeness;

    fn likeness() -> Likeness {
        Likeness::by_similarity(0.8, &Recipe::default().with_width(Width::W128)).unwrap()
    }

    fn number(document: u64) -> DocumentNumber {
        DocumentNumber(document)
    }

    #[test]
    fn pairs_of_each_side_are_drawn_as_often_as_others_whatever_their_order() {
        let likeness = likeness();
        let draw = |pairs: &mut dyn Iterator<Item = (u64, f64)>| {
            let share = |similarity| likeness.looks_at(similarity);
            let mut draw = Draw::new(likeness.verify(), &share, 5, 0.8);
            pairs.for_each(|(at, similarity)| {
                draw.take((number(at + 1), number(at)), 9, similarity);
            });
            draw.finish()
        };
        let mut times = [0_u32; 20];
        for round in 0..2000_u64 {
            let all = (0..20).map(|at| (1000 * round + at, if at < 10 { 0.79 } else { 0.81 }));
            let found = draw(&mut all.clone());
            assert_eq!(found, draw(&mut all.rev()));
            assert_eq!((found.above.drawn.len(), found.below.drawn.len()), (5, 5));
            for document in found.above.drawn.iter().chain(&found.below.drawn) {
                times[usize::try_from(document.a.0 % 1000).unwrap()] += 1;
                assert_eq!(document.b.0, document.a.0 + 1);
            }
        }
        // 1000 each, with a standard deviation of 22.
        assert!(times.iter().all(|times| (910..1090).contains(times)), "{times:?}");
    }

    #[test]
    fn pairs_that_are_rarely_looked_at_count_for_those_that_are_not() {
        let likeness = likeness();
        let share = |similarity| likeness.looks_at(similarity);
        let mut draw = Draw::new(likeness.verify(), &share, 9, 0.8);
        assert_eq!(draw.rule(), Verify::Jaccard(0.75));
        for at in 0..100 {
            draw.take((number(at), number(at + 500)), 40, 0.75);
            draw.take((number(at), number(at + 900)), 3, 0.86);
            draw.take((number(at), number(at + 900)), 3, 0.74);
        }
        let found = draw.finish();
        let expected = 100.0 / likeness.looks_at(0.75);
        assert!(expected > 100.5 && (found.below.pairs as f64 - expected).abs() < 1.0, "{found:?}");
        assert_eq!((found.above.pairs, found.above.drawn.len()), (0, 0));
        assert_eq!((found.below.from, found.below.to), (0.75, 0.8));
    }
}
