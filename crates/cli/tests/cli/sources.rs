//! docs/evidence/sources.md: every row of the sources is shown by commands, and they print what the page says.

use crate::nearprint::{BINARY, repository, run_with};
use crate::room::Room;
use std::path::Path;
use std::process::Command;

/// A command of the page with the lines that it prints.
struct Shown {
    row: String,
    command: String,
    prints: String,
}

/// The rows of the page, and the commands of its blocks of `console`.
fn shown(page: &str) -> (Vec<String>, Vec<Shown>) {
    let (mut rows, mut all): (Vec<String>, Vec<Shown>) = (Vec::new(), Vec::new());
    let mut inside = false;
    for line in page.lines() {
        if let Some(row) = line.strip_prefix("### ") {
            rows.push(row.to_owned());
        } else if line.starts_with("```") {
            inside = line == "```console";
        } else if inside && let Some(command) = line.strip_prefix("$ ") {
            let row = rows.last().cloned().unwrap_or_default();
            all.push(Shown { row, command: command.to_owned(), prints: String::new() });
        } else if inside && let Some(last) = all.last_mut() {
            last.prints.push_str(line);
            last.prints.push('\n');
        }
    }
    (rows, all)
}

#[test]
fn every_row_is_shown_by_a_command_that_prints_what_the_page_says() {
    if cfg!(windows) {
        return;
    }
    let page = std::fs::read_to_string(repository().join("docs/evidence/sources.md")).unwrap();
    let (rows, all) = shown(&page);
    assert!(rows.len() >= 80, "{} rows", rows.len());
    for row in &rows {
        assert!(all.iter().any(|shown| shown.row == *row), "{row}: no command");
    }
    let room = Room::new();
    let samples = repository().join("samples");
    for path in ["news.jsonl", "news.labels.tsv", "zh.jsonl", "ja.jsonl", "html/mill.html"] {
        let name = path.trim_start_matches("html/");
        room.write(name, std::fs::read(samples.join(path)).unwrap());
    }
    let bin = Path::new(BINARY).parent().unwrap().display();
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap());
    for Shown { row, command, prints } in all {
        let mut shell = Command::new("bash");
        shell.args(["-c", &format!("set -eo pipefail\n{command}")]);
        shell.current_dir(room.path("")).env("PATH", &path).env("LC_ALL", "C.UTF-8");
        let run = run_with(shell, "");
        assert_eq!(run.code, Some(0), "{row}: {command}\n{}", run.stderr);
        assert_eq!(run.text(), prints, "{row}: {command}");
    }
}
