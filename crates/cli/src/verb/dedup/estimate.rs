//! What a `dedup` run will take, for people and programs, and what to ask for where it is too much.

use crate::flags::likeness::said;
use crate::show::figures::{count, megabytes};
use crate::show::format::Format;
use crate::usage::{print, say};
use nearprint_dedup::{Forecast, Likeness, join_seconds};
use nearprint_fingerprint::{BandShape, Width};
use serde_json::json;
use std::fmt::Write as _;

/// A join that takes longer is worth a word.
const LONG: f64 = 600.0;
/// Similarities that are offered in place of one that takes too long.
const SIMILARITIES: [f64; 5] = [0.85, 0.9, 0.95, 0.97, 0.99];

/// A forecast, with the setting that it is of.
pub(crate) struct Estimate<'a> {
    pub(crate) forecast: Forecast,
    pub(crate) likeness: &'a Likeness,
    pub(crate) width: Width,
    pub(crate) threads: usize,
}

impl Estimate<'_> {
    /// Prints all of it.
    pub(crate) fn print(&self, format: Format) -> anyhow::Result<()> {
        let advice = self.advice();
        let forecast = &self.forecast;
        if format == Format::Json {
            let mut answer = json!(forecast);
            answer["seconds"] = json!(forecast.seconds());
            answer["k"] = json!(self.likeness.k());
            answer["bands"] = json!(self.likeness.bands().map(BandShape::bands));
            answer["rows"] = json!(self.likeness.bands().map(BandShape::rows));
            answer["width"] = json!(self.width.bits());
            answer["advice"] = json!(advice);
            return print(&format!("{answer:#}\n"));
        }
        let mut out = String::new();
        let mut line = |what: &str, value: String| writeln!(out, "{what:<16}{value}");
        line("documents", format!("about {}", count(forecast.documents)))?;
        line("setting", said(self.likeness, self.width))?;
        line("time", format!("about {}", time(forecast.seconds())))?;
        line("  fingerprints", time(forecast.fingerprint_seconds))?;
        let more = if self.likeness.bands().is_some() { "" } else { " or more" };
        line("  join", format!("{}{more}", time(forecast.join_seconds)))?;
        line("  verification", time(forecast.verify_seconds))?;
        line("  writing", time(forecast.write_seconds))?;
        line("memory", size(forecast.memory))?;
        line("temporary files", format!("at most {}", size(forecast.disk)))?;
        line("output", format!("at most {}", size(forecast.output)))?;
        if let Some(advice) = advice {
            writeln!(out, "\n{advice}")?;
        }
        print(&out)
    }

    /// Says what would be shorter, where the join is long.
    pub(crate) fn warn(&self) {
        if let Some(advice) = self.advice() {
            say(&advice);
        }
    }

    /// What to ask for instead of a join that is long.
    fn advice(&self) -> Option<String> {
        let Forecast { documents, join_seconds: long, .. } = self.forecast;
        if long < LONG || self.likeness.bands().is_some() {
            return None;
        }
        let (bits, threads) = (self.width.bits(), self.threads);
        let mut advice = format!(
            "the exact join of {} fingerprints within {} of {bits} bits will take {} or more",
            count(documents),
            self.likeness.k(),
            time(long)
        );
        let mut offers = Vec::new();
        for similarity in SIMILARITIES {
            let k = Likeness::radius(similarity, self.width);
            let seconds = join_seconds(documents, bits, k, threads).unwrap_or(f64::INFINITY);
            if k < self.likeness.k() && seconds < LONG.min(long / 2.0) {
                offers.push(format!("--similarity {similarity} (k = {k}, {})", time(seconds)));
                break;
            }
        }
        let strict = join_seconds(documents, 64, 3, threads).unwrap_or(f64::INFINITY);
        if strict < long / 2.0 {
            offers.push(format!("--width 64 -k 3, the paper's ({})", time(strict)));
        }
        if !offers.is_empty() {
            let _written = write!(advice, "; shorter: {}", offers.join(", or "));
        }
        Some(advice)
    }
}

/// Seconds as people say them.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "less than a second".to_owned(),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 48.0 * 3600.0 => format!("{:.0} hours", s / 3600.0),
        s => format!("{:.0} days", s / 86400.0),
    }
}

fn size(bytes: u64) -> String {
    match megabytes(bytes) {
        megabytes if megabytes < 10_000.0 => format!("{megabytes:.0} MB"),
        megabytes => format!("{:.0} GB", megabytes / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_said_in_their_unit() {
        let times = [0.4, 90.0, 600.0, 10_800.0, 1e6].map(time);
        assert_eq!(times, ["less than a second", "90 s", "10 min", "3 hours", "12 days"]);
        assert_eq!([5_000_000, 25_000_000_000].map(size), ["5 MB", "25 GB"]);
    }
}
