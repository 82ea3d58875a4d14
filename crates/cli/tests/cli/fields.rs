//! Fields that are named and that no row has: of the text, and of documents that are only compared with.

use crate::nearprint::rows;
use crate::room::Room;
use serde_json::json;

/// Three rows with a title, of which one has a body too, as JSON lines and as a table.
fn room() -> Room {
    let room = Room::new();
    room.write(
        "in.jsonl",
        "{\"id\":1,\"src\":\"web\",\"title\":\"one two three four\"}\n\
         {\"id\":2,\"src\":\"web\",\"title\":\"five six seven eight\",\"body\":\"nine\"}\n\
         {\"id\":3,\"src\":\"web\",\"title\":\"ten eleven twelve\"}\n",
    );
    room.write("in.csv", "id,src,title\n1,web,one two three\n2,web,four five six\n");
    room.write("other.jsonl", "{\"id\":9,\"title\":\"one two three four\"}\n");
    room.write("parts/own", "");
    let question = "Which of the planets turns around the sun in the shortest time?";
    room.write("eval.jsonl", format!("{}\n", json!({ "question": question })));
    room
}

#[test]
fn a_field_of_several_that_no_row_has_is_an_error() {
    let room = room();
    let fields = "; the fields of the first are \"id\", \"src\", \"title\"";
    let missing = format!("no row has a value in the field \"text\"{fields}");
    let more: [(&[&str], &[&str]); 8] = [
        (&["dedup"], &["-o", "out.jsonl"]),
        (&["dedup"], &["-o", "out.jsonl", "--memory", "64M", "--threads", "2"]),
        (&["dedup"], &["-o", "out.jsonl", "--equal", "bytes"]),
        (&["pairs"], &["-o", "out.jsonl"]),
        (&["tune"], &[]),
        (&["split"], &["-o", "parts", "--parts", "a=50,b=50"]),
        (&["split"], &["-o", "new", "--parts", "a=50,b=50"]),
        (&["decontaminate", "--against", "eval.jsonl"], &["-o", "out.jsonl"]),
    ];
    for (verb, more) in more {
        let named = ["in.jsonl", "-q", "--text-field", "src,text"];
        room.refuses(&[verb, &named[..], more].concat(), 1, &missing);
    }
    // Fields that some rows lack are none of these.
    room.run(&["dedup", "in.jsonl", "-o", "out.jsonl", "--text-field", "title,body", "-q"]).done();
    assert_eq!(rows(&room.text("out.jsonl")).len(), 3);
    // The same of a field of ids.
    let title = ["text", "in.jsonl", "-o", "texts.txt", "--text-field", "title", "--id-field"];
    let missing_id = format!("no row has a value in the field \"nosuch\"{fields}");
    room.refuses(&[&title[..], &["nosuch"]].concat(), 1, &missing_id);
    room.run(&[&title[..], &["src"]].concat()).done();
    // As in a table.
    room.refuses(
        &["dedup", "in.csv", "-o", "out.csv", "--text-field", "src,text", "-q"],
        1,
        &missing,
    );
}

#[test]
fn what_is_only_compared_with_must_have_the_fields_too() {
    let room = room();
    let missing = |field: &str, fields: &str| {
        format!(
            "no row to compare with (against) has a value in the field {field:?}; the fields of the first are {fields}"
        )
    };
    let dedup = |more: &[&str]| -> Vec<String> {
        let args = ["dedup", "in.jsonl", "-o", "out.jsonl", "-q", "--against", "other.jsonl"];
        args.iter().chain(more).map(|arg| (*arg).to_owned()).collect()
    };
    for (more, field) in [
        (&["--text-field", "title", "--within", "src"][..], "src"),
        (&["--text-field", "title", "--across", "src"], "src"),
        (&["--text-field", "src,title"], "src"),
    ] {
        let args = dedup(more);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        room.refuses(&args, 1, &missing(field, "\"id\", \"title\""));
    }
}

#[test]
fn what_is_compared_with_does_not_stand_in_for_the_input() {
    let room = room();
    let whole = "{\"title\":\"one two three four\",\"extra\":\"five six\"}\n";
    room.write("whole.jsonl", whole);
    let fields = "; the fields of the first are \"id\", \"src\", \"title\"";
    let missing = format!("no row has a value in the field \"extra\"{fields}");
    let named = ["in.jsonl", "-q", "--text-field", "title,extra", "--against", "whole.jsonl"];
    let near = ["passages", "--removed", "r.jsonl", "--unit", "line", "--similarity", "0.8"];
    for verb in [
        &["dedup", "-o", "out.jsonl"][..],
        &["passages", "--removed", "r.jsonl"],
        &near,
        &["decontaminate", "-o", "out.jsonl", "--item-fields", "question=title"],
    ] {
        room.refuses(&[verb, &named].concat(), 1, &missing);
    }
    let create = ["shard", "create", "work", "--job", "passages"];
    let shards = [&create[..], &named[..1], &named[2..], &["--removed", "rows"]].concat();
    room.run(&shards).done();
    let run = room.run(&["shard", "run", "work"]);
    assert!(run.code == Some(1) && run.stderr.contains(&missing), "{}", run.stderr);
    // The other way round what is compared with is asked by itself, by all but eval sets, which have fields of their own.
    room.write("one.jsonl", "{\"title\":\"one two three four\"}\n");
    let own = "no row to compare with (against) has a value in the field \"extra\"; the fields of the first are \"title\"";
    let named = ["whole.jsonl", "-q", "--text-field", "title,extra", "--against", "one.jsonl"];
    for verb in [&["dedup", "-o", "out.jsonl"][..], &["passages", "--removed", "r.jsonl"]] {
        room.refuses(&[verb, &named].concat(), 1, own);
    }
    let evals = ["decontaminate", "-o", "out.jsonl", "--item-fields", "question=title"];
    room.run(&[&evals[..], &named].concat()).done();
}

#[test]
fn numbers_of_one_value_are_one_label() {
    let room = Room::new();
    let row = |id: u32, year: &str| {
        format!("{{\"id\":{id},\"text\":\"one two three four five\",\"year\":{year}}}\n")
    };
    room.write(
        "in.jsonl",
        row(1, "2020") + &row(2, "2020.0") + &row(3, "2021") + &row(4, "\"2021\""),
    );
    room.run(&["dedup", "in.jsonl", "-o", "out.jsonl", "--within", "year", "-q"]).done();
    let kept: Vec<_> =
        rows(&room.text("out.jsonl")).into_iter().map(|row| row["id"].clone()).collect();
    assert_eq!(kept, [json!(1), json!(3)]);
}

#[test]
fn half_a_surrogate_pair_in_one_of_several_fields_is_replaced_and_counted() {
    let room = Room::new();
    let ok = "{\"id\":2,\"t\":\"snow fell\",\"u\":\"on the pastures\",\"m\":[]}\n";
    let bad = "{\"id\":1,\"\\udfff\":0,\"t\":\"a \\ud800 b\",\"u\":\"ok\",\
               \"m\":[{\"role\":\"user\",\"content\":\"a \\ud800 b\\nok\"}]}\n";
    room.write("in.jsonl", [bad, ok].concat());
    for field in ["t,u", "m"] {
        let message = format!(
            "in.jsonl:1: the field {field:?} escapes half of a surrogate pair (\\ud800 to \\udfff), which is not a \
             character; write the whole pair"
        );
        let dedup = ["dedup", "in.jsonl", "-o", "out.jsonl", "--text-field", field, "--force"];
        room.refuses(&dedup, 1, &message);
        let run = room.run(&[&dedup[..], &["--on-error", "skip"]].concat()).done();
        assert!(run.stderr.contains("1 document with invalid UTF-8"), "{}", run.stderr);
        assert_eq!(room.text("out.jsonl"), room.text("in.jsonl"));
        let text = ["text", "in.jsonl", "--text-field", field, "--on-error", "skip"];
        let run = room.run(&[&text[..], &["--format", "json"]].concat()).done();
        assert_eq!(rows(run.text())[0]["text"], "a \u{fffd} b\nok");
    }
    // In a field that is not read it does no harm.
    room.run(&["dedup", "in.jsonl", "-o", "out.jsonl", "--text-field", "u", "--force"]).done();
}

#[test]
fn a_conversation_in_which_nothing_is_said_is_an_empty_text() {
    let room = Room::new();
    for (messages, said) in [
        (json!([{"role": "assistant", "content": null, "tool_calls": [{"id": "1"}]}]), ""),
        (json!([{"role": "user", "content": []}]), ""),
        (json!([{"role": "user"}, {"role": "assistant", "content": "Hi"}]), "Hi"),
        (json!([{"from": "gpt"}]), ""),
        (json!(["Hi", null, "Ho"]), "Hi\nHo"),
        (
            json!([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]),
            "",
        ),
        (
            json!([{"role": "user", "content": [{"type": "tool_result", "content": "sunny"}]}]),
            "sunny",
        ),
        (json!([{"role": "user", "content": "Hi", "value": null}]), "Hi"),
        (json!([{"from": "human", "value": "Hi", "text": "Ho"}]), "Hi"),
    ] {
        room.write("in.jsonl", format!("{}\n", json!({"id": 1, "m": messages})));
        let text = ["text", "in.jsonl", "--text-field", "m", "--format", "json"];
        assert_eq!(rows(room.run(&text).done().text())[0]["text"], said, "{messages}");
    }
    room.write("in.jsonl", "{\"id\":1,\"m\":[{\"role\":\"user\",\"content\":7}]}\n");
    let run = room.run(&["text", "in.jsonl", "--text-field", "m"]);
    let said = "the field \"m\" must be a string, found an array that is no list of texts, nor of messages with \
                a text or parts in content, value, text, utterance, parts or blocks";
    assert!(run.code == Some(1) && run.stderr.contains(said), "{}", run.stderr);
    let row =
        json!({"id": 1, "m": [{"role": "user", "content": [{"type": "quote", "words": "a"}]}]});
    room.write("in.jsonl", format!("{row}\n"));
    let run = room.run(&["text", "in.jsonl", "--text-field", "m"]);
    let said = "in.jsonl:1: the field \"m\" has a part of the unknown kind \"quote\"; give what it says as its \
                \"text\", or leave such rows out with --on-error skip";
    assert!(run.code == Some(1) && run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn rows_with_messages_in_a_string_leave_as_they_came() {
    let room = Room::new();
    // Of the first two the same is said.
    let messages = [
        r#"[{"role": "user",  "content": "The quick brown fox\njumps over the lazy dog.", "id": 1}]"#,
        r#"[{"from":"human","value":"The quick brown fox"},{"from":"gpt","value":"jumps over the lazy dog."}]"#,
        r#"[{"role":"user","content":"Nothing of what others say is said in this \u0022third\u0022 one."}]"#,
    ];
    let row = |(at, text): (usize, &&str)| {
        format!("{{\"n\": 1.50, \"messages\" : {},\"id\":{at} }}\n", json!(text))
    };
    let lines: Vec<String> = messages.iter().enumerate().map(row).collect();
    let cell = |text: &&str| format!("\"{}\",1.50\r\n", text.replace('"', "\"\""));
    let cells: Vec<String> = messages.iter().map(cell).collect();
    let header = "messages,n\r\n";
    for (file, header, rows) in [("in.jsonl", "", lines), ("in.csv", header, cells)] {
        room.write(file, format!("{header}{}", rows.concat()));
        let named = ["--text-field", "messages", "--similarity", "1"];
        room.run(&[&["dedup", file, "-o", "out/"][..], &named[..]].concat()).done();
        let kept = [header, rows[0].as_str(), rows[2].as_str()].concat();
        assert_eq!(room.text(&format!("out/{file}")), kept);
    }
}
