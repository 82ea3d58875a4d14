//! How many bits near-duplicates may differ in.

use crate::flags::heading::DUPLICATE;
use crate::usage::wrong;
use clap::Args;
use nearprint_dedup::Likeness;
use nearprint_fingerprint::Width;
use nearprint_store::{Error, Settings, Threshold};

/// How far apart near-duplicates may be.
#[derive(Args)]
pub(crate) struct RadiusFlags {
    /// Near-duplicates differ in at most K bits [default: 3 bits in 64]
    ///
    /// The default is 3 at 64 bits, 6 at 128 and 12 at 256.
    #[arg(short, value_name = "K", help_heading = DUPLICATE)]
    k: Option<u32>,
}

impl RadiusFlags {
    /// The radius for fingerprints of `width`.
    pub(crate) fn k(&self, width: Width) -> anyhow::Result<u32> {
        Ok(self.asked(width)?.unwrap_or(width.default_radius()))
    }

    /// The radius for a store of such fingerprints, refused where unrelated ones may be within it.
    pub(crate) fn apart(&self, width: Width) -> anyhow::Result<u32> {
        let k = self.k.unwrap_or(width.default_radius());
        let check = |width| {
            Settings { threshold: Threshold::Radius(k), ..Settings::ready_made(width) }.check()
        };
        match check(width) {
            Err(error @ Error::WideRadius { .. }) => {
                let mut wider = Width::ALL.into_iter().filter(|wider| *wider > width);
                let wider = wider.find(|wider| check(*wider).is_ok());
                let bits = wider.map_or_else(String::new, |wider| format!(", or --width {wider}"));
                wrong(format!("-k {k}: {error}{bits}, or leave -k out"))
            }
            checked => Ok(checked.map(|()| k)?),
        }
    }

    /// Whether a radius is asked for.
    pub(crate) fn is_given(&self) -> bool {
        self.k.is_some()
    }

    /// The radius as it is asked for.
    pub(crate) fn given(&self) -> Option<u32> {
        self.k
    }

    /// The radius asked for.
    pub(crate) fn asked(&self, width: Width) -> anyhow::Result<Option<u32>> {
        self.asked_of(width.bits())
    }

    /// The radius asked for, of fingerprints of any number of `bits`.
    pub(crate) fn asked_of(&self, bits: u32) -> anyhow::Result<Option<u32>> {
        match self.k {
            Some(k) if k > bits => {
                let wider = Width::from_bits(bits).and_then(|width| Likeness::wider(k, width));
                let texts = wider
                    .map_or_else(String::new, |wider| format!(", or of texts --width {wider}"));
                wrong(format!(
                    "-k {k} is more than the {bits} bits of a fingerprint; use 0 to {bits}{texts}"
                ))
            }
            k => Ok(k),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_radius_keeps_the_angle() {
        let flags = RadiusFlags { k: None };
        let radii = Width::ALL.map(|width| flags.k(width).unwrap());
        assert_eq!(radii, [3, 6, 12]);
    }

    #[test]
    fn a_store_takes_no_radius_that_unrelated_fingerprints_are_within() {
        for (width, most) in [(Width::W64, 16), (Width::W128, 32), (Width::W256, 64)] {
            let apart = |k| RadiusFlags { k: Some(k) }.apart(width);
            assert_eq!(apart(most).unwrap(), most);
            for wide in [most + 1, width.bits(), width.bits() + 1] {
                let told = apart(wide).unwrap_err().to_string();
                assert!(told.contains(&format!("use at most {most}, or ")), "{told}");
                let wider = Width::ALL.into_iter().find(|width| wide <= width.bits() / 4);
                let named = wider.map(|wider| told.contains(&format!(", or --width {wider}, or ")));
                assert!(named.unwrap_or(!told.contains("--width")), "{told}");
            }
        }
    }
}
