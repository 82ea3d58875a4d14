//! Who asks, for lines of the log that are written after the answer has begun.

use crate::request::guard::Caller;
use axum::http::Extensions;
use std::fmt;
use std::net::SocketAddr;

/// What is known of a request when it arrives: its id and the client.
#[derive(Clone)]
pub(crate) struct Arrival {
    pub(crate) id: String,
    pub(crate) client: Client,
}

/// Where a request comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Client {
    /// From the network.
    Address(SocketAddr),
    /// Through the socket in the folder of the store.
    Socket,
}

/// Who asks, as the log has it.
#[derive(Clone)]
pub(crate) struct Asker {
    /// The id of the request and the client, if they were noted when it arrived.
    pub(crate) id: Option<String>,
    pub(crate) client: Option<String>,
    /// The name of the token, or what stands for one.
    pub(crate) name: String,
}

impl Asker {
    pub(crate) fn of(request: &Extensions, caller: &Caller) -> Self {
        let arrival = request.get::<Arrival>();
        Self {
            id: arrival.map(|arrival| arrival.id.clone()),
            client: arrival.map(|arrival| arrival.client.to_string()),
            name: caller.name().to_owned(),
        }
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
