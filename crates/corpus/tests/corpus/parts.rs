//! Plain files of lines that several threads read: the same batches as one thread gives.

use crate::{Folder, gzip};
use encoding_rs::ISO_2022_JP;
use nearprint_corpus::{Batch, Error, Lot, ReadOptions, Reader, Source};
use proptest::prelude::*;
use std::sync::Mutex;
use std::thread;

/// A batch: its source, where it begins, its first record, and the line and the bytes of each, none of one that is too
/// long.
type Seen = (usize, u64, u64, Vec<(u64, Option<Vec<u8>>)>);

fn seen(batch: &Batch) -> Seen {
    let records = batch
        .records()
        .map(|record| (record.line(), (!record.too_long()).then(|| record.raw().to_vec())));
    (batch.source_index(), batch.offset(), batch.first_record(), records.collect())
}

/// All batches with records, read by so many threads.
fn by_threads(sources: &[Source], options: ReadOptions, threads: usize) -> Vec<Seen> {
    let lots = Mutex::new(Reader::new(sources, options).lots().enumerate());
    let read = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let next: Option<(usize, Lot)> = lots.lock().unwrap().next();
                    let Some((number, lot)) = next else { return };
                    let batch = lot.read().unwrap();
                    read.lock().unwrap().push((number, seen(&batch)));
                }
            });
        }
    });
    let mut read = read.into_inner().unwrap();
    read.sort_unstable();
    read.into_iter().map(|(_, seen)| seen).filter(|seen| !seen.3.is_empty()).collect()
}

fn options(batch_bytes: usize, max_record_bytes: usize) -> ReadOptions {
    ReadOptions { batch_bytes, max_record_bytes, ..ReadOptions::default() }
}

fn lines() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        6 => "[a-z{}\"]{1,30}",
        2 => Just(String::new()),
        1 => " {1,40}",
        1 => "[a-z\u{e4}]{80,400}",
    ];
    let end = prop_oneof![6 => Just("\n"), 1 => Just("\r\n")];
    let lines = proptest::collection::vec((line, end), 0..60);
    (lines, any::<bool>(), prop_oneof![4 => Just(""), 1 => Just("\u{feff}")]).prop_map(
        |(lines, ended, mark)| {
            let mut text: String = lines.iter().flat_map(|(line, end)| [&**line, *end]).collect();
            if !ended {
                text.truncate(text.trim_end().len());
            }
            format!("{mark}{text}").into_bytes()
        },
    )
}

proptest! {
    #[test]
    fn parts_are_the_batches_of_one_thread(
        files in proptest::collection::vec((lines(), any::<bool>()), 1..4),
        batch_bytes in 1_usize..200,
        limit in 20_usize..500,
        threads in 1_usize..4,
    ) {
        let folder = Folder::new();
        let (mut names, mut packed) = (Vec::new(), Vec::new());
        for (number, (bytes, is_text)) in files.iter().enumerate() {
            let name = format!("{number}.{}", if *is_text { "txt" } else { "jsonl" });
            folder.write(&name, bytes);
            folder.write(&format!("{name}.gz"), gzip(bytes));
            packed.push(format!("{name}.gz"));
            names.push(name);
        }
        let sources = |names: &[String]| -> Vec<Source> {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            folder.sources(&names).into_iter().map(Source::by_lines).collect()
        };
        let options = options(batch_bytes, limit);
        // Compressed files are read by one thread.
        let expected: Vec<Seen> = Reader::new(&sources(&packed), options)
            .map(|batch| seen(&batch.unwrap()))
            .filter(|seen| !seen.3.is_empty())
            .collect();
        prop_assert_eq!(&by_threads(&sources(&names), options, threads), &expected);
        let one_by_one = Reader::new(&sources(&names), options).map(|batch| seen(&batch.unwrap()));
        let one_by_one: Vec<Seen> = one_by_one.filter(|seen| !seen.3.is_empty()).collect();
        prop_assert_eq!(&one_by_one, &expected);
    }
}

#[test]
fn japanese_that_begins_late_is_read_in_parts_too() {
    let row = |text: &str| format!("{{\"text\": \"{text}\"}}\n");
    let rows: String = (0..300).map(|n| row(&format!("row {n}"))).collect();
    let text = rows.clone() + &row("\u{543e}\u{8f29}\u{306f}\u{732b}").repeat(200) + &rows;
    let (encoded, ..) = ISO_2022_JP.encode(&text);
    let folder = Folder::new();
    folder.write("a.jsonl", &encoded);
    folder.write("b.jsonl", [rows.as_bytes(), "\u{e4}\n".as_bytes(), &encoded].concat());
    for threads in [1, 3] {
        let sources = folder.sources(&["a.jsonl"]);
        let batches = by_threads(&sources, options(1000, 1 << 20), threads);
        let records = batches.into_iter().flat_map(|batch| batch.3);
        let read: Vec<u8> = records.flat_map(|(_, raw)| raw.unwrap()).collect();
        assert_eq!(String::from_utf8(read).unwrap(), text);
        // Behind a byte that ISO-2022-JP does not have, escapes are what they are.
        let batches = by_threads(&folder.sources(&["b.jsonl"]), options(1000, 1 << 20), threads);
        let records = batches.into_iter().flat_map(|batch| batch.3);
        let read: Vec<u8> = records.flat_map(|(_, raw)| raw.unwrap()).collect();
        assert!(read.ends_with(&encoded));
    }
}

#[test]
fn japanese_behind_a_line_that_is_too_long() {
    let row = |text: &str| format!("{{\"text\": \"{text}\"}}\n");
    let japanese = row("\u{543e}\u{8f29}\u{306f}\u{732b}").repeat(50);
    let long = row(&"x".repeat(5000));
    for text in [format!("{long}{japanese}"), format!("{japanese}{long}{japanese}")] {
        let (encoded, ..) = ISO_2022_JP.encode(&text);
        let folder = Folder::new();
        folder.write("a.jsonl", &encoded);
        let batches = by_threads(&folder.sources(&["a.jsonl"]), options(300, 1000), 2);
        let records: Vec<_> = batches.into_iter().flat_map(|batch| batch.3).collect();
        let expected = text.lines().zip(1..).map(|(line, number)| {
            (number, (line.len() < 1000).then(|| format!("{line}\n").into_bytes()))
        });
        assert_eq!(records, expected.collect::<Vec<_>>());
    }
}

#[test]
fn bytes_read_are_those_of_the_file() {
    let folder = Folder::new();
    let text = "{\"text\": \"four\"}\n".repeat(1000);
    folder.write("a.jsonl", &text);
    folder.write("a.txt", &text);
    for name in ["a.jsonl", "a.txt"] {
        let sources: Vec<_> = folder.sources(&[name]).into_iter().map(Source::by_lines).collect();
        let reader = Reader::new(&sources, options(100, 1 << 20));
        let bytes = reader.bytes_read();
        let lots: Vec<Lot> = reader.lots().collect();
        assert_eq!(lots.iter().map(Lot::bytes).sum::<usize>(), text.len(), "{name}");
        for lot in lots {
            lot.read().unwrap();
        }
        let read = bytes.load(std::sync::atomic::Ordering::Relaxed);
        assert_eq!(read, text.len() as u64, "{name}");
    }
}

#[test]
fn a_file_that_got_shorter_ends_where_it_ends() {
    let folder = Folder::new();
    // Longer than what is read to find the end of a part.
    folder.write("a.jsonl", "{\"text\": \"one\"}\n".repeat(10_000));
    let mut lots = Reader::new(&folder.sources(&["a.jsonl"]), options(1 << 16, 1000)).lots();
    let first = lots.next().unwrap();
    let file = std::fs::File::options().write(true).open(folder.path("a.jsonl")).unwrap();
    file.set_len(24).unwrap();
    let read: Result<Vec<usize>, Error> =
        [first].into_iter().chain(lots).map(|lot| lot.read().map(|batch| batch.len())).collect();
    assert_eq!(read.unwrap().iter().sum::<usize>(), 2);
}
