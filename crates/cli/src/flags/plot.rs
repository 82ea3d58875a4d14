//! Pictures that verbs draw: where to, how wide, and in which colours.

use crate::flags::heading::OUTPUT;
use crate::show::chart::{Draw, Kept, Theme};
use crate::usage::wrong;
use clap::Args;
use nearprint_corpus::{Output, Outputs};
use std::ffi::OsStr;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct PlotFlags {
    /// Draw it to a file that ends in .svg, .pdf or .png, or write its numbers to one that ends in .csv
    ///
    /// The flag may be repeated. Text stays text in an SVG and in a PDF.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    plot: Vec<PathBuf>,
    /// Width of the picture in pixels; a PNG has two dots for each
    #[arg(long, value_name = "PIXELS", default_value_t = 960, value_parser = clap::value_parser!(u16).range(320..=4000), requires = "plot", help_heading = OUTPUT, hide_short_help = true)]
    plot_width: u16,
    /// Colours of the picture
    #[arg(long, value_enum, value_name = "THEME", default_value = "auto", requires = "plot", help_heading = OUTPUT, hide_short_help = true)]
    plot_theme: Theme,
}

/// Files to draw to.
pub(crate) struct Plots {
    outputs: Vec<(Kept, Output)>,
    width: f64,
    theme: Theme,
}

impl PlotFlags {
    /// The files.
    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.plot
    }

    /// The format of each; one that there is none for is refused.
    pub(crate) fn formats(&self) -> anyhow::Result<Vec<Kept>> {
        let mut formats = Vec::new();
        for path in &self.plot {
            let ending = path.extension().and_then(OsStr::to_str);
            let Some(format) = ending.and_then(Kept::of) else {
                return wrong(format!(
                    "--plot {}: name a file that ends in {}",
                    path.display(),
                    Kept::ENDINGS
                ));
            };
            formats.push(format);
        }
        Ok(formats)
    }

    /// Opens the files.
    pub(crate) fn open(&self, outputs: &mut Outputs) -> anyhow::Result<Plots> {
        let formats = self.formats()?.into_iter().zip(&self.plot);
        let opened = formats.map(|(format, path)| Ok((format, outputs.create(path)?)));
        Ok(Plots {
            outputs: opened.collect::<anyhow::Result<_>>()?,
            width: f64::from(self.plot_width),
            theme: self.plot_theme,
        })
    }
}

impl Plots {
    /// Whether none is asked for.
    pub(crate) fn is_empty(&self) -> bool {
        self.outputs.is_empty()
    }

    /// Draws to all of them.
    pub(crate) fn write(self, drawn: &dyn Draw) -> anyhow::Result<()> {
        for (format, mut output) in self.outputs {
            output.write_record(&format.bytes(drawn, self.width, self.theme)?)?;
            output.commit()?;
        }
        Ok(())
    }
}
