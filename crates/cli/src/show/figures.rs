//! Numbers as people read them.

use nearprint_corpus::ByteSize;
use nearprint_dedup::OutputSize;

/// `1234567` as `1,234,567`.
pub(crate) fn count(number: u64) -> String {
    grouped(&number.to_string())
}

/// The digits of a number in groups of three.
pub(crate) fn grouped(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 pair`, `1,234 pairs`: a number of things whose name takes an s.
pub(crate) fn count_of(number: u64, thing: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {thing}{s}", count(number))
}

/// `1 query`, `1,234 queries`.
pub(crate) fn queries(number: u64) -> String {
    format!("{} {}", count(number), if number == 1 { "query" } else { "queries" })
}

/// `part` of `whole` in percent.
#[expect(clippy::cast_precision_loss, reason = "for two digits after the point")]
pub(crate) fn percent(part: u64, whole: u64) -> String {
    format!("{} %", percentage(part as f64 / whole.max(1) as f64))
}

/// A share in percent, one digit after the point. From 99 % on there are two, as a tenth is much of what is missed there,
/// and they are rounded down: what is not all is never 100.
pub(crate) fn percentage(share: f64) -> String {
    match (0.99..1.0).contains(&share) {
        true => format!("{:.2}", (1e4 * share).floor() / 100.0),
        false => format!("{:.1}", 100.0 * share),
    }
}

/// Bytes in units of 10^n: `999 bytes`, `1.5 MB`, `64 MB`.
pub(crate) fn bytes(number: u64) -> String {
    ByteSize(number).to_string()
}

/// The bytes of an output that a forecast tells, and whether notes or copies come on top.
pub(crate) fn output(number: u64, size: OutputSize, noted: bool) -> String {
    let number = bytes(number);
    let noted = if noted { "; notes and copies come on top" } else { "" };
    match size {
        OutputSize::Most => format!("at most {number}"),
        OutputSize::Packed => format!("about {number} if packed as the input is, or more{noted}"),
        OutputSize::Unpacked => format!("about {number}, uncompressed{noted}"),
    }
}

/// Bytes in megabytes of 10^6.
#[expect(clippy::cast_precision_loss, reason = "for one digit after the point")]
pub(crate) fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Bytes a second.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "three digits are shown"
)]
pub(crate) fn rate(bytes: u64, seconds: f64) -> u64 {
    (bytes as f64 / seconds.max(1e-9)) as u64
}

/// Seconds as people say them.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "less than a second".to_owned(),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 48.0 * 3600.0 => format!("{:.0} hours", s / 3600.0),
        s => format!("{:.0} days", s / 86400.0),
    }
}

/// The same where it may be a little more or less.
pub(crate) fn about(seconds: f64) -> String {
    if seconds < 1.0 { duration(seconds) } else { format!("about {}", duration(seconds)) }
}

/// The same where it may be more.
pub(crate) fn at_least(seconds: f64) -> String {
    if seconds < 1.0 { "a second".to_owned() } else { format!("{} or more", duration(seconds)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        let numbers = [0, 999, 1000, 1_234_567].map(count);
        assert_eq!(numbers, ["0", "999", "1,000", "1,234,567"]);
        let things = [0, 1, 2000].map(|number| count_of(number, "pair"));
        assert_eq!(things, ["0 pairs", "1 pair", "2,000 pairs"]);
        assert_eq!([1, 2000].map(queries), ["1 query", "2,000 queries"]);
        assert_eq!(percent(1, 3), "33.3 %");
        assert_eq!(percent(0, 0), "0.0 %");
    }

    #[test]
    fn what_is_not_all_is_never_a_hundred_percent() {
        let shares = [0.0, 0.9549, 0.9899, 0.99, 0.9912, 0.999_999, 1.0].map(percentage);
        assert_eq!(shares, ["0.0", "95.5", "99.0", "99.00", "99.12", "99.99", "100.0"]);
        assert_eq!([percent(49_999, 50_000), percent(7, 7)], ["99.99 %", "100.0 %"]);
        // A share that two digits tell is told by these.
        for hundredths in 9900..10_000_u32 {
            let told = percentage(f64::from(hundredths) / 1e4);
            assert_eq!(told, format!("{}.{:02}", hundredths / 100, hundredths % 100));
        }
    }

    #[test]
    fn times_are_said_in_their_unit() {
        let times = [0.4, 90.0, 600.0, 10_800.0, 1e6].map(duration);
        assert_eq!(times, ["less than a second", "90 s", "10 min", "3 hours", "12 days"]);
        assert_eq!([0.4, 90.0].map(about), ["less than a second", "about 90 s"]);
        assert_eq!([0.4, 90.0].map(at_least), ["a second", "90 s or more"]);
    }
}
