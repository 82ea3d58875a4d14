//! Near-duplicates among texts in memory, whole and in parts that an engine moves between machines.

use crate::distributed::linker::Linker;
use crate::distributed::router::Router;
use crate::error::Error;
use crate::front::dedup::Dedup;
use crate::front::found::Found;
use crate::front::text_labels::TextLabels;
use crate::front::texts::Texts;
use crate::job::identity::stamp;
use crate::write::summary::Settings;
use nearprint_rules::Match;
use std::num::NonZeroU32;
use std::sync::Arc;

impl Dedup {
    /// The labels of texts in memory, by which they are grouped.
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::{Dedup, TextLabels};
    ///
    /// let texts = ["one two three four", "One two three four!", "one; two three four"];
    /// let dumps = || Some(["a", "a", "b"].map(|dump| Some(dump.to_owned())).to_vec());
    /// let within = TextLabels { within: dumps(), ..TextLabels::default() };
    /// assert_eq!(Dedup::new().text_labels(within).texts(&texts)?.kept(), [0, 2]);
    /// let across = TextLabels { across: dumps(), ..TextLabels::default() };
    /// assert_eq!(Dedup::new().text_labels(across).texts(&texts)?.kept(), [2]);
    /// # Ok::<(), nearprint_dedup::Error>(())
    /// ```
    #[must_use]
    pub fn text_labels(mut self, labels: TextLabels) -> Self {
        self.labels = Arc::new(labels);
        self
    }

    /// Finds the near-duplicates among texts in memory. A text goes by its position.
    ///
    /// The figures name the [fields](nearprint_corpus::Fields) and the [labels](crate::LabelSpec) of the job. By a rule of a
    /// field, such as [`KeepRule::Highest`](crate::KeepRule::Highest), the earlier of two texts is worth more: they come in
    /// the order of that rule.
    ///
    /// Memory: that of a [`Job`](crate::Job) beside the texts. Temporary files are written where
    /// pairs or features take more than a few hundred kilobytes.
    ///
    /// # Errors
    /// A recipe that cannot be used, or takes features in place of texts; a similarity that fingerprints
    /// of that width cannot tell; [`Error::Interrupted`]; those of temporary files.
    pub fn texts<T: AsRef<str> + Sync>(&self, texts: &[T]) -> Result<Found, Error> {
        self.texts_by(texts.len(), |position| texts.get(position).map_or("", AsRef::as_ref))
    }

    /// As [`Self::texts`], of `count` texts that lie elsewhere: `text` gives the one at a position, the same
    /// each time. It is asked from all threads, for a text several times. No list of the texts is made.
    ///
    /// # Errors
    /// As [`Self::texts`].
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::Dedup;
    ///
    /// let (all, ends) = ("one two three four|One, two, three, four!|five six", [0, 19, 42, 50]);
    /// let found = Dedup::new().texts_by(3, |at| all[ends[at]..ends[at + 1]].trim_end_matches('|'))?;
    /// assert_eq!(found.kept(), [0, 2]);
    /// # Ok::<(), nearprint_dedup::Error>(())
    /// ```
    pub fn texts_by<'t>(
        &self,
        count: usize,
        text: impl Fn(usize) -> &'t str + Sync,
    ) -> Result<Found, Error> {
        self.search(count, &text, None)
    }

    /// As [`Self::texts_by`], and hands every pair of near-duplicates to `pair`, by the first text, then the second.
    /// [`fold_equal`](Self::fold_equal) makes the list short where many texts are equal.
    ///
    /// # Errors
    /// As [`Self::texts`].
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::Dedup;
    ///
    /// let (texts, mut pairs) = (["one two three four", "five six", "One, two, three, four!"], Vec::new());
    /// Dedup::new().texts_and_pairs_by(3, |at| texts[at], |pair| pairs.push((pair.a, pair.b)))?;
    /// assert_eq!(pairs, [(0, 2)]);
    /// # Ok::<(), nearprint_dedup::Error>(())
    /// ```
    pub fn texts_and_pairs_by<'t>(
        &self,
        count: usize,
        text: impl Fn(usize) -> &'t str + Sync,
        mut pair: impl FnMut(Match<usize>) + Send,
    ) -> Result<Found, Error> {
        self.search(count, &text, Some(&mut pair))
    }

    /// What figures of texts name of the fields that they come from.
    fn settings(&self) -> Settings {
        let (fields, labels) = (&self.spec.reading.fields, &self.spec.labels);
        let TextLabels { within, across } = &*self.labels;
        let named = |field: &Option<String>, is_there: bool| field.clone().filter(|_| is_there);
        let (within, across) =
            (named(&labels.within, within.is_some()), named(&labels.across, across.is_some()));
        Settings::of_fields(&fields.text, [within, across, labels.count_by.clone()])
    }

    /// Not generic: a crate that calls it compiles no search of its own.
    fn search<'t>(
        &self,
        count: usize,
        text: &(dyn Fn(usize) -> &'t str + Sync),
        pairs: Option<&mut (dyn FnMut(Match<usize>) + Send)>,
    ) -> Result<Found, Error> {
        Texts {
            count,
            text,
            reference: self.spec.input.reference_texts,
            fields: &self.spec.reading.fields,
            settings: self.settings(),
            origin: &self.spec.origin()?,
            criteria: self.spec.criteria()?,
            fold_equal: self.spec.outputs.fold_equal,
            labels: &self.labels,
            memory: self.with.memory,
            work_dir: &self.with.temporary()?,
            threads: self.with.thread_count()?,
            progress: &self.progress,
        }
        .search(pairs)
    }

    /// Makes entries of texts, in so many ranges: the first part of a search that an engine moves between machines.
    /// [`Components`](crate::Components) has the whole of it. Where documents are compared
    /// [within](crate::LabelSpec::within) groups, only those of a group share an entry.
    ///
    /// # Errors
    /// [`Error::NoEntries`] where pairs are not found by bands; those of [`texts`](Self::texts) before it reads.
    pub fn router(&self, ranges: NonZeroU32) -> Result<Router, Error> {
        let (origin, criteria) = (self.spec.origin()?, self.spec.criteria()?);
        let is_grouped = self.spec.labels.within.is_some();
        Router::new(&origin, &criteria, ranges, stamp(&origin, &criteria, is_grouped), is_grouped)
    }

    /// Finds links between documents, of entries that a [`router`](Self::router) of the same settings made.
    ///
    /// # Errors
    /// Those of [`router`](Self::router).
    pub fn linker(&self) -> Result<Linker, Error> {
        let (origin, criteria) = (self.spec.origin()?, self.spec.criteria()?);
        let is_grouped = self.spec.labels.within.is_some();
        Linker::new(&origin, &criteria, stamp(&origin, &criteria, is_grouped))
    }
}
