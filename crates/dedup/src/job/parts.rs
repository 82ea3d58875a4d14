//! Which part of a corpus each cluster is in: by a hash of what its first document goes by, or balanced.

use crate::decide::clusters::Clusters;
use crate::error::Error;
use crate::numbers::{DocumentNumber, entry, narrow, set};
use crate::read::labels::Labels;
use crate::write::counted::source_name;
use nearprint_fingerprint::mix64;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// How far the sum of shares may be from 1.
const ROUNDING: f64 = 1.0 / MILLION;
const MILLION: f64 = 1e6;

/// A part, and its share of all documents.
#[derive(Clone, Debug, PartialEq)]
pub struct PartShare {
    /// Its name, which its file has.
    pub name: String,
    /// Its share, of 1.
    pub share: f64,
}

/// A part.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PartSummary {
    /// Its name.
    pub part: String,
    /// The share that was asked for, of 1.
    pub share: f64,
    /// Its documents.
    pub documents: u64,
    /// The share that these are.
    pub actual: f64,
    /// Its documents of each value of the field that is stratified by.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub strata: BTreeMap<String, u64>,
}

impl PartShare {
    /// The parts that a text such as `train=90,valid=5,test=5` names, in percent or as shares of 1.
    pub(crate) fn all(text: &str) -> Result<Vec<Self>, Error> {
        let refused = |problem: String| Error::Parts { problem };
        let (mut parts, mut percents) = (Vec::new(), Vec::new());
        for part in text.split(',') {
            let example = "parts are named like train=90,valid=5,test=5";
            let Some((name, share)) = part.trim().split_once('=') else {
                return Err(refused(format!("{part:?} has no share: {example}")));
            };
            let number = share.trim().trim_end_matches('%').trim_end();
            let share = number.parse::<f64>();
            let share = share.ok().filter(|share| share.is_finite() && *share > 0.0);
            let Some(share) = share else {
                return Err(refused(format!(
                    "the share of {part:?} is not a number above 0: {example}"
                )));
            };
            let name = name.trim().to_owned();
            // A hundredth as it would be typed: a quotient is another number now and then.
            let percent = format!("{number}e-2").parse().unwrap_or(share / 100.0);
            percents.push(Self { name: name.clone(), share: percent });
            parts.push(Self { name, share });
        }
        let sum: f64 = parts.iter().map(|part| part.share).sum();
        let parts = if (sum - 100.0).abs() <= 100.0 * ROUNDING { percents } else { parts };
        Self::check(&parts)?;
        Ok(parts)
    }

    /// Refuses parts that make no sense.
    pub(crate) fn check(parts: &[Self]) -> Result<(), Error> {
        let sum: f64 = parts.iter().map(|part| part.share).sum();
        let is_name = |name: &str| {
            let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
            !name.is_empty() && !name.starts_with('.') && name.chars().all(is_plain)
        };
        let twice = |at: usize| {
            parts.iter().take(at).find(|one| Some(&one.name) == parts.get(at).map(|it| &it.name))
        };
        let problem = if parts.len() < 2 || parts.len() > usize::from(u16::MAX) {
            "a corpus is split into two parts or more".to_owned()
        } else if let Some(part) = parts.iter().find(|part| !is_name(&part.name)) {
            format!("{:?} names a file: use letters, digits, - and _", part.name)
        } else if let Some(part) = (0..parts.len()).find_map(twice) {
            format!("the part {:?} is named twice", part.name)
        } else if (sum - 1.0).abs() > ROUNDING {
            format!("the shares add up to {}, not to 100 or 1", (sum * MILLION).round() / MILLION)
        } else {
            return Ok(());
        };
        Err(Error::Parts { problem })
    }
}

/// What decides which part a cluster is in.
pub(crate) struct Parting<'a> {
    pub(crate) parts: &'a [PartShare],
    pub(crate) seed: u64,
    /// What each document goes by wherever it is found.
    pub(crate) keys: &'a [u64],
    /// The field of which each value has the same shares in all parts.
    pub(crate) strata: Option<&'a Labels>,
}

impl Parting<'_> {
    /// The hash of a cluster by its first document.
    fn hash(&self, first: DocumentNumber) -> u64 {
        mix64(entry(self.keys, first.index()) ^ mix64(self.seed))
    }

    /// The part of each document: where the hash of its cluster lies among the shares.
    pub(crate) fn stable(&self, clusters: &Clusters) -> Vec<u16> {
        let part = |document| {
            let first = clusters.of(document).map_or(document, |(_, first)| first);
            self.part_of(self.hash(first))
        };
        clusters.documents().map(part).collect()
    }

    /// The part in whose share of all hashes one lies.
    fn part_of(&self, hash: u64) -> u16 {
        #[expect(clippy::cast_precision_loss, reason = "a share of all hashes")]
        let place = (hash >> 11) as f64 / (1_u64 << 53) as f64;
        let mut end = 0.0;
        let ends = self.parts.iter().map(|part| {
            end += part.share;
            end
        });
        let before = ends.take_while(|end| *end <= place).count();
        // The shares may be a little less than 1 together.
        narrow_part(before.min(self.parts.len() - 1))
    }

    /// The part of each document, such that the parts have their shares as nearly as clusters let them. Clusters come
    /// stratum by stratum, the largest first, those of a size in the order of hashes, and each goes to the part that
    /// lacks most: so the small ones fill what is left, and parts have their shares of each size. Then clusters of a
    /// stratum change their parts as long as that helps.
    ///
    /// # Complexity
    /// A sort of the clusters. What helps is found among the different sizes.
    pub(crate) fn balanced(&self, clusters: &Clusters) -> Vec<u16> {
        let stratum = |document| self.strata.map_or(0, |strata| strata.of(document));
        let size = |first| clusters.of(first).map_or(1, |(cluster, _)| clusters.size(cluster));
        let mut firsts: Vec<(u32, Reverse<u64>, u64, DocumentNumber)> = clusters
            .documents()
            .filter(|document| clusters.of(*document).is_none_or(|(_, first)| first == *document))
            .map(|first| (stratum(first), Reverse(size(first)), self.hash(first), first))
            .collect();
        firsts.sort_unstable();
        let mut part_of = vec![0; clusters.documents().count()];
        let shares: Vec<f64> = self.parts.iter().map(|part| part.share).collect();
        let mut lacks = vec![0.0; shares.len()];
        for stratum in firsts.chunk_by(|a, b| a.0 == b.0) {
            let mut by_size = vec![BTreeMap::<u64, Vec<DocumentNumber>>::new(); shares.len()];
            for (_, Reverse(size), _, first) in stratum {
                let more = f64::from(narrow(*size));
                lacks.iter_mut().zip(&shares).for_each(|(lacks, share)| *lacks += share * more);
                let most = (0..lacks.len())
                    .reduce(|a, b| if entry(&lacks, b) > entry(&lacks, a) { b } else { a });
                let part = most.unwrap_or_default();
                if let Some((lacks, own)) = lacks.get_mut(part).zip(by_size.get_mut(part)) {
                    *lacks -= more;
                    own.entry(*size).or_default().push(*first);
                }
            }
            while balance(&mut by_size, &mut lacks) {}
            for (part, own) in by_size.iter().enumerate() {
                for first in own.values().flatten() {
                    set(&mut part_of, first.index(), narrow_part(part));
                }
            }
        }
        for document in clusters.documents() {
            if let Some((_, first)) = clusters.of(document) {
                let part = entry(&part_of, first.index());
                set(&mut part_of, document.index(), part);
            }
        }
        part_of
    }

    /// What is told of each part, but for what its documents are of all.
    pub(crate) fn told(&self, part_of: &[u16]) -> Vec<PartSummary> {
        let told = |part: &PartShare| PartSummary {
            part: part.name.clone(),
            share: part.share,
            ..PartSummary::default()
        };
        let mut parts: Vec<PartSummary> = self.parts.iter().map(told).collect();
        for (document, part) in (0..).map(DocumentNumber).zip(part_of) {
            let Some(part) = parts.get_mut(usize::from(*part)) else { continue };
            part.documents += 1;
            if let Some(strata) = self.strata {
                let stratum = source_name(strata.name(strata.of(document)));
                match part.strata.get_mut(&*stratum) {
                    Some(count) => *count += 1,
                    None => {
                        part.strata.insert(stratum.into_owned(), 1);
                    }
                }
            }
        }
        parts
    }
}

/// Moves a cluster of the part that has most too much to the one that lacks most, or changes it for a smaller one of that;
/// whether the larger of the two differences gets smaller so.
fn balance(by_size: &mut [BTreeMap<u64, Vec<DocumentNumber>>], lacks: &mut [f64]) -> bool {
    let by_lack = |a: &usize, b: &usize| entry(lacks, *a).total_cmp(&entry(lacks, *b));
    let (from, to) = ((0..lacks.len()).min_by(by_lack), (0..lacks.len()).max_by(by_lack));
    let Some((from, to)) = from.zip(to).filter(|(from, to)| from != to) else { return false };
    let (over, under) = (-entry(lacks, from), entry(lacks, to));
    let Ok([givers, takers]) = by_size.get_disjoint_mut([from, to]) else { return false };
    let left = |moved: u64| {
        let moved = f64::from(narrow(moved));
        (over - moved).abs().max((under - moved).abs())
    };
    // A size for nothing, or for the nearest ones to what leaves the two as much.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of documents"
    )]
    let half = f64::midpoint(over, under).max(0.0) as u64;
    let pairs = givers.keys().flat_map(|size| {
        let nearest = size.saturating_sub(half);
        let below = takers.range(..=nearest).next_back();
        let above = takers.range(nearest..*size).next();
        let others = below.into_iter().chain(above).map(|(other, _)| *other).chain([0]);
        others.filter(move |other| other < size).map(move |other| (*size, other))
    });
    let best = pairs.min_by(|a, b| left(a.0 - a.1).total_cmp(&left(b.0 - b.1)));
    let better = best.filter(|(size, other)| left(size - other) + ROUNDING < over.max(under));
    let Some((size, other)) = better else { return false };
    let mut shift = |size: u64, back: bool| {
        let (giver, taker) =
            if back { (&mut *takers, &mut *givers) } else { (&mut *givers, &mut *takers) };
        let Entry::Occupied(mut own) = giver.entry(size) else { return };
        if let Some(first) = own.get_mut().pop() {
            taker.entry(size).or_default().push(first);
        }
        if own.get().is_empty() {
            own.remove();
        }
    };
    shift(size, false);
    shift(other, true);
    let moved = f64::from(narrow(size - other));
    for (part, moved) in [(from, moved), (to, -moved)] {
        lacks.get_mut(part).into_iter().for_each(|lacks| *lacks += moved);
    }
    true
}

fn narrow_part(part: usize) -> u16 {
    u16::try_from(part).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_change_their_parts_until_these_have_their_shares() {
        let balanced = |parts: &[&[u64]], shares: &[f64]| {
            let all: u64 = parts.iter().copied().flatten().sum();
            let mut by_size: Vec<BTreeMap<u64, Vec<DocumentNumber>>> = Vec::new();
            for sizes in parts {
                let mut own = BTreeMap::new();
                sizes.iter().for_each(|size| {
                    own.entry(*size).or_insert_with(Vec::new).push(DocumentNumber(*size));
                });
                by_size.push(own);
            }
            let count = |own: &BTreeMap<u64, Vec<DocumentNumber>>| -> u64 {
                own.iter().map(|(size, firsts)| size * firsts.len() as u64).sum()
            };
            let lack =
                |(own, share)| share * f64::from(narrow(all)) - f64::from(narrow(count(own)));
            let mut lacks: Vec<f64> = by_size.iter().zip(shares).map(lack).collect();
            while balance(&mut by_size, &mut lacks) {}
            by_size.iter().map(count).collect::<Vec<_>>()
        };
        assert_eq!(balanced(&[&[3, 2, 2], &[3, 2]], &[0.5, 0.5]), [6, 6]);
        assert_eq!(balanced(&[&[5, 4], &[5, 3, 3]], &[0.5, 0.5]), [10, 10]);
        assert_eq!(balanced(&[&[100, 100, 100, 22], &[78]], &[0.75, 0.25]), [300, 100]);
        assert_eq!(balanced(&[&[9, 1, 1], &[], &[1]], &[0.75, 0.125, 0.125]), [9, 1, 2]);
        assert_eq!(balanced(&[&[7], &[]], &[0.9, 0.1]), [7, 0]);
    }

    fn refused(text: &str) -> String {
        PartShare::all(text).unwrap_err().to_string()
    }

    #[test]
    fn parts_are_percents_or_shares() {
        for text in [
            "train=90,valid=5,test=5",
            "train=0.9, valid=0.05 ,test=0.05",
            "train=90%,valid=5%,test=5%",
        ] {
            let parts = PartShare::all(text).unwrap();
            let shares: Vec<f64> = parts.iter().map(|part| part.share).collect();
            assert!((shares[0] - 0.9).abs() < 1e-9 && (shares[2] - 0.05).abs() < 1e-9, "{text}");
            assert_eq!(parts[1].name, "valid");
        }
        assert!(refused("train=90,test=5").contains("add up to 95, not to 100"));
        assert!(refused("a=33.3,b=33.3,c=33.3").contains("add up to 99.9, not to 100"));
        assert!(refused("a=0.1,b=0.2").contains("add up to 0.3, not to 100"));
        let parts = PartShare::all("a=29.3,b=70.7").unwrap();
        assert_eq!([parts[0].share, parts[1].share], [0.293, 0.707]);
        assert!(refused("train=100").contains("two parts"));
        assert!(refused("a=50,a=50").contains("\"a\" is named twice"));
        assert!(refused("a/b=50,c=50").contains("\"a/b\""));
        assert!(refused("train,test=5").contains("\"train\" has no share"));
        assert!(refused("train=-5,test=105").contains("not a number above 0"));
    }
}
