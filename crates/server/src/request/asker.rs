//! Who asks, for lines of the log that are written after the answer has begun.

use std::fmt;
use std::net::SocketAddr;

/// Who asks: the id of the request, and the client.
#[derive(Clone, Debug)]
pub(crate) struct Asker {
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

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => address.fmt(f),
            Self::Socket => f.write_str("socket"),
        }
    }
}
