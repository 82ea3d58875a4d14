//! What a `dedup` run will take, for people and programs, and what to ask for where it is too much.

use crate::flags::likeness::said;
use crate::show::figures::{about, at_least, bytes, count, duration, output};
use crate::show::format::Format;
use crate::usage::{print, say};
use nearprint_dedup::{Forecast, Likeness, join_seconds};
use nearprint_fingerprint::estimate::radius_at_cosine;
use nearprint_fingerprint::{BandShape, Width};
use serde_json::json;
use std::fmt::Write as _;

/// A join that takes longer is worth a word.
const LONG: f64 = 600.0;
/// Similarities that are offered in place of one that takes too long.
const SIMILARITIES: [f64; 5] = [0.85, 0.9, 0.95, 0.97, 0.99];

/// How seconds are said.
type Said = fn(f64) -> String;

/// A forecast, with the setting that it is of.
pub(crate) struct Estimate<'a> {
    pub(crate) forecast: Forecast,
    pub(crate) likeness: &'a Likeness,
    pub(crate) width: Width,
    pub(crate) threads: usize,
    /// Bytes of memory that are allowed.
    pub(crate) allowed: Option<usize>,
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
        let [fewest, most] = forecast.documents_range;
        let documents = match fewest == most {
            true => count(fewest),
            false => format!(
                "about {} ({} to {})",
                count(forecast.documents),
                count(fewest),
                count(most)
            ),
        };
        line("documents", documents)?;
        line("setting", said(self.likeness, self.width))?;
        // A join that is not by bands may take longer, and so may all.
        let (of_all, of_join): (Said, Said) = match self.likeness.bands() {
            Some(_) => (about, duration),
            None => (at_least, at_least),
        };
        line("time", of_all(forecast.seconds()))?;
        line("  fingerprints", duration(forecast.fingerprint_seconds))?;
        line("  join", of_join(forecast.join_seconds))?;
        line("  verification", duration(forecast.verify_seconds))?;
        line("  writing", duration(forecast.write_seconds))?;
        line("memory", self.memory())?;
        line("temporary files", format!("at most {}", bytes(forecast.disk)))?;
        line("output", output(forecast.output, forecast.output_size, forecast.output_noted))?;
        if let Some(advice) = advice {
            writeln!(out, "\n{advice}")?;
        }
        print(&out)
    }

    /// The memory, and whether it is more than allowed.
    fn memory(&self) -> String {
        let (memory, allowed) = (self.forecast.memory, self.allowed.map(|bytes| bytes as u64));
        let [least, most] = self.forecast.memory_range;
        match allowed.filter(|allowed| *allowed < memory) {
            Some(allowed) => {
                let (memory, allowed) = (bytes(memory), bytes(allowed));
                format!("{memory}, more than the {allowed} of --memory: the run may be refused")
            }
            None => format!("about {} ({} to {})", bytes(memory), bytes(least), bytes(most)),
        }
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
            duration(long)
        );
        let mut offers = Vec::new();
        for similarity in SIMILARITIES {
            let k = match self.likeness.measure() {
                "cosine" => radius_at_cosine(similarity, bits, Likeness::RECALL),
                _ => Likeness::radius(similarity, self.width),
            };
            let seconds = join_seconds(documents, bits, k, threads).unwrap_or(f64::INFINITY);
            if k < self.likeness.k() && seconds < LONG.min(long / 2.0) {
                offers.push(format!("--similarity {similarity} (k = {k}, {})", duration(seconds)));
                break;
            }
        }
        let strict = join_seconds(documents, 64, 3, threads).unwrap_or(f64::INFINITY);
        if strict < long / 2.0 {
            offers.push(format!("--width 64 -k 3, the paper's ({})", duration(strict)));
        }
        if !offers.is_empty() {
            let _written = write!(advice, "; shorter: {}", offers.join(", or "));
        }
        Some(advice)
    }
}
