//! Bytes that no mark makes a text, in Parquet and in Arrow: as a document's text, and as they are written.

use crate::Folder;
use crate::parquet::{all, file_of};
use arrow_array::{ArrayRef, BinaryArray, FixedSizeBinaryArray, LargeBinaryArray, RecordBatch};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{Field, Schema};
use nearprint_corpus::{Fields, InvalidUtf8};
use parquet::data_type::{ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType};
use std::sync::Arc;

/// A file of one column, `text`.
fn arrow(column: ArrayRef) -> Vec<u8> {
    let schema = Arc::new(Schema::new(vec![Field::new("text", column.data_type().clone(), true)]));
    let mut writer = FileWriter::try_new(Vec::new(), &schema).unwrap();
    writer.write(&RecordBatch::try_new(schema, vec![column]).unwrap()).unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn bytes_that_are_not_utf_8_are_alike_in_parquet_and_arrow() {
    let folder = Folder::new();
    let values = [&b"whole"[..], b"cut \xff"];
    folder.write("a.arrow", arrow(Arc::new(BinaryArray::from_iter_values(values))));
    folder.write("b.arrow", arrow(Arc::new(LargeBinaryArray::from_iter_values(values))));
    for (at, value) in values.into_iter().enumerate() {
        let file = file_of("message rows { required byte_array text; }", |column, _| {
            let value = [ByteArray::from(value.to_vec())];
            column.typed::<ByteArrayType>().write_batch(&value, None, None).unwrap();
        });
        folder.write(&format!("{at}.parquet"), file);
    }
    for names in [&["a.arrow"][..], &["b.arrow"], &["0.parquet", "1.parquet"]] {
        let (mut texts, mut refused) = (Vec::new(), Vec::new());
        all(&folder.sources(names), |record, _| {
            let fields = Fields::default();
            let read = record.document(&fields, InvalidUtf8::Replace).unwrap();
            texts.push((read.text.into_owned(), read.replaced_utf8));
            refused.push(record.document(&fields, InvalidUtf8::Fail).err().map(|it| it.reason()));
        });
        let expected = [("whole".to_owned(), false), ("cut \u{fffd}".to_owned(), true)];
        assert_eq!(texts, expected, "{names:?}");
        assert_eq!(refused, [None, Some("text-not-a-string")], "{names:?}");
    }
}

#[test]
fn bytes_of_one_length_are_written_as_the_text_that_they_are_read_as() {
    let folder = Folder::new();
    let values = [*b"words", *b"wor\xffs"];
    let column = FixedSizeBinaryArray::try_from_iter(values.iter()).unwrap();
    folder.write("a.arrow", arrow(Arc::new(column)));
    let schema = "message rows { required fixed_len_byte_array(5) text;
        required fixed_len_byte_array(5) code; }";
    let file = file_of(schema, |column, _| {
        let value = [FixedLenByteArray::from(b"words".to_vec())];
        column.typed::<FixedLenByteArrayType>().write_batch(&value, None, None).unwrap();
    });
    folder.write("b.parquet", file);
    let mut lines = Vec::new();
    all(&folder.sources(&["a.arrow", "b.parquet"]), |record, _| {
        for text in ["text", "text, code", "code"] {
            let fields = Fields { text: text.to_owned(), ..Fields::default() };
            lines.push(String::from_utf8(record.raw_with(&fields).into_owned()).unwrap());
        }
    });
    let expected = [
        "{\"text\":\"words\"}\n",
        "{\"text\":\"words\"}\n",
        "{\"text\":\"d29yZHM=\"}\n",
        "{\"text\":\"wor\u{fffd}s\"}\n",
        "{\"text\":\"wor\u{fffd}s\"}\n",
        "{\"text\":\"d29y/3M=\"}\n",
        "{\"text\":\"words\",\"code\":\"d29yZHM=\"}\n",
        "{\"text\":\"words\",\"code\":\"words\"}\n",
        "{\"text\":\"d29yZHM=\",\"code\":\"words\"}\n",
    ];
    assert_eq!(lines, expected);
}
