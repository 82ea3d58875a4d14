//! The documents that a survivor stands for, counted by label. How they are written beside it is `copies`'.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cmp::Reverse;

/// Labels that are counted by name, at most; what the others count is summed.
const LABELS: usize = 100;
/// What documents without a label are counted under.
const UNLABELLED: &str = "null";

/// What documents of a label are counted under: the label, and `null` of documents without one. A text that reads so, or
/// begins with a quote, is in quotes, as in JSON: no two labels are counted as one.
///
/// # Examples
///
/// ```
/// use nearprint_dedup::source_name;
///
/// let names = [Some("web"), None, Some("null"), Some("\"null\"")].map(source_name);
/// assert_eq!(names, ["web", "null", "\"null\"", r#""\"null\"""#]);
/// ```
#[must_use]
pub fn source_name(label: Option<&str>) -> Cow<'_, str> {
    match label {
        None => UNLABELLED.into(),
        Some(label) if label == UNLABELLED || label.starts_with('"') => {
            Cow::Owned(serde_json::Value::from(label).to_string())
        }
        Some(label) => label.into(),
    }
}

/// How many documents a survivor stands for, itself included.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counted {
    pub(crate) copies: u64,
    /// The number of documents of each label, by the names of these: of many labels the hundred with the most documents.
    pub(crate) sources: Vec<(String, u64)>,
    /// Documents of further labels.
    pub(crate) others: u64,
}

impl Counted {
    /// So many documents, and so many of each label; of none, where they are not counted by label.
    pub(crate) fn of<'a>(
        copies: u64,
        labels: impl Iterator<Item = (Option<&'a str>, u64)>,
    ) -> Self {
        let named = labels.map(|(label, count)| (source_name(label), count));
        let mut named: Vec<(Cow<'_, str>, u64)> = named.collect();
        named.sort_unstable();
        let mut others = 0;
        if named.len() > LABELS {
            named.sort_by_key(|(_, count)| Reverse(*count));
            others = named.drain(LABELS..).map(|(_, count)| count).sum();
            named.sort_unstable();
        }
        let sources = named.into_iter().map(|(name, count)| (name.into_owned(), count)).collect();
        Self { copies, sources, others }
    }

    /// A document that stands for itself alone: of this label, where documents are counted by label.
    pub(crate) fn alone(label: Option<Option<&str>>) -> Self {
        Self::of(1, label.map(|label| (label, 1)).into_iter())
    }

    /// The counts by label, as JSON.
    pub(crate) fn sources_json(&self) -> String {
        let mut json = "{".to_owned();
        for (name, count) in &self.sources {
            let comma = if json.len() > 1 { "," } else { "" };
            // A text always has a JSON form.
            let name = serde_json::to_string(name).unwrap_or_default();
            json += &format!("{comma}{name}:{count}");
        }
        json + "}"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_that_reads_as_none_is_counted_by_itself() {
        let labels = [(None, 2), (Some("b"), 1), (Some("null"), 3), (Some("a\"b"), 4)];
        let counted = Counted::of(10, labels.into_iter());
        assert_eq!(counted.sources_json(), r#"{"\"null\"":3,"a\"b":4,"b":1,"null":2}"#);
        assert_eq!(Counted::alone(Some(None)).sources_json(), r#"{"null":1}"#);
        assert_eq!(Counted::alone(None), Counted { copies: 1, ..Counted::default() });
    }

    #[test]
    fn further_labels_are_summed() {
        let names: Vec<String> = (0..150).map(|at| format!("l{at:03}")).collect();
        let count = |at: usize| if at < 60 { 1 } else { 2 };
        let labels = names.iter().enumerate().map(|(at, name)| (Some(name.as_str()), count(at)));
        let counted = Counted::of(240, labels);
        // Of labels with as many documents the first by name.
        let told: Vec<&str> = counted.sources.iter().map(|(name, _)| name.as_str()).collect();
        let expected = (0..10).chain(60..150).map(|at: usize| names[at].as_str());
        assert_eq!(told, expected.collect::<Vec<_>>());
        assert_eq!(counted.others, 50);
    }
}
