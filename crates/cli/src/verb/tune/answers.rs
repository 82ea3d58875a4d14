//! The answers of a person in a file of labels: each is on disk before it is acknowledged.

use anyhow::Context;
use nearprint_corpus::replace;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file of answers that a page is served with.
pub(super) struct Answers {
    path: PathBuf,
    file: File,
    rows: Vec<Value>,
}

impl Answers {
    /// Opens the file, or begins it; what was answered before stays.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let named = || path.display().to_string();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).with_context(named),
        };
        let mut rows = Vec::new();
        for (line, row) in (1..).zip(text.lines()).filter(|(_, row)| !row.trim().is_empty()) {
            let row: Value = serde_json::from_str(row)
                .with_context(|| format!("{}:{line}: not a row of labels", path.display()))?;
            anyhow::ensure!(
                row["a"].is_string() && row["b"].is_string() && is_said(row.get("same")),
                "{}:{line}: a row of answers has \"a\", \"b\" and \"same\": true, false or null; name another file with --answers",
                path.display()
            );
            rows.push(row);
        }
        let mut file =
            OpenOptions::new().create(true).append(true).open(path).with_context(named)?;
        // A row that was cut off would swallow the next one.
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").with_context(named)?;
        }
        Ok(Self { path: path.to_owned(), file, rows })
    }

    /// The file, as people read it.
    pub(super) fn path(&self) -> String {
        self.path.display().to_string()
    }

    pub(super) fn rows(&self) -> &[Value] {
        &self.rows
    }

    /// Keeps an answer, or takes back the one that was given; on disk when it returns.
    pub(super) fn keep(&mut self, a: &str, b: &str, same: Option<bool>) -> anyhow::Result<()> {
        let is_it = |row: &Value| row["a"] == a && row["b"] == b;
        let before = self.rows.iter().any(is_it);
        self.rows.retain(|row| !is_it(row));
        if let Some(same) = same {
            self.rows.push(json!({ "a": a, "b": b, "same": same }));
        }
        let named = || self.path.display().to_string();
        if before {
            let all: String = self.rows.iter().map(|row| format!("{row}\n")).collect();
            replace(&self.path, |file| file.write_all(all.as_bytes())).with_context(named)?;
            self.file = OpenOptions::new().append(true).open(&self.path).with_context(named)?;
        } else if let Some(row) = self.rows.last().filter(|_| same.is_some()) {
            self.file.write_all(format!("{row}\n").as_bytes()).with_context(named)?;
            self.file.sync_data().with_context(named)?;
        }
        Ok(())
    }
}

/// Whether a row says of its pair what the page understands.
fn is_said(same: Option<&Value>) -> bool {
    matches!(same, Some(Value::Bool(_) | Value::Null))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_kept_changed_and_taken_back() {
        let folder = std::env::temp_dir().join(format!("nearprint-answers-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("labels.jsonl");
        std::fs::write(&path, "{\"a\":\"1\",\"b\":\"2\",\"same\":true}").unwrap();
        let mut answers = Answers::open(&path).unwrap();
        assert_eq!(answers.rows().len(), 1);
        answers.keep("3", "4", Some(false)).unwrap();
        let text = || std::fs::read_to_string(&path).unwrap();
        assert_eq!(text().lines().count(), 2, "{}", text());
        answers.keep("1", "2", Some(false)).unwrap();
        answers.keep("3", "4", None).unwrap();
        answers.keep("5", "6", Some(true)).unwrap();
        let rows: Vec<Value> =
            text().lines().map(|row| serde_json::from_str(row).unwrap()).collect();
        assert_eq!(
            rows,
            [json!({"a":"1","b":"2","same":false}), json!({"a":"5","b":"6","same":true})]
        );
        std::fs::write(&path, "{\"a\":\"1\",\"b\":\"2\",\"same\":null}\n").unwrap();
        assert_eq!(Answers::open(&path).unwrap().rows().len(), 1);
        // Without an answer, or with one that the page would take for another.
        for other in [
            "{\"id\":1}\n",
            "{\"a\":\"1\",\"b\":\"2\"}\n",
            "{\"a\":\"1\",\"b\":\"2\",\"same\":\"no\"}\n",
        ] {
            std::fs::write(&path, other).unwrap();
            assert!(Answers::open(&path).err().unwrap().to_string().contains("labels.jsonl:1"));
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
