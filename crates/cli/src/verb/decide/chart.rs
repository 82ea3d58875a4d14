//! What each similarity would leave, as a picture.

use crate::show::chart::{Axis, Curve, Figure, Ink, Kind, Numbers, Panel, Point};
use nearprint_dedup::Swept;

/// The shares of documents and of text that stay, of what the highest similarity leaves.
#[expect(clippy::cast_precision_loss, reason = "a share")]
pub(super) fn figure(swept: &[Swept]) -> Figure {
    let ends = [swept.first(), swept.last()].map(|one| one.map_or(0.0, |one| one.similarity));
    let [from, to] = ends;
    let text = swept.iter().map(|one| one.bytes).max().unwrap_or(0) as f64;
    let documents = |one: &Swept| one.kept as f64 / ((one.kept + one.removed) as f64).max(1.0);
    let bytes = |one: &Swept| one.bytes as f64 / text.max(1.0);
    let curve = |name: String, number, share: &dyn Fn(&Swept) -> f64| Curve {
        name,
        kind: Kind::Line,
        ink: Ink::Curve(number),
        points: swept.iter().map(|one| Point::at(one.similarity, share(one))).collect(),
    };
    let panel = Panel {
        title: "What each similarity leaves".to_owned(),
        across: Axis::new("least similarity", (from, to.max(from + 0.01)), Numbers::Plain),
        up: Axis::new("share kept", (0.0, 1.0), Numbers::Percent),
        curves: vec![
            curve("of the documents".to_owned(), 0, &documents),
            curve(format!("of the text kept at similarity {to}"), 1, &bytes),
        ],
        marks: Vec::new(),
        height: Panel::HEIGHT,
    };
    Figure::below_one_another("Documents and text that each similarity leaves", vec![panel])
}
