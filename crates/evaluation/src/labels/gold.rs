//! What labels mean for the documents of a corpus, which go by their positions.

use crate::error::Error;
use crate::labels::label::Label;
use crate::labels::labels::{Kind, Labels, Unlisted};
use foldhash::{HashMap, HashMapExt};
use nearprint_dedup::ByReason;
use nearprint_index::UnionFind;

/// The labels of documents by their positions.
///
/// # Examples
/// ```
/// use nearprint_evaluation::{Gold, Label, Labels, PairLabel, Unlisted};
///
/// let labels = Labels::of_pairs([PairLabel::new("x", "z", Label::Same)])?;
/// let ids = ["x", "y", "z"].map(str::to_owned);
/// let gold = Gold::of(&labels, &ids, Unlisted::Different)?;
/// assert_eq!((gold.label(2, 0), gold.label(0, 1)), (Label::Same, Label::Different));
/// # Ok::<(), nearprint_evaluation::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gold {
    said: Said,
    unlisted: Unlisted,
    /// The group of each document: those that labels join, directly or by way of others.
    groups: Vec<u32>,
    /// The documents of each group.
    sizes: Vec<u64>,
    /// Pairs that are the same, by the group that both are in.
    same: Vec<u64>,
    unknown: Vec<String>,
}

#[derive(Clone, Debug)]
enum Said {
    /// Of listed pairs, the lesser document first.
    Pairs(HashMap<(u32, u32), Label>),
    /// The cluster of each document, where it has one.
    Clusters(Vec<Option<u32>>),
}

impl Gold {
    /// The labels of the documents that have these ids, by their places in the list. Where pairs that are not listed
    /// are ignored, the ids are those of labelled documents alone: no label says anything of others.
    ///
    /// # Errors
    /// Documents of equal ids, fewer than two documents, labels that are all about other documents, and labels of one
    /// class: no pair is the same, or every pair that counts is.
    pub fn of(labels: &Labels, ids: &[String], unlisted: Unlisted) -> Result<Self, Error> {
        let mut places = HashMap::with_capacity(ids.len());
        let (mut repeated, mut first) = (0, None);
        for (id, place) in ids.iter().zip(0_u32..) {
            if places.insert(id.as_str(), place).is_some() {
                repeated += 1;
                first.get_or_insert_with(|| id.clone());
            }
        }
        if let Some(id) = first {
            return Err(Error::RepeatedIds { repeated, id });
        }
        let place = |id: &str| places.get(id).copied();
        let mut unknown: Vec<_> =
            labels.ids().filter(|id| place(id).is_none()).map(str::to_owned).collect();
        unknown.sort_unstable();
        unknown.dedup();
        let count = u32::try_from(ids.len()).unwrap_or(u32::MAX);
        let (said, groups) = match labels.kind() {
            Kind::Pairs(pairs) => {
                let known = pairs.iter().filter_map(|((a, b), label)| {
                    let (a, b) = (place(a)?, place(b)?);
                    Some(((a.min(b), a.max(b)), *label))
                });
                let known: HashMap<_, _> = known.collect();
                let sets = UnionFind::new(count);
                let same = known.iter().filter(|(_, label)| **label == Label::Same);
                same.for_each(|((a, b), _)| sets.union(*a, *b));
                let groups: Vec<u32> = (0..count).map(|one| sets.find(one)).collect();
                if known.is_empty() {
                    return Err(Self::none_known(labels, unknown, (ids.len(), unlisted)));
                }
                (Said::Pairs(known), groups)
            }
            Kind::Clusters(members) => {
                let mut clusters = vec![None; ids.len()];
                let mut numbers = HashMap::new();
                for (id, name) in members {
                    if let Some(cluster) = place(id).and_then(|at| clusters.get_mut(at as usize)) {
                        // Behind the numbers of documents, which are groups of their own.
                        let next = count.saturating_add(u32::try_from(numbers.len()).unwrap_or(0));
                        *cluster = Some(*numbers.entry(name.as_str()).or_insert(next));
                    }
                }
                if numbers.is_empty() {
                    return Err(Self::none_known(labels, unknown, (ids.len(), unlisted)));
                }
                let groups = clusters.iter().zip(0..).map(|(one, own)| one.unwrap_or(own));
                let groups = groups.collect();
                (Said::Clusters(clusters), groups)
            }
        };
        let mut gold =
            Self { said, unlisted, groups, sizes: Vec::new(), same: Vec::new(), unknown };
        gold.number_groups();
        gold.check()?;
        Ok(gold)
    }

    /// Labels of which none is about documents that were read; where pairs that are not listed are ignored, documents
    /// are the labelled ones alone.
    fn none_known(
        labels: &Labels,
        unknown: Vec<String>,
        (documents, unlisted): (usize, Unlisted),
    ) -> Error {
        match unknown.into_iter().next() {
            Some(example) if documents > 1 || unlisted == Unlisted::Ignored => {
                Error::Unknown { labels: labels.len(), example }
            }
            _ => few(documents),
        }
    }

    /// Numbers the groups from 0, and counts what is in them.
    fn number_groups(&mut self) {
        let mut numbers = HashMap::new();
        for group in &mut self.groups {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            *group = *numbers.entry(*group).or_insert(next);
        }
        self.sizes = vec![0; numbers.len()];
        for group in &self.groups {
            add(&mut self.sizes, *group, 1);
        }
        self.same = match &self.said {
            Said::Clusters(_) => self.sizes.iter().map(|size| pairs_of(*size)).collect(),
            Said::Pairs(pairs) => {
                let mut same = vec![0; self.sizes.len()];
                let pairs = pairs.iter().filter(|(_, label)| **label == Label::Same);
                pairs.for_each(|((a, _), _)| add(&mut same, self.group(*a), 1));
                same
            }
        };
    }

    fn check(&self) -> Result<(), Error> {
        if self.groups.len() < 2 {
            return Err(few(self.groups.len()));
        }
        if self.same_pairs() == 0 {
            return Err(Error::NothingSame);
        }
        let something_differs = match &self.said {
            _ if self.unlisted == Unlisted::Different => true,
            Said::Pairs(pairs) => pairs.values().any(|label| *label == Label::Different),
            Said::Clusters(_) => self.sizes.len() > 1,
        };
        if something_differs { Ok(()) } else { Err(Error::NothingDifferent) }
    }

    /// What the labels say of two documents, by their positions in any order. A pair that counts neither way is
    /// [`Label::Grey`].
    #[must_use]
    pub fn label(&self, a: u32, b: u32) -> Label {
        let unlisted = match self.unlisted {
            Unlisted::Different => Label::Different,
            Unlisted::Ignored => Label::Grey,
        };
        match &self.said {
            Said::Pairs(pairs) => pairs.get(&(a.min(b), a.max(b))).copied().unwrap_or(unlisted),
            Said::Clusters(clusters) => {
                let of = |one: u32| clusters.get(one as usize).copied().flatten();
                match of(a).zip(of(b)) {
                    Some((a, b)) if a == b => Label::Same,
                    Some(_) => Label::Different,
                    None => unlisted,
                }
            }
        }
    }

    /// The number of documents.
    #[must_use]
    pub fn documents(&self) -> usize {
        self.groups.len()
    }

    /// The pairs that are the same.
    #[must_use]
    pub fn same_pairs(&self) -> u64 {
        self.same.iter().sum()
    }

    /// The pairs that rows list as not the same; `None` where labels are clusters, which list none.
    #[must_use]
    pub fn different_pairs(&self) -> Option<u64> {
        let different = self.listed().filter(|(_, label)| *label == Label::Different).count();
        self.is_by_pairs().then_some(different as u64)
    }

    /// The groups of two documents or more that labels join, directly or by way of others.
    #[must_use]
    pub fn joined_groups(&self) -> u64 {
        self.sizes.iter().filter(|size| **size > 1).count() as u64
    }

    /// Whether pairs of different groups count neither way: doubtful ones, or such as no label is about. Measures of
    /// clusters, in which each document is of one group, take them for different.
    #[must_use]
    pub fn leaves_pairs_open(&self) -> bool {
        let mut across = self.listed().filter(|((a, b), _)| self.group(*a) != self.group(*b));
        match (&self.said, self.unlisted) {
            (_, Unlisted::Different) => across.any(|(_, label)| label == Label::Grey),
            (Said::Pairs(_), Unlisted::Ignored) => {
                let told = across.filter(|(_, label)| *label == Label::Different).count();
                let within: u64 = self.sizes.iter().map(|size| pairs_of(*size)).sum();
                (told as u64) < pairs_of(self.groups.len() as u64) - within
            }
            (Said::Clusters(clusters), Unlisted::Ignored) => clusters.contains(&None),
        }
    }

    /// What a pair means that is not listed.
    #[must_use]
    pub fn unlisted(&self) -> Unlisted {
        self.unlisted
    }

    /// The ids of labels that no document has, ascending.
    #[must_use]
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }

    pub(crate) fn group(&self, document: u32) -> u32 {
        self.groups.get(document as usize).copied().unwrap_or_default()
    }

    /// The documents of each group.
    pub(crate) fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// The pairs that are the same, by their group.
    pub(crate) fn same(&self) -> &[u64] {
        &self.same
    }

    /// The pairs that rows list, with what they say: none where the labels are clusters.
    pub(crate) fn listed(&self) -> impl Iterator<Item = ((u32, u32), Label)> + '_ {
        let pairs = match &self.said {
            Said::Pairs(pairs) => Some(pairs),
            Said::Clusters(_) => None,
        };
        pairs.into_iter().flatten().map(|(pair, label)| (*pair, *label))
    }

    /// Whether the labels are of pairs.
    pub(crate) fn is_by_pairs(&self) -> bool {
        matches!(self.said, Said::Pairs(_))
    }

    /// All pairs that are the same, in no order.
    pub(crate) fn for_each_same(&self, mut take: impl FnMut(u32, u32)) {
        if self.is_by_pairs() {
            let same = self.listed().filter(|(_, label)| *label == Label::Same);
            return same.for_each(|((a, b), _)| take(a, b));
        }
        let mut members = vec![Vec::new(); self.sizes.len()];
        for (group, document) in self.groups.iter().zip(0_u32..) {
            if let Some(members) = members.get_mut(*group as usize) {
                members.push(document);
            }
        }
        for members in members {
            for (at, a) in members.iter().enumerate() {
                members.iter().skip(at + 1).for_each(|b| take(*a, *b));
            }
        }
    }
}

fn few(documents: usize) -> Error {
    Error::FewDocuments { documents: documents as u64, skipped: ByReason::default() }
}

/// Adds to one of `counts`.
pub(crate) fn add(counts: &mut [u64], at: u32, more: u64) {
    if let Some(count) = counts.get_mut(at as usize) {
        *count += more;
    }
}

/// The pairs among so many documents.
pub(crate) fn pairs_of(documents: u64) -> u64 {
    documents * documents.saturating_sub(1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::label::PairLabel;

    fn ids(names: &str) -> Vec<String> {
        names.chars().map(String::from).collect()
    }

    fn clusters(members: &[(&str, &str)]) -> Labels {
        let owned = members.iter().map(|(id, name)| ((*id).to_owned(), (*name).to_owned()));
        Labels::of_clusters(owned).unwrap()
    }

    #[test]
    fn clusters_say_something_of_every_pair_that_is_in_them() {
        let labels = clusters(&[("a", "x"), ("b", "x"), ("c", "y"), ("z", "y")]);
        let gold = Gold::of(&labels, &ids("abcd"), labels.unlisted()).unwrap();
        let label = |a, b| gold.label(a, b);
        assert_eq!([label(0, 1), label(0, 2)], [Label::Same, Label::Different]);
        assert_eq!((label(0, 3), gold.same_pairs()), (Label::Different, 1));
        assert_eq!(gold.different_pairs(), None);
        assert_eq!((gold.unknown(), gold.joined_groups()), (&["z".to_owned()][..], 1));
        let gold = Gold::of(&labels, &ids("abcd"), Unlisted::Ignored).unwrap();
        assert_eq!(gold.label(0, 3), Label::Grey);
        let mut same = Vec::new();
        gold.for_each_same(|a, b| same.push((a, b)));
        assert_eq!(same, [(0, 1)]);
    }

    #[test]
    fn pairs_of_different_groups_are_open_where_no_label_decides() {
        let of = |said: &[(&str, &str, Label)], names, unlisted| {
            let pairs = said.iter().map(|(a, b, label)| PairLabel::new(*a, *b, *label));
            let labels = Labels::of_pairs(pairs).unwrap();
            Gold::of(&labels, &ids(names), unlisted).unwrap().leaves_pairs_open()
        };
        let (same, other) = (("a", "b", Label::Same), ("a", "c", Label::Different));
        let both = ("b", "c", Label::Different);
        assert!(!of(&[same, other], "abc", Unlisted::Different));
        assert!(of(&[same, other, ("b", "c", Label::Grey)], "abc", Unlisted::Different));
        assert!(of(&[same, other], "abc", Unlisted::Ignored));
        assert!(!of(&[same, other, both], "abc", Unlisted::Ignored));
        // Within a group that others join, a doubtful pair is as they say.
        let joined = [same, ("b", "c", Label::Same), ("a", "c", Label::Grey)];
        assert!(!of(&joined, "abc", Unlisted::Different));
        let labels = clusters(&[("a", "x"), ("b", "x"), ("c", "y")]);
        let open =
            |names, unlisted| Gold::of(&labels, &ids(names), unlisted).unwrap().leaves_pairs_open();
        assert!(!open("abc", Unlisted::Ignored) && !open("abcd", Unlisted::Different));
        assert!(open("abcd", Unlisted::Ignored));
    }

    #[test]
    fn labels_that_tell_nothing_are_refused() {
        let pair = |same: bool| {
            let said = [("a", "b", same), ("a", "c", same)];
            Labels::of_pairs(said.map(|(a, b, same)| PairLabel::new(a, b, Some(same).into())))
                .unwrap()
        };
        let refused =
            |labels: &Labels, names, unlisted| Gold::of(labels, &ids(names), unlisted).unwrap_err();
        let (same, other) = (pair(true), pair(false));
        let (ignored, different) = (Unlisted::Ignored, Unlisted::Different);
        assert!(matches!(refused(&other, "abc", different), Error::NothingSame));
        assert!(matches!(refused(&same, "abc", ignored), Error::NothingDifferent));
        assert!(matches!(refused(&same, "xy", different), Error::Unknown { labels: 2, .. }));
        assert!(matches!(refused(&same, "a", different), Error::FewDocuments { .. }));
        for (labels, names) in [(&other, "a"), (&other, ""), (&same, "ax")] {
            let Error::Unknown { example, .. } = refused(labels, names, ignored) else {
                panic!("no label is about two of {names:?}")
            };
            assert!(!names.contains(&example), "{example} is one of {names:?}");
        }
        let Error::RepeatedIds { repeated, id } = refused(&same, "abbab", different) else {
            panic!("ids repeat")
        };
        assert_eq!((repeated, id.as_str()), (3, "b"));
        let one = clusters(&[("a", "x"), ("b", "x")]);
        assert!(matches!(refused(&one, "ab", ignored), Error::NothingDifferent));
    }
}
