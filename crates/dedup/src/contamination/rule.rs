//! When a document holds an item, and what is only told: every threshold, each in this one place.

use crate::error::Error;
use serde::Deserialize;
use std::str::FromStr;

/// Tokens of a run by which places are found: four words stand together by chance so rarely that few places are
/// looked at, and an item of which every fifth word was changed still has some.
pub(crate) const RUN: usize = 4;
/// Tokens of the runs by which a text of few tokens is found too: every fifth word of it changed leaves few runs of four.
pub(crate) const SHORT_RUN: usize = 3;
/// Tokens of a text that is found by these, at most.
pub(crate) const SHORT_TEXT: usize = 24;
/// A run in more places of the items begins no search: it is a template, and others of its item are rarer.
pub(crate) const PLACES: usize = 32;
/// Tokens of a text that are looked for; an alignment takes a byte for each of them and each token of the place.
pub(crate) const LONGEST: usize = 1024;
/// A question of fewer tokens is also looked for together with its choices.
pub(crate) const SHORT: usize = 12;
/// The part of the weight of a text that its runs have to cover where it is aligned: less comes of chance too often,
/// and most items of which a fifth of the words was changed have more.
pub(crate) const SEEDED: f32 = 0.15;
/// The part of the tokens of a place that are the item's, at least: letters and numbers strewn over code are none.
const DENSE: f32 = 0.4;
/// The share from which on fewer bits are asked.
const MOST: f32 = 0.75;
/// A share that is the whole text but for a word.
pub(crate) const WHOLE: f32 = 0.95;
/// Of the bits that are asked, the part that is enough of a whole text.
const BITS_OF_WHOLE: f32 = 2.0 / 3.0;
/// Tokens of a run that are a part of an item, where they have enough bits: what n-gram rules of thirteen words look for.
pub(crate) const PART_RUN: usize = 13;
/// The share that is a part of an item, where it has enough bits.
pub(crate) const PART_SHARE: f32 = 0.35;
/// Bits of a part: fewer than a whole item needs, as nothing is removed for one.
pub(crate) const PART_BITS: f32 = 28.0;
/// Bits that a run has to have for each token that parts it from the rest of its item to go with it, up to those of a part:
/// usual words of what is missing have partners in any text. In a small sample no word is usual, so one has so many at most.
pub(crate) const PARTED_BITS: f32 = 2.0;
pub(crate) const WORD_BITS: f32 = 4.0;
/// Of an item that stands in more documents, and in more of them than this part, the text is common.
const COMMON: u64 = 20;
const COMMON_PART: f64 = 0.0001;
/// A number or a single letter counts this part of its weight as evidence.
pub(crate) const WEAK: f32 = 0.5;
/// Tokens behind a question within which its choices and answers count, beside three times their own.
pub(crate) const REACH: usize = 60;
/// Tokens that may stand before an answer that belongs to what is before it: letters, or such as `the correct answer is`;
/// other words, such as `choose one of these`, before one of so many bits, which hardly stands there by chance.
pub(crate) const BETWEEN: usize = 12;
pub(crate) const RARE: f32 = 12.0;
/// Tokens of answers that are missing, such as those in which a word was changed, that may stand before the letter of such a
/// one too, at most.
pub(crate) const MISSING: usize = 40;

/// When a document is contaminated.
///
/// # Examples
/// ```
/// use nearprint_dedup::ContaminationRule;
///
/// let rule = ContaminationRule { share: 0.8, ..ContaminationRule::default() };
/// assert_eq!(rule.bits, 30.0);
/// assert!(rule.common && rule.share > ContaminationRule::default().share);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContaminationRule {
    /// The share of an item that stands in order at a place: of its weight, and of its tokens.
    pub share: f64,
    /// The bits of evidence; fewer from a share of 0.75 on, down to two thirds of them where the item stands there as a
    /// whole.
    pub bits: f64,
    /// What becomes of items that cannot reach so many bits.
    pub short: Short,
    /// Whether documents go that have text which stands in very many.
    pub common: bool,
}

/// What becomes of items so short or usual that no match proves anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Short {
    /// A document that has one as a whole is told, and stays.
    #[default]
    Report,
    /// It is contaminated.
    Flag,
    /// Nobody looks for them.
    Skip,
}

impl Short {
    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Flag => "flag",
            Self::Skip => "skip",
        }
    }
}

impl FromStr for Short {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let all = [Self::Report, Self::Flag, Self::Skip];
        let found = all.into_iter().find(|short| short.name() == name);
        found.ok_or_else(|| "use flag, report or skip".to_owned())
    }
}

/// What is said of a place in a document, or of an item: the later, the more it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing of the item was found.
    Clean,
    /// The item is too short or too common for any match to prove something.
    Undecidable,
    /// The context of the item stands there, and not its question.
    Context,
    /// A part of the item stands there.
    Partial,
    /// The item stands there, and in very many other documents.
    Common,
    /// The item stands there, however short it is, and the document is of a file of the eval sets itself.
    EvalFile,
    /// The item stands there.
    Contaminated,
}

impl Verdict {
    const ALL: [Self; 7] = [
        Self::Clean,
        Self::Undecidable,
        Self::Context,
        Self::Partial,
        Self::Common,
        Self::EvalFile,
        Self::Contaminated,
    ];

    /// Its name in rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Undecidable => "undecidable",
            Self::Context => "context",
            Self::Partial => "partial",
            Self::Common => "common",
            Self::EvalFile => "eval-file",
            Self::Contaminated => "contaminated",
        }
    }

    /// Its place among all.
    pub(crate) const fn number(self) -> u32 {
        self as u32
    }

    /// The verdict of that place.
    pub(crate) fn of_number(number: u32) -> Self {
        Self::ALL.get(number as usize).copied().unwrap_or(Self::Clean)
    }
}

/// What was found of a text at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Evidence {
    /// The share of its weight.
    pub(crate) share: f32,
    /// The bits that stand there.
    pub(crate) bits: f32,
    /// The share of its tokens, of which numbers and single letters count half: a rare name may be most of the weight
    /// of a few words.
    pub(crate) covered: f32,
    /// The part of the tokens of the place that are the item's.
    pub(crate) dense: f32,
    /// Tokens of the longest run, and its bits.
    pub(crate) run: usize,
    pub(crate) run_bits: f32,
}

impl Evidence {
    /// The share of its weight or of its tokens, whichever is less.
    fn least_share(&self) -> f32 {
        self.share.min(self.covered)
    }
}

impl Default for ContaminationRule {
    fn default() -> Self {
        Self { share: 0.55, bits: 30.0, short: Short::Report, common: true }
    }
}

impl ContaminationRule {
    /// Whether what has this verdict goes.
    #[must_use]
    pub const fn removes(&self, verdict: Verdict) -> bool {
        match verdict {
            Verdict::Contaminated | Verdict::EvalFile => true,
            Verdict::Common => self.common,
            Verdict::Clean | Verdict::Undecidable | Verdict::Context | Verdict::Partial => false,
        }
    }

    /// Refuses what makes no sense.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if !(self.share > 0.0 && self.share <= 1.0) {
            return Err(Error::Contamination {
                problem: format!("a share of {} is not above 0 and at most 1", self.share),
            });
        }
        if !(self.bits > 0.0 && self.bits.is_finite()) {
            return Err(Error::Contamination {
                problem: format!("{} bits are not above 0", self.bits),
            });
        }
        Ok(())
    }

    /// The bits that are asked where such a share stands there.
    fn bits_of(&self, share: f32) -> f32 {
        let fallen = ((share - MOST) / (WHOLE - MOST)).clamp(0.0, 1.0);
        single(self.bits) * (1.0 - fallen * (1.0 - BITS_OF_WHOLE))
    }

    /// Bits that are enough of a whole text: an item that has fewer cannot be decided.
    pub(crate) fn least_bits(&self) -> f32 {
        self.bits_of(1.0)
    }

    /// Whether a text stands at a place, whatever that proves.
    pub(crate) fn stands(&self, found: &Evidence) -> bool {
        found.dense >= DENSE && found.least_share() >= single(self.share)
    }

    /// Whether it stands there as a whole: a rare name may be nearly all of the weight of a few words.
    pub(crate) fn is_whole(found: &Evidence) -> bool {
        found.dense >= DENSE && Self::is_all(found.share) && found.covered >= MOST
    }

    /// Whether a share is all but for a word.
    pub(crate) fn is_all(share: f32) -> bool {
        share >= WHOLE
    }

    /// Whether the place has the text, with so many bits of other evidence near it.
    pub(crate) fn holds(&self, found: &Evidence, more: f32) -> bool {
        self.stands(found) && found.bits + more >= self.bits_of(found.share)
    }

    /// Whether the place has a part of it.
    pub(crate) fn holds_part(found: &Evidence) -> bool {
        let is_strewn = found.dense < DENSE || found.least_share() < PART_SHARE;
        found.run >= PART_RUN && found.run_bits >= PART_BITS
            || !is_strewn && found.bits >= PART_BITS
    }

    /// Whether text is common that stands in so many of all documents.
    pub(crate) fn is_common(documents: u64, all: u64) -> bool {
        documents > COMMON && double(documents) > COMMON_PART * double(all)
    }
}

/// A number as one of single precision.
#[expect(clippy::cast_possible_truncation, reason = "a share or a weight")]
pub(crate) const fn single(number: f64) -> f32 {
    number as f32
}

/// A count as a number with a fraction.
#[expect(clippy::cast_precision_loss, reason = "a count that is compared with a share")]
pub(crate) const fn double(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(share: f32, bits: f32, dense: f32) -> Evidence {
        Evidence { share, bits, covered: 1.0, dense, run: 0, run_bits: 0.0 }
    }

    #[test]
    fn a_share_of_weight_and_tokens_is_asked_and_fewer_bits_of_more() {
        let rule = ContaminationRule::default();
        assert!(rule.holds(&found(0.551, 30.0, 1.0), 0.0));
        assert!(!rule.holds(&found(0.549, 90.0, 1.0), 0.0));
        let of_a_name = Evidence { covered: 0.54, ..found(0.9, 90.0, 1.0) };
        assert!(!rule.holds(&of_a_name, 0.0));
        assert!(!rule.holds(&Evidence { share: 0.99, ..of_a_name }, 0.0));
        let whole = Evidence { covered: 0.75, ..found(0.95, 90.0, 0.4) };
        assert!(ContaminationRule::is_whole(&whole));
        assert!(!ContaminationRule::is_whole(&Evidence { covered: 0.74, ..whole }));
        for (share, bits) in [(0.6, 30.0), (0.75, 30.0), (0.85, 25.0), (0.9, 22.5), (1.0, 20.0)] {
            assert!((rule.bits_of(share) - bits).abs() < 1e-4, "{share}");
            assert!(!rule.holds(&found(share, bits - 0.01, 1.0), 0.0), "{share}");
            assert!(rule.holds(&found(share, bits - 9.99, 1.0), 10.0), "{share}");
        }
        assert!(rule.holds(&found(0.95, 20.0, 1.0), 0.0));
        assert!(!rule.holds(&found(0.95, 19.0, 1.0), 0.0));
        assert!(!rule.holds(&found(1.0, 99.0, 0.39), 0.0));
    }

    #[test]
    fn parts_are_runs_or_shares_with_bits() {
        assert!(ContaminationRule::holds_part(&found(0.35, 28.0, 0.4)));
        assert!(!ContaminationRule::holds_part(&found(0.35, 27.9, 0.4)));
        let of_a_name = Evidence { covered: 0.34, ..found(0.9, 90.0, 1.0) };
        assert!(!ContaminationRule::holds_part(&of_a_name));
        let run = |run, run_bits| Evidence { run, run_bits, ..found(0.1, 45.0, 1.0) };
        assert!(ContaminationRule::holds_part(&run(13, 28.0)));
        assert!(!ContaminationRule::holds_part(&run(12, 90.0)));
        assert!(!ContaminationRule::holds_part(&run(13, 27.9)));
    }

    #[test]
    fn verdicts_come_back_from_their_numbers() {
        for verdict in Verdict::ALL {
            assert_eq!(Verdict::of_number(verdict.number()), verdict);
        }
        assert!(ContaminationRule::is_common(21, 100_000));
        assert!(!ContaminationRule::is_common(20, 100));
        assert!(!ContaminationRule::is_common(21, 210_001));
    }
}
