//! Who may send a request: checks its token, the scope and the rate of that.

use crate::request::problem::{Kind, Problem};
use crate::request::token::{Scope, Token, Tokens};
use arc_swap::ArcSwap;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// The header that says what the token of a request allows.
const SCOPE: HeaderName = HeaderName::from_static("nearprint-scope");
/// The tokens that are known, which others may take the place of.
pub(crate) type Known = Arc<ArcSwap<Tokens>>;

/// The guard of a set of paths.
#[derive(Clone)]
pub(crate) struct Guard {
    tokens: Known,
    scope: Scope,
}

/// Who sends the request: a token, or anybody if the server has no tokens.
#[derive(Clone)]
pub(crate) struct Caller(pub(crate) Option<Arc<Token>>);

impl Guard {
    pub(crate) fn new(tokens: Known, scope: Scope) -> Self {
        Self { tokens, scope }
    }

    /// The token of a request.
    fn known(&self, request: &Request) -> Result<Arc<Token>, Problem> {
        let tokens = self.tokens.load();
        bearer(request).and_then(|secret| tokens.find(secret)).ok_or_else(|| {
            let detail = "send a token that this server knows, as \"Authorization: Bearer TOKEN\"";
            Problem::new(Kind::Unauthenticated, detail)
        })
    }
}

impl Caller {
    pub(crate) const ANYBODY: Self = Self(None);

    /// Refuses a token that does not allow `scope`.
    pub(crate) fn needs(&self, scope: Scope) -> Result<(), Problem> {
        match &self.0 {
            Some(token) if token.scope < scope => {
                let detail =
                    format!("this needs a token of scope {scope}; yours has {}", token.scope);
                Err(Problem::new(Kind::Forbidden, detail))
            }
            _ => Ok(()),
        }
    }

    /// Takes so many requests of the token's rate, at most those of a second.
    pub(crate) fn pays(&self, requests: u32) -> Result<(), Problem> {
        match self.0.as_ref().map(|token| token.take_some(requests)) {
            Some(Err(wait)) => {
                let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
                let detail = "this token has used up its rate";
                Err(Problem::new(Kind::TooManyRequests, detail).after(seconds))
            }
            _ => Ok(()),
        }
    }
}

/// Lets a request pass if its token allows it.
pub(crate) async fn guard(
    State(guard): State<Guard>,
    mut request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let token = guard.known(&request)?;
    let (name, scope) = (Name(token.name.clone()), token.scope.name());
    let caller = Caller(Some(token));
    let mut response = match caller.needs(guard.scope).and_then(|()| caller.pays(1)) {
        Ok(()) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    };
    response.headers_mut().insert(SCOPE, HeaderValue::from_static(scope));
    response.extensions_mut().insert(name);
    Ok(response)
}

/// The name of the token that gets the response, for the log.
#[derive(Clone)]
pub(crate) struct Name(pub(crate) String);

fn bearer(request: &Request) -> Option<&str> {
    let value = request.headers().get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, secret) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}
