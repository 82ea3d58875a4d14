//! Compressed files whose names tell something else, that are cut at their beginning, or need a dictionary.

use crate::{Folder, bzip2, gzip, xz, zstd};
use nearprint_corpus::{
    Discovery, Error, InputFormat, Obstacle, OutputOptions, Outputs, ReadOptions, Reader, Source,
    publish,
};
use std::io::Write;

const ROWS: &str =
    "{\"text\":\"one\"}\n{\"text\":\"two, and more of it than fits into a few bytes\"}\n";
const NAMES: [&str; 4] = ["a.jsonl.gz", "a.jsonl.zst", "a.jsonl.bz2", "a.jsonl.xz"];

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 4096, 6, 22);
    writer.write_all(bytes).unwrap();
    writer.into_inner()
}

/// Bytes that are nothing.
fn noise(count: usize) -> Vec<u8> {
    let mut seed = 7_u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed.to_be_bytes()[0]
    };
    (0..count).map(|_| next()).collect()
}

/// All records.
fn read(sources: &[Source]) -> Result<String, Error> {
    let mut all = Vec::new();
    for batch in Reader::new(sources, ReadOptions::default()) {
        batch?.records().for_each(|record| all.extend_from_slice(&record.raw()));
    }
    Ok(String::from_utf8(all).unwrap())
}

#[test]
fn what_is_compressed_more_than_twice_is_named() {
    let folder = Folder::new();
    let twice = gzip(&zstd(ROWS.as_bytes()));
    folder.write("a.jsonl.gz", &twice);
    assert_eq!(read(&folder.sources(&["a.jsonl.gz"])).unwrap(), ROWS);
    for thrice in [gzip(&twice), xz(&gzip(&bzip2(ROWS.as_bytes())))] {
        folder.write("a.jsonl.gz", thrice);
        let error = read(&folder.sources(&["a.jsonl.gz"])).unwrap_err();
        let told = "a.jsonl.gz is compressed more than twice, not text; decompress it first";
        assert_eq!(folder.message(&error), told);
    }
}

#[test]
fn a_pointer_of_git_lfs_is_named_in_every_format() {
    let folder = Folder::new();
    let version = "version https://git-lfs.github.com/spec/v1\n";
    let pointer = format!("{version}oid sha256:{}\nsize 12345\n", "4d7a".repeat(16));
    let names = [
        "a.parquet",
        "a.arrow",
        "a.jsonl",
        "a.jsonl.gz",
        "a.csv",
        "a.tsv.br",
        "a.txt",
        "a.html",
        "a.warc.gz",
        "a.seen.jsonl.zst",
    ];
    for name in names {
        folder.write(name, &pointer);
        let error = read(&folder.sources(&[name])).unwrap_err();
        let told = "is a pointer of Git LFS, and its content was not fetched; run git lfs pull";
        assert_eq!(folder.message(&error), format!("{name} {told}"));
        assert_eq!(error.reason(), "lfs-pointer");
    }
    let columns = Outputs::column_names(&folder.sources(&["a.parquet"])[0]);
    assert!(matches!(columns, Err(Error::Pointer { .. })));
    // By a name that tells no format it is refused, and passed over in a folder.
    folder.write("in/model.bin", &pointer);
    folder.write("in/a.jsonl", ROWS);
    assert!(matches!(folder.discover(&["in/model.bin"]), Err(Error::Pointer { .. })));
    let (found, passed) = Discovery::new().find(&[folder.name("in")]).unwrap();
    assert_eq!((found.len(), passed[0].obstacle), (1, Obstacle::Pointer));
    // Texts that begin so are texts, and so is what is longer than any pointer.
    let guide = format!("{pointer}\n{}", "What stands above is a pointer. ".repeat(40));
    let other = format!("{version}\nof the pointer");
    for text in [version.to_owned(), "version 2".to_owned(), other, guide] {
        folder.write("b.txt", &text);
        assert_eq!(read(&folder.sources(&["b.txt"])).unwrap(), text);
    }
}

#[test]
fn content_tells_the_compression_whatever_the_name_says() {
    let folder = Folder::new();
    let long = ROWS.repeat(5000);
    for rows in [ROWS, &long] {
        let bytes = rows.as_bytes();
        let contents =
            [gzip(bytes), zstd(bytes), bzip2(bytes), xz(bytes), brotli(bytes), bytes.to_vec()];
        for content in contents {
            for name in NAMES {
                folder.write(name, &content);
                assert_eq!(read(&folder.sources(&[name])).unwrap(), rows, "{name}");
            }
        }
    }
    for (name, content) in [("a.jsonl.br", brotli(long.as_bytes())), ("b.jsonl.BR", ROWS.into())] {
        folder.write(name, &content);
        let rows = if name == "a.jsonl.br" { &*long } else { ROWS };
        let sources = folder.sources(&[name]);
        assert_eq!(read(&sources).unwrap(), rows, "{name}");
        // A folder that mirrors it has a file of the same kind.
        let mut outputs = Outputs::new(&sources, OutputOptions { force: true });
        let mut mirror = outputs.mirror(&folder.path("out"), &sources).unwrap();
        for batch in Reader::new(&sources, ReadOptions::default()) {
            batch.unwrap().records().for_each(|record| mirror.write_record(&record).unwrap());
        }
        publish([mirror.finish().unwrap()]).unwrap();
        assert_eq!(read(&folder.sources(&[&format!("out/{name}")])).unwrap(), rows);
        assert!(!std::fs::read(folder.path(&format!("out/{name}"))).unwrap().starts_with(b"{"));
    }
    // Without the name of a format, and with another text in it.
    folder.write("part.gz", brotli(ROWS.as_bytes()));
    let sources = folder.sources(&["part.gz"]);
    assert_eq!(sources[0].format(), Some(InputFormat::JSONL));
    assert_eq!(read(&sources).unwrap(), ROWS);
    folder.write("b.jsonl.gz", brotli(&gzip(ROWS.as_bytes())));
    assert_eq!(read(&folder.sources(&["b.jsonl.gz"])).unwrap(), ROWS);
    folder.write("latin.txt.gz", b"caf\xe9 au lait");
    assert!(
        Reader::new(&folder.sources(&["latin.txt.gz"]), ReadOptions::default())
            .all(|it| it.is_ok())
    );
    let brotli = brotli(long.as_bytes());
    folder.write("cut.jsonl.gz", &brotli[..brotli.len() - 1]);
    let cut = read(&folder.sources(&["cut.jsonl.gz"])).unwrap_err();
    assert!(["misnamed", "truncated"].contains(&cut.reason()), "{cut}");
}

#[test]
fn what_is_no_data_of_its_name_is_named() {
    let folder = Folder::new();
    folder.write("a.jsonl.gz", noise(5000));
    let error = read(&folder.sources(&["a.jsonl.gz"])).unwrap_err();
    assert_eq!(
        folder.message(&error),
        "a.jsonl.gz: its name says gzip, and it is binary data: neither gzip, zstd, bzip2, xz or brotli, nor text; is \
         it another file, or was its beginning lost?"
    );
    folder.write("b.jsonl.zst", b"PK\x03\x04\x14\0\0\0 and more");
    let error = read(&folder.sources(&["b.jsonl.zst"])).unwrap_err();
    assert!(error.to_string().contains("its name says zstd, and it is a ZIP archive"), "{error}");
    // One that is named is an error, one that is found is passed over.
    folder.write("in/part.gz", noise(5000));
    folder.write("in/a.txt", "a text");
    assert_eq!(folder.discover(&["in/part.gz"]).unwrap_err().reason(), "misnamed");
    let (found, passed) = Discovery::new().find(&[folder.name("in")]).unwrap();
    assert_eq!((found.len(), passed[0].obstacle), (1, Obstacle::Binary));
    for (name, bytes) in NAMES.iter().zip([&b"\x1f"[..], b"\x28\xb5", b"B", b"\xfd7"]) {
        folder.write(name, bytes);
        let cut = read(&folder.sources(&[name])).unwrap_err();
        assert!(cut.reason() == "truncated" && cut.to_string().contains(name), "{cut}");
    }
}

/// As tapes and editors leave them.
#[test]
fn zeros_behind_streams_are_passed_over_and_other_bytes_are_named() {
    let folder = Folder::new();
    let rows = ROWS.as_bytes();
    for (name, stream) in
        [("a.jsonl.gz", gzip(rows)), ("a.jsonl.bz2", bzip2(rows)), ("a.jsonl.xz", xz(rows))]
    {
        let two = [&stream[..], &[0; 7], &stream].concat();
        for zeros in [&[][..], &[0], &[0; 4], &[0; 5000]] {
            folder.write(name, [&two[..], zeros].concat());
            assert_eq!(read(&folder.sources(&[name])).unwrap(), ROWS.repeat(2), "{name}");
        }
        for other in [&b"\n"[..], b"\0\r\n", b"and some words\n"] {
            folder.write(name, [&two[..], other].concat());
            let error = read(&folder.sources(&[name])).unwrap_err();
            let told = "the data are complete, but followed by bytes that are not ";
            assert!(error.reason() == "corrupt" && error.to_string().contains(told), "{error}");
        }
        folder.write(name, &two[..two.len() - 3]);
        assert_eq!(read(&folder.sources(&[name])).unwrap_err().reason(), "truncated", "{name}");
    }
}

#[test]
fn a_dictionary_is_told_from_damage() {
    let folder = Folder::new();
    let row =
        |id: u32| format!("{{\"text\":\"the row of the number {id} of many\"}}\n").into_bytes();
    let samples: Vec<_> = (0..2000).map(row).collect();
    let dictionary = ::zstd::dict::from_samples(&samples, 3000).unwrap();
    let mut compressor = ::zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
    let frame = compressor.compress(&row(7)).unwrap();
    let nothing = compressor.compress(b"").unwrap();
    let of = |held: &[u8]| {
        let size = u32::try_from(held.len()).unwrap().to_le_bytes();
        [b"\x5d\x2a\x4d\x18", &size[..], held].concat()
    };
    let read = |bytes: &[u8]| {
        folder.write("a.jsonl.zst", bytes);
        read(&folder.sources(&["a.jsonl.zst"]))
    };
    for held in [dictionary.clone(), zstd(&dictionary)] {
        let first = of(&held);
        assert_eq!(read(&first).unwrap(), "");
        assert_eq!(read(&[&first[..], &nothing].concat()).unwrap(), "");
        assert_eq!(read(&[&first[..], &frame].concat()).unwrap().as_bytes(), row(7));
        for length in [3, 5, 8, 20, first.len() - 1] {
            let cut = read(&first[..length]).unwrap_err();
            assert_eq!(cut.reason(), "truncated", "{length}: {cut}");
        }
    }
    let missing = read(&frame).unwrap_err().to_string();
    let said = "it was compressed with a dictionary that does not stand in its first frame";
    assert!(missing.contains(said), "{missing}");
    let mut broken = zstd(&dictionary);
    let last = broken.len() - 1;
    broken[last] ^= 1;
    let damaged = read(&[of(&broken), frame].concat()).unwrap_err();
    assert_eq!(damaged.reason(), "corrupt", "{damaged}");
}
