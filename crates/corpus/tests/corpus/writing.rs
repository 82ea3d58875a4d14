//! Outputs: whole or absent, and never in place of something dear.

use crate::Folder;
use nearprint_corpus::{Error, Output, OutputOptions, Outputs, ReadOptions, Reader, Source};
use nearprint_testing::skip;
use std::fs;
use std::io::Read;
use std::path::Path;

const CAREFUL: OutputOptions = OutputOptions { force: false };
const FORCE: OutputOptions = OutputOptions { force: true };

fn create(folder: &Folder, name: &str, options: OutputOptions) -> Result<Output, Error> {
    Outputs::new(&[], options).create(&folder.path(name))
}

fn refusal<T>(folder: &Folder, result: Result<T, Error>) -> String {
    match result {
        Ok(_) => panic!("accepted"),
        Err(error) => folder.message(&error),
    }
}

/// Mirrors the sources into `out`, keeping the records that contain `keep`.
fn mirror(folder: &Folder, sources: &[Source], keep: &str) {
    let mut mirror = Outputs::new(sources, CAREFUL).mirror(&folder.path("out"), sources).unwrap();
    for batch in Reader::new(sources, ReadOptions::default()) {
        for record in batch.unwrap().records() {
            if String::from_utf8_lossy(&record.raw()).contains(keep) {
                mirror.write_record(&record).unwrap();
            }
        }
    }
    assert!(!folder.files().iter().any(|file| file.starts_with("out") && !file.contains("/.")));
    mirror.commit().unwrap();
}

fn decoded(folder: &Folder, name: &str) -> String {
    let bytes = fs::read(folder.path(name)).unwrap();
    let mut text = String::new();
    match Path::new(name).extension().and_then(|extension| extension.to_str()) {
        Some("gz") => {
            flate2::read::MultiGzDecoder::new(&*bytes).read_to_string(&mut text).unwrap();
        }
        Some("bz2") => {
            bzip2::read::MultiBzDecoder::new(&*bytes).read_to_string(&mut text).unwrap();
        }
        Some("xz") => {
            liblzma::read::XzDecoder::new(&*bytes).read_to_string(&mut text).unwrap();
        }
        Some("zst") => text = String::from_utf8(zstd::decode_all(&*bytes).unwrap()).unwrap(),
        _ => text = String::from_utf8(bytes).unwrap(),
    }
    text
}

#[test]
fn a_name_may_be_as_long_as_the_system_lets_it() {
    let folder = Folder::new();
    let name = format!("{}.jsonl", "n\u{e9}".repeat(83));
    assert_eq!(name.len(), 255);
    let mut output = create(&folder, &name, CAREFUL).unwrap();
    output.write_record(b"{}\n").unwrap();
    let waiting = folder.files();
    assert!(waiting[0].ends_with(".partial"), "{waiting:?}");
    output.commit().unwrap();
    assert_eq!(folder.files(), [name]);
}

#[test]
fn records_are_written_byte_for_byte_with_a_newline_between_files() {
    let folder = Folder::new();
    let mut output = create(&folder, "out.jsonl", CAREFUL).unwrap();
    for record in ["{1}\r\n", "{2}", "", "{3}\n", "{4}", ""] {
        output.write_record(record.as_bytes()).unwrap();
    }
    output.commit().unwrap();
    assert_eq!(decoded(&folder, "out.jsonl"), "{1}\r\n{2}\n{3}\n{4}");
}

#[test]
fn the_name_chooses_the_compression() {
    let folder = Folder::new();
    for (name, magic) in [
        ("out.gz", &b"\x1f\x8b"[..]),
        ("out.jsonl.zst", b"\x28\xb5\x2f\xfd"),
        ("out.jsonl.bz2", b"BZh9"),
        ("out.xz", b"\xfd7zXZ\x00"),
        ("out.txt", b"row"),
    ] {
        let mut output = create(&folder, name, CAREFUL).unwrap();
        output.write_record(b"row\n").unwrap();
        output.commit().unwrap();
        assert!(fs::read(folder.path(name)).unwrap().starts_with(magic), "{name}");
        assert_eq!(decoded(&folder, name), "row\n");
    }
}

#[test]
fn an_output_has_its_name_only_when_it_is_whole() {
    let folder = Folder::new();
    let mut output = create(&folder, "out.txt", CAREFUL).unwrap();
    output.write_record(b"row\n").unwrap();
    let files = folder.files();
    assert_eq!(files.len(), 1);
    assert!(files[0].starts_with(".out.txt.") && files[0].ends_with(".partial"), "{files:?}");
    drop(output);
    assert_eq!(folder.files(), Vec::<String>::new());
}

#[test]
fn a_file_that_exists_is_replaced_only_by_force() {
    let folder = Folder::new();
    folder.write("out.txt", "old");
    let message = refusal(&folder, create(&folder, "out.txt", CAREFUL));
    assert_eq!(message, "out.txt exists");
    let mut output = create(&folder, "out.txt", FORCE).unwrap();
    output.write_record(b"new").unwrap();
    assert_eq!(decoded(&folder, "out.txt"), "old");
    output.commit().unwrap();
    assert_eq!(decoded(&folder, "out.txt"), "new");
}

#[test]
fn a_file_that_appears_meanwhile_is_not_replaced() {
    let folder = Folder::new();
    let output = create(&folder, "out.txt", CAREFUL).unwrap();
    folder.write("out.txt", "other");
    let message = refusal(&folder, output.commit());
    assert!(message.ends_with("out.txt exists"), "{message}");
    assert_eq!(folder.files(), ["out.txt"]);
    assert_eq!(decoded(&folder, "out.txt"), "other");
}

#[test]
fn an_input_is_never_an_output() {
    let folder = Folder::new();
    folder.write("in.jsonl", "{}\n");
    let mut names = vec!["in.jsonl"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path("in.jsonl"), folder.path("soft")).unwrap();
        fs::hard_link(folder.path("in.jsonl"), folder.path("hard")).unwrap();
        names.extend(["soft", "hard"]);
    }
    for name in names {
        let mut outputs = Outputs::new(&folder.sources(&["in.jsonl"]), FORCE);
        let message = refusal(&folder, outputs.create(&folder.path(name)));
        assert_eq!(message, format!("{name} is the input in.jsonl; name another output"));
    }
}

#[test]
fn two_outputs_are_two_files() {
    let folder = Folder::new();
    fs::create_dir(folder.path("sub")).unwrap();
    let mut outputs = Outputs::new(&[], CAREFUL);
    let _first = outputs.create(&folder.path("a.txt")).unwrap();
    let message = refusal(&folder, outputs.create(&folder.path("sub/../a.txt")));
    assert_eq!(message, "two outputs would be written to sub/../a.txt; give each its own");
    let _stdout = outputs.create(Path::new("-")).unwrap();
    let message = refusal(&folder, outputs.create(Path::new("-")));
    assert_eq!(message, "two outputs would be written to -; give each its own");
}

#[test]
fn an_output_needs_a_folder_and_is_none() {
    let folder = Folder::new();
    fs::create_dir(folder.path("sub")).unwrap();
    let message = refusal(&folder, create(&folder, "sub", FORCE));
    assert_eq!(message, "sub is a folder; name a file");
    for name in ["new/", "new/."] {
        let message = refusal(&folder, create(&folder, name, FORCE));
        assert_eq!(message, format!("{name} is a folder; name a file"));
    }
    let message = refusal(&folder, create(&folder, "none/out.txt", FORCE));
    assert_eq!(message, "cannot write none/out.txt: its folder does not exist; create it first");
}

#[cfg(unix)]
#[test]
fn an_output_through_a_link_keeps_the_link() {
    let folder = Folder::new();
    folder.write("real/out.txt", "old");
    std::os::unix::fs::symlink(folder.path("real/out.txt"), folder.path("link")).unwrap();
    let mut output = create(&folder, "link", FORCE).unwrap();
    output.write_record(b"new").unwrap();
    output.commit().unwrap();
    assert!(fs::symlink_metadata(folder.path("link")).unwrap().is_symlink());
    assert_eq!(decoded(&folder, "real/out.txt"), "new");
}

#[cfg(unix)]
#[test]
fn an_output_has_the_permissions_of_an_ordinary_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let mode = |name: &str| fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    folder.write("ordinary", "");
    create(&folder, "new", CAREFUL).unwrap().commit().unwrap();
    assert_eq!(mode("new"), mode("ordinary"));
    folder.write("private", "");
    fs::set_permissions(folder.path("private"), fs::Permissions::from_mode(0o600)).unwrap();
    create(&folder, "private", FORCE).unwrap().commit().unwrap();
    assert_eq!(mode("private"), 0o600);
}

#[cfg(unix)]
#[test]
fn devices_are_written_as_they_are() {
    let mut output = Outputs::new(&[], CAREFUL).create(Path::new("/dev/null")).unwrap();
    output.write_record(b"row\n").unwrap();
    output.commit().unwrap();
}

#[test]
fn a_full_disk_names_the_output() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        return skip("there is no /dev/full");
    }
    let mut output = Outputs::new(&[], CAREFUL).create(full).unwrap();
    let written = output.write_record(&vec![b'x'; 1 << 20]).and_then(|()| output.commit());
    let error = written.unwrap_err();
    assert!(error.to_string().starts_with("cannot write /dev/full: No space left"), "{error}");
    assert!(!error.is_broken_pipe());
    let mut output = Outputs::new(&[], CAREFUL).create(full).unwrap();
    output.write_record(b"few bytes\n").unwrap();
    assert_eq!(output.commit().unwrap_err().reason(), "write");
}

#[cfg(unix)]
#[test]
fn a_broken_pipe_is_told_from_other_failures() {
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|status| status.success()) {
        return skip("there is no mkfifo");
    }
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || drop(fs::File::open(pipe).unwrap())
    });
    let mut output = Outputs::new(&[], CAREFUL).create(&pipe).unwrap();
    reader.join().unwrap();
    let error = output.write_record(&vec![b'x'; 1 << 20]).unwrap_err();
    assert!(error.is_broken_pipe(), "{error}");
}

#[test]
fn a_mirror_has_a_file_for_every_source() {
    let folder = Folder::new();
    folder.write("in/a/1.jsonl.gz", crate::gzip(b"{\"keep\":1}\n{\"drop\":2}\n{\"keep\":3}"));
    folder.write("in/a/2.jsonl.zst", crate::zstd(b"{\"drop\":4}\n"));
    folder.write("in/b.txt", "\u{feff}keep this\r\n");
    folder.write("in/c.txt", "drop this");
    folder.write("in/d.jsonl", "");
    folder.write("in/e.jsonl", "\n{\"keep\":5}\n");
    folder.write("in/f.jsonl", "{\"drop\":6}\n");
    let before = folder.files();
    let sources = folder.sources(&["in"]);
    mirror(&folder, &sources, "keep");
    let mut after = before.clone();
    after.extend(
        ["a/1.jsonl.gz", "a/2.jsonl.zst", "b.txt", "d.jsonl", "e.jsonl", "f.jsonl"]
            .map(|name| format!("out/{name}")),
    );
    assert_eq!(folder.files(), after);
    assert_eq!(decoded(&folder, "out/a/1.jsonl.gz"), "{\"keep\":1}\n{\"keep\":3}");
    assert_eq!(decoded(&folder, "out/a/2.jsonl.zst"), "");
    assert_eq!(decoded(&folder, "out/b.txt"), "\u{feff}keep this\r\n");
    assert_eq!(decoded(&folder, "out/d.jsonl"), "");
    assert_eq!(decoded(&folder, "out/e.jsonl"), "{\"keep\":5}\n");
    assert_eq!(decoded(&folder, "out/f.jsonl"), "");

    let message =
        refusal(&folder, Outputs::new(&sources, CAREFUL).mirror(&folder.path("out"), &sources));
    assert_eq!(message, "out/a/1.jsonl.gz exists");
}

#[test]
fn a_mirror_that_is_dropped_leaves_no_file() {
    let folder = Folder::new();
    folder.write("in/a.txt", "a");
    folder.write("in/b.txt", "b");
    let before = folder.files();
    let sources = folder.sources(&["in"]);
    let mut mirror = Outputs::new(&sources, CAREFUL).mirror(&folder.path("out"), &sources).unwrap();
    for batch in Reader::new(&sources, ReadOptions::default()) {
        mirror.write_record(&batch.unwrap().record(0).unwrap()).unwrap();
    }
    drop(mirror);
    assert_eq!(folder.files(), before);
}

#[test]
fn a_mirror_stays_outside_its_inputs() {
    let folder = Folder::new();
    folder.write("in/a.txt", "a");
    folder.write("file", "");
    let refused = |inputs: &[&str], out: &str| {
        let sources = folder.sources(inputs);
        let mut outputs = Outputs::new(&sources, FORCE);
        refusal(&folder, outputs.mirror(&folder.path(out), &sources))
    };
    for out in ["in", "in/deep/out", "x/../in/out"] {
        fs::create_dir_all(folder.path("x")).unwrap();
        let message = refused(&["in"], out);
        assert!(
            message.starts_with(&format!("the output {out} lies inside the input folder in"))
                && message.ends_with("name a place outside"),
            "{message}"
        );
    }
    assert!(!folder.path("in/deep").exists());
    assert_eq!(refused(&["in/a.txt"], "in"), "in/a.txt is the input in/a.txt; name another output");
    assert_eq!(refused(&["in"], "file"), "file is not a folder");
}
