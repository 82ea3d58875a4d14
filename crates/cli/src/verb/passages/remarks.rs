//! What the closing lines and the page say of the input, and of documents of which nothing is left.

use crate::show::figures::{count, count_of};
use crate::show::remarks::{
    EARLIER_ID, left_out, left_out_of_reference, lost_all, of_doubtful, of_emptied, of_notes,
    skipped_by, skipped_of_reference,
};
use nearprint_dedup::PassagesSummary;

/// What is said of documents of which cuts leave no word, and which of them `flag` removes.
pub(crate) fn emptied(summary: &PassagesSummary, flag: &str) -> Option<String> {
    let PassagesSummary { emptied, emptied_and_named, .. } = *summary;
    let them = if emptied == 1 { "it" } else { "them" };
    let fate = match emptied - emptied_and_named {
        0 => format!("other cuts refer to {them}, so --min-left keeps {them}"),
        all if all == emptied => format!("{flag} removes {them}"),
        some => format!("{flag} removes {} of {them}", count(some)),
    };
    of_emptied(emptied).map(|said| format!("{said}; {fate}"))
}

/// What a reader of the result would want to know of the input, a line each.
pub(crate) fn remarks(summary: &PassagesSummary) -> Vec<String> {
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
    remarks.extend(left_out(&summary.other_records, &summary.few_documents));
    remarks.extend(lost_all(&summary.all_removed));
    remarks.extend(summary.of_reference.iter().flat_map(left_out_of_reference));
    remarks.extend(of_notes(summary.notes_renamed, summary.notes_replaced));
    remarks.extend(skipped_by(&summary.skipped));
    remarks.extend(summary.of_reference.iter().flat_map(skipped_of_reference));
    remarks
}
