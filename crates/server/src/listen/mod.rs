//! Connections: sockets, TLS, idle ones.

pub(crate) mod connections;
pub(crate) mod idle;
pub(crate) mod tls;
