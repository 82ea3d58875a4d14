//! `nearprint ping`: whether a service is ready.

use crate::flags::heading::LIMITS;
use crate::usage::wrong;
use anyhow::{Context, bail};
use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// Ask a service whether it is ready
///
/// Asks once, without a token, over plain HTTP. Exit status: 0 if the service is ready, else 1. Containers and
/// scripts use it to check on a service.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Address of the service, with a path if another than /readyz
    #[arg(value_name = "URL", default_value = "http://127.0.0.1:7878")]
    url: String,
    /// Seconds to wait for the answer
    #[arg(long, value_name = "SECONDS", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=3600), help_heading = LIMITS)]
    timeout: u64,
}

const EXAMPLES: &str = "Examples:
  nearprint ping
  nearprint ping http://127.0.0.1:8080/readyz?for=reads --timeout 10
  until nearprint ping; do sleep 1; done";

/// Most bytes that are read of an answer.
const MOST: u64 = 64 << 10;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let Args { url, timeout } = args;
    let Some(rest) = url.strip_prefix("http://") else {
        return wrong(format!("{url}: expected http://HOST:PORT; ping does not speak TLS"));
    };
    let at = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(at);
    let path = if path.is_empty() || path == "/" { "/readyz" } else { path };
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
    if host.is_empty() || host.contains('@') || !plain(rest) || !path.starts_with('/') {
        return wrong(format!("{url}: expected http://HOST:PORT/PATH"));
    }
    let until = Instant::now() + Duration::from_secs(*timeout);
    let (head, body) = ask(host, path, until).with_context(|| url.clone())?;
    match head.split(' ').nth(1) {
        Some("200") => Ok(()),
        Some(status) => bail!("{url}: not ready: {status} {}", reason(&body)),
        None => bail!("{url}: the answer is not HTTP"),
    }
}

/// The head and the body of an answer.
fn ask(host: &str, path: &str, until: Instant) -> anyhow::Result<(String, String)> {
    let named = if host.rsplit(']').next().is_some_and(|end| end.contains(':')) {
        host.to_owned()
    } else {
        format!("{host}:80")
    };
    let left = || {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() { bail!("no answer in time") } else { Ok(left) }
    };
    let address = named.to_socket_addrs()?.next().context("the name has no address")?;
    let mut stream = TcpStream::connect_timeout(&address, left()?)?;
    stream.set_write_timeout(Some(left()?))?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    let mut piece = [0; 4096];
    loop {
        stream.set_read_timeout(Some(left()?))?;
        let count = match stream.read(&mut piece) {
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                bail!("no answer in time")
            }
            Err(error) => return Err(error.into()),
        };
        answer.extend(piece.iter().take(count));
        if count == 0 || answer.len() as u64 >= MOST {
            break;
        }
    }
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    if head.starts_with("HTTP/") {
        Ok((head.to_owned(), body.to_owned()))
    } else {
        bail!("the answer is not HTTP")
    }
}

/// Why the service is not ready, by its own words.
fn reason(body: &str) -> String {
    let problem = serde_json::from_str::<serde_json::Value>(body).unwrap_or_default();
    problem["detail"].as_str().unwrap_or_default().to_owned()
}
