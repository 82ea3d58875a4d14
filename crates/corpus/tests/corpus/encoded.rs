//! Arrow columns in dictionaries and in runs: rows of several files in one, and other texts in them.

use crate::Folder;
use arrow_array::builder::{ListBuilder, StringDictionaryBuilder};
use arrow_array::types::{ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type};
use arrow_array::{ArrayRef, Int32Array, RecordBatch, RunArray, StringArray};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::DataType;
use nearprint_corpus::{OutputOptions, Outputs, ReadOptions, Reader, Record, Source, publish};
use serde_json::{Value, json};
use std::fs::File;
use std::num::NonZeroU64;
use std::sync::Arc;

const FRUIT: [&str; 3] = ["pear", "fig", "pear"];
const STONES: [&str; 3] = ["flint", "pear", "slate"];

/// Texts in a dictionary in the order in which they come.
fn coded<K: ArrowDictionaryKeyType>(texts: &[&str]) -> ArrayRef {
    let mut builder = StringDictionaryBuilder::<K>::new();
    texts.iter().for_each(|text| builder.append_value(text));
    Arc::new(builder.finish())
}

/// Lists of one text each, in a dictionary.
fn listed(texts: &[&str]) -> ArrayRef {
    let mut builder = ListBuilder::new(StringDictionaryBuilder::<Int32Type>::new());
    texts.iter().for_each(|text| builder.append_value([Some(*text)]));
    Arc::new(builder.finish())
}

fn plain(texts: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(texts.to_vec()))
}

fn batch(columns: &[(&str, ArrayRef)]) -> RecordBatch {
    let columns = columns.iter().map(|(name, column)| (*name, Arc::clone(column), true));
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

fn file(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), batch.schema_ref()).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

fn stream(batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), batches[0].schema_ref()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

fn each(sources: &[Source], mut each: impl FnMut(&Record<'_>)) {
    for batch in Reader::new(sources, ReadOptions::default()) {
        batch.unwrap().records().for_each(|record| each(&record));
    }
}

fn lines(folder: &Folder, names: &[&str]) -> Vec<Value> {
    let mut lines = Vec::new();
    each(&folder.sources(names), |record| {
        lines.push(serde_json::from_slice(&record.raw()).unwrap());
    });
    lines
}

/// Writes all rows of some files to `out.arrow`.
fn join(folder: &Folder, names: &[&str]) {
    let sources = folder.sources(names);
    let mut outputs = Outputs::new(&sources, OutputOptions { force: true });
    let mut output = outputs.rows(&folder.path("out.arrow"), &sources).unwrap();
    each(&sources, |record| output.write(record, &[]).unwrap());
    publish([output.finish().unwrap()]).unwrap();
}

/// The type of a column of a file.
fn kind(folder: &Folder, name: &str, column: &str) -> DataType {
    let open = || File::open(folder.path(name)).unwrap();
    let schema = FileReader::try_new(open(), None).map(|reader| reader.schema());
    let schema = schema.or_else(|_| StreamReader::try_new(open(), None).map(|it| it.schema()));
    schema.unwrap().field_with_name(column).unwrap().data_type().clone()
}

#[test]
fn files_with_other_dictionaries_go_to_one() {
    let folder = Folder::new();
    let columns = |texts: &[&str]| {
        batch(&[
            ("text", plain(texts)),
            ("word", coded::<Int8Type>(texts)),
            ("list", listed(texts)),
        ])
    };
    let other = batch(&[
        ("text", plain(&STONES)),
        ("word", coded::<Int16Type>(&STONES)),
        ("list", listed(&STONES)),
    ]);
    folder.write("a.arrow", file(&columns(&FRUIT)));
    folder.write("same.arrow", file(&columns(&["pear", "fig"])));
    folder.write("b.arrow", file(&columns(&STONES)));
    folder.write("wide.arrow", file(&other));
    folder.write("none.arrow", file(&columns(&[])));
    folder.write("stream.arrow", stream(&[columns(&STONES), columns(&FRUIT)]));
    let text = plain(&STONES);
    let decoded = batch(&[("text", Arc::clone(&text)), ("word", text), ("list", listed(&STONES))]);
    folder.write("plain.arrow", file(&decoded));
    for (names, word, list) in [
        (&["a.arrow", "same.arrow"][..], true, true),
        // One without entries is another one.
        (&["none.arrow", "a.arrow"], false, false),
        (&["a.arrow", "b.arrow", "same.arrow"], false, false),
        (&["a.arrow", "same.arrow", "wide.arrow"], false, false),
        (&["plain.arrow", "b.arrow"], false, true),
        (&["b.arrow", "plain.arrow"], false, true),
        (&["a.arrow", "stream.arrow"], false, false),
        // In a stream one dictionary may follow another.
        (&["stream.arrow", "a.arrow", "b.arrow"], true, true),
    ] {
        join(&folder, names);
        assert_eq!(lines(&folder, &["out.arrow"]), lines(&folder, names), "{names:?}");
        for (column, stays) in [("word", word), ("list", list)] {
            let (kept, came) =
                (kind(&folder, "out.arrow", column), kind(&folder, names[0], column));
            assert_eq!(kept == came && kept.to_string().contains("Dictionary"), stays, "{names:?}");
        }
    }
    let numbers = batch(&[
        ("text", plain(&["x"])),
        ("word", Arc::new(Int32Array::from(vec![1]))),
        ("list", listed(&["x"])),
    ]);
    folder.write("numbers.arrow", file(&numbers));
    let sources = folder.sources(&["a.arrow", "numbers.arrow"]);
    let mut outputs = Outputs::new(&sources, OutputOptions { force: true });
    let refused = outputs.rows(&folder.path("out.arrow"), &sources).err().unwrap();
    assert_eq!(refused.reason(), "output-columns");
}

#[test]
fn another_text_stands_in_an_encoded_column() {
    let folder = Folder::new();
    let ends = Int32Array::from(vec![2, 3]);
    let runs = RunArray::<Int32Type>::try_new(&ends, &StringArray::from(vec!["pear", "fig"]));
    let rows = batch(&[
        ("text", coded::<Int8Type>(&FRUIT)),
        ("runs", Arc::new(runs.unwrap())),
        ("list", listed(&FRUIT)),
    ]);
    folder.write("in/a.arrow", file(&rows));
    folder.write("in/b.arrow", stream(&[rows]));
    let sources = folder.sources(&["in"]);
    for column in ["text", "runs"] {
        let mut expected = lines(&folder, &["in"]);
        for row in &mut expected {
            if row[column] == "pear" {
                row[column] = json!("cut");
            }
        }
        let mut outputs = Outputs::new(&sources, OutputOptions { force: true });
        outputs.change_texts(column);
        outputs.shard(NonZeroU64::MAX);
        let mut output = outputs.rows(&folder.path("out.arrow"), &sources).unwrap();
        let mut mirror = outputs.mirror(&folder.path("out"), &sources).unwrap();
        each(&sources, |record| {
            let row: Value = serde_json::from_slice(&record.raw()).unwrap();
            if row[column] == "pear" {
                output.write_text(record, column, "cut").unwrap();
                mirror.write_text(record, b"", column, "cut").unwrap();
            } else {
                output.write(record, &[]).unwrap();
                mirror.write_record(record).unwrap();
            }
        });
        publish([output.finish().unwrap(), mirror.finish().unwrap()]).unwrap();
        for names in [&["out-00001.arrow"][..], &["out"]] {
            assert_eq!(lines(&folder, names), expected, "{column} {names:?}");
        }
        assert_eq!(kind(&folder, "out-00001.arrow", column), DataType::Utf8);
        assert_eq!(kind(&folder, "out/b.arrow", column), DataType::Utf8);
        let list = kind(&folder, "out/a.arrow", "list");
        assert!(list.to_string().contains("Dictionary"), "{list}");
    }
    // What holds no texts takes none.
    let mut outputs = Outputs::new(&sources, OutputOptions { force: true });
    outputs.change_texts("list");
    let mut output = outputs.rows(&folder.path("out.arrow"), &sources).unwrap();
    let mut failed = Ok(());
    each(&sources, |record| {
        let wrote = output.write_text(record, "list", "x");
        failed = std::mem::replace(&mut failed, Ok(())).and(wrote);
    });
    let failed = failed.and_then(|()| output.finish().map(drop)).unwrap_err().to_string();
    let said = "in/a.arrow, column \"list\": this text cannot be replaced: the column holds no texts of any length; \
                write it as strings";
    assert!(failed.ends_with(said), "{failed}");
}

#[test]
fn integers_of_128_bits_are_read_and_written() {
    let folder = Folder::new();
    // Written by polars 2.1.
    folder.write("wide.arrow", include_bytes!("wide.arrow"));
    folder.write("wide.arrows", include_bytes!("wide.arrows"));
    folder.write("wide.parquet", include_bytes!("wide.parquet"));
    let (most, least) = ("1267650600228229401496703205376", "-1267650600228229401496703205376");
    let expected = vec![
        json!({
            "id": 1, "text": "one", "wide": most, "whole": "170141183460469231731687303715884105728",
            "list": ["1", "-1"], "place": {"x": "7", "y": "a"}
        }),
        json!({
            "id": 2, "text": "two", "wide": least, "whole": "0", "list": [],
            "place": {"x": "-1237940039285380274899124224", "y": "b"}
        }),
        json!({
            "id": 3, "text": "three", "wide": null, "whole": null, "list": null, "place": null
        }),
    ];
    for name in ["wide.arrow", "wide.arrows"] {
        assert_eq!(lines(&folder, &[name]), expected, "{name}");
        join(&folder, &[name]);
        // They are integers again: bytes would be told otherwise.
        assert_eq!(lines(&folder, &["out.arrow"]), expected, "{name}");
    }
    let mut flat = expected;
    for row in &mut flat {
        let row = row.as_object_mut().unwrap();
        row.retain(|field, _| !["list", "place"].contains(&field.as_str()));
    }
    assert_eq!(lines(&folder, &["wide.parquet"]), flat);
}
