//! Words that jieba's dictionary lacks, together with their parts of speech: a hidden Markov model whose
//! states are a place in a word and a part of speech. What is a word of the dictionary is decided in
//! [`crate::text::segmenter`].
//!
//! The model is that of jieba 0.42.1 (MIT licence); `data/parts_of_speech.py` wrote it from there and
//! describes its bytes. All sums are made in jieba's order, so that equal paths are told apart as there.

use crate::in_bounds::{entry_at, list_in, text_in};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Longest run in characters that is looked at as a whole; a longer one is cut.
const LONGEST: usize = 1 << 12;
/// What a state counts that cannot show a character, as jieba has it.
const NEVER_SHOWN: f64 = -3.14e100;

/// The model.
pub(crate) static MODEL: LazyLock<Model> =
    LazyLock::new(|| read(include_bytes!("../../data/parts_of_speech.bin")).unwrap_or_default());

/// A state and what it adds to the logarithm of a probability.
type Step = (u8, f64);

/// Where in a word a character stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    Begin,
    Middle,
    End,
    #[default]
    Single,
}

/// How a character is shown: by which states, and which states are tried where it occurs.
#[derive(Clone, Debug, Default)]
struct Character {
    shown: Vec<Step>,
    /// `None` for all of them.
    tried: Option<Vec<u8>>,
}

/// The model as tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    states: Vec<(Place, String)>,
    start: Vec<f64>,
    /// For each state the states that may precede it, ascending.
    before: Vec<Vec<Step>>,
    /// Whether any state may follow.
    goes_on: Vec<bool>,
    characters: HashMap<char, Character>,
}

impl Model {
    /// Calls `emit` with the words of `run`, Han characters alone, and their parts of speech.
    pub(crate) fn words(&self, run: &str, emit: &mut dyn FnMut(&str, &str)) {
        let mut rest = run;
        while !rest.is_empty() {
            let end = rest.char_indices().nth(LONGEST).map_or(rest.len(), |(at, _)| at);
            let (piece, after) = rest.split_at(end);
            self.words_of(piece, emit);
            rest = after;
        }
    }

    fn words_of(&self, run: &str, emit: &mut dyn FnMut(&str, &str)) {
        let path = self.path(run);
        // Where the word under way begins, and where the last whole one ended.
        let (mut begin, mut next, mut after) = (0, 0, 0);
        for (i, (at, c)) in run.char_indices().enumerate() {
            let end = at + c.len_utf8();
            let (place, part_of_speech) = self.state(entry_at(&path, i));
            match place {
                Place::Begin => begin = at,
                Place::Middle => {}
                Place::End => {
                    emit(text_in(run, begin..end), part_of_speech);
                    (next, after) = (end, i + 1);
                }
                Place::Single => {
                    emit(text_in(run, at..end), part_of_speech);
                    (next, after) = (end, i + 1);
                }
            }
        }
        if next < run.len() {
            emit(text_in(run, next..), self.state(entry_at(&path, after)).1);
        }
    }

    fn state(&self, number: u8) -> (Place, &str) {
        self.states
            .get(usize::from(number))
            .map_or((Place::Single, "x"), |(place, name)| (*place, name))
    }

    /// The likeliest state of each character: Viterbi's algorithm. Of equal paths the one whose states
    /// have the greater numbers, from the end.
    fn path(&self, run: &str) -> Vec<u8> {
        let mut chars = run.chars();
        let Some(first) = chars.next() else { return Vec::new() };
        let mut live: Vec<Step> = Vec::new();
        self.tried(first, |state, shown| {
            live.push((state, entry_at(&self.start, usize::from(state)) + shown));
        });
        // For each character the states that were live there with the one before them.
        let mut steps: Vec<Vec<(u8, u8)>> = Vec::new();
        let mut reached = [None; 256];
        for c in chars {
            reached.fill(None);
            let mut greatest = None;
            for &(state, sum) in &live {
                if self.goes_on.get(usize::from(state)) == Some(&true) {
                    greatest = greatest.max(Some(state));
                    if let Some(slot) = reached.get_mut(usize::from(state)) {
                        *slot = Some(sum);
                    }
                }
            }
            // State, its sum and the state before it.
            let mut next: Vec<(u8, f64, u8)> = Vec::new();
            let arrived = |state, shown| {
                self.arrival(&reached, state, shown).map(|(sum, from)| (state, sum, from))
            };
            self.tried(c, |state, shown| next.extend(arrived(state, shown)));
            if next.is_empty() {
                // None of its states may follow: jieba then takes all that may.
                self.all(c, |state, shown| next.extend(arrived(state, shown)));
            }
            if next.is_empty() {
                let from = greatest.unwrap_or_default();
                self.all(c, |state, _| next.push((state, f64::NEG_INFINITY, from)));
            }
            live = next.iter().map(|&(state, sum, _)| (state, sum)).collect();
            steps.push(next.iter().map(|&(state, _, from)| (state, from)).collect());
        }
        let mut last = (f64::NEG_INFINITY, 0);
        for &(state, sum) in &live {
            if sum >= last.0 {
                last = (sum, state);
            }
        }
        let mut path = vec![last.1];
        let mut state = last.1;
        for step in steps.iter().rev() {
            let found = step.binary_search_by_key(&state, |&(state, _)| state);
            state = found.ok().and_then(|at| step.get(at)).map_or(0, |&(_, before)| before);
            path.push(state);
        }
        path.reverse();
        path
    }

    /// The greatest sum at which `state` follows one of those `reached`, and the state that it follows.
    fn arrival(&self, reached: &[Option<f64>], state: u8, shown: f64) -> Option<(f64, u8)> {
        let mut best: Option<(f64, u8)> = None;
        for &(from, moved) in self.before.get(usize::from(state)).into_iter().flatten() {
            let Some(sum) = entry_at(reached, usize::from(from)) else { continue };
            let sum = sum + moved + shown;
            if best.is_none_or(|(greatest, _)| sum >= greatest) {
                best = Some((sum, from));
            }
        }
        best
    }

    /// Calls `each` with the states that are tried where `c` occurs, ascending, and what each adds.
    fn tried(&self, c: char, mut each: impl FnMut(u8, f64)) {
        match self.characters.get(&c) {
            Some(Character { shown, tried: Some(tried) }) => {
                tried.iter().for_each(|&state| each(state, shown_by(shown, state)));
            }
            _ => self.all(c, each),
        }
    }

    fn all(&self, c: char, mut each: impl FnMut(u8, f64)) {
        let shown = self.characters.get(&c).map_or(&[][..], |character| &character.shown);
        for state in (0..=u8::MAX).take(self.states.len()) {
            each(state, shown_by(shown, state));
        }
    }
}

fn shown_by(shown: &[Step], state: u8) -> f64 {
    let found = shown.binary_search_by_key(&state, |&(state, _)| state);
    found.ok().and_then(|at| shown.get(at)).map_or(NEVER_SHOWN, |&(_, adds)| adds)
}

/// Takes numbers from the front of bytes.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(front)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn byte(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    fn short(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn long(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }
}

/// The model in `bytes`, as `data/parts_of_speech.py` describes them.
fn read(bytes: &[u8]) -> Option<Model> {
    const SAME: u16 = u16::MAX;
    const ALL: u16 = u16::MAX - 1;
    let mut bytes = Bytes(bytes);
    let values: Vec<f64> =
        (0..bytes.long()?).map(|_| bytes.array().map(f64::from_le_bytes)).collect::<Option<_>>()?;
    let value = |place: u16| values.get(usize::from(place)).copied();
    let mut model = Model::default();
    for _ in 0..bytes.short()? {
        let place = match bytes.byte()? {
            b'B' => Place::Begin,
            b'M' => Place::Middle,
            b'E' => Place::End,
            b'S' => Place::Single,
            _ => return None,
        };
        let length = bytes.byte()?;
        let name = std::str::from_utf8(bytes.take(length.into())?).ok()?;
        model.states.push((place, name.to_owned()));
    }
    let count = model.states.len();
    for _ in 0..count {
        model.start.push(value(bytes.short()?)?);
    }
    model.before.resize(count, Vec::new());
    for from in 0..count {
        let followers = bytes.short()?;
        for _ in 0..followers {
            let (to, moved) = (bytes.byte()?, value(bytes.short()?)?);
            model.before.get_mut(usize::from(to))?.push((u8::try_from(from).ok()?, moved));
        }
        model.goes_on.push(followers > 0);
    }
    for _ in 0..bytes.long()? {
        let c = char::from_u32(bytes.long()?)?;
        let shown: Vec<Step> = (0..bytes.short()?)
            .map(|_| Some((bytes.byte()?, value(bytes.short()?)?)))
            .collect::<Option<_>>()?;
        let tried = match bytes.short()? {
            ALL => None,
            SAME => Some(shown.iter().map(|&(state, _)| state).collect()),
            length => Some(bytes.take(length.into())?.to_vec()),
        };
        model.characters.insert(c, Character { shown, tried });
    }
    list_in(bytes.0, ..).is_empty().then_some(model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_model_is_read() {
        let bytes = include_bytes!("../../data/parts_of_speech.bin");
        let model = read(bytes).unwrap();
        assert_eq!((model.states.len(), model.characters.len()), (256, 8870));
        assert_eq!(model.before.iter().map(Vec::len).sum::<usize>(), 5218);
        assert!(read(&bytes[..bytes.len() - 1]).is_none());
    }

    /// As `jieba.posseg.POSTokenizer._POSTokenizer__cut` of jieba 0.42.1 answers.
    #[test]
    fn words_and_parts_of_speech_are_those_of_jieba() {
        let found = |text| {
            let mut out = Vec::new();
            MODEL.words(text, &mut |word, part| out.push(format!("{word}/{part}")));
            out.join(" ")
        };
        assert_eq!(found("我来到北京清华大学"), "我/r 来/v 到/v 北京/ns 清华大学/nt");
        assert_eq!(found("龘齉"), "龘/x 齉/zg");
        assert_eq!(found("亁亂亃"), "亁亂/nr 亃/zg");
        assert_eq!(found(""), "");
    }

    #[test]
    fn a_run_without_end_is_cut() {
        let mut length = 0;
        MODEL.words(&"㒤亁".repeat(3 * LONGEST), &mut |word, _| length += word.len());
        assert_eq!(length, "㒤亁".len() * 3 * LONGEST);
    }
}
