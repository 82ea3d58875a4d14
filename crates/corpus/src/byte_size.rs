//! Numbers of bytes as messages say them.

use std::fmt;

/// A number of bytes, displayed in units of 10^n with three digits: `999 bytes`, `1.05 MB`, `64 MB`.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::ByteSize;
///
/// assert_eq!(ByteSize(64_000_000).to_string(), "64 MB");
/// assert_eq!(ByteSize(1 << 20).to_string(), "1.05 MB");
/// assert_eq!(ByteSize((1 << 20) + 1).at_least().to_string(), "1.05 MB");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByteSize(pub u64);

/// Units, the largest first.
const UNITS: [(u64, &str); 5] = [
    (1_000_000_000_000_000, "PB"),
    (1_000_000_000_000, "TB"),
    (1_000_000_000, "GB"),
    (1_000_000, "MB"),
    (1000, "kB"),
];

impl ByteSize {
    /// The next size that three digits tell exactly: for what is needed, which is not to be rounded down.
    #[must_use]
    pub fn at_least(self) -> Self {
        let step = Self::step(self.0);
        Self(self.0.div_ceil(step).saturating_mul(step))
    }

    /// What the last of three digits stands for.
    fn step(bytes: u64) -> u64 {
        10_u64.pow(bytes.max(1).ilog10().saturating_sub(2))
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = Self::step(self.0);
        let rounded = self.0.saturating_add(step / 2) / step * step;
        let Some((unit, name)) = UNITS.into_iter().find(|(unit, _)| rounded >= *unit) else {
            return write!(f, "{} byte{}", self.0, if self.0 == 1 { "" } else { "s" });
        };
        let (whole, hundredths) = (rounded / unit, rounded % unit / (unit / 100));
        match hundredths {
            0 => write!(f, "{whole} {name}"),
            tenths if tenths.is_multiple_of(10) => write!(f, "{whole}.{} {name}", tenths / 10),
            hundredths => write!(f, "{whole}.{hundredths:02} {name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_three_digits_and_decimal_units() {
        for (bytes, said) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (999, "999 bytes"),
            (1000, "1 kB"),
            (1024, "1.02 kB"),
            (999_499, "999 kB"),
            (999_500, "1 MB"),
            (67_108_864, "67.1 MB"),
            (120_400_000, "120 MB"),
            (1_249_999_999, "1.25 GB"),
            (25_000_000_000, "25 GB"),
            (1_500_000_000_000, "1.5 TB"),
            (u64::MAX, "18400 PB"),
        ] {
            assert_eq!(ByteSize(bytes).to_string(), said, "{bytes}");
        }
    }

    #[test]
    fn what_is_needed_is_rounded_up() {
        for (bytes, enough) in [(67_108_864, 67_200_000), (1, 1), (1_000_001, 1_010_000), (64, 64)]
        {
            assert_eq!(ByteSize(bytes).at_least(), ByteSize(enough));
        }
    }
}
