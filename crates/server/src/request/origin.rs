//! Refuses requests by the host that they name, and those that pages of other sites send through a browser. The
//! latter is for servers without tokens: such a page has no token, but a browser on this machine reaches a server on
//! loopback.

use crate::request::problem::{Kind, Problem};
use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{Version, header};
use std::net::IpAddr;

/// Refuses a request from a page of another site, and a request for a name that is not this machine's.
/// Anybody can let a name of theirs lead to 127.0.0.1; then their page is of the same site.
pub(crate) fn check(request: &Request) -> Result<(), Problem> {
    let host = match request.uri().authority() {
        // In HTTP/2.
        Some(authority) => Some(authority.as_str()),
        None => text(request, header::HOST),
    };
    if let Some(origin) = text(request, header::ORIGIN) {
        let site = origin.split_once("://").map(|(_, site)| site);
        if site.is_none() || site != host {
            let detail = "a page of another site may not send requests to this server";
            return Err(Problem::new(Kind::OtherSite, detail));
        }
    }
    if host.is_some_and(|host| !is_local(host)) {
        let detail = "this server has no tokens, so it answers only requests that name it by an address or \
                      as localhost; a server behind a proxy needs tokens";
        return Err(Problem::new(Kind::OtherSite, detail));
    }
    Ok(())
}

/// Refuses a request of HTTP/1.1 that does not name its host exactly once (RFC 9112, 3.2): a proxy before this server
/// may go by another name than the server does.
pub(crate) fn one_host(request: &Request) -> Result<(), Problem> {
    let named = request.headers().get_all(header::HOST).iter().count();
    if named == 1 || request.version() != Version::HTTP_11 {
        return Ok(());
    }
    let detail = format!("a request of HTTP/1.1 has one header Host, found {named}");
    Err(Problem::new(Kind::Request, detail))
}

/// Whether a host, with its port or without, is an address or this machine's own name.
fn is_local(host: &str) -> bool {
    let Ok(authority) = host.parse::<Authority>() else { return false };
    // A host has no user.
    if host.contains('@') {
        return false;
    }
    let name = authority.host();
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    bare.parse::<IpAddr>().is_ok() || name.eq_ignore_ascii_case("localhost")
}

fn text(request: &Request, name: header::HeaderName) -> Option<&str> {
    // No site is named "?".
    request.headers().get(name).map(|value| value.to_str().unwrap_or("?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_and_localhost_are_local() {
        for host in
            ["127.0.0.1", "127.0.0.1:7878", "[::1]:7878", "[::1]", "localhost:80", "LOCALHOST"]
        {
            assert!(is_local(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "127.0.0.1.example.org",
            "localhost.example.org:7878",
            "?",
            "a b",
            "a@127.0.0.1",
        ] {
            assert!(!is_local(host), "{host}");
        }
    }
}
