//! The explanation as a picture: which features pull which bits, and the sums that come of it.

use crate::show::explanation::visible;
use crate::show::weight::weight;
use anyhow::anyhow;
use nearprint_fingerprint::{ExplainedFeature, Explanation};
use plotters::prelude::*;

const INK: RGBColor = RGBColor(38, 50, 56);
const ONE: RGBColor = RGBColor(46, 111, 187);
const ZERO: RGBColor = RGBColor(217, 95, 14);
const FONT: &str = "sans-serif";
/// Pixels around the picture, of a row, and of the bars of V from their middle up.
const MARGIN: i32 = 20;
const ROW: i32 = 20;
const BAR: i32 = 60;
/// Pixels for the names of features, behind the cells.
const NAMES: i32 = 320;
/// Pixels of all cells of a row, about.
const CELLS: i32 = 960;

type Drawn = Result<(), Box<dyn std::error::Error>>;

/// The picture as SVG, whose text is text.
pub(super) fn svg(why: &Explanation, top: usize) -> anyhow::Result<String> {
    let features = why.heaviest(top);
    let mut svg = String::new();
    draw(&mut svg, why, &features).map_err(|error| anyhow!("the picture: {error}"))?;
    Ok(svg)
}

fn draw(svg: &mut String, why: &Explanation, features: &[&ExplainedFeature]) -> Drawn {
    let bits = i32::try_from(why.sums.len())?;
    let cell = (CELLS / bits).clamp(4, 40);
    let rows = i32::try_from(features.len())?;
    let (left, first) = (MARGIN, MARGIN + 2 * ROW);
    let (names, middle) = (left + cell * bits + 12, first + ROW * rows + 12 + BAR);
    let (width, height) = (names + NAMES, middle + BAR + 3 * ROW);
    let size = (u32::try_from(width)?, u32::try_from(height)?);
    let root = SVGBackend::with_string(svg, size).into_drawing_area();
    root.fill(&WHITE)?;
    let font = |size: i32| (FONT, size).into_font().color(&INK);
    let hidden = why.features.len() - features.len();
    let shown = if hidden > 0 { format!(", the heaviest {rows} shown") } else { String::new() };
    let caption = format!("{} features{shown}, {bits} bits", why.features.len());
    root.draw(&Text::new(caption, (left, MARGIN - 6), font(16)))?;
    let key = MARGIN + ROW + 4;
    for (at, color, says) in [(0, ONE, "pulls to 1"), (110, ZERO, "pulls to 0")] {
        root.draw(&Rectangle::new([(left + at, key), (left + at + 12, key + 10)], color.filled()))?;
        root.draw(&Text::new(says, (left + at + 18, key - 2), font(13)))?;
    }
    let heaviest = features.iter().fold(0.0_f64, |most, one| most.max(one.weight.abs()));
    let most = why.sums.iter().fold(0.0_f64, |most, sum| most.max(sum.abs()));
    // How deep the colour of a weight is: light ones can be seen still.
    let depth = |weight: f64| if weight == 0.0 { 0.0 } else { 0.2 + 0.8 * weight.abs() / heaviest };
    for (row, one) in features.iter().enumerate() {
        let y = first + ROW * i32::try_from(row)?;
        for place in 0..bits {
            let set = one.bits.bit(u32::try_from(bits - 1 - place)?);
            let color = if set == (one.weight > 0.0) { ONE } else { ZERO };
            let x = left + cell * place;
            let corners = [(x, y), (x + cell - 1, y + ROW - 3)];
            root.draw(&Rectangle::new(corners, color.mix(depth(one.weight)).filled()))?;
        }
        let name = format!("{}  {}", weight(one.weight), visible(&one.feature));
        root.draw(&Text::new(name, (names, y), font(14)))?;
    }
    for (place, &sum) in (0_i32..).zip(&why.sums) {
        let x = left + cell * place;
        #[expect(clippy::cast_possible_truncation, reason = "at most the height of a bar")]
        let up = if most > 0.0 { (f64::from(BAR) * sum / most).round() as i32 } else { 0 };
        let (above, below) = (middle - up.max(0), middle - up.min(0));
        let color = if sum > 0.0 { ONE } else { ZERO };
        root.draw(&Rectangle::new([(x, above), (x + cell - 1, below)], color.filled()))?;
        let set = why.bits.bit(u32::try_from(bits - 1 - place)?);
        if cell >= 8 {
            let at = (x + cell / 2 - 4, middle + BAR + 6);
            root.draw(&Text::new(u8::from(set).to_string(), at, font(13)))?;
        } else if set {
            let y = middle + BAR + 8;
            root.draw(&Rectangle::new([(x, y), (x + cell - 1, y + 10)], INK.filled()))?;
        }
    }
    root.draw(&PathElement::new([(left, middle), (left + cell * bits, middle)], INK.mix(0.6)))?;
    root.draw(&Text::new(format!("V, at most {}", weight(most)), (names, middle - 8), font(14)))?;
    let fingerprint = format!("bits {}", why.bits.to_hex());
    let at = if bits > 128 { (left, middle + BAR + 26) } else { (names, middle + BAR + 6) };
    root.draw(&Text::new(fingerprint, at, font(14)))?;
    root.present()?;
    Ok(())
}
