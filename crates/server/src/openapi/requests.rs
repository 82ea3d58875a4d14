//! The schemas of what requests hold, of those that a store of some settings takes.

use crate::api::op::Op;
use crate::api::{compare, query};
use nearprint_fingerprint::{DocumentPart, Language, Weighting};
use nearprint_store::Settings;
use serde_json::{Map, Value, json};

/// The bodies that begin tasks of an administrator.
pub(super) fn tasks() -> [(&'static str, Value); 2] {
    let name = "Its name in the place of snapshots that the server was started with";
    let snapshot = json!({
        "type": "object",
        "description": "A request for a snapshot",
        "properties": { "name": { "type": "string", "minLength": 1, "maxLength": 128,
            "pattern": "^[A-Za-z0-9_-][A-Za-z0-9._-]*$", "description": name } },
        "required": ["name"],
        "additionalProperties": false,
    });
    let before = "Delete documents whose time is before this one, in milliseconds since 1970";
    let deletion = json!({
        "type": "object",
        "description": "A request to delete many documents, by one of the two",
        "properties": {
            "prefix": { "type": "string", "minLength": 1, "description": "Delete documents whose ids begin so" },
            "before": { "type": "integer", "minimum": 0, "description": before },
        },
        "not": { "not": { "oneOf": [{ "required": ["prefix"] }, { "required": ["before"] }] } },
        "additionalProperties": false,
    });
    [("SnapshotWanted", snapshot), ("DeletionWanted", deletion)]
}

/// All schemas, by their names.
pub(super) fn schemas(settings: &Settings) -> [(&'static str, Value); 8] {
    let named =
        |what: &str| json!({ "type": ["string", "integer"], "minLength": 1, "description": what });
    let id = || named("At most 4096 bytes. A whole number stands for its digits");
    let optional_id = || {
        let mut id = id();
        id["type"] = json!(["string", "integer", "null"]);
        id
    };
    let metadata = || {
        let what = "The service keeps it unchanged. Null is none";
        json!({ "type": ["object", "null"], "description": what })
    };
    let described = |mut schema: Value, what: &str| {
        schema["description"] = what.into();
        schema
    };
    let stored = || named("The id of a stored document. A whole number stands for its digits");
    let mut document = content(settings, json!({ "id": id(), "metadata": metadata() }), &["id"]);
    let mut example = example(settings);
    example["id"] = "https://example.org/a".into();
    document["examples"] = json!([example]);
    let candidate = content(settings, json!({ "id": optional_id(), "metadata": metadata() }), &[]);
    let replacement = content(settings, json!({ "metadata": metadata() }), &[]);
    let mut asked = json!({
        "id": stored(),
        "limit": { "type": "integer", "minimum": 0, "maximum": query::MOST, "default": 10 },
        "explain": { "type": "boolean", "default": false,
                     "description": "Tell the similarity, if the texts are known" },
    });
    let radius = settings.threshold.radius();
    if radius.is_some() {
        asked["k"] = json!({ "type": "integer", "minimum": 0, "maximum": query::largest(settings),
            "description": "The radius. Beyond the store's radius every document is compared, which is slow" });
    }
    let clusters = match radius {
        Some(k) => json!({ "k": { "type": "integer", "minimum": 0, "maximum": k } }),
        None => json!({}),
    };
    [
        ("Document", described(document, "A document to be stored. It has exactly one content")),
        ("Candidate", described(candidate, "A document to be checked. It has exactly one content")),
        (
            "Replacement",
            described(
                replacement,
                "A document whose id is in the path. It has exactly one content",
            ),
        ),
        (
            "Query",
            described(
                content(settings, asked, &[]),
                "A question about exactly one content, or about a stored document",
            ),
        ),
        (
            "Subject",
            described(
                content(settings, json!({ "id": stored() }), &[]),
                "Exactly one content, or a stored document",
            ),
        ),
        ("Comparison", comparison()),
        (
            "DocumentId",
            json!({ "type": "object", "properties": { "id": id() }, "required": ["id"],
                    "additionalProperties": false }),
        ),
        (
            "ClusterSearch",
            json!({ "type": "object", "properties": clusters, "additionalProperties": false }),
        ),
    ]
}

/// The lines of a batch, by an example.
pub(super) fn lines(settings: &Settings) -> String {
    let line = |id: &str| {
        let mut line = example(settings);
        line["id"] = id.into();
        format!("{line}\n")
    };
    line("a") + &line("b")
}

/// The names of what a batch does with its lines.
pub(super) fn ops() -> [&'static str; Op::ALL.len()] {
    Op::ALL.map(Op::name)
}

/// A content that a store of these settings takes, by an example.
fn example(settings: &Settings) -> Value {
    match &settings.recipe {
        None => json!({ "fingerprint": "0f".repeat(settings.width.bits() as usize / 8) }),
        Some(recipe) if recipe.weights == Weighting::Given => {
            json!({ "features": { "rain": 1.5, "may": 0.5 } })
        }
        Some(_) => json!({ "text": "It rained all of May, and the river rose over the road." }),
    }
}

/// The contents that a document may have, in a store of these settings.
fn contents(settings: &Settings) -> Map<String, Value> {
    let digits = settings.width.bits() / 4;
    let mut contents = Map::new();
    let mut offer = |name: &str, schema| contents.insert(name.to_owned(), schema);
    if settings.threshold.radius().is_some() {
        offer(
            "fingerprint",
            json!({ "type": "string", "pattern": "^[0-9a-fA-F]+$", "minLength": digits,
                "maxLength": digits, "description": "A ready fingerprint, made by the store's recipe" }),
        );
    }
    match &settings.recipe {
        None => {}
        Some(recipe) if recipe.weights == Weighting::Given => {
            let weights = json!({ "type": "object", "additionalProperties": { "type": "number" } });
            offer("features", weights);
        }
        Some(recipe) => {
            let text = "Null is a text without a word";
            offer("text", json!({ "type": ["string", "null"], "description": text }));
            if recipe.content != DocumentPart::Text {
                let page = "The source of a page. The recipe says which text of it counts";
                offer("html", json!({ "type": "string", "description": page }));
            }
        }
    }
    contents
}

/// An object with exactly one content, or the id of a stored document in its place, and `others`.
fn content(settings: &Settings, others: Value, required: &[&str]) -> Value {
    let mut properties = contents(settings);
    let mut one: Vec<_> = properties.keys().cloned().collect();
    // A question names a stored document; a document has an id beside its content.
    if others.get("metadata").is_none() && others.get("id").is_some() {
        one.push("id".to_owned());
    }
    if let Value::Object(others) = others {
        properties.extend(others);
    }
    if settings.recipe.as_ref().is_some_and(|recipe| recipe.depends_on_language()) {
        properties.insert("language".to_owned(), json!({ "type": "string", "enum": languages() }));
    }
    let mut required: Vec<_> = required.iter().map(|&name| name.to_owned()).collect();
    let mut schema = json!({ "type": "object", "additionalProperties": false });
    if let [only] = one.as_slice() {
        required.push(only.clone());
    } else {
        // As "oneOf", for programs that check. Generators would make a type of each choice of a "oneOf".
        let one: Vec<_> = one.iter().map(|name| json!({ "required": [name] })).collect();
        schema["not"] = json!({ "not": { "oneOf": one } });
    }
    schema["properties"] = properties.into();
    schema["required"] = required.into();
    schema
}

fn comparison() -> Value {
    let side = json!({ "$ref": "#/components/schemas/Subject" });
    json!({
        "type": "object",
        "properties": {
            "a": side, "b": side,
            "limit": { "type": "integer", "minimum": 0, "maximum": compare::MOST, "default": 10,
                       "description": "Features that weigh more in either" },
            "difference": { "type": "boolean", "default": false,
                            "description": "Tell where the texts differ, where they are known" },
        },
        "required": ["a", "b"],
        "additionalProperties": false,
    })
}

/// The codes of two letters that are known.
fn languages() -> Vec<String> {
    let letters = || 'a'..='z';
    let codes = letters().flat_map(|first| letters().map(move |second| format!("{first}{second}")));
    codes.filter(|code| Language::from_tag(code).is_some()).collect()
}
