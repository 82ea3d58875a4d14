//! The OpenAPI 3.1 description that the service serves of itself. It describes answers by their types, and
//! requests by what this store takes. Programs generate clients of it, so every operation has an id and every
//! body a schema with a name.

use crate::endpoints::{ENDPOINTS, Endpoint};
use crate::request::problem::ProblemBody;
use crate::request::token::Scope;
use crate::schema;
use nearprint_store::Settings;
use serde_json::{Map, Value, json};

/// What operations are listed under.
const TAGS: [(&str, &str); 5] = [
    ("documents", "Check, store and remove documents"),
    ("search", "What is near, and how alike documents are"),
    ("clusters", "Groups of near-duplicates among all stored documents"),
    ("store", "The store and its upkeep"),
    ("monitoring", "Health and figures of the service"),
];

/// The description of the service on a store of these settings. `secret`: whether it has tokens.
pub(crate) fn describe(settings: &Settings, secret: bool, open_metrics: bool) -> Value {
    let (mut paths, mut schemas) = (Map::new(), Map::new());
    schemas.extend(schema::schemas::<ProblemBody<'_>>());
    for endpoint in ENDPOINTS {
        let (path, method) = (endpoint.path, endpoint.method.name());
        let scope = endpoint.scope(open_metrics).filter(|_| secret);
        paths.entry(path).or_insert_with(|| json!({}))[method] =
            operation(endpoint, settings, scope, &mut schemas);
    }
    let mut components = json!({
        "schemas": schemas,
        "responses": { "Problem": {
            "description": "A problem (RFC 9457)",
            "content": { "application/problem+json": { "schema": schema::reference("Problem") } },
        } },
    });
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

/// The description of an endpoint that asks for a token of this scope; its schemas go to the others.
fn operation(
    endpoint: &Endpoint,
    settings: &Settings,
    scope: Option<Scope>,
    schemas: &mut Map<String, Value>,
) -> Value {
    let (answer, body) = ((endpoint.answer)(), endpoint.body.map(|body| body(settings)));
    let answered = json!({ "description": endpoint.summary, "content": answer.content });
    schemas.extend(answer.schemas);
    let mut responses = json!({ endpoint.status: answered });
    let of_body: &[_] =
        if body.is_some() { &["400", "408", "413", "415", "422"] } else { &["400"] };
    let of_token: &[_] = if scope.is_some() { &["401", "403", "429"] } else { &[] };
    // From a copy.
    let of_copy: &[_] = if endpoint.writes() { &["421"] } else { &[] };
    let problems = of_body.iter().chain(of_copy).chain(of_token).chain(endpoint.problems);
    for status in problems.chain(&["500", "503"]) {
        responses[status] = json!({ "$ref": "#/components/responses/Problem" });
    }
    let mut described = json!({ "operationId": endpoint.id, "tags": [endpoint.tag],
                                "summary": endpoint.summary, "parameters": (endpoint.parameters)(),
                                "responses": responses });
    if let Some(body) = body {
        described["requestBody"] = json!({ "required": body.is_required, "content": body.content });
        schemas.extend(body.schemas);
    }
    if let Some(scope) = scope {
        described["security"] = json!([{ "token": [] }]);
        described["description"] = format!("Needs a token of scope {scope}.").into();
    }
    described
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::Width;
    use nearprint_store::Threshold;
    use std::collections::BTreeSet;

    #[test]
    fn every_path_is_described_and_every_reference_leads_somewhere() {
        let settings =
            Settings { recipe: None, width: Width::W128, threshold: Threshold::Radius(6) };
        let described = describe(&settings, true, false);
        let paths = described["paths"].as_object().unwrap();
        assert!(ENDPOINTS.iter().all(|endpoint| paths.contains_key(endpoint.path)));
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
