//! How alike near-duplicates are, said as people say it: a similarity, or a radius in bits.

use crate::flags::heading::DUPLICATE;
use crate::flags::radius::RadiusFlags;
use crate::show::figures::{count, percentage};
use crate::usage::wrong;
use clap::{Arg, Args, ValueEnum};
use nearprint_dedup::{
    CriteriaSpec, Error, Finding, FingerprintSpec, JobSpec, Likeness, Recall, Verify,
};
use nearprint_fingerprint::{BandError, Recipe, Width, estimate};

/// What makes two documents near-duplicates.
#[derive(Args)]
pub(crate) struct LikenessFlags {
    /// Least share of features in common, 0.3 to 1 [default: 0.8]
    ///
    /// This is the Jaccard similarity of the features that the recipe forms. nearprint finds pairs by
    /// sketches of their features and compares each exactly. The time grows with the number of
    /// documents, not with its square. For recipes of real weights (given, idf, bm25, textrank, keywords) it is
    /// the cosine of the weights. Below 0.3 it takes --recall exact.
    #[arg(long, value_name = "S", conflicts_with = "k", value_parser = share, allow_negative_numbers = true, help_heading = DUPLICATE)]
    similarity: Option<f64>,
    /// Share of the pairs at exactly the similarity that are found, or exact [default: 0.999]
    ///
    /// A number above 0 and below 1, which is held to within 0.0002. Pairs above the similarity are found more often: by default 0.99997 of those at
    /// 0.85. Documents of large clusters have many pairs, and are hardly ever missed. exact: all pairs are found, by
    /// their rarest features; no two kept documents are near-duplicates. That reads the input once more and, if many
    /// documents share even their rarest features, takes much longer. Every reported pair was compared.
    #[arg(long, value_name = "R", conflicts_with = "k", help_heading = DUPLICATE, hide_short_help = true)]
    recall: Option<Recall>,
    #[command(flatten)]
    radius: RadiusFlags,
    /// Check of pairs: none, jaccard=X, containment=X, cosine=X or weighted-jaccard=X
    ///
    /// jaccard is the share of features in common. containment is that share of the document with fewer features.
    /// cosine and weighted-jaccard use the weights of the features. Pairs are looked for at X, and a --similarity that
    /// differs is refused. Without -k nearprint finds all pairs of a containment or a weighted-jaccard, as with
    /// --recall exact. Unless --recall is exact, pairs of a cosine are found within a radius. It contains that share of
    /// the pairs at exactly X, or with none 95 % of those at the similarity. The time of such a join grows with the
    /// square of the corpus. If all weights are 1, as for text, sketches find the pairs of cosine and weighted-jaccard
    /// too. [default: jaccard at the similarity, cosine for recipes of real weights; none with -k]
    #[arg(long, value_name = "RULE", help_heading = DUPLICATE, hide_short_help = true)]
    verify: Option<Verify>,
    /// Only equal texts are duplicates, compared by: bytes
    ///
    /// bytes: texts that differ in anything, such as case or a space, are kept. Nothing is fingerprinted, so this is
    /// fast. The text of a page is what `nearprint text` prints.
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with_all = ["similarity", "recall", "k", "verify"], hide_possible_values = true, help_heading = DUPLICATE, hide_short_help = true)]
    equal: Option<Equal>,
}

/// What is equal in duplicates.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Equal {
    /// The bytes of their texts
    Bytes,
}

impl LikenessFlags {
    /// Refuses duplicates of equal bytes for a verb that is about likeness.
    pub(crate) fn refuse_equal(&self) -> anyhow::Result<()> {
        match self.equal {
            Some(Equal::Bytes) => {
                wrong("--equal: this verb measures how alike documents are; leave it out")
            }
            None => Ok(()),
        }
    }

    /// Refuses a `width` where nothing is fingerprinted.
    pub(crate) fn refuse_idle_width(&self, width: Option<Width>) -> anyhow::Result<()> {
        match width.filter(|_| self.equal.is_some()) {
            Some(width) => wrong(format!(
                "--width {width}: with --equal bytes nothing is fingerprinted; leave it out"
            )),
            None => Ok(()),
        }
    }

    /// Whether nobody says how pairs are found that features decide, so that all of them can be.
    pub(crate) fn is_by_default(&self) -> bool {
        let is_unchecked = self.verify == Some(Verify::None) || self.equal.is_some();
        self.recall.is_none() && !is_unchecked && !self.radius.is_given()
    }

    /// The radius, where nothing but fingerprints is asked for.
    pub(crate) fn radius(&self) -> Option<&RadiusFlags> {
        (self.radius.is_given() && self.verify.is_none()).then_some(&self.radius)
    }

    /// The radius for fingerprints of `width` that decide alone.
    pub(crate) fn stored_radius(&self, width: Width) -> anyhow::Result<u32> {
        Ok(self.bits_radius(width.bits())?.unwrap_or(width.default_radius()))
    }

    /// The radius asked for, of fingerprints of any number of `bits` that decide alone.
    pub(crate) fn bits_radius(&self, bits: u32) -> anyhow::Result<Option<u32>> {
        if let Some(Verify::Cosine(least)) = self.verify {
            let k = estimate::radius_at_cosine(least, bits, Likeness::RADIUS_RECALL);
            return wrong(format!(
                "--verify cosine={least}: the input holds fingerprints, which only estimate a cosine; -k {k} finds \
                 95 % of the pairs at that cosine, or give the texts or features"
            ));
        }
        let unused = [
            ("--similarity", self.similarity.is_some()),
            ("--recall", self.recall.is_some()),
            ("--verify", self.verify.is_some_and(Verify::is_checked)),
            ("--equal", self.equal.is_some()),
        ];
        match unused.iter().find(|(_, given)| *given) {
            Some((flag, _)) => wrong(format!(
                "{flag}: the input holds fingerprints, without features; set a radius with -k, or give \
                 the texts"
            )),
            None => self.radius.asked_of(bits),
        }
    }

    /// What is asked for.
    pub(crate) fn asked(&self) -> CriteriaSpec {
        let Self { similarity, recall, verify, equal, .. } = *self;
        CriteriaSpec {
            similarity,
            recall,
            k: self.radius.given(),
            verify,
            equal_bytes: equal.is_some(),
            ..CriteriaSpec::default()
        }
    }

    /// What is asked for of texts by this recipe, whose width is the one that was chosen.
    pub(crate) fn by(&self, recipe: &Recipe) -> JobSpec {
        let (recipe, width) = (recipe.clone(), Some(recipe.width));
        let fingerprints = FingerprintSpec { recipe, width, statistics: None };
        JobSpec { fingerprints, criteria: self.asked(), ..JobSpec::default() }
    }

    /// Refuses a radius that `width` does not suit, where nobody named a width.
    pub(crate) fn check_usual(&self, width: Width) -> anyhow::Result<()> {
        let Some(radius) = self.radius() else { return Ok(()) };
        let k = radius.k(width)?;
        let fingerprints = FingerprintSpec { width: Some(width), ..FingerprintSpec::default() };
        let criteria = CriteriaSpec { k: Some(k), ..CriteriaSpec::default() };
        Self::of(&JobSpec { fingerprints, criteria, ..JobSpec::default() }).map(drop)
    }

    /// Refuses a radius over `width`.
    pub(crate) fn check(&self, width: Width) -> anyhow::Result<()> {
        self.radius.asked(width).map(drop)
    }

    /// What the job goes by, which a flag may have asked for in vain.
    pub(crate) fn of(job: &JobSpec) -> anyhow::Result<Likeness> {
        match job.criteria() {
            Ok(criteria) => Ok(criteria.likeness),
            Err(Error::Rules(error)) => refused(error, job.criteria.verify, ", or --recall exact"),
            Err(error) => Err(error.into()),
        }
    }
}

/// Refuses what the rules refuse, with the flags that help; `verify` is the check that a similarity may come from, and
/// `instead` what else finds a low one.
pub(crate) fn refused<T>(
    error: nearprint_rules::Error,
    verify: Option<Verify>,
    instead: &str,
) -> anyhow::Result<T> {
    use nearprint_rules::Error;
    let asked = |similarity: f64| match verify {
        Some(rule) if rule.is_checked() => format!("--verify {rule}"),
        _ => format!("--similarity {similarity}"),
    };
    match error {
        Error::Similarity { measure, similarity, width, least } => wrong(format!(
            "{}: too low a {measure} for {width}-bit fingerprints; use {least:.2} or more\
             {}{instead}",
            asked(similarity),
            if width == Width::W256 { "" } else { ", or more bits with --width" }
        )),
        Error::Bands(BandError::Similarity { similarity, least }) if similarity <= 0.0 => {
            let asked = asked(similarity);
            wrong(format!("{asked}: all documents are that similar; use {least} to 1"))
        }
        Error::Bands(BandError::Similarity { similarity, least }) => {
            wrong(format!("{}: use {least} to 1{instead}", asked(similarity)))
        }
        Error::Bands(error) => wrong(format!("--{error}")),
        Error::NoBands => wrong(format!(
            "--recall: {error}; leave it out with -k and with --verify none, containment or weighted-jaccard"
        )),
        Error::WideRadius { k, width, most, wider } => wrong(format!(
            "-k {k}: too wide for {width} bits, as more than one in a thousand pairs of unrelated texts are within it; \
             use at most {most}{}, or --similarity instead, or add --verify",
            wider.map_or_else(String::new, |wider| format!(", or --width {wider}"))
        )),
        Error::Share { share } => {
            wrong(format!("{}: a share of features is above 0 and at most 1", asked(share)))
        }
        _ => Err(error.into()),
    }
}

/// What was chosen, for a reader: the share of the pairs that is found, and in parentheses the figures behind it.
pub(crate) fn said(likeness: &Likeness, width: Width) -> String {
    let within = format!("within {} of {width} bits", likeness.k());
    let figures = match likeness.finding() {
        Finding::Bytes => return "finds all texts of equal bytes".to_owned(),
        Finding::Radius => within,
        Finding::Bands(bands) => {
            format!("{} bands of {} rows, {within}", bands.bands(), bands.rows())
        }
        Finding::Prefixes => "by their rarest features".to_owned(),
    };
    let found = likeness.similarity_and_recall().map_or_else(
        || "finds all the pairs".to_owned(),
        |(similarity, recall)| share_found(recall, measured(likeness.measure()), similarity),
    );
    let chance = by_chance(likeness.chance());
    match likeness.verify() {
        Verify::None => format!("{found} ({figures}){chance}"),
        rule => format!("{found}, and compares each exactly ({figures}, {rule}){chance}"),
    }
}

/// The share of the pairs at a threshold that is found, for a reader.
pub(crate) fn share_found(recall: f64, measure: &str, least: f64) -> String {
    let above = if recall < 1.0 { ", more above it" } else { " or more" };
    format!("finds {} the pairs at {measure} {least}{above}", portion(recall))
}

/// What is said of a measure before its value.
pub(crate) fn measured(measure: &str) -> &'static str {
    match measure {
        "cosine" => "cosine",
        "weighted-jaccard" => "weighted Jaccard similarity",
        _ => "similarity",
    }
}

/// What a radius alone finds among documents that share nothing, where that is worth a word.
pub(crate) fn by_chance(chance: f64) -> String {
    if chance < 1e-6 {
        return String::new();
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most a million"
    )]
    let one_in = (1.0 / chance).round() as u64;
    format!(" (and by chance one in {} unrelated pairs)", count(one_in))
}

/// How many of the pairs.
pub(crate) fn portion(share: f64) -> String {
    if share >= 1.0 { "all".to_owned() } else { format!("{} % of", percentage(share)) }
}

/// The radius for verbs that take texts and fingerprints.
pub(crate) fn or_similarity(k: Arg) -> Arg {
    const HELP: &str = "Hamming radius: near-duplicates differ in at most K bits";
    const MORE: &str = "Replaces --similarity. Pairs are then not compared exactly, unless --verify is given. \
                        For fingerprints without texts the default is 3 bits in 64.";
    k.help(HELP).long_help(format!("{HELP}\n\n{MORE}"))
}

/// The recall of a verb that finds all pairs where nobody says how many.
pub(crate) fn or_all(recall: Arg) -> Arg {
    const HELP: &str =
        "Share of the pairs at exactly the similarity that are found, or exact [default: exact]";
    const MORE: &str = "exact: all pairs are found, by their rarest features. That reads the input once more and, if \
                        many documents share even their rarest features, takes much longer. A number above 0 and below \
                        1 is held to within 0.0002; pairs above the similarity are found more often. Every reported \
                        pair was compared. With --verify none, pairs are found within a radius instead.";
    recall.help(HELP).long_help(format!("{HELP}\n\n{MORE}"))
}

/// A share from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "use a number from 0 to 1, such as 0.8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_said_before_the_figures() {
        let recipe = Recipe::default().with_width(Width::W128);
        let similar = Likeness::by_similarity(0.8, &recipe).unwrap();
        let all = Likeness::by_features(Verify::Jaccard(0.8), Width::W128).unwrap();
        let near = Likeness::by_radius(3, Width::W128).unwrap();
        for (likeness, expected) in [
            (
                similar,
                "finds 99.91 % of the pairs at similarity 0.8, more above it, and compares each exactly \
                 (18 bands of 5 rows, within 42 of 128 bits, jaccard=0.8)",
            ),
            (
                all,
                "finds all the pairs at similarity 0.8 or more, and compares each exactly \
                 (by their rarest features, jaccard=0.8)",
            ),
            (near, "finds all the pairs (within 3 of 128 bits)"),
        ] {
            assert_eq!(said(&likeness, Width::W128), expected);
        }
    }
}
