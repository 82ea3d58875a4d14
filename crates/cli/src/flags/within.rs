//! Which documents are compared with each other: all, those of one label, or those of different ones.

use crate::flags::heading::DUPLICATE;
use clap::Args;
use nearprint_dedup::LabelSpec;

/// The fields that documents have in common, or not, which are compared.
#[derive(Args)]
pub(crate) struct WithinFlags {
    /// Compare only documents with equal FIELD: each dump, site or language by itself
    ///
    /// FIELD holds a text, a number, true or false; a name with dots is a nested field. Documents
    /// without it, or with null there, are compared with each other. For WARC it is a header of the record. A folder
    /// dump=a gives its files the field dump. @folder is the first folder below the input, @file the path below it.
    #[arg(long, value_name = "FIELD", value_parser = one_field, help_heading = DUPLICATE, hide_short_help = true)]
    pub(crate) within: Option<String>,
    /// Compare only documents with different FIELD: what two dumps, sites or languages share
    ///
    /// Two documents with equal FIELD are never a pair, even if they are equal: a document is removed only because of
    /// one with another value. Documents without FIELD, or with null there, share one value. A connected group may have
    /// several documents of one value. All pairs are listed first.
    #[arg(long, value_name = "FIELD", value_parser = one_field, help_heading = DUPLICATE, hide_short_help = true)]
    pub(crate) across: Option<String>,
}

/// The name of one field: documents have one label each.
pub(crate) fn one_field(name: &str) -> Result<String, String> {
    match name.contains(',') {
        true => Err("name one field; join several to one before the run".to_owned()),
        false => Ok(name.to_owned()),
    }
}

impl WithinFlags {
    /// Whether only some documents are compared with each other.
    pub(crate) const fn is_given(&self) -> bool {
        self.within.is_some() || self.across.is_some()
    }

    /// The flag that is given.
    pub(crate) const fn flag(&self) -> &'static str {
        if self.within.is_some() { "--within" } else { "--across" }
    }

    /// The fields by which documents are grouped.
    pub(crate) fn labels(&self) -> LabelSpec {
        LabelSpec {
            within: self.within.clone(),
            across: self.across.clone(),
            ..LabelSpec::default()
        }
    }
}
