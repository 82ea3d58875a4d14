//! The explanation as a picture: which features pull which bits, and the sums that come of it.

use crate::show::chart::{Anchor, Draw, Ink, LABEL, Scene, TITLE, shortened, text_width};
use crate::show::explanation::visible;
use crate::show::weight::weight;
use nearprint_fingerprint::{ExplainedFeature, Explanation};

const ONE: Ink = Ink::Curve(0);
const ZERO: Ink = Ink::Curve(1);
/// Pixels around the picture, of a row of cells, of a line of text, and of the bars of V from their middle up.
const MARGIN: f64 = 16.0;
const ROW: f64 = 18.0;
const LINE: f64 = 16.0;
const BAR: f64 = 60.0;
/// Between cells and the names behind them.
const GAP: f64 = 12.0;
/// Names stand behind their cells where each cell keeps so many pixels, else above.
const CELL: f64 = 6.0;
/// A cell that a digit has room in.
const DIGIT: f64 = 10.0;
/// Cells that have a line between them.
const LINED: f64 = 4.0;

/// What is drawn: the heaviest features of an explanation.
pub(super) struct Picture<'a> {
    why: &'a Explanation,
    features: Vec<&'a ExplainedFeature>,
}

impl<'a> Picture<'a> {
    pub(super) fn new(why: &'a Explanation, top: usize) -> Self {
        Self { why, features: why.heaviest(top) }
    }

    /// The bits from the most significant one down.
    fn bits(&self) -> usize {
        self.why.sums.len()
    }

    fn is_set(&self, place: usize) -> bool {
        let bit = self.bits().checked_sub(place + 1).and_then(|bit| u32::try_from(bit).ok());
        bit.is_some_and(|bit| self.why.bits.bit(bit))
    }

    fn names(&self) -> Vec<String> {
        let name =
            |one: &&ExplainedFeature| format!("{}  {}", weight(one.weight), visible(&one.feature));
        self.features.iter().map(name).collect()
    }

    /// Cells in which a feature pulls, from `left` on; how deep their colour is tells its weight.
    fn cells(&self, scene: &mut Scene, one: &ExplainedFeature, (left, y): (f64, f64), cell: f64) {
        let heaviest = self.features.iter().fold(0.0_f64, |most, one| most.max(one.weight.abs()));
        let deep = if one.weight == 0.0 { 0.0 } else { 0.2 + 0.8 * one.weight.abs() / heaviest };
        for (at, place) in (0_u32..).zip(0..self.bits()) {
            let bit = self.bits().checked_sub(place + 1).and_then(|bit| u32::try_from(bit).ok());
            let is_set = bit.is_some_and(|bit| one.bits.bit(bit));
            let ink = if is_set == (one.weight > 0.0) { ONE } else { ZERO };
            let x = cell.mul_add(f64::from(at), left);
            scene.rect((x, y), (cell - slit(cell), ROW - 3.0), ink, deep);
        }
    }

    /// The sums as bars, the bits below them.
    fn sums(&self, scene: &mut Scene, (left, middle): (f64, f64), cell: f64) {
        let most = self.most();
        for (at, (place, sum)) in (0_u32..).zip(self.why.sums.iter().enumerate()) {
            let x = cell.mul_add(f64::from(at), left);
            let up = if most > 0.0 { BAR * sum / most } else { 0.0 };
            let ink = if *sum > 0.0 { ONE } else { ZERO };
            scene.rect((x, middle - up.max(0.0)), (cell - slit(cell), up.abs()), ink, 1.0);
            let is_set = self.is_set(place);
            let below = middle + BAR + 6.0;
            if cell >= DIGIT {
                let digit = u8::from(is_set).to_string();
                scene.label((x + cell / 2.0, below + 10.0), digit, Anchor::Middle, Ink::Text);
            } else if is_set {
                scene.rect((x, below), (cell - slit(cell), 10.0), Ink::Text, 1.0);
            }
        }
    }

    fn most(&self) -> f64 {
        self.why.sums.iter().fold(0.0_f64, |most, sum| most.max(sum.abs()))
    }
}

/// Pixels between two cells.
fn slit(cell: f64) -> f64 {
    if cell >= LINED { 1.0 } else { 0.0 }
}

impl Draw for Picture<'_> {
    fn scene(&self, width: f64) -> Scene {
        #[expect(clippy::cast_precision_loss, reason = "at most 256 bits")]
        let bits = self.bits().max(1) as f64;
        let mut scene = Scene::new("Which features pull which bits of a fingerprint", width);
        let inner = width - 2.0 * MARGIN;
        let names = self.names();
        let most = format!("V, at most {}", weight(self.most()));
        let beside = names.iter().chain([&most]).map(|name| text_width(name, LABEL));
        let widest = beside.fold(0.0, f64::max);
        let behind = (inner - widest - GAP) / bits;
        let is_behind = behind >= CELL;
        let cell = if is_behind { behind.min(40.0) } else { (inner / bits).min(40.0) };
        let (left, end) = (MARGIN, cell.mul_add(bits, MARGIN));
        let hidden = self.why.features.len() - self.features.len();
        let shown = match hidden {
            0 => String::new(),
            _ => format!(", the heaviest {} shown", self.features.len()),
        };
        let caption = format!("{} features{shown}, {bits} bits", self.why.features.len());
        let mut y = MARGIN + TITLE;
        let caption = shortened(&caption, TITLE, inner);
        scene.text((left, y - 3.0), caption, TITLE, Anchor::Start, Ink::Text);
        y += LINE + 4.0;
        for (at, ink, says) in [(0.0, ONE, "pulls to 1"), (110.0, ZERO, "pulls to 0")] {
            scene.rect((left + at, y - 10.0), (12.0, 10.0), ink, 1.0);
            scene.label((left + at + 18.0, y), says, Anchor::Start, ink);
        }
        y += GAP;
        for (one, name) in self.features.iter().zip(names) {
            let (at, high) = match is_behind {
                true => ((end + GAP, y + 12.0), ROW),
                false => ((left, y + 12.0), ROW + LINE),
            };
            let name = shortened(&name, LABEL, width - MARGIN - at.0);
            scene.label(at, name, Anchor::Start, Ink::Text);
            self.cells(&mut scene, one, (left, y + high - ROW), cell);
            y += high;
        }
        y += GAP;
        if !is_behind {
            scene.label((left, y + 4.0), most.clone(), Anchor::Start, Ink::Soft);
            y += LINE;
        }
        let middle = y + BAR;
        self.sums(&mut scene, (left, middle), cell);
        scene.line(vec![(left, middle), (end, middle)], Ink::Soft, 1.0);
        if is_behind {
            scene.label((end + GAP, middle + 4.0), most, Anchor::Start, Ink::Soft);
        }
        y = middle + BAR + 16.0;
        let fingerprint = format!("bits {}", self.why.bits.to_hex());
        let longest = width - MARGIN - end - GAP;
        if is_behind && text_width(&fingerprint, LABEL) <= longest {
            scene.label((end + GAP, y), fingerprint, Anchor::Start, Ink::Text);
        } else {
            y += LINE + 4.0;
            let fingerprint = shortened(&fingerprint, LABEL, inner);
            scene.label((left, y), fingerprint, Anchor::Start, Ink::Text);
        }
        scene.end(y + MARGIN)
    }

    /// A row for each bit of each feature, then one for each sum.
    fn rows(&self) -> Vec<Vec<String>> {
        let head = ["feature", "weight", "bit", "value"].map(str::to_owned).to_vec();
        let bits = self.bits();
        let features = self.features.iter().flat_map(|one| {
            (0..bits).rev().map(move |bit| {
                let is_set = u32::try_from(bit).is_ok_and(|bit| one.bits.bit(bit));
                let value = if is_set { one.weight } else { -one.weight };
                vec![
                    one.feature.clone(),
                    one.weight.to_string(),
                    bit.to_string(),
                    value.to_string(),
                ]
            })
        });
        let sums = (0..bits).rev().zip(&self.why.sums).map(|(bit, sum)| {
            vec!["V".to_owned(), String::new(), bit.to_string(), sum.to_string()]
        });
        std::iter::once(head).chain(features).chain(sums).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::{AnyFingerprinter, Recipe, Width};

    #[test]
    fn no_name_hides_another_at_any_width() {
        let long = "of the Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung";
        for width in [Width::W64, Width::W128, Width::W256] {
            let recipe = Recipe { width, ..Recipe::named("words").unwrap() };
            let mut fingerprinter = AnyFingerprinter::new(&recipe, None).unwrap();
            for text in ["the quick brown fox", long, &format!("{long} {long}s one two").repeat(9)]
            {
                let why = fingerprinter.explain_in(text, None);
                for pixels in [320.0, 390.0, 640.0, 960.0, 1280.0, 4000.0] {
                    let scene = Picture::new(&why, 16).scene(pixels);
                    assert_eq!(scene.hidden(), [""; 0], "{width} bits at {pixels}: {text}");
                }
            }
        }
    }
}
