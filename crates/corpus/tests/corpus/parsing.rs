//! Records into documents, and what is said of those that are none.

use crate::Folder;
use nearprint_corpus::{Batch, Error, Fields, InvalidUtf8, NullText, ReadOptions, Reader};
use serde_json::Value;
use std::borrow::Cow;

/// The batch of one file.
fn batch(name: &str, bytes: &[u8]) -> (Folder, Batch) {
    let folder = Folder::new();
    folder.write(name, bytes);
    let options = ReadOptions { max_record_bytes: 1 << 20, ..ReadOptions::default() };
    let batch = Reader::new(&folder.sources(&[name]), options).next().unwrap().unwrap();
    (folder, batch)
}

/// Id, text and replacement of one row.
fn row(bytes: &[u8], policy: InvalidUtf8) -> Result<(Option<String>, String, bool), Error> {
    let (_folder, batch) = batch("a.jsonl", bytes);
    let document = batch.record(0).unwrap().document(&Fields::default(), policy)?;
    let id = document.id.map(|id| id.to_string());
    Ok((id, document.text.into_owned(), document.replaced_utf8))
}

fn text(bytes: &str) -> String {
    row(bytes.as_bytes(), InvalidUtf8::Fail).unwrap().1
}

fn id(bytes: &str) -> Option<String> {
    row(bytes.as_bytes(), InvalidUtf8::Fail).unwrap().0
}

/// What is said of a row that stands in line 2.
fn complaint(row: &[u8]) -> (String, &'static str) {
    let (folder, batch) = batch("a.jsonl", &[b"\n", row].concat());
    let record = batch.record(0).unwrap();
    let error = record.document(&Fields::default(), InvalidUtf8::Fail).unwrap_err();
    (folder.message(&error), error.reason())
}

#[test]
fn the_text_is_taken_and_the_rest_passed_over() {
    assert_eq!(text(r#"{"text":"one"}"#), "one");
    assert_eq!(
        text(r#" {"x":{"text":[1,{}]},"text" : "t\u00e4\n\ud83d\ude00","y":null} "#),
        "tä\n😀"
    );
    assert_eq!(text(r#"{"te\u0078t":"escaped key"}"#), "escaped key");
    assert_eq!(text(r#"{"text":5,"text":"last"}"#), "last");
    assert_eq!(text(r#"{"text":""}"#), "");
}

#[test]
fn text_without_escapes_is_borrowed() {
    let (_folder, batch) = batch("a.jsonl", b"{\"text\":\"one\"}\n{\"text\":\"t\\n\"}\n");
    let document = |index| {
        batch.record(index).unwrap().document(&Fields::default(), InvalidUtf8::Fail).unwrap()
    };
    assert!(matches!(document(0).text, Cow::Borrowed("one")));
    assert!(matches!(document(1).text, Cow::Owned(_)));
}

#[test]
fn an_id_stays_as_it_was_written() {
    assert_eq!(id(r#"{"id":"a\u0041","text":""}"#).unwrap(), r#""a\u0041""#);
    assert_eq!(id(r#"{"id": 17 ,"text":""}"#).unwrap(), "17");
    let long = "12345678901234567890123456789.50e+3";
    assert_eq!(id(&format!(r#"{{"id":{long},"text":""}}"#)).unwrap(), long);
    assert_eq!(id(r#"{"id":1,"text":"","id":2}"#).unwrap(), "2");
    assert_eq!(id(r#"{"id":null,"text":""}"#), None);
    assert_eq!(id(r#"{"text":""}"#), None);
}

#[test]
fn fields_are_the_callers_choice_and_may_be_one() {
    let (_folder, batch) = batch("a.jsonl", br#"{"id":1,"text":"t","url":"u","body":"b"}"#);
    let read = |id: &str, text: &str| {
        let fields = Fields { id: id.to_owned(), text: text.to_owned(), ..Fields::default() };
        let record = batch.record(0).unwrap();
        let document = record.document(&fields, InvalidUtf8::Fail).unwrap();
        (document.id.unwrap().as_json().to_owned(), document.text.into_owned())
    };
    assert_eq!(read("url", "body"), ("\"u\"".to_owned(), "b".to_owned()));
    assert_eq!(read("url", "url"), ("\"u\"".to_owned(), "u".to_owned()));
}

#[test]
fn a_record_without_id_is_known_by_its_place() {
    let (folder, rows) = batch("a.jsonl", b"\n{\"text\":\"\"}\n");
    let id = rows.record(0).unwrap().default_id();
    assert_eq!(id.as_json(), format!("\"{}:2\"", folder.name("a.jsonl")));
    let (folder, file) = batch("a \"b\".txt", b"text");
    let id = file.record(0).unwrap().default_id();
    assert_eq!(id.as_json(), format!("\"{}\"", folder.name("a \\\"b\\\".txt")));
}

#[test]
fn a_text_file_is_its_text() {
    let (_folder, batch) = batch("a.txt", b"\xef\xbb\xbfone\r\n\r\ntwo\n");
    let document = batch.record(0).unwrap().document(&Fields::default(), InvalidUtf8::Fail);
    let document = document.unwrap();
    assert_eq!((document.id, &*document.text), (None, "one\r\n\r\ntwo\n"));
}

#[test]
fn broken_json_names_line_and_column() {
    assert_eq!(
        complaint(b"{\"text\": tru}"),
        (
            "a.jsonl:2, column 13: broken JSON: expected ident; fix or remove the line".to_owned(),
            "invalid-json"
        )
    );
    assert_eq!(
        complaint(br#"{"text":"a"} {"text":"b"}"#).0,
        "a.jsonl:2, column 14: broken JSON: trailing characters; fix or remove the line"
    );
    assert_eq!(
        complaint(br#"{"id":1, "text":"ab\ud83dc\q"}"#).0,
        "a.jsonl:2, column 28: broken JSON: invalid escape; fix or remove the line"
    );
    assert_eq!(
        complaint(b"{\"text\":\"a\tb\"}").0,
        "a.jsonl:2, column 10: broken JSON: control character (\\u0000-\\u001F) found while \
         parsing a string; fix or remove the line"
    );
}

#[test]
fn json_over_several_lines_gets_a_hint() {
    let hint = "; lines end with a carriage return alone: convert the file with tr '\\r' '\\n'";
    assert_eq!(
        complaint(b"{\"text\":\"a\"}\r{\"text\":\"b\"}\r").0,
        format!("a.jsonl:2, column 14: broken JSON: trailing characters{hint}")
    );
    let hint = "; one object a line is expected: convert the file with jq -c .";
    assert_eq!(
        complaint(b"{\n  \"text\": \"a\"\n}\n").0,
        format!("a.jsonl:2, column 1: broken JSON: EOF while parsing an object{hint}")
    );
    let hint = "; one object a line is expected: convert the file with jq -c '.[]'";
    assert_eq!(
        complaint(b"[\n{\"text\": \"a\"}\n]\n").0,
        format!("a.jsonl:2: expected a JSON object on every line, found an array{hint}")
    );
}

#[test]
fn the_cause_of_broken_json_is_told() {
    let message = complaint(b"{\"id\": 1, \"text\": \"a").0;
    assert!(
        message.ends_with("; the file ends inside the row: is it still being written, or cut off?"),
        "{message}"
    );
    let message = complaint(b"\x1e{\"text\":\"a\"}\n").0;
    assert!(message.ends_with("(0x1e) stands in front of the row: remove it with tr -d '\\036'"));
    let message = complaint("\u{feff}{\"text\":\"a\"}\n".as_bytes()).0;
    assert!(
        message.ends_with("; a byte order mark stands in front of the row: remove it"),
        "{message}"
    );
}

#[test]
fn numbers_that_json_does_not_have_are_null() {
    for number in ["NaN", "-Infinity", "Infinity"] {
        let line = format!("{{\"id\":{number}, \"x\":[{number}],\"text\":\"NaN\"}}");
        assert_eq!(
            row(line.as_bytes(), InvalidUtf8::Fail).unwrap(),
            (None, "NaN".to_owned(), false)
        );
        let turn = format!("{{\"role\":\"user\",\"content\":\"a b\",\"score\":{number}}}");
        assert_eq!(text(&format!("{{\"text\":[{turn}]}}")), "a b");
        assert_eq!(text(&format!("{{\"text\":{number}}}")), "");
        // Its bytes stay, and so do those beside another text.
        let (_folder, batch) = batch("a.jsonl", line.as_bytes());
        let record = batch.record(0).unwrap();
        assert_eq!(record.raw(), line.as_bytes());
        let new = record.with_text(&Fields::default(), "b").unwrap();
        assert_eq!(String::from_utf8(new).unwrap(), line.replace("\"NaN\"", "\"b\""));
        let fields = record.fields(InvalidUtf8::Fail).unwrap();
        assert_eq!((&fields["id"], &fields["x"][0]), (&Value::Null, &Value::Null));
        let several = Fields { text: "text,y".to_owned(), ..Fields::default() };
        assert_eq!(record.document(&several, InvalidUtf8::Fail).unwrap().text, "NaN");
        let scored = Fields { score: Some("id".to_owned()), ..Fields::default() };
        let score = record.document(&scored, InvalidUtf8::Fail).unwrap().score;
        assert_eq!(score.is_some(), number != "NaN");
    }
    let (message, reason) = complaint(b"{\"a\":NaN,\"text\":x}");
    assert_eq!((message.contains("column 17: "), reason), (true, "invalid-json"), "{message}");
}

#[test]
fn a_row_that_is_no_object_says_what_it_is() {
    for (json, found) in
        [("\"text\"", "a string"), ("12", "a number"), ("true", "a boolean"), ("null", "null")]
    {
        let (message, reason) = complaint(json.as_bytes());
        let expected = format!("a.jsonl:2: expected a JSON object on every line, found {found}");
        assert_eq!((message, reason), (expected, "not-an-object"));
    }
}

#[test]
fn a_missing_text_lists_what_is_there() {
    assert_eq!(
        complaint(br#"{"url":1,"body":{"text":"x"}}"#),
        (
            "a.jsonl:2: the row has no field \"text\"; it has \"body\", \"url\"".to_owned(),
            "text-missing"
        )
    );
    assert!(complaint(b"{}").0.ends_with("it has no field"));
    let many: Vec<String> = (10..40).map(|field| format!("\"f{field}\":0")).collect();
    let message = complaint(format!("{{{}}}", many.join(",")).as_bytes()).0;
    assert!(message.ends_with("\"f29\", ...") && !message.contains("f30"), "{message}");
}

#[test]
fn a_field_that_is_looked_for_in_a_list_is_told_with_the_list() {
    let row = br#"{"id":1,"chat":{"messages":[{"role":"user","content":"x"}]},"title":null}"#;
    let (folder, batch) = batch("a.jsonl", row);
    let complaint = |field: &str| {
        let fields = Fields { text: field.to_owned(), ..Fields::default() };
        let error = batch.record(0).unwrap().document(&fields, InvalidUtf8::Fail).unwrap_err();
        folder.message(&error)
    };
    let said = |field: &str| {
        let there = "\"chat\", \"id\", \"title\"";
        format!("a.jsonl:1: the row has no field {field:?}; it has {there}")
    };
    let list = "; \"chat.messages\" is a list, which is named as a whole";
    for field in ["chat.messages.content", "headline, chat.messages.content"] {
        assert_eq!(complaint(field), said(field) + list);
    }
    assert_eq!(complaint("chat.text"), said("chat.text"));
}

#[test]
fn a_text_or_id_of_the_wrong_type_says_its_type() {
    let list = "an array that is no list of texts, nor of messages with a text or parts in content, \
                value, text, utterance, parts or blocks";
    for (json, found) in
        [("5", "a number"), ("[5]", list), ("{}", "an object"), ("false", "a boolean")]
    {
        let (message, reason) = complaint(format!("{{\"text\":{json}}}").as_bytes());
        let expected = format!("a.jsonl:2: the field \"text\" must be a string, found {found}");
        assert_eq!((message, reason), (expected, "text-not-a-string"));
    }
    for (json, found) in [("[1]", "an array"), ("{}", "an object"), ("true", "a boolean")] {
        let (message, reason) = complaint(format!("{{\"id\":{json},\"text\":\"\"}}").as_bytes());
        let expected =
            format!("a.jsonl:2: the field \"id\" must be a string or a number, found {found}");
        assert_eq!((message, reason), (expected, "id-not-a-string-or-number"));
    }
}

#[test]
fn a_text_of_null_is_no_text_or_an_error() {
    let (_folder, batch) = batch("a.jsonl", b"{\"id\":1,\"text\":null}");
    let document = |null_text| {
        let fields = Fields { null_text, ..Fields::default() };
        batch.record(0).unwrap().document(&fields, InvalidUtf8::Fail)
    };
    let kept = document(NullText::Keep).unwrap();
    assert_eq!((&*kept.text, kept.id.unwrap().as_json()), ("", "1"));
    for rule in [NullText::Skip, NullText::Fail] {
        assert_eq!(document(rule).unwrap_err().reason(), "text-null");
    }
}

#[test]
fn invalid_utf8_fails_or_is_replaced() {
    let bytes = b"{\"text\":\"a\xffb\",\"id\":1}";
    let (message, reason) = complaint(bytes);
    let expected =
        "a.jsonl:2: invalid UTF-8 at byte 10 of the record (from 0); convert the file to UTF-8";
    assert_eq!((&*message, reason), (expected, "invalid-utf8"));
    let replaced = row(bytes, InvalidUtf8::Replace).unwrap();
    assert_eq!(replaced, (Some("1".to_owned()), "a\u{fffd}b".to_owned(), true));
    let valid = row(b"{\"text\":\"a\\n\"}", InvalidUtf8::Replace).unwrap();
    assert_eq!(valid, (None, "a\n".to_owned(), false));

    let (folder, batch) = batch("a.txt", b"ab\xe4\n");
    let parse = |policy| batch.record(0).unwrap().document(&Fields::default(), policy);
    let error = parse(InvalidUtf8::Fail).unwrap_err();
    assert!(folder.message(&error).starts_with("a.txt: invalid UTF-8 at byte 2 of"), "{error}");
    let document = parse(InvalidUtf8::Replace).unwrap();
    assert_eq!((&*document.text, document.replaced_utf8), ("ab\u{fffd}\n", true));
}

#[test]
fn half_a_surrogate_pair_fails_or_is_replaced() {
    let bytes = br#"{"text":"a\ud800b"}"#;
    let (message, reason) = complaint(bytes);
    assert!(message.starts_with("a.jsonl:2: the field \"text\" escapes half of a surrogate pair"));
    assert_eq!(reason, "lone-surrogate");
    let (_, text, replaced) = row(bytes, InvalidUtf8::Replace).unwrap();
    assert!(text.starts_with("a\u{fffd}") && text.ends_with('b') && replaced, "{text}");
}

#[test]
fn a_record_that_is_too_long_says_the_limit() {
    let long = format!("{{\"text\":\"{}\"}}", "x".repeat(1 << 20));
    assert_eq!(
        complaint(long.as_bytes()),
        ("a.jsonl:2: the record is longer than 1.05 MB".to_owned(), "too-long")
    );
}
