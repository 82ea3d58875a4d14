//! The curves of an evaluation as a picture: precision, recall and F1 side by side, over radii and over similarities.

use crate::flags::likeness::measured;
use crate::show::chart::{Axis, Curve, Figure, Ink, Kind, Mark, Numbers, Panel, Point};
use crate::verb::evaluate::side_by_side::Judgement;
use crate::verb::evaluate::tables::limit;
use nearprint_evaluation::{Curve as Judged, Estimate, Limit, Point as Scores, three_digits};

/// What a chart shows of a point of a curve.
type Measure = (&'static str, fn(&Scores) -> Estimate);

const DRAWN: [Measure; 3] = [
    ("Precision", |point| point.pairs.score.precision),
    ("Recall", |point| point.pairs.score.recall),
    ("F1", |point| point.pairs.score.f1),
];
/// Those that only rows of numbers have.
const TOLD: [Measure; 2] = [
    ("Adjusted Rand index", |point| point.clusters.adjusted_rand),
    ("B-cubed F1", |point| point.clusters.b_cubed.f1),
];

/// A curve of each recipe that has one.
type Curves<'a> = Vec<(&'a Judgement, &'a Judged)>;

/// The picture of all curves.
pub(super) fn figure(judgements: &[Judgement]) -> Figure {
    let of = |curve: fn(&Judgement) -> Option<&Judged>| -> Curves<'_> {
        judgements.iter().filter_map(|one| Some((one, curve(one)?))).collect()
    };
    let by_radius = of(|one| one.judged.by_radius.as_ref());
    let by_similarity = of(|one| one.judged.by_similarity.as_ref());
    let both = [by_radius, by_similarity];
    let both = || both.iter().filter(|curves| !curves.is_empty());
    let panels = |measures: &[Measure]| -> Vec<Panel> {
        both().flat_map(|curves| measures.iter().map(|one| panel(curves, *one))).collect()
    };
    let note = match judgements {
        [_] => "Shaded: 95 % intervals, over groups of documents. Marked: the best F1.",
        _ => "",
    };
    Figure {
        title: "Precision, recall and F1 of pairs".to_owned(),
        panels: panels(&DRAWN),
        columns: DRAWN.len(),
        note: note.to_owned(),
        told: panels(&TOLD),
    }
}

fn panel(curves: &Curves<'_>, (name, measure): Measure) -> Panel {
    let several = curves.len() > 1;
    let drawn = (0..).zip(curves).map(|(number, (one, curve))| {
        let points = curve.points.iter().map(|point| {
            let Estimate { value, interval } = measure(point);
            let at = Point::at(place(point.limit), value);
            Point { interval: Some((interval.low, interval.high)), ..at }
        });
        let mut points: Vec<_> = points.collect();
        points.sort_by(|a, b| a.from.total_cmp(&b.from));
        let name = if several { one.name() } else { String::new() };
        Curve { name, kind: Kind::Line, ink: Ink::Curve(number), points }
    });
    let drawn: Vec<Curve> = drawn.collect();
    let places = || drawn.iter().flat_map(|curve| &curve.points).map(|point| point.from);
    let low = places().fold(f64::INFINITY, f64::min);
    let high = places().fold(f64::NEG_INFINITY, f64::max);
    let mut measures: Vec<_> =
        curves.iter().filter_map(|(_, curve)| curve.measure).map(measured).collect();
    measures.dedup();
    let by_radius = measures.is_empty();
    let across = match by_radius {
        true => Axis::new("bits that may differ", (low, high), Numbers::Count),
        false => Axis::new(
            format!("least {}", measures.join(" or ")),
            (low, high.max(low + 0.01)),
            Numbers::Plain,
        ),
    };
    let best = match (curves.as_slice(), name) {
        ([(_, curve)], "F1") => curve.best(),
        _ => None,
    };
    let marks = best.map(|best| Mark {
        at: place(best.limit),
        name: format!("{} at {}", three_digits(best.pairs.score.f1.value), limit(best.limit)),
        range: None,
    });
    Panel {
        title: format!("{name} by {}", if by_radius { "radius" } else { "similarity" }),
        across,
        up: Axis::new("", (0.0, 1.0), Numbers::Plain),
        curves: drawn,
        marks: marks.into_iter().collect(),
        height: Panel::HEIGHT,
    }
}

fn place(limit: Limit) -> f64 {
    match limit {
        Limit::K(k) => f64::from(k),
        Limit::Similarity(similarity) => similarity,
    }
}
