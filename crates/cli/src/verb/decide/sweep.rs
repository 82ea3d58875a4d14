//! What each of several similarities would leave, as a table, as JSON and as a picture.

use crate::flags::plot::PlotFlags;
use crate::show::figures::{bytes, count, percent};
use crate::show::format::Format;
use crate::usage::{WrongUsage, print};
use crate::verb::decide::chart::figure;
use nearprint_corpus::{OutputOptions, Outputs};
use nearprint_dedup::{DecisionSpec, Error, Progress, Resources, Swept};
use serde_json::json;
use std::fmt::Write as _;
use std::str::FromStr;

/// How many similarities are decided by, at most.
const MOST: usize = 1000;
/// Parts of 1 that similarities are rounded to: what steps lose.
const PARTS: f64 = 1e9;

/// The similarities.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sweep(Vec<f64>);

impl FromStr for Sweep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const WANTED: &str = "use FROM:TO:STEP with similarities from 0 to 1, such as 0.6:1.0:0.02";
        let parts: Result<Vec<f64>, _> = text.split(':').map(str::parse).collect();
        let Ok([from, to, step]) = parts.as_deref() else { return Err(WANTED.to_owned()) };
        let is_range = 0.0 <= *from && from <= to && *to <= 1.0;
        if !(is_range && *step > 0.0 && *step <= 1.0) {
            return Err(WANTED.to_owned());
        }
        let at = |step_number: u32| {
            (step.mul_add(f64::from(step_number), *from) * PARTS).round() / PARTS
        };
        let all: Vec<f64> = (0..).map(at).take_while(|one| one <= to).take(MOST + 1).collect();
        if all.len() > MOST {
            return Err(format!("these are more than {MOST} similarities: use larger steps"));
        }
        Ok(Self(all))
    }
}

impl Sweep {
    /// Decides by each similarity, and prints what it would leave.
    pub(super) fn print(
        &self,
        spec: &DecisionSpec,
        with: &Resources,
        format: Format,
        plot: &PlotFlags,
        progress: &Progress,
    ) -> anyhow::Result<()> {
        let plots = plot.open(&mut Outputs::new(&[], OutputOptions { force: with.force }))?;
        let swept = spec.open(with, progress).and_then(|ready| ready.sweep(&self.0, progress));
        let swept = swept.map_err(|error| match error {
            Error::Undecidable { problem } => WrongUsage(problem).into(),
            error => anyhow::Error::from(error),
        })?;
        plots.write(&figure(&swept))?;
        print(&match format {
            Format::Table => table(&swept)?,
            // A list of numbers always has a JSON form.
            Format::Json => format!("{:#}\n", json!(swept)),
        })
    }
}

fn table(swept: &[Swept]) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    writeln!(
        out,
        "{:>10} {:>26} {:>14} {:>8} {:>14} {:>12} {:>10} {:>10}",
        "similarity",
        "pairs of different content",
        "kept",
        "kept %",
        "removed",
        "clusters",
        "largest",
        "text"
    )?;
    for one in swept {
        let Swept { similarity, pairs, kept, removed, clusters, largest_cluster, .. } = *one;
        let share = percent(kept, kept + removed);
        writeln!(
            out,
            "{:>10} {:>26} {:>14} {:>8} {:>14} {:>12} {:>10} {:>10}",
            similarity,
            count(pairs),
            count(kept),
            share.trim_end_matches(" %"),
            count(removed),
            count(clusters),
            count(largest_cluster),
            bytes(one.bytes)
        )?;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_has_its_ends_and_no_more_than_it_says() {
        let of = |text: &str| text.parse::<Sweep>().map(|Sweep(all)| all);
        assert_eq!(of("0.6:0.64:0.02"), Ok(vec![0.6, 0.62, 0.64]));
        assert_eq!(of("0.8:0.9:0.04"), Ok(vec![0.8, 0.84, 0.88]));
        assert_eq!(of("1:1:0.1"), Ok(vec![1.0]));
        let all = of("0.6:1.0:0.02").unwrap();
        assert_eq!((all.len(), all.last()), (21, Some(&1.0)));
        for wrong in [
            "",
            "0.6:1.0",
            "0.6:1.0:0",
            "0.9:0.6:0.1",
            "0.6:1.1:0.1",
            "a:b:c",
            "0:1:NaN",
            "-0.1:1:0.1",
        ] {
            assert!(of(wrong).unwrap_err().contains("FROM:TO:STEP"), "{wrong}");
        }
        assert!(of("0:1:0.0001").unwrap_err().contains("more than 1000"));
    }
}
