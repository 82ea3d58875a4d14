//! A picture of one chart or more: side by side where there is room, else below one another.

use super::font::lines;
use super::panel::Panel;
use super::scene::{Anchor, Draw, Scene};
use super::style::{Ink, LABEL, LINE};

/// Pixels around it, and between charts.
const MARGIN: f64 = 16.0;
const GAP: f64 = 28.0;
/// A chart is no narrower beside others.
const LEAST: f64 = 250.0;
/// What a row of numbers is made of.
const HEAD: [&str; 8] = ["chart", "axis", "curve", "x", "x_end", "y", "y_low", "y_high"];

/// Charts that belong together.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    /// What it shows, in a few words.
    pub(crate) title: String,
    pub(crate) panels: Vec<Panel>,
    /// How many of them stand side by side, at most.
    pub(crate) columns: usize,
    /// What is to be known of all of them; written below.
    pub(crate) note: String,
    /// Charts that are told as numbers and not drawn.
    pub(crate) told: Vec<Panel>,
}

impl Figure {
    /// Charts that all have the whole width.
    pub(crate) fn below_one_another(title: impl Into<String>, panels: Vec<Panel>) -> Self {
        Self { title: title.into(), panels, columns: 1, note: String::new(), told: Vec::new() }
    }

    /// Where each chart stands, how wide it is, and the row it is in.
    fn columns(&self, width: f64) -> (usize, f64) {
        let inner = width - 2.0 * MARGIN;
        let fit = (1..=self.columns.max(1)).rev();
        #[expect(clippy::cast_precision_loss, reason = "a few columns")]
        let mut wide =
            fit.map(|count| (count, (inner - GAP * (count as f64 - 1.0)) / count as f64));
        wide.find(|(count, wide)| *count == 1 || *wide >= LEAST).unwrap_or((1, inner))
    }
}

impl Draw for Figure {
    fn scene(&self, width: f64) -> Scene {
        let mut scene = Scene::new(&self.title, width);
        let (count, wide) = self.columns(width);
        let mut y = MARGIN;
        for (row, panels) in self.panels.chunks(count).enumerate() {
            y += if row > 0 { GAP } else { 0.0 };
            let (mut x, mut bottom) = (MARGIN, y);
            // What stands above a chart is as high in all charts of a row.
            let head = panels.iter().map(|panel| panel.head(wide)).fold(0.0, f64::max);
            for panel in panels {
                bottom = panel.draw(&mut scene, (x, y), (wide, head)).max(bottom);
                x += wide + GAP;
            }
            y = bottom;
        }
        if !self.note.is_empty() {
            y += LINE / 2.0;
            for line in lines(&self.note, LABEL, width - 2.0 * MARGIN) {
                y += LINE;
                scene.label((MARGIN, y), line, Anchor::Start, Ink::Soft);
            }
        }
        scene.end(y + MARGIN)
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let head = HEAD.map(str::to_owned).to_vec();
        let panels = self.panels.iter().chain(&self.told);
        std::iter::once(head).chain(panels.flat_map(Panel::rows)).collect()
    }
}
