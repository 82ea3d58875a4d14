//! The characters of a text whose character set nothing names, where it is read in parts.

use crate::iso_2022_jp::{ESCAPE, designation};
use crate::records::recoding::recode;
use encoding_rs::{Decoder, ISO_2022_JP};
use memchr::memchr;

/// What a text is in, as far as it was seen.
#[derive(Default)]
pub(crate) enum Characters {
    /// All bytes so far are those of ASCII: ISO-2022-JP may follow.
    #[default]
    Ascii,
    /// ISO-2022-JP.
    Japanese(Decoder),
    /// It was named, or is told by a byte that ISO-2022-JP does not have.
    Told,
}

/// What bytes tell of their characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// ASCII without an escape.
    Plain,
    /// ASCII with an escape.
    Escaped,
    Other,
}

impl Look {
    pub(crate) fn at(bytes: &[u8]) -> Self {
        match bytes.is_ascii() {
            false => Self::Other,
            true if memchr(ESCAPE, bytes).is_some() => Self::Escaped,
            true => Self::Plain,
        }
    }
}

impl Characters {
    /// Whole lines that follow, of which `look` tells, as UTF-8; none where they are that as they stand. `ended` says that
    /// no more follow.
    pub(crate) fn recode(&mut self, bytes: &[u8], look: Look, ended: bool) -> Option<Vec<u8>> {
        let mut plain = 0;
        match (&self, look) {
            (Self::Ascii, Look::Plain) | (Self::Told, _) => return None,
            (Self::Ascii, Look::Other) => {
                *self = Self::Told;
                return None;
            }
            (Self::Ascii, Look::Escaped) => {
                plain = designation(bytes, true)?;
                *self = Self::Japanese(ISO_2022_JP.new_decoder_without_bom_handling());
            }
            (Self::Japanese(_), _) => {}
        }
        let Self::Japanese(decoder) = self else { return None };
        let (plain, japanese) = bytes.split_at_checked(plain)?;
        let mut text = plain.to_vec();
        recode(decoder, japanese, ended, &mut text);
        Some(text)
    }
}
