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

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Set in the process that skips.
    const SKIPS: &str = "NEARPRINT_SKIPS";

    /// The test that is skipped, in a process of its own.
    #[test]
    fn child() {
        if std::env::var_os(SKIPS).is_some() {
            skip("no ladder");
        }
    }

    #[test]
    fn a_skip_is_noted_and_fails_where_it_is_forbidden() {
        let notes = std::env::temp_dir().join(format!("nearprint-skipped-{}", std::process::id()));
        for (strict, passes) in [("0", true), ("1", false)] {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.args(["--exact", "skip::tests::child"]).env(SKIPS, "1");
            command.env("NEARPRINT_STRICT", strict).env("NEARPRINT_SKIPPED", &notes);
            assert_eq!(command.output().unwrap().status.success(), passes, "{strict}");
        }
        let noted = std::fs::read_to_string(&notes).unwrap();
        std::fs::remove_file(notes).unwrap();
        assert_eq!(noted, "skip::tests::child: no ladder\n");
    }
}
