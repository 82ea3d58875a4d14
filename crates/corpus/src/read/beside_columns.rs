//! Files that stand beside files of columns and tell of these: what the library `datasets` knows of a data set and has
//! computed of it, and the logs and lists of Spark, Hive and Delta Lake. Alone they are like any other.

use crate::format::InputFormat;
use crate::identity::shared;
use crate::read::passed_over::{Obstacle, PassedOver};
use crate::records::source::Source;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The files of a data set that `datasets` saves or keeps, in its folder or in one above.
const OF_DATASETS: [&str; 4] =
    ["state.json", "dataset_info.json", "dataset_dict.json", "dataset_infos.json"];

/// Passes over what tells of the columns among `sources`, of which those of an input begin at a place.
pub(crate) fn leave(sources: &mut Vec<Source>, first: usize, passed_over: &mut Vec<PassedOver>) {
    let of_input = sources.get(first..).unwrap_or_default();
    let base = base(of_input);
    let mut saved = saved(of_input);
    let is_columns = |source: &&Source| source.format().is_some_and(InputFormat::is_columns);
    let columns = of_input.iter().filter(|one| is_columns(one) && aside(one, &base).is_none());
    let is_data = |one: &&Source| of_cache(one, &saved).is_none();
    let of = |source: &Source| source.relative.clone();
    let mut data: Vec<PathBuf> = columns.clone().filter(is_data).map(of).collect();
    if data.is_empty() {
        // Caches that are left alone are the data.
        data = columns.map(of).collect();
        saved = HashSet::new();
    }
    if data.is_empty() {
        return;
    }
    let is_below = |folder: PathBuf| data.iter().any(|data| data.starts_with(&folder));
    let is_table = |folder: PathBuf| {
        let below = data.iter().filter_map(|data| data.strip_prefix(&folder).ok()?.parent());
        below.into_iter().any(|folders| folders.iter().all(is_partition))
    };
    for source in sources.split_off(first) {
        let tells = aside(&source, &base).is_some_and(is_table)
            || of_data_set(&source).is_some_and(is_below)
            || of_cache(&source, &saved).is_some_and(is_below);
        if tells && !source.is_stream() {
            PassedOver::add(passed_over, Obstacle::OfColumns, source.name());
        } else {
            sources.push(source);
        }
    }
}

/// The deepest folder that holds all sources.
fn base(sources: &[Source]) -> PathBuf {
    let folders = sources.iter().filter_map(|source| source.relative.parent().map(Path::to_owned));
    folders.reduce(|common, folder| shared(&common, &folder)).unwrap_or_default()
}

/// The folder in which Spark takes a source for no data: a name on the way from there to the source begins with `_`.
fn aside(source: &Source, base: &Path) -> Option<PathBuf> {
    let mut folder = base.to_owned();
    for name in source.relative.strip_prefix(base).ok()? {
        if name.as_encoded_bytes().starts_with(b"_") && !is_partition(name) {
            return Some(folder);
        }
        folder.push(name);
    }
    None
}

/// Whether a folder is a partition of a table, such as `day=7`.
fn is_partition(name: &OsStr) -> bool {
    name.as_encoded_bytes().contains(&b'=')
}

/// The folder of a data set that a source describes, by its name.
fn of_data_set(source: &Source) -> Option<PathBuf> {
    let name = source.relative.file_name()?.to_str()?;
    OF_DATASETS.contains(&name).then(|| source.relative.parent().map(Path::to_owned))?
}

/// The folders of data sets that `datasets` has saved.
fn saved(sources: &[Source]) -> HashSet<PathBuf> {
    let states = sources.iter().filter(|source| source.relative.ends_with("state.json"));
    states.filter_map(|source| source.relative.parent().map(Path::to_owned)).collect()
}

/// The folder of a data set in `saved` of which a source is a table that was computed, by its name.
fn of_cache(source: &Source, saved: &HashSet<PathBuf>) -> Option<PathBuf> {
    let (name, folder) = (source.relative.file_name()?, source.relative.parent()?);
    let name = name.as_encoded_bytes();
    let is_computed = name.starts_with(b"cache-") && name.ends_with(b".arrow");
    (is_computed && saved.contains(folder)).then(|| folder.to_owned())
}
