//! The canonical form of a recipe, written by hand so that no library decides its bytes, and what
//! follows from it: the TOML form, the id, and how two recipes differ.

use crate::ids::RecipeId;
use crate::recipes::recipe::Recipe;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use xxhash_rust::xxh3::xxh3_128;

/// The keys that have no part in the id.
const NOT_OF_ID: [&str; 2] = ["name", "description"];
/// The keys that do not decide which features a text has.
const NOT_OF_FEATURES: [&str; 12] = [
    "name",
    "description",
    "weights",
    "statistics",
    "idf-file",
    "unlisted-idf",
    "top",
    "min-features",
    "degenerate",
    "width",
    "sign",
    "bit-order",
];

impl Recipe {
    /// The recipe as TOML that [`Self::from_toml`] reads back.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Recipe;
    ///
    /// let text = Recipe::named("text")?;
    /// assert_eq!(Recipe::from_toml(&text.to_toml())?, text);
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn to_toml(&self) -> String {
        self.lines_without(&[])
    }

    /// The id: XXH3-128 of the recipe's TOML form without `name` and `description`.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Recipe, Width};
    ///
    /// let text = Recipe::named("text")?;
    /// let renamed = Recipe { name: "mine".to_owned(), ..text.clone() };
    /// assert_eq!(renamed.id(), text.id());
    /// assert_ne!(text.with_width(Width::W256).id(), text.id());
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn id(&self) -> RecipeId {
        xxh3_128(self.lines_without(&NOT_OF_ID).as_bytes()).into()
    }

    /// How `other` differs, one sentence a key; empty where both give the same bits.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Recipe, Width};
    ///
    /// let text = Recipe::named("text")?;
    /// assert_eq!(text.differences(&text.with_width(Width::W128)), ["width = 64 here, 128 there"]);
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<String> {
        self.differences_between(other, ["here", "there"])
    }

    /// The same, with what this recipe and `other` are called behind their values.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Recipe, Width};
    ///
    /// let (text, wide) = (Recipe::named("text")?, Recipe::named("text")?.with_width(Width::W128));
    /// let differences = text.differences_between(&wide, ["in the index", "in the queries"]);
    /// assert_eq!(differences, ["width = 64 in the index, 128 in the queries"]);
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn differences_between(&self, other: &Self, sides: [&str; 2]) -> Vec<String> {
        let [ours, theirs] = [self, other].map(|recipe| recipe.lines_without(&NOT_OF_ID));
        form_differences([&ours, &theirs], sides)
    }

    /// The keys that decide which features a text has, one `key = value` a line.
    pub(crate) fn feature_form(&self) -> String {
        self.lines_without(&NOT_OF_FEATURES)
    }

    /// How another [`Self::feature_form`], that of a file, differs, in the words of [`Self::differences`].
    pub(crate) fn feature_differences(&self, other: &str) -> Vec<String> {
        form_differences([&self.feature_form(), other], ["in the recipe", "in the file"])
    }

    /// One `key = value` a line, without the keys `left_out` and without values that are defaults.
    fn lines_without(&self, left_out: &[&str]) -> String {
        let kept = self.entries().into_iter().filter(|(key, _)| !left_out.contains(key));
        kept.filter_map(|(key, value)| Some(format!("{key} = {}\n", value?))).collect()
    }

    /// Every key with its value, in the order that ids depend on; `None` for a value that is left out.
    pub(crate) fn entries(&self) -> [(&'static str, Option<String>); 31] {
        // Every field is named, so that one added later cannot be forgotten here.
        let Self {
            name,
            description,
            version,
            content,
            normalize,
            case,
            accents,
            split,
            dictionary,
            user_dictionary,
            parts_of_speech,
            min_length,
            gram,
            language,
            stop_words,
            stop_list,
            stop_file,
            stem,
            phrases,
            shingle,
            weights,
            statistics,
            idf_file,
            unlisted_idf,
            top,
            min_features,
            degenerate,
            hash,
            width,
            sign,
            bit_order,
        } = self;
        let listed = |words: &Vec<String>| {
            (!words.is_empty()).then(|| list(words.iter().map(|word| string(word))))
        };
        [
            ("name", Some(string(name))),
            ("description", Some(string(description))),
            ("version", Some(bare(version))),
            ("content", unless_default(content, quoted)),
            ("normalize", Some(quoted(normalize))),
            ("case", Some(quoted(case))),
            ("accents", unless_default(accents, quoted)),
            ("split", Some(quoted(split))),
            ("dictionary", dictionary.as_ref().map(quoted)),
            ("user-dictionary", user_dictionary.as_ref().map(quoted)),
            ("parts-of-speech", listed(parts_of_speech)),
            ("min-length", unless_default(min_length, bare)),
            ("gram", Some(bare(gram)).filter(|_| *gram != 1)),
            ("language", unless_default(language, quoted)),
            ("stop-words", unless_default(stop_words, bare)),
            ("stop-list", listed(stop_list)),
            ("stop-file", stop_file.as_ref().map(quoted)),
            ("stem", unless_default(stem, bare)),
            ("phrases", unless_default(phrases, bare)),
            ("shingle", Some(bare(shingle))),
            ("weights", Some(quoted(weights))),
            ("statistics", statistics.as_ref().map(quoted)),
            ("idf-file", idf_file.as_ref().map(quoted)),
            ("unlisted-idf", unless_default(unlisted_idf, quoted)),
            ("top", unless_default(top, bare)),
            ("min-features", unless_default(min_features, bare)),
            ("degenerate", unless_default(degenerate, quoted)),
            ("hash", Some(quoted(hash))),
            ("width", Some(bare(width))),
            ("sign", Some(quoted(sign))),
            ("bit-order", Some(quoted(bit_order))),
        ]
    }
}

/// A value as serde names it: variants in kebab-case, numbers in digits.
struct Named<'a, T>(&'a T);

impl<T: Serialize> fmt::Display for Named<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.serialize(f)
    }
}

/// A number or a truth value.
fn bare<T: Serialize>(value: &T) -> String {
    Named(value).to_string()
}

/// A name or an id: it holds no character that would need an escape.
fn quoted<T: Serialize>(value: &T) -> String {
    format!("\"{}\"", Named(value))
}

fn unless_default<T: Default + PartialEq>(value: &T, form: fn(&T) -> String) -> Option<String> {
    (*value != T::default()).then(|| form(value))
}

fn list(values: impl Iterator<Item = String>) -> String {
    format!("[{}]", values.collect::<Vec<_>>().join(", "))
}

/// How TOML can write a string.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    /// `"`, with escapes.
    Basic,
    /// `'`, as it is.
    Literal,
    /// `"""`, with escapes.
    Lines,
    /// `'''`, as it is.
    LiteralLines,
}

/// A string in the first form of TOML that needs no escape.
///
/// Ids depend on the choice: basic, literal, basic on several lines, literal on several lines; where
/// each needs an escape, basic on several lines for a text with a line feed, else basic.
fn string(text: &str) -> String {
    let control = text.bytes().any(|byte| is_control(byte) && !matches!(byte, b'\t' | b'\n'));
    let (escape, lines) = (text.contains('\\'), text.contains('\n'));
    let (double, single) = (longest_run(text, b'"'), longest_run(text, b'\''));
    let quotes = if !control && !escape && !lines && double == 0 {
        Quotes::Basic
    } else if !control && !lines && single == 0 {
        Quotes::Literal
    } else if !control && !escape && double <= 2 {
        Quotes::Lines
    } else if !control && single <= 2 {
        Quotes::LiteralLines
    } else if lines {
        Quotes::Lines
    } else {
        Quotes::Basic
    };
    // TOML drops a line feed that follows the opening quotes of a form on several lines.
    let start = if lines { "\n" } else { "" };
    match quotes {
        Quotes::Basic => format!("\"{}\"", escaped(text, false)),
        Quotes::Literal => format!("'{text}'"),
        Quotes::Lines => format!("\"\"\"{start}{}\"\"\"", escaped(text, true)),
        Quotes::LiteralLines => format!("'''{start}{text}'''"),
    }
}

fn is_control(byte: u8) -> bool {
    byte <= 0x1f || byte == 0x7f
}

/// The length of the longest run of `of`.
fn longest_run(text: &str, of: u8) -> usize {
    text.as_bytes().split(|byte| *byte != of).map(<[u8]>::len).max().unwrap_or(0)
}

/// The text with the escapes of a basic string; on several `lines`, line feeds and up to two double
/// quotes in a row stay as they are.
fn escaped(text: &str, lines: bool) -> String {
    let (most_quotes, mut quotes) = (if lines { 2 } else { 0 }, 0);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        quotes = if c == '"' { quotes + 1 } else { 0 };
        let escape = match c {
            '"' if quotes > most_quotes => "\\\"",
            '\n' if !lines => "\\n",
            '\u{8}' => "\\b",
            '\t' => "\\t",
            '\u{c}' => "\\f",
            '\r' => "\\r",
            '\\' => "\\\\",
            '\n' => "\n",
            '\0'..='\u{1f}' | '\u{7f}' => {
                out.push_str(&format!("\\u{:04X}", u32::from(c)));
                continue;
            }
            c => {
                out.push(c);
                continue;
            }
        };
        quotes = if c == '"' { 0 } else { quotes };
        out.push_str(escape);
    }
    out
}

/// How two forms of `key = value` lines differ, by key, with what each is called.
fn form_differences([ours, theirs]: [&str; 2], [our_side, their_side]: [&str; 2]) -> Vec<String> {
    let keys =
        |text| -> BTreeMap<_, _> { str::lines(text).filter_map(|l| l.split_once(" = ")).collect() };
    let (ours, theirs) = (keys(ours), keys(theirs));
    let all: BTreeSet<_> = ours.keys().chain(theirs.keys()).copied().collect();
    let value = |keys: &BTreeMap<_, _>, key| keys.get(key).copied().unwrap_or("absent").to_owned();
    let told = |key| {
        format!("{key} = {} {our_side}, {} {their_side}", value(&ours, key), value(&theirs, key))
    };
    all.into_iter().filter(|key| ours.get(key) != theirs.get(key)).map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::degenerate::DegenerateRule;
    use crate::hashing::hash::TokenHash;
    use crate::recipes::recipe::{BitOrder, DocumentPart};
    use crate::text::accents::Accents;
    use crate::text::case::Case;
    use crate::text::idf_file::UnlistedIdf;
    use crate::text::language::LanguageRule;
    use crate::text::normalize::NormalForm;
    use crate::text::token::Split;
    use crate::vote::sums::SignRule;
    use crate::vote::weight::Weighting;
    use nearprint_bits::Width;
    use proptest::prelude::*;

    impl Recipe {
        /// A recipe in which no key has its default, so that every key is written.
        pub(crate) fn with_every_key() -> Self {
            let id = "00112233445566778899aabbccddeeff";
            let words = [
                "a",
                "don't",
                "say \"hi\"",
                "it's \"both\"",
                "back\\slash",
                "tab\there",
                "line\nbreak",
                "cr\rlf\r\n",
                "\u{1}\u{7f}\u{85}",
                "名前",
                "",
                " ",
                "'''",
                "\"\"\"",
                "'\n\"\"\"",
            ];
            Self {
                name: "n\"x".into(),
                description: "d\nname".into(),
                version: 1,
                content: DocumentPart::HtmlMain,
                normalize: NormalForm::Nfc,
                case: Case::Keep,
                accents: Accents::Strip,
                split: Split::Lindera,
                dictionary: Some(id.parse().unwrap()),
                user_dictionary: Some(id.parse().unwrap()),
                parts_of_speech: ["n", "v"].map(str::to_owned).to_vec(),
                min_length: 3,
                gram: 4,
                language: "en".parse().unwrap(),
                stop_words: true,
                stop_list: words.map(str::to_owned).to_vec(),
                stop_file: Some(id.parse().unwrap()),
                stem: true,
                phrases: 10,
                shingle: 5,
                weights: Weighting::Bm25,
                statistics: Some(id.parse().unwrap()),
                idf_file: Some(id.parse().unwrap()),
                unlisted_idf: UnlistedIdf::Mean,
                top: 9,
                min_features: 8,
                degenerate: DegenerateRule::Apart,
                hash: TokenHash::Fnv1a,
                width: Width::W256,
                sign: SignRule::NonNegative,
                bit_order: BitOrder::Reversed,
            }
        }
    }

    /// Ids are in users' files: these may never change.
    #[test]
    fn the_id_of_a_recipe_with_every_key_is_frozen() {
        let all = Recipe::with_every_key();
        assert!(all.entries().iter().all(|(_, value)| value.is_some()));
        assert_eq!(all.id().to_string(), "4512a7478cf713959bfca54055971275");
        // The keys of files of words came later: a recipe without them has the id that it had.
        let all = Recipe {
            user_dictionary: None,
            parts_of_speech: Vec::new(),
            min_length: 0,
            stop_file: None,
            idf_file: None,
            unlisted_idf: UnlistedIdf::Median,
            ..all
        };
        assert_eq!(all.id().to_string(), "61752fe48a7fb349671b494ae538bc45");
        let words = ["a", "don't", "b\\c", "say \"x\""].map(str::to_owned).to_vec();
        let plain = Recipe { stop_list: words, ..all };
        assert_eq!(plain.id().to_string(), "5b6e43d5281122e714d37f85232ee654");
        let form = plain.lines_without(&NOT_OF_ID);
        assert!(form.contains("stop-list = [\"a\", \"don't\", 'b\\c', 'say \"x\"']\n"), "{form}");
    }

    /// Runs of quotes at the limits of each form, which chance seldom meets.
    #[test]
    fn strings_of_quotes_are_written_as_toml_writes_them() {
        for (single, double) in (0..5).flat_map(|single| (0..5).map(move |double| (single, double)))
        {
            for rest in ["", "\\", "\n", "\\\n", "\u{1}"] {
                let name = format!("{}{}{rest}", "'".repeat(single), "\"".repeat(double));
                let recipe = Recipe { name, ..Recipe::default() };
                assert_eq!(recipe.to_toml(), toml::to_string(&recipe).unwrap());
                assert_eq!(toml::from_str::<Recipe>(&recipe.to_toml()).unwrap(), recipe);
            }
        }
    }

    /// Keys are left out by their whole name: what a stop word says decides nothing.
    #[test]
    fn a_stop_word_that_looks_like_a_key_counts() {
        let stops =
            |word: &str| Recipe { stop_list: vec![word.to_owned()], ..Recipe::default() }.id();
        assert_ne!(stops("x\nname = a"), stops("x\nname = b"));
    }

    #[test]
    fn every_setting_changes_the_id_and_names_do_not() {
        let text = Recipe::named("text").unwrap();
        let named = Recipe { name: "x".into(), description: "y".into(), ..text.clone() };
        assert_eq!(named.id(), text.id());
        let all = Recipe::with_every_key();
        let others = [
            Recipe { version: 2, ..text.clone() },
            Recipe { normalize: NormalForm::Nfc, ..text.clone() },
            Recipe { content: DocumentPart::HtmlMain, ..text.clone() },
            Recipe { case: Case::Keep, ..text.clone() },
            Recipe { accents: Accents::Strip, ..text.clone() },
            Recipe { gram: 4, ..text.clone() },
            Recipe { language: LanguageRule::Auto, ..text.clone() },
            Recipe { stop_words: true, ..text.clone() },
            Recipe { stop_list: vec!["x".into()], ..text.clone() },
            Recipe { user_dictionary: all.user_dictionary, ..text.clone() },
            Recipe { parts_of_speech: vec!["n".into()], ..text.clone() },
            Recipe { min_length: 2, ..text.clone() },
            Recipe { stop_file: all.stop_file, ..text.clone() },
            Recipe { idf_file: all.idf_file, ..text.clone() },
            Recipe { unlisted_idf: UnlistedIdf::Mean, ..text.clone() },
            Recipe { stem: true, ..text.clone() },
            Recipe { phrases: 10, ..text.clone() },
            Recipe { top: 9, ..text.clone() },
            Recipe { min_features: 8, ..text.clone() },
            Recipe { degenerate: DegenerateRule::Apart, ..text.clone() },
            Recipe { split: Split::Blanks, ..text.clone() },
            Recipe { shingle: 4, ..text.clone() },
            Recipe { weights: Weighting::Count, ..text.clone() },
            Recipe { hash: TokenHash::Fnv1a, ..text.clone() },
            Recipe { width: Width::W256, ..text.clone() },
            Recipe { sign: SignRule::NonNegative, ..text.clone() },
            Recipe { bit_order: BitOrder::Reversed, ..text.clone() },
        ];
        for other in others {
            assert_ne!(other.id(), text.id(), "{other:?}");
            assert_eq!(text.differences(&other).len(), 1, "{other:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(nearprint_testing::cases(2000)))]
        /// Whatever the strings hold, the form says what the crate `toml` reads, byte for byte as it
        /// would print it.
        #[test]
        fn the_form_is_that_of_toml(
            name in "[a\"'\\\\\n\t\r\u{1}\u{7f}é. #=-]{0,12}",
            stop_list in prop::collection::vec("[a\"'\\\\\n\t\r\u{8}\u{c}\u{1f}é ]{0,9}|.{0,9}", 0..4),
            numbers in (0_u32..3, 0_usize..3, 0_usize..3, 0_usize..3),
            flags: [bool; 13],
        ) {
            let all = Recipe::with_every_key();
            let text = Recipe::default();
            let recipe = Recipe {
                name,
                stop_list,
                phrases: numbers.0,
                top: numbers.1,
                gram: numbers.2,
                min_features: numbers.3,
                stem: flags[0],
                stop_words: flags[1],
                accents: if flags[2] { all.accents } else { text.accents },
                dictionary: if flags[3] { all.dictionary } else { None },
                statistics: if flags[4] { all.statistics } else { None },
                degenerate: if flags[5] { all.degenerate } else { text.degenerate },
                content: if flags[6] { all.content } else { text.content },
                language: if flags[7] { all.language } else { text.language },
                user_dictionary: if flags[8] { all.user_dictionary } else { None },
                parts_of_speech: if flags[9] { all.parts_of_speech } else { Vec::new() },
                stop_file: if flags[10] { all.stop_file } else { None },
                idf_file: if flags[11] { all.idf_file } else { None },
                unlisted_idf: if flags[12] { all.unlisted_idf } else { text.unlisted_idf },
                min_length: numbers.1,
                ..text
            };
            prop_assert_eq!(recipe.to_toml(), toml::to_string(&recipe).unwrap());
            prop_assert_eq!(toml::from_str::<Recipe>(&recipe.to_toml()).unwrap(), recipe);
        }
    }
}
