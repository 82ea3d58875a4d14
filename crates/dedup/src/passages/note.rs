//! What repeats in a document, as it is written beside it.

use crate::error::Error;
use crate::passages::cutting::CutOf;
use crate::write::annotation::Annotation;
use nearprint_corpus::{NewCell, NewColumn, NewColumnKind};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use std::fmt::Write as _;

/// The passages of a document that are copies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PassagesNote {
    /// `[[start,end,copies],…]`.
    passages: String,
}

impl PassagesNote {
    /// The note of a document with these cuts.
    #[expect(clippy::unnecessary_wraps, reason = "notes of other jobs can fail")]
    pub(crate) fn of_entries(cuts: &[[u64; 4]]) -> Result<Self, Error> {
        let mut passages = String::from("[");
        for entry in cuts {
            let CutOf { from, until, copies, .. } = CutOf::of_entry(*entry);
            let comma = if passages.len() > 1 { "," } else { "" };
            // Writing to a string cannot fail.
            let _written = write!(passages, "{comma}[{from},{until},{copies}]");
        }
        passages.push(']');
        Ok(Self { passages })
    }
}

impl Annotation for PassagesNote {
    const COLUMNS: &'static [NewColumn] =
        &[NewColumn { name: "nearprint_passages", kind: NewColumnKind::Text }];
    const OTHERS: &'static [&'static [NewColumn]] = &[
        &[NewColumn { name: "nearprint_note_passages", kind: NewColumnKind::Text }],
        &[NewColumn { name: "nearprint_note_2_passages", kind: NewColumnKind::Text }],
    ];

    fn cells(&self) -> Vec<NewCell<'_>> {
        vec![NewCell::Text(self.passages.as_str().into())]
    }

    fn json(&self) -> String {
        format!("{{\"passages\":{}}}", self.passages)
    }

    fn is_own(value: &RawValue) -> bool {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "only whether a value has this field")]
        struct Noted {
            passages: Vec<IgnoredAny>,
        }
        serde_json::from_str::<Noted>(value.get()).is_ok()
    }
}
