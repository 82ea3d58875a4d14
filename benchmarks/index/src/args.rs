//! The command line: a job, a file, and named values.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::str::FromStr;

/// Why a job ended without its figures.
pub type Failure = Box<dyn Error + Send + Sync>;

/// A job, its file and its named values.
pub struct Args {
    pub job: String,
    pub file: PathBuf,
    named: BTreeMap<String, String>,
}

impl Args {
    pub fn parse(args: impl Iterator<Item = String>, usage: &str) -> Result<Self, Failure> {
        let mut args = args;
        let (Some(job), Some(file)) = (args.next(), args.next()) else { return Err(usage.into()) };
        let mut named = BTreeMap::new();
        while let Some(name) = args.next() {
            let (Some(name), Some(value)) = (name.strip_prefix("--"), args.next()) else {
                return Err(usage.into());
            };
            named.insert(name.to_owned(), value);
        }
        Ok(Self { job, file: file.into(), named })
    }

    /// A named value as it stands.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.named.get(name).map(String::as_str)
    }

    /// A path that has to be there.
    pub fn path(&self, name: &str) -> Result<PathBuf, Failure> {
        Ok(self.text(name).ok_or_else(|| format!("--{name} is missing"))?.into())
    }

    /// A named number, or `default`.
    pub fn number<T: FromStr>(&self, name: &str, default: T) -> Result<T, Failure> {
        match self.text(name) {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| format!("--{name} {text} is no number").into()),
        }
    }

    /// Numbers with commas between them.
    pub fn numbers(&self, name: &str) -> Result<Vec<u32>, Failure> {
        let text = self.text(name).ok_or_else(|| format!("--{name} is missing"))?;
        text.split(',')
            .map(|part| part.parse().map_err(|_| format!("--{name} {text} is no list").into()))
            .collect()
    }
}
