//! What the scanners do with bytes of text: cut it into pieces, decode a character.

/// Bytes of a piece where the text can be cut: all that is made of it stays in the first cache.
const PIECE: usize = 4096;

/// Where the first piece of a text ends: the words on each side, and what they are normalised to,
/// do not depend on the other side.
pub(crate) fn cut(text: &str) -> usize {
    let bytes = text.as_bytes();
    let apart = |at: &usize| {
        matches!(bytes[at - 1], b' ' | b'\n' | b'\t' | b'\r') || matches!(bytes[*at], 0xe5..=0xe8)
    };
    if bytes.len() <= PIECE {
        return bytes.len();
    }
    (PIECE / 2..=PIECE - 1)
        .rev()
        .find(apart)
        .or_else(|| (PIECE..bytes.len()).find(apart))
        .unwrap_or(bytes.len())
}

/// The character beyond ASCII that begins there, and its bytes.
#[inline(always)]
pub(crate) fn decode(bytes: &[u8], at: usize) -> (char, usize) {
    let byte = |i: usize| u32::from(bytes.get(at + i).copied().unwrap_or(0) & 0x3f);
    let first = u32::from(bytes[at]);
    let (point, length) = if first < 0xe0 {
        ((first & 0x1f) << 6 | byte(1), 2)
    } else if first < 0xf0 {
        ((first & 0xf) << 12 | byte(1) << 6 | byte(2), 3)
    } else {
        ((first & 7) << 18 | byte(1) << 12 | byte(2) << 6 | byte(3), 4)
    };
    (char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER), length)
}
