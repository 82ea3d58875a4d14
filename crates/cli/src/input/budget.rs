//! `--memory`: joins that keep to a bound and spill to disk, of whatever the input is.

use crate::flags::heading::RESOURCES;
use crate::flags::ids::IdsFlags;
use crate::flags::size::bytes;
use crate::input::corpus::{Corpus, CorpusFlags, remark};
use crate::input::words::Words;
use crate::show::figures::{bytes as size, count_of};
use crate::show::remarks::EMPTY;
use crate::signals::heed;
use crate::usage::{say, wrong};
use clap::Args;
use nearprint_corpus::ByteSize;
use nearprint_dedup::{Budget, Documents, Error, FilePlaces, Ids, LeftApart, SpilledJoin};
use nearprint_fingerprint::AnyFingerprint;

/// How much memory fingerprints and the join may take. It is no cap on the process: that would refuse
/// the small budgets that suffice for mapped words.
#[derive(Args)]
pub(crate) struct BudgetFlags {
    /// Memory for fingerprints and the join [default: all that the join needs]
    ///
    /// The memory holds the fingerprints and ids (raw words in plain files are not held) and the
    /// work of joining. What does not fit goes to --work-dir. K, M, G and T stand for powers of 1000,
    /// KiB and so on for powers of 1024.
    #[arg(long, value_name = "SIZE", value_parser = bytes, help_heading = RESOURCES)]
    pub(crate) memory: Option<usize>,
}

/// Input to a join within a budget: raw words on disk, or documents in memory.
pub(crate) enum JoinInput {
    /// With what the numbers of the words mean.
    Mapped(Words, Ids),
    Held(Box<Documents>),
}

impl JoinInput {
    /// Reads the input, as far as it is held at all; `ids` says where the ids of raw words are.
    pub(crate) fn open(
        flags: &CorpusFlags,
        corpus: &Corpus,
        ids: &IdsFlags,
    ) -> anyhow::Result<Self> {
        heed(&corpus.progress);
        let words = if corpus.is_raw() { Words::map(&corpus.sources, corpus.width)? } else { None };
        Ok(match words {
            Some(words) => {
                let ids = ids.read(true, words.count(), &[])?;
                let numbers = || Ids::Numbers { left_out: Vec::new() };
                Self::Mapped(words, ids.unwrap_or_else(numbers))
            }
            None => Self::Held(Box::new(flags.read_named(corpus, ids)?)),
        })
    }

    /// `memory`, of which the input holds a part, and the caller `beside` bytes a document.
    pub(crate) fn budget(&self, memory: usize, beside: u64) -> anyhow::Result<Budget> {
        let held = match self {
            Self::Mapped(_, ids) => ids.held_bytes(),
            Self::Held(documents) => documents.held_bytes(),
        };
        let held = held.saturating_add(usize::try_from(self.documents() * beside)?);
        Ok(Budget { given: memory, held })
    }

    /// What `share` takes of a budget for a join.
    pub(crate) fn share(
        &self,
        budget: Budget,
        share: fn(Budget) -> Option<usize>,
    ) -> anyhow::Result<usize> {
        let Budget { held, .. } = budget;
        match share(budget) {
            Some(bytes) => Ok(bytes),
            None => wrong(format!(
                "--memory: {}the join itself takes at least {}; allow {} or more{}",
                match held {
                    0 => String::new(),
                    _ => {
                        let documents = count_of(self.documents(), "document");
                        let held = size(held as u64);
                        format!("{documents} take {held} before the join starts, and ")
                    }
                },
                ByteSize(Budget::LEAST as u64),
                ByteSize((held + Budget::LEAST) as u64).at_least(),
                match self {
                    Self::Mapped(..) => "",
                    Self::Held(_) => ", or give raw words in plain files, which are not held",
                }
            )),
        }
    }

    /// A join within `k` bits that keeps to what `share` takes of `budget`.
    pub(crate) fn join(
        &self,
        flags: &CorpusFlags,
        k: u32,
        budget: Budget,
        share: fn(Budget) -> Option<usize>,
    ) -> anyhow::Result<SpilledJoin> {
        Ok(SpilledJoin::new(k, self.share(budget, share)?, flags.spill_dir()?)?)
    }

    /// Documents, those that are left out of the join among raw words too.
    pub(crate) fn documents(&self) -> u64 {
        match self {
            Self::Mapped(words, _) => words.count(),
            Self::Held(documents) => documents.len() as u64,
        }
    }

    /// The documents that take no part in the join.
    pub(crate) fn degenerate(&self) -> &[LeftApart] {
        match self {
            Self::Mapped(..) => &[],
            Self::Held(documents) => &documents.degenerate,
        }
    }

    /// Every fingerprint with its document's number; of raw words those of empty documents are left
    /// out.
    pub(crate) fn fingerprints(&self) -> Box<dyn Iterator<Item = (AnyFingerprint, u64)> + '_> {
        match self {
            Self::Mapped(words, _) => words.entries(),
            Self::Held(documents) => {
                let codes = documents.fingerprints.codes();
                Box::new((0..codes.len()).filter_map(move |at| codes.get(at)).zip(0..))
            }
        }
    }

    /// Every fingerprint that is joined, with its document's number.
    pub(crate) fn iter(
        &self,
    ) -> Box<dyn Iterator<Item = Result<(AnyFingerprint, u64), Error>> + '_> {
        match self {
            Self::Mapped(words, _) => Box::new(words.entries().map(Ok)),
            Self::Held(documents) => {
                let codes = documents.fingerprints.codes();
                let code = move |at: u64| codes.get(usize::try_from(at).ok()?);
                Box::new(documents.joined().filter_map(move |at| Some(Ok((code(at.0)?, at.0)))))
            }
        }
    }

    /// Where the documents stand, if their ids do not tell them apart.
    pub(crate) fn places<'a>(&'a self, corpus: &'a Corpus) -> Option<FilePlaces<'a>> {
        match self {
            Self::Mapped(..) => None,
            Self::Held(documents) => FilePlaces::of_repeated(documents, &corpus.sources),
        }
    }

    /// What the numbers mean.
    pub(crate) fn ids(&self) -> &Ids {
        match self {
            Self::Mapped(_, ids) => ids,
            Self::Held(documents) => &documents.ids,
        }
    }

    /// Says what a reader of the result would want to know of the input.
    pub(crate) fn remark(&self) {
        match self {
            Self::Held(documents) => remark(&documents.counts),
            Self::Mapped(words, _) => {
                let empty = words.empty();
                if empty > 0 {
                    say(&format!("{} {EMPTY}", count_of(empty, "document")));
                }
            }
        }
    }
}
