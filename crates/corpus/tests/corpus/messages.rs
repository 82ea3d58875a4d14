//! What messages say, as vendors write them: their forms, and what stands beside a content.

use nearprint_corpus::{conversation, unknown_part};

#[test]
fn messages_of_other_forms_are_read_where_each_says_one_thing() {
    for (turns, said) in [
        (
            r#"[{"type":"human","data":{"content":"a","type":"human"}},{"type":"tool","data":{"content":"b"}},{"type":"ai","data":{"content":"","tool_calls":[]}}]"#,
            Some("a\nb\n"),
        ),
        (r#"[{"lc":1,"type":"constructor","id":["b"],"kwargs":{"content":"a"}}]"#, Some("a")),
        (r#"[{"turn_id":0,"speaker":"USER","utterance":"a"}]"#, Some("a")),
        (
            r#"[{"human":"a","assistant":"b"},{"user":"c","assistant":"d","source":"e"}]"#,
            Some("a\nb\nc\nd"),
        ),
        (r#"[{"system":"a","human":"b","assistant":"c"}]"#, Some("a\nb\nc")),
        (r#"[{"system":null,"human":"a","assistant":"b"}]"#, Some("a\nb")),
        // One part as a content.
        (
            r#"[{"content":{"type":"text","text":"a"}},{"role":"user","content":{"type":"resource","resource":{"uri":"b","text":"c"}}}]"#,
            Some("a\nc"),
        ),
        // The parts of the one message that a row is.
        (
            r#"[{"type":"thinking","thinking":"b c","signature":"d"},{"type":"text","text":"a"},{"type":"image","source":{"type":"base64","data":"b"}},{"type":"input_file","filename":"b c.pdf","file_data":"d"},{"type":"tool_use","id":"b","name":"c","input":{"d":"e f"}}]"#,
            Some("a"),
        ),
        // Items without an id.
        (
            r#"[{"type":"reasoning","summary":[{"type":"summary_text","text":"b c"}],"content":null,"encrypted_content":"d"},{"type":"web_search_call","action":{"query":"b c"}},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}]"#,
            Some("a"),
        ),
        (r#"[{"type":"file_search","vector_store_ids":["b c"]}]"#, None),
        (r#"[{"type":"image","caption":"a red house"}]"#, None),
        (r#"[{"type":"phone_call","notes":"a b"}]"#, None),
        (r#"[{"type":"thought","body":"a b"}]"#, None),
        (r#"[{"type":"reasoning","text":"a b","summary":null}]"#, Some("a b")),
        (r#"[{"type":"reasoning","question":"a b","summary":"c d"}]"#, None),
        (r#"[{"type":"file_search_call","results":[{"text":"a"}]}]"#, Some("a")),
        (
            r#"[{"content":{"type":"resource","content_type":"text/markdown","content":"a"}}]"#,
            Some("a"),
        ),
        (
            r#"[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"data:image/png;base64,b"}}]"#,
            Some("a"),
        ),
        (
            r#"[{"type":"reasoning","summary":[{"text":"b c"}],"text":null},{"type":"message","content":"a"}]"#,
            Some("a"),
        ),
        (
            r#"[{"type":"reasoning","content":"a","encrypted_content":null,"summary":null}]"#,
            Some("a"),
        ),
        (
            r#"[{"id":"b","type":"reasoning","text":"b c"},{"id":"c","type":"text","text":"a"}]"#,
            Some("a"),
        ),
        (r#"[{"content":{"content_type":"text","parts":[]}},{"content":"a"}]"#, Some("a")),
        (
            r#"[{"content":{"type":null,"content_type":"text","parts":["a"]}},{"content":{"content_type":"code","parts":[],"text":"b"}},{"content":{"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer","asset_pointer":"file-service://b","size_bytes":7},"c"]}}]"#,
            Some("a\nb\nc"),
        ),
        // As ChatGPT exports them.
        (
            r#"[{"content":{"content_type":"text","parts":["a"]}},{"content":{"content_type":"code","text":"b"}},{"content":{"content_type":"thoughts","thoughts":[{"content":"c d"}]}}]"#,
            Some("a\nb"),
        ),
        // What stands beside says something.
        (r#"[{"user":"a","input":"b c","assistant":"d"}]"#, None),
        (r#"[{"system":["a b"],"human":"c","assistant":"d"}]"#, None),
        (r#"[{"user":"a","assistant":"b","prompt":"c d","response":"e"}]"#, None),
        (r#"[{"message":{"content":"a"},"note":"b c"}]"#, None),
        (r#"[{"message":{"content":"a"},"data":{"content":"b"}}]"#, None),
        (r#"[{"type":"human","data":{"content":"a"},"attachments":[{"text":"b c"}]}]"#, None),
        (r#"[{"user":{"content":"a"},"assistant":"b"}]"#, None),
        (r#"[{"question":"a","answer":"b"}]"#, None),
        (r#"[{"data":{"rows":["a"]}}]"#, None),
    ] {
        assert_eq!(conversation(turns).as_deref(), said, "{turns}");
    }
}

#[test]
fn a_string_of_json_among_texts_is_a_message_by_its_role_and_content() {
    for (text, said) in [
        (r#"{"role":"user","content":"a"}"#, "a"),
        (r#"{"role":"user","content":"a","score":NaN}"#, "a"),
        (r#"{"from":"b","to":"c","subject":"d","text":"a"}"#, ""),
        (r#"{"from":"human","value":"a"}"#, ""),
        (r#"{"role":"Engineer","value":"a","place":"b"}"#, ""),
        (r#"{"role":"admin","content":{"a":"b"}}"#, ""),
    ] {
        let turns = serde_json::to_string(&["b", text]).unwrap();
        let said = if said.is_empty() { text } else { said };
        assert_eq!(conversation(&turns), Some(format!("b\n{said}")), "{text}");
    }
}

#[test]
fn an_item_of_an_unknown_kind_is_refused_with_it() {
    let turns = r#"[{"content":"a"},{"type":"ghost_snapshot","id":"b","commit":{"id":"c"}}]"#;
    assert_eq!(
        (conversation(turns), unknown_part(turns).as_deref()),
        (None, Some("ghost_snapshot"))
    );
    let tools = r#"[{"type":"function","name":"a","parameters":{}}]"#;
    assert_eq!((conversation(tools), unknown_part(tools)), (None, None));
}

#[test]
fn words_of_a_message_beside_an_empty_content_are_not_passed_over() {
    for (message, said, name) in [
        (r#"{"content":null,"blocks":[{"block_type":"text","text":"a"}]}"#, Some("a"), None),
        (r#"{"role":"user","blocks":[{"text":"a"}]}"#, Some("a"), None),
        (r#"{"content":"a","body":"b"}"#, Some("a"), None),
        (r#"{"content":null,"refusal":"a","message":"b"}"#, Some("a"), None),
        (r#"{"content":"","message":"","body":null,"data":{"rows":["b"]}}"#, Some(""), None),
        (r#"{"content":"","tool_calls":[{"id":"b"}],"message":"b"}"#, Some(""), None),
        (r#"{"content":null,"message":{"id":"b"},"body":{"b":7}}"#, Some(""), None),
        (r#"{"content":null,"tool_calls":[],"message":{"content":"b"}}"#, None, Some("message")),
        (r#"{"content":null,"message":"b"}"#, None, Some("message")),
        (r#"{"content":"","body":"b"}"#, None, Some("body")),
        (r#"{"content":[],"markdown":"b"}"#, None, Some("markdown")),
        // Columns have null for what a row lacks.
        (r#"{"type":"human","content":null,"data":{"content":"b"}}"#, Some("b"), None),
        (
            r#"{"type":"function_call_output","call_id":"c","output":"x y","content":null,"role":null}"#,
            Some("x y"),
            None,
        ),
        (r#"{"human":"a","assistant":"b","content":null,"role":null}"#, Some("a\nb"), None),
        (r#"{"role":"assistant","content":null,"id":"b"}"#, Some(""), None),
        (r#"{"role":"tool","content":"","output":"a"}"#, Some("a"), None),
        (r#"{"role":"tool","content":null,"result":{"a":null,"b":7}}"#, Some(r#"{"b":7}"#), None),
        (r#"{"role":"tool","content":[],"output":[],"error":"a"}"#, Some("a"), None),
        (r#"{"role":"tool","content":"a","output":"b c"}"#, Some("a"), None),
        (r#"{"role":"tool","content":"","output":{"x":[1,2]}}"#, Some(""), None),
        (r#"{"role":"tool","content":null,"output":"a b.png"}"#, Some("a b.png"), None),
        (r#"{"role":"tool","content":null,"output":"b.png"}"#, Some(""), None),
        (r#"{"role":"tool","content":"","output":"a","error":"b"}"#, Some("a\nb"), None),
        (r#"{"role":"tool","content":"\n","output":"a"}"#, Some("a"), None),
        (r#"{"role":"tool","content":"","output":"a","input":"b c"}"#, Some("a"), None),
        (r#"{"question":"b c","answer":"a","content":""}"#, None, Some("question")),
        (r#"{"type":"tool","content":"","output":"a","input":"b c","role":null}"#, Some("a"), None),
        (r#"{"role":"observation","content":"","output":"a","query":"b c"}"#, Some("a"), None),
        (r#"{"prompt":"b c","response":"a","text":null}"#, None, Some("prompt")),
        // How it went.
        (r#"{"role":"assistant","content":"","error":"b c","result":"pass"}"#, Some(""), None),
        (r#"{"role":"assistant","content":"","answer":"Node.js"}"#, Some("Node.js"), None),
        (r#"{"content":"","tool_calls":[{"id":"b"}],"output":"b"}"#, Some(""), None),
        (r#"{"content":null,"note":"b c"}"#, None, None),
    ] {
        let turns = format!("[{message}]");
        assert_eq!(conversation(&turns).as_deref(), said, "{message}");
        assert_eq!(unknown_part(&turns).as_deref(), name, "{message}");
    }
}

#[test]
fn what_a_message_shows_beside_its_content_counts_once() {
    for (message, said) in [
        (
            r#"{"text":"a","content":[{"type":"text","text":"a"}],"attachments":[{"file_name":"b c.txt","file_size":1,"extracted_content":"d"}],"files":[{"file_name":"e f.png"}]}"#,
            Some("a\nd"),
        ),
        (r#"{"text":"","attachments":[{"id":1,"fallback":"b c","text":"a"}]}"#, Some("a")),
        (r#"{"text":"","attachments":[{"id":1,"fallback":"a b","color":"c"}]}"#, Some("a b")),
        (
            r#"{"text":"a","attachments":[{"pretext":"b","title":"c","title_link":"https://x","text":"d","fields":[{"title":"e","value":"f","short":true}],"footer":"g h"}]}"#,
            Some("a\nb\nc\nd\ne\nf"),
        ),
        (
            r#"{"text":"a","attachments":[{"fallback":"c d","blocks":[{"type":"section","text":{"type":"mrkdwn","text":"b"}}]}]}"#,
            Some("a\nb"),
        ),
        (
            r#"{"text":"a","files":[{"id":"F","name":"c d","plain_text":"b","preview":"b"}]}"#,
            Some("a\nb"),
        ),
        (
            r#"{"content":"a","embeds":[{"title":"","url":"https://x","description":"b","fields":[{"name":"c","value":"d"}]},{"title":"e"}],"attachments":[{"id":"1","url":"https://x","fileName":"f g.png"}]}"#,
            Some("a\nb\nd\ne"),
        ),
        (
            r#"{"content":"a","forwardedMessage":{"timestamp":"2024","content":"b","embeds":[{"title":"c"}]}}"#,
            Some("a\nb\nc"),
        ),
        (
            r#"{"text":"a","replies":[{"user":"U1","ts":"1"},{"text":"b","replies":[{"text":"c"}]}]}"#,
            Some("a\nb\nc"),
        ),
        (
            r#"{"text":"a","children":[{"author":"b","text":"c","children":[{"text":"d"},5]}]}"#,
            Some("a\nc\nd"),
        ),
        (r#"{"content":"a","comments":["b c"],"children":["d e"],"poll":"f g"}"#, Some("a")),
        (r#"{"role":"assistant","content":"a","comments":[{"body":"b c"}]}"#, Some("a")),
        (r#"{"role":"moderator","content":"a","comments":[{"body":"b c"}]}"#, Some("a\nb c")),
        (
            r#"{"role":"user","content":"a","children":[{"role":"assistant","content":"b"}]}"#,
            Some("a\nb"),
        ),
        // A column has null for what another reply has.
        (
            r#"{"text":"a","comments":[{"text":"b","body":null},{"text":null,"body":"c"},{"text":"","body":"d"}]}"#,
            Some("a\nb\nc\nd"),
        ),
        (r#"{"content":"","message_snapshots":[{"message":{"content":"a"}}]}"#, Some("a")),
        (r#"{"content":"","reblog":{"content":"a"}}"#, Some("a")),
        (
            r#"{"content":"","poll":{"options":[{"title":"a","votes_count":1},{"x":"y z"},{"label":"b"},{"option":"c"},"d",{"text":["e",{"type":"bold","text":"f"}]}]}}"#,
            Some("a\nb\nc\nd\ne\nf"),
        ),
        (
            r#"{"content":"","poll":{"question":"a","choices":["b"],"explanation":"c"}}"#,
            Some("a\nb\nc"),
        ),
        (
            r#"{"text":"a","replies":[{"body":"b c","replies":{"kind":"Listing","data":{"children":[{"kind":"t1","data":{"body":"d"}}]}}}]}"#,
            Some("a\nb c\nd"),
        ),
        (
            r#"{"from":"d","text":"","poll":{"question":"a","closed":false,"answers":[{"text":"b","voters":1},{"text":"c"}]}}"#,
            Some("a\nb\nc"),
        ),
        (
            r#"{"content":"","poll":{"question":{"text":"a"},"answers":[{"answer_id":1,"poll_media":{"text":"b"}}]}}"#,
            Some("a\nb"),
        ),
        (
            r#"{"content":"a","toolInvocations":[{"state":"result","args":{"b":"c d"},"result":"e"},{"state":"call","args":{}}]}"#,
            Some("a\ne"),
        ),
        // As parts have it too.
        (
            r#"{"content":"","parts":[{"type":"tool-invocation","toolInvocation":{"result":"a"}},{"text":"b"}],"toolInvocations":[{"result":"a"}]}"#,
            Some("a\nb"),
        ),
        (
            r#"{"kind":"request","parts":[{"part_kind":"user-prompt","content":"a"}],"instructions":"b"}"#,
            Some("a\nb"),
        ),
        (r#"{"content":"a","attachments":["b.png",null],"embeds":null,"replies":2}"#, Some("a")),
        (
            r#"{"content":"a","attachments":[{"name":"b","content":"aVZCT1J3MEtHZ29BQUFBTlNVaEVVZ0FBQUFVQUFBQUZDQVlBQUFDTmJ5"}]}"#,
            Some("a"),
        ),
        // Of what nobody knows the rest counts.
        (
            r#"{"content":"a","attachments":[{"note":"b c"},{"type":"image","image_url":"d","alt":"e f"},{"title":"g h"}]}"#,
            Some("a\ng h"),
        ),
        (
            r#"{"content":"a","attachments":[{"contentType":"b","content":{"type":"AdaptiveCard","body":[{"type":"TextBlock","text":"c d"}]}}]}"#,
            Some("a"),
        ),
        (r#"{"content":"a","embeds":[{"note":"b c"}],"replies":[{"content":5}]}"#, Some("a")),
        // What files are called, and where they are.
        (
            r#"{"content":"a","attachments":["b c.jpg","写真.jpg","/b/c d/e f.txt","https://a.example/b c","b c"]}"#,
            Some("a\nb c"),
        ),
        (
            r#"{"content":"a","attachments":[{"title":"b","filename":"b.png","content_type":"image/png"},{"title":"c d.pdf"}]}"#,
            Some("a"),
        ),
    ] {
        assert_eq!(conversation(&format!("[{message}]")).as_deref(), said, "{message}");
    }
    let deep = |depth: usize| {
        let replies = (0..depth).map(|at| format!("{{\"content\":\"{at}\",\"replies\":["));
        let all = replies.collect::<String>() + &"]}".repeat(depth);
        let said = conversation(&format!("[{all}]")).unwrap();
        said.lines().count()
    };
    assert_eq!(deep(60), 60);
    // What lies deeper does not count.
    assert_eq!(deep(10_000), 257);
    let reply = |at: usize, inner: &str| {
        format!(
            "{{\"body\":\"{at}\",\"replies\":{{\"kind\":\"Listing\",\"data\":{{\"children\":[{{\"kind\":\"t1\",\"data\":{inner}}}]}}}}}}"
        )
    };
    let of_reddit = (0..64).fold("{\"body\":\"last\"}".to_owned(), |inner, at| reply(at, &inner));
    let said = conversation(&format!("[{{\"text\":\"a\",\"replies\":[{of_reddit}]}}]")).unwrap();
    assert!(said.lines().count() >= 64 && !said.contains("last"), "{said}");
    let turns = r#"[{"parts":["a"],"instructions":"x"},{"parts":["b"],"instructions":"x"},{"parts":["c"],"instructions":"y"}]"#;
    assert_eq!(conversation(turns).as_deref(), Some("a\nx\nb\nc\ny"));
}
