//! The figures of `nearprint stats` as a picture: bits, leading bits and the spread over the range.

use super::figures::Figures;
use crate::show::chart::{Axis, Curve, Figure, Ink, Kind, Numbers, Panel, Point};
use nearprint_index::Histogram;

/// Where a logarithmic scale begins: below a single fingerprint.
const LEAST: f64 = 0.5;

/// The picture.
pub(super) fn figure(figures: &Figures) -> Figure {
    let panels = vec![bits(figures), leading(figures), spread(figures)];
    Figure::below_one_another("How the fingerprints of a corpus behave", panels)
}

/// The share of fingerprints in which each bit is set.
fn bits(figures: &Figures) -> Panel {
    let bits = figures.bits.bits();
    let title = format!(
        "Share of fingerprints with each bit set: {:.1} of {bits} bits effective",
        figures.bits.effective_bits()
    );
    let shares = (0..bits).map(|bit| figures.bits.share(bit));
    let up = Axis::new("share of fingerprints", (0.0, 1.05), Numbers::Percent);
    panel(title, ("bit", up), &shares.collect::<Vec<_>>(), |_| 0.5)
}

/// Where sorted fingerprints begin to differ. On this scale uniform fingerprints fall along a line, and
/// near-duplicates stand beside it.
fn leading(figures: &Figures) -> Panel {
    let bits = figures.bits.bits();
    let values: Vec<_> = (0..bits).map(|bit| float(figures.leading.count(bit))).collect();
    let expected = |bit: u32| figures.leading.expected(bit);
    let most = (0..bits).map(expected).fold(10.0, f64::max);
    let top = values.iter().copied().fold(most, f64::max);
    let up = Axis::new("fingerprints", (LEAST, 2.0 * top), Numbers::Count).logarithmic();
    let title = "Leading bit in which sorted fingerprints differ from the one before".to_owned();
    panel(title, ("bit", up), &values, expected)
}

/// How fingerprints are spread over their range.
fn spread(figures: &Figures) -> Panel {
    let counts = (0..Histogram::BUCKETS).map(|bucket| float(figures.histogram.count(bucket)));
    let values: Vec<_> = counts.collect();
    let even = float(figures.histogram.total()) / float(Histogram::BUCKETS as u64);
    let top = values.iter().copied().fold(even.max(1.0), f64::max);
    let up = Axis::new("fingerprints", (0.0, 1.05 * top), Numbers::Count);
    let title = format!("Fingerprints in {} equal parts of their range", Histogram::BUCKETS);
    panel(title, ("part", up), &values, |_| even)
}

/// A bar for each value, and a line for what uniform fingerprints would show.
fn panel(
    title: String,
    (across, up): (&str, Axis),
    values: &[f64],
    uniform: impl Fn(u32) -> f64,
) -> Panel {
    let bars = || (0_u32..).zip(values);
    let point = |at: u32, value| Point::between(f64::from(at), f64::from(at) + 1.0, value);
    let curve = |name: &str, kind, number, points: Vec<Point>| Curve {
        name: name.to_owned(),
        kind,
        ink: Ink::Curve(number),
        points,
    };
    Panel {
        title,
        across: Axis::new(across, (0.0, float(values.len() as u64)), Numbers::Count),
        up,
        curves: vec![
            curve("found", Kind::Bars, 0, bars().map(|(at, value)| point(at, *value)).collect()),
            curve(
                "if uniform",
                Kind::Steps,
                1,
                bars().map(|(at, _)| point(at, uniform(at))).collect(),
            ),
        ],
        marks: Vec::new(),
        height: Panel::HEIGHT,
    }
}

#[expect(clippy::cast_precision_loss, reason = "for a picture")]
fn float(count: u64) -> f64 {
    count as f64
}
