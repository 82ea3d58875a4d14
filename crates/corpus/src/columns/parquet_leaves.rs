//! Leaves of columns of Parquet of which the library's rows do not have the whole value: integers of 128 bits, which are
//! bytes there, durations, which are integers, and moments of 96 bits, which have milliseconds; and the types within a type.
//! Columns of one value a row are read by `parquet_group`.

#![deny(clippy::indexing_slicing)]

use crate::columns::arrow_wide::{self, sign_of};
use crate::columns::library::library;
use crate::columns::parquet_error::as_io;
use crate::columns::text_forms::{self, Unit};
use arrow_ipc::{Field as Described, TimeUnit, root_as_message};
use parquet::basic::ConvertedType;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{Int96, Int96Type};
use parquet::errors::ParquetError;
use parquet::schema::types::{ColumnDescriptor, Type};
use serde_json::Value;
use std::collections::HashMap;
use std::io;
use std::ptr;
use std::vec;

/// Rows of which the values of a leaf are read at a time.
const ROWS: usize = 64;

/// What a leaf holds that is of no type of Parquet.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    /// Integers of 128 bits, which Parquet has as 16 bytes, and whether they are signed.
    Wide(bool),
    /// Durations, which Parquet has as integers of 64 bits.
    Duration(Unit),
}

impl Meaning {
    fn of(field: Described<'_>) -> Option<Self> {
        let unit = |unit: TimeUnit| match unit {
            TimeUnit::SECOND => Unit::Second,
            TimeUnit::MILLISECOND => Unit::Milli,
            TimeUnit::MICROSECOND => Unit::Micro,
            _ => Unit::Nano,
        };
        let duration = || field.type_as_duration().map(|of| Self::Duration(unit(of.unit())));
        sign_of(field).map(Self::Wide).or_else(duration)
    }
}

/// The leaves of a file that hold more than their types say.
///
/// A leaf is known by the place of its type in the schema of the file.
#[derive(Debug, Default)]
pub(crate) struct Meanings(HashMap<usize, Meaning>);

impl Meanings {
    /// By a message with the schema of Arrow that is stored beside that of Parquet, whose columns are those of `root`.
    pub(crate) fn of(message: &[u8], root: &Type) -> Self {
        let mut meanings = Self::default();
        let message = root_as_message(message).ok();
        let schema = message.and_then(|message| message.header_as_schema());
        for column in schema.and_then(|schema| schema.fields()).into_iter().flatten() {
            meanings.add_member(column, root);
        }
        meanings
    }

    /// Whether a leaf holds integers of 128 bits, and these are signed.
    pub(crate) fn sign(&self, of: &Type) -> Option<bool> {
        match self.0.get(&place(of))? {
            Meaning::Wide(is_signed) => Some(*is_signed),
            Meaning::Duration(_) => None,
        }
    }

    /// The unit of the durations that a leaf holds.
    fn unit(&self, of: &Type) -> Option<Unit> {
        match self.0.get(&place(of))? {
            Meaning::Duration(unit) => Some(*unit),
            Meaning::Wide(_) => None,
        }
    }

    /// Adds a field that a group has.
    fn add_member(&mut self, field: Described<'_>, group: &Type) {
        let members = group.get_fields().iter();
        let of = field.name().and_then(|name| members.into_iter().find(|of| of.name() == name));
        of.into_iter().for_each(|of| self.add(field, of));
    }

    fn add(&mut self, field: Described<'_>, of: &Type) {
        if of.is_primitive() {
            self.0.extend(Meaning::of(field).map(|meaning| (place(of), meaning)));
            return;
        }
        match of.get_basic_info().converted_type() {
            ConvertedType::LIST => {
                let element = element(of);
                children(field).zip(element).for_each(|(child, of)| self.add(child, of));
            }
            ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE => {
                let (key, value) = entry(of);
                for (member, of) in children(field).flat_map(children).zip([key, value]) {
                    of.into_iter().for_each(|of| self.add(member, of));
                }
            }
            _ => children(field).for_each(|child| self.add_member(child, of)),
        }
    }
}

/// The fields within a field.
fn children<'a>(field: Described<'a>) -> impl Iterator<Item = Described<'a>> {
    field.children().into_iter().flatten()
}

/// What a row group has of such leaves, read along with its rows.
pub(crate) struct Leaves<'g> {
    meanings: &'g Meanings,
    moments: HashMap<usize, Moments>,
    failed: Option<ParquetError>,
}

impl<'g> Leaves<'g> {
    pub(crate) fn new(meanings: &'g Meanings) -> Self {
        Self { meanings, moments: HashMap::new(), failed: None }
    }

    /// Adds a leaf of a nested column, where it holds moments of 96 bits.
    pub(crate) fn add(&mut self, descriptor: &ColumnDescriptor, reader: ColumnReader) {
        if let ColumnReader::Int96ColumnReader(reader) = reader {
            let levels = [descriptor.max_def_level() > 0, descriptor.max_rep_level() > 0];
            let values = Vec::new().into_iter();
            let moments = Moments { reader, levels, values };
            self.moments.insert(place(descriptor.self_type()), moments);
        }
    }

    /// The digits of bytes that are an integer of a leaf.
    pub(crate) fn digits(&self, of: Option<&Type>, bytes: &[u8]) -> Option<String> {
        arrow_wide::digits(bytes, self.meanings.sign(of?)?)
    }

    /// The text of a number that is a duration of a leaf.
    pub(crate) fn duration(&self, of: Option<&Type>, value: i64) -> Option<String> {
        Some(text_forms::duration(value, self.meanings.unit(of?)?))
    }

    /// The next value of a leaf of moments; none of another leaf.
    pub(crate) fn moment(&mut self, of: Option<&Type>) -> Option<Value> {
        match self.moments.get_mut(&place(of?))?.next() {
            Ok(value) => Some(int96(&value)),
            Err(error) => {
                self.failed = Some(error);
                None
            }
        }
    }

    /// # Errors
    /// What reading a leaf of the last row failed with.
    pub(crate) fn check(&mut self) -> io::Result<()> {
        self.failed.take().map_or(Ok(()), |error| Err(as_io(error)))
    }
}

/// The values of a leaf in their order, without those that are null.
struct Moments {
    reader: ColumnReaderImpl<Int96Type>,
    /// Whether values may be missing, and may be several in a row.
    levels: [bool; 2],
    values: vec::IntoIter<Int96>,
}

impl Moments {
    fn next(&mut self) -> Result<Int96, ParquetError> {
        loop {
            if let Some(value) = self.values.next() {
                return Ok(value);
            }
            let (mut values, mut defined, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
            let [may_be_missing, may_be_several] = self.levels;
            let defined = may_be_missing.then_some(&mut defined);
            let repeated = may_be_several.then_some(&mut repeated);
            let read = library(|| self.reader.read_records(ROWS, defined, repeated, &mut values));
            let (rows, ..) = read.map_err(ParquetError::General).flatten()?;
            if rows == 0 {
                return Err(ParquetError::EOF("a column has too few values".to_owned()));
            }
            self.values = values.into_iter();
        }
    }
}

/// A moment of 96 bits: nanoseconds of a day, and its Julian number.
pub(crate) fn int96(value: &Int96) -> Value {
    /// The Julian day of 1970-01-01.
    const EPOCH: i128 = 2_440_588;
    let [low, high, day] = match value.data() {
        [low, high, day] => [*low, *high, *day],
        _ => return Value::Null,
    };
    let nanos = i128::from(u64::from(low) | u64::from(high) << 32);
    let days = i128::from(day.cast_signed()) - EPOCH;
    text_forms::timestamp(days * 86_400_000_000_000 + nanos, Unit::Nano).into()
}

/// The type of the values of a list: of its three levels, or of the two that older programs write.
pub(crate) fn element(list: &Type) -> Option<&Type> {
    if !list.is_group() || list.get_basic_info().converted_type() != ConvertedType::LIST {
        return Some(list);
    }
    let repeated = list.get_fields().first()?;
    if repeated.is_group()
        && let [only] = repeated.get_fields()
        && repeated.name() != "array"
        && repeated.name() != format!("{}_tuple", list.name())
    {
        return Some(only);
    }
    Some(repeated)
}

/// The types of the keys and of the values of a map.
pub(crate) fn entry(map: &Type) -> (Option<&Type>, Option<&Type>) {
    let entries = map.is_group().then(|| map.get_fields().first()).flatten();
    let fields = entries.filter(|of| of.is_group()).map_or(&[][..], |of| of.get_fields());
    (fields.first().map(|of| &**of), fields.get(1).map(|of| &**of))
}

/// Where a type lies: the schema of a file holds it, of which no two are at one place.
fn place(of: &Type) -> usize {
    ptr::from_ref(of).addr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_96_bits_keep_every_digit() {
        let value = Int96::from(vec![123_456_789, 0, 2_440_588]);
        assert_eq!(int96(&value), Value::from("1970-01-01 00:00:00.123456789 +00:00"));
        let far = Int96::from(vec![0, 0, u32::MAX >> 1]);
        assert_eq!(int96(&far), Value::from("+5874898-06-03 00:00:00.000000000 +00:00"));
    }
}
