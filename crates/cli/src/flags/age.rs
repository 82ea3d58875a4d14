//! An age on the command line.

use std::time::Duration;

/// A number with its unit.
pub(crate) fn age(text: &str) -> Result<Duration, String> {
    let units = [('s', 1), ('m', 60), ('h', 3600), ('d', 86_400), ('w', 7 * 86_400)];
    let unit = text.chars().next_back().and_then(|last| units.iter().find(|unit| unit.0 == last));
    let seconds = unit.and_then(|(unit, seconds)| {
        let number: u64 = text.strip_suffix(*unit)?.parse().ok()?;
        number.checked_mul(*seconds)
    });
    let wrong = || "a number and s, m, h, d or w are expected, such as 90d".to_owned();
    seconds.map(Duration::from_secs).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_a_number_with_a_unit() {
        for (text, seconds) in
            [("45s", 45), ("30m", 1800), ("12h", 43_200), ("90d", 7_776_000), ("8w", 4_838_400)]
        {
            assert_eq!(age(text).unwrap(), Duration::from_secs(seconds));
        }
        for text in [
            "",
            "d",
            "90",
            "-1d",
            "1.5h",
            "90 d",
            "1y",
            "99999999999999999999d",
            "9999999999999999999w",
        ] {
            assert!(age(text).unwrap_err().contains("such as 90d"), "{text}");
        }
    }
}
