//! Columns of fingerprints as bytes: hexadecimal digits without the mark of a string, or bits.

use crate::Folder;
use crate::parquet::all;
use arrow_array::{
    ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, FixedSizeBinaryArray, Int32Array,
    LargeBinaryArray, RecordBatch, RunArray,
};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{Field, Schema};
use nearprint_corpus::InvalidUtf8;
use parquet::data_type::{ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

const DIGITS: [&[u8]; 3] = [b"ffff000011119999", b"FFFF000011119998", b"00000000000000aa"];
const BITS: [&[u8]; 3] = [&[0xa5; 16], b"0123456789abcdef", &[0; 16]];

fn found(folder: &Folder, name: &str) -> Vec<serde_json::Value> {
    let mut found = Vec::new();
    all(&folder.sources(&[name]), |record, _| {
        let mut fields = record.fields(InvalidUtf8::Fail).unwrap();
        found.push(fields.remove("fingerprint").unwrap_or_default());
    });
    found
}

/// What is read of these values, before which and between which a row has none.
fn expected(values: [&[u8]; 3], are_digits: bool) -> Vec<serde_json::Value> {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let text = |bytes: &[u8]| match are_digits {
        true => String::from_utf8(bytes.to_vec()).unwrap(),
        false => hex(bytes),
    };
    values.iter().flat_map(|value| [serde_json::Value::Null, text(value).into()]).collect()
}

#[test]
fn bytes_of_parquet_are_digits_or_bits_in_all_of_a_file() {
    let folder = Folder::new();
    for kind in ["byte_array", "fixed_len_byte_array(16)"] {
        for (values, are_digits) in [(DIGITS, true), (BITS, false)] {
            let schema = format!("message rows {{ optional {kind} fingerprint; }}");
            let schema = Arc::new(parse_message_type(&schema).unwrap());
            let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
            // Each value, and each row without one, in its own row group.
            for value in values.iter().flat_map(|value| [None, Some(value)]) {
                let level = [i16::from(value.is_some())];
                let mut group = writer.next_row_group().unwrap();
                let mut column = group.next_column().unwrap().unwrap();
                if kind == "byte_array" {
                    let values: Vec<_> =
                        value.map(|it| ByteArray::from(it.to_vec())).into_iter().collect();
                    let column = column.typed::<ByteArrayType>();
                    column.write_batch(&values, Some(&level), None).unwrap();
                } else {
                    let values: Vec<_> =
                        value.map(|it| FixedLenByteArray::from(it.to_vec())).into_iter().collect();
                    let column = column.typed::<FixedLenByteArrayType>();
                    column.write_batch(&values, Some(&level), None).unwrap();
                }
                column.close().unwrap();
                group.close().unwrap();
            }
            folder.write("a.parquet", writer.into_inner().unwrap());
            assert_eq!(found(&folder, "a.parquet"), expected(values, are_digits), "{kind}");
        }
    }
}

#[test]
fn bytes_of_arrow_are_digits_or_bits_in_all_of_a_file() {
    let folder = Folder::new();
    for (values, are_digits) in [(DIGITS, true), (BITS, false)] {
        let rows: Vec<Option<&[u8]>> =
            values.iter().flat_map(|value| [None, Some(*value)]).collect();
        let fixed = || {
            FixedSizeBinaryArray::try_from_sparse_iter_with_size(rows.iter().copied(), 16).unwrap()
        };
        let keys =
            Int32Array::from_iter((0..).take(rows.len()).map(|row| (row % 2 > 0).then_some(row)));
        let ends = Int32Array::from_iter_values((1..).take(rows.len()));
        let columns: [ArrayRef; 6] = [
            Arc::new(BinaryArray::from_iter(rows.iter().copied())),
            Arc::new(LargeBinaryArray::from_iter(rows.iter().copied())),
            Arc::new(BinaryViewArray::from_iter(rows.iter().copied())),
            Arc::new(fixed()),
            Arc::new(DictionaryArray::new(keys, Arc::new(fixed()))),
            Arc::new(
                RunArray::try_new(&ends, &BinaryArray::from_iter(rows.iter().copied())).unwrap(),
            ),
        ];
        for column in columns {
            let field = Field::new("fingerprint", column.data_type().clone(), true);
            let schema = Arc::new(Schema::new(vec![field]));
            let mut file = FileWriter::try_new(Vec::new(), &schema).unwrap();
            let mut stream = StreamWriter::try_new(Vec::new(), &schema).unwrap();
            let batch = RecordBatch::try_new(schema, vec![Arc::clone(&column)]).unwrap();
            for row in 0..rows.len() {
                file.write(&batch.slice(row, 1)).unwrap();
                stream.write(&batch.slice(row, 1)).unwrap();
            }
            folder.write("a.arrow", file.into_inner().unwrap());
            folder.write("b.arrows", stream.into_inner().unwrap());
            for name in ["a.arrow", "b.arrows"] {
                let told = format!("{name} {}", column.data_type());
                assert_eq!(found(&folder, name), expected(values, are_digits), "{told}");
            }
        }
    }
}
