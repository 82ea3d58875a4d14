//! What the user typed, and what is found there.

use crate::{Folder, gzip};
use nearprint_corpus::{
    Dialect, Discovery, InputFormat, Instead, Obstacle, ReadOptions, Reader, Source, discover,
    total_bytes,
};

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
    assert_eq!(sources[0].format(), Some(InputFormat::JSONL));
    assert_eq!(sources[1].format(), Some(InputFormat::TEXT));
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
fn links_to_files_elsewhere_are_read_and_links_to_folders_are_not() {
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
    assert_eq!(sources[0].format(), Some(InputFormat::JSONL));
    assert_eq!(sources[1].format(), Some(InputFormat::TEXT));
    let forced = discover(&[folder.name("rows")], Some(InputFormat::TEXT)).unwrap();
    assert_eq!(forced[0].format(), Some(InputFormat::TEXT));
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
        "the folder empty holds no file to read (hidden and binary files are left out)"
    );
    assert!(message("a***").starts_with("a*** is neither a file nor a pattern: "));
    let error = discover::<String>(&[], None).unwrap_err();
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
            format!("{second} is the same file as in/a.txt, and would be read twice; name it once")
        );
    }
}

/// What each obstacle stands before, with how many files: in the order in which it was met.
fn passed(discovery: &Discovery, inputs: &[String]) -> (Vec<String>, Vec<(Obstacle, u64, String)>) {
    let (sources, passed) = discovery.find(inputs).unwrap();
    let passed = passed.into_iter().map(|passed| (passed.obstacle, passed.count, passed.first));
    (relatives(&sources), passed.collect())
}

#[test]
fn what_is_no_text_is_passed_over_in_a_folder_and_refused_by_name() {
    let folder = Folder::new();
    folder.write("in/a.txt", "text");
    folder.write("in/b.py", "print('text')");
    folder.write("in/c.pdf", "%PDF-1.4\n");
    folder.write("in/d.png", b"\x89PNG\r\n\x1a\n\0");
    folder.write("in/e", b"\0\x01");
    let (sources, passed_over) = passed(&Discovery::new(), &[folder.name("in")]);
    assert_eq!(sources, ["a.txt", "b.py"]);
    assert_eq!(passed_over, [(Obstacle::Binary, 3, folder.name("in/c.pdf"))]);
    let (sources, _) = passed(&Discovery::new(), &[folder.name("in/*")]);
    assert_eq!(sources, ["a.txt", "b.py"]);
    let error = folder.discover(&["in/d.png"]).unwrap_err();
    assert_eq!(folder.message(&error), "in/d.png is a PNG image, not text");
    let words = Discovery::new().format(Some(InputFormat::TEXT));
    assert_eq!(passed(&words, &[folder.name("in/e")]).0, ["e"]);
    // Whatever their names say, which are those of texts and pages.
    folder.write("named/a.txt", "%PDF-1.4\n1 0 obj");
    folder.write("named/b.html", b"PK\x03\x04\x14\0\0\0");
    folder.write("named/c.htm.gz", gzip(b"\x89PNG\r\n\x1a\n\0"));
    folder.write("named/d.html", b"<p>a\0b");
    folder.write("named/e.md", b"a form feed \x0c and \0");
    folder.write("named/f.md", "%PDF-1.4 is the first line of a PDF\n");
    let (sources, passed_over) = passed(&Discovery::new(), &[folder.name("named")]);
    assert_eq!(sources, ["d.html", "e.md", "f.md"]);
    assert_eq!(passed_over, [(Obstacle::Binary, 3, folder.name("named/a.txt"))]);
    let error = folder.discover(&["named/a.txt"]).unwrap_err();
    assert_eq!(folder.message(&error), "named/a.txt is a PDF document, not text");
    assert_eq!(passed(&words, &[folder.name("named/a.txt")]).0, ["a.txt"]);
}

#[test]
fn what_is_called_rows_or_records_and_is_of_another_kind_is_missed_nowhere() {
    let folder = Folder::new();
    let lz4 = b"\x04\x22\x4d\x18d@\xa7 \0\0\x80{}\n";
    let names = ["in/a.jsonl", "in/b.csv", "in/c.tsv", "in/d.warc", "in/e.csv.gz"];
    for name in names {
        folder.write(name, if name.ends_with(".gz") { gzip(lz4) } else { lz4.to_vec() });
    }
    folder.write("in/f.jsonl", "{}\n");
    let (sources, passed_over) = Discovery::new().find(&[folder.name("in")]).unwrap();
    assert_eq!((sources.len(), passed_over.len()), (6, 0));
    let told = |sources: &[Source]| {
        let failed = Reader::new(sources, ReadOptions::default()).filter_map(Result::err);
        failed.map(|error| folder.message(&error)).collect::<Vec<_>>()
    };
    let is_lz4 = |name| format!("{name} is compressed with LZ4, not text; decompress it first");
    assert_eq!(told(&sources), names.map(is_lz4));
    for name in names {
        assert_eq!(told(&folder.sources(&[name])), [is_lz4(name)]);
    }
    // Whoever names the format promises it too.
    folder.write("other/a.png", b"\x89PNG\r\n\x1a\n\0");
    let rows = Discovery::new().format(Some(InputFormat::JSONL));
    let (sources, passed_over) = rows.find(&[folder.name("other")]).unwrap();
    assert_eq!(passed_over.len(), 0);
    assert_eq!(told(&sources), ["other/a.png is a PNG image, not text"]);
}

#[test]
fn files_without_rows_are_passed_over_where_rows_are_asked_for() {
    let folder = Folder::new();
    let row = "{\"text\":\"a\"}\n";
    for (name, bytes) in [
        ("in/a.jsonl", ""),
        ("in/b.jsonl", " \n\n"),
        ("in/c.csv", "id,text\n"),
        ("in/d.jsonl", row),
        ("in/e.csv", "id,text\n1,a\n"),
        ("in/f.jsonl", "no row\n"),
        ("in/g.md", "What is in here"),
        ("none/a.jsonl", ""),
    ] {
        folder.write(name, bytes);
    }
    folder.write("in/h.jsonl.gz", gzip(b"\n"));
    folder.write("in/i.jsonl", "\n".repeat(1 << 17) + row);
    let rows = Discovery::new().of_rows();
    for input in ["in", "in/*"] {
        let (sources, passed_over) = passed(&rows, &[folder.name(input)]);
        assert_eq!(sources, ["d.jsonl", "e.csv", "f.jsonl", "i.jsonl"]);
        assert_eq!(passed_over, [(Obstacle::NoRows, 5, folder.name("in/a.jsonl"))]);
    }
    for input in ["none", "none/*.jsonl"] {
        let error = rows.find(&[folder.name(input)]).unwrap_err();
        let said = format!("{input} holds no file with rows; name JSONL, CSV, TSV, Parquet");
        assert!(folder.message(&error).starts_with(&said), "{error}");
    }
    let named = ["in/a.jsonl", "in/c.csv"].map(|name| folder.name(name));
    assert_eq!(passed(&rows, &named), (vec!["a.jsonl".to_owned(), "c.csv".to_owned()], vec![]));
    assert_eq!(folder.sources(&["in"]).len(), 9);
}

#[cfg(unix)]
#[test]
fn links_that_lead_nowhere_and_second_names_are_passed_over() {
    let folder = Folder::new();
    folder.write("in/a.txt", "text");
    let link = |to, from| std::os::unix::fs::symlink(folder.path(to), folder.path(from)).unwrap();
    link("in/a.txt", "in/b.txt");
    std::fs::hard_link(folder.path("in/a.txt"), folder.path("in/c.txt")).unwrap();
    link("nowhere", "in/d.txt");
    let (sources, passed_over) = passed(&Discovery::new(), &[folder.name("in")]);
    assert_eq!(sources, ["a.txt"]);
    assert_eq!(
        passed_over,
        [
            (Obstacle::Again, 2, folder.name("in/b.txt")),
            (Obstacle::Dangling, 1, folder.name("in/d.txt"))
        ]
    );
    let error = folder.discover(&["in/d.txt"]).unwrap_err();
    assert_eq!(folder.message(&error), "no such file or folder: in/d.txt");
}

#[test]
fn a_folder_that_nearprint_made_is_no_input() {
    let folder = Folder::new();
    folder.write("in/a.txt", "text");
    for (name, files) in [
        ("in/store", &["store.toml", "truth/version"][..]),
        ("in/work", &["plan.json", "sketch/a.txt"]),
        ("in/nearprint-0123", &["manifest.json", "lock"]),
    ] {
        for file in files {
            folder.write(&format!("{name}/{file}"), "text");
        }
        let error = folder.discover(&[name]).unwrap_err();
        let said = folder.message(&error);
        assert!(said.starts_with(&format!("{name} is ")), "{said}");
        assert!(
            said.ends_with("that nearprint made, not documents; name the documents themselves"),
            "{said}"
        );
    }
    for (input, first) in [
        ("in", "in/nearprint-0123"),
        ("in*", "in/nearprint-0123"),
        ("in/*", "in/nearprint-0123"),
        ("in/**/*", "in/nearprint-0123/lock"),
    ] {
        let (sources, passed_over) = passed(&Discovery::new(), &[folder.name(input)]);
        assert_eq!(sources, ["a.txt"], "{input}");
        assert_eq!((passed_over[0].0, &passed_over[0].2), (Obstacle::Own, &folder.name(first)));
    }
}

#[test]
fn what_tells_of_archives_is_no_document_beside_them() {
    let folder = Folder::new();
    let beside = ["MD5SUMS", "a.cdxj.gz", "a.warc.gz.md5", "index.cdx", "wget.log"];
    for name in beside {
        folder.write(&format!("in/{name}"), "text");
    }
    folder.write("in/capture-index", " CDX N b a m s k r M S V g\n");
    folder.write("in/notes.txt", "text");
    let all = passed(&Discovery::new(), &[folder.name("in")]).0;
    assert_eq!(all.len(), beside.len() + 2, "without archives they are texts: {all:?}");
    folder.write("in/crawl/a.warc", "WARC/1.0\r\n");
    for input in ["in", "in/**/*"] {
        let (sources, passed_over) = passed(&Discovery::new(), &[folder.name(input)]);
        assert_eq!(sources, ["crawl/a.warc", "notes.txt"], "{input}");
        assert_eq!(passed_over, [(Obstacle::OfArchives, 6, folder.name("in/MD5SUMS"))]);
    }
    // Whoever names one, or a format, asks for it.
    assert_eq!(folder.sources(&["in/index.cdx"]).len(), 1);
    let words = Discovery::new().format(Some(InputFormat::TEXT));
    assert_eq!(passed(&words, &[folder.name("in")]).0.len(), beside.len() + 3);
}

#[cfg(unix)]
#[test]
fn a_file_to_compare_with_is_no_input() {
    let folder = Folder::new();
    for name in ["a.txt", "b.txt"] {
        folder.write(name, "text");
    }
    std::fs::hard_link(folder.path("b.txt"), folder.path("c.txt")).unwrap();
    let refuse = |inputs: &[&str], against: &[&str]| {
        nearprint_corpus::refuse_shared(&folder.sources(inputs), &folder.sources(against))
    };
    assert!(refuse(&["a.txt"], &["b.txt"]).is_ok());
    assert!(nearprint_corpus::refuse_shared(&folder.sources(&["a.txt"]), &[]).is_ok());
    let error = refuse(&["a.txt", "b.txt"], &["c.txt"]).unwrap_err();
    assert!(folder.message(&error).starts_with("b.txt is the same file as c.txt, which"));
}

#[test]
fn patterns_say_which_files_of_a_folder_are_read() {
    let folder = Folder::new();
    for name in ["in/a.html", "in/a.css", "in/old/b.html", "in/sub/c.html"] {
        folder.write(name, "text");
    }
    let of = |include: &[&str], exclude: &[&str], input: &str| {
        let owned = |all: &[&str]| all.iter().map(|&one| one.to_owned()).collect::<Vec<_>>();
        let discovery = Discovery::new().include(&owned(include)).unwrap();
        let discovery = discovery.exclude(&owned(exclude)).unwrap();
        passed(&discovery, &[folder.name(input)]).0
    };
    assert_eq!(of(&["*.html"], &[], "in"), ["a.html", "old/b.html", "sub/c.html"]);
    assert_eq!(of(&["*.html"], &["old"], "in"), ["a.html", "sub/c.html"]);
    assert_eq!(of(&["sub/*"], &[], "in"), ["sub/c.html"]);
    assert_eq!(of(&[], &["*.html"], "in"), ["a.css"]);
    assert_eq!(of(&["*.css"], &[], "in/*"), ["a.css"]);
    // What an input names is read.
    assert_eq!(of(&["*.html"], &[], "in/a.css"), ["a.css"]);
}

#[test]
fn content_tells_where_an_extension_is_unknown() {
    let folder = Folder::new();
    for name in ["a.jl", "b.jsonl.001", "c.jsonl.bak", "d.c000", "e.txt", "f.tmpl"] {
        let brace = if name == "f.tmpl" { "{{ title }}" } else { "{\"text\": \"a\"}\n" };
        folder.write(&format!("in/{name}"), brace);
    }
    folder.write("in/g.jsonl.gz.1", crate::gzip(b"{\"text\": \"a\"}\n"));
    folder.write("in/h.long.zst", crate::zstd(b"{\"text\": \"a\"}\n"));
    let formats: Vec<_> =
        folder.sources(&["in"]).iter().map(|source| source.format().unwrap().to_string()).collect();
    let (jsonl, text) = ("jsonl", "text");
    assert_eq!(formats, [jsonl, jsonl, jsonl, jsonl, text, text, jsonl, jsonl]);
}

#[cfg(unix)]
#[test]
fn a_name_need_not_be_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let path = folder.path("").join(std::ffi::OsStr::from_bytes(b"caf\xe9.txt"));
    std::fs::write(&path, "text").unwrap();
    let sources = discover(&[&path], None).unwrap();
    assert_eq!(sources[0].path(), Some(path.as_path()));
}

#[test]
fn files_for_which_there_is_no_room_are_counted_alone() {
    let folder = Folder::new();
    for number in 10..40 {
        folder.write(&format!("in/{number}.jsonl"), "{}\n");
    }
    let name = folder.name("in/10.jsonl").len() as u64;
    let of_one = 800 + 9 * name;
    let find = |room| Discovery::new().room(Some(room)).find(&[folder.name("in")]);
    assert_eq!(find(30 * of_one).unwrap().0.len(), 30);
    let error = find(30 * of_one - 1).unwrap_err();
    let nearprint_corpus::Error::ManyFiles { files, needed, room } = error else {
        panic!("{error}")
    };
    assert_eq!((files, needed, room), (30, 30 * of_one, 30 * of_one - 1));
    assert_eq!(find(0).unwrap_err().reason(), "many-files");
}

#[cfg(unix)]
#[test]
fn names_that_are_no_characters_give_ids_that_differ() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    for (at, name) in
        [&b"caf\xe9.txt"[..], b"caf\xe8.txt", b"caf\xe9\xe8.txt"].into_iter().enumerate()
    {
        let path = folder.path("").join(std::ffi::OsStr::from_bytes(name));
        if std::fs::write(path, format!("text {at}")).is_err() {
            // Not on this file system.
            return;
        }
    }
    let sources = discover(&[folder.path("")], None).unwrap();
    let ids: std::collections::BTreeSet<_> =
        nearprint_corpus::Reader::new(&sources, nearprint_corpus::ReadOptions::default())
            .map(|batch| batch.unwrap().record(0).unwrap().default_id().to_string())
            .collect();
    assert_eq!(ids.len(), 3);
    assert!(ids.iter().any(|id| id.ends_with("caf\u{fffd}e8.txt\"")), "{ids:?}");
}

#[test]
fn a_file_of_no_known_name_is_a_table_where_its_delimiter_is_told() {
    let folder = Folder::new();
    let rows = "id^text\n1^abc def\n2^ghi jkl\n";
    folder.write("in/w.dat", rows);
    folder.write("in/w.gz", crate::gzip(rows.as_bytes()));
    folder.write("in/w.txt", rows);
    folder.write("in/LICENSE", "Of this and that\nall may be done, it says\n");
    let dialect = Dialect { delimiter: Some(b'^'), ..Dialect::default() };
    let discovery = Discovery::new().dialect(dialect);
    let formats = |name: &str| {
        let (sources, _) = discovery.find(&[folder.name(name)]).unwrap();
        sources.iter().map(Source::format).collect::<Vec<_>>()
    };
    let (text, table) = (Some(InputFormat::TEXT), Some(InputFormat::CSV));
    assert_eq!(formats("in"), [text, table, table, text]);
    for name in ["in/LICENSE", "in/w.dat", "in/w.gz"] {
        assert_eq!(formats(name), [table], "{name}");
    }
    let (sources, _) = discovery.find(&[folder.name("in/w.txt")]).unwrap();
    assert_eq!(sources[0].instead(), Some(Instead::Rows(InputFormat::CSV)));
    let (sources, _) = discovery.find(&[folder.name("in/w.gz")]).unwrap();
    let batch = Reader::new(&sources, ReadOptions::default()).next().unwrap().unwrap();
    let texts = batch.records().map(|record| record.cells().unwrap()[1].1.clone());
    assert_eq!(texts.collect::<Vec<_>>(), ["abc def", "ghi jkl"]);
}

#[test]
fn a_table_whose_lines_end_in_carriage_returns_alone_is_told_by_its_content() {
    let folder = Folder::new();
    for (name, content, count) in [
        ("a.dat", "id,text\r1,abc def\r2,ghi jkl\r", 2),
        ("b.dat", "sep=;\rid;text\r1;abc def\r", 1),
    ] {
        folder.write(name, content);
        let sources = folder.sources(&[name]);
        assert_eq!(sources[0].format(), Some(InputFormat::CSV), "{name}");
        let batch = Reader::new(&sources, ReadOptions::default()).next().unwrap().unwrap();
        assert_eq!(batch.records().count(), count, "{name}");
    }
    folder.write("a.txt", "id,text\r1,abc def\r2,ghi jkl\r");
    let rows = Some(Instead::Rows(InputFormat::CSV));
    assert_eq!(folder.sources(&["a.txt"])[0].instead(), rows);
}

#[test]
fn what_tells_of_the_tables_beside_it_is_passed_over() {
    let folder = Folder::new();
    let (arrow, parquet) = (&b"\xff\xff\xff\xff\x10\0\0\0"[..], &b"PAR1\x15\x04"[..]);
    for (name, content) in [
        ("hf/train/data-00000-of-00001.arrow", arrow),
        ("hf/train/cache-0123.arrow", arrow),
        ("hf/train/state.json", b"{\n  \"_split\": null\n}"),
        ("hf/train/dataset_info.json", b"{\n  \"features\": {}\n}"),
        ("hf/dataset_dict.json", b"{\"splits\": [\"train\"]}"),
        ("_lake/part-0.parquet", parquet),
        ("_lake/_day=7/part-1", parquet),
        ("_lake/_metadata", parquet),
        ("_lake/_delta_log/0.json", b"{\"commitInfo\":{}}"),
        ("_lake/_delta_log/0.checkpoint.parquet", parquet),
        ("_lake/_SUCCESS", b""),
        ("other/_a.jsonl", b"{\"text\":\"a\"}"),
        ("other/state.json", b"{\"text\":\"a\"}"),
        ("alone/_x.parquet", parquet),
        ("site/_posts/a.md", b"a"),
        ("site/assets/b.parquet", parquet),
    ] {
        folder.write(name, content);
    }
    let find = |names: &[&str]| {
        let inputs: Vec<_> = names.iter().map(|name| folder.name(name)).collect();
        let (sources, passed_over) = Discovery::new().find(&inputs).unwrap();
        let passed_over = passed_over.into_iter().map(|it| (it.obstacle, it.count, it.first));
        (relatives(&sources), passed_over.collect::<Vec<_>>())
    };
    let (of_columns, empty) = (Obstacle::OfColumns, Obstacle::Empty);
    let none = Vec::new();
    for name in ["hf", "hf/*"] {
        let first = folder.name("hf/dataset_dict.json");
        let passed_over = vec![(of_columns, 4, first)];
        let (found, passed) = find(&[name]);
        assert_eq!((found.len(), passed), (1, passed_over), "{name}");
    }
    let passed_over = vec![
        (empty, 1, folder.name("_lake/_SUCCESS")),
        (of_columns, 3, folder.name("_lake/_delta_log/0.checkpoint.parquet")),
    ];
    assert_eq!(
        find(&["_lake"]),
        (vec!["_day=7/part-1".into(), "part-0.parquet".into()], passed_over)
    );
    let rows = vec!["_a.jsonl".to_owned(), "state.json".to_owned()];
    assert_eq!(find(&["other"]), (rows, none.clone()));
    assert_eq!(find(&["alone"]), (vec!["_x.parquet".to_owned()], none.clone()));
    assert_eq!(find(&["site"]).1, none);
    // What an input names is read.
    let named = ["hf/train/state.json", "_lake/part-0.parquet", "_lake/_metadata"];
    assert_eq!(find(&named).1, none);
    assert_eq!(find(&named).0.len(), 3);
}
