//! What should make a person look before a corpus is used: losses that a mistake may have made. What they are called in
//! lines is handled by the command line.

use crate::decide::fates::{Fate, Fates};
use crate::numbers::DocumentNumber;
use crate::read::documents::Documents;
use crate::read::names::Names;
use crate::write::by_source::{BySource, Share, SourceShare, Sources, Tally};
use crate::write::excerpts::Excerpt;
use nearprint_fingerprint::{Digits, Recipe, Tokenizer};
use serde::Serialize;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Documents of a source, of a cluster, or that go, below which nothing is said of them.
const LEAST: u64 = 20;
/// Sources and error pages of which something is said, at most; the others are counted.
const TOLD: usize = 10;
/// The same of large clusters: a small corpus has many of one in a hundred.
const CLUSTERS: usize = 3;
/// Clusters, the largest ones, that are looked at for an error page, at most.
const LOOKED_AT: usize = 1 << 10;
/// Characters of an example.
const CHARACTERS: usize = 80;
/// Clusters of which a document is looked at for a passage.
const SAMPLED: u64 = 50;
/// Words of a passage, at least.
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
    /// A cluster has more than one in a hundred of all documents, or its documents are an error page. Of clusters below
    /// one in a hundred, the thousand largest are looked at where survivors are written.
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
        /// How the passage begins: its first eight words.
        passage: String,
        /// Its tokens by the usual recipe: the length that [`PassageRule`](crate::PassageRule) needs to cut it. `None` where
        /// nothing can be cut out of these documents.
        length: Option<usize>,
    },
    /// There is more of what ten warnings each tell of, or three of large clusters.
    More {
        /// Other sources of which more than a third goes.
        sources: u64,
        /// Other clusters with more than one in a hundred of all documents.
        clusters: u64,
        /// Other clusters that are an error page.
        error_pages: u64,
    },
}

/// A document that shows what is meant.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WarningExample {
    /// Its id; `null` where nobody kept it and no text is read again.
    pub id: Value,
    /// How it begins, in one line; `null` where no text is read again.
    pub text: Option<String>,
}

/// What there is to warn of, before anybody looked at a text.
#[derive(Debug, Default)]
pub(crate) struct Concerns {
    /// The places of sources, with the first document of each that goes; and how many other sources there are.
    sources: Vec<(usize, DocumentNumber)>,
    more_sources: u64,
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
            if by_size.len() > LOOKED_AT {
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
        let all = sources.all();
        let losing = (0..).zip(all).filter(|(_, tally)| tally.told.share.is_loss());
        found.sources = losing.filter_map(|(at, tally)| Some((at, tally.first_gone?))).collect();
        let removed = |at: usize| all.get(at).map_or(0, |tally| tally.told.share.removed());
        found.sources.sort_by_key(|(at, _)| Reverse(removed(*at)));
        found.more_sources = found.sources.len().saturating_sub(TOLD) as u64;
        found.sources.truncate(TOLD);
        found.short =
            found.short.filter(|(short, _)| found.removed >= LEAST && 2 * short > found.removed);
        if (found.sample.len() as u64) < LEAST {
            found.sample.clear();
        }
        found
    }

    /// The documents to look at, ascending: where all pass by anyway, with those in which a passage is sought, and with
    /// those that are shown only if they are an error page, for which `false` stands.
    pub(crate) fn documents(&self, all_pass: bool) -> Vec<(DocumentNumber, bool)> {
        let sample = self.sample.iter().filter(|_| all_pass).copied();
        let examples = self.sources.iter().map(|(_, document)| *document);
        let (large, others): (Vec<_>, Vec<_>) =
            self.clusters.iter().partition(|(size, _)| self.is_large(*size));
        let others = others.iter().filter(|_| all_pass).map(|(_, document)| (*document, false));
        let large = large.iter().map(|(_, document)| *document);
        let short = self.short.iter().map(|(_, document)| *document);
        let shown = examples.chain(large).chain(short).chain(sample);
        let all: BTreeMap<_, _> = others.chain(shown.map(|document| (document, true))).collect();
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
                text: Some(beginning(&excerpt.text)),
            },
            None => WarningExample {
                id: names.listed(document).map(|name| name.value()).unwrap_or_default(),
                text: None,
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
        let (mut large, mut error_pages) = (0, 0);
        for (size, document) in self.clusters.iter().copied() {
            let error_page = excerpts.get(&document).is_some_and(Excerpt::is_error_page);
            let (of_kind, most) = match error_page {
                true => (&mut error_pages, TOLD),
                false if self.is_large(size) => (&mut large, CLUSTERS),
                false => continue,
            };
            *of_kind += 1;
            if *of_kind <= most as u64 {
                let (documents, example) = (self.documents, example(document));
                warnings.push(Warning::Cluster { size, documents, error_page, example });
            }
        }
        let more = Warning::more(self.more_sources, [large, error_pages]);
        if let Some((short, document)) = self.short {
            let (removed, example) = (self.removed, example(document));
            warnings.push(Warning::ShortDocuments { short, removed, example });
        }
        let sample: Vec<&Excerpt> =
            self.sample.iter().filter_map(|document| excerpts.get(document)).collect();
        let texts: Vec<&str> = sample.iter().map(|excerpt| excerpt.text.as_str()).collect();
        let looked_at = sample.len() as u64;
        if let Some((sharing, words)) = shared_passage(&texts)
            && 2 * sharing > looked_at
            && looked_at >= LEAST
        {
            let passage = words.get(..RUN).unwrap_or(&words).join(" ");
            let can_be_cut = sample.iter().all(|excerpt| excerpt.can_be_cut);
            // A token alone is no passage.
            let length = tokens(&words.join(" ")).filter(|tokens| can_be_cut && *tokens > 1);
            warnings.push(Warning::Passage { sharing, looked_at, passage, length });
        }
        warnings.extend(more);
        warnings
    }
}

impl Warning {
    /// What figures alone tell, where no text is at hand: of sources, and of the largest cluster.
    pub(crate) fn of_figures(by_source: &BySource, cluster: u64, documents: u64) -> Vec<Self> {
        let mut losing: Vec<_> =
            by_source.sources.iter().filter(|source| source.share.is_loss()).collect();
        losing.sort_by_key(|source| Reverse(source.share.removed()));
        let more = Self::more(losing.len().saturating_sub(TOLD) as u64, [0, 0]);
        let sources =
            losing.into_iter().take(TOLD).map(|SourceShare { source, share }| Self::Source {
                source: source.clone(),
                removed: share.removed(),
                documents: share.documents,
                example: WarningExample::default(),
            });
        let is_large = cluster >= LEAST && 100 * cluster > documents;
        let largest = is_large.then(|| Self::Cluster {
            size: cluster,
            documents,
            error_page: false,
            example: WarningExample::default(),
        });
        sources.chain(largest).chain(more).collect()
    }

    /// What is said of so many other sources, and of so many clusters of each kind in all.
    fn more(sources: u64, clusters: [u64; 2]) -> Option<Self> {
        let [large, error_pages] = clusters;
        let clusters = large.saturating_sub(CLUSTERS as u64);
        let error_pages = error_pages.saturating_sub(TOLD as u64);
        let any = sources + clusters + error_pages > 0;
        any.then_some(Self::More { sources, clusters, error_pages })
    }
}

impl Share {
    /// Whether so much of a source goes that a person should look.
    const fn is_loss(self) -> bool {
        self.documents >= LEAST && 3 * self.removed() > self.documents
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

/// The words of the passage that most of the texts have, with how many have it: of several the first, as long as so many
/// have each part of it.
fn shared_passage<'a>(texts: &[&'a str]) -> Option<(u64, Vec<&'a str>)> {
    // The hash of each passage of a text, in order: each word is hashed once.
    let passages = |words: &[&str]| {
        let words: Vec<u64> = words.iter().map(hash_of).collect();
        words.windows(RUN).map(hash_of).collect::<Vec<u64>>()
    };
    let mut sharing: HashMap<u64, u64> = HashMap::new();
    for text in texts {
        let words: Vec<&str> = text.split_whitespace().collect();
        let own: HashSet<u64> = passages(&words).into_iter().collect();
        own.into_iter().for_each(|passage| *sharing.entry(passage).or_default() += 1);
    }
    let most = *sharing.values().max()?;
    texts.iter().copied().find_map(|text| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let passages = passages(&words);
        let is_most = |passage: &&u64| sharing.get(*passage) == Some(&most);
        let at = passages.iter().position(|passage| is_most(&passage))?;
        let parts = passages.iter().skip(at).take_while(is_most).count();
        Some((most, words.get(at..at + parts + RUN - 1)?.to_vec()))
    })
}

/// The tokens of a text by the usual recipe.
fn tokens(text: &str) -> Option<usize> {
    let mut hashes = Vec::new();
    Tokenizer::new(&Recipe::default(), Digits::Keep).ok()?.hashes(text, &mut hashes);
    Some(hashes.len())
}

fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
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
        let expected = menu.split_whitespace().collect::<Vec<_>>();
        assert_eq!(shared_passage(&texts), Some((2, expected)));
        assert_eq!(shared_passage(&["too short for a passage"]), None);
    }

    #[test]
    fn a_beginning_is_one_line() {
        assert_eq!(beginning("  a\n b  "), "a b");
        let long = "é".repeat(CHARACTERS + 1);
        assert_eq!(beginning(&long), format!("{}...", "é".repeat(CHARACTERS)));
    }
}
