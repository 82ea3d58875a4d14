//! The explanation for programs.

use crate::show::weight::number;
use nearprint_fingerprint::{Explanation, Recipe};
use serde_json::{Value, json};

/// All that is known: unlike a table, every feature.
pub(super) fn answer(recipe: Option<&Recipe>, why: &Explanation) -> Value {
    let features: Vec<_> = why
        .features
        .iter()
        .map(|one| {
            json!({
                "feature": one.feature, "count": one.count, "weight": number(one.weight),
                "hash": one.bits.to_hex(), "bits": one.bits.to_string(),
            })
        })
        .collect();
    json!({
        "recipe": recipe.map(|recipe| &recipe.name),
        "recipe_id": recipe.map(|recipe| recipe.id().to_string()),
        "width": why.bits.width(),
        "tokens": why.tokens,
        "features": features,
        "vector": why.sums.iter().map(|sum| number(*sum)).collect::<Vec<_>>(),
        "bits": why.bits.to_string(),
        "fingerprint": why.bits.to_hex(),
        "flags": why.flags.names().collect::<Vec<_>>(),
        "weightless": why.is_weightless(),
    })
}
