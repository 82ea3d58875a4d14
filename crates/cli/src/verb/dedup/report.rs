//! The page of `dedup --report`: one file of HTML that needs nothing else and no network. Its one
//! script searches; what it shows is there without.
//! What it shows is found by the job; this makes it readable. The template escapes what documents say.

mod chart;
mod exhibit;
mod files;
mod filters;
mod source_names;
mod sources;

use crate::flags::likeness::{measured, portion};
use crate::show::chart::sheet;
use crate::show::figures::{bytes, count, percent};
use crate::show::remarks::{remarks, skipped};
use crate::show::warnings::warnings;
use askama::Template;
use chart::Chart;
use exhibit::{Couple, Exhibit, Nearly, doubt};
use files::Files;
use nearprint_dedup::{Excerpt, Finding, Overview, PairHistograms, ShownCluster, Summary};
use nearprint_fingerprint::Piece;
use source_names::SourceNames;
use sources::{Row, rows};
use std::fmt;

/// The most bars of similarities.
const BARS: usize = 25;

/// The page. It says nothing that differs between two runs of one job.
pub(crate) fn page(summary: &Summary, overview: &Overview) -> Result<String, fmt::Error> {
    let charts = charts(summary, overview).into_iter().map(Drawn::of);
    let near = summary.removed.saturating_sub(summary.exact);
    let kind = compared_by(summary);
    let share = |of: u64| percent(of, summary.kept + summary.removed);
    let names = SourceNames::of_shown(overview, summary);
    let exhibits = |clusters: &[ShownCluster]| {
        clusters.iter().map(|one| Exhibit::of(one, &names)).collect::<Vec<_>>()
    };
    let page = Page {
        summary,
        kind,
        shares: [
            Share { class: "kept", id: "kept", name: "kept", number: summary.kept },
            Share { class: "near", id: "", name: "near-duplicates", number: near },
            Share { class: "exact", id: "exact", name: "exact duplicates", number: summary.exact },
        ],
        kept_share: share(summary.kept),
        removed_share: share(summary.removed),
        figures: figures(summary, near),
        settings: settings(summary),
        remarks: [remarks(summary), skipped(summary)].concat(),
        warnings: warnings(summary),
        charts: charts.collect(),
        sheet: sheet(),
        exhibits: exhibits(&overview.largest),
        sample: exhibits(&overview.sample),
        doubtful: overview.doubtful.iter().map(|removal| doubt(removal, &names)).collect(),
        near: overview.audit.as_ref().map(|audit| Nearly::of(audit, kind, &names)),
        files: Files::of(&overview.sources),
        sources: rows(&summary.by_source),
        names,
    };
    page.render().map_err(|_| fmt::Error)
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    summary: &'a Summary,
    /// What a similarity is one of.
    kind: &'static str,
    shares: [Share; 3],
    kept_share: String,
    removed_share: String,
    figures: Vec<Figure>,
    settings: Vec<Setting>,
    remarks: Vec<String>,
    warnings: Vec<String>,
    charts: Vec<Drawn>,
    sheet: String,
    exhibits: Vec<Exhibit>,
    sample: Vec<Exhibit>,
    /// The most doubtful removals, each with the size of its cluster.
    doubtful: Vec<(u64, Couple)>,
    near: Option<Nearly>,
    files: Files,
    sources: Vec<Row>,
    names: SourceNames,
}

impl Page<'_> {
    const SHOWN: usize = ShownCluster::MEMBERS;
    const SEED: u64 = Overview::SEED;
    const COMPARED: usize = Excerpt::BYTES;
    /// What tells the page's own script from all that a document could bring: its SHA-256.
    const SCRIPT: &'static str = "sha256-nL98aLhzX90JTFiVoYrQMYXAmc9fhUUNF+Sm01JXcJ4=";

    /// Documents of the input, without those of the reference.
    fn documents(&self) -> u64 {
        self.summary.documents - self.summary.reference
    }

    /// What the removed documents are.
    fn removed_are(&self) -> &'static str {
        let is_star = self.summary.cluster_rule == "star";
        match (self.summary.keep.as_str(), self.summary.reference) {
            ("none", _) => "each is a near-duplicate of another one, and none of a cluster is kept",
            (_, 0) if is_star => "each is a near-duplicate of one that is kept",
            (_, 0) => "each is a near-duplicate of one that is kept, or linked to it by others",
            _ if is_star => "each is a near-duplicate of one that is kept or is in the reference",
            _ => {
                "each is a near-duplicate of one that is kept or is in the reference, or linked to it by others"
            }
        }
    }

    /// What becomes of the document that others are compared with.
    fn representative(&self) -> &'static str {
        if self.summary.keep == "none" { "representative" } else { "kept" }
    }

    /// What becomes of the document because of which another goes.
    fn near_is(&self) -> &'static str {
        if self.summary.keep == "none" { "also removed" } else { "kept" }
    }

    /// Clusters that are not among the largest.
    fn others(&self) -> u64 {
        self.summary.clusters.saturating_sub(self.exhibits.len() as u64)
    }

    /// How wide a share is, in percent.
    fn width(&self, share: &Share) -> String {
        percent(share.number, self.summary.kept + self.summary.removed).replace(" %", "%")
    }
}

/// A part of all documents that were read.
struct Share {
    class: &'static str,
    /// Its name in the summary, where it has one there.
    id: &'static str,
    name: &'static str,
    number: u64,
}

/// A number and what it counts; `id` is its name in the summary.
struct Figure {
    id: &'static str,
    name: &'static str,
    number: u64,
    note: String,
}

/// Something that was chosen, and what it means.
struct Setting {
    name: &'static str,
    value: String,
    meaning: String,
}

/// A chart and its picture.
struct Drawn {
    title: &'static str,
    note: String,
    chart: Chart,
    svg: String,
}

impl Drawn {
    fn of((title, note, chart): (&'static str, String, Chart)) -> Self {
        let svg = chart.svg();
        Self { title, note, chart, svg }
    }
}

fn figures(summary: &Summary, near: u64) -> Vec<Figure> {
    let figure = |id, name, number, note: String| Figure { id, name, number, note };
    let read = format!("{} of records", bytes(summary.bytes));
    let mut figures = vec![
        figure("documents", "documents read", summary.documents - summary.reference, read),
        figure(
            "removed",
            "removed",
            summary.removed,
            format!("{} as near-duplicates", count(near)),
        ),
        figure("clusters", "clusters", summary.clusters, "of two documents and more".to_owned()),
        figure(
            "largest_cluster",
            "documents in the largest",
            summary.largest_cluster,
            String::new(),
        ),
    ];
    let candidates = format!("{} compared by their features", count(summary.compared));
    figures.push(figure("candidates", "candidate pairs", summary.candidates, candidates));
    if summary.cut_short > 0 {
        let note = "with all documents that may be near; --recall exact compares all".to_owned();
        figures.push(figure("cut_short", "not compared", summary.cut_short, note));
    }
    if summary.reference > 0 {
        let note = "compared with, not written".to_owned();
        figures.push(figure("reference", "in the reference", summary.reference, note));
    }
    if summary.skipped.total > 0 {
        let note = "because of errors".to_owned();
        figures.push(figure("skipped", "skipped", summary.skipped.total, note));
    }
    figures
}

fn settings(summary: &Summary) -> Vec<Setting> {
    let setting = |name, value: &str, meaning: &str| {
        let (value, meaning) = (value.to_owned(), meaning.to_owned());
        Setting { name, value, meaning }
    };
    let verified = match summary.verify.as_str() {
        "none" => "the radius alone decides",
        _ => "pairs must be at least this similar",
    };
    let (star, connected) = (
        "every member is a near-duplicate of the kept document",
        "members are near-duplicates of it, or linked to it by others",
    );
    let found = match summary.method.bands.zip(summary.method.rows) {
        Some((bands, rows)) => format!("{bands} bands of {rows} rows"),
        None if summary.method.name == Finding::Radius.name() => {
            format!("a radius of {} bits", summary.k)
        }
        None => summary.method.name.to_owned(),
    };
    let share = summary.method.recall_at_similarity.zip(summary.method.similarity);
    let share = share.map_or_else(
        || "every pair is found".to_owned(),
        |(recall, similarity)| {
            let measure = measured(summary.method.measure.unwrap_or_default());
            format!("{} the pairs at {measure} {similarity} are found", portion(recall))
        },
    );
    vec![
        setting("recipe", &summary.recipe, &format!("id {}", summary.recipe_id)),
        setting("width", &format!("{} bits", summary.width), "of a fingerprint"),
        setting("found by", &found, &share),
        setting("verified by", &summary.verify, verified),
        setting(
            "clusters",
            &summary.cluster_rule,
            if summary.cluster_rule == "star" { star } else { connected },
        ),
        setting("keep", &summary.keep, "which document of a cluster is kept"),
    ]
}

/// What the similarity of two documents is.
fn compared_by(summary: &Summary) -> &'static str {
    match summary.verify.split('=').next().unwrap_or_default() {
        "none" => "estimated cosine",
        "cosine" => "cosine",
        "containment" => "containment",
        "weighted-jaccard" => "weighted Jaccard",
        _ => "Jaccard",
    }
}

/// Whether pairs are found by what they share, whatever their fingerprints.
fn is_exact(summary: &Summary) -> bool {
    summary.method.name == Finding::Prefixes.name()
}

/// The charts, with their titles and what is to be known of them.
fn charts(summary: &Summary, overview: &Overview) -> Vec<(&'static str, String, Chart)> {
    if overview.sizes.is_empty() {
        return Vec::new();
    }
    let note = format!("The largest holds {} documents.", count(summary.largest_cluster));
    let sizes = Chart { bars: classes(&overview.sizes), across: "documents", up: "clusters" };
    let mut charts = vec![("Sizes of clusters", note, sizes)];
    let PairHistograms { distances, similarities } = &overview.pairs;
    let pairs = overview.pairs.pairs();
    if pairs > 0 {
        let longest =
            distances.len().max(if is_exact(summary) { 0 } else { summary.k as usize + 1 });
        let counts = distances.iter().copied().chain(std::iter::repeat(0));
        let bars = counts.take(longest).enumerate().map(|(at, pairs)| (at.to_string(), pairs));
        let chart = Chart { bars: bars.collect(), across: "bits that differ", up: "pairs" };
        let limit = match is_exact(summary) {
            true => "at any distance".to_owned(),
            false => format!("at most {} bits apart", summary.k),
        };
        let note = format!(
            "{} pair{} of different content; {limit}.",
            count(pairs),
            if pairs == 1 { "" } else { "s" }
        );
        charts.push(("Distances of pairs", note, chart));
    }
    if let Some(first) = similarities.iter().position(|pairs| *pairs > 0) {
        let step =
            [1, 2, 4, 5, 10].into_iter().find(|step| first + step * BARS >= similarities.len());
        let step = step.unwrap_or(BARS);
        let first = first - first % step;
        let parts = similarities.get(first..).unwrap_or_default().chunks(step);
        let bars = parts.enumerate().map(|(at, part)| {
            let percent = first + at * step;
            (format!("{}.{:02}", percent / 100, percent % 100), part.iter().sum())
        });
        let across = match compared_by(summary) {
            "cosine" => "cosine, from",
            "containment" => "containment, from",
            "weighted Jaccard" => "weighted Jaccard similarity, from",
            _ => "Jaccard similarity, from",
        };
        let chart = Chart { bars: bars.collect(), across, up: "pairs" };
        let note = format!("Verified by {}.", summary.verify);
        charts.push(("Similarities of pairs", note, chart));
    }
    charts
}

/// Sizes in classes, each of which reaches to the next power of two.
fn classes(sizes: &[(u64, u64)]) -> Vec<(String, u64)> {
    let class = |size: u64| size.max(2).next_power_of_two().ilog2();
    let last = sizes.last().map_or(1, |(size, _)| class(*size));
    let name = |class: u32| match class {
        1 => "2".to_owned(),
        _ => format!("{}–{}", count((1_u64 << (class - 1)) + 1), count(1_u64 << class)),
    };
    let mut classes: Vec<_> = (1..=last).map(|class| (name(class), 0)).collect();
    for (size, clusters) in sizes {
        let at = usize::try_from(class(*size) - 1).ok();
        if let Some((_, number)) = at.and_then(|at| classes.get_mut(at)) {
            *number += clusters;
        }
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use nearprint_dedup::{Evidence, Member, ShownDocument, SourceFate};
    use nearprint_fingerprint::Measure;

    #[test]
    fn sizes_fall_into_classes_up_to_the_largest() {
        let classes = classes(&[(2, 7), (3, 1), (4, 1), (5, 1), (1025, 2)]);
        let named = |name: &str| classes.iter().find(|(of, _)| of == name).map(|(_, n)| *n);
        assert_eq!(["2", "3–4", "5–8", "9–16"].map(named), [Some(7), Some(2), Some(1), Some(0)]);
        assert_eq!((named("1,025–2,048"), classes.len()), (Some(2), 11));
    }

    #[test]
    fn what_documents_say_is_escaped() {
        let excerpt = |text: &str| Excerpt {
            id: "\"<b id=x>\"".to_owned(),
            text: text.to_owned(),
            bytes: text.len() as u64,
            ..Excerpt::default()
        };
        let document =
            |text| ShownDocument { excerpt: excerpt(text), source: Some("s<i>.jsonl".to_owned()) };
        let member = |text| Member {
            document: document(text),
            evidence: Evidence::measured(2, 0.9, Measure::Jaccard),
        };
        let largest = vec![ShownCluster {
            number: 0,
            size: 2,
            representative: document("<script>alert(1)</script> one & two"),
            members: vec![member("<script>alert(1)</script> one & \"three\"")],
        }];
        let name = "a<i>.jsonl".to_owned();
        let sources = vec![SourceFate { name, documents: 2, kept: 1, ..SourceFate::default() }];
        let overview = Overview { largest, sources, sizes: vec![(2, 1)], ..Overview::default() };
        let page = page(&Summary::default(), &overview).unwrap();
        let (before, rest) = page.split_once("<script>").unwrap();
        let (script, after) = rest.split_once("</script>").unwrap();
        for raw in ["<script", "<i>", "<b id", "& "] {
            assert!(!before.contains(raw) && !after.contains(raw), "{raw}");
        }
        assert!(before.contains("script"));
        let hash = ring::digest::digest(&ring::digest::SHA256, script.as_bytes());
        let hash = base64::prelude::BASE64_STANDARD.encode(hash);
        assert_eq!(Page::SCRIPT, format!("sha256-{hash}"));
        assert!(before.contains(&format!("script-src '{}'", Page::SCRIPT)), "{before}");
    }
}
