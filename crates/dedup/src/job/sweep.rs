//! What a similarity leaves of a corpus, and the similarity that leaves so much: figures, and what is searched for.

use crate::error::Error;
use crate::exact_share::ExactShare;
use nearprint_corpus::ByteSize;
use serde::Serialize;
use std::cmp::Ordering;
use std::fmt;
use std::path::Path;

/// Parts of 1 in which a similarity is searched for.
const PARTS: u32 = 10_000;

/// What a similarity leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Swept {
    /// The least similarity of near-duplicates.
    pub similarity: f64,
    /// Pairs at least so similar, of documents that stand for those of equal content.
    pub pairs: u64,
    /// Documents that stay, those without any feature too.
    pub kept: u64,
    /// Documents that go.
    pub removed: u64,
    /// Of these, documents of equal content.
    pub exact: u64,
    /// Clusters of two documents and more.
    pub clusters: u64,
    /// Documents of the largest.
    pub largest_cluster: u64,
    /// Bytes of the texts that stay.
    pub bytes: u64,
}

/// How much a corpus is to have at most when near-duplicates are gone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// So many documents.
    Documents(u64),
    /// So many of the documents that were read: a share of 1.
    Share(f64),
    /// So many bytes of text.
    Bytes(u64),
}

/// Whether a similarity leaves what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Met {
    /// It is the highest that leaves no more.
    Yes,
    /// It leaves no more, and the next higher one leaves more. Of those above, which are too many to look at each, one may
    /// leave no more, too.
    NextLeavesMore,
    /// Even the lowest of the file leaves more.
    MoreIsLeft,
    /// Even 1, which takes out equal documents alone, leaves less.
    LessIsLeft,
}

impl Met {
    /// As summaries have it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::NextLeavesMore => "next-leaves-more",
            Self::MoreIsLeft => "more-is-left",
            Self::LessIsLeft => "less-is-left",
        }
    }
}

/// As in a sentence: `30 % of the documents`.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Documents(1) => f.write_str("1 document"),
            Self::Documents(documents) => write!(f, "{documents} documents"),
            Self::Share(share) => write!(f, "{} of the documents", ExactShare::of(*share)),
            Self::Bytes(bytes) => write!(f, "{} of text", ByteSize(*bytes)),
        }
    }
}

impl Target {
    /// The refusal of what the lowest similarity of a file leaves more than.
    pub(crate) fn unmet(self, left: &Swept, file: &Path) -> Error {
        let Swept { kept, removed, bytes, similarity, .. } = *left;
        let leaves = match self {
            Self::Documents(_) => Self::Documents(kept).to_string(),
            Self::Bytes(_) => Self::Bytes(bytes).to_string(),
            Self::Share(_) => {
                format!("{} of the documents", ExactShare::rounded_up(kept, kept + removed))
            }
        };
        let file = file.display();
        Error::TargetUnmet(format!(
            "{self} cannot be reached: {file} starts at the similarity {similarity}, which leaves {leaves}; nothing was \
             written. Create the file again at a lower similarity"
        ))
    }

    /// What a similarity leaves, beside what is asked for.
    fn compared(self, swept: &Swept) -> Ordering {
        match self {
            Self::Documents(documents) => swept.kept.cmp(&documents),
            Self::Bytes(bytes) => swept.bytes.cmp(&bytes),
            Self::Share(share) => {
                ExactShare::of(share).compared(swept.kept, swept.kept + swept.removed)
            }
        }
    }

    /// The highest similarity from `least` on that leaves no more than is asked for, to four digits, and whether there is
    /// one; `swept` tells what a similarity leaves. Most often a higher one leaves more: one above which the next leaves
    /// more is found by halves. It may leave less, as a document that stays alone may take others with it no longer: so
    /// all that `higher` tells of are looked at, from 1 down, unless these are too many.
    pub(crate) fn find<E>(
        self,
        least: f64,
        higher: impl FnOnce(f64) -> Result<Option<Vec<f64>>, E>,
        mut swept: impl FnMut(f64) -> Result<Swept, E>,
    ) -> Result<(f64, Met), E> {
        let mut leaves = |similarity| Ok(self.compared(&swept(similarity)?));
        match leaves(1.0)? {
            Ordering::Less => return Ok((1.0, Met::LessIsLeft)),
            Ordering::Equal => return Ok((1.0, Met::Yes)),
            Ordering::Greater => {}
        }
        let is_met = leaves(least)?.is_le();
        let first = (0..PARTS).find(|at| part(*at) > least).unwrap_or(PARTS);
        // Where `least` leaves no more, neither does what is before `low`, and all from `more` on leaves more.
        let (mut low, mut more) = (first, if is_met { PARTS } else { first });
        while low < more {
            let middle = low.midpoint(more);
            match leaves(part(middle))? {
                Ordering::Greater => more = middle,
                Ordering::Less | Ordering::Equal => low = middle + 1,
            }
        }
        let found = if low == first { least } else { part(low - 1) };
        let (none_higher, unknown) = match is_met {
            true => (Met::Yes, Met::NextLeavesMore),
            false => (Met::MoreIsLeft, Met::MoreIsLeft),
        };
        let Some(higher) = higher(found)? else { return Ok((found, unknown)) };
        for similarity in higher.into_iter().rev() {
            if leaves(similarity)?.is_le() {
                return Ok((similarity, Met::Yes));
            }
        }
        Ok((found, none_higher))
    }
}

/// A similarity of four digits, by its parts.
pub(crate) fn part(parts: u32) -> f64 {
    f64::from(parts) / f64::from(PARTS)
}

/// The parts of the highest similarity of four digits that a pair reaches, if it reaches one.
pub(crate) fn last_part(reaches: impl Fn(f64) -> bool) -> Option<u32> {
    let (mut low, mut high) = (0, PARTS + 1);
    while low < high {
        let middle = low.midpoint(high);
        if reaches(part(middle)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What is left of 1000 documents of 7 bytes by a similarity from 0.6 on: all below `ends` go at it.
    fn swept(similarity: f64, ends: &[f64]) -> Swept {
        let removed = ends.iter().filter(|end| **end >= similarity).count() as u64;
        let kept = 1000 - removed;
        Swept { similarity, kept, removed, bytes: 7 * kept, ..Swept::default() }
    }

    #[test]
    fn a_share_is_compared_as_it_was_typed() {
        for (kept, share) in [(29, 0.29), (57, 0.57), (58, 0.58), (69, 0.69)] {
            let left = |kept| Swept { kept, removed: 10_000 - kept, ..Swept::default() };
            let share = Target::Share(share);
            assert_eq!(share.compared(&left(100 * kept)), Ordering::Equal);
            assert_eq!(share.compared(&left(100 * kept + 1)), Ordering::Greater);
            assert_eq!(share.to_string(), format!("{kept} % of the documents"));
        }
    }

    proptest! {
        #[test]
        fn the_highest_similarity_that_leaves_no_more_is_found(
            ends in prop::collection::vec(6000_u32..10_100, 0..40), asked in 900_u64..1010, least in 6000_u32..9000,
        ) {
            let ends: Vec<f64> = ends.into_iter().map(|end| f64::from(end) / 10_000.0).collect();
            let least = f64::from(least) / 10_000.0;
            let mut looks = 0;
            let mut tell = |similarity| {
                looks += 1;
                Ok::<_, ()>(swept(similarity, &ends))
            };
            let none = |_| Ok(Some(Vec::new()));
            let (found, met) = Target::Documents(asked).find(least, none, &mut tell).unwrap();
            prop_assert!(looks < 18);
            let grid = (0..=10_000).map(|part| f64::from(part) / 10_000.0).filter(|one| *one >= least);
            let fits: Vec<f64> = grid.filter(|one| swept(*one, &ends).kept <= asked).collect();
            let expected = match fits.last() {
                None => (least, Met::MoreIsLeft),
                Some(&last) if last < 1.0 => (last, Met::Yes),
                Some(_) if swept(1.0, &ends).kept < asked => (1.0, Met::LessIsLeft),
                Some(_) => (1.0, Met::Yes),
            };
            prop_assert_eq!((found, met), expected);
            let by_bytes = Target::Bytes(7 * asked).find(least, none, |one| Ok::<_, ()>(swept(one, &ends)));
            prop_assert_eq!(by_bytes, Ok(expected));
            #[expect(clippy::cast_precision_loss, reason = "a share")]
            let share = Target::Share(asked as f64 / 1000.0);
            prop_assert_eq!(share.find(least, none, |one| Ok::<_, ()>(swept(one, &ends))), Ok(expected));
        }

        #[test]
        fn it_is_the_highest_where_a_higher_one_may_leave_less(
            steps in prop::collection::btree_map(5000_u32..10_000, 1_u64..9, 1..30), asked in 1_u64..9, last in 1_u64..9,
        ) {
            // Up to each step so much is left.
            let kept_at = |parts: u32| steps.range(parts..).next().map_or(last, |(_, kept)| *kept);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "parts of 1")]
            let parts = |similarity: f64| (similarity * 10_000.0).round() as u32;
            let swept = |similarity| {
                Ok::<_, ()>(Swept { kept: kept_at(parts(similarity)), ..Swept::default() })
            };
            let fits = (5000..=10_000).rev().find(|parts| kept_at(*parts) <= asked);
            let higher = |from: f64| Ok(Some(steps.keys().map(|at| part(*at)).filter(|at| *at > from).collect()));
            let (found, met) = Target::Documents(asked).find(0.5, higher, swept).unwrap();
            match fits {
                None => prop_assert_eq!((found, met), (0.5, Met::MoreIsLeft)),
                Some(10_000) => prop_assert_eq!(found, 1.0),
                Some(fits) => prop_assert_eq!((found, met), (part(fits), Met::Yes)),
            }
            let (found, met) = Target::Documents(asked).find(0.5, |_| Ok(None), swept).unwrap();
            if met == Met::NextLeavesMore {
                prop_assert!(kept_at(parts(found)) <= asked && kept_at(parts(found) + 1) > asked);
            }
        }

        #[test]
        fn the_last_part_is_the_highest_that_is_reached(similarity in 0.0..1.0_f64) {
            let expected = (0..=PARTS).rev().find(|at| similarity >= part(*at));
            prop_assert_eq!(last_part(|least| similarity >= least), expected);
        }
    }
}
