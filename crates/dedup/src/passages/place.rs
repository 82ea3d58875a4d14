//! Where a window begins: its document and its unit, in a number that sorts as both do.

/// A document, by its rank or its record, and the first unit of a window in it.
pub(crate) const fn place(document: u32, unit: u32) -> u64 {
    (document as u64) << 32 | unit as u64
}

/// The document of a place.
pub(crate) const fn document_of(place: u64) -> u32 {
    halves(place).0
}

/// The unit of a place.
pub(crate) const fn unit_of(place: u64) -> u32 {
    halves(place).1
}

/// Two numbers of 32 bits in one.
pub(crate) const fn pair(high: u32, low: u32) -> u64 {
    place(high, low)
}

/// The two numbers of a [`pair`].
#[expect(clippy::cast_possible_truncation, reason = "each half has 32 bits")]
pub(crate) const fn halves(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}
