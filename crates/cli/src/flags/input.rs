//! What the input is, and how it is read.

mod idle;

use crate::flags::heading::INPUT;
use crate::flags::size::bytes;
use crate::show::remarks::OF_REFERENCE;
use crate::usage::{say, wrong};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use nearprint_corpus::{
    Dialect, Discovery, Error as Corpus, Fields, InputFormat, Instead, NullText, PassedOver, Quote,
    ReadOptions, Source,
};
use nearprint_dedup::{InputSpec, OnError, Origin, Reading, stored};
use nearprint_fingerprint::{LanguageRule, Weighting, Width};
use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};

/// What the input is and how it is read.
#[derive(Args)]
pub(crate) struct InputFlags {
    /// Files, folders, glob patterns, or - for standard input
    ///
    /// nearprint reads folders recursively. An input may also be an object (s3://bucket/key, gs://,
    /// az://) or a file of a web server (https://).
    #[arg(value_name = "IN", required = true)]
    pub(crate) inputs: Vec<OsString>,
    /// Format of input
    ///
    /// Without the flag, the name and the content of a file decide.
    #[arg(long, value_parser = Format::any(), value_name = "FORMAT", help_heading = INPUT)]
    pub(crate) input_format: Option<Format>,
    /// In folders and patterns, read only files that match GLOB
    ///
    /// A pattern without a slash matches names, such as '*.html'. One with a slash matches paths below
    /// the folder, such as 'docs/**'. The flag may be repeated: a file has to match one of the patterns.
    #[arg(long, value_name = "GLOB", help_heading = INPUT, hide_short_help = true)]
    include: Vec<String>,
    /// In folders and patterns, skip files and folders that match GLOB
    #[arg(long, value_name = "GLOB", help_heading = INPUT, hide_short_help = true)]
    exclude: Vec<String>,
    /// Every line of a text file is a document, not the whole file
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    lines: bool,
    /// Character between the fields of a table, or tab
    #[arg(long, value_name = "CHAR", value_parser = mark, help_heading = INPUT, hide_short_help = true)]
    delimiter: Option<u8>,
    /// Character around fields of a table, or none if quotes have no meaning
    #[arg(long, value_name = "CHAR", value_parser = quote, help_heading = INPUT, hide_short_help = true)]
    quote: Option<Quote>,
    /// Character before a quote inside quotes, if quotes are not doubled
    ///
    /// With --quote none it stands before delimiters and line ends, or a letter for them, as in dumps of databases.
    #[arg(long, value_name = "CHAR", value_parser = mark, help_heading = INPUT, hide_short_help = true)]
    escape: Option<u8>,
    /// Character set of tables, rows, texts and HTML files, such as utf-16le
    ///
    /// Without the flag a page says its own, and all others are UTF-8. Archives say theirs in any case. Except HTML files,
    /// what is written is UTF-8.
    #[arg(long, value_name = "NAME", help_heading = INPUT, hide_short_help = true)]
    encoding: Option<String>,
    /// Field of a row that holds the id
    #[arg(long, default_value = "id", value_name = "FIELD", help_heading = INPUT)]
    pub(crate) id_field: String,
    /// Field of a row that holds the text
    ///
    /// A name with dots, such as doc.text, is a nested field, unless a field has exactly that name. The same holds for
    /// the other fields. Several names, such as title,body, are joined into one text. A field may hold a conversation:
    /// a list of texts, or of messages with a content, also as a string of JSON. Thoughts and calls of tools are left out.
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
    /// For recipes of language = "auto". If a row has no such field, nearprint detects the
    /// language.
    #[arg(long, value_name = "FIELD", help_heading = INPUT, hide_short_help = true)]
    language_field: Option<String>,
    /// A bad record: fail, or skip and count it
    ///
    /// With skip, invalid UTF-8 is replaced and counted.
    #[arg(long, value_enum, default_value = "fail", value_name = "WHAT", help_heading = INPUT, hide_possible_values = true)]
    pub(crate) on_error: WhatOnError,
    /// Fail if a file has no document, or if more than half of its records are passed over
    ///
    /// Without the flag a line on standard error says so. Records of archives that describe others, such as
    /// requests, do not count.
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    fail_on_empty: bool,
    /// A row whose text is null: keep it as a document without text, skip and count it, or fail
    #[arg(long, value_enum, default_value = "keep", value_name = "WHAT", help_heading = INPUT, hide_possible_values = true, hide_short_help = true)]
    null_text: WhatOnNull,
    /// Longest record accepted, in bytes
    ///
    /// K, M, G and T stand for powers of 1000, KiB and so on for powers of 1024.
    #[arg(long, default_value = "256M", value_parser = bytes, value_name = "SIZE", help_heading = INPUT, hide_short_help = true)]
    pub(crate) max_record: usize,
    /// What files are called, by the names that they have.
    #[arg(skip)]
    names: BTreeMap<String, String>,
    /// Whether nearprint wrote the input, which then is UTF-8: `encoding` is that of what it is compared with.
    #[arg(skip)]
    is_own: bool,
}

/// What `--input-format` names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Documents.
    Documents(InputFormat),
    /// Raw fingerprints, little-endian.
    Raw(Width),
}

/// The names of raw fingerprints.
const RAW: [(&str, &str, Width); 3] = [
    ("u64", "Raw little-endian 64-bit fingerprints", Width::W64),
    ("u128", "Raw little-endian 128-bit fingerprints", Width::W128),
    ("u256", "Raw little-endian 256-bit fingerprints", Width::W256),
];

impl Format {
    /// Parser of the flag.
    fn any() -> impl TypedValueParser<Value = Self> {
        Self::parser(false)
    }

    /// Parser of the flag for verbs that read text alone: they refuse raw fingerprints with the reason,
    /// and their help does not offer them.
    pub(crate) fn of_text() -> impl TypedValueParser<Value = Self> {
        Self::parser(true)
    }

    fn parser(hides_raw: bool) -> impl TypedValueParser<Value = Self> {
        let documents = InputFormat::all().filter_map(|format| {
            let value = PossibleValue::new(format.name()).help(format.about()?);
            Some(value.aliases(format.aliases()))
        });
        let raw = RAW.map(|(name, about, _)| PossibleValue::new(name).help(about).hide(hides_raw));
        PossibleValuesParser::new(documents.chain(raw)).try_map(|name| {
            let raw = RAW.iter().find(|(raw, ..)| *raw == name);
            match raw {
                Some((_, _, width)) => Ok(Self::Raw(*width)),
                None => name.parse().map(Self::Documents),
            }
        })
    }

    /// The format of documents; raw fingerprints are nobody's, and are read as they are.
    fn of_documents(self) -> InputFormat {
        match self {
            Self::Documents(format) => format,
            Self::Raw(_) => InputFormat::TEXT,
        }
    }

    /// The width of raw fingerprints.
    pub(crate) fn raw_width(self) -> Option<Width> {
        match self {
            Self::Raw(width) => Some(width),
            Self::Documents(_) => None,
        }
    }
}

/// A character of ASCII, or a tab by its name.
fn mark(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'\r' | b'\n') => Ok(*byte),
        _ => Err("expected one ASCII character, or tab".to_owned()),
    }
}

/// A quote, or none.
fn quote(text: &str) -> Result<Quote, String> {
    if text == "none" { Ok(Quote::None) } else { mark(text).map(Quote::Other) }
}

/// A way of writing tables, refused where one character means two things in it. That a quote stands before a quote says
/// that it is doubled, as usual.
fn with_one_role_each(dialect: Dialect) -> anyhow::Result<Dialect> {
    let quote = match dialect.quote {
        Quote::Double => Some(b'"'),
        Quote::Other(quote) => Some(quote),
        Quote::None => None,
    };
    let escape = dialect.escape.filter(|escape| Some(*escape) != quote);
    let delimiter = dialect.delimiter.unwrap_or(b',');
    for (flag, mark, role) in [
        ("--quote", quote, "quote them"),
        ("--escape", escape, "stand before what is escaped in them"),
    ] {
        if mark == Some(delimiter) {
            let mark = char::from(delimiter);
            return wrong(format!(
                "the character {mark:?} would both part the fields of a table and {role}; name different ones with \
                 --delimiter and {flag}"
            ));
        }
    }
    Ok(Dialect { escape, ..dialect })
}

/// [`OnError`] as a flag.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum WhatOnError {
    Fail,
    Skip,
}

/// [`NullText`] as a flag.
#[derive(Clone, Copy, ValueEnum)]
enum WhatOnNull {
    Keep,
    Skip,
    Fail,
}

/// What is said of rows in a file that was read as one text.
fn said_of_rows(file: &str, format: InputFormat) -> String {
    let title = format.title();
    let held = if format.is_archive() { "records" } else { "rows" };
    format!(
        "{file} is read as one document, and looks like {title}: --input-format {format} reads its {held}"
    )
}

/// What is said of streams of Arrow without a mark at their end.
fn said_of_unended(sources: &[Source]) -> Option<String> {
    let mut unended = sources.iter().filter(|source| source.is_unended());
    let first = unended.next()?.name();
    let told = match unended.count() {
        0 => format!("{first} has no mark at its end, and may be cut off"),
        more => format!(
            "{} streams of Arrow have no mark at their end, and may be cut off, the first: {first}",
            more + 1
        ),
    };
    Some(told + "; if rows are missing, download or copy it again")
}

/// Says what was passed over in folders.
pub(crate) fn say_passed_over(passed_over: &[PassedOver]) {
    told_of_passed_over(passed_over, "").iter().for_each(|line| say(line));
}

/// Sources that were found, and what was passed over in folders.
pub(crate) type Found = (Vec<Source>, Vec<PassedOver>);

/// The input of a job with what it is only compared with; says what was passed over of both, unless it is to be `quiet`.
pub(crate) fn with_reference(input: Found, reference: Found, quiet: bool) -> InputSpec {
    let ((sources, passed_over), (against_sources, against_passed_over)) = (input, reference);
    if !quiet {
        say_passed_over(&passed_over);
        let told = told_of_passed_over(&against_passed_over, OF_REFERENCE);
        told.iter().for_each(|line| say(line));
    }
    InputSpec { sources, passed_over, against_sources, against_passed_over, ..InputSpec::default() }
}

/// What was passed over in folders, a line for each reason; `of` says of what they are, where it is not the input.
pub(crate) fn told_of_passed_over(passed_over: &[PassedOver], of: &str) -> Vec<String> {
    let line = |PassedOver { obstacle, count, first }: &PassedOver| {
        format!("passed over {count}{of} ({obstacle}), the first: {first}")
    };
    passed_over.iter().map(line).collect()
}

impl InputFlags {
    /// The sources that `inputs` name; says what was passed over in folders.
    pub(crate) fn discover<S: AsRef<OsStr>>(&self, inputs: &[S]) -> anyhow::Result<Vec<Source>> {
        self.discover_beside(inputs, false)
    }

    /// As [`discover`](Self::discover), where the verb may read a table beside, of which flags say how it is written.
    pub(crate) fn discover_beside<S: AsRef<OsStr>>(
        &self,
        inputs: &[S],
        a_table: bool,
    ) -> anyhow::Result<Vec<Source>> {
        let (sources, passed_over) = self.find(inputs, None)?;
        self.refuse_idle_fields(&sources, a_table)?;
        say_passed_over(&passed_over);
        Ok(sources)
    }

    /// As [`discover`](Self::discover), with the format of standard input, for which its first bytes are waited for.
    pub(crate) fn awaited<S: AsRef<OsStr>>(&self, inputs: &[S]) -> anyhow::Result<Vec<Source>> {
        let sources = self.discover(inputs)?.into_iter().map(Source::awaited);
        // Behind damage an archive is looked through again: one that comes once is kept first.
        let skips = matches!(self.on_error, WhatOnError::Skip);
        let kept = |source: Source| match skips && source.is_packed_stream() {
            true => source.spooled(&env::temp_dir(), None),
            false => Ok(source),
        };
        Ok(sources.map(kept).collect::<Result<_, _>>()?)
    }

    /// As [`discover`](Self::discover), with what was passed over; of no more files than there is `room` for.
    pub(crate) fn find<S: AsRef<OsStr>>(
        &self,
        inputs: &[S],
        room: Option<u64>,
    ) -> anyhow::Result<(Vec<Source>, Vec<PassedOver>)> {
        self.find_beside(inputs, &[], room)
    }

    /// As [`find`](Self::find), of input that is compared with `against`, for which the patterns of names are too.
    pub(crate) fn find_beside<S: AsRef<OsStr>>(
        &self,
        inputs: &[S],
        against: &[String],
        room: Option<u64>,
    ) -> anyhow::Result<(Vec<Source>, Vec<PassedOver>)> {
        self.refuse_idle_patterns(inputs, against)?;
        let dialect = self.dialect()?;
        let encoding = dialect.encoding.filter(|_| !self.is_own);
        let discovery = Discovery::new().dialect(Dialect { encoding, ..dialect });
        let (sources, passed_over) = self.find_by(discovery, inputs, room)?;
        let called = |source: Source| match self.names.get(source.name()) {
            Some(name) => source.called(name.as_str()),
            None => source,
        };
        Ok((sources.into_iter().map(called).collect(), passed_over))
    }

    /// Calls files otherwise than by their names.
    pub(crate) fn call(&mut self, names: BTreeMap<String, String>) {
        self.names = names;
    }

    /// Whether a field of features is named.
    pub(crate) fn names_features(&self) -> bool {
        self.features_field != "features"
    }

    /// Whether a character set is named.
    pub(crate) fn names_encoding(&self) -> bool {
        self.encoding.is_some()
    }

    /// Takes the input for what nearprint wrote, whatever character set is named.
    pub(crate) fn own(&mut self) {
        self.is_own = true;
    }

    /// Refuses inputs beside the first one, in a text of flags alone.
    pub(crate) fn refuse_further(&self, flag: &str) -> anyhow::Result<()> {
        match self.inputs.get(1) {
            Some(further) => wrong(format!(
                "{flag}: {} is not a flag; give the flags as one text, such as {flag}='--threads 2'",
                further.display()
            )),
            None => Ok(()),
        }
    }

    /// As [`find`](Self::find), of what the input is compared with.
    pub(crate) fn find_reference(
        &self,
        inputs: &[String],
        room: Option<u64>,
    ) -> anyhow::Result<(Vec<Source>, Vec<PassedOver>)> {
        self.find_by(Discovery::new().dialect(self.dialect()?), inputs, room)
    }

    /// As [`find_reference`](Self::find_reference), where some may be segments of earlier runs.
    pub(crate) fn find_against(
        &self,
        inputs: &[String],
        room: Option<u64>,
    ) -> anyhow::Result<(Vec<Source>, Vec<PassedOver>)> {
        self.find_by(Discovery::new().dialect(self.dialect()?).with_segments(), inputs, room)
    }

    fn find_by<S: AsRef<OsStr>>(
        &self,
        discovery: Discovery,
        inputs: &[S],
        room: Option<u64>,
    ) -> anyhow::Result<(Vec<Source>, Vec<PassedOver>)> {
        let text = Format::Documents(InputFormat::TEXT);
        if self.lines && self.input_format.is_some_and(|format| format != text) {
            return wrong("--lines is for texts: leave --input-format out, or make it text");
        }
        let discovery = discovery.format(self.input_format.map(Format::of_documents));
        let discovery = discovery.include(&self.include)?.exclude(&self.exclude)?;
        let (sources, passed_over) = match discovery.room(room).find(inputs) {
            Err(Corpus::OtherFormat { path, data }) => {
                let format = self.input_format.map(|format| format.of_documents().to_string());
                let format = format.unwrap_or_default();
                return wrong(format!("--input-format {format}: {path} is not in {data} format"));
            }
            Err(error @ (Corpus::NoMatch { .. } | Corpus::EmptyFolder { .. }))
                if !self.include.is_empty() || !self.exclude.is_empty() =>
            {
                let told = format!("{error}; --include and --exclude leave files out too");
                return Err(anyhow::Error::from(error).context(told));
            }
            found => found?,
        };
        if !self.lines {
            return Ok((sources, passed_over));
        }
        let sources: Vec<_> = sources.into_iter().map(Source::by_lines).collect();
        let is_text = |source: &Source| source.format().is_none_or(InputFormat::is_lines);
        let is_seen = |source: &&Source| source.format().is_some_and(InputFormat::is_seen);
        let other = sources.iter().find(|source| !is_seen(source));
        match other.filter(|_| !sources.iter().any(is_text)) {
            Some(source) => wrong(format!(
                "--lines is for texts, and {} is {}: leave --lines out, or pass --input-format text",
                source.name(),
                source.format().map_or_else(String::new, |format| format.to_string())
            )),
            None => Ok((sources, passed_over)),
        }
    }

    /// Which flag reads what is in a file in another way, unless it is to be `quiet`: rows of JSON or a table that are read
    /// as one text, records of XML and the like, or lines of a text that is all of the input. And which streams may hold less than they held.
    pub(crate) fn told_instead(&self, sources: &[Source], quiet: bool) -> Vec<String> {
        if quiet {
            return Vec::new();
        }
        let instead = self.instead(sources).and_then(|found| match found {
            (file, Instead::Rows(format)) => Some(said_of_rows(file, format)),
            (file, Instead::Records) => Some(format!(
                "{file} is read as one document with its mark-up: write each of its records as a row of JSON"
            )),
            (file, Instead::Lines) if sources.len() == 1 => Some(format!(
                "{file} is read as one document: with --lines each of its lines is one"
            )),
            (_, Instead::Lines) => None,
        });
        instead.into_iter().chain(said_of_unended(sources)).collect()
    }

    /// Says the [same](Self::told_instead).
    pub(crate) fn say_instead(&self, sources: &[Source], quiet: bool) {
        self.told_instead(sources, quiet).iter().for_each(|told| say(told));
    }

    /// The same for a verb that often gets one text: of rows alone.
    pub(crate) fn say_rows_instead(&self, sources: &[Source], quiet: bool) {
        if !quiet && let Some((file, Instead::Rows(format))) = self.instead(sources) {
            say(&said_of_rows(file, format));
        }
    }

    /// What else may be in the largest file that is read as a text, where no flag says how it is to be read.
    fn instead<'a>(&self, sources: &'a [Source]) -> Option<(&'a str, Instead)> {
        let is_said = self.lines || self.input_format.is_some();
        let may_be_text = |format: InputFormat| format == InputFormat::TEXT;
        let texts = sources.iter().filter(|source| source.format().is_none_or(may_be_text));
        let largest = texts.max_by_key(|source| source.bytes()).filter(|_| !is_said)?;
        Some((largest.name(), largest.instead()?))
    }

    /// How tables are written, and in which characters.
    pub(crate) fn dialect(&self) -> anyhow::Result<Dialect> {
        let dialect = Dialect {
            delimiter: self.delimiter,
            quote: self.quote.unwrap_or_default(),
            escape: self.escape,
            ..Dialect::default()
        };
        let dialect = with_one_role_each(dialect)?;
        Ok(match &self.encoding {
            Some(name) => dialect.encoding(name)?,
            None => dialect,
        })
    }

    /// Bytes of the longest record, where a longer one ends the run. Raw fingerprints are no records.
    pub(crate) fn longest(&self) -> Option<usize> {
        let is_raw = self.input_format.is_some_and(|format| format.raw_width().is_some());
        let fails = matches!(self.on_error, WhatOnError::Fail);
        (fails && !is_raw).then_some(self.max_record)
    }

    /// How documents are read with these flags.
    pub(crate) fn reading(&self, content: Origin, threads: usize) -> anyhow::Result<Reading> {
        let (text, tag) = match &content {
            Origin::Text { recipe, .. } if recipe.weights == Weighting::Given => {
                (self.features_field.clone(), None)
            }
            Origin::Text { recipe, .. } => {
                self.refuse_idle_features(recipe)?;
                if self.language_field.is_some() && recipe.language != LanguageRule::Auto {
                    return wrong(format!(
                        "--language-field: recipe {} does not use the language of each document; \
                         use one with language = \"auto\", or --language auto",
                        recipe.name
                    ));
                }
                (self.text_field.clone(), self.language_field.clone())
            }
            Origin::Hex(_) => (stored::FIELD.to_owned(), Some(stored::CONTENT_FIELD.to_owned())),
        };
        let on_error = self.on_error();
        let options = ReadOptions { max_record_bytes: self.max_record, ..ReadOptions::default() };
        let null_text = match self.null_text {
            WhatOnNull::Keep => NullText::Keep,
            WhatOnNull::Skip => NullText::Skip,
            WhatOnNull::Fail => NullText::Fail,
        };
        let id = self.id_field.clone();
        let fields = Fields { id, text, tag, null_text, ..Fields::default() };
        let fail_on_empty = self.fail_on_empty;
        Ok(Reading { content, fields, on_error, fail_on_empty, options, threads })
    }

    /// What happens to records that cannot be read.
    pub(crate) fn on_error(&self) -> OnError {
        match self.on_error {
            WhatOnError::Fail => OnError::Fail,
            WhatOnError::Skip => OnError::Skip,
        }
    }
}
