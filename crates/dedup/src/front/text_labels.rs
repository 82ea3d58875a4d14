//! What texts in memory are grouped by, in the place of fields of a row.

use crate::error::Error;
use crate::job::spec::EQUAL_ACROSS;

/// What each of some texts in memory is grouped by: a label a text, or none. Texts without a label have the same.
#[derive(Clone, Debug, Default)]
pub struct TextLabels {
    /// Only texts of equal labels are compared, as by [`LabelSpec::within`](crate::LabelSpec::within).
    pub within: Option<Vec<Option<String>>>,
    /// Only texts of different labels are compared, as by [`LabelSpec::across`](crate::LabelSpec::across).
    pub across: Option<Vec<Option<String>>>,
}

impl TextLabels {
    /// The labels of each kind that is there.
    pub(super) fn lists(&self) -> impl Iterator<Item = &[Option<String>]> {
        self.within.iter().chain(&self.across).map(Vec::as_slice)
    }

    /// The places of the two among those.
    pub(super) fn places(&self) -> (Option<usize>, Option<usize>) {
        let within = self.within.as_ref().map(|_| 0);
        (within, self.across.as_ref().map(|_| usize::from(within.is_some())))
    }

    /// Refuses labels of other than so many texts, and equal ones to be folded where they are no pairs.
    pub(super) fn check(&self, texts: usize, fold_equal: bool) -> Result<(), Error> {
        let what = match () {
            () if self.lists().any(|labels| labels.len() != texts) => {
                "there must be as many labels as texts"
            }
            () if self.across.is_some() && fold_equal => EQUAL_ACROSS,
            () => return Ok(()),
        };
        Err(Error::Labels { what, settings: &[] })
    }
}
