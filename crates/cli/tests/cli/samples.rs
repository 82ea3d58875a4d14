//! What the binary prints on the sample corpora and of itself, frozen word for word. Runs start in
//! the root of the repository with relative paths. A change of these files is a change that users
//! see.

use crate::nearprint::{Run, repository, run};
use crate::room::Room;
use insta::assert_snapshot;
use std::collections::BTreeMap;
use std::process::Command;

fn at_root(args: &[&str]) -> Run {
    run(&repository(), args)
}

/// The closing words without what differs from run to run.
fn steady(stderr: &str) -> String {
    let line = |line: &str| match line.split_once(" documents read (") {
        Some((documents, rest)) => {
            let (bytes, _) = rest.split_once(" in ").unwrap();
            format!("{documents} documents read ({bytes} in [time])\n")
        }
        None => match line.split_once(", written to ") {
            Some((kept, _)) => format!("{kept}, written to [file]\n"),
            None => format!("{line}\n"),
        },
    };
    stderr.lines().map(line).collect()
}

/// The summary without what differs from run to run.
fn steady_summary(text: &str) -> String {
    let mut summary: serde_json::Value = serde_json::from_str(text).unwrap();
    for stage in ["fingerprint", "join", "write", "total"] {
        assert!(summary["seconds"][stage].as_f64().unwrap() >= 0.0);
        summary["seconds"][stage] = "[seconds]".into();
    }
    assert!(summary["threads"].as_u64().unwrap() >= 1);
    summary["threads"] = "[threads]".into();
    if !summary["peak_memory"].is_null() {
        assert!(summary["peak_memory"].as_u64().unwrap() > 1_000_000);
    }
    summary["peak_memory"] = "[bytes]".into();
    format!("{summary:#}")
}

fn dedup(sample: &str, flags: &[&str]) -> String {
    let room = Room::new();
    let path = format!("samples/{sample}.jsonl");
    let files = ["kept.jsonl", "removed.jsonl", "pairs.jsonl", "clusters.jsonl", "summary.json"];
    let [kept, removed, pairs, clusters, summary] = files.map(|file| room.arg(file));
    let mut args = vec!["dedup", &path, "-o", &kept, "--removed", &removed, "--pairs", &pairs];
    args.extend(["--clusters", &clusters, "--summary", &summary]);
    args.extend(flags);
    let run = at_root(&args).done();
    assert!(run.stdout.is_empty());
    assert_eq!(room.names().len(), files.len(), "{:?}", room.names());
    let kept = room.text("kept.jsonl");
    let ids = crate::nearprint::rows(&kept).into_iter().map(|row| row["id"].to_string());
    format!(
        "{}\n--- ids of the survivors\n{}\n\n--- removed\n{}\n--- pairs\n{}\n--- clusters\n{}\n\
         --- summary\n{}\n",
        steady(&run.stderr),
        ids.collect::<Vec<_>>().join(" "),
        room.text("removed.jsonl"),
        room.text("pairs.jsonl"),
        room.text("clusters.jsonl"),
        steady_summary(&room.text("summary.json")),
    )
}

#[test]
fn dedup_of_the_news() {
    assert_snapshot!(dedup("news", &[]));
}

#[test]
fn dedup_of_the_chinese_items() {
    assert_snapshot!(dedup("zh", &[]));
}

#[test]
fn dedup_of_the_japanese_items_with_128_bits() {
    assert_snapshot!(dedup("ja", &["--width", "128", "-k", "16", "--keep", "longest"]));
}

#[test]
fn dedup_of_a_folder_of_texts_into_a_folder() {
    let room = Room::new();
    let (kept, removed) = (room.arg("kept"), room.arg("removed.jsonl"));
    let run = at_root(&[
        "dedup",
        "samples/text",
        "-o",
        &kept,
        "--removed",
        &removed,
        "--width=64",
        "-k12",
    ])
    .done();
    for name in room.names().iter().filter(|name| name.ends_with(".txt")) {
        let original = repository().join("samples/text").join(name.strip_prefix("kept/").unwrap());
        assert_eq!(room.read(name), std::fs::read(original).unwrap(), "{name}");
    }
    let names = room.names().join("\n");
    assert_snapshot!(format!("{}\n{names}\n\n{}", steady(&run.stderr), room.text("removed.jsonl")));
}

#[test]
fn dedup_of_a_folder_of_texts_into_rows() {
    let room = Room::new();
    let kept = room.arg("kept.jsonl");
    let run = at_root(&["dedup", "samples/text", "-o", &kept, "--width=64", "-k12"]).done();
    for row in crate::nearprint::rows(&room.text("kept.jsonl")) {
        let original = repository().join(row["id"].as_str().unwrap());
        assert_eq!(row["text"], std::fs::read_to_string(original).unwrap());
    }
    assert_snapshot!(format!("{}\n{}", steady(&run.stderr), room.text("kept.jsonl")));
}

#[test]
fn pairs_and_clusters() {
    let mut out = String::new();
    for args in [
        &["pairs", "samples/news.jsonl"][..],
        &["pairs", "samples/news.jsonl", "--width=64", "-k", "10", "--quiet"],
        &["pairs", "samples/news.jsonl", "--width", "128", "-k", "12"],
        &["pairs", "samples/text", "--width=64", "-k", "12"],
        &["clusters", "samples/news.jsonl", "--width=64", "-k", "10"],
        &["clusters", "samples/zh.jsonl", "samples/ja.jsonl", "--width", "256", "-k", "30"],
    ] {
        let run = at_root(args).done();
        let command = args.join(" ");
        out.push_str(&format!("$ nearprint {command}\n{}{}\n", run.text(), run.stderr));
    }
    assert_snapshot!(out);
}

#[test]
fn fingerprints_at_every_width() {
    let mut out = String::new();
    for args in [
        &["fingerprint", "samples/ja.jsonl", "--width", "64"][..],
        &["fingerprint", "samples/zh.jsonl", "--width", "128"],
        &["fingerprint", "samples/news.jsonl", "--width", "256"],
        &["fingerprint", "samples/text", "--recipe", "words"],
        &["fingerprint", "samples/text", "--recipe", "chars-5", "--quiet"],
        &["fingerprint", "samples/text/club", "--recipe", "python-128"],
    ] {
        let run = at_root(args).done();
        let command = args.join(" ");
        out.push_str(&format!("$ nearprint {command}\n{}{}\n", run.text(), run.stderr));
    }
    assert_snapshot!(out);
}

#[test]
fn comparisons() {
    let (a, b) = ("samples/text/town/allotments.txt", "samples/text/club/allotments-revised.txt");
    let other = "samples/text/town/lost-property.txt";
    let mut out = String::new();
    for args in [
        &["compare", a, b][..],
        &["compare", a, b, "--format", "json", "--width", "128", "--top", "3"],
        &["compare", a, a],
        &["compare", a, other, "--top", "2"],
        &["compare", "--text", "the quick brown fox", "the quick red fox", "--recipe", "words"],
        &["compare", "--text", "", "", "-k", "64", "--width", "64"],
    ] {
        let run = at_root(args).done();
        assert_eq!(run.stderr, "");
        let command = args.join(" ").replace("  ", " '' ''");
        out.push_str(&format!("$ nearprint {command}\n{}\n", run.text()));
    }
    assert_snapshot!(out);
}

#[test]
fn recipes() {
    let mut out = String::new();
    for args in [
        &["recipe", "list"][..],
        &["recipe", "list", "--format", "json"],
        &["recipe", "show", "text"],
        &["recipe", "show", "python-128", "--format", "json"],
    ] {
        let run = at_root(args).done();
        assert_eq!(run.stderr, "");
        out.push_str(&format!("$ nearprint {}\n{}\n", args.join(" "), run.text()));
    }
    assert_snapshot!(out);
}

#[test]
fn a_recipe_shown_is_a_recipe_to_use() {
    let room = Room::new();
    for name in ["text", "words", "chars-5", "python-128"] {
        let shown = at_root(&["recipe", "show", name]).done();
        room.write("mine.toml", &shown.stdout);
        let mine = room.arg("mine.toml");
        assert_eq!(at_root(&["recipe", "show", &mine]).done().text(), shown.text());
        let by_file = at_root(&["fingerprint", "samples/zh.jsonl", "--recipe", &mine]).done();
        let by_name = at_root(&["fingerprint", "samples/zh.jsonl", "--recipe", name]).done();
        assert_eq!(by_file.text(), by_name.text());
    }
}

/// The verbs as the help lists them.
fn verbs() -> Vec<String> {
    let help = at_root(&["--help"]).done();
    let (_, after) = help.text().split_once("Commands:\n").unwrap();
    let lines = after.lines().take_while(|line| !line.is_empty());
    lines.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn help_of_the_command() {
    assert_eq!(at_root(&["help"]).done().text(), at_root(&["--help"]).done().text());
    let bare = at_root(&[]);
    assert_eq!((bare.code, bare.text()), (Some(2), ""));
    assert!(bare.stderr.contains("Usage: nearprint <COMMAND>"), "{}", bare.stderr);
    assert_snapshot!(at_root(&["--help"]).done().text());
}

#[test]
fn help_of_every_verb() {
    for verb in verbs().iter().filter(|verb| *verb != "help") {
        let help = at_root(&[verb, "--help"]).done();
        assert!(help.text().lines().all(|line| line.chars().count() <= 100), "{verb}");
        assert_snapshot!(format!("help_{verb}"), help.text());
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = at_root(&["--version"]).done();
    assert_eq!(version.text(), format!("nearprint {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_know_every_verb() {
    for (shell, start) in [
        ("bash", "_nearprint() {\n    local i cur prev opts cmd\n"),
        ("zsh", "#compdef nearprint\n"),
        ("fish", "# Print an optspec for argparse"),
    ] {
        let script = at_root(&["completions", shell]).done();
        assert!(script.text().starts_with(start), "{shell}");
        for verb in verbs() {
            assert!(script.text().contains(&verb), "{shell}: {verb}");
        }
    }
    let checked = Command::new("bash")
        .args(["-n", "-c", at_root(&["completions", "bash"]).done().text()])
        .status();
    // Where there is no bash, nobody needs its completions.
    assert!(checked.is_err() || checked.unwrap().success());
}

/// The pages of a manual by name, without what roff escapes.
fn manual(room: &Room, folder: &str) -> BTreeMap<String, String> {
    let names = room.names().into_iter().filter_map(|name| {
        let page = name.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".1")?;
        Some((page.to_owned(), room.text(&name).replace("\\*(Aq", "'").replace('\\', "")))
    });
    names.collect()
}

#[test]
fn manual_pages_tell_what_help_tells() {
    let room = Room::new();
    room.run(&["man", "-o", "share/man1"]).done();
    let pages = manual(&room, "share/man1");
    let mut asked = vec![String::new()];
    while let Some(verb) = asked.pop() {
        let words: Vec<_> = verb.split_whitespace().collect();
        let name = [&["nearprint"], words.as_slice()].concat().join("-");
        let page = &pages[&name];
        let help = at_root(&[&words[..], &["--help"]].concat()).done();
        let lines = || help.text().lines().map(str::trim_start);
        let examples = lines().skip_while(|line| *line != "Examples:").skip(1);
        for line in examples.take_while(|line| !line.is_empty()) {
            assert!(page.contains(&line.replace('\\', "")), "{name}: {line}\n{page}");
        }
        for line in lines().filter(|line| line.starts_with('-') && !line.starts_with("- ")) {
            for flag in line.split([' ', '=', ',', '[']).filter(|word| word.starts_with('-')) {
                assert!(page.contains(flag), "{name}: {flag}\n{page}");
            }
        }
        let below = lines().skip_while(|line| *line != "Commands:").skip(1);
        for line in below.take_while(|line| !line.is_empty()) {
            let below = line.split_whitespace().next().unwrap();
            if below != "help" {
                assert!(page.contains(&format!("{name}-{below}(1)")), "{name}: {below}");
                asked.push(format!("{verb} {below}"));
            }
        }
    }
    assert!(pages.len() > 40, "{} pages", pages.len());
    for name in pages.keys() {
        let checked = Command::new("groff")
            .args(["-man", "-Tutf8", "-ww", "-z"])
            .arg(room.path(&format!("share/man1/{name}.1")))
            .output();
        // Where there is no groff, nobody can look at them.
        if let Ok(checked) = checked {
            assert_eq!(String::from_utf8_lossy(&checked.stderr), "", "{name}");
        }
    }
    let printed = room.run(&["man", "store", "add"]).done();
    assert_eq!(printed.text(), room.text("share/man1/nearprint-store-add.1"));
    let wrong = "no verb \"store sell\"; see nearprint --help";
    room.refuses(&["man", "store", "sell"], 2, wrong);
    let replaced = room.run(&["man", "-o", "share/man1"]);
    assert!(replaced.stderr.contains("share/man1/nearprint.1 exists"), "{}", replaced.stderr);
    assert_eq!(replaced.code, Some(1));
    room.run(&["man", "-o", "share/man1", "--force"]).done();
}
