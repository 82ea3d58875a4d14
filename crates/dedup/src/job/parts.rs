//! Which part of a corpus each cluster is in: by a hash of the id of its first document, or balanced.

use crate::decide::clusters::Clusters;
use crate::error::Error;
use crate::numbers::{DocumentNumber, entry, narrow, set};
use crate::read::ids::Ids;
use crate::read::labels::Labels;
use nearprint_fingerprint::mix64;
use serde::Serialize;
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64;

/// How far the sum of shares may be from 1.
const ROUNDING: f64 = 1e-6;
/// What documents without a value of the field that is stratified by are counted under.
const UNLABELLED: &str = "null";

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
        let mut parts: Vec<Self> = Vec::new();
        for part in text.split(',') {
            let example = "parts are named like train=90,valid=5,test=5";
            let Some((name, share)) = part.trim().split_once('=') else {
                return Err(refused(format!("{part:?} has no share: {example}")));
            };
            let share = share.trim().trim_end_matches('%').parse::<f64>();
            let share = share.ok().filter(|share| share.is_finite() && *share > 0.0);
            let Some(share) = share else {
                return Err(refused(format!(
                    "the share of {part:?} is not a number above 0: {example}"
                )));
            };
            parts.push(Self { name: name.trim().to_owned(), share });
        }
        let sum: f64 = parts.iter().map(|part| part.share).sum();
        if (sum - 100.0).abs() <= 100.0 * ROUNDING {
            parts.iter_mut().for_each(|part| part.share /= 100.0);
        }
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
            format!("the shares add up to {sum}, not to 100 or 1")
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
    /// The field of which each value has the same shares in all parts.
    pub(crate) strata: Option<&'a Labels>,
}

impl Parting<'_> {
    /// The hash of a cluster whose first document has this id.
    fn hash(&self, id: &str) -> u64 {
        mix64(xxh3_64(id.as_bytes()) ^ mix64(self.seed))
    }

    /// The part of each document: where the hash of its cluster lies among the shares.
    pub(crate) fn stable(&self, clusters: &Clusters, ids: &Ids) -> Vec<u16> {
        let part = |document| {
            let first = clusters.of(document).map_or(document, |(_, first)| first);
            self.part_of(self.hash(&ids.json(first)))
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

    /// The part of each document, such that the parts have their shares to the largest cluster. Clusters come stratum by
    /// stratum, each in the order of hashes, and each goes to the part that lacks most.
    ///
    /// # Complexity
    /// A sort of the clusters.
    pub(crate) fn balanced(&self, clusters: &Clusters, ids: &Ids) -> Vec<u16> {
        let stratum = |document| self.strata.map_or(0, |strata| strata.of(document));
        let mut firsts: Vec<(u32, u64, DocumentNumber)> = clusters
            .documents()
            .filter(|document| clusters.of(*document).is_none_or(|(_, first)| first == *document))
            .map(|document| (stratum(document), self.hash(&ids.json(document)), document))
            .collect();
        firsts.sort_unstable();
        let mut part_of = vec![0; clusters.documents().count()];
        let shares: Vec<f64> = self.parts.iter().map(|part| part.share).collect();
        let (mut counts, mut all) = (vec![0.0; shares.len()], 0.0);
        for (_, _, first) in firsts {
            let size = clusters.of(first).map_or(1, |(cluster, _)| clusters.size(cluster));
            let size = f64::from(narrow(size));
            all += size;
            let lacks = |at: usize| entry(&shares, at) * all - entry(&counts, at);
            let most = (0..shares.len()).reduce(|a, b| if lacks(b) > lacks(a) { b } else { a });
            let part = most.unwrap_or_default();
            if let Some(count) = counts.get_mut(part) {
                *count += size;
            }
            set(&mut part_of, first.index(), narrow_part(part));
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
                let stratum = strata.name(strata.of(document)).unwrap_or(UNLABELLED);
                match part.strata.get_mut(stratum) {
                    Some(count) => *count += 1,
                    None => {
                        part.strata.insert(stratum.to_owned(), 1);
                    }
                }
            }
        }
        parts
    }
}

fn narrow_part(part: usize) -> u16 {
    u16::try_from(part).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(refused("train=100").contains("two parts"));
        assert!(refused("a=50,a=50").contains("\"a\" is named twice"));
        assert!(refused("a/b=50,c=50").contains("\"a/b\""));
        assert!(refused("train,test=5").contains("\"train\" has no share"));
        assert!(refused("train=-5,test=105").contains("not a number above 0"));
    }
}
