//! Any bytes as CSV, TSV, JSONL or lines: the same records in batches of any size, and what is written of
//! them is read back as it was.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearprint_corpus::{Fields, InputFormat, InvalidUtf8, ReadOptions, Reader, Source, discover};
use std::sync::LazyLock;

static FILE: LazyLock<String> = LazyLock::new(|| {
    let name = format!("nearprint-fuzz-{}.rows", std::process::id());
    std::env::temp_dir().join(name).display().to_string()
});

const LIMIT: usize = 1024;

/// The bytes of every record and of what is carried, and its text or error; of tables with two fields
/// more, where that is asked for.
fn read(
    bytes: &[u8],
    format: InputFormat,
    batch_bytes: usize,
    noted: bool,
) -> (Vec<u8>, Vec<Result<String, String>>) {
    std::fs::write(&*FILE, bytes).unwrap();
    let mut sources = discover(std::slice::from_ref(&*FILE), Some(format)).unwrap();
    if format == InputFormat::TEXT {
        sources = sources.into_iter().map(Source::by_lines).collect();
    }
    let options = ReadOptions { batch_bytes, max_record_bytes: LIMIT, ..ReadOptions::default() };
    let (mut raw, mut texts) = (Vec::new(), Vec::new());
    for batch in Reader::new(&sources, options) {
        let batch = match batch {
            Ok(batch) => batch,
            Err(error) => {
                texts.push(Err(error.to_string()));
                continue;
            }
        };
        for at in 0..=batch.len() {
            let record = batch.record(at);
            let carried = batch.carried_before(at).map(|carried| (carried.raw(), carried.table()));
            let own = record.map(|record| (record.held(), batch.record(0).and_then(|r| r.table())));
            let carried = carried.map(|(row, table)| (row, table.map(|table| &**table)));
            for (row, table) in carried.chain(own) {
                match table.filter(|_| noted && !row.is_empty()) {
                    Some(table) => {
                        let fields = ["a\n\"b\"", "c,\td"];
                        raw.extend_from_slice(&table.with_fields(row, &fields));
                    }
                    None => raw.extend_from_slice(row),
                }
            }
            let Some(record) = record else { continue };
            let document = record.document(&Fields::default(), InvalidUtf8::Replace);
            texts
                .push(document.map(|found| found.text.into_owned()).map_err(|e| e.reason().into()));
        }
    }
    (raw, texts)
}

fuzz_target!(|bytes: &[u8]| {
    let [first, second, bytes @ ..] = bytes else { return };
    let formats = [InputFormat::CSV, InputFormat::TSV, InputFormat::JSONL, InputFormat::TEXT];
    let format = formats[usize::from(first % 4)];
    let (raw, texts) = read(bytes, format, 1 << 20, false);
    assert_eq!(read(bytes, format, usize::from(*second) + 1, false), (raw, texts.clone()));
    let whole = |texts: &[Result<String, String>]| {
        texts.iter().filter_map(|text| text.clone().ok()).collect::<Vec<_>>()
    };
    let (noted, _) = read(bytes, format, 1 << 20, true);
    if noted.len() <= LIMIT {
        let (_, again) = read(&noted, format, 1 << 20, false);
        assert_eq!(whole(&again), whole(&texts));
    }
});
