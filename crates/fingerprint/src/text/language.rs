//! Languages of documents: their names, and which language a recipe uses. What depends on the language is in
//! [`crate::text::stop_words`], [`crate::text::stem`] and `crate::text::mixed`.

use crate::error::LanguageError;
#[cfg(feature = "languages")]
use crate::text::pieces::first;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

#[cfg(feature = "languages")]
/// Bytes of a text that its language is told from.
const SAMPLE: usize = 1000;

/// ISO 639-1 and 639-3 codes of the languages that are told apart or have a list of stop words.
const CODES: [(&str, &str); 86] = [
    ("af", "afr"),
    ("ak", "aka"),
    ("am", "amh"),
    ("ar", "ara"),
    ("az", "aze"),
    ("be", "bel"),
    ("bg", "bul"),
    ("bn", "ben"),
    ("br", "bre"),
    ("ca", "cat"),
    ("cs", "ces"),
    ("cy", "cym"),
    ("da", "dan"),
    ("de", "deu"),
    ("el", "ell"),
    ("en", "eng"),
    ("eo", "epo"),
    ("es", "spa"),
    ("et", "est"),
    ("eu", "eus"),
    ("fa", "pes"),
    ("fi", "fin"),
    ("fr", "fra"),
    ("ga", "gle"),
    ("gl", "glg"),
    ("gu", "guj"),
    ("ha", "hau"),
    ("he", "heb"),
    ("hi", "hin"),
    ("hr", "hrv"),
    ("hu", "hun"),
    ("hy", "hye"),
    ("id", "ind"),
    ("it", "ita"),
    ("ja", "jpn"),
    ("jv", "jav"),
    ("ka", "kat"),
    ("km", "khm"),
    ("kn", "kan"),
    ("ko", "kor"),
    ("ku", "kur"),
    ("la", "lat"),
    ("lt", "lit"),
    ("lv", "lav"),
    ("mk", "mkd"),
    ("ml", "mal"),
    ("mr", "mar"),
    ("ms", "msa"),
    ("my", "mya"),
    ("ne", "nep"),
    ("nl", "nld"),
    ("no", "nob"),
    ("or", "ori"),
    ("pa", "pan"),
    ("pl", "pol"),
    ("pt", "por"),
    ("ro", "ron"),
    ("ru", "rus"),
    ("si", "sin"),
    ("sk", "slk"),
    ("sl", "slv"),
    ("sn", "sna"),
    ("so", "som"),
    ("sr", "srp"),
    ("st", "sot"),
    ("sv", "swe"),
    ("sw", "swa"),
    ("ta", "tam"),
    ("te", "tel"),
    ("th", "tha"),
    ("tk", "tuk"),
    ("tl", "tgl"),
    ("tr", "tur"),
    ("uk", "ukr"),
    ("ur", "urd"),
    ("uz", "uzb"),
    ("vi", "vie"),
    ("yi", "yid"),
    ("yo", "yor"),
    ("zh", "cmn"),
    ("zu", "zul"),
    ("lo", "lao"),
    ("is", "isl"),
    ("mn", "mon"),
    ("kk", "kaz"),
    ("sq", "sqi"),
];

/// A language, known by its ISO 639-1 code.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Language;
///
/// let english = Language::from_tag("en-GB").unwrap();
/// assert_eq!(english.code(), "en");
/// assert_eq!(Language::from_tag("eng"), Some(english));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Language(&'static str);

impl Language {
    /// Japanese, which [`crate::text::mixed`] asks for.
    pub(crate) const JAPANESE: Self = Self("ja");

    /// The ISO 639-1 code: two letters.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.0
    }

    /// The language that a tag names: `en`, `eng`, `en-US` and `EN_us` are all English. `None` for
    /// one that is not known here.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Self> {
        let code = tag.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        let known = CODES.iter().find(|(two, three)| *two == code || *three == code);
        known.map(|(two, _)| Self(two))
    }

    /// Every language that is known here, by its code.
    pub fn all() -> impl Iterator<Item = Self> {
        CODES.iter().map(|(code, _)| Self(code))
    }

    /// The language that a text seems to be in, told from its first thousand bytes; `None` where it is
    /// not clear, and without the feature `languages`.
    ///
    /// # References
    /// Trigram statistics by script, as in the crate `whatlang`.
    #[must_use]
    pub fn detect(text: &str) -> Option<Self> {
        #[cfg(feature = "languages")]
        {
            let found = whatlang::detect_lang(first(text, SAMPLE))?.code();
            CODES.iter().find(|(_, three)| *three == found).map(|(two, _)| Self(two))
        }
        #[cfg(not(feature = "languages"))]
        {
            let _ = text;
            None
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Which language a recipe uses, if anything in the recipe depends on a language.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Language, LanguageRule};
///
/// let rule: LanguageRule = "sv".parse()?;
/// assert_eq!(rule, LanguageRule::Of(Language::from_tag("sv").unwrap()));
/// assert!("klingon".parse::<LanguageRule>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum LanguageRule {
    /// None: nothing depends on it.
    #[default]
    None,
    /// Each document's own: the one that comes with it, else the one it seems to be in.
    Auto,
    /// This one, for every document.
    Of(Language),
}

impl LanguageRule {
    /// The language of a document that comes with `given`.
    #[must_use]
    pub fn language(self, given: Option<Language>, text: &str) -> Option<Language> {
        match self {
            Self::None => None,
            Self::Auto => given.or_else(|| Language::detect(text)),
            Self::Of(language) => Some(language),
        }
    }
}

impl FromStr for LanguageRule {
    type Err = LanguageError;

    fn from_str(text: &str) -> Result<Self, LanguageError> {
        match text {
            "none" => Ok(Self::None),
            "auto" => Ok(Self::Auto),
            code => Language::from_tag(code)
                .map(Self::Of)
                .ok_or_else(|| LanguageError { found: code.to_owned() }),
        }
    }
}

impl TryFrom<String> for LanguageRule {
    type Error = LanguageError;

    fn try_from(text: String) -> Result<Self, LanguageError> {
        text.parse()
    }
}

impl From<LanguageRule> for String {
    fn from(rule: LanguageRule) -> Self {
        match rule {
            LanguageRule::None => "none".to_owned(),
            LanguageRule::Auto => "auto".to_owned(),
            LanguageRule::Of(language) => language.code().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_every_common_form_are_read() {
        for tag in ["en", "eng", "en-US", " EN_us "] {
            assert_eq!(Language::from_tag(tag).unwrap().code(), "en");
        }
        assert_eq!(Language::from_tag("tlh"), None);
    }

    #[cfg(feature = "languages")]
    #[test]
    fn languages_are_told_from_a_sample() {
        let code = |text| Language::detect(text).map(Language::code);
        assert_eq!(code("The council approved the new budget after a long debate."), Some("en"));
        assert_eq!(
            code("Der Stadtrat hat den neuen Haushalt nach langer Debatte genehmigt."),
            Some("de")
        );
        assert_eq!(code("市议会在长时间辩论后批准了新的预算。"), Some("zh"));
        assert_eq!(code("市議会は長い議論の末に新しい予算を承認しました。"), Some("ja"));
        assert_eq!(code("... 123 ..."), None);
        let long = "é".repeat(2000);
        assert!(LanguageRule::Auto.language(Language::from_tag("fr"), &long).is_some());
    }

    #[test]
    fn rules_are_read_and_written() {
        for text in ["none", "auto", "zh"] {
            assert_eq!(String::from(text.parse::<LanguageRule>().unwrap()), text);
        }
        assert!("klingon".parse::<LanguageRule>().unwrap_err().to_string().contains("klingon"));
    }
}
