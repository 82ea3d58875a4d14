//! The curves of an evaluation as a picture: of one recipe precision, recall and F1, of several their F1.

use crate::flags::likeness::measured;
use crate::verb::evaluate::side_by_side::Judgement;
use anyhow::anyhow;
use nearprint_evaluation::{Curve, Estimate, Limit, Point};
use plotters::coord::Shift;
use plotters::prelude::*;

const WIDTH: u32 = 960;
const HEIGHT: u32 = 380;
const INK: RGBColor = RGBColor(38, 50, 56);
const FONT: &str = "sans-serif";
/// Colours that are told apart by people who see few.
const LINES: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(120, 94, 60),
    RGBColor(80, 80, 80),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// A line of a chart with the interval around it.
struct Line {
    name: String,
    /// Where it is, the figure, and its interval.
    points: Vec<(f64, Estimate)>,
}

/// One chart: lines over radii or similarities.
pub(super) struct Picture {
    pub(super) title: &'static str,
    across: String,
    ends: (f64, f64),
    lines: Vec<Line>,
}

/// All pictures of an evaluation.
pub(super) fn pictures(judgements: &[Judgement]) -> Vec<Picture> {
    let radius = picture(judgements, "By radius", |one| one.judged.by_radius.as_ref());
    let similarity = picture(judgements, "By similarity", |one| one.judged.by_similarity.as_ref());
    [radius, similarity].into_iter().flatten().collect()
}

fn picture(
    judgements: &[Judgement],
    title: &'static str,
    curve: impl Fn(&Judgement) -> Option<&Curve>,
) -> Option<Picture> {
    let with_curve = judgements.iter().filter_map(|one| Some((one, curve(one)?)));
    let with_curve: Vec<_> = with_curve.collect();
    let line = |name: String, curve: &Curve, figure: fn(&Point) -> Estimate| Line {
        name,
        points: curve.points.iter().map(|point| (place(point.limit), figure(point))).collect(),
    };
    let lines: Vec<_> = match with_curve.as_slice() {
        [] => return None,
        [(_, curve)] => vec![
            line("precision".to_owned(), curve, |point| point.pairs.score.precision),
            line("recall".to_owned(), curve, |point| point.pairs.score.recall),
            line("F1".to_owned(), curve, |point| point.pairs.score.f1),
        ],
        several => {
            let f1 = |(one, curve): &(&Judgement, &Curve)| {
                line(format!("F1 of {}", one.name()), curve, |point| point.pairs.score.f1)
            };
            several.iter().map(f1).collect()
        }
    };
    let places = lines.iter().flat_map(|line| &line.points).map(|(place, _)| *place);
    let low = places.clone().fold(f64::INFINITY, f64::min);
    let high = places.fold(f64::NEG_INFINITY, f64::max);
    let measures = with_curve.iter().filter_map(|(_, curve)| curve.measure);
    let mut measures: Vec<_> = measures.map(measured).collect();
    measures.dedup();
    // Strict settings stand on the left in both.
    let (across, ends) = match measures.as_slice() {
        [] => ("bits that may differ".to_owned(), (low, high.max(low + 1.0))),
        measures => (format!("least {}", measures.join(" or ")), (1.0, low.min(0.99))),
    };
    Some(Picture { title, across, ends, lines })
}

fn place(limit: Limit) -> f64 {
    match limit {
        Limit::K(k) => f64::from(k),
        Limit::Similarity(similarity) => similarity,
    }
}

/// The whole as SVG, whose text is text.
pub(super) fn svg(judgements: &[Judgement]) -> anyhow::Result<String> {
    let pictures = pictures(judgements);
    let mut svg = String::new();
    {
        let count = u32::try_from(pictures.len().max(1))?;
        let root = SVGBackend::with_string(&mut svg, (WIDTH, HEIGHT * count)).into_drawing_area();
        root.fill(&WHITE).map_err(|error| anyhow!("the picture: {error}"))?;
        let areas = root.split_evenly((pictures.len().max(1), 1));
        for (area, picture) in areas.iter().zip(&pictures) {
            picture.draw(area).map_err(|error| anyhow!("the picture: {error}"))?;
        }
        root.present().map_err(|error| anyhow!("the picture: {error}"))?;
    }
    Ok(svg)
}

impl Picture {
    /// The picture alone, for a page.
    pub(super) fn svg(&self) -> anyhow::Result<String> {
        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, (WIDTH, HEIGHT)).into_drawing_area();
            root.fill(&WHITE).map_err(|error| anyhow!("the picture: {error}"))?;
            self.draw(&root).map_err(|error| anyhow!("the picture: {error}"))?;
            root.present().map_err(|error| anyhow!("the picture: {error}"))?;
        }
        // In a page of HTML the name space goes without saying.
        Ok(svg.replace(" xmlns=\"http://www.w3.org/2000/svg\"", ""))
    }

    fn draw(&self, area: &Area<'_>) -> Drawn {
        let mut chart = ChartBuilder::on(area)
            .margin(14)
            .margin_right(24)
            .caption(self.title, (FONT, 18).into_font().color(&INK))
            .x_label_area_size(38)
            .y_label_area_size(56)
            .build_cartesian_2d(self.ends.0..self.ends.1, 0.0..1.02)?;
        let decimals = usize::from(self.ends.0 > self.ends.1) * 2;
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .bold_line_style(INK.mix(0.12))
            .axis_style(INK.mix(0.6))
            .label_style((FONT, 13).into_font().color(&INK))
            .x_desc(self.across.as_str())
            .x_labels(11)
            .y_labels(6)
            .x_label_formatter(&|x| format!("{x:.decimals$}"))
            .y_label_formatter(&|y| format!("{y:.1}"))
            .draw()?;
        for (line, color) in self.lines.iter().zip(LINES.iter().cycle()) {
            let highs = line.points.iter().map(|(x, figure)| (*x, figure.interval.high));
            let lows = line.points.iter().rev().map(|(x, figure)| (*x, figure.interval.low));
            let band: Vec<_> = highs.chain(lows).collect();
            chart.draw_series(std::iter::once(Polygon::new(band, color.mix(0.12))))?;
            let values = line.points.iter().map(|(x, figure)| (*x, figure.value));
            let color = *color;
            chart
                .draw_series(LineSeries::new(values, color.stroke_width(2)))?
                .label(line.name.as_str())
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 16, y)], color.stroke_width(2))
                });
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerMiddle)
            .background_style(WHITE.mix(0.9))
            .border_style(INK.mix(0.2))
            .label_font((FONT, 13).into_font().color(&INK))
            .draw()?;
        Ok(())
    }
}
