//! Strings of columns that are marked as JSON: they are what they say, as in JSONL.

use crate::Folder;
use crate::parquet::{all, file_of};
use arrow_array::{Array, ArrayRef, FixedSizeListArray, RecordBatch, StringArray, StructArray};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, Field, Schema};
use nearprint_corpus::{Fields, InvalidUtf8};
use parquet::data_type::{ByteArray, ByteArrayType};
use std::collections::HashMap;
use std::sync::Arc;

/// Values of a column of texts.
const TEXTS: [&str; 5] = [
    "\"a\\nb \\u00e9\"",
    "[{\"role\":\"user\",\"content\":\"c d\"}]",
    "{\"x\":\n1.50}",
    "7",
    "{broken",
];

/// What a conversation of two messages says, as `datasets` writes contents of several types.
const CONTENTS: [&str; 2] = [
    "\"be brief\"",
    "[{\"type\":\"text\",\"text\":\"look here\"},{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,iVBO\"}}]",
];

fn parquet() -> [Vec<u8>; 2] {
    let bytes = |text: &str| ByteArray::from(text.as_bytes().to_vec());
    let texts = file_of("message rows { required byte_array text (JSON); }", |column, _| {
        let texts = TEXTS.map(bytes);
        column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
    });
    let schema = "message rows { required group messages (LIST) { repeated group list {
        required group element { required byte_array role (UTF8); required byte_array content (JSON); } } } }";
    let messages = file_of(schema, |column, at| {
        let values = if at == 0 { ["system", "user"].map(bytes) } else { CONTENTS.map(bytes) };
        let column = column.typed::<ByteArrayType>();
        column.write_batch(&values, Some(&[1, 1]), Some(&[0, 1])).unwrap();
    });
    [texts, messages]
}

fn arrow() -> [Vec<u8>; 2] {
    let marked = |name: &str| {
        let mark = ("ARROW:extension:name".to_owned(), "arrow.json".to_owned());
        Field::new(name, DataType::Utf8, false).with_metadata(HashMap::from([mark]))
    };
    let file = |field: Field, column: ArrayRef| {
        let schema = Arc::new(Schema::new(vec![field]));
        let mut writer = FileWriter::try_new(Vec::new(), &schema).unwrap();
        writer.write(&RecordBatch::try_new(schema, vec![column]).unwrap()).unwrap();
        writer.into_inner().unwrap()
    };
    let texts = file(marked("text"), Arc::new(StringArray::from(TEXTS.to_vec())));
    let roles: ArrayRef = Arc::new(StringArray::from(vec!["system", "user"]));
    let contents: ArrayRef = Arc::new(StringArray::from(CONTENTS.to_vec()));
    let messages = StructArray::from(vec![
        (Arc::new(Field::new("role", DataType::Utf8, false)), roles),
        (Arc::new(marked("content")), contents),
    ]);
    let item = Arc::new(Field::new("item", messages.data_type().clone(), false));
    let list = FixedSizeListArray::new(item, 2, Arc::new(messages), None);
    let field = Field::new("messages", list.data_type().clone(), false);
    [texts, file(field, Arc::new(list))]
}

/// The text of each row of a file, or why it has none, and its line.
fn read(name: &str, file: Vec<u8>, text: &str) -> Vec<(Result<String, String>, String)> {
    let folder = Folder::new();
    folder.write(name, file);
    let fields = Fields { text: text.to_owned(), ..Fields::default() };
    let mut rows = Vec::new();
    all(&folder.sources(&[name]), |record, _| {
        let document = record.document(&fields, InvalidUtf8::Fail);
        let text = document.map(|it| it.text.into_owned()).map_err(|error| error.to_string());
        rows.push((text, String::from_utf8(record.raw().into_owned()).unwrap()));
    });
    rows
}

#[test]
fn a_text_that_is_marked_as_json_is_what_it_says() {
    for (name, [file, _]) in [("a.parquet", parquet()), ("a.arrow", arrow())] {
        let rows = read(name, file, "text");
        let lines: Vec<_> = rows.iter().map(|(_, line)| line.as_str()).collect();
        let expected = [
            "{\"text\":\"a\\nb \u{e9}\"}\n",
            "{\"text\":[{\"role\":\"user\",\"content\":\"c d\"}]}\n",
            "{\"text\":{\"x\": 1.50}}\n",
            "{\"text\":7}\n",
            "{\"text\":\"{broken\"}\n",
        ];
        assert_eq!(lines, expected, "{name}");
        let text = |at: usize| rows[at].0.as_deref();
        assert_eq!([text(0), text(1), text(4)], [Ok("a\nb \u{e9}"), Ok("c d"), Ok("{broken")]);
        for (at, found) in [(2, "an object"), (3, "a number")] {
            let told = text(at).unwrap_err();
            assert!(told.contains("must be a string") && told.contains(found), "{name}: {told}");
        }
    }
}

#[test]
fn contents_that_are_marked_as_json_are_the_parts_that_they_say() {
    for (name, [_, file]) in [("a.parquet", parquet()), ("a.arrow", arrow())] {
        let rows = read(name, file, "messages");
        let texts: Vec<_> = rows.iter().map(|(text, _)| text.as_deref()).collect();
        assert_eq!(texts, [Ok("be brief\nlook here")], "{name}");
        let row: serde_json::Value = serde_json::from_str(&rows[0].1).unwrap();
        assert_eq!(row["messages"][1]["content"][0]["text"], "look here");
    }
}
