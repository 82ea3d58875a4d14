//! The documents that go, each with the one because of which it goes, and how near it is to that.

use crate::decide::fates::{Fate, Fates};
use crate::decide::matches::Matches;
use crate::error::Error;
use crate::numbers::DocumentNumber;
use crate::progress::Progress;
use crate::read::documents::Documents;
use nearprint_rules::Evidence;

/// A document that goes, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Removal {
    /// The document.
    pub(crate) document: DocumentNumber,
    /// The one because of which it goes.
    pub(crate) near: DocumentNumber,
    /// The cluster of both.
    pub(crate) cluster: u32,
    /// Whether both have the same content.
    pub(crate) equal: bool,
    /// How near they are.
    pub(crate) evidence: Evidence,
}

impl Matches {
    /// Hands every document that goes to `each`, in input order.
    ///
    /// # Errors
    /// Those of the features and of `each`; [`Error::Interrupted`].
    pub(crate) fn each_removal(
        &mut self,
        fates: &Fates,
        documents: &Documents,
        progress: &Progress,
        each: &mut dyn FnMut(Removal) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for (document, fate) in fates.each() {
            let Fate::Goes { cluster, near, .. } = fate else { continue };
            progress.check()?;
            let evidence = self.evidence(document, near, documents)?;
            let equal = self.are_equal(document, near);
            each(Removal { document, near, cluster, equal, evidence })?;
        }
        Ok(())
    }
}
