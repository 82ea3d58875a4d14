//! Whether a store is whole: compares everything that derives from the database with the database.
//!
//! Two sets that must be equal are compared by a sum of hashes, which needs no order and no memory.

use crate::disk::band_table::{BandTable, Record};
use crate::disk::document::Document;
use crate::disk::manifest::Entry;
use crate::disk::truth::Truth;
use crate::error::Error;
use crate::store::Store;
use crate::views::band_parts::BandParts;
use crate::views::captured::Captured;
use crate::views::code_parts::CodeParts;
use fjall::Snapshot;
use nearprint_bits::AnyFingerprint;
use nearprint_fingerprint::Matching;
use xxhash_rust::xxh3::Xxh3Default;

/// What was found to be whole.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Width;
/// use nearprint_store::{AnyFingerprint, Settings, Store};
/// # let room = tempfile::tempdir()?;
/// # let path = room.path().join("codes");
///
/// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
/// store.add("a", "00000000000000ff".parse::<AnyFingerprint>()?)?;
/// let whole = store.verify()?;
/// assert_eq!((whole.documents, whole.searched, whole.segments), (1, 1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Documents, each with its id.
    pub documents: u64,
    /// Documents that are compared by distance or by sketch, each in a segment or memtable.
    pub searched: u64,
    /// Segments. Each of their checksums is right.
    pub segments: u64,
    /// Whether the store knows which write was the last one that it acknowledged. Only then has it been made
    /// sure that the database ends with none before that. A loss of power may take this knowledge, and the
    /// next write brings it back.
    pub end_known: bool,
}

/// Documents after which it is asked whether to go on.
const LOOKED: usize = 4096;

/// A set of entries: how many, and the sum of their hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sum {
    count: u64,
    hash: u128,
}

impl Sum {
    fn add(&mut self, number: u64, parts: &[&[u8]]) {
        let mut hash = Xxh3Default::new();
        hash.update(&number.to_le_bytes());
        parts.iter().for_each(|part| hash.update(part));
        self.count += 1;
        self.hash = self.hash.wrapping_add(hash.digest128());
    }
}

/// Whether the history has every group of writes from its first to the last, and ends where the store does. What the
/// groups changed cannot be told from the documents any more.
fn check_history(truth: &Truth, snapshot: &Snapshot) -> Result<(), Error> {
    let progress = truth.progress_at(snapshot)?;
    // After an earlier release has written there is none.
    let Some(history) = progress.history else { return Ok(()) };
    let (mut next, mut last) = (history.first, None);
    for row in truth.logged(snapshot, history.first) {
        let (commit, head, _) = row?;
        if commit != next {
            return Err(truth.damaged("the history"));
        }
        (next, last) = (commit + 1, Some((head.chain, head.end)));
    }
    match next == progress.commits + 1 && last == Some((history.chain, history.bytes)) {
        true => Ok(()),
        false => Err(truth.damaged("the history")),
    }
}

impl Store {
    /// Reads everything and compares it: checksums of segments, and the fingerprints that are searched, ids and
    /// contents with the documents; and the history of writes, that no group is missing. Reads and writes go on;
    /// verification ignores their changes. A segment that is damaged is dropped and made anew, and the error tells of
    /// it.
    ///
    /// # Errors
    /// [`Error::Damaged`], [`Error::Mismatch`] and [`Error::Segment`], which name the damaged part.
    ///
    /// # Complexity
    /// Reads the whole store, in constant memory.
    pub fn verify(&self) -> Result<Verified, Error> {
        self.verify_unless(&|| false)
    }

    /// As [`Self::verify`]. Ends early once `stopped` returns true.
    ///
    /// # Errors
    /// As [`Self::verify`]; [`Error::Closed`] once `stopped` returned true.
    pub fn verify_unless(&self, stopped: &dyn Fn() -> bool) -> Result<Verified, Error> {
        let Captured { truth, snapshot, view, gone, end_known } = self.capture(None)?;
        let code = |sum: &mut Sum, code: &AnyFingerprint, number, sketch: &[u8]| {
            let mut bytes = [[0; 8]; 4];
            let words = bytes.iter_mut().zip(code.words());
            let words = words.map(|(bytes, word)| *bytes = word.to_le_bytes()).count();
            sum.add(number, &[bytes.get(..words).unwrap_or_default().as_flattened(), sketch]);
        };
        let mut searched = Sum::default();
        let mut gone = gone.iter();
        for (segment, gone) in view.segments.iter().zip(gone.by_ref()) {
            if stopped() {
                return Err(Error::Closed);
            }
            if let Err(damage) = segment.verify() {
                self.report(&damage)?;
                return Err(damage);
            }
            segment.each(&mut |found, number| {
                if !gone.has(number) {
                    code(&mut searched, &found, number, &[]);
                }
            })?;
            for Record { number, compared } in
                segment.bands().into_iter().flat_map(BandTable::records)
            {
                if !gone.has(number) {
                    searched.add(number, &[compared]);
                }
            }
        }
        for (memtable, gone) in view.memtables.iter().zip(gone) {
            let entries = memtable.codes().into_iter().flat_map(CodeParts::iter);
            let entries = entries.filter(|(_, number)| !gone.has(*number));
            entries.for_each(|(found, number)| code(&mut searched, &found, number, &[]));
            let records = memtable.bands().into_iter().flat_map(BandParts::records);
            let records = records.filter(|record| !gone.has(record.number));
            records.for_each(|record| searched.add(record.number, &[record.compared]));
        }
        let rule = self.settings().degenerate();
        // Searches read these from the database.
        for Entry { first, end, .. } in view.lost_parts().iter().map(|part| &part.entry) {
            for row in truth.sketches(&snapshot, *first..*end) {
                let (number, sketch) = row?;
                if sketch.matching(rule) == Matching::Distance {
                    code(&mut searched, sketch.searched(), number, &sketch.bands);
                }
            }
        }
        for (at, (found, number)) in view.recent.iter().enumerate() {
            code(&mut searched, &found, number, view.recent.sketch(at));
        }

        let (mut stored, mut named, mut said) = (Sum::default(), Sum::default(), Sum::default());
        for (at, row) in truth.all_documents(&snapshot).enumerate() {
            if at % LOOKED == 0 && stopped() {
                return Err(Error::Closed);
            }
            let (number, Document { id, sketch, .. }) = truth.decode_document(row)?;
            named.add(number, &[id.as_bytes()]);
            match sketch.matching(rule) {
                Matching::Distance => {
                    code(&mut stored, sketch.searched(), number, &sketch.bands);
                }
                Matching::Equality => said.add(number, &[&sketch.content.to_be_bytes()]),
                Matching::Apart => {}
            }
        }
        let (mut ids, mut contents) = (Sum::default(), Sum::default());
        for row in truth.ids_from(&snapshot, "") {
            let (number, id) = truth.decode_id(row)?;
            ids.add(number, &[&id]);
        }
        for row in truth.all_contents(&snapshot) {
            let (number, content) = truth.decode_content(row)?;
            contents.add(number, &[&content.to_be_bytes()]);
        }
        if named != ids || said != contents {
            return Err(truth.damaged("the list of ids or of contents"));
        }
        check_history(&truth, &snapshot)?;
        if stored != searched {
            let path = self.shared().path.clone();
            return Err(Error::Mismatch { path, searched: searched.count, stored: stored.count });
        }
        let segments = view.segments.len() as u64;
        Ok(Verified { documents: named.count, searched: searched.count, segments, end_known })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;
    use nearprint_fingerprint::{Fingerprint, Width};

    #[test]
    fn a_history_without_one_of_its_groups_is_damaged() {
        // The begin of the history, a group within, and the last one; each in a store of its own.
        for forgotten in [0, 2, 4] {
            let room = tempfile::tempdir().unwrap();
            let settings = Settings::ready_made(Width::W64);
            let store = Store::create(room.path().join("store"), &settings).unwrap();
            for id in 1..5_u64 {
                store.add(&id.to_string(), Fingerprint::from(id)).unwrap();
            }
            assert_eq!(store.verify().unwrap().documents, 4);
            let truth = store.shared().truth().unwrap();
            let mut changes = truth.changes();
            changes.forget(forgotten);
            changes.commit().unwrap();
            let told = store.verify().unwrap_err().to_string();
            assert!(told.contains("the history"), "{forgotten}: {told}");
        }
    }

    #[test]
    fn a_segment_that_was_replaced_meanwhile_is_not_damaged() {
        let room = tempfile::tempdir().unwrap();
        let settings = Settings::ready_made(Width::W64);
        let store = Store::create(room.path().join("store"), &settings).unwrap();
        let mut captured = Vec::new();
        for id in 1..3_u64 {
            store.add(&id.to_string(), Fingerprint::from(id)).unwrap();
            store.compact().unwrap();
            captured.push(store.capture(None).unwrap().view);
        }
        let [old, new] = [0, 1].map(|at| &captured[at].segments[0]);
        assert!(!old.path().exists() && new.path().exists());
        old.verify().unwrap();
        std::fs::remove_file(new.path()).unwrap();
        assert!(new.verify().unwrap_err().to_string().contains("the file is gone"));
    }
}
