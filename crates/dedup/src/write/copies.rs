//! How many documents a survivor stands for, as it is written beside it.

use crate::write::annotation::Annotation;
use crate::write::counted::Counted;
use crate::write::rehydrate::Rehydrate;
use nearprint_corpus::{NewCell, NewColumn, NewColumnKind};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::num::NonZeroU64;

/// How many documents a survivor stands for, itself included: `BY` labels too, and with what it `WEIGHS`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Copies<const BY: bool, const WEIGHS: bool> {
    counted: Counted,
    weight: f64,
}

macro_rules! columns {
    ($prefix:literal) => {
        match (BY, WEIGHS) {
            (false, false) => &[columns!($prefix, "copies", Integer)],
            (false, true) => {
                &[columns!($prefix, "copies", Integer), columns!($prefix, "weight", Real)]
            }
            (true, false) => &[
                columns!($prefix, "copies", Integer),
                columns!($prefix, "sources", Text),
                columns!($prefix, "other_sources", Integer),
            ],
            (true, true) => &[
                columns!($prefix, "copies", Integer),
                columns!($prefix, "weight", Real),
                columns!($prefix, "sources", Text),
                columns!($prefix, "other_sources", Integer),
            ],
        }
    };
    ($prefix:literal, $name:literal, $kind:ident) => {
        NewColumn { name: concat!($prefix, "_", $name), kind: NewColumnKind::$kind }
    };
}

impl<const BY: bool, const WEIGHS: bool> Copies<BY, WEIGHS> {
    /// The note of a survivor that stands for these documents, and what it weighs by a rule.
    pub(crate) fn new(counted: Counted, rule: Option<Rehydrate>) -> Self {
        let weight = rule.map_or(1.0, |rule| rule.weight(counted.copies));
        Self { counted, weight }
    }
}

impl<const BY: bool, const WEIGHS: bool> Annotation for Copies<BY, WEIGHS> {
    const COLUMNS: &'static [NewColumn] = columns!("nearprint");
    const OTHERS: &'static [&'static [NewColumn]] =
        &[columns!("nearprint_note"), columns!("nearprint_note_2")];
    const EVER: usize = 1;

    fn any_columns(number: usize) -> &'static [NewColumn] {
        Copies::<true, true>::columns(number)
    }

    fn cells(&self) -> Vec<NewCell<'_>> {
        let number = |count| NewCell::Integer(i64::try_from(count).unwrap_or(i64::MAX));
        let copies = number(self.counted.copies);
        let weight = WEIGHS.then_some(NewCell::Real(self.weight));
        let sources = BY.then(|| NewCell::Text(self.counted.sources_json().into()));
        let others = BY.then_some(match self.counted.others {
            0 => NewCell::Empty,
            others => number(others),
        });
        [Some(copies), weight, sources, others].into_iter().flatten().collect()
    }

    /// `{"copies"}`, with `"weight"` and `"sources":{LABEL:COUNT}` where these are asked for, and `"other_sources"` where
    /// there are more labels than are counted by name.
    fn json(&self) -> String {
        let mut note = format!("{{\"copies\":{}", self.counted.copies);
        if WEIGHS {
            note += &format!(",\"weight\":{:.4}", self.weight);
        }
        if BY {
            note += &format!(",\"sources\":{}", self.counted.sources_json());
        }
        if self.counted.others > 0 {
            note += &format!(",\"other_sources\":{}", self.counted.others);
        }
        note + "}"
    }

    fn is_own(value: &RawValue) -> bool {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Noted {
            copies: NonZeroU64,
            weight: Option<f64>,
            sources: Option<BTreeMap<String, NonZeroU64>>,
            other_sources: Option<u64>,
        }
        let Ok(noted) = serde_json::from_str::<Noted>(value.get()) else { return false };
        let copies = noted.copies.get();
        let sources = noted.sources.unwrap_or_default().into_values().map(u64::from);
        let counted = sources.chain(noted.other_sources).try_fold(0_u64, u64::checked_add);
        // No rule gives a survivor less weight than one document has, or more than all of them.
        #[expect(clippy::cast_precision_loss, reason = "a weight")]
        let is_weight = noted.weight.is_none_or(|weight| (1.0..=copies as f64).contains(&weight));
        is_weight && counted.is_some_and(|counted| counted <= copies)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::clusters::Clusters;
    use crate::decide::fates::Fates;
    use crate::numbers::DocumentNumber;
    use crate::read::labels::Labels;
    use crate::write::counting::Counting;

    #[test]
    fn copies_are_counted_by_label() {
        let root =
            |document: DocumentNumber| DocumentNumber(if document.0 < 4 { 0 } else { document.0 });
        let fates = Fates::new(Clusters::of_roots(root, 6, 0), 0);
        let mut labels = Labels::default();
        for label in [Some("b"), Some("a"), Some("a"), None, Some("b"), None] {
            labels.push(label);
        }
        labels.push_featureless(Some("c"));
        let (counting, rule) = (Counting::new(&fates, Some(&labels)), "weight:all".parse().ok());
        let json = |counted| Copies::<true, true>::new(counted, rule).json();
        let [cluster, b, none] = [0, 4, 5].map(|at| counting.counted(DocumentNumber(at)));
        let alone = counting.featureless().next().unwrap();
        assert_eq!(
            [cluster, b, none, alone.clone()].map(json),
            [
                r#"{"copies":4,"weight":4.0000,"sources":{"a":2,"b":1,"null":1}}"#,
                r#"{"copies":1,"weight":1.0000,"sources":{"b":1}}"#,
                r#"{"copies":1,"weight":1.0000,"sources":{"null":1}}"#,
                r#"{"copies":1,"weight":1.0000,"sources":{"c":1}}"#,
            ]
        );
        let note = Copies::<true, false>::new(counting.counted(DocumentNumber(0)), None);
        assert_eq!(note.texts(), ["4", r#"{"a":2,"b":1,"null":1}"#, ""]);
        let many = Counted { copies: 9, others: 3, ..Counted::default() };
        let many = Copies::<true, false>::new(many, None);
        assert_eq!(many.texts(), ["9", "{}", "3"]);
        let many = many.json();
        assert_eq!(many, r#"{"copies":9,"sources":{},"other_sources":3}"#);
        let own = |json: &str| {
            Copies::<false, false>::is_own(&RawValue::from_string(json.to_owned()).unwrap())
        };
        assert!(own(&json(alone)) && own(&many));
        for other in [
            r#"{"copies":1,"mine":2}"#,
            "4",
            r#"{"copies":0}"#,
            r#"{"copies":"4"}"#,
            r#"{"copies":2,"sources":{"a":3}}"#,
            r#"{"copies":2,"sources":["a"]}"#,
            r#"{"copies":2,"weight":"heavy"}"#,
            r#"{"copies":2,"weight":0.5}"#,
            r#"{"copies":2,"weight":2.5}"#,
        ] {
            assert!(!own(other), "{other}");
        }
    }
}
