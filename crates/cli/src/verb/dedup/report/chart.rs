//! A bar chart of the page and its figures.

use crate::show::chart::{Axis, Curve, Figure, Ink, Kind, Numbers, Panel, Point, inline};

/// Pixels of a chart: three stand side by side on a desk, and one fills a phone.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 130.0;

/// A chart with its figures, which a page shows as a table too.
pub(super) struct Chart {
    /// What each bar stands for, and its figure.
    pub(super) bars: Vec<(String, u64)>,
    /// What the bars stand for.
    pub(super) across: &'static str,
    /// What is counted.
    pub(super) up: &'static str,
}

impl Chart {
    /// The picture.
    pub(super) fn svg(&self) -> String {
        let top = self.bars.iter().map(|(_, figure)| *figure).max().unwrap_or(0).max(1);
        let names = self.bars.iter().map(|(name, _)| name.clone()).collect();
        let bars = (0_u32..).zip(&self.bars).map(|(at, (_, figure))| {
            Point::between(f64::from(at), f64::from(at) + 1.0, float(*figure))
        });
        let panel = Panel {
            title: String::new(),
            across: Axis::of_names(self.across, names),
            // Room for the figure above the highest bar.
            up: Axis::new(self.up, (0.0, 1.16 * float(top)), Numbers::Count),
            curves: vec![Curve {
                name: String::new(),
                kind: Kind::Bars,
                ink: Ink::Curve(0),
                points: bars.collect(),
            }],
            marks: Vec::new(),
            height: HEIGHT,
        };
        inline(&Figure::below_one_another("", vec![panel]), WIDTH)
    }
}

#[expect(clippy::cast_precision_loss, reason = "for a picture")]
fn float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many bars as figures, each with a width and a height; also of a single one.
    #[test]
    fn every_figure_has_its_bar() {
        for count in [1, 2, 7, 30] {
            let bars = (1..=count).map(|at| (at.to_string(), at)).collect();
            let svg = Chart { bars, across: "sizes", up: "clusters" }.svg();
            let bars = svg.lines().filter(|line| line.starts_with("<rect"));
            let number = |line: &str, name: &str| -> f64 {
                let (_, value) = line.split_once(&format!(" {name}=\"")).unwrap();
                value.split('"').next().unwrap().parse().unwrap()
            };
            let drawn: Vec<_> =
                bars.map(|bar| (number(bar, "width"), number(bar, "height"))).collect();
            assert_eq!(drawn.len() as u64, count, "{svg}");
            assert!(drawn.iter().all(|(width, _)| *width > 5.0), "{drawn:?}");
            assert!(drawn.is_sorted_by(|a, b| a.1 < b.1), "{drawn:?}");
        }
    }
}
