//! The page of `evaluate --page`: one file of HTML that needs nothing else, no script and no network. The template
//! escapes what documents say.

use crate::show::chart::{inline, sheet};
use crate::show::figures::count;
use crate::verb::evaluate::plot;
use crate::verb::evaluate::side_by_side::{Judgement, SHOWN};
use crate::verb::evaluate::tables::{axis, labels, limit, of_clusters, shown};
use askama::Template;
use nearprint_evaluation::{Case, Estimate, Gold, Point, three_digits};

/// Pixels of the picture on a desk and on a phone, where a page of 390 keeps a margin on both sides.
const WIDE: f64 = 1120.0;
const NARROW: f64 = 360.0;

#[derive(Template)]
#[template(path = "evaluate.html")]
struct Page {
    labels: String,
    unknown: Option<String>,
    /// What a reader of figures of clusters has to know.
    of_clusters: Vec<String>,
    /// The colours of the picture, and the picture for a wide and for a narrow window.
    sheet: String,
    wide: String,
    narrow: String,
    parts: Vec<Part>,
}

/// What is shown of one recipe at one width.
struct Part {
    name: String,
    curves: Vec<Table>,
    setting: Option<Shown>,
}

/// A curve as a table.
struct Table {
    name: &'static str,
    head: &'static str,
    rows: Vec<Row>,
}

struct Row {
    limit: String,
    best: bool,
    figures: Vec<Figure>,
}

/// A figure and its interval, as text.
struct Figure {
    value: String,
    interval: String,
}

/// A setting of `dedup`.
struct Shown {
    said: String,
    rows: Vec<(&'static str, Vec<Figure>)>,
    counts: String,
    cases: Vec<(&'static str, u64, Vec<Shape>)>,
}

/// A case as text.
struct Shape {
    a: String,
    b: String,
    reason: String,
    numbers: String,
    only_a: String,
    only_b: String,
}

/// The page as HTML.
pub(super) fn page(judgements: &[Judgement], gold: &Gold) -> anyhow::Result<String> {
    let drawn = plot::figure(judgements);
    let unknown = gold.unknown();
    let page = Page {
        labels: labels(gold),
        of_clusters: of_clusters(judgements, gold),
        unknown: (!unknown.is_empty()).then(|| {
            let first = unknown.iter().take(20).map(String::as_str).collect::<Vec<_>>().join(", ");
            format!("{} ids in labels that no document has: {first}", count(unknown.len() as u64))
        }),
        sheet: sheet(),
        wide: inline(&drawn, WIDE),
        narrow: inline(&drawn, NARROW),
        parts: judgements.iter().map(part).collect(),
    };
    Ok(page.render()?)
}

fn part(one: &Judgement) -> Part {
    let judged = &one.judged;
    let curves = [&judged.by_radius, &judged.by_similarity].into_iter().flatten().map(|curve| {
        let (name, head) = axis(curve);
        let rows = shown(curve).into_iter().map(|(point, best)| row(point, best));
        Table { name, head, rows: rows.collect() }
    });
    let setting = judged.dedup.as_ref().map(|setting| {
        let (pairs, clusters) = (&setting.pairs, &setting.clusters);
        let scores = [
            ("pairs", pairs.score),
            ("pairs of one cluster", clusters.pairs.score),
            ("B-cubed", clusters.b_cubed),
        ];
        let rows = scores.map(|(name, score)| {
            (name, [score.precision, score.recall, score.f1].map(figure).into())
        });
        let cases = |cases: &[Case]| cases.iter().take(SHOWN).map(shape).collect();
        Shown {
            said: one.setting.clone().unwrap_or_default(),
            rows: rows.into(),
            counts: format!(
                "{} pairs right, {} wrong, {} missed; adjusted Rand index {}; {} documents kept, {} removed",
                count(pairs.right),
                count(pairs.wrong),
                count(pairs.missed),
                clusters.adjusted_rand,
                count(setting.kept),
                count(setting.removed)
            ),
            cases: vec![
                ("Missed pairs", pairs.missed, cases(&setting.missed)),
                ("Wrong pairs", pairs.wrong, cases(&setting.wrong)),
            ],
        }
    });
    Part { name: one.name(), curves: curves.collect::<Vec<_>>(), setting }
}

fn row(Point { limit: at, pairs, clusters }: &Point, best: bool) -> Row {
    let score = &pairs.score;
    let figures =
        [score.precision, score.recall, score.f1, clusters.adjusted_rand, clusters.b_cubed.f1];
    Row { limit: limit(*at), best, figures: figures.map(figure).into() }
}

fn figure(Estimate { value, interval }: Estimate) -> Figure {
    Figure {
        value: three_digits(value),
        interval: format!("{} to {}", three_digits(interval.low), three_digits(interval.high)),
    }
}

fn shape(case: &Case) -> Shape {
    let only = |in_a: bool| {
        let more = case.differ.iter().filter(|one| (one.a > one.b) == in_a);
        more.map(|one| one.feature.as_str()).collect::<Vec<_>>().join(" · ")
    };
    Shape {
        a: case.a.clone(),
        b: case.b.clone(),
        reason: case.reason.clone(),
        numbers: format!(
            "{} bits differ, similarity {:.3}, containment {:.3}; {} and {} features, {} differ",
            case.distance,
            case.similarity,
            case.containment,
            case.features.a,
            case.features.b,
            case.features.differ
        ),
        only_a: only(true),
        only_b: only(false),
    }
}
