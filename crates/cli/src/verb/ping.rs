//! `nearprint ping`: whether a service is ready.

use crate::flags::heading::{INPUT, LIMITS};
use crate::usage::wrong;
use anyhow::{Context, bail};
use reqwest::blocking::{Client, Response};
use reqwest::{Certificate, Url, redirect};
use std::error::Error;
use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;
use std::time::Duration;

/// Ask a service whether it is ready
///
/// Asks once, without a token. Exit status: 0 if the service is ready, else 1. Containers and scripts use it to check
/// on a service.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Address of the service, with a path if other than /readyz
    #[arg(value_name = "URL", default_value = "http://127.0.0.1:7878")]
    url: String,
    /// Seconds to wait for the answer
    #[arg(long, value_name = "SECONDS", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=3600), help_heading = LIMITS)]
    timeout: u64,
    /// Certificates to check the certificate of the service with, in PEM [default: those of the system]
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    ca: Option<PathBuf>,
    /// Do not check the certificate of the service, such as when it is asked at 127.0.0.1
    #[arg(long, conflicts_with = "ca", help_heading = INPUT)]
    insecure: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint ping
  nearprint ping http://127.0.0.1:8080/readyz?for=reads --timeout 10
  nearprint ping https://127.0.0.1:7878 --insecure
  until nearprint ping; do sleep 1; done";

/// Most bytes that are read of an answer.
const MOST: u64 = 64 << 10;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let given = &args.url;
    let named = Url::parse(given).ok().filter(|url| {
        let is_plain = given.bytes().all(|byte| byte.is_ascii_graphic());
        matches!(url.scheme(), "http" | "https") && url.username().is_empty() && is_plain
    });
    let Some(mut url) = named else {
        return wrong(format!("{given}: expected http://HOST:PORT/PATH or https://HOST:PORT/PATH"));
    };
    if url.path() == "/" {
        url.set_path("/readyz");
    }
    let is_plain = url.scheme() == "http";
    let answer = match args.client()?.get(url).send() {
        Ok(answer) => answer,
        Err(error) if error.is_timeout() => bail!("{given}: no answer in time"),
        Err(error) if is_plain && !error.is_connect() => {
            bail!("{given}: the answer is not HTTP; if the service has a certificate, ask https://")
        }
        Err(error) => {
            let cause = cause(&error);
            let asked =
                if is_refused(cause) { "; is `nearprint serve` running there?" } else { "" };
            bail!("{given}: {cause}{asked}")
        }
    };
    match answer.status().as_u16() {
        200 => Ok(()),
        status => bail!("{given}: not ready: {status} {}", reason(answer)),
    }
}

impl Args {
    fn client(&self) -> anyhow::Result<Client> {
        let mut builder = Client::builder()
            .no_proxy()
            .redirect(redirect::Policy::none())
            .timeout(Duration::from_secs(self.timeout))
            .danger_accept_invalid_certs(self.insecure);
        if let Some(path) = &self.ca {
            let pem = fs::read(path).with_context(|| format!("--ca {}", path.display()))?;
            let roots = Certificate::from_pem_bundle(&pem).unwrap_or_default();
            if roots.is_empty() {
                return wrong(format!(
                    "--ca {}: no certificate in it; expected PEM",
                    path.display()
                ));
            }
            builder = builder.tls_built_in_root_certs(false);
            builder =
                roots.into_iter().fold(builder, |builder, root| builder.add_root_certificate(root));
        }
        Ok(builder.build()?)
    }
}

/// What was behind an error, as the system told it.
fn cause(error: &reqwest::Error) -> &(dyn Error + 'static) {
    let mut last: &(dyn Error + 'static) = error;
    while let Some(next) = last.source() {
        last = next;
    }
    last
}

/// Whether nobody listens there.
fn is_refused(cause: &(dyn Error + 'static)) -> bool {
    let cause = cause.downcast_ref::<io::Error>();
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::ConnectionRefused)
}

/// Why the service is not ready, by its own words.
fn reason(answer: Response) -> String {
    let mut body = Vec::new();
    let _cut = answer.take(MOST).read_to_end(&mut body);
    let problem = serde_json::from_slice::<serde_json::Value>(&body).unwrap_or_default();
    problem["detail"].as_str().unwrap_or_default().to_owned()
}
