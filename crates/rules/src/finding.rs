//! How pairs are found before they are checked.

use nearprint_fingerprint::BandShape;
use std::fmt;

/// How pairs are found before they are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// All whose fingerprints differ in few enough bits.
    Radius,
    /// Those that agree in a band of their sketches, with a stated probability.
    Bands(BandShape),
    /// All that pass the check: they share one of their rarest features.
    Prefixes,
    /// None: documents are duplicates where their texts are equal byte for byte, whatever their features.
    Bytes,
}

impl Finding {
    /// What a summary calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Radius => "radius",
            Self::Bands(_) => "bands",
            Self::Prefixes => "exact",
            Self::Bytes => "bytes",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bands(shape) => {
                let (version, bands, rows) = (BandShape::VERSION, shape.bands(), shape.rows());
                write!(f, "{bands} bands of {rows} rows, version {version}")
            }
            other => f.write_str(other.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_to_find_is_called_as_a_summary_has_it() {
        let bands = Finding::Bands(BandShape::for_similarity(0.8, 0.999).unwrap());
        let names = [Finding::Radius, bands, Finding::Prefixes].map(Finding::name);
        assert_eq!(names, ["radius", "bands", "exact"]);
        assert_eq!(Finding::Prefixes.to_string(), "exact");
        assert!(bands.to_string().starts_with("18 bands of 5 rows, version "), "{bands}");
    }
}
