//! What each similarity would leave, as a picture.

use anyhow::anyhow;
use nearprint_dedup::Swept;
use plotters::prelude::*;
use std::error::Error;

const SIZE: (u32, u32) = (960, 400);
const INK: RGBColor = RGBColor(38, 50, 56);
const DOCUMENTS: RGBColor = RGBColor(0, 114, 178);
const TEXT: RGBColor = RGBColor(213, 94, 0);
const FONT: &str = "sans-serif";

/// The shares of documents and of text that stay, of what the highest similarity leaves, as SVG whose text is text.
pub(super) fn chart(swept: &[Swept]) -> anyhow::Result<String> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let drawn = root.fill(&WHITE).map_err(Into::into).and_then(|()| draw(&root, swept));
        drawn
            .and_then(|()| Ok(root.present()?))
            .map_err(|error| anyhow!("the picture: {error}"))?;
    }
    Ok(svg)
}

#[expect(clippy::cast_precision_loss, reason = "a share")]
fn draw(
    area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    swept: &[Swept],
) -> Result<(), Box<dyn Error>> {
    let [from, to] = [swept.first(), swept.last()].map(|one| one.map_or(0.0, |one| one.similarity));
    let to = if from < to { to } else { from + 0.01 };
    let mut chart = ChartBuilder::on(area)
        .caption("Documents kept", (FONT, 18).into_font().color(&INK))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(from..to, 0.0..100.0)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_desc("similarity")
        .y_desc("per cent")
        .label_style((FONT, 14).into_font().color(&INK))
        .draw()?;
    let all = |one: &Swept| (one.kept + one.removed) as f64;
    let text = swept.iter().map(|one| one.bytes).max().unwrap_or(0) as f64;
    let documents =
        swept.iter().map(|one| (one.similarity, 100.0 * one.kept as f64 / all(one).max(1.0)));
    let bytes = swept.iter().map(|one| (one.similarity, 100.0 * one.bytes as f64 / text.max(1.0)));
    let lines = [
        ("of the documents", DOCUMENTS, documents.collect::<Vec<_>>()),
        ("of the text that the highest similarity leaves", TEXT, bytes.collect()),
    ];
    for (name, colour, points) in lines {
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .label_font((FONT, 14).into_font().color(&INK))
        .background_style(WHITE)
        .border_style(INK)
        .draw()?;
    Ok(())
}
