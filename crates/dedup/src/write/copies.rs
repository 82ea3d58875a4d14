//! How many documents a survivor stands for, as it is written beside it.

use crate::decide::fates::{Fate, Fates};
use crate::numbers::{DocumentNumber, narrow};
use crate::read::labels::Labels;
use crate::write::annotation::Annotation;
use crate::write::rehydrate::Rehydrate;
use nearprint_corpus::{NewCell, NewColumn, NewColumnKind};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Labels that are counted by name, at most; what the others count is summed.
const LABELS: usize = 100;
/// What documents without a label are counted under.
const UNLABELLED: &str = "null";

/// How many documents a survivor stands for, itself included: `BY` labels too, and with what it `WEIGHS`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Copies<const BY: bool, const WEIGHS: bool> {
    copies: u64,
    /// The number of documents of each label.
    sources: Vec<(String, u64)>,
    /// Documents of further labels.
    others: u64,
    weight: f64,
}

macro_rules! columns {
    ($prefix:literal) => {
        match (BY, WEIGHS) {
            (false, false) => &[columns!($prefix, "copies", Integer)],
            (false, true) => {
                &[columns!($prefix, "copies", Integer), columns!($prefix, "weight", Real)]
            }
            (true, false) => {
                &[columns!($prefix, "copies", Integer), columns!($prefix, "sources", Text)]
            }
            (true, true) => &[
                columns!($prefix, "copies", Integer),
                columns!($prefix, "weight", Real),
                columns!($prefix, "sources", Text),
            ],
        }
    };
    ($prefix:literal, $name:literal, $kind:ident) => {
        NewColumn { name: concat!($prefix, "_", $name), kind: NewColumnKind::$kind }
    };
}

impl<const BY: bool, const WEIGHS: bool> Copies<BY, WEIGHS> {
    /// The counts by label, as JSON.
    fn sources(&self) -> String {
        let mut sources: Map<String, Value> = Map::new();
        for (label, count) in &self.sources {
            sources.insert(label.clone(), (*count).into());
        }
        Value::Object(sources).to_string()
    }
}

impl<const BY: bool, const WEIGHS: bool> Annotation for Copies<BY, WEIGHS> {
    const COLUMNS: &'static [NewColumn] = columns!("nearprint");
    const OTHERS: &'static [&'static [NewColumn]] =
        &[columns!("nearprint_note"), columns!("nearprint_note_2")];
    const EVER: usize = 1;

    fn cells(&self) -> Vec<NewCell<'_>> {
        let copies = NewCell::Integer(i64::try_from(self.copies).unwrap_or(i64::MAX));
        let weight = WEIGHS.then_some(NewCell::Real(self.weight));
        let sources = BY.then(|| NewCell::Text(self.sources().into()));
        [Some(copies), weight, sources].into_iter().flatten().collect()
    }

    /// `{"copies"}`, with `"weight"` and `"sources":{LABEL:COUNT}` where these are asked for, and `"other_sources"` where
    /// there are more labels than are counted by name.
    fn json(&self) -> String {
        let mut note = format!("{{\"copies\":{}", self.copies);
        if WEIGHS {
            note += &format!(",\"weight\":{:.4}", self.weight);
        }
        if BY {
            note += &format!(",\"sources\":{}", self.sources());
        }
        if self.others > 0 {
            note += &format!(",\"other_sources\":{}", self.others);
        }
        note + "}"
    }

    fn is_own(value: &RawValue) -> bool {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "only whether a value has these fields")]
        struct Noted {
            copies: u64,
            weight: Option<IgnoredAny>,
            sources: Option<IgnoredAny>,
            other_sources: Option<IgnoredAny>,
        }
        serde_json::from_str::<Noted>(value.get()).is_ok()
    }
}

/// Evaluates an expression for the columns that notes of copies have, which two constants tell.
macro_rules! with_copies {
    ($outputs:expr, $by:expr => $BY:ident, $WEIGHS:ident, $body:expr) => {{
        let weighs = $outputs.rehydrate.is_some_and($crate::write::rehydrate::Rehydrate::is_weight);
        match ($by, weighs) {
            (false, false) => {
                const $BY: bool = false;
                const $WEIGHS: bool = false;
                $body
            }
            (false, true) => {
                const $BY: bool = false;
                const $WEIGHS: bool = true;
                $body
            }
            (true, false) => {
                const $BY: bool = true;
                const $WEIGHS: bool = false;
                $body
            }
            (true, true) => {
                const $BY: bool = true;
                const $WEIGHS: bool = true;
                $body
            }
        }
    }};
}
pub(crate) use with_copies;

/// Counts the documents that each survivor stands for.
///
/// Memory: 8 bytes a document of a cluster, where these are counted by label.
pub(crate) struct Counting<'a> {
    fates: &'a Fates,
    labels: Option<&'a Labels>,
    /// The documents of clusters, each the number of its cluster above that of its label; ascending.
    members: Vec<u64>,
    rule: Option<Rehydrate>,
}

impl<'a> Counting<'a> {
    /// Counts by label, where there are some.
    ///
    /// # Complexity
    /// A sort of the documents of clusters, where these are counted by label.
    pub(crate) fn new(
        fates: &'a Fates,
        labels: Option<&'a Labels>,
        rule: Option<Rehydrate>,
    ) -> Self {
        let mut members: Vec<u64> = Vec::new();
        if let Some(labels) = labels {
            let in_clusters = fates.each().filter_map(|(document, fate)| {
                Some(u64::from(fate.cluster()?) << 32 | u64::from(labels.of(document)))
            });
            members.extend(in_clusters);
            members.sort_unstable();
        }
        Self { fates, labels, members, rule }
    }

    /// How many documents a survivor stands for. One without any feature stands for itself alone.
    pub(crate) fn copies(&self, document: Option<DocumentNumber>) -> u64 {
        match document.map(|document| self.fates.of(document)) {
            Some(Fate::Stays { cluster, .. }) => self.fates.clusters().size(cluster),
            _ => 1,
        }
    }

    /// How often a survivor is written.
    pub(crate) fn times(&self, document: Option<DocumentNumber>) -> u64 {
        self.rule.map_or(1, |rule| rule.times(self.copies(document)))
    }

    /// The note of a survivor.
    pub(crate) fn note<const BY: bool, const WEIGHS: bool>(
        &self,
        document: Option<DocumentNumber>,
    ) -> Copies<BY, WEIGHS> {
        let copies = self.copies(document);
        let weight = self.rule.map_or(1.0, |rule| rule.weight(copies));
        let mut note = Copies { copies, weight, ..Copies::default() };
        let Some(labels) = self.labels else { return note };
        let mut counts: Vec<(u32, u64)> = match document.map(|one| (one, self.fates.of(one))) {
            Some((_, Fate::Stays { cluster, .. })) => {
                let from = self.members.partition_point(|one| one >> 32 < u64::from(cluster));
                let own = self.members.get(from..).unwrap_or_default();
                let own = own.get(..own.partition_point(|one| one >> 32 == u64::from(cluster)));
                let groups = own.unwrap_or_default().chunk_by(|a, b| a == b);
                let label = |group: &[u64]| {
                    let label = group.first().map(|one| narrow(one & u64::from(u32::MAX)));
                    Some((label?, group.len() as u64))
                };
                groups.filter_map(label).collect()
            }
            Some((document, _)) => vec![(labels.of(document), 1)],
            // What it says is not needed, and its label was not kept.
            None => Vec::new(),
        };
        counts.sort_by_key(|(label, count)| (std::cmp::Reverse(*count), *label));
        note.others = counts.iter().skip(LABELS).map(|(_, count)| count).sum();
        let named = counts.iter().take(LABELS);
        let name = |label| labels.name(label).unwrap_or(UNLABELLED).to_owned();
        note.sources = named.map(|(label, count)| (name(*label), *count)).collect();
        note
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::clusters::Clusters;

    #[test]
    fn copies_are_counted_by_label_the_most_first() {
        let root =
            |document: DocumentNumber| DocumentNumber(if document.0 < 4 { 0 } else { document.0 });
        let fates = Fates::new(Clusters::of_roots(root, 6), 0);
        let mut labels = Labels::default();
        for label in [Some("b"), Some("a"), Some("a"), None, Some("b"), None] {
            labels.push(label);
        }
        let counting = Counting::new(&fates, Some(&labels), "weight:all".parse().ok());
        let json = |document| counting.note::<true, true>(document).json();
        assert_eq!(
            [Some(0), Some(4), Some(5), None].map(|at| json(at.map(DocumentNumber))),
            [
                r#"{"copies":4,"weight":4.0000,"sources":{"a":2,"b":1,"null":1}}"#,
                r#"{"copies":1,"weight":1.0000,"sources":{"b":1}}"#,
                r#"{"copies":1,"weight":1.0000,"sources":{"null":1}}"#,
                r#"{"copies":1,"weight":1.0000,"sources":{}}"#,
            ]
        );
        let note = counting.note::<true, false>(Some(DocumentNumber(0)));
        assert_eq!(note.texts(), ["4", r#"{"a":2,"b":1,"null":1}"#]);
        let own = |json: &str| {
            Copies::<false, false>::is_own(&RawValue::from_string(json.to_owned()).unwrap())
        };
        assert!(own(&json(None)) && own(r#"{"copies":1,"other_sources":3}"#));
        assert!(!own(r#"{"copies":1,"mine":2}"#) && !own("4"));
    }

    #[test]
    fn further_labels_are_summed() {
        let fates = Fates::new(Clusters::of_roots(|_| DocumentNumber(0), 150), 0);
        let mut labels = Labels::default();
        (0..150).for_each(|at| labels.push(Some(&format!("l{at}"))));
        let counting = Counting::new(&fates, Some(&labels), None);
        let note = counting.note::<true, false>(Some(DocumentNumber(0)));
        assert_eq!((note.copies, note.sources.len(), note.others), (150, 100, 50));
        assert!(note.json().ends_with(r#","other_sources":50}"#));
    }
}
