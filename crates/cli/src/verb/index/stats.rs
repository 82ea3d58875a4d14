//! `nearprint index stats`: what a segment holds and what its parts take.

use crate::flags::heading::OUTPUT;
use crate::mapped::map;
use crate::show::figures::count;
use crate::show::format::Format;
use crate::usage::print;
use crate::verb::index::segment::{open, recipe_name};
use memmap2::Mmap;
use nearprint_fingerprint::RecipeId;
use nearprint_index::{AnySegment, Layout, Planner};
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Bits by which a set of `n` fingerprints is smaller than a list of them: log2(n!) / n is
/// log2(n) - 1.44.
const UNORDERED: f64 = std::f64::consts::LOG2_E;

/// Print what a segment holds: counts, tables, bytes a fingerprint, recipe
///
/// The bound is what any structure takes at least to hold so many uniform fingerprints:
/// width - log2(n) + 1.44 bits each.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The segment
    #[arg(value_name = "SEG")]
    segment: PathBuf,
    /// How the figures are printed
    #[arg(long, value_enum, default_value = "table", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Format,
}

const EXAMPLES: &str = "Examples:
  nearprint index stats corpus.seg
  nearprint index stats corpus.seg --format json";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let file = map(&args.segment)?;
    stats(args, &open(&args.segment, &file)?, file.len() as u64)
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn stats(args: &Args, segment: &AnySegment<&Mmap>, size: u64) -> anyhow::Result<()> {
    let layout = segment.layout();
    let (ids, tables) = segment.section_bytes();
    let n = segment.len().max(1) as f64;
    let bound = (f64::from(layout.width()) - n.log2() + UNORDERED).max(0.0) / 8.0;
    let each = |bytes: u64| bytes as f64 / n;
    let recipe = segment.recipe().map(|id| RecipeId::from(id).to_string());
    let plan = Planner::name_of(layout);
    let k = (!layout.tells_no_radius()).then_some(layout.k());
    if args.format == Format::Json {
        let sections = |&(suffixes, directory): &(u64, u64)| json!({ "suffixes": suffixes, "directory": directory });
        let answer = json!({
            "width": layout.width(), "k": k, "plan": plan, "ids": segment.has_ids(),
            "documents": segment.documents(),
            "fingerprints": segment.len(), "bytes": size, "id_bytes": ids,
            "bytes_per_fingerprint": each(size),
            "bound_bytes_per_fingerprint": bound, "bucket_bits": layout.bucket_bits(),
            "recipe_id": recipe,
            "tables": tables.iter().map(sections).collect::<Vec<_>>(),
        });
        return print(&format!("{answer:#}\n"));
    }
    let mut out = format!(
        "documents     {}{}\nfingerprints  {} distinct, {} bits\nradius        {}\n\
         plan          {}\ntables        {}\nrecipe        {}\n\n\
         bytes a fingerprint\n  ids         {:>7.2}\n",
        count(segment.documents()),
        if segment.has_ids() { "" } else { ", without their numbers" },
        count(segment.len()),
        layout.width(),
        radius(layout),
        plan.as_deref().unwrap_or("of the builder's own"),
        tables_of(layout),
        segment.recipe().map_or_else(|| "not told".to_owned(), |id| recipe_name(id.into())),
        each(ids),
    );
    for (number, (suffixes, directory)) in (1..).zip(&tables) {
        let (suffixes, directory) = (each(*suffixes), each(*directory));
        let name = if layout.is_scan() { "list".to_owned() } else { format!("table {number}") };
        writeln!(
            out,
            "  {name:<11} {:>7.2}  (suffixes {suffixes:.2}, directory {directory:.2})",
            suffixes + directory
        )?;
    }
    let whole = each(size);
    writeln!(out, "  whole       {whole:>7.2}  ({} bytes)", count(size))?;
    writeln!(out, "  bound       {bound:>7.2}  for one copy without ids")?;
    print(&out)
}

/// The radii that a segment answers.
fn radius(layout: &Layout) -> String {
    match layout.k() {
        _ if layout.tells_no_radius() => "not recorded: an earlier release built it".to_owned(),
        k if layout.is_scan() => format!("built for k up to {k}, answers any"),
        k => format!("k up to {k}"),
    }
}

/// What a query looks into.
fn tables_of(layout: &Layout) -> String {
    if layout.is_scan() {
        return "none: queries are compared with everything".to_owned();
    }
    format!("{}, buckets of {} bits", layout.tables(), layout.bucket_bits())
}
