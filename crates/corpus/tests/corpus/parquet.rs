//! Parquet: rows that stay have every column of every type, and the file its metadata.

use crate::Folder;
use nearprint_corpus::{
    Error, Fields, InvalidUtf8, NullText, OutputOptions, Outputs, ReadOptions, Reader, Record,
    Source,
};
use parquet::basic::Compression;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
    Int32Type,
};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::sync::Arc;

const SCHEMA: &str = "message rows {
    required byte_array id (UTF8);
    required group span { required int32 start; required int32 end; }
    optional group tags (LIST) { repeated group list { optional int32 element; } }
    optional byte_array text (UTF8);
    required boolean flag;
    optional double score;
    required fixed_len_byte_array(3) code;
}";

/// A file with row groups of these sizes.
pub(crate) fn file(groups: &[i32]) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(vec![KeyValue::new("maker".to_owned(), "test".to_owned())]))
        .build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties.into()).unwrap();
    let mut start = 0;
    for count in groups {
        let rows = start..start + count;
        start += count;
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let ids: Vec<_> = rows.clone().map(|row| ByteArray::from(&*format!("row-{row}"))).collect();
        column.typed::<ByteArrayType>().write_batch(&ids, None, None).unwrap();
        column.close().unwrap();
        for _ in ["start", "end"] {
            let mut column = group.next_column().unwrap().unwrap();
            let places: Vec<_> = rows.clone().collect();
            column.typed::<Int32Type>().write_batch(&places, None, None).unwrap();
            column.close().unwrap();
        }
        // Row by row: no list, an empty one, one of a number, one of a number and nothing.
        let (mut values, mut defined, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows.clone() {
            let levels: &[(i16, i16)] = match row % 4 {
                0 => &[(0, 0)],
                1 => &[(1, 0)],
                2 => &[(3, 0)],
                _ => &[(3, 0), (2, 1)],
            };
            for (definition, repetition) in levels {
                defined.push(*definition);
                repeated.push(*repetition);
                values.extend((*definition == 3).then_some(row));
            }
        }
        let mut column = group.next_column().unwrap().unwrap();
        let tags = column.typed::<Int32Type>();
        tags.write_batch(&values, Some(&defined), Some(&repeated)).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let texts = rows.clone().filter(|row| row % 5 > 0);
        let texts: Vec<_> = texts.map(|row| ByteArray::from(&*format!("a\n{row}"))).collect();
        let levels: Vec<_> = rows.clone().map(|row| i16::from(row % 5 > 0)).collect();
        column.typed::<ByteArrayType>().write_batch(&texts, Some(&levels), None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let flags: Vec<_> = rows.clone().map(|row| row % 3 == 0).collect();
        column.typed::<BoolType>().write_batch(&flags, None, None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let scores: Vec<_> = rows.clone().filter(|row| row % 2 > 0).map(f64::from).collect();
        let levels: Vec<_> = rows.clone().map(|row| i16::from(row % 2 > 0)).collect();
        column.typed::<DoubleType>().write_batch(&scores, Some(&levels), None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let codes: Vec<_> =
            rows.map(|row| FixedLenByteArray::from(row.to_le_bytes()[..3].to_vec())).collect();
        column.typed::<FixedLenByteArrayType>().write_batch(&codes, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

pub(crate) fn open(folder: &Folder, name: &str) -> SerializedFileReader<File> {
    SerializedFileReader::new(File::open(folder.path(name)).unwrap()).unwrap()
}

/// Every row, all its columns.
pub(crate) fn rows(folder: &Folder, name: &str) -> Vec<String> {
    open(folder, name).into_iter().map(|row| row.unwrap().to_string()).collect()
}

/// Hands every record to `each`, with its number in its source.
pub(crate) fn all(sources: &[Source], mut each: impl FnMut(&Record<'_>, u64)) {
    for batch in Reader::new(sources, ReadOptions::default()) {
        for record in batch.unwrap().records() {
            each(&record, record.line() - 1);
        }
    }
}

#[test]
fn rows_that_stay_are_whole_and_so_is_the_file() {
    let folder = Folder::new();
    folder.write("in/a.parquet", file(&[300, 1, 200]));
    folder.write("in/b", file(&[7]));
    folder.write("in/c.parquet", file(&[]));
    let sources = folder.sources(&["in"]);
    let keeps: [fn(u64) -> bool; 5] =
        [|_| true, |_| false, |row| row % 2 == 0, |row| row >= 300 && row != 301, |row| row == 500];
    for (at, keep) in keeps.into_iter().enumerate() {
        let out = format!("out-{at}");
        let mut mirror = Outputs::new(&sources, OutputOptions::default())
            .mirror(&folder.path(&out), &sources)
            .unwrap();
        all(&sources, |record, row| {
            if keep(row) {
                mirror.write_record(record).unwrap();
            }
        });
        mirror.commit().unwrap();
        for name in ["a.parquet", "b", "c.parquet"] {
            let whole = rows(&folder, &format!("in/{name}"));
            let kept = (0..).zip(whole).filter(|(row, _)| keep(*row)).map(|(_, row)| row);
            let out = format!("{out}/{name}");
            assert_eq!(rows(&folder, &out), kept.collect::<Vec<_>>(), "{out}");
            let (before, after) = (open(&folder, &format!("in/{name}")), open(&folder, &out));
            let (before, after) = (before.metadata(), after.metadata());
            assert_eq!(
                after.file_metadata().schema_descr().root_schema(),
                before.file_metadata().schema_descr().root_schema()
            );
            let metadata = after.file_metadata().key_value_metadata().unwrap();
            assert!(metadata.iter().any(|pair| pair.key == "maker"));
            let columns = after.row_groups().iter().flat_map(|group| group.columns());
            assert!(columns.map(|column| column.compression()).all(|c| c == Compression::SNAPPY));
            assert!(after.num_row_groups() <= before.num_row_groups());
        }
    }
}

#[test]
fn one_file_holds_rows_of_several_with_the_same_columns() {
    let folder = Folder::new();
    folder.write("a.parquet", file(&[3, 4]));
    folder.write("b.parquet", file(&[5]));
    folder.write("c.jsonl", "{}\n");
    let schema = Arc::new(parse_message_type("message rows { required int32 text; }").unwrap());
    let other = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    folder.write("d.parquet", other.into_inner().unwrap());
    let sources = folder.sources(&["a.parquet", "b.parquet"]);
    let mut outputs = Outputs::new(&sources, OutputOptions::default());
    let mut output = outputs.rows(&folder.path("out.parquet"), &sources).unwrap();
    all(&sources, |record, row| {
        if row % 3 == 1 {
            output.write(record, &[]).unwrap();
        }
    });
    assert!(!folder.path("out.parquet").exists());
    nearprint_corpus::publish([output.finish().unwrap()]).unwrap();
    let (a, b) = (rows(&folder, "a.parquet"), rows(&folder, "b.parquet"));
    let expected = [&a[1], &a[4], &b[1], &b[4]].map(String::clone);
    assert_eq!(rows(&folder, "out.parquet"), expected);
    let refusal = |names: &[&str]| {
        let sources = folder.sources(names);
        let mut outputs = Outputs::new(&sources, OutputOptions::default());
        let error: Error = outputs.rows(&folder.path("x.parquet"), &sources).err().unwrap();
        folder.message(&error)
    };
    assert_eq!(
        refusal(&["a.parquet", "c.jsonl"]),
        "x.parquet: its name says Parquet, and what is kept of c.jsonl is written as JSONL; name a file that ends in .jsonl"
    );
    let sources = folder.sources(&["a.parquet"]);
    let mut outputs = Outputs::new(&sources, OutputOptions::default());
    let error = outputs.survivors(&folder.path("x.csv"), &sources).err().unwrap();
    assert_eq!(
        folder.message(&error),
        "x.csv: its name says CSV, and what is kept of a.parquet is written as Parquet or JSONL; name a file that ends \
         in .parquet or .jsonl"
    );
    let message = refusal(&["d.parquet", "a.parquet"]);
    assert!(message.contains("d.parquet has REQUIRED INT32 text;: one file holds"), "{message}");
    assert_eq!(folder.files(), ["a.parquet", "b.parquet", "c.jsonl", "d.parquet", "out.parquet"]);
}

#[test]
fn a_shard_ends_with_the_row_group_that_fills_it() {
    let folder = Folder::new();
    folder.write("a.parquet", file(&[3, 300, 4, 5]));
    let sources = folder.sources(&["a.parquet"]);
    let mut outputs = Outputs::new(&sources, OutputOptions::default());
    outputs.shard(std::num::NonZeroU64::new(1500).unwrap());
    let mut output = outputs.rows(&folder.path("out.parquet"), &sources).unwrap();
    all(&sources, |record, _| output.write(record, &[]).unwrap());
    nearprint_corpus::publish([output.finish().unwrap()]).unwrap();
    let (first, second) = ("out-00001.parquet", "out-00002.parquet");
    assert_eq!(folder.files(), ["a.parquet", first, second]);
    let a = rows(&folder, "a.parquet");
    assert_eq!(
        [rows(&folder, first), rows(&folder, second)],
        [a[..303].to_vec(), a[303..].to_vec()]
    );
    let message = outputs.rows(&folder.path("out.parquet"), &sources).err().unwrap();
    assert!(folder.message(&message).starts_with("out-00001.parquet exists"), "{message}");
}

#[test]
fn a_file_that_shrinks_meanwhile_is_told() {
    let folder = Folder::new();
    folder.write("a.parquet", file(&[9]));
    let sources = folder.sources(&["a.parquet"]);
    let mut outputs = Outputs::new(&sources, OutputOptions::default());
    let mut output = outputs.rows(&folder.path("out.parquet"), &sources).unwrap();
    all(&sources, |record, _| output.write(record, &[]).unwrap());
    folder.write("a.parquet", file(&[8]));
    let error = output.finish().err().unwrap();
    assert!(folder.message(&error).contains("a.parquet: the Parquet data is damaged"), "{error}");
    assert_eq!(folder.files(), ["a.parquet"]);
}

#[test]
fn every_column_is_in_the_line_of_its_row_whatever_the_batches() {
    let folder = Folder::new();
    folder.write("a.parquet", file(&[300, 1, 200]));
    let expected: Vec<_> =
        open(&folder, "a.parquet").into_iter().map(|row| row.unwrap().to_json_value()).collect();
    let sources = folder.sources(&["a.parquet"]);
    for batch_bytes in [1, 100, 1 << 17] {
        let options = ReadOptions { batch_bytes, ..ReadOptions::default() };
        let (mut lines, mut places) = (Vec::new(), Vec::new());
        for batch in Reader::new(&sources, options) {
            let batch = batch.unwrap();
            for record in batch.records() {
                let raw = record.raw();
                assert_eq!(raw.last(), Some(&b'\n'));
                lines.push(serde_json::from_slice::<serde_json::Value>(&raw).unwrap());
                places.push(record.line());
                let document = record.document(&Fields::default(), InvalidUtf8::Fail);
                match lines.last().unwrap()["text"].as_str() {
                    Some(text) => assert_eq!(document.unwrap().text, text),
                    None => {
                        assert_eq!(document.unwrap().text, "");
                        let fail = Fields { null_text: NullText::Fail, ..Fields::default() };
                        let error = record.document(&fail, InvalidUtf8::Fail).unwrap_err();
                        assert_eq!(error.reason(), "text-null");
                    }
                }
            }
        }
        assert_eq!(lines, expected, "{batch_bytes}");
        assert_eq!(places, (1..=501).collect::<Vec<_>>());
    }
}

#[test]
fn fields_have_the_types_of_their_columns() {
    let folder = Folder::new();
    folder.write("a.parquet", file(&[4]));
    let document = |id: &str, score: &str, row: u64| {
        let fields = Fields {
            id: id.to_owned(),
            tag: Some("text".to_owned()),
            score: Some(score.to_owned()),
            ..Fields::default()
        };
        let mut found = None;
        all(&folder.sources(&["a.parquet"]), |record, at| {
            if at == row {
                let document = record.document(&fields, InvalidUtf8::Fail);
                found = Some(document.map(|it| {
                    let id = it.id.map(|id| id.as_json().to_owned());
                    (id, it.tag, it.score)
                }));
            }
        });
        found.unwrap().map_err(|error| folder.message(&error))
    };
    let text = || Some("a\n3".to_owned());
    assert_eq!(
        document("id", "score", 3),
        Ok((Some("\"row-3\"".to_owned()), text(), Some(3.0.into())))
    );
    assert_eq!(document("score", "none", 3), Ok((Some("3.0".to_owned()), text(), None)));
    assert_eq!(document("none", "score", 2), Ok((None, Some("a\n2".to_owned()), None)));
    let wrong = document("tags", "score", 3).unwrap_err();
    assert!(wrong.starts_with("a.parquet:4: the field \"tags\""), "{wrong}");
    let wrong = document("id", "text", 3).unwrap_err();
    assert!(wrong.starts_with("a.parquet:4: the field \"text\""), "{wrong}");
}

#[test]
fn bytes_that_are_not_utf8_are_no_text_unless_what_is_damaged_is_replaced() {
    let folder = Folder::new();
    folder.write("a.parquet", file(&[129]));
    let fields = Fields { text: "code".to_owned(), ..Fields::default() };
    let mut found = Vec::new();
    all(&folder.sources(&["a.parquet"]), |record, _| {
        found.push([InvalidUtf8::Fail, InvalidUtf8::Replace].map(|invalid| {
            let document = record.document(&fields, invalid);
            let document = document.map(|it| (it.text.into_owned(), it.replaced_utf8));
            document.map_err(|it| folder.message(&it))
        }));
    });
    let whole = Ok(("A\0\0".to_owned(), false));
    assert_eq!(found[65], [whole.clone(), whole]);
    let told = "a.parquet:129: the field \"code\" must be a string, found bytes that are not UTF-8";
    assert!(found[128][0].as_ref().unwrap_err().starts_with(told), "{:?}", found[128]);
    assert_eq!(found[128][1], Ok(("\u{fffd}\0\0".to_owned(), true)));
}

/// A file of one row group, whose columns are written one after the other, each by its place.
pub(crate) fn file_of(
    schema: &str,
    mut write: impl FnMut(&mut SerializedColumnWriter<'_>, usize),
) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut at = 0;
    while let Some(mut column) = group.next_column().unwrap() {
        write(&mut column, at);
        column.close().unwrap();
        at += 1;
    }
    group.close().unwrap();
    writer.into_inner().unwrap()
}

/// A file of one column of texts.
fn texts(texts: &[&[u8]]) -> Vec<u8> {
    let texts: Vec<_> = texts.iter().map(|text| ByteArray::from(text.to_vec())).collect();
    file_of("message rows { required byte_array text (UTF8); }", |column, _| {
        column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
    })
}

#[test]
fn a_text_that_is_no_utf8_and_one_that_is_too_long_spare_the_others() {
    let folder = Folder::new();
    folder.write("a.parquet", texts(&[b"one", b"a\xffb", &[b'x'; 99], b"four"]));
    let sources = folder.sources(&["a.parquet"]);
    let options = ReadOptions { max_record_bytes: 64, ..ReadOptions::default() };
    let mut found = Vec::new();
    for batch in Reader::new(&sources, options) {
        for record in batch.unwrap().records() {
            found.push([InvalidUtf8::Fail, InvalidUtf8::Replace].map(|invalid| {
                match record.document(&Fields::default(), invalid) {
                    Ok(document) => format!("{} {}", document.text, document.replaced_utf8),
                    Err(error) => folder.message(&error),
                }
            }));
            assert_eq!(record.too_long(), found.len() == 3);
            assert_eq!(record.raw().is_empty(), found.len() == 3);
        }
    }
    assert_eq!(found[0], ["one false", "one false"]);
    assert!(found[1][0].starts_with("a.parquet:2: "), "{}", found[1][0]);
    assert_eq!(found[1][1], "a\u{fffd}b true");
    assert!(found[2][0].starts_with("a.parquet:3: ") && found[2][0].contains("64 bytes"));
    assert_eq!(found[3], ["four false", "four false"]);
}

#[test]
fn an_output_that_is_given_up_leaves_no_file() {
    let folder = Folder::new();
    folder.write("a.parquet", file(&[300, 300, 300]));
    let sources = folder.sources(&["a.parquet"]);
    let mut outputs = Outputs::new(&sources, OutputOptions::default());
    let mut output = outputs.rows(&folder.path("out.parquet"), &sources).unwrap();
    all(&sources, |record, _| output.write(record, &[]).unwrap());
    drop(output);
    assert_eq!(folder.files(), ["a.parquet"]);
}

/// A value of each type whose form is not JSON's own, as the library writes it: far ones too.
#[test]
fn an_encrypted_file_is_named_as_such() {
    let folder = Folder::new();
    // Written by pyarrow 26.
    folder.write("footer.parquet", include_bytes!("encrypted-footer.parquet"));
    folder.write("column.parquet", include_bytes!("encrypted-column.parquet"));
    folder.write("unnamed", include_bytes!("encrypted-footer.parquet"));
    let all = "its footer, which names the columns, and what is in them";
    for (name, what) in
        [("footer.parquet", all), ("column.parquet", "the column text"), ("unnamed", all)]
    {
        let sources = folder.sources(&[name]);
        let failed = Reader::new(&sources, ReadOptions::default()).next().unwrap().unwrap_err();
        let said =
            format!("{name}: the Parquet file is encrypted ({what}), and nearprint takes no keys");
        assert!(failed.to_string().contains(&said), "{failed}");
        assert_eq!(failed.reason(), "encrypted");
    }
    let sources = folder.sources(&["footer.parquet"]);
    let mut outputs = Outputs::new(&sources, OutputOptions::default());
    let refused = outputs.rows(&folder.path("out.parquet"), &sources).err().unwrap();
    assert_eq!(refused.reason(), "encrypted");
}

#[test]
fn a_page_that_does_not_have_its_checksum_is_damaged() {
    // Written by pyarrow 26.
    let whole = include_bytes!("checksums.parquet");
    let mut damaged = whole.to_vec();
    let at = damaged.windows(3).position(|bytes| bytes == b"two").unwrap();
    damaged[at] ^= 1;
    let folder = Folder::new();
    folder.write("whole.parquet", whole);
    folder.write("damaged.parquet", damaged);
    let mut texts = Vec::new();
    all(&folder.sources(&["whole.parquet"]), |record, _| {
        let document = record.document(&Fields::default(), InvalidUtf8::Fail).unwrap();
        texts.push(document.text.into_owned());
    });
    assert_eq!(texts, ["one", "two"]);
    let mut read = Reader::new(&folder.sources(&["damaged.parquet"]), ReadOptions::default());
    let error = read.find_map(Result::err).unwrap();
    assert!(error.to_string().contains("checksum"), "{error}");
}
