//! Charts in one style: what they show is the same as SVG, PDF, PNG and as rows of CSV.

mod axis;
mod csv;
mod figure;
mod font;
mod key;
mod panel;
mod pdf;
mod png;
mod scene;
mod style;
mod svg;

pub(crate) use axis::{Axis, Numbers};
pub(crate) use figure::Figure;
pub(crate) use font::{shortened, width as text_width};
pub(crate) use panel::{Curve, Kind, Mark, Panel, Point};
pub(crate) use scene::{Anchor, Draw, Scene};
pub(crate) use style::{Ink, LABEL, TITLE, Theme};
pub(crate) use svg::sheet;

/// A format of a picture, told by the end of its file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    Svg,
    Pdf,
    Png,
    Csv,
}

impl Kept {
    /// All of them.
    pub(crate) const ENDINGS: &str = ".svg, .pdf, .png or .csv";

    /// The format of an ending.
    pub(crate) fn of(ending: &str) -> Option<Self> {
        match ending.to_ascii_lowercase().as_str() {
            "svg" => Some(Self::Svg),
            "pdf" => Some(Self::Pdf),
            "png" => Some(Self::Png),
            "csv" => Some(Self::Csv),
            _ => None,
        }
    }

    /// The bytes of the file.
    pub(crate) fn bytes(
        self,
        drawn: &dyn Draw,
        width: f64,
        theme: Theme,
    ) -> anyhow::Result<Vec<u8>> {
        match self {
            Self::Svg => Ok(svg::document(&drawn.scene(width), theme).into_bytes()),
            Self::Pdf => pdf::document(&drawn.scene(width), theme),
            Self::Png => png::document(&drawn.scene(width), theme),
            Self::Csv => csv::document(&drawn.rows()),
        }
    }
}

/// The picture as a part of a page, whose style sheet has [`sheet`].
pub(crate) fn inline(drawn: &dyn Draw, width: f64) -> String {
    svg::inline(&drawn.scene(width))
}

#[cfg(test)]
mod tests;
