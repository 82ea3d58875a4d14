//! Parquet: every type has one form of text, and columns keep their values whatever their schema.

use crate::Folder;
use crate::parquet::{all, file_of};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use nearprint_corpus::{Fields, InvalidUtf8};
use parquet::data_type::{
    ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType, Int32Type, Int64Type,
    Int96, Int96Type,
};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

#[test]
fn every_type_has_one_text_form_and_nothing_is_lost() {
    const TYPES: &str = "message rows {
        required byte_array text;
        required int32 day (DATE);
        required int64 seen (TIMESTAMP(MICROS,true));
        required int64 fine (TIMESTAMP(NANOS,false));
        required int96 old;
        required fixed_len_byte_array(16) id (UUID);
        required fixed_len_byte_array(2) raw;
        required byte_array bytes;
        required int32 share (DECIMAL(5,5));
        required fixed_len_byte_array(12) span (INTERVAL);
        required group days (LIST) { repeated group list { required int32 element (DATE); } }
        repeated int32 plain;
    }";
    let file = file_of(TYPES, |column, at| {
        let bytes = |value: &[u8]| [ByteArray::from(value.to_vec())];
        let fixed = |value: &[u8]| [FixedLenByteArray::from(value.to_vec())];
        let one = (Some(&[1_i16][..]), Some(&[0_i16][..]));
        let written = match at {
            0 => column.typed::<ByteArrayType>().write_batch(
                &bytes("caf\u{e9}".as_bytes()),
                None,
                None,
            ),
            1 => column.typed::<Int32Type>().write_batch(&[i32::MAX], None, None),
            2 => column.typed::<Int64Type>().write_batch(&[i64::MAX], None, None),
            3 => column.typed::<Int64Type>().write_batch(&[1_700_000_000_123_456_789], None, None),
            4 => {
                let value = Int96::from(vec![7, 0, 2_440_589]);
                column.typed::<Int96Type>().write_batch(&[value], None, None)
            }
            5 => {
                column.typed::<FixedLenByteArrayType>().write_batch(&fixed(&[0xab; 16]), None, None)
            }
            6 => column.typed::<FixedLenByteArrayType>().write_batch(&fixed(b"ab"), None, None),
            7 => column.typed::<ByteArrayType>().write_batch(&bytes(b"\xff\x00"), None, None),
            8 => column.typed::<Int32Type>().write_batch(&[-12], None, None),
            9 => {
                let span = [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0];
                column.typed::<FixedLenByteArrayType>().write_batch(&fixed(&span), None, None)
            }
            10 => column.typed::<Int32Type>().write_batch(&[i32::MIN], one.0, one.1),
            _ => column.typed::<Int32Type>().write_batch(&[1, 2], Some(&[1, 1]), Some(&[0, 1])),
        };
        written.unwrap();
    });
    let folder = Folder::new();
    folder.write("a.parquet", file);
    let sources = folder.sources(&["a.parquet"]);
    let mut lines = Vec::new();
    all(&sources, |record, _| {
        let fields = Fields::default();
        let document = record.document(&fields, InvalidUtf8::Fail).unwrap();
        assert_eq!(document.text, "caf\u{e9}");
        assert_eq!(document.id.unwrap().as_json(), "\"abababab-abab-abab-abab-abababababab\"");
        // Bytes are a text where they are UTF-8 and named as such.
        let of = |text: &str| {
            let fields = Fields { text: text.to_owned(), ..Fields::default() };
            let document = record.document(&fields, InvalidUtf8::Fail);
            document.map(|it| (it.text.into_owned(), it.joined)).map_err(|error| error.to_string())
        };
        assert_eq!(of("raw"), Ok(("ab".to_owned(), true)));
        assert!(of("bytes").unwrap_err().ends_with("found bytes that are not UTF-8"));
        lines.push(String::from_utf8(record.raw().into_owned()).unwrap());
    });
    let expected = "{\"text\":\"caf\u{e9}\",\"day\":\"+5881580-07-11\",\
        \"seen\":\"+294247-01-10 04:00:54.775807 +00:00\",\
        \"fine\":\"2023-11-14 22:13:20.123456789 +00:00\",\
        \"old\":\"1970-01-02 00:00:00.000000007 +00:00\",\
        \"id\":\"abababab-abab-abab-abab-abababababab\",\"raw\":\"YWI=\",\"bytes\":\"/wA=\",\
        \"share\":\"-0.00012\",\"span\":\"1 months 2 days 3 ms\",\
        \"days\":[\"-5877641-06-23\"],\"plain\":[1,2]}\n";
    assert_eq!(lines, [expected]);
}

#[test]
fn two_columns_of_the_name_that_is_read_are_refused() {
    let schema = "message rows { required byte_array text (UTF8); required byte_array note (UTF8);
        required byte_array text (UTF8); }";
    let file = file_of(schema, |column, at| {
        let text = ["a", "b", "c"][at];
        column.typed::<ByteArrayType>().write_batch(&[text.into()], None, None).unwrap();
    });
    let folder = Folder::new();
    folder.write("a.parquet", file);
    for (text, refused) in [("text", true), ("note,text", true), ("note", false)] {
        let fields = Fields { text: text.to_owned(), ..Fields::default() };
        all(&folder.sources(&["a.parquet"]), |record, _| {
            let found = record.document(&fields, InvalidUtf8::Fail);
            let error = found.err().map(|error| error.to_string());
            let said = "a.parquet:1: two columns have the name \"text\"; rename one of them";
            assert_eq!(error.is_some(), refused, "{text}");
            assert!(error.is_none_or(|error| error.ends_with(said)), "{text}");
        });
    }
}

#[test]
fn columns_and_fields_of_one_name_keep_their_values() {
    let schema =
        "message rows { required byte_array text (UTF8); required int64 x; optional int64 x;
        required group s { required int32 y (DATE); required byte_array y (UTF8);
        required group y { required int32 z; required int32 z; } } }";
    let file = file_of(schema, |column, at| {
        let written = match at {
            0 | 4 => column.typed::<ByteArrayType>().write_batch(&["a".into()], None, None),
            1 => column.typed::<Int64Type>().write_batch(&[5], None, None),
            2 => column.typed::<Int64Type>().write_batch(&[7], Some(&[1]), None),
            _ => {
                let place = i32::try_from(at).unwrap();
                column.typed::<Int32Type>().write_batch(&[place], None, None)
            }
        };
        written.unwrap();
    });
    let folder = Folder::new();
    folder.write("a.parquet", file);
    let mut lines = Vec::new();
    all(&folder.sources(&["a.parquet"]), |record, _| {
        lines.push(String::from_utf8(record.raw().into_owned()).unwrap());
    });
    let group = "{\"y\":\"1970-01-04\",\"y\":\"a\",\"y\":{\"z\":5,\"z\":6}}";
    assert_eq!(lines, [format!("{{\"text\":\"a\",\"x\":5,\"x\":7,\"s\":{group}}}\n")]);
}

#[test]
fn maps_whose_keys_are_groups_or_lists_are_read() {
    let schema = "message rows { required byte_array text (UTF8);
        optional group m (MAP) { repeated group key_value (MAP_KEY_VALUE) {
            required group key { optional int32 a; } optional byte_array value (UTF8); } }
        required group n (MAP) { repeated group key_value {
            required group key (LIST) { repeated group list { required int32 element; } }
            required int32 value; } } }";
    // Rows: one of two entries and of one; one without a map, and with an empty one.
    let file = file_of(schema, |column, at| {
        let written = match at {
            0 => {
                let texts: [ByteArray; 2] = ["a".into(), "b".into()];
                column.typed::<ByteArrayType>().write_batch(&texts, None, None)
            }
            1 => {
                let keys = column.typed::<Int32Type>();
                keys.write_batch(&[1], Some(&[3, 2, 0]), Some(&[0, 1, 0]))
            }
            2 => {
                let values = column.typed::<ByteArrayType>();
                values.write_batch(&["x".into()], Some(&[3, 2, 0]), Some(&[0, 1, 0]))
            }
            3 => {
                let keys = column.typed::<Int32Type>();
                keys.write_batch(&[1, 2], Some(&[2, 2, 0]), Some(&[0, 2, 0]))
            }
            _ => {
                let values = column.typed::<Int32Type>();
                values.write_batch(&[7], Some(&[1, 0]), Some(&[0, 0]))
            }
        };
        written.unwrap();
    });
    let folder = Folder::new();
    folder.write("a.parquet", file);
    let mut lines = Vec::new();
    all(&folder.sources(&["a.parquet"]), |record, _| {
        lines.push(serde_json::from_slice::<serde_json::Value>(&record.raw()).unwrap());
    });
    let expected = serde_json::json!([
        {"text": "a", "m": {"{\"a\":1}": "x", "{\"a\":null}": null}, "n": {"[1,2]": 7}},
        {"text": "b", "m": null, "n": {}},
    ]);
    assert_eq!(serde_json::Value::from(lines), expected);
}

#[test]
fn durations_that_the_schema_of_arrow_tells_have_their_unit() {
    let units =
        [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond];
    let mut fields = vec![Field::new("text", DataType::Utf8, false)];
    let durations = units.into_iter().zip(["a", "b", "c", "d"]);
    fields.extend(durations.map(|(unit, name)| Field::new(name, DataType::Duration(unit), true)));
    let stored = StreamWriter::try_new(Vec::new(), &Schema::new(fields)).unwrap();
    let stored = BASE64_STANDARD.encode(stored.get_ref());
    let pair = KeyValue::new("ARROW:schema".to_owned(), stored);
    let properties = WriterProperties::builder().set_key_value_metadata(Some(vec![pair])).build();
    let schema = parse_message_type(
        "message rows { required byte_array text (UTF8); optional int64 a; optional int64 b;
        optional int64 c; optional int64 d; }",
    );
    let schema = Arc::new(schema.unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties.into()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut at = 0;
    while let Some(mut column) = group.next_column().unwrap() {
        match at {
            0 => column.typed::<ByteArrayType>().write_batch(&["one".into()], None, None),
            4 => column.typed::<Int64Type>().write_batch(&[], Some(&[0]), None),
            _ => column.typed::<Int64Type>().write_batch(&[-17 * at], Some(&[1]), None),
        }
        .unwrap();
        column.close().unwrap();
        at += 1;
    }
    group.close().unwrap();
    let folder = Folder::new();
    folder.write("a.parquet", writer.into_inner().unwrap());
    let mut lines = Vec::new();
    all(&folder.sources(&["a.parquet"]), |record, _| {
        lines.push(String::from_utf8(record.raw().into_owned()).unwrap());
        let fields = Fields { score: Some("b".to_owned()), ..Fields::default() };
        let score = record.document(&fields, InvalidUtf8::Fail).unwrap().score.unwrap();
        assert!(score.order() < nearprint_corpus::Score::from(0.0).order());
    });
    let expected = "{\"text\":\"one\",\"a\":\"-17s\",\"b\":\"-34ms\",\"c\":\"-51us\",\"d\":null}\n";
    assert_eq!(lines, [expected]);
}
