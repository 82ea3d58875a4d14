//! Families of block sets. Every pattern of k errors leaves at least one set untouched.
//!
//! A family knows blocks by number only; [`crate::tables::blocks`] says where their bits lie, and
//! [`crate::tables::join_tables`] which family pays.

/// Blocks whose numbers are the bits of one word.
const MAX_BLOCKS: usize = 64;

/// More tables than this have never paid in a plan.
const MAX_TABLES: usize = 512;

/// Lines of 8 points that leave no set of 3 points untouching: 8 tables for k = 3.
const EIGHT: [u64; 8] = [
    0b0000_0111,
    0b1000_1001,
    0b0101_0001,
    0b0001_1010,
    0b1010_0010,
    0b0011_0100,
    0b1100_0100,
    0b0110_1000,
];

/// The quadratic residues modulo 11, whose shifts make up the biplane: 11 tables for k = 3.
const RESIDUES: u64 = 0b010_0011_1010;

/// The blocks of the Steiner system S(3, 4, 8) that hold point 0; their complements are the rest.
const STEINER: [u64; 7] =
    [0b0000_1111, 0b0011_0011, 0b1100_0011, 0b0101_0101, 0b1010_0101, 0b0110_1001, 0b1001_1001];

/// Sets of blocks. For any `k` blocks, at least one set holds none of them.
///
/// Two fingerprints within `k` bits differ in `k` blocks at most, so they agree in all blocks of
/// at least one set: a table for each set brings every such pair into one bucket.
///
/// # Examples
/// ```
/// use nearprint_index::{Family, Layout, Scheme};
///
/// let family = Family::combinations(6, 3).ok_or("six blocks are more than three errors")?;
/// let layout = Layout::new(64, 3, Scheme::family(64, &family), 1_000_000)?;
/// assert_eq!(layout.tables(), 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # References
/// - Manku, Jain, Das Sarma, WWW 2007, section 3.1: every `r - k` of `r` blocks.
/// - Turán, "On an extremal problem in graph theory", 1941: the fewest sets of two blocks.
/// - Pagh, "CoveringLSH", SODA 2016: covering without false negatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    blocks: usize,
    prefixes: Vec<u64>,
}

impl Family {
    /// Every choice of `r - k` blocks among `r`: the plans of the paper. `None` if `r <= k`, or if it
    /// would take more than 512 tables or 64 blocks.
    #[must_use]
    pub fn combinations(r: usize, k: usize) -> Option<Self> {
        let tables = (0..k.min(r)).try_fold(1_usize, |c, i| Some(c.checked_mul(r - i)? / (i + 1)));
        if r <= k || r > MAX_BLOCKS || tables.is_none_or(|tables| tables > MAX_TABLES) {
            return None;
        }
        let mut prefixes = vec![0_u64];
        for chosen in 0..r - k {
            let longer = |prefix: u64| {
                let next = (u64::BITS - prefix.leading_zeros()) as usize;
                (next..=k + chosen).map(move |block| prefix | 1 << block)
            };
            prefixes = prefixes.into_iter().flat_map(longer).collect();
        }
        Some(Self { blocks: r, prefixes })
    }

    /// Pairs of blocks: `k + 1 + cliques` blocks stand in that many even groups, and any
    /// `cliques + 1` blocks have two of one group among them. `None` beyond 64 blocks.
    #[must_use]
    pub fn pairs(k: usize, cliques: usize) -> Option<Self> {
        let blocks = k + 1 + cliques;
        if cliques == 0 || blocks > MAX_BLOCKS {
            return None;
        }
        let mut prefixes = Vec::new();
        for a in 0..blocks {
            prefixes.extend((a + cliques..blocks).step_by(cliques).map(|b| 1 << a | 1 << b));
        }
        Some(Self { blocks, prefixes })
    }

    /// `times` copies side by side: made for k errors a copy, they bear `times * (k + 1) - 1`.
    fn repeat(&self, times: usize) -> Option<Self> {
        let (blocks, tables) = (self.blocks * times, self.prefixes.len() * times);
        (blocks <= MAX_BLOCKS && tables <= MAX_TABLES).then(|| {
            let copy = |i| self.prefixes.iter().map(move |prefix| prefix << (i * self.blocks));
            Self { blocks, prefixes: (0..times).flat_map(copy).collect() }
        })
    }

    /// The families that bear `k` errors as they stand, in no order.
    fn plain(k: usize) -> Vec<Self> {
        if k == 0 {
            return vec![Self { blocks: 1, prefixes: vec![1] }];
        }
        let mut families: Vec<_> = (1..=k).filter_map(|cliques| Self::pairs(k, cliques)).collect();
        // More than half of the blocks in a prefix is more than any table needs.
        families.extend((k + 3..=2 * k + 1).map_while(|r| Self::combinations(r, k)));
        if k == 3 {
            let turn = |by: u32| (RESIDUES << by | RESIDUES >> (11 - by)) & 0x7ff;
            let steiner = STEINER.iter().flat_map(|block| [*block, !block & 0xff]);
            families.push(Self { blocks: 8, prefixes: EIGHT.to_vec() });
            families.push(Self { blocks: 11, prefixes: (0..11).map(turn).collect() });
            families.push(Self { blocks: 8, prefixes: steiner.collect() });
        }
        families
    }

    /// Every family known here that bears `k` errors, in no order.
    ///
    /// Beside the plain ones: of `s` parts of the fingerprint one has at most `k / s` errors, so a
    /// family for so many serves, repeated in each part. With no error left it is the pigeonhole:
    /// `k + 1` tables of one block each.
    pub(crate) fn all(k: usize) -> Vec<Self> {
        (0..=k.min(MAX_BLOCKS))
            .flat_map(|part| Self::plain(part).into_iter().map(move |family| (part, family)))
            .filter_map(|(part, family)| family.repeat(k / (part + 1) + 1))
            .collect()
    }

    /// The number of blocks.
    pub(crate) fn blocks(&self) -> usize {
        self.blocks
    }

    /// The sets, one a table: bit `i` stands for block `i`.
    pub(crate) fn prefixes(&self) -> &[u64] {
        &self.prefixes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::RngExt;
    use proptest::test_runner::{RngAlgorithm, TestRng};

    /// Whether every choice of `k` blocks leaves some prefix untouched.
    fn covers(family: &Family, k: usize) -> bool {
        fn walk(family: &Family, errors: u64, from: usize, left: usize) -> bool {
            if left == 0 {
                return family.prefixes.iter().any(|prefix| prefix & errors == 0);
            }
            (from..=family.blocks - left)
                .all(|block| walk(family, errors | 1 << block, block + 1, left - 1))
        }
        walk(family, 0, 0, k.min(family.blocks))
    }

    /// Whether some prefix is untouched by each of many choices of `k` blocks, drawn evenly.
    fn covers_samples(family: &Family, k: usize, random: &mut TestRng) -> bool {
        (0..200).all(|_| {
            let mut errors = 0_u64;
            for _ in 0..k {
                errors |= 1 << random.random_range(0..family.blocks);
            }
            family.prefixes.iter().any(|prefix| prefix & errors == 0)
        })
    }

    #[test]
    fn plain_families_cover_every_error_pattern_and_no_more() {
        for k in 0..=4 {
            for family in Family::plain(k) {
                assert!(covers(&family, k), "k = {k}: {family:?}");
                assert!(!covers(&family, k + 1), "k = {k}: {family:?}");
                assert!(family.prefixes.iter().all(|prefix| prefix >> (family.blocks - 1) <= 1));
            }
        }
    }

    #[test]
    fn every_family_covers_the_error_patterns() {
        let mut random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        for k in (0..=10).chain([20, 40]) {
            let families = Family::all(k);
            assert!(!families.is_empty());
            for family in families {
                let patterns: f64 =
                    (0..k).map(|i| (family.blocks - i) as f64 / (i + 1) as f64).product();
                assert!(covers_samples(&family, k, &mut random), "k = {k}: {family:?}");
                assert!(patterns > 1e5 || covers(&family, k), "k = {k}: {family:?}");
            }
        }
    }

    #[test]
    fn sizes_are_those_of_the_literature() {
        let shapes = |k| {
            let mut shapes: Vec<_> = Family::all(k)
                .iter()
                .map(|f| (f.prefixes.len(), f.blocks, f.prefixes[0].count_ones()))
                .collect();
            shapes.sort_unstable();
            shapes
        };
        for shape in [
            (4, 4, 1),
            (5, 7, 2),
            (6, 6, 2),
            (8, 8, 3),
            (10, 5, 2),
            (11, 11, 5),
            (14, 8, 4),
            (20, 6, 3),
        ] {
            assert!(shapes(3).contains(&shape), "{shape:?} is not in {:?}", shapes(3));
        }
        assert!(shapes(2).contains(&(4, 5, 2)) && shapes(4).contains(&(7, 8, 2)));
        assert_eq!(shapes(0), [(1, 1, 1)]);
    }
}
