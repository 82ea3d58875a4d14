//! What the word scanner asks of a character beyond ASCII: its class, and its other case.

use crate::text::case::Case;
use crate::text::char_class::{CharClass, class_of};
use crate::text::code_point_map::CodePointMap;
use crate::text::form::TextForm;
use crate::text::normalize::joins_backwards;
use crate::text::visible::is_unseen;

/// What is known of a character under one form and one case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CharFacts {
    /// Its part in words; [`CharClass::Rare`] too where its other case takes more or fewer bytes.
    pub(crate) class: CharClass,
    /// The part of what it is normalised to; `None` where that takes the library, or its neighbours.
    pub(crate) raw_class: Option<CharClass>,
    /// What normalising makes of it.
    pub(crate) becomes: Becomes,
    /// The character in the asked case, where that is another.
    pub(crate) mapped: Option<char>,
}

/// What normalising makes of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Becomes {
    /// The character itself.
    Itself,
    /// Another one, which is not longer.
    Sign(char),
    /// Nothing, wherever it stands.
    Nothing,
    /// Something else, or what its neighbours decide.
    Other,
}

/// Facts under one form and one case, in a table that grows with the text that it sees.
#[derive(Clone, Debug)]
pub(crate) struct CharTable {
    form: TextForm,
    case: Case,
    known: CodePointMap<CharFacts>,
}

impl CharTable {
    pub(crate) fn new(form: TextForm, case: Case) -> Self {
        Self { form, case, known: CodePointMap::default() }
    }

    /// What is known of `c`.
    #[inline]
    pub(crate) fn get(&mut self, c: char) -> CharFacts {
        let Self { form, case, known } = self;
        known.get(c, |c| facts(*form, *case, c))
    }
}

fn facts(form: TextForm, case: Case, c: char) -> CharFacts {
    let other = case.map(c);
    let class = if other.len_utf8() == c.len_utf8() { class_of(c) } else { CharClass::Rare };
    let mapped = (other != c).then_some(other);
    let normal = form.apply(c.encode_utf8(&mut [0; 4])).into_owned();
    let mut chars = normal.chars();
    let becomes = match (chars.next(), chars.next()) {
        (Some(only), None) if only == c => Becomes::Itself,
        (Some(only), None) if only.len_utf8() <= c.len_utf8() => Becomes::Sign(only),
        (None, _) if is_unseen(c) => Becomes::Nothing,
        _ => Becomes::Other,
    };
    let raw_class = if !form.is_any() && normal.chars().any(joins_backwards) {
        None
    } else if becomes == Becomes::Itself {
        Some(class)
    } else {
        class_of_all(&normal)
    };
    CharFacts { class, raw_class, becomes, mapped }
}

/// The part that a string plays between other characters, where it can be told without writing it:
/// no part of a word.
fn class_of_all(normal: &str) -> Option<CharClass> {
    use CharClass::{MidAny, MidLetter, MidNum, Other, Space};
    let mut classes = normal.chars().map(class_of);
    match (classes.next()?, classes.next()) {
        (only @ (Other | Space | MidLetter | MidNum | MidAny), None) => Some(only),
        // Two in a row are never inside a word.
        (Other | Space | MidLetter | MidNum | MidAny, Some(_)) => normal
            .chars()
            .all(|c| matches!(class_of(c), Other | Space | MidLetter | MidNum | MidAny))
            .then_some(Other),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normalize::NormalForm;

    #[test]
    fn facts_are_of_the_normal_form_where_no_word_is_concerned() {
        let nfkc = TextForm { normal: NormalForm::Nfkc, visible: false };
        let mut table = CharTable::new(nfkc, Case::Lower);
        let mut raw = |c| table.get(c).raw_class;
        assert_eq!(raw('，'), Some(CharClass::MidNum));
        assert_eq!(raw('…'), Some(CharClass::Other));
        assert_eq!(raw('\u{a0}'), Some(CharClass::Space));
        assert_eq!(raw('Ａ'), None);
        assert_eq!(raw('\u{301}'), None);
        assert_eq!(raw('上'), Some(CharClass::Solo));
        assert_eq!(table.get('É').mapped, Some('é'));
        assert_eq!(table.get('İ').class, CharClass::Rare);
        assert_eq!(
            CharTable::new(TextForm { normal: NormalForm::Keep, visible: false }, Case::Keep)
                .get('Ａ')
                .raw_class,
            Some(CharClass::Letter)
        );
    }
}
