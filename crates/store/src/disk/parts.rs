//! The files that a database cannot do without. Of a part without them it takes what is left for nothing, and removes
//! that: so they are looked for before it is opened.

use std::fs;
use std::io;
use std::path::Path;

/// The file by which the folder is a database.
const VERSION: &str = "version";
/// The folder of its keyspaces, each of which has a folder with its number as the name.
const KEYSPACES: &str = "keyspaces";
/// Keyspaces that every database of a store has.
const LEAST: u32 = 6;
/// The file by which a folder is a keyspace.
const CURRENT: &str = "current";

/// The part of the database in a folder that is not there, if one is not.
pub(crate) fn missing(database: &Path) -> io::Result<Option<String>> {
    if !database.join(VERSION).is_file() {
        return Ok(Some(VERSION.to_owned()));
    }
    let keyspaces = database.join(KEYSPACES);
    let mut end = LEAST;
    if keyspaces.is_dir() {
        for entry in fs::read_dir(&keyspaces)? {
            let number = entry?.file_name().to_str().and_then(|name| name.parse::<u32>().ok());
            end = end.max(number.map_or(0, |number| number.saturating_add(1)));
        }
    }
    let has_current = |number: &u32| keyspaces.join(number.to_string()).join(CURRENT).is_file();
    let missing = (0..end).find(|number| !has_current(number));
    Ok(missing.map(|number| format!("{KEYSPACES}/{number}/{CURRENT}")))
}
