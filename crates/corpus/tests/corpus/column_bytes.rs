//! Bytes that no mark makes a text, in Parquet and in Arrow: as a document's text, and as they are written.

use crate::Folder;
use crate::parquet::{all, file_of};
use arrow_array::{ArrayRef, BinaryArray, LargeBinaryArray, RecordBatch};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{Field, Schema};
use nearprint_corpus::{Fields, InvalidUtf8};
use parquet::data_type::{ByteArray, ByteArrayType};
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
