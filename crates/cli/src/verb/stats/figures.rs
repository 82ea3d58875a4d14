//! The figures of `nearprint stats`, as a table and as JSON. Drawing them is `plot`'s.

use crate::show::figures::{count, count_of, percent, percentage};
use nearprint_dedup::{DocumentNumber, Documents};
use nearprint_fingerprint::at_width;
use nearprint_index::{BitPair, BitStatistics, Distinct, Histogram, LeadingOnes};
use serde_json::{Value, json};
use std::fmt::{self, Write as _};

/// Pairs of bits that are shown.
const PAIRS: usize = 3;

/// Ids of a spike that are shown.
const IDS: usize = 3;

/// Columns of a bar.
const BAR: usize = 40;

/// What there is to say of the fingerprints of a corpus.
pub(super) struct Figures {
    pub(super) documents: u64,
    pub(super) distinct: u64,
    /// Documents without any feature, whose fingerprint 0 takes no part in anything else.
    empty: u64,
    pub(super) bits: BitStatistics,
    /// All pairs of bits, the strongest correlation first.
    pairs: Vec<BitPair>,
    pub(super) leading: LeadingOnes,
    pub(super) histogram: Histogram,
    fullest: Vec<Bucket>,
}

/// A part of the range, and its greatest group of equal fingerprints.
struct Bucket {
    number: usize,
    count: u64,
    fingerprint: String,
    equal: u64,
    ids: Vec<String>,
}

impl Figures {
    /// Counts; `top` is the number of parts of the range to look into.
    pub(super) fn of(documents: &Documents, top: usize) -> Self {
        at_width!(documents.fingerprints.codes() => codes, {
        let distinct = Distinct::new(codes);
        let bits = BitStatistics::of(distinct.codes());
        let histogram = Histogram::of(codes.iter().copied());
        let filled = histogram.fullest().into_iter().filter(|&bucket| histogram.count(bucket) > 0);
        let fullest = filled
            .take(top)
            .filter_map(|number| {
                let ranks = (0_u64..).zip(distinct.codes());
                let inside = ranks.filter(|(_, code)| Histogram::bucket(code) == number);
                let sized = inside.map(|(rank, code)| (distinct.docs(rank).len(), rank, code));
                let (equal, rank, code) =
                    sized.max_by_key(|&(size, rank, _)| (size, std::cmp::Reverse(rank)))?;
                let ids = distinct.docs(rank).take(IDS);
                Some(Bucket {
                    number,
                    count: histogram.count(number),
                    fingerprint: code.to_string(),
                    equal: equal as u64,
                    ids: ids
                        .map(|document| documents.ids.json(DocumentNumber(document)).into_owned())
                        .collect(),
                })
            })
            .collect();
        Self {
            documents: codes.len() as u64,
            distinct: distinct.len() as u64,
            empty: documents.counts.empty,
            pairs: bits.pairs(),
            leading: LeadingOnes::of(distinct.codes()),
            bits,
            histogram,
            fullest,
        }
        })
    }

    /// The mean of |r| over all pairs of bits.
    #[expect(clippy::cast_precision_loss, reason = "at most 32,640 pairs")]
    fn mean_correlation(&self) -> f64 {
        let total: f64 = self.pairs.iter().map(|pair| pair.correlation.abs()).sum();
        total / self.pairs.len().max(1) as f64
    }

    /// The mean of |r| that independent bits would show in as many codes: that of a normal variable
    /// of variance 1 / n.
    #[expect(clippy::cast_precision_loss, reason = "far from 2^53 codes")]
    fn chance_correlation(&self) -> f64 {
        (2.0 / (std::f64::consts::PI * self.distinct.max(1) as f64)).sqrt()
    }

    /// The least and the most often set bit.
    fn extremes(&self) -> [(u32, f64); 2] {
        let shares = || (0..self.bits.bits()).map(|bit| (bit, self.bits.share(bit)));
        let least = shares().min_by(|a, b| a.1.total_cmp(&b.1));
        let most = shares().max_by(|a, b| a.1.total_cmp(&b.1));
        [least.unwrap_or_default(), most.unwrap_or_default()]
    }

    pub(super) fn json(&self) -> Value {
        let bits = 0..self.bits.bits();
        let pairs: Vec<_> = self.pairs.iter().take(PAIRS).map(pair_json).collect();
        let fullest: Vec<_> = self
            .fullest
            .iter()
            .map(|bucket| {
                let id = |id: &String| serde_json::from_str(id).unwrap_or(Value::Null);
                json!({
                    "bucket": bucket.number, "documents": bucket.count,
                    "fingerprint": bucket.fingerprint, "equal": bucket.equal,
                    "ids": bucket.ids.iter().map(id).collect::<Vec<_>>(),
                })
            })
            .collect();
        json!({
            "documents": self.documents, "distinct": self.distinct, "empty": self.empty,
            "width": self.bits.bits(), "effective_bits": self.bits.effective_bits(),
            "bit_shares": bits.clone().map(|bit| self.bits.share(bit)).collect::<Vec<_>>(),
            "constant_bits": self.bits.constant(),
            "correlation": {
                "mean": self.mean_correlation(), "by_chance": self.chance_correlation(),
                "strongest": pairs,
            },
            "leading_ones": bits.clone().map(|bit| self.leading.count(bit)).collect::<Vec<_>>(),
            "leading_ones_expected":
                bits.map(|bit| self.leading.expected(bit)).collect::<Vec<_>>(),
            "histogram":
                (0..Histogram::BUCKETS).map(|b| self.histogram.count(b)).collect::<Vec<_>>(),
            "fullest": fullest,
        })
    }

    pub(super) fn table(&self) -> Result<String, fmt::Error> {
        let mut out = format!(
            "{} of {} bits, {} of them distinct, {} without features\n",
            count_of(self.documents, "fingerprint"),
            self.bits.bits(),
            count(self.distinct),
            count(self.empty)
        );
        if self.distinct < 2 {
            out.push_str("\nmore than one distinct fingerprint is needed to say how they behave\n");
            return Ok(out);
        }
        let [(low, least), (high, most)] = self.extremes();
        writeln!(
            out,
            "\nbits\n  set in        {} % (bit {low}) to {} % (bit {high}) of fingerprints",
            percentage(least),
            percentage(most)
        )?;
        writeln!(out, "  constant      {}", self.bits.constant().len())?;
        writeln!(out, "  effective     {:.1} of {}", self.bits.effective_bits(), self.bits.bits())?;
        writeln!(
            out,
            "  correlation   {:.4} on average ({:.4} by chance)",
            self.mean_correlation(),
            self.chance_correlation()
        )?;
        for BitPair { a, b, correlation } in self.pairs.iter().take(PAIRS) {
            writeln!(out, "                {correlation:+.4} bits {a} and {b}")?;
        }
        self.leading_table(&mut out)?;
        self.histogram_table(&mut out)?;
        Ok(out)
    }

    fn leading_table(&self, out: &mut String) -> fmt::Result {
        out.push_str(
            "\nleading bit in which sorted fingerprints differ from the one before\n   bit      \
             found   uniform\n",
        );
        let width = self.bits.bits();
        let most = (0..width).map(|bit| self.leading.count(bit)).max().unwrap_or(0);
        // From the first bit that uniform fingerprints would reach on, all are near-duplicates'.
        let last = (0..width).find(|&bit| self.leading.expected(bit) >= 0.5).unwrap_or(0);
        for bit in (last..width).rev() {
            let (found, expected) = (self.leading.count(bit), self.leading.expected(bit));
            writeln!(out, "  {bit:>4} {:>10} {expected:>9.0}  {}", count(found), bar(found, most))?;
        }
        let below: u64 = (0..last).map(|bit| self.leading.count(bit)).sum();
        let expected: f64 = (0..last).map(|bit| self.leading.expected(bit)).sum();
        if last > 0 {
            writeln!(out, "  rest {:>10} {expected:>9.0}  {}", count(below), bar(below, most))?;
        }
        Ok(())
    }

    fn histogram_table(&self, out: &mut String) -> fmt::Result {
        writeln!(
            out,
            "\n{} equal parts of the range, the fullest of them (each {} if uniform)",
            Histogram::BUCKETS,
            percent(1, Histogram::BUCKETS as u64)
        )?;
        let counts = || (0..Histogram::BUCKETS).map(|bucket| self.histogram.count(bucket));
        let most = counts().max().unwrap_or(0);
        let line: String = counts().map(|count| level(count, most)).collect();
        for half in [line.chars().take(64).collect::<String>(), line.chars().skip(64).collect()] {
            writeln!(out, "  {half}")?;
        }
        for Bucket { number, count: inside, fingerprint, equal, ids } in &self.fullest {
            write!(
                out,
                "  {number:>4} {:>10}  {:>6}",
                count(*inside),
                percent(*inside, self.documents)
            )?;
            if *equal > 1 {
                let more = if *equal > ids.len() as u64 { ", ..." } else { "" };
                write!(out, "  {} equal {fingerprint}: {}{more}", count(*equal), ids.join(", "))?;
            }
            out.push('\n');
        }
        Ok(())
    }
}

fn pair_json(BitPair { a, b, correlation }: &BitPair) -> Value {
    json!({ "a": a, "b": b, "correlation": correlation })
}

/// `part` of `whole` as a bar, in eighths of a column.
fn bar(part: u64, whole: u64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = usize::try_from(part.saturating_mul(8 * BAR as u64) / whole.max(1)).unwrap_or(0);
    let least = usize::from(part > 0);
    let eighths = eighths.max(least);
    "█".repeat(eighths / 8) + EIGHTHS.get(eighths % 8).copied().unwrap_or_default()
}

/// `part` of `whole` as the height of one character.
fn level(part: u64, whole: u64) -> char {
    const LEVELS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let at = usize::try_from(part.saturating_mul(8).div_ceil(whole.max(1))).unwrap_or(0);
    LEVELS.get(at).copied().unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_part() {
        assert_eq!(bar(1, 1), "█".repeat(BAR));
        assert_eq!(bar(1, 80), "▌");
        assert_eq!(bar(1, 1_000_000), "▏");
        assert_eq!((bar(0, 5), bar(0, 0)), (String::new(), String::new()));
        assert_eq!([level(0, 9), level(1, 9), level(9, 9)], [' ', '▁', '█']);
    }
}
