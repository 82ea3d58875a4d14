//! Versions of Arrow's format, and of Feather.

use crate::Folder;
use crate::parquet::all;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_ipc::{Footer, MetadataVersion, root_as_footer};
use arrow_schema::{DataType, Field, Schema};
use nearprint_corpus::{Error, InvalidUtf8, OutputOptions, Outputs, ReadOptions, Reader};
use std::sync::Arc;

/// A file whose messages have a version, and whose footer has another one.
fn file(batch: &RecordBatch, of_messages: MetadataVersion, of_footer: MetadataVersion) -> Vec<u8> {
    let options = IpcWriteOptions::try_new(8, false, of_messages).unwrap();
    let mut writer =
        FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options).unwrap();
    writer.write(batch).unwrap();
    let mut file = writer.into_inner().unwrap();
    let end = file.len() - 10;
    let length = u32::from_le_bytes(file[end..end + 4].try_into().unwrap());
    let start = end - usize::try_from(length).unwrap();
    let table = root_as_footer(&file[start..end]).unwrap()._tab;
    let at = start + table.loc() + usize::from(table.vtable().get(Footer::VT_VERSION));
    assert_eq!(i16::from(file[at]), of_messages.0);
    file[at] = u8::try_from(of_footer.0).unwrap();
    file
}

fn batch() -> RecordBatch {
    let texts = Arc::new(StringArray::from_iter_values(["one", "two"]));
    let keys = Int32Array::from_iter_values([1, 0, 1]);
    let column: ArrayRef = Arc::new(DictionaryArray::new(keys, texts));
    let field = Field::new("text", column.data_type().clone(), false);
    let number: ArrayRef = Arc::new(Int32Array::from_iter_values([7, 8, 9]));
    let schema = Schema::new(vec![field, Field::new("n", DataType::Int32, false)]);
    RecordBatch::try_new(Arc::new(schema), vec![column, number]).unwrap()
}

#[test]
fn messages_of_another_version_than_the_footer_are_read_and_written() {
    let folder = Folder::new();
    let (four, five) = (MetadataVersion::V4, MetadataVersion::V5);
    for (of_messages, of_footer) in [(four, five), (five, four), (four, four), (five, five)] {
        folder.write("a.arrow", file(&batch(), of_messages, of_footer));
        let sources = folder.sources(&["a.arrow"]);
        let mut outputs = Outputs::new(&sources, OutputOptions { force: true });
        let mut output = outputs.rows(&folder.path("b.arrow"), &sources).unwrap();
        all(&sources, |record, _| output.write(record, &[]).unwrap());
        nearprint_corpus::publish([output.finish().unwrap()]).unwrap();
        for name in ["a.arrow", "b.arrow"] {
            let mut rows = Vec::new();
            all(&folder.sources(&[name]), |record, _| {
                rows.push(serde_json::Value::from(record.fields(InvalidUtf8::Fail).unwrap()));
            });
            let row = |text: &str, n: u8| serde_json::json!({ "text": text, "n": n });
            assert_eq!(rows, [row("two", 7), row("one", 8), row("two", 9)], "{name}");
        }
    }
}

#[test]
fn feather_of_version_1_is_named_wherever_rows_go() {
    let folder = Folder::new();
    folder.write("a.feather", [&b"FEA1\0\0\0\0"[..], &[7; 90], b"FEA1"].concat());
    let mut stream = StreamWriter::try_new(Vec::new(), &batch().schema()).unwrap();
    stream.write(&batch()).unwrap();
    folder.write("b.feather", stream.into_inner().unwrap());
    let told = "a.feather: Arrow of this kind cannot be read (it is Feather version 1, and version 2 is read); \
                write the file in another way";
    let sources = folder.sources(&["a.feather"]);
    let read = Reader::new(&sources, ReadOptions::default()).next().unwrap().map(drop);
    let columns = Outputs::column_names(&sources[0]).map(drop);
    let both = folder.sources(&["b.feather", "a.feather"]);
    for (at, failed) in [read, columns].into_iter().enumerate() {
        let error: Error = failed.unwrap_err();
        assert_eq!(folder.message(&error), told, "{at}");
    }
    for sources in [&sources, &both] {
        let mut outputs = Outputs::new(sources, OutputOptions::default());
        let error = outputs.rows(&folder.path("c.arrow"), sources).map(drop).unwrap_err();
        assert_eq!(folder.message(&error), told);
    }
}
