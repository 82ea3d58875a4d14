//! What the page shows of documents: clusters, their representative next to documents that go; the most doubtful
//! removals; and pairs around the similarity.

use crate::show::figures::count_of;
use crate::verb::dedup::report::source_names::SourceNames;
use nearprint_dedup::{
    Audit, AuditedPair, AuditedRange, DoubtfulRemoval, Evidence, Excerpt, ShownCluster,
    ShownDocument,
};
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
    pub(super) members: Vec<Couple>,
    /// Members that are not shown.
    pub(super) others: u64,
}

/// A document.
pub(super) struct Paper {
    pub(super) id: String,
    pub(super) beginning: String,
    /// Its source, where documents are from several.
    pub(super) source: Option<String>,
    /// Its file and its row, where several documents have one id.
    pub(super) place: Option<String>,
    pub(super) bytes: u64,
}

/// Two documents.
pub(super) struct Couple {
    pub(super) first: Paper,
    pub(super) second: Paper,
    pub(super) distance: u32,
    pub(super) similarity: String,
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

impl Exhibit {
    pub(super) fn of(cluster: &ShownCluster, names: &SourceNames) -> Self {
        let ShownCluster { size, representative, members, .. } = cluster;
        let members = members
            .iter()
            .map(|member| Couple::of((representative, &member.document), member.evidence, names));
        let members: Vec<_> = members.collect();
        Self {
            size: *size,
            of_errors: representative.excerpt.is_error_page(),
            representative: Paper::of(representative, names),
            others: size.saturating_sub(1 + members.len() as u64),
            members,
        }
    }
}

/// The documents of a doubtful removal, with the size of their cluster.
pub(super) fn doubt(removal: &DoubtfulRemoval, names: &SourceNames) -> (u64, Couple) {
    let DoubtfulRemoval { document, near, evidence, size } = removal;
    (*size, Couple::of((near, document), *evidence, names))
}

impl Nearly {
    /// The pairs of an audit whose similarities are of a kind.
    pub(super) fn of(audit: &Audit<ShownDocument>, kind: &str, names: &SourceNames) -> Self {
        let note = format!(
            "Each pair with different content was drawn with the same probability; the number before it is its {kind} \
             similarity."
        );
        let side = |title, range| Side::of(title, range, names);
        Self { note, lots: [side("just below", &audit.below), side("just above", &audit.above)] }
    }
}

impl Side {
    fn of(title: &'static str, range: &AuditedRange<ShownDocument>, names: &SourceNames) -> Self {
        let AuditedRange { from, to, pairs, drawn } = range;
        let note = format!(
            "from {from:.2} to {to:.2}: {} of about {}",
            drawn.len(),
            count_of(*pairs, "pair")
        );
        let pair = |AuditedPair { a, b, distance, similarity }: &AuditedPair<ShownDocument>| {
            Couple::like((a, b), (*distance, Some(*similarity)), names)
        };
        Self { title, note, pairs: drawn.iter().map(pair).collect() }
    }
}

impl Couple {
    fn of(
        documents: (&ShownDocument, &ShownDocument),
        evidence: Evidence,
        names: &SourceNames,
    ) -> Self {
        Self::like(documents, (evidence.distance, evidence.similarity()), names)
    }

    fn like(
        (first, second): (&ShownDocument, &ShownDocument),
        (distance, similarity): (u32, Option<f64>),
        names: &SourceNames,
    ) -> Self {
        Self {
            first: Paper::of(first, names),
            second: Paper::of(second, names),
            distance,
            similarity: similarity.map_or_else(String::new, |it| format!("{it:.3}")),
            cut: is_cut(&first.excerpt) || is_cut(&second.excerpt),
            difference: Difference::of(&first.excerpt.text, &second.excerpt.text, ROWS),
        }
    }
}

/// Whether only the first part of a text is there.
fn is_cut(excerpt: &Excerpt) -> bool {
    excerpt.bytes > excerpt.text.len() as u64
}

impl Paper {
    fn of(document: &ShownDocument, names: &SourceNames) -> Self {
        let ShownDocument { excerpt, source } = document;
        let words: Vec<_> = excerpt.text.split_whitespace().take(BEGINNING / 2).collect();
        let beginning: String = words.join(" ").chars().take(BEGINNING).collect();
        // An id that is a text is shown without its quotes.
        let id = serde_json::from_str::<String>(&excerpt.id);
        Self {
            id: visible(&id.unwrap_or_else(|_| excerpt.id.clone())),
            beginning: visible(&beginning),
            source: names.of(source.as_deref()),
            place: names.place(document),
            bytes: excerpt.bytes,
        }
    }
}
