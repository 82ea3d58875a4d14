//! What places in a text count: characters, as slices of Python do, or bytes.

use std::str::FromStr;

/// What the places in reports count.
///
/// # Examples
/// ```
/// use nearprint_dedup::Offsets;
///
/// assert_eq!("bytes".parse(), Ok(Offsets::Bytes));
/// assert_eq!(Offsets::default(), Offsets::Characters);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Offsets {
    /// Characters (Unicode scalar values), from 0.
    #[default]
    Characters,
    /// Bytes of UTF-8, from 0.
    Bytes,
}

impl Offsets {
    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Characters => "characters",
            Self::Bytes => "bytes",
        }
    }
}

impl FromStr for Offsets {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "characters" => Ok(Self::Characters),
            "bytes" => Ok(Self::Bytes),
            _ => Err("use characters or bytes".to_owned()),
        }
    }
}

/// Bytes between two marks.
const STEP: usize = 256;

/// The places of one text, asked for by their bytes.
pub(crate) struct Counted<'a> {
    text: &'a str,
    /// Characters before each mark; none where places are bytes.
    marks: Vec<usize>,
}

impl<'a> Counted<'a> {
    pub(crate) fn new(text: &'a str, offsets: Offsets) -> Self {
        if offsets == Offsets::Bytes || text.is_ascii() {
            return Self { text, marks: Vec::new() };
        }
        let mut before = 0;
        let marks = text.as_bytes().chunks(STEP).map(|part| {
            before += characters(part);
            before - characters(part)
        });
        Self { text, marks: marks.collect() }
    }

    /// The place of a byte, at which a character begins or the text ends.
    pub(crate) fn at(&self, byte: usize) -> usize {
        match self.marks.get(byte / STEP).or(self.marks.last()) {
            None => byte,
            Some(before) => {
                let start = (byte / STEP).min(self.marks.len() - 1) * STEP;
                before + characters(self.text.as_bytes().get(start..byte).unwrap_or_default())
            }
        }
    }
}

/// Characters that begin in some bytes.
fn characters(bytes: &[u8]) -> usize {
    // Sums of one byte: a register has room for many.
    let of = |part: &[u8]| part.iter().map(|byte| u8::from(byte & 0xc0 != 0x80)).sum::<u8>();
    bytes.chunks(u8::MAX.into()).map(|part| usize::from(of(part))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_from_the_start() {
        for text in ["", "plain", &"aé漢😀 ".repeat(200), &"漢".repeat(256)] {
            let (characters, bytes) =
                (Counted::new(text, Offsets::Characters), Counted::new(text, Offsets::Bytes));
            let places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            for (number, at) in places.enumerate() {
                assert_eq!((characters.at(at), bytes.at(at)), (number, at), "{text}");
            }
        }
    }
}
