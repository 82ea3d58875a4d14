//! Arrow files and streams: rows are read in every type, and rows that stay are whole.

use crate::{Folder, gzip};
use arrow_array::builder::{
    Decimal128Builder, FixedSizeBinaryBuilder, Int32Builder, ListBuilder, StringBuilder,
};
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, DictionaryArray, FixedSizeBinaryArray,
    FixedSizeListArray, Float64Array, Int32Array, Int64Array, LargeStringArray, RecordBatch,
    StringArray, StringViewArray, StructArray, TimestampMicrosecondArray, UInt64Array,
};
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_ipc::{CompressionType, root_as_footer};
use arrow_schema::{DataType, Field, Schema};
use nearprint_corpus::{
    Fields, InputFormat, InvalidUtf8, NewCell, NewColumn, NewColumnKind, OutputOptions, Outputs,
    ReadOptions, Reader, Record, Source, discover, reading_bytes,
};
use std::collections::HashMap;
use std::fs::File;
use std::num::NonZeroU64;
use std::sync::Arc;

/// Rows from `start` on, of columns of many types.
fn batch(start: i64, rows: i64) -> RecordBatch {
    let all = || start..start + rows;
    let texts = all().map(|row| (row % 5 > 0).then(|| format!("a\n\"{row}")));
    let mut codes = FixedSizeBinaryBuilder::with_capacity(0, 16);
    let mut prices = Decimal128Builder::new().with_precision_and_scale(5, 5).unwrap();
    let mut lists = ListBuilder::new(Int32Builder::new());
    for row in all() {
        codes.append_value([u8::try_from(row % 256).unwrap(); 16]).unwrap();
        prices.append_value(i128::from(row) - 1);
        lists.append_value((0..row % 3).map(|at| (at > 0).then_some(7)));
    }
    let keys = Int32Array::from_iter_values(all().map(|row| i32::from(row % 2 > 0)));
    let words = Arc::new(StringArray::from_iter_values(["one", "two"]));
    let places = StructArray::from(vec![(
        Arc::new(Field::new("x", DataType::Int64, false)),
        Arc::new(Int64Array::from_iter_values(all())) as ArrayRef,
    )]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("id", Arc::new(StringViewArray::from_iter_values(all().map(|row| format!("row-{row}"))))),
        ("text", Arc::new(StringArray::from_iter(texts))),
        ("flag", Arc::new(BooleanArray::from_iter(all().map(|row| Some(row % 3 == 0))))),
        ("big", Arc::new(UInt64Array::from_iter_values(all().map(|_| u64::MAX)))),
        (
            "score",
            Arc::new(Float64Array::from_iter_values(
                all().map(|row| if row == 7 { f64::NEG_INFINITY } else { f64::NAN }),
            )),
        ),
        ("day", Arc::new(Date32Array::from_iter_values(all().map(|_| i32::MAX)))),
        (
            "seen",
            Arc::new(
                TimestampMicrosecondArray::from_iter_values(all()).with_timezone("Asia/Tokyo"),
            ),
        ),
        ("bytes", Arc::new(BinaryArray::from_iter_values(all().map(|_| b"\xff")))),
        ("words", Arc::new(BinaryArray::from_iter_values(all().map(|_| "\u{e9}")))),
        ("code", Arc::new(codes.finish())),
        ("price", Arc::new(prices.finish())),
        ("list", Arc::new(lists.finish())),
        ("word", Arc::new(DictionaryArray::new(keys, words))),
        ("place", Arc::new(places)),
    ];
    let uuid = HashMap::from([("ARROW:extension:name".to_owned(), "arrow.uuid".to_owned())]);
    let fields = columns.iter().map(|(name, column)| {
        let field = Field::new(*name, column.data_type().clone(), true);
        if *name == "code" { field.with_metadata(uuid.clone()) } else { field }
    });
    let metadata = HashMap::from([("maker".to_owned(), "test".to_owned())]);
    let schema = Schema::new_with_metadata(fields.collect::<Vec<_>>(), metadata);
    RecordBatch::try_new(schema.into(), columns.into_iter().map(|(_, column)| column).collect())
        .unwrap()
}

fn options(compression: Option<CompressionType>) -> IpcWriteOptions {
    IpcWriteOptions::default().try_with_compression(compression).unwrap()
}

/// A file with a footer of batches of so many rows.
fn file(batches: &[i64], compression: Option<CompressionType>) -> Vec<u8> {
    let schema = batch(0, 0).schema();
    let mut writer =
        FileWriter::try_new_with_options(Vec::new(), &schema, options(compression)).unwrap();
    writer.write_metadata("key", "of the footer");
    let mut start = 0;
    for rows in batches {
        writer.write(&batch(start, *rows)).unwrap();
        start += rows;
    }
    writer.into_inner().unwrap()
}

fn stream(batches: &[i64], compression: Option<CompressionType>) -> Vec<u8> {
    let schema = batch(0, 0).schema();
    let mut writer =
        StreamWriter::try_new_with_options(Vec::new(), &schema, options(compression)).unwrap();
    let mut start = 0;
    for rows in batches {
        writer.write(&batch(start, *rows)).unwrap();
        start += rows;
    }
    writer.into_inner().unwrap()
}

/// Hands every record to `each`, with its number in its source.
fn all(sources: &[Source], mut each: impl FnMut(&Record<'_>, u64)) {
    for batch in Reader::new(sources, ReadOptions::default()) {
        for record in batch.unwrap().records() {
            each(&record, record.line() - 1);
        }
    }
}

#[test]
fn memory_is_counted_for_batches_of_what_is_compressed_as_a_whole() {
    let folder = Folder::new();
    let counted = |name: &str, is_capped| reading_bytes(&folder.sources(&[name]), is_capped);
    for compression in [None, Some(CompressionType::ZSTD)] {
        let batches = [5, 0, 300];
        for (name, bytes) in
            [("a.arrow", file(&batches, compression)), ("b.arrows", stream(&batches, compression))]
        {
            folder.write(name, &bytes);
            folder.write(&format!("{name}.gz"), gzip(&bytes));
            let packed = counted(&format!("{name}.gz"), true);
            assert_eq!(packed, counted(name, true), "{name}");
            assert_eq!(counted(name, false), packed, "{name}");
        }
    }
}

/// The values of the column `x` of all rows.
fn rows(folder: &Folder, name: &str, is_file: bool) -> (Vec<i64>, Arc<Schema>) {
    let opened = File::open(folder.path(name)).unwrap();
    let (schema, batches): (_, Vec<_>) = if is_file {
        let reader = FileReader::try_new(opened, None).unwrap();
        (reader.schema(), reader.map(Result::unwrap).collect())
    } else {
        let reader = StreamReader::try_new(opened, None).unwrap();
        (reader.schema(), reader.map(Result::unwrap).collect())
    };
    let places = batches.iter().flat_map(|batch| {
        let place = batch.column_by_name("place").unwrap();
        let place = place.as_any().downcast_ref::<StructArray>().unwrap();
        let x = place.column(0).as_any().downcast_ref::<Int64Array>().unwrap();
        x.values().to_vec()
    });
    (places.collect(), schema)
}

#[test]
fn rows_of_both_formats_are_read_whatever_the_compression_and_the_name() {
    let folder = Folder::new();
    let expected = "{\"id\":\"row-7\",\"text\":\"a\\n\\\"7\",\"flag\":false,\
        \"big\":18446744073709551615,\"score\":\"-Infinity\",\"day\":\"+5881580-07-11\",\
        \"seen\":\"1970-01-01 00:00:00.000007 +00:00\",\"bytes\":\"/w==\",\"words\":\"\u{e9}\",\
        \"code\":\"07070707-0707-0707-0707-070707070707\",\"price\":\"0.00006\",\"list\":[null],\
        \"word\":\"two\",\"place\":{\"x\":7}}\n";
    for compression in [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)] {
        folder.write("a.arrow", file(&[5, 0, 300], compression));
        folder.write("b.arrow", stream(&[5, 0, 300], compression));
        folder.write("c", file(&[5, 0, 300], compression));
        folder.write("d", stream(&[5, 0, 300], compression));
        folder.write("e.jsonl", stream(&[5, 0, 300], compression));
        for name in ["a.arrow", "b.arrow", "c", "d", "e.jsonl"] {
            let sources = folder.sources(&[name]);
            assert_eq!(sources[0].format(), Some(InputFormat::ARROW), "{name}");
            let mut count = 0;
            all(&sources, |record, row| {
                assert_eq!(row, count);
                count += 1;
                let document = record.document(&Fields::default(), InvalidUtf8::Fail).unwrap();
                let text = if row % 5 > 0 { format!("a\n\"{row}") } else { String::new() };
                assert_eq!(document.text, text);
                if row == 7 {
                    let by_score = Fields { score: Some("score".to_owned()), ..Fields::default() };
                    let score = record.document(&by_score, InvalidUtf8::Fail).unwrap().score;
                    assert_eq!(score, Some(f64::NEG_INFINITY.into()));
                    assert_eq!(String::from_utf8(record.raw().into_owned()).unwrap(), expected);
                }
            });
            assert_eq!(count, 305, "{name}");
        }
    }
}

#[test]
fn rows_that_stay_are_whole_and_so_is_the_file() {
    let folder = Folder::new();
    let keeps: [fn(u64) -> bool; 4] =
        [|_| true, |_| false, |row| row % 2 == 0, |row| row == 5 || row == 304];
    for (is_file, bytes) in [
        (true, file(&[5, 300, 1], Some(CompressionType::LZ4_FRAME))),
        (false, stream(&[5, 300, 1], Some(CompressionType::ZSTD))),
    ] {
        folder.write("in/a.arrow", &bytes);
        let sources = folder.sources(&["in"]);
        for (at, keep) in keeps.into_iter().enumerate() {
            let out = format!("out-{is_file}-{at}");
            let mut outputs = Outputs::new(&sources, OutputOptions::default());
            let mut mirror = outputs.mirror(&folder.path(&out), &sources).unwrap();
            all(&sources, |record, row| {
                if keep(row) {
                    mirror.write_record(record).unwrap();
                }
            });
            mirror.commit().unwrap();
            let (kept, schema) = rows(&folder, &format!("{out}/a.arrow"), is_file);
            let expected: Vec<i64> = (0..306_i64).filter(|row| keep(row.unsigned_abs())).collect();
            assert_eq!(kept, expected);
            assert_eq!(*schema, *batch(0, 0).schema());
        }
        // Compression is that of the input.
        let whole = std::fs::metadata(folder.path("in/a.arrow")).unwrap();
        let out = std::fs::metadata(folder.path(&format!("out-{is_file}-0/a.arrow"))).unwrap();
        assert!(out.len().abs_diff(whole.len()) < 400, "{} {}", out.len(), whole.len());
    }
    let kept = FileReader::try_new(File::open(folder.path("out-true-0/a.arrow")).unwrap(), None);
    assert_eq!(kept.unwrap().custom_metadata()["key"], "of the footer");
}

#[test]
fn one_file_or_shards_hold_rows_of_several_with_added_columns() {
    let folder = Folder::new();
    folder.write("a.arrow", stream(&[3, 4], None));
    folder.write("b.arrow", stream(&[5], None));
    let sources = folder.sources(&["a.arrow", "b.arrow"]);
    let added = [
        NewColumn { name: "word", kind: NewColumnKind::Text },
        NewColumn { name: "number", kind: NewColumnKind::Integer },
    ];
    // The name of an output may say whether it is a file or a stream.
    for (ending, is_file) in [("arrow", false), ("feather", true), ("IPC", true)] {
        let mut outputs = Outputs::new(&sources, OutputOptions::default());
        outputs.add_columns(&added);
        outputs.shard(NonZeroU64::new(1).unwrap());
        let path = folder.path(&format!("out.{ending}"));
        let mut output = outputs.rows(&path, &sources).unwrap();
        all(&sources, |record, row| {
            let number = i64::try_from(row).unwrap();
            let cells = [NewCell::Text("new".into()), NewCell::Integer(number)];
            output.write(record, if row == 1 { &cells[..1] } else { &cells }).unwrap();
        });
        nearprint_corpus::publish([output.finish().unwrap()]).unwrap();
        let mut all_rows = Vec::new();
        for shard in 1..=3 {
            let (kept, schema) = rows(&folder, &format!("out-0000{shard}.{ending}"), is_file);
            all_rows.extend(kept);
            let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
            assert_eq!(names[names.len() - 3..], ["place", "word", "number"]);
        }
        assert_eq!(all_rows, [0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4]);
    }
    folder.write("c.jsonl", "{}\n");
    let sources = folder.sources(&["a.arrow", "c.jsonl"]);
    let refused = Outputs::new(&sources, OutputOptions::default())
        .rows(&folder.path("x.arrow"), &sources)
        .err()
        .unwrap();
    assert_eq!(refused.reason(), "output-format");
}

#[test]
fn what_is_cut_or_of_another_version_is_named() {
    let folder = Folder::new();
    let (whole, streamed) = (file(&[30], None), stream(&[30], None));
    for (name, bytes) in [("a.arrow", &whole), ("b.arrow", &streamed)] {
        for length in [9, 100, bytes.len() / 2] {
            folder.write(name, &bytes[..length]);
            let sources = folder.sources(&[name]);
            let failed = Reader::new(&sources, ReadOptions::default()).find_map(Result::err);
            let failed = failed.unwrap_or_else(|| panic!("{name}, {length} bytes"));
            assert!(["truncated", "corrupt"].contains(&failed.reason()), "{failed}");
        }
    }
    folder.write("c.feather", "FEA1 and more");
    let sources = folder.sources(&["c.feather"]);
    let failed = Reader::new(&sources, ReadOptions::default()).next().unwrap().unwrap_err();
    assert!(failed.to_string().contains("version 1, and version 2 is read"), "{failed}");
    folder.write("d.arrow", "");
    let sources = folder.sources(&["d.arrow"]);
    let failed = Reader::new(&sources, ReadOptions::default()).next().unwrap().unwrap_err();
    assert_eq!(failed.reason(), "empty-file");
    // Damaged in any place, it is an error or all rows: no panic, and no memory for what is not there.
    let codecs = [None, Some(CompressionType::ZSTD), Some(CompressionType::LZ4_FRAME)];
    for bytes in codecs.into_iter().flat_map(|codec| [file(&[30], codec), stream(&[30], codec)]) {
        let check = |damaged: Vec<u8>| {
            folder.write("g.arrow", damaged);
            let sources = folder.sources(&["g.arrow"]);
            Reader::new(&sources, ReadOptions::default()).for_each(drop);
        };
        for at in (0..bytes.len()).step_by(11) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x7f;
            check(damaged);
        }
        for at in (0..bytes.len() - 8).step_by(24) {
            let mut damaged = bytes.clone();
            damaged[at..at + 8].copy_from_slice(&(i64::MAX - 7).to_le_bytes());
            check(damaged);
        }
    }
    // By its footer the message of its batch ends early; the library goes on reading it, and takes memory for a size there.
    folder.write("h.arrow", include_bytes!("short-metadata.arrow"));
    let sources = folder.sources(&["h.arrow"]);
    let failed = Reader::new(&sources, ReadOptions::default()).next().unwrap().unwrap_err();
    assert_eq!(failed.reason(), "corrupt", "{failed}");
    // The library would take gigabytes for what these bytes say.
    for garbage in [&b"garbage and more"[..], b"\xff\xff\xff\xffgarbage"] {
        folder.write("f.feather", [garbage, &whole].concat());
        let sources = folder.sources(&["f.feather"]);
        let failed = Reader::new(&sources, ReadOptions::default()).next().unwrap().unwrap_err();
        assert!(failed.to_string().contains("there is no message"), "{failed}");
    }
    folder.write("e.txt", "words");
    let failed = discover(&[folder.name("e.txt")], Some(InputFormat::ARROW)).unwrap_err();
    assert!(
        failed.to_string().ends_with("e.txt is not in Arrow format; name it by what it is"),
        "{failed}"
    );
}

#[test]
fn a_text_stands_in_the_place_of_another_and_nothing_else_changes() {
    let folder = Folder::new();
    folder.write("a.arrow", file(&[3, 4], None));
    let sources = folder.sources(&["a.arrow"]);
    for (column, is_text) in [("text", true), ("id", true), ("words", true), ("day", false)] {
        let mut outputs = Outputs::new(&sources, OutputOptions { force: true });
        let mut output = outputs.rows(&folder.path("out.arrow"), &sources).unwrap();
        let mut written = Ok(());
        all(&sources, |record, row| {
            let wrote = match row {
                1 | 6 => output.write_text(record, column, &format!("new {row}")),
                2 => Ok(()),
                _ => output.write(record, &[]),
            };
            written = std::mem::replace(&mut written, Ok(())).and(wrote);
        });
        let finished = written.and_then(|()| output.finish());
        assert_eq!(finished.is_ok(), is_text, "{column}");
        let Ok(finished) = finished else { continue };
        nearprint_corpus::publish([finished]).unwrap();
        let lines = |name: &str| {
            let mut lines = Vec::new();
            all(&folder.sources(&[name]), |record, _| {
                lines.push(serde_json::from_slice::<serde_json::Value>(&record.raw()).unwrap());
            });
            lines
        };
        let mut expected = lines("a.arrow");
        for row in [1, 6] {
            expected[row][column] = format!("new {row}").into();
        }
        expected.remove(2);
        assert_eq!(lines("out.arrow"), expected, "{column}");
        let schema = |name| rows(&folder, name, true).1;
        assert_eq!(schema("out.arrow"), schema("a.arrow"), "{column}");
    }
}

/// Two rows of texts of each type, of which the second has "~~" in all, behind what a view does not hold by itself.
fn marked_texts() -> RecordBatch {
    let texts = ["a text that is whole, and long", "a text that is damaged: ~~, and long"];
    let mut lists = ListBuilder::new(StringBuilder::new());
    texts.iter().for_each(|text| lists.append_value([Some(*text)]));
    let words = Arc::new(StringArray::from_iter_values(texts));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("text", Arc::new(StringArray::from_iter_values(texts))),
        ("large", Arc::new(LargeStringArray::from_iter_values(texts))),
        ("view", Arc::new(StringViewArray::from_iter_values(texts))),
        ("word", Arc::new(DictionaryArray::new(Int32Array::from(vec![0, 1]), words))),
        ("list", Arc::new(lists.finish())),
        ("x", Arc::new(Int64Array::from(vec![1, 2]))),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

#[test]
fn a_text_that_is_no_utf8_spares_the_others_and_is_written_as_it_came() {
    let batch = marked_texts();
    let mut file = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    let mut stream = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    file.write(&batch).unwrap();
    stream.write(&batch).unwrap();
    let damaged = |mut bytes: Vec<u8>| {
        let places = bytes.windows(2).enumerate().filter(|(_, pair)| *pair == b"~~");
        let places: Vec<usize> = places.map(|(at, _)| at).collect();
        assert_eq!(places.len(), 5);
        places.into_iter().for_each(|at| bytes[at..at + 2].copy_from_slice(b"\xff\xfe"));
        bytes
    };
    let folder = Folder::new();
    for (name, bytes) in [
        ("a.arrow", damaged(file.into_inner().unwrap())),
        ("a.arrows", damaged(stream.into_inner().unwrap())),
    ] {
        folder.write(name, &bytes);
        let sources = folder.sources(&[name]);
        for field in ["text", "large", "view", "word", "list"] {
            let mut found = Vec::new();
            all(&sources, |record, _| {
                let fields = Fields { text: field.to_owned(), ..Fields::default() };
                found.push([InvalidUtf8::Fail, InvalidUtf8::Replace].map(|invalid| {
                    let document = record.document(&fields, invalid);
                    document
                        .map_err(|error| folder.message(&error))
                        .map(|document| (document.text.into_owned(), document.replaced_utf8))
                }));
            });
            let whole = Ok(("a text that is whole, and long".to_owned(), false));
            assert_eq!(found[0], [whole.clone(), whole], "{name} {field}");
            let (replaced, is_counted) = found[1][1].clone().unwrap();
            assert_eq!(
                replaced, "a text that is damaged: \u{fffd}\u{fffd}, and long",
                "{name} {field}"
            );
            let said = format!("{name}:2: the column {field:?} has a text that is not UTF-8");
            let error = found[1][0].as_ref().unwrap_err();
            assert!(is_counted && error.starts_with(&said), "{error}");
        }
        // A score that is replaced is none.
        let fields = Fields { score: Some("view".to_owned()), ..Fields::default() };
        let mut refused = Vec::new();
        all(&sources, |record, _| {
            let told = [InvalidUtf8::Fail, InvalidUtf8::Replace]
                .map(|invalid| folder.message(&record.document(&fields, invalid).unwrap_err()));
            refused.push(told);
        });
        let said = format!("{name}:2: the column \"view\" of scores has a text that is not UTF-8");
        assert!(refused[1].iter().all(|told| told.starts_with(&said)), "{refused:?}");
        let mut outputs = Outputs::new(&sources, OutputOptions { force: true });
        let out = format!("out-{name}");
        let mut output = outputs.rows(&folder.path(&out), &sources).unwrap();
        all(&sources, |record, _| output.write(record, &[]).unwrap());
        nearprint_corpus::publish([output.finish().unwrap()]).unwrap();
        let written = std::fs::read(folder.path(&out)).unwrap();
        let is_damaged =
            |bytes: &[u8]| bytes.windows(2).filter(|pair| *pair == b"\xff\xfe").count();
        assert_eq!(is_damaged(&written), is_damaged(&bytes));
        let schema = match name {
            // A reader would look at the texts of dictionaries.
            "a.arrow" => {
                let (rest, end) = written.split_at(written.len() - 10);
                let length = i32::from_le_bytes(end[..4].try_into().unwrap());
                let footer = &rest[rest.len() - usize::try_from(length).unwrap()..];
                let schema = root_as_footer(footer).unwrap().schema().unwrap();
                Arc::new(fb_to_schema(schema))
            }
            _ => StreamReader::try_new(&*written, None).unwrap().schema(),
        };
        assert_eq!(schema, batch.schema());
    }
}

#[test]
fn two_columns_of_a_name_that_is_read_are_refused() {
    let names = ["id", "text", "note", "score", "dump", "place"];
    let strings = |text: &str| Arc::new(StringArray::from_iter_values([text])) as ArrayRef;
    let inner = || {
        let field = Arc::new(Field::new("x", DataType::Utf8, false));
        Arc::new(StructArray::from(vec![(field, strings("1"))])) as ArrayRef
    };
    let file = |twice: &str| {
        let all = names.into_iter().chain([twice]);
        let (fields, columns): (Vec<_>, Vec<_>) = all
            .map(|name| {
                let column = if name == "place" { inner() } else { strings("1") };
                (Field::new(name, column.data_type().clone(), false), column)
            })
            .unzip();
        let schema = Arc::new(Schema::new(fields));
        let mut writer = FileWriter::try_new(Vec::new(), &schema).unwrap();
        writer.write(&RecordBatch::try_new(schema, columns).unwrap()).unwrap();
        writer.into_inner().unwrap()
    };
    let fields = |text: &str, label: &str| Fields {
        text: text.to_owned(),
        score: Some("score".to_owned()),
        labels: vec![label.to_owned()],
        ..Fields::default()
    };
    let folder = Folder::new();
    for (twice, fields, refused) in [
        ("id", fields("text", "dump"), true),
        ("text", fields("text", "dump"), true),
        ("score", fields("text", "dump"), true),
        ("dump", fields("text", "dump"), true),
        ("place", fields("text", "place.x"), true),
        ("note", fields("text,note", "dump"), true),
        ("note", fields("text", "dump"), false),
    ] {
        folder.write("a.arrow", file(twice));
        all(&folder.sources(&["a.arrow"]), |record, _| {
            let found = record.document(&fields, InvalidUtf8::Fail);
            let error = found.err().map(|error| error.to_string());
            let said = format!("two columns have the name {twice:?}; rename one of them");
            assert_eq!(error.is_some(), refused, "{twice}");
            assert!(error.is_none_or(|error| error.contains(&said)), "{twice}");
        });
    }
}

#[test]
fn bytes_of_one_length_are_the_text_of_a_document_and_base64_elsewhere() {
    let bytes = [Some(b"hello"), None, Some(b"\xffello")].into_iter();
    let bytes = FixedSizeBinaryArray::try_from_sparse_iter_with_size(bytes, 5).unwrap();
    let bytes: ArrayRef = Arc::new(bytes);
    let schema = Schema::new(vec![Field::new("text", bytes.data_type().clone(), true)]);
    let schema = Arc::new(schema);
    let mut writer = FileWriter::try_new(Vec::new(), &schema).unwrap();
    writer.write(&RecordBatch::try_new(schema, vec![bytes]).unwrap()).unwrap();
    let folder = Folder::new();
    folder.write("a.arrow", writer.into_inner().unwrap());
    let (mut texts, mut lines) = (Vec::new(), Vec::new());
    all(&folder.sources(&["a.arrow"]), |record, _| {
        let document = record.document(&Fields::default(), InvalidUtf8::Fail);
        texts.push(document.map(|it| it.text.into_owned()).map_err(|error| error.to_string()));
        lines.push(String::from_utf8(record.raw().into_owned()).unwrap());
    });
    assert_eq!(texts[..2], [Ok("hello".to_owned()), Ok(String::new())]);
    assert!(texts[2].as_ref().unwrap_err().ends_with("found bytes that are not UTF-8"));
    let expected =
        ["\"aGVsbG8=\"", "null", "\"/2VsbG8=\""].map(|it| format!("{{\"text\":{it}}}\n"));
    assert_eq!(lines, expected);
}

#[test]
fn a_fingerprint_that_is_marked_as_a_uuid_is_its_digits() {
    let extension = HashMap::from([("ARROW:extension:name".to_owned(), "arrow.uuid".to_owned())]);
    let bytes = (0..16).collect::<Vec<u8>>();
    let codes: ArrayRef =
        Arc::new(FixedSizeBinaryArray::try_from_iter([bytes].into_iter()).unwrap());
    let field =
        Field::new("fingerprint", codes.data_type().clone(), false).with_metadata(extension);
    let schema = Arc::new(Schema::new(vec![field]));
    let mut writer = FileWriter::try_new(Vec::new(), &schema).unwrap();
    writer.write(&RecordBatch::try_new(schema, vec![codes]).unwrap()).unwrap();
    let folder = Folder::new();
    folder.write("a.arrow", writer.into_inner().unwrap());
    all(&folder.sources(&["a.arrow"]), |record, _| {
        assert_eq!(
            record.fields(InvalidUtf8::Fail).unwrap()["fingerprint"],
            "000102030405060708090a0b0c0d0e0f"
        );
    });
}

#[test]
fn a_uuid_is_its_text_at_any_depth_and_a_dictionary_of_fingerprints_their_digits() {
    let extension = HashMap::from([("ARROW:extension:name".to_owned(), "arrow.uuid".to_owned())]);
    let bytes = (0..16).collect::<Vec<u8>>();
    let uuids = Arc::new(FixedSizeBinaryArray::try_from_iter([bytes].into_iter()).unwrap());
    let uuid = Arc::new(
        Field::new("u", DataType::FixedSizeBinary(16), false).with_metadata(extension.clone()),
    );
    let inner = StructArray::from(vec![(Arc::clone(&uuid), Arc::clone(&uuids) as ArrayRef)]);
    let inner: ArrayRef = Arc::new(inner);
    let list =
        |field, values| -> ArrayRef { Arc::new(FixedSizeListArray::new(field, 1, values, None)) };
    let of_structs =
        list(Arc::new(Field::new("item", inner.data_type().clone(), false)), Arc::clone(&inner));
    let of_uuids = list(Arc::clone(&uuid), Arc::clone(&uuids) as ArrayRef);
    let keys = Int32Array::from(vec![0]);
    let coded = DictionaryArray::new(keys.clone(), Arc::clone(&uuids) as ArrayRef);
    let codes = DictionaryArray::new(keys, Arc::new(UInt64Array::from(vec![u64::MAX - 1])));
    let columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("plain", uuids, true),
        ("inner", inner, false),
        ("structs", of_structs, false),
        ("uuids", of_uuids, false),
        ("coded", Arc::new(coded), true),
        ("fingerprint", Arc::new(codes), false),
    ];
    let field = |(name, column, is_uuid): &(&str, ArrayRef, bool)| {
        let marks = if *is_uuid { extension.clone() } else { HashMap::new() };
        Field::new(*name, column.data_type().clone(), false).with_metadata(marks)
    };
    let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
    let columns = columns.into_iter().map(|(_, column, _)| column).collect();
    let mut writer = FileWriter::try_new(Vec::new(), &schema).unwrap();
    writer.write(&RecordBatch::try_new(schema, columns).unwrap()).unwrap();
    let folder = Folder::new();
    folder.write("a.arrow", writer.into_inner().unwrap());
    let text = "00010203-0405-0607-0809-0a0b0c0d0e0f";
    let expected = serde_json::json!({
        "plain": text, "inner": {"u": text}, "structs": [{"u": text}], "uuids": [text], "coded": text,
        "fingerprint": "fffffffffffffffe",
    });
    all(&folder.sources(&["a.arrow"]), |record, _| {
        assert_eq!(serde_json::Value::from(record.fields(InvalidUtf8::Fail).unwrap()), expected);
    });
}
