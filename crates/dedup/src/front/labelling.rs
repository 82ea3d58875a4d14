//! Texts in memory that are grouped: what the front door takes beside them.

use crate::front::dedup::Dedup;
use crate::front::text_labels::TextLabels;
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
}
