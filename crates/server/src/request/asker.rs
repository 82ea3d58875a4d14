//! Who asks, for lines of the log that are written after the answer has begun.

use std::net::SocketAddr;

/// Who asks: the id of the request, and the client's address.
#[derive(Clone, Debug)]
pub(crate) struct Asker {
    pub(crate) id: String,
    pub(crate) client: SocketAddr,
}
