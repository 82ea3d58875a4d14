//! How similar documents are and what would go, as a picture.

use anyhow::anyhow;
use nearprint_evaluation::{Prediction, Tuning};
use plotters::prelude::*;
use std::error::Error;

const SIZE: (u32, u32) = (960, 720);
const INK: RGBColor = RGBColor(38, 50, 56);
const FOUND: RGBColor = RGBColor(46, 111, 187);
const CHOSEN: RGBColor = RGBColor(217, 95, 14);
const FONT: &str = "sans-serif";

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// The picture as SVG, whose text is text.
pub(super) fn svg(tuning: &Tuning) -> anyhow::Result<String> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let drawn = root.fill(&WHITE).map_err(Into::into).and_then(|()| {
            let (upper, lower) = root.split_vertically(SIZE.1 / 2);
            nearest(&upper, tuning).and_then(|()| going(&lower, tuning))
        });
        drawn
            .and_then(|()| Ok(root.present()?))
            .map_err(|error| anyhow!("the picture: {error}"))?;
    }
    Ok(svg)
}

type Drawn = Result<(), Box<dyn Error>>;

/// The share of documents whose nearest one is so similar.
fn nearest(area: &Area<'_>, tuning: &Tuning) -> Drawn {
    let similarities = &tuning.similarities;
    let top = similarities.nearest.iter().copied().fold(0.001, f64::max);
    let mut chart = chart(
        area,
        "Documents by similarity to the nearest one",
        similarities.from,
        1.1 * top,
        "share",
    )?;
    let bars = (0..).zip(&similarities.nearest).map(|(at, share)| {
        let from = similarities.step.mul_add(f64::from(at), similarities.from);
        Rectangle::new([(from, 0.0), (from + similarities.step, *share)], FOUND.filled())
    });
    chart.draw_series(bars)?;
    chosen(&mut chart, tuning.threshold, 1.1 * top)
}

/// The share of documents that go by the similarity, with its interval.
fn going(area: &Area<'_>, tuning: &Tuning) -> Drawn {
    let by_similarity = tuning.predictions.iter().filter(|one| one.finding == "bands");
    let all: Vec<&Prediction> = by_similarity.collect();
    let top = 1.1 * all.iter().map(|one| one.goes.interval.high).fold(0.001, f64::max);
    let mut chart =
        chart(area, "Share removed, by threshold", tuning.similarities.from, top, "share")?;
    chart.draw_series(all.iter().map(|one| {
        let ends =
            [(one.similarity, one.goes.interval.low), (one.similarity, one.goes.interval.high)];
        PathElement::new(ends, FOUND)
    }))?;
    chart.draw_series(LineSeries::new(
        all.iter().map(|one| (one.similarity, one.goes.value)),
        &FOUND,
    ))?;
    chosen(&mut chart, tuning.threshold, top)
}

type Chart<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

fn chart<'a, 'b>(
    area: &'a Area<'b>,
    caption: &str,
    from: f64,
    top: f64,
    up: &str,
) -> Result<Chart<'a, 'b>, Box<dyn Error>> {
    let mut chart = ChartBuilder::on(area)
        .caption(caption, (FONT, 18).into_font().color(&INK))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(from..1.0, 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_desc("Jaccard similarity")
        .y_desc(up)
        .label_style((FONT, 14).into_font().color(&INK))
        .draw()?;
    Ok(chart)
}

/// The line at the similarity to take.
fn chosen(chart: &mut Chart<'_, '_>, threshold: f64, top: f64) -> Drawn {
    chart.draw_series([PathElement::new(
        [(threshold, 0.0), (threshold, top)],
        CHOSEN.stroke_width(2),
    )])?;
    Ok(())
}
