//! What the closing summary and the report say of the input.

use crate::show::figures::{count, count_of};
use crate::usage::{advised, advised_for_store};
use nearprint_dedup::{ByReason, Counts, FewDocuments, FileList, FileShare, Pages, Summary};
use std::cmp::Reverse;

/// What is said of [`Pages::too_costly`](nearprint_dedup::Pages).
const TOO_COSTLY: &str =
    "too large, too deep or too complex to search for the main text: all text was used";

/// What is said of [`Pages::without_main_text`](nearprint_dedup::Pages).
const WITHOUT_MAIN_TEXT: &str = "with little or no main text: all text was used";

/// What is said of [`Pages::little_main_text`](nearprint_dedup::Pages).
const LITTLE_MAIN_TEXT: &str = "whose main text is a small part of the page: all text was used";

/// What is said of [`Pages::doubtful_main_text`](nearprint_dedup::Pages).
const DOUBTFUL_MAIN_TEXT: &str = "without a clear main text: all text was used";

/// What a record of an archive is called that is no document.
pub(crate) const OTHER_RECORD: &str = "other archive record";

/// What is said of documents that nothing is compared with.
pub(crate) const EMPTY: &str = "with nothing to compare, and so without near-duplicates";

/// What is said of one document, and of several: with too few features.
pub(crate) const TOO_SHORT: [&str; 2] = ["is too short to compare", "are too short to compare"];

/// The same of documents in which one feature has more than half of all weight.
pub(crate) const ONE_PHRASE: [&str; 2] =
    ["is one phrase for the most part", "are one phrase for the most part"];

/// The same of documents with an id that one before them has.
pub(crate) const EARLIER_ID: [&str; 2] = ["repeats an earlier id", "repeat an earlier id"];

/// Says of records that are no documents that they are written: only requests and metadata go with a removed response.
const BUT_KEPT: &str = " but kept";

/// Says of what is counted that it is of what is only compared with.
pub(crate) const OF_REFERENCE: &str = " of the reference";

/// What an error of this kind means for what follows it in its file.
pub(crate) fn lost(reason: &str) -> &'static str {
    match reason {
        "truncated" | "corrupt" | "read" => "; the rest of that file was not read",
        _ => "",
    }
}

/// What a reader of the result would want to know of the input, a line each, as `nearprint dedup` says it.
///
/// # Examples
/// ```
/// # use std::sync::Arc;
/// # let folder = tempfile::tempdir()?;
/// # let (texts, kept) = (folder.path().join("texts.jsonl"), folder.path().join("kept.jsonl"));
/// std::fs::write(&texts, "{\"text\":\"one two three\"}\n{\"text\":\"\"}\n")?;
/// let args = [texts.as_os_str(), "-o".as_ref(), kept.as_os_str()];
/// let summary = nearprint_cli::dedup(args, &Arc::default())?;
/// assert!(nearprint_cli::remarks(&summary).contains(&"1 document with nothing to compare (kept)".to_owned()));
/// assert!(nearprint_cli::skipped(&summary).is_empty() && nearprint_cli::passed_over(&summary).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn remarks(summary: &Summary) -> Vec<String> {
    remarks_of(summary, true)
}

/// The same; `is_written` says whether documents are written, and not only lists of them.
pub(crate) fn remarks_of(summary: &Summary, is_written: bool) -> Vec<String> {
    let mut remarks = of_read(summary, is_written);
    remarks.extend(lost_all(&summary.all_removed));
    remarks.extend(of_notes(summary.notes_renamed, summary.notes_replaced));
    remarks
}

/// Files of which no document stays.
pub(crate) fn lost_all(files: &FileList) -> Option<String> {
    let documents =
        |file: &FileShare| format!("{} ({})", file.file, count_of(file.documents, "document"));
    named(files, "", "lost all documents", documents)
}

/// The same of the input alone, where nothing of it is removed or written.
pub(crate) fn of_input(summary: &Summary) -> Vec<String> {
    of_read(summary, false)
}

/// The same; where documents are written, with what becomes of those without text, and of records of archives that are no
/// documents and that no removed response takes along.
fn of_read(summary: &Summary, is_written: bool) -> Vec<String> {
    let mut remarks: Vec<_> = of_cut_short(summary.cut_short).into_iter().collect();
    let fate = match summary.degenerate.as_str() {
        "exact" => ": only identical copies count as duplicates",
        "apart" => ": they are kept",
        _ => "",
    };
    let featureless = match summary.featureless {
        "collapse" => "with nothing to compare (duplicates only of identical ones)",
        _ if is_written => "with nothing to compare (kept)",
        _ => EMPTY,
    };
    for (number, what) in [
        (summary.empty, featureless),
        (summary.replaced_utf8, "with invalid UTF-8, replaced for the fingerprint"),
    ] {
        if number > 0 {
            remarks.push(format!("{} {what}", count_of(number, "document")));
        }
    }
    remarks.extend(of_pages(summary.pages));
    for (number, [one, several], more) in [
        (summary.short, TOO_SHORT, fate),
        (summary.dominant, ONE_PHRASE, fate),
        (summary.repeated_ids, EARLIER_ID, ": see `row` next to the id in reports"),
    ] {
        if number > 0 {
            let what = if number == 1 { one } else { several };
            remarks.push(format!("{} {what}{more}", count_of(number, "document")));
        }
    }
    if summary.others > 0 {
        let records = count_of(summary.others, OTHER_RECORD);
        let fate = match summary.others_removed {
            0 if is_written => " (written as they are)".to_owned(),
            0 => String::new(),
            removed => format!(" ({} removed with their response)", count(removed)),
        };
        remarks.push(format!("{records}{fate}"));
    }
    remarks.extend(of_revisits(summary.revisits_of_removed));
    let fate = if is_written { BUT_KEPT } else { "" };
    remarks.extend(left_out_of((&summary.other_records, &summary.few_documents), "", fate));
    remarks.extend(summary.of_reference.iter().flat_map(left_out_of_reference));
    remarks
}

/// What is said of documents of very large groups that were not followed to the end.
fn of_cut_short(number: u64) -> Option<String> {
    let were = if number == 1 { "was" } else { "were" };
    let line = || {
        format!(
            "{} {were} not compared with all documents that may be near; --recall exact compares all",
            count_of(number, "document")
        )
    };
    (number > 0).then(line)
}

/// What is said of documents of which cuts leave no word.
pub(crate) fn of_emptied(number: u64) -> Option<String> {
    let have = if number == 1 { "has" } else { "have" };
    (number > 0).then(|| format!("{} {have} no words left", count_of(number, "document")))
}

/// What is said of revisits of responses that were removed.
pub(crate) fn of_revisits(number: u64) -> Option<String> {
    match number {
        0 => None,
        1 => Some("1 revisit record refers to a removed response".to_owned()),
        several => Some(format!("{} revisit records refer to removed responses", count(several))),
    }
}

/// What is said of rows whose note has another name than the usual one, and of those that had one of an earlier run.
pub(crate) fn of_notes(renamed: u64, replaced: u64) -> impl Iterator<Item = String> {
    let said = [
        (
            renamed,
            "already with a field of the note's name: the note is in nearprint_note, or nearprint_note_2 and so on where \
             that is taken",
        ),
        (replaced, "with the note of an earlier run: replaced"),
    ];
    let said = said.into_iter().filter(|(rows, _)| *rows > 0);
    said.map(|(rows, what)| format!("{} {what}", count_of(rows, "row")))
}

/// What is said of pages of which all text was used, and of [others](of_doubtful), a line for each reason.
pub(crate) fn of_pages(pages: Pages) -> Vec<String> {
    let all = [
        (pages.too_costly, TOO_COSTLY),
        (pages.without_main_text, WITHOUT_MAIN_TEXT),
        (pages.little_main_text, LITTLE_MAIN_TEXT),
        (pages.doubtful_main_text, DOUBTFUL_MAIN_TEXT),
    ];
    let some = all.into_iter().filter(|(number, _)| *number > 0);
    let said = some.map(|(number, what)| format!("{} {what}", count_of(number, "page")));
    said.chain(of_doubtful(pages)).collect()
}

/// What is said of documents that are less than they were, or other than their names say.
pub(crate) fn of_doubtful(pages: Pages) -> impl Iterator<Item = String> {
    let cut = (pages.cut > 0).then(|| {
        let cut = count_of(pages.cut, "document");
        format!("{cut} cut off or damaged in the archive, read in part")
    });
    // One alone is named before it is read.
    let seem_rows = (pages.seem_rows > 1).then(|| {
        format!(
            "{} text files with rows or an archive in them, as one document each: --input-format reads the records",
            count(pages.seem_rows)
        )
    });
    cut.into_iter().chain(seem_rows)
}

/// What was left out of the input because it could not be read, a line for each reason.
#[must_use]
pub fn skipped(summary: &Summary) -> Vec<String> {
    let of_reference = summary.of_reference.iter().flat_map(skipped_of_reference);
    skipped_by(&summary.skipped).into_iter().chain(of_reference).collect()
}

/// Records that could not be read, a line for each reason.
pub(crate) fn skipped_by(skipped: &ByReason) -> Vec<String> {
    skipped_of(skipped, "", advised)
}

/// The same of what a store was given.
pub(crate) fn skipped_for_store(skipped: &ByReason) -> Vec<String> {
    skipped_of(skipped, "", advised_for_store)
}

/// The same of what is only compared with.
pub(crate) fn skipped_of_reference(reference: &Counts) -> Vec<String> {
    skipped_of(&reference.skipped, OF_REFERENCE, advised)
}

fn skipped_of(
    skipped: &ByReason,
    of: &str,
    advised: fn(message: &str, reason: &str) -> String,
) -> Vec<String> {
    let line = |(reason, number): (&String, &u64)| {
        let first = skipped.examples.get(reason).map_or("", String::as_str);
        let first = advised(first, reason) + lost(reason);
        format!("{}{of} skipped ({reason}), the first: {first}", count(*number))
    };
    skipped.reasons.iter().map(line).collect()
}

/// Records of archives that might have been documents, a line for each of the usual reasons, and the files that gave
/// few documents.
pub(crate) fn left_out(others: &ByReason, few: &FewDocuments) -> Vec<String> {
    left_out_of((others, few), "", "")
}

/// The same of what is only compared with.
pub(crate) fn left_out_of_reference(reference: &Counts) -> Vec<String> {
    left_out_of((&reference.other_records, &reference.few_documents), OF_REFERENCE, "")
}

fn left_out_of((others, few): (&ByReason, &FewDocuments), of: &str, fate: &str) -> Vec<String> {
    /// Reasons that have a line.
    const LINES: usize = 8;
    let mut reasons: Vec<_> = others.of_content().collect();
    reasons.sort_by_key(|(_, number)| Reverse(*number));
    let (shown, rest) = reasons.split_at(reasons.len().min(LINES));
    let line = |(reason, number): &(&str, u64)| {
        let first = others.examples.get(*reason).map_or("", String::as_str);
        let records = count_of(*number, "record");
        format!("{records}{of} passed over{fate} ({reason}), the first: {first}")
    };
    let mut lines: Vec<_> = shown.iter().map(line).collect();
    if !rest.is_empty() {
        let number = rest.iter().map(|(_, number)| number).sum();
        let reasons = count_of(rest.len() as u64, "other reason");
        let records = count_of(number, "record");
        lines.push(format!("{records}{of} passed over{fate} for {reasons}"));
    }
    let FewDocuments { without_documents, mostly_passed_over } = few;
    let records = |file: &FileShare| match file.records {
        0 => file.file.clone(),
        records => format!("{} ({})", file.file, count_of(records, "record")),
    };
    let share = |file: &FileShare| {
        let FileShare { file, records, documents } = file;
        format!("{file} ({} of {})", count(*documents), count(*records))
    };
    lines.extend(named(without_documents, of, "held no document", records));
    let passed = "gave documents of less than half of the records";
    lines.extend(named(mostly_passed_over, of, passed, share));
    lines
}

/// A line that says something of files, and names the first of them.
fn named(
    files: &FileList,
    of: &str,
    what: &str,
    name: impl Fn(&FileShare) -> String,
) -> Option<String> {
    /// Files that are named.
    const NAMES: usize = 3;
    let mut names: Vec<_> = files.first.iter().take(NAMES).map(name).collect();
    if files.total > names.len() as u64 {
        names.push("...".to_owned());
    }
    let line = || format!("{}{of} {what}: {}", count_of(files.total, "file"), names.join(", "));
    (files.total > 0).then(line)
}

/// The files that were found and not read, a line for each reason.
#[must_use]
pub fn passed_over(summary: &Summary) -> Vec<String> {
    let reference = &summary.passed_over_of_reference;
    let line = |files: &ByReason, of: &str, reason: &str, number: u64| {
        let first = files.examples.get(reason).map_or("", String::as_str);
        format!("passed over {number}{of} ({reason}), the first: {first}")
    };
    let of_input = summary.passed_over.reasons.iter().filter_map(|(reason, number)| {
        let ours = number - reference.reasons.get(reason).unwrap_or(&0);
        (ours > 0).then(|| line(&summary.passed_over, "", reason, ours))
    });
    let of_reference = reference.reasons.iter();
    let of_reference =
        of_reference.map(|(reason, number)| line(reference, OF_REFERENCE, reason, *number));
    of_input.chain(of_reference).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_that_were_not_compared_with_all_are_told() {
        let said = |number| of_cut_short(number).unwrap_or_default();
        assert_eq!(said(0), "");
        assert!(said(1).starts_with("1 document was not compared with all"));
        assert!(said(2000).starts_with("2,000 documents were not compared with all"));
    }
}
