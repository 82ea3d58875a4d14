//! `nearprint serve`: a store behind HTTP.

mod settings;

use crate::arena;
use crate::flags::age::age;
use crate::flags::heading::{INPUT, LIMITS, LOG, RESOURCES, SECURITY};
use crate::flags::recipe::recipe_of;
use crate::flags::recipe_files::RecipeFiles;
use crate::flags::size::bytes;
use crate::usage::{say, wrong};
use crate::verb::store::flags::StoreFlags;
use anyhow::bail;
use clap::ValueEnum;
use nearprint_server::{Analysis, Config, Error, Leader, Server, fetch};
use nearprint_store::{Error as StoreError, Options, Settings};
use std::ffi::OsString;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Answer over HTTP whether documents were seen, and add them
///
/// JSON over HTTP/1.1 and HTTP/2 at /v1/, described at /openapi.json; figures for Prometheus at
/// /metrics. Every setting may also be in a file (--config) or in the environment: a flag overrides the
/// environment, which overrides the file. Without --tokens the server answers only this machine.
/// SIGTERM and SIGINT let requests under way finish. SIGHUP reads tokens and certificates again.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
#[command(mut_arg("memory", |arg| arg.env("NEARPRINT_MEMORY")))]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    /// File of settings, TOML
    ///
    /// Its keys are the flags below without their dashes, such as max-body = "1MiB".
    #[arg(long, value_name = "FILE", env = "NEARPRINT_CONFIG", help_heading = INPUT)]
    config: Option<PathBuf>,
    /// Address to answer at [default: 127.0.0.1:7878]
    ///
    /// Port 0 means any free port. A name such as localhost:7878 works too.
    #[arg(long, value_parser = address, value_name = "ADDRESS", env = "NEARPRINT_LISTEN", help_heading = INPUT)]
    listen: Option<SocketAddr>,
    /// File of tokens: every request needs one of them
    ///
    /// `nearprint token` makes them.
    #[arg(long, value_name = "FILE", env = "NEARPRINT_TOKENS", help_heading = SECURITY)]
    tokens: Option<PathBuf>,
    /// Certificate chain for TLS, PEM
    #[arg(long, value_name = "FILE", env = "NEARPRINT_TLS_CERTIFICATE", help_heading = SECURITY)]
    tls_certificate: Option<PathBuf>,
    /// Private key of the certificate, PEM
    #[arg(long, value_name = "FILE", env = "NEARPRINT_TLS_KEY", help_heading = SECURITY)]
    tls_key: Option<PathBuf>,
    /// Folder or address for snapshots
    ///
    /// POST /v1/snapshots makes a named one there. s3://, gs:// and az:// are addresses.
    #[arg(long, value_name = "DIR", env = "NEARPRINT_SNAPSHOTS", help_heading = INPUT)]
    snapshots: Option<PathBuf>,
    /// Let /metrics be read without a token
    #[arg(long, env = "NEARPRINT_OPEN_METRICS", help_heading = SECURITY)]
    open_metrics: bool,
    /// Keep texts of up to SIZE bytes, to compare later [default: none]
    ///
    /// The texts are kept in the metadata of their documents.
    #[arg(long, value_parser = bytes, value_name = "SIZE", env = "NEARPRINT_KEEP_TEXT", help_heading = LIMITS)]
    keep_text: Option<usize>,
    /// Longest body of a request, decompressed too [default: 8MiB]
    #[arg(long, value_parser = bytes, value_name = "SIZE", env = "NEARPRINT_MAX_BODY", help_heading = LIMITS)]
    max_body: Option<usize>,
    /// Longest line of a batch [default: 8MiB]
    #[arg(long, value_parser = bytes, value_name = "SIZE", env = "NEARPRINT_MAX_LINE", help_heading = LIMITS, hide_short_help = true)]
    max_line: Option<usize>,
    /// Batches under way at a time [default: 16]
    #[arg(long, value_name = "N", env = "NEARPRINT_MAX_BATCHES", help_heading = LIMITS, hide_short_help = true)]
    max_batches: Option<usize>,
    /// Most documents to look for clusters among [default: 20000000]
    ///
    /// Clusters take some 64 bytes of memory a document at 64 bits, by similarity some 180.
    #[arg(long, value_name = "N", env = "NEARPRINT_MAX_CLUSTERED", help_heading = LIMITS, hide_short_help = true)]
    max_clustered: Option<u32>,
    /// Connections at a time [default: 16384]
    ///
    /// A further one is closed.
    #[arg(long, value_name = "N", env = "NEARPRINT_MAX_CONNECTIONS", help_heading = LIMITS, hide_short_help = true)]
    max_connections: Option<usize>,
    /// Seconds for a request to arrive, and for its answer [default: 30]
    #[arg(long, value_name = "SECONDS", env = "NEARPRINT_REQUEST_TIMEOUT", help_heading = LIMITS)]
    request_timeout: Option<u64>,
    /// Seconds after which an idle connection ends [default: 75]
    ///
    /// A connection is idle if nothing moves, or if its request has no whole head.
    #[arg(long, value_name = "SECONDS", env = "NEARPRINT_IDLE_TIMEOUT", help_heading = LIMITS, hide_short_help = true)]
    idle_timeout: Option<u64>,
    /// Seconds to keep taking requests after a signal to stop [default: 0]
    ///
    /// Meanwhile /readyz says that the server takes none, so that a load balancer sends them elsewhere.
    /// A second signal ends it at once.
    #[arg(long, value_name = "SECONDS", env = "NEARPRINT_DRAIN", help_heading = LIMITS, hide_short_help = true)]
    drain: Option<u64>,
    /// Threads that answer requests [default: all cores]
    #[arg(long, value_name = "N", env = "NEARPRINT_THREADS", help_heading = RESOURCES)]
    threads: Option<usize>,
    /// Delete documents of this age: 90d, 12h, 30m, 45s or 8w [default: never]
    ///
    /// The age of a document is that of its time: when it was stored or last replaced.
    #[arg(long, value_parser = age, value_name = "AGE", env = "NEARPRINT_FORGET_AFTER", help_heading = LIMITS)]
    forget_after: Option<Duration>,
    /// Serve a copy of the store that the service at URL serves
    ///
    /// The copy is made if there is no store in the folder. It follows all changes, answers checks and queries,
    /// and takes no writes.
    #[arg(long, value_name = "URL", env = "NEARPRINT_FOLLOW", help_heading = INPUT)]
    follow: Option<Leader>,
    /// File with a token of that service, of scope read
    #[arg(long, value_name = "FILE", env = "NEARPRINT_FOLLOW_TOKEN", help_heading = SECURITY, hide_short_help = true)]
    follow_token: Option<PathBuf>,
    /// Certificates to check its certificate with, PEM [default: those of the system]
    #[arg(long, value_name = "FILE", env = "NEARPRINT_FOLLOW_CA", help_heading = SECURITY, hide_short_help = true)]
    follow_ca: Option<PathBuf>,
    /// Changes to keep for copies that are behind [default: 256MiB]
    ///
    /// A copy that is farther behind is copied again.
    #[arg(long, value_parser = bytes, value_name = "SIZE", env = "NEARPRINT_KEEP_CHANGES", help_heading = LIMITS, hide_short_help = true)]
    keep_changes: Option<usize>,
    /// Statistics file or idf file of the store's recipe, if that names one
    #[arg(long, value_name = "FILE", env = "NEARPRINT_IDF", help_heading = INPUT, hide_short_help = true)]
    idf: Option<PathBuf>,
    /// Folder of the dictionary, or user dictionary, of the store's recipe, if that names one
    #[arg(long, value_name = "PATH", env = "NEARPRINT_DICTIONARY", help_heading = INPUT, hide_short_help = true)]
    dictionary: Option<PathBuf>,
    /// Stop-word file of the store's recipe, if that names one
    #[arg(long, value_name = "FILE", env = "NEARPRINT_STOP_WORDS", help_heading = INPUT, hide_short_help = true)]
    stop_words: Option<PathBuf>,
    /// Least level that is logged, on standard error
    ///
    /// Requests that went well are debug, refused ones info. What HTTP libraries say below info is left out.
    #[arg(long, value_enum, default_value = "info", value_name = "LEVEL", env = "NEARPRINT_LOG", help_heading = LOG)]
    log: LogLevel,
    /// Log as lines of JSON
    #[arg(long, env = "NEARPRINT_LOG_JSON", help_heading = LOG, hide_short_help = true)]
    log_json: bool,
}

/// How the modules of this program begin.
const OWN: &str = "nearprint";
/// What tells the address of the server, whatever else is logged: without it nobody finds a free port.
const BEGUN: &str = "nearprint_cli::begun";

const EXAMPLES: &str = "Examples:
  nearprint serve pages
  nearprint serve copy --follow https://pages.example.org:7878 --follow-token token.txt
  nearprint serve pages --listen 0.0.0.0:7878 --tokens tokens.toml \\
    --tls-certificate cert.pem --tls-key key.pem
  nearprint token crawler --scope write >> tokens.toml
  curl -d '{\"id\":\"a\",\"text\":\"The text of a page.\"}' -H content-type:application/json \\
    http://127.0.0.1:7878/v1/check-and-add";

/// Levels of the log.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
}

/// Runs the verb. `argv` are its arguments as they were typed, the verb first.
pub(crate) fn run(args: &Args, argv: &[OsString]) -> anyhow::Result<()> {
    let with_file = match &args.config {
        Some(path) => Some(settings::with_file::<Args>(path, argv)?),
        None => None,
    };
    let args = with_file.as_ref().unwrap_or(args);
    args.log();
    let config = args.config()?;
    let options = args.options();
    if let Some(leader) = &config.follow
        && let Err(StoreError::NoStore { path }) = Settings::read(args.store.path())
    {
        arena::share();
        fetch(leader, &path, &options).map_err(|error| anyhow::anyhow!("--follow {error}"))?;
    }
    let settings = args.store.settings()?;
    let analysis = match &settings.recipe {
        Some(recipe) => {
            let files = RecipeFiles {
                idf: args.idf.as_deref(),
                dictionary: args.dictionary.as_deref(),
                stop_words: args.stop_words.as_deref(),
            };
            let (recipe, statistics) = recipe_of(recipe, files)?;
            settings.accepts(&recipe)?;
            Analysis { recipe: Some(recipe), statistics }
        }
        None => Analysis::default(),
    };
    let scheme = if config.tls_certificate.is_some() { "https" } else { "http" };
    let store = args.store.open_with(&options)?;
    for repair in store.repairs() {
        let path = repair.path.display().to_string();
        tracing::warn!(path, reason = repair.reason, "a file of the store was rebuilt");
    }
    let server = Server::bind(store, analysis, config).or_else(|error| args.with_remedy(error))?;
    let (store, url) = (args.store.path().display(), format!("{scheme}://{}", server.address()));
    if args.log_json {
        tracing::info!(target: BEGUN, %store, url, "serving");
    } else {
        say(&format!("{store}: {url}"));
    }
    for name in settings::unknown_variables::<Args>() {
        tracing::warn!(
            name,
            "the environment has a variable that is not a setting; `nearprint serve --help` lists them"
        );
    }
    Ok(server.run()?)
}

impl Args {
    /// Ends the command with why the server does not start, and the flag or the command that helps.
    fn with_remedy(&self, error: Error) -> anyhow::Result<Server> {
        match &error {
            Error::Open { .. } => wrong(format!(
                "--listen {error}; give a file of tokens with --tokens (`nearprint token` makes them), or \
                 listen on 127.0.0.1"
            )),
            Error::HalfTls => {
                wrong(format!("{error}; give both --tls-certificate and --tls-key, or none"))
            }
            Error::Listen { source, .. } if source.kind() == std::io::ErrorKind::AddrInUse => {
                bail!(
                    "--listen {error}; another process has this port: name another one with --listen"
                )
            }
            Error::Listen { .. } => bail!("--listen {error}"),
            Error::Follow { .. } => bail!("--follow {error}"),
            Error::NoToken { .. } => bail!("--tokens {error}; `nearprint token` makes one"),
            Error::File { path, .. } if self.tokens.as_ref() == Some(path) => {
                bail!("--tokens {error}")
            }
            _ => Err(error.into()),
        }
    }

    /// How the server runs.
    fn config(&self) -> anyhow::Result<Config> {
        let of_leader = self.follow_token.is_some() || self.follow_ca.is_some();
        let follow = match &self.follow {
            Some(_) if self.forget_after.is_some() => {
                return wrong(format!("--forget-after: {}", Error::Forgets));
            }
            Some(leader) => {
                let mut leader = leader.clone();
                leader.token.clone_from(&self.follow_token);
                leader.ca.clone_from(&self.follow_ca);
                Some(leader)
            }
            None if of_leader => return wrong("--follow-token and --follow-ca go with --follow"),
            None => None,
        };
        if self.forget_after == Some(Duration::ZERO) {
            return wrong("--forget-after 0s deletes every document: give an age, such as 90d");
        }
        let default = Config::default();
        Ok(Config {
            listen: self.listen.unwrap_or(default.listen),
            tokens: self.tokens.clone(),
            tls_certificate: self.tls_certificate.clone(),
            tls_key: self.tls_key.clone(),
            snapshots: self.snapshots.clone(),
            open_metrics: self.open_metrics,
            keep_text: self.keep_text.unwrap_or(default.keep_text),
            max_body: self.max_body.unwrap_or(default.max_body),
            max_line: self.max_line.unwrap_or(default.max_line),
            max_batches: self.max_batches.unwrap_or(default.max_batches),
            max_clustered: self.max_clustered.unwrap_or(default.max_clustered),
            max_connections: self.max_connections.unwrap_or(default.max_connections),
            request_timeout: self.request_timeout.unwrap_or(default.request_timeout),
            idle_timeout: self.idle_timeout.unwrap_or(default.idle_timeout),
            forget_after: self.forget_after.map_or(default.forget_after, |age| age.as_secs()),
            drain: self.drain.unwrap_or(default.drain),
            threads: self.threads.unwrap_or(default.threads),
            follow,
        })
    }

    /// How the store is opened.
    fn options(&self) -> Options {
        let options = self.store.options();
        let keep_changes = self.keep_changes.map(|bytes| bytes as u64);
        Options { keep_changes: keep_changes.unwrap_or(options.keep_changes), ..options }
    }

    /// Begins the log.
    fn log(&self) {
        let level = match self.log {
            LogLevel::Error => LevelFilter::ERROR,
            LogLevel::Warn => LevelFilter::WARN,
            LogLevel::Info => LevelFilter::INFO,
            LogLevel::Debug => LevelFilter::DEBUG,
        };
        // Libraries tell every frame at debug.
        let others = level.min(LevelFilter::INFO);
        let chosen = Targets::new().with_default(others).with_target(OWN, level);
        let chosen = chosen.with_target(BEGUN, LevelFilter::INFO);
        let log = fmt::layer().with_writer(std::io::stderr);
        let registry = tracing_subscriber::registry().with(chosen);
        // Where a program that embeds the command has begun a log, that one goes on.
        let _begun = if self.log_json {
            registry.with(log.json().flatten_event(true)).try_init()
        } else {
            registry.with(log.with_ansi(false)).try_init()
        };
    }
}

/// An address, or a name with a port: of its addresses one of IPv4 if there is one.
fn address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let wanted =
        || "expected an address with a port, such as 127.0.0.1:7878 or [::]:7878".to_owned();
    let found: Vec<_> = text
        .to_socket_addrs()
        .map_err(|error| if text.contains(':') { error.to_string() } else { wanted() })?
        .collect();
    found.iter().find(|address| address.is_ipv4()).or(found.first()).copied().ok_or_else(wanted)
}
