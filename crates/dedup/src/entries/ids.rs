//! The documents' own ids, packed, for the reports. Positions are the job's business.

use std::borrow::Cow;

/// The ids of the documents of a job, as JSON text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ids {
    /// Not kept: no report asks for them.
    #[default]
    Absent,
    /// The number of the record, from 0.
    Numbers {
        /// Numbers of the records that are no documents of the job, ascending.
        left_out: Vec<u64>,
    },
    /// The user's own, one after the other.
    Listed {
        /// All ids as JSON text, joined.
        text: String,
        /// Where each ends in `text`.
        ends: Vec<u64>,
    },
}

impl Ids {
    /// An empty list.
    #[must_use]
    pub fn listed() -> Self {
        Self::Listed { text: String::new(), ends: Vec::new() }
    }

    /// Appends the id of the next document; a list only takes it.
    pub fn push(&mut self, json: &str) {
        if let Self::Listed { text, ends } = self {
            text.push_str(json);
            ends.push(text.len() as u64);
        }
    }

    /// Bytes that stay in memory.
    pub(crate) fn held_bytes(&self) -> usize {
        match self {
            Self::Absent => 0,
            Self::Numbers { left_out } => size_of_val(&**left_out),
            Self::Listed { text, ends } => text.len() + size_of_val(&**ends),
        }
    }

    /// The id of a document as JSON text; its number where ids are not kept.
    ///
    /// # Complexity
    /// Constant for a list, `O(log n)` for numbers with `n` records left out.
    #[must_use]
    pub fn json(&self, document: u64) -> Cow<'_, str> {
        match self {
            Self::Absent => Cow::Owned(document.to_string()),
            Self::Numbers { left_out } => {
                // Record r is document r minus the number of those left out before it.
                let before = left_out.partition_point(|&record| {
                    let gaps = left_out.partition_point(|&other| other < record) as u64;
                    record - gaps <= document
                });
                Cow::Owned((document + before as u64).to_string())
            }
            Self::Listed { text, ends } => {
                let end = |at: u64| usize::try_from(*ends.get(usize::try_from(at).ok()?)?).ok();
                let start = document.checked_sub(1).map_or(Some(0), end);
                let id = start.zip(end(document)).and_then(|(start, end)| text.get(start..end));
                id.map_or_else(|| Cow::Owned(document.to_string()), Cow::Borrowed)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_back_as_they_were() {
        let mut ids = Ids::listed();
        for id in ["\"a\"", "", "17"] {
            ids.push(id);
        }
        assert_eq!([ids.json(0), ids.json(1), ids.json(2)], ["\"a\"", "", "17"]);
        assert_eq!(ids.json(3), "3");
    }

    #[test]
    fn numbers_step_over_the_records_left_out() {
        let ids = Ids::Numbers { left_out: vec![0, 3, 4] };
        assert_eq!([ids.json(0), ids.json(1), ids.json(2), ids.json(3)], ["1", "2", "5", "6"]);
        assert_eq!(Ids::Numbers { left_out: Vec::new() }.json(5), "5");
    }
}
