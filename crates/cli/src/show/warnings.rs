//! What should make a person look before a corpus is used, and how much of each source stays: in lines.

use crate::show::figures::{bytes, count, count_of, percent};
use nearprint_dedup::{BySource, Share, Summary, Warning, WarningExample};

/// Sources that have a line.
const SOURCES: usize = 10;

/// What should make a person look, a line each, as `nearprint dedup` says it.
///
/// # Examples
/// ```
/// # use std::sync::Arc;
/// # let folder = tempfile::tempdir()?;
/// # let (texts, kept) = (folder.path().join("texts.jsonl"), folder.path().join("kept.jsonl"));
/// std::fs::write(&texts, "{\"text\":\"Error 404: page not found\"}\n".repeat(30))?;
/// let args = [texts.as_os_str(), "-o".as_ref(), kept.as_os_str()];
/// let summary = nearprint_cli::dedup(args, &Arc::default())?;
/// let warnings = nearprint_cli::warnings(&summary);
/// assert!(warnings[1].starts_with("warning: 30 of 30 documents (100.0 %) look like one error page"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn warnings(summary: &Summary) -> Vec<String> {
    summary.warnings.iter().map(|warning| format!("warning: {}", said(warning, summary))).collect()
}

/// What a warning says.
fn said(warning: &Warning, summary: &Summary) -> String {
    match warning {
        Warning::Source { source, removed, documents, example } => format!(
            "{} removed ({}){}",
            of_source(*removed, *documents, source.as_deref(), &summary.by_source.by),
            percent(*removed, *documents),
            first(example)
        ),
        Warning::Cluster { size, documents, error_page, example } => {
            let what = if *error_page {
                "look like one error page"
            } else {
                "are one group of near-duplicates"
            };
            let (of, share) = (count_of(*documents, "document"), percent(*size, *documents));
            format!("{} of {of} ({share}) {what}{}", count(*size), first(example))
        }
        Warning::ShortDocuments { short, removed, example } => format!(
            "{} of {} removed ({}) have fewer than 20 features{}",
            count(*short),
            count_of(*removed, "document"),
            percent(*short, *removed),
            first(example)
        ),
        Warning::Passage { sharing, looked_at, passage, length } => {
            let cut = length.map_or_else(String::new, |length| {
                format!("; nearprint passages --length {length} cuts out such passages")
            });
            format!(
                "{sharing} of {looked_at} removed documents, each from a different cluster, share a passage: \"{passage} ...\"{cut}"
            )
        }
        Warning::More { sources, clusters, error_pages } => {
            let more = [
                (*sources, "source", "of which more than a third is removed"),
                (*clusters, "cluster", "of more than 1 % of all documents"),
                (*error_pages, "cluster", "of one error page"),
            ];
            let more = more.iter().filter(|(number, ..)| *number > 0);
            let more: Vec<_> = more
                .map(|(number, of, what)| count_of(*number, &format!("other {of}")) + " " + what)
                .collect();
            format!("not told above: {}", more.join("; "))
        }
    }
}

/// An example, as far as it is known: nothing without texts.
fn first(WarningExample { id, text }: &WarningExample) -> String {
    match text {
        None if id.is_null() => String::new(),
        None => format!(", the first: {id}"),
        Some(text) => format!(", the first: {id} \"{text}\""),
    }
}

/// How many of how many documents of a source.
fn of_source(part: u64, all: u64, source: Option<&str>, by: &str) -> String {
    let all = count_of(all, "document");
    let of = match (source, by) {
        (Some(file), "file") => format!("of {file}"),
        (Some(value), _) => format!("with {by} {value:?}"),
        (None, _) => format!("without {by}"),
    };
    format!("{} of {all} {of}", count(part))
}

/// How much of each source stays, a line each for those with the most documents; nothing of a single file.
pub(crate) fn by_source(summary: &Summary) -> Vec<String> {
    let BySource { by, sources, others } = &summary.by_source;
    if by == "file" && sources.len() < 2 {
        return Vec::new();
    }
    let mut largest: Vec<_> = sources.iter().collect();
    largest.sort_by_key(|source| std::cmp::Reverse(source.share.documents));
    let line = |told: &&nearprint_dedup::SourceShare| {
        let Share { documents, kept, bytes: all, kept_bytes } = told.share;
        let stay = of_source(kept, documents, told.source.as_deref(), by);
        let volume = all.zip(kept_bytes);
        let volume = volume
            .map_or_else(String::new, |(all, kept)| format!(", {} of {}", bytes(kept), bytes(all)));
        format!("{stay} kept ({}){volume}", percent(kept, documents))
    };
    let mut lines: Vec<_> = largest.iter().take(SOURCES).map(line).collect();
    let more = largest.len().saturating_sub(SOURCES) as u64;
    let more = more + others.map_or(0, |others| others.sources);
    if more > 0 {
        let more = match by.as_str() {
            "file" => count_of(more, "other file"),
            by => format!("{} of {by}", count_of(more, "other value")),
        };
        lines.push(format!("and {more}: see --summary"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_dedup::SourceShare;

    #[test]
    fn ten_values_have_lines_and_the_others_are_counted() {
        let source = |at: u64| SourceShare {
            source: (at > 0).then(|| at.to_string()),
            share: Share { documents: 10 + at, kept: 5, bytes: Some(2000), kept_bytes: Some(1000) },
        };
        let of = |sources: Vec<_>| Summary {
            by_source: BySource { by: "dump".to_owned(), sources, others: None },
            ..Summary::default()
        };
        let lines = by_source(&of((0..12).map(source).collect()));
        assert_eq!(lines.len(), 11);
        assert_eq!(lines[0], "5 of 21 documents with dump \"11\" kept (23.8 %), 1 kB of 2 kB");
        assert_eq!(lines[10], "and 2 other values of dump: see --summary");
        let by_file = |number| {
            let of = of((1..=number).map(source).collect());
            let by_source = BySource { by: "file".to_owned(), ..of.by_source };
            super::by_source(&Summary { by_source, ..Summary::default() })
        };
        assert_eq!(by_file(1), Vec::<String>::new());
        assert_eq!(by_file(2)[1], "5 of 11 documents of 1 kept (45.5 %), 1 kB of 2 kB");
        assert_eq!(by_file(11)[10], "and 1 other file: see --summary");
        let lines = by_source(&of(vec![source(0)]));
        assert_eq!(lines[0], "5 of 10 documents without dump kept (50.0 %), 1 kB of 2 kB");
    }

    #[test]
    fn an_example_is_told_as_far_as_it_is_known() {
        let example = |id: &str, text: Option<&str>| WarningExample {
            id: serde_json::from_str(id).unwrap(),
            text: text.map(str::to_owned),
        };
        assert_eq!(first(&example("\"a\"", Some("b c"))), ", the first: \"a\" \"b c\"");
        assert_eq!(first(&example("7", None)), ", the first: 7");
        assert_eq!(first(&example("null", None)), "");
    }
}
