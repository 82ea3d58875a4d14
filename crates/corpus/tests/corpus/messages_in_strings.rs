//! Messages that a field has as a string of JSON, as tables do: one answer in every format.

use crate::Folder;
use crate::parquet::{all, file_of};
use arrow_array::{
    ArrayRef, BinaryArray, DictionaryArray, Int32Array, LargeStringArray, RecordBatch, StringArray,
    StringViewArray, StructArray,
};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{Field, Schema};
use nearprint_corpus::{Fields, InvalidUtf8};
use parquet::data_type::{ByteArray, ByteArrayType};
use std::sync::Arc;

const MESSAGES: &str = r#"[{"role":"user","content":"a\nb","id":"m1"},{"role":"assistant","content":[{"type":"text","text":"c"}]}]"#;

/// The text of a row and whether it was put together, or what is wrong with it.
type Read = Result<(String, bool), String>;

/// What each row of a file says.
fn read(folder: &Folder, name: &str, field: &str) -> Vec<Read> {
    let fields = Fields { text: field.to_owned(), ..Fields::default() };
    let mut found = Vec::new();
    all(&folder.sources(&[name]), |record, _| {
        let document = record.document(&fields, InvalidUtf8::Fail);
        let document = document.map(|it| (it.text.into_owned(), it.joined));
        found.push(document.map_err(|error| folder.message(&error)));
    });
    found
}

/// A row of JSON with this string.
fn row(field: &str, text: &str) -> String {
    format!("{{\"{field}\":{}}}\n", serde_json::to_string(text).unwrap())
}

#[test]
fn messages_in_a_string_are_read_in_every_format() {
    let folder = Folder::new();
    let said: Vec<Read> = vec![Ok(("a\nb\nc".to_owned(), true))];
    folder.write("a.jsonl", row("messages", MESSAGES));
    assert_eq!(read(&folder, "a.jsonl", "messages"), said);
    folder
        .write("in.jsonl", format!("{{\"row\":{}}}\n", row("chat_messages", MESSAGES).trim_end()));
    assert_eq!(read(&folder, "in.jsonl", "row.chat_messages"), said);
    folder.write("a.csv", format!("id,messages\n1,\"{}\"\n", MESSAGES.replace('"', "\"\"")));
    assert_eq!(read(&folder, "a.csv", "messages"), said);
    for kind in ["UTF8", "JSON"] {
        let schema = format!("message rows {{ required byte_array messages ({kind}); }}");
        let file = file_of(&schema, |column, _| {
            let texts = [ByteArray::from(MESSAGES.as_bytes().to_vec())];
            column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
        });
        folder.write("a.parquet", file);
        assert_eq!(read(&folder, "a.parquet", "messages"), said, "{kind}");
    }
    let schema = "message rows { required group row { required byte_array messages (UTF8); } }";
    let file = file_of(schema, |column, _| {
        let texts = [ByteArray::from(MESSAGES.as_bytes().to_vec())];
        column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
    });
    folder.write("in.parquet", file);
    assert_eq!(read(&folder, "in.parquet", "row.messages"), said);
}

#[test]
fn messages_in_a_string_are_read_in_every_type_of_arrow() {
    let folder = Folder::new();
    let said: Vec<Read> = vec![Ok(("a\nb\nc".to_owned(), true))];
    let strings: ArrayRef = Arc::new(StringArray::from_iter_values([MESSAGES]));
    let keys = Int32Array::from_iter_values([0]);
    let field = Arc::new(Field::new("messages", strings.data_type().clone(), true));
    let columns: [(&str, ArrayRef); 6] = [
        ("messages", Arc::clone(&strings)),
        ("messages", Arc::new(LargeStringArray::from_iter_values([MESSAGES]))),
        ("messages", Arc::new(StringViewArray::from_iter_values([MESSAGES]))),
        ("messages", Arc::new(BinaryArray::from_iter_values([MESSAGES]))),
        ("messages", Arc::new(DictionaryArray::new(keys, Arc::clone(&strings)))),
        ("row", Arc::new(StructArray::from(vec![(field, strings)]))),
    ];
    for (name, column) in columns {
        let kind = column.data_type().clone();
        let path = if name == "row" { "row.messages" } else { name };
        let schema = Arc::new(Schema::new(vec![Field::new(name, kind.clone(), true)]));
        let batch = RecordBatch::try_new(Arc::clone(&schema), vec![column]).unwrap();
        let mut file = FileWriter::try_new(Vec::new(), &schema).unwrap();
        file.write(&batch).unwrap();
        folder.write("a.arrow", file.into_inner().unwrap());
        assert_eq!(read(&folder, "a.arrow", path), said, "{kind}");
        let mut stream = StreamWriter::try_new(Vec::new(), &schema).unwrap();
        stream.write(&batch).unwrap();
        folder.write("a.arrows", stream.into_inner().unwrap());
        assert_eq!(read(&folder, "a.arrows", path), said, "{kind}");
    }
}

#[test]
fn they_are_a_part_of_several_fields() {
    let folder = Folder::new();
    let said: Vec<Read> = vec![Ok(("t\na\nb\nc".to_owned(), true))];
    let messages = serde_json::to_string(MESSAGES).unwrap();
    folder.write("a.jsonl", format!("{{\"title\":\"t\",\"messages\":{messages}}}\n"));
    assert_eq!(read(&folder, "a.jsonl", "title,messages"), said);
    folder.write("a.csv", format!("title,messages\nt,\"{}\"\n", MESSAGES.replace('"', "\"\"")));
    assert_eq!(read(&folder, "a.csv", "title,messages"), said);
}

#[test]
fn a_string_that_is_no_list_of_messages_is_a_text() {
    let folder = Folder::new();
    for (field, text, said) in [
        ("text", MESSAGES, None),
        ("messages", "[a note] and more", None),
        ("messages", "[1, 2]", None),
        ("messages", "[]", None),
        ("messages", r#"["a","b"]"#, None),
        ("messages", r#"{"a":"b"}"#, None),
        ("messages", r#"{"value":"b","level":1}"#, None),
        ("message", r#"{"role":"user","content":"a"}"#, None),
        ("messages", r#"[{"role":"user","content":"a"}, 7]"#, None),
        // One message, pairs, a list of strings, and others of which it is in doubt who says what.
        ("conversation", r#"{"role":"user","content":"a"}"#, None),
        ("dialogue", r#"[{"human":"a","assistant":"b"}]"#, None),
        ("messages", r#"["{\"role\":\"user\",\"content\":\"a\"}", "b"]"#, None),
        ("messages", r#"[{"role":"user","content":"a"},{"type":"reasoning","id":"b"}]"#, None),
        ("completion", r#"[{"type":"PERSON","text":"a"}]"#, None),
        ("completion", r#"{"source":"en","text":"a","translation":"b"}"#, None),
        ("completion", r#"[{"role":"admin","users":["a"]}]"#, None),
        ("completion", r#"[{"role":"admin","content":{"a":"b"}}]"#, None),
        ("completion", r#"[{"role":7,"content":"a"}]"#, None),
        ("chosen", r#"{"type":"function_call","call_id":"a","name":"b","arguments":"{}"}"#, None),
        ("rejected", r#"[{"type":"log","id":"a","data":{"content":"b"}}]"#, None),
        ("prompt", r#"[{"user":"a","content":"b"}]"#, None),
        ("email_messages", r#"[{"from":"a","subject":"b","text":"c"}]"#, None),
        ("new_contents", r#"[{"role":"user","content":"a"}]"#, None),
        ("history", r#"[{"role":"user","content":"a"}]"#, None),
        ("thread", r#"[{"role":"user","content":"a"}]"#, None),
        ("trajectory", r#"[{"role":"user","content":"a"}]"#, None),
        // No doubt is left.
        ("prompt", r#"[{"role":"user","content":"a"}]"#, Some("a")),
        ("chosen", r#"[{"from":"human","value":"a"},{"role":"b","tool_calls":[]}]"#, Some("a")),
        ("chat", r#"[{"role":"user","parts":[{"text":"a"}]}]"#, Some("a")),
        ("chat", r#"[{"type":"human","data":{"content":"a"}}]"#, Some("a")),
        ("chat", r#"[{"lc":1,"type":"constructor","kwargs":{"content":"a"}}]"#, Some("a")),
        // Python writes NaN.
        ("messages", r#"[{"role":"user","content":"a","score":NaN}]"#, Some("a")),
    ] {
        folder.write("a.jsonl", row(field, text));
        let expected = (said.unwrap_or(text).to_owned(), said.is_some());
        assert_eq!(read(&folder, "a.jsonl", field), [Ok(expected)], "{text}");
    }
    // What cannot be read is refused, and said to be a string.
    folder.write("a.jsonl", row("messages", r#"[{"role":"user","content":[7]}]"#));
    let found = read(&folder, "a.jsonl", "messages").remove(0).unwrap_err();
    assert!(found.contains("found a string of messages, of which one has no text"), "{found}");
    let unknown = r#"[{"role":"user","content":[{"type":"callout","words":"a"}]}]"#;
    for text in [serde_json::to_string(unknown).unwrap(), unknown.to_owned()] {
        folder.write("a.jsonl", format!("{{\"messages\":{text}}}\n"));
        let told = "a.jsonl:1: the field \"messages\" has a part of the unknown kind \"callout\"";
        let found = read(&folder, "a.jsonl", "messages").remove(0).unwrap_err();
        assert!(found.starts_with(told), "{found}");
    }
}

#[test]
fn half_a_surrogate_pair_in_messages_in_a_string_fails() {
    let folder = Folder::new();
    folder.write("a.jsonl", row("messages", r#"[{"role":"user","content":"a\ud800"}]"#));
    let found = read(&folder, "a.jsonl", "messages").remove(0).unwrap_err();
    let told = "a.jsonl:1: the field \"messages\" escapes half of a surrogate pair";
    assert!(found.starts_with(told), "{found}");
}
