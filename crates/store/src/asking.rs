//! Questions to a store: which stored documents are near one.

use crate::content::Content;
use crate::disk::document::Document;
use crate::disk::sketch::{Sketch, distance};
use crate::error::Error;
use crate::store::Store;
use crate::views::found::Found;
use crate::writing::write::NearDocument;
use nearprint_fingerprint::{AnyFingerprint, Matching};
use nearprint_index::check_radius;
use nearprint_rules::Alike;

/// Damaged segments that one search may drop.
const HEALED: usize = 8;

impl Store {
    /// The nearest stored document that is a near-duplicate, by the store's radius or similarity; of several
    /// equally near the oldest. `None` where none is that near.
    ///
    /// # Errors
    /// Those of [`Self::sketch`]; [`Error::OtherWidth`]; [`Error::NoSketch`] for a fingerprint alone in a
    /// store by similarity; [`Error::Segment`] on damage; an error of the
    /// disk.
    ///
    /// # Complexity
    /// Searches each segment, and reads the document that it finds: some ten microseconds at a million
    /// documents. There are about as many segments as the number of documents has digits.
    ///
    /// # Examples
    /// ```
    /// # use nearprint_fingerprint::Width;
    /// # use nearprint_store::{AnyFingerprint, Settings, Store};
    /// # let room = tempfile::tempdir().unwrap();
    /// # let path = room.path().join("codes");
    /// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
    /// store.add("a", "00000000000000ff".parse::<AnyFingerprint>()?)?;
    /// let near = store.check("00000000000000fd".parse::<AnyFingerprint>()?)?.unwrap();
    /// assert_eq!((near.id.as_str(), near.distance), ("a", 1));
    /// assert!(store.check("One document.").is_err(), "this store has no recipe for texts");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check<'a>(
        &self,
        content: impl Into<Content<'a>>,
    ) -> Result<Option<NearDocument>, Error> {
        self.nearest(content.into())
    }

    fn nearest(&self, content: Content<'_>) -> Result<Option<NearDocument>, Error> {
        let sketch = self.sketch_to_compare(content)?;
        self.healing(|| self.nearest_to(&sketch))
    }

    /// The sketch of a content, if it has the width of the store.
    fn sketch_to_compare(&self, content: Content<'_>) -> Result<Sketch, Error> {
        let sketch = self.sketch(content)?;
        sketch.check_width(self.settings().width)?;
        Ok(sketch)
    }

    fn nearest_to(&self, sketch: &Sketch) -> Result<Option<NearDocument>, Error> {
        let rules = &self.shared().rules;
        sketch.check(rules)?;
        match (sketch.matching(rules.degenerate), rules.min_similarity) {
            (Matching::Apart, _) => Ok(None),
            (Matching::Equality, min_similarity) => {
                let truth = self.shared().truth()?;
                let Some(doc) = truth.with_content(sketch.content, &|_| true)? else {
                    return Ok(None);
                };
                let alike =
                    min_similarity.map(|min_similarity| Alike::equal(min_similarity.measure));
                let document = truth.document(doc)?;
                Ok(document.map(|document| near(&document, &sketch.fingerprint, alike)))
            }
            (Matching::Distance, min_similarity) => {
                let found = match min_similarity {
                    Some(_) => self.alike(sketch, 1)?.pop(),
                    None => {
                        let query = sketch.searched().codes();
                        let found = self.shared().view.load().nearest(query, rules.k)?;
                        found.into_iter().flatten().next().map(Found::from)
                    }
                };
                let Some(found) = found else { return Ok(None) };
                match self.told(&found, [&sketch.fingerprint, sketch.searched()])? {
                    Some(near) => Ok(Some(near)),
                    // The nearest document was deleted meanwhile: search again.
                    None => Ok(self.all_near_to(sketch, 1)?.pop()),
                }
            }
        }
    }

    /// The stored documents that are near-duplicates, by the store's radius or similarity: the nearest first,
    /// then the oldest; at most `limit`. Empty documents, and those too short to compare, are not among them.
    ///
    /// # Errors
    /// As [`Self::check`].
    ///
    /// # Complexity
    /// As [`Self::check`], and reads all that it finds.
    pub fn near_duplicates<'a>(
        &self,
        content: impl Into<Content<'a>>,
        limit: usize,
    ) -> Result<Vec<NearDocument>, Error> {
        self.all_near(content.into(), limit)
    }

    fn all_near(&self, content: Content<'_>, limit: usize) -> Result<Vec<NearDocument>, Error> {
        let sketch = self.sketch_to_compare(content)?;
        self.healing(|| self.all_near_to(&sketch, limit))
    }

    fn all_near_to(&self, sketch: &Sketch, limit: usize) -> Result<Vec<NearDocument>, Error> {
        let rules = &self.shared().rules;
        if rules.min_similarity.is_none() {
            return self.all_within(&sketch.fingerprint, rules.k, limit);
        }
        if sketch.matching(rules.degenerate) != Matching::Distance {
            return Ok(Vec::new());
        }
        sketch.check(rules)?;
        let found = self.alike(sketch, limit)?;
        let queries = [&sketch.fingerprint, sketch.searched()];
        let near = found.iter().map(|found| self.told(found, queries));
        near.filter_map(Result::transpose).take(limit).collect()
    }

    /// The documents that are alike, in the order of answers, at most `most`.
    fn alike(&self, sketch: &Sketch, most: usize) -> Result<Vec<Found>, Error> {
        let (view, truth) = (self.shared().view.load(), self.shared().truth()?);
        let document = |number| truth.document(number);
        let (near, crowded) =
            view.near_duplicates(sketch, &self.shared().rules, most, &|_| true, &document)?;
        self.shared().activity.crowded(crowded);
        Ok(near)
    }

    /// What is said of a document that was found; `None` if it was deleted meanwhile.
    fn told(
        &self,
        found: &Found,
        [fingerprint, searched]: [&AnyFingerprint; 2],
    ) -> Result<Option<NearDocument>, Error> {
        let document = self.shared().truth()?.document(found.doc)?;
        let Some(document) = document else { return Ok(None) };
        let distance = distance(document.sketch.searched(), searched);
        self.shared().view.load().trust(found, distance)?;
        Ok(Some(near(&document, fingerprint, found.alike)))
    }

    /// Answers by `ask`. A segment that it meets damaged is dropped first, so that the answer comes without it.
    fn healing<T>(&self, ask: impl Fn() -> Result<T, Error>) -> Result<T, Error> {
        for _ in 0..HEALED {
            match ask() {
                Err(error) if error.damage().is_some() => self.report(&error)?,
                // The writer opens the database again.
                Err(Error::Closed) => drop(self.shared().truth()?),
                answered => return answered,
            }
        }
        ask()
    }

    /// The stored documents within `k` bits, the nearest first, then the oldest; at most `limit`. Empty
    /// documents, and those too short to compare, are not among them.
    ///
    /// # Errors
    /// A radius over the width; [`Error::NoRadius`] in a store by similarity; as [`Self::check`].
    ///
    /// # Complexity
    /// As [`Self::check`] up to the store's radius. Beyond it every fingerprint is compared: some 24 ns
    /// each.
    ///
    /// # Examples
    /// ```
    /// # use nearprint_fingerprint::Recipe;
    /// # use nearprint_store::{Settings, Store};
    /// # let room = tempfile::tempdir().unwrap();
    /// # let path = room.path().join("pages");
    /// let store = Store::create(&path, &Settings::of(Recipe::named("text").unwrap()))?;
    /// store.add("a", "A storm is expected to reach the northern coast tonight.")?;
    /// store.add("b", "a storm is expected to reach the northern coast tonight")?;
    /// let near = store.query("A storm is expected to reach the northern coast tonight!", 3, 10)?;
    /// assert_eq!(near.iter().map(|near| near.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    /// # Ok::<(), nearprint_store::Error>(())
    /// ```
    pub fn query<'a>(
        &self,
        content: impl Into<Content<'a>>,
        k: u32,
        limit: usize,
    ) -> Result<Vec<NearDocument>, Error> {
        self.within(content.into(), k, limit)
    }

    fn within(
        &self,
        content: Content<'_>,
        k: u32,
        limit: usize,
    ) -> Result<Vec<NearDocument>, Error> {
        let sketch = self.sketch_to_compare(content)?;
        if self.shared().rules.min_similarity.is_some() {
            return Err(Error::NoRadius);
        }
        check_radius(k, self.settings().width.bits())?;
        self.healing(|| self.all_within(&sketch.fingerprint, k, limit))
    }

    fn all_within(
        &self,
        fingerprint: &AnyFingerprint,
        k: u32,
        limit: usize,
    ) -> Result<Vec<NearDocument>, Error> {
        let found = self.shared().view.load().within(fingerprint, k)?;
        let near = found.into_iter().map(|near| self.told(&near.into(), [fingerprint; 2]));
        near.filter_map(Result::transpose).take(limit).collect()
    }
}

fn near(document: &Document, query: &AnyFingerprint, alike: Option<Alike>) -> NearDocument {
    let distance = distance(&document.sketch.fingerprint, query);
    NearDocument { id: document.id.clone(), distance, alike }
}
