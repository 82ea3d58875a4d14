//! How similar documents are and what would go, as a picture.

use crate::show::chart::{Axis, Curve, Figure, Ink, Kind, Mark, Numbers, Panel, Point};
use crate::show::figures::percentage;
use nearprint_evaluation::{Prediction, Tuning, Valley};

/// What stands between two marks of one place.
const SAME: f64 = 0.005;

/// The picture: where documents have their nearest one, and the share that goes by each similarity.
pub(super) fn figure(tuning: &Tuning) -> Figure {
    Figure {
        note: "Shaded: 95 % intervals.".to_owned(),
        ..Figure::below_one_another(
            "How similar documents are, and what would be removed",
            vec![nearest(tuning), going(tuning)],
        )
    }
}

/// The share of documents whose nearest one is so similar, with the valley between those that have a near-duplicate and
/// those that have none.
fn nearest(tuning: &Tuning) -> Panel {
    let similarities = &tuning.similarities;
    let step = similarities.step;
    let bars = (0_u32..).zip(&similarities.nearest).map(|(at, share)| {
        let from = step.mul_add(f64::from(at), similarities.from);
        Point::between(from, from + step, *share)
    });
    let valley = similarities.valley.filter(Valley::is_clear).map(|valley| Mark {
        at: valley.similarity,
        name: format!(
            "valley {:.2} ({:.2} to {:.2})",
            valley.similarity, valley.interval.low, valley.interval.high
        ),
        range: Some((valley.interval.low, valley.interval.high)),
    });
    let is_valley = |mark: &Mark| (mark.at - tuning.threshold).abs() < SAME;
    let chosen = (!valley.as_ref().is_some_and(is_valley)).then(|| Mark {
        at: tuning.threshold,
        name: match valley {
            Some(_) => format!("chosen {}", tuning.threshold),
            None => format!("no clear valley; marked {}", tuning.threshold),
        },
        range: None,
    });
    let top = similarities.nearest.iter().copied().fold(0.001, f64::max);
    Panel {
        title: "Documents by similarity to the nearest one".to_owned(),
        across: across(tuning),
        up: Axis::new("share of all documents", (0.0, 1.05 * top), Numbers::Percent),
        curves: vec![Curve {
            name: String::new(),
            kind: Kind::Bars,
            ink: Ink::Curve(0),
            points: bars.collect(),
        }],
        marks: valley.into_iter().chain(chosen).collect(),
        height: Panel::HEIGHT,
    }
}

/// The share of documents that go by the similarity, with its interval.
fn going(tuning: &Tuning) -> Panel {
    let by_similarity = tuning.predictions.iter().filter(|one| one.finding == "bands");
    let mut all: Vec<&Prediction> = by_similarity.collect();
    all.sort_by(|a, b| a.similarity.total_cmp(&b.similarity));
    let points = all.iter().map(|one| Point {
        interval: Some((one.goes.interval.low, one.goes.interval.high)),
        ..Point::at(one.similarity, one.goes.value)
    });
    let taken = all.iter().find(|one| (one.similarity - tuning.threshold).abs() < SAME);
    let taken = taken.map(|one| Mark {
        at: one.similarity,
        name: format!("{} % at {}", percentage(one.goes.value), one.similarity),
        range: None,
    });
    let top = all.iter().map(|one| one.goes.interval.high).fold(0.001, f64::max);
    Panel {
        title: "Share removed, by threshold".to_owned(),
        across: across(tuning),
        up: Axis::new("share of all documents", (0.0, 1.05 * top), Numbers::Percent),
        curves: vec![Curve {
            name: String::new(),
            kind: Kind::Line,
            ink: Ink::Curve(0),
            points: points.collect(),
        }],
        marks: taken.into_iter().collect(),
        height: Panel::HEIGHT,
    }
}

fn across(tuning: &Tuning) -> Axis {
    Axis::new("Jaccard similarity", (tuning.similarities.from, 1.0), Numbers::Plain)
}
