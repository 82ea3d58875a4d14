//! Flags of the items of eval sets: their fields, and when one is found.

use crate::flags::heading::DUPLICATE;
use clap::Args;
use nearprint_dedup::{ContaminationRule, ItemFields, Short};
use std::path::PathBuf;

/// The items, and when one is found.
#[derive(Args)]
pub(crate) struct ItemFlags {
    /// Fields of the items, such as question=ctx,choices=endings
    ///
    /// The parts are question, choices, answer and context. By default the question is in the first of question,
    /// problem, query, prompt, input and text that has one. The choices are in choices, options or endings, and the
    /// context in context, passage or article. The answer is in answer, answers, solution, target or label. A name with
    /// dots is a nested field. A part that is named twice has both fields. With answer alone, the answers are searched
    /// for. A name that no set has is an error.
    #[arg(long, value_name = "LIST", value_parser = item_fields, help_heading = DUPLICATE)]
    item_fields: Option<ItemFields>,
    /// Field that joins several rows to one item [default: each row is one]
    #[arg(long, value_name = "FIELD", help_heading = DUPLICATE, hide_short_help = true)]
    item_id: Option<String>,
    /// File of the prepared items: written if missing, else read
    ///
    /// A million items load in seconds; reading them takes half a minute. The corpus, --share, --bits and --short may
    /// change. If eval sets are named too, the index must match them: the same bytes, recipe and fields. Without eval
    /// sets, only items of the index are searched for.
    #[arg(long, value_name = "FILE", help_heading = DUPLICATE)]
    pub(crate) index: Option<PathBuf>,
    /// Share of an item that a document must contain in order: of its weight and of its words
    #[arg(long, default_value = "0.55", value_name = "S", help_heading = DUPLICATE)]
    share: f64,
    /// Bits of evidence: how unlikely the words are by chance
    ///
    /// From a share of 0.75 on fewer are enough, down to two thirds of them for the whole item. An item that cannot reach these is
    /// undecidable.
    #[arg(long, default_value = "30", value_name = "B", help_heading = DUPLICATE)]
    bits: f64,
    /// Items too short to decide: report, flag or skip
    ///
    /// They are listed before the run. With report, a document that contains a whole one is reported and kept; with
    /// flag it is removed; with skip they are not searched for.
    #[arg(long, default_value = "report", value_name = "WHAT", help_heading = DUPLICATE)]
    short: Short,
}

/// Fields of items, as a flag has them.
fn item_fields(list: &str) -> Result<ItemFields, String> {
    ItemFields::parse(list).map_err(|error| error.to_string())
}

impl ItemFlags {
    /// The fields of the items.
    pub(crate) fn fields(&self) -> ItemFields {
        let fields = self.item_fields.clone().unwrap_or_default();
        ItemFields { id: self.item_id.clone(), ..fields }
    }

    /// When an item is found; documents with common text go where `common` says so.
    pub(crate) fn rule(&self, common: bool) -> ContaminationRule {
        ContaminationRule { share: self.share, bits: self.bits, short: self.short, common }
    }
}
