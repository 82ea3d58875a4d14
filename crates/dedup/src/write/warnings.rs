//! What should make a person look before a corpus is used: losses that a mistake may have made. What they are called in
//! lines is handled by the command line.

use crate::decide::fates::{Fate, Fates};
use crate::numbers::DocumentNumber;
use crate::read::documents::Documents;
use crate::read::names::Names;
use crate::write::by_source::{Sources, Tally};
use crate::write::excerpts::Excerpt;
use serde::Serialize;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Documents of a source, of a cluster, or that go, below which nothing is said of them.
const LEAST: u64 = 20;
/// Sources and clusters of which something is said, at most.
const TOLD: usize = 10;
/// Characters of an example.
const CHARACTERS: usize = 80;
/// Clusters of which a document is looked at for a passage.
const SAMPLED: u64 = 50;
/// Words of a passage.
const RUN: usize = 8;

/// What should make a person look, with its figures and an example.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "warning", rename_all = "kebab-case")]
pub enum Warning {
    /// More than a third of a source goes.
    Source {
        /// The source, as [`SourceShare`](crate::SourceShare) has it.
        source: Option<String>,
        /// Documents of it that go.
        removed: u64,
        /// Its documents.
        documents: u64,
        /// The first that goes.
        example: WarningExample,
    },
    /// A cluster has more than one in a hundred of all documents, or its documents are an error page.
    Cluster {
        /// Documents of the cluster.
        size: u64,
        /// All documents.
        documents: u64,
        /// Whether the example is a short text with words of an error page, in English.
        error_page: bool,
        /// Its first document.
        example: WarningExample,
    },
    /// Most documents that go have fewer than twenty features.
    ShortDocuments {
        /// Documents that go and have fewer.
        short: u64,
        /// All that go.
        removed: u64,
        /// The first of the short ones.
        example: WarningExample,
    },
    /// Most of the documents that go and were looked at share a passage of eight words: at most fifty documents, each of
    /// another cluster. It is found where survivors are written, by words between spaces, in the first 8 KiB of each.
    Passage {
        /// Documents with the passage.
        sharing: u64,
        /// Documents that were looked at.
        looked_at: u64,
        /// The passage.
        passage: String,
    },
}

/// A document that shows what is meant.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WarningExample {
    /// Its id; `null` where nobody kept it and no text is read again.
    pub id: Value,
    /// How it begins, in one line; nothing where no text is read again.
    pub text: String,
}

/// What there is to warn of, before anybody looked at a text.
#[derive(Debug, Default)]
pub(crate) struct Concerns {
    /// The places of sources, with the first document of each that goes.
    sources: Vec<(usize, DocumentNumber)>,
    /// The sizes of clusters, the largest first, with the first document of each.
    clusters: Vec<(u64, DocumentNumber)>,
    documents: u64,
    removed: u64,
    /// How many that go are short, with the first of them.
    short: Option<(u64, DocumentNumber)>,
    /// Documents that go, each of another cluster.
    sample: Vec<DocumentNumber>,
}

impl Concerns {
    /// Those about the fates of documents.
    ///
    /// # Complexity
    /// A look at every document.
    pub(crate) fn of(documents: &Documents, fates: &Fates, sources: &Sources<'_>) -> Self {
        let clusters = fates.clusters();
        let mut largest: BTreeMap<u32, Option<DocumentNumber>> = BTreeMap::new();
        let mut by_size = BTreeSet::new();
        for (number, size) in (0_u32..).zip(clusters.sizes()).filter(|(_, size)| **size >= LEAST) {
            by_size.insert((Reverse(*size), number));
            if by_size.len() > TOLD {
                by_size.pop_last();
            }
        }
        largest.extend(by_size.iter().map(|(_, number)| (*number, None)));
        let sampled = SAMPLED.min(clusters.len() as u64);
        let mut waiting: BTreeSet<u64> =
            (0..sampled).map(|at| at * clusters.len() as u64 / sampled).collect();
        let mut found = Self {
            documents: documents.len() as u64 + documents.first_reading().empty(),
            ..Self::default()
        };
        for (document, fate) in fates.each() {
            let Some(cluster) = fate.cluster() else { continue };
            let is_ours = document.0 >= documents.reference.documents;
            if let Some(first) = largest.get_mut(&cluster).filter(|_| is_ours) {
                first.get_or_insert(document);
            }
            if !matches!(fate, Fate::Goes { .. }) {
                continue;
            }
            found.removed += 1;
            if waiting.remove(&u64::from(cluster)) {
                found.sample.push(document);
            }
            if documents.few.of(document) {
                found.short.get_or_insert((0, document)).0 += 1;
            }
        }
        found.clusters = by_size
            .iter()
            .filter_map(|(Reverse(size), number)| Some((*size, *largest.get(number)?.as_ref()?)))
            .collect();
        let loses = |tally: &Tally| {
            let share = tally.told.share;
            share.documents >= LEAST && 3 * share.removed() > share.documents
        };
        let all = sources.all();
        let losing = (0..).zip(all).filter(|(_, tally)| loses(tally));
        found.sources = losing.filter_map(|(at, tally)| Some((at, tally.first_gone?))).collect();
        let removed = |at: usize| all.get(at).map_or(0, |tally| tally.told.share.removed());
        found.sources.sort_by_key(|(at, _)| Reverse(removed(*at)));
        found.sources.truncate(TOLD);
        found.short =
            found.short.filter(|(short, _)| found.removed >= LEAST && 2 * short > found.removed);
        if (found.sample.len() as u64) < LEAST {
            found.sample.clear();
        }
        found
    }

    /// The documents to look at, ascending: where all pass by anyway, with those in which a passage is sought, and with
    /// those of which only their text says whether there is something to warn of.
    pub(crate) fn documents(&self, all_pass: bool) -> Vec<DocumentNumber> {
        let sample = self.sample.iter().filter(|_| all_pass).copied();
        let examples = self.sources.iter().map(|(_, document)| *document);
        let clusters = self.clusters.iter().filter(|(size, _)| all_pass || self.is_large(*size));
        let clusters = clusters.map(|(_, document)| *document);
        let short = self.short.iter().map(|(_, document)| *document);
        let all: BTreeSet<_> = examples.chain(clusters).chain(short).chain(sample).collect();
        all.into_iter().collect()
    }

    /// Whether a cluster has more than one in a hundred of all documents.
    const fn is_large(&self, size: u64) -> bool {
        100 * size > self.documents
    }

    /// The warnings, with what the `excerpts` of documents show.
    pub(crate) fn warnings(
        self,
        sources: &Sources<'_>,
        names: Names<'_>,
        excerpts: &BTreeMap<DocumentNumber, Excerpt>,
    ) -> Vec<Warning> {
        let example = |document: DocumentNumber| match excerpts.get(&document) {
            Some(excerpt) => WarningExample {
                id: serde_json::from_str(&excerpt.id).unwrap_or_default(),
                text: beginning(&excerpt.text),
            },
            None => WarningExample {
                id: names.listed(document).map(|name| name.value()).unwrap_or_default(),
                text: String::new(),
            },
        };
        let mut warnings = Vec::new();
        for (at, document) in self.sources.iter().copied() {
            let Some(Tally { told, .. }) = sources.all().get(at) else { continue };
            warnings.push(Warning::Source {
                source: told.source.clone(),
                removed: told.share.removed(),
                documents: told.share.documents,
                example: example(document),
            });
        }
        for (size, document) in self.clusters.iter().copied() {
            let error_page = excerpts.get(&document).is_some_and(Excerpt::is_error_page);
            if error_page || self.is_large(size) {
                let (documents, example) = (self.documents, example(document));
                warnings.push(Warning::Cluster { size, documents, error_page, example });
            }
        }
        if let Some((short, document)) = self.short {
            let (removed, example) = (self.removed, example(document));
            warnings.push(Warning::ShortDocuments { short, removed, example });
        }
        let sample: Vec<&str> = self
            .sample
            .iter()
            .filter_map(|document| Some(excerpts.get(document)?.text.as_str()))
            .collect();
        let looked_at = sample.len() as u64;
        if let Some((sharing, passage)) = shared_passage(&sample)
            && 2 * sharing > looked_at
            && looked_at >= LEAST
        {
            warnings.push(Warning::Passage { sharing, looked_at, passage });
        }
        warnings
    }
}

/// The beginning of a text, in one line.
fn beginning(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(CHARACTERS).collect();
    let line = words.join(" ");
    match line.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}...", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// The passage that most of the texts have, with how many have it: of several the first.
fn shared_passage(texts: &[&str]) -> Option<(u64, String)> {
    let mut sharing: HashMap<u64, u64> = HashMap::new();
    let hash = |words: &[&str]| {
        let mut hasher = DefaultHasher::new();
        words.hash(&mut hasher);
        hasher.finish()
    };
    let each = |text: &&str, use_it: &mut dyn FnMut(u64, &[&str])| {
        let words: Vec<&str> = text.split_whitespace().collect();
        words.windows(RUN).for_each(|passage| use_it(hash(passage), passage));
    };
    for text in texts {
        let mut own = HashSet::new();
        each(text, &mut |hash, _| {
            own.insert(hash);
        });
        own.into_iter().for_each(|hash| *sharing.entry(hash).or_default() += 1);
    }
    let most = *sharing.values().max()?;
    let mut found = None;
    for text in texts {
        each(text, &mut |hash, passage| {
            if found.is_none() && sharing.get(&hash) == Some(&most) {
                found = Some(passage.join(" "));
            }
        });
    }
    found.map(|passage| (most, passage))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_passage_that_most_texts_have_is_found() {
        let menu = "Home News Sports Weather Contact us About the site";
        let texts = [
            format!("one {menu} and more"),
            "two of its own words alone and no other text here".to_owned(),
            format!("three {menu}"),
        ];
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let expected = "Home News Sports Weather Contact us About the";
        assert_eq!(shared_passage(&texts), Some((2, expected.to_owned())));
        assert_eq!(shared_passage(&["too short for a passage"]), None);
    }

    #[test]
    fn a_beginning_is_one_line() {
        assert_eq!(beginning("  a\n b  "), "a b");
        let long = "é".repeat(CHARACTERS + 1);
        assert_eq!(beginning(&long), format!("{}...", "é".repeat(CHARACTERS)));
    }
}
