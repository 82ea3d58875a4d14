//! A large cluster as the page shows it: the document that stays, and how others differ from it.

use nearprint_dedup::{Excerpt, LargeCluster};
use nearprint_fingerprint::{Difference, visible};

/// The most rows of a difference that are shown.
const ROWS: usize = 12;

/// Characters of a document that are shown where it is closed.
const BEGINNING: usize = 160;

/// A cluster.
pub(super) struct Exhibit {
    pub(super) size: u64,
    pub(super) kept: Paper,
    pub(super) members: Vec<Compared>,
    /// Members that are not shown.
    pub(super) others: u64,
}

/// A document.
pub(super) struct Paper {
    pub(super) id: String,
    pub(super) beginning: String,
    pub(super) bytes: u64,
    /// Whether only the first part of its text is compared.
    pub(super) cut: bool,
}

/// A document next to the one that stays for it.
pub(super) struct Compared {
    pub(super) paper: Paper,
    pub(super) distance: u32,
    pub(super) similarity: String,
    /// What the similarity is one of.
    pub(super) kind: &'static str,
    pub(super) difference: Difference,
}

impl Exhibit {
    /// A cluster whose similarities are of a kind.
    pub(super) fn of(cluster: &LargeCluster, kind: &'static str) -> Self {
        let members = cluster.members.iter().map(|member| Compared {
            paper: Paper::of(&member.excerpt),
            distance: member.distance,
            similarity: format!("{:.3}", member.similarity),
            kind,
            difference: Difference::of(&cluster.kept.text, &member.excerpt.text, ROWS),
        });
        let members: Vec<_> = members.collect();
        Self {
            size: cluster.size,
            kept: Paper::of(&cluster.kept),
            others: cluster.size.saturating_sub(1 + members.len() as u64),
            members,
        }
    }
}

impl Paper {
    fn of(excerpt: &Excerpt) -> Self {
        let words: Vec<_> = excerpt.text.split_whitespace().take(BEGINNING / 2).collect();
        let beginning: String = words.join(" ").chars().take(BEGINNING).collect();
        // An id that is a text is shown without its quotes.
        let id = serde_json::from_str::<String>(&excerpt.id);
        Self {
            id: visible(&id.unwrap_or_else(|_| excerpt.id.clone())),
            beginning: visible(&beginning),
            bytes: excerpt.bytes,
            cut: excerpt.bytes > excerpt.text.len() as u64,
        }
    }
}
