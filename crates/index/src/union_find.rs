//! Disjoint sets that many threads join at once: the connected components of a graph given as
//! edges in any order.

use std::sync::atomic::{AtomicU32, Ordering};

/// Disjoint sets over `0..len`. The root of a set is always its least element, so the result does
/// not depend on the order of unions.
///
/// Memory: 4 bytes an element.
///
/// # Complexity
/// Almost constant a call, as paths are halved; threads never wait for each other.
///
/// # Examples
/// ```
/// use nearprint_index::UnionFind;
///
/// let sets = UnionFind::new(4);
/// sets.union(3, 1);
/// sets.union(3, 2);
/// assert_eq!([0, 1, 2, 3].map(|x| sets.find(x)), [0, 1, 1, 1]);
/// ```
///
/// # References
/// Anderson, Woll, "Wait-free Parallel Algorithms for the Union-Find Problem", STOC 1991.
#[derive(Debug)]
pub struct UnionFind(Vec<AtomicU32>);

impl UnionFind {
    /// Every element a set of its own.
    #[must_use]
    pub fn new(len: u32) -> Self {
        Self((0..len).map(AtomicU32::new).collect())
    }

    /// The least element of the set of `x`; an `x` beyond the last element stands for itself.
    #[must_use]
    pub fn find(&self, mut x: u32) -> u32 {
        loop {
            let parent = self.parent(x);
            let grandparent = self.parent(parent);
            if parent == grandparent {
                return parent;
            }
            // Path halving; where another thread was first, its link serves as well.
            let _halved = self.link(x, parent, grandparent);
            x = grandparent;
        }
    }

    /// Joins the sets of `a` and `b`.
    pub fn union(&self, a: u32, b: u32) {
        let (mut a, mut b) = (self.find(a), self.find(b));
        while a != b {
            let (low, high) = (a.min(b), a.max(b));
            if self.link(high, high, low) {
                return;
            }
            (a, b) = (self.find(low), self.find(high));
        }
    }

    fn parent(&self, x: u32) -> u32 {
        self.0.get(x as usize).map_or(x, |slot| slot.load(Ordering::Relaxed))
    }

    fn link(&self, x: u32, from: u32, to: u32) -> bool {
        self.0.get(x as usize).is_some_and(|slot| {
            slot.compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Labels by repeated relabelling: slow and plain.
    fn components(len: u32, edges: &[(u32, u32)]) -> Vec<u32> {
        let mut label: Vec<u32> = (0..len).collect();
        loop {
            let before = label.clone();
            for &(a, b) in edges {
                let least = label[a as usize].min(label[b as usize]);
                (label[a as usize], label[b as usize]) = (least, least);
            }
            if label == before {
                return label;
            }
        }
    }

    proptest! {
        #[test]
        fn roots_are_the_least_of_each_component(
            edges in prop::collection::vec((0_u32..60, 0_u32..60), 0..80)
        ) {
            let sets = UnionFind::new(60);
            std::thread::scope(|scope| {
                for half in edges.chunks(edges.len().div_ceil(2).max(1)) {
                    let sets = &sets;
                    scope.spawn(move || half.iter().for_each(|&(a, b)| sets.union(a, b)));
                }
            });
            let expected = components(60, &edges);
            for x in 0..60 {
                prop_assert_eq!(sets.find(x), expected[x as usize]);
            }
        }
    }
}
