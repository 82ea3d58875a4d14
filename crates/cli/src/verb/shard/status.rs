//! `nearprint shard status`: what is done and what is missing.

use crate::flags::heading::OUTPUT;
use crate::show::figures;
use crate::show::format::Format;
use crate::usage::print;
use crate::verb::shard::job::Job;
use nearprint_dedup::{ComponentCounts, StepStatus};
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Units that a line of the table names at most.
const NAMED: usize = 10;

/// Print the progress of each stage, and which units are missing
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder of the job
    #[arg(value_name = "WORK")]
    work: PathBuf,
    /// How the answer is printed
    #[arg(long, value_enum, default_value = "table", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Format,
}

const EXAMPLES: &str = "Examples:
  nearprint shard status work/
  nearprint shard status work/ --format json";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let stages = Job::open(&args.work)?.status()?;
    if args.format == Format::Json {
        let row = |StepStatus { step, units, missing, components }: &StepStatus| {
            let done = units - missing.len();
            let mut row =
                json!({ "stage": step.name(), "units": units, "done": done, "missing": missing });
            if let Some(ComponentCounts { count, documents, largest }) = components {
                row["components"] =
                    json!({ "count": count, "documents": documents, "largest": largest });
            }
            row
        };
        let rows: Vec<_> = stages.iter().map(row).collect();
        return print(&format!("{:#}\n", json!(rows)));
    }
    let mut table = String::new();
    for StepStatus { step, units, missing, components } in stages {
        let done = units - missing.len();
        write!(table, "{:<8} {done} of {units} units done", step.name())?;
        if !missing.is_empty() {
            let some: Vec<String> = missing.iter().take(NAMED).map(usize::to_string).collect();
            let more = if missing.len() > NAMED { " ..." } else { "" };
            write!(table, "; missing: {}{more}", some.join(" "))?;
        }
        if let Some(ComponentCounts { count, documents, largest }) =
            components.filter(|all| all.count > 0)
        {
            let [count, documents, largest] = [count, documents, largest].map(figures::count);
            write!(
                table,
                "; {count} components of {documents} documents, the largest of {largest}: unit 0 of solve"
            )?;
        }
        table.push('\n');
    }
    print(&table)
}
