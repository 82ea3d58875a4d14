//! Who may send a request: checks its token, the scope and the rate of that.

use crate::request::arrival::{Arrival, Route};
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

/// What a request passes on its way to a handler.
#[derive(Clone)]
pub(crate) struct Gate {
    route: Route,
    keeper: Option<Keeper>,
}

#[derive(Clone)]
enum Keeper {
    /// Asks for a token.
    Guard(Guard),
    /// Lets all pass, as this caller.
    All(Caller),
}

/// Asks for a token of a scope.
#[derive(Clone)]
struct Guard {
    tokens: Known,
    scope: Scope,
}

/// Who may send requests to a router.
pub(crate) enum Access {
    /// Who has a token of these.
    Tokens(Known),
    /// All who reach it.
    All(Caller),
}

/// Who sends the request.
#[derive(Clone)]
pub(crate) enum Caller {
    /// Somebody who reaches the server, which has no tokens.
    Anybody,
    /// The owner of the files of the store, through the socket among them.
    Owner,
    Bearer(Bearer),
}

/// A token that was sent, and the tokens that are known at any later time.
#[derive(Clone)]
pub(crate) struct Bearer {
    token: Arc<Token>,
    known: Known,
}

impl Gate {
    /// The gate of a route: for tokens of `scope`, or for all who reach it where it needs none.
    pub(crate) fn new(route: Route, scope: Option<Scope>, access: &Access) -> Self {
        let keeper = scope.map(|scope| match access {
            Access::Tokens(tokens) => Keeper::Guard(Guard { tokens: Arc::clone(tokens), scope }),
            Access::All(caller) => Keeper::All(caller.clone()),
        });
        Self { route, keeper }
    }
}

impl Guard {
    /// Lets a request pass if its token allows it.
    async fn pass(self, mut request: Request, next: Next) -> Result<Response, Problem> {
        let token = self.token_of(&request)?;
        let (name, scope) = (Name(token.name.clone()), token.scope.name());
        let caller = Caller::Bearer(Bearer { token, known: Arc::clone(&self.tokens) });
        let mut response = match caller.needs(self.scope).and_then(|()| caller.pays(1)) {
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

    /// The token of a request.
    fn token_of(&self, request: &Request) -> Result<Arc<Token>, Problem> {
        let secret = bearer(request).ok_or_else(|| {
            let detail = "send a token of this server, as \"Authorization: Bearer TOKEN\"";
            Problem::new(Kind::Unauthenticated, detail)
        })?;
        self.tokens.load().find(secret).ok_or_else(|| {
            let detail = "this server does not know the token that was sent";
            Problem::new(Kind::Unauthenticated, detail)
        })
    }
}

impl Caller {
    /// The token that was sent.
    pub(crate) fn token(&self) -> Option<&Token> {
        match self {
            Self::Anybody | Self::Owner => None,
            Self::Bearer(bearer) => Some(&bearer.token),
        }
    }

    /// The caller, for the log.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Anybody => "anybody",
            Self::Owner => "the owner of the store",
            Self::Bearer(bearer) => &bearer.token.name,
        }
    }

    /// Refuses a token that does not allow `scope`.
    pub(crate) fn needs(&self, scope: Scope) -> Result<(), Problem> {
        match self.token() {
            Some(token) if token.scope < scope => {
                let detail =
                    format!("this needs a token of scope {scope}; yours has {}", token.scope);
                Err(Problem::new(Kind::Forbidden, detail))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a token that was taken back, or that does not allow `scope` any more. A request that goes on for
    /// long asks this again and again.
    pub(crate) fn may_go_on(&self, scope: Scope) -> Result<(), Problem> {
        match self {
            Self::Bearer(Bearer { token, known }) if !known.load().allow(token, scope) => {
                let detail = "the token of this request was taken back";
                Err(Problem::new(Kind::Unauthenticated, detail))
            }
            _ => Ok(()),
        }
    }

    /// Takes so many requests of the token's rate, at most those of a second.
    pub(crate) fn pays(&self, requests: u32) -> Result<(), Problem> {
        match self.token().map(|token| token.take_some(requests)) {
            Some(Err(wait)) => {
                let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
                let detail = "this token has used up its rate";
                Err(Problem::new(Kind::TooManyRequests, detail).after(seconds))
            }
            _ => Ok(()),
        }
    }
}

/// Lets a request pass if its endpoint would take it and its token allows it.
pub(crate) async fn enter(
    State(Gate { route, keeper }): State<Gate>,
    mut request: Request,
    next: Next,
) -> Result<Response, Problem> {
    Arrival::enter(&request, route)?;
    match keeper {
        None => {}
        Some(Keeper::All(caller)) => {
            request.extensions_mut().insert(caller);
        }
        Some(Keeper::Guard(guard)) => return guard.pass(request, next).await,
    }
    Ok(next.run(request).await)
}

/// The name of the token that gets the response, for the log.
#[derive(Clone)]
pub(crate) struct Name(pub(crate) String);

fn bearer(request: &Request) -> Option<&str> {
    let value = request.headers().get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, secret) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}
