//! Figures: seconds of runs, the memory of this process, lines of JSON.

use std::fmt::Write;
use std::time::Instant;

/// One line of JSON, field by field.
pub struct Line(String);

impl Line {
    pub fn new(what: &str) -> Self {
        Self(format!(r#"{{"what":"{what}""#))
    }

    /// A number.
    pub fn number(mut self, name: &str, value: impl std::fmt::Display) -> Self {
        let _ = write!(self.0, r#","{name}":{value}"#);
        self
    }

    /// Several numbers.
    pub fn numbers(self, name: &str, values: &[f64]) -> Self {
        let list: Vec<_> = values.iter().map(|value| format!("{value:.6}")).collect();
        self.number(name, format_args!("[{}]", list.join(",")))
    }

    /// A word without characters that JSON escapes.
    pub fn word(self, name: &str, value: &str) -> Self {
        self.number(name, format_args!(r#""{value}""#))
    }

    pub fn print(self) {
        println!("{}}}", self.0);
    }
}

/// What `job` returns, and the seconds that it took.
pub fn timed<T>(job: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let done = job();
    (done, start.elapsed().as_secs_f64())
}

/// A field of /proc/self/status in bytes: `VmHWM` is the peak of resident memory, `RssAnon` what is
/// resident now less mapped files. 0 where the system does not say.
pub fn memory(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
