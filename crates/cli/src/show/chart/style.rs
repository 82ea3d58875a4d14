//! The look of every chart: its colours in both themes, and the sizes of its letters.

/// The size of a title, in pixels.
pub(crate) const TITLE: f64 = 15.0;
/// The size of all other text.
pub(crate) const LABEL: f64 = 12.0;
/// From one line of text to the next.
pub(super) const LINE: f64 = 16.0;
/// The same in a title.
pub(super) const TITLE_LINE: f64 = 20.0;

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Theme {
    /// An SVG follows its reader, other formats are light
    #[default]
    Auto,
    /// Dark on white
    Light,
    /// Light on black
    Dark,
}

/// What a shape is painted with; each theme has a colour for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ink {
    /// The ground.
    Paper,
    /// Titles.
    Text,
    /// Labels of axes.
    Soft,
    /// Lines of the grid.
    Rule,
    /// What is to be noticed.
    Chosen,
    /// A curve by its number.
    Curve(usize),
}

/// A colour as red, green and blue.
pub(super) type Colour = [u8; 3];

/// The colours of curves, light and dark. Each is read as text on its ground (4.5 to 1 and more), and neighbours are
/// told apart by people who see few colours.
const CURVES: [(u32, u32); 8] = [
    (0x25_63_a8, 0x6f_a8_e8),
    (0xb8_4a_00, 0xf0_a8_60),
    (0x1f_7a_54, 0x5f_b4_87),
    (0x8a_4a_9e, 0xc7_9a_d8),
    (0x78_5e_3c, 0xc9_ad_85),
    (0x0f_74_80, 0x5c_c0_c9),
    (0xb0_36_6b, 0xea_86_ae),
    (0x50_50_50, 0xb8_b8_b8),
];

impl Ink {
    /// The colour on a light and on a dark ground.
    fn pair(self) -> (u32, u32) {
        match self {
            Self::Paper => (0xff_ff_ff, 0x1b_1f_23),
            Self::Text => (0x1d_21_26, 0xe4_e7_ea),
            Self::Soft => (0x5c_64_6e, 0x9a_a4_ae),
            Self::Rule => (0xdf_e2_e5, 0x33_3a_41),
            Self::Chosen => (0xb6_5a_00, 0xf0_a8_60),
            Self::Curve(number) => {
                CURVES.get(number % CURVES.len()).copied().unwrap_or((0x25_63_a8, 0x6f_a8_e8))
            }
        }
    }

    pub(super) fn colour(self, dark: bool) -> Colour {
        let (light, night) = self.pair();
        let [_, red, green, blue] = (if dark { night } else { light }).to_be_bytes();
        [red, green, blue]
    }

    /// The colour where it covers only a part of the ground.
    pub(super) fn mixed(self, opacity: f64, dark: bool) -> Colour {
        let (own, paper) = (self.colour(dark), Self::Paper.colour(dark));
        let mut mixed = own;
        for (mixed, paper) in mixed.iter_mut().zip(paper) {
            let value =
                f64::from(*mixed).mul_add(opacity, f64::from(paper) * (1.0 - opacity)).round();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
            {
                *mixed = value.clamp(0.0, 255.0) as u8;
            }
        }
        mixed
    }

    /// Its name in a style sheet.
    pub(super) fn name(self) -> String {
        match self {
            Self::Paper => "paper".to_owned(),
            Self::Text => "text".to_owned(),
            Self::Soft => "soft".to_owned(),
            Self::Rule => "rule".to_owned(),
            Self::Chosen => "chosen".to_owned(),
            Self::Curve(number) => format!("curve{}", number % CURVES.len()),
        }
    }

    /// All of them.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let fixed = [Self::Paper, Self::Text, Self::Soft, Self::Rule, Self::Chosen];
        fixed.into_iter().chain((0..CURVES.len()).map(Self::Curve))
    }
}

/// `#rrggbb`.
pub(super) fn hex([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contrast of two colours, as WCAG has it.
    fn contrast(a: Colour, b: Colour) -> f64 {
        let light = |colour: Colour| {
            let [red, green, blue] = colour.map(|part| {
                let part = f64::from(part) / 255.0;
                if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
            });
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        let (a, b) = (light(a), light(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn what_is_read_is_told_from_the_ground_in_both_themes() {
        for dark in [false, true] {
            let paper = Ink::Paper.colour(dark);
            for ink in Ink::all().filter(|ink| !matches!(ink, Ink::Paper | Ink::Rule)) {
                let found = contrast(ink.colour(dark), paper);
                assert!(found >= 4.5, "{ink:?}, dark {dark}: {found:.2}");
            }
        }
        assert_eq!(hex(Ink::Curve(8).colour(false)), "#2563a8");
        assert_eq!(Ink::Text.mixed(0.0, false), [255; 3]);
    }
}
