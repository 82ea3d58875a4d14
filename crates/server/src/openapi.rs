//! The OpenAPI 3.1 description that the service serves of itself. It describes answers by their types, and
//! requests by what this store takes.

use crate::api::clusters::{
    self, ClusterBody, ClusterRow, ClustersBody, FoundBody, RunRow, SizeRow,
};
use crate::api::compare::{self, Compared, DifferenceRow, SideRow};
use crate::api::document::StoredDocument;
use crate::api::duplicates::{DistanceRow, DuplicatesBody, SpikeRow};
use crate::api::export::{self, DocumentsBody};
use crate::api::query::{self, NeighborRow, Neighbors};
use crate::api::row::{MeasureName, NearRow, Row, Verdict};
use crate::api::stats::{FindingBody, FindingName, RecipeBody, SegmentRow, StatsBody};
use crate::api::tasks::{SnapshotWanted, TaskBody, TaskRow};
use crate::request::problem::ProblemBody;
use crate::request::token::Scope;
use nearprint_fingerprint::{DocumentPart, Language, Weighting};
use nearprint_store::Settings;
use serde_json::{Map, Value, json};
use utoipa::OpenApi;

/// The types of answers.
#[derive(OpenApi)]
#[openapi(components(schemas(
    Row, NearRow, MeasureName, Verdict, Neighbors, NeighborRow, Compared, SideRow, DifferenceRow, StoredDocument,
    StatsBody, FindingBody, FindingName, SegmentRow, RecipeBody, ClustersBody, RunRow, FoundBody, SizeRow, ClusterRow,
    ClusterBody, DuplicatesBody, DistanceRow, SpikeRow, DocumentsBody, SnapshotWanted, TaskBody, TaskRow, ProblemBody<'_>
)))]
struct Answers;

/// One method of a path.
struct Operation {
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    /// The scope that it needs; `None` if it needs no token.
    scope: Option<Scope>,
    parameters: Value,
    /// The type and the schema of the body.
    body: Option<(&'static str, Value)>,
    /// The status, type and schema of the answer.
    answer: (&'static str, &'static str, Value),
    /// Statuses of problems, beside those that every operation has.
    problems: &'static [&'static str],
}

const JSON: &str = "application/json";
const LINES: &str = "application/x-ndjson";
const TEXT: &str = "text/plain; charset=utf-8";
const FIGURES: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The description of the service on a store of these settings. `secret`: whether it has tokens.
pub(crate) fn describe(settings: &Settings, secret: bool, open_metrics: bool) -> Value {
    let mut paths = Map::new();
    for operation in operations(settings, open_metrics) {
        let (path, method) = (operation.path, operation.method);
        paths.entry(path).or_insert_with(|| json!({}))[method] = operation.describe(secret);
    }
    let components = Answers::openapi().components;
    let components = serde_json::to_value(components);
    debug_assert!(components.is_ok(), "schemas have a JSON");
    let mut components = components.unwrap_or_default();
    components["schemas"]["Difference"] = difference();
    components["responses"] = json!({ "Problem": {
        "description": "A problem (RFC 9457)",
        "content": { "application/problem+json": { "schema": schema("Problem") } },
    } });
    if secret {
        components["securitySchemes"] = json!({ "token": { "type": "http", "scheme": "bearer" } });
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "nearprint",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Finds the near-duplicates of stored documents. When the service answers \
                            that it added a document, the document is on the disk.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": components,
    })
}

impl Operation {
    fn describe(self, secret: bool) -> Value {
        let Self { summary, scope, parameters, body, answer, problems, .. } = self;
        let (status, kind, schema) = answer;
        let content =
            if kind.is_empty() { json!({}) } else { json!({ kind: { "schema": schema } }) };
        let mut responses = json!({ status: { "description": summary, "content": content } });
        let of_body: &[_] =
            if body.is_some() { &["400", "408", "413", "415", "422"] } else { &["400"] };
        let of_token: &[_] = if secret && scope.is_some() { &["401", "403", "429"] } else { &[] };
        for status in of_body.iter().chain(of_token).chain(problems).chain(&["500", "503"]) {
            responses[status] = json!({ "$ref": "#/components/responses/Problem" });
        }
        let mut described =
            json!({ "summary": summary, "parameters": parameters, "responses": responses });
        if let Some((kind, schema)) = body {
            described["requestBody"] =
                json!({ "required": true, "content": { kind: { "schema": schema } } });
        }
        if let Some(scope) = scope.filter(|_| secret) {
            described["security"] = json!([{ "token": [] }]);
            described["description"] = format!("Needs a token of scope {scope}.").into();
        }
        described
    }
}

fn operations(settings: &Settings, open_metrics: bool) -> Vec<Operation> {
    let (read, write) = (Some(Scope::Read), Some(Scope::Write));
    let ask = |path, summary, body, answer: &str| Operation {
        method: "post",
        path,
        summary,
        scope: read,
        parameters: json!([]),
        body: Some((JSON, body)),
        answer: ("200", JSON, schema(answer)),
        problems: &[],
    };
    let look = |path, summary, answer: (&'static str, &'static str, Value)| Operation {
        method: "get",
        path,
        summary,
        scope: read,
        parameters: json!([]),
        body: None,
        answer,
        problems: &[],
    };
    let row = || ("200", JSON, schema("Row"));
    let (plain, checked) = (document(settings, &["id"]), document(settings, &[]));
    let add = |path, summary| Operation {
        scope: write,
        problems: &["409"],
        ..ask(path, summary, plain.clone(), "Row")
    };
    let named = || {
        let id = json!({ "type": "string", "minLength": 1 });
        json!({ "type": "object", "properties": { "id": id }, "required": ["id"],
                "additionalProperties": false })
    };
    let by_id = |method, summary| Operation {
        method,
        parameters: json!([{ "name": "id", "in": "path", "required": true,
            "description": "The id. Every byte may be percent-encoded; a slash must be",
            "schema": { "type": "string", "minLength": 1 } }]),
        ..look("/v1/documents/{id}", summary, row())
    };
    let task = |path, summary| Operation {
        scope: Some(Scope::Admin),
        ..look(path, summary, ("200", JSON, schema("TaskBody")))
    };
    let begin = |path, summary, body| Operation {
        method: "post",
        answer: ("202", JSON, schema("TaskBody")),
        body,
        problems: &["409"],
        ..task(path, summary)
    };
    let ops = json!(["check", "add", "check-and-add", "delete"]);
    let lines = json!({ "type": "string", "description": "One JSON object on each line" });
    vec![
        ask("/v1/check", "Check whether a near-duplicate is stored; store nothing", checked, "Row"),
        add("/v1/add", "Store a document, near-duplicate or not"),
        add("/v1/check-and-add", "Store a document unless a near-duplicate is stored, in one step"),
        Operation {
            problems: &["404"],
            ..ask(
                "/v1/query",
                "The stored documents near a content or a stored document",
                query(settings),
                "Neighbors",
            )
        },
        Operation {
            problems: &["404"],
            ..ask(
                "/v1/compare",
                "How alike two documents are, and why",
                comparison(settings),
                "Compared",
            )
        },
        Operation {
            problems: &["404"],
            ..ask("/v1/get", "The stored document with this id", named(), "StoredDocument")
        },
        Operation {
            scope: write,
            ..ask("/v1/delete", "Remove the document with this id", named(), "Row")
        },
        Operation {
            problems: &["404"],
            answer: ("200", JSON, schema("StoredDocument")),
            ..by_id("get", "The stored document with this id")
        },
        Operation {
            scope: write,
            body: Some((JSON, replacement(settings))),
            ..by_id("put", "Store a document in place of the one with this id")
        },
        Operation { scope: write, ..by_id("delete", "Remove the document with this id") },
        Operation {
            parameters: json!([{ "name": "op", "in": "query", "required": true,
                "description": "What to do with each line",
                "schema": { "type": "string", "enum": ops } }]),
            body: Some((LINES, lines.clone())),
            answer: ("200", LINES, lines),
            ..ask(
                "/v1/batch",
                "Many documents, one on each line; the answer has a line for each, in their order",
                json!({}),
                "",
            )
        },
        look("/v1/stats", "The figures of the store", ("200", JSON, schema("StatsBody"))),
        look("/v1/recipe", "How texts become fingerprints", ("200", JSON, schema("RecipeBody"))),
        look(
            "/v1/duplicates",
            "Figures of the duplicates that were answered since the server started",
            ("200", JSON, schema("DuplicatesBody")),
        ),
        Operation {
            scope: Some(Scope::Admin),
            answer: ("202", JSON, schema("ClustersBody")),
            problems: &["409"],
            ..ask("/v1/clusters", "Begin a search for clusters", clustering(settings), "")
        },
        Operation {
            parameters: window(),
            ..look(
                "/v1/clusters",
                "The largest clusters that the last search found",
                ("200", JSON, schema("ClustersBody")),
            )
        },
        Operation {
            parameters: members(),
            problems: &["404"],
            ..look(
                "/v1/clusters/{cluster}",
                "The members of a cluster, the oldest first",
                ("200", JSON, schema("ClusterBody")),
            )
        },
        Operation {
            parameters: page(),
            ..look(
                "/v1/documents",
                "A page of documents, in the order of their ids",
                ("200", JSON, schema("DocumentsBody")),
            )
        },
        Operation {
            parameters: json!([prefix()]),
            ..look(
                "/v1/export",
                "All documents of this moment, one on each line, the oldest first; with a prefix in the order of ids",
                (
                    "200",
                    LINES,
                    json!({ "type": "string", "description": "One JSON object on each line" }),
                ),
            )
        },
        begin("/v1/compact", "Begin to make one segment of all documents", None),
        task("/v1/compact", "How far the compaction is"),
        begin("/v1/verify", "Begin to read and compare everything", None),
        task("/v1/verify", "How far the verification is, and what it found"),
        begin("/v1/snapshots", "Begin to copy the store", Some((JSON, schema("SnapshotWanted")))),
        task("/v1/snapshots", "How far the snapshot is"),
        Operation {
            scope: if open_metrics { None } else { read },
            ..look(
                "/metrics",
                "Figures for Prometheus",
                ("200", FIGURES, json!({ "type": "string" })),
            )
        },
        Operation {
            scope: None,
            ..look(
                "/healthz",
                "Whether the process answers",
                ("200", TEXT, json!({ "type": "string" })),
            )
        },
        Operation {
            scope: None,
            ..look(
                "/readyz",
                "Whether the server takes writes",
                ("200", TEXT, json!({ "type": "string" })),
            )
        },
        Operation {
            scope: None,
            ..look("/openapi.json", "This description", ("200", JSON, json!({ "type": "object" })))
        },
    ]
}

fn schema(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// The contents that a document may have, in a store of these settings.
fn contents(settings: &Settings) -> Map<String, Value> {
    let digits = settings.width.bits() / 4;
    let mut contents = Map::new();
    let mut offer = |name: &str, schema| contents.insert(name.to_owned(), schema);
    if settings.finding.radius().is_some() {
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
            offer("text", json!({ "type": "string" }));
            if recipe.content != DocumentPart::Text {
                let page = "The source of a page. The recipe says which text of it counts";
                offer("html", json!({ "type": "string", "description": page }));
            }
        }
    }
    contents
}

/// An object with exactly one content and `others`.
fn one_content(settings: &Settings, others: Value, required: &[&str]) -> Value {
    let mut properties = contents(settings);
    let one: Vec<_> = properties.keys().map(|name| json!({ "required": [name] })).collect();
    if let Value::Object(others) = others {
        properties.extend(others);
    }
    if settings.recipe.as_ref().is_some_and(|recipe| recipe.depends_on_language()) {
        properties.insert("language".to_owned(), json!({ "type": "string", "enum": languages() }));
    }
    json!({ "type": "object", "properties": properties, "required": required, "oneOf": one,
            "additionalProperties": false })
}

/// A document to check or store.
fn document(settings: &Settings, required: &[&str]) -> Value {
    let others = json!({
        "id": { "type": "string", "minLength": 1, "description": "At most 4096 bytes" },
        "metadata": { "type": "object", "description": "The service keeps it unchanged" },
    });
    one_content(settings, others, required)
}

/// A document whose id is in the path.
fn replacement(settings: &Settings) -> Value {
    let mut schema = document(settings, &[]);
    if let Some(properties) = schema["properties"].as_object_mut() {
        properties.remove("id");
    }
    schema
}

/// What a question is about: a content, or a stored document by its id.
fn subject(settings: &Settings, others: Value) -> Value {
    let mut schema = one_content(settings, others, &[]);
    schema["properties"]["id"] =
        json!({ "type": "string", "minLength": 1, "description": "The id of a stored document" });
    if let Some(one) = schema["oneOf"].as_array_mut() {
        one.push(json!({ "required": ["id"] }));
    }
    schema
}

fn query(settings: &Settings) -> Value {
    let most = query::largest(settings);
    let mut others = json!({
        "limit": { "type": "integer", "minimum": 0, "maximum": query::MOST, "default": 10 },
        "explain": { "type": "boolean", "default": false,
                     "description": "Tell the similarity, if the texts are known" },
    });
    if settings.finding.radius().is_some() {
        others["k"] = json!({ "type": "integer", "minimum": 0, "maximum": most,
            "description": "The radius. Beyond the store's radius every document is compared, which is slow" });
    }
    subject(settings, others)
}

fn clustering(settings: &Settings) -> Value {
    let properties = match settings.finding.radius() {
        Some(k) => json!({ "k": { "type": "integer", "minimum": 0, "maximum": k } }),
        None => json!({}),
    };
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn prefix() -> Value {
    json!({ "name": "prefix", "in": "query", "description": "Only ids that begin so",
            "schema": { "type": "string" } })
}

/// The parameters that select a page of documents.
fn page() -> Value {
    json!([
        prefix(),
        { "name": "after", "in": "query", "description": "Only ids behind this one",
          "schema": { "type": "string" } },
        { "name": "limit", "in": "query", "description": "The most documents to answer",
          "schema": { "type": "integer", "minimum": 1, "maximum": export::MOST, "default": 100 } },
    ])
}

/// The parameters that select rows.
fn window() -> Value {
    json!([
        { "name": "offset", "in": "query", "description": "How many rows to skip",
          "schema": { "type": "integer", "minimum": 0, "maximum": u32::MAX } },
        { "name": "limit", "in": "query", "description": "The most rows to answer",
          "schema": { "type": "integer", "minimum": 0, "maximum": clusters::MOST } },
    ])
}

fn members() -> Value {
    let mut parameters = window();
    if let Value::Array(parameters) = &mut parameters {
        parameters.push(json!({ "name": "cluster", "in": "path", "required": true,
            "description": "The number of the cluster, valid until the next search",
            "schema": { "type": "integer", "minimum": 0, "maximum": u32::MAX } }));
    }
    parameters
}

fn comparison(settings: &Settings) -> Value {
    let side = subject(settings, json!({}));
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

/// Where two texts differ: [`Difference`](nearprint_fingerprint::Difference) as it is answered.
fn difference() -> Value {
    let count = |what: &str| json!({ "type": "integer", "minimum": 0, "description": what });
    let piece = |kind: &str, of: Value| {
        json!({ "type": "object", "properties": { kind: of }, "required": [kind],
                "additionalProperties": false })
    };
    let text = |what: &str| json!({ "type": "string", "description": what });
    let pieces = |what: &str| {
        json!({ "type": "array", "description": what, "items": { "oneOf": [
            piece("alike", text("It stands in both, but for its white space")),
            piece("changed", text("It stands in this one only")),
            piece("left_out", count("Characters of a change that are not shown")),
        ] } })
    };
    let all = |properties: Value| {
        let names: Vec<_> =
            properties.as_object().into_iter().flat_map(Map::keys).cloned().collect();
        json!({ "type": "object", "properties": properties, "required": names })
    };
    let row = all(json!({
        "gap": count("Words alike before it that are not shown"),
        "left": pieces("The place as it stands in a"),
        "right": pieces("As it stands in b"),
    }));
    all(json!({
        "rows": { "type": "array", "items": row, "description": "Places that differ, in their order" },
        "more": count("Places that are not shown"),
        "rest": count("Words alike behind the last one"),
        "cut": { "type": "boolean",
                 "description": "A text was too long: only its beginning was looked through" },
    }))
}

/// The codes of two letters that are known.
fn languages() -> Vec<String> {
    let letters = || 'a'..='z';
    let codes = letters().flat_map(|first| letters().map(move |second| format!("{first}{second}")));
    codes.filter(|code| Language::from_tag(code).is_some()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::PATHS;
    use nearprint_fingerprint::Width;
    use nearprint_store::Finding;

    #[test]
    fn every_path_is_described_and_every_reference_leads_somewhere() {
        let settings = Settings { recipe: None, width: Width::W128, finding: Finding::Radius(6) };
        let described = describe(&settings, true, false);
        let mut paths: Vec<_> = described["paths"].as_object().unwrap().keys().collect();
        let mut known = PATHS.to_vec();
        paths.sort();
        known.sort_unstable();
        assert_eq!(paths, known);
        let text = described.to_string();
        for reference in text.split("\"$ref\":\"#").skip(1) {
            let pointer = reference.split('"').next().unwrap();
            assert!(described.pointer(pointer).is_some(), "{pointer}");
        }
        let digits = "/paths/~1v1~1check/post/requestBody/content/application~1json/schema\
                      /properties/fingerprint/minLength";
        assert_eq!(described.pointer(digits), Some(&json!(32)));
    }
}
