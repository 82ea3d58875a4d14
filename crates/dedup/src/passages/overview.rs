//! What a page shows of a job over passages, beside its figures.

use crate::error::Error;
use crate::passages::cut::Cut;
use crate::passages::lending::Passages;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Passages, documents and files that are shown.
const SHOWN: usize = 20;
/// Bytes of a text that are shown of what is left between two cuts, of a cut, and of a passage.
const LEFT: usize = 400;
const CUT: usize = 1000;
/// Cuts of a document that are shown.
const CUTS: usize = 8;

/// What a page shows of a job over passages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PassagesOverview {
    /// What was cut of each file that is written, in their order.
    pub sources: Vec<SourceCuts>,
    /// The passages that stand most often.
    pub most: Vec<RepeatedPassage>,
    /// The documents that most was cut out of.
    pub documents: Vec<CutDocument>,
}

/// What was cut of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceCuts {
    /// The file.
    pub name: String,
    /// Tokens of its documents, and of these the ones that were cut.
    pub tokens: u64,
    /// See above.
    pub cut: u64,
}

/// A passage that repeats.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RepeatedPassage {
    /// Its text where it stands first, or the beginning of that.
    pub text: String,
    /// Its tokens.
    pub tokens: u64,
    /// How often it stands, in how many documents, of how many sources.
    pub copies: u64,
    /// See above.
    pub documents: u64,
    /// See above.
    pub sources: u64,
}

/// A document that something was cut out of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutDocument {
    /// Its id.
    pub id: String,
    /// Its tokens, and of these the ones that were cut.
    pub tokens: u64,
    /// See above.
    pub cut: u64,
    /// Its first parts, each with whether it was cut; what is long is shortened.
    pub parts: Vec<(bool, String)>,
}

impl RepeatedPassage {
    /// Those that stand most often.
    pub(crate) fn most(passages: &Passages) -> Result<Vec<Self>, Error> {
        let mut most = Vec::new();
        passages.each(&mut |row| {
            if most.len() < SHOWN
                && let Ok(passage) = serde_json::from_slice::<Self>(row)
            {
                let text = shortened(&passage.text, CUT);
                most.push(Self { text, ..passage });
            }
            Ok(most.len() < SHOWN)
        })?;
        Ok(most)
    }
}

impl CutDocument {
    /// A document as it is shown.
    pub(crate) fn of(id: &str, text: &str, cuts: &[Cut], tokens: u64, cut: u64) -> Self {
        let (mut parts, mut at) = (Vec::new(), 0);
        for Cut { bytes, .. } in cuts.iter().take(CUTS) {
            parts.push((false, shortened(text.get(at..bytes.start).unwrap_or_default(), LEFT)));
            parts.push((true, shortened(text.get(bytes.clone()).unwrap_or_default(), CUT)));
            at = bytes.end;
        }
        parts.push((false, shortened(text.get(at..).unwrap_or_default(), LEFT)));
        parts.retain(|(_, part)| !part.is_empty());
        let id = serde_json::from_str(id).unwrap_or_else(|_| id.to_owned());
        Self { id, tokens, cut, parts }
    }

    /// Keeps of some documents those that most was cut out of, the earlier of equal ones.
    pub(crate) fn keep_most(documents: &mut Vec<Self>) {
        documents.sort_by_key(|document| Reverse(document.cut));
        documents.truncate(SHOWN);
    }

    /// Whether one that lost so many tokens is among the most of these.
    pub(crate) fn is_wanted(documents: &[Self], cut: u64) -> bool {
        documents.len() < SHOWN || documents.iter().any(|document| document.cut < cut)
    }
}

/// A text without its middle, where that makes it no longer than so many bytes.
fn shortened(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let is_border = |at: &usize| text.is_char_boundary(*at);
    let start = (0..=most / 2).rev().find(is_border).unwrap_or(0);
    let end = (text.len() - most / 2..text.len()).find(is_border).unwrap_or(text.len());
    format!("{} … {}", text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passages::cut::Joint;

    #[test]
    fn a_document_is_shown_part_by_part() {
        let text = format!("one two {} three", "é".repeat(3000));
        let cut = Cut { bytes: 8..6008, joint: Joint::Nothing, copies: 2 };
        let shown = CutDocument::of("\"a\"", &text, &[cut], 4, 1);
        assert_eq!((shown.id.as_str(), shown.parts.len()), ("a", 3));
        assert_eq!(shown.parts[0], (false, "one two ".to_owned()));
        assert!(shown.parts[1].0 && shown.parts[1].1.contains("é … é"));
        let mut all: Vec<_> = (0..50).map(|cut| CutDocument { cut, ..shown.clone() }).collect();
        CutDocument::keep_most(&mut all);
        assert_eq!((all.len(), all[0].cut), (SHOWN, 49));
        assert!(CutDocument::is_wanted(&all, 40) && !CutDocument::is_wanted(&all, 30));
    }
}
