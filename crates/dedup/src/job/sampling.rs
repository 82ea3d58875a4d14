//! Which parts of the input are read for a forecast, and what they tell of all of it.

use crate::error::Error;
use crate::numbers::index;
use nearprint_corpus::{InputFormat, Source};
use nearprint_fingerprint::mix64;
use std::collections::BTreeMap;
use std::path::Path;

/// Sources of a kind of which a part is read, at most; and where they are small.
const SOURCES: usize = 8;
const SMALL_SOURCES: usize = 400;
/// Bytes of a small source, on average.
const SMALL: u64 = 1 << 18;
/// A source that holds this part of all bytes is read for itself alone.
const LARGE: u64 = 16;
/// Batches that are read of all of them.
const BATCHES: usize = 128;
/// Windows into the sources that are read, where they can be looked into, and the bytes of each.
const WINDOWS: u64 = 32;
const WINDOW: u64 = if cfg!(test) { 1 << 12 } else { 1 << 20 };
/// Standard errors on each side of a range, and the least that a range has on each side, as a share.
const ERRORS: f64 = 3.0;
const NARROW: f64 = 0.01;
/// How many times as many documents there may be behind the head of a source, or as few.
const OF_HEADS: f64 = 3.0;

/// A part of a source that is read: a window of so many bytes, or its head.
pub(crate) type Part = (Source, Option<u64>);

/// The parts that are read, and of what.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sampling {
    /// The parts, those of a source beside each other.
    pub(crate) parts: Vec<Part>,
    /// How many batches of a head are read, at most.
    of_heads: usize,
    /// The source of each part, by its place among `sources`.
    of_part: Vec<usize>,
    /// The sources of which parts are read: the stratum and the bytes of each.
    sources: Vec<(usize, u64)>,
    /// Bytes of all sources of each stratum.
    strata: Vec<u64>,
}

/// What was read of a part, or what that tells of more.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Amount {
    pub(crate) documents: u64,
    /// As they lie on disk, and as they are read.
    pub(crate) bytes: u64,
    pub(crate) unpacked: u64,
    /// Bytes of texts, and of ids.
    pub(crate) text: u64,
    pub(crate) ids: u64,
}

impl Sampling {
    /// The parts to read: of each large source some from all over it, and of all others of a kind some of some.
    ///
    /// # Errors
    /// Sources that cannot be read; a folder that cannot hold copies of windows.
    pub(crate) fn of(all: &[Source], dir: &Path) -> Result<Self, Error> {
        let bytes = |source: &Source| source.bytes().unwrap_or(0);
        let total: u64 = all.iter().map(bytes).sum();
        let mut kinds: BTreeMap<_, Vec<&Source>> = BTreeMap::new();
        let mut strata: Vec<Vec<&Source>> = Vec::new();
        for source in all {
            if all.len() <= SOURCES || bytes(source) >= (total / LARGE).max(1) {
                strata.push(vec![source]);
            } else {
                kinds.entry(kind(source)).or_default().push(source);
            }
        }
        strata.extend(kinds.into_values());
        let mut sampling = Self::default();
        let mut picked = Vec::new();
        for (stratum, sources) in strata.iter().enumerate() {
            let of_all: u64 = sources.iter().map(|source| bytes(source)).sum();
            sampling.strata.push(of_all);
            let most = if of_all / (sources.len() as u64).max(1) < SMALL {
                SMALL_SOURCES
            } else {
                SOURCES
            };
            picked.extend(drawn(sources.len(), most).map(|at| (stratum, sources.get(at))));
        }
        sampling.of_heads = (BATCHES / picked.len().max(1)).max(1);
        let picked = picked.into_iter().filter_map(|(stratum, source)| Some((stratum, *source?)));
        for (at, (stratum, source)) in picked.enumerate() {
            let size = bytes(source);
            sampling.sources.push((stratum, size));
            let count = (WINDOWS.saturating_mul(size) / total.max(1)).max(2);
            let windows = source.windows(count, WINDOW, dir)?;
            if windows.is_empty() {
                sampling.parts.push((source.clone(), None));
            }
            sampling.parts.extend(windows.into_iter().map(|window| (window, Some(WINDOW))));
            sampling.of_part.resize(sampling.parts.len(), at);
        }
        Ok(sampling)
    }

    /// How many batches of a part are read, at most: a window is read as a whole.
    pub(crate) fn batches(&self, part: &Part) -> usize {
        if part.1.is_some() { usize::MAX } else { self.of_heads }
    }

    /// What was read of each part tells of all input; `of` says of what. Exact where all was read.
    pub(crate) fn told(&self, read: &[Amount], of: impl Fn(&Amount) -> u64) -> u64 {
        whole(self.told_of(read, &of).iter().map(|one| one.told).sum())
    }

    /// The fewest and the most documents of all input, by how much the parts differ.
    pub(crate) fn range(&self, read: &[Amount]) -> [u64; 2] {
        let known: u64 = read.iter().map(|part| part.documents).sum();
        let told = self.told_of(read, &|part| part.documents);
        let sum = |of: fn(&Told) -> f64| told.iter().map(of).sum::<f64>();
        let (about, behind) = (sum(|one| one.told), sum(|one| one.behind));
        let error = ERRORS * sum(|one| one.square).sqrt();
        let error = if self.is_whole(read) { 0.0 } else { error.max(NARROW * about) };
        let low = about - behind * (1.0 - 1.0 / OF_HEADS) - error;
        let high = about + behind * (OF_HEADS - 1.0) + error;
        [whole(low.max(ratio(known, 1))), whole(high)]
    }

    /// Whether all of the input was read.
    pub(crate) fn is_whole(&self, read: &[Amount]) -> bool {
        let bytes: u64 = read.iter().map(|part| part.bytes).sum();
        bytes == self.strata.iter().sum::<u64>()
    }

    /// What the parts of each source tell of it.
    fn of_sources<'s>(
        &'s self,
        read: &'s [Amount],
        of: &'s dyn Fn(&Amount) -> u64,
    ) -> impl Iterator<Item = Told> + 's {
        self.sources.iter().enumerate().map(move |(at, (stratum, bytes))| {
            let parts = self.of_part.iter().zip(&self.parts).zip(read);
            let own = parts.filter(|((of_part, _), _)| **of_part == at);
            let own: Vec<_> = own.map(|((_, (_, window)), part)| (window, part)).collect();
            let known: u64 = own.iter().map(|(_, part)| of(part)).sum();
            let seen: u64 = own.iter().map(|(_, part)| part.bytes).sum();
            let density = ratio(known, seen.max(1));
            let told = if seen >= *bytes { ratio(known, 1) } else { density * ratio(*bytes, 1) };
            let is_head = own.iter().any(|(window, _)| window.is_none()) && seen < *bytes;
            // Parts beside each other are alike, so it is by these that what is between them may differ.
            let residual = |part: &Amount| ratio(of(part), 1) - density * ratio(part.bytes, 1);
            let residuals: Vec<f64> = own.iter().map(|(_, part)| residual(part)).collect();
            let pairs = residuals.iter().zip(residuals.iter().skip(1));
            let squares: f64 = pairs.map(|(one, next)| (next - one).powi(2) / 2.0).sum();
            let (count, share) = (own.len() as u64, ratio(*bytes, seen.max(1)));
            let square = match seen >= *bytes {
                true => 0.0,
                false => share.powi(2) * squares * ratio(count, count.max(2) - 1),
            };
            let behind = if is_head { told - ratio(known, 1) } else { 0.0 };
            Told { stratum: *stratum, bytes: ratio(*bytes, 1), told, square, behind }
        })
    }

    /// What is told of each stratum.
    fn told_of(&self, read: &[Amount], of: &dyn Fn(&Amount) -> u64) -> Vec<Told> {
        let sources: Vec<Told> = self.of_sources(read, of).collect();
        let strata = self.strata.iter().enumerate().map(|(stratum, all)| {
            let own: Vec<_> = sources.iter().filter(|one| one.stratum == stratum).collect();
            let sum = |of: fn(&Told) -> f64| own.iter().map(|one| of(one)).sum::<f64>();
            let (told, bytes) = (sum(|one| one.told), sum(|one| one.bytes));
            let share = if bytes > 0.0 { ratio(*all, 1) / bytes } else { 1.0 };
            let density = if bytes > 0.0 { told / bytes } else { 0.0 };
            // Sources that were not looked at differ as those do that were.
            let residuals = own.iter().map(|one| (one.told - density * one.bytes).powi(2));
            let count = own.len() as u64;
            let between = residuals.sum::<f64>() * ratio(count, count.max(2) - 1);
            let left = (1.0 - 1.0 / share).max(0.0);
            Told {
                stratum,
                bytes: ratio(*all, 1),
                told: share * told,
                square: share.powi(2) * (sum(|one| one.square) + left * between),
                behind: share * sum(|one| one.behind),
            }
        });
        strata.collect()
    }
}

/// What the parts that were read tell of a source, or of a stratum.
struct Told {
    stratum: usize,
    bytes: f64,
    told: f64,
    /// The square of the standard error of that.
    square: f64,
    /// What is told of that which is behind heads.
    behind: f64,
}

/// Of so many sources at most `most`, from all over them and at no even distance, as files may alternate.
fn drawn(sources: usize, most: usize) -> impl Iterator<Item = usize> {
    let blocks = sources.min(most);
    let start = move |block: usize| block * sources / blocks.max(1);
    (0..blocks).map(move |block| {
        let (from, to) = (start(block), start(block + 1));
        from + index(mix64(block as u64) % ((to - from).max(1) as u64))
    })
}

/// Sources of a kind are read alike: their format, and how their names end.
fn kind(source: &Source) -> (Option<&'static str>, String) {
    let name = source.name().rsplit(['/', '\\']).next().unwrap_or_default();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    (source.format().map(InputFormat::name), ending.to_ascii_lowercase())
}

#[expect(clippy::cast_precision_loss, reason = "a forecast")]
pub(crate) fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a forecast, above 0")]
pub(crate) fn whole(number: f64) -> u64 {
    number.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parts of sources in strata: of each source its stratum, its bytes, and the documents and bytes of its windows.
    fn of(sources: &[(usize, u64, &[[u64; 2]])], strata: &[u64]) -> (Sampling, Vec<Amount>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        std::fs::write(&path, "{}\n").unwrap();
        let source = nearprint_corpus::discover(&[path], None).unwrap().remove(0);
        let mut sampling = Sampling { strata: strata.to_vec(), ..Sampling::default() };
        let mut read = Vec::new();
        for (at, (stratum, bytes, parts)) in sources.iter().enumerate() {
            sampling.sources.push((*stratum, *bytes));
            for [documents, bytes] in *parts {
                sampling.parts.push((source.clone(), Some(*bytes)));
                sampling.of_part.push(at);
                read.push(Amount { documents: *documents, bytes: *bytes, ..Amount::default() });
            }
        }
        (sampling, read)
    }

    #[test]
    fn a_range_is_as_wide_as_the_parts_differ() {
        let range = |all, parts: &[[u64; 2]]| {
            let (sampling, read) = of(&[(0, all, parts)], &[all]);
            sampling.range(&read)
        };
        // All was read; all parts are the same; one has three times as many.
        assert_eq!(range(90, &[[7, 90]]), [7, 7]);
        assert_eq!(range(2000, &[[100, 50]; 4]), [3960, 4040]);
        let [low, high] = range(2000, &[[100, 50], [100, 50], [100, 50], [300, 50]]);
        assert!((1050..1150).contains(&low) && (10_850..10_950).contains(&high), "{low} {high}");
    }

    #[test]
    fn sources_are_drawn_from_all_over_them() {
        for (sources, most) in [(0, 8), (3, 8), (8, 8), (25, 8), (1000, 400)] {
            let drawn: Vec<_> = drawn(sources, most).collect();
            assert_eq!(drawn.len(), sources.min(most), "{drawn:?}");
            assert!(drawn.is_sorted_by(|a, b| a < b) && drawn.iter().all(|at| *at < sources));
        }
        let even = drawn(400, 8).filter(|at| at % 2 == 0).count();
        assert!((1..8).contains(&even), "{even}");
    }

    #[test]
    fn sources_of_other_sizes_and_kinds_are_told_apart() {
        // A large source of one document in ten bytes, and a small one of one in a thousand.
        let sources: [(usize, u64, &[[u64; 2]]); 2] =
            [(0, 1_000_000, &[[10, 100]; 4]), (1, 10_000, &[[1, 1000]; 2])];
        let (sampling, read) = of(&sources, &[1_000_000, 10_000]);
        assert_eq!(sampling.told(&read, |part| part.documents), 100_010);
        // Two of four files of a kind, one of twice as many documents as the other.
        let (sampling, read) = of(&[(0, 100, &[[10, 100]]), (0, 100, &[[20, 100]])], &[400]);
        assert_eq!(sampling.told(&read, |part| part.documents), 60);
        let [low, high] = sampling.range(&read);
        assert!(low == 30 && high > 90, "{low} {high}");
    }
}
