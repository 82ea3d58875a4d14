//! A text in the form of a recipe, and which bytes of the text as it came each part of it was made of.

use crate::in_bounds::text_in;
use crate::text::accents::Accents;
use crate::text::code_point_map::CodePointMap;
use crate::text::form::TextForm;
use crate::text::normalize::joins_backwards;
use crate::text::visible::visible_with;
use icu_normalizer::{DecomposingNormalizer, DecomposingNormalizerBorrowed};
use std::borrow::Cow;
use std::ops::Range;

const NFKD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizer::new_nfkd();

/// Bytes of working memory that are kept after a longer text.
const KEPT: usize = 1 << 20;

/// Bytes that a step replaces; all between two changes stay as they are.
#[derive(Clone, Debug)]
struct Change {
    from: Range<usize>,
    to: Range<usize>,
}

/// What a character does when text is brought to its form.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Joint {
    /// Whether what stands before it does not change what becomes of it, nor the other way round.
    begins: bool,
    /// Whether it becomes something else where it stands alone.
    changes: bool,
}

/// Brings texts to one form, without the accents that are to go. Holds working memory: keep one and reuse it.
///
/// Text is normalised stretch by stretch, each of which begins where nothing joins; so a part of the result was made of
/// the stretches that it touches, and of no other byte.
#[derive(Clone, Debug)]
pub(crate) struct AlignedText {
    form: TextForm,
    accents: Accents,
    joints: CodePointMap<Joint>,
    /// The text as a reader sees it, and what that changed.
    seen: String,
    unseen: Vec<Change>,
    /// The same in its normal form, and the stretches that changed.
    normal: String,
    joined: Vec<Change>,
}

impl AlignedText {
    pub(crate) fn new(form: TextForm, accents: Accents) -> Self {
        Self {
            form,
            accents,
            joints: CodePointMap::default(),
            seen: String::new(),
            unseen: Vec::new(),
            normal: String::new(),
            joined: Vec::new(),
        }
    }

    /// `raw` in the form, and the places of its parts.
    ///
    /// # Complexity
    /// Linear; what has the form already is only checked.
    pub(crate) fn align<'t>(&'t mut self, raw: &'t str) -> (&'t str, Places<'t>) {
        self.unseen.clear();
        self.joined.clear();
        if self.seen.capacity().max(self.normal.capacity()) > KEPT {
            (self.seen, self.normal) = (String::new(), String::new());
        }
        let Self { form, accents, joints, seen, unseen, normal, joined } = self;
        let mut text = raw;
        if form.visible
            && let Cow::Owned(other) =
                visible_with(text, |from, to| unseen.push(Change { from, to }))
        {
            *seen = other;
            text = seen;
        }
        let same = match accents {
            _ if text.is_ascii() => text.len(),
            Accents::Keep => form.normal.normal_bytes(text),
            Accents::Strip => 0,
        };
        if same < text.len() {
            let apply = |stretch: &str| accents.apply(&form.normal.apply(stretch)).into_owned();
            normal.clear();
            normal.push_str(text_in(text, ..same));
            join(text, same, joints, apply, normal, joined);
            text = normal;
        }
        (text, Places { unseen: Layer::new(unseen), joined: Layer::new(joined), last: 0 })
    }
}

/// Appends what becomes of `text` from `first` on to `out`, and the stretches that change to `changes`.
fn join(
    text: &str,
    first: usize,
    joints: &mut CodePointMap<Joint>,
    apply: impl Fn(&str) -> String,
    out: &mut String,
    changes: &mut Vec<Change>,
) {
    let mut joint = |c: char| {
        joints.get(c, |c| {
            let mut bytes = [0; 4];
            let alone = &*c.encode_utf8(&mut bytes);
            let begins = !NFKD.normalize(alone).starts_with(joins_backwards);
            Joint { begins, changes: apply(alone) != alone }
        })
    };
    // All before `written` is in `out`; the stretch under way, and whether it may change.
    let (mut written, mut start, mut may_change) = (first, first, false);
    let ends = text_in(text, first..).char_indices().map(|(at, c)| (first + at, Some(c)));
    for (at, c) in ends.chain([(text.len(), None)]) {
        let joint = c.map_or(Joint { begins: true, changes: false }, &mut joint);
        if !joint.begins {
            may_change = true;
            continue;
        }
        if may_change {
            let stretch = text_in(text, start..at);
            let other = apply(stretch);
            if other != stretch {
                out.push_str(text_in(text, written..start));
                let from = out.len();
                out.push_str(&other);
                changes.push(Change { from: start..at, to: from..out.len() });
                written = at;
            }
        }
        (start, may_change) = (at, joint.changes);
    }
    out.push_str(text_in(text, written..));
}

/// Where the parts of an aligned text come from. Asked for one part after the other, in order.
#[derive(Clone, Debug)]
pub(crate) struct Places<'t> {
    unseen: Layer<'t>,
    joined: Layer<'t>,
    /// Where the last place ended.
    last: usize,
}

impl Places<'_> {
    /// The bytes of the text as it came that `part` of the aligned text was made of, but for those that parts before it
    /// were made of, too.
    pub(crate) fn of(&mut self, part: Range<usize>) -> Range<usize> {
        let start = self.joined.start(part.start);
        let start = self.unseen.start(start).max(self.last);
        let end = self.joined.end(part.end);
        self.last = self.unseen.end(end).max(start);
        start..self.last
    }
}

/// The changes of one step, looked at from its result.
#[derive(Clone, Debug)]
struct Layer<'t> {
    changes: &'t [Change],
    /// Changes that begin at the last start or before it, and before the last end.
    begun: usize,
    passed: usize,
}

impl<'t> Layer<'t> {
    fn new(changes: &'t [Change]) -> Self {
        Self { changes, begun: 0, passed: 0 }
    }

    /// Where a part begins that begins at `at` in the result: behind what was left out there.
    fn start(&mut self, at: usize) -> usize {
        self.begun += count(self.changes, self.begun, |change| change.to.start <= at);
        match self.begun.checked_sub(1).and_then(|last| self.changes.get(last)) {
            None => at,
            Some(change) if at < change.to.end => change.from.start,
            Some(change) => change.from.end + (at - change.to.end),
        }
    }

    /// Where a part ends that ends at `at` in the result: before what was left out there.
    fn end(&mut self, at: usize) -> usize {
        self.passed += count(self.changes, self.passed, |change| change.to.start < at);
        match self.passed.checked_sub(1).and_then(|last| self.changes.get(last)) {
            None => at,
            Some(change) if at <= change.to.end => change.from.end,
            Some(change) => change.from.end + (at - change.to.end),
        }
    }
}

/// How many changes in a row, from the one of that number on, are what is asked for.
fn count(changes: &[Change], from: usize, is: impl Fn(&Change) -> bool) -> usize {
    changes.iter().skip(from).take_while(|change| is(change)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normalize::NormalForm;
    use proptest::prelude::*;

    fn parts(text: &str, form: TextForm, accents: Accents) -> Vec<(String, String)> {
        let mut aligned = AlignedText::new(form, accents);
        let (normal, mut places) = aligned.align(text);
        let ends = normal.char_indices().map(|(at, c)| at..at + c.len_utf8());
        ends.map(|part| (normal[part.clone()].to_owned(), text[places.of(part)].to_owned()))
            .collect()
    }

    #[test]
    fn characters_come_from_the_bytes_that_they_were_made_of() {
        let form = TextForm { normal: NormalForm::Nfkc, visible: true };
        for (text, expected) in [
            ("a\u{ad}b\u{200b}", &[("a", "a"), ("b", "b")][..]),
            ("e\u{200b}\u{301}\u{200b}x", &[("é", "e\u{200b}\u{301}"), ("x", "x")]),
            ("½ﬁ", &[("1", "½"), ("⁄", ""), ("2", ""), ("f", "ﬁ"), ("i", "")]),
            ("’한\u{11ab}", &[("'", "’"), ("한", "한"), ("\u{11ab}", "\u{11ab}")]),
            ("하\u{11ab}가", &[("한", "하\u{11ab}"), ("가", "가")]),
            ("कि", &[("क", "क"), ("\u{93f}", "\u{93f}")]),
        ] {
            let found = parts(text, form, Accents::Keep);
            let found: Vec<_> = found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            assert_eq!(found, expected, "{text:?}");
        }
        assert_eq!(
            parts("ё\u{301}и\u{306}", form, Accents::Strip),
            [("е".to_owned(), "ё\u{301}".to_owned()), ("и".to_owned(), "и\u{306}".to_owned())]
        );
    }

    /// By the steps that know no places.
    fn agrees(text: &str) -> Result<(), TestCaseError> {
        for form in TextForm::ALL {
            for accents in [Accents::Keep, Accents::Strip] {
                let mut aligned = AlignedText::new(form, accents);
                for _ in 0..2 {
                    let (normal, mut places) = aligned.align(text);
                    let expected = form.apply(text);
                    prop_assert_eq!(normal, &*accents.apply(&expected), "{:?} {:?}", form, accents);
                    let mut last = 0;
                    for (at, c) in normal.char_indices() {
                        let place = places.of(at..at + c.len_utf8());
                        prop_assert!(last <= place.start && text.get(place.clone()).is_some());
                        last = place.end;
                    }
                }
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(nearprint_testing::cases(1000)))]
        #[test]
        fn text_has_the_form_that_it_has_as_a_whole(
            text in "[ aé\u{301}\u{323}\u{344}ﬁ½ﷺ´΅’“ŉ⁗⁻\u{fe77}\u{fcf2}\u{ad}\u{200b}\u{200c}\u{200d}\u{640}\u{34f}가하한ᄀᄒ\u{1161}\u{11a8}\u{11ab}か\u{3099}ｶﾞが゛\u{93f}क\u{94d}\u{9cb}\u{9c7}\u{9be}ё\u{306}Åﾡ\u{16d67}\u{16d63}🏴\u{e0067}👩🏽🚀①㌀]{0,16}"
        ) {
            agrees(&text)?;
        }

        #[test]
        fn any_text_has_the_form_that_it_has_as_a_whole(text: String) {
            agrees(&text)?;
        }
    }

    #[test]
    fn no_character_that_begins_a_stretch_joins_what_stands_before_it() {
        for normal in [NormalForm::Nfc, NormalForm::Nfkc] {
            for c in '\0'..='\u{2ffff}' {
                if NFKD.normalize(c.encode_utf8(&mut [0; 4])).starts_with(joins_backwards) {
                    continue;
                }
                let alone = normal.apply(c.encode_utf8(&mut [0; 4])).into_owned();
                for before in ["e", "e\u{323}", "\u{1112}", "하", "か", "\u{9c7}", "\u{16d63}"] {
                    let (both, before) = (format!("{before}{c}"), normal.apply(before));
                    assert_eq!(normal.apply(&both), format!("{before}{alone}"), "{both:?}");
                }
            }
        }
    }
}
