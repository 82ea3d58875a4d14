//! A large cluster as the page shows it: its representative, and how others differ from it; and pairs around
//! the similarity.

use crate::show::figures::count_of;
use nearprint_dedup::{Audit, AuditedPair, AuditedRange, Excerpt, LargeCluster};
use nearprint_fingerprint::{Difference, visible};

/// The most rows of a difference that are shown.
const ROWS: usize = 12;

/// Characters of a document that are shown where it is closed.
const BEGINNING: usize = 160;

/// A cluster.
pub(super) struct Exhibit {
    pub(super) size: u64,
    /// Whether it is of pages that say that there is none.
    pub(super) of_errors: bool,
    pub(super) representative: Paper,
    pub(super) members: Vec<Compared>,
    /// Members that are not shown.
    pub(super) others: u64,
}

/// A document.
pub(super) struct Paper {
    pub(super) id: String,
    pub(super) beginning: String,
    pub(super) bytes: u64,
}

/// A document next to the representative of its cluster.
pub(super) struct Compared {
    pub(super) paper: Paper,
    pub(super) distance: u32,
    pub(super) similarity: String,
    /// What the similarity is one of.
    pub(super) kind: &'static str,
    /// Whether only the first part of one of the texts is compared.
    pub(super) cut: bool,
    pub(super) difference: Difference,
}

/// Pairs around the similarity.
pub(super) struct Nearly {
    /// What they are drawn of.
    pub(super) note: String,
    pub(super) lots: [Side; 2],
}

/// Those on one side of it.
pub(super) struct Side {
    pub(super) title: &'static str,
    pub(super) note: String,
    pub(super) pairs: Vec<Couple>,
}

/// Two documents around the similarity.
pub(super) struct Couple {
    pub(super) first: Paper,
    pub(super) second: Paper,
    pub(super) distance: u32,
    pub(super) similarity: String,
    pub(super) cut: bool,
    pub(super) difference: Difference,
}

impl Exhibit {
    /// A cluster whose similarities are of a kind.
    pub(super) fn of(cluster: &LargeCluster, kind: &'static str) -> Self {
        let members = cluster.members.iter().map(|member| Compared {
            paper: Paper::of(&member.excerpt),
            distance: member.evidence.distance,
            similarity: member
                .evidence
                .similarity()
                .map_or_else(String::new, |it| format!("{it:.3}")),
            kind,
            cut: is_cut(&cluster.representative) || is_cut(&member.excerpt),
            difference: Difference::of(&cluster.representative.text, &member.excerpt.text, ROWS),
        });
        let members: Vec<_> = members.collect();
        Self {
            size: cluster.size,
            of_errors: cluster.representative.is_error_page(),
            representative: Paper::of(&cluster.representative),
            others: cluster.size.saturating_sub(1 + members.len() as u64),
            members,
        }
    }
}

impl Nearly {
    /// The pairs of an audit whose similarities are of a kind.
    pub(super) fn of(audit: &Audit<Excerpt>, kind: &str) -> Self {
        let note = format!(
            "Each pair with different content was drawn with the same probability; the number before it is its {kind} \
             similarity."
        );
        Self {
            note,
            lots: [Side::of("just below", &audit.below), Side::of("just above", &audit.above)],
        }
    }
}

impl Side {
    fn of(title: &'static str, range: &AuditedRange<Excerpt>) -> Self {
        let AuditedRange { from, to, pairs, drawn } = range;
        let note = format!(
            "from {from:.2} to {to:.2}: {} of about {}",
            drawn.len(),
            count_of(*pairs, "pair")
        );
        Self { title, note, pairs: drawn.iter().map(Couple::of).collect() }
    }
}

impl Couple {
    fn of(pair: &AuditedPair<Excerpt>) -> Self {
        let AuditedPair { a, b, distance, similarity } = pair;
        Self {
            first: Paper::of(a),
            second: Paper::of(b),
            distance: *distance,
            similarity: format!("{similarity:.3}"),
            cut: is_cut(a) || is_cut(b),
            difference: Difference::of(&a.text, &b.text, ROWS),
        }
    }
}

/// Whether only the first part of a text is there.
fn is_cut(excerpt: &Excerpt) -> bool {
    excerpt.bytes > excerpt.text.len() as u64
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
        }
    }
}
