//! The one text form of each type of value that JSON does not have: dates, times, decimals, bytes. What a
//! value's type is says its format.
//!
//! All values of a type have one, however far from today: nothing is rounded, and nothing panics.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Number, Value};
use std::fmt::Write;

/// Units of a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Second,
    Milli,
    Micro,
    Nano,
}

impl Unit {
    /// How many make a second, and the digits of its fraction.
    fn parts(self) -> (i128, usize) {
        match self {
            Self::Second => (1, 0),
            Self::Milli => (1_000, 3),
            Self::Micro => (1_000_000, 6),
            Self::Nano => (1_000_000_000, 9),
        }
    }
}

/// Seconds of a day.
const DAY: i128 = 86_400;

/// A day, by its distance from 1970-01-01: `2024-12-31`. A year of more than four digits has a sign (ISO 8601,
/// expanded representation).
pub(crate) fn date(days: i64) -> String {
    let mut text = String::new();
    put_date(i128::from(days), &mut text);
    text
}

/// A moment, by its distance from 1970-01-01: `2024-12-31 23:59:59.123456 +00:00`, with the digits of its unit. One
/// without a zone is read as of UTC.
pub(crate) fn timestamp(value: i128, unit: Unit) -> String {
    let (parts, _) = unit.parts();
    let mut text = String::new();
    put_date(value.div_euclid(parts * DAY), &mut text);
    text.push(' ');
    put_time(value.rem_euclid(parts * DAY), unit, &mut text);
    text.push_str(" +00:00");
    text
}

/// A time of day, by its distance from midnight: `23:59:59.123`.
pub(crate) fn time(value: i64, unit: Unit) -> String {
    let mut text = String::new();
    if value < 0 {
        text.push('-');
    }
    put_time(i128::from(value).abs(), unit, &mut text);
    text
}

/// A duration: `17ms`.
pub(crate) fn duration(value: i64, unit: Unit) -> String {
    let unit = match unit {
        Unit::Second => "s",
        Unit::Milli => "ms",
        Unit::Micro => "us",
        Unit::Nano => "ns",
    };
    format!("{value}{unit}")
}

/// A number of `scale` digits behind its point, whose `digits` have no point yet.
pub(crate) fn decimal(digits: &str, scale: i32) -> String {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", digits),
    };
    let Ok(scale) = usize::try_from(scale) else {
        let zeros = usize::try_from(scale.unsigned_abs()).unwrap_or(0);
        return format!("{sign}{digits}{}", "0".repeat(if digits == "0" { 0 } else { zeros }));
    };
    if scale == 0 {
        return format!("{sign}{digits}");
    }
    let padded = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = padded.split_at(padded.len() - scale);
    format!("{sign}{whole}.{fraction}")
}

/// Bytes that are no text, in base64.
pub(crate) fn bytes(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}

/// A UUID of 16 bytes: `f81d4fae-7dec-11d0-a765-00a0c91e6bf6` (RFC 9562).
pub(crate) fn uuid(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (at, byte) in bytes.iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// A number as JSON has it; a string where it is not finite, as JSON has no such numbers.
///
/// # References
///
/// Protocol Buffers, "ProtoJSON format": `"Infinity"`, `"-Infinity"` and `"NaN"`.
pub(crate) fn real(value: f64) -> Value {
    let name = match value {
        f64::INFINITY => "Infinity",
        f64::NEG_INFINITY => "-Infinity",
        _ => "NaN",
    };
    Number::from_f64(value).map_or_else(|| name.into(), Value::Number)
}

/// Appends the day of a date in the proleptic Gregorian calendar.
///
/// # References
///
/// H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
fn put_date(days: i128, text: &mut String) {
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i128::from(month <= 2);
    let _ = match year {
        0..=9999 => write!(text, "{year:04}-{month:02}-{of_month:02}"),
        _ => write!(text, "{year:+05}-{month:02}-{of_month:02}"),
    };
}

/// Appends a time of day; hours beyond the day go on.
fn put_time(value: i128, unit: Unit, text: &mut String) {
    let (parts, digits) = unit.parts();
    let (seconds, fraction) = (value / parts, value % parts);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let _ = write!(text, "{hours:02}:{minutes:02}:{seconds:02}");
    if digits > 0 {
        let _ = write!(text, ".{fraction:0digits$}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{NaiveDate, TimeDelta};

    #[test]
    fn dates_are_those_of_the_calendar() {
        let epoch = NaiveDate::from_ymd_opt(1970, 1, 1).unwrap();
        for days in (-800_000..800_000).step_by(997) {
            let expected = epoch.checked_add_signed(TimeDelta::days(days)).unwrap();
            assert_eq!(date(days), expected.format("%Y-%m-%d").to_string());
        }
        assert_eq!(date(i64::from(i32::MAX)), "+5881580-07-11");
        assert_eq!(date(i64::from(i32::MIN)), "-5877641-06-23");
    }

    #[test]
    fn moments_have_the_digits_of_their_unit() {
        assert_eq!(timestamp(0, Unit::Second), "1970-01-01 00:00:00 +00:00");
        assert_eq!(timestamp(-1, Unit::Milli), "1969-12-31 23:59:59.999 +00:00");
        let nanos = 1_700_000_000_123_456_789;
        assert_eq!(timestamp(nanos, Unit::Nano), "2023-11-14 22:13:20.123456789 +00:00");
        let far = timestamp(i128::from(i64::MAX), Unit::Micro);
        assert_eq!(far, "+294247-01-10 04:00:54.775807 +00:00");
        assert_eq!(time(86_399_999, Unit::Milli), "23:59:59.999");
    }

    #[test]
    fn decimals_have_their_point() {
        for (digits, scale, text) in [
            ("12345", 2, "123.45"),
            ("-5", 3, "-0.005"),
            ("0", 2, "0.00"),
            ("99999", 5, "0.99999"),
            ("12", 0, "12"),
            ("12", -2, "1200"),
        ] {
            assert_eq!(decimal(digits, scale), text);
        }
        let reals = [1.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN].map(real);
        assert_eq!(
            Value::from(reals.to_vec()).to_string(),
            r#"[1.5,"Infinity","-Infinity","NaN"]"#
        );
        assert_eq!(uuid(&[0xab; 16]), "abababab-abab-abab-abab-abababababab");
    }
}
