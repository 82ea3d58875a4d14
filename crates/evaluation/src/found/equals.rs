//! Pairs of documents of which equals were listed once: the search compares the first of them alone.

use crate::error::Error;
use crate::found::closest::Closest;
use crate::labels::gold::pairs_of;
use nearprint_index::UnionFind;

/// Two documents as a search lists them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListedPair {
    pub(crate) level: u16,
    /// Whether whatever is near the one is as near the other.
    pub(crate) equal: bool,
    pub(crate) a: u32,
    pub(crate) b: u32,
}

/// Hands all pairs to `closest`: those that are listed, and those of documents that equal one of the two.
///
/// # Errors
/// More than `most` pairs of equals.
pub(crate) fn spread(
    listed: &[ListedPair],
    documents: u32,
    most: usize,
    closest: &Closest,
) -> Result<(), Error> {
    let sets = UnionFind::new(documents);
    for pair in listed.iter().filter(|pair| pair.equal) {
        sets.union(pair.a, pair.b);
    }
    let mut members = vec![Vec::new(); documents as usize];
    for document in 0..documents {
        if let Some(members) = members.get_mut(sets.find(document) as usize) {
            members.push(document);
        }
    }
    let equal: u64 = members.iter().map(|members| pairs_of(members.len() as u64)).sum();
    if equal > most as u64 {
        return Err(Error::TooManyEqual { most });
    }
    for members in &members {
        for (at, a) in members.iter().enumerate() {
            members.iter().skip(at + 1).for_each(|b| closest.push(0, *a, *b));
        }
    }
    let of_sets = listed.iter().filter(|pair| !pair.equal).map(|pair| {
        let (a, b) = (sets.find(pair.a), sets.find(pair.b));
        (a.min(b), a.max(b), pair.level)
    });
    let mut of_sets: Vec<_> = of_sets.filter(|(a, b, _)| a != b).collect();
    of_sets.sort_unstable();
    of_sets.dedup_by_key(|(a, b, _)| (*a, *b));
    let of = |set: u32| members.get(set as usize).map(Vec::as_slice).unwrap_or_default();
    for (a, b, level) in of_sets {
        for x in of(a) {
            of(b).iter().for_each(|y| closest.push(level, *x, *y));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_are_in_all_pairs_of_each_other() {
        let pair = |level, equal, a, b| ListedPair { level, equal, a, b };
        let listed =
            [pair(0, true, 0, 1), pair(0, true, 0, 4), pair(7, false, 0, 2), pair(9, false, 2, 3)];
        let closest = Closest::new(9, 100);
        spread(&listed, 5, 100, &closest).unwrap();
        let found = closest.finish().unwrap().pairs;
        let found: Vec<_> = found.iter().map(|pair| (pair.level, pair.a, pair.b)).collect();
        assert_eq!(found, [(0, 0, 1), (0, 0, 4), (0, 1, 4), (7, 0, 2), (7, 1, 2), (7, 2, 4)]);
        assert!(spread(&listed, 5, 2, &Closest::new(9, 100)).is_err());
    }
}
