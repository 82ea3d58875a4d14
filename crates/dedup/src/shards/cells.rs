//! Columns of a file of a unit: their names and types, and the values of some rows.

use bytes::Bytes;
use nearprint_fingerprint::mix64;
use xxhash_rust::xxh3::xxh3_64;

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// What a column holds in every row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// 64 bits.
    Number,
    /// So many bytes.
    Fixed(usize),
    /// Any number of bytes, such as of hashes.
    Bytes,
    /// Any number of bytes that can be compressed.
    Text,
}

/// The values of a column in some rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cells {
    /// Values of so many bytes, one behind the other; of a number eight, little-endian.
    Fixed(usize, Vec<u8>),
    /// Values one behind the other, and where each ends.
    Bytes(Vec<u8>, Vec<usize>),
}

impl Column {
    /// A column of that name.
    pub(crate) fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self { name: name.into(), kind }
    }

    /// No values yet.
    pub(crate) fn cells(&self) -> Cells {
        match self.kind {
            Kind::Number => Cells::Fixed(8, Vec::new()),
            Kind::Fixed(bytes) => Cells::Fixed(bytes, Vec::new()),
            Kind::Bytes | Kind::Text => Cells::Bytes(Vec::new(), Vec::new()),
        }
    }
}

impl Cells {
    /// Appends 64 bits to a column of numbers.
    pub(crate) fn push(&mut self, value: u64) {
        self.push_bytes(&value.to_le_bytes());
    }

    /// Appends the bytes of a value.
    pub(crate) fn push_bytes(&mut self, value: &[u8]) {
        match self {
            Self::Fixed(bytes, values) => {
                debug_assert_eq!(*bytes, value.len(), "as many bytes as the column has");
                values.extend_from_slice(value);
            }
            Self::Bytes(values, ends) => {
                values.extend_from_slice(value);
                ends.push(values.len());
            }
        }
    }

    /// Appends values as Parquet writes them plainly; false where they are none.
    pub(crate) fn extend_plain(&mut self, mut plain: &[u8]) -> bool {
        match self {
            Self::Fixed(bytes, values) => {
                values.extend_from_slice(plain);
                plain.len().is_multiple_of(*bytes)
            }
            Self::Bytes(values, ends) => {
                while let Some((length, rest)) = plain.split_first_chunk() {
                    let length = u32::from_le_bytes(*length) as usize;
                    let Some((value, rest)) = rest.split_at_checked(length) else { return false };
                    values.extend_from_slice(value);
                    ends.push(values.len());
                    plain = rest;
                }
                plain.is_empty()
            }
        }
    }

    /// All numbers of a column of such, as Parquet takes them.
    pub(crate) fn numbers(&self) -> Vec<i64> {
        let Self::Fixed(_, values) = self else { return Vec::new() };
        let (values, _) = values.as_chunks::<8>();
        values.iter().map(|value| i64::from_le_bytes(*value)).collect()
    }

    /// The values as slices of one buffer.
    pub(crate) fn into_slices(self) -> Vec<Bytes> {
        match self {
            Self::Fixed(bytes, values) => {
                let values = Bytes::from(values);
                let starts = (0..values.len()).step_by(bytes.max(1));
                starts.map(|start| values.slice(start..start + bytes)).collect()
            }
            Self::Bytes(values, ends) => {
                let (values, mut start) = (Bytes::from(values), 0);
                let slice = |end| values.slice(std::mem::replace(&mut start, end)..end);
                ends.into_iter().map(slice).collect()
            }
        }
    }

    /// The number of values.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Fixed(bytes, values) => values.len() / (*bytes).max(1),
            Self::Bytes(_, ends) => ends.len(),
        }
    }

    /// Bytes in memory.
    pub(crate) fn held_bytes(&self) -> usize {
        match self {
            Self::Fixed(_, values) => values.len(),
            Self::Bytes(values, ends) => values.len() + size_of_val(&**ends),
        }
    }

    /// The number in a row; 0 where there is none.
    pub(crate) fn number(&self, row: usize) -> u64 {
        self.bytes(row).first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    /// The bytes in a row; none where there is none.
    pub(crate) fn bytes(&self, row: usize) -> &[u8] {
        match self {
            Self::Fixed(bytes, values) => {
                values.get(row * bytes..(row + 1) * bytes).unwrap_or_default()
            }
            Self::Bytes(values, ends) => {
                let end = |at: usize| ends.get(at).copied().unwrap_or(0);
                let start = row.checked_sub(1).map_or(0, end);
                values.get(start..end(row)).unwrap_or_default()
            }
        }
    }

    /// The bytes in a row as text, which they were when they were written.
    pub(crate) fn text(&self, row: usize) -> &str {
        str::from_utf8(self.bytes(row)).unwrap_or_default()
    }

    /// A checksum of all values and their borders.
    pub(crate) fn checksum(&self) -> u64 {
        match self {
            Self::Fixed(_, values) => xxh3_64(values),
            Self::Bytes(values, ends) => {
                ends.iter().fold(xxh3_64(values), |sum, end| mix64(sum ^ *end as u64))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_and_every_one_counts() {
        let mut cells = Column::new("n", Kind::Number).cells();
        [1, u64::MAX].into_iter().for_each(|value| cells.push(value));
        assert_eq!([0, 1, 2].map(|row| cells.number(row)), [1, u64::MAX, 0]);
        let mut fixed = Column::new("f", Kind::Fixed(2)).cells();
        ["ab", "cd"].into_iter().for_each(|value| fixed.push_bytes(value.as_bytes()));
        assert_eq!([0, 1, 2].map(|row| fixed.text(row)), ["ab", "cd", ""]);
        let mut bytes = Column::new("b", Kind::Bytes).cells();
        ["", "abc", "d"].into_iter().for_each(|value| bytes.push_bytes(value.as_bytes()));
        assert_eq!([0, 1, 2, 3].map(|row| bytes.text(row)), ["", "abc", "d", ""]);
        assert_eq!([cells.len(), fixed.len(), bytes.len()], [2, 2, 3]);
        let sums = [&cells, &fixed, &bytes].map(Cells::checksum);
        let plain = |cells: &Cells| -> Vec<u8> {
            let length = |one: &Bytes| u32::try_from(one.len()).unwrap().to_le_bytes().to_vec();
            let of = |one: Bytes| match cells {
                Cells::Bytes(..) => [length(&one), one.to_vec()].concat(),
                _ => one.to_vec(),
            };
            cells.clone().into_slices().into_iter().flat_map(of).collect()
        };
        for (cells, kind) in
            [(&cells, Kind::Number), (&fixed, Kind::Fixed(2)), (&bytes, Kind::Text)]
        {
            let (plain, mut read) = (plain(cells), Column::new("r", kind).cells());
            assert!(read.extend_plain(&plain) && read == *cells, "{read:?}");
            assert!(!read.extend_plain(&plain[..plain.len() - 1]), "cut short");
        }
        assert_eq!(cells.numbers(), [1, -1]);
        let mut moved = Column::new("b", Kind::Bytes).cells();
        ["a", "bc", "d"].into_iter().for_each(|value| moved.push_bytes(value.as_bytes()));
        assert_ne!(moved.checksum(), sums[2]);
        cells.push(0);
        fixed.push_bytes(b"ef");
        bytes.push_bytes(b"");
        for (cells, before) in [&cells, &fixed, &bytes].into_iter().zip(sums) {
            assert_ne!(cells.checksum(), before);
        }
    }
}
