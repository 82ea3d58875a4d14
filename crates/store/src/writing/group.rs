//! A group of writes that is committed together. Each write is decided in its turn, against what is stored
//! and what the group decided before.

use crate::disk::document::Document;
use crate::disk::logged::Logged;
use crate::disk::sketch::Sketch;
use crate::disk::truth::{Changes, Progress, Truth};
use crate::error::Error;
use crate::invariant::invariant;
use crate::rules::{MinSimilarity, Rules};
use crate::views::codes::NumberedCodes;
use crate::views::found::Found;
use crate::views::judge::near_duplicates;
use crate::views::probe::Comparing;
use crate::writing::buckets::Buckets;
use crate::writing::crew::Crew;
use crate::writing::log;
use crate::writing::stored::{SEARCHED, Stored};
use crate::writing::write::{NearDocument, Outcome, Write};
use nearprint_fingerprint::Matching;
use nearprint_rules::Alike;
use std::collections::{BTreeMap, HashMap};
use std::mem;
use std::ops::Bound;
use std::time::{SystemTime, UNIX_EPOCH};

/// Ids that one thread looks up at a time.
const LOOKED_UP: usize = 512;

/// Writes that are decided and not committed yet.
pub(crate) struct Group<'a> {
    pub(crate) stored: Stored<'a>,
    pub(crate) rules: Rules,
    /// The number of the first document of this group.
    first: u64,
    pub(crate) progress: Progress,
    /// Documents to be stored, by number.
    pub(crate) documents: BTreeMap<u64, Document>,
    /// The ids of all writes of the group.
    ids: HashMap<String, Named>,
    /// For each write that asks for it: the nearest document that was stored when the group began. One that
    /// has the id of an update is left out.
    near: Vec<Result<Option<Found>, Error>>,
    /// Stored documents that the group removes.
    gone: BTreeMap<u64, Gone>,
    /// Every document that the group adds and that is compared by distance or by sketch, also those that it
    /// removes again.
    added: NumberedCodes,
    /// The same documents by their bands, where sketches are compared.
    buckets: Buckets,
    /// For each content of a degenerate document: the first document of the group that has it.
    contents: HashMap<u64, u64>,
}

/// A stored document that is removed.
struct Gone {
    id: String,
    /// Its content, if it is found by that.
    content: Option<u64>,
}

/// The document that an id names.
#[derive(Clone, Copy, Debug)]
struct Named {
    number: Option<u64>,
    /// Whether the group changed it.
    changed: bool,
}

impl Named {
    fn now(number: Option<u64>) -> Self {
        Self { number, changed: true }
    }
}

/// What a group changed.
pub(crate) struct Committed {
    pub(crate) progress: Progress,
    /// Fingerprints that searches find from now on.
    pub(crate) added: NumberedCodes,
    /// Numbers of the documents that were removed, ascending.
    pub(crate) gone: Vec<u64>,
}

impl<'a> Group<'a> {
    /// A group for `writes`; none of them is decided yet.
    pub(crate) fn new(
        stored: Stored<'a>,
        progress: Progress,
        writes: &[Write],
        crew: &Crew,
    ) -> Result<Self, Error> {
        let ids = named(stored.truth, writes, crew)?;
        let near = others(stored, writes, stored.nearest(writes, crew), &ids, crew);
        Ok(Self { near, ids, ..Self::begin(stored, progress) })
    }

    /// A group of no writes.
    pub(crate) fn begin(stored: Stored<'a>, progress: Progress) -> Self {
        Self {
            stored,
            rules: stored.rules,
            first: progress.next,
            progress,
            documents: BTreeMap::new(),
            near: Vec::new(),
            ids: HashMap::new(),
            gone: BTreeMap::new(),
            added: NumberedCodes::new(stored.rules.width),
            buckets: Buckets::default(),
            contents: HashMap::new(),
        }
    }

    /// The damage of a segment that a search of the group met.
    pub(crate) fn damage(&self) -> Option<&Error> {
        let errors = self.near.iter().filter_map(|near| near.as_ref().err());
        errors.into_iter().find(|error| error.damage().is_some())
    }

    /// Decides the writes of the group, in their order.
    pub(crate) fn decide(&mut self, writes: Vec<Write>) -> Vec<Result<Outcome, Error>> {
        let near = mem::take(&mut self.near);
        debug_assert_eq!(near.len(), writes.len(), "a search for each write");
        let decided =
            writes.into_iter().zip(near).map(|(write, near)| self.decide_one(write, near));
        decided.collect()
    }

    fn decide_one(
        &mut self,
        write: Write,
        near: Result<Option<Found>, Error>,
    ) -> Result<Outcome, Error> {
        match write {
            Write::Add(document) => self.add(document, None),
            Write::CheckAndAdd(document) => self.add(document, Some(near?)),
            Write::Update(document) => self.update(document, None),
            Write::CheckAndUpdate(document) => self.update(document, Some(near?)),
            Write::Delete(id) => self.delete(id, &|_| true),
            Write::DeleteBefore(id, time) => self.delete(id, &|document| document.time < time),
        }
    }

    /// Removes the document with this id if it `goes`.
    fn delete(&mut self, id: String, goes: &dyn Fn(&Document) -> bool) -> Result<Outcome, Error> {
        match self.stored(&id)? {
            Some((number, document)) if goes(&document) => {
                self.remove(number, &document);
                self.ids.insert(id, Named::now(None));
                Ok(Outcome::Deleted)
            }
            _ => Ok(Outcome::Absent),
        }
    }

    /// Stores a document. `stored_near` is for checks: the nearest document that was stored before the
    /// group. Then the document is stored only if none is near.
    fn add(
        &mut self,
        mut document: Document,
        stored_near: Option<Option<Found>>,
    ) -> Result<Outcome, Error> {
        document.check()?;
        document.sketch.fit(&self.rules)?;
        match self.stored(&document.id)? {
            Some((_, stored)) if stored.sketch == document.sketch => return Ok(Outcome::Exists),
            Some(_) => return Err(Error::IdTaken { id: document.id }),
            None => {}
        }
        if let Some(stored) = stored_near
            && let Some(near) = self.near(&document.sketch, stored, None)?
        {
            return Ok(Outcome::Duplicate(near));
        }
        self.insert(document);
        Ok(Outcome::New)
    }

    /// Stores a document in place of the one with its id. `stored_near` is for checks: the nearest document
    /// of another id that was stored before the group. Then the document is stored only if none is near.
    fn update(
        &mut self,
        mut document: Document,
        stored_near: Option<Option<Found>>,
    ) -> Result<Outcome, Error> {
        document.check()?;
        document.sketch.fit(&self.rules)?;
        let own = self.stored(&document.id)?;
        if let Some((number, own)) = &own
            && own.sketch == document.sketch
            && own.metadata == document.metadata
        {
            // It is as it was, and counts as stored now: what goes by age goes by the last update.
            let document = dated(document);
            if document.time > own.time {
                self.documents.insert(*number, document);
            }
            return Ok(Outcome::Exists);
        }
        if let Some(stored) = stored_near {
            let own = own.as_ref().map(|(number, _)| *number);
            if let Some(near) = self.near(&document.sketch, stored, own)? {
                return Ok(Outcome::Duplicate(near));
            }
        }
        let Some((number, own)) = own else {
            self.insert(document);
            return Ok(Outcome::New);
        };
        if own.sketch == document.sketch {
            // No search tells the two apart: the number stays.
            self.documents.insert(number, dated(document));
        } else {
            self.remove(number, &own);
            self.insert(document);
        }
        Ok(Outcome::Updated)
    }

    /// The document that has this id after the writes before.
    fn stored(&self, id: &str) -> Result<Option<(u64, Document)>, Error> {
        let number = self.ids.get(id).and_then(|named| named.number);
        number.map(|number| Ok((number, self.document(number)?))).transpose()
    }

    fn document(&self, number: u64) -> Result<Document, Error> {
        match self.documents.get(&number) {
            Some(document) => Ok(document.clone()),
            None => {
                let truth = self.stored.truth;
                truth.document(number)?.ok_or_else(|| truth.damaged("an id"))
            }
        }
    }

    /// The document with this number, if it is stored after the changes before.
    pub(crate) fn document_if_there(&self, number: u64) -> Result<Option<Document>, Error> {
        match self.documents.get(&number) {
            Some(document) => Ok(Some(document.clone())),
            None if number >= self.first || self.gone.contains_key(&number) => Ok(None),
            None => self.stored.truth.document(number),
        }
    }

    /// The number of the document that has this id after the changes before.
    pub(crate) fn number(&self, id: &str) -> Result<Option<u64>, Error> {
        match self.ids.get(id) {
            Some(named) => Ok(named.number),
            None => self.stored.truth.number(id),
        }
    }

    /// Removes a document, and its id if that names it.
    pub(crate) fn remove_named(&mut self, number: u64, document: &Document) -> Result<(), Error> {
        if self.number(&document.id)? == Some(number) {
            self.ids.insert(document.id.clone(), Named::now(None));
        }
        self.remove(number, document);
        Ok(())
    }

    /// Stores a document under the next number.
    pub(crate) fn insert(&mut self, document: Document) {
        let number = self.progress.next;
        self.progress.next += 1;
        self.progress.documents += 1;
        match document.sketch.matching(self.rules.degenerate) {
            Matching::Distance => {
                let (code, bands) = (*document.sketch.searched(), &document.sketch.bands);
                self.buckets.insert(bands, self.added.len());
                self.added.push(code, number, bands);
            }
            Matching::Equality => {
                self.contents.entry(document.sketch.content).or_insert(number);
            }
            Matching::Apart => {}
        }
        self.ids.insert(document.id.clone(), Named::now(Some(number)));
        self.documents.insert(number, dated(document));
    }

    fn remove(&mut self, number: u64, document: &Document) {
        self.documents.remove(&number);
        self.progress.documents = self.progress.documents.saturating_sub(1);
        let content = document.sketch.content;
        if number < self.first {
            let by_content = document.sketch.matching(self.rules.degenerate) == Matching::Equality;
            let gone = Gone { id: document.id.clone(), content: by_content.then_some(content) };
            self.gone.insert(number, gone);
        } else if self.contents.get(&content) == Some(&number) {
            match self.added_with(content, number) {
                Some(next) => self.contents.insert(content, next),
                None => self.contents.remove(&content),
            };
        }
    }

    /// The oldest document that the group adds after this number and that is found by this content.
    fn added_with(&self, content: u64, number: u64) -> Option<u64> {
        let mut rest = self.documents.range((Bound::Excluded(number), Bound::Unbounded));
        let has = |sketch: &Sketch| {
            sketch.content == content
                && sketch.matching(self.rules.degenerate) == Matching::Equality
        };
        rest.find(|(_, other)| has(&other.sketch)).map(|(number, _)| *number)
    }

    /// The nearest document after the writes before, but for that of the number `own`; of several equally
    /// near the oldest.
    fn near(
        &self,
        sketch: &Sketch,
        stored: Option<Found>,
        own: Option<u64>,
    ) -> Result<Option<NearDocument>, Error> {
        let found = match (sketch.matching(self.rules.degenerate), self.rules.min_similarity) {
            (Matching::Apart, _) => None,
            (Matching::Distance, None) => self.nearest(sketch, stored, own)?,
            (Matching::Distance, Some(min_similarity)) => {
                self.most_alike(sketch, stored, own, min_similarity)?
            }
            (Matching::Equality, min_similarity) => {
                let content = sketch.content;
                let stays = |number| self.stays(number, own);
                let stored = self.stored.truth.with_content(content, &stays)?;
                let added = || match self.contents.get(&content).copied() {
                    first if first.is_some() && first == own => {
                        first.and_then(|first| self.added_with(content, first))
                    }
                    first => first,
                };
                let number = stored.or_else(added);
                let alike =
                    min_similarity.map(|min_similarity| Alike::equal(min_similarity.measure));
                number.map(|doc| Found { doc, distance: 0, alike })
            }
        };
        let Some(found) = found else { return Ok(None) };
        let Document { id, sketch: other, .. } = self.document(found.doc)?;
        let distance = other.distance(sketch);
        if sketch.matching(self.rules.degenerate) == Matching::Distance {
            self.stored.view.trust(&found, other.searched_distance(sketch))?;
        }
        Ok(Some(NearDocument { id, distance, alike: found.alike }))
    }

    /// Whether a stored document stays, and is not that of the number `own`.
    fn stays(&self, number: u64, own: Option<u64>) -> bool {
        own != Some(number) && !self.gone.contains_key(&number)
    }

    /// Whether the group adds a document to the end, and it is not that of the number `own`.
    fn adds(&self, number: u64, own: Option<u64>) -> bool {
        own != Some(number) && self.documents.contains_key(&number)
    }

    /// What was found among the stored documents, or the next of them if that does not stay.
    fn staying(
        &self,
        sketch: &Sketch,
        stored: Option<Found>,
        own: Option<u64>,
    ) -> Result<Option<Found>, Error> {
        match stored {
            Some(near) if !self.stays(near.doc, own) => {
                self.stored.first(sketch, &|near| self.stays(near.doc, own))
            }
            stored => Ok(stored),
        }
    }

    fn nearest(
        &self,
        sketch: &Sketch,
        stored: Option<Found>,
        own: Option<u64>,
    ) -> Result<Option<Found>, Error> {
        let stored = self.staying(sketch, stored, own)?;
        let added = self.added.within(sketch.searched(), self.rules.k);
        let added = added.into_iter().filter(|near| self.adds(near.doc, own));
        Ok(stored.into_iter().chain(added.map(Found::from)).min_by(Found::order))
    }

    fn most_alike(
        &self,
        sketch: &Sketch,
        stored: Option<Found>,
        own: Option<u64>,
        min_similarity: MinSimilarity,
    ) -> Result<Option<Found>, Error> {
        let stored = self.staying(sketch, stored, own)?;
        let added = match self.rules.bands {
            Some(shape) => {
                let by = Comparing { shape, k: self.rules.k, min_similarity };
                let adds = |at: &usize| {
                    self.added.number(*at).is_some_and(|number| self.adds(number, own))
                };
                let agreeing = self.buckets.agreeing(&sketch.bands).into_iter();
                by.among(sketch, &self.added, agreeing.filter(adds))
            }
            None => {
                let near = self.added.within(sketch.searched(), self.rules.k);
                let near = near.into_iter().filter(|near| self.adds(near.doc, own));
                let mut found: Vec<_> = near.map(Found::from).collect();
                found.sort_unstable_by(Found::order);
                found
            }
        };
        let document = |number| Ok(self.documents.get(&number).cloned());
        let added = near_duplicates(sketch, added, &self.rules, 1, &document)?;
        Ok(stored.into_iter().chain(added).min_by(Found::order))
    }

    /// Commits the group; `None` if it changes nothing. Keeps so many bytes of what earlier groups changed.
    pub(crate) fn commit(mut self, keep: u64) -> Result<Option<Committed>, Error> {
        if self.documents.is_empty() && !self.ids.values().any(|named| named.changed) {
            return Ok(None);
        }
        let (truth, before) = (self.stored.truth, self.progress.commits);
        self.progress.commits += 1;
        let mut changes = truth.changes();
        let mut history = match self.progress.history {
            Some(history) if !history.between => history,
            // Nobody else has this state: no other store is at its position.
            _ => {
                truth.forget_history()?;
                log::begin(&mut changes, before)
            }
        };
        let (mut logged, mut deleted) = (Logged::default(), Vec::new());
        let mut link = history.chain.link(self.progress.commits);
        self.write(
            &mut changes,
            &mut |number, row| {
                link.stored(number, row);
                logged.store(number);
            },
            &mut |number, id| deleted.push((number, id.to_owned())),
        );
        deleted.iter().for_each(|(number, _)| link.deleted(*number));
        logged.deleted = deleted;
        log::add(&mut changes, &mut history, self.progress.commits, link.chain(), &logged);
        log::trim(truth, &mut changes, &mut history, (before, self.progress.commits), keep)?;
        self.progress.history = Some(history);
        changes.progress(&self.progress)?;
        changes.commit()?;
        Ok(Some(self.committed()))
    }

    /// Writes what the group changes: tells each document with its row, and each that goes with its id.
    pub(crate) fn write(
        &self,
        changes: &mut Changes<'_>,
        stored: &mut dyn FnMut(u64, &[u8]),
        deleted: &mut dyn FnMut(u64, &str),
    ) {
        for (number, document) in &self.documents {
            let row = document.to_row();
            stored(*number, &row);
            let Sketch { content, .. } = document.sketch;
            let by_content = document.sketch.matching(self.rules.degenerate) == Matching::Equality;
            changes.put(*number, row, by_content.then_some(content));
        }
        let mut ids: Vec<_> = self.ids.iter().filter(|(_, named)| named.changed).collect();
        ids.sort_unstable_by_key(|(id, _)| *id);
        for (id, named) in ids {
            changes.name(id, named.number);
        }
        for (number, Gone { id, content }) in &self.gone {
            deleted(*number, id);
            changes.remove(*number, *content);
        }
    }

    /// What the group changed.
    pub(crate) fn committed(self) -> Committed {
        Committed {
            added: self.added.retained(|number| self.documents.contains_key(&number)),
            gone: self.gone.into_keys().collect(),
            progress: self.progress,
        }
    }
}

/// What is stored under the ids of `writes`.
fn named(truth: &Truth, writes: &[Write], crew: &Crew) -> Result<HashMap<String, Named>, Error> {
    // In their order, so that each lies near the one before on the disk.
    let mut ids: Vec<_> = writes.iter().map(Write::id).collect();
    ids.sort_unstable();
    let look_up = |ids: &[&str]| {
        let numbers = ids.iter().map(|id| truth.number(id));
        numbers.collect::<Result<Vec<_>, _>>()
    };
    let numbers = crew.in_parts(&ids, LOOKED_UP, look_up);
    let numbers = numbers.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut named = HashMap::with_capacity(ids.len());
    let numbers = numbers.into_iter().flatten().map(|number| Named { number, changed: false });
    named.extend(ids.into_iter().map(str::to_owned).zip(numbers));
    Ok(named)
}

/// What was found for each of `writes`; the next where that has the id of an update.
fn others(
    stored: Stored<'_>,
    writes: &[Write],
    mut near: Vec<Result<Option<Found>, Error>>,
    ids: &HashMap<String, Named>,
    crew: &Crew,
) -> Vec<Result<Option<Found>, Error>> {
    let mut asking = Vec::new();
    for (at, (write, near)) in writes.iter().zip(&near).enumerate() {
        let (Write::CheckAndUpdate(document), Ok(Some(found))) = (write, near) else { continue };
        if ids.get(&document.id).and_then(|named| named.number) == Some(found.doc) {
            asking.push((at, &document.sketch, found.doc));
        }
    }
    let search = |asking: &[(usize, &Sketch, u64)]| {
        let first = |(_, sketch, own): &(usize, &Sketch, u64)| {
            stored.first(sketch, &|near| near.doc != *own)
        };
        asking.iter().map(first).collect::<Vec<_>>()
    };
    let found = crew.in_parts(&asking, SEARCHED, search);
    for ((at, ..), found) in asking.into_iter().zip(found.into_iter().flatten()) {
        if let Some(near) = invariant(near.get_mut(at), at) {
            *near = found;
        }
    }
    near
}

/// The document with the current time, if it has none.
fn dated(mut document: Document) -> Document {
    if document.time == 0 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        document.time = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
    }
    document
}
