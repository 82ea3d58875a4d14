//! A setting of `nearprint dedup`: what makes documents near-duplicates.

use nearprint_dedup::{Error, Finding, Likeness, Verify};
use nearprint_fingerprint::{Recipe, Width, estimate};

/// A setting that may be chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// What it says.
    pub likeness: Likeness,
    /// Bits of its fingerprints.
    pub width: Width,
    /// The Jaccard similarity that it stands for: pairs at least as similar are meant to be found.
    pub similarity: f64,
    /// Whether `dedup` measures that similarity without being asked to.
    is_usual: bool,
}

impl Setting {
    /// Bands and an exact check, as `--similarity` has it where features weigh by their counts.
    ///
    /// # Errors
    /// A similarity that cannot be looked for.
    pub fn by_similarity(similarity: f64, recipe: &Recipe) -> Result<Self, Error> {
        let likeness = Likeness::by_measure(Verify::Jaccard(similarity), recipe)?;
        Ok(Self::checked(likeness, similarity, recipe))
    }

    /// The same with every pair found, as `--recall exact` has it.
    ///
    /// # Errors
    /// A similarity that is none.
    pub fn exact(similarity: f64, recipe: &Recipe) -> Result<Self, Error> {
        let likeness = Likeness::by_features(Verify::Jaccard(similarity), recipe.width)?;
        Ok(Self::checked(likeness, similarity, recipe))
    }

    fn checked(likeness: Likeness, similarity: f64, recipe: &Recipe) -> Self {
        let is_usual = Verify::suiting(recipe.weights, similarity) == Verify::Jaccard(similarity);
        Self { likeness, width: recipe.width, similarity, is_usual }
    }

    /// Fingerprints alone within `k` bits, meant for pairs of a similarity.
    ///
    /// # Errors
    /// `k` over the width, or so wide that unrelated documents are within it.
    pub fn by_radius(k: u32, width: Width, similarity: f64) -> Result<Self, Error> {
        let likeness = Likeness::by_radius(k, width)?;
        likeness.check_chance()?;
        Ok(Self { likeness, width, similarity, is_usual: true })
    }

    /// The flags that ask for it.
    #[must_use]
    pub fn flags(&self) -> String {
        let Self { likeness, width, similarity, is_usual } = self;
        if !likeness.verify().is_checked() {
            return format!("-k {} --width {width}", likeness.k());
        }
        let mut flags = format!("--similarity {similarity}");
        if !is_usual {
            flags += &format!(" --verify jaccard={similarity}");
        }
        if self.finds_all() {
            flags += " --recall exact";
        }
        flags
    }

    /// Whether it finds every pair of its similarity, which is proven.
    pub(crate) fn finds_all(&self) -> bool {
        self.likeness.finding() == Finding::Prefixes
    }

    /// Whether every pair that it finds was compared exactly, and is of its similarity.
    pub(crate) fn checks_all(&self) -> bool {
        matches!(self.likeness.verify(), Verify::Jaccard(least) if least >= self.similarity)
    }

    /// The probability that it looks at a pair, and whether it then takes it for near-duplicates.
    pub(crate) fn finds(&self, similarity: f64, distance: Option<u16>) -> (f64, bool) {
        let likeness = &self.likeness;
        let passes = match likeness.verify() {
            Verify::Jaccard(least) => similarity >= least,
            _ => true,
        };
        // As of equal content: equal features and weights make equal sketches and fingerprints.
        let is_equal = similarity >= 1.0 && distance == Some(0);
        let looks = match likeness.finding() {
            Finding::Bands(_) if is_equal => 1.0,
            Finding::Bands(_) if passes => likeness.looks_at(similarity),
            // At most: of these, sketches tell some apart.
            Finding::Bands(bands) => bands.recall(similarity),
            Finding::Radius => match distance {
                Some(distance) => f64::from(u8::from(u32::from(distance) <= likeness.k())),
                None => estimate::recall(similarity, self.width.bits(), likeness.k()),
            },
            Finding::Prefixes | Finding::Bytes => f64::from(u8::from(passes)),
        };
        (looks, passes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::Weighting;

    #[test]
    fn flags_ask_for_the_setting_and_what_it_finds_follows_from_it() {
        let recipe = Recipe::default().with_width(Width::W128);
        let bands = Setting::by_similarity(0.8, &recipe).unwrap();
        let exact = Setting::exact(0.8, &recipe).unwrap();
        let radius = Setting::by_radius(26, Width::W128, 0.8).unwrap();
        assert_eq!(
            [bands, exact, radius].map(|setting| setting.flags()),
            ["--similarity 0.8", "--similarity 0.8 --recall exact", "-k 26 --width 128"]
        );
        // 18 bands of 5 rows find a pair at 0.8 with 0.999.
        let (looks, passes) = bands.finds(0.8, Some(36));
        assert!(passes && (0.999..0.9995).contains(&looks), "{looks}");
        // As the closing lines of dedup say.
        assert_eq!(bands.likeness.similarity_and_recall(), Some((0.8, looks)));
        assert!(!bands.finds(0.79, Some(3)).1);
        // Equal content is found for certain; equal features of other weights, or of unknown ones, are not.
        assert_eq!(bands.finds(1.0, Some(0)), (1.0, true));
        assert!(bands.finds(1.0, Some(9)).0 < 1.0 && bands.finds(1.0, None).0 < 1.0);
        assert_eq!(
            (exact.finds(0.8, Some(128)), exact.finds(0.7, Some(0))),
            ((1.0, true), (0.0, false))
        );
        assert_eq!(
            (radius.finds(0.1, Some(26)), radius.finds(0.9, Some(27))),
            ((1.0, true), (0.0, true))
        );
        assert_eq!(
            [bands, exact, radius].map(|one| (one.finds_all(), one.checks_all())),
            [(false, true), (true, true), (false, false)]
        );
        assert!(Setting::by_radius(47, Width::W128, 0.8).is_err());
        // Where dedup would measure the cosine of real weights, the flags ask for the Jaccard similarity.
        let weighted = Recipe { weights: Weighting::Textrank, ..recipe };
        let bands = Setting::by_similarity(0.8, &weighted).unwrap();
        let exact = Setting::exact(0.8, &weighted).unwrap();
        assert_eq!(
            [bands, exact].map(|setting| setting.flags()),
            [
                "--similarity 0.8 --verify jaccard=0.8",
                "--similarity 0.8 --verify jaccard=0.8 --recall exact"
            ]
        );
        assert!(bands.finds(0.8, None).0 > 0.998 && !bands.finds(0.79, None).1);
    }
}
