//! The schema of where two texts differ.

use serde_json::{Map, Value, json};

/// Where two texts differ: [`Difference`](nearprint_fingerprint::Difference) as it is answered.
pub(crate) fn difference() -> Value {
    let count = |what: &str| json!({ "type": "integer", "minimum": 0, "description": what });
    let piece = |kind: &str, of: Value| {
        json!({ "type": "object", "properties": { kind: of }, "required": [kind],
                "additionalProperties": false })
    };
    let text = |what: &str| json!({ "type": "string", "description": what });
    let pieces = |what: &str| {
        json!({ "type": "array", "description": what, "items": { "oneOf": [
            piece("alike", text("In both, apart from its white space")),
            piece("changed", text("Only in this one")),
            piece("left_out", count("Characters of a change that are not shown")),
        ] } })
    };
    let all = |properties: Value| {
        let names: Vec<_> =
            properties.as_object().into_iter().flat_map(Map::keys).cloned().collect();
        json!({ "type": "object", "properties": properties, "required": names })
    };
    let row = all(json!({
        "gap": count("Equal words before it that are not shown"),
        "left": pieces("The place in a"),
        "right": pieces("The place in b"),
    }));
    all(json!({
        "rows": { "type": "array", "items": row, "description": "Places that differ, in their order" },
        "more": count("Places that are not shown"),
        "rest": count("Equal words after the last one"),
        "cut": { "type": "boolean",
                 "description": "A text was too long: only its beginning was compared" },
    }))
}
