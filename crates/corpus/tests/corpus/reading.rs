//! Files into records: whole, in order, in bounded memory.

use crate::{Folder, bzip2, gzip, xz, zstd};
use nearprint_corpus::{
    Batch, Error, Fields, InputFormat, InvalidUtf8, ReadOptions, Reader, Source, discover,
    total_bytes,
};
use proptest::prelude::*;
use std::sync::atomic::Ordering;

fn options(batch_bytes: usize, max_record_bytes: usize) -> ReadOptions {
    ReadOptions { batch_bytes, max_record_bytes, ..ReadOptions::default() }
}

/// Line and bytes (`None` if too long) of a record.
type Found = (u64, Option<Vec<u8>>);

/// Every record, and the failures among them.
fn read(sources: &[Source], options: ReadOptions) -> Vec<Result<Found, Error>> {
    let mut found = Vec::new();
    let mut ordinal = 0;
    for batch in Reader::new(sources, options) {
        match batch {
            Err(error) => found.push(Err(error)),
            Ok(batch) => {
                assert_eq!(batch.first_record(), ordinal);
                assert!(batch.record(batch.len()).is_none());
                ordinal += batch.len() as u64;
                found.extend(batch.records().map(|record| {
                    let raw = (!record.too_long()).then(|| record.raw().to_vec());
                    Ok((record.line(), raw))
                }));
            }
        }
    }
    found
}

fn records(sources: &[Source], options: ReadOptions) -> Vec<Found> {
    read(sources, options).into_iter().map(Result::unwrap).collect()
}

fn line(number: u64, raw: &str) -> Found {
    (number, Some(raw.as_bytes().to_vec()))
}

#[test]
fn lines_are_records_and_blank_lines_are_none() {
    let folder = Folder::new();
    folder.write("a.jsonl", "\n{1}\r\n \t\r\n{2}\n\n\n{3}");
    for batch_bytes in [1, 4, 7, 1 << 20] {
        let found = records(&folder.sources(&["a.jsonl"]), options(batch_bytes, 100));
        assert_eq!(found, [line(2, "{1}\r\n"), line(4, "{2}\n"), line(7, "{3}")]);
    }
}

#[test]
fn the_mark_of_dos_at_the_end_is_no_row_and_in_none() {
    let folder = Folder::new();
    for (name, header, rows) in [
        ("a.jsonl", "", ["{\"a\":1}", "{\"a\":2}"]),
        ("a.csv", "id,text\r\n", ["1,a", "2,\"b\""]),
        ("a.tsv", "id\ttext\n", ["1\ta", "2\tb\u{1a}c"]),
    ] {
        let [one, two] = rows;
        for (end, marks) in [("\r\n", "\u{1a}"), ("", "\u{1a}"), ("\n", "\u{1a}\u{1a}\u{1a}")] {
            folder.write(name, format!("{header}{one}\r\n{two}{end}{marks}"));
            let lines = u64::from(!header.is_empty());
            let expected =
                [line(lines + 1, &format!("{one}\r\n")), line(lines + 2, &format!("{two}{end}"))];
            for batch_bytes in [1, 4, 7, 1 << 20] {
                let found = records(&folder.sources(&[name]), options(batch_bytes, 100));
                assert_eq!(found, expected, "{name} {end:?}");
            }
        }
        folder.write(name, format!("{header}\u{1a}"));
        assert_eq!(records(&folder.sources(&[name]), options(1, 100)), []);
    }
    folder.write("a.txt", "one\r\n\u{1a}");
    let lines = discover(&[folder.name("a.txt")], Some(InputFormat::LINES)).unwrap();
    assert_eq!(records(&lines, options(1, 100)), [line(1, "one\r\n")]);
}

#[test]
fn a_byte_order_mark_belongs_to_no_row_but_to_a_text_file() {
    let folder = Folder::new();
    folder.write("a.jsonl", "\u{feff}{1}\n{2}\n");
    folder.write("rows", "\u{feff}{1}\n");
    folder.write("b.txt", "\u{feff}one");
    let sources = folder.sources(&["a.jsonl", "rows", "b.txt"]);
    let found = records(&sources, ReadOptions::default());
    let expected = [line(1, "{1}\n"), line(2, "{2}\n"), line(1, "{1}\n"), line(1, "\u{feff}one")];
    assert_eq!(found, expected);
    let offsets: Vec<u64> =
        Reader::new(&sources, options(1, 100)).map(|batch| batch.unwrap().offset()).collect();
    assert_eq!(offsets, [3, 7, 3, 0]);
}

#[test]
fn a_text_file_is_one_record_even_if_empty() {
    let folder = Folder::new();
    folder.write("a.txt", "one\n\ntwo\n");
    folder.write("b.txt", "");
    for batch_bytes in [1, 5, 1 << 20] {
        let found = records(&folder.sources(&["a.txt", "b.txt"]), options(batch_bytes, 100));
        assert_eq!(found, [line(1, "one\n\ntwo\n"), line(1, "")]);
    }
}

#[test]
fn lines_that_end_with_a_carriage_return_alone_are_refused() {
    let folder = Folder::new();
    let long = "a line\r".repeat(2000);
    let mixed = format!("{long}\nend");
    for (text, lines) in [
        ("one\rtwo\rthree", None),
        (long.as_str(), None),
        ("one\r", Some(1)),
        ("one\r\r", Some(1)),
        ("one\rtwo\n", Some(1)),
        ("one line with\ra return", Some(1)),
        ("\rone", Some(1)),
        ("one\rtwo\r\n", Some(1)),
        ("one\rtwo\r", None),
        ("one\rtwo\rthree\n", None),
        ("\r\u{1} \0a\0 \0\r\u{1}", Some(1)),
        (mixed.as_str(), Some(2)),
    ] {
        folder.write("a.txt", text);
        folder.write("b.txt.gz", gzip(text.as_bytes()));
        for name in ["a.txt", "b.txt.gz"] {
            let sources = folder.sources(&[name]).into_iter().map(Source::by_lines);
            let read = Reader::new(&sources.collect::<Vec<_>>(), options(1000, 1 << 20));
            let read: Result<Vec<_>, Error> = read.collect();
            let told = read.map(|batches| batches.iter().map(Batch::len).sum::<usize>());
            let expected = lines.ok_or("unsupported");
            assert_eq!(told.map_err(|error| error.reason()), expected, "{text:.9}");
        }
    }
}

#[test]
fn a_long_line_is_reported_and_the_next_is_read() {
    let folder = Folder::new();
    let long = "x".repeat(5000);
    folder.write("a.jsonl", format!("{{1}}\n{long}\n{{3}}\n12345678\n123456789\n{long}"));
    for batch_bytes in [1, 3, 8, 64, 4999, 1 << 20] {
        let found = records(&folder.sources(&["a.jsonl"]), options(batch_bytes, 9));
        let expected = [
            line(1, "{1}\n"),
            (2, None),
            line(3, "{3}\n"),
            line(4, "12345678\n"),
            (5, None),
            (6, None),
        ];
        assert_eq!(found, expected, "{batch_bytes}");
    }
}

#[test]
fn a_long_line_is_never_held_whole() {
    let folder = Folder::new();
    let mut bytes = vec![b'x'; 1 << 24];
    bytes.extend(b"\n{2}\n");
    folder.write("a.jsonl.zst", zstd(&bytes));
    let reader = Reader::new(&folder.sources(&["a.jsonl.zst"]), options(1 << 12, 1 << 16));
    let read = reader.bytes_read();
    let held: Vec<usize> = reader.map(|batch| batch.unwrap().bytes()).collect();
    assert_eq!(held, [0, 4]);
    assert_eq!(read.load(Ordering::Relaxed), folder.sources(&["a.jsonl.zst"])[0].bytes().unwrap());
}

#[test]
fn no_more_of_a_long_record_is_read_than_the_limit() {
    let folder = Folder::new();
    for name in ["a.jsonl", "a.txt"] {
        folder.write(name, vec![b'x'; 1 << 20]);
        let mut reader = Reader::new(&folder.sources(&[name]), options(4096, 70_000));
        assert!(reader.next().unwrap().unwrap().record(0).unwrap().too_long());
        assert_eq!(reader.bytes_read().load(Ordering::Relaxed), 70_001, "{name}");
    }
}

#[test]
fn a_long_text_file_is_reported() {
    let folder = Folder::new();
    folder.write("a.txt", "123456");
    folder.write("b.txt", "12345");
    for batch_bytes in [1, 100] {
        let found = records(&folder.sources(&["a.txt", "b.txt"]), options(batch_bytes, 5));
        assert_eq!(found, [(1, None), line(1, "12345")]);
    }
}

#[test]
fn compression_is_told_by_content() {
    let folder = Folder::new();
    folder.write("a.jsonl", [gzip(b"{1}\n{2"), gzip(b"}\n"), gzip(b""), gzip(b"{3}\n")].concat());
    folder.write("b.jsonl.gz", [zstd(b"{4}\n{5"), zstd(b"}\n")].concat());
    folder.write("c.jsonl.zst", "{6}\n");
    let skippable = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc";
    let frames = [skippable.to_vec(), zstd(b"{7}\n"), skippable.to_vec()].concat();
    folder.write("d.jsonl.zst", frames);
    folder.write("e.jsonl", [bzip2(b"{8}\n{9"), bzip2(b"}\n"), bzip2(b"")].concat());
    // Zeros between xz streams are padding.
    folder.write("f.jsonl", [xz(b"{0}\n{1"), vec![0; 8], xz(b""), xz(b"}\n")].concat());
    let names = ["a.jsonl", "b.jsonl.gz", "c.jsonl.zst", "d.jsonl.zst", "e.jsonl", "f.jsonl"];
    let sources = folder.sources(&names);
    let found: Vec<u8> =
        records(&sources, options(2, 100)).into_iter().flat_map(|(_, raw)| raw.unwrap()).collect();
    assert_eq!(
        String::from_utf8(found).unwrap(),
        "{1}\n{2}\n{3}\n{4}\n{5}\n{6}\n{7}\n{8}\n{9}\n{0}\n{1}\n"
    );
}

#[test]
fn bytes_are_counted_as_they_lie_on_disk() {
    let folder = Folder::new();
    folder.write("a.jsonl.gz", gzip(&b"{}\n".repeat(10_000)));
    folder.write("b.txt", "text");
    let sources = folder.sources(&["a.jsonl.gz", "b.txt"]);
    let mut reader = Reader::new(&sources, ReadOptions::default());
    let read = reader.bytes_read();
    assert_eq!(read.load(Ordering::Relaxed), 0);
    assert!(reader.by_ref().all(|batch| batch.is_ok()));
    assert_eq!(Some(read.load(Ordering::Relaxed)), total_bytes(&sources));
    assert_eq!(
        total_bytes(&sources),
        Some(std::fs::metadata(folder.path("a.jsonl.gz")).unwrap().len() + 4)
    );
}

/// The same bytes in every compression, with its name.
fn compressed(bytes: &[u8]) -> [(&'static str, Vec<u8>); 4] {
    [("gzip", gzip(bytes)), ("zstd", zstd(bytes)), ("bzip2", bzip2(bytes)), ("xz", xz(bytes))]
}

/// Lines that hardly compress, so that a cut leaves whole ones before it.
fn noise() -> Vec<u8> {
    let mut state = 1_u64;
    let mut lines = Vec::new();
    for _ in 0..40_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        lines.extend(format!("{:08x}\n", state >> 32).into_bytes());
    }
    lines
}

#[test]
fn a_file_that_ends_early_yields_what_is_whole_and_says_where() {
    let folder = Folder::new();
    let noise = noise();
    folder.write("last.jsonl", "{}\n");
    for (name, bytes) in compressed(&noise) {
        folder.write("cut.jsonl", &bytes[..bytes.len() / 2]);
        let mut found = read(&folder.sources(&["cut.jsonl", "last.jsonl"]), options(1000, 100));
        assert_eq!(found.pop().unwrap().unwrap(), line(1, "{}\n"));
        let error = found.pop().unwrap().unwrap_err();
        let Error::Truncated { offset, .. } = error else { panic!("{error}") };
        let whole: Vec<u8> =
            found.into_iter().flat_map(|found| found.unwrap().1.unwrap()).collect();
        assert!(whole.len() > 10_000 && whole == noise[..whole.len()]);
        assert_eq!(whole.len() as u64, offset / 9 * 9);
        assert_eq!(
            folder.message(&error),
            format!(
                "cut.jsonl: the {name} data ends early, after {offset} decompressed bytes; is the \
                 file still being written? otherwise download or copy it again"
            )
        );
        assert_eq!(error.reason(), "truncated");
    }
}

#[test]
fn every_cut_of_a_compressed_file_is_noticed() {
    let folder = Folder::new();
    for ((name, first), (_, second)) in compressed(b"{1}\n").into_iter().zip(compressed(b"{2}\n")) {
        let (first, bytes) = (first.len(), [first, second].concat());
        for cut in (4..bytes.len()).filter(|cut| *cut != first) {
            folder.write("cut.jsonl", &bytes[..cut]);
            let mut found = read(&folder.sources(&["cut.jsonl"]), ReadOptions::default());
            let error = found.pop().unwrap().unwrap_err();
            assert_eq!(error.reason(), "truncated", "{name}, {cut}: {error}");
        }
    }
}

#[test]
fn a_damaged_file_says_where() {
    let folder = Folder::new();
    let noise = noise();
    for (name, mut bytes) in compressed(&noise) {
        let middle = bytes.len() / 2;
        bytes[middle..middle + 64].fill(0xff);
        folder.write("bad.txt", &bytes);
        let error =
            read(&folder.sources(&["bad.txt"]), ReadOptions::default()).pop().unwrap().unwrap_err();
        assert_eq!(error.reason(), "corrupt", "{error}");
        let message = folder.message(&error);
        assert!(message.starts_with(&format!("bad.txt: the {name} data is damaged after ")));
        assert!(message.ends_with("); download or copy the file again"), "{message}");
    }
}

#[test]
fn bytes_behind_a_compressed_file_are_damage() {
    let folder = Folder::new();
    for (name, bytes) in compressed(b"{1}\n") {
        folder.write("a.jsonl", [bytes, b"trailing bytes".to_vec()].concat());
        let mut found = read(&folder.sources(&["a.jsonl"]), ReadOptions::default());
        assert_eq!(found.pop().unwrap().unwrap_err().reason(), "corrupt", "{name}");
        assert_eq!(found.pop().unwrap().unwrap(), line(1, "{1}\n"), "{name}");
    }
}

#[test]
fn a_failure_behind_a_long_line_is_not_lost() {
    let folder = Folder::new();
    let mut bytes = gzip(&vec![b'x'; 100_000]);
    bytes.truncate(bytes.len() - 4);
    folder.write("a.jsonl", &bytes);
    for batch_bytes in [100, 1 << 20] {
        let found = read(&folder.sources(&["a.jsonl"]), options(batch_bytes, 10));
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].as_ref().unwrap(), &(1, None));
        assert_eq!(found[1].as_ref().unwrap_err().reason(), "truncated");
    }
}

#[test]
fn a_file_that_vanishes_is_named_and_the_next_is_read() {
    let folder = Folder::new();
    folder.write("a.txt", "a");
    folder.write("b.txt", "b");
    let sources = folder.sources(&["a.txt", "b.txt"]);
    std::fs::remove_file(folder.path("a.txt")).unwrap();
    let found = read(&sources, ReadOptions::default());
    let error = found[0].as_ref().unwrap_err();
    assert!(folder.message(error).starts_with("cannot read a.txt: "), "{error}");
    assert_eq!(found[1].as_ref().unwrap(), &line(1, "b"));
}

#[test]
fn a_batch_goes_to_another_thread() {
    fn sent<T: Send + Sync>() {}
    sent::<nearprint_corpus::Batch>();
    fn moved<T: Send>() {}
    moved::<Reader>();
    moved::<nearprint_corpus::Output>();
    moved::<nearprint_corpus::Mirror>();
}

/// A line of a file: a row or blank, with its end.
fn any_line() -> impl Strategy<Value = (String, bool)> {
    let row = "\\PC{0,40}".prop_map(|text| {
        let text = serde_json::Value::from(text);
        (format!("{{\"text\":{text}}}"), true)
    });
    let blank = "[ \t]{0,3}".prop_map(|blank| (blank, false));
    (prop_oneof![4 => row, 1 => blank], prop_oneof!["\n", "\r\n"])
        .prop_map(|((content, is_row), end)| (content + &end, is_row))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(nearprint_testing::cases(200)) })]

    #[test]
    fn any_rows_read_back_whatever_the_wrapping(
        lines in prop::collection::vec(any_line(), 0..30),
        last_end in any::<bool>(),
        batch_bytes in 1_usize..64,
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        wrapping in 0..5,
    ) {
        let mut lines = lines;
        if let Some((last, true)) = lines.last_mut().filter(|_| !last_end) {
            last.truncate(last.trim_end_matches(['\r', '\n']).len());
        }
        let bytes: Vec<u8> = lines.iter().flat_map(|(line, _)| line.bytes()).collect();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        cuts.push(bytes.len());
        let mut file = Vec::new();
        let mut start = 0;
        for end in cuts {
            let part = &bytes[start..end];
            start = end;
            file.extend(match wrapping {
                0 => part.to_vec(),
                1 => gzip(part),
                2 => bzip2(part),
                3 => xz(part),
                _ => zstd(part),
            });
        }
        let folder = Folder::new();
        folder.write("a.jsonl", file);
        let sources = folder.sources(&["a.jsonl"]);
        let expected: Vec<_> = (1..)
            .zip(&lines)
            .filter(|(_, (_, is_row))| *is_row)
            .map(|(number, (raw, _))| line(number, raw))
            .collect();
        prop_assert_eq!(records(&sources, options(batch_bytes, 1000)), expected);
    }
}

#[cfg(unix)]
#[test]
fn a_prompt_reader_waits_for_no_more_than_a_record() {
    use std::io::Write;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    let folder = Folder::new();
    let pipe = folder.path("pipe.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let sources = discover(&[folder.name("pipe.jsonl")], Some(InputFormat::JSONL)).unwrap();
    let (send, found) = channel();
    std::thread::spawn(move || {
        let options = ReadOptions { prompt: true, ..ReadOptions::default() };
        for batch in Reader::new(&sources, options) {
            let batch = batch.unwrap();
            send.send(batch.records().map(|record| record.raw().to_vec()).collect::<Vec<_>>())
                .unwrap();
        }
    });
    let mut writer = std::fs::File::options().write(true).open(&pipe).unwrap();
    let next = || found.recv_timeout(Duration::from_secs(20)).unwrap();
    writer.write_all(b"{\"text\": 1}\n").unwrap();
    assert_eq!(next(), [b"{\"text\": 1}\n"]);
    writer.write_all(b"{\"b\": 2}\n{\"c\": 3}\n{\"d").unwrap();
    assert_eq!(next().concat(), b"{\"b\": 2}\n{\"c\": 3}\n");
    writer.write_all(b"\": 4}\n").unwrap();
    assert_eq!(next(), [b"{\"d\": 4}\n"]);
}

#[test]
fn what_is_compressed_twice_is_read() {
    let folder = Folder::new();
    let rows = b"{\"text\":\"one\"}\n{\"text\":\"two\"}\n";
    let wide: Vec<u8> = "\u{feff}{\"text\":\"one\"}\n{\"text\":\"two\"}\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for (name, bytes) in [
        ("a.jsonl.gz", gzip(&gzip(rows))),
        ("b.jsonl.gz.gz", gzip(&[gzip(&rows[..15]), gzip(&rows[15..])].concat())),
        ("c.jsonl.gz", gzip(&zstd(rows))),
        ("d.jsonl.zst", zstd(&gzip(&wide))),
    ] {
        folder.write(name, bytes);
        let sources = folder.sources(&[name]);
        let batches: Vec<_> =
            Reader::new(&sources, ReadOptions::default()).map(Result::unwrap).collect();
        let records = batches.iter().flat_map(Batch::records);
        let texts: Vec<_> = records
            .map(|it| it.document(&Fields::default(), InvalidUtf8::Fail).unwrap().text.into_owned())
            .collect();
        assert_eq!(texts, ["one", "two"], "{name}");
    }
    // The inner one is cut.
    folder.write("e.jsonl.gz", gzip(&gzip(rows)[..20]));
    let sources = folder.sources(&["e.jsonl.gz"]);
    let failed = Reader::new(&sources, ReadOptions::default()).find_map(Result::err).unwrap();
    assert_eq!(failed.reason(), "truncated");
}

#[test]
fn utf_16_that_begins_as_ascii_does_is_read() {
    let folder = Folder::new();
    // Their first words are ASCII in UTF-16, byte for byte.
    for (name, text) in [
        (
            "a.txt",
            "\u{928}\u{92e}\u{938}\u{94d}\u{924}\u{947} \u{926}\u{941}\u{928}\u{93f}\u{92f}\u{93e}",
        ),
        (
            "b.txt",
            "\u{3053}\u{3068}\u{3070}\u{3068}\u{3044}\u{3046}\u{306f}\u{3001} \u{3075}\u{3057}\u{304e}",
        ),
        ("c.txt", "\u{3053}\u{3068}\u{3070} \u{306e} \u{3042}\u{305d}\u{3073}"),
    ] {
        let units = text.encode_utf16().chain([0x0a]);
        folder.write(name, units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
        let sources = folder.sources(&[name]);
        let batch = Reader::new(&sources, ReadOptions::default()).next().unwrap().unwrap();
        let record = batch.record(0).unwrap();
        let read = record.document(&Fields::default(), InvalidUtf8::Fail).unwrap().text;
        assert_eq!(read.trim_end(), text, "{name}");
    }
}
