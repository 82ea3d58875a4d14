//! Settings of the service in a file and in the environment. A setting is a flag that an environment variable can
//! set too; its key in the file is the flag without dashes.

use crate::flags::number::expected_number;
use anyhow::{Context, bail};
use clap::error::ContextKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command};
use std::collections::BTreeSet;
use std::error::Error;
use std::ffi::OsString;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// How all variables begin.
const PREFIX: &str = "NEARPRINT_";
/// Variables that Kubernetes sets in every container beside a service with the name nearprint.
const KUBERNETES: [&str; 2] = ["NEARPRINT_PORT", "NEARPRINT_SERVICE_"];

/// The arguments of the verb, with what the file says where neither a flag nor the environment says otherwise.
/// `argv` are the arguments as they were typed.
pub(super) fn with_file<T: Args>(path: &Path, argv: &[OsString]) -> anyhow::Result<T> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("--config {}", path.display()))?;
    let table = match DeTable::parse(&text) {
        Ok(table) => table.into_inner(),
        Err(error) => bail!("{}: {}", path.display(), error.to_string().trim_end()),
    };
    let line = |at: usize| 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count();
    let command = command::<T>();
    let typed = matches::<T>(argv.iter().cloned())?;
    let (mut flags, mut lines) = (Vec::new(), Vec::new());
    for (key, value) in &table {
        let (name, line) = (key.get_ref().as_ref(), line(key.span().start));
        let place = || format!("{}: line {line}", path.display());
        let Some(setting) = settings(&command).find(|arg| arg.get_long() == Some(name)) else {
            let known: Vec<_> = settings(&command).filter_map(Arg::get_long).collect();
            bail!("{}: unknown field `{name}`, expected one of {}", place(), known.join(", "));
        };
        let flag = flag(setting, name, value).with_context(place)?;
        let said = typed.value_source(setting.get_id().as_str());
        if !matches!(said, Some(ValueSource::CommandLine | ValueSource::EnvVariable)) {
            flags.extend(flag);
        }
        lines.push((format!("--{name}"), line));
    }
    // Behind the verb, where nothing typed can make them a name.
    let mut all: Vec<OsString> = argv.iter().take(1).cloned().collect();
    all.extend(flags);
    all.extend(argv.iter().skip(1).cloned());
    let read = matches::<T>(all).and_then(|matches| T::from_arg_matches(&matches));
    read.map_err(|error| match explain(&error, &lines) {
        Some((line, why)) => anyhow::anyhow!("{}: line {line}: {why}", path.display()),
        None => error.into(),
    })
}

/// Variables that look like settings and are none.
pub(super) fn unknown_variables<T: Args>() -> BTreeSet<String> {
    let command = command::<T>();
    let known: Vec<_> = command.get_arguments().filter_map(Arg::get_env).collect();
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let ours = names.filter(|name| name.starts_with(PREFIX));
    ours.filter(|name| known.iter().all(|known| *known != name.as_str()))
        .filter(|name| !KUBERNETES.iter().any(|begins| name.starts_with(begins)))
        .collect()
}

/// The verb alone, which reads its arguments as the whole command does.
fn command<T: Args>() -> Command {
    T::augment_args(Command::new("serve"))
}

fn matches<T: Args>(argv: impl IntoIterator<Item = OsString>) -> Result<ArgMatches, clap::Error> {
    command::<T>().try_get_matches_from(argv)
}

/// What a file may set: all that the environment may, but the file.
fn settings(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| arg.get_env().is_some() && arg.get_id() != "config")
}

/// The flag of a line of the file; none for one that is not set.
fn flag(
    setting: &Arg,
    name: &str,
    value: &Spanned<DeValue<'_>>,
) -> anyhow::Result<Option<OsString>> {
    let takes_value = setting.get_action().takes_values();
    let value = match value.get_ref() {
        DeValue::Boolean(set) if !takes_value => {
            return Ok(set.then(|| format!("--{name}").into()));
        }
        DeValue::String(text) if takes_value => text.to_string(),
        DeValue::Integer(number) if takes_value && number.radix() == 10 => {
            number.as_str().to_owned()
        }
        _ if takes_value => bail!("`{name}`: expected a string or a whole number"),
        _ => bail!("`{name}`: expected true or false"),
    };
    Ok(Some(format!("--{name}={value}").into()))
}

/// The line of the file whose value will not do, and why, if it is one of the file's.
fn explain(error: &clap::Error, lines: &[(String, usize)]) -> Option<(usize, String)> {
    let arg = error.get(ContextKind::InvalidArg)?.to_string();
    let flag = arg.split(' ').next()?;
    let (_, line) = lines.iter().find(|(name, _)| name == flag)?;
    let value = error.get(ContextKind::InvalidValue)?.to_string();
    let why = error.source().map(|why| expected_number(why).unwrap_or_else(|| why.to_string()));
    let why = why.map_or_else(String::new, |why| format!(": {why}"));
    Some((*line, format!("`{}`: invalid value \"{value}\"{why}", flag.trim_start_matches('-'))))
}
