//! What is read of a text: the part that is fingerprinted, and for the comparison of pages the rest,
//! so that no page goes because of another that is alike only in what was taken for its main text.

use nearprint_corpus::{Document, Fallback, Page, Part, Trust};
use nearprint_fingerprint::{FeatureList, Fingerprinter, Language, mix64};
use std::borrow::Cow;
use xxhash_rust::xxh3::xxh3_128;

/// One in so many features of the rest of a page counts.
const SHARE: u64 = 2;

/// Sets the choice of features apart from other uses of their hashes.
const SALT: u64 = 0x7061_6765_2072_6573;

/// The parts of a text.
pub(crate) struct Parts<'a> {
    /// What is fingerprinted.
    pub(crate) text: Cow<'a, str>,
    /// Why all text of a page stands for its main text, where it does.
    pub(crate) fallback: Option<Fallback>,
    /// What else counts where features are compared.
    pub(crate) page: Option<Beside>,
}

/// The other part of a page.
pub(crate) enum Beside {
    /// All its text; the main text is fingerprinted.
    All(String),
    /// What looks like the main text, and is too small a part of all text, which is fingerprinted.
    Main(String),
}

impl<'a> Parts<'a> {
    /// The parts of a document that was read as [`with_rest`] says.
    pub(crate) fn of(document: Document<'a>) -> Self {
        let Document { text, full, fallback, .. } = document;
        match full {
            Some(full) if fallback.is_none() => Self::of_page(text, full),
            _ => Self { text, fallback, page: None },
        }
    }

    /// The parts of a text of which `part` is asked for.
    pub(crate) fn of_text(text: &'a str, part: Option<Part>) -> Self {
        let alone = |text, fallback| Self { text, fallback, page: None };
        match part {
            None => alone(Cow::Borrowed(text), None),
            Some(Part::Full) => alone(Cow::Owned(Page::new(text).into_full()), None),
            Some(Part::Main(trust)) => {
                let page = Page::new(text);
                let (main, fallback) = page.main(trust);
                alone(Cow::Owned(main.into_owned()), fallback)
            }
            Some(Part::Both(trust)) => {
                let page = Page::new(text);
                let (main, fallback) = page.main(trust);
                let main = Cow::Owned(main.into_owned());
                if fallback.is_some() {
                    alone(main, fallback)
                } else {
                    Self::of_page(main, page.into_full())
                }
            }
        }
    }

    fn of_page(main: Cow<'a, str>, full: String) -> Self {
        if Page::is_small_part(&main, &full) {
            let page = Some(Beside::Main(main.into_owned()));
            Self { text: Cow::Owned(full), fallback: Some(Fallback::Small), page }
        } else {
            Self { text: main, fallback: None, page: Some(Beside::All(full)) }
        }
    }

    /// The features that are compared, with their weights where it `weighs`.
    pub(crate) fn list<const WORDS: usize>(
        &self,
        fingerprinter: &mut Fingerprinter<WORDS>,
        language: Option<Language>,
        weighs: bool,
    ) -> FeatureList {
        if !weighs {
            let keys = fingerprinter.keys_in(&self.text, language);
            return FeatureList::of_set(match &self.page {
                Some(page) => page.keys(keys, fingerprinter, language),
                None => keys,
            });
        }
        let list = fingerprinter.list_in(&self.text, language);
        match &self.page {
            Some(Beside::All(text)) => joined(&list, &fingerprinter.list_in(text, language)),
            Some(Beside::Main(text)) => joined(&fingerprinter.list_in(text, language), &list),
            None => list,
        }
    }
}

impl Beside {
    /// The keys of the features that are compared, where `keys` are those of the other part.
    pub(crate) fn keys<const WORDS: usize>(
        &self,
        keys: Vec<u64>,
        fingerprinter: &mut Fingerprinter<WORDS>,
        language: Option<Language>,
    ) -> Vec<u64> {
        match self {
            Self::All(text) => weighed(keys, &fingerprinter.keys_in(text, language)),
            Self::Main(text) => weighed(fingerprinter.keys_in(text, language), &keys),
        }
    }

    /// All text of the page, of which `text` is fingerprinted.
    pub(crate) fn all<'t>(&'t self, text: &'t str) -> &'t str {
        match self {
            Self::All(all) => all,
            Self::Main(_) => text,
        }
    }
}

/// What is read of a page where features are compared: where a main text has to be a large part of
/// its page to be fingerprinted, the rest counts too.
pub(crate) fn with_rest(part: Option<Part>) -> Option<Part> {
    match part {
        Some(Part::Main(Trust::Large)) => Some(Part::Both(Trust::Long)),
        part => part,
    }
}

/// A hash of two contents.
pub(crate) fn joined_hash(a: u128, b: u128) -> u128 {
    xxh3_128([a.to_le_bytes(), b.to_le_bytes()].as_flattened())
}

/// The keys of the features of the main text, and one in [`SHARE`] of those that only all text of
/// the page has, chosen by their hashes. Both lists ascend, and so does the result.
///
/// Two pages of which four fifths of these features agree have at least two thirds of all their
/// features in common, but for chance in the choice: were all of the main text the same and nothing of
/// the rest, the rest of both together would be no larger than half of the main text.
fn weighed(main: Vec<u64>, full: &[u64]) -> Vec<u64> {
    let is_rest = |key: &u64| main.binary_search(key).is_err();
    let is_chosen = |key: &u64| mix64(key ^ SALT).is_multiple_of(SHARE);
    let rest: Vec<u64> =
        full.iter().copied().filter(|key| is_chosen(key) && is_rest(key)).collect();
    let mut keys = main;
    keys.extend(rest);
    keys.sort_unstable();
    keys
}

/// The same of lists with weights: a feature of the rest weighs what it weighs in all text.
fn joined(main: &FeatureList, full: &FeatureList) -> FeatureList {
    let keys = weighed(main.keys().to_vec(), full.keys());
    let weight = |of: &FeatureList, key: &u64| {
        let at = of.keys().binary_search(key).ok()?;
        of.weights().get(at).copied()
    };
    let of_key = |key: u64| (key, weight(main, &key).or_else(|| weight(full, &key)).unwrap_or(1.0));
    FeatureList::weighted(keys.into_iter().map(of_key).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_rest_weighs_is_what_it_weighs_in_all_text() {
        let main = FeatureList::weighted((0..10).map(|key| (key, 2.0)).collect());
        let full = FeatureList::weighted((0..400).map(|key| (key, 5.0)).collect());
        let list = joined(&main, &full);
        assert_eq!(list.keys(), weighed((0..10).collect(), full.keys()));
        let (of_main, of_rest) = list.weights().split_at(10);
        assert!(of_main == [2.0; 10] && of_rest.len() > 100 && of_rest.iter().all(|w| *w == 5.0));
    }

    #[test]
    fn half_of_the_rest_is_added() {
        let main: Vec<u64> = (0..1000).collect();
        let full: Vec<u64> = (500..9000).collect();
        let keys = weighed(main.clone(), &full);
        assert!(keys.is_sorted() && main.iter().all(|key| keys.binary_search(key).is_ok()));
        let rest = keys.len() - main.len();
        assert!((3850..4150).contains(&rest), "{rest} of 8000");
        assert_eq!(weighed(main.clone(), &main), main);
    }
}
