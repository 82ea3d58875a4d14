//! ARC: records of both versions are read and written.

use crate::archives::{PAGE, batches, fields, members_of, read, texts};
use crate::{Folder, gzip};
use nearprint_corpus::{Batch, Document, Fields, OutputOptions, Outputs};

/// A record of ARC: of version 2 where there is a status.
pub(crate) fn arc_record(url: &str, kind: &str, status: Option<u32>, block: &[u8]) -> Vec<u8> {
    let between = status.map_or_else(String::new, |it| format!(" {it} - - 123456789012 a.arc"));
    let line = format!("{url} 192.0.2.7 20040102030410 {kind}{between} {}\n", block.len());
    [line.as_bytes(), block, b"\n"].concat()
}

#[test]
fn dates_have_the_digits_that_they_have() {
    let folder = Folder::new();
    let page = format!("{PAGE}\r\n\r\n<p>one").into_bytes();
    for (date, iso) in [
        ("20040102", "2004-01-02"),
        ("200401020304", "2004-01-02T03:04Z"),
        ("20040102030410567", "2004-01-02T03:04:10.567Z"),
    ] {
        let record = arc_record("http://example.org/1", "text/html", Some(200), &page);
        let record = String::from_utf8(record).unwrap().replace("20040102030410", date);
        folder.write("a.arc", &record);
        let found = batches(&folder.sources(&["a.arc"]), 1 << 20, 1000);
        let ids = read(&folder, &found, &fields(), |document| document.id.unwrap().to_string());
        assert_eq!(ids, [Ok(format!("\"http://example.org/1 {iso}\""))]);
    }
}

#[test]
fn arc_of_both_versions_is_read_and_written() {
    let folder = Folder::new();
    let page = |text: &str| format!("{PAGE}\r\n\r\n<p>{text}").into_bytes();
    for (version, status) in [(1, None), (2, Some(200))] {
        let block = format!("{version} 0 Crawler\nURL IP-address Archive-date Content-type\n\n");
        let records = [
            arc_record("filedesc://a.arc", "text/plain", status, block.as_bytes()),
            arc_record("dns:example.org", "text/dns", status, b"20040102 192.0.2.7\n"),
            arc_record("http://example.org/1", "text/html", status, &page("one")),
            arc_record("http://example.org/a b", "text/html", status, &page("two\n\nlines")),
            arc_record(
                "http://example.org/x",
                "image/gif",
                status,
                b"HTTP/1.0 200 OK\r\nContent-Type: image/gif\r\n\r\nGIF89a",
            ),
            arc_record("http://example.org/old", "text/html", status, b"<html>no head"),
        ];
        let whole = records.concat();
        let members: Vec<_> = records.iter().map(|record| gzip(record)).collect();
        folder.write("a.arc", &whole);
        folder.write("b.arc.gz", members.concat());
        folder.write("c", &whole[..whole.len() - 1]);
        let part = records[..2].concat().len();
        folder.write("d", &whole[part..]);
        let parts = [("a.arc", 1), ("a.arc", 99), ("b.arc.gz", 1 << 20), ("c", 7), ("d", 1 << 20)];
        for (name, batch_bytes) in parts {
            let found = batches(&folder.sources(&[name]), batch_bytes, 1000);
            let expected = ["one", "two lines", "no head"].map(|text| Ok(text.to_owned()));
            assert_eq!(texts(&folder, &found), expected, "{name}");
            let others = if name == "d" { 1 } else { 3 };
            assert_eq!(found.iter().map(Batch::others).sum::<usize>(), others);
        }
        let found = batches(&folder.sources(&["a.arc"]), 1 << 20, 1000);
        let by_url = Fields { id: "url".to_owned(), ..fields() };
        let ids = read(&folder, &found, &by_url, |document| document.id.unwrap().to_string());
        assert_eq!(ids[1], Ok("\"http://example.org/a b\"".to_owned()));
        let named = |it: Document<'_>| (it.id.unwrap().to_string(), it.record.unwrap().to_string());
        let named = read(&folder, &found, &fields(), named);
        let (id, record) = named[1].as_ref().unwrap();
        assert_eq!(id, "\"http://example.org/a b 2004-01-02T03:04:10Z\"");
        assert!(record.contains("a.arc, record at byte "), "{record}");
        let carried: Vec<_> =
            found.iter().flat_map(Batch::carried).map(|it| it.obstacle().unwrap()).collect();
        assert_eq!(carried, ["filedesc", "text/dns", "image/gif"]);
        // Written, it is an archive again: a record a member.
        let sources = folder.sources(&["c"]);
        let out = folder.path(&format!("{version}.arc.gz"));
        let mut outputs = Outputs::new(&sources, OutputOptions::default());
        let mut output = outputs.survivors(&out, &sources).unwrap();
        for batch in batches(&sources, 1 << 20, 1000) {
            for at in 0..=batch.len() {
                for carried in batch.carried_before(at) {
                    output.carry(&carried, carried.raw()).unwrap();
                }
                batch.record(at).map_or(Ok(()), |it| output.write_record(&it.raw())).unwrap();
            }
        }
        output.commit().unwrap();
        assert_eq!(members_of(&std::fs::read(out).unwrap()), records);
    }
}

#[test]
fn what_is_wrong_with_arc_is_named_and_the_next_is_read() {
    let folder = Folder::new();
    let good = || arc_record("http://example.org/1", "text/html", None, b"<p>good");
    let longer = String::from_utf8(good()).unwrap();
    let cases = [
        (longer.replace(" 7\n", " 3\n"), "the line says 3 bytes, but no record follows them"),
        (
            longer.replace(" 7\n", " 500\n"),
            "the file ends inside the record, whose line says 500 bytes",
        ),
        ("some garbage\nand more\n".to_owned(), "expected an ARC record"),
        (longer.replace(" 7\n", " 5000\n"), "the record is longer than"),
    ];
    for (bad, message) in cases {
        folder.write("a.arc", [&good()[..], bad.as_bytes(), &good(), &good()].concat());
        for batch_bytes in [1, 1 << 20] {
            let found = texts(&folder, &batches(&folder.sources(&["a.arc"]), batch_bytes, 1000));
            assert!(found[1].as_ref().unwrap_err().contains(message), "{found:?}");
            let good = || Ok("good".to_owned());
            assert_eq!((&found[0], &found[2..]), (&good(), &[good(), good()][..]), "{message}");
        }
    }
}

#[test]
fn what_stands_between_records_of_arc_costs_none() {
    let folder = Folder::new();
    let page = |id: u32| {
        let url = format!("http://example.org/{id}");
        arc_record(&url, "text/html", None, format!("<p>page {id}").as_bytes())
    };
    let text = |id: u32| Ok::<_, String>(format!("page {id}"));
    let zeros = [vec![0_u8; 10], vec![0; 4096], vec![0; 200_000]];
    let others = [&b"   "[..], b"\xef\xbb\xbf", b"\0\x01", b"junk\0\0", b"\0 \0\xef\xbb\xbf"];
    for between in zeros.iter().map(Vec::as_slice).chain(others) {
        let whole = [&page(1)[..], between, &page(2), between, &page(3)].concat();
        folder.write("a.arc", whole);
        for batch_bytes in [100, 1 << 20] {
            let found = batches(&folder.sources(&["a.arc"]), batch_bytes, 1 << 20);
            let found = texts(&folder, &found);
            assert_eq!([&found[0], &found[2], &found[4]], [&text(1), &text(2), &text(3)]);
            let told = found[1].as_ref().unwrap_err();
            assert!(told.contains("expected an ARC record"), "{told}");
            assert_eq!(found.len(), 5);
        }
    }
    // Zeros in the place of the line end behind a block.
    let bare = |id: u32| page(id)[..page(id).len() - 1].to_vec();
    let zeros = [0_u8; 512];
    folder.write("b.arc", [&bare(1)[..], &zeros, &bare(2), &zeros].concat());
    let found = texts(&folder, &batches(&folder.sources(&["b.arc"]), 1 << 20, 1 << 20));
    assert_eq!([&found[0], &found[2]], [&text(1), &text(2)]);
}
