//! Files that the shell makes of a pattern without quotes: the flag before them takes the first alone.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

/// Flags that take one file, folder or pattern, and may be repeated.
pub(super) const FLAGS: [&str; 5] = ["in", "against", "evals", "include", "exclude"];

/// Files behind the value of a flag that a pattern finds together with it.
pub(super) struct Expanded<'a> {
    pub(super) files: &'a [OsString],
    pub(super) pattern: PathBuf,
}

impl<'a> Expanded<'a> {
    /// Those that `words` begin with behind a value; none where that is no file or folder. They may have other endings where
    /// what the verb takes without a flag stands `before`.
    pub(super) fn behind(value: &OsStr, words: &'a [OsString], before: bool) -> Option<Self> {
        let value = path(value);
        let at = differing(value, words.first()?, before)?;
        let is_next = |word: &&OsString| differing(value, word, before) == Some(at);
        let files = words.get(..words.iter().take_while(is_next).count())?;
        let is_alike = files.iter().all(|file| path(file).extension() == value.extension());
        value.exists().then(|| Self { files, pattern: pattern(value, at, is_alike) })
    }
}

/// The path that a word is, without a folder that is the current one.
fn path(word: &OsStr) -> &Path {
    let path = Path::new(word);
    path.strip_prefix(".").unwrap_or(path)
}

/// Which part of a path is another one in a word, where a pattern with an asterisk in its place finds both: with the same
/// ending, or any that is there.
fn differing(value: &Path, word: &OsStr, is_any: bool) -> Option<usize> {
    let other = path(word);
    let count = value.components().count();
    let parts = value.components().zip(other.components()).enumerate();
    let mut others = parts.filter(|(_, (one, other))| one != other).map(|(at, _)| at);
    let at = others.next()?;
    // Two folders of the current one are more often meant as they are.
    let is_named = || at > 0 || value.extension().is_some();
    let is_there = || is_any && other.exists();
    let is_alike =
        at + 1 < count || value.extension() == other.extension() && is_named() || is_there();
    let is_flag = word.as_encoded_bytes().starts_with(b"-");
    let is_it = !is_flag && is_alike && other.components().count() == count;
    (is_it && others.next().is_none()).then_some(at)
}

/// A path with an asterisk for one of its parts, of which an ending that all have stays.
fn pattern(path: &Path, at: usize, is_alike: bool) -> PathBuf {
    let is_last = at + 1 == path.components().count();
    let ending = path.extension().filter(|_| is_last && is_alike).map(OsStr::to_string_lossy);
    let asterisk = ending.map_or_else(|| "*".to_owned(), |ending| format!("*.{ending}"));
    let parts = path.components().enumerate().map(|(index, part)| match index == at {
        true => Component::Normal(asterisk.as_ref()),
        false => part,
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_are_those_that_a_pattern_finds() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["g/1.jsonl", "sets/a/test.jsonl", "one.jsonl"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        for (value, words, found) in [
            ("g/1.jsonl", &["g/2.jsonl", "g/3.jsonl", "evals"][..], Some((2, "g/*.jsonl"))),
            ("g/1.jsonl", &["g/2.jsonl", "h/1.jsonl"], Some((1, "g/*.jsonl"))),
            ("sets/a/test.jsonl", &["sets/b/test.jsonl", "x"], Some((1, "sets/*/test.jsonl"))),
            ("sets/a", &["sets/b", "sets/c"], Some((2, "sets/*"))),
            ("g/1.jsonl", &["g/2.csv"], None),
            ("g/1.jsonl", &["g/1.jsonl"], None),
            ("g/1.jsonl", &["h/2.jsonl"], None),
            ("g/1.jsonl", &["g/h/2.jsonl"], None),
            ("g/1.jsonl", &[], None),
            // It is a pattern itself.
            ("g/*.jsonl", &["g/2.jsonl"], None),
        ] {
            let full = |name: &str| folder.path().join(name).into_os_string();
            let words: Vec<_> = words.iter().map(|word| full(word)).collect();
            let value = full(value);
            let expanded = Expanded::behind(&value, &words, false);
            let told = expanded.map(|it| (it.files.len(), it.pattern));
            let found = found.map(|(count, pattern)| (count, folder.path().join(pattern)));
            assert_eq!(told, found, "{value:?} {words:?}");
        }
    }

    #[test]
    fn folders_of_the_current_one_and_flags_are_not() {
        for (value, word, at) in [
            ("a.jsonl", "b.jsonl", Some(0)),
            ("corpus", "evals", None),
            ("g/1.jsonl", "--in=g/1.jsonl", None),
            ("g/1.jsonl", "-o", None),
        ] {
            assert_eq!(differing(Path::new(value), OsStr::new(word), false), at, "{value} {word}");
        }
    }
}
