//! What a `passages` run will take, for people and programs.

use crate::show::figures::{about, bytes, count, output, percentage};
use crate::show::format::Format;
use crate::usage::print;
use nearprint_dedup::PassagesForecast;
use serde_json::json;
use std::fmt::Write as _;

/// Prints a forecast, of a run that is allowed so many bytes of memory.
pub(crate) fn print_forecast(
    forecast: &PassagesForecast,
    allowed: Option<usize>,
    format: Format,
) -> anyhow::Result<()> {
    if format == Format::Json {
        return print(&format!("{:#}\n", json!(forecast)));
    }
    let mut out = String::new();
    let mut line = |what: &str, value: String| writeln!(out, "{what:<16}{value}");
    let [fewest, most] = forecast.documents_range;
    let (documents, tokens) = (count(forecast.documents), count(forecast.tokens));
    let cut = percentage(forecast.cut_share_sampled);
    if fewest == most {
        line("documents", documents)?;
        line("tokens", tokens)?;
        line("removed", format!("{cut} % of the tokens"))?;
    } else {
        line("documents", format!("about {documents} ({} to {})", count(fewest), count(most)))?;
        line("tokens", format!("about {tokens}"))?;
        let of = count(forecast.sampled);
        line(
            "removed",
            format!(
                "{cut} % of the tokens of the {of} documents that were read; of all, it may be less or more"
            ),
        )?;
    }
    line("time", about(forecast.seconds))?;
    let least = forecast.memory_least;
    let refused = allowed.map(|allowed| allowed as u64).filter(|allowed| *allowed < least);
    line(
        "memory",
        match refused {
            Some(allowed) => format!(
                "{} or more, and --memory allows {}: the run will be refused",
                bytes(least),
                bytes(allowed)
            ),
            None => format!("at most {}", bytes(forecast.memory)),
        },
    )?;
    line("temporary files", format!("at most {}", bytes(forecast.disk)))?;
    line("output", output(forecast.output, forecast.output_size, forecast.output_noted))?;
    print(&out)
}
