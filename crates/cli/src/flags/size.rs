//! Sizes as people type them.

use std::num::NonZeroU64;

/// How sizes are typed, for those who typed something else.
const WANTED: &str = "use a number of bytes such as 64MB, 64MiB or 1.5G";

/// A size in bytes: a number, which may have a point, with K, M, G or T (or KB and so on) for powers of 1000,
/// or KiB, MiB, GiB or TiB for powers of 1024.
pub(crate) fn bytes(text: &str) -> Result<usize, String> {
    size(text).filter(|size| *size > 0).ok_or_else(|| WANTED.to_owned())
}

/// The size of a shard.
pub(crate) fn of_shard(text: &str) -> Result<NonZeroU64, String> {
    NonZeroU64::new(bytes(text)? as u64).ok_or_else(|| "must not be 0".to_owned())
}

fn size(text: &str) -> Option<usize> {
    let end = text.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(end)?;
    let unit: u128 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "t" | "tb" => 1_000_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1 << 40,
        _ => return None,
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || number.ends_with('.') {
        return None;
    }
    let digits = 10_u128.checked_pow(u32::try_from(part.len()).ok()?)?;
    let number = format!("{whole}{part}").parse::<u128>().ok()?.checked_mul(unit)?;
    // Half a byte is none.
    usize::try_from(number.is_multiple_of(digits).then_some(number / digits)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_decimal_units_and_binary_ones_where_they_say_so() {
        for (text, size) in [
            ("17", 17),
            ("64M", 64_000_000),
            ("64MB", 64_000_000),
            ("64 mb", 64_000_000),
            ("64MiB", 64 << 20),
            ("2GiB", 2 << 30),
            ("1.5G", 1_500_000_000),
            ("0.5KiB", 512),
            ("1T", 1_000_000_000_000),
            ("1TiB", 1 << 40),
            ("100k", 100_000),
            ("9B", 9),
        ] {
            assert_eq!(bytes(text), Ok(size), "{text}");
        }
        for wrong in [
            "",
            "M",
            "-1",
            "0",
            "0.0G",
            "1.5",
            "1.",
            ".5G",
            "1.2.3M",
            "1X",
            "1MBi",
            "1e9",
            "1,5G",
            "0.1KiB",
            "99999999999999G",
            "\u{0661}M",
        ] {
            assert_eq!(bytes(wrong), Err(WANTED.to_owned()), "{wrong}");
        }
    }
}
