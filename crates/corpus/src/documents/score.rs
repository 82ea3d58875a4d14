//! What a document is worth beside others: a number, a date or a time in a field of its row.

use crate::documents::fields::{Fields, Place};
use crate::documents::row::{Row, json_type};
use crate::error::Error;

/// Seconds of a day.
const DAY: i64 = 86_400;

/// A value that documents are ordered by: a number, a date, a time, a duration or a truth value.
///
/// Values are ordered exactly to 35 digits: integers of 64 bits, times of a nanosecond, decimals.
///
/// # Examples
/// ```
/// use nearprint_corpus::Score;
///
/// let of = |text| Score::of_text(text).map(Score::order);
/// assert!(of("9007199254740993") > of("9007199254740992"));
/// assert!(of("1.500000000000000001") > of("1.5"));
/// assert!(of("2024-05-01 12:00:00.000000002") > of("2024-05-01T12:00:00.000000001Z"));
/// assert!(of("infinity") > of("1e308"));
/// assert_eq!(of("1.50"), Some(Score::from(1.5).order()));
/// assert_eq!((of("NaN"), of("soon")), (None, None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// It is greater the greater the value is.
    order: u128,
}

/// Bits behind the first of a value that are kept: 128, less the sign and the exponent.
const MANTISSA: u32 = 116;
/// The exponent of values that are infinite, or beyond 2^1024; 0 is that of 0.
const INFINITE: i64 = 2047;
/// What exponents are stored with.
const BIAS: i64 = 1023;

impl Score {
    /// The value that a text stands for:
    /// - a number, or `inf`, as Rust reads it;
    /// - `true` or `false`, which is less;
    /// - a date, with or without a time and a zone, as of ISO 8601 (`2024-05-01`, `2024-05-01 12:00`,
    ///   `2024-05-01T12:00:00.5+0200`), as the seconds since 1970; without a zone it is UTC;
    /// - a time of day, as the seconds since midnight;
    /// - a duration in `s`, `ms`, `us` or `ns`, such as `17ms`, in seconds.
    ///
    /// `None` for any other, and for what has no place in an order: NaN.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Ok(value) = text.parse::<f64>() {
            return (!value.is_nan()).then(|| Self::of_number(text, value));
        }
        match text {
            "true" | "True" | "TRUE" => Some(1.0.into()),
            "false" | "False" | "FALSE" => Some(0.0.into()),
            _ => of_duration(text).or_else(|| of_moment(text)),
        }
    }

    /// The score of a number written as `text`, to which `value` is the nearest double.
    fn of_number(text: &str, value: f64) -> Self {
        let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let unsigned = whole.trim_start_matches(['+', '-']);
        let is_plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
        match exponent.parse::<i32>() {
            Ok(exponent) if is_plain(unsigned) && is_plain(fraction) => {
                let exponent = i64::from(exponent) - length(fraction);
                Self::of_decimal(text.starts_with('-'), &[unsigned, fraction].concat(), exponent)
            }
            // It is infinite, or has an exponent that makes it so or 0.
            _ => value.into(),
        }
    }

    /// `digits * 10^exponent`, negative or not.
    fn of_decimal(is_negative: bool, digits: &str, exponent: i64) -> Self {
        /// Digits before the point of what is not infinite, and digits that decide, at most.
        const MOST: i64 = 400;
        let digits = digits.trim_start_matches('0');
        let magnitude = exponent.saturating_add(length(digits));
        if digits.is_empty() || magnitude < -MOST {
            return Self::of_bits(is_negative, 0, 0);
        }
        if magnitude > MOST {
            return Self::of_bits(is_negative, INFINITE, 0);
        }
        let mut number = Large::default();
        let mut exponent = exponent + length(digits);
        for digit in digits.bytes().take(400) {
            number.multiply(10, u32::from(digit - b'0'));
            exponent -= 1;
        }
        // A power of ten has less than so many words: the bits that are kept stand before the point.
        let zeros = if exponent < 0 { 5 - exponent / 9 } else { 0 };
        (0..zeros).for_each(|_| number.shift());
        while exponent != 0 {
            let step = exponent.abs().min(9);
            let power = (0..step).fold(1, |power, _| 10 * power);
            if exponent < 0 {
                number.divide(power)
            } else {
                number.multiply(power, 0)
            }
            exponent -= exponent.signum() * step;
        }
        let (bits, first) = number.first_bits();
        Self::of_bits(is_negative, bits - 1 - 32 * zeros + BIAS, first)
    }

    /// The value whose exponent is stored as this, and whose bits begin with `first`, of which the first bit is 1.
    fn of_bits(is_negative: bool, exponent: i64, first: u128) -> Self {
        let mantissa = first << 1 >> (128 - MANTISSA);
        let stored = u128::try_from(exponent.clamp(0, INFINITE)).unwrap_or(0);
        let is_plain = 0 < exponent && exponent < INFINITE;
        let magnitude = stored << MANTISSA | if is_plain { mantissa } else { 0 };
        let zero = 1 << 127;
        Self { order: if is_negative { zero - magnitude } else { zero + magnitude } }
    }

    /// A number that is greater the greater the value is; neither 0 nor the greatest of all.
    #[must_use]
    pub fn order(self) -> u128 {
        self.order
    }
}

impl From<f64> for Score {
    fn from(value: f64) -> Self {
        let bits = value.to_bits();
        let exponent = i64::try_from(bits >> 52 & 0x7ff).unwrap_or(0);
        let first = 1 << 127 | u128::from(bits << 12) << 63;
        Self::of_bits(value.is_sign_negative(), exponent, first)
    }
}

/// The length of digits, as a power of ten.
fn length(digits: &str) -> i64 {
    i64::try_from(digits.len()).unwrap_or(i64::MAX)
}

/// A whole number of any length, in words of 32 bits of which the least comes first.
#[derive(Debug, Default)]
struct Large(Vec<u64>);

impl Large {
    /// The bits of a word.
    const WORD: u64 = 0xffff_ffff;

    fn multiply(&mut self, by: u32, add: u32) {
        let mut carry = u64::from(add);
        for word in &mut self.0 {
            carry += *word * u64::from(by);
            *word = carry & Self::WORD;
            carry >>= 32;
        }
        self.0.extend((carry > 0).then_some(carry));
    }

    fn divide(&mut self, by: u32) {
        let mut left = 0;
        for word in self.0.iter_mut().rev() {
            left = left << 32 | *word;
            *word = left / u64::from(by);
            left %= u64::from(by);
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    /// Multiplies by 2^32.
    fn shift(&mut self) {
        self.0.insert(0, 0);
    }

    /// How many bits it has, and the first of them, 117 at least, the first one at the top.
    fn first_bits(&self) -> (i64, u128) {
        let mut words = self.0.iter().rev().chain(std::iter::repeat(&0));
        let first =
            (0..4).fold(0, |first, _| first << 32 | words.next().copied().map_or(0, u128::from));
        let zeros = first.leading_zeros();
        let next = words.next().copied().map_or(0, u128::from);
        let bits = self.0.iter().fold(0, |bits, _| bits + 32) - i64::from(zeros);
        (bits, first << zeros | next << zeros >> 32)
    }
}

/// A duration in the form that columns of durations have.
fn of_duration(text: &str) -> Option<Score> {
    let units = [("ms", -3), ("us", -6), ("ns", -9), ("s", 0)];
    let (number, exponent) =
        units.iter().find_map(|(unit, exponent)| Some((text.strip_suffix(unit)?, *exponent)))?;
    let digits = number.strip_prefix('-').unwrap_or(number);
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_whole.then(|| Score::of_decimal(number.starts_with('-'), digits, exponent))
}

/// The score of a row of JSON.
pub(crate) fn of_row(
    row: &Row<'_>,
    fields: &Fields,
    place: Place<'_>,
) -> Result<Option<Score>, Error> {
    of_json(row.score, fields.score.as_deref().unwrap_or_default(), place)
}

/// The values of [`Fields::ties`] in their order, each found by its place and its name.
///
/// # Errors
/// The first of `find`.
pub(crate) fn ties(
    fields: &Fields,
    find: impl Fn(usize, &str) -> Result<Option<Score>, Error>,
) -> Result<Vec<Option<Score>>, Error> {
    let ties = fields.ties.iter().enumerate();
    ties.filter_map(|(at, tie)| Some(find(at, &tie.as_ref()?.field))).collect()
}

/// Those of a row of JSON.
pub(crate) fn ties_of_row(
    row: &Row<'_>,
    fields: &Fields,
    place: Place<'_>,
) -> Result<Vec<Option<Score>>, Error> {
    ties(fields, |at, field| of_json(row.ties.get(at).copied().flatten(), field, place))
}

/// The score of a row, which has `json` in a field.
pub(crate) fn of_json(
    json: Option<&str>,
    field: &str,
    place: Place<'_>,
) -> Result<Option<Score>, Error> {
    let Some(json) = json else { return Ok(None) };
    let score = match json_type(json) {
        "null" => return Ok(None),
        "a string" => {
            serde_json::from_str::<String>(json).ok().and_then(|text| Score::of_text(&text))
        }
        _ => Score::of_text(json),
    };
    score.map(Some).ok_or_else(|| wrong(json, field, place))
}

/// The score of a row of a table that has `text` in a column.
pub(crate) fn of_cell(text: &str, field: &str, place: Place<'_>) -> Result<Score, Error> {
    Score::of_text(text).ok_or_else(|| wrong(text, field, place))
}

fn wrong(found: &str, field: &str, place: Place<'_>) -> Error {
    Error::ScoreType {
        place: place(),
        field: field.to_owned(),
        found: found.chars().take(40).collect(),
    }
}

/// A date, a date with a time, or a time of day.
fn of_moment(text: &str) -> Option<Score> {
    let mut rest = Rest(text);
    let (days, has_date) = match rest.date() {
        Some(days) => (days, true),
        None => (0, false),
    };
    let is_timed = !has_date || rest.take(|c| matches!(c, 'T' | 't' | ' ')).is_some();
    let (mut seconds, fraction) = if is_timed { rest.time()? } else { (0, "") };
    if is_timed && has_date {
        seconds -= rest.zone()?;
    }
    if !rest.0.is_empty() {
        return None;
    }
    // A fraction counts forward, also before 1970.
    let fraction = fraction.get(..DIGITS).unwrap_or(fraction);
    let parts = fraction.bytes().fold(1, |parts, _| 10 * parts);
    let seconds = i128::from(days) * i128::from(DAY) + i128::from(seconds);
    let moment = seconds * parts + fraction.parse().unwrap_or(0);
    let digits = moment.unsigned_abs().to_string();
    Some(Score::of_decimal(moment < 0, &digits, -length(fraction)))
}

/// Digits of the fraction of a second that count.
const DIGITS: usize = 15;

/// What is still to be read of a text.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    /// The next character, if it is one of those.
    fn take(&mut self, is: impl Fn(char) -> bool) -> Option<char> {
        let next = self.0.chars().next().filter(|c| is(*c))?;
        self.0 = self.0.get(next.len_utf8()..).unwrap_or_default();
        Some(next)
    }

    /// The digits that come next.
    fn digits(&mut self) -> &'a str {
        let end = self.0.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.0.len());
        let (digits, rest) = self.0.split_at(end);
        self.0 = rest;
        digits
    }

    /// A number of two digits up to `most`.
    fn two(&mut self, most: i64) -> Option<i64> {
        let (two, rest) = self.0.split_at_checked(2)?;
        self.0 = rest;
        let is_number = two.bytes().all(|byte| byte.is_ascii_digit());
        two.parse().ok().filter(|number| is_number && *number <= most)
    }

    /// The days from 1970-01-01 to a date of the Gregorian calendar; nothing is read where there is none.
    fn date(&mut self) -> Option<i64> {
        let mut rest = Rest(self.0);
        let sign = rest.take(|c| matches!(c, '+' | '-'));
        let year = rest.digits();
        if !(4..=12).contains(&year.len()) {
            return None;
        }
        let year: i64 = year.parse().ok()?;
        let year = if sign == Some('-') { -year } else { year };
        rest.take(|c| c == '-')?;
        let month = rest.two(12).filter(|month| *month > 0)?;
        rest.take(|c| c == '-')?;
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let last = match month {
            2 => 28 + i64::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let day = rest.two(last).filter(|day| *day > 0)?;
        self.0 = rest.0;
        // Years that begin in March, so that the leap day is the last.
        let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let of_years =
            365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        Some(of_years + (153 * month + 2) / 5 + day - 1 - 719_468)
    }

    /// Hours and minutes, and seconds where they are there: the whole seconds, and the digits of their fraction.
    fn time(&mut self) -> Option<(i64, &'a str)> {
        let hours = self.two(24)?;
        self.take(|c| c == ':')?;
        let minutes = self.two(59)?;
        // A leap second is the 60th.
        let seconds = match self.take(|c| c == ':') {
            Some(_) => self.two(60)?,
            None => 0,
        };
        let fraction = match self.take(|c| matches!(c, '.' | ',')) {
            Some(_) => Some(self.digits()).filter(|digits| !digits.is_empty())?,
            None => "",
        };
        Some((3600 * hours + 60 * minutes + seconds, fraction))
    }

    /// The seconds by which a zone is before UTC.
    fn zone(&mut self) -> Option<i64> {
        self.take(|c| c == ' ');
        if let Some(rest) = self.0.strip_prefix("UTC").or_else(|| self.0.strip_prefix("GMT")) {
            self.0 = rest;
            return Some(0);
        }
        let Some(sign) = self.take(|c| matches!(c, '+' | '-' | 'Z' | 'z')) else {
            return Some(0);
        };
        if matches!(sign, 'Z' | 'z') {
            return Some(0);
        }
        let hours = self.two(23)?;
        let minutes = match (self.take(|c| c == ':'), self.0) {
            (None, "") => 0,
            _ => self.two(59)?,
        };
        let seconds = 3600 * hours + 60 * minutes;
        Some(if sign == '-' { -seconds } else { seconds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{DateTime, TimeDelta};
    use proptest::prelude::*;

    #[test]
    fn the_farthest_moments_of_64_bits_are_ordered() {
        let moments = [
            "-292277022657-01-27 08:29:52 +00:00",
            "-292277022657-01-27 08:29:53 +00:00",
            "1970-01-01",
            "+292277026596-12-04 15:30:06 +00:00",
            "+292277026596-12-04 15:30:07 +00:00",
            "inf",
        ];
        assert!(moments.map(|text| order(text).unwrap()).is_sorted_by(|a, b| a < b));
    }

    fn order(text: &str) -> Option<u128> {
        Score::of_text(text).map(Score::order)
    }

    #[test]
    fn values_are_in_their_order() {
        let ascending = [
            "-inf",
            "-300000-01-01",
            "-1e3",
            "-9.5",
            "-9.25",
            "-1ms",
            "false",
            "1e-300",
            "17ns",
            "0.1",
            "0.1000000000000000000000000000000001",
            "0.10000000000000001",
            "999ms",
            "true",
            "1.0000000000000000000000000000000002",
            "1.5",
            "1.500000000000000001",
            "1.500000000000000002",
            "00:01",
            "12:00:00.5",
            "2001-01-01",
            "2001-01-01T00:00:01",
            "2001-01-01 00:00:01.5",
            "2001-01-01T02:00:01+01:00",
            "2001-01-01T00:00:02-0200",
            "2024-02-29",
            "1709210096.123456788",
            "1709210096.123456789",
            "2024-12-31 23:59:59.000000001 UTC",
            "2024-12-31T23:59:59.000000002Z",
            "2024-12-31T23:59:60Z",
            "300000-01-01",
            "9007199254740992000",
            "9007199254740992001",
            "18446744073709551614",
            "18446744073709551615",
            "12345678901234567890123456789012344",
            "12345678901234567890123456789012345",
            "1e300",
            "Infinity",
        ];
        let orders: Vec<_> = ascending.iter().map(|text| order(text).expect(text)).collect();
        for (at, pair) in orders.windows(2).enumerate() {
            assert!(pair[0] < pair[1], "{} before {}", ascending[at], ascending[at + 1]);
        }
        assert!(orders.iter().all(|order| !matches!(*order, 0 | u128::MAX)));
    }

    #[test]
    fn one_value_has_one_place_however_it_is_written() {
        for (a, b) in [
            ("1", "1.0"),
            ("1000", "1e3"),
            ("1500", "1.5e3"),
            ("0", "-0.0"),
            ("-2.50", "-2.5"),
            ("2024-05-01", "2024-05-01T00:00"),
            ("2024-05-01T12:00:00Z", "2024-05-01 14:00:00.000+02"),
            ("1970-01-01 00:00:07", "7"),
            ("TRUE", "1"),
            ("1500ms", "1.5"),
            ("0.000", "-0ns"),
            ("123456789.5e-3", "123456.7895"),
            ("1e400", "inf"),
        ] {
            assert_eq!(order(a), order(b), "{a} and {b}");
        }
        assert_eq!(order("1.5"), Some(Score::from(1.5).order()));
    }

    #[test]
    fn what_has_no_place_is_no_score() {
        for wrong in [
            "",
            "new",
            "NaN",
            "2001-02-29",
            "2001-13-01",
            "2001-1-1",
            "201-01-01",
            "12:60",
            "2001-01-01T",
            "2001-01-01T25:00",
            "2001-01-01 12:00 CET",
            "2001-01-01x",
            "12:00:00.",
            "s",
            "1.5s",
            "--1ms",
            "1 months 2 days 3 ns",
        ] {
            assert_eq!(order(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn dates_are_those_of_the_calendar(seconds in -60_000_000_000_i64..200_000_000_000, nanos in 0..1_000_000_000_u32) {
            let time = DateTime::from_timestamp(seconds, nanos).unwrap();
            let text = time.format("%Y-%m-%dT%H:%M:%S%.9fZ").to_string();
            let later = (time + TimeDelta::nanoseconds(1)).format("%Y-%m-%d %H:%M:%S%.9f").to_string();
            prop_assert!(order(&text) < order(&later), "{} {}", text, later);
            let whole = time.format("%Y-%m-%dT%H:%M:%S").to_string();
            prop_assert_eq!(order(&whole), order(&seconds.to_string()));
        }

        #[test]
        fn doubles_are_in_their_order(a: f64, b: f64) {
            prop_assume!(a.is_finite() && b.is_finite());
            prop_assume!(a.abs() > f64::MIN_POSITIVE && b.abs() > f64::MIN_POSITIVE);
            for of in [|value: f64| order(&value.to_string()), |value: f64| Some(Score::from(value).order())] {
                prop_assert_eq!(of(a).cmp(&of(b)), a.partial_cmp(&b).unwrap());
            }
        }

        #[test]
        fn integers_of_any_type_are_in_their_order(a: i64, b: i64, c: u64) {
            prop_assert_eq!(order(&a.to_string()).cmp(&order(&b.to_string())), a.cmp(&b));
            prop_assert_eq!(
                order(&a.to_string()).cmp(&order(&c.to_string())),
                i128::from(a).cmp(&i128::from(c))
            );
        }
    }

    #[test]
    fn what_is_no_score_is_told() {
        let of = |json| of_json(json, "when", &|| "f:1".to_owned());
        assert_eq!(of(None).unwrap(), None);
        assert_eq!(of(Some("null")).unwrap(), None);
        assert_eq!(of(Some("\"7\"")).unwrap(), Some(7.0.into()));
        assert_eq!(of(Some("true")).unwrap(), Some(1.0.into()));
        let error = of(Some("[1]")).unwrap_err().to_string();
        assert!(error.starts_with("f:1: the field \"when\"") && error.contains("[1]"), "{error}");
    }
}
