//! What the parts of messages say, as vendors write them.

use nearprint_corpus::{conversation, unknown_part};

/// What a message of one part says.
fn said_in(part: &str) -> Option<String> {
    conversation(&format!("[{{\"content\":[{part}]}}]"))
}

#[test]
fn what_was_said_is_joined_in_its_order() {
    for (json, said) in [
        ("[]", Some("")),
        ("[\"a\",\"b\"]", Some("a\nb")),
        (
            "[{\"role\":\"user\",\"content\":\"Hi\"},{\"role\":\"assistant\",\"content\":null},\
             {\"from\":\"gpt\",\"value\":\"Ho\"},{\"text\":\"!\"}]",
            Some("Hi\nHo\n!"),
        ),
        (
            "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"See\"},\
             {\"type\":\"image_url\",\"image_url\":{\"url\":\"x\"}},\"this\"]}]",
            Some("See\nthis"),
        ),
        // Of several that are there the first counts that is not empty.
        (
            "[{\"content\":\"Hi\",\"value\":null},{\"text\":\"x\",\"content\":\"Ho\"}]",
            Some("Hi\nHo"),
        ),
        ("[{\"content\":null,\"text\":\"Hi\"}]", Some("Hi")),
        // Nothing is said.
        ("[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":1e999}]}]", Some("")),
        ("[{\"role\":\"assistant\",\"tool_calls\":[]}]", Some("")),
        ("[{\"content\":[]}]", Some("")),
        ("[{\"content\":\"\"}]", Some("")),
        ("[{\"content\":[{\"type\":\"image_url\",\"image_url\":{}}]}]", Some("")),
        // A tool's answer counts as a message of its own would.
        ("[{\"content\":[{\"type\":\"tool_result\",\"content\":\"sunny\"}]}]", Some("sunny")),
        (
            "[{\"content\":[{\"type\":\"tool_result\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},\
             {\"type\":\"image\",\"source\":{}},\"b\"]},{\"type\":\"text\",\"text\":\"c\"}]}]",
            Some("a\nb\nc"),
        ),
        (
            "[{\"content\":[{\"type\":\"mcp_tool_result\",\"content\":[{\"text\":\"a\"}]}]}]",
            Some("a"),
        ),
        ("[{\"content\":[{\"type\":\"tool_result\",\"text\":null,\"content\":\"a\"}]}]", Some("a")),
        ("[{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"x\"}]}]", Some("")),
        ("[{\"content\":[{\"type\":\"tool_result\",\"content\":null}]}]", Some("")),
        ("[{\"content\":[{\"type\":\"tool_result\",\"content\":7}]}]", Some("7")),
        (
            "[{\"content\":[{\"type\":\"calculator_result\",\"content\":[4,2.50]},\
             {\"type\":\"search_result\",\"content\":true},\
             {\"type\":\"document\",\"content\":{\"id\":\"a\"},\
             \"source\":{\"type\":\"content\",\"content\":5}}]}]",
            Some("4\n2.50\ntrue\n5"),
        ),
        ("[{\"content\":[{\"type\":\"tool_result\",\"content\":{\"degrees\":7}}]}]", None),
        ("[{\"content\":[{\"type\":\"tool_result\",\"content\":[{\"degrees\":7}]}]}]", None),
        ("[{\"content\":[{\"type\":\"tool_use\",\"content\":\"a\"}]}]", Some("")),
        ("[{\"content\":[{\"type\":\"thinking\",\"thinking\":\"a\"}]}]", Some("")),
        // So do refusals, transcripts, documents, search results and what a tool printed.
        (
            "[{\"content\":null,\"refusal\":\"a\"},{\"refusal\":\"b\"},\
             {\"content\":\"c\",\"refusal\":null,\"audio\":{\"transcript\":\"d\"}},\
             {\"content\":[{\"type\":\"refusal\",\"refusal\":\"e\"},\
             {\"type\":\"input_audio\",\"input_audio\":{\"data\":\"x\",\"transcript\":\"f\"}},\
             {\"type\":\"audio\",\"transcript\":\"g\"}]}]",
            Some("a\nb\nc\nd\ne\nf\ng"),
        ),
        (
            "[{\"content\":[{\"type\":\"document\",\"source\":{\"type\":\"text\",\"data\":\"a\"}},\
             {\"type\":\"document\",\"source\":{\"type\":\"content\",\"content\":[{\"text\":\"b\"}]}},\
             {\"type\":\"document\",\"source\":{\"type\":\"base64\",\"data\":\"x\"}},\
             {\"type\":\"search_result\",\"source\":\"x\",\"content\":[{\"text\":\"c\"}]}]}]",
            Some("a\nb\nc"),
        ),
        (
            "[{\"content\":[{\"type\":\"tool_result\",\"content\":[\
             {\"type\":\"document\",\"source\":{\"type\":\"text\",\"data\":\"a\"}},\
             {\"type\":\"search_result\",\"content\":[{\"text\":\"b\"}]}]},\
             {\"type\":\"code_execution_tool_result\",\"content\":\
             {\"type\":\"code_execution_result\",\"stdout\":\"c\",\"content\":[]}}]}]",
            Some("a\nb\nc"),
        ),
        (
            "[{\"content\":[{\"toolResult\":{\"content\":[{\"text\":\"a\"},{\"json\":{\"b\":1}},\
             {\"image\":{}}]}},{\"toolUse\":{}}]}]",
            Some("a\n{\"b\":1}"),
        ),
        (
            "[{\"content\":[\
             {\"type\":\"tool-result\",\"output\":{\"type\":\"text\",\"value\":\"a\"}},\
             {\"type\":\"tool-result\",\"output\":{\"type\":\"json\",\"value\":[1]}},\
             {\"type\":\"tool-result\",\"output\":{\"type\":\"content\",\"value\":\
             [{\"type\":\"text\",\"text\":\"b\"}]}},\
             {\"type\":\"tool-result\",\"result\":\"c\"}]}]",
            Some("a\n[1]\nb\nc"),
        ),
        (
            "[{\"content\":[{\"type\":\"tool_result\",\"content\":[\
             {\"type\":\"json\",\"json\":{\"a\":1}},\
             {\"type\":\"text_editor_code_execution_str_replace_result\",\
             \"old_lines\":1,\"lines\":[\"-a\",\"+b\"]}]}]}]",
            Some("{\"a\":1}\n-a\n+b"),
        ),
        ("[{\"content\":[{\"type\":\"text\",\"text\":null}]}]", Some("")),
        // One answer under two members counts once.
        (
            "[{\"content\":[{\"type\":\"tool_result\",\"content\":[{\"text\":\"a\"}],\"output\":\"a\",\
             \"result\":\"a\"},{\"type\":\"tool_result\",\"content\":[\"a\",\"a\"],\"output\":\"b\"}]}]",
            Some("a\na\na\nb"),
        ),
        ("[{\"content\":[{\"type\":\"refusal\",\"refusal\":\"a\"}],\"refusal\":\"a\"}]", Some("a")),
        // A part of an unknown kind has its text in `text`, or says nothing.
        ("[{\"content\":[{\"type\":\"new\",\"text\":\"a\",\"b\":\"c\"}]}]", Some("a")),
        ("[{\"content\":[{\"type\":\"new\",\"id\":\"a\",\"b\":7,\"c\":[]}]}]", Some("")),
        ("[{\"content\":[{\"type\":\"text\",\"content\":\"a\"}]}]", Some("a")),
        ("[{\"content\":[{\"type\":\"new\",\"words\":\"a\"}]}]", None),
        ("[{\"content\":[{\"type\":\"new\",\"new\":{\"words\":\"a\"}}]}]", None),
        ("[{\"content\":[{\"type\":\"videoUrl\",\"videoUrl\":{\"url\":\"a\"}}]}]", Some("")),
        (
            "[{\"content\":[{\"type\":\"tool_result\",\"content\":\
             [{\"type\":\"city\",\"name\":\"a\"}]}]}]",
            None,
        ),
        // No character of what nobody reads does harm.
        ("[{\"\\ud800\":1,\"role\":\"\\udfff\",\"content\":\"a\"}]", Some("a")),
        ("[{\"content\":\"a\\ud800\"},\"\\udfffb\"]", Some("a\u{fffd}\n\u{fffd}b")),
        ("[{\"role\":\"user\"}]", Some("")),
        ("[{\"from\":\"gpt\"},{\"from\":\"human\",\"value\":\"Hi\"}]", Some("Hi")),
        ("[{\"role\":\"user\",\"name\":null}]", Some("")),
        ("[{\"role\":\"user\",\"parts\":[{\"text\":\"a\"}]}]", Some("a")),
        // A content that is empty gives way to one that is not.
        ("[{\"content\":null,\"parts\":[{\"text\":\"a\"}]}]", Some("a")),
        ("[{\"content\":\"\",\"parts\":[{\"text\":\"a\"}]}]", Some("a")),
        ("[{\"content\":[],\"text\":\"a\"}]", Some("a")),
        ("[{\"content\":\"\",\"value\":0.5}]", Some("")),
        ("[{\"content\":\"a\",\"parts\":[{\"text\":\"b\"}]}]", Some("a")),
        ("[{\"content\":[{\"type\":\"text\",\"text\":\"\"}],\"text\":\"a\"}]", Some("a")),
        ("[{\"content\":[null,\"\"],\"text\":\"\",\"parts\":[{\"text\":\"a\"}]}]", Some("a")),
        ("[{\"content\":[{\"type\":\"image_url\",\"image_url\":{}}],\"text\":\"a\"}]", Some("a")),
        ("[{\"content\":\"\",\"value\":0.5,\"text\":\"a\",\"parts\":{\"b\":\"c\"}}]", Some("a")),
        ("[{\"content\":[\"\"],\"parts\":[],\"blocks\":{\"b\":\"c\"}}]", Some("")),
        ("[\"a\",{\"content\":\"\",\"parts\":[]},\"b\"]", Some("a\n\nb")),
        ("[{\"from\":\"user\",\"message\":\"a\"}]", None),
        ("[{\"content\":\"Hi\"},{\"role\":\"user\",\"message\":\"a\"}]", None),
        ("[{\"role\":\"user\",\"message\":\"a\"},{\"content\":\"Hi\"},\"b\"]", None),
        ("[\"a\",null,\"b\"]", Some("a\nb")),
        ("[null]", Some("")),
        ("[{\"content\":[null,{\"text\":\"a\"}]}]", Some("a")),
        ("[1]", None),
        ("[null,1]", None),
        ("[{\"content\":7}]", None),
        ("[{\"content\":{\"text\":\"a\"}}]", None),
        ("[{\"content\":[{\"text\":7}]}]", None),
        ("[{\"content\":[7]}]", None),
        ("{\"content\":\"a\"}", None),
        ("[[\"a\"]]", None),
        ("[{\"a\":1}]", None),
        // Items between messages are parts.
        (
            "[{\"type\":\"message\",\"role\":\"user\",\"content\":\"a\"},{\"type\":\"reasoning\",\"id\":\"x\",\
             \"summary\":[{\"text\":\"y\"}]},{\"type\":\"function_call\",\"call_id\":\"x\",\"name\":\"y\",\
             \"arguments\":\"{}\"},{\"type\":\"function_call_output\",\"call_id\":\"x\",\"output\":\"b\"}]",
            Some("a\nb"),
        ),
        (
            "[{\"content\":\"a\"},{\"type\":\"image_generation_call\",\"id\":\"x\",\"result\":\"QQ==\"},\
             {\"type\":\"compaction\",\"id\":\"x\",\"encrypted_content\":\"QQ==\"},\
             {\"type\":\"item_reference\",\"id\":\"x\"},{\"content\":\"b\"}]",
            Some("a\nb"),
        ),
        ("[{\"type\":\"function\",\"name\":\"a\",\"parameters\":{}}]", None),
        ("[{\"type\":\"callout\",\"id\":\"a\",\"output\":\"b\"}]", None),
    ] {
        assert_eq!(conversation(json).as_deref(), said, "{json}");
    }
}

#[test]
fn known_parts_without_words_say_nothing() {
    for part in [
        r#"{"type":"reference","reference_ids":[1,2]}"#,
        r#"{"type":"reference","reference_ids":["a"]}"#,
        r#"{"type":"source","sourceType":"url","id":"a","url":"a","title":"a"}"#,
        r#"{"type":"source-document","sourceId":"a","title":"a","filename":"a"}"#,
        r#"{"type":"data-weather","id":"a","data":{"a":"b"}}"#,
        r#"{"type":"citation","url":"a","cited_text":"a"}"#,
        r#"{"type":"resource_link","uri":"a","name":"a"}"#,
        r#"{"type":"computer_screenshot","image_url":"a"}"#,
        r#"{"type":"pdf","pdf":"a"}"#,
        r#"{"type":"sound","sound":"a"}"#,
        r#"{"type":"speech","speech":"a"}"#,
        r#"{"type":"voice","voice":"a"}"#,
        r#"{"type":"picture","picture":"a"}"#,
        r#"{"type":"img","img":"a"}"#,
        r#"{"type":"photo","photo":"a"}"#,
        r#"{"type":"frames","frames":["a"]}"#,
        r#"{"type":"attachment","attachment":"a"}"#,
        r#"{"type":"web_page","url":"a","title":"a"}"#,
        r#"{"type":"box","box":[1,2,3,4]}"#,
        r#"{"type":"point","coords":[1,2]}"#,
        r#"{"type":"timeseries","values":[1.0],"unit":"a"}"#,
        r#"{"type":"non_standard","value":{"a":"b"}}"#,
        r#"{"type":"custom","providerOptions":{"a":{"b":1}}}"#,
        r#"{"type":"text-plain","base64":"a","mime_type":"text/plain"}"#,
        r#"{"type":"tool-approval-response","approvalId":"a","approved":true}"#,
        r#"{"type":"mcp_approval_request","name":"a","arguments":"{}","server_label":"b"}"#,
        r#"{"type":"web_search_result","title":"a","encrypted_content":"b","page_age":"c"}"#,
        r#"{"type":"tool_result","data":"a","mimeType":"image/png"}"#,
        r#"{"type":"tool_result","tool_result":{"type":"image","data":"a"}}"#,
        r#"{"type":"file","file":{"content":"a","contentType":"image/png"}}"#,
        r#"{"type":"file_search_call","queries":["a"],"results":[]}"#,
        r#"{"type":"system_content","reasoning_effort":"a","conversation_start_date":"b","channel_config":{"a":"b"}}"#,
        r#"{"type":"input_audio","input_audio":{"data":"a","format":"wav"}}"#,
        r#"{"type":"document","source":{"type":"url","url":"a"}}"#,
        r#"{"cachePoint":{"type":"default"}}"#,
        r#"{"guardContent":{"image":{"source":{"bytes":"a"}}}}"#,
        r#"{"document":{"format":"pdf","name":"a","source":{"s3Location":{"uri":"a"}}}}"#,
        r#"{"inline_data":{"mime_type":"a","data":"b"}}"#,
        r#"{"fileData":{"mimeType":"a","fileUri":"b"},"videoMetadata":{"startOffset":"1s"}}"#,
        r#"{"functionCall":{"name":"a","args":{"b":"c"}}}"#,
        r#"{"executableCode":{"code":"a"}}"#,
        r#"{"id":"a","name":"b","arguments":"{}"}"#,
        r#"{"image":"file:///a.png"}"#,
        r#"{"image":"a","detail":"low","min_pixels":7}"#,
        r#"{"audio":"a","format":"wav"}"#,
        r#"{"file":"a","filename":"b","mime":"c"}"#,
        r#"{"bytes":"a","path":null}"#,
        r#"{"part_kind":"tool-call","tool_name":"a","args":{"b":"c"},"tool_call_id":"d"}"#,
        r#"{"part_kind":"tool-return","content":null,"tool_name":"a","outcome":"success"}"#,
        r#"{"part_kind":"file","content":{"kind":"binary","data":"a","media_type":"image/png"}}"#,
        r#"{"kind":"image-url","url":"a","identifier":"b"}"#,
        r#"{"kind":"cache-point","ttl":"5m"}"#,
        r#"{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"a"}}]}"#,
        r#"{"block_type":"document","data":"QQ==","path":null,"title":"a","document_mimetype":"application/pdf"}"#,
        r#"{"block_type":"document","data":"QQ==","title":"a","document_mimetype":null}"#,
        r#"{"block_type":"image","image":"a","image_mimetype":"image/png"}"#,
        r#"{"block_type":"citation","cited_content":{"text":"a"},"title":"b","additional_location_info":{"c":"d"}}"#,
        r#"{"block_type":"citation","cited_content":{"block_type":"text","text":"a b"},"source":"c","title":"d"}"#,
        r#"{"block_type":"citation","cited_content":{"text":"a b"},"source":"c","additional_location_info":{"page":"d e"}}"#,
        r#"{"type":"local_resource","file_path":"/a.md","name":"a b","mime_type":"text/markdown","uuid":"3f2b-1"}"#,
        r#"{"type":"tool_result","content":"","cwd":"/a b","returncode":"0","etag":"W/\"a\"","took":"3 ms"}"#,
        r#"{"type":"search_result","source":"a","title":"a b","content":[],"favicon":"https://a","publisher":"a b"}"#,
        r#"{"type":"tool_result","content":[],"display_content":{"type":"json_block","json_block":"a b"}}"#,
        r#"{"type":"tool_result","content":[],"details":{"path":"/a","hash":["b",1,true,false]}}"#,
        r#"{"type":"file","file_content":"JVBERi0xLjcKJeLjz9MKMSAwIG9iago8\nPC9UeXBlL0NhdGFsb2c\n"}"#,
    ] {
        assert_eq!(said_in(part).as_deref(), Some(""), "{part}");
    }
}

#[test]
fn what_says_something_is_no_media_whatever_it_is_called() {
    for (part, said) in [
        (r#"{"type":"text","data":"2+2="}"#, "2+2="),
        (
            r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"2+2="}}"#,
            "2+2=",
        ),
        (r#"{"kind":"audio","content":"a b"}"#, "a b"),
        (r#"{"block_type":"image","content":"a b"}"#, "a b"),
    ] {
        assert_eq!(said_in(part).as_deref(), Some(said), "{part}");
    }
    let letters = format!(r#"{{"type":"text","data":"{}"}}"#, "ACGT".repeat(12));
    assert_eq!(said_in(&letters), Some("ACGT".repeat(12)));
}

#[test]
fn thoughts_are_no_text() {
    for part in [
        r#"{"type":"reasoning","text":"a"}"#,
        r#"{"type":"thinking","text":"a"}"#,
        r#"{"type":"thinking","thinking":[{"type":"text","text":"a"}]}"#,
        r#"{"type":"redacted_thinking","data":"a"}"#,
        r#"{"reasoningContent":{"reasoningText":{"text":"a"}}}"#,
        r#"{"thought":true,"text":"a"}"#,
        r#"{"block_type":"thinking","content":"a"}"#,
        r#"{"part_kind":"thinking","content":"a","signature":"b"}"#,
    ] {
        assert_eq!(said_in(part).as_deref(), Some(""), "{part}");
    }
    for (message, said) in [
        (r#"{"role":"assistant","channel":"analysis","content":"a"}"#, ""),
        (r#"{"role":"assistant","channel":"final","content":"a"}"#, "a"),
        (r#"{"type":"reasoning","id":"b","content":[{"type":"reasoning_text","text":"a"}]}"#, ""),
        // A step of an answer may be called so; the items of an API have ids.
        (r#"{"type":"reasoning","text":"a"}"#, "a"),
        (
            r#"{"type":"reasoning","id":"b","role":null,"content":[{"type":"reasoning_text","text":"a"}]}"#,
            "",
        ),
        (r#"{"source":"b","type":"ThoughtEvent","content":"a"}"#, ""),
        // What a message is about is no kind of it, and models and rooms may have any name.
        (r#"{"role":"assistant","type":"reasoning","content":"a"}"#, "a"),
        (r#"{"role":"reasoning_model","content":"a"}"#, "a"),
        (r#"{"role":"reasoning","content":"a"}"#, "a"),
        (r#"{"sender":"b","type":"thought","text":"a"}"#, "a"),
        (r#"{"speaker":"b","type":"reasoning","text":"a"}"#, "a"),
        (r#"{"type":"think","text":"a"}"#, "a"),
        (r#"{"role":"user","type":"reasoning","content":"a"}"#, "a"),
        (r#"{"from":"human","type":"reasoning","value":"a"}"#, "a"),
        (r#"{"channel":"analysis","text":"a"}"#, "a"),
    ] {
        assert_eq!(conversation(&format!("[{message}]")).as_deref(), Some(said), "{message}");
    }
}

#[test]
fn words_are_found_where_each_kind_of_part_has_them() {
    for part in [
        r#"{"citationsContent":{"content":[{"text":"a"}],"citations":[{"title":"b"}]}}"#,
        r#"{"document":{"name":"b","source":{"text":"a"}}}"#,
        r#"{"document":{"name":"b","source":{"content":[{"text":"a"}]}}}"#,
        r#"{"toolResult":{"content":[{"document":{"name":"b","source":{"text":"a"}}}]}}"#,
        r#"{"searchResult":{"source":"b","title":"c","content":[{"text":"a"}]}}"#,
        r#"{"guardContent":{"text":{"text":"a","qualifiers":["b"]}}}"#,
        r#"{"type":"document","document":{"id":"b","data":"a"}}"#,
        r#"{"type":"tool_response","content":"a"}"#,
        r#"{"type":"tool_call_response","id":"b","result":"a"}"#,
        r#"{"type":"tool_call_response","id":"b","response":"a"}"#,
        r#"{"type":"function_call_output","call_id":"b","output":"a"}"#,
        r#"{"type":"tool_output","output":"a"}"#,
        r#"{"type":"server_tool_result","tool_call_id":"b","output":"a"}"#,
        r#"{"type":"tool-error","toolName":"b","input":{},"error":"a"}"#,
        r#"{"type":"tool-weather","input":{"b":"c"},"output":"a"}"#,
        r#"{"type":"mcp_call","name":"b","arguments":"{}","output":null,"error":"a"}"#,
        r#"{"type":"tool_use","result":"a","error":""}"#,
        r#"{"type":"tool","content":"a"}"#,
        r#"{"type":"function","name":"b","content":["a"]}"#,
        r#"{"type":"tool-invocation","toolInvocation":{"args":{"b":"c"},"result":"a"}}"#,
        r#"{"tool_call_result":{"result":"a","origin":{"id":"b"},"error":false}}"#,
        r#"{"codeExecutionResult":{"outcome":"b","output":"a"}}"#,
        r#"{"content":"a","name":"b","call_id":"c","is_error":false}"#,
        r#"{"type":"text_file","content":"a"}"#,
        r#"{"type":"compaction","content":"a"}"#,
        r#"{"type":"resource","resource":{"uri":"b","mimeType":"c","text":"a"}}"#,
        r#"{"type":"text","text":{"value":"a","annotations":[]}}"#,
        r#"{"part_kind":"text","content":"a","id":"b"}"#,
        r#"{"block_type":"citable","title":"b","source":"c","content":[{"block_type":"text","text":"a"}]}"#,
        r#"{"part_kind":"user-prompt","content":["a",{"kind":"image-url","url":"b"}],"timestamp":"c"}"#,
        r#"{"part_kind":"tool-return","content":["a",{"kind":"binary","data":"b"}],"tool_name":"c"}"#,
        r#"{"kind":"note","content":"a"}"#,
        r#"{"kind":"section","result":"a"}"#,
        r#"{"type":"text_file","data":"a"}"#,
        r#"{"type":"tool_result","text":"","content":"a"}"#,
        r#"{"type":"tool-weather","approval":{"id":"b","approved":false,"reason":"a"}}"#,
        r#"{"type":"code_interpreter_call","outputs":[{"type":"logs","logs":"a"}]}"#,
    ] {
        assert_eq!(said_in(part).as_deref(), Some("a"), "{part}");
    }
    for part in [
        r#"{"functionResponse":{"name":"b","response":{"a":"c"}}}"#,
        r#"{"functionResponse":{"name":"b","response":{"a":"c","d":null}}}"#,
        r#"{"type":"tool-weather","output":{"e":null,"a":"c"},"input":null}"#,
        r#"{"part_kind":"builtin-tool-return","tool_name":"b","content":{"a":"c"}}"#,
        r#"{"part_kind":"retry-prompt","tool_name":"b","content":[{"a":"c"}]}"#,
    ] {
        assert_eq!(said_in(part).as_deref(), Some("{\"a\":\"c\"}"), "{part}");
    }
}

#[test]
fn words_count_where_the_members_of_a_kind_have_none() {
    for part in [
        r#"{"type":"tool_result","content":"","message":"a"}"#,
        r#"{"type":"tool_result","value":"a"}"#,
        r#"{"type":"tool_result","data":"a"}"#,
        r#"{"type":"tool_response","tool_response":{"content":"a"}}"#,
        r#"{"type":"functionResponse","function_response":{"name":"b","response":"a"}}"#,
        r#"{"type":"search_result","search_result":{"content":"a"}}"#,
        r#"{"type":"code_execution_result","code_execution_result":"a"}"#,
        r#"{"type":"file","file":{"content":"a"}}"#,
        r#"{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"text":"a"}]}]}"#,
        r#"{"type":"rich_text_section","elements":[{"text":"a"},{"type":"emoji","name":"b","unicode":"1f604"}]}"#,
        r#"{"type":"rich_text_section","elements":[{"type":"broadcast","range":"b"},{"text":"a"}]}"#,
        r##"{"type":"rich_text_section","elements":[{"type":"color","value":"#b"},{"text":"a"}]}"##,
        r#"{"type":"context","elements":[{"type":"mrkdwn","text":"a"}]}"#,
        r#"{"type":"section","fields":[{"type":"mrkdwn","text":"a"}],"accessory":{"type":"button","value":"b"}}"#,
        r#"{"kind":"text","result":"a"}"#,
        r#"{"kind":"text","output":"a"}"#,
        r#"{"type":"document","title":"b","response":"a"}"#,
        r#"{"type":"text","markdown":"a"}"#,
        r#"{"type":"markdown","markdown":"a"}"#,
        r#"{"type":"document","title":"b","body":"a"}"#,
        r#"{"type":"document","pages":[{"text":"a"}]}"#,
        r#"{"type":"system_content","model_identity":"a","reasoning_effort":"b","knowledge_cutoff":"c"}"#,
        r#"{"type":"developer_content","instructions":"a","tools":{"functions":{"name":"b"}}}"#,
        r#"{"type":"error","message":"a"}"#,
        r#"{"type":"tool_search_tool_result_error","error_code":"b","error_message":"a"}"#,
        r#"{"type":"tool-approval-response","approvalId":"b","approved":false,"reason":"a"}"#,
    ] {
        assert_eq!(said_in(part).as_deref(), Some("a"), "{part}");
    }
    for part in [
        r#"{"type":"tool_result","content":[],"structuredContent":{"a":"b"}}"#,
        r#"{"type":"tool_result","results":{"a":"b"}}"#,
        r#"{"type":"file_search_call","results":{"a":"b"}}"#,
    ] {
        assert_eq!(said_in(part).as_deref(), Some("{\"a\":\"b\"}"), "{part}");
    }
    for (part, said) in [
        (
            r#"{"type":"file_search_call","results":[{"file_id":"c","score":0.5,"text":"a"},{"text":"b"}]}"#,
            "a\nb",
        ),
        (r#"{"type":"tool_result","results":[{"text":"a"},{"b":1}]}"#, r#"[{"text":"a"},{"b":1}]"#),
        (
            r#"{"type":"document","source":{"type":"text","data":"a"},"title":"c","context":"b"}"#,
            "a\nb",
        ),
    ] {
        assert_eq!(said_in(part).as_deref(), Some(said), "{part}");
    }
}

#[test]
fn signs_say_something_in_more_than_one_word() {
    for (part, said) in [
        (
            r#"{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"a b"}}]}"#,
            Some("a b"),
        ),
        (r#"{"type":"date","timestamp":1,"fallback":"18 May at noon"}"#, Some("18 May at noon")),
        (r#"{"type":"color","value":"a b"}"#, Some("a b")),
        (r#"{"type":"color","value":"a"}"#, Some("")),
        (r#"{"type":"button","text":"a","value":"b"}"#, Some("a")),
        (r#"{"type":"emoji","name":"a b"}"#, Some("")),
        (r#"{"type":"broadcast","range":"a b"}"#, None),
    ] {
        assert_eq!(said_in(part).as_deref(), said, "{part}");
    }
    let turns = r#"[{"content":[{"type":"broadcast","range":"a b"}]}]"#;
    assert_eq!(unknown_part(turns).as_deref(), Some("broadcast.range"));
}

#[test]
fn a_name_that_ends_in_a_word_for_text_is_one() {
    for part in [
        r#"{"type":"document","page_content":"a","metadata":{"title":"b"}}"#,
        r#"{"type":"tool_result","content":[{"page_content":"a","metadata":{"page":7},"score":0.5}]}"#,
        r#"{"type":"tool_result","content":"","attachmentContent":"a","description":"b"}"#,
        r#"{"type":"text","link_text":"a"}"#,
        r#"{"type":"file","file_content":"a","mime_type":"text/plain"}"#,
        r#"{"type":"image","image_url":"https://b","image_caption":"a"}"#,
        r#"{"type":"audio","audio_transcript":"a"}"#,
        r#"{"image":"b.png","caption":"a"}"#,
    ] {
        assert_eq!(said_in(part).as_deref(), Some("a"), "{part}");
    }
    for part in [
        r#"{"type":"file","file_content":"JVBERi0xLjcKJeLjz9MKMSAwIG9iago8PC9UeXBlL0NhdGFsb2c="}"#,
        r#"{"type":"document","page_content":"https://a"}"#,
        r#"{"type":"citation","cited_text":"a"}"#,
        r#"{"type":"tool_use","tool_content":"a"}"#,
        r#"{"type":"tool_result","content":"","reasoning_content":"a"}"#,
    ] {
        assert_eq!(said_in(part).as_deref(), Some(""), "{part}");
    }
}

#[test]
fn words_of_unknown_parts_are_refused_with_their_kind() {
    for (part, kind) in [
        (r#"{"type":"callout","content":"a"}"#, Some("callout")),
        (r#"{"type":"profile","summary":"a"}"#, Some("profile")),
        (r#"{"type":"developer_content","note":"a b"}"#, Some("developer_content.note")),
        (r#"{"type":"tool_result","note":"a b"}"#, Some("tool_result.note")),
        (r#"{"type":"document","title":"b","answer":["\"a b"]}"#, Some("document.answer")),
        (r#"{"type":"tool_result","note":{"a":["\u6771\u4eac"]}}"#, Some("tool_result.note")),
        (r#"{"kind":"data","data":{"a":"b"}}"#, Some("kind")),
        (r#"{"answer":"a"}"#, Some("answer")),
        (r#"{"note":{"words":"a"}}"#, Some("note")),
        (r#"{"type":"callout","file_content":"a"}"#, Some("callout")),
        (r#"{"city":"a","description":"b"}"#, Some("city")),
        (r#"{"type":"tool_result","content":{"city":7}}"#, Some("city")),
        (r#"{"type":"document","content":[["a"]]}"#, None),
    ] {
        let turns = format!("[{{\"content\":[{part}]}}]");
        assert_eq!((conversation(&turns), unknown_part(&turns).as_deref()), (None, kind));
    }
}
