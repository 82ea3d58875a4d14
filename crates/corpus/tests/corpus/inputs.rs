//! What the user typed, and what is found there.

use crate::Folder;
use nearprint_corpus::{InputFormat, Source, discover, total_bytes};

fn relatives(sources: &[Source]) -> Vec<String> {
    sources.iter().map(|source| source.relative().display().to_string()).collect()
}

#[test]
fn a_folder_is_walked_in_the_order_of_names_without_hidden_files() {
    let folder = Folder::new();
    for name in ["in/b/2.txt", "in/b/10.txt", "in/a.jsonl", "in/c.txt", "in/.x", "in/.git/y"] {
        folder.write(name, "1234");
    }
    let sources = folder.sources(&["in"]);
    assert_eq!(relatives(&sources), ["a.jsonl", "b/10.txt", "b/2.txt", "c.txt"]);
    assert_eq!(sources[0].name(), folder.name("in/a.jsonl"));
    assert_eq!(sources[0].format(), Some(InputFormat::Jsonl));
    assert_eq!(sources[1].format(), Some(InputFormat::Text));
    assert_eq!(total_bytes(&sources), Some(16));
}

#[test]
fn a_folder_that_is_hidden_itself_is_read_when_named() {
    let folder = Folder::new();
    folder.write(".in/a.txt", "");
    assert_eq!(relatives(&folder.sources(&[".in"])), ["a.txt"]);
}

#[cfg(unix)]
#[test]
fn links_to_files_are_read_and_links_to_folders_are_not() {
    let folder = Folder::new();
    folder.write("in/a.txt", "");
    folder.write("elsewhere/b.txt", "");
    let link = |to, from| std::os::unix::fs::symlink(folder.path(to), folder.path(from)).unwrap();
    link("elsewhere/b.txt", "in/link.txt");
    link("elsewhere", "in/more");
    assert_eq!(relatives(&folder.sources(&["in"])), ["a.txt", "link.txt"]);
}

#[test]
fn names_are_relative_to_the_deepest_common_folder() {
    let folder = Folder::new();
    for name in ["x/2023/a.txt", "x/2024/a.txt", "x/2024/sub/b.txt"] {
        folder.write(name, "");
    }
    let sources = folder.sources(&["x/2024/a.txt"]);
    assert_eq!(relatives(&sources), ["a.txt"]);
    let sources = folder.sources(&["x/2023", "x/2024/sub/../a.txt"]);
    assert_eq!(relatives(&sources), ["2023/a.txt", "2024/a.txt"]);
}

#[test]
fn a_pattern_finds_files_and_folders_in_the_order_of_names() {
    let folder = Folder::new();
    for name in ["in/b.txt", "in/a.txt", "in/c/d.txt", "in/.e.txt", "in/f.md"] {
        folder.write(name, "");
    }
    assert_eq!(relatives(&folder.sources(&["in/*.txt"])), ["a.txt", "b.txt"]);
    assert_eq!(relatives(&folder.sources(&["in/[c-f]*"])), ["c/d.txt", "f.md"]);
    assert_eq!(relatives(&folder.sources(&["in/**/*"])), ["a.txt", "b.txt", "c/d.txt", "f.md"]);
}

#[test]
fn a_file_whose_name_looks_like_a_pattern_is_that_file() {
    let folder = Folder::new();
    folder.write("[a].txt", "");
    folder.write("a.txt", "");
    assert_eq!(relatives(&folder.sources(&["[a].txt"])), ["[a].txt"]);
}

#[test]
fn content_tells_the_format_where_the_name_does_not() {
    let folder = Folder::new();
    folder.write("rows", crate::gzip(b"\n {}"));
    folder.write("prose", "Once.");
    let sources = folder.sources(&["rows", "prose"]);
    assert_eq!(sources[0].format(), Some(InputFormat::Jsonl));
    assert_eq!(sources[1].format(), Some(InputFormat::Text));
    let forced = discover(&[folder.name("rows")], Some(InputFormat::Text)).unwrap();
    assert_eq!(forced[0].format(), Some(InputFormat::Text));
}

#[test]
fn standard_input_is_one_stream() {
    let dash = || "-".to_owned();
    let sources = discover(&[dash()], None).unwrap();
    assert!(sources[0].is_stream());
    assert_eq!((sources[0].name(), sources[0].format()), ("stdin", None));
    assert_eq!(total_bytes(&sources), None);
    let error = discover(&[dash(), dash()], None).unwrap_err();
    assert_eq!(error.to_string(), "standard input (-) can be read only once: name it once");
}

#[test]
fn what_is_not_there_is_named() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("empty")).unwrap();
    folder.write("empty/.hidden", "");
    let message = |name| folder.message(&folder.discover(&[name]).unwrap_err());
    assert_eq!(message("none.jsonl"), "no such file or folder: none.jsonl");
    assert_eq!(message("*.jsonl"), "no file matches the pattern *.jsonl");
    assert_eq!(
        message("empty"),
        "the folder empty holds no file to read (hidden files are left out)"
    );
    assert!(message("a***").starts_with("a*** is neither a file nor a pattern: "));
    let error = discover(&[], None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no input given: name a file, a folder, a pattern or - for standard input"
    );
}

#[test]
fn a_file_that_two_inputs_lead_to_is_refused() {
    let folder = Folder::new();
    folder.write("in/a.txt", "");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path("in/a.txt"), folder.path("soft.txt")).unwrap();
        std::fs::hard_link(folder.path("in/a.txt"), folder.path("hard.txt")).unwrap();
    }
    let mut pairs = vec![("in/a.txt", "in/a.txt"), ("in", "in/a.txt"), ("in", "in/../in")];
    if cfg!(unix) {
        pairs.extend([("in/a.txt", "soft.txt"), ("in", "hard.txt")]);
    }
    for (first, second) in pairs {
        let error = folder.discover(&[first, second]).unwrap_err();
        assert_eq!(error.reason(), "same-input", "{first} {second}");
        let second = if second == "in/../in" { "in/../in/a.txt" } else { second };
        assert_eq!(
            folder.message(&error),
            format!(
                "{second} is the same file as in/a.txt: every document would be its own \
                 duplicate; name it once"
            )
        );
    }
}
