//! Arrow columns in dictionaries and in runs: rows of several files in one, and other texts in them.

use crate::{Folder, bzip2, gzip, xz, zstd};
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
    // In Parquet they are 16 bytes, and the schema of Arrow beside tells what these mean.
    assert_eq!(lines(&folder, &["wide.parquet"]), expected);
}

#[test]
fn moments_of_96_bits_keep_every_digit_wherever_they_are() {
    let folder = Folder::new();
    // Written by pyarrow 26, in groups of two rows.
    folder.write("moments.parquet", include_bytes!("moments.parquet"));
    let at = |nanos: &str| format!("1970-01-01 00:00:{nanos} +00:00");
    let of = |nanos: u32| at(&format!("00.{nanos:09}"));
    let expected = vec![
        json!({
            "id": "a", "text": "one", "at": of(1), "page": {"at": at("01.000000001"), "n": 1},
            "all": [of(1), of(2), null], "deep": [{"at": [of(5)]}, null, {"at": null}],
            "named": {"x": of(8)}
        }),
        json!({
            "id": "b", "text": "two", "at": null, "page": {"at": null, "n": 2}, "all": [], "deep": null,
            "named": {}
        }),
        json!({
            "id": "c", "text": "three", "at": of(3), "page": null,
            "all": ["1969-12-31 23:59:59.999999999 +00:00"], "deep": [{"at": [of(6), of(7)]}],
            "named": {"y": null, "z": of(9)}
        }),
    ];
    assert_eq!(lines(&folder, &["moments.parquet"]), expected);
}

#[test]
fn what_follows_the_end_of_a_stream_is_not_left_out_in_silence() {
    let folder = Folder::new();
    let stream = stream(&[batch(&[("text", plain(&FRUIT))])]);
    let read = |behind: &[u8]| {
        folder.write("a.arrows", [&stream[..], behind].concat());
        let read = Reader::new(&folder.sources(&["a.arrows"]), ReadOptions::default());
        read.fold((0, None), |(rows, failed), batch| match batch {
            Ok(batch) => (rows + batch.len(), failed),
            Err(error) => (rows, Some(error)),
        })
    };
    for whole in [&b""[..], &[0; 8], &[0; 512]] {
        let (rows, failed) = read(whole);
        assert!(rows == 3 && failed.is_none(), "{failed:?}");
    }
    let (rows, failed) = read(&stream);
    let failed = failed.unwrap();
    assert_eq!((rows, failed.reason()), (3, "unsupported"), "{failed}");
    assert!(failed.to_string().contains("a second stream follows the first"), "{failed}");
    let (rows, failed) = read(b"more");
    assert_eq!((rows, failed.unwrap().reason()), (3, "corrupt"));
}

#[test]
fn columns_that_are_compressed_as_a_whole_are_named() {
    let folder = Folder::new();
    let arrow = file(&batch(&[("text", plain(&FRUIT))]));
    let parquet = include_bytes!("moments.parquet");
    for (ending, compression, command, pack) in [
        ("gz", "gzip", "gunzip", gzip as fn(&[u8]) -> Vec<u8>),
        ("zst", "zstd", "unzstd", zstd),
        ("bz2", "bzip2", "bunzip2", bzip2),
        ("xz", "xz", "unxz", xz),
    ] {
        for name in ["a.parquet", "part", "b.parquet."] {
            let name = name.trim_end_matches('.').to_owned();
            let name = if name == "b.parquet" { name } else { format!("{name}.{ending}") };
            folder.write(&name, pack(parquet));
            let sources = folder.sources(&[&name]);
            let error = Reader::new(&sources, ReadOptions::default()).next().unwrap().unwrap_err();
            assert_eq!(
                folder.message(&error),
                format!(
                    "{name} is a file of Parquet that is compressed with {compression} as a whole; decompress it first, \
                     such as by {command}, and give the Parquet file"
                )
            );
            assert_eq!(error.reason(), "compressed-columns");
            let named = Outputs::column_names(&sources[0]).unwrap_err();
            assert_eq!(named.reason(), "compressed-columns");
        }
        // A stream is read from front to back, and only an output asks for the file.
        let name = format!("c.arrow.{ending}");
        folder.write(&name, pack(&arrow));
        assert_eq!(lines(&folder, &[&name]).len(), 3);
        let sources = folder.sources(&[&name]);
        let mut outputs = Outputs::new(&sources, OutputOptions { force: true });
        let refused = outputs.rows(&folder.path("out.arrow"), &sources).err().unwrap();
        assert_eq!(refused.reason(), "compressed-columns", "{refused}");
        // What it holds counts, not its name.
        let name = format!("d.parquet.{ending}");
        folder.write(&name, pack(b"id,text\n1,one\n"));
        let read = Reader::new(&folder.sources(&[&name]), ReadOptions::default()).next();
        assert_eq!(read.unwrap().unwrap_err().reason(), "other-format");
    }
}
