//! The bytes of a column of fingerprints: hexadecimal digits without the mark of a string, or the bits themselves.

use std::borrow::Cow;

/// The column whose values are fingerprints.
pub(crate) const FINGERPRINT: &str = "fingerprint";
/// Values that are looked at.
pub(crate) const LOOK: usize = 64;

/// What the bytes of fingerprints are, of all values of a file or a column.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::BytesForm;
///
/// let digits = BytesForm::of([&b"ffff000011119999"[..]]).unwrap();
/// assert_eq!(digits.text(b"ffff000011119999"), &b"ffff000011119999"[..]);
/// let bits = BytesForm::of([&[0xff; 8][..]]).unwrap();
/// assert_eq!(bits.text(&[0xff; 8]), &b"ffffffffffffffff"[..]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BytesForm {
    /// Hexadecimal digits.
    Digits,
    /// The bits themselves, of which the most significant byte comes first.
    Bits,
}

impl BytesForm {
    /// The form that the first values tell: digits where half of them or more are 16, 32 or 64 of these. None where there
    /// is no value. Sixteen random bytes are digits in one of 10^17 cases; a few digits may be damaged.
    pub fn of<'v>(values: impl IntoIterator<Item = &'v [u8]>) -> Option<Self> {
        let (mut digits, mut others) = (0, 0);
        for value in values.into_iter().take(LOOK) {
            *(if are_digits(value) { &mut digits } else { &mut others }) += 1;
        }
        match (digits, others) {
            (0, 0) => None,
            _ => Some(if digits >= others { Self::Digits } else { Self::Bits }),
        }
    }

    /// The digits of a value; of one that has none, though the others do, what it has.
    #[must_use]
    pub fn text(self, value: &[u8]) -> Cow<'_, [u8]> {
        match self {
            Self::Digits => value.into(),
            Self::Bits => hexadecimal(value).into_bytes().into(),
        }
    }
}

/// Whether bytes are the hexadecimal digits of a fingerprint.
fn are_digits(bytes: &[u8]) -> bool {
    matches!(bytes.len(), 16 | 32 | 64) && bytes.iter().all(u8::is_ascii_hexdigit)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_the_first_values_tell_what_all_are() {
        let (digits, bits, broken) = (&b"ffff000011119999"[..], &[0xa5; 16][..], &b"broken"[..]);
        assert_eq!(BytesForm::of([]), None);
        assert_eq!(BytesForm::of([digits, digits, broken]), Some(BytesForm::Digits));
        assert_eq!(BytesForm::of([bits, digits, bits]), Some(BytesForm::Bits));
        assert_eq!(BytesForm::of([&b"ffff0000"[..]]), Some(BytesForm::Bits), "64 bits");
        assert_eq!(BytesForm::of([&[b'0'; 64][..], &[b'A'; 32]]), Some(BytesForm::Digits));
        assert_eq!(BytesForm::of([digits].into_iter().chain([bits; 99])), Some(BytesForm::Bits));
    }
}
