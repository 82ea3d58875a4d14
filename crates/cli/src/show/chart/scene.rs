//! A picture as shapes: what each format writes down.

use super::font;
use super::style::{Ink, LABEL};

/// What can be drawn at any width, and told as rows.
pub(crate) trait Draw {
    /// The picture, so many pixels wide.
    fn scene(&self, width: f64) -> Scene;

    /// Its numbers: a header, then the rows.
    fn rows(&self) -> Vec<Vec<String>>;
}

/// A place: pixels from the left, and from above.
pub(super) type At = (f64, f64);

/// The end of a text that stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Rect { at: At, size: (f64, f64), ink: Ink, opacity: f64 },
    Area { points: Vec<At>, ink: Ink, opacity: f64 },
    Line { points: Vec<At>, ink: Ink, width: f64 },
    Text { at: At, text: String, size: f64, anchor: Anchor, ink: Ink },
}

/// Shapes, the later above the earlier.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scene {
    /// What it shows, in a few words.
    pub(super) title: String,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) shapes: Vec<Shape>,
}

impl Scene {
    pub(crate) fn new(title: &str, width: f64) -> Self {
        Self { title: title.to_owned(), width, height: 0.0, shapes: Vec::new() }
    }

    /// Ends it at a height.
    pub(crate) fn end(mut self, height: f64) -> Self {
        self.height = height.ceil();
        self
    }

    /// All that is said in it.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Text { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }

    pub(crate) fn rect(&mut self, at: At, size: (f64, f64), ink: Ink, opacity: f64) {
        self.shapes.push(Shape::Rect { at, size, ink, opacity });
    }

    pub(super) fn area(&mut self, points: Vec<At>, ink: Ink, opacity: f64) {
        self.shapes.push(Shape::Area { points, ink, opacity });
    }

    pub(crate) fn line(&mut self, points: Vec<At>, ink: Ink, width: f64) {
        self.shapes.push(Shape::Line { points, ink, width });
    }

    /// A text of the size of labels.
    pub(crate) fn label(&mut self, at: At, text: impl Into<String>, anchor: Anchor, ink: Ink) {
        self.text(at, text, LABEL, anchor, ink);
    }

    /// A text, its letters standing on the place.
    pub(crate) fn text(
        &mut self,
        at: At,
        text: impl Into<String>,
        size: f64,
        anchor: Anchor,
        ink: Ink,
    ) {
        self.shapes.push(Shape::Text { at, text: text.into(), size, anchor, ink });
    }
}

/// Where a text begins that stands at a place.
pub(super) fn start(x: f64, text: &str, size: f64, anchor: Anchor) -> f64 {
    match anchor {
        Anchor::Start => x,
        Anchor::Middle => x - font::width(text, size) / 2.0,
        Anchor::End => x - font::width(text, size),
    }
}

#[cfg(test)]
impl Scene {
    /// Each text, and from where to where it is.
    pub(super) fn labels(&self) -> Vec<(String, [f64; 4])> {
        let label = |shape: &Shape| match shape {
            Shape::Text { at: (x, y), text, size, anchor, .. } => {
                let left = start(*x, text, *size, *anchor);
                let right = left + font::width(text, *size);
                Some((text.clone(), [left, y - 0.76 * size, right, y + 0.24 * size]))
            }
            _ => None,
        };
        self.shapes.iter().filter_map(label).collect()
    }

    /// Texts of which a part is hidden.
    pub(crate) fn hidden(&self) -> Vec<String> {
        let labels = self.labels();
        let mut found = Vec::new();
        for (at, (text, [left, top, right, bottom])) in labels.iter().enumerate() {
            if *left < 0.0 || *top < 0.0 || *right > self.width || *bottom > self.height {
                found.push(format!("{text:?} leaves the picture"));
            }
            for (other, [from, high, to, low]) in labels.iter().skip(at + 1) {
                if left < to && from < right && top < low && high < bottom {
                    found.push(format!("{text:?} and {other:?}"));
                }
            }
        }
        found
    }
}
