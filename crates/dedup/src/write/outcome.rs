//! What a job decided: its figures, and what becomes of each document.

use crate::decide::fates::{Fate, Fates};
use crate::numbers::DocumentNumber;
use crate::write::summary::Summary;

/// What a job decided. [`ReadyJob::run`](crate::ReadyJob::run) answers one.
///
/// Memory: 4 bytes a document, and 20 a cluster.
///
/// # Examples
/// ```
/// use nearprint_dedup::{Dedup, DocumentNumber, Fate, Progress};
///
/// # let folder = tempfile::tempdir()?;
/// # let [input, output] = ["in.jsonl", "out.jsonl"].map(|name| folder.path().join(name));
/// std::fs::write(&input, "{\"text\":\"a b c d\"}\n{\"text\":\"x y\"}\n{\"text\":\"A, b, c, d!\"}\n")?;
/// let job = Dedup::new().files([input.display().to_string()]).open(&output)?;
/// let outcome = job.run(&Progress::default())?;
/// let mut gone = Vec::new();
/// outcome.each(|document, fate| {
///     if let Fate::Goes { near, .. } = fate {
///         gone.push((document, near));
///     }
/// });
/// assert_eq!(gone, [(DocumentNumber(2), DocumentNumber(0))]);
/// assert_eq!(outcome.summary.removed, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Outcome {
    /// The figures.
    pub summary: Summary,
    fates: Fates,
}

impl Outcome {
    pub(crate) const fn new(summary: Summary, fates: Fates) -> Self {
        Self { summary, fates }
    }

    /// Hands every document with what becomes of it to `each`, in the order of the input. Records that could not be
    /// read, and documents without features unless equal ones collapse, have no number: these stay.
    pub fn each(&self, mut each: impl FnMut(DocumentNumber, Fate)) {
        self.fates.each().for_each(|(document, fate)| each(document, fate));
    }

    /// Whether documents go because of one that stays: not by [`KeepRule::Nothing`](crate::KeepRule::Nothing).
    #[must_use]
    pub const fn near_stays(&self) -> bool {
        self.fates.near_stays()
    }
}
