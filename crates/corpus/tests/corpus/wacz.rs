//! WACZ: the archives in a ZIP file are read, each by itself.

use crate::archives::{PAGE, batches, response, texts};
use crate::{Folder, gzip};
use nearprint_corpus::{Discovery, Obstacle, OutputOptions, Outputs, ReadOptions, Reader};

/// A ZIP file of these files, every second one packed.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut zip, mut directory) = (Vec::new(), Vec::new());
    let short = |number: usize| u16::try_from(number).unwrap().to_le_bytes();
    let long = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    for (at, (name, content)) in files.iter().enumerate() {
        let start = zip.len();
        let packed = if at % 2 > 0 {
            let mut encoder =
                flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
            std::io::Write::write_all(&mut encoder, content).unwrap();
            encoder.finish().unwrap()
        } else {
            content.to_vec()
        };
        let method = short(at % 2 * 8);
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let common = [
            &short(20)[..],
            &short(0),
            &method,
            &[0; 4],
            &crc.sum().to_le_bytes(),
            &long(packed.len()),
            &long(content.len()),
            &short(name.len()),
            &short(0),
        ]
        .concat();
        zip.extend([b"PK\x03\x04", &common[..], name.as_bytes(), &packed].concat());
        let behind = [&[0; 10][..], &long(start), name.as_bytes()].concat();
        directory.extend([b"PK\x01\x02\x14\x00", &common[..], &behind].concat());
    }
    let end = [
        &[0; 4][..],
        &short(files.len()),
        &short(files.len()),
        &long(directory.len()),
        &long(zip.len()),
        b"\x03\x00end",
    ];
    [&zip[..], &directory, b"PK\x05\x06", &end.concat()].concat()
}

#[test]
fn archives_in_wacz_are_read_each() {
    let folder = Folder::new();
    let page = |id| response(id, PAGE, format!("<p>page {id}").as_bytes());
    let packed = [gzip(&page(1)), gzip(&page(2))].concat();
    let files: [(&str, &[u8]); 4] = [
        ("archive/a.warc.gz", &packed),
        ("archive/b.warc", &page(3)),
        ("datapackage.json", b"{}"),
        ("pages/pages.jsonl", b"{\"text\":\"no\"}\n"),
    ];
    folder.write("in/a.wacz", zip(&files));
    for input in ["in", "in/a.wacz"] {
        let sources = folder.sources(&[input]);
        let names: Vec<_> =
            sources.iter().map(|source| source.name().rsplit_once("in/").unwrap().1).collect();
        assert_eq!(names, ["a.wacz/archive/a.warc.gz", "a.wacz/archive/b.warc"]);
        let found = batches(&sources, 1 << 20, 1000);
        let expected = ["page 1", "page 2", "page 3"].map(|text| Ok(text.to_owned()));
        assert_eq!(texts(&folder, &found), expected);
        let mut outputs = Outputs::new(&sources, OutputOptions { force: true });
        let refused = outputs.create(&folder.path("in/a.wacz")).err().unwrap();
        assert_eq!(refused.reason(), "output-is-input");
    }
    // Other programs write them to other folders, and hidden files beside.
    let files: [(&str, &[u8]); 4] = [
        ("a.warc", &page(1)),
        ("__MACOSX/._a.warc", b"no archive"),
        ("crawl/2024/b.warc", &page(2)),
        ("pages/pages.jsonl", b"{\"text\":\"no\"}\n"),
    ];
    folder.write("c.zip", zip(&files));
    let found = batches(&folder.sources(&["c.zip"]), 1 << 20, 1000);
    assert_eq!(texts(&folder, &found), ["page 1", "page 2"].map(|text| Ok(text.to_owned())));
    // Names may begin with the folder itself.
    let files_of_itself: [(&str, &[u8]); 2] =
        [("./archive/a.warc", &page(1)), ("./.hidden/b.warc", &page(2))];
    folder.write("d.zip", zip(&files_of_itself));
    let found = batches(&folder.sources(&["d.zip"]), 1 << 20, 1000);
    assert_eq!(texts(&folder, &found), [Ok("page 1".to_owned())]);
    folder.write("b.zip", zip(&files[3..]));
    let refused = nearprint_corpus::discover(&[folder.name("b.zip")], None).unwrap_err();
    assert!(refused.to_string().contains("a ZIP archive"), "{refused}");
}

/// A ZIP file of these files, with another comment.
fn commented(files: &[(&str, &[u8])], comment: &[u8]) -> Vec<u8> {
    let mut zip = zip(files);
    zip.truncate(zip.len() - 5);
    zip.extend(u16::try_from(comment.len()).unwrap().to_le_bytes());
    [&zip, comment].concat()
}

#[test]
fn a_zip_file_may_have_bytes_before_it_and_any_comment() {
    let folder = Folder::new();
    let page = |id| response(id, PAGE, format!("<p>page {id}").as_bytes());
    let files: [(&str, &[u8]); 2] = [("archive/a.warc", &page(1)), ("archive/b.warc", &page(2))];
    let whole = zip(&files);
    let end = &whole[whole.len() - 25..whole.len() - 3];
    let both = ["page 1", "page 2"].map(|text| Ok(text.to_owned()));
    for (name, bytes) in [
        ("program.wacz", [b"\x7fELF\0\0", &whole[..]].concat()),
        ("program.zip", [b"MZ\x90\0", &whole[..]].concat()),
        ("program", [&[0; 9999], &whole[..]].concat()),
        ("script.zip", [b"#!/bin/sh\n".repeat(999).as_slice(), &whole].concat()),
        ("comment.wacz", commented(&files, b"an end is PK\x05\x06")),
        ("longer.wacz", commented(&files, &[b"PK\x05\x06", &[0; 40][..]].concat())),
        ("ends.zip", commented(&files, end)),
        ("fills.zip", commented(&files, &[end, b"xyz"].concat())),
        ("both.zip", [b"#!/bin/sh\n", &commented(&files, &[b" ", end].concat())[..]].concat()),
        ("behind.wacz", [&whole[..], b"something behind it"].concat()),
    ] {
        folder.write(name, bytes);
        let found = batches(&folder.sources(&[name]), 1 << 20, 1000);
        assert_eq!(texts(&folder, &found), both, "{name}");
    }
    // What was cut off ends somewhere behind a ZIP file that stands in it.
    let outer = zip(&[("a.zip", &whole), ("archive/c.warc", &page(3))]);
    let inner = outer.windows(whole.len()).position(|bytes| bytes == whole).unwrap();
    folder.write("cut.wacz", &outer[..inner + whole.len() + 9]);
    fails(&folder, "cut.wacz");
}

/// Reads a file that is called WACZ and whose archives cannot be found: it is a source that cannot be read, which a run
/// ends with or counts, whatever else there is.
fn fails(folder: &Folder, name: &str) -> String {
    let sources = folder.sources(&[name]);
    assert_eq!(sources.len(), 1, "{name}");
    let mut batches = Reader::new(&sources, ReadOptions::default());
    let failed = batches.next().unwrap().unwrap_err();
    assert_eq!(failed.reason(), "corrupt", "{failed}");
    assert!(failed.to_string().contains(name), "{failed}");
    failed.to_string()
}

#[test]
fn a_damaged_wacz_is_a_source_that_cannot_be_read() {
    let folder = Folder::new();
    for bytes in [&b"P"[..], b"", b"words of a text\n"] {
        folder.write("a.wacz", bytes);
        assert!(fails(&folder, "a.wacz").contains("it is not a ZIP file"));
    }
    let page = response(1, PAGE, b"<p>page</p>");
    let files: [(&str, &[u8]); 2] = [("archive/a.warc", &page), ("archive/b.warc", &page)];
    let whole = zip(&files);
    folder.write("c.wacz", &whole[..whole.len() / 2]);
    fails(&folder, "c.wacz");
    // Entries of the directory: none may be lost in silence.
    let entries: Vec<_> =
        (0..whole.len() - 4).filter(|at| &whole[*at..at + 4] == b"PK\x01\x02").collect();
    assert_eq!(entries.len(), 2);
    for at in entries {
        for byte in [at, at + 28, at + 30, at + 32] {
            let mut damaged = whole.clone();
            damaged[byte] ^= 0x40;
            folder.write("d.wacz", damaged);
            fails(&folder, "d.wacz");
        }
    }
    // Every byte of the directory and of its end, changed and lost: all documents, or an error.
    let start = whole.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    let count = |bytes: &[u8]| {
        folder.write("e.wacz", bytes);
        let sources = folder.sources(&["e.wacz"]);
        let read = Reader::new(&sources, ReadOptions::default());
        read.map(|batch| batch.map(|batch| batch.len())).sum::<Result<usize, _>>()
    };
    for at in start..whole.len() {
        for bit in 0..8 {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << bit;
            assert!(matches!(count(&damaged), Ok(2) | Err(_)), "bit {bit} of byte {at}");
        }
        let lost = [&whole[..at], &whole[at + 1..]].concat();
        assert!(matches!(count(&lost), Ok(2) | Err(_)), "byte {at}");
    }
    // A byte of a name, and of the checksum, and of what it is of.
    for (at, why) in [(start + 46, "where its files are"), (start + 16, "another checksum")] {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        assert!(count(&damaged).unwrap_err().to_string().contains(why));
    }
    let mut damaged = whole.clone();
    let at = whole.windows(4).position(|bytes| bytes == b"page").unwrap();
    damaged[at] ^= 1;
    assert_eq!(count(&damaged).unwrap_err().reason(), "corrupt");
    folder.write("in/a.wacz", &whole[..whole.len() - 30]);
    folder.write("in/b.wacz", &whole);
    let read = Reader::new(&folder.sources(&["in"]), ReadOptions::default());
    let read: Vec<_> = read.map(|batch| batch.map(|batch| batch.len())).collect();
    assert_eq!(read.iter().filter(|batch| batch.is_err()).count(), 1);
    assert_eq!(read.iter().flatten().sum::<usize>(), 2);
}

#[test]
fn what_is_no_archive_is_named_with_what_to_do() {
    let folder = Folder::new();
    let said = |name: &str| match folder.discover(&[name]) {
        Ok(sources) => {
            let read = Reader::new(&sources, ReadOptions::default()).next();
            folder.message(&read.unwrap().unwrap_err())
        }
        Err(error) => folder.message(&error),
    };
    folder.write("a.WACZ", zip(&[("pages/pages.jsonl", b"{}"), ("datapackage.json", b"{}")]));
    assert_eq!(said("a.WACZ"), "a.WACZ: it holds no web archive, such as archive/data.warc.gz");
    folder.write("b.wacz", zip(&[("datapackage.json", b"{}"), ("c.wacz", b"PK")]));
    let unpack = "it holds other WACZ files, such as c.wacz: unpack it, and give these";
    assert_eq!(said("b.wacz"), format!("b.wacz: {unpack}"));
    let list =
        "{\n \"profile\": \"multi-wacz-package\",\n \"resources\": [{\"path\": \"c.wacz\"}]\n}\n";
    folder.write("d.json", list);
    let give = "it lists WACZ files, as a multi-WACZ package does: give these themselves";
    assert_eq!(said("d.json"), format!("d.json: {give}"));
    // Beside what it lists it is one of the files that archives have with them.
    folder.write("in/datapackage.json", list);
    folder.write("in/c.wacz", zip(&[("archive/a.warc", &response(1, PAGE, b"<p>page"))]));
    let (found, passed) = Discovery::new().find(&[folder.name("in")]).unwrap();
    assert_eq!((found.len(), passed[0].obstacle), (1, Obstacle::OfArchives));
    folder.write("e.zip", zip(&[("a.txt", b"words")]));
    let given = "unpack it first, or give it as a file if it is WACZ";
    assert_eq!(said("e.zip"), format!("e.zip is a ZIP archive, not text; {given}"));
}

#[test]
fn of_an_unpacked_wacz_the_archives_are_read() {
    let folder = Folder::new();
    let page = |id| response(id, PAGE, format!("<p>page {id}").as_bytes());
    for package in ["in/a", "in/b"] {
        let name = |name: &str| format!("{package}/{name}");
        folder.write(&name("archive/data.warc"), page(1));
        folder.write(&name("datapackage.json"), "{\"resources\": []}\n");
        folder.write(&name("pages/pages.jsonl"), "{\"format\": \"json-pages-1.0\"}\n");
        folder.write(&name("pages/extraPages.jsonl"), "{\"text\": \"a page\"}\n");
        folder.write(&name("logs/crawl.log"), "{\"text\": \"a line\"}\n");
    }
    folder.write("in/rows.jsonl", "{\"text\": \"a row\"}\n");
    let (found, passed) = Discovery::new().find(&[folder.name("in")]).unwrap();
    let names: Vec<_> =
        found.iter().map(|source| source.name().rsplit_once("in/").unwrap().1).collect();
    assert_eq!(names, ["a/archive/data.warc", "b/archive/data.warc", "rows.jsonl"]);
    assert_eq!((passed.len(), passed[0].obstacle, passed[0].count), (1, Obstacle::OfArchives, 8));
    // A description of other data is a file like any other.
    folder.write("other/datapackage.json", "{\"resources\": []}\n");
    folder.write("other/rows.jsonl", "{\"text\": \"a row\"}\n");
    assert_eq!(folder.sources(&["other"]).len(), 2);
}
