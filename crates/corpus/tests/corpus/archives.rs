//! WARC: documents out of responses and conversions, and every other record carried along.

use crate::{Folder, gzip, zstd};
use nearprint_corpus::{
    Batch, Document, Error, Fields, InvalidUtf8, OutputOptions, Outputs, PageRules, Part,
    ReadOptions, Reader, Source,
};
use proptest::prelude::*;
use std::io::Read;

/// A record as crawlers write it.
pub(crate) fn record(
    version: &str,
    kind: &str,
    content_type: &str,
    id: u32,
    block: &[u8],
) -> Vec<u8> {
    let head = format!(
        "WARC/{version}\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:{id}>\r\n\
         WARC-Target-URI: http://example.org/{id}\r\nContent-Type: {content_type}\r\n\
         Content-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

pub(crate) fn response(id: u32, head: &str, body: &[u8]) -> Vec<u8> {
    let block = [head.as_bytes(), b"\r\n\r\n", body].concat();
    record("1.0", "response", "application/http; msgtype=response", id, &block)
}

pub(crate) const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html";

/// Records, of which those from 4 to 7 are documents.
fn records() -> Vec<Vec<u8>> {
    let request = b"GET / HTTP/1.1\r\n\r\n";
    vec![
        record("1.0", "warcinfo", "application/warc-fields", 0, b"software: test\r\n"),
        record("1.1", "request", "application/http; msgtype=request", 1, request),
        response(2, "HTTP/1.1 404 Not Found\r\nContent-Type: text/html", b"<p>gone"),
        response(3, "HTTP/1.1 200 OK\r\nContent-Type: image/png", b"\x89PNG\r\n\r\n"),
        response(4, PAGE, b"<p>one\r\n\r\nWARC/1.0 is a format</p>"),
        record("1.1", "conversion", "text/plain", 5, "zwei \u{fc}\n".as_bytes()),
        response(6, &format!("{PAGE}; charset=iso-8859-2"), b"<meta charset=utf-8><p>\xb1"),
        response(7, "HTTP/2 200\r\ncontent-type: text/plain", b"<tag> and more"),
        record("1.0", "metadata", "application/warc-fields", 8, b""),
    ]
}

pub(crate) fn batches(
    sources: &[Source],
    batch_bytes: usize,
    max_record_bytes: usize,
) -> Vec<Batch> {
    let options = ReadOptions { batch_bytes, max_record_bytes, ..ReadOptions::default() };
    Reader::new(sources, options).map(Result::unwrap).collect()
}

pub(crate) fn fields() -> Fields {
    Fields { part: Some(Part::Full(PageRules::Shown)), ..Fields::default() }
}

pub(crate) fn read<T>(
    folder: &Folder,
    batches: &[Batch],
    fields: &Fields,
    of: impl Fn(Document<'_>) -> T,
) -> Vec<Result<T, String>> {
    let records = batches.iter().flat_map(Batch::records);
    let read = records.map(|record| match record.document(fields, InvalidUtf8::Fail) {
        Ok(document) => Ok(of(document)),
        Err(error) => Err(folder.message(&error)),
    });
    read.collect()
}

pub(crate) fn texts(folder: &Folder, batches: &[Batch]) -> Vec<Result<String, String>> {
    read(folder, batches, &fields(), |document| document.text.into_owned())
}

pub(crate) fn raw(batches: &[Batch]) -> Vec<Vec<u8>> {
    let mut raw = Vec::new();
    for batch in batches {
        for at in 0..=batch.len() {
            raw.extend(batch.carried_before(at).map(|carried| carried.raw().to_vec()));
            raw.extend(batch.record(at).map(|record| record.raw().to_vec()));
        }
    }
    raw
}

#[test]
fn responses_and_conversions_are_documents_and_all_else_is_carried() {
    let folder = Folder::new();
    folder.write("a.warc", records().concat());
    let members: Vec<_> = records().iter().map(|record| gzip(record)).collect();
    folder.write("b.warc.gz", members.concat());
    folder.write("c", members.concat());
    let frames: Vec<_> = records().iter().map(|record| zstd(record)).collect();
    folder.write("d.warc.wet.zst", frames.concat());
    for name in ["a.warc", "b.warc.gz", "c", "d.warc.wet.zst"] {
        for batch_bytes in [1, 3, 100, 1 << 20] {
            let found = batches(&folder.sources(&[name]), batch_bytes, 1000);
            assert_eq!(raw(&found), records(), "{name}");
            let expected =
                ["one WARC/1.0 is a format", "zwei \u{fc}\n", "\u{105}", "<tag> and more"];
            assert_eq!(texts(&folder, &found), expected.map(|text| Ok(text.to_owned())));
            assert_eq!(found.iter().map(Batch::others).sum::<usize>(), 5);
            let offsets = found.iter().flat_map(Batch::records).map(|record| record.offset());
            let all = records();
            let before = |count: usize| all[..count].iter().map(Vec::len).sum::<usize>() as u64;
            assert!(offsets.eq([4, 5, 6, 7].map(before)), "{name}");
        }
    }
}

#[test]
fn an_id_is_that_of_the_record_or_another_field() {
    let folder = Folder::new();
    folder.write("a.warc", records().concat());
    let found = batches(&folder.sources(&["a.warc"]), 1 << 20, 1000);
    let ids = |fields: &Fields| {
        let ids = read(&folder, &found, fields, |document| document.id.map(|id| id.to_string()));
        ids.into_iter().map(|id| id.unwrap().unwrap_or_default()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&fields()), ["\"<urn:4>\"", "\"<urn:5>\"", "\"<urn:6>\"", "\"<urn:7>\""]);
    let by_uri = Fields { id: "warc-target-uri".to_owned(), ..fields() };
    assert_eq!(ids(&by_uri)[1], "\"http://example.org/5\"");
    assert_eq!(ids(&Fields { id: "none".to_owned(), ..fields() })[1], "");
    let default = found[0].record(0).unwrap().default_id().to_string();
    let offset: usize = records()[..4].iter().map(Vec::len).sum();
    assert!(default.ends_with(&format!("a.warc, record at byte {offset}\"")), "{default}");
    let typed = Fields { tag: Some("warc-type".to_owned()), ..fields() };
    let tags = read(&folder, &found, &typed, |document| document.tag.unwrap());
    assert_eq!(tags[1], Ok("conversion".to_owned()));
    let plain = read(&folder, &found, &Fields::default(), |document| document.text.into_owned());
    assert!(plain[0].as_ref().unwrap_err().contains("takes plain text"), "{plain:?}");
    assert_eq!(plain[1].as_ref().unwrap(), "zwei \u{fc}\n");
}

#[test]
fn a_capture_is_called_by_its_url_and_its_date() {
    let folder = Folder::new();
    let dated = |id: u32, without: &str| {
        let record =
            String::from_utf8(record("1.0", "conversion", "text/plain", id, b"x")).unwrap();
        let record = record.replacen(without, "WARC-Nothing:", 1);
        record.replacen("Content-Type", "WARC-Date: 2026-01-31T09:30:00Z\r\nContent-Type", 1)
    };
    folder.write(
        "a.warc",
        [dated(1, "no such field"), dated(2, "WARC-Record-ID:"), dated(3, "WARC-Target-URI:")]
            .concat(),
    );
    let found = batches(&folder.sources(&["a.warc"]), 1 << 20, 1000);
    let json = |id: Option<nearprint_corpus::Id<'_>>| id.map(|id| id.to_string());
    let names = read(&folder, &found, &fields(), |it| (json(it.id), json(it.record)));
    let [one, two, three] = <[_; 3]>::try_from(names).unwrap().map(Result::unwrap);
    let id = |number| Some(format!("\"http://example.org/{number} 2026-01-31T09:30:00Z\""));
    assert_eq!(one, (id(1), Some("\"<urn:1>\"".to_owned())));
    assert_eq!(two.0, id(2));
    assert!(two.1.unwrap().contains("a.warc, record at byte "));
    assert_eq!(three, (Some("\"<urn:3>\"".to_owned()), None));
    let by_host = Fields { id: "host".to_owned(), ..fields() };
    let hosts = read(&folder, &found, &by_host, |it| (json(it.id), json(it.record)));
    assert_eq!(hosts[0], Ok((Some("\"example.org\"".to_owned()), None)));
}

#[test]
fn a_wrong_length_names_the_record_and_the_next_is_read() {
    let folder = Folder::new();
    let good = || record("1.0", "conversion", "text/plain", 1, b"good");
    let bad = |length: &str| {
        let bytes = String::from_utf8(record("1.0", "conversion", "text/plain", 2, b"a\nbad one"));
        bytes.unwrap().replace("Content-Length: 9", length).into_bytes()
    };
    let at = good().len();
    for (length, message) in [
        (
            "Content-Length: 7",
            "Content-Length says 7 bytes, but the record does not end there; the length is \
             wrong, or the file is damaged",
        ),
        (
            "Content-Length: 300",
            "Content-Length says 300 bytes, but the record does not end there; the length is \
             wrong, or the file is damaged",
        ),
        (
            "Content-Length: 99999999999999999999",
            "the header of the WARC record is invalid: its Content-Length is not a number below 2^64",
        ),
        ("X: y", "the header of the WARC record is invalid: it has no Content-Length"),
        (
            "Content-Length: 5000",
            "the file ends inside the record, whose Content-Length says 5000 bytes; is it still \
             being written? otherwise its length is wrong or the file is cut off",
        ),
    ] {
        folder.write("a.warc", [good(), bad(length), good(), good(), good()].concat());
        for batch_bytes in [1, 64, 1 << 20] {
            let found = texts(&folder, &batches(&folder.sources(&["a.warc"]), batch_bytes, 9000));
            let told = Err(format!("a.warc, record at byte {at}: {message}"));
            let good = || Ok("good".to_owned());
            assert_eq!(found, [good(), told, good(), good(), good()], "{length}");
        }
    }
}

#[test]
fn a_head_that_cannot_be_used_says_which_part_is_wrong() {
    let folder = Folder::new();
    let good = record("1.0", "conversion", "text/plain", 1, b"good");
    let other_version = record("2.0", "conversion", "text/plain", 2, b"other");
    let endless = [b"WARC/1.0\r\nA: ".as_slice(), &[b'x'; 1 << 19]].concat();
    for (bad, problem) in [
        (other_version, "its version is not 1.0 or 1.1"),
        (endless, "it does not end within 256 KiB"),
    ] {
        folder.write("a.warc", [good.as_slice(), &bad, b"\n", &good].concat());
        // With small batches the end of the head is not there yet when the head is too long.
        for batch_bytes in [1, 1 << 20] {
            let sources = folder.sources(&["a.warc"]);
            let found = texts(&folder, &batches(&sources, batch_bytes, 1 << 20));
            let at = good.len();
            let message = format!("the header of the WARC record is invalid: {problem}");
            let told = Err(format!("a.warc, record at byte {at}: {message}"));
            assert_eq!(found, [Ok("good".to_owned()), told, Ok("good".to_owned())]);
        }
    }
}

#[test]
fn what_is_no_record_is_told_once() {
    let folder = Folder::new();
    let good = record("1.0", "conversion", "text/plain", 1, b"good");
    folder.write("a.warc", [b"\r\n", good.as_slice(), b"some\nlines\n\n", &good, b"WAR"].concat());
    for batch_bytes in [1, 1 << 20] {
        let found = texts(&folder, &batches(&folder.sources(&["a.warc"]), batch_bytes, 1000));
        let told = |at: usize| {
            let what = "expected a WARC record (WARC/1.0 or WARC/1.1), found something else";
            Err(format!("a.warc, record at byte {at}: {what}"))
        };
        let good_text = || Ok("good".to_owned());
        let last = 2 + 2 * good.len() + 12;
        assert_eq!(found, [good_text(), told(2 + good.len()), good_text(), told(last)]);
    }
}

#[test]
fn what_stands_between_records_costs_none() {
    let folder = Folder::new();
    let page = |id: u32| response(id, PAGE, format!("<p>page {id}").as_bytes());
    let text = |id: u32| Ok::<_, String>(format!("page {id}"));
    let (bom, zeros) = (&b"\xef\xbb\xbf"[..], vec![0_u8; 4096]);
    for between in [&[0_u8; 10][..], &zeros, b"   ", b"junkjunk", bom, b"WARC/", b"WARC/1.0 WAR"] {
        let whole = [&page(1)[..], between, &page(2), between, &page(3)].concat();
        let first = [between, &page(1), &page(2), between, &page(3)].concat();
        folder.write("a.warc", whole);
        folder.write("b.warc", first);
        for batch_bytes in [1, 100, 1 << 20] {
            let of =
                |name| texts(&folder, &batches(&folder.sources(&[name]), batch_bytes, 1 << 20));
            let found = of("a.warc");
            assert_eq!([&found[0], &found[2], &found[4]], [&text(1), &text(2), &text(3)]);
            assert!(found[1].is_err() && found[3].is_err() && found.len() == 5, "{found:?}");
            let found = of("b.warc");
            assert_eq!([&found[1], &found[2], &found[4]], [&text(1), &text(2), &text(3)]);
            assert!(found[0].is_err() && found[3].is_err() && found.len() == 5, "{found:?}");
        }
    }
    // Zeros in the place of the line ends behind a block.
    for zeros in [1, 4, 4095, 4096, 9000] {
        let bare = |id: u32| [&page(id)[..page(id).len() - 4], &vec![0_u8; zeros]].concat();
        folder.write("c.warc", [bare(1), bare(2)].concat());
        for batch_bytes in [1, 1 << 20] {
            let found =
                texts(&folder, &batches(&folder.sources(&["c.warc"]), batch_bytes, 1 << 20));
            assert_eq!([&found[0], &found[2]], [&text(1), &text(2)], "{zeros}");
        }
    }
}

#[test]
fn every_cut_is_noticed() {
    let folder = Folder::new();
    let records = [
        record("1.0", "conversion", "text/plain", 1, b"some text"),
        record("1.0", "metadata", "application/warc-fields", 2, b"a: b\r\n\r\n"),
    ];
    let whole = records.concat();
    // A record without its end, or with a part of it, is whole where its block is.
    let is_whole = |cut: &usize| {
        let ends = [records[0].len(), whole.len()];
        ends.iter().any(|end| (end - 4..=*end).contains(cut))
    };
    for cut in (1..whole.len()).filter(|cut| !is_whole(cut)) {
        folder.write("a.warc", &whole[..cut]);
        for batch_bytes in [1, 1 << 20] {
            let found = batches(&folder.sources(&["a.warc"]), batch_bytes, 1000);
            let last = found.last().unwrap();
            let record = last.record(last.len() - 1).unwrap();
            let error = record.document(&fields(), InvalidUtf8::Fail).unwrap_err();
            let reason = error.reason();
            assert!(["warc-cut", "no-warc-record"].contains(&reason), "{cut}: {error}");
            let whole_ones = usize::from(cut > records[0].len());
            assert_eq!(record.offset(), (records[0].len() * whole_ones) as u64);
        }
    }
}

#[test]
fn bytes_behind_the_last_member_are_damage() {
    let folder = Folder::new();
    let good = record("1.0", "conversion", "text/plain", 1, b"good");
    folder.write("a.warc.gz", [gzip(&good), b"trailing bytes".to_vec()].concat());
    let mut reader = Reader::new(&folder.sources(&["a.warc.gz"]), ReadOptions::default());
    assert_eq!(reader.next().unwrap().unwrap().record(0).unwrap().raw(), good);
    let error = reader.next().unwrap().unwrap_err();
    assert!(matches!(error, Error::Corrupt { offset, .. } if offset == good.len() as u64));
}

#[test]
fn a_long_record_is_reported_and_the_next_is_read() {
    let folder = Folder::new();
    let good = record("1.0", "conversion", "text/plain", 1, b"good");
    let long = record("1.0", "conversion", "text/plain", 2, "x y\n".repeat(1000).as_bytes());
    let carried = record("1.0", "metadata", "x/y", 3, &[b'\n'; 4000]);
    folder.write(
        "a.warc",
        [&good, &long, &good, &carried, &good, &long].map(|part| &part[..]).concat(),
    );
    for batch_bytes in [1, 100, 1 << 20] {
        let found = batches(&folder.sources(&["a.warc"]), batch_bytes, 400);
        let long: Vec<_> =
            found.iter().flat_map(Batch::records).map(|record| record.too_long()).collect();
        assert_eq!(long, [false, true, false, true, false, true], "{batch_bytes}");
    }
}

#[test]
fn a_mirrored_archive_is_one_again_record_by_record() {
    let folder = Folder::new();
    let members: Vec<_> = records().iter().map(|record| gzip(record)).collect();
    folder.write("in/a.warc.gz", members.concat());
    folder.write("in/b.warc.zst", zstd(&records().concat()));
    folder.write("in/c.warc.gz", gzip(&record("1.0", "conversion", "text/plain", 9, b"lost")));
    let sources = folder.sources(&["in"]);
    let mut outputs = Outputs::new(&sources, OutputOptions::default());
    let mut mirror = outputs.mirror(&folder.path("out"), &sources).unwrap();
    let mut single = outputs.survivors(&folder.path("all.warc.gz"), &sources).unwrap();
    let mut expected = Vec::new();
    for batch in batches(&sources, 1 << 20, 1000) {
        for at in 0..=batch.len() {
            for carried in batch.carried_before(at) {
                mirror.carry(&carried, carried.raw()).unwrap();
                single.carry(&carried, carried.raw()).unwrap();
                expected.push(carried.raw().to_vec());
            }
            let kept = |raw: &[u8]| String::from_utf8_lossy(raw).contains("one");
            if let Some(record) = batch.record(at).filter(|record| kept(&record.raw())) {
                mirror.write_record(&record).unwrap();
                single.write_record(&record.raw()).unwrap();
                expected.push(record.raw().to_vec());
            }
        }
    }
    mirror.commit().unwrap();
    single.commit().unwrap();
    assert_eq!(expected.len(), 12);
    let written = |name: &str| std::fs::read(folder.path(name)).unwrap();
    assert_eq!(members_of(&written("out/a.warc.gz")), expected[..6]);
    assert_eq!(members_of(&written("all.warc.gz")), expected);
    assert_eq!(members_of(&written("out/c.warc.gz")), [b""]);
    let frames = written("out/b.warc.zst");
    assert_eq!(zstd::decode_all(&frames[..]).unwrap(), expected[6..].concat());
    let magic = [0x28, 0xb5, 0x2f, 0xfd];
    assert_eq!(frames.windows(4).filter(|window| *window == magic).count(), 6);
}

/// The content of every gzip member.
pub(crate) fn members_of(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut members = Vec::new();
    while !bytes.is_empty() {
        let mut decoder = flate2::bufread::GzDecoder::new(bytes);
        let mut member = Vec::new();
        decoder.read_to_end(&mut member).unwrap();
        members.push(member);
        bytes = decoder.into_inner();
    }
    members
}

/// A record with another end than two line ends.
fn ended_by(end: &str, id: u32, block: &[u8]) -> Vec<u8> {
    let mut whole = record("1.0", "conversion", "text/plain", id, block);
    whole.truncate(whole.len() - 4);
    [&whole[..], end.as_bytes()].concat()
}

#[test]
fn records_are_whole_where_their_lengths_and_the_next_heads_agree() {
    let folder = Folder::new();
    let expected = ["one", "two\n", "WARC/1.0\r\n"];
    for end in ["\n\n", "\r\n", "\n", "", "\r\n\r\n\r\n", "\n\r\n"] {
        let mut records = Vec::new();
        for (id, block) in (0..).zip(expected) {
            records.push(ended_by(end, id, block.as_bytes()));
        }
        let last = ended_by("", 9, b"last");
        folder.write("in/a.warc", [&records.concat()[..], &last].concat());
        // Heads whose lines end in a line feed alone.
        let bare = String::from_utf8(ended_by("\n\n", 3, b"bare")).unwrap().replace('\r', "");
        folder.write("in/b.warc", [bare.as_bytes(), bare.as_bytes()].concat());
        for batch_bytes in [1, 50, 1 << 20] {
            let sources = folder.sources(&["in"]);
            let found = texts(&folder, &batches(&sources, batch_bytes, 1000));
            let told = expected.iter().chain(&["last", "bare", "bare"]);
            let told: Vec<_> = told.map(|text| Ok((*text).to_owned())).collect();
            assert_eq!(found, told, "{end:?}");
        }
        // What is written has the end that the standard asks for.
        let sources = folder.sources(&["in"]);
        let out = folder.path(&format!("out-{}.warc", end.len() * 10 + end.matches('\r').count()));
        let options = OutputOptions { force: true };
        let mut output = Outputs::new(&sources, options).survivors(&out, &sources).unwrap();
        for batch in batches(&sources, 1 << 20, 1000) {
            for record in batch.records() {
                output.write_record(&record.raw()).unwrap();
            }
        }
        output.commit().unwrap();
        let written = std::fs::read(&out).unwrap();
        let count = written.windows(4).filter(|window| window == b"\r\n\r\n").count();
        assert!(written.ends_with(b"bare\r\n\r\n") && count >= 6, "{end:?}");
    }
    // A length that no head follows is named.
    let wrong = [ended_by("xx\r\n\r\n", 1, b"one"), ended_by("\r\n\r\n", 2, b"two")].concat();
    folder.write("c.warc", wrong);
    let found = texts(&folder, &batches(&folder.sources(&["c.warc"]), 1 << 20, 1000));
    assert!(found[0].as_ref().unwrap_err().contains("does not end there"), "{found:?}");
    assert_eq!(found[1], Ok("two".to_owned()));
}

#[test]
fn line_ends_behind_a_record_end_it_however_many_and_however_it_is_read() {
    let folder = Folder::new();
    let page = |id: u32| {
        let record = response(id, PAGE, format!("<p>page {id}").as_bytes());
        record[..record.len() - 4].to_vec()
    };
    for ends in [0, 1, 4095, 4096, 4097, 20_000] {
        let records = [page(1), b"\n".repeat(ends), page(2), b"\n".repeat(ends)].concat();
        folder.write("a.warc", &records);
        folder.write("b.warc.gz", gzip(&records));
        for (name, batch_bytes) in [("a.warc", 1), ("a.warc", 5000), ("b.warc.gz", 1 << 20)] {
            let found = batches(&folder.sources(&[name]), batch_bytes, 1 << 20);
            let expected = ["page 1", "page 2"].map(|text| Ok(text.to_owned()));
            assert_eq!(texts(&folder, &found), expected, "{name} {ends}");
        }
    }
}

#[test]
fn the_dictionary_of_an_archive_is_read_from_its_first_frame() {
    let folder = Folder::new();
    let page = |id: u32| response(id, PAGE, format!("<p>page {id}").as_bytes());
    let samples: Vec<_> = (0..500).map(page).collect();
    let dictionary = zstd::dict::from_samples(&samples, 4000).unwrap();
    let mut compressor = zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
    let frames: Vec<_> = (1..4).map(|id| compressor.compress(&page(id)).unwrap()).collect();
    for held in [dictionary.clone(), zstd(&dictionary)] {
        let size = u32::try_from(held.len()).unwrap().to_le_bytes();
        let first = [b"\x5d\x2a\x4d\x18", &size[..], &held].concat();
        folder.write("a.warc.zst", [&first[..], &frames.concat()].concat());
        folder.write("b", [&first[..], &frames.concat()].concat());
        for name in ["a.warc.zst", "b"] {
            let found = batches(&folder.sources(&[name]), 1 << 20, 1000);
            let expected = ["page 1", "page 2", "page 3"].map(|text| Ok(text.to_owned()));
            assert_eq!(texts(&folder, &found), expected);
        }
        // A damaged frame is passed over, and those behind it need the dictionary too.
        let mut broken = frames[1].clone();
        broken[4] = 0xff;
        let start = (first.len() + frames[0].len()) as u64;
        folder.write("d.warc.zst", [&first[..], &frames[0], &broken, &frames[2]].concat());
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        for batch in Reader::new(&folder.sources(&["d.warc.zst"]), ReadOptions::default()) {
            match batch {
                Ok(batch) => found.push(batch),
                Err(error) => errors.push(error),
            }
        }
        assert_eq!(texts(&folder, &found), ["page 1", "page 3"].map(|text| Ok(text.to_owned())));
        assert!(
            matches!(errors[..], [Error::Member { start: at, .. }] if at == start),
            "{errors:?}"
        );
    }
    // Such a frame may hold anything.
    let other = [b"\x5d\x2a\x4d\x18\x03\x00\x00\x00abc".to_vec(), zstd(&page(7))].concat();
    folder.write("c.warc.zst", other);
    let found = batches(&folder.sources(&["c.warc.zst"]), 1 << 20, 1000);
    assert_eq!(texts(&folder, &found), [Ok("page 7".to_owned())]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(nearprint_testing::cases(200)) })]

    #[test]
    fn any_records_read_back(
        blocks in prop::collection::vec("([a\r\n]|WARC/1\\.0\r\n|Content-Length: 3\r\n){0,8}", 0..8),
        batch_bytes in 1_usize..300,
    ) {
        let records: Vec<_> = (0..)
            .zip(&blocks)
            .map(|(id, block)| record("1.1", "conversion", "text/plain", id, block.as_bytes()))
            .collect();
        let folder = Folder::new();
        folder.write("a.warc", records.concat());
        let found = batches(&folder.sources(&["a.warc"]), batch_bytes, 1000);
        prop_assert_eq!(raw(&found), records);
        let expected: Vec<_> = blocks.into_iter().map(Ok).collect();
        prop_assert_eq!(texts(&folder, &found), expected);
    }

    /// Whatever the damage, the same is read in small batches as in large ones.
    #[test]
    fn any_damage_is_read_alike(
        parts in prop::collection::vec(
            "(WARC/1\\.0\r\nContent-Length: [0-9]\r\n(WARC-Type: x\r\n)?\r\n|[a\r\n]|WARC/){0,3}",
            0..6,
        ),
        batch_bytes in 1_usize..60,
    ) {
        let folder = Folder::new();
        folder.write("a.warc", parts.concat());
        let told = |batch_bytes| {
            let found = batches(&folder.sources(&["a.warc"]), batch_bytes, 1000);
            (raw(&found).concat(), texts(&folder, &found))
        };
        prop_assert_eq!(told(batch_bytes), told(1 << 20));
    }
}
