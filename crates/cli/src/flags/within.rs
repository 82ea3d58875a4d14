//! Which documents are compared with each other: all, or those of one label.

use crate::flags::heading::DUPLICATE;
use clap::Args;
use nearprint_dedup::LabelSpec;

/// The field that documents have in common which are compared.
#[derive(Args)]
pub(crate) struct WithinFlags {
    /// Compare only documents with equal FIELD: each dump, site or language by itself
    ///
    /// FIELD holds a text, a number, true or false; a name with dots is that of a field inside of another. Documents
    /// without it, or with null there, are compared with each other. Of WARC it is a field of the record's head.
    #[arg(long, value_name = "FIELD", help_heading = DUPLICATE, hide_short_help = true)]
    pub(crate) within: Option<String>,
}

impl WithinFlags {
    /// Whether only some documents are compared with each other.
    pub(crate) const fn is_given(&self) -> bool {
        self.within.is_some()
    }

    /// The fields by which documents are grouped.
    pub(crate) fn labels(&self) -> LabelSpec {
        LabelSpec { within: self.within.clone(), ..LabelSpec::default() }
    }
}
