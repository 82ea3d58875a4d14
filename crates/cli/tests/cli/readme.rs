//! The commands of README and docs, as a reader types them: from top to bottom, each document in a folder of its own.

use crate::nearprint::{BINARY, repository, run_with};
use crate::room::{Room, gzip, zstd};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// How commands begin that need what a test has not: a service that goes on, another program, the clone, the other tasks
/// of a job in shards.
const NOT_HERE: [&str; 12] = [
    "nearprint serve",
    "nearprint shard",
    "curl",
    "lindera",
    "nearprint recipe show mine.toml --dictionary",
    "nearprint fingerprint ja.jsonl",
    "cargo",
    "pip",
    "benchmarks/",
    "deploy/",
    "scripts/",
    ".ci/",
];

/// The documents with commands: README, the pages in the navigation of the site, evidence, and what contributors read.
fn documents() -> Vec<String> {
    let settings = std::fs::read_to_string(repository().join("mkdocs.yml")).unwrap();
    let (_, after) = settings.split_once("\nnav:\n").unwrap();
    let (navigation, _) = after.split_once("\n\n").unwrap();
    let pages: Vec<String> = navigation
        .lines()
        .filter_map(|line| line.rsplit_once(": "))
        .map(|(_, page)| format!("docs/{page}"))
        .filter(|page| repository().join(page).is_file())
        .collect();
    // Pages that are no longer found would show nothing.
    assert!(pages.len() > 30, "{pages:?}");
    let readme = ["README.md", "README.zh.md", "README.ja.md"].map(str::to_owned);
    let others = ["docs/evidence/algorithm.md", "CONTRIBUTING.md"];
    readme.into_iter().chain(pages).chain(others.map(str::to_owned)).collect()
}

/// Whether an answer is as it is shown, where `...` stands for anything.
fn is_as_shown(answer: &str, shown: &str) -> bool {
    let mut rest = answer;
    let mut parts = shown.split("...").peekable();
    let mut first = true;
    while let Some(part) = parts.next() {
        let at = match parts.peek() {
            None if !first => rest.len().checked_sub(part.len()).filter(|_| rest.ends_with(part)),
            _ => rest.find(part),
        };
        match at {
            Some(at) if !first || at == 0 => rest = &rest[at + part.len()..],
            _ => return false,
        }
        first = false;
    }
    rest.is_empty()
}

/// The request that a line of curl makes: method, path, headers and body.
#[cfg(feature = "serve")]
fn request(room: &Room, line: &str) -> [String; 4] {
    // The shell tells what its words are.
    let script = format!("curl() {{ printf '%s\\0' \"$@\"; }}\n{line}");
    let mut command = Command::new("bash");
    command.args(["-c", &script]).current_dir(room.path(""));
    let run = run_with(command, "");
    let words = run.text();
    let (mut method, mut path, mut headers, mut body) =
        ("GET".to_owned(), String::new(), String::new(), String::new());
    let mut words = words.split_terminator('\0');
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap().to_owned();
        match word {
            "-H" => headers += &format!("{}\r\n", value()),
            "-d" => (method, body) = ("POST".to_owned(), value()),
            "-T" => body = room.text(&value()),
            "-X" => method = value(),
            "-s" | "-sN" => {}
            _ => {
                let after =
                    word.strip_prefix("http://127.0.0.1:7878").unwrap_or_else(|| panic!("{word}"));
                path = after.to_owned();
            }
        }
    }
    [method, path, headers, body]
}

/// The requests of these documents, to the store that their commands make.
#[test]
#[cfg(feature = "serve")]
fn requests_are_answered_as_shown() {
    for (document, requests, answers) in [
        ("README.md", 1, 1),
        ("docs/index.md", 1, 1),
        ("docs/operations.md", 1, 1),
        ("docs/command.md", 4, 3),
    ] {
        let text = std::fs::read_to_string(repository().join(document)).unwrap();
        let (asked, compared) = requests_of(&text);
        // A block that is no longer found would ask nothing.
        assert!(asked >= requests && compared >= answers, "{document}: {asked}, {compared}");
    }
}

/// How many requests a document has, and how many answers, which are compared.
#[cfg(feature = "serve")]
fn requests_of(text: &str) -> (usize, usize) {
    let room = prepared();
    let lines = commands(text);
    let init = lines.iter().find(|line| line.starts_with("nearprint store init ")).unwrap();
    let init = init.split("  #").next().unwrap();
    let init: Vec<_> = init.split_whitespace().skip(1).collect();
    room.run(&init).done();
    let serve = ["serve", init[2], "--listen", "127.0.0.1:0"];
    let served = crate::serve::Served::start(room.command(&serve));
    let (mut last, mut asked, mut compared) = (String::new(), 0, 0);
    for line in lines {
        if let Some(shown) = line.strip_prefix("# {") {
            let shown = format!("{{{shown}");
            assert!(is_as_shown(&last, &shown), "shown:\n{shown}\nanswered:\n{last}");
            compared += 1;
        } else if line.starts_with("curl") {
            let [method, path, headers, body] = request(&room, &line);
            let (status, answer) = served.ask(&method, &path, &headers, &body);
            assert_eq!(status, 200, "{line}\n{answer}");
            last = answer;
            asked += 1;
        }
    }
    (asked, compared)
}

#[test]
fn an_answer_is_as_it_is_shown_or_not() {
    for (answer, shown, expected) in [
        ("{\"a\":17}", "{\"a\":...}", true),
        ("{\"a\":17}", "{\"a\":17}", true),
        ("{\"a\":17}", "{\"a\":1}", false),
        ("{\"a\":17,\"b\":2}", "{\"a\":...,\"b\":2}", true),
        ("{\"a\":17,\"b\":3}", "{\"a\":...,\"b\":2}", false),
        ("{\"b\":1}", "{\"a\":...}", false),
        ("x{\"a\":1}", "{\"a\":...}", false),
    ] {
        assert_eq!(is_as_shown(answer, shown), expected, "{answer} {shown}");
    }
}

/// A command of a document, with what it prints where the document shows that.
struct Typed {
    line: String,
    prints: Option<String>,
}

/// The commands in the blocks of `sh` and `console` of a document, a continued line with the one before.
fn typed(document: &str) -> Vec<Typed> {
    let mut all: Vec<Typed> = Vec::new();
    let (mut block, mut indent, mut continued) = ("", "", false);
    for whole in document.lines() {
        let line = whole.trim_start();
        if let Some(kind) = line.strip_prefix("```") {
            block = if block.is_empty() { kind } else { "" };
            // Blocks in tabs are indented.
            indent = whole.strip_suffix(line).unwrap_or_default();
            continued = false;
        } else if block == "console" {
            let line = whole.strip_prefix(indent).unwrap_or(line);
            if let Some(command) = line.strip_prefix("$ ") {
                all.push(Typed { line: command.to_owned(), prints: Some(String::new()) });
            } else if let Some(Typed { prints: Some(prints), .. }) = all.last_mut() {
                prints.push_str(line);
                prints.push('\n');
            }
        } else if block == "sh" && !line.is_empty() {
            match all.last_mut().filter(|_| continued) {
                Some(before) => before.line.push_str(line),
                None => all.push(Typed { line: line.to_owned(), prints: None }),
            }
            continued = line.ends_with('\\');
            if let Some(last) = all.last_mut().filter(|_| continued) {
                last.line.pop();
            }
        }
    }
    all
}

/// The commands in the blocks of `sh` of a document.
fn commands(document: &str) -> Vec<String> {
    let shell = typed(document).into_iter().filter(|typed| typed.prints.is_none());
    shell.map(|typed| typed.line).collect()
}

#[test]
fn commands_are_found_in_blocks_of_shell_alone() {
    let document = "```sh\na \\\n  b\nc\n```\n```text\nd\n```\n=== \"x\"\n\n    ```sh\n    e\n    ```\n\
                    ```console\n$ f\n1\n  2\n$ g\n```\n";
    let found: Vec<(String, Option<String>)> =
        typed(document).into_iter().map(|typed| (typed.line, typed.prints)).collect();
    let shell = ["a b", "c", "e"].map(|line| (line.to_owned(), None));
    let console = [("f", "1\n  2\n"), ("g", "")]
        .map(|(line, prints)| (line.to_owned(), Some(prints.to_owned())));
    assert_eq!(found, shell.into_iter().chain(console).collect::<Vec<_>>());
}

/// Rows of texts, some of them alike.
fn rows(from: u32, to: u32) -> String {
    let text = |n: u32| {
        let words = (0..40).map(|at| format!("word{}", n / 2 * 50 + at));
        words.chain([format!("own{n}")]).collect::<Vec<_>>().join(" ")
    };
    let row = |n| {
        format!(
            "{{\"id\":\"{from}-{n}\",\"text\":\"<p>{}</p>\",\"dump\":\"cc-{}\",\"language\":\"en\"}}\n",
            text(n),
            n % 2
        )
    };
    (from..to).map(row).collect()
}

/// The files that the commands name.
fn prepared() -> Room {
    let room = Room::new();
    for (name, from, to) in [
        ("corpus.jsonl", 0, 60),
        ("today.jsonl", 20, 50),
        ("archive/old.jsonl", 0, 30),
        ("clean/a.jsonl", 0, 30),
        ("curated/a.jsonl", 0, 20),
        ("1.jsonl", 0, 40),
        ("2.jsonl", 30, 70),
        ("best/a.jsonl", 0, 20),
        ("rest/b.jsonl", 10, 40),
        ("page.jsonl", 100, 101),
        ("zh.jsonl", 0, 4),
        ("crawl.jsonl", 0, 30),
        ("crawled.jsonl", 200, 220),
        ("new.jsonl", 210, 230),
        ("train.jsonl", 0, 40),
        ("test.jsonl", 30, 60),
    ] {
        room.write(name, rows(from, to));
    }
    for name in
        ["samples/news.jsonl", "samples/zh.jsonl", "samples/ja.jsonl", "samples/news.labels.tsv"]
    {
        room.write(name, std::fs::read(repository().join(name)).unwrap());
    }
    room.write("labels.jsonl", "{\"a\":\"0-0\",\"b\":\"0-1\"}\n{\"a\":\"0-2\",\"b\":\"0-3\"}\n");
    for number in 0..3 {
        let page = rows(number * 10, number * 10 + 10);
        room.write(&format!("crawl/{number}.jsonl.zst"), zstd(page.as_bytes()));
        room.write(
            &format!("texts/{number}.txt"),
            format!("{} {number}", "a page of text ".repeat(30)),
        );
        room.write(
            &format!("html/{number}.html"),
            format!("<html><p>{}</p></html>", "words of a page ".repeat(20)),
        );
    }
    room.write("dump.jsonl.gz", gzip(rows(0, 30).as_bytes()));
    room.write("first.txt", "区块链的共识算法决定性能");
    room.write("user.dict.utf8", "区块链 10 nz\n");
    room.write("stop_words.utf8", "决定\n");
    room.write("idf.utf8", "共识 7.5\n算法 8.7\n");
    room.write(
        "evals/quiz.jsonl",
        "{\"question\":\"Who is in the garden of the king at noon?\",\"answer\":\"nobody\"}\n",
    );
    room.write("old.txt", "the old text of a page that somebody changed");
    room.write("new.txt", "the new text of a page that somebody changed");
    room.write(
        "vectors.jsonl",
        "{\"id\":1,\"features\":{\"x\":0.5,\"y\":1}}\n{\"id\":2,\"features\":{\"x\":0.5,\"y\":1.1}}\n",
    );
    let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>A page of an archive.</p>";
    let record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:1>\r\n\
         WARC-Target-URI: http://example.org/\r\nWARC-Warcinfo-ID: <urn:0>\r\n\
         Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    );
    for name in ["crawl.warc.gz", "warc/1.warc.gz"] {
        room.write(name, gzip(record.as_bytes()));
    }
    room
}

#[test]
fn every_command_of_the_documentation_runs() {
    if cfg!(windows) {
        return;
    }
    let (mut ran, mut compared, mut drawn) = (0, 0, 0);
    for document in documents() {
        let room = prepared();
        let text = std::fs::read_to_string(repository().join(&document)).unwrap();
        // Pages about a store that is there already.
        if text.contains("nearprint store ") && !text.contains("nearprint store init pages") {
            room.run(&["store", "init", "pages", "--recipe", "web"]).done();
        }
        for Typed { line, prints } in typed(&text) {
            // From a clone the command is built as it is run.
            let line = line.replace("cargo run --release -- ", "nearprint ");
            if line.starts_with('#') || NOT_HERE.iter().any(|start| line.starts_with(start)) {
                continue;
            }
            let bin = Path::new(BINARY).parent().unwrap().display();
            let path = format!("{bin}:{}", std::env::var("PATH").unwrap());
            let script = format!("set -eo pipefail\ncrawler() {{ cat crawled.jsonl; }}\n{line}");
            let mut command = Command::new("bash");
            command.args(["-c", &script]).current_dir(room.path("")).env("PATH", path);
            let run = run_with(command, "");
            // A document shows the error of a command that fails, and else what a command prints.
            let fails = prints.as_ref().is_some_and(|shown| shown.starts_with("error: "));
            assert_eq!(run.code == Some(0), !fails, "{document}: {line}\n{}", run.stderr);
            ran += 1;
            if let Some(shown) = prints {
                let printed = if fails { run.stderr.as_str() } else { run.text() };
                let alike = is_as_shown(printed, &shown);
                assert!(alike, "{document}: {line}\nshown:\n{shown}\nprinted:\n{printed}");
                compared += 1;
            }
        }
        // Pictures that the commands of a document draw are those that it shows.
        let pictures = text.split("](pictures/").skip(1).filter_map(|rest| rest.split(')').next());
        for picture in pictures.filter(|picture| room.path(picture).exists()) {
            let shown = repository().join("docs/pictures").join(picture);
            let alike = std::fs::read(&shown).unwrap() == room.read(picture);
            assert!(
                alike,
                "{document}: {picture} is another one; put what its command draws there"
            );
            drawn += 1;
        }
    }
    // A block that is no longer found would run nothing.
    let enough = ran >= 180 && compared >= 30 && drawn >= 3;
    assert!(enough, "{ran} commands, {compared} answers, {drawn} pictures");
}

/// Letters of Chinese and Japanese.
fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

#[test]
fn pages_in_chinese_and_japanese_are_written_as_such() {
    for page in ["README.zh.md", "README.ja.md"] {
        let text = std::fs::read_to_string(repository().join(page)).unwrap();
        // What stands between back quotes is typed, and links are addresses.
        let prose: Vec<String> = text
            .split("```")
            .step_by(2)
            .map(|part| part.split('`').step_by(2).collect::<Vec<_>>().join("\u{3042}"))
            .map(|part| part.replace("](", "\u{ff08}"))
            .collect();
        let comments = text.lines().filter_map(|line| Some(line.split_once("  # ")?.1.to_owned()));
        for line in prose.iter().flat_map(|part| part.lines().map(str::to_owned)).chain(comments) {
            let letters: Vec<char> = line.chars().collect();
            for pair in letters.windows(2) {
                let half = |c: char| matches!(c, ',' | ':' | ';' | '!' | '?' | '(' | '.');
                let wrong = is_cjk(pair[0]) && (half(pair[1]) || pair[1] == ')')
                    || half(pair[0]) && is_cjk(pair[1]);
                assert!(!wrong, "{page}: {pair:?} in {line}");
            }
        }
        // A file that a command reads is one of the repository, or one that a command before it made.
        let commands = commands(&text).join("\n");
        assert!(!commands.contains("corpus.jsonl") && commands.contains("samples/"), "{page}");
    }
}

#[test]
fn the_index_of_these_pages_finds_what_pairs_finds() {
    if cfg!(windows) {
        return;
    }
    let room = prepared();
    for (page, name) in [("README.zh.md", "zh"), ("README.ja.md", "ja")] {
        let text = std::fs::read_to_string(repository().join(page)).unwrap();
        let wanted = ["nearprint pairs ", "nearprint index "];
        for line in commands(&text).iter().filter(|line| wanted.iter().any(|w| line.starts_with(w)))
        {
            let (line, _) = line.split_once("  # ").unwrap_or((line, ""));
            let args: Vec<_> = line.split_whitespace().skip(1).collect();
            room.run(&args).done();
        }
        let ids: Vec<_> = crate::nearprint::rows(&room.text(&format!("samples/{name}.jsonl")))
            .iter()
            .map(|row| row["id"].as_str().unwrap().to_owned())
            .collect();
        let pairs: BTreeSet<_> = crate::nearprint::rows(&room.text(&format!("{name}-pairs.jsonl")))
            .iter()
            .map(|row| [&row["a"], &row["b"]].map(|id| id.as_str().unwrap().to_owned()))
            .collect();
        let near: BTreeSet<_> = crate::nearprint::rows(&room.text(&format!("{name}-near.jsonl")))
            .iter()
            .map(|row| {
                let doc = usize::try_from(row["doc"].as_u64().unwrap()).unwrap();
                [row["query"].as_str().unwrap().to_owned(), ids[doc].clone()]
            })
            .collect();
        assert!(pairs.len() > 8 && pairs.is_subset(&near), "{page}: {:?}", pairs.difference(&near));
    }
}
