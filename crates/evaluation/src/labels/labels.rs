//! The labels of a corpus, each said once and none twice in different ways. `gold` finds the documents of
//! their ids.

use crate::error::Error;
use crate::labels::label::{Label, PairLabel};
use foldhash::HashMap;
use nearprint_corpus::{
    Dialect, Discovery, InputFormat, ReadOptions, Reader, Source, Table, read_json,
};
use serde_json::{Map, Value};
use std::collections::hash_map::Entry;
use std::path::Path;

/// What a pair of documents is that no label is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unlisted {
    /// It is no pair of near-duplicates.
    Different,
    /// Nothing is known of it: it counts neither way.
    Ignored,
}

/// What people say of the documents of a corpus: of pairs of them, or by clusters.
///
/// # Examples
/// ```
/// use nearprint_evaluation::{Label, Labels, PairLabel, Unlisted};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("labels.jsonl").display().to_string();
/// std::fs::write(&path, "{\"a\":1,\"b\":2}\n{\"a\":\"3\",\"b\":1,\"same\":false}\n")?;
/// let labels = Labels::read(&path)?;
/// assert_eq!((labels.len(), labels.unlisted()), (2, Unlisted::Ignored));
///
/// let both = [true, false].map(|same| PairLabel::new("a", "b", Some(same).into()));
/// assert!(Labels::of_pairs(both).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Labels {
    kind: Kind,
}

/// Labels of either kind.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// Pairs of ids, the lesser first, ascending.
    Pairs(Vec<((String, String), Label)>),
    /// Ids with the names of their clusters, ascending by id.
    Clusters(Vec<(String, String)>),
}

impl Labels {
    /// Reads a file of rows, which may be compressed: `{"a","b"}` or `{"a","b","same"}` for each pair, or
    /// `{"id","cluster"}` for each document. A pair without `same` is one of near-duplicates; one whose `same` is
    /// null can be said either way. Ids and clusters are strings or numbers, and a number is the string of its digits.
    /// A file that ends in .csv or .tsv has these names in its header, with commas, tabs, semicolons or bars between them;
    /// an empty `same` stands for null there.
    ///
    /// `id1`, `id2` and `label` may stand for `a`, `b` and `same`; and 1, `dup`, `same` and `yes` for true, 0, `not`,
    /// `neg`, `hardneg`, `different` and `no` for false, `grey` for null. Other fields are left alone; but beside a
    /// pair without `same` there are none but those of rows of `pairs`, as another may say that the two differ.
    ///
    /// # Errors
    /// A file that cannot be read or has no row, a row of another form, and rows that contradict each other: a pair
    /// that is the same and not, a document in two clusters.
    pub fn read(path: &str) -> Result<Self, Error> {
        Self::read_as(path, Dialect::default())
    }

    /// As [`read`](Self::read), of a table that is written in that way.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub fn read_as(path: &str, dialect: Dialect) -> Result<Self, Error> {
        let sources = sources(path, parted(path, dialect)?)?;
        let mut rows = Rows::default();
        for batch in Reader::new(&sources, ReadOptions::default()) {
            for record in batch?.records() {
                if record.table().is_some() {
                    let row = record.cells()?.into_iter();
                    let row = row.map(|(name, cell)| (name.to_owned(), Value::String(cell)));
                    rows.take(&row.collect(), record.place())?;
                    continue;
                }
                let row = read_json(&record.raw());
                let row: Map<String, Value> = row.map_err(|error: serde_json::Error| {
                    let (place, error) = (record.place(), error.to_string());
                    // The line is that of the row, which the place names.
                    let what = error.split(" at line ").next().unwrap_or_default();
                    let problem = format!("not a JSON object: {what}; fix or remove the line");
                    Error::Row { place, problem }
                })?;
                rows.take(&row, record.place())?;
            }
        }
        rows.finish(path)
    }

    /// Whether a table that is written in that way has the names of labels in its header; a file that is no table, or can be
    /// read only once, is written in any way.
    ///
    /// # Errors
    /// A file that is not there or cannot be opened.
    pub fn are_written(path: &str, dialect: Dialect) -> Result<bool, Error> {
        let sources = sources(path, dialect)?;
        let is_table = |source: &Source| source.format().is_some_and(InputFormat::is_table);
        if !sources.iter().all(|source| is_table(source) && !source.is_stream()) {
            return Ok(true);
        }
        let first = Reader::new(&sources, ReadOptions::default()).next();
        let Some(Ok(batch)) = first else { return Ok(false) };
        let names = batch.record(0).and_then(|record| record.table().map(Table::names));
        let has = |name: &&str| names.is_some_and(|names| names.iter().any(|one| one == name));
        let mut forms = PAIRS.into_iter().chain([MEMBER]);
        Ok(forms.any(|form| form.iter().all(has)))
    }

    /// Labels of pairs.
    ///
    /// # Errors
    /// Those of [`read`](Self::read); rows are named by their number, from 1.
    pub fn of_pairs(pairs: impl IntoIterator<Item = PairLabel>) -> Result<Self, Error> {
        let mut rows = Rows::default();
        for (number, PairLabel { a, b, same }) in (1_u64..).zip(pairs) {
            rows.pair(a, b, same.into(), format!("label {number}"))?;
        }
        rows.finish("the labels")
    }

    /// Labels by clusters: ids with the names of their clusters.
    ///
    /// # Errors
    /// Those of [`of_pairs`](Self::of_pairs).
    pub fn of_clusters(members: impl IntoIterator<Item = (String, String)>) -> Result<Self, Error> {
        let mut rows = Rows::default();
        for (number, (id, cluster)) in (1_u64..).zip(members) {
            rows.member(id, cluster, format!("label {number}"))?;
        }
        rows.finish("the labels")
    }

    /// The number of labels.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.kind {
            Kind::Pairs(pairs) => pairs.len(),
            Kind::Clusters(members) => members.len(),
        }
    }

    /// Whether there is none: never, as such labels are refused.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What a pair means that is not listed, where nobody says: where pairs are listed that are not the same,
    /// nothing is known of others; where only pairs are listed that are the same, or clusters, others are not
    /// the same.
    #[must_use]
    pub fn unlisted(&self) -> Unlisted {
        match &self.kind {
            Kind::Pairs(pairs) if pairs.iter().any(|(_, label)| *label == Label::Different) => {
                Unlisted::Ignored
            }
            _ => Unlisted::Different,
        }
    }

    pub(crate) fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The ids that labels are about.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let (pairs, members) = match &self.kind {
            Kind::Pairs(pairs) => (pairs.as_slice(), [].as_slice()),
            Kind::Clusters(members) => ([].as_slice(), members.as_slice()),
        };
        let of_pairs = pairs.iter().flat_map(|((a, b), _)| [a.as_str(), b.as_str()]);
        of_pairs.chain(members.iter().map(|(id, _)| id.as_str()))
    }
}

/// The text of an id that is written in JSON: of a string its characters, of a number its digits.
///
/// # Examples
/// ```
/// use nearprint_evaluation::id_text;
///
/// assert_eq!([id_text("\"a\\u0041\""), id_text("17")], ["aA", "17"]);
/// ```
#[must_use]
pub fn id_text(json: &str) -> String {
    serde_json::from_str(json).unwrap_or_else(|_| json.to_owned())
}

/// Rows that were read, with their places.
#[derive(Default)]
struct Rows {
    pairs: HashMap<(String, String), (Label, String)>,
    members: HashMap<String, (String, String)>,
    contradiction: Option<Error>,
}

impl Rows {
    fn take(&mut self, row: &Map<String, Value>, place: String) -> Result<(), Error> {
        let has = |names: [&str; 2]| names.iter().all(|name| row.contains_key(*name));
        if let Some(ids) = PAIRS.into_iter().find(|names| has(*names)) {
            let [a, b] = ids;
            let (a, b) = (word(row, a, &place)?, word(row, b, &place)?);
            let said = SAYS.iter().find_map(|name| Some((*name, row.get(*name)?)));
            let label = match said {
                None => same_unless_told(row, ids, &place)?,
                Some((name, said)) => label(said).ok_or_else(|| {
                    let problem = format!(
                        "{name:?} is {said}; use true, 1, \"dup\", \"same\" or \"yes\", or false, 0, \"not\", \"hardneg\", \"different\" or \"no\", or \
                         null, \"grey\" or \"\" if it may be either"
                    );
                    Error::Row { place: place.clone(), problem }
                })?,
            };
            self.pair(a, b, label, place)
        } else if has(MEMBER) {
            let (id, cluster) = (word(row, "id", &place)?, word(row, "cluster", &place)?);
            self.member(id, cluster, place)
        } else {
            let names: Vec<_> = row.keys().map(String::as_str).collect();
            let problem = format!(
                "a label is {{\"a\",\"b\",\"same\"}} or {{\"id\",\"cluster\"}}; this row has the fields {}",
                if names.is_empty() { "of none".to_owned() } else { names.join(", ") }
            );
            Err(Error::Row { place, problem })
        }
    }

    fn pair(&mut self, a: String, b: String, label: Label, place: String) -> Result<(), Error> {
        self.only(self.members.is_empty(), &place)?;
        if a == b {
            let problem = format!("{a:?} is paired with itself; a label is about two documents");
            return Err(Error::Row { place, problem });
        }
        let pair = if a < b { (a, b) } else { (b, a) };
        match self.pairs.entry(pair) {
            Entry::Vacant(free) => drop(free.insert((label, place))),
            Entry::Occupied(said) if said.get().0 == label => {}
            Entry::Occupied(said) => {
                let (there, before) = said.get().clone();
                let (a, b) = said.key().clone();
                let [here, there] = [label, there].map(|label| match label {
                    Label::Same => "are the same",
                    Label::Different => "are not the same",
                    Label::Grey => "can be said either way (null)",
                });
                self.contradicts(place, before, format!("{a:?} and {b:?}"), [here, there]);
            }
        }
        Ok(())
    }

    fn member(&mut self, id: String, cluster: String, place: String) -> Result<(), Error> {
        self.only(self.pairs.is_empty(), &place)?;
        match self.members.entry(id) {
            Entry::Vacant(free) => drop(free.insert((cluster, place))),
            Entry::Occupied(said) if said.get().0 == cluster => {}
            Entry::Occupied(said) => {
                let ((there, before), id) = (said.get().clone(), said.key().clone());
                let [here, there] = [cluster, there].map(|name| format!("is in cluster {name:?}"));
                self.contradicts(place, before, format!("{id:?}"), [&here, &there]);
            }
        }
        Ok(())
    }

    /// Refuses a row of the one kind behind one of the other.
    fn only(&self, alone: bool, place: &str) -> Result<(), Error> {
        if alone {
            return Ok(());
        }
        let problem = "pairs and clusters in one file of labels; make two files".to_owned();
        Err(Error::Row { place: place.to_owned(), problem })
    }

    /// Keeps the first contradiction and counts those behind it.
    fn contradicts(&mut self, place: String, before: String, of: String, says: [&str; 2]) {
        let [here, there] = says;
        match &mut self.contradiction {
            Some(Error::Contradiction { more, .. }) => *more += 1,
            first => {
                let problem = format!("{of} {here} in this row and {there}");
                *first = Some(Error::Contradiction { place, before, problem, more: 0 });
            }
        }
    }

    fn finish(self, name: &str) -> Result<Labels, Error> {
        if let Some(contradiction) = self.contradiction {
            return Err(contradiction);
        }
        let kind = if !self.pairs.is_empty() {
            let pairs = self.pairs.into_iter().map(|(pair, (label, _))| (pair, label));
            let mut pairs: Vec<_> = pairs.collect();
            pairs.sort_unstable();
            Kind::Pairs(pairs)
        } else if !self.members.is_empty() {
            let members = self.members.into_iter().map(|(id, (cluster, _))| (id, cluster));
            let mut members: Vec<_> = members.collect();
            members.sort_unstable();
            Kind::Clusters(members)
        } else {
            return Err(Error::NoLabels { name: name.to_owned() });
        };
        Ok(Labels { kind })
    }
}

/// The file of labels: a table where its name says so, and else rows of JSON.
fn sources(path: &str, dialect: Dialect) -> Result<Vec<Source>, Error> {
    let table = InputFormat::of_name(Path::new(path)).filter(|format| format.is_table());
    let format = Some(table.unwrap_or(InputFormat::JSONL));
    Ok(Discovery::new().dialect(dialect).format(format).find(&[path])?.0)
}

/// How a table of labels is written: in that way, or with the first other delimiter by which its header has the names of
/// labels.
fn parted(path: &str, dialect: Dialect) -> Result<Dialect, Error> {
    let others = [b',', b'\t', b';', b'|'].map(Some);
    let others = others.map(|delimiter| Dialect { delimiter, ..dialect });
    for way in [dialect].into_iter().chain(others) {
        if Labels::are_written(path, way)? {
            return Ok(way);
        }
    }
    Ok(dialect)
}

/// The fields of a document and its cluster.
const MEMBER: [&str; 2] = ["id", "cluster"];
/// The fields of the two ids of a pair.
const PAIRS: [[&str; 2]; 2] = [["a", "b"], ["id1", "id2"]];
/// The field that says whether they are near-duplicates.
const SAYS: [&str; 2] = ["same", "label"];

/// What a pair is that no field in [`SAYS`] is about. A field that rows of `pairs` lack may say it by another name.
fn same_unless_told(row: &Map<String, Value>, ids: [&str; 2], place: &str) -> Result<Label, Error> {
    let others = row.keys().filter(|name| !is_of_pair(ids, name));
    let others: Vec<_> = others.map(|name| format!("{name:?}")).collect();
    if others.is_empty() {
        return Ok(Label::Same);
    }
    let problem = format!(
        "the row has {} and neither \"same\" nor \"label\"; give the verdict one of these names, or leave other fields out",
        others.join(", ")
    );
    Err(Error::Row { place: place.to_owned(), problem })
}

/// Whether a row of `pairs` may have this field beside such ids: what is measured, where documents are from, and the index
/// of a table.
fn is_of_pair(ids: [&str; 2], name: &str) -> bool {
    let is_of_document = |id: &str| match name.strip_prefix(id) {
        Some(of) => ["", "_record", "_host", "_file", "_row", "_reference"].contains(&of),
        None => false,
    };
    let is_measured = ["distance", "similarity", "measure"].contains(&name);
    is_measured || is_index(name) || ids.into_iter().any(is_of_document)
}

/// Whether a column is the index of a table, which says nothing: without a name or as pandas calls one, in CSV that it reads
/// again, in JSON and in Parquet.
fn is_index(name: &str) -> bool {
    let is_number = |number: &str| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let numbered = name.strip_prefix("__index_level_").and_then(|it| it.strip_suffix("__"));
    let numbered = numbered.or_else(|| name.strip_prefix("Unnamed: "));
    ["", "index"].contains(&name) || numbered.is_some_and(is_number)
}

/// What a value says of a pair.
fn label(said: &Value) -> Option<Label> {
    match said {
        Value::Null => Some(Label::Grey),
        Value::Bool(same) => Some(Some(*same).into()),
        Value::Number(one) if one.as_f64() == Some(1.0) => Some(Label::Same),
        Value::Number(zero) if zero.as_f64() == Some(0.0) => Some(Label::Different),
        Value::String(word) => match word.to_ascii_lowercase().as_str() {
            "" | "null" | "grey" | "gray" => Some(Label::Grey),
            "true" | "1" | "dup" | "same" | "yes" => Some(Label::Same),
            "false" | "0" | "not" | "neg" | "hardneg" | "different" | "no" => {
                Some(Label::Different)
            }
            _ => None,
        },
        _ => None,
    }
}

/// A field that holds an id or a name: a string or a number.
fn word(row: &Map<String, Value>, field: &str, place: &str) -> Result<String, Error> {
    match row.get(field) {
        Some(Value::String(word)) => Ok(word.clone()),
        Some(Value::Number(number)) => Ok(number.to_string()),
        other => Err(Error::Row {
            place: place.to_owned(),
            problem: format!(
                "{field:?} is {}; it is a string or a number",
                other.map_or_else(|| "not there".to_owned(), ToString::to_string)
            ),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rows: &str) -> Result<Labels, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels.jsonl");
        std::fs::write(&path, rows).unwrap();
        let folder = format!("{}/", folder.path().display());
        Labels::read(path.to_str().unwrap()).map_err(|error| error.to_string().replace(&folder, ""))
    }

    #[test]
    fn each_kind_of_label_says_what_others_mean() {
        let unlisted = |rows| read(rows).unwrap().unlisted();
        assert_eq!(unlisted("{\"a\":1,\"b\":2,\"same\":true}\n"), Unlisted::Different);
        assert_eq!(
            unlisted("{\"a\":1,\"b\":2}\n{\"a\":1,\"b\":3,\"same\":null}"),
            Unlisted::Different
        );
        assert_eq!(unlisted("{\"a\":1,\"b\":2,\"same\":false}\n"), Unlisted::Ignored);
        assert_eq!(unlisted("{\"id\":1,\"cluster\":\"x\"}\n"), Unlisted::Different);
        // Said twice in the same way, in another order and as a string.
        assert_eq!(read("{\"a\":1,\"b\":2}\n{\"b\":\"1\",\"a\":2}\n").unwrap().len(), 1);
    }

    #[test]
    fn labels_of_a_table_are_those_of_rows() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str, rows: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, rows).unwrap();
            Labels::read(path.to_str().unwrap())
        };
        let rows = "{\"a\":\"x\",\"b\":\"y,1\"}\n{\"a\":\"x\",\"b\":\"z\",\"same\":false}\n\
                    {\"id1\":\"y,1\",\"id2\":\"z\",\"label\":null}\n";
        let expected = read("rows.jsonl", rows).unwrap();
        for (name, table) in [
            ("a.csv", "a,b,same\nx,\"y,1\",true\nz,x,No\nz,\"y,1\",\n"),
            ("e.csv", "a,b,same\nx,\"y,1\",1\nz,x,0\nz,\"y,1\",grey\n"),
            (
                "f.jsonl",
                "{\"a\":\"x\",\"b\":\"y,1\",\"same\":1}\n{\"a\":\"x\",\"b\":\"z\",\"same\":0.0}\n\
                 {\"a\":\"z\",\"b\":\"y,1\",\"same\":\"Grey\"}\n",
            ),
            ("b.tsv", "id1\tid2\tlabel\tkind\nx\ty,1\tdup\tword\nx\tz\tnot\t\ny,1\tz\t\tx\n"),
            ("h.tsv", "id1\tid2\tlabel\nx\ty,1\tdup\nx\tz\thardneg\ny,1\tz\tgrey\n"),
        ] {
            let found = read(name, table).unwrap();
            let pairs = |labels: &Labels| match labels.kind() {
                Kind::Pairs(pairs) => pairs.clone(),
                Kind::Clusters(_) => Vec::new(),
            };
            assert_eq!(pairs(&found), pairs(&expected), "{name}");
        }
        let clusters = read("c.csv", "id,cluster\n1,x\n2,x\n").unwrap();
        assert!(matches!(clusters.kind(), Kind::Clusters(members) if members.len() == 2));
        for (name, table) in [
            ("bar.csv", "id1|id2|label\nx|y|dup\nx|z|not\n"),
            ("semicolon.csv", "\u{feff}\"a\";\"b\";\"same\"\r\nx;y;1\r\nx;z;0\r\n"),
            ("tab.csv", "a\tb\tsame\nx\ty\t1\nx\tz\t0\n"),
            ("comma.tsv", "a,b,same\nx,y,1\nx,z,0\n"),
            ("clusters.csv", "id;cluster\nx;1\ny;1\n"),
        ] {
            assert_eq!(read(name, table).unwrap().len(), 2, "{name}");
        }
        for (table, expected) in [
            (
                "a,b,is_duplicate\nx,y,1\nx,z,0\n",
                "d.csv:2: the row has \"is_duplicate\" and neither \"same\" nor",
            ),
            ("id1,id2,Label\nx,y,dup\n", "d.csv:2: the row has \"Label\" and neither"),
            ("a,b,same\nx,y,perhaps\n", "d.csv:2: \"same\" is \"perhaps\"; use true, 1, \"dup\""),
            ("a,b\nx\n", "d.csv:2: "),
            ("one,two\nx,y\n", "d.csv:2: a label is"),
            ("one;two\nx;y\n", "d.csv:2: a label is"),
        ] {
            let told = read("d.csv", table).unwrap_err().to_string();
            assert!(told.contains(expected), "{told}");
        }
    }

    #[test]
    fn the_index_of_a_table_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let read = |header: &str| {
            let path = folder.path().join("i.csv");
            std::fs::write(&path, format!("{header}\n0,x,y\n1,x,z\n")).unwrap();
            Labels::read(path.to_str().unwrap())
        };
        for index in ["", "Unnamed: 0", "Unnamed: 12", "Unnamed: 0.1", "index", "__index_level_0__"]
        {
            assert_eq!(read(&format!("{index},a,b")).unwrap().len(), 2, "{index}");
            assert_eq!(read(&format!("{index},id1,id2")).unwrap().len(), 2, "{index}");
        }
        for verdict in ["Unnamed", "Unnamed: ", "Unnamed: same", "indexed", "__index_level_x__"] {
            let told = read(&format!("{verdict},a,b")).unwrap_err().to_string();
            assert!(told.contains(&format!("the row has {verdict:?} and neither")), "{told}");
        }
    }

    #[test]
    fn rows_that_say_something_else_are_refused_by_their_place() {
        for (rows, expected) in [
            ("", "labels.jsonl: no label"),
            ("{\"a\":1}\n", "labels.jsonl:1: a label is {\"a\",\"b\",\"same\"} or"),
            (
                "{\"a\":1,\"b\":2}\nnothing\n",
                "labels.jsonl:2: not a JSON object: expected ident; fix or remove the line",
            ),
            ("{\"a\":1,\"b\":1}\n", "labels.jsonl:1: \"1\" is paired with itself"),
            ("{\"a\":1,\"b\":[]}\n", "labels.jsonl:1: \"b\" is []; it is a string or a number"),
            (
                "{\"a\":1,\"b\":2,\"same\":2}\n",
                "labels.jsonl:1: \"same\" is 2; use true, 1, \"dup\", \"same\" or \"yes\", or false, 0,",
            ),
            ("{\"a\":1,\"b\":2}\n{\"id\":1,\"cluster\":2}\n", "labels.jsonl:2: pairs and clusters"),
            (
                "{\"a\":1,\"b\":2}\n{\"a\":1,\"b\":3,\"verdict\":false}\n",
                "labels.jsonl:2: the row has \"verdict\" and neither \"same\" nor \"label\"; give",
            ),
            ("{\"a\":1,\"b\":2,\"a_score\":null}\n", "labels.jsonl:1: the row has \"a_score\""),
        ] {
            let refused = read(rows).unwrap_err();
            assert!(refused.starts_with(expected), "{refused}");
        }
    }

    #[test]
    fn rows_of_reports_are_labels() {
        let placed = "{\"a\":1,\"a_record\":\"<urn:1>\",\"a_host\":\"a\",\"a_file\":\"f\",\"a_row\":1,\"a_reference\":true,\"b\":2,\
                      \"b_file\":\"f\",\"b_row\":2,\"distance\":3,\"similarity\":0.9,\"measure\":\"jaccard\"}\n";
        assert_eq!(read(placed).unwrap().len(), 1);
        assert_eq!(read("{\"a\":1,\"b\":2,\"distance\":3}\n").unwrap().len(), 1);
        for members in [
            "{\"id\":1,\"kept\":2,\"distance\":3,\"similarity\":0.9,\"measure\":\"jaccard\",\"cluster\":0}\n",
            "{\"id\":1,\"cluster\":0,\"representative\":1}\n",
        ] {
            assert_eq!(read(members).unwrap().len(), 1);
        }
    }

    #[test]
    fn contradictions_are_named_and_counted() {
        let refused = read("{\"a\":1,\"b\":2}\n{\"a\":2,\"b\":1,\"same\":false}\n").unwrap_err();
        assert_eq!(
            refused,
            "labels.jsonl:2: \"1\" and \"2\" are not the same in this row and are the same at \
             labels.jsonl:1; keep one of the two rows"
        );
        let rows = "{\"id\":1,\"cluster\":1}\n{\"id\":1,\"cluster\":2}\n{\"id\":1,\"cluster\":3}\n";
        let refused = read(rows).unwrap_err();
        assert!(
            refused.contains("\"1\" is in cluster \"2\" in this row and is in cluster \"1\" at")
        );
        assert!(refused.ends_with("(one more row contradicts an earlier one)"), "{refused}");
    }
}
