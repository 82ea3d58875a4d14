//! What is written of survivors, and how.

use crate::flags::heading::OUTPUT;
use crate::flags::size;
use crate::flags::within::one_field;
use crate::usage::WrongUsage;
use clap::Args;
use nearprint_corpus::first_shard;
use nearprint_dedup::{Error, LabelSpec, OutputSpec, Rehydrate, Unannotated};
use std::num::NonZeroU64;
use std::path::Path;

/// What survivors are written with, and as.
#[derive(Args)]
pub(crate) struct SurvivorFlags {
    /// Write every document, with a field that says what became of it
    ///
    /// The field "nearprint" is {"cluster","kept","representative","distance","similarity","measure"}; tables and
    /// Parquet files get columns nearprint_cluster and so on. Where ids repeat, "representative_file" and
    /// "representative_row" identify the kept document. For rows, or files that become rows of one output.
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) annotate: bool,
    /// Add to every survivor how many documents it represents
    ///
    /// The field "nearprint" is {"copies"}, the survivor itself included; tables and Parquet files get a column
    /// nearprint_copies, and WARC records a header Nearprint-Copies. The copies of all survivors, plus the documents
    /// that --against removes, add up to the documents that were read. Not with --keep none, which keeps no document
    /// for the others.
    #[arg(long, conflicts_with = "annotate", help_heading = OUTPUT, hide_short_help = true)]
    copies: bool,
    /// Count copies by the values of FIELD too: how many of each dump or site
    ///
    /// Next to "copies" the survivor has "sources", such as {"cc-2024-10":3,"cc-2024-18":1}: the hundred values with
    /// the most copies, and the sum of the others as "other_sources". Documents without the field, or with null there,
    /// are counted as "null", and those with the text null as "\"null\"". 1 and "1" are one value, as for --within.
    /// @folder and @file are fields too, as for --within. Implies --copies.
    #[arg(long, value_name = "FIELD", value_parser = one_field, conflicts_with = "annotate", help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) count_by: Option<String>,
    /// Report how much of each value of FIELD is kept: each dump, site or language
    ///
    /// In the closing lines, in --summary as "by_source", and in the report of dedup. Warnings are about these sources too, such
    /// as one that loses more than a third. Without the flag a source is a file, or a folder of files that are one
    /// document each. Documents without the field, or with null there, are one source; those without any feature belong
    /// to none. @folder and @file are fields too, as for --within.
    #[arg(long, value_name = "FIELD", value_parser = one_field, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) group_by: Option<String>,
    /// Write survivors several times, or give them a weight: all, sqrt, log or N, or weight: and one of these
    ///
    /// all: as often as there were copies. sqrt: the square root of that. log: one more than its logarithm to base 2.
    /// N: as often as there were copies, and at most N times. With weight:sqrt and so on a survivor is written once and
    /// has a field "weight".
    #[arg(long, value_name = "RULE", conflicts_with = "annotate", help_heading = OUTPUT, hide_short_help = true)]
    rehydrate: Option<Rehydrate>,
    /// Fail, and write nothing, if more than this share of the documents would be removed
    ///
    /// A share such as 40% or 0.4. A guard for scheduled runs: a template or an error page that fills a crawl ends the
    /// run with status 1, and with the figure.
    #[arg(long, value_name = "SHARE", value_parser = removed_share, help_heading = OUTPUT, hide_short_help = true)]
    fail_if_removed: Option<f64>,
    /// Keep the request and metadata records of the captures of removed WARC responses
    ///
    /// Without the flag they are removed too: the records that the response names in WARC-Concurrent-To, and those
    /// that name it there or in WARC-Refers-To. All other records that are not documents are kept.
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) keep_requests: bool,
    /// What is done without it too: for commands written when it had to be asked for.
    #[arg(long, conflicts_with = "keep_requests", hide = true, help_heading = OUTPUT)]
    whole_captures: bool,
    /// Split the survivors into files of at most SIZE bytes
    ///
    /// The files are OUT-00001.jsonl and so on for OUT.jsonl. SIZE counts bytes before compression;
    /// a longer record has a file of its own. A Parquet file holds whole row groups, counted as
    /// written. K, M, G and T stand for powers of 1000, KiB and so on for powers of 1024.
    #[arg(long, value_name = "SIZE", value_parser = size::of_shard, help_heading = OUTPUT, hide_short_help = true)]
    shard_size: Option<NonZeroU64>,
}

impl SurvivorFlags {
    /// The outputs that are asked for: none but how survivors are written.
    pub(crate) fn outputs(&self) -> OutputSpec {
        OutputSpec {
            shard_size: self.shard_size,
            annotate: self.annotate,
            copies: self.copies || self.count_by.is_some(),
            rehydrate: self.rehydrate,
            most_removed: self.fail_if_removed,
            keep_requests: self.keep_requests,
            ..OutputSpec::default()
        }
    }

    /// Where survivors are written, for a reader.
    pub(crate) fn place(&self, output: &Path) -> String {
        match self.shard_size {
            Some(_) => format!("{} and on", first_shard(output).display()),
            None => output.display().to_string(),
        }
    }

    /// A flag that is for survivors alone, if one is given.
    pub(crate) fn named(&self) -> Option<&'static str> {
        [
            (self.annotate, "--annotate"),
            (self.copies, "--copies"),
            (self.rehydrate.is_some(), "--rehydrate"),
            (self.keep_requests, "--keep-requests"),
            (self.shard_size.is_some(), "--shard-size"),
        ]
        .into_iter()
        .find_map(|(given, flag)| given.then_some(flag))
    }

    /// These fields by which documents are grouped, with those by which survivors are counted and told of.
    pub(crate) fn labels(&self, labels: LabelSpec) -> LabelSpec {
        LabelSpec { count_by: self.count_by.clone(), group_by: self.group_by.clone(), ..labels }
    }

    /// What a job refuses, with the flag that asked for it.
    pub(crate) fn by_flag(&self, error: Error) -> anyhow::Error {
        let noting = match (self.annotate, &self.count_by, self.copies) {
            (true, ..) => "--annotate",
            (_, Some(_), _) => "--count-by",
            (.., true) => "--copies",
            _ => "--rehydrate",
        };
        let weighs = self.rehydrate.is_some_and(Rehydrate::is_weight);
        let message = match &error {
            Error::ShardedFolder { .. } => format!("--shard-size: {error}"),
            Error::Unannotated { name, problem } => match problem {
                Unannotated::Taken => format!("{noting}: {error}; give them other names"),
                Unannotated::NoFields => format!(
                    "{noting}: the documents of {name} have no fields; give rows, or see --clusters and --removed"
                ),
                Unannotated::WholeFile if noting == "--rehydrate" && !weighs => format!(
                    "{noting}: {name} is a document, and written several times it is one longer text; name one output \
                     file, such as many.jsonl"
                ),
                _ => format!(
                    "{noting}: {name} is a document, not a row, so no field can be added; name one \
                     output file, such as noted.jsonl"
                ),
            },
            _ => return error.into(),
        };
        WrongUsage(message).into()
    }
}

fn removed_share(text: &str) -> Result<f64, String> {
    share_of_documents(text).ok_or_else(|| "use a share such as 40% or 0.4".to_owned())
}

/// A share of documents, in percent or of 1: the double that is nearest to what was typed.
pub(crate) fn share_of_documents(text: &str) -> Option<f64> {
    let share = match text.strip_suffix('%') {
        Some(number) => format!("{}e-2", number.trim()).parse().ok(),
        None => text.trim().parse().ok(),
    };
    share.filter(|share| (0.0..=1.0).contains(share))
}
