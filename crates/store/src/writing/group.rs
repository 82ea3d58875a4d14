//! A group of writes that is committed together. Each write is decided in its turn, against what is stored
//! and what the group decided before.

use crate::disk::document::Document;
use crate::disk::sketch::Sketch;
use crate::disk::truth::{Progress, Truth};
use crate::error::Error;
use crate::known::known;
use crate::views::memtable::Codes;
use crate::views::view::View;
use crate::writing::write::{Near, Outcome, Write};
use nearprint_fingerprint::{DegenerateRule, Fingerprint, Matching};
use nearprint_index::Neighbor;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::mem;
use std::time::{SystemTime, UNIX_EPOCH};

/// Ids that one thread looks up at a time.
const LOOKED_UP: usize = 512;
/// Fingerprints that one thread searches at a time.
const SEARCHED: usize = 256;

/// The rules that decide whether a document is a duplicate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) k: u32,
    pub(crate) degenerate: DegenerateRule,
}

/// Writes that are decided and not committed yet.
pub(crate) struct Group<'a, const WORDS: usize> {
    truth: &'a Truth,
    view: &'a View<WORDS>,
    rules: Rules,
    /// The number of the first document of this group.
    first: u64,
    progress: Progress,
    /// Documents to be stored, by number.
    documents: BTreeMap<u64, Document<Fingerprint<WORDS>>>,
    /// The ids of all writes of the group.
    ids: HashMap<String, Named>,
    /// For each write that asks for it: the nearest stored document when the group began.
    near: Vec<Result<Option<Neighbor>, Error>>,
    /// Stored documents that the group removes, with their sketches.
    gone: BTreeMap<u64, Sketch<Fingerprint<WORDS>>>,
    /// Every fingerprint that the group adds and that is compared by distance, also of documents that it
    /// removes again.
    added: Codes<WORDS>,
    /// For each content of a degenerate document: the first document of the group that has it.
    contents: HashMap<u64, u64>,
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
pub(crate) struct Committed<const WORDS: usize> {
    pub(crate) progress: Progress,
    /// Fingerprints that searches find from now on.
    pub(crate) added: Codes<WORDS>,
    /// Numbers of the documents that were removed, ascending.
    pub(crate) gone: Vec<u64>,
}

impl<'a, const WORDS: usize> Group<'a, WORDS> {
    /// A group for `writes`; none of them is decided yet.
    pub(crate) fn new(
        truth: &'a Truth,
        view: &'a View<WORDS>,
        rules: Rules,
        progress: Progress,
        writes: &[Write<Fingerprint<WORDS>>],
    ) -> Result<Self, Error> {
        let (ids, near) = rayon::join(|| named(truth, writes), || nearest(view, rules, writes));
        Ok(Self {
            truth,
            view,
            rules,
            first: progress.next,
            progress,
            documents: BTreeMap::new(),
            ids: ids?,
            near,
            gone: BTreeMap::new(),
            added: Codes::default(),
            contents: HashMap::new(),
        })
    }

    /// Decides the writes of the group, in their order.
    pub(crate) fn decide(
        &mut self,
        writes: Vec<Write<Fingerprint<WORDS>>>,
    ) -> Vec<Result<Outcome, Error>> {
        let near = mem::take(&mut self.near);
        debug_assert_eq!(near.len(), writes.len(), "a search for each write");
        let decided =
            writes.into_iter().zip(near).map(|(write, near)| self.decide_one(write, near));
        decided.collect()
    }

    fn decide_one(
        &mut self,
        write: Write<Fingerprint<WORDS>>,
        near: Result<Option<Neighbor>, Error>,
    ) -> Result<Outcome, Error> {
        match write {
            Write::Add(document) => self.add(document, None),
            Write::CheckAndAdd(document) => self.add(document, Some(near?)),
            Write::Update(document) => self.update(document),
            Write::Delete(id) => match self.stored(&id)? {
                None => Ok(Outcome::Absent),
                Some((number, document)) => {
                    self.remove(number, &document);
                    self.ids.insert(id, Named::now(None));
                    Ok(Outcome::Deleted)
                }
            },
        }
    }

    /// Stores a document. `stored_near` is for checks: the nearest document that was stored before the
    /// group. Then the document is stored only if none is near.
    fn add(
        &mut self,
        document: Document<Fingerprint<WORDS>>,
        stored_near: Option<Option<Neighbor>>,
    ) -> Result<Outcome, Error> {
        document.check()?;
        match self.stored(&document.id)? {
            Some((_, stored)) if stored.sketch == document.sketch => return Ok(Outcome::Exists),
            Some(_) => return Err(Error::IdTaken { id: document.id }),
            None => {}
        }
        if let Some(stored) = stored_near
            && let Some(near) = self.near(&document.sketch, stored)?
        {
            return Ok(Outcome::Duplicate(near));
        }
        self.insert(document);
        Ok(Outcome::New)
    }

    fn update(&mut self, document: Document<Fingerprint<WORDS>>) -> Result<Outcome, Error> {
        document.check()?;
        let Some((number, stored)) = self.stored(&document.id)? else {
            self.insert(document);
            return Ok(Outcome::New);
        };
        if stored.sketch != document.sketch {
            self.remove(number, &stored);
            self.insert(document);
        } else if stored.metadata == document.metadata {
            return Ok(Outcome::Exists);
        } else {
            // No search tells the two apart: the number stays.
            self.documents.insert(number, dated(document));
        }
        Ok(Outcome::Updated)
    }

    /// The document that has this id after the writes before.
    fn stored(&self, id: &str) -> Result<Option<(u64, Document<Fingerprint<WORDS>>)>, Error> {
        let number = self.ids.get(id).and_then(|named| named.number);
        number.map(|number| Ok((number, self.document(number)?))).transpose()
    }

    fn document(&self, number: u64) -> Result<Document<Fingerprint<WORDS>>, Error> {
        match self.documents.get(&number) {
            Some(document) => Ok(document.clone()),
            None => self.truth.document(number)?.ok_or_else(|| self.truth.damaged("an id")),
        }
    }

    fn insert(&mut self, document: Document<Fingerprint<WORDS>>) {
        let number = self.progress.next;
        self.progress.next += 1;
        self.progress.documents += 1;
        match document.sketch.matching(self.rules.degenerate) {
            Matching::Distance => self.added.push(document.sketch.fingerprint, number),
            Matching::Equality => {
                self.contents.entry(document.sketch.content).or_insert(number);
            }
            Matching::Apart => {}
        }
        self.ids.insert(document.id.clone(), Named::now(Some(number)));
        self.documents.insert(number, dated(document));
    }

    fn remove(&mut self, number: u64, document: &Document<Fingerprint<WORDS>>) {
        self.documents.remove(&number);
        self.progress.documents = self.progress.documents.saturating_sub(1);
        let content = document.sketch.content;
        if number < self.first {
            self.gone.insert(number, document.sketch);
        } else if self.contents.get(&content) == Some(&number) {
            // Another document of the group may have the same content.
            let mut rest = self.documents.range(number..);
            let next = rest.find(|(_, other)| other.sketch.content == content);
            match next.map(|(number, _)| *number) {
                Some(next) => self.contents.insert(content, next),
                None => self.contents.remove(&content),
            };
        }
    }

    /// The nearest document after the writes before; of several equally near the oldest.
    fn near(
        &self,
        sketch: &Sketch<Fingerprint<WORDS>>,
        stored: Option<Neighbor>,
    ) -> Result<Option<Near>, Error> {
        let found = match sketch.matching(self.rules.degenerate) {
            Matching::Apart => None,
            Matching::Distance => self.nearest(sketch, stored)?,
            Matching::Equality => {
                let stays = |number| !self.gone.contains_key(&number);
                let stored = self.truth.with_content(sketch.content, stays)?;
                let number = stored.or_else(|| self.contents.get(&sketch.content).copied());
                number.map(|doc| Neighbor { doc, distance: 0 })
            }
        };
        let Some(Neighbor { doc, .. }) = found else { return Ok(None) };
        let Document { id, sketch: other, .. } = self.document(doc)?;
        Ok(Some(Near { id, distance: other.fingerprint.distance(&sketch.fingerprint) }))
    }

    fn nearest(
        &self,
        sketch: &Sketch<Fingerprint<WORDS>>,
        stored: Option<Neighbor>,
    ) -> Result<Option<Neighbor>, Error> {
        let (query, k) = (&sketch.fingerprint, self.rules.k);
        let stays = |near: &Neighbor| !self.gone.contains_key(&near.doc);
        let stored = match stored {
            // The group removes the nearest one: take the next.
            Some(near) if !stays(&near) => self.view.within(query, k)?.into_iter().find(stays),
            stored => stored,
        };
        let added = self.added.within(query, k);
        let added = added.filter(|near| self.documents.contains_key(&near.doc));
        Ok(stored.into_iter().chain(added).min_by_key(Neighbor::nearness))
    }

    /// Commits the group; `None` if it changes nothing.
    pub(crate) fn commit(mut self) -> Result<Option<Committed<WORDS>>, Error> {
        let mut ids: Vec<_> = self.ids.iter().filter(|(_, named)| named.changed).collect();
        if ids.is_empty() && self.documents.is_empty() {
            return Ok(None);
        }
        ids.sort_unstable_by_key(|(id, _)| *id);
        self.progress.commits += 1;
        let by_content = |sketch: &Sketch<Fingerprint<WORDS>>| {
            sketch.matching(self.rules.degenerate) == Matching::Equality
        };
        let mut changes = self.truth.changes();
        for (number, document) in &self.documents {
            changes.put(*number, document, by_content(&document.sketch));
        }
        for (id, named) in ids {
            changes.name(id, named.number);
        }
        for (number, sketch) in &self.gone {
            changes.remove(*number, by_content(sketch).then_some(sketch.content));
        }
        changes.progress(&self.progress)?;
        changes.commit()?;
        let stay = self.added.iter().filter(|(_, number)| self.documents.contains_key(number));
        Ok(Some(Committed {
            added: stay.collect(),
            gone: self.gone.into_keys().collect(),
            progress: self.progress,
        }))
    }
}

/// What is stored under the ids of `writes`.
fn named<const WORDS: usize>(
    truth: &Truth,
    writes: &[Write<Fingerprint<WORDS>>],
) -> Result<HashMap<String, Named>, Error> {
    // In their order, so that each lies near the one before on the disk.
    let mut ids: Vec<_> = writes.iter().map(Write::id).collect();
    ids.sort_unstable();
    let look_up = |ids: &[&str]| {
        let numbers = ids.iter().map(|id| truth.number(id));
        numbers.collect::<Result<Vec<_>, _>>()
    };
    let numbers: Vec<_> = ids.par_chunks(LOOKED_UP).map(look_up).collect::<Result<_, _>>()?;
    let mut named = HashMap::with_capacity(ids.len());
    let numbers = numbers.into_iter().flatten().map(|number| Named { number, changed: false });
    named.extend(ids.into_iter().map(str::to_owned).zip(numbers));
    Ok(named)
}

/// The nearest stored document to each of `writes` that asks for it. Damage fails only the writes whose
/// search meets it.
fn nearest<const WORDS: usize>(
    view: &View<WORDS>,
    rules: Rules,
    writes: &[Write<Fingerprint<WORDS>>],
) -> Vec<Result<Option<Neighbor>, Error>> {
    let asks = |(at, write): (usize, &Write<Fingerprint<WORDS>>)| match write {
        Write::CheckAndAdd(Document { sketch, .. })
            if sketch.matching(rules.degenerate) == Matching::Distance =>
        {
            Some((at, sketch.fingerprint))
        }
        _ => None,
    };
    let (asking, queries): (Vec<_>, Vec<_>) = writes.iter().enumerate().filter_map(asks).unzip();
    let one = |query: &_| Ok(view.nearest(std::slice::from_ref(query), rules.k)?.pop().flatten());
    let search = |queries: &[_]| match view.nearest(queries, rules.k) {
        Ok(found) => found.into_iter().map(Ok).collect::<Vec<_>>(),
        Err(_) => queries.iter().map(one).collect(),
    };
    let found: Vec<_> = queries.par_chunks(SEARCHED).map(search).collect();
    let mut near: Vec<_> = writes.iter().map(|_| Ok(None)).collect();
    for (at, found) in asking.into_iter().zip(found.into_iter().flatten()) {
        if let Some(near) = known(near.get_mut(at), at) {
            *near = found;
        }
    }
    near
}

/// The document with the current time, if it has none.
fn dated<const WORDS: usize>(
    mut document: Document<Fingerprint<WORDS>>,
) -> Document<Fingerprint<WORDS>> {
    if document.time == 0 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        document.time = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
    }
    document
}
