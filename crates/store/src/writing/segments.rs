//! The part of the writer that decides which segment is made next, and puts it in the place of what it was made of.

use crate::disk::dead::Dead;
use crate::disk::manifest::{self, Entry, Manifest};
use crate::disk::stored_segment::StoredSegment;
use crate::error::Error;
use crate::invariant::invariant;
use crate::views::codes::NumberedCodes;
use crate::views::lost::Lost;
use crate::views::memtable::Memtable;
use crate::views::view::View;
use crate::writing::maker::{Made, Order, Source};
use crate::writing::making::Making;
use crate::writing::tiers::{self, Size};
use crate::writing::writer::{AGAIN, Writer};
use crossbeam_channel::Sender;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

/// Memtables that may wait to become segments. With more, writes wait.
const WAITING: usize = 4;

impl Writer {
    /// Moves the recent documents into the last memtable. Begins another one if that is full or `sealed`
    /// asks for it.
    pub(super) fn freeze(&mut self, sealed: bool) {
        let mut view = View::clone(&self.shared.view.load());
        let Some(last) = invariant(view.memtables.pop(), "the last memtable") else { return };
        let numbers = last.dead().numbers().start..self.progress.next;
        let full = numbers.end - numbers.start >= self.shared.options.memtable() as u64;
        let (rules, end) = (&self.shared.rules, numbers.end);
        match self.crew.make(|| last.with(&view.recent, end, rules)) {
            Ok(memtable) => {
                let next = sealed && !numbers.is_empty() || full;
                let next = next.then(|| Memtable::empty(end, rules));
                view.memtables.extend([memtable].into_iter().chain(next).map(Arc::new));
            }
            // Only a wrong radius or a wrong shape fails, and those were checked when the store was made.
            Err(error) => {
                self.fail(&error);
                return;
            }
        }
        view.recent = Arc::new(NumberedCodes::new(rules.width));
        self.show(view);
        self.order();
        while self.shared.view.load().memtables.len() > WAITING && self.making != Making::Nothing {
            self.await_made();
        }
    }

    /// Orders the next segment, if there is one to make.
    pub(super) fn order(&mut self) {
        if self.making != Making::Nothing {
            return;
        }
        let view = self.shared.view.load_full();
        let lost = view.lost_parts().first().zip(self.shared.truth.load_full());
        if let Some((part, truth)) = lost
            && self.pace.unmade.is_none_or(|tried| tried.elapsed() >= AGAIN)
        {
            let entry = Entry { file: self.manifest.next_file, ..part.entry.clone() };
            let numbers = part.dead.numbers().clone();
            let dead = Dead::union(numbers, std::iter::once(&part.dead));
            let order = Order { entry, source: Source::truth(&truth, dead) };
            if self.orders.send(order).is_ok() {
                self.making = Making::Anew;
            }
            return;
        }
        let merge = |range: Range<usize>| {
            let segments = invariant(view.segments.get(range.clone()), range)?;
            let numbers = segments.first()?.entry().first..segments.last()?.entry().end;
            Some((numbers, Source::Segments(segments.to_vec())))
        };
        let next = match &*view.memtables {
            [oldest, _, ..] => {
                Some((oldest.dead().numbers().clone(), Source::Memtable(Arc::clone(oldest))))
            }
            // Segments that lie around the documents of a damaged one stay as they are.
            _ if view.lost.is_some() => None,
            _ if self.compactions.due => {
                self.compactions.due = false;
                let gone = view.segments.iter().any(|segment| segment.dead().count() > 0);
                (view.segments.len() > 1 || gone).then(|| merge(0..view.segments.len())).flatten()
            }
            _ => {
                let size = |segment: &Arc<StoredSegment>| Size {
                    documents: segment.documents(),
                    gone: segment.dead().count(),
                };
                let sizes: Vec<_> = view.segments.iter().map(size).collect();
                tiers::choose(&sizes, self.shared.options.memtable() as u64).and_then(merge)
            }
        };
        match next {
            Some((Range { start: first, end }, source)) => {
                let entry = Entry { file: self.manifest.next_file, first, end };
                if self.orders.send(Order { entry, source }).is_ok() {
                    self.making = Making::Segment;
                }
            }
            None if view.lost.is_some() => {}
            None => self.compacted(|| Ok(())),
        }
    }

    /// Answers those who wait for a compaction, unless one is due.
    pub(super) fn compacted(&mut self, result: impl Fn() -> Result<(), Error>) {
        if !self.compactions.due {
            for answer in self.compactions.waiting.drain(..) {
                let _gone = answer.send(result());
            }
        }
    }

    pub(super) fn compact(&mut self, answer: Sender<Result<(), Error>>) {
        self.compactions.waiting.push(answer);
        self.compactions.due = true;
        self.freeze(true);
    }

    /// Installs the segments that were made.
    pub(super) fn install_made(&mut self) {
        while let Ok(made) = self.made.try_recv() {
            self.install(made);
        }
    }

    pub(super) fn await_made(&mut self) {
        if let Ok(made) = self.made.recv() {
            self.install(made);
        }
    }

    /// Makes a segment live, in place of the segments or the memtable that it was made of.
    fn install(&mut self, made: Result<Made, Error>) {
        let making = std::mem::take(&mut self.making);
        if making == Making::Spoiled {
            if let Ok(made) = made {
                let _left = std::fs::remove_file(made.segment.path());
            }
            self.order();
            return;
        }
        let made = made.and_then(|made| self.replace(made));
        if making == Making::Anew {
            self.pace.unmade = made.is_err().then(Instant::now);
            match &made {
                Ok(()) => tracing::info!("a damaged segment was rebuilt"),
                Err(error) => tracing::error!(%error, "a damaged segment cannot be rebuilt yet"),
            }
        }
        match made {
            Ok(()) => self.order(),
            Err(error) if making == Making::Anew => {
                // Searches go on without the segment.
                self.compactions.due = false;
                let path = self.shared.path.join(manifest::FOLDER);
                let what = format!("a damaged segment cannot be rebuilt: {error}");
                self.compacted(|| Err(Error::Corrupt { path: path.clone(), what: what.clone() }));
            }
            Err(error) if error.damage().is_some_and(|damage| self.lose(damage)) => self.order(),
            Err(error) => {
                let reason = self.fail(&error);
                self.compactions.due = false;
                self.compacted(|| Err(Error::ReadOnly { reason: reason.clone() }));
            }
        }
    }

    fn replace(&mut self, made: Made) -> Result<(), Error> {
        let Made { segment, left_out } = made;
        let truth = self.shared.truth()?;
        let mut view = View::clone(&self.shared.view.load());
        let Entry { first, end, file } = *segment.entry();
        let within = |dead: &Dead| first <= dead.numbers().start && dead.numbers().end <= end;
        let (anew, lost): (Vec<_>, Vec<_>) =
            view.lost_parts().iter().cloned().partition(|part| within(&part.dead));
        let (old, segments): (Vec<_>, Vec<_>) =
            view.segments.into_iter().partition(|segment| within(segment.dead()));
        let (sealed, memtables): (Vec<_>, Vec<_>) = view
            .memtables
            .into_iter()
            .partition(|memtable| within(memtable.dead()) && !memtable.dead().numbers().is_empty());
        let gone = old.iter().map(|segment| segment.dead());
        let gone = gone.chain(sealed.iter().map(|sealed| sealed.dead()));
        let gone = gone.chain(anew.iter().map(|part| &part.dead));
        let gone = Dead::union(first..end, gone);
        for number in gone.to_vec() {
            if !left_out.has(number) {
                segment.dead().insert(number);
            }
        }
        let mut manifest = Manifest { next_file: file + 1, ..self.manifest.clone() };
        manifest.segments.retain(|entry| !(first <= entry.first && entry.end <= end));
        manifest.segments.push(segment.entry().clone());
        manifest.segments.sort_unstable_by_key(|entry| entry.first);
        let mut changes = truth.changes();
        changes.manifest(&manifest)?;
        for number in truth.dead(first..end) {
            let number = number?;
            if !segment.dead().has(number) {
                changes.bury(number);
            }
        }
        changes.commit()?;
        if anew.is_empty() {
            self.shared.activity.made(!old.is_empty());
        }
        self.manifest = manifest;
        view.lost = (!lost.is_empty()).then(|| Lost::new(lost, &truth, &self.shared.rules));
        view.segments = segments;
        view.segments.push(segment);
        view.segments.sort_unstable_by_key(|segment| segment.entry().first);
        view.memtables = memtables;
        self.show(view);
        old.iter().for_each(|segment| segment.replaced());
        Ok(())
    }
}
