//! The one way for a test to say that it shows nothing on this machine. `scripts/skip` is the same
//! for scripts.

use std::fs::OpenOptions;
use std::io::Write;

/// Notes that the running test is skipped because `missing` is not there.
///
/// The note goes to standard error, past the test harness, and to the end of the file that
/// `NEARPRINT_SKIPPED` names, which `scripts/test` prints when all tests are done.
///
/// # Panics
///
/// Where `NEARPRINT_STRICT` is 1: the test fails.
pub fn skip(missing: &str) {
    let thread = std::thread::current();
    let note = format!("{}: {missing}\n", thread.name().unwrap_or("a test"));
    if std::env::var_os("NEARPRINT_STRICT").is_some_and(|strict| strict == "1") {
        panic!("no test may be skipped here (NEARPRINT_STRICT=1): {note}");
    }
    std::io::stderr().write_all(format!("skipped: {note}").as_bytes()).unwrap();
    if let Some(path) = std::env::var_os("NEARPRINT_SKIPPED") {
        let mut notes = OpenOptions::new().create(true).append(true).open(path).unwrap();
        notes.write_all(note.as_bytes()).unwrap();
    }
}
