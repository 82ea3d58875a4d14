//! Changes of a store as rows of JSON, which a copy reads. Sending them is handled elsewhere (`server/follow`).

use crate::change::{Change, Group, Reached};
use crate::disk::logged::Logged;
use crate::disk::position::Position;
use crate::error::Error;
use crate::rows::Rows;
use crate::settings::Settings;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// The version of the rows.
const VERSION: u32 = 1;

/// Writes changes of a store as rows of JSON, and reads them for a copy. Drawn field by field in `docs/format.md`.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Width;
/// use nearprint_store::{AnyFingerprint, ChangeRow, ChangeRows, Settings, Store};
/// # let room = tempfile::tempdir()?;
/// # let path = room.path().join("codes");
///
/// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
/// let empty = store.position();
/// store.add("a", "00000000000000ff".parse::<AnyFingerprint>()?)?;
/// let mut rows = ChangeRows::of(store.settings())?;
/// for change in store.changes(&empty.into(), 1 << 20)?.changes {
///     let row = rows.write(&change);
///     assert_eq!(rows.read(&row)?, ChangeRow::Change(change));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ChangeRows {
    rows: Rows,
    /// What was read of a group that has not ended.
    logged: Logged,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangeRow {
    /// The first row: what the store is made for.
    Leader(Box<Leader>),
    /// A change.
    Change(Change),
    /// What the store is at a moment, behind all changes before, or at rest.
    Now(Now),
}

/// The store that sends changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Leader {
    /// What it is made for.
    pub settings: Settings,
    /// The release of its program.
    pub release: String,
    /// Its clock, in milliseconds since 1970.
    pub time: u64,
}

/// What a store is at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// How far its writes are.
    pub reached: Reached,
    /// Whether all changes up to there were sent, and the store is as a store was at a moment.
    pub whole: bool,
    /// Its clock, in milliseconds since 1970.
    pub time: u64,
}

/// A row that begins.
#[derive(Serialize, Deserialize)]
struct LeaderForm<'a> {
    row: Cow<'a, str>,
    version: u32,
    #[serde(default)]
    release: Cow<'a, str>,
    #[serde(default)]
    settings: Cow<'a, str>,
    #[serde(default)]
    time: u64,
}

/// Any other row.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Form<'a> {
    row: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Cow<'a, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    document: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    documents: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    whole: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<u64>,
}

impl ChangeRows {
    /// The rows of a store of these settings.
    ///
    /// # Errors
    /// A similarity that no bands find.
    pub fn of(settings: &Settings) -> Result<Self, Error> {
        Ok(Self { rows: Rows::of(settings)?, logged: Logged::default() })
    }

    /// The row of a change, without a line end, in one line.
    #[must_use]
    pub fn write(&self, change: &Change) -> String {
        let text;
        let document: Option<Box<RawValue>>;
        let form = match change {
            Change::Stored { number, document: of } => {
                text = self.rows.write(of);
                document = RawValue::from_string(text).ok();
                let row = "stored".into();
                Form {
                    row,
                    number: Some(*number),
                    document: document.as_deref(),
                    ..Form::default()
                }
            }
            Change::Deleted { number, id } => Form {
                row: "deleted".into(),
                number: Some(*number),
                id: Some(id.into()),
                ..Form::default()
            },
            Change::Group(group) => Form {
                row: "group".into(),
                position: Some(group.position.to_string()),
                ..Form::default()
            },
        };
        serde_json::to_string(&form).unwrap_or_default()
    }

    /// The change, or another row. The rows of a group are read by one reader, in their order.
    ///
    /// # Errors
    /// [`Error::Row`] for what is no row, for one of a later version, and for documents of another recipe, width or
    /// shape of sketches.
    pub fn read(&mut self, row: &str) -> Result<ChangeRow, Error> {
        let form: Form<'_> = match serde_json::from_str(row) {
            Ok(form) => form,
            Err(error) => match Leader::read(row)? {
                Some(leader) => return Ok(ChangeRow::Leader(Box::new(leader))),
                None => return refused(format!("this is not a row of changes: {error}")),
            },
        };
        let position = || match form.position.as_deref().map(str::parse::<Position>) {
            Some(Ok(position)) => Ok(position),
            Some(Err(what)) => refused(what),
            None => refused("a row of changes has no position".to_owned()),
        };
        let change = match (&*form.row, form.number) {
            ("stored", Some(number)) => {
                let Some(document) = form.document else {
                    return refused("a document is missing in a row of changes".to_owned());
                };
                if self.logged.stored.last().is_some_and(|last| number < last.end) {
                    return refused(format!("the document number {number} came too late"));
                }
                self.logged.store(number);
                Change::Stored { number, document: self.rows.read(document.get())? }
            }
            ("deleted", Some(number)) => {
                let id = form.id.unwrap_or_default().into_owned();
                self.logged.deleted.push((number, id.clone()));
                Change::Deleted { number, id }
            }
            ("group", None) => Change::Group(Group {
                position: position()?,
                logged: std::mem::take(&mut self.logged),
            }),
            ("now", None) => {
                let reached = Reached {
                    position: position()?,
                    documents: form.documents.unwrap_or(0),
                    end: form.end.unwrap_or(0),
                };
                let (whole, time) = (form.whole.unwrap_or(false), form.time.unwrap_or(0));
                return Ok(ChangeRow::Now(Now { reached, whole, time }));
            }
            (other, _) => return refused(format!("{other:?} is not a row of changes")),
        };
        Ok(ChangeRow::Change(change))
    }
}

impl Leader {
    /// The first row.
    ///
    /// # Errors
    /// Settings that have no TOML.
    pub fn write(&self) -> Result<String, Error> {
        let settings = self.settings.to_toml()?;
        let form = LeaderForm {
            row: "leader".into(),
            version: VERSION,
            release: (&self.release).into(),
            settings: settings.into(),
            time: self.time,
        };
        Ok(serde_json::to_string(&form).unwrap_or_default())
    }

    /// Reads the first row; `None` if it is another one.
    fn read(row: &str) -> Result<Option<Self>, Error> {
        let Ok(form) = serde_json::from_str::<LeaderForm<'_>>(row) else { return Ok(None) };
        if form.row != "leader" {
            return Ok(None);
        }
        if form.version != VERSION {
            return refused(format!(
                "the store is served by release {:?}, which sends changes of version {}; this release reads version \
                 {VERSION}: use one release for both",
                form.release, form.version
            ));
        }
        let settings = Settings::from_toml(&form.settings).map_err(|error| Error::Row {
            what: format!(
                "the store that sends changes is made for what this release does not know ({error}): use one \
                 release for both"
            ),
        })?;
        Ok(Some(Self { settings, release: form.release.into_owned(), time: form.time }))
    }
}

impl Now {
    /// The row.
    #[must_use]
    pub fn write(&self) -> String {
        let Reached { position, documents, end } = self.reached;
        let form = Form {
            row: "now".into(),
            position: Some(position.to_string()),
            documents: Some(documents),
            end: Some(end),
            whole: Some(self.whole),
            time: Some(self.time),
            ..Form::default()
        };
        serde_json::to_string(&form).unwrap_or_default()
    }
}

fn refused<T>(what: String) -> Result<T, Error> {
    Err(Error::Row { what })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::{Recipe, Width};

    #[test]
    fn the_first_row_and_that_of_a_moment_go_both_ways() {
        let settings = Settings::by_similarity(Recipe::named("words").unwrap(), 0.8);
        let mut rows = ChangeRows::of(&settings).unwrap();
        let leader = Leader { settings, release: "0.1.0".to_owned(), time: 17 };
        let row = leader.write().unwrap();
        assert_eq!(rows.read(&row).unwrap(), ChangeRow::Leader(Box::new(leader)));
        let position = "3-0000000000000000000000000000002a".parse().unwrap();
        let reached = Reached { position, documents: 2, end: 9 };
        let now = Now { reached, whole: true, time: 5 };
        assert_eq!(rows.read(&now.write()).unwrap(), ChangeRow::Now(now));
        // A later version may have anything beside.
        let later = row.replace("\"version\":1", "\"version\":2,\"more\":[1]");
        assert!(rows.read(&later).unwrap_err().to_string().contains("changes of version 2"));
        let odd = row.replace("similarity = 0.8", "similarity = 0.9");
        assert!(rows.read(&odd).unwrap_err().to_string().contains("does not know"));
    }

    #[test]
    fn what_is_no_row_is_refused() {
        let mut rows = ChangeRows::of(&Settings::ready_made(Width::W64)).unwrap();
        for (row, said) in [
            ("<html>", "not a row of changes"),
            ("{\"row\":\"stored\",\"number\":1}", "a document is missing"),
            ("{\"row\":\"stored\",\"number\":1,\"document\":{}}", "not a row of an export"),
            ("{\"row\":\"group\"}", "no position"),
            ("{\"row\":\"group\",\"position\":\"7\"}", "is not a position"),
            ("{\"row\":\"other\"}", "\"other\" is not a row"),
            ("{\"row\":\"now\",\"odd\":1}", "unknown field"),
        ] {
            let error = rows.read(row).unwrap_err().to_string();
            assert!(error.contains(said), "{row}: {error}");
        }
    }
}
