//! One output in several files.

use crate::Folder;
use crate::arc::arc_record;
use crate::archives::members_of;
use nearprint_corpus::{
    Error, Output, OutputOptions, Outputs, ReadOptions, Reader, Source, publish,
};
use std::fs;
use std::num::NonZeroU64;

fn outputs(sources: &[Source], bytes: u64, force: bool) -> Outputs {
    let mut outputs = Outputs::new(sources, OutputOptions { force });
    outputs.shard(NonZeroU64::new(bytes).unwrap());
    outputs
}

/// Copies the sources to shards of `name`.
fn copy(
    folder: &Folder,
    name: &str,
    (inputs, bytes, force): (&[&str], u64, bool),
) -> Result<(), Error> {
    let sources = folder.sources(inputs);
    let output = outputs(&sources, bytes, force).survivors(&folder.path(name), &sources)?;
    fill(output, &sources)?.commit()
}

fn fill(mut output: Output, sources: &[Source]) -> Result<Output, Error> {
    for batch in Reader::new(sources, ReadOptions::default()) {
        let batch = batch?;
        for at in 0..=batch.len() {
            batch.carried_before(at).try_for_each(|it| output.carry(&it, it.raw()))?;
            batch.record(at).map_or(Ok(()), |record| output.write_record(&record.raw()))?;
        }
    }
    Ok(output)
}

#[test]
fn a_shard_holds_what_fits_or_one_record() {
    let folder = Folder::new();
    let rows = "[this is too long]\n[1234]\n[5678]\n[and this as well]\n[9]\n[0]\n[1]\n[2]";
    folder.write("a.jsonl", rows);
    copy(&folder, "out.jsonl", (&["a.jsonl"], 14, false)).unwrap();
    let files = ["1", "2", "3", "4", "5"].map(|number| format!("out-0000{number}.jsonl"));
    assert_eq!(folder.files()[1..], files);
    let texts = files.map(|file| fs::read_to_string(folder.path(&file)).unwrap());
    let expected = [
        "[this is too long]\n",
        "[1234]\n[5678]\n",
        "[and this as well]\n",
        "[9]\n[0]\n[1]\n",
        "[2]",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn every_shard_of_a_table_begins_with_the_header() {
    let folder = Folder::new();
    folder.write("a.csv", "id,text\n1,a\n2,b\n3,c\n");
    folder.write("b.csv", "id,text\n4,d\n");
    // The header counts in each.
    copy(&folder, "out.csv.zst", (&["a.csv", "b.csv"], 16, false)).unwrap();
    let texts = ["out-00001.csv.zst", "out-00002.csv.zst"].map(|file| {
        let bytes = fs::read(folder.path(file)).unwrap();
        String::from_utf8(zstd::decode_all(&*bytes).unwrap()).unwrap()
    });
    assert_eq!(texts, ["id,text\n1,a\n2,b\n", "id,text\n3,c\n4,d\n"]);
    // So does the line end that the last row of a file lacks.
    folder.write("c.csv", "id,text\n5,e");
    copy(&folder, "short.csv", (&["c.csv", "b.csv"], 15, false)).unwrap();
    let texts = ["short-00001.csv", "short-00002.csv"]
        .map(|file| fs::read_to_string(folder.path(file)).unwrap());
    assert_eq!(texts, ["id,text\n5,e", "id,text\n4,d\n"]);
    copy(&folder, "long.csv", (&["c.csv", "b.csv"], 16, false)).unwrap();
    let text = fs::read_to_string(folder.path("long-00001.csv")).unwrap();
    assert_eq!(text, "id,text\n5,e\n4,d\n");
}

#[test]
fn every_shard_of_arc_begins_with_the_record_that_describes_it() {
    let folder = Folder::new();
    let block = "1 0 Crawler\nURL IP-address Archive-date Content-type Archive-length\n\n";
    let first =
        |name| arc_record(&format!("filedesc://{name}"), "text/plain", None, block.as_bytes());
    let page = |id| {
        let url = format!("http://example.org/{id}");
        arc_record(&url, "text/plain", None, format!("HTTP/1.0 200 OK\r\n\r\ntext {id}").as_bytes())
    };
    let archive = |name, pages: [u32; 3]| [first(name), pages.map(page).concat()].concat();
    folder.write("a.arc", archive("a.arc", [1, 2, 3]));
    folder.write("b.arc", archive("b.arc", [4, 5, 6]));
    let two = (first("a.arc").len() + 2 * page(1).len()) as u64;
    // The record that describes the second file has no room behind the page.
    assert!(first("a.arc").len() > page(1).len());
    copy(&folder, "out.arc.gz", (&["a.arc", "b.arc"], two, false)).unwrap();
    let files = ["1", "2", "3", "4"].map(|number| format!("out-0000{number}.arc.gz"));
    let shards = files.map(|file| members_of(&fs::read(folder.path(&file)).unwrap()).concat());
    let expected = [
        [first("a.arc"), page(1), page(2)].concat(),
        [first("a.arc"), page(3)].concat(),
        [first("b.arc"), page(4), page(5)].concat(),
        [first("b.arc"), page(6)].concat(),
    ];
    assert_eq!(shards.map(lossy), expected.map(lossy));
}

fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn nothing_has_a_name_before_all_is_published() {
    let folder = Folder::new();
    folder.write("a.jsonl", "1\n2\n3\n");
    let sources = folder.sources(&["a.jsonl"]);
    let begun = || {
        let output = outputs(&sources, 2, false).survivors(&folder.path("out.jsonl"), &sources);
        fill(output.unwrap(), &sources).unwrap()
    };
    drop(begun());
    assert_eq!(folder.files(), ["a.jsonl"]);
    let finished = begun().finish().unwrap();
    assert!(folder.files().iter().all(|file| !file.starts_with("out")), "{:?}", folder.files());
    publish([finished]).unwrap();
    assert_eq!(folder.files().len(), 4);
}

#[test]
fn shards_of_an_earlier_run_are_replaced_only_by_force_and_then_all() {
    let folder = Folder::new();
    folder.write("a.jsonl", "1\n2\n3\n");
    copy(&folder, "out.jsonl", (&["a.jsonl"], 2, false)).unwrap();
    fs::remove_file(folder.path("out-00001.jsonl")).unwrap();
    let message =
        folder.message(&copy(&folder, "out.jsonl", (&["a.jsonl"], 4, false)).unwrap_err());
    assert_eq!(message, "out-00002.jsonl exists");
    folder.write("out-00003.jsonl.gz", "another's");
    copy(&folder, "out.jsonl", (&["a.jsonl"], 4, true)).unwrap();
    let expected = ["a.jsonl", "out-00001.jsonl", "out-00002.jsonl", "out-00003.jsonl.gz"];
    assert_eq!(folder.files(), expected);
    assert_eq!(fs::read_to_string(folder.path("out-00002.jsonl")).unwrap(), "3\n");
}

#[test]
fn inputs_are_no_shards_and_streams_have_none() {
    let folder = Folder::new();
    for input in ["out-00001.jsonl", "out-00002.jsonl"] {
        folder.write(input, "1\n");
        let error = copy(&folder, "out.jsonl", (&[input], 4, true)).unwrap_err();
        assert_eq!(error.reason(), "output-is-input", "{error}");
        assert_eq!(folder.files(), [input]);
        fs::remove_file(folder.path(input)).unwrap();
    }
    folder.write("a.jsonl", "1\n");
    let sources = folder.sources(&["a.jsonl"]);
    let error = outputs(&sources, 1, false).survivors("-".as_ref(), &sources).err().unwrap();
    assert_eq!(error.to_string(), "- is a stream, which cannot be split; name a file");
}

#[test]
fn a_run_that_goes_on_sweeps_what_was_left_of_shards() {
    let folder = Folder::new();
    folder.write("a.jsonl", "1\n");
    for left in [".out-00002.jsonl.x1y.partial", ".out.jsonl.x1y.partial", "b.partial"] {
        folder.write(left, "");
    }
    let sources = folder.sources(&["a.jsonl"]);
    let mut outputs = outputs(&sources, 1, false);
    outputs.sweep();
    drop(outputs.survivors(&folder.path("out.jsonl"), &sources).unwrap());
    assert_eq!(folder.files(), [".out.jsonl.x1y.partial", "a.jsonl", "b.partial"]);
}
