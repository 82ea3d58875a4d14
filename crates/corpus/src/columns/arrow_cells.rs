//! Cells of Arrow arrays, packed: texts as they are, those that are marked as JSON as what they say, all else as JSON in the one form of its type.

use crate::columns::arrow_wide::{self, Mark};
use crate::columns::fingerprint_bytes::{BytesForm, FINGERPRINT, LOOK};
use crate::columns::json_value::Json;
use crate::columns::packed_row::{pack_bytes, pack_json, pack_marked, pack_text};
use crate::columns::text_forms::{self, Unit};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    IntervalDayTimeType, IntervalMonthDayNanoType, IntervalYearMonthType, RunEndIndexType,
    Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field, IntervalUnit, TimeUnit};
use serde_json::Value;
use std::io;

/// Where a field says what its values are beyond their type.
const EXTENSION: &str = "ARROW:extension:name";

/// A row of a column as JSON, as the rows of a file of such columns have it.
///
/// # Errors
///
/// A type that is not read.
///
/// # Examples
///
/// ```
/// use arrow_array::Date32Array;
///
/// let days = Date32Array::from(vec![Some(19_844), None]);
/// assert_eq!(nearprint_corpus::json_of(&days, 0)?, "\"2024-05-01\"");
/// assert_eq!(nearprint_corpus::json_of(&days, 1)?, "null");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn json_of(column: &dyn Array, row: usize) -> io::Result<String> {
    Ok(value(Of::values(column.data_type()), column, row)?.into_value().to_string())
}

/// Appends the cell of a row of the column of this field; where its values are fingerprints, their bytes have a form.
pub(crate) fn pack(
    field: &Field,
    form: BytesForm,
    column: &dyn Array,
    row: usize,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    let form = (field.name() == FINGERPRINT).then_some(form);
    pack_of(of_field(field), form, column, row, bytes)
}

/// What the bytes of fingerprints are, by the first of a column; none where it has none.
pub(crate) fn form(column: &dyn Array) -> io::Result<Option<BytesForm>> {
    let mut values = Vec::new();
    if is_of_bytes(column.data_type()) {
        for row in 0..column.len() {
            values.extend(plain_bytes(column, row)?);
            if values.len() == LOOK {
                break;
            }
        }
    }
    Ok(BytesForm::of(values.iter().map(Vec::as_slice)))
}

fn is_of_bytes(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => is_of_bytes(values),
        DataType::RunEndEncoded(_, values) => is_of_bytes(values.data_type()),
        DataType::FixedSizeBinary(_) => true,
        kind => matches!(kind, DataType::Binary | DataType::LargeBinary | DataType::BinaryView),
    }
}

fn plain_bytes(column: &dyn Array, row: usize) -> io::Result<Option<Vec<u8>>> {
    match plain(column, row)? {
        Some((values, row)) => plain_bytes(&*values, row),
        None if column.is_null(row) => Ok(None),
        None => Ok(any_bytes(column, row).map(<[u8]>::to_vec)),
    }
}

/// The value of a row of the column of this field, as JSON: by its field a UUID is known.
///
/// # Errors
///
/// A type that is not read.
pub fn value_at(field: &Field, column: &dyn Array, row: usize) -> io::Result<Value> {
    Ok(value(of_field(field), column, row)?.into_value())
}

/// The same of values beyond the type of their array; bytes of fingerprints have a form.
fn pack_of(
    of: Of<'_>,
    form: Option<BytesForm>,
    column: &dyn Array,
    row: usize,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    if let Some((values, row)) = plain(column, row)? {
        return pack_of(decoded(of), form, &*values, row, bytes);
    }
    let is_string = of.mark == Some(Mark::Text)
        || matches!(column.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
    // Of fingerprints all bytes are digits, also those that are marked as a UUID.
    let told = match form.filter(|_| !is_string) {
        Some(form) => digits(form, column, row),
        None => uuid(of, column, row).map(String::into_bytes),
    };
    if let Some(told) = told {
        pack_text(&told, bytes);
        return Ok(());
    }
    let is_unmarked = of.mark.is_none() && column.is_valid(row);
    let unmarked = if is_unmarked { any_bytes(column, row) } else { None };
    match (text(of, column, row), unmarked) {
        (Some(text), _) if of.is_json => pack_marked(text, bytes)?,
        (Some(text), _) => pack_text(text, bytes),
        (None, Some(unmarked)) => pack_bytes(unmarked, bytes),
        (None, None) => pack_json(&value(of, column, row)?, bytes)?,
    }
    Ok(())
}

/// What values are beyond the type that their array has.
#[derive(Clone, Copy)]
struct Of<'a> {
    /// What they are where they are shown as bytes.
    mark: Option<Mark>,
    is_uuid: bool,
    is_json: bool,
    /// The type with the fields of the schema.
    kind: &'a DataType,
}

impl<'a> Of<'a> {
    /// Those of an array of this type.
    const fn values(kind: &'a DataType) -> Self {
        Self { mark: None, is_uuid: false, is_json: false, kind }
    }
}

/// The same of the values of a dictionary or of runs.
fn decoded(of: Of<'_>) -> Of<'_> {
    match of.kind {
        DataType::Dictionary(_, kind) => Of { kind, ..of },
        DataType::RunEndEncoded(_, values) => {
            let own = of_field(values);
            Of {
                mark: own.mark.or(of.mark),
                is_uuid: own.is_uuid || of.is_uuid,
                is_json: own.is_json || of.is_json,
                ..own
            }
        }
        _ => of,
    }
}

fn of_field(field: &Field) -> Of<'_> {
    let is = |name: &str| field.metadata().get(EXTENSION).is_some_and(|told| told == name);
    Of {
        mark: Mark::of(field),
        is_uuid: is("arrow.uuid"),
        is_json: is("arrow.json"),
        kind: field.data_type(),
    }
}

/// The text of a UUID.
fn uuid(of: Of<'_>, array: &dyn Array, row: usize) -> Option<String> {
    let is_uuid = of.is_uuid && *array.data_type() == DataType::FixedSizeBinary(16);
    let uuid = || text_forms::uuid(array.as_fixed_size_binary().value(row));
    (is_uuid && array.is_valid(row)).then(uuid)
}

/// The value of a row of an array, as JSON.
fn value(of: Of<'_>, array: &dyn Array, row: usize) -> io::Result<Json> {
    if let Some((values, row)) = plain(array, row)? {
        return value(decoded(of), &*values, row);
    }
    if array.is_null(row) || row >= array.len() {
        return Ok(Value::Null.into());
    }
    if let Some(text) = text(of, array, row) {
        return Ok(if of.is_json { Json::marked(text) } else { Json::text(text) });
    }
    if let Some(bytes) = bytes(array, row) {
        return Ok(text_forms::bytes(bytes).into());
    }
    macro_rules! of {
        ($type:ty) => {
            array.as_primitive::<$type>().value(row)
        };
    }
    let timestamp = |value: i64, unit| Value::from(text_forms::timestamp(value.into(), unit));
    let span = |value: i64, unit| Value::from(text_forms::duration(value, unit));
    let decimal =
        |digits: String, scale: i8| Value::from(text_forms::decimal(&digits, scale.into()));
    Ok(Json::Whole(match array.data_type() {
        DataType::Null => Value::Null,
        DataType::Boolean => Value::from(array.as_boolean().value(row)),
        DataType::Int8 => of!(Int8Type).into(),
        DataType::Int16 => of!(Int16Type).into(),
        DataType::Int32 => of!(Int32Type).into(),
        DataType::Int64 => of!(Int64Type).into(),
        DataType::UInt8 => of!(UInt8Type).into(),
        DataType::UInt16 => of!(UInt16Type).into(),
        DataType::UInt32 => of!(UInt32Type).into(),
        DataType::UInt64 => of!(UInt64Type).into(),
        DataType::Float16 => text_forms::real(f64::from(of!(Float16Type))),
        DataType::Float32 => text_forms::real(f64::from(of!(Float32Type))),
        DataType::Float64 => text_forms::real(of!(Float64Type)),
        DataType::FixedSizeBinary(_) => {
            let bytes = array.as_fixed_size_binary().value(row);
            let sign = of.mark.and_then(Mark::sign);
            let digits = || arrow_wide::digits(bytes, sign?);
            uuid(of, array, row).or_else(digits).unwrap_or_else(|| text_forms::bytes(bytes)).into()
        }
        DataType::Date32 => text_forms::date(of!(Date32Type).into()).into(),
        DataType::Date64 => text_forms::date(of!(Date64Type).div_euclid(86_400_000)).into(),
        DataType::Time32(TimeUnit::Second) => {
            text_forms::time(of!(Time32SecondType).into(), Unit::Second).into()
        }
        DataType::Time32(_) => {
            text_forms::time(of!(Time32MillisecondType).into(), Unit::Milli).into()
        }
        DataType::Time64(TimeUnit::Microsecond) => {
            text_forms::time(of!(Time64MicrosecondType), Unit::Micro).into()
        }
        DataType::Time64(_) => text_forms::time(of!(Time64NanosecondType), Unit::Nano).into(),
        DataType::Timestamp(unit, _) => match unit {
            TimeUnit::Second => timestamp(of!(TimestampSecondType), Unit::Second),
            TimeUnit::Millisecond => timestamp(of!(TimestampMillisecondType), Unit::Milli),
            TimeUnit::Microsecond => timestamp(of!(TimestampMicrosecondType), Unit::Micro),
            TimeUnit::Nanosecond => timestamp(of!(TimestampNanosecondType), Unit::Nano),
        },
        DataType::Duration(unit) => match unit {
            TimeUnit::Second => span(of!(DurationSecondType), Unit::Second),
            TimeUnit::Millisecond => span(of!(DurationMillisecondType), Unit::Milli),
            TimeUnit::Microsecond => span(of!(DurationMicrosecondType), Unit::Micro),
            TimeUnit::Nanosecond => span(of!(DurationNanosecondType), Unit::Nano),
        },
        DataType::Interval(unit) => match unit {
            IntervalUnit::YearMonth => format!("{} months", of!(IntervalYearMonthType)).into(),
            IntervalUnit::DayTime => {
                let span = of!(IntervalDayTimeType);
                format!("{} days {} ms", span.days, span.milliseconds).into()
            }
            IntervalUnit::MonthDayNano => {
                let span = of!(IntervalMonthDayNanoType);
                format!("{} months {} days {} ns", span.months, span.days, span.nanoseconds).into()
            }
        },
        DataType::Decimal32(_, scale) => decimal(of!(Decimal32Type).to_string(), *scale),
        DataType::Decimal64(_, scale) => decimal(of!(Decimal64Type).to_string(), *scale),
        DataType::Decimal128(_, scale) => decimal(of!(Decimal128Type).to_string(), *scale),
        DataType::Decimal256(_, scale) => decimal(of!(Decimal256Type).to_string(), *scale),
        DataType::List(_) => return list(of, &array.as_list::<i32>().value(row)),
        DataType::LargeList(_) => return list(of, &array.as_list::<i64>().value(row)),
        DataType::ListView(_) => return list(of, &array.as_list_view::<i32>().value(row)),
        DataType::LargeListView(_) => return list(of, &array.as_list_view::<i64>().value(row)),
        DataType::FixedSizeList(..) => {
            return list(of, &array.as_fixed_size_list().value(row));
        }
        DataType::Struct(_) => {
            let DataType::Struct(fields) = of.kind else { return Err(unsupported(of.kind)) };
            let columns = fields.iter().zip(array.as_struct().columns());
            let members = columns.map(|(field, column)| {
                Ok((field.name().clone(), value(of_field(field), column, row)?))
            });
            return Ok(Json::object(members.collect::<io::Result<_>>()?));
        }
        DataType::Map(..) => {
            let [key, held] = within(of.kind, 0).map_or([of; 2], |entry| {
                [0, 1].map(|at| within(entry.data_type(), at).map_or(of, of_field))
            });
            let entries = array.as_map().value(row);
            let mut members = Vec::with_capacity(entries.len());
            for at in 0..entries.len() {
                let key = value(key, entries.column(0), at)?;
                members.push((key, value(held, entries.column(1), at)?));
            }
            return Ok(Json::map(members));
        }
        DataType::Union(..) => {
            let (union, id) = (array.as_union(), array.as_union().type_id(row));
            let field = match of.kind {
                DataType::Union(fields, _) => fields.iter().find(|(of, _)| *of == id),
                _ => None,
            };
            let of = field.map_or(of, |(_, field)| of_field(field));
            return value(of, union.child(id), union.value_offset(row));
        }
        other => return Err(unsupported(other)),
    }))
}

fn list(of: Of<'_>, values: &ArrayRef) -> io::Result<Json> {
    let of = within(of.kind, 0).map_or(of, of_field);
    let values = (0..values.len()).map(|at| value(of, values, at));
    values.collect()
}

/// A field within a type: the values of lists, the entries of maps, a member of an object.
fn within(of: &DataType, at: usize) -> Option<&Field> {
    match of {
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::ListView(field)
        | DataType::LargeListView(field)
        | DataType::FixedSizeList(field, _)
        | DataType::Map(field, _) => Some(field),
        DataType::Struct(fields) => fields.get(at).map(|field| &**field),
        _ => None,
    }
}

/// The array and the row that an encoded value stands for: one of a dictionary, or a run of equal ones.
fn plain(array: &dyn Array, row: usize) -> io::Result<Option<(ArrayRef, usize)>> {
    fn of_run<I: RunEndIndexType>(array: &dyn Array, row: usize) -> Option<(ArrayRef, usize)> {
        let runs = array.as_run_opt::<I>()?;
        Some((runs.values().clone(), runs.get_physical_index(row)))
    }
    Ok(match array.data_type() {
        DataType::Dictionary(..) if !array.is_null(row) => {
            let dictionary = array.as_any_dictionary();
            let keys = dictionary.keys();
            let key = value(Of::values(keys.data_type()), keys, row)?.into_value();
            let at = key.as_u64().and_then(|key| usize::try_from(key).ok());
            let at = at.filter(|at| *at < dictionary.values().len());
            let lost =
                || io::Error::new(io::ErrorKind::InvalidData, "a key has no dictionary value");
            Some((dictionary.values().clone(), at.ok_or_else(lost)?))
        }
        DataType::RunEndEncoded(..) => of_run::<Int16Type>(array, row)
            .or_else(|| of_run::<Int32Type>(array, row))
            .or_else(|| of_run::<Int64Type>(array, row)),
        _ => None,
    })
}

/// The characters of a string, which may be damaged; none of what is no string, or has none in this row.
fn text<'a>(of: Of<'_>, array: &'a dyn Array, row: usize) -> Option<&'a [u8]> {
    if array.is_null(row) {
        return None;
    }
    Some(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row).as_bytes(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).as_bytes(),
        DataType::Utf8View => array.as_string_view().value(row).as_bytes(),
        _ if of.mark == Some(Mark::Text) => bytes(array, row)?,
        _ => return bytes(array, row).filter(|bytes| simdutf8::basic::from_utf8(bytes).is_ok()),
    })
}

/// Bytes of any length, which are taken for a text where they are UTF-8.
fn bytes(array: &dyn Array, row: usize) -> Option<&[u8]> {
    Some(match array.data_type() {
        DataType::Binary => array.as_binary::<i32>().value(row),
        DataType::LargeBinary => array.as_binary::<i64>().value(row),
        DataType::BinaryView => array.as_binary_view().value(row),
        _ => return None,
    })
}

/// Bytes of any length, or of one.
fn any_bytes(array: &dyn Array, row: usize) -> Option<&[u8]> {
    match array.data_type() {
        DataType::FixedSizeBinary(_) => Some(array.as_fixed_size_binary().value(row)),
        _ => bytes(array, row),
    }
}

/// The digits of a fingerprint that is no string.
fn digits(form: BytesForm, array: &dyn Array, row: usize) -> Option<Vec<u8>> {
    if array.is_null(row) {
        return None;
    }
    let number = match array.data_type() {
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).cast_unsigned(),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row),
        _ => return Some(form.text(any_bytes(array, row)?).into_owned()),
    };
    Some(format!("{number:016x}").into_bytes())
}

fn unsupported(kind: &DataType) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, format!("a column of the type {kind} is not read"))
}
