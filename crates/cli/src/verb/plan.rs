//! `nearprint plan`: which tables serve best, and what they will take.

use crate::flags::heading::{DUPLICATE, INPUT, OUTPUT, RESOURCES};
use crate::flags::radius::RadiusFlags;
use crate::flags::size::bytes;
use crate::show::figures::{bytes as bytes_of, count};
use crate::show::format::Format;
use crate::show::plans::{chosen, mean, much_faster};
use crate::usage::print;
use clap::ValueEnum;
use nearprint_fingerprint::Width;
use nearprint_index::{Chance, Plan, PlannedTable, Planner, Purpose, Remedy, Request};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Print which index tables suit a number of documents, and what they take
///
/// Predicts the bytes of a segment, the time of a query alone and among many, and the time of a self join. It also says
/// how many unrelated documents are near by chance. All holds for uniform distinct fingerprints in memory and one
/// thread. The choice, marked with *, is the fastest for the job within the memory. The others are plans that are
/// faster or smaller than every other, the paper's, and the scan.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Number of documents, such as 8000000, 8M or 8e9
    ///
    /// K, M, G and B stand for thousand, million and (G and B) thousand million.
    #[arg(long, value_parser = number, value_name = "N", help_heading = INPUT)]
    docs: u64,
    #[command(flatten)]
    radius: RadiusFlags,
    /// Bits of a fingerprint: 64, 128 or 256
    #[arg(long, default_value = "64", value_name = "BITS", help_heading = DUPLICATE)]
    width: Width,
    /// Bytes that the tables may take [default: by the job]
    ///
    /// K, M, G and T stand for powers of 1000, KiB and so on for powers of 1024. The default is two and a half times
    /// the fingerprints, and for a join what it needs. It is up to ten times if a query then takes a quarter of the
    /// time or less.
    #[arg(long, value_parser = bytes, value_name = "SIZE", help_heading = RESOURCES)]
    memory: Option<usize>,
    /// What the tables are for
    #[arg(long, value_enum, default_value = "batch", value_name = "JOB", help_heading = INPUT)]
    job: JobFlag,
    /// Plan a segment without the numbers of the documents
    #[arg(long, help_heading = INPUT)]
    no_ids: bool,
    /// Print every plan there is
    #[arg(long, help_heading = OUTPUT)]
    all: bool,
    /// Print one plan table by table: its blocks, prefix bits and candidates
    ///
    /// Blocks are ranges of bits of the fingerprint; bit 0 is the leading one. All bits of a table's
    /// blocks make up its prefix.
    #[arg(long, value_name = "NAME", conflicts_with = "all", help_heading = OUTPUT)]
    show: Option<String>,
    /// How the plans are printed
    #[arg(long, value_enum, default_value = "table", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Format,
}

/// [`Purpose`] as a flag.
#[derive(Clone, Copy, ValueEnum)]
enum JobFlag {
    /// Queries that come one by one
    Query,
    /// Queries that come many at a time
    Batch,
    /// All pairs of the documents themselves
    Join,
}

const EXAMPLES: &str = "Examples:
  nearprint plan --docs 10M
  nearprint plan --docs 8e9 -k 3 --memory 64G --no-ids
  nearprint plan --docs 17179869184 --show paper-20
  nearprint plan --docs 1M -k 24 --width 128 --job join
  nearprint plan --docs 1e9 --all --format json";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let k = args.radius.k(args.width)?;
    let purpose = match args.job {
        JobFlag::Query => Purpose::Query,
        JobFlag::Batch => Purpose::Batch,
        JobFlag::Join => Purpose::Join,
    };
    let (width, memory) = (args.width.bits(), args.memory.map(|bytes| bytes as u64));
    let (documents, ids) = (args.docs, !args.no_ids);
    let planner = Planner::new(Request { documents, width, k, ids, memory, purpose })?;
    if let Some(name) = &args.show {
        return show(planner.named(name)?, planner.request(), args.format);
    }
    let chosen = chosen(&planner)?;
    let faster = planner.faster()?;
    let advice = faster.map(|faster| {
        let pass = format!("pass --memory {}M", faster.bytes().div_ceil(1_000_000));
        much_faster(chosen, faster, &pass)
    });
    let chance = Chance::new(width, k);
    let warning = chance.is_many(args.docs).then(|| warning(&chance, args.docs, k));
    let shown: Vec<_> =
        planner.plans().iter().filter(|plan| args.all || shows(&planner, plan)).collect();
    if args.format == Format::Json {
        let answer = json!({
            "documents": args.docs, "width": width, "k": k, "memory": planner.memory(),
            "choice": row(chosen), "plans": shown.into_iter().map(row).collect::<Vec<_>>(),
            "chance_matches_a_query": chance.of_query(args.docs),
            "chance_pairs_in_a_join": chance.of_join(args.docs), "warning": warning,
            "faster": faster.map(row), "advice": advice,
        });
        return print(&format!("{answer:#}\n"));
    }
    let mut out = format!("{} fingerprints of {width} bits, k = {k}", count(args.docs));
    if let Some(memory) = planner.memory() {
        write!(out, ", at most {} MB", count(memory.div_ceil(1_000_000)))?;
    }
    out.push_str(
        "\n\n  plan      tables  key bits        MB  bytes/fp  candidates   query us   batch us     join s\n",
    );
    for plan in shown {
        line(&mut out, plan, plan.name() == chosen.name(), args.docs)?;
    }
    writeln!(
        out,
        "\nchance matches: {} a query, {} pairs in a self join",
        figure(chance.of_query(args.docs)),
        figure(chance.of_join(args.docs))
    )?;
    if let Some(advice) = advice {
        writeln!(out, "note: {advice}")?;
    }
    if let Some(warning) = warning {
        writeln!(out, "warning: {warning}")?;
    }
    print(&out)
}

/// Prints one plan, table by table.
fn show(plan: &Plan, request: &Request, format: Format) -> anyhow::Result<()> {
    let Request { documents, width, k, .. } = *request;
    if format == Format::Json {
        let mut answer = row(plan);
        answer["documents"] = documents.into();
        answer["width"] = width.into();
        answer["k"] = k.into();
        answer["each_table"] = plan.tables().iter().map(table_row).collect();
        return print(&format!("{answer:#}\n"));
    }
    let mut out = format!(
        "{} for {} fingerprints of {width} bits, k = {k}\n\n\
         \x20 table  key bits  radius   buckets  candidates  blocks\n",
        plan.name(),
        count(documents)
    );
    for (number, table) in (1..).zip(plan.tables().iter().filter(|_| !plan.is_scan())) {
        let blocks: Vec<_> =
            table.blocks.iter().map(|bits| format!("{}-{}", bits.start, bits.end - 1)).collect();
        writeln!(
            out,
            "  {number:>5}  {:>8}  {:>6}  {:>8}  {:>10}  {}",
            table.prefix_bits,
            table.radius.map_or_else(|| "-".to_owned(), |radius| radius.to_string()),
            mean(table.buckets),
            mean(table.candidates),
            blocks.join(" ")
        )?;
    }
    writeln!(out, "  {:>5}  {:>26}  {:>10}", "all", mean(plan.buckets()), mean(plan.candidates()))?;
    writeln!(
        out,
        "\n{}; {} us a query, {} us in a batch",
        bytes_of(plan.bytes()),
        figure(plan.query_microseconds()),
        figure(plan.batch_microseconds())
    )?;
    print(&out)
}

fn table_row(table: &PlannedTable) -> Value {
    let blocks: Vec<_> = table.blocks.iter().map(|bits| [bits.start, bits.end - 1]).collect();
    json!({
        "blocks": blocks, "key_bits": table.prefix_bits, "bucket_bits": table.bucket_bits,
        "radius": table.radius, "buckets": table.buckets, "candidates": table.candidates,
    })
}

/// Whether a plan stands in the table: nothing else is faster and smaller, or people ask for it.
fn shows(planner: &Planner, plan: &Plan) -> bool {
    let asked = plan.is_scan() || plan.name().starts_with("paper-");
    let faster = planner.plans().iter().take_while(|other| other.name() != plan.name());
    asked || faster.map(Plan::bytes).all(|bytes| bytes > plan.bytes())
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn line(out: &mut String, plan: &Plan, chosen: bool, documents: u64) -> std::fmt::Result {
    let bits = plan.prefix_bits();
    let key = match (plan.is_scan(), bits.start() == bits.end()) {
        (true, _) => "-".to_owned(),
        (false, true) => bits.start().to_string(),
        (false, false) => format!("{}-{}", bits.start(), bits.end()),
    };
    writeln!(
        out,
        "{} {:<9} {:>6} {key:>9} {:>9} {:>9.2} {:>11} {:>10} {:>10} {:>10}",
        if chosen { "*" } else { " " },
        plan.name(),
        if plan.is_scan() { 0 } else { plan.layout().tables() },
        count(plan.bytes().div_ceil(1_000_000)),
        plan.bytes() as f64 / documents.max(1) as f64,
        mean(plan.candidates()),
        figure(plan.query_microseconds()),
        figure(plan.batch_microseconds()),
        figure(plan.join_seconds()),
    )
}

fn row(plan: &Plan) -> Value {
    json!({
        "plan": plan.name(), "tables": if plan.is_scan() { 0 } else { plan.layout().tables() },
        "key_bits": [plan.prefix_bits().start(), plan.prefix_bits().end()],
        "bytes": plan.bytes(), "join_bytes": plan.join_bytes(), "buckets": plan.buckets(),
        "candidates": plan.candidates(), "query_us": plan.query_microseconds(),
        "batch_us": plan.batch_microseconds(), "join_s": plan.join_seconds(),
    })
}

/// What to do about unrelated documents that are near.
fn warning(chance: &Chance, documents: u64, k: u32) -> String {
    let Remedy { wider, closer } = chance.remedy(documents);
    let mut advice = Vec::new();
    if let Some((width, k)) = wider {
        advice.push(format!("fingerprints of {width} bits with -k {k}"));
    }
    if let Some(k) = closer {
        advice.push(format!("-k {k}"));
    }
    format!(
        "at k = {k} a query is near {} unrelated documents by chance; use {}",
        figure(chance.of_query(documents)),
        if advice.is_empty() { "fewer documents".to_owned() } else { advice.join(", or ") }
    )
}

/// A figure with as many digits as it deserves.
fn figure(value: f64) -> String {
    match value {
        0.01..100.0 => format!("{value:.2}"),
        100.0..1e7 => format!("{value:.0}"),
        _ => format!("{value:.1e}"),
    }
}

/// A number of documents.
fn number(text: &str) -> Result<u64, String> {
    let wrong = || "use a number of documents such as 8000000, 8M or 8e9".to_owned();
    let digits = text.trim_end_matches(char::is_alphabetic);
    let unit = match text.get(digits.len()..).unwrap_or_default().to_ascii_uppercase().as_str() {
        "" => 1.0,
        "K" => 1e3,
        "M" => 1e6,
        "G" | "B" => 1e9,
        _ => return Err(wrong()),
    };
    if let (Ok(whole), "") = (digits.parse::<u64>(), text.get(digits.len()..).unwrap_or_default()) {
        return Ok(whole).and_then(|whole| if whole > 0 { Ok(whole) } else { Err(wrong()) });
    }
    let value = digits.parse::<f64>().map_err(|_| wrong())? * unit;
    if (1.0..1e18).contains(&value) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 1e18")]
        Ok(value.round() as u64)
    } else {
        Err(wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_counted_in_thousands() {
        let numbers = ["17", "1K", "1.5M", "8e9", "2B", "1E3"].map(|text| number(text).unwrap());
        assert_eq!(numbers, [17, 1000, 1_500_000, 8_000_000_000, 2_000_000_000, 1000]);
        for wrong in ["", "M", "-1", "0", "1T", "0.2", "1e19", "inf", "NaN", "1 000"] {
            assert!(number(wrong).is_err(), "{wrong}");
        }
    }
}
