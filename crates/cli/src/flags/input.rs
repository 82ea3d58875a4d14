//! What the input is, and how it is read.

use crate::flags::heading::INPUT;
use crate::flags::size::bytes;
use crate::usage::wrong;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use nearprint_corpus::{Fields, InputFormat, ReadOptions, Source, discover};
use nearprint_dedup::{OnError, Origin, Reading, stored};
use nearprint_fingerprint::{LanguageRule, Weighting, Width};

/// What the input is and how it is read.
#[derive(Args)]
pub(crate) struct InputFlags {
    /// Files, folders, glob patterns, or - for standard input
    ///
    /// nearprint reads folders recursively. An input may also be an object (s3://bucket/key, gs://,
    /// az://) or a file of a web server (https://).
    #[arg(value_name = "IN", required = true)]
    pub(crate) inputs: Vec<String>,
    /// Format of input
    ///
    /// If the flag is absent, the name and the content of a file tell its format.
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = INPUT)]
    pub(crate) input_format: Option<Format>,
    /// Every line of a text file is a document, not the whole file
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    lines: bool,
    /// Field of a row that holds the id
    #[arg(long, default_value = "id", value_name = "FIELD", help_heading = INPUT)]
    pub(crate) id_field: String,
    /// Field of a row that holds the text
    #[arg(long, default_value = "text", value_name = "FIELD", help_heading = INPUT)]
    pub(crate) text_field: String,
    /// Field of a row that holds the features
    ///
    /// For recipes of weights = "given". The field is {"name": weight, ...} or [[name or dimension,
    /// weight], ...].
    #[arg(long, default_value = "features", value_name = "FIELD", help_heading = INPUT, hide_short_help = true)]
    features_field: String,
    /// Field of a row that holds the language of the text
    ///
    /// For recipes of language = "auto". Where a row has no such field, nearprint detects the
    /// language.
    #[arg(long, value_name = "FIELD", help_heading = INPUT, hide_short_help = true)]
    language_field: Option<String>,
    /// A bad record: fail, or skip and count it
    ///
    /// With skip, invalid UTF-8 is replaced and counted.
    #[arg(long, value_enum, default_value = "fail", value_name = "WHAT", help_heading = INPUT, hide_possible_values = true)]
    pub(crate) on_error: WhatOnError,
    /// Longest record accepted, in bytes
    ///
    /// K, M, G and T stand for powers of 1000, KiB and so on for powers of 1024.
    #[arg(long, default_value = "256M", value_parser = bytes, value_name = "SIZE", help_heading = INPUT, hide_short_help = true)]
    pub(crate) max_record: usize,
}

/// Formats of the input.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One JSON object a line
    Jsonl,
    /// A header and rows of comma-separated fields
    Csv,
    /// A header and rows of fields with tabs between them
    Tsv,
    /// WARC records: pages of responses, texts of conversions (WET)
    #[value(alias = "wet")]
    Warc,
    /// One document a file; with --lines one a line
    Text,
    /// One HTML page a file
    Html,
    /// Raw little-endian 64-bit fingerprints
    U64,
    /// Raw little-endian 128-bit fingerprints
    U128,
    /// Raw little-endian 256-bit fingerprints
    U256,
}

impl Format {
    /// Parser of the flag for verbs that read text alone: they refuse raw fingerprints with the reason,
    /// and their help does not offer them.
    pub(crate) fn of_text() -> impl TypedValueParser<Value = Self> {
        let offered =
            |format: &Self| Some(format.to_possible_value()?.hide(format.raw_width().is_some()));
        PossibleValuesParser::new(Self::value_variants().iter().filter_map(offered))
            .try_map(|name| Self::from_str(&name, false))
    }

    /// The format of documents; `None` for raw fingerprints.
    pub(crate) fn of_documents(self) -> Option<InputFormat> {
        match self {
            Self::Jsonl => Some(InputFormat::Jsonl),
            Self::Csv => Some(InputFormat::Csv),
            Self::Tsv => Some(InputFormat::Tsv),
            Self::Warc => Some(InputFormat::Warc),
            Self::Text => Some(InputFormat::Text),
            Self::Html => Some(InputFormat::Html),
            _ => None,
        }
    }

    /// The width of raw fingerprints.
    pub(crate) fn raw_width(self) -> Option<Width> {
        match self {
            Self::U64 => Some(Width::W64),
            Self::U128 => Some(Width::W128),
            Self::U256 => Some(Width::W256),
            _ => None,
        }
    }
}

/// [`OnError`] as a flag.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum WhatOnError {
    Fail,
    Skip,
}

impl InputFlags {
    /// The sources that `inputs` name.
    pub(crate) fn discover(&self, inputs: &[String]) -> anyhow::Result<Vec<Source>> {
        if self.lines && self.input_format.is_some_and(|format| format != Format::Text) {
            return wrong("--lines is for texts: leave --input-format out, or make it text");
        }
        let sources = discover(inputs, self.input_format.and_then(Format::of_documents))?;
        Ok(if self.lines { sources.into_iter().map(Source::by_lines).collect() } else { sources })
    }

    /// How documents are read with these flags.
    pub(crate) fn reading(&self, content: Origin, threads: usize) -> anyhow::Result<Reading> {
        let (text, tag) = match &content {
            Origin::Text { recipe, .. } if recipe.weights == Weighting::Given => {
                (self.features_field.clone(), None)
            }
            Origin::Text { recipe, .. } => {
                if self.language_field.is_some() && recipe.language != LanguageRule::Auto {
                    return wrong(format!(
                        "--language-field: recipe {} does not go by the language of each document; \
                         use one with language = \"auto\", or --language auto",
                        recipe.name
                    ));
                }
                (self.text_field.clone(), self.language_field.clone())
            }
            Origin::Hex => (stored::FIELD.to_owned(), Some(stored::CONTENT_FIELD.to_owned())),
        };
        let on_error = match self.on_error {
            WhatOnError::Fail => OnError::Fail,
            WhatOnError::Skip => OnError::Skip,
        };
        let options = ReadOptions { max_record_bytes: self.max_record, ..ReadOptions::default() };
        let fields = Fields { id: self.id_field.clone(), text, tag, part: None, score: None };
        Ok(Reading { content, fields, on_error, options, threads })
    }
}
