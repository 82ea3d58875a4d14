//! What a window counts: tokens, lines, sentences or paragraphs. Cutting a text into them is `units`'.

use nearprint_fingerprint::Unit;
use std::str::FromStr;

/// What a window counts.
///
/// # Examples
/// ```
/// use nearprint_dedup::PassageUnit;
///
/// assert_eq!("sentence".parse(), Ok(PassageUnit::Sentence));
/// assert_eq!((PassageUnit::Token.usual_length(), PassageUnit::Line.usual_length()), (50, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PassageUnit {
    /// Tokens of the recipe.
    #[default]
    Token,
    /// [Lines](Unit::Line) that have a token.
    Line,
    /// [Sentences](Unit::Sentence) that have one; a sentence ends with its line at the latest.
    Sentence,
    /// [Paragraphs](Unit::Paragraph) that have one.
    Paragraph,
}

impl PassageUnit {
    const ALL: [Self; 4] = [Self::Token, Self::Line, Self::Sentence, Self::Paragraph];

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Line => "line",
            Self::Sentence => "sentence",
            Self::Paragraph => "paragraph",
        }
    }

    /// What of a text it is, where that is more than a token.
    #[must_use]
    pub const fn of_text(self) -> Option<Unit> {
        match self {
            Self::Token => None,
            Self::Line => Some(Unit::Line),
            Self::Sentence => Some(Unit::Sentence),
            Self::Paragraph => Some(Unit::Paragraph),
        }
    }

    /// How many of them a window has where nobody says it.
    #[must_use]
    pub const fn usual_length(self) -> u32 {
        match self {
            Self::Token => 50,
            Self::Sentence => 3,
            Self::Line | Self::Paragraph => 1,
        }
    }

    /// The fewest that a window may have: a token alone is no passage.
    #[must_use]
    pub const fn least_length(self) -> u32 {
        match self {
            Self::Token => 2,
            _ => 1,
        }
    }

    /// The most that a window may have.
    pub const MOST: u32 = 10_000;
}

impl FromStr for PassageUnit {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|unit| unit.name() == name);
        found.ok_or_else(|| "use token, line, sentence or paragraph".to_owned())
    }
}
