//! What is said before the run, and what the closing lines and the page say of the input and of what is left.

use crate::show::figures::{bytes, count, count_of};
use crate::show::remarks::{
    EARLIER_ID, OTHER_RECORD, left_out, lost_all, of_doubtful, of_emptied, of_notes, of_revisits,
    skipped_by,
};
use nearprint_corpus::PassedOver;
use nearprint_dedup::{ContaminationSummary, EvalFile, ItemIndex, ItemsFound, SetSummary, Short};

/// Characters of a question that are shown.
const SHOWN: usize = 70;
/// Sets that have a line of their own.
const SETS: usize = 30;

/// What is said of the items before the corpus is read: above all those that no match decides.
pub(crate) fn told_of_items(found: &ItemsFound) -> Vec<String> {
    let mut lines = Vec::new();
    let equal = found.items - found.distinct;
    let equal = match equal {
        0 => String::new(),
        equal => format!(", {} equal to others", count(equal)),
    };
    lines.push(format!(
        "{} of {}{equal}",
        count_of(found.items, "item"),
        count_of(found.sets, "eval set")
    ));
    lines.extend(found.index.as_ref().into_iter().flat_map(told_of_index));
    for PassedOver { obstacle, count, first } in &found.passed_over {
        lines.push(format!(
            "passed over {count} ({obstacle}) next to the eval sets, the first: {first}"
        ));
    }
    for (field, sets) in &found.absent {
        lines
            .push(format!("no row of {} has the field {field:?} (--item-fields)", sets.join(", ")));
    }
    let left_out = skipped_by(&found.skipped).into_iter();
    lines.extend(left_out.map(|line| format!("rows of the eval sets: {line}")));
    if found.replaced > 0 {
        let rows = count_of(found.replaced, "row");
        lines.push(format!("{rows} of the eval sets with invalid UTF-8, which was replaced"));
    }
    if found.empty > 0 {
        lines.push(format!(
            "{} without a word, which cannot be found",
            count_of(found.empty, "item")
        ));
    }
    if let Some((eval, id)) = &found.repeated.first {
        let [one, several] = EARLIER_ID;
        let repeat = if found.repeated.count == 1 { one } else { several };
        lines.push(format!(
            "{} {repeat} of the eval set, the first is {eval} {}: reports call these by one name (--item-id joins rows of \
             one item)",
            count_of(found.repeated.count, "item"),
            shown_id(id)
        ));
    }
    if found.undecidable > 0 {
        let fate = match found.short {
            Short::Report => "; documents with one are listed, not removed (--short)",
            Short::Flag => "; documents with one are removed (--short flag)",
            Short::Skip => ", and not searched for (--short skip)",
        };
        let more = match found.undecidable - found.first_undecidable.len() as u64 {
            0 => "",
            _ => "; the first of them, all in --items",
        };
        lines.push(format!(
            "{} {} too short or common to be proof{fate}{more}:",
            count_of(found.undecidable, "item"),
            if found.undecidable == 1 { "is" } else { "are" }
        ));
        for (eval, id, question) in &found.first_undecidable {
            let line: String = question.split_whitespace().collect::<Vec<_>>().join(" ");
            let shown: String = line.chars().take(SHOWN).collect();
            let dots = if shown.len() < line.len() { "..." } else { "" };
            let shown = if line.is_empty() { "(no text)" } else { &shown };
            lines.push(format!("  {eval} {}: {shown}{dots}", shown_id(id)));
        }
        if found.unsought > found.empty {
            lines.push(format!(
                "{} of these cannot be found even whole: other items have all of their words",
                count(found.unsought - found.empty)
            ));
        }
    }
    for file in &found.eval_files {
        lines.push(format!(
            "{file} is itself a file of the eval sets: its documents are reported as such"
        ));
    }
    lines
}

/// What is said of the file that keeps the items, with the version of each eval set in it.
fn told_of_index(index: &ItemIndex) -> Vec<String> {
    let ItemIndex { path, is_new, files } = index;
    let done = if *is_new { "written to" } else { "read from" };
    let mut lines = vec![format!("their index was {done} {}:", path.display())];
    let of_file = |EvalFile { eval, file, bytes: size, xxh3, .. }: &EvalFile| {
        format!("  {eval}: {file}, {}, XXH3 {xxh3}", bytes(*size))
    };
    lines.extend(files.iter().take(SETS).map(of_file));
    if let Some(others) = files.len().checked_sub(SETS).filter(|others| *others > 0) {
        lines.push(format!("  and {}: see --summary", count_of(others as u64, "other file")));
    }
    lines
}

/// A line for each eval set.
pub(crate) fn told_of_sets(summary: &ContaminationSummary) -> Vec<String> {
    let mut lines: Vec<String> = summary.sets.iter().take(SETS).map(of_set).collect();
    if let Some(others) = summary.sets.len().checked_sub(SETS).filter(|others| *others > 0) {
        lines.push(format!("  and {}: see --summary", count_of(others as u64, "other set")));
    }
    lines
}

/// An id: without the quotes of a string, but where nothing else would be seen.
fn shown_id(id: &str) -> &str {
    let shown = id.trim_matches('"');
    if shown.trim().is_empty() { id } else { shown }
}

fn of_set(set: &SetSummary) -> String {
    let parts = [
        (set.contaminated, "contaminated"),
        (set.common, "common (in more than 20 documents)"),
        (set.eval_file, "in the eval file itself"),
        (set.partial, "in part"),
        (set.context, "by context alone"),
        (set.undecidable, "undecidable"),
        (set.clean, "clean"),
    ];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> =
        parts.map(|(number, what)| format!("{} {what}", count(number))).collect();
    let items = count_of(set.items, "item");
    let documents = count_of(set.documents, "document");
    match &parts[..] {
        [] => format!("  {}: {items}; {documents}", set.eval),
        parts => format!("  {}: {items}: {}; {documents}", set.eval, parts.join(", ")),
    }
}

/// What is said of documents of which cuts left no word.
pub(crate) fn emptied(summary: &ContaminationSummary) -> Option<String> {
    let line = |said: String| format!("{said}; --action drop removes whole documents");
    of_emptied(summary.emptied).map(line)
}

/// What a reader of the result would want to know of the input, a line each.
pub(crate) fn remarks(summary: &ContaminationSummary) -> Vec<String> {
    let mut remarks = Vec::new();
    for (number, what) in [
        (summary.empty, "with nothing to compare (kept)"),
        (summary.replaced_utf8, "with invalid UTF-8, replaced where they are cut"),
    ] {
        if number > 0 {
            remarks.push(format!("{} {what}", count_of(number, "document")));
        }
    }
    remarks.extend(of_doubtful(summary.pages));
    if summary.repeated_ids > 0 {
        let [one, several] = EARLIER_ID;
        let what = if summary.repeated_ids == 1 { one } else { several };
        let documents = count_of(summary.repeated_ids, "document");
        remarks.push(format!("{documents} {what}: see `row` next to the id in reports"));
    }
    if summary.others_removed > 0 {
        let records = count_of(summary.others_removed, OTHER_RECORD);
        remarks.push(format!("{records} removed with the response"));
    }
    remarks.extend(of_revisits(summary.revisits_of_removed));
    remarks.extend(left_out(&summary.other_records, &summary.few_documents));
    remarks.extend(lost_all(&summary.all_removed));
    remarks.extend(of_notes(summary.notes_renamed, summary.notes_replaced));
    remarks.extend(skipped_by(&summary.skipped));
    remarks
}
