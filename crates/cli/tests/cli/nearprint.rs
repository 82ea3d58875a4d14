//! One run of the binary: how it is started and what came of it. Nothing about any verb.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

/// The binary under test.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_nearprint");

/// Longer than any run of these tests takes on a crowded machine: a run that hangs fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// The root of the repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A command that runs the binary in `folder`, free of what the surroundings set.
pub(crate) fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.current_dir(folder).args(args).env_remove("COLUMNS").env_remove("RUST_BACKTRACE");
    command
}

/// Runs the binary in `folder` to its end.
pub(crate) fn run(folder: &Path, args: &[&str]) -> Run {
    run_with(command(folder, args), "")
}

/// Runs `command` to its end, with `stdin` as its standard input.
pub(crate) fn run_with(command: Command, stdin: impl Into<Vec<u8>>) -> Run {
    let mut command = assert_cmd::Command::from_std(command);
    let output = command.timeout(PATIENCE).write_stdin(stdin).output().unwrap();
    Run::of(output)
}

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Run {
    /// The exit code; `None` where a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(output: Output) -> Run {
        let stderr = String::from_utf8(output.stderr).unwrap();
        Run { code: output.status.code(), stdout: output.stdout, stderr }
    }

    /// Fails unless the run ended well.
    #[track_caller]
    pub(crate) fn done(self) -> Run {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self
    }

    /// Fails unless the run ended with `code`, exactly `message` and nothing on standard output.
    #[track_caller]
    pub(crate) fn refused(self, code: i32, message: &str) {
        assert_eq!(self.stderr, format!("error: {message}\n"));
        assert_eq!((self.code, self.stdout.is_empty()), (Some(code), true));
    }

    /// Standard output.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }
}

/// The rows of a JSONL text.
pub(crate) fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
