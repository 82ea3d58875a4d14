//! What a document is worth beside others: a number, a date or a time in a field of its row. Dates are `moment`'s.

use crate::documents::fields::{Fields, Place};
use crate::documents::moment::{self, Moment, YEAR};
use crate::documents::row::{Row, json_type};
use crate::error::Error;

/// A value that documents are ordered by: a number, a date, a time, a duration or a truth value.
///
/// Values are decimals of 35 digits, which are ordered exactly: integers of 64 bits, times of a nanosecond, decimals. Of
/// numbers these are all that some double is near to, and 0.
///
/// A date stands between its year and the next, as the number of the year and what of it has passed. So a year is one
/// number, be it a year or not: among dates it is its first moment. Other numbers have no place among dates: see
/// [`scale`](Self::scale).
///
/// # Examples
/// ```
/// use nearprint_corpus::{NoScore, Score};
///
/// let of = |text| Score::of_text(text).ok().flatten().map(Score::order);
/// assert!(of("9007199254740993") > of("9007199254740992"));
/// assert!(of("1.500000000000000001") > of("1.5"));
/// assert!(of("2024-05-01 12:00:00.000000002") > of("2024-05-01T12:00:00.000000001Z"));
/// assert!(of("2024") == of("2024-01") && of("2024-01") < of("2024-01-01T00:00:01Z"));
/// assert!(of("infinity") > of("1e308") && of("infinity") > of("9999-12-31"));
/// assert_eq!(of("1.50"), Some(Score::from(1.5).order()));
/// assert_eq!(Score::of_text("NaN"), Ok(None));
/// assert_eq!(Score::of_text("soon"), Err(NoScore::Other));
/// assert_eq!(Score::of_text("1e400"), Err(NoScore::Number));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// It is greater the greater the value is.
    order: u128,
    scale: Scale,
}

/// What values can be compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Numbers, times of day, durations and truth values.
    Numbers,
    /// Dates.
    Calendar,
    /// All: four digits are a number or a year, and what is infinite is either.
    Both,
}

/// Why a text stands for no [`Score`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoScore {
    /// It is a number of more digits than are compared, or one that no double of full precision is near to.
    Number,
    /// It is none of what documents are ordered by.
    Other,
}

/// Digits of a number that decide, at most: those between zeros at its ends.
const DIGITS: usize = 35;
/// The least number of so many digits.
const LEAST: u128 = 10_u128.pow(34);
/// The order of 0.
const ZERO: u128 = 1 << 127;
/// How far from it what is infinite stands.
const INFINITE: u128 = ZERO - 2;
/// What is added to powers of ten, so that those of all doubles are positive.
const BIAS: i64 = 400;
/// The greatest of these sums.
const MOST: u128 = 800;

impl Score {
    /// The value that a text stands for:
    /// - a number, or `inf`, as Rust reads it;
    /// - `true` or `false`, which is less;
    /// - a date, with or without a time and a zone, as of ISO 8601 (`2024-05`, `2024-05-01`, `2024-05-01 12:00`,
    ///   `2024-05-01T12:00:00.5+0200`), as its first moment; without a zone it is UTC;
    /// - a time of day, as the seconds since midnight;
    /// - a duration in `s`, `ms`, `us` or `ns`, such as `17ms`, in seconds.
    ///
    /// `None` for NaN and the empty text, which are no values.
    ///
    /// # Errors
    /// A number that cannot be compared exactly, and any other text.
    pub fn of_text(text: &str) -> Result<Option<Self>, NoScore> {
        if text.is_empty() {
            return Ok(None);
        }
        let text = text.trim();
        if let Ok(value) = text.parse::<f64>() {
            if value.is_nan() {
                return Ok(None);
            }
            let is_word = !text.contains(|c: char| c.is_ascii_digit());
            let score = if is_word { Some(value.into()) } else { Self::of_number(text) };
            let is_near = |score: &Self| value.is_finite() && (value != 0.0 || score.order == ZERO);
            let score = score.filter(|score| is_word || is_near(score));
            let is_year = text.len() == YEAR && text.bytes().all(|byte| byte.is_ascii_digit());
            let years = |score: Self| if is_year { Scale::Both } else { score.scale };
            let scaled = |score| Some(Self { scale: years(score), ..score });
            return score.map(scaled).ok_or(NoScore::Number);
        }
        let score = match text {
            "true" | "True" | "TRUE" => Some(1.0.into()),
            "false" | "False" | "FALSE" => Some(0.0.into()),
            _ => of_duration(text).or_else(|| of_moment(text)).ok_or(NoScore::Other)?,
        };
        score.map(Some).ok_or(NoScore::Number)
    }

    /// The score of a number that has digits; `None` where these are more than are compared.
    fn of_number(text: &str) -> Option<Self> {
        let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits = [whole.trim_start_matches(['+', '-']), fraction].concat();
        // Only of 0 and of what no double is near to is it beyond these.
        let exponent = i64::from(exponent.parse::<i32>().unwrap_or(0)) - length(fraction);
        Self::of_decimal(text.starts_with('-'), &digits, exponent)
    }

    /// `digits * 10^exponent`, negative or not; `None` where more digits decide than are compared, or where it is not
    /// among the doubles.
    fn of_decimal(is_negative: bool, digits: &str, exponent: i64) -> Option<Self> {
        let leading = digits.trim_start_matches('0');
        let deciding = leading.trim_end_matches('0');
        if deciding.len() > DIGITS {
            return None;
        }
        let Some(behind) = format!("{deciding:0<DIGITS$}").parse::<u128>().ok()?.checked_sub(LEAST)
        else {
            return Some(Self::at(is_negative, 0));
        };
        let power = exponent + length(leading) + BIAS;
        let power = u128::try_from(power).ok().filter(|power| *power <= MOST)?;
        Some(Self::at(is_negative, 9 * LEAST * power + behind + 1))
    }

    /// What stands so far from 0, on one side.
    const fn at(is_negative: bool, magnitude: u128) -> Self {
        let order = if is_negative { ZERO - magnitude } else { ZERO + magnitude };
        Self { order, scale: Scale::Numbers }
    }

    /// A number that is greater the greater the value is; neither 0 nor the greatest of all.
    #[must_use]
    pub const fn order(self) -> u128 {
        self.order
    }

    /// What it can be compared with.
    #[must_use]
    pub const fn scale(self) -> Scale {
        self.scale
    }
}

impl From<f64> for Score {
    /// The value to 35 digits.
    fn from(value: f64) -> Self {
        let written = value.is_finite().then(|| format!("{value:.*e}", DIGITS - 1));
        let score = written.and_then(|written| Self::of_number(&written));
        // As databases write what is later than any date.
        let endless =
            || Self { scale: Scale::Both, ..Self::at(value.is_sign_negative(), INFINITE) };
        score.unwrap_or_else(endless)
    }
}

/// The length of digits, as a power of ten.
fn length(digits: &str) -> i64 {
    i64::try_from(digits.len()).unwrap_or(i64::MAX)
}

/// A duration in the form that columns of durations have; in it none where its digits are too many.
fn of_duration(text: &str) -> Option<Option<Score>> {
    let units = [("ms", -3), ("us", -6), ("ns", -9), ("s", 0)];
    let (number, exponent) =
        units.iter().find_map(|(unit, exponent)| Some((text.strip_suffix(unit)?, *exponent)))?;
    let digits = number.strip_prefix('-').unwrap_or(number);
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_whole.then(|| Score::of_decimal(number.starts_with('-'), digits, exponent))
}

/// A date or a time; in it none where its digits are too many.
fn of_moment(text: &str) -> Option<Option<Score>> {
    let moment = moment::of_text(text)?;
    Some(moment.and_then(|Moment { is_date, is_negative, digits, exponent }| {
        let scale = if is_date { Scale::Calendar } else { Scale::Numbers };
        Some(Score { scale, ..Score::of_decimal(is_negative, &digits, exponent)? })
    }))
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

/// The score, and the [ties], of a record whose head has texts in its fields; an empty one is none.
pub(crate) fn of_head(
    get: impl Fn(&str) -> Option<String>,
    fields: &Fields,
    place: Place<'_>,
) -> Result<(Option<Score>, Vec<Option<Score>>), Error> {
    let of = |field: &str| match get(field).filter(|text| !text.trim().is_empty()) {
        Some(text) => of_cell(&text, field, place),
        None => Ok(None),
    };
    Ok((fields.score.as_deref().map_or(Ok(None), of)?, ties(fields, |_, field| of(field))?))
}

/// Those of a row of JSON.
pub(crate) fn ties_of_row(
    row: &Row<'_>,
    fields: &Fields,
    place: Place<'_>,
) -> Result<Vec<Option<Score>>, Error> {
    ties(fields, |at, field| of_json(row.ties.get(at).copied().flatten(), field, place))
}

/// The score of a row, which has `json` in a field; none of null and of what is no number.
pub(crate) fn of_json(
    json: Option<&str>,
    field: &str,
    place: Place<'_>,
) -> Result<Option<Score>, Error> {
    let Some(json) = json else { return Ok(None) };
    let score = match json_type(json) {
        "null" => return Ok(None),
        "a string" => serde_json::from_str::<String>(json)
            .map_or(Err(NoScore::Other), |text| Score::of_text(&text)),
        _ => Score::of_text(json),
    };
    score.map_err(|problem| refused(problem, json, field, place))
}

/// The score of a row that has `text` in a column, or in a field of its head.
pub(crate) fn of_cell(text: &str, field: &str, place: Place<'_>) -> Result<Option<Score>, Error> {
    Score::of_text(text).map_err(|problem| refused(problem, text, field, place))
}

/// The beginning of a value, as long as is shown; a quote that it opens is closed.
fn begun(found: &str) -> String {
    const SHOWN: usize = 40;
    let begun: String = found.chars().take(SHOWN).collect();
    match begun.len() < found.len() {
        true if begun.starts_with('"') => format!("{begun}...\""),
        true => format!("{begun}..."),
        false => begun,
    }
}

fn refused(problem: NoScore, found: &str, field: &str, place: Place<'_>) -> Error {
    let (place, field) = (place(), field.to_owned());
    let found = match found.trim() {
        "" => "a text without a character".to_owned(),
        found => begun(found),
    };
    match problem {
        NoScore::Number => Error::ScoreNumber { place, field, found },
        NoScore::Other => Error::ScoreType { place, field, found },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{DateTime, Datelike, TimeDelta};
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
        Score::of_text(text).ok().flatten().map(Score::order)
    }

    #[test]
    fn values_are_in_their_order() {
        let ascending = [
            "-inf",
            "-1e3",
            "-9.5",
            "-9.25",
            "-1ms",
            "-2.3e-308",
            "-5e-324",
            "false",
            "5e-324",
            "2.2e-308",
            "2.2250738585072014e-308",
            "1e-300",
            "17ns",
            "0.1",
            "0.1000000000000000000000000000000001",
            "0.10000000000000001",
            "999ms",
            "true",
            "1.0000000000000000000000000000000002",
            "1.0000000000000000000000000000000003",
            "1.5",
            "1.500000000000000001",
            "1.500000000000000002",
            "00:01",
            "12:00:00.5",
            "1709210096.123456788",
            "1709210096.123456789",
            "9007199254740992000",
            "9007199254740992000.0000000000000001",
            "9007199254740992001",
            "18446744073709551614",
            "18446744073709551615",
            "12345678901234567890123456789012344",
            "12345678901234567890123456789012345",
            "99999999999999999999999999999999998",
            "99999999999999999999999999999999999",
            "1e300",
            "1.7976931348623157e308",
            "Infinity",
        ];
        let orders: Vec<_> = ascending.iter().map(|text| order(text).expect(text)).collect();
        for (at, pair) in orders.windows(2).enumerate() {
            assert!(pair[0] < pair[1], "{} before {}", ascending[at], ascending[at + 1]);
        }
        assert!(orders.iter().all(|order| !matches!(*order, 0 | u128::MAX)));
    }

    #[test]
    fn dates_of_any_precision_are_in_their_order() {
        let ascending = [
            "-300000-01-01",
            "-0001-12-31T23:59:59.5",
            "0000",
            "0999-12-31",
            "1000",
            "1969-12-31T23:59:59.999Z",
            "1970",
            "1970-01-01T00:33:40Z",
            "2001-01-01",
            "2001-01-01T00:00:01",
            "2001-01-01 00:00:01.5",
            "2001-01-01T02:00:01+01:00",
            "2001-01-01T00:00:02-0200",
            "2019-12-31T23:59:59.999999999Z",
            "2020",
            "2020-01-01T00:00:00.000000001Z",
            "2020-02",
            "2020-02-01T00:00:01Z",
            "2020-02-02",
            "2020-12-31T23:59:58Z",
            "2021-01-01T00:59:59+01:00",
            "2020-12-31T23:00:00-01:00",
            "2021-01-01T01",
            "2021-02",
            "2024-02-29",
            "2024-12-31 23:59:59.000000001 UTC",
            "2024-12-31T23:59:59.000000002Z",
            "2024-12-31T23:59:59.000000002000000001Z",
            "2024-12-31T23:59:60Z",
            "2025-01-01T00:00:01",
            "9999",
            "300000-01-01",
            "999999999999-12-31T23:59:59.123456789Z",
        ];
        let of = |text| Score::of_text(text).ok().flatten().expect(text);
        let orders = ascending.map(|text| of(text).order());
        for (at, pair) in orders.windows(2).enumerate() {
            assert!(pair[0] < pair[1], "{} before {}", ascending[at], ascending[at + 1]);
        }
        for text in ascending {
            let scale = if text.len() == YEAR { Scale::Both } else { Scale::Calendar };
            assert_eq!(of(text).scale(), scale, "{text}");
        }
        for text in ["12:00", "7ms", "true", "2020.0", "20200", "202", "-2020", "+2020", "2e3"] {
            assert_eq!(of(text).scale(), Scale::Numbers, "{text}");
        }
        for text in ["inf", "-infinity"] {
            assert_eq!(of(text).scale(), Scale::Both, "{text}");
        }
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
            ("2024-05", "2024-05-01"),
            ("2024", "2024-01-01"),
            ("2024-12-31T24:00", "2025"),
            ("2025-01-01T00:30+00:30", "2025"),
            ("2024-05-01T12:00:00Z", "2024-05-01 14:00:00.000+02"),
            ("00:00:07", "7"),
            ("TRUE", "1"),
            ("1500ms", "1.5"),
            ("0.000", "-0ns"),
            ("123456789.5e-3", "123456.7895"),
            ("-infinity", "-inf"),
            ("0e99999999999", "0"),
            ("00000000000000000000000000000000000000001.50", "1.5"),
            ("100000000000000000000000000000000000000000", "1e41"),
            ("2024-05-01T12:00:00.50000000000000000000000Z", "2024-05-01 12:00:00.5"),
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
            "2020-13",
            "2020-2",
            "2020-02T12:00",
            "02020-02",
            "-2020-02",
            "2020Z",
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

    #[test]
    fn a_number_that_is_not_compared_exactly_is_no_score() {
        for wrong in [
            "123456789012345678901234567890123456",
            "0.123456789012345678901234567890123456",
            "-1.00000000000000000000000000000000000000001",
            "100000000000000000000000000000000000000001e-5",
            "1e400",
            "-1e309",
            "1.8e308",
            "1e99999999999",
            "2e-324",
            "-1e-400",
            "1e-99999999999",
            "1234567890123456789012345678901234567s",
            "2024-12-31T23:59:59.0000000000000000001Z",
        ] {
            assert_eq!(Score::of_text(wrong), Err(NoScore::Number), "{wrong}");
        }
        for none in ["NaN", "nan", "-nan", " NaN ", ""] {
            assert_eq!(Score::of_text(none), Ok(None), "{none}");
        }
        let error = of_json(Some("1e400"), "when", &|| "f:1".to_owned()).unwrap_err().to_string();
        let limit = format!("{DIGITS} digits");
        assert!(error.starts_with("f:1: the field \"when\" holds 1e400"), "{error}");
        assert!(error.contains(&limit), "{error}");
    }

    proptest! {
        #[test]
        fn dates_are_those_of_the_calendar(seconds in -60_000_000_000_i64..200_000_000_000, nanos in 0..1_000_000_000_u32) {
            let time = DateTime::from_timestamp(seconds, nanos).unwrap();
            let text = time.format("%Y-%m-%dT%H:%M:%S%.9fZ").to_string();
            let later = (time + TimeDelta::nanoseconds(1)).format("%Y-%m-%d %H:%M:%S%.9f").to_string();
            prop_assert!(order(&text) < order(&later), "{} {}", text, later);
            let whole = time.format("%Y-%m-%dT%H:%M:%S").to_string();
            let earlier = (time - TimeDelta::seconds(1)).format("%Y-%m-%dT%H:%M:%S+0000").to_string();
            prop_assert!(order(&earlier) < order(&whole) && order(&whole) <= order(&text));
            let year = time.format("%Y").to_string();
            prop_assert!(order(&year) <= order(&whole) && order(&time.format("%Y-%m").to_string()) <= order(&whole));
            prop_assert!(order(&year) <= order(&text) && order(&text) < order(&(time.year() + 1).to_string()));
        }

        #[test]
        fn doubles_are_in_their_order(a: f64, b: f64) {
            prop_assume!(a.is_finite() && b.is_finite());
            let of = |value: f64| Score::from(value).order();
            prop_assert_eq!(of(a).cmp(&of(b)), a.partial_cmp(&b).unwrap());
            let of = |value: f64| order(&value.to_string()).unwrap();
            prop_assert_eq!(of(a).cmp(&of(b)), a.partial_cmp(&b).unwrap());
        }

        #[test]
        fn decimals_of_35_digits_are_in_their_order(whole in 1..100_000_000_u64, at: u64, by in 1..1000_u64) {
            let of = |last: u64| order(&format!("{whole:08}{:020}{:07}", at, last)).unwrap();
            prop_assert!(of(7) < of(7 + by));
            let of = |last: u64| order(&format!("{whole:08}.{:020}{:07}", at, last)).unwrap();
            prop_assert!(of(7) < of(7 + by));
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
        assert_eq!(of(Some("\"NaN\"")).unwrap(), None);
        assert_eq!(of(Some("\"\"")).unwrap(), None);
        assert_eq!(of_cell("", "when", &|| "f:1".to_owned()).unwrap(), None);
        assert_eq!(of(Some("\"7\"")).unwrap(), Some(7.0.into()));
        assert_eq!(of(Some("true")).unwrap(), Some(1.0.into()));
        let error = of(Some("[1]")).unwrap_err().to_string();
        assert!(error.starts_with("f:1: the field \"when\"") && error.contains("[1]"), "{error}");
        let error = of_cell(" ", "when", &|| "f:1".to_owned()).unwrap_err().to_string();
        assert!(error.ends_with("found a text without a character"), "{error}");
    }
}
