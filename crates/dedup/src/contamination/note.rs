//! What was found in a document, as it is written beside it.

use crate::write::annotation::Annotation;
use nearprint_corpus::{NewCell, NewColumn, NewColumnKind};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// The items that stand in a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ContaminationNote {
    /// A list of objects, as JSON.
    found: String,
}

impl ContaminationNote {
    /// The note of a document with these rows of objects.
    pub(crate) fn of(found: &[String]) -> Self {
        Self { found: format!("[{}]", found.join(",")) }
    }
}

impl Annotation for ContaminationNote {
    const COLUMNS: &'static [NewColumn] =
        &[NewColumn { name: "nearprint_contamination", kind: NewColumnKind::Text }];
    const OTHERS: &'static [&'static [NewColumn]] = &[
        &[NewColumn { name: "nearprint_note_contamination", kind: NewColumnKind::Text }],
        &[NewColumn { name: "nearprint_note_2_contamination", kind: NewColumnKind::Text }],
    ];

    fn cells(&self) -> Vec<NewCell<'_>> {
        vec![NewCell::Text(self.found.as_str().into())]
    }

    fn json(&self) -> String {
        format!("{{\"contamination\":{}}}", self.found)
    }

    fn is_own(value: &RawValue) -> bool {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "only whether a value has this field")]
        struct Noted {
            contamination: Vec<IgnoredAny>,
        }
        serde_json::from_str::<Noted>(value.get()).is_ok()
    }
}
