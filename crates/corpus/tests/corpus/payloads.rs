//! What records of WARC hold: pages and texts, told by their types or by their content.

use crate::archives::{PAGE, batches, fields, read, record, response, texts};
use crate::{Folder, gzip, zstd};
use nearprint_corpus::Batch;

#[test]
fn payloads_without_a_type_are_sniffed_and_others_are_named_by_theirs() {
    let folder = Folder::new();
    let ok = "HTTP/1.1 200 OK";
    let resource = |id, content_type: &str, block: &[u8]| {
        let record = record("1.0", "resource", content_type, id, block);
        String::from_utf8_lossy(&record).replace("Content-Type: \r\n", "").into_bytes()
    };
    folder.write(
        "a.warc",
        [
            response(1, ok, b"<!-- c --><p>comment"),
            response(2, ok, "\u{feff}<head><p>mark".as_bytes()),
            response(3, &format!("{ok}\r\nContent-Type:"), b"\n<TITLE>t</TITLE><p>empty"),
            response(4, &format!("{ok}\r\nContent-Type: text/html, text/html"), b"<p>twice"),
            response(5, ok, b"plain words"),
            resource(6, "text/html", b"<p>resource"),
            resource(7, "text/plain; charset=utf-8", "caf\u{e9}".as_bytes()),
            resource(8, "", b"<html><p>bare"),
            response(9, ok, b"%PDF-1.7\n"),
            resource(10, "image/svg+xml", b"<svg>"),
            response(11, "HTTP/1.1 503 No\r\nContent-Type: text/html", b"<p>busy"),
            record("1.0", "warcinfo", "application/warc-fields", 12, b"a: b\r\n"),
        ]
        .concat(),
    );
    let found = batches(&folder.sources(&["a.warc"]), 1 << 20, 1000);
    let expected =
        ["comment", "mark", "empty", "twice", "plain words", "resource", "caf\u{e9}", "bare"];
    assert_eq!(texts(&folder, &found), expected.map(|text| Ok(text.to_owned())));
    let carried = found.iter().flat_map(Batch::carried);
    let passed_over: Vec<_> = carried.map(|carried| carried.obstacle().unwrap()).collect();
    assert_eq!(passed_over, ["application/pdf", "image/svg+xml", "status 503", "warcinfo"]);
}

#[test]
fn what_crawlers_make_or_say_of_their_work_is_no_document() {
    let folder = Folder::new();
    let of = |kind: &str, target: &str, content_type: &str| {
        let record = record("1.1", kind, content_type, 1, b"words");
        let record = String::from_utf8(record).unwrap();
        record.replace("http://example.org/1", target).into_bytes()
    };
    folder.write(
        "a.warc",
        [
            of("resource", "<metadata://gnu.org/software/wget/warc/wget.log>", "text/plain"),
            of("resource", "urn:X-wpull:log", "text/plain"),
            of("Resource", "urn:text:https://example.org/", "text/plain"),
            of("resource", "urn:pageinfo:https://example.org/", "application/json"),
            of("resource", "screenshot:https://example.org/", "text/html"),
            of("resource", "dns:example.org", "text/dns"),
            of("resource", "ftp://example.org/a.txt", "text/plain"),
            of("resource", "urn:isbn:9780000000002", "text/plain"),
            // What is made of a capture is a document of its own, and a server answered a response.
            of("conversion", "urn:text:https://example.org/", "text/plain"),
            of("response", "urn:a", "text/plain"),
        ]
        .concat(),
    );
    let found = batches(&folder.sources(&["a.warc"]), 1 << 20, 1000);
    assert_eq!(texts(&folder, &found), ["words"; 4].map(|text| Ok(text.to_owned())));
    let carried = found.iter().flat_map(Batch::carried);
    let passed_over: Vec<_> = carried.map(|carried| carried.obstacle().unwrap()).collect();
    let expected = [
        "target metadata",
        "target urn:X-wpull",
        "target urn:text",
        "application/json",
        "target screenshot",
        "text/dns",
    ];
    assert_eq!(passed_over, expected);
}

#[test]
fn records_are_told_by_what_is_in_them() {
    let folder = Folder::new();
    let xhtml =
        b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><p>xhtml</p></html>";
    let page = PAGE.replace(": ", ":\r\n\t");
    let mut folded = String::from_utf8(response(1, &page, b"<p>folded")).unwrap();
    for name in ["WARC-Type", "WARC-Record-ID", "Content-Length"] {
        folded = folded.replace(&format!("{name}: "), &format!("{name}:\r\n "));
    }
    let waited = [b"HTTP/1.1 100 Continue\r\n\r\n", PAGE.as_bytes(), b"\r\n\r\n<p>waited"].concat();
    folder.write(
        "a.warc",
        [
            folded.into_bytes(),
            record("1.0", "Response", "application/http", 2, &waited),
            response(3, "HTTP/1.1 200 OK", xhtml),
            response(4, "HTTP/1.1 200 OK\r\nContent-Type: text/xml", xhtml),
            record("1.0", "response", "text/html", 5, b"<p>no head"),
            record("1.0", "response", "application/http", 6, b"<p>HTTP/0.9"),
            record("1.1", "conversion", "text/plain, text/plain", 7, "zw\u{f6}lf".as_bytes()),
            record("1.1", "conversion", "text/html", 8, b"<p>converted"),
            record("1.1", "conversion", "", 9, b"sniffed"),
            record("1.1", "conversion", "application/json", 10, b"{}"),
            record("1.0", "response", "text/dns", 11, b"20240101 192.0.2.7"),
            record("1.0", "response", "application/http", 12, b"HTTP/1.1 200 OK\r\nX: y\r\n"),
            record("1.0", "Request", "application/http", 13, b"GET / HTTP/1.1\r\n\r\n"),
        ]
        .concat(),
    );
    let found = batches(&folder.sources(&["a.warc"]), 1 << 20, 1000);
    let expected = [
        "folded",
        "waited",
        "xhtml",
        "xhtml",
        "no head",
        "HTTP/0.9",
        "zw\u{f6}lf",
        "converted",
        "sniffed",
    ];
    assert_eq!(texts(&folder, &found), expected.map(|text| Ok(text.to_owned())));
    let ids = read(&folder, &found, &fields(), |document| document.id.unwrap().to_string());
    assert_eq!(ids[0], Ok("\"<urn:1>\"".to_owned()));
    let carried = found.iter().flat_map(Batch::carried);
    let passed_over: Vec<_> = carried.map(|carried| carried.obstacle().unwrap()).collect();
    let without_end = "a response without the end of its head";
    assert_eq!(passed_over, ["application/json", "text/dns", without_end, "request"]);
}

#[test]
fn pages_in_xml_and_texts_in_other_character_sets_are_told_by_their_types() {
    let folder = Folder::new();
    let page = b"<html xmlns='http://www.w3.org/1999/xhtml'><head><title/></head><p><![CDATA[x<y]]></p></html>";
    let (japanese, ..) = encoding_rs::ISO_2022_JP.encode("\u{543e}\u{8f29}\u{306f}\u{732b}");
    let (sjis, ..) = encoding_rs::SHIFT_JIS.encode("\u{732b}");
    let ok = "HTTP/1.1 200 OK\r\nContent-Type";
    folder.write(
        "a.warc",
        [
            response(1, &format!("{ok}: application/xhtml+xml; charset=utf-8"), page),
            response(2, &format!("{ok}: application/xml"), page),
            record("1.0", "resource", "application/xhtml+xml", 3, page),
            response(4, &format!("{ok}: text/html"), page),
            record("1.1", "conversion", "text/plain; charset=Shift_JIS", 5, &sjis),
            record("1.1", "conversion", "text/plain; charset=utf-8", 6, "\u{732b}".as_bytes()),
            record("1.1", "conversion", "text/plain", 7, &japanese),
            response(8, &format!("{ok}: text/plain"), &japanese),
            record("1.1", "conversion", "text/plain; charset=utf-8", 9, b"caf\xe9"),
        ]
        .concat(),
    );
    let found = texts(&folder, &batches(&folder.sources(&["a.warc"]), 1 << 20, 1000));
    let neko = "\u{543e}\u{8f29}\u{306f}\u{732b}";
    let expected = ["x<y", "x<y", "x<y", "", "\u{732b}", "\u{732b}", neko, neko, "caf\u{fffd}"];
    assert_eq!(found, expected.map(|text| Ok(text.to_owned())));
}

#[test]
fn a_payload_that_cannot_be_undone_is_read_as_far_as_it_goes() {
    let folder = Folder::new();
    let encoded = |id, coding: &str, body: &[u8]| {
        response(id, &format!("{PAGE}\r\nContent-Encoding: {coding}"), body)
    };
    let long: String = (0..2000).map(|at| format!("{} ", at * 7919 % 1000)).collect();
    let whole = gzip(format!("<p>{long}").as_bytes());
    let records = [
        encoded(1, "windows-1252", b"<p>no coding"),
        encoded(2, "compress", b"\x1f\x9d\x90\0\x01"),
        encoded(3, "gzip", &whole[..whole.len() / 2]),
        encoded(4, "gzip", &gzip(b"<p>whole")),
        encoded(5, "gzip", &[&gzip(b"<p>whole")[..], b"\r\n"].concat()),
        encoded(6, "zstd", &zstd(&whole)[..20]),
    ];
    folder.write("a.warc", records.concat());
    let found = batches(&folder.sources(&["a.warc"]), 1 << 20, 1 << 20);
    let read = read(&folder, &found, &fields(), |document| {
        assert!(!document.replaced_utf8, "no byte is replaced");
        (document.text.into_owned(), document.cut)
    });
    let read: Vec<_> = read.into_iter().map(Result::unwrap).collect();
    assert_eq!(read[0], ("no coding".to_owned(), false));
    assert_eq!(read[1], (String::new(), true));
    assert!(read[2].1 && read[2].0.len() > 1000 && long.starts_with(&read[2].0), "{:?}", read[2]);
    assert_eq!(read[3], ("whole".to_owned(), false));
    assert_eq!(read[4], ("whole".to_owned(), false));
    assert_eq!(read[5], (String::new(), true));
}

#[test]
fn bytes_that_are_called_a_text_are_told_whoever_calls_them_so() {
    let folder = Folder::new();
    let picture = b"\x89PNG\r\n\x1a\n\0";
    let typed = "HTTP/1.1 200 OK\r\nContent-Type: text/plain";
    folder.write(
        "a.warc",
        [
            record("1.0", "resource", "text/plain", 1, picture),
            record("1.0", "response", "text/plain; charset=UTF-8", 2, picture),
            response(3, typed, picture),
            record("1.0", "resource", "text/plain", 4, b"words"),
            // A program that converts knows what it makes.
            record("1.0", "conversion", "text/plain", 5, b"words\x01"),
        ]
        .concat(),
    );
    let found = batches(&folder.sources(&["a.warc"]), 1 << 20, 1 << 20);
    assert_eq!(texts(&folder, &found), ["words", "words\u{1}"].map(|it| Ok(it.to_owned())));
    let carried = found.iter().flat_map(Batch::carried);
    let passed_over: Vec<_> = carried.map(|carried| carried.obstacle().unwrap()).collect();
    assert_eq!(passed_over, ["application/octet-stream"; 3]);
}

#[test]
fn a_text_that_begins_with_a_number_is_no_chunk_unless_it_was_cut() {
    let folder = Folder::new();
    let text = format!("2024\r\n{}end", "a year of words ".repeat(80));
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked";
    let block = format!("{head}\r\n\r\n{text}");
    let cut = "application/http\r\nWARC-Truncated: length";
    let records = [(1, "application/http"), (2, cut)]
        .map(|(id, kind)| record("1.0", "response", kind, id, block.as_bytes()));
    folder.write("a.warc", records.concat());
    let found = batches(&folder.sources(&["a.warc"]), 1 << 20, 1 << 20);
    let joined = text.strip_prefix("2024\r\n").unwrap();
    assert_eq!(texts(&folder, &found), [text.as_str(), joined].map(|it| Ok(it.to_owned())));
    // A size of a buffer is no year: crawlers that a connection left need not say so.
    let cut = block.replacen("2024\r\n", "2000\r\n", 1);
    let cut = record("1.0", "response", "application/http", 1, cut.as_bytes());
    folder.write("b.warc", cut);
    let found = batches(&folder.sources(&["b.warc"]), 1 << 20, 1 << 20);
    assert_eq!(texts(&folder, &found), [Ok(joined.to_owned())]);
}
