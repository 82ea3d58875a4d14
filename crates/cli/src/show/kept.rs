//! What stays and what goes, in lines for a person.

use crate::show::figures::{count, count_of, percent};
use nearprint_dedup::Summary;

/// How many documents stay and how many go, by what and from how large clusters.
pub(crate) fn kept(summary: &Summary) -> Vec<String> {
    let Summary { kept, removed, exact, clusters, largest_cluster, .. } = summary;
    let documents = kept + removed;
    let mut lines = vec![format!(
        "{}: {} kept ({}), {} removed: {}, {}",
        count_of(documents, "document"),
        count(*kept),
        percent(*kept, documents),
        count(*removed),
        count_of(*exact, "exact duplicate"),
        count_of(removed - exact, "near-duplicate")
    )];
    if summary.reference > 0 {
        let reference = count_of(summary.reference, "document");
        lines.push(format!("compared with {reference} of --against too"));
    }
    if *clusters > 0 {
        let (clusters, largest) = (count_of(*clusters, "cluster"), count(*largest_cluster));
        lines.push(format!("{clusters}, the largest of {largest} documents"));
    }
    lines
}
