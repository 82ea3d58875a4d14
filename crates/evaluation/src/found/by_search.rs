//! The pairs that `dedup` finds: all of a similarity and above, exactly, or those of one setting with the clusters
//! that it makes of them.

use crate::error::Error;
use crate::found::closest::{Closest, Nearest};
use crate::found::equals::{ListedPair, spread};
use crate::found::level::{ROUNDING, of_similarity, steps_from};
use nearprint_dedup::{Dedup, Found, Recall, Verify};
use std::sync::Mutex;

/// All pairs of a similarity and above.
pub(crate) struct AllPairs {
    pub(crate) nearest: Nearest,
    /// Whether the farthest steps were given up, as there were too many pairs.
    pub(crate) cut: bool,
}

/// All pairs that pass `least`, by hundredths of its measure, or fewer where these are more than `most`.
///
/// # Errors
/// A check without a measure of its own; those of the search; too many pairs of equals.
pub(crate) fn all_pairs(
    dedup: &Dedup,
    texts: &[String],
    least: Verify,
    most: usize,
) -> Result<AllPairs, Error> {
    let end = match least {
        Verify::Jaccard(least) | Verify::Cosine(least) | Verify::WeightedJaccard(least) => {
            steps_from(least)
        }
        Verify::None | Verify::Containment(_) => return Err(Error::NoMeasure { measure: least }),
    };
    let dedup = dedup.clone().verify(least).recall(Recall::Exact);
    let (listed, _) = listed(&dedup, texts, of_similarity)?;
    let closest = Closest::new(end, most);
    spread(&listed, count(texts), most, &closest)?;
    let nearest = closest.finish()?;
    Ok(AllPairs { cut: nearest.end < end, nearest })
}

/// The pairs of a setting, all of the first step, and what `dedup` makes of them.
///
/// # Errors
/// Those of the search; more than `most` pairs.
pub(crate) fn of_setting(
    dedup: &Dedup,
    texts: &[String],
    most: usize,
) -> Result<(Nearest, Found), Error> {
    let (listed, found) = listed(dedup, texts, |_| 0)?;
    let closest = Closest::new(1, most);
    spread(&listed, count(texts), most, &closest)?;
    Ok((closest.finish()?, found))
}

fn listed(
    dedup: &Dedup,
    texts: &[String],
    level: impl Fn(f64) -> u16 + Sync + Send,
) -> Result<(Vec<ListedPair>, Found), Error> {
    let listed = Mutex::new(Vec::new());
    let text = |at: usize| texts.get(at).map_or("", String::as_str);
    // Equal texts are spread where they are counted.
    let found = dedup.clone().fold_equal(true).texts_and_pairs_by(texts.len(), text, |pair| {
        let similarity = pair.evidence.similarity().unwrap_or(1.0);
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let equal = pair.evidence.distance == 0 && similarity >= 1.0 - ROUNDING;
        let (a, b) = (place(pair.a), place(pair.b));
        if let Ok(mut listed) = listed.lock() {
            listed.push(ListedPair { level: level(similarity), equal, a, b });
        }
    })?;
    Ok((listed.into_inner().unwrap_or_default(), found))
}

fn count(texts: &[String]) -> u32 {
    u32::try_from(texts.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_alike_are_given_up_where_pairs_are_too_many() {
        // Each text shares all but so many of 40 words with the first one.
        let text = |other: usize| {
            let word = |at| if at < other { format!("w{at}x{other}") } else { format!("w{at}") };
            (0..40).map(word).collect::<Vec<_>>().join(" ")
        };
        let texts: Vec<_> = (0..6).map(text).collect();
        let dedup = Dedup::new();
        let found = |most| all_pairs(&dedup, &texts, Verify::Jaccard(0.3), most).unwrap();
        let all = found(100);
        assert!(!all.cut && all.nearest.pairs.len() == 15, "{:?}", all.nearest);
        let part = found(4);
        assert!(part.cut && !part.nearest.pairs.is_empty() && part.nearest.pairs.len() <= 4);
        assert_eq!(part.nearest.pairs, all.nearest.pairs[..part.nearest.pairs.len()]);
        assert!(all_pairs(&dedup, &texts, Verify::None, 9).is_err());
    }
}
