//! `nearprint store stats`: what a store holds and what it takes.

use crate::flags::heading::OUTPUT;
use crate::show::figures::{count, megabytes};
use crate::show::format::Format;
use crate::usage::print;
use crate::verb::store::figures::Figures;
use crate::verb::store::flags::{StoreFlags, said};
use nearprint_fingerprint::BandShape;
use nearprint_store::Threshold;
use serde_json::json;
use std::fmt::Write as _;

/// Print what a store holds: documents, recipe, segments, bytes
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    /// How the figures are printed
    #[arg(long, value_enum, default_value = "table", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Format,
}

const EXAMPLES: &str = "Examples:
  nearprint store stats pages
  nearprint store stats pages --format json";

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let settings = args.store.settings()?;
    let stats = Figures::of(&args.store.reach()?)?;
    let recipe = settings.recipe.as_ref();
    let of_segments = stats.of_segments();
    let bytes = stats.database_bytes + of_segments;
    let each = bytes as f64 / stats.documents.max(1) as f64;
    if args.format == Format::Json {
        let mut answer = json!({
            "documents": stats.documents, "width": settings.width.bits(),
            "recipe": recipe.map(|recipe| &recipe.name),
            "recipe_id": settings.id().map(|id| id.to_string()),
            "recent": stats.recent, "segments": stats.segments, "database_bytes": stats.database_bytes,
            "bytes": bytes, "bytes_per_document": each, "commits": stats.commits,
            "damaged": stats.damaged, "scanned": stats.scanned,
        });
        match settings.threshold {
            Threshold::Radius(k) => answer["k"] = k.into(),
            Threshold::Similarity { similarity, recall, .. } => {
                let shape = settings.threshold.bands()?;
                answer["similarity"] = similarity.into();
                answer["recall"] = recall.into();
                answer["bands"] = shape.map(BandShape::bands).into();
                answer["rows"] = shape.map(BandShape::rows).into();
                answer["crowded"] = stats.crowded.into();
            }
            Threshold::Cosine { similarity, recall } => {
                answer["similarity"] = similarity.into();
                answer["recall"] = recall.into();
            }
        }
        if let Some((_, measure)) = settings.threshold.least() {
            answer["measure"] = measure.name().into();
        }
        return print(&format!("{answer:#}\n"));
    }
    let mut out = format!(
        "documents     {}\nrecipe        {}: {}\nrecent        {} in memory\n\
         segments      {}, {:.1} MB\ndatabase      {:.1} MB\ntogether      {each:.1} bytes a document\n",
        count(stats.documents),
        recipe.map_or("ready-made fingerprints", |recipe| &recipe.name),
        said(&settings),
        count(stats.recent),
        count(stats.segments.len() as u64),
        megabytes(of_segments),
        megabytes(stats.database_bytes),
    );
    if stats.crowded > 0 {
        writeln!(out, "crowded       {} keys of bands", count(stats.crowded))?;
    }
    if stats.damaged > 0 {
        let (damaged, scanned) = (count(stats.damaged), count(stats.scanned));
        writeln!(
            out,
            "damaged       {damaged} segments since it was opened; {scanned} documents not in one again"
        )?;
    }
    for (number, one) in (1..).zip(&stats.segments) {
        let (documents, gone) = (count(one.documents), count(one.gone));
        let size = megabytes(one.bytes);
        writeln!(out, "  segment {number:<3} {documents} documents, {gone} gone, {size:.1} MB")?;
    }
    print(&out)
}
