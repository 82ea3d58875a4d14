//! `nearprint serve`: a store behind HTTP.

use crate::at_width::at_width;
use crate::flags::recipe::recipe_of;
use crate::flags::size::bytes;
use crate::usage::{say, wrong};
use crate::verb::store::flags::StoreFlags;
use clap::ValueEnum;
use nearprint_server::{Analysis, Config, Error, Server};
use std::net::SocketAddr;
use std::path::PathBuf;
use tracing::Level;

/// Answer over HTTP whether documents were seen, and add them
///
/// JSON over HTTP/1.1 and HTTP/2 at /v1/, described at /openapi.json; figures for Prometheus at
/// /metrics. Every setting may also stand in a file (--config) or in the environment: a flag goes before
/// the environment, which goes before the file. Without --tokens only this machine is answered.
/// SIGTERM and SIGINT let requests under way finish.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    /// File of settings, TOML; its keys are the flags below without their dashes, such as
    /// max-body = 1048576
    #[arg(long, value_name = "FILE", env = "NEARPRINT_CONFIG")]
    config: Option<PathBuf>,
    /// Where it is reached; port 0 stands for any that is free [default: 127.0.0.1:7878]
    #[arg(long, value_name = "ADDRESS", env = "NEARPRINT_LISTEN")]
    listen: Option<SocketAddr>,
    /// File of tokens, of which every request needs one; `nearprint token` makes them
    #[arg(long, value_name = "FILE", env = "NEARPRINT_TOKENS")]
    tokens: Option<PathBuf>,
    /// Certificate chain for TLS, PEM
    #[arg(long, value_name = "FILE", env = "NEARPRINT_TLS_CERTIFICATE")]
    tls_certificate: Option<PathBuf>,
    /// Its private key, PEM
    #[arg(long, value_name = "FILE", env = "NEARPRINT_TLS_KEY")]
    tls_key: Option<PathBuf>,
    /// Let /metrics be read without a token
    #[arg(long, env = "NEARPRINT_OPEN_METRICS")]
    open_metrics: bool,
    /// Keep texts of up to so many bytes in the metadata of their documents, to be compared later
    /// [default: none]
    #[arg(long, value_parser = bytes, value_name = "SIZE", env = "NEARPRINT_KEEP_TEXT")]
    keep_text: Option<usize>,
    /// Longest body of a request, also once it is decompressed [default: 8M]
    #[arg(long, value_parser = bytes, value_name = "SIZE", env = "NEARPRINT_MAX_BODY")]
    max_body: Option<usize>,
    /// Longest line of a batch [default: 8M]
    #[arg(long, value_parser = bytes, value_name = "SIZE", env = "NEARPRINT_MAX_LINE")]
    max_line: Option<usize>,
    /// Batches under way at a time [default: 16]
    #[arg(long, value_name = "N", env = "NEARPRINT_MAX_BATCHES")]
    max_batches: Option<usize>,
    /// Documents whose clusters may be looked for; it takes some 64 bytes of memory each at 64 bits
    /// [default: 20000000]
    #[arg(long, value_name = "N", env = "NEARPRINT_MAX_CLUSTERED")]
    max_clustered: Option<u32>,
    /// Connections at a time; a further one is closed [default: 16384]
    #[arg(long, value_name = "N", env = "NEARPRINT_MAX_CONNECTIONS")]
    max_connections: Option<usize>,
    /// Seconds for the body of a request to come in, and as many for its answer [default: 30]
    #[arg(long, value_name = "SECONDS", env = "NEARPRINT_REQUEST_TIMEOUT")]
    request_timeout: Option<u64>,
    /// Seconds after which a connection ends on which nothing moves, or whose request has no whole head
    /// [default: 75]
    #[arg(long, value_name = "SECONDS", env = "NEARPRINT_IDLE_TIMEOUT")]
    idle_timeout: Option<u64>,
    /// Threads that answer requests [default: all cores]
    #[arg(long, value_name = "N", env = "NEARPRINT_THREADS")]
    threads: Option<usize>,
    /// Statistics file of the store's recipe, if that names one
    #[arg(long, value_name = "FILE", env = "NEARPRINT_IDF")]
    idf: Option<PathBuf>,
    /// Folder of the dictionary of the store's recipe, if that names one
    #[arg(long, value_name = "DIR", env = "NEARPRINT_DICTIONARY")]
    dictionary: Option<PathBuf>,
    /// Least level of what is logged, on standard error: requests that went well are debug, those that
    /// were refused info
    #[arg(long, value_enum, default_value = "info", value_name = "LEVEL", env = "NEARPRINT_LOG")]
    log: LogLevel,
    /// Log as lines of JSON
    #[arg(long, env = "NEARPRINT_LOG_JSON")]
    log_json: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint serve pages
  nearprint serve pages --listen 0.0.0.0:7878 --tokens tokens.toml \\
    --tls-certificate cert.pem --tls-key key.pem
  nearprint token crawler --scope write >> tokens.toml
  curl -d '{\"id\":\"a\",\"text\":\"...\"}' -H content-type:application/json \\
    http://127.0.0.1:7878/v1/check-and-add";

/// Levels of the log.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let config = args.config()?;
    let settings = args.store.settings()?;
    let analysis = match &settings.recipe {
        Some(recipe) => {
            let (idf, dictionary) = (args.idf.as_deref(), args.dictionary.as_deref());
            let (recipe, statistics) = recipe_of(recipe, idf, dictionary)?;
            settings.accepts(&recipe)?;
            Analysis { recipe: Some(recipe), statistics }
        }
        None => Analysis::default(),
    };
    args.log();
    at_width!(settings.width, serve(args, analysis, config))
}

fn serve<const WORDS: usize>(
    args: &Args,
    analysis: Analysis,
    config: Config,
) -> anyhow::Result<()> {
    let scheme = if config.tls_certificate.is_some() { "https" } else { "http" };
    let server = match Server::bind(args.store.open::<WORDS>()?, analysis, config) {
        Err(error @ (Error::Open { .. } | Error::HalfTls)) => return wrong(error.to_string()),
        bound => bound?,
    };
    say(&format!("{}: {scheme}://{}", args.store.path().display(), server.address()));
    Ok(server.run()?)
}

impl Args {
    /// The file, and what the flags and the environment say otherwise.
    fn config(&self) -> anyhow::Result<Config> {
        let file = match &self.config {
            Some(path) => Config::read(path)?,
            None => Config::default(),
        };
        Ok(Config {
            listen: self.listen.unwrap_or(file.listen),
            tokens: self.tokens.clone().or(file.tokens),
            tls_certificate: self.tls_certificate.clone().or(file.tls_certificate),
            tls_key: self.tls_key.clone().or(file.tls_key),
            open_metrics: self.open_metrics || file.open_metrics,
            keep_text: self.keep_text.unwrap_or(file.keep_text),
            max_body: self.max_body.unwrap_or(file.max_body),
            max_line: self.max_line.unwrap_or(file.max_line),
            max_batches: self.max_batches.unwrap_or(file.max_batches),
            max_clustered: self.max_clustered.unwrap_or(file.max_clustered),
            max_connections: self.max_connections.unwrap_or(file.max_connections),
            request_timeout: self.request_timeout.unwrap_or(file.request_timeout),
            idle_timeout: self.idle_timeout.unwrap_or(file.idle_timeout),
            threads: self.threads.unwrap_or(file.threads),
        })
    }

    /// Begins the log.
    fn log(&self) {
        let level = match self.log {
            LogLevel::Error => Level::ERROR,
            LogLevel::Warn => Level::WARN,
            LogLevel::Info => Level::INFO,
            LogLevel::Debug => Level::DEBUG,
        };
        let log = tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr);
        if self.log_json {
            log.json().flatten_event(true).init();
        } else {
            log.with_ansi(false).init();
        }
    }
}
