//! The figures of `nearprint stats` as a picture: bits, leading bits and the spread over the range.

use super::figures::Figures;
use anyhow::anyhow;
use nearprint_index::Histogram;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;

const SIZE: (u32, u32) = (960, 1080);
const INK: RGBColor = RGBColor(38, 50, 56);
const FOUND: RGBColor = RGBColor(46, 111, 187);
const UNIFORM: RGBColor = RGBColor(217, 95, 14);
/// Where a logarithmic scale begins: below a single fingerprint.
const LEAST: f64 = 0.5;
const FONT: &str = "sans-serif";

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The picture as SVG, whose text is text.
pub(super) fn svg(figures: &Figures) -> anyhow::Result<String> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE).map_err(|error| anyhow!("the plot: {error}"))?;
        let charts = root.split_evenly((3, 1));
        let drawn = charts.iter().zip([bits, leading, spread]);
        for (area, draw) in drawn {
            draw(area, figures).map_err(|error| anyhow!("the plot: {error}"))?;
        }
        root.present().map_err(|error| anyhow!("the plot: {error}"))?;
    }
    Ok(svg)
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

/// The share of fingerprints in which each bit is set.
fn bits(area: &Area<'_>, figures: &Figures) -> Drawn {
    let bits = figures.bits.bits();
    let caption = format!(
        "Share of fingerprints with each bit set: {:.1} of {bits} bits effective",
        figures.bits.effective_bits()
    );
    let shares = (0..bits).map(|bit| figures.bits.share(bit));
    let values: Vec<_> = (0..bits).zip(shares).collect();
    bars(area, &caption, ("bit", "share"), (bits, 0.0..1.05), &values, &|_| 0.5)
}

/// Where sorted fingerprints begin to differ. On this scale uniform fingerprints fall along a line, and
/// near-duplicates stand beside it.
fn leading(area: &Area<'_>, figures: &Figures) -> Drawn {
    let bits = figures.bits.bits();
    let caption = "Leading bit in which sorted fingerprints differ from the one before";
    let values: Vec<_> = (0..bits).map(|bit| (bit, float(figures.leading.count(bit)))).collect();
    let expected = |bit: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a bit")]
        figures.leading.expected(bit as u32)
    };
    let most = (0..bits).map(|bit| figures.leading.expected(bit)).fold(10.0, f64::max);
    let top = values.iter().map(|(_, count)| *count).fold(most, f64::max);
    let scale = (LEAST..2.0 * top).log_scale();
    bars(area, caption, ("bit", "fingerprints"), (bits, scale), &values, &expected)
}

/// How fingerprints are spread over their range.
fn spread(area: &Area<'_>, figures: &Figures) -> Drawn {
    let buckets = u32::try_from(Histogram::BUCKETS)?;
    let caption = format!("Fingerprints in {buckets} equal parts of their range");
    let counts = (0..Histogram::BUCKETS).map(|bucket| float(figures.histogram.count(bucket)));
    let values: Vec<_> = (0..buckets).zip(counts).collect();
    let even = float(figures.histogram.total()) / f64::from(buckets);
    let top = values.iter().map(|(_, count)| *count).fold(even.max(1.0), f64::max);
    let scale = 0.0..1.05 * top;
    bars(area, &caption, ("part", "fingerprints"), (buckets, scale), &values, &|_| even)
}

/// A bar for each value, and a line for what uniform fingerprints would show.
fn bars<Y>(
    area: &Area<'_>,
    caption: &str,
    (across, up): (&str, &str),
    (width, scale): (u32, Y),
    values: &[(u32, f64)],
    uniform: &dyn Fn(f64) -> f64,
) -> Drawn
where
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: ValueFormatter<f64>,
{
    let mut chart = ChartBuilder::on(area)
        .margin(14)
        .margin_right(24)
        .caption(caption, (FONT, 18).into_font().color(&INK))
        .x_label_area_size(38)
        .y_label_area_size(72)
        .build_cartesian_2d(0.0..f64::from(width), scale)?;
    let floor = chart.as_coord_spec().y_spec().range().start;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(WHITE)
        .bold_line_style(INK.mix(0.12))
        .axis_style(INK.mix(0.6))
        .label_style((FONT, 13).into_font().color(&INK))
        .x_desc(across)
        .y_desc(up)
        .x_labels(9)
        .y_labels(6)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| short(*y))
        .draw()?;
    chart.draw_series(values.iter().map(|&(at, value)| {
        let left = f64::from(at);
        let top = value.max(floor);
        Rectangle::new([(left + 0.1, floor), (left + 0.9, top)], FOUND.filled())
    }))?;
    let line = values.iter().flat_map(|&(at, _)| {
        let (left, value) = (f64::from(at), uniform(f64::from(at)).max(floor));
        [(left, value), (left + 1.0, value)]
    });
    chart.draw_series(LineSeries::new(line, UNIFORM.stroke_width(2)))?;
    legend(area)
}

/// What bars and line are, below the chart, where nothing is hidden.
fn legend(area: &Area<'_>) -> Drawn {
    let (width, height) = area.dim_in_pixel();
    let (right, y) = (i32::try_from(width)? - 24, i32::try_from(height)? - 22);
    let font = || (FONT, 13).into_font().color(&INK);
    let (found, uniform) = (right - 160, right - 86);
    area.draw(&Rectangle::new([(found, y - 5), (found + 14, y + 5)], FOUND.filled()))?;
    area.draw(&Text::new("found", (found + 20, y - 6), font()))?;
    area.draw(&PathElement::new([(uniform, y), (uniform + 14, y)], UNIFORM.stroke_width(2)))?;
    area.draw(&Text::new("if uniform", (uniform + 20, y - 6), font()))?;
    Ok(())
}

/// A number as an axis has it.
fn short(value: f64) -> String {
    match value {
        1e6.. => format!("{:.1} M", value / 1e6),
        1e4.. => format!("{:.0} k", value / 1e3),
        f64::EPSILON..1.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[expect(clippy::cast_precision_loss, reason = "for a picture")]
fn float(count: u64) -> f64 {
    count as f64
}
