//! Why a store did not take a document: told by the store, or by the process that serves it.

use nearprint_store::Error;

/// A document that the store did not take.
pub(super) struct Refusal {
    /// Why.
    pub(super) error: anyhow::Error,
    /// Whether the document is at fault, and not the store.
    pub(super) is_of_document: bool,
    /// Whether another document has its id.
    pub(super) is_id_taken: bool,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let is_id_taken = matches!(error, Error::IdTaken { .. });
        let odd =
            matches!(error, Error::IdLength { .. } | Error::Metadata { .. } | Error::Time { .. });
        Self { error: error.into(), is_of_document: is_id_taken || odd, is_id_taken }
    }
}
