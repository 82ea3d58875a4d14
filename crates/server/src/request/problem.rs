//! What the server tells a client about a problem: `application/problem+json`.
//!
//! A problem tells nothing of the machine, such as a path; the log does.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use nearprint_bits::ErrorKind;
use nearprint_store::Error as StoreError;
use serde::Serialize;
use std::borrow::Cow;
use utoipa::ToSchema;

/// The kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The body is not JSON, or not what its head says.
    Body,
    /// A field is missing, unknown or of a wrong type, or its value is not allowed.
    Field,
    /// The path or the query string cannot be read.
    Request,
    TooLarge,
    MediaType,
    Unauthenticated,
    Forbidden,
    OtherSite,
    NotFound,
    Method,
    Conflict,
    TooMany,
    UnderWay,
    TooManyRequests,
    Busy,
    ReadOnly,
    /// The store is a copy of another one, which takes the writes.
    Copy,
    /// The changes asked for are not kept any more.
    Gone,
    /// The position asked for is of another history.
    OtherHistory,
    /// The copy is not what it should be yet, or any more.
    NotFollowing,
    Closing,
    SlowBody,
    Timeout,
    Internal,
}

impl Kind {
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Self::Body | Self::Request => StatusCode::BAD_REQUEST,
            Self::Field => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Unauthenticated => StatusCode::UNAUTHORIZED,
            Self::Forbidden | Self::OtherSite => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict | Self::TooMany | Self::UnderWay | Self::OtherHistory => {
                StatusCode::CONFLICT
            }
            Self::Copy => StatusCode::MISDIRECTED_REQUEST,
            Self::Gone => StatusCode::GONE,
            Self::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy | Self::ReadOnly | Self::NotFollowing | Self::Closing | Self::Timeout => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::SlowBody => StatusCode::REQUEST_TIMEOUT,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Body => "The body cannot be read",
            Self::Field => "Invalid field",
            Self::Request => "The address cannot be read",
            Self::TooLarge => "The request is too large",
            Self::MediaType => "The body is of another type",
            Self::Unauthenticated => "A token is needed",
            Self::Forbidden => "The token does not allow this",
            Self::OtherSite => "The request is from another site",
            Self::NotFound => "Not found",
            Self::Method => "The path does not take this method",
            Self::Conflict => "The id is taken",
            Self::TooMany => "There are too many documents",
            Self::UnderWay => "This is under way already",
            Self::TooManyRequests => "Too many requests",
            Self::Busy => "The server is busy",
            Self::ReadOnly => "The store is read-only",
            Self::Copy => "This server is a copy",
            Self::Gone => "The changes are not kept any more",
            Self::OtherHistory => "The position is of another history",
            Self::NotFollowing => "The copy has not caught up",
            Self::Closing => "The server is closing",
            Self::SlowBody => "The body did not arrive",
            Self::Timeout => "The answer took too long",
            Self::Internal => "The server failed",
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Body => "urn:nearprint:problem:body",
            Self::Field => "urn:nearprint:problem:field",
            Self::Request => "urn:nearprint:problem:request",
            Self::TooLarge => "urn:nearprint:problem:too-large",
            Self::MediaType => "urn:nearprint:problem:media-type",
            Self::Unauthenticated => "urn:nearprint:problem:unauthenticated",
            Self::Forbidden => "urn:nearprint:problem:forbidden",
            Self::OtherSite => "urn:nearprint:problem:other-site",
            Self::NotFound => "urn:nearprint:problem:not-found",
            Self::Method => "urn:nearprint:problem:method",
            Self::Conflict => "urn:nearprint:problem:conflict",
            Self::TooMany => "urn:nearprint:problem:too-many-documents",
            Self::UnderWay => "urn:nearprint:problem:under-way",
            Self::TooManyRequests => "urn:nearprint:problem:too-many-requests",
            Self::Busy => "urn:nearprint:problem:busy",
            Self::ReadOnly => "urn:nearprint:problem:read-only",
            Self::Copy => "urn:nearprint:problem:copy",
            Self::Gone => "urn:nearprint:problem:changes-gone",
            Self::OtherHistory => "urn:nearprint:problem:other-history",
            Self::NotFollowing => "urn:nearprint:problem:not-following",
            Self::Closing => "urn:nearprint:problem:closing",
            Self::SlowBody => "urn:nearprint:problem:slow-body",
            Self::Timeout => "urn:nearprint:problem:timeout",
            Self::Internal => "urn:nearprint:problem:internal",
        }
    }

    /// Seconds after which the same request may succeed.
    fn retry_after(self) -> Option<u64> {
        match self {
            Self::Busy
            | Self::ReadOnly
            | Self::NotFollowing
            | Self::TooManyRequests
            | Self::Timeout
            | Self::UnderWay => Some(1),
            Self::Closing => Some(5),
            _ => None,
        }
    }
}

/// A problem to answer.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) kind: Kind,
    pub(crate) detail: Cow<'static, str>,
    /// The field of the body that is wrong, as a JSON pointer.
    pub(crate) field: Option<Cow<'static, str>>,
    retry_after: Option<u64>,
}

/// A problem (RFC 9457).
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemBody<'a> {
    /// A name for the kind of problem.
    #[serde(rename = "type")]
    kind: &'a str,
    /// The kind of problem, for people.
    title: &'a str,
    /// The status of the answer.
    status: u16,
    /// What was found, what was expected, and what to do.
    detail: &'a str,
    /// The field of the body that is wrong, as a JSON pointer.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
}

impl Problem {
    pub(crate) fn new(kind: Kind, detail: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, detail: detail.into(), field: None, retry_after: kind.retry_after() }
    }

    /// A problem with a field of the body.
    pub(crate) fn field(
        pointer: impl Into<Cow<'static, str>>,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { field: Some(pointer.into()), ..Self::new(Kind::Field, detail) }
    }

    /// A radius was asked of a store by similarity.
    pub(crate) fn no_radius() -> Self {
        Self::field("/k", "this store finds documents by similarity: leave out the radius")
    }

    /// The same problem, with its field within `pointer`.
    pub(crate) fn within(self, pointer: &str) -> Self {
        let field = self.field.map(|field| format!("{pointer}{field}").into());
        Self { field, ..self }
    }

    /// The same problem, with the seconds after which to try again.
    pub(crate) fn after(self, seconds: u64) -> Self {
        Self { retry_after: Some(seconds.max(1)), ..self }
    }

    /// What was found and expected, with the field that is wrong.
    pub(crate) fn reason(self) -> Cow<'static, str> {
        match self.field {
            Some(field) if !field.is_empty() => format!("{field}: {}", self.detail).into(),
            _ => self.detail,
        }
    }

    /// The server is being stopped.
    pub(crate) fn closing() -> Self {
        Self::new(Kind::Closing, "the server is being stopped")
    }

    /// The same, as the answer to who asks whether the server is ready for writes.
    pub(crate) fn not_ready(self) -> Self {
        Self { kind: Kind::ReadOnly, ..self }
    }

    /// A task ended without a result.
    pub(crate) fn lost() -> Self {
        Self::new(Kind::Internal, "the request could not be finished; the server's log says why")
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let detail = error.to_string();
        match error {
            StoreError::IdTaken { .. } => {
                Self { field: Some("/id".into()), ..Self::new(Kind::Conflict, detail) }
            }
            StoreError::IdLength { .. } => Self::field("/id", detail),
            StoreError::Metadata { .. } => Self::field("/metadata", detail),
            StoreError::Ahead { .. } => Self::field("/before", detail),
            StoreError::Row { .. } => Self::new(Kind::Field, detail),
            StoreError::PositionGone { .. } => Self::new(Kind::Gone, detail),
            StoreError::OtherHistory { .. } => Self::new(Kind::OtherHistory, detail),
            StoreError::Busy => Self::new(Kind::Busy, detail),
            StoreError::Closed => Self::closing(),
            // The store has written to the log why, once.
            StoreError::ReadOnly { .. } => Self::new(
                Kind::ReadOnly,
                "writes fail at the moment, the server's log says why; nothing that was answered is lost, \
                 checks go on, and the server takes writes again when this is over",
            ),
            // A request that the store would refuse for these reasons is refused before it.
            other => match other.kind() {
                ErrorKind::Usage
                | ErrorKind::Input
                | ErrorKind::Corrupt
                | ErrorKind::Io
                | ErrorKind::Memory
                | ErrorKind::Busy
                | ErrorKind::NotReady
                | ErrorKind::Interrupted
                | ErrorKind::Bug => {
                    tracing::error!(error = detail, "the store failed");
                    Self::new(Kind::Internal, "the store failed; the server's log says why")
                }
            },
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Self { kind, detail, field, retry_after } = self;
        let body = ProblemBody {
            kind: kind.name(),
            title: kind.title(),
            status: kind.status().as_u16(),
            detail: &detail,
            field: field.as_deref(),
        };
        let json = serde_json::to_vec(&body);
        debug_assert!(json.is_ok(), "strings and numbers have a JSON");
        let json = json.unwrap_or_default();
        let mut response = (kind.status(), json).into_response();
        let headers = response.headers_mut();
        let json = HeaderValue::from_static("application/problem+json");
        headers.insert(header::CONTENT_TYPE, json);
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if kind == Kind::Unauthenticated {
            let bearer = HeaderValue::from_static("Bearer");
            headers.insert(header::WWW_AUTHENTICATE, bearer);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_of_the_store_is_answered_by_what_the_client_can_do_about_it() {
        let id = || "a".to_owned();
        for (error, status, field) in [
            (StoreError::IdTaken { id: id() }, 409, Some("/id")),
            (StoreError::IdLength { found: 0, most: 9 }, 422, Some("/id")),
            (StoreError::Metadata { id: id(), message: id() }, 422, Some("/metadata")),
            (StoreError::Row { what: id() }, 422, None),
            (StoreError::PositionGone { asked: 1, first: 2 }, 410, None),
            (StoreError::OtherHistory { asked: 1, reached: 2 }, 409, None),
            (StoreError::Busy, 503, None),
            (StoreError::Closed, 503, None),
            (StoreError::ReadOnly { reason: id() }, 503, None),
            (StoreError::NoSketch, 500, None),
            (StoreError::Mismatch { path: id().into(), searched: 1, stored: 2 }, 500, None),
            (StoreError::InUse { path: id().into() }, 500, None),
        ] {
            let said = error.to_string();
            let problem = Problem::from(error);
            let found = (problem.kind.status().as_u16(), problem.field.as_deref());
            assert_eq!(found, (status, field), "{said}");
            // The log alone tells of the machine.
            assert!(status != 500 || !problem.detail.contains(&said), "{said}");
        }
    }
}
