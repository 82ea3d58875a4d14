//! Copies one after the other to runs, and firsts to passages.

use crate::passages::groups::{Copied, First};
use crate::passages::place::{document_of, halves, pair, place, unit_of};

/// Copies one after the other whose firsts are so too, or come around again and again: a text that repeats itself is
/// one run, however often it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Where it begins.
    pub(crate) at: u64,
    /// Where its firsts begin.
    pub(crate) first: u64,
    /// Windows of it.
    pub(crate) windows: u32,
    /// After so many windows the firsts begin again; 0 where they do not.
    pub(crate) period: u32,
    /// The most that there are of one of its windows, and the most documents that have one.
    pub(crate) copies: u32,
    pub(crate) documents: u32,
}

impl Run {
    const fn of([at, first, count, _]: Copied) -> Self {
        let (copies, documents) = halves(count);
        Self { at, first, windows: 1, period: 0, copies, documents }
    }

    /// Firsts of the run, one after the other.
    pub(crate) const fn firsts(&self) -> u32 {
        if self.period > 0 { self.period } else { self.windows }
    }

    /// Adds the copy that follows; false where it does not belong to the run.
    fn extend(&mut self, [at, first, count, _]: Copied) -> bool {
        let follows = at == self.at + u64::from(self.windows)
            && document_of(at) == document_of(self.at)
            && self.windows < u32::MAX;
        let step = if self.period > 0 { self.windows % self.period } else { self.windows };
        if !follows {
            return false;
        }
        if first == self.first && self.period == 0 {
            self.period = self.windows;
        } else if first != self.first + u64::from(step) {
            return false;
        }
        let (copies, documents) = halves(count);
        self.windows += 1;
        self.copies = self.copies.max(copies);
        self.documents = self.documents.max(documents);
        true
    }

    /// The run with records in place of ranks.
    pub(crate) fn by_record(self, record: impl Fn(u32) -> u32) -> Self {
        let moved = |at: u64| place(record(document_of(at)), unit_of(at));
        Self { at: moved(self.at), first: moved(self.first), ..self }
    }

    /// As an entry that sorts by the first.
    pub(crate) const fn entry(&self) -> [u64; 4] {
        [self.first, self.at, pair(self.windows, self.period), pair(self.copies, self.documents)]
    }

    /// The run of such an entry.
    pub(crate) const fn of_entry([first, at, size, count]: [u64; 4]) -> Self {
        let ((windows, period), (copies, documents)) = (halves(size), halves(count));
        Self { at, first, windows, period, copies, documents }
    }
}

/// Windows of a document one after the other that are firsts, of which there are equally many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repeated {
    pub(crate) first: u64,
    pub(crate) windows: u32,
    pub(crate) copies: u32,
    pub(crate) documents: u32,
    pub(crate) origins: u32,
}

impl Repeated {
    fn of([first, count, origins, _]: First) -> Self {
        let (copies, documents) = halves(count);
        let origins = u32::try_from(origins).unwrap_or(u32::MAX);
        Self { first, windows: 1, copies, documents, origins }
    }

    fn extend(&mut self, other: First) -> bool {
        let Self { first, copies, documents, origins, .. } = Self::of(other);
        let follows = first == self.first + u64::from(self.windows)
            && document_of(first) == document_of(self.first)
            && (copies, documents, origins) == (self.copies, self.documents, self.origins);
        self.windows += u32::from(follows);
        follows
    }

    /// As an entry that sorts by the place.
    pub(crate) const fn entry(&self) -> [u64; 3] {
        [self.first, pair(self.windows, self.copies), pair(self.documents, self.origins)]
    }

    /// What such an entry was made of.
    pub(crate) const fn of_entry([first, size, count]: [u64; 3]) -> Self {
        let ((windows, copies), (documents, origins)) = (halves(size), halves(count));
        Self { first, windows, copies, documents, origins }
    }
}

/// Joins entries that come in the order of their places.
pub(crate) struct Joining<T> {
    under_way: Option<T>,
}

impl<T> Default for Joining<T> {
    fn default() -> Self {
        Self { under_way: None }
    }
}

impl Joining<Run> {
    /// Takes copies; hands the runs that they end to `ended`.
    pub(crate) fn push<E>(
        &mut self,
        [at, first, count, windows]: Copied,
        mut ended: impl FnMut(Run) -> Result<(), E>,
    ) -> Result<(), E> {
        (0..windows).try_for_each(|next| {
            let copied = [at + next, first + next, count, 1];
            let extended = self.under_way.as_mut().is_some_and(|run| run.extend(copied));
            let run = if extended { None } else { self.under_way.replace(Run::of(copied)) };
            run.map_or(Ok(()), &mut ended)
        })
    }
}

impl Joining<Repeated> {
    /// Takes firsts; hands the passages that they end to `ended`.
    pub(crate) fn push<E>(
        &mut self,
        [first, count, origins, windows]: First,
        mut ended: impl FnMut(Repeated) -> Result<(), E>,
    ) -> Result<(), E> {
        (0..windows).try_for_each(|next| {
            let first = [first + next, count, origins, 1];
            let extended = self.under_way.as_mut().is_some_and(|passage| passage.extend(first));
            let passage = if extended { None } else { self.under_way.replace(Repeated::of(first)) };
            passage.map_or(Ok(()), &mut ended)
        })
    }
}

impl<T> Joining<T> {
    /// The last.
    pub(crate) fn end(self) -> Option<T> {
        self.under_way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(copies: &[(u64, u64, u32)]) -> Vec<(u64, u64, u32, u32, u32)> {
        let mut joining = Joining::<Run>::default();
        let mut runs = Vec::new();
        for &(at, first, copies) in copies {
            let _: Result<(), ()> = joining.push([at, first, pair(copies, 1), 1], |run| {
                runs.push(run);
                Ok(())
            });
        }
        runs.extend(joining.end());
        let tuple = |run: Run| {
            assert_eq!(Run::of_entry(run.entry()), run);
            (run.at, run.first, run.windows, run.period, run.copies)
        };
        runs.into_iter().map(tuple).collect()
    }

    #[test]
    fn copies_that_follow_each_other_are_one_run() {
        assert_eq!(runs(&[(10, 1, 2), (11, 2, 5), (12, 3, 2)]), [(10, 1, 3, 0, 5)]);
        assert_eq!(runs(&[(10, 1, 2), (12, 3, 2)]), [(10, 1, 1, 0, 2), (12, 3, 1, 0, 2)]);
        assert_eq!(runs(&[(10, 1, 2), (11, 7, 2)]), [(10, 1, 1, 0, 2), (11, 7, 1, 0, 2)]);
        // The next document.
        let next = place(1, 0);
        assert_eq!(runs(&[(next - 1, 5, 2), (next, 6, 2)]).len(), 2);
    }

    #[test]
    fn a_text_that_repeats_itself_is_one_run() {
        let same: Vec<_> = (1..1000).map(|at| (at, 0, 999)).collect();
        assert_eq!(runs(&same), [(1, 0, 999, 1, 999)]);
        let turning: Vec<_> = (3..1000).map(|at| (at, at % 3, 300)).collect();
        assert_eq!(runs(&turning), [(3, 0, 997, 3, 300)]);
        // It begins within a period, and ends with something else.
        let copies =
            [(50, 2, 9), (51, 0, 9), (52, 1, 9), (53, 2, 9), (54, 0, 9), (55, 1, 9), (56, 7, 9)];
        assert_eq!(runs(&copies), [(50, 2, 1, 0, 9), (51, 0, 5, 3, 9), (56, 7, 1, 0, 9)]);
    }
}
