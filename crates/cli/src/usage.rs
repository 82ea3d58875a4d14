//! How the command speaks to the person at the terminal: errors and remarks, on standard error.

use anyhow::Context;
use std::error::Error;
use std::fmt;
use std::io::{self, Write};

/// A command that cannot mean anything: exit status 2, like the argument parser's own refusals.
#[derive(Debug)]
pub(crate) struct WrongUsage(pub(crate) String);

impl fmt::Display for WrongUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for WrongUsage {}

/// Ends the command with [`WrongUsage`].
pub(crate) fn wrong<T>(message: impl Into<String>) -> anyhow::Result<T> {
    Err(WrongUsage(message.into()).into())
}

/// Prints a line on standard error. That it may be closed is no reason to fail.
pub(crate) fn say(line: &str) {
    let _written = writeln!(io::stderr().lock(), "{line}");
}

/// Prints to standard output; the caller's error tells a closed pipe.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.context("cannot write standard output")
}

/// An error with its causes, but those that the message in front of them tells already, and the flag
/// that helps.
pub(crate) fn message(error: &anyhow::Error) -> String {
    let message = told(error);
    match error.downcast_ref::<nearprint_dedup::Error>() {
        Some(nearprint_dedup::Error::OtherJob { .. }) => {
            format!("--resume: {message}; begin anew without --resume")
        }
        _ => message,
    }
}

fn told(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |mut message, cause| {
        let cause = cause.to_string();
        if message.is_empty() {
            message = cause;
        } else if !message.contains(&cause) {
            message.push_str(": ");
            message.push_str(&cause);
        }
        message
    })
}

/// The exit status of a command that ended with `error`: 2 wrong usage, 130 Ctrl-C, else 1.
pub(crate) fn exit_code(error: &anyhow::Error) -> u8 {
    match error.downcast_ref::<nearprint_dedup::Error>() {
        Some(nearprint_dedup::Error::Interrupted) => 130,
        _ if error.is::<WrongUsage>() => 2,
        _ => 1,
    }
}

/// Whether a command ended because the reader of its output went away.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
