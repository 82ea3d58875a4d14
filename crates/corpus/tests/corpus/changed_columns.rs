//! Columns of Parquet that are written with other content than they came with: added ones, and texts in the place of others.

use crate::Folder;
use crate::parquet::{all, file, open, rows};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use nearprint_corpus::{NewCell, NewColumn, NewColumnKind, OutputOptions, Outputs};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::FileReader;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

#[test]
fn added_columns_stand_behind_the_others_and_take_the_place_of_their_like() {
    let folder = Folder::new();
    folder.write("in/a.parquet", file(&[3, 40_000]));
    let column = |name, kind| NewColumn { name, kind };
    let columns = [
        column("number", NewColumnKind::Integer),
        column("score", NewColumnKind::Real),
        column("is_new", NewColumnKind::Truth),
        column("word", NewColumnKind::Text),
    ];
    let sources = folder.sources(&["in"]);
    let mut outputs = Outputs::new(&sources, OutputOptions::default());
    outputs.add_columns(&columns);
    let mut output = outputs.rows(&folder.path("out.parquet"), &sources).unwrap();
    // So long that a row group is cut into several.
    let word = |row: u64| format!("{row}{}", "-".repeat(400));
    all(&sources, |record, row| {
        let number = NewCell::Integer(i64::try_from(row).unwrap());
        let word = NewCell::Text(word(row).into());
        match row % 3 {
            0 => output.write(record, &[number, NewCell::Real(0.5), NewCell::Truth(true), word]),
            1 => output.write(record, &[]),
            _ => output.write(record, &[NewCell::Empty, word, NewCell::Truth(false)]),
        }
        .unwrap();
    });
    nearprint_corpus::publish([output.finish().unwrap()]).unwrap();
    let out = open(&folder, "out.parquet");
    assert!(out.metadata().num_row_groups() > 2);
    let names = out.metadata().file_metadata().schema().get_fields().iter();
    let names: Vec<_> = names.map(|field| field.name().to_owned()).collect();
    let expected =
        ["id", "span", "tags", "text", "flag", "code", "number", "score", "is_new", "word"];
    assert_eq!(names, expected);
    let (before, after) = (rows(&folder, "in/a.parquet"), rows(&folder, "out.parquet"));
    assert_eq!(before.len(), after.len());
    for (row, (before, after)) in (0..).zip(before.iter().zip(&after)) {
        let own = |row: &str| {
            let start = row.split(", score: ").next().unwrap().to_owned();
            start.split(", code: ").next().unwrap().to_owned()
        };
        assert_eq!(own(before), own(after));
        let added = match row % 3 {
            0 => format!("number: {row}, score: 0.5, is_new: true, word: \"{}\"", word(row)),
            1 => "number: null, score: null, is_new: null, word: null".to_owned(),
            _ => "number: null, score: null, is_new: false, word: null".to_owned(),
        };
        assert!(after.contains(&added), "{after}");
    }
}

#[test]
fn the_schema_of_arrow_gets_the_columns_that_are_added() {
    let folder = Folder::new();
    let own = Field::new("a", DataType::Duration(TimeUnit::Second), true);
    let added = Field::new("b", DataType::Utf8, true);
    let stored = |fields: &[&Field]| {
        let schema = Schema::new(fields.iter().map(|field| (*field).clone()).collect::<Vec<_>>());
        let writer = StreamWriter::try_new(Vec::new(), &schema).unwrap();
        BASE64_STANDARD.encode(writer.get_ref())
    };
    let (before, after) = (stored(&[&own]), stored(&[&own, &added]));
    for (stored, same, more) in
        [(before.as_str(), Some(before.as_str()), Some(after.as_str())), ("x", Some("x"), None)]
    {
        let schema = Arc::new(parse_message_type("message rows { optional int64 a; }").unwrap());
        let pairs = [("ARROW:schema", stored), ("maker", "x")];
        let pairs = pairs.map(|(key, value)| KeyValue::new(key.to_owned(), value.to_owned()));
        let properties =
            WriterProperties::builder().set_key_value_metadata(Some(pairs.to_vec())).build();
        let writer = SerializedFileWriter::new(Vec::new(), schema, properties.into()).unwrap();
        folder.write("a.parquet", writer.into_inner().unwrap());
        let sources = folder.sources(&["a.parquet"]);
        let added = NewColumn { name: "b", kind: NewColumnKind::Text };
        for (name, columns, expected) in
            [("same.parquet", &[][..], same), ("more.parquet", &[added], more)]
        {
            let mut outputs = Outputs::new(&sources, OutputOptions { force: true });
            outputs.add_columns(columns);
            let output = outputs.rows(&folder.path(name), &sources).unwrap();
            nearprint_corpus::publish([output.finish().unwrap()]).unwrap();
            let out = open(&folder, name);
            let pairs = out.metadata().file_metadata().key_value_metadata().unwrap();
            let value = |key: &str| pairs.iter().find(|it| it.key == key)?.value.as_deref();
            // The bytes of a message may be padded in more than one way.
            let fields = |stored: &str| {
                let bytes = BASE64_STANDARD.decode(stored).ok()?;
                Some(StreamReader::try_new(&*bytes, None).ok()?.schema())
            };
            assert_eq!(value("ARROW:schema").map(fields), expected.map(fields), "{name} {stored}");
            assert_eq!(value("maker"), Some("x"));
        }
    }
}

#[test]
fn a_text_stands_in_the_place_of_another_and_nothing_else_changes() {
    let folder = Folder::new();
    folder.write("in/a.parquet", file(&[300, 1, 40_000]));
    let sources = folder.sources(&["in"]);
    let mut outputs = Outputs::new(&sources, OutputOptions::default());
    let mut output = outputs.rows(&folder.path("out.parquet"), &sources).unwrap();
    // So long that a row group is cut into several. Every fifth text is null.
    let text = |row: u64| format!("new {row}{}", "-".repeat(2000));
    let is_new = |row: u64| row % 7 == 3 && !row.is_multiple_of(5);
    all(&sources, |record, row| {
        match (row.is_multiple_of(11), is_new(row)) {
            (true, _) => Ok(()),
            (_, true) => output.write_text(record, "text", &text(row)),
            (_, false) => output.write(record, &[]),
        }
        .unwrap();
    });
    nearprint_corpus::publish([output.finish().unwrap()]).unwrap();
    let before = rows(&folder, "in/a.parquet");
    let before = (0..).zip(before).filter(|(row, _): &(u64, String)| !row.is_multiple_of(11));
    let expected = before.map(|(row, before)| match is_new(row) {
        true => before.replace(&format!("text: \"a\n{row}\""), &format!("text: \"{}\"", text(row))),
        false => before,
    });
    let after = rows(&folder, "out.parquet");
    assert!(expected.eq(after.iter().cloned()));
    assert!(after.iter().filter(|row| row.contains("new ")).count() > 4000);
    let groups = open(&folder, "out.parquet").metadata().num_row_groups();
    assert!(groups > 3, "{groups}");
    // A column that is no text.
    let mut output = outputs.rows(&folder.path("wrong.parquet"), &sources).unwrap();
    let mut failed = false;
    all(&sources, |record, _| failed |= output.write_text(record, "tags", "x").is_err());
    assert!(failed || output.finish().is_err());
}
