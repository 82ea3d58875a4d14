//! What was read, what stays and what goes, in lines for a person.

use crate::show::figures::{bytes, count, count_of, percent};
use nearprint_dedup::{Counts, Summary};

/// How many documents were read, how many of them are removed, by what, and how many are kept, and `written` where.
/// `took` is said of the first: what reading them took.
pub(crate) fn kept(summary: &Summary, took: &str, written: Option<&str>) -> Vec<String> {
    let Summary { kept, removed, exact, reference, rows_written, .. } = summary;
    let documents = kept + removed;
    let against = match reference {
        0 => String::new(),
        reference => format!(
            ", also compared with {} of --against{}",
            count_of(*reference, "document"),
            of_bytes(summary.of_reference.as_ref())
        ),
    };
    let rows = rows_written.map_or_else(String::new, |rows| count_of(rows, "row") + " ");
    let written = match written {
        Some("-") | None => String::new(),
        Some(place) => format!(", {rows}written to {place}"),
    };
    vec![
        format!("{} read{took}{against}", count_of(documents, "document")),
        format!(
            "{} removed: {}, {}{}",
            count(*removed),
            count_of(*exact, "exact duplicate"),
            count_of(removed - exact, "near-duplicate"),
            of_urls(summary)
        ),
        format!("{} kept ({}){written}", count(*kept), percent(*kept, documents)),
    ]
}

/// The bytes that were read to be compared with, in brackets, where there are some: segments have none.
pub(crate) fn of_bytes(reference: Option<&Counts>) -> String {
    let read = reference.map_or(0, |counts| counts.bytes);
    if read == 0 { String::new() } else { format!(" ({})", bytes(read)) }
}

/// Whether removed captures are of the URL that is kept, where that is known.
fn of_urls(summary: &Summary) -> String {
    let urls = summary.of_urls;
    if urls.is_empty() {
        return String::new();
    }
    let [same, other] = [urls.same_url, urls.other_url].map(count);
    format!("; {same} with the URL of the kept page, {other} with another")
}
