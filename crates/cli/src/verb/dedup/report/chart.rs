//! A bar chart as SVG in the text of a page, which gives it its colours by what stands in `fill` and
//! `stroke`.

use crate::show::figures::{count, grouped};
use plotters::coord::ranged1d::SegmentValue;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;

const SIZE: (u32, u32) = (400, 240);
/// The colours that the page's style sheet replaces.
const INK: RGBColor = RGBColor(1, 1, 1);
const BAR: RGBColor = RGBColor(2, 2, 2);
const RULE: RGBColor = RGBColor(3, 3, 3);
const FONT: &str = "sans-serif";
/// More bars than these have no room for their figures, and fewer of them for their names.
const CROWDED: usize = 14;

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
    pub(super) fn svg(&self) -> Result<String, Box<dyn Error>> {
        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
            let count_of = u32::try_from(self.bars.len())?;
            let top = self.bars.iter().map(|(_, figure)| *figure).max().unwrap_or(0).max(1);
            let (top, crowded) = (float(top), self.bars.len() > CROWDED);
            let mut chart = ChartBuilder::on(&root)
                .margin(4)
                .x_label_area_size(44)
                .y_label_area_size(52)
                .build_cartesian_2d(
                    (0..count_of.saturating_sub(1)).into_segmented(),
                    0.0..1.12 * top,
                )?;
            let name = |at: &SegmentValue<u32>| {
                let at = match at {
                    SegmentValue::CenterOf(at) | SegmentValue::Exact(at) => *at,
                    SegmentValue::Last => return String::new(),
                };
                let name = usize::try_from(at).ok().and_then(|at| self.bars.get(at));
                name.map_or_else(String::new, |(name, _)| name.clone())
            };
            chart
                .configure_mesh()
                .disable_x_mesh()
                .light_line_style(TRANSPARENT)
                .bold_line_style(RULE)
                .axis_style(RULE)
                .label_style((FONT, 13).into_font().color(&INK))
                .axis_desc_style((FONT, 13).into_font().color(&INK))
                .x_desc(self.across)
                .y_desc(self.up)
                .x_labels(if crowded { 8 } else { CROWDED })
                .y_labels(4)
                .x_label_formatter(&name)
                .y_label_formatter(&|up| axis(*up))
                .draw()?;
            chart.draw_series((0..count_of).zip(&self.bars).map(|(at, (_, figure))| {
                // A coordinate of one value has no second one.
                let end = match at + 1 == count_of {
                    true => SegmentValue::Last,
                    false => SegmentValue::Exact(at + 1),
                };
                let ends = [(SegmentValue::Exact(at), 0.0), (end, float(*figure))];
                let mut bar = Rectangle::new(ends, BAR.filled());
                bar.set_margin(0, 0, 1, 1);
                bar
            }))?;
            let style = (FONT, 12).into_font().color(&INK);
            let style = style.pos(Pos::new(HPos::Center, VPos::Bottom));
            let told = (0..count_of).zip(&self.bars).filter(|_| !crowded);
            let told = told.filter(|(_, (_, figure))| *figure > 0);
            chart.draw_series(told.map(|(at, (_, figure))| {
                let place = (SegmentValue::CenterOf(at), float(*figure));
                EmptyElement::at(place) + Text::new(count(*figure), (0, -3), style.clone())
            }))?;
            root.present()?;
        }
        // In a page of HTML the name space goes without saying.
        Ok(svg.replace(" xmlns=\"http://www.w3.org/2000/svg\"", ""))
    }
}

/// A number as an axis has it.
fn axis(value: f64) -> String {
    match value {
        1e6.. => format!("{:.1} M", value / 1e6),
        1e4.. => format!("{:.0} k", value / 1e3),
        _ if value.fract() > 0.0 => String::new(),
        _ => grouped(&format!("{value:.0}")),
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
            let svg = Chart { bars, across: "sizes", up: "clusters" }.svg().unwrap();
            let bars = svg.lines().filter(|line| line.contains("#020202"));
            let number = |line: &str, name: &str| -> u32 {
                let (_, value) = line.split_once(&format!(" {name}=\"")).unwrap();
                value.split('"').next().unwrap().parse().unwrap()
            };
            let drawn: Vec<_> =
                bars.map(|bar| (number(bar, "width"), number(bar, "height"))).collect();
            assert_eq!(drawn.len() as u64, count, "{svg}");
            assert!(drawn.iter().all(|(width, _)| *width > 5), "{drawn:?}");
            assert!(drawn.is_sorted_by(|a, b| a.1 < b.1), "{drawn:?}");
        }
    }
}
