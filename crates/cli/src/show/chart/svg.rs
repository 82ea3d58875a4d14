//! A picture as SVG, whose text is text. It follows the theme of its reader.

use super::scene::{Anchor, Scene, Shape};
use super::style::{Ink, Theme, hex};
use std::collections::BTreeSet;
use std::fmt::Write as _;

const FAMILY: &str =
    "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'DejaVu Sans', sans-serif";

/// The file.
pub(super) fn document(scene: &Scene, theme: Theme) -> String {
    let (width, height) = (short(scene.width), short(scene.height));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} \
         {height}\" font-family=\"{FAMILY}\" role=\"img\" aria-label=\"{}\">\n",
        escaped(&scene.title)
    );
    if theme == Theme::Auto {
        let rules = rules(used(scene), true);
        // Infallible: a string takes everything.
        let _ = writeln!(out, "<style>@media (prefers-color-scheme: dark) {{\n{rules}}}</style>");
    }
    let paper = Shape::Rect {
        at: (0.0, 0.0),
        size: (scene.width, scene.height),
        ink: Ink::Paper,
        opacity: 1.0,
    };
    for shape in std::iter::once(&paper).chain(&scene.shapes) {
        write(&mut out, shape, theme == Theme::Dark);
    }
    out.push_str("</svg>\n");
    out
}

/// A part of a page, whose style sheet paints it; its ground is the page's.
pub(super) fn inline(scene: &Scene) -> String {
    let (width, height) = (short(scene.width), short(scene.height));
    let mut out =
        format!("<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n");
    for shape in &scene.shapes {
        write(&mut out, shape, false);
    }
    out.push_str("</svg>");
    out
}

/// The style sheet of pictures in a page.
pub(crate) fn sheet() -> String {
    format!("@media (prefers-color-scheme: dark) {{\n{}}}\n", rules(Ink::all(), true))
}

fn used(scene: &Scene) -> BTreeSet<Ink> {
    let inks = scene.shapes.iter().map(|shape| match shape {
        Shape::Rect { ink, .. }
        | Shape::Area { ink, .. }
        | Shape::Line { ink, .. }
        | Shape::Text { ink, .. } => *ink,
    });
    inks.chain([Ink::Paper]).collect()
}

/// A rule for each ink, for what is filled with it and for what is a line.
fn rules(inks: impl IntoIterator<Item = Ink>, dark: bool) -> String {
    let mut out = String::new();
    for ink in inks {
        let (name, colour) = (ink.name(), hex(ink.colour(dark)));
        let _ = writeln!(out, ".f-{name} {{ fill: {colour}; }} .s-{name} {{ stroke: {colour}; }}");
    }
    out
}

fn write(out: &mut String, shape: &Shape, dark: bool) {
    // Infallible: a string takes everything.
    let _ = match shape {
        Shape::Rect { at: (x, y), size: (width, height), ink, opacity } => writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>",
            short(*x),
            short(*y),
            short(*width),
            short(*height),
            fill(*ink, *opacity, dark)
        ),
        Shape::Area { points, ink, opacity } => {
            writeln!(out, "<polygon points=\"{}\"{}/>", list(points), fill(*ink, *opacity, dark))
        }
        Shape::Line { points, ink, width } => writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" class=\"s-{}\" stroke=\"{}\" stroke-width=\"{}\" \
             stroke-linejoin=\"round\"/>",
            list(points),
            ink.name(),
            hex(ink.colour(dark)),
            short(*width)
        ),
        Shape::Text { at: (x, y), text, size, anchor, ink } => writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}{}>{}</text>",
            short(*x),
            short(*y),
            short(*size),
            match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            },
            fill(*ink, 1.0, dark),
            escaped(text)
        ),
    };
}

fn fill(ink: Ink, opacity: f64, dark: bool) -> String {
    let opacity = match opacity < 1.0 {
        true => format!(" fill-opacity=\"{}\"", short(opacity)),
        false => String::new(),
    };
    format!(" class=\"f-{}\" fill=\"{}\"{opacity}", ink.name(), hex(ink.colour(dark)))
}

fn list(points: &[(f64, f64)]) -> String {
    let places = points.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y)));
    places.collect::<Vec<_>>().join(" ")
}

/// A number with at most two digits after the point.
fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A text that is no markup. What no XML may hold becomes a sign that says so.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() && !c.is_whitespace() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
