//! What of the text that repeats goes: the rule of a job.

use crate::error::Error;
use crate::passages::unit::PassageUnit;
use nearprint_fingerprint::Digits;
use nearprint_rules::KeepRule;

/// What repeats, and what of it goes.
///
/// A *window* is `length` units one after the other. Windows are equal where their tokens are. All but the first of
/// equal windows are *copies*, and the units of copies go; where a document repeats itself without a break, its first
/// occurrence stays whole.
///
/// # Examples
/// ```
/// use nearprint_dedup::{PassageRule, PassageUnit};
///
/// let rule = PassageRule { unit: PassageUnit::Sentence, ..PassageRule::default() };
/// assert_eq!(rule.length()?, 3);
/// assert!(PassageRule { length: Some(1), ..PassageRule::default() }.length().is_err());
/// # Ok::<(), nearprint_dedup::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassageRule {
    /// What a window counts.
    pub unit: PassageUnit,
    /// Units of a window; by default as many as [suit them](PassageUnit::usual_length).
    pub length: Option<u32>,
    /// Which of equal windows is the first: that of the document which the rule prefers. With
    /// [`KeepRule::Nothing`] all go.
    pub keep: KeepRule,
    /// Whether a window goes that has no equal one but in its own document.
    pub inside: bool,
    /// Only windows go that are in at least so many documents.
    pub copies: u32,
    /// What digits are.
    pub digits: Digits,
    /// Units go that are near-duplicates, as [`JobSpec`](crate::JobSpec) finds them among documents: those of at least
    /// this similarity, in place of equal windows. For lines and paragraphs.
    pub similarity: Option<f64>,
}

impl Default for PassageRule {
    fn default() -> Self {
        Self {
            unit: PassageUnit::Token,
            length: None,
            keep: KeepRule::First,
            inside: true,
            copies: 1,
            digits: Digits::Keep,
            similarity: None,
        }
    }
}

impl PassageRule {
    /// Refuses what makes no sense.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let length = self.length()?;
        if self.keep == KeepRule::Central {
            return Err(Error::CentralOfPassages);
        }
        if self.similarity.is_none() {
            return Ok(());
        }
        let single = matches!(self.unit, PassageUnit::Line | PassageUnit::Paragraph) && length == 1;
        let problem = match self {
            _ if !single => {
                "compares single lines or paragraphs; add --unit line or --unit paragraph, without --length"
            }
            Self { inside: false, .. } => {
                "finds what repeats inside a document too; leave out --inside keep"
            }
            Self { copies: 2.., .. } => {
                "cannot count the documents that contain a unit; leave out --copies"
            }
            Self { digits: Digits::One, .. } => {
                "compares the features of the recipe, which has digits as they are; leave out --digits one"
            }
            _ => return Ok(()),
        };
        Err(Error::NearPassages { problem })
    }

    /// What becomes of what repeats within one document, as the command line names it.
    pub(crate) const fn inside_name(&self) -> &'static str {
        if self.inside { "cut" } else { "keep" }
    }

    /// What digits are, as the command line names it.
    pub(crate) const fn digits_name(&self) -> &'static str {
        match self.digits {
            Digits::Keep => "keep",
            Digits::One => "one",
        }
    }

    /// Units of a window.
    ///
    /// # Errors
    /// [`Error::PassageLength`] for one token, none, or more than [`PassageUnit::MOST`] units.
    pub fn length(&self) -> Result<u32, Error> {
        let (unit, length) = (self.unit, self.length.unwrap_or(self.unit.usual_length()));
        if (unit.least_length()..=PassageUnit::MOST).contains(&length) {
            return Ok(length);
        }
        let (unit, least) = (unit.name(), unit.least_length());
        Err(Error::PassageLength { length, unit, least, most: PassageUnit::MOST })
    }
}
