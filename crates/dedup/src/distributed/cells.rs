//! Columns of the file of a unit: typed handles, how a file declares them, and the values of some rows.

use bytes::Bytes;
use nearprint_fingerprint::mix64;
use std::borrow::Cow;
use std::marker::PhantomData;
use xxhash_rust::xxh3::xxh3_64;

/// A column by its name and the type of its values. Whoever writes it and whoever reads it share the handle; where
/// it is in a file is the schema's alone.
#[derive(Clone, Debug)]
pub(crate) struct Column<T: ?Sized> {
    name: Cow<'static, str>,
    values: PhantomData<fn() -> Box<T>>,
}

/// A column as a file declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: Cow<'static, str>,
    pub(crate) kind: Kind,
}

/// A type of values: 64 bits, bytes, or text.
pub(crate) trait Cell {
    /// A value as it is pushed and read.
    type Of<'a>;

    /// Appends a value.
    fn push(value: Self::Of<'_>, cells: &mut Cells);

    /// The value in a row; 0 or empty where there is none.
    fn at(cells: &Cells, row: usize) -> Self::Of<'_>;
}

/// The values of a column in some rows, by the type of its handle.
#[derive(Clone, Debug)]
pub(crate) struct Values<T: ?Sized> {
    cells: Cells,
    values: PhantomData<fn() -> Box<T>>,
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

impl<T: ?Sized> Column<T> {
    /// The handle of the column of that name.
    pub(crate) const fn new(name: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), values: PhantomData }
    }

    /// The handle of a column whose name is made.
    pub(crate) const fn named(name: String) -> Self {
        Self { name: Cow::Owned(name), values: PhantomData }
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    fn declared(self, kind: Kind) -> Field {
        Field { name: self.name, kind }
    }
}

impl Column<u64> {
    /// A column of numbers.
    pub(crate) fn numbers(self) -> Field {
        self.declared(Kind::Number)
    }
}

impl Column<[u8]> {
    /// A column of so many bytes a row.
    pub(crate) fn fixed(self, bytes: usize) -> Field {
        self.declared(Kind::Fixed(bytes))
    }

    /// A column of any number of bytes a row.
    pub(crate) fn bytes(self) -> Field {
        self.declared(Kind::Bytes)
    }
}

impl Column<str> {
    /// A column of text.
    pub(crate) fn text(self) -> Field {
        self.declared(Kind::Text)
    }
}

impl Cell for u64 {
    type Of<'a> = u64;

    fn push(value: u64, cells: &mut Cells) {
        cells.push_bytes(&value.to_le_bytes());
    }

    fn at(cells: &Cells, row: usize) -> u64 {
        cells.bytes(row).first_chunk().map_or(0, |bytes| Self::from_le_bytes(*bytes))
    }
}

impl Cell for [u8] {
    type Of<'a> = &'a [u8];

    fn push(value: &[u8], cells: &mut Cells) {
        cells.push_bytes(value);
    }

    fn at(cells: &Cells, row: usize) -> &[u8] {
        cells.bytes(row)
    }
}

impl Cell for str {
    type Of<'a> = &'a str;

    fn push(value: &str, cells: &mut Cells) {
        cells.push_bytes(value.as_bytes());
    }

    fn at(cells: &Cells, row: usize) -> &str {
        str::from_utf8(cells.bytes(row)).unwrap_or_default()
    }
}

impl<T: Cell + ?Sized> Values<T> {
    /// The values in these cells.
    pub(crate) const fn new(cells: Cells) -> Self {
        Self { cells, values: PhantomData }
    }

    /// The value in a row; 0 or empty where there is none.
    pub(crate) fn at(&self, row: usize) -> T::Of<'_> {
        T::at(&self.cells, row)
    }

    /// The number of values.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }
}

impl Field {
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
    /// Appends the bytes of a value.
    fn push_bytes(&mut self, value: &[u8]) {
        match self {
            Self::Fixed(bytes, values) => {
                assert_eq!(*bytes, value.len(), "as many bytes as the column has");
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

    /// The bytes in a row; none where there is none.
    fn bytes(&self, row: usize) -> &[u8] {
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

    const NUMBERS: Column<u64> = Column::new("numbers");
    const BYTES: Column<[u8]> = Column::new("bytes");
    const TEXT: Column<str> = Column::new("text");

    #[test]
    fn values_come_back_and_every_one_counts() {
        let mut cells = NUMBERS.numbers().cells();
        [1, u64::MAX].into_iter().for_each(|value| u64::push(value, &mut cells));
        assert_eq!([0, 1, 2].map(|row| u64::at(&cells, row)), [1, u64::MAX, 0]);
        let mut fixed = BYTES.fixed(2).cells();
        [b"ab", b"cd"].into_iter().for_each(|value| <[u8]>::push(value, &mut fixed));
        assert_eq!([0, 1, 2].map(|row| str::at(&fixed, row)), ["ab", "cd", ""]);
        let mut bytes = TEXT.text().cells();
        ["", "abc", "d"].into_iter().for_each(|value| str::push(value, &mut bytes));
        let values = Values::<str>::new(bytes.clone());
        assert_eq!([0, 1, 2, 3].map(|row| values.at(row)), ["", "abc", "d", ""]);
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
        for (cells, field) in
            [(&cells, NUMBERS.numbers()), (&fixed, BYTES.fixed(2)), (&bytes, BYTES.bytes())]
        {
            let (plain, mut read) = (plain(cells), field.cells());
            assert!(read.extend_plain(&plain) && read == *cells, "{read:?}");
            assert!(!read.extend_plain(&plain[..plain.len() - 1]), "cut short");
        }
        assert_eq!(cells.numbers(), [1, -1]);
        let mut moved = BYTES.bytes().cells();
        ["a", "bc", "d"].into_iter().for_each(|value| str::push(value, &mut moved));
        assert_ne!(moved.checksum(), sums[2]);
        u64::push(0, &mut cells);
        str::push("ef", &mut fixed);
        str::push("", &mut bytes);
        for (cells, before) in [&cells, &fixed, &bytes].into_iter().zip(sums) {
            assert_ne!(cells.checksum(), before);
        }
    }
}
