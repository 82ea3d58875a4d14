//! A request as it arrives: its id, the client, and the route that the router takes it by.

use crate::request::problem::Problem;
use crate::request::{origin, parameters};
use axum::extract::Request;
use axum::http::HeaderValue;
use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

/// What is known of a request, from its arrival on.
pub(crate) struct Arrival {
    pub(crate) id: HeaderValue,
    pub(crate) client: Client,
    /// Whether everybody who reaches the server may do everything.
    is_open: bool,
    route: OnceLock<Route>,
}

/// Where a request comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Client {
    /// From the network.
    Address(SocketAddr),
    /// Through the socket in the folder of the store.
    Socket,
}

/// The route of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    /// The path as it is routed, so that all ids count as one.
    pub(crate) template: &'static str,
    /// Whether the query string is read.
    pub(crate) takes_parameters: bool,
    /// Whether programs ask again and again, and know the answer.
    pub(crate) is_polled: bool,
}

impl Route {
    /// Of requests that lead nowhere.
    pub(crate) const NONE: Self =
        Self { template: "none", takes_parameters: false, is_polled: false };
}

impl Arrival {
    pub(crate) fn new(id: HeaderValue, client: Client, is_open: bool) -> Self {
        Self { id, client, is_open, route: OnceLock::new() }
    }

    /// Notes the route of a request, and refuses what no endpoint would take.
    pub(crate) fn enter(request: &Request, route: Route) -> Result<(), Problem> {
        // A program that serves the routes itself notes nothing.
        let Some(arrival) = request.extensions().get::<Arc<Self>>() else { return Ok(()) };
        arrival.route.get_or_init(|| route);
        origin::one_host(request)?;
        if arrival.is_open {
            origin::check(request)?;
        }
        if !route.takes_parameters {
            parameters::none(request.uri())?;
        }
        Ok(())
    }

    /// The route of the request.
    pub(crate) fn route(&self) -> Route {
        self.route.get().copied().unwrap_or(Route::NONE)
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => address.fmt(f),
            Self::Socket => f.write_str("socket"),
        }
    }
}
