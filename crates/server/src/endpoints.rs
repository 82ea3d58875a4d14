//! The table of endpoints: of it come the routes, the OpenAPI description and the names in figures and logs.

use crate::api::clusters::{self, ClusterBody, ClustersBody};
use crate::api::document::{self, StoredDocument};
use crate::api::duplicates::{self, DuplicatesBody};
use crate::api::export::{self, DocumentsBody};
use crate::api::query::{self, Neighbors};
use crate::api::row::Row;
use crate::api::stats::{self, RecipeBody, StatsBody};
use crate::api::tasks::{self, TaskBody};
use crate::api::{batch, change, changes, check, compare, health};
use crate::follow::leader::CHANGES;
use crate::request::arrival::Route;
use crate::request::token::Scope;
use crate::schema::{self, Answer, Body};
use crate::shared::{Shared, json};
use crate::work::exposition::{CLASSIC, OPEN_METRICS};
use axum::routing::{MethodFilter, MethodRouter, on};
use nearprint_store::Settings;
use serde_json::{Value, json};
use std::sync::Arc;

/// One method of a path.
pub(crate) struct Endpoint {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    needs: Needs,
    pub(crate) handler: fn(&Made) -> MethodRouter<Shared>,
    /// Its name in clients that are generated.
    pub(crate) id: &'static str,
    /// What it is listed under.
    pub(crate) tag: &'static str,
    pub(crate) summary: &'static str,
    /// The parameters in the path and in the query string. It reads them itself.
    pub(crate) parameters: fn() -> Value,
    pub(crate) body: Option<fn(&Settings) -> Body>,
    /// The status of the answer.
    pub(crate) status: &'static str,
    pub(crate) answer: fn() -> Answer,
    /// Statuses of problems, beside those that every endpoint has.
    pub(crate) problems: &'static [&'static str],
    /// Whether programs ask again and again, and know the answer.
    is_polled: bool,
}

/// What a handler is made of.
pub(crate) struct Made {
    pub(crate) method: MethodFilter,
    /// The description of the service.
    pub(crate) described: Arc<Value>,
}

/// The methods that endpoints have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Get,
    Post,
    Put,
    Delete,
}

/// The token that an endpoint asks for.
#[derive(Clone, Copy)]
enum Needs {
    Nothing,
    Token(Scope),
    /// A token that reads, unless figures are for everybody.
    Figures,
}

/// Every endpoint.
pub(crate) static ENDPOINTS: &[Endpoint] = &[
    ask(
        ("check", "documents", "Check whether a near-duplicate is stored; store nothing"),
        "/v1/check",
        |made| on(made.method, check::check),
        schema::candidate,
        Answer::json::<Row>,
    ),
    add(("add", "documents", "Store a document, near-duplicate or not"), "/v1/add", |made| {
        on(made.method, change::add)
    }),
    add(
        (
            "checkAndAdd",
            "documents",
            "Store a document unless a near-duplicate is stored, in one step",
        ),
        "/v1/check-and-add",
        |made| on(made.method, change::check_and_add),
    ),
    Endpoint {
        problems: &[],
        ..add(
            (
                "checkAndPut",
                "documents",
                "Store a document in place of the one with its id, unless a near-duplicate with another id is stored",
            ),
            "/v1/check-and-put",
            |made| on(made.method, change::check_and_put),
        )
    },
    Endpoint {
        problems: &["404"],
        ..ask(
            ("query", "search", "The stored documents near a content or a stored document"),
            "/v1/query",
            |made| on(made.method, query::query),
            query::body,
            Answer::json::<Neighbors>,
        )
    },
    Endpoint {
        problems: &["404"],
        ..ask(
            ("compare", "search", "How alike two documents are, and why"),
            "/v1/compare",
            |made| on(made.method, compare::compare),
            compare::body,
            compare::answer,
        )
    },
    Endpoint {
        parameters: batch::parameters,
        problems: &["421"],
        ..ask(
            (
                "batch",
                "documents",
                "Many documents, one on each line; the answer has a row for each, in their order",
            ),
            "/v1/batch",
            // One that writes checks the scope itself.
            |made| on(made.method, batch::batch),
            batch::body,
            batch::answer,
        )
    },
    Endpoint {
        problems: &["404"],
        ..ask(
            (
                "getDocumentByBody",
                "documents",
                "The stored document with this id, which no path need hold",
            ),
            "/v1/get",
            |made| on(made.method, document::get_by_body),
            schema::document_id,
            Answer::json::<StoredDocument>,
        )
    },
    Endpoint {
        needs: Needs::Token(Scope::Write),
        ..ask(
            (
                "deleteDocumentByBody",
                "documents",
                "Remove the document with this id, which no path need hold",
            ),
            "/v1/delete",
            |made| on(made.method, document::delete_by_body),
            schema::document_id,
            Answer::json::<Row>,
        )
    },
    Endpoint {
        parameters: export::page_parameters,
        ..look(
            ("listDocuments", "documents", "A page of documents, in the order of their ids"),
            "/v1/documents",
            |made| on(made.method, export::page),
            Answer::json::<DocumentsBody>,
        )
    },
    Endpoint {
        parameters: document::parameters,
        problems: &["404"],
        ..look(
            ("getDocument", "documents", "The stored document with this id"),
            document::PATH,
            |made| on(made.method, document::get),
            Answer::json::<StoredDocument>,
        )
    },
    Endpoint {
        method: Method::Put,
        needs: Needs::Token(Scope::Write),
        parameters: document::parameters,
        body: Some(schema::replacement),
        ..look(
            ("putDocument", "documents", "Store a document in place of the one with this id"),
            document::PATH,
            |made| on(made.method, document::put),
            Answer::json::<Row>,
        )
    },
    Endpoint {
        method: Method::Delete,
        needs: Needs::Token(Scope::Write),
        parameters: document::parameters,
        ..look(
            ("deleteDocument", "documents", "Remove the document with this id"),
            document::PATH,
            |made| on(made.method, document::delete),
            Answer::json::<Row>,
        )
    },
    Endpoint {
        parameters: export::parameters,
        ..look(
            (
                "exportDocuments",
                "documents",
                "All documents at this moment, one on each line, the oldest first; with a prefix in the order of ids",
            ),
            "/v1/export",
            |made| on(made.method, export::export),
            || Answer::text(&[schema::LINES]),
        )
    },
    Endpoint {
        parameters: changes::parameters,
        problems: &["409", "410"],
        ..look(
            (
                "changes",
                "store",
                "The changes of the store, a row of JSON each, as long as the client reads",
            ),
            CHANGES,
            |made| on(made.method, changes::changes),
            || Answer::text(&[schema::LINES]),
        )
    },
    look(
        ("stats", "store", "The figures of the store"),
        "/v1/stats",
        |made| on(made.method, stats::stats),
        Answer::json::<StatsBody>,
    ),
    look(
        ("recipe", "store", "How texts become fingerprints"),
        "/v1/recipe",
        |made| on(made.method, stats::recipe),
        Answer::json::<RecipeBody>,
    ),
    look(
        (
            "duplicates",
            "search",
            "Figures of the duplicates that were answered since the server started",
        ),
        "/v1/duplicates",
        |made| on(made.method, duplicates::duplicates),
        Answer::json::<DuplicatesBody>,
    ),
    Endpoint {
        needs: Needs::Token(Scope::Admin),
        status: "202",
        problems: &["409"],
        ..ask(
            ("findClusters", "clusters", "Begin a search for clusters"),
            clusters::PATH,
            |made| on(made.method, clusters::begin),
            clusters::body,
            Answer::json::<ClustersBody>,
        )
    },
    Endpoint {
        parameters: clusters::parameters,
        ..look(
            ("clusters", "clusters", "The largest clusters that the last search found"),
            clusters::PATH,
            |made| on(made.method, clusters::list),
            Answer::json::<ClustersBody>,
        )
    },
    Endpoint {
        parameters: clusters::member_parameters,
        problems: &["404"],
        ..look(
            ("cluster", "clusters", "The members of a cluster, the oldest first"),
            "/v1/clusters/{cluster}",
            |made| on(made.method, clusters::members),
            Answer::json::<ClusterBody>,
        )
    },
    begin(
        ("compact", "store", "Begin to make one segment of all documents"),
        "/v1/compact",
        |made| on(made.method, tasks::begin_compaction),
        None,
    ),
    task(("compaction", "store", "The progress of the compaction"), "/v1/compact", |made| {
        on(made.method, tasks::compaction)
    }),
    begin(
        ("verify", "store", "Begin to read and compare everything"),
        "/v1/verify",
        |made| on(made.method, tasks::begin_verification),
        None,
    ),
    task(
        ("verification", "store", "The progress of the verification, and what it found"),
        "/v1/verify",
        |made| on(made.method, tasks::verification),
    ),
    Endpoint {
        problems: &["409", "421"],
        ..begin(
            (
                "deleteDocuments",
                "store",
                "Begin to delete the documents whose ids begin alike, or that are old",
            ),
            "/v1/deletions",
            |made| on(made.method, tasks::begin_deletion),
            Some(tasks::deletion_body),
        )
    },
    task(("deletion", "store", "The progress of the deletion"), "/v1/deletions", |made| {
        on(made.method, tasks::deletion)
    }),
    Endpoint {
        problems: &["404", "409"],
        ..begin(
            ("takeSnapshot", "store", "Begin to copy the store"),
            "/v1/snapshots",
            |made| on(made.method, tasks::begin_snapshot),
            Some(tasks::snapshot_body),
        )
    },
    task(("snapshot", "store", "The progress of the snapshot"), "/v1/snapshots", |made| {
        on(made.method, tasks::snapshot)
    }),
    Endpoint {
        needs: Needs::Figures,
        ..look(
            (
                "metrics",
                "monitoring",
                "Figures for Prometheus; as OpenMetrics for clients that accept it",
            ),
            "/metrics",
            |made| on(made.method, health::metrics),
            || Answer::text(&[CLASSIC, OPEN_METRICS]),
        )
    },
    Endpoint {
        needs: Needs::Nothing,
        ..look(
            ("healthz", "monitoring", "Whether the process answers"),
            "/healthz",
            |made| on(made.method, health::healthz),
            || Answer::text(&[schema::TEXT]),
        )
    },
    Endpoint {
        needs: Needs::Nothing,
        parameters: health::parameters,
        is_polled: true,
        ..look(
            (
                "readyz",
                "monitoring",
                "Whether the server takes requests; a read-only replica says that it is one",
            ),
            "/readyz",
            |made| on(made.method, health::readyz),
            || Answer::text(&[schema::TEXT]),
        )
    },
    Endpoint {
        needs: Needs::Nothing,
        ..look(
            ("openapi", "monitoring", "This description"),
            "/openapi.json",
            |made| {
                let described = Arc::clone(&made.described);
                on(made.method, async move || json(&*described))
            },
            Answer::object,
        )
    },
];

/// Name, tag and summary of an endpoint.
type Named = (&'static str, &'static str, &'static str);
type Handler = fn(&Made) -> MethodRouter<Shared>;

/// An endpoint that is looked at.
const fn look(
    (id, tag, summary): Named,
    path: &'static str,
    handler: Handler,
    answer: fn() -> Answer,
) -> Endpoint {
    Endpoint {
        method: Method::Get,
        path,
        needs: Needs::Token(Scope::Read),
        handler,
        id,
        tag,
        summary,
        parameters: || json!([]),
        body: None,
        status: "200",
        answer,
        problems: &[],
        is_polled: false,
    }
}

/// An endpoint that takes a question in its body.
const fn ask(
    named: Named,
    path: &'static str,
    handler: Handler,
    body: fn(&Settings) -> Body,
    answer: fn() -> Answer,
) -> Endpoint {
    Endpoint { method: Method::Post, body: Some(body), ..look(named, path, handler, answer) }
}

/// An endpoint that stores a document.
const fn add(named: Named, path: &'static str, handler: Handler) -> Endpoint {
    Endpoint {
        needs: Needs::Token(Scope::Write),
        problems: &["409"],
        ..ask(named, path, handler, schema::document, Answer::json::<Row>)
    }
}

/// How far a task is.
const fn task(named: Named, path: &'static str, handler: Handler) -> Endpoint {
    Endpoint {
        needs: Needs::Token(Scope::Admin),
        ..look(named, path, handler, Answer::json::<TaskBody>)
    }
}

/// The beginning of a task.
const fn begin(
    named: Named,
    path: &'static str,
    handler: Handler,
    body: Option<fn(&Settings) -> Body>,
) -> Endpoint {
    Endpoint {
        method: Method::Post,
        status: "202",
        body,
        problems: &["409"],
        ..task(named, path, handler)
    }
}

impl Endpoint {
    /// The scope that it needs; `None` if it needs no token.
    pub(crate) fn scope(&self, open_metrics: bool) -> Option<Scope> {
        match self.needs {
            Needs::Token(scope) => Some(scope),
            Needs::Figures if !open_metrics => Some(Scope::Read),
            Needs::Figures | Needs::Nothing => None,
        }
    }

    /// Whether it is refused by a copy without being asked.
    pub(crate) fn writes(&self) -> bool {
        matches!(self.needs, Needs::Token(Scope::Write))
    }

    /// Its route.
    pub(crate) fn route(&self) -> Route {
        let takes_parameters = ENDPOINTS
            .iter()
            .filter(|other| other.path == self.path)
            .any(|other| is_asked_by_query(&(other.parameters)()));
        Route { template: self.path, takes_parameters, is_polled: self.is_polled }
    }
}

/// Whether one of these parameters stands in the query string.
fn is_asked_by_query(parameters: &Value) -> bool {
    parameters.as_array().is_some_and(|all| all.iter().any(|one| one["in"] == "query"))
}

impl Method {
    /// Its name in the description.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
            Self::Put => "put",
            Self::Delete => "delete",
        }
    }

    pub(crate) const fn filter(self) -> MethodFilter {
        match self {
            Self::Get => MethodFilter::GET,
            Self::Post => MethodFilter::POST,
            Self::Put => MethodFilter::PUT,
            Self::Delete => MethodFilter::DELETE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn an_endpoint_has_a_name_and_a_method_of_its_own() {
        let ids: BTreeSet<_> = ENDPOINTS.iter().map(|endpoint| endpoint.id).collect();
        let paths: BTreeSet<_> =
            ENDPOINTS.iter().map(|endpoint| (endpoint.path, endpoint.method.name())).collect();
        assert_eq!((ids.len(), paths.len()), (ENDPOINTS.len(), ENDPOINTS.len()));
    }

    #[test]
    fn parameters_of_a_path_are_those_of_its_methods() {
        let takes = |path: &str| {
            let routes = ENDPOINTS.iter().map(Endpoint::route);
            routes.filter(|route| route.template == path).all(|route| route.takes_parameters)
        };
        assert!(takes("/v1/batch") && takes(clusters::PATH) && takes("/readyz"));
        assert!(!takes("/v1/check") && !takes(document::PATH));
    }
}
