//! What was found in a folder and is not read. Finding it is `inputs`'.

use serde::{Deserialize, Serialize};
use std::{fmt, io};

/// Why a file or a folder that no input names by itself is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Obstacle {
    /// Its content is no text, such as an image or an archive.
    Binary,
    /// It is a pointer of Git LFS, and its name tells no format.
    Pointer,
    /// It is a link that leads nowhere.
    Dangling,
    /// The system refuses to open it.
    Unreadable,
    /// It is a link to a file of the same folder that is read already.
    Again,
    /// It has no rows, where [rows](crate::Discovery::of_rows) are asked for, such as a README or an empty table.
    NoRows,
    /// It is an index, a list of checksums or a log of the web archives beside it.
    OfArchives,
    /// It tells of the files of columns beside it, such as the `dataset_info.json` of `datasets` or the `_delta_log` of
    /// Delta Lake, or is a table that `datasets` has computed of these, such as `cache-0123.arrow`.
    OfColumns,
    /// It is empty, and its name tells no format, such as the `_SUCCESS` of Spark.
    Empty,
    /// It is a folder that nearprint made for itself, such as a store, or a file in one.
    Own,
}

impl Obstacle {
    /// What stands between a path that was found and its file.
    pub(crate) fn of(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::NotFound { Self::Dangling } else { Self::Unreadable }
    }

    /// A short name for programs, such as `binary`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Pointer => "lfs-pointer",
            Self::Dangling => "dangling-link",
            Self::Unreadable => "unreadable",
            Self::Again => "again",
            Self::NoRows => "no-rows",
            Self::OfArchives => "of-archives",
            Self::OfColumns => "of-columns",
            Self::Empty => "empty",
            Self::Own => "own",
        }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Binary => "no text",
            Self::Pointer => "a pointer of Git LFS",
            Self::Dangling => "a broken link",
            Self::Unreadable => "not readable",
            Self::Again => "another name of a file that is read",
            Self::NoRows => "no rows",
            Self::OfArchives => "index, checksums or log of archives",
            Self::OfColumns => "description, log or cache of the tables beside it",
            Self::Empty => "empty",
            Self::Own => "made by nearprint",
        })
    }
}

/// Files and folders that are not read for the same reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassedOver {
    /// The reason.
    pub obstacle: Obstacle,
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub first: String,
}

impl PassedOver {
    /// Counts one more in `all`.
    pub(crate) fn add(all: &mut Vec<Self>, obstacle: Obstacle, name: impl fmt::Display) {
        match all.iter_mut().find(|passed| passed.obstacle == obstacle) {
            Some(passed) => passed.count += 1,
            None => all.push(Self { obstacle, count: 1, first: name.to_string() }),
        }
    }
}
