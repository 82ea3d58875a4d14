//! What the page calls the sources and the places of the documents that it shows.

use nearprint_dedup::{Audit, Overview, ShownDocument, Summary};
use nearprint_fingerprint::visible;
use std::collections::BTreeSet;

/// The names of sources.
pub(super) struct SourceNames {
    /// The field whose values are the sources; `file` where these are files, folders and hosts.
    by: String,
    /// Whether the documents are of more than one.
    pub(super) several: bool,
    /// Whether several documents have one id: their places tell them apart.
    ids_repeat: bool,
}

impl SourceNames {
    /// Those of all documents that an overview shows.
    pub(super) fn of_shown(overview: &Overview, summary: &Summary) -> Self {
        let Overview { largest, sample, doubtful, audit, .. } = overview;
        let in_clusters = largest.iter().chain(sample).flat_map(|cluster| {
            let members = cluster.members.iter().map(|member| &member.document);
            std::iter::once(&cluster.representative).chain(members)
        });
        let in_doubt = doubtful.iter().flat_map(|removal| [&removal.document, &removal.near]);
        let audited = audit.iter().flat_map(Audit::documents);
        let sources: BTreeSet<_> = in_clusters
            .chain(in_doubt)
            .chain(audited)
            .map(|ShownDocument { source, .. }| source.as_deref())
            .collect();
        let by = summary.by_source.by.clone();
        Self { by, several: sources.len() > 1, ids_repeat: summary.repeated_ids > 0 }
    }

    /// What stands above a column of them.
    pub(super) fn column(&self) -> &str {
        if self.by == "file" { "source" } else { &self.by }
    }

    /// The name of one; none where all documents are of it.
    pub(super) fn of(&self, source: Option<&str>) -> Option<String> {
        let named = || source.map_or_else(|| without(&self.by), visible);
        self.several.then(named)
    }

    /// Where a document stands; none where its id alone names it.
    pub(super) fn place(&self, document: &ShownDocument) -> Option<String> {
        self.ids_repeat.then(|| visible(&document.excerpt.place))
    }
}

/// What documents are called that have no value of a field.
pub(super) fn without(by: &str) -> String {
    format!("without {by}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_dedup::{BySource, Member, ShownCluster};

    #[test]
    fn sources_are_named_where_there_are_several() {
        let of = |source: Option<&str>| ShownDocument {
            source: source.map(str::to_owned),
            ..ShownDocument::default()
        };
        let overview = |sources: [Option<&str>; 2]| {
            let [representative, document] = sources.map(of);
            let members = vec![Member { document, ..Member::default() }];
            let cluster = ShownCluster { representative, members, ..ShownCluster::default() };
            Overview { sample: vec![cluster], ..Overview::default() }
        };
        let summary = |by: &str| Summary {
            by_source: BySource { by: by.to_owned(), ..BySource::default() },
            ..Summary::default()
        };
        let one = SourceNames::of_shown(&overview([Some("a"), Some("a")]), &summary("file"));
        assert_eq!((one.of(Some("a")), one.column()), (None, "source"));
        let two = SourceNames::of_shown(&overview([Some("a"), None]), &summary("dump"));
        let names = [Some("a"), None].map(|source| two.of(source).unwrap());
        assert_eq!((names, two.column()), (["a", "without dump"].map(str::to_owned), "dump"));
    }
}
