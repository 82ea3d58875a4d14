//! Case: which letters a recipe holds to be the same. One character to one character, so that text
//! may be mapped piece by piece; normalisation forms are in [`crate::text::normalize`].

use icu_casemap::{CaseMapper, CaseMapperBorrowed};
use serde::{Deserialize, Serialize};

const MAPPER: CaseMapperBorrowed<'static> = CaseMapper::new();

/// How letters are mapped before features are formed.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Case, Recipe};
///
/// let recipe = Recipe { case: Case::Keep, ..Recipe::named("words")? };
/// let mut fingerprinter = recipe.fingerprinter::<1>()?;
/// assert_ne!(fingerprinter.fingerprint("ONE TWO THREE"), fingerprinter.fingerprint("one two three"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Case {
    /// Letters stay as they are.
    Keep,
    /// Simple lower case (Unicode Character Database, field 13): no context, no locale.
    #[default]
    Lower,
    /// Simple case folding (`CaseFolding.txt`, status C and S): final sigma equals sigma.
    Fold,
}

impl Case {
    /// Appends `text` to `out`, each character mapped.
    pub(crate) fn map_into(self, text: &str, out: &mut String) {
        match self {
            Self::Keep => out.push_str(text),
            Self::Lower | Self::Fold if text.is_ascii() => {
                let start = out.len();
                out.push_str(text);
                if let Some(copy) = out.get_mut(start..) {
                    copy.make_ascii_lowercase();
                }
            }
            Self::Lower | Self::Fold => out.extend(text.chars().map(|c| self.map(c))),
        }
    }

    /// A character mapped.
    pub(crate) fn map(self, c: char) -> char {
        match self {
            Self::Keep => c,
            Self::Lower => MAPPER.simple_lowercase(c),
            Self::Fold => MAPPER.simple_fold(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapped(case: Case, text: &str) -> String {
        let mut out = String::from("<");
        case.map_into(text, &mut out);
        out
    }

    #[test]
    fn lower_is_context_free_and_fold_joins_the_sigmas() {
        assert_eq!(mapped(Case::Lower, "ΟΔΟΣ İSTANBUL"), "<οδοσ istanbul");
        assert_eq!(mapped(Case::Lower, "ὁδός"), "<ὁδός");
        assert_eq!(mapped(Case::Fold, "ὁδός"), "<ὁδόσ");
        assert_eq!(mapped(Case::Keep, "AbC"), "<AbC");
    }
}
