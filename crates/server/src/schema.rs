//! How requests and answers are described: parts of the OpenAPI description that endpoints share. What a request holds
//! is described for a store of some settings.

pub(crate) mod difference;

use nearprint_fingerprint::{DocumentPart, Language, Weighting};
use nearprint_store::Settings;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

/// Rows of JSON.
pub(crate) const LINES: &str = "application/x-ndjson";
/// What tools can send that know no lines.
pub(crate) const BYTES: &str = "application/octet-stream";
/// A word or two.
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";

/// Schemas with their names.
pub(crate) type Schemas = Vec<(String, Value)>;

/// The body that an endpoint reads.
pub(crate) struct Body {
    /// By media type.
    pub(crate) content: Value,
    pub(crate) schemas: Schemas,
    pub(crate) is_required: bool,
}

impl Body {
    /// JSON of this schema.
    pub(crate) fn json(name: &str, schema: Value) -> Self {
        let schemas = vec![(name.to_owned(), schema)];
        Self { content: json_of(name), schemas, is_required: true }
    }
}

/// What an endpoint answers.
pub(crate) struct Answer {
    /// By media type.
    pub(crate) content: Value,
    pub(crate) schemas: Schemas,
}

impl Answer {
    /// JSON of this type.
    pub(crate) fn json<T: ToSchema>() -> Self {
        Self { content: json_of(&T::name()), schemas: schemas::<T>() }
    }

    /// Any object.
    pub(crate) fn object() -> Self {
        let content = json!({ "application/json": { "schema": { "type": "object" } } });
        Self { content, schemas: Vec::new() }
    }

    /// Text of these media types.
    pub(crate) fn text(kinds: &[&str]) -> Self {
        let text = |kind: &&str| ((*kind).to_owned(), json!({ "schema": { "type": "string" } }));
        let content: Map<_, _> = kinds.iter().map(text).collect();
        Self { content: content.into(), schemas: Vec::new() }
    }
}

/// The schemas of a type and of all that it names.
pub(crate) fn schemas<T: ToSchema>() -> Schemas {
    let mut schemas = vec![(T::name().into_owned(), T::schema())];
    T::schemas(&mut schemas);
    let described = schemas.into_iter().map(|(name, schema)| {
        let schema = serde_json::to_value(schema);
        debug_assert!(schema.is_ok(), "schemas have a JSON");
        (name, schema.unwrap_or_default())
    });
    described.collect()
}

/// A reference to the schema with this name.
pub(crate) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// The content of a body or an answer: JSON of the schema with this name.
fn json_of(name: &str) -> Value {
    json!({ "application/json": { "schema": reference(name) } })
}

/// A document to be stored.
pub(crate) fn document(settings: &Settings) -> Body {
    let mut document = content(settings, json!({ "id": id(), "metadata": metadata() }), &["id"]);
    document["description"] = "A document to be stored. It has exactly one content".into();
    let mut example = example(settings);
    example["id"] = "https://example.org/a".into();
    document["examples"] = json!([example]);
    Body::json("Document", document)
}

/// A document to be checked.
pub(crate) fn candidate(settings: &Settings) -> Body {
    let mut id = id();
    id["type"] = json!(["string", "integer", "null"]);
    let mut candidate = content(settings, json!({ "id": id, "metadata": metadata() }), &[]);
    candidate["description"] = "A document to be checked. It has exactly one content".into();
    Body::json("Candidate", candidate)
}

/// A document whose id is in the path.
pub(crate) fn replacement(settings: &Settings) -> Body {
    let mut replacement = content(settings, json!({ "metadata": metadata() }), &[]);
    replacement["description"] =
        "A document whose id is in the path. It has exactly one content".into();
    Body::json("Replacement", replacement)
}

/// The id of a document.
pub(crate) fn document_id(_: &Settings) -> Body {
    let named = json!({ "type": "object", "properties": { "id": id() }, "required": ["id"],
                        "additionalProperties": false });
    Body::json("DocumentId", named)
}

/// The id of a document as it stands in a body.
pub(crate) fn id() -> Value {
    named("At most 4096 bytes. A whole number means its digits")
}

/// The id of a stored document as it stands in a question.
pub(crate) fn stored_id() -> Value {
    named("The id of a stored document. A whole number means its digits")
}

fn named(what: &str) -> Value {
    json!({ "type": ["string", "integer"], "minLength": 1, "description": what })
}

fn metadata() -> Value {
    let what = "The service keeps it unchanged. Null means none";
    json!({ "type": ["object", "null"], "description": what })
}

/// A content that a store of these settings takes, by an example.
pub(crate) fn example(settings: &Settings) -> Value {
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
pub(crate) fn content(settings: &Settings, others: Value, required: &[&str]) -> Value {
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

/// The codes of two letters that are known.
fn languages() -> Vec<String> {
    let letters = || 'a'..='z';
    let codes = letters().flat_map(|first| letters().map(move |second| format!("{first}{second}")));
    codes.filter(|code| Language::from_tag(code).is_some()).collect()
}
