//! The OpenAPI 3.1 description that the service serves of itself. It describes answers by their types, and
//! requests by what this store takes. Programs generate clients of it, so every operation has an id and every
//! body a schema with a name.

mod difference;
mod requests;

use crate::api::clusters::{
    self, ClusterBody, ClusterRow, ClustersBody, FoundBody, RunRow, SizeRow,
};
use crate::api::compare::{Compared, DifferenceRow, SideRow};
use crate::api::document::StoredDocument;
use crate::api::duplicates::{DistanceRow, DuplicatesBody, SpikeRow};
use crate::api::export::{self, DocumentsBody};
use crate::api::query::{NeighborRow, Neighbors};
use crate::api::row::{MeasureName, NearRow, Row, Verdict};
use crate::api::stats::{FindingBody, FindingName, RecipeBody, SegmentRow, StatsBody};
use crate::api::tasks::{TaskBody, TaskRow};
use crate::api::totals::Totals;
use crate::follow::following::FollowBody;
use crate::request::problem::ProblemBody;
use crate::request::token::Scope;
use crate::work::exposition::{CLASSIC, OPEN_METRICS};
use nearprint_store::Settings;
use serde_json::{Map, Value, json};
use utoipa::OpenApi;

/// The types of answers.
#[derive(OpenApi)]
#[openapi(components(schemas(
    Row, NearRow, MeasureName, Verdict, Totals, Neighbors, NeighborRow, Compared, SideRow, DifferenceRow,
    StoredDocument, StatsBody, FollowBody, FindingBody, FindingName, SegmentRow, RecipeBody, ClustersBody, RunRow, FoundBody,
    SizeRow, ClusterRow, ClusterBody, DuplicatesBody, DistanceRow, SpikeRow, DocumentsBody, TaskBody,
    TaskRow, ProblemBody<'_>
)))]
struct Answers;

/// What operations are listed under.
const TAGS: [(&str, &str); 5] = [
    ("documents", "Check, store and remove documents"),
    ("search", "What is near, and how alike documents are"),
    ("clusters", "Groups of near-duplicates among all stored documents"),
    ("store", "The store and its upkeep"),
    ("monitoring", "Health and figures of the service"),
];

/// One method of a path.
struct Operation {
    /// Its name in clients that are generated.
    id: &'static str,
    tag: &'static str,
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    /// The scope that it needs; `None` if it needs no token.
    scope: Option<Scope>,
    parameters: Value,
    /// The content of the body, by type; null if there is none.
    body: Value,
    /// The status and the content of the answer, by type.
    answer: (&'static str, Value),
    /// Statuses of problems, beside those that every operation has.
    problems: &'static [&'static str],
}

const LINES: &str = "application/x-ndjson";
/// What tools can send that know no lines.
const BYTES: &str = "application/octet-stream";
const TEXT: &str = "text/plain; charset=utf-8";

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
    components["schemas"]["Difference"] = difference::difference();
    for (name, schema) in requests::schemas(settings).into_iter().chain(requests::tasks()) {
        components["schemas"][name] = schema;
    }
    components["responses"] = json!({ "Problem": {
        "description": "A problem (RFC 9457)",
        "content": { "application/problem+json": { "schema": schema("Problem") } },
    } });
    if secret {
        components["securitySchemes"] = json!({ "token": { "type": "http", "scheme": "bearer" } });
    }
    let tags = TAGS.map(|(name, description)| json!({ "name": name, "description": description }));
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
        "tags": tags,
        "paths": paths,
        "components": components,
    })
}

impl Operation {
    fn describe(self, secret: bool) -> Value {
        let Self { id, tag, summary, scope, parameters, body, answer, problems, .. } = self;
        let (status, content) = answer;
        let mut responses = json!({ status: { "description": summary, "content": content } });
        let of_body: &[_] =
            if body.is_null() { &["400"] } else { &["400", "408", "413", "415", "422"] };
        let of_token: &[_] = if secret && scope.is_some() { &["401", "403", "429"] } else { &[] };
        let writes = scope == Some(Scope::Write) || matches!(id, "batch" | "deleteDocuments");
        // From a copy.
        let of_copy: &[_] = if writes { &["421"] } else { &[] };
        for status in
            of_body.iter().chain(of_copy).chain(of_token).chain(problems).chain(&["500", "503"])
        {
            responses[status] = json!({ "$ref": "#/components/responses/Problem" });
        }
        let mut described = json!({ "operationId": id, "tags": [tag], "summary": summary,
                                    "parameters": parameters, "responses": responses });
        if !body.is_null() {
            described["requestBody"] = json!({ "required": id != "findClusters", "content": body });
        }
        if let Some(scope) = scope.filter(|_| secret) {
            described["security"] = json!([{ "token": [] }]);
            described["description"] = format!("Needs a token of scope {scope}.").into();
        }
        described
    }
}

/// The content of a body or an answer: JSON of the schema with this name.
fn json_of(name: &str) -> Value {
    json!({ "application/json": { "schema": schema(name) } })
}

fn text(kind: &str) -> Value {
    json!({ kind: { "schema": { "type": "string" } } })
}

fn operations(settings: &Settings, open_metrics: bool) -> Vec<Operation> {
    let (read, write) = (Some(Scope::Read), Some(Scope::Write));
    let ask = |id, tag, path, summary, body: &str, answer: &str| Operation {
        id,
        tag,
        method: "post",
        path,
        summary,
        scope: read,
        parameters: json!([]),
        body: json_of(body),
        answer: ("200", json_of(answer)),
        problems: &[],
    };
    let look = |id, tag, path, summary, content| Operation {
        id,
        tag,
        method: "get",
        path,
        summary,
        scope: read,
        parameters: json!([]),
        body: Value::Null,
        answer: ("200", content),
        problems: &[],
    };
    let add = |id, path, summary| Operation {
        scope: write,
        problems: &["409"],
        ..ask(id, "documents", path, summary, "Document", "Row")
    };
    let by_id = |id, method, summary, answer| Operation {
        method,
        parameters: json!([{ "name": "id", "in": "path", "required": true,
            "description": "The id. Every byte may be percent-encoded; a slash must be",
            "schema": { "type": "string", "minLength": 1 } }]),
        ..look(id, "documents", "/v1/documents/{id}", summary, json_of(answer))
    };
    let task = |id, path, summary| Operation {
        scope: Some(Scope::Admin),
        ..look(id, "store", path, summary, json_of("TaskBody"))
    };
    let begin = |id, path, summary, body| Operation {
        method: "post",
        answer: ("202", json_of("TaskBody")),
        body,
        problems: &["409"],
        ..task(id, path, summary)
    };
    vec![
        ask(
            "check",
            "documents",
            "/v1/check",
            "Check whether a near-duplicate is stored; store nothing",
            "Candidate",
            "Row",
        ),
        add("add", "/v1/add", "Store a document, near-duplicate or not"),
        add(
            "checkAndAdd",
            "/v1/check-and-add",
            "Store a document unless a near-duplicate is stored, in one step",
        ),
        Operation {
            problems: &[],
            ..add(
                "checkAndPut",
                "/v1/check-and-put",
                "Store a document in place of the one with its id, unless a near-duplicate with another id is stored",
            )
        },
        Operation {
            problems: &["404"],
            ..ask(
                "query",
                "search",
                "/v1/query",
                "The stored documents near a content or a stored document",
                "Query",
                "Neighbors",
            )
        },
        Operation {
            problems: &["404"],
            ..ask(
                "compare",
                "search",
                "/v1/compare",
                "How alike two documents are, and why",
                "Comparison",
                "Compared",
            )
        },
        Operation {
            problems: &["404"],
            ..ask(
                "getDocumentByBody",
                "documents",
                "/v1/get",
                "The stored document with this id, which no path need hold",
                "DocumentId",
                "StoredDocument",
            )
        },
        Operation {
            scope: write,
            ..ask(
                "deleteDocumentByBody",
                "documents",
                "/v1/delete",
                "Remove the document with this id, which no path need hold",
                "DocumentId",
                "Row",
            )
        },
        Operation {
            problems: &["404"],
            ..by_id("getDocument", "get", "The stored document with this id", "StoredDocument")
        },
        Operation {
            scope: write,
            body: json_of("Replacement"),
            ..by_id(
                "putDocument",
                "put",
                "Store a document in place of the one with this id",
                "Row",
            )
        },
        Operation {
            scope: write,
            ..by_id("deleteDocument", "delete", "Remove the document with this id", "Row")
        },
        batch(settings),
        look("stats", "store", "/v1/stats", "The figures of the store", json_of("StatsBody")),
        look(
            "recipe",
            "store",
            "/v1/recipe",
            "How texts become fingerprints",
            json_of("RecipeBody"),
        ),
        look(
            "duplicates",
            "search",
            "/v1/duplicates",
            "Figures of the duplicates that were answered since the server started",
            json_of("DuplicatesBody"),
        ),
        Operation {
            scope: Some(Scope::Admin),
            answer: ("202", json_of("ClustersBody")),
            problems: &["409"],
            ..ask(
                "findClusters",
                "clusters",
                "/v1/clusters",
                "Begin a search for clusters",
                "ClusterSearch",
                "",
            )
        },
        Operation {
            parameters: window(),
            ..look(
                "clusters",
                "clusters",
                "/v1/clusters",
                "The largest clusters that the last search found",
                json_of("ClustersBody"),
            )
        },
        Operation {
            parameters: members(),
            problems: &["404"],
            ..look(
                "cluster",
                "clusters",
                "/v1/clusters/{cluster}",
                "The members of a cluster, the oldest first",
                json_of("ClusterBody"),
            )
        },
        Operation {
            parameters: page(),
            ..look(
                "listDocuments",
                "documents",
                "/v1/documents",
                "A page of documents, in the order of their ids",
                json_of("DocumentsBody"),
            )
        },
        Operation {
            parameters: json!([prefix()]),
            ..look(
                "exportDocuments",
                "documents",
                "/v1/export",
                "All documents of this moment, one on each line, the oldest first; with a prefix in the order of ids",
                text(LINES),
            )
        },
        Operation {
            parameters: json!([{ "name": "after", "in": "query",
                "description": "The position after which the changes are sent, such as /v1/stats has; all documents \
                                come first without it",
                "schema": { "type": "string" } }]),
            problems: &["409", "410"],
            ..look(
                "changes",
                "store",
                "/v1/changes",
                "What changes in the store, a row of JSON each, as long as the client reads",
                text(LINES),
            )
        },
        begin("compact", "/v1/compact", "Begin to make one segment of all documents", Value::Null),
        task("compaction", "/v1/compact", "How far the compaction is"),
        begin("verify", "/v1/verify", "Begin to read and compare everything", Value::Null),
        task("verification", "/v1/verify", "How far the verification is, and what it found"),
        begin(
            "deleteDocuments",
            "/v1/deletions",
            "Begin to delete the documents whose ids begin alike, or that are old",
            json_of("DeletionWanted"),
        ),
        task("deletion", "/v1/deletions", "How far the deletion is"),
        Operation {
            problems: &["404", "409"],
            ..begin(
                "takeSnapshot",
                "/v1/snapshots",
                "Begin to copy the store",
                json_of("SnapshotWanted"),
            )
        },
        task("snapshot", "/v1/snapshots", "How far the snapshot is"),
        Operation {
            scope: if open_metrics { None } else { read },
            ..look(
                "metrics",
                "monitoring",
                "/metrics",
                "Figures for Prometheus; as OpenMetrics to those who accept that",
                json!({ CLASSIC: { "schema": { "type": "string" } },
                        OPEN_METRICS: { "schema": { "type": "string" } } }),
            )
        },
        Operation {
            scope: None,
            ..look("healthz", "monitoring", "/healthz", "Whether the process answers", text(TEXT))
        },
        Operation {
            scope: None,
            parameters: json!([{ "name": "for", "in": "query",
                "description": "What the server must be ready for; for both if this is not said",
                "schema": { "type": "string", "enum": ["reads", "writes"] } }]),
            ..look(
                "readyz",
                "monitoring",
                "/readyz",
                "Whether the server takes requests",
                text(TEXT),
            )
        },
        Operation {
            scope: None,
            ..look(
                "openapi",
                "monitoring",
                "/openapi.json",
                "This description",
                json!({ "application/json": { "schema": { "type": "object" } } }),
            )
        },
    ]
}

/// A batch. Its lines are no JSON, so nothing describes them but words and an example.
fn batch(settings: &Settings) -> Operation {
    let documents = "A Candidate (check), a Document (add, check-and-add, put, check-and-put) or a DocumentId (delete) on each line; for import a row of an export";
    let lines = json!({ "type": "string", "description": documents });
    let bytes = json!({ "type": "string", "format": "binary", "description": documents });
    let rows = json!({ "type": "string",
        "description": "A Row for each line that was asked for; then, with the parameter rows, the Totals" });
    Operation {
        id: "batch",
        tag: "documents",
        method: "post",
        path: "/v1/batch",
        summary: "Many documents, one on each line; the answer has a row for each, in their order",
        scope: Some(Scope::Read),
        parameters: json!([
            { "name": "op", "in": "query", "required": true, "description": "What to do with each line",
              "schema": { "type": "string", "enum": requests::ops() } },
            { "name": "rows", "in": "query",
              "description": "Which rows to answer. With this parameter, a row of counts comes last",
              "schema": { "type": "string", "enum": ["all", "new", "refused", "none"] } },
        ]),
        body: json!({
            LINES: { "schema": lines, "example": requests::lines(settings) },
            BYTES: { "schema": bytes },
        }),
        answer: ("200", json!({ LINES: { "schema": rows } })),
        problems: &[],
    }
}

fn schema(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::PATHS;
    use nearprint_fingerprint::Width;
    use nearprint_store::Threshold;
    use std::collections::BTreeSet;

    #[test]
    fn every_path_is_described_and_every_reference_leads_somewhere() {
        let settings =
            Settings { recipe: None, width: Width::W128, threshold: Threshold::Radius(6) };
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
        let digits = "/components/schemas/Document/properties/fingerprint/minLength";
        assert_eq!(described.pointer(digits), Some(&json!(32)));
    }
    #[test]
    fn a_generator_finds_a_name_for_all_that_it_makes() {
        let settings =
            Settings { recipe: None, width: Width::W64, threshold: Threshold::Radius(3) };
        let described = describe(&settings, true, false);
        let tags: BTreeSet<_> = TAGS.iter().map(|(name, _)| *name).collect();
        let mut ids = BTreeSet::new();
        let operations = described["paths"].as_object().unwrap().values();
        for operation in operations.flat_map(|path| path.as_object().unwrap().values()) {
            let id = operation["operationId"].as_str().unwrap();
            assert!(ids.insert(id), "{id} is there twice");
            assert!(tags.contains(operation["tags"][0].as_str().unwrap()), "{id}");
            let body = &operation["requestBody"]["content"]["application/json"];
            assert!(body.is_null() || body["schema"]["$ref"].is_string(), "{id}: {body}");
        }
        assert!(ids.len() > 20);
    }
}
