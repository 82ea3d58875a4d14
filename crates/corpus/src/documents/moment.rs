//! Dates and times in texts: a date is its year, and what of it has passed.
//!
//! # References
//!
//! W3C, "Date and Time Formats" (W3CDTF), which WARC cites for `WARC-Date`: a date may be a year or a month alone.

/// Seconds of a day.
const DAY: i128 = 86_400;
/// Digits of a year that stands alone.
pub(crate) const YEAR: usize = 4;
/// Digits of the seconds of a year.
const SECONDS: u32 = 8;

/// A date, a date with a time, or a time of day, as a decimal: the digits of a whole number, and the power of ten that it
/// is times.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) is_date: bool,
    pub(crate) is_negative: bool,
    pub(crate) digits: String,
    pub(crate) exponent: i64,
}

/// The moment that a text stands for; in it none where its digits are too many.
pub(crate) fn of_text(text: &str) -> Option<Option<Moment>> {
    let mut rest = Rest(text);
    let date = rest.date();
    let is_timed = match date {
        Some(Date { has_day, .. }) => {
            has_day && rest.take(|c| matches!(c, 'T' | 't' | ' ')).is_some()
        }
        None => true,
    };
    let (mut seconds, fraction) = if is_timed { rest.time(date.is_some())? } else { (0, "") };
    if is_timed && date.is_some() {
        seconds -= rest.zone()?;
    }
    if !rest.0.is_empty() {
        return None;
    }
    // A fraction counts forward, also before the year 0.
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > FRACTION {
        return Some(None);
    }
    let Some(Date { year, days, .. }) = date else {
        let (digits, exponent) = (format!("{seconds}{fraction}"), -length(fraction));
        return Some(Some(Moment { is_date: false, is_negative: false, digits, exponent }));
    };
    let seconds = i128::from(days) * DAY + i128::from(seconds);
    let of_year = |year| i128::from(days_of(year, 1, 1)) * DAY;
    // A zone may move it into the year before or behind.
    let year = year - i64::from(seconds < of_year(year)) + i64::from(seconds >= of_year(year + 1));
    let whole = i128::from(year) * 10_i128.pow(SECONDS) + seconds - of_year(year);
    let parts = fraction.bytes().fold(1, |parts, _| 10 * parts);
    let moment = whole * parts + fraction.parse().unwrap_or(0);
    let (is_negative, digits) = (moment < 0, moment.unsigned_abs().to_string());
    let exponent = -length(fraction) - i64::from(SECONDS);
    Some(Some(Moment { is_date: true, is_negative, digits, exponent }))
}

/// A date of the Gregorian calendar, or its first day where it is a month.
#[derive(Clone, Copy)]
struct Date {
    year: i64,
    /// Since 1970-01-01.
    days: i64,
    has_day: bool,
}

/// The days from 1970-01-01 to a date.
fn days_of(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin in March, so that the leap day is the last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let of_years = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    of_years + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// Digits of the fraction of a second, at most.
const FRACTION: usize = 18;

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

    /// A date, or a month of a year of four digits; nothing is read where there is none.
    fn date(&mut self) -> Option<Date> {
        let mut rest = Rest(self.0);
        let sign = rest.take(|c| matches!(c, '+' | '-'));
        let digits = rest.digits();
        if !(YEAR..=12).contains(&digits.len()) {
            return None;
        }
        let year: i64 = digits.parse().ok()?;
        let year = if sign == Some('-') { -year } else { year };
        rest.take(|c| c == '-')?;
        let month = rest.two(12).filter(|month| *month > 0)?;
        let is_month = sign.is_none() && digits.len() == YEAR && rest.0.is_empty();
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let last = match month {
            2 => 28 + i64::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let day = match is_month {
            true => 1,
            false => {
                rest.take(|c| c == '-')?;
                rest.two(last).filter(|day| *day > 0)?
            }
        };
        self.0 = rest.0;
        Some(Date { year, days: days_of(year, month, day), has_day: !is_month })
    }

    /// Hours and minutes, and seconds where they are there: the whole seconds, and the digits of their fraction. Of a
    /// date there may be the hours alone.
    fn time(&mut self, of_date: bool) -> Option<(i64, &'a str)> {
        let hours = self.two(24)?;
        let minutes = match self.take(|c| c == ':') {
            None if of_date => return Some((3600 * hours, "")),
            colon => colon.and_then(|_| self.two(59))?,
        };
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

/// The number of digits.
fn length(digits: &str) -> i64 {
    i64::try_from(digits.len()).unwrap_or(i64::MAX)
}
