//! An output in several files: what they are called, when one is full, and those that are. Writing
//! them is `output`'s and `parquet_output`'s.

use crate::compression::Compression;
use crate::write::finished::{Finished, FinishedFile};
use crate::write::target::Target;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Digits of a number in a name, at least.
const DIGITS: usize = 5;

/// The shards of one output: `kept-00001.jsonl` and so on of `kept.jsonl`.
#[derive(Debug)]
pub(crate) struct Shards {
    name: ShardName,
    /// The output as the user called it, and where the first shard goes.
    path: PathBuf,
    first: Target,
    limit: u64,
    /// Those begun.
    number: u64,
    full: Vec<FinishedFile>,
}

/// What the names of an output's shards are made of.
#[derive(Clone, Debug)]
pub(crate) struct ShardName {
    stem: String,
    ending: String,
}

impl ShardName {
    /// The number comes before the ending: that of the format, and of the compression behind it.
    pub(crate) fn of(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let packed = Compression::of_name(path) != Compression::None;
        let behind = if packed { name.rfind('.').unwrap_or(name.len()) } else { name.len() };
        let dot = name.get(..behind).and_then(|rest| rest.rfind('.')).filter(|dot| *dot > 0);
        let (stem, ending) = name.split_at(dot.unwrap_or(behind));
        Self { stem: stem.to_owned(), ending: ending.to_owned() }
    }

    /// The name of the shard of this number, from 1.
    pub(crate) fn at(&self, number: u64) -> String {
        format!("{}-{number:0DIGITS$}{}", self.stem, self.ending)
    }

    /// The number of the shard of this name; none where no shard has it.
    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        let digits = name.strip_prefix(&*self.stem)?.strip_prefix('-')?;
        let number = digits.strip_suffix(&*self.ending)?.parse().ok()?;
        (self.at(number) == name).then_some(number)
    }

    /// The files in a folder that have the name of a shard, with their numbers.
    pub(crate) fn files(&self, folder: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if let Some(number) = self.number(&entry.file_name().to_string_lossy()) {
                files.push((number, entry.path()));
            }
        }
        files.sort_unstable();
        Ok(files)
    }
}

/// The first file of an output in several.
///
/// # Examples
/// ```
/// use nearprint_corpus::first_shard;
/// use std::path::Path;
///
/// assert_eq!(first_shard(Path::new("a/kept.jsonl.zst")), Path::new("a/kept-00001.jsonl.zst"));
/// ```
#[must_use]
pub fn first_shard(output: &Path) -> PathBuf {
    output.with_file_name(ShardName::of(output).at(1))
}

impl Shards {
    /// Shards of `limit` bytes of the output `path`, of which the first goes to `first`.
    pub(crate) fn new(path: &Path, first: Target, limit: u64) -> Self {
        let (name, path) = (ShardName::of(path), path.to_owned());
        Self { name, path, first, limit, number: 0, full: Vec::new() }
    }

    /// The next shard, as the user would call it, and where it goes.
    pub(crate) fn next(&mut self) -> (PathBuf, Target) {
        self.number += 1;
        let name = self.name.at(self.number);
        (self.path.with_file_name(&name), self.first.beside(&name))
    }

    /// Whether `more` bytes are too many for a shard of which so many are written behind its header. One record goes
    /// into an empty one, however long it is.
    pub(crate) fn is_full(&self, (head, written): (u64, u64), more: u64) -> bool {
        written > 0 && head.saturating_add(written).saturating_add(more) > self.limit
    }

    /// Keeps a shard that is full until all are.
    pub(crate) fn keep(&mut self, shard: Finished) {
        self.full.extend(shard.files);
    }

    /// All shards, `last` being the last; files of an earlier run that would follow it are removed
    /// with the publishing.
    pub(crate) fn finish(mut self, last: Finished) -> io::Result<Finished> {
        self.full.extend(last.files);
        if let Target::File { path, replace: true } = &self.first
            && let Some(folder) = path.parent()
        {
            let files = self.name.files(folder)?.into_iter();
            let behind = files.filter(|(number, _)| *number > self.number);
            self.full.extend(behind.map(|(_, path)| FinishedFile::stale(path)));
        }
        Ok(Finished { files: self.full, ..Finished::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_comes_before_the_ending_and_is_read_back() {
        for (path, name) in [
            ("a/kept.jsonl", "kept-00007.jsonl"),
            ("kept.v2.jsonl.zst", "kept.v2-00007.jsonl.zst"),
            ("kept.gz", "kept-00007.gz"),
            ("rows.parquet", "rows-00007.parquet"),
            ("kept", "kept-00007"),
            (".kept", ".kept-00007"),
        ] {
            let shard = ShardName::of(Path::new(path));
            assert_eq!(shard.at(7), name);
            assert_eq!(shard.number(name), Some(7));
        }
        let shard = ShardName::of(Path::new("kept.jsonl"));
        assert_eq!(shard.at(1_234_567), "kept-1234567.jsonl");
        assert_eq!(shard.number("kept-1234567.jsonl"), Some(1_234_567));
        for other in
            ["kept.jsonl", "kept-7.jsonl", "kept-00007.json", "kept-0000x.jsonl", "a.jsonl"]
        {
            assert_eq!(shard.number(other), None, "{other}");
        }
    }
}
