//! How the command speaks to the person at the terminal: errors and remarks, on standard error.

use crate::signals::Signal;
use anyhow::{Context, bail};
use nearprint_bits::ErrorKind;
use nearprint_corpus::Error as Corpus;
use nearprint_store::Error as Store;
use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

/// A command that cannot mean anything: exit status 2, like the argument parser's own refusals.
#[derive(Debug)]
pub(crate) struct WrongUsage(pub(crate) String);

impl fmt::Display for WrongUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for WrongUsage {}

/// Ends the command with [`WrongUsage`].
pub(crate) fn wrong<T>(message: impl Into<String>) -> anyhow::Result<T> {
    Err(WrongUsage(message.into()).into())
}

/// The words of the command line from the verb on, as they were typed, behind the name of the program: an interpreter
/// may run it.
pub(crate) fn command_line(verb: &str) -> Vec<String> {
    let given = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let given = given.skip_while(|word| word != verb);
    std::iter::once("nearprint".to_owned()).chain(given).collect()
}

/// Refuses a file that is not there, as inputs are refused.
pub(crate) fn refuse_missing(path: &Path) -> anyhow::Result<()> {
    match path.try_exists() {
        Ok(false) => bail!("no such file or folder: {}", path.display()),
        _ => Ok(()),
    }
}

/// Prints a line on standard error. That it may be closed is no reason to fail.
pub(crate) fn say(line: &str) {
    let _written = writeln!(io::stderr().lock(), "{line}");
}

/// Prints to standard output; the caller's error tells a closed pipe.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    nearprint_corpus::write_stdout(text.as_bytes()).context("cannot write standard output")
}

/// An error with its causes, but those that the message in front of them tells already, and the flag
/// that helps.
pub(crate) fn message(error: &anyhow::Error) -> String {
    let message = with_causes(error);
    if is_interrupted(error)
        && let Some(name) = Signal::that_came().and_then(Signal::name)
    {
        return message.replacen("interrupted", &format!("ended by {name}"), 1);
    }
    if let Some(nearprint_dedup::Error::OtherJob { .. }) = error.downcast_ref() {
        return format!("--resume: {message}; start again without --resume");
    }
    if let Some(nearprint_dedup::Error::Labels { settings: settings @ [_, ..], .. }) =
        error.downcast_ref()
    {
        let flags: Vec<_> = settings.iter().map(|setting| format!("--{setting}")).collect();
        return format!("{}: {message}", flags.join(" and "));
    }
    if let Some(nearprint_dedup::Error::Thresholds { .. }) = error.downcast_ref() {
        return format!("--similarity and --verify: {message}");
    }
    if let Some(nearprint_dedup::Error::FewDocuments { .. }) = error.downcast_ref() {
        return format!("--fail-on-empty: {message}");
    }
    if let Some(nearprint_dedup::Error::TemporaryFolder { .. }) = error.downcast_ref() {
        return format!("{message} with --work-dir");
    }
    if let Some(nearprint_dedup::Error::EvalRow { .. }) = error.downcast_ref() {
        return message.replacen("as question=FIELD", "with --item-fields question=FIELD", 1);
    }
    if let Some(Store::Damaged { .. } | Store::LostTail { .. } | Store::UnknownTail { .. }) =
        error.downcast_ref()
    {
        let snapshot = "restore a snapshot (`nearprint store restore`)";
        let message = message.replacen("restore a snapshot", snapshot, 1);
        let salvage = "salvage what can be read (`nearprint store salvage`)";
        return message.replacen("salvage what can be read", salvage, 1);
    }
    if let Some(remedy) = error.downcast_ref().and_then(store_remedy) {
        return format!("{message}; {remedy}");
    }
    match error.chain().find_map(of_corpus) {
        Some(Corpus::OutputFormat { is_text: true, .. }) => {
            format!("{message}, or pass --lines if each line of the input is a document")
        }
        // There may be room, but not in one file.
        Some(Corpus::Spool { source, .. }) if source.kind() == io::ErrorKind::FileTooLarge => {
            format!(
                "{message}; raise the limit for files (ulimit -f) or name another folder with --work-dir"
            )
        }
        Some(error) => advised(&message, error.reason()),
        None => message,
    }
}

/// The command that helps where a store cannot do what was asked.
fn store_remedy(error: &nearprint_store::Error) -> Option<&'static str> {
    if let Store::NoStore { .. } = error {
        return Some("make one with `nearprint store init`");
    }
    if let Store::Mismatch { .. } = error {
        return Some("rebuild the segments with `nearprint store rebuild`");
    }
    if let Store::OtherRecipe { .. } = error {
        return Some(
            "leave out --recipe if it is named, or make a store for these, such as with `nearprint store init NEW --recipe web`",
        );
    }
    if let Store::EditedRadius { .. } = error {
        return Some("`nearprint store rebuild --k K` does that");
    }
    error
        .is_mended()
        .then_some("it is rebuilt when the store is next opened, or by `nearprint store rebuild`")
}

fn with_causes(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |mut message, cause| {
        let cause = cause.to_string();
        if message.is_empty() {
            message = cause;
        } else if !message.contains(&cause) && !message.ends_with("a folder is expected") {
            message.push_str(": ");
            message.push_str(&cause);
        }
        message
    })
}

/// The error of the corpus that this is.
fn of_corpus<'a>(cause: &'a (dyn Error + 'static)) -> Option<&'a Corpus> {
    let of_job = cause.downcast_ref().and_then(|error| {
        if let nearprint_dedup::Error::Corpus(error) = error { Some(error) } else { None }
    });
    of_job.or_else(|| cause.downcast_ref())
}

/// The message of an error of the corpus of this [kind](nearprint_corpus::Error::reason), with the flag
/// that helps: libraries know none.
pub(crate) fn advised(message: &str, reason: &str) -> String {
    let advice = match reason {
        "features-missing" => "name the field of the features with --features-field",
        "binary" if message.ends_with("its character set") => {
            return format!("{message}, such as with --encoding utf-16le");
        }
        "invalid-utf8" => "or name its character set, such as with --encoding latin1 or utf-16le",
        "column-not-utf8" => "or read U+FFFD in its place with --on-error skip",
        "html-as-text" => {
            "pass --html main or --html full, use --recipe web, or pass --input-format text to \
             treat tags as text"
        }
        // A text has no field; on standard input it has no name that lasts either.
        "id-missing" if !message.contains("; the row has ") => {
            "save it in a file and give that, with --lines if each line is a document: file and line identify them"
        }
        "id-missing" => {
            "name the field of the id with --id-field; only text files need no ids, as file and line \
             identify their documents"
        }
        "id-not-a-string-or-number" => "name the field of the id with --id-field",
        "invalid-json" if message.contains("key must be a string") => {
            "rows as Python prints them are no JSON: json.dumps writes them"
        }
        "invalid-json" if message.contains(":1, column 1: ") => {
            "if the file holds other rows, --input-format csv and others say which"
        }
        "many-files" => "allow more with --memory",
        "other-delimiter" => "name it with --delimiter",
        "store-as-input" => "ask a store with `nearprint store check STORE IN`",
        "open-quote" | "stray-quote" => {
            "pass --quote none if quotes have no meaning, or --escape '\\' if a backslash stands before those inside quotes"
        }
        "ragged-unquoted-row" => {
            "name a delimiter that no field has with --delimiter, or what stands before those in fields with --escape"
        }
        "score-not-utf8" => "--on-error skip leaves such rows out",
        "swallowed-rows" => {
            "pass --quote none if quotes have no meaning, or --quote '\"' if quoted fields contain line breaks"
        }
        "output-exists" => "pass --force to replace it",
        "text-missing" if has_field(message, "question") => {
            "items of eval sets come first in `nearprint contamination` and behind --against in `nearprint decontaminate`; \
             else name the field of the text with --text-field"
        }
        "text-missing" if has_field(message, "fingerprint") => {
            "rows of fingerprints are for `nearprint pairs` and `nearprint clusters`; else name the field of the text with \
             --text-field"
        }
        // The header of a table is the first row of a file that holds no table.
        "text-missing" | "column-missing"
            if [" has ", " are "].iter().any(|of| message.contains(&format!("{of}\"{{"))) =>
        {
            "the first line looks like JSON: --input-format jsonl reads such rows"
        }
        "text-missing" | "column-missing" | "text-not-a-string" => {
            "name the field of the text with --text-field"
        }
        "part-of-unknown-kind" => {
            "give what it says as its \"text\", or leave such rows out with --on-error skip"
        }
        "segment" => {
            "name it with --against of `nearprint dedup`, or leave it out with --exclude '*.seg'"
        }
        "spool" => "name a folder that has room with --work-dir",
        "too-long" => "raise the limit with --max-record",
        _ => return message.to_owned(),
    };
    format!("{message}; {advice}")
}

/// Whether a row that lacks the text has this field, by which it is told what it is.
fn has_field(message: &str, field: &str) -> bool {
    let fields = message.rsplit_once("; it has ");
    fields.is_some_and(|(_, fields)| fields.contains(&format!("\"{field}\"")))
}

/// The same of what a store is given, whose recipe stays what it is.
pub(crate) fn advised_for_store(message: &str, reason: &str) -> String {
    match reason {
        "html-as-text" => format!(
            "{message}; make a store for pages with `nearprint store init NEW --recipe web`, or pass --input-format text to \
             treat tags as text"
        ),
        _ => advised(message, reason),
    }
}

/// The exit status of a command that ended with `error`: 2 wrong usage, 3 a stage before its time, that of a signal
/// where one asked for it, else 1.
pub(crate) fn exit_code(error: &anyhow::Error) -> u8 {
    use nearprint_dedup::Error::{Labels, Thresholds};
    let is_of_flags = matches!(error.downcast_ref(), Some(Labels { .. } | Thresholds { .. }));
    if error.is::<WrongUsage>() || is_of_flags {
        return 2;
    }
    let Some(kind) = kind(error) else { return 1 };
    match kind {
        ErrorKind::Interrupted => Signal::that_came().map_or(1, Signal::status),
        ErrorKind::NotReady => 3,
        ErrorKind::Usage
        | ErrorKind::Input
        | ErrorKind::Corrupt
        | ErrorKind::Io
        | ErrorKind::Memory
        | ErrorKind::Busy
        | ErrorKind::Bug => 1,
    }
}

/// The kind of the failure of a job or of a join.
fn kind(error: &anyhow::Error) -> Option<ErrorKind> {
    let of_job = error.downcast_ref().map(nearprint_dedup::Error::kind);
    of_job.or_else(|| error.downcast_ref().map(nearprint_index::Error::kind))
}

/// Whether a job ended because it was asked to.
fn is_interrupted(error: &anyhow::Error) -> bool {
    kind(error) == Some(ErrorKind::Interrupted)
}

/// Whether a command ended because the reader of its output went away.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_a_store_is_told_with_the_command_that_helps() {
        let path = || "pages".into();
        for (error, command) in [
            (Store::NoStore { path: path() }, "`nearprint store init`"),
            (Store::Mismatch { path: path(), searched: 1, stored: 2 }, "`nearprint store rebuild`"),
            (Store::EditedRadius { path: path(), found: 7, made: 3 }, "rebuild --k K`"),
        ] {
            let fact = error.to_string();
            assert!(!fact.contains("nearprint"), "{fact}");
            let told = message(&error.into());
            assert!(told.starts_with(&format!("{fact}; ")) && told.contains(command), "{told}");
        }
        let (path, said) = ("pages/truth".into(), "Unrecoverable".to_owned());
        let told = message(&anyhow::Error::from(Store::Damaged { path, said }).context("so far"));
        let expected = "so far: pages/truth: the database of the store is damaged; restore a snapshot \
                        (`nearprint store restore`), or salvage what can be read (`nearprint store salvage`). The \
                        database says: Unrecoverable";
        assert_eq!(told, expected);
        assert_eq!(message(&Store::Closed.into()), Store::Closed.to_string());
    }

    #[test]
    fn the_exit_status_goes_by_the_kind_of_the_failure() {
        use nearprint_dedup::Error as Job;
        let missing = || "1 of 3".to_owned();
        for (error, status) in [
            (WrongUsage("-k".to_owned()).into(), 2),
            (Job::Unready { stage: "sketch", missing: missing() }.into(), 3),
            (Job::NoText.into(), 1),
            (Job::Interrupted.into(), 1),
            (nearprint_index::Error::NoIds.into(), 1),
            (Store::Closed.into(), 1),
            (anyhow::anyhow!("something else"), 1),
        ] as [(anyhow::Error, u8); 7]
        {
            assert_eq!(exit_code(&error), status, "{error}");
            assert_eq!(exit_code(&error.context("so far")), status);
        }
    }

    #[test]
    fn an_error_of_the_corpus_is_told_with_the_flag_that_helps() {
        let place = || "in.jsonl:2".to_owned();
        let (field, present) = (|| "body".to_owned(), || "\"id\"".to_owned());
        for (error, flag) in [
            (Corpus::TooLong { place: place(), limit: 7 }, "--max-record"),
            (
                Corpus::TextMissing { place: place(), field: field(), present: present() },
                "--text-field",
            ),
            (Corpus::TextType { place: place(), field: field(), found: "null" }, "--text-field"),
            (
                Corpus::PartKind { place: place(), field: field(), kind: "quote".to_owned() },
                "--on-error skip",
            ),
            (
                Corpus::FeaturesMissing { place: place(), field: field(), present: present() },
                "--features-field",
            ),
            (
                Corpus::IdMissing { place: place(), field: field(), present: Some(present()) },
                "--id-field",
            ),
            (
                Corpus::IdMissing { place: "stdin".to_owned(), field: field(), present: None },
                "with --lines",
            ),
            (Corpus::IdType { place: place(), field: field(), found: "null" }, "--id-field"),
            (Corpus::HtmlAsText { place: place() }, "--html main"),
            (Corpus::Utf8 { place: place(), offset: 7 }, "--encoding latin1"),
            (Corpus::ColumnUtf8 { place: place(), field: field() }, "--on-error skip"),
            (Corpus::ScoreUtf8 { place: place(), field: field() }, "--on-error skip leaves"),
            (Corpus::OpenQuote { place: place() }, "--quote none"),
            (Corpus::StrayQuote { place: place(), line: 7 }, "--escape '\\'"),
            (Corpus::OutputExists { path: place() }, "--force"),
        ] {
            let fact = error.to_string();
            assert!(!fact.contains("--"), "{fact}");
            let of_job = anyhow::Error::from(nearprint_dedup::Error::from(error));
            let told = message(&of_job);
            assert!(told.starts_with(&format!("{fact}; ")) && told.contains(flag), "{told}");
        }
        let plain = anyhow::Error::from(Corpus::NoInput);
        assert_eq!(message(&plain), Corpus::NoInput.to_string());
    }
}
