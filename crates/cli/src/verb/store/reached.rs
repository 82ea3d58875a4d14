//! A store that a command wants something of: opened by it, or served by another process. Either answers the same.

use crate::show::figures::count_of;
use crate::verb::store::flags::StoreFlags;
use crate::verb::store::refusal::Refusal;
#[cfg(feature = "serve")]
use crate::verb::store::served::Served;
#[cfg(feature = "serve")]
use nearprint_store::MAX_ID;
use nearprint_store::{Document, Error, NearDocument, Outcome, Store, Write};

/// A store, reached.
pub(super) enum Reached {
    /// Opened by this process.
    Here(Box<Store>),
    /// Open in the process that serves it.
    #[cfg(feature = "serve")]
    There(Served),
}

/// What is done with documents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Add,
    CheckAndAdd,
    Update,
    CheckAndUpdate,
}

impl StoreFlags {
    /// Opens the store, and says what had to be mended; where another process serves it, reaches that.
    pub(super) fn reach(&self) -> anyhow::Result<Reached> {
        self.or_served(self.open())
    }

    /// The same for those who do not say what had to be mended.
    pub(super) fn reach_silently(&self) -> anyhow::Result<Reached> {
        self.or_served(self.open_with(&self.options()))
    }

    /// Why a verb that needs the store for itself cannot have it: says so where another process serves it.
    pub(super) fn taken(&self, verb: &str, error: Error) -> anyhow::Error {
        #[cfg(feature = "serve")]
        if matches!(error, Error::InUse { .. }) {
            return match Served::at(&self.path, error.into()) {
                Ok(_) => anyhow::anyhow!(
                    "{}: another process serves this store, and `store {verb}` needs exclusive access: stop that \
                     process, and run the command again",
                    self.path.display()
                ),
                Err(error) => error,
            };
        }
        #[cfg(not(feature = "serve"))]
        let _verb = verb;
        error.into()
    }

    #[cfg(feature = "serve")]
    fn or_served(&self, opened: anyhow::Result<Store>) -> anyhow::Result<Reached> {
        match opened {
            Ok(store) => Ok(Reached::Here(Box::new(store))),
            Err(error) => match error.downcast_ref() {
                Some(Error::InUse { .. }) => Served::at(&self.path, error).map(Reached::There),
                _ => Err(error),
            },
        }
    }

    #[cfg(not(feature = "serve"))]
    fn or_served(&self, opened: anyhow::Result<Store>) -> anyhow::Result<Reached> {
        opened.map(|store| Reached::Here(Box::new(store)))
    }
}

impl Reached {
    /// The number of documents stored.
    pub(super) fn documents(&self) -> anyhow::Result<u64> {
        match self {
            Self::Here(store) => Ok(store.len()),
            #[cfg(feature = "serve")]
            Self::There(served) => served.documents(),
        }
    }

    /// Writes documents in their order; an outcome each.
    pub(super) fn write(
        &self,
        op: Op,
        documents: Vec<Document>,
    ) -> anyhow::Result<Vec<Result<Outcome, Refusal>>> {
        match self {
            Self::Here(store) => {
                let outcomes = store.write_all(documents.into_iter().map(op.of()).collect())?;
                Ok(outcomes.into_iter().map(|outcome| outcome.map_err(Refusal::from)).collect())
            }
            #[cfg(feature = "serve")]
            Self::There(served) => served.sketched(op.name(), &documents),
        }
    }

    /// The nearest near-duplicate of each document, one after the other.
    pub(super) fn check<'a>(
        &'a self,
        documents: Vec<Document>,
    ) -> anyhow::Result<Box<dyn Iterator<Item = anyhow::Result<Option<NearDocument>>> + 'a>> {
        match self {
            Self::Here(store) => {
                let check = |document: Document| Ok(store.check(document.sketch)?);
                Ok(Box::new(documents.into_iter().map(check)))
            }
            #[cfg(feature = "serve")]
            Self::There(served) => {
                let near = |outcome| match outcome {
                    Ok(Outcome::Duplicate(near)) => Ok(Some(near)),
                    Ok(_) => Ok(None),
                    Err(Refusal { error, .. }) => Err(error),
                };
                Ok(Box::new(served.sketched("check", &documents)?.into_iter().map(near)))
            }
        }
    }

    /// The stored documents near one: within `k` bits, or by similarity where there is no radius.
    pub(super) fn near(
        &self,
        document: Document,
        k: Option<u32>,
        most: usize,
    ) -> anyhow::Result<Vec<NearDocument>> {
        match (self, k) {
            (Self::Here(store), Some(k)) => Ok(store.query(document.sketch, k, most)?),
            (Self::Here(store), None) => Ok(store.near_duplicates(document.sketch, most)?),
            #[cfg(feature = "serve")]
            (Self::There(served), k) => served.near(&document, k, most),
        }
    }

    /// Deletes the documents with these ids; an outcome each.
    pub(super) fn delete(&self, ids: Vec<String>) -> anyhow::Result<Vec<Outcome>> {
        match self {
            Self::Here(store) => {
                let outcomes = store.write_all(ids.into_iter().map(Write::Delete).collect())?;
                Ok(outcomes.into_iter().collect::<Result<_, _>>()?)
            }
            #[cfg(feature = "serve")]
            Self::There(served) => {
                // No document has an id of another length, and the process there refuses it.
                let (named, none): (Vec<_>, Vec<_>) =
                    ids.into_iter().partition(|id| (1..=MAX_ID).contains(&id.len()));
                let mut outcomes = served.delete(&named)?;
                outcomes.resize(named.len() + none.len(), Outcome::Absent);
                Ok(outcomes)
            }
        }
    }

    /// Deletes the documents whose ids begin so; returns how many there were.
    pub(super) fn delete_prefix(&self, prefix: &str) -> anyhow::Result<u64> {
        match self {
            Self::Here(store) => Ok(store.delete_prefix(prefix, &|| false)?),
            #[cfg(feature = "serve")]
            Self::There(served) => served.delete_all(&serde_json::json!({ "prefix": prefix })),
        }
    }

    /// Deletes the documents that were stored before a time; returns how many there were.
    pub(super) fn forget_before(&self, time: u64) -> anyhow::Result<u64> {
        match self {
            Self::Here(store) => Ok(store.forget_before(time, &|| false)?),
            #[cfg(feature = "serve")]
            Self::There(served) => served.delete_all(&serde_json::json!({ "before": time })),
        }
    }
}

impl Op {
    fn of(self) -> fn(Document) -> Write {
        match self {
            Self::Add => Write::Add,
            Self::CheckAndAdd => Write::CheckAndAdd,
            Self::Update => Write::Update,
            Self::CheckAndUpdate => Write::CheckAndUpdate,
        }
    }

    /// What the process that serves the store calls it.
    #[cfg(feature = "serve")]
    fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::CheckAndAdd => "check-and-add",
            Self::Update => "put",
            Self::CheckAndUpdate => "check-and-put",
        }
    }
}

/// The number of documents in a store, in words.
pub(super) fn holds(store: &Reached) -> anyhow::Result<String> {
    Ok(count_of(store.documents()?, "document"))
}
