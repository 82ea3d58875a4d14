//! What a document is worth beside others: a number, a date or a time in a field of its row.

use crate::documents::fields::{Fields, Place};
use crate::documents::row::json_type;
use crate::error::Error;

/// Seconds of a day.
const DAY: i64 = 86_400;

/// A value that documents are ordered by: a number, a date, a time or a truth value.
///
/// Integers of 64 bits and times of a nanosecond are ordered exactly: what the nearest double leaves is kept beside it.
///
/// # Examples
/// ```
/// use nearprint_corpus::Score;
///
/// let of = |text| Score::of_text(text).map(Score::order);
/// assert!(of("9007199254740993") > of("9007199254740992"));
/// assert!(of("2024-05-01 12:00:00.000000002") > of("2024-05-01T12:00:00.000000001Z"));
/// assert!(of("infinity") > of("1e308"));
/// assert_eq!(of("1.50"), Some(Score::from(1.5).order()));
/// assert_eq!((of("NaN"), of("soon")), (None, None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The double nearest to the value.
    value: f64,
    /// The value less that double.
    rest: f64,
}

impl Score {
    /// The value that a text stands for:
    /// - a number, or `inf`, as Rust reads it;
    /// - `true` or `false`, which is less;
    /// - a date, with or without a time and a zone, as of ISO 8601 (`2024-05-01`, `2024-05-01 12:00`,
    ///   `2024-05-01T12:00:00.5+0200`), as the seconds since 1970; without a zone it is UTC;
    /// - a time of day, as the seconds since midnight.
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
            _ => of_moment(text),
        }
    }

    /// The score of a number written as `text`, to which `value` is the nearest double.
    fn of_number(text: &str, value: f64) -> Self {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let is_plain = value.is_finite() && fraction.bytes().all(|byte| byte.is_ascii_digit());
        let (Ok(whole), true) = (whole.parse::<i128>(), is_plain) else { return value.into() };
        let fraction = format!("0.{fraction}").parse().unwrap_or(0.0);
        let fraction = if text.starts_with('-') { -fraction } else { fraction };
        Self::of_parts(whole, fraction, value)
    }

    /// `whole + fraction`, to which `value` is the nearest double, or next to it.
    fn of_parts(whole: i128, fraction: f64, value: f64) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a whole number, and one out of range has no parts"
        )]
        let trunc = value.trunc() as i128;
        #[expect(
            clippy::cast_precision_loss,
            reason = "half of a unit in the last place of a double at most"
        )]
        let beyond = whole.saturating_sub(trunc) as f64;
        Self { value, rest: beyond + (fraction - value.fract()) + 0.0 }
    }

    /// A number that is greater the greater the value is; neither 0 nor the greatest of all.
    #[must_use]
    pub fn order(self) -> u128 {
        let ordered = |value: f64| {
            let bits = (value + 0.0).to_bits();
            u128::from(if bits >> 63 == 0 { bits | 1 << 63 } else { !bits })
        };
        ordered(self.value) << 64 | ordered(self.rest)
    }
}

impl From<f64> for Score {
    fn from(value: f64) -> Self {
        Self { value, rest: 0.0 }
    }
}

/// The score of a row, which has `json` in its field.
pub(crate) fn of_json(
    json: Option<&str>,
    fields: &Fields,
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
    score.map(Some).ok_or_else(|| wrong(json, fields, place))
}

/// The score of a row of a table that has `text` in its column.
pub(crate) fn of_cell(text: &str, fields: &Fields, place: Place<'_>) -> Result<Score, Error> {
    Score::of_text(text).ok_or_else(|| wrong(text, fields, place))
}

fn wrong(found: &str, fields: &Fields, place: Place<'_>) -> Error {
    Error::ScoreType {
        place: place(),
        field: fields.score.clone().unwrap_or_default(),
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
    let (mut seconds, fraction) = if is_timed { rest.time()? } else { (0, 0.0) };
    if is_timed && has_date {
        seconds -= rest.zone()?;
    }
    if !rest.0.is_empty() {
        return None;
    }
    let seconds = i128::from(days) * i128::from(DAY) + i128::from(seconds);
    #[expect(clippy::cast_precision_loss, reason = "what is lost is the rest")]
    let value = seconds as f64 + fraction;
    Some(Score::of_parts(seconds, fraction, value))
}

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

    /// Hours and minutes, and seconds where they are there: the whole seconds and their fraction.
    fn time(&mut self) -> Option<(i64, f64)> {
        let hours = self.two(24)?;
        self.take(|c| c == ':')?;
        let minutes = self.two(59)?;
        // A leap second is the 60th.
        let seconds = match self.take(|c| c == ':') {
            Some(_) => self.two(60)?,
            None => 0,
        };
        let fraction = match self.take(|c| matches!(c, '.' | ',')) {
            Some(_) => format!("0.{}", Some(self.digits()).filter(|digits| !digits.is_empty())?),
            None => "0".to_owned(),
        };
        Some((3600 * hours + 60 * minutes + seconds, fraction.parse().ok()?))
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
            "false",
            "true",
            "1.5",
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
        let fields = Fields { score: Some("when".to_owned()), ..Fields::default() };
        let of = |json| of_json(json, &fields, &|| "f:1".to_owned());
        assert_eq!(of(None).unwrap(), None);
        assert_eq!(of(Some("null")).unwrap(), None);
        assert_eq!(of(Some("\"7\"")).unwrap(), Some(7.0.into()));
        assert_eq!(of(Some("true")).unwrap(), Some(1.0.into()));
        let error = of(Some("[1]")).unwrap_err().to_string();
        assert!(error.starts_with("f:1: the field \"when\"") && error.contains("[1]"), "{error}");
    }
}
