//! The font of PDF and PNG, by which text is measured in every format. It is a part of DejaVu Sans: Latin, Greek, Cyrillic
//! and signs. A reader's own font of an SVG is narrower as a rule.

use anyhow::{Context, bail};
use std::sync::LazyLock;
use ttf_parser::Face;

/// The file, which a PDF holds too.
pub(super) static BYTES: &[u8] = include_bytes!("../../../fonts/DejaVuSans.ttf");
static FACE: LazyLock<Option<Face<'static>>> = LazyLock::new(|| Face::parse(BYTES, 0).ok());
/// What stands for the rest of a shortened text.
const MORE: &str = "…";

/// The font.
pub(super) fn face() -> anyhow::Result<&'static Face<'static>> {
    FACE.as_ref().context("the font of charts cannot be read")
}

/// Pixels of a text of a size. A character that the font lacks takes a square.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let units = FACE.as_ref().map_or(1000, Face::units_per_em);
    let advance = |c: char| {
        let face = FACE.as_ref()?;
        face.glyph_hor_advance(face.glyph_index(c)?)
    };
    let all: f64 = text.chars().map(|c| f64::from(advance(c).unwrap_or(units))).sum();
    all * size / f64::from(units)
}

/// The text, or as much of its beginning as is no wider.
pub(crate) fn shortened(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let mut short = text.to_owned();
    while !short.is_empty() && width(&short, size) + width(MORE, size) > most {
        short.pop();
    }
    format!("{}{MORE}", short.trim_end())
}

/// A text in lines that are no wider, broken between words.
pub(super) fn lines(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(shortened(word, size, most)),
        }
    }
    lines
}

/// Refuses a text that the font cannot write.
pub(super) fn check<'a>(texts: impl IntoIterator<Item = &'a str>) -> anyhow::Result<()> {
    let face = face()?;
    for text in texts {
        if let Some(lacked) = text.chars().find(|c| face.glyph_index(*c).is_none()) {
            bail!(
                "the picture says {text:?}, and its font has no {lacked:?}: name a file that ends in .svg, which the \
                 reader's fonts show"
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_measured_broken_and_refused() {
        assert!(face().is_ok());
        // DejaVu Sans has digits of 1303 in 2048.
        assert!((width("0123", 2048.0) - 4.0 * 1303.0).abs() < 1e-6);
        assert_eq!(shortened("precision", 12.0, 500.0), "precision");
        let short = shortened("precision of a recipe with a long name", 12.0, 100.0);
        assert!(short.ends_with('…') && width(&short, 12.0) <= 100.0, "{short}");
        assert_eq!(lines("one two three", 12.0, width("one two", 12.0)), ["one two", "three"]);
        check(["Ωμέγα", "≥ 0.9 – Привет", "naïve"]).unwrap();
        let refused = check(["fine", "狐"]).unwrap_err().to_string();
        assert!(refused.contains("no '狐'") && refused.contains(".svg"), "{refused}");
    }
}
