//! Two fingerprints that the arguments themselves are: hexadecimal as it is stored, or bits of any width
//! from 1 to 256 as people write them by hand.

use super::estimate::{Estimate, verdict};
use crate::flags::likeness::LikenessFlags;
use crate::flags::recipe::RecipeFlags;
use crate::show::format::Format;
use crate::usage::{print, say, wrong};
use nearprint_fingerprint::{BitString, Width};
use serde_json::json;
use std::path::Path;

/// How the digits of an argument are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Digits {
    Binary,
    Hexadecimal,
}

/// Two fingerprints in place of documents.
pub(super) struct Pair {
    a: BitString,
    b: BitString,
    /// How both are written.
    digits: Digits,
    /// Whether both are zeros and ones, as ids may be.
    may_be_ids: bool,
}

impl Pair {
    /// The fingerprints that `a` and `b` are; `None` where either is a file, or no fingerprint.
    pub(super) fn of(a: &str, b: &str, recipe: &RecipeFlags) -> anyhow::Result<Option<Self>> {
        let both = [a, b];
        if both.iter().any(|given| Path::new(given).exists()) {
            return Ok(None);
        }
        let [Some(first), Some(second)] = both.map(Form::of) else {
            return Ok(None);
        };
        let forms = [first, second];
        if recipe.width().is_none()
            && forms.contains(&Form::Short)
            && forms.iter().all(|form| matches!(form, Form::Short | Form::ZerosAndOnes))
        {
            return wrong(format!(
                "{a} and {b} may be ids or fingerprints: add --in CORPUS for ids, or write 0x in front of hexadecimal digits"
            ));
        }
        let read = |given: &str, digits| {
            let bits = match digits {
                Digits::Binary => given.parse(),
                Digits::Hexadecimal => BitString::from_hex(given),
            };
            bits.or_else(|error| wrong(format!("{given}: {error}")))
        };
        let digits = first.beside(second);
        let mut pair = Self {
            a: read(a, digits)?,
            b: read(b, second.beside(first))?,
            digits,
            may_be_ids: forms == [Form::ZerosAndOnes; 2],
        };
        if first == Form::Stored && second == Form::Stored {
            say("A and B are read as hexadecimal digits; write 0b in front of them for bits");
        }
        let of_both = Some(pair.a.width()).filter(|width| *width == pair.b.width());
        if let Some(width) = of_both.and_then(Width::from_bits) {
            recipe.refuse_for_stored(width)?;
        } else if let Some(width) = recipe.width() {
            pair.a = widened(pair.a, width)?;
            pair.b = widened(pair.b, width)?;
        }
        let (in_a, in_b) = (pair.a.width(), pair.b.width());
        if in_a != in_b {
            return wrong(format!(
                "A has {in_a} bits and B has {in_b}; give both as many, or name the width of both \
                 with --width, which puts zeros in front"
            ));
        }
        Ok(Some(pair))
    }

    /// Prints how far apart the two are: nothing else is known of them.
    pub(super) fn compare(
        &self,
        recipe: &RecipeFlags,
        likeness: &LikenessFlags,
        format: Format,
    ) -> anyhow::Result<()> {
        let Self { a, b, digits, may_be_ids } = self;
        let width = a.width();
        recipe.refuse_all_but_width()?;
        let stored = Width::from_bits(width);
        let k = likeness.bits_radius(width)?.or(stored.map(Width::default_radius));
        let Some(distance) = a.distance(b) else { return wrong("A and B differ in width") };
        // A stored fingerprint 0 is that of an empty document, which is never a duplicate.
        let is_empty = |bits: &BitString| stored.is_some() && bits.words() == &[0; 4];
        let near = k.map(|k| distance <= k && !is_empty(a) && !is_empty(b));
        let estimate = Estimate::of(distance, width);
        if *may_be_ids {
            say("A and B are read as bits; for ids of documents add --in CORPUS");
        }
        let is_binary = *digits == Digits::Binary;
        let written = |bits: &BitString| if is_binary { bits.to_string() } else { bits.to_hex() };
        if format == Format::Json {
            let answer = json!({
                "a": { "fingerprint": written(a) }, "b": { "fingerprint": written(b) },
                "width": width, "k": k, "distance": distance, "near_duplicates": near,
                "cosine_estimated": estimate.cosine, "cosine_interval": [estimate.low, estimate.high],
            });
            return print(&format!("{answer:#}\n"));
        }
        let judged = match (near, k) {
            (Some(near), Some(k)) => format!(": {} at k = {k}", verdict(near)),
            _ => String::new(),
        };
        let read = match (stored, is_binary) {
            (_, true) => "read as      binary digits\n",
            (None, false) => "read as      hexadecimal digits\n",
            (Some(_), false) => "",
        };
        print(&format!(
            "distance     {distance} of {width} bits{judged}\ncosine       {estimate}\n{read}"
        ))
    }
}

/// The same number in `width` bits.
fn widened(bits: BitString, width: Width) -> anyhow::Result<BitString> {
    match bits.widened(width.bits()) {
        Some(widened) => Ok(widened),
        None => wrong(format!("--width {width}: {bits} has more bits; name a greater width")),
    }
}

/// What the digits of an argument may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Bits, for certain: `0b` is in front.
    Binary,
    /// Hexadecimal, for certain: `0x` is in front, or there are as many digits as a stored fingerprint has.
    Hexadecimal,
    /// Hexadecimal digits that an id may be, such as 17: a fingerprint beside one for certain, or at a width.
    Short,
    /// Zeros and ones, which are bits unless the other argument is hexadecimal.
    ZerosAndOnes,
    /// Zeros and ones, as many as a stored fingerprint has digits: hexadecimal unless the other argument
    /// is bits.
    Stored,
}

impl Form {
    /// The form of `given`; `None` where it is no fingerprint. Short hexadecimals without `0x` have a decimal digit, as
    /// words such as `cafe` have none.
    fn of(given: &str) -> Option<Self> {
        let has_prefix = |letter| given.get(..2).is_some_and(|p| p.eq_ignore_ascii_case(letter));
        let all = |holds: fn(&u8) -> bool| !given.is_empty() && given.as_bytes().iter().all(holds);
        let is_stored = matches!(given.len(), 16 | 32 | 64);
        if has_prefix("0b") && !(is_stored && all(u8::is_ascii_hexdigit)) {
            Some(Self::Binary)
        } else if has_prefix("0x") {
            Some(Self::Hexadecimal)
        } else if all(|byte| matches!(byte, b'0' | b'1')) {
            Some(if is_stored { Self::Stored } else { Self::ZerosAndOnes })
        } else if all(u8::is_ascii_hexdigit) && is_stored {
            Some(Self::Hexadecimal)
        } else if all(u8::is_ascii_hexdigit) && given.bytes().any(|byte| byte.is_ascii_digit()) {
            Some(Self::Short)
        } else {
            None
        }
    }

    /// How an argument of this form is read beside one of another.
    fn beside(self, other: Self) -> Digits {
        match (self, other) {
            (Self::Binary, _) | (Self::Stored, Self::Binary | Self::ZerosAndOnes) => Digits::Binary,
            (Self::ZerosAndOnes, Self::Binary | Self::ZerosAndOnes | Self::Stored) => {
                Digits::Binary
            }
            _ => Digits::Hexadecimal,
        }
    }
}
