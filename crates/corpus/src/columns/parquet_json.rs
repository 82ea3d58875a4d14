//! Values of Parquet as JSON, each type in its one form. The library's own forms panic at far dates and lose digits.

use crate::columns::json_value::Json;
use crate::columns::parquet_leaves::{Leaves, element, entry};
use crate::columns::parquet_shown::{has_nested_keys, is_json, is_string};
use crate::columns::text_forms::{self, Unit};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit};
use parquet::data_type::Decimal;
use parquet::record::{Field, Row};
use parquet::schema::types::Type;
use serde_json::Value;

/// A value of a type, where that is known.
pub(crate) fn json(field: &Field, of: Option<&Type>, leaves: &mut Leaves<'_>) -> Json {
    let value = match field {
        Field::Null => Value::Null,
        Field::Bool(value) => (*value).into(),
        Field::Byte(value) => (*value).into(),
        Field::Short(value) => (*value).into(),
        Field::Int(value) => by_unit((*value).into(), of).unwrap_or_else(|| (*value).into()),
        Field::Long(value) => match leaves.duration(of, *value) {
            Some(duration) => duration.into(),
            None => by_unit(*value, of).unwrap_or_else(|| (*value).into()),
        },
        Field::UByte(value) => (*value).into(),
        Field::UShort(value) => (*value).into(),
        Field::UInt(value) => (*value).into(),
        Field::ULong(value) => (*value).into(),
        Field::Float16(value) => text_forms::real(f64::from(*value)),
        Field::Float(value) => text_forms::real(f64::from(*value)),
        Field::Double(value) => text_forms::real(*value),
        Field::Decimal(value) => decimal(value).into(),
        Field::Str(text) => text.as_str().into(),
        Field::Bytes(value) if of.is_some_and(is_json) => return Json::marked(value.data()),
        Field::Bytes(value) if of.is_some_and(is_string) => return Json::text(value.data()),
        Field::Bytes(value) => match leaves.digits(of, value.data()) {
            Some(digits) => digits.into(),
            None => bytes(value.data(), of),
        },
        Field::Date(days) => text_forms::date((*days).into()).into(),
        Field::TimeMillis(value) => text_forms::time((*value).into(), Unit::Milli).into(),
        Field::TimeMicros(value) => text_forms::time(*value, Unit::Micro).into(),
        Field::TimestampMillis(value) => leaves
            .moment(of)
            .unwrap_or_else(|| text_forms::timestamp((*value).into(), Unit::Milli).into()),
        Field::TimestampMicros(value) => text_forms::timestamp((*value).into(), Unit::Micro).into(),
        Field::Group(row) => return group(row, of, leaves),
        Field::ListInternal(list) if of.is_some_and(has_nested_keys) => {
            let (key, value) = of.map_or((None, None), entry);
            let entries = list.elements().iter().filter_map(|entry| match entry {
                Field::Group(row) => Some(row),
                _ => None,
            });
            let entries = entries.map(|row| {
                let mut members = row.get_column_iter().map(|(_, member)| member);
                let mut member = |of| json(members.next().unwrap_or(&Field::Null), of, leaves);
                (member(key), member(value))
            });
            return Json::map(entries.collect());
        }
        Field::ListInternal(list) => {
            let element = of.and_then(element);
            return list.elements().iter().map(|value| json(value, element, leaves)).collect();
        }
        Field::MapInternal(map) => {
            let (key, value) = of.map_or((None, None), entry);
            let entries = map
                .entries()
                .iter()
                .map(|(name, held)| (json(name, key, leaves), json(held, value, leaves)));
            return Json::map(entries.collect());
        }
    };
    value.into()
}

/// Bytes of a column that has no mark of a string: as a text, or else in base64.
pub(crate) fn bytes(bytes: &[u8], of: Option<&Type>) -> Value {
    text_of_bytes(bytes, of).unwrap_or_else(|| text_forms::bytes(bytes)).into()
}

/// The text that such bytes are, where they are UTF-8 of any length, as Hive, Impala and older Spark write texts; or
/// that of a UUID or an interval. None of other bytes.
pub(crate) fn text_of_bytes(bytes: &[u8], of: Option<&Type>) -> Option<String> {
    let logical = of.and_then(|of| of.get_basic_info().logical_type_ref().cloned());
    let converted = of.map(|of| of.get_basic_info().converted_type());
    match (logical, converted, bytes) {
        (Some(LogicalType::Uuid), _, _) if bytes.len() == 16 => Some(text_forms::uuid(bytes)),
        (_, Some(ConvertedType::INTERVAL), _) if bytes.len() == 12 => Some(interval(bytes)),
        _ => str::from_utf8(bytes).ok().filter(|_| is_variable(of)).map(str::to_owned),
    }
}

/// Whether values of a type have any length.
fn is_variable(of: Option<&Type>) -> bool {
    let physical = of.filter(|of| of.is_primitive()).map(Type::get_physical_type);
    physical != Some(parquet::basic::Type::FIXED_LEN_BYTE_ARRAY)
}

/// Months, days and milliseconds, each of 32 bits.
fn interval(bytes: &[u8]) -> String {
    let mut parts = bytes
        .chunks_exact(4)
        .map(|part| part.iter().rev().fold(0_u32, |number, byte| number << 8 | u32::from(*byte)));
    let mut part = || parts.next().unwrap_or(0);
    format!("{} months {} days {} ms", part(), part(), part())
}

/// A number that counts a unit of time, where its logical type says so and no older mark does.
fn by_unit(value: i64, of: Option<&Type>) -> Option<Value> {
    let unit = |unit: &TimeUnit| match unit {
        TimeUnit::MILLIS => Unit::Milli,
        TimeUnit::MICROS => Unit::Micro,
        TimeUnit::NANOS => Unit::Nano,
    };
    match of?.get_basic_info().logical_type_ref()? {
        LogicalType::Timestamp(stated) => {
            Some(text_forms::timestamp(value.into(), unit(&stated.unit)).into())
        }
        LogicalType::Time(stated) => Some(text_forms::time(value, unit(&stated.unit)).into()),
        _ => None,
    }
}

fn group(row: &Row, of: Option<&Type>, leaves: &mut Leaves<'_>) -> Json {
    // The library may know fields by other names.
    let fields = of.filter(|of| of.is_group()).map_or(&[][..], |of| of.get_fields());
    let members = row.get_column_iter().enumerate().map(|(at, (name, field))| {
        let of = fields.get(at).map(|of| &**of);
        (of.map_or(name.as_str(), Type::name).to_owned(), json(field, of, leaves))
    });
    Json::object(members.collect())
}

/// The digits of a decimal of any length.
fn decimal(decimal: &Decimal) -> String {
    text_forms::decimal(&signed(decimal.data()), decimal.scale())
}

/// The digits of an integer, of which the most significant byte comes first.
fn signed(bytes: &[u8]) -> String {
    let negative = bytes.first().is_some_and(|byte| byte & 0x80 != 0);
    // The magnitude: of a negative number the complement, and one.
    let mut rest: Vec<u8> = bytes.iter().map(|byte| if negative { !byte } else { *byte }).collect();
    if negative {
        for byte in rest.iter_mut().rev() {
            let (next, carry) = byte.overflowing_add(1);
            *byte = next;
            if !carry {
                break;
            }
        }
    }
    let mut digits = Vec::new();
    while rest.iter().any(|byte| *byte > 0) {
        let mut remainder = 0_u16;
        for byte in &mut rest {
            let number = remainder << 8 | u16::from(*byte);
            *byte = u8::try_from(number / 10).unwrap_or(0);
            remainder = number % 10;
        }
        digits.push(char::from(b'0' + u8::try_from(remainder).unwrap_or(0)));
    }
    if digits.is_empty() {
        return "0".to_owned();
    }
    if negative {
        digits.push('-');
    }
    digits.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_any_length_have_their_digits() {
        for value in
            [0_i128, 1, -1, 255, -256, 12_345_678_901_234_567_890, i128::MAX, i128::MIN + 1]
        {
            assert_eq!(signed(&value.to_be_bytes()), value.to_string());
        }
        assert_eq!(signed(&[]), "0");
        assert_eq!(signed(&[0x80]), "-128");
        assert_eq!(signed(&[0xff; 20]), "-1");
    }
}
