//! `nearprint token`: a token for `nearprint serve`.

use crate::flags::heading::{INPUT, RESOURCES};
use crate::usage::{print, say};
use clap::ValueEnum;
use clap::builder::NonEmptyStringValueParser;
use nearprint_server::{NewToken, Scope};
use std::num::NonZeroU32;

/// Make a token for clients of `nearprint serve`
///
/// Prints an entry for the file of tokens (--tokens) on standard output: it holds only a hash of the token. Standard
/// error gets the token itself, once: it cannot be shown again. A client sends it as "Authorization: Bearer TOKEN".
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Whose token it is, for the log
    #[arg(value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    name: String,
    /// What the token allows: each scope allows what those before it do
    #[arg(long, value_enum, default_value = "read", value_name = "SCOPE", help_heading = INPUT)]
    scope: AllowedScope,
    /// Requests a second, and lines of batches [default: any number]
    ///
    /// Further requests are put off.
    #[arg(long, value_name = "N", help_heading = RESOURCES)]
    rate: Option<NonZeroU32>,
}

const EXAMPLES: &str = "Examples:
  nearprint token crawler --scope write >> tokens.toml
  nearprint token dashboard --rate 10 >> tokens.toml";

/// [`Scope`] as a flag.
#[derive(Clone, Copy, ValueEnum)]
enum AllowedScope {
    /// Check, query, compare, read documents and figures
    Read,
    /// Add, replace and remove documents too
    Write,
    /// Begin long tasks too: compact, verify and copy the store, delete many documents, search for clusters
    Admin,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let scope = match args.scope {
        AllowedScope::Read => Scope::Read,
        AllowedScope::Write => Scope::Write,
        AllowedScope::Admin => Scope::Admin,
    };
    let token = NewToken::new(&args.name, scope, args.rate)?;
    print(&token.entry)?;
    say(&format!("token of {}, shown this once: {}", args.name, token.secret));
    Ok(())
}
