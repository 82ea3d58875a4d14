//! `explain`, `compare` of bits, and `recipe check`: how a fingerprint comes about.

use crate::nearprint::run_with;
use crate::room::Room;
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn explained(room: &Room, args: &[&str]) -> Value {
    let args = [&["explain"], args, &["--format", "json"]].concat();
    json(room.run(&args).done().text())
}

#[test]
fn the_explanation_is_of_the_fingerprint_that_the_command_makes() {
    let room = Room::new();
    room.write("text.txt", "To be or not to be, that is the question.\n");
    room.write(
        "rows.jsonl",
        "{\"id\":7,\"text\":\"one two three four\",\"features\":{\"x\":0.5,\"y\":-1}}\n\
         {\"id\":\"b\",\"text\":\"five six seven eight\",\"features\":{\"y\":2}}\n",
    );
    for width in ["64", "128", "256"] {
        let made = room.run(&["fingerprint", "text.txt", "--width", width]).done();
        let why = explained(&room, &["text.txt", "--width", width]);
        assert_eq!(why["fingerprint"], json(made.text())["fingerprint"]);
        assert_eq!(why["vector"].as_array().unwrap().len().to_string(), width);
    }
    let tokens = &explained(&room, &["text.txt"])["tokens"];
    assert_eq!((tokens[0].as_str(), tokens.as_array().unwrap().len()), (Some("to"), 10));
    for recipe in ["words", "vectors"] {
        let made = room.run(&["fingerprint", "rows.jsonl", "--recipe", recipe]).done();
        let rows: Vec<_> = made.text().lines().map(json).collect();
        for (id, row) in ["7", "b"].iter().zip(&rows) {
            let why = explained(&room, &["rows.jsonl", "--id", id, "--recipe", recipe]);
            assert_eq!(why["fingerprint"], row["fingerprint"], "{recipe} {id}");
        }
        let first = explained(&room, &["rows.jsonl:1", "--recipe", recipe]);
        assert_eq!(first["fingerprint"], rows[0]["fingerprint"]);
    }
    let by_hand = explained(&room, &["--features", "x=0.5", "y=-1"]);
    let row = explained(&room, &["rows.jsonl:1", "--recipe", "vectors"]);
    assert_eq!(by_hand, row);
    assert_eq!(explained(&room, &["--text", ""])["flags"], serde_json::json!(["empty"]));
}

#[test]
fn features_with_bits_come_as_arguments_or_as_lines() {
    let room = Room::new();
    let lines = "上海=01011001:45.11\r\n\n北京=0xcb:32.09\n";
    room.write("cities.txt", lines);
    let cities = explained(&room, &["--bits", "上海=01011001:45.11", "北京=11001011:32.09"]);
    assert_eq!(cities["bits"], "01011001");
    assert_eq!(explained(&room, &["--bits", "cities.txt"]), cities);
    let sign = |rule| explained(&room, &["--bits", "1", "0", "--sign", rule])["bits"].clone();
    assert_eq!((sign("positive"), sign("non-negative")), ("0".into(), "1".into()));
    let wide = format!("a={}:2", "01".repeat(128));
    assert_eq!(explained(&room, &["--bits", &wide])["width"], 256);
}

#[test]
fn the_picture_and_the_table_show_every_width() {
    let room = Room::new();
    for (name, args) in [
        ("small.svg", &["--bits", "fox=101:1", "011:2"][..]),
        ("wide.svg", &["--text", "the quick <brown> fox", "--width", "256", "--recipe", "words"]),
    ] {
        let args = [&["explain", "--plot", name], args].concat();
        let run = room.run(&args).done();
        let svg = room.text(name);
        assert!(
            svg.starts_with("<svg") && svg.contains("fox") && svg.ends_with("</svg>\n"),
            "{svg}"
        );
        // A cell for each vote, and what is around it.
        let (votes, cells) =
            (if name == "small.svg" { 2 * 3 } else { 4 * 256 }, svg.matches("<rect"));
        assert!(cells.count() > votes);
        assert!(run.text().contains("fox"));
        let twice = format!("{name} exists; pass --force to replace it");
        room.refuses(&args, 1, &twice);
    }
    room.refuses(
        &["explain", "--text", "a", "--plot", "a.gif"],
        2,
        "--plot a.gif: name a file that ends in .svg, .pdf, .png or .csv",
    );
    // What the font of a PNG lacks is no square in it.
    let chinese = ["explain", "--text", "狐狸", "--recipe", "zh", "--plot"];
    room.run(&[&chinese[..], &["zh.svg"]].concat()).done();
    let refused = room.run(&[&chinese[..], &["zh.png"]].concat());
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("name a file that ends in .svg"), "{}", refused.stderr);
    assert!(!room.path("zh.png").exists());
    let files = ["--plot", "a.png", "--plot", "a.pdf", "--plot", "a.csv"];
    room.run(&[&["explain", "--text", "a fox"], &files[..]].concat()).done();
    assert!(room.read("a.png").starts_with(b"\x89PNG") && room.read("a.pdf").starts_with(b"%PDF"));
    let csv = room.text("a.csv");
    assert!(csv.starts_with("feature,weight,bit,value\n") && csv.contains("\nV,,63,"), "{csv}");
}

#[test]
fn what_cannot_be_explained_is_refused_with_its_place() {
    let room = Room::new();
    room.write("broken.txt", "a=101:1\nb=1021:1\n");
    room.write("wide.txt", "a=101:1\nb=0101:1\n");
    room.write("nan.txt", "a=101:1\n\nb=011:nan\n");
    room.write("latin.txt", b"a=101:1\nb\xe9=011:1\n");
    room.write("empty.txt", "\n");
    room.write("rows.jsonl", "{\"features\":{\"x\":1}}\n");
    room.write("two.jsonl", "{\"text\":\"a b\"}\n{\"text\":\"c d\"}\n");
    room.write("bad.jsonl", "{\"features\":{\"x\":1,\"y\":NaN}}\n");
    let form = "expected NAME=BITS:WEIGHT, such as fox=01011001:2.5";
    for (args, code, message) in [
        (&["--bits", "broken.txt"][..], 1, format!("broken.txt:2: b=1021:1: expected binary digits (0 or 1), found '2' in place 3; {form}")),
        (&["--bits", "wide.txt"], 2, "feature \"b\" has 4 bits, and those before it have 3; give each feature as many bits".to_owned()),
        (&["--bits", "nan.txt"], 1, "nan.txt:3: b=011:nan: \"nan\" is not a weight; weights are finite numbers".to_owned()),
        (&["--bits", "latin.txt"], 1, "latin.txt:2: invalid utf-8 sequence of 1 bytes from index 1".to_owned()),
        (&["--bits", "empty.txt"], 2, "no feature: give at least one with its bits".to_owned()),
        (&["--bits", "101:inf"], 2, "101:inf: \"inf\" is not a weight; weights are finite numbers".to_owned()),
        (&["--bits", "x=:1"], 2, format!("x=:1: expected 1 to 256 bits, found 0; {form}")),
        (&["--bits", "101", "--width", "64"], 2, "--width: features with --bits contain their hashes, so no recipe is used; leave --width out".to_owned()),
        (&["--features", "x"], 2, "x: expected NAME=WEIGHT, such as x=0.5".to_owned()),
        (&["--features", "x=1e999"], 2, "x=1e999: \"1e999\" is not a weight; weights are finite numbers".to_owned()),
        (&["--features", "x=1", "--recipe", "text"], 2, "--features: recipe text takes texts; use --recipe vectors, or one of weights = \"given\"".to_owned()),
        (&["--text", "x", "--recipe", "vectors"], 2, "--text: recipe vectors takes features; use --features".to_owned()),
        (&["rows.jsonl", "--recipe", "vectors", "--id", "9"], 1, "no document has the id 9; --id-field names the field of ids".to_owned()),
        (&["bad.jsonl", "--recipe", "vectors"], 1, "bad.jsonl:1: feature \"y\" has weight NaN; weights are finite numbers".to_owned()),
        (&["two.jsonl"], 2, "two.jsonl: more than one document; name a row, such as two.jsonl:1, or give --id".to_owned()),
        (&["a text of words"], 1, "a text of words: no such file; use --text to explain the words themselves".to_owned()),
    ] {
        room.refuses(&[&["explain"], args].concat(), code, &message);
    }
    // What is damaged is left out where that is asked for, but for the row that is named.
    room.write("cut.jsonl", "{\"text\":7}\n{\"text\":\n{\"id\":\"x\",\"text\":\"a b\"}\n");
    for rest in [&["cut.jsonl"][..], &["cut.jsonl", "--id", "x"], &["cut.jsonl:3"]] {
        assert_eq!(
            room.run(&[&["explain"], rest].concat()).code == Some(0),
            rest.len() == 1 && rest[0] != "cut.jsonl"
        );
        let run = room.run(&[&["explain", "--on-error", "skip"], rest].concat()).done();
        assert_eq!(run.stderr.contains("skipped ("), rest[0] == "cut.jsonl", "{}", run.stderr);
    }
    assert_eq!(room.run(&["explain", "--on-error", "skip", "cut.jsonl:1"]).code, Some(1));
    // Damage is no second document, wherever it stands, and no document where it is all.
    room.write(
        "behind.jsonl",
        "{\"text\":\"a b\",\"features\":{\"x\":1}}\n{\"text\":7,\"features\":7}\n",
    );
    room.write("none.jsonl", "{\"text\":7,\"features\":7}\n{\"id\":1}\n");
    room.write("void.jsonl", "");
    room.write("blank.jsonl", "\n");
    for recipe in ["text", "vectors"] {
        let explain = ["explain", "--on-error", "skip", "--recipe", recipe];
        room.run(&[&explain[..], &["behind.jsonl"]].concat()).done();
        for file in ["none.jsonl", "void.jsonl", "blank.jsonl"] {
            let run = room.run(&[&explain[..], &[file]].concat());
            let said = format!("error: 1 file held no document: {file}");
            assert!(run.code == Some(1) && run.stderr.contains(&said), "{}", run.stderr);
            assert_eq!(run.text(), "");
        }
    }
    let two = run_with(room.command(&["explain", "-"]), room.read("two.jsonl"));
    two.refused(2, "stdin: more than one document; give --id");
    let nothing = room.run(&["explain", "--bits", "101:0", "011:0"]).done();
    assert!(nothing.text().contains("every weight is 0: the bits carry no information"));
}

#[test]
fn fingerprints_of_any_width_are_compared() {
    let room = Room::new();
    let compared = |args: &[&str]| {
        let args = [&["compare"], args, &["--format", "json"]].concat();
        let answer = json(room.run(&args).done().text());
        (answer["width"].as_u64().unwrap(), answer["distance"].as_u64().unwrap())
    };
    assert_eq!(compared(&["100101", "101100"]), (6, 2));
    assert_eq!(compared(&["00101110", "00001111"]), (8, 2));
    assert_eq!(compared(&["0b100101", "0b101100"]), (6, 2));
    assert_eq!(compared(&["0x25", "0x2c"]), (8, 2));
    // Without a prefix they are fingerprints beside one with it, or at a width: 10 is hexadecimal beside 2c.
    assert_eq!(compared(&["0x25", "2c"]), (8, 2));
    assert_eq!(compared(&["2e", "0b00001111"]), (8, 2));
    assert_eq!(compared(&["10", "0x2c"]), (8, 4));
    assert_eq!(compared(&["10", "2c", "--width", "64"]), (64, 4));
    assert_eq!(compared(&[&"10".repeat(8), &"11".repeat(8)]), (64, 8));
    assert_eq!(compared(&[&format!("0b{}", "10".repeat(8)), &"11".repeat(8)]), (16, 8));
    let python = ["0x20302202800d8e90e45cc488", "0x20fc2282801d9e9ce4dcc6ea"];
    assert_eq!(compared(&python), (96, 14));
    assert_eq!(compared(&[python[0], python[1], "--width", "128"]), (128, 14));
    let near = json(
        room.run(&["compare", "100101", "101100", "-k", "2", "--format", "json"]).done().text(),
    );
    assert_eq!((&near["near_duplicates"], &near["k"]), (&true.into(), &2.into()));
    let without =
        json(room.run(&["compare", "100101", "101100", "--format", "json"]).done().text());
    assert_eq!((&without["near_duplicates"], &without["k"]), (&Value::Null, &Value::Null));
    let unequal = "A has 6 bits and B has 5; give both as many, or name the width of both with \
                   --width, which puts zeros in front";
    for (args, message) in [
        (&["100101", "10110"][..], unequal),
        (&["0b10201", "0b10101"], "0b10201: expected binary digits (0 or 1), found '2' in place 3"),
        (
            &["100101", "101100", "-k", "7"],
            "-k 7 is more than the 6 bits of a fingerprint; use 0 to 6",
        ),
        (&["0x2g", "0x2c"], "0x2g: expected hexadecimal digits (0-9, a-f)"),
    ] {
        room.refuses(&[&["compare"], args].concat(), 2, message);
    }
    for (a, b) in [("17", "43"), ("7", "8"), ("25", "2c"), ("10", "17"), ("d0", "d300")] {
        let message = format!(
            "{a} and {b} may be ids or fingerprints: add --in CORPUS for ids, or write 0x in front of hexadecimal digits"
        );
        room.refuses(&["compare", a, b], 2, &message);
    }
    let bits = room.run(&["compare", "10", "11"]).done();
    assert_eq!(bits.stderr, "A and B are read as bits; for ids of documents add --in CORPUS\n");
    let message = "cafe: no such file; use --text to compare the words themselves, or --in CORPUS for ids of its documents";
    room.refuses(&["compare", "cafe", "babe"], 1, message);
    let long = "1".repeat(257);
    room.refuses(
        &["compare", &long, &long],
        2,
        &format!("{long}: expected 1 to 256 bits, found 257"),
    );
}

#[test]
fn the_similarity_of_the_python_class_is_printed_for_what_it_is() {
    let room = Room::new();
    let texts = ["This is a test string for testing", "This is a test string for testing also!"];
    let args = ["compare", "--text", texts[0], texts[1], "--recipe", "python-128"];
    let run = room.run(&args).done();
    assert!(run.text().contains("distance     14 of 128 bits"), "{}", run.text());
    assert!(
        run.text()
            .contains("ratio        0.97584098811 of the fingerprints as integers: no measure")
    );
    let other = room.run(&["compare", "--text", texts[0], texts[1]]).done();
    assert!(!other.text().contains("ratio"));
}

#[test]
fn a_recipe_is_explained_and_shown_on_a_sample() {
    let room = Room::new();
    room.write("least.toml", "split = \"words\"\nweights = \"log\"\n");
    let words = json(room.run(&["recipe", "show", "words", "--format", "json"]).done().text());
    let check = |args: &[&str]| {
        let args = [&["recipe", "check"], args, &["--format", "json"]].concat();
        json(room.run(&args).done().text())
    };
    assert_eq!(check(&["least.toml"])["id"], words["id"]);
    room.write(
        "names.toml",
        "split = \"words\"\nweights = \"idf\"\nphrases = 10\nstop-words = true\nlanguage = \"en\"\n",
    );
    let told = check(&["names.toml", "--text", "The city of New York"]);
    assert_eq!(told["sample"]["left_out"], serde_json::json!(["new", "of", "the"]));
    assert_eq!(told["sample"]["tokens"], serde_json::json!(["city", "york"]));
    let remarks = told["remarks"].to_string();
    assert!(remarks.contains("is never a phrase") && remarks.contains("idf build"), "{remarks}");
    let table = room.run(&["recipe", "check", "names.toml"]).done();
    assert!(table.text().contains("stop-words = true "), "{}", table.text());
    room.write("in.jsonl", "{\"text\":\"one two\"}\n");
    let build =
        room.run(&["idf", "build", "in.jsonl", "--recipe", "names.toml", "-o", "o.idf"]).done();
    assert!(build.stderr.contains("note: stop words are left out before phrases are joined"));
    // The list goes into a recipe as it is printed, and does the same there.
    let list = room.run(&["recipe", "stop-words", "en", "--format", "toml"]).done();
    room.write("own.toml", format!("split = \"words\"\nweights = \"log\"\n{}", list.text()));
    let own = check(&["own.toml", "--text", "The city of New York"]);
    assert_eq!(own["sample"]["tokens"], told["sample"]["tokens"]);
    room.write("wrong.toml", "split = \"words\"\nshingle = 2\n");
    let wrong = room.run(&["recipe", "check", "wrong.toml"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("missing field `weights`"), "{}", wrong.stderr);
    let message = room.run(&["recipe", "stop-words", "klingon"]).stderr;
    assert!(
        message.starts_with("error: klingon: no list of stop words; there are lists for af, ar,"),
        "{message}"
    );
}

#[test]
fn a_recipe_without_a_version_has_the_newest_rules() {
    let room = Room::new();
    let keys = "split = \"zh\"\nweights = \"textrank\"\ntop = 20\nhash = \"fnv1a-mix\"\nnormalize = \"keep\"\n\
                case = \"keep\"\n";
    room.write("mine.toml", keys);
    room.write("old.toml", format!("version = 1\n{keys}"));
    room.write(
        "in.jsonl",
        "{\"id\":1,\"text\":\"线程是程序执行时的最小单位,一个进程可以有很多线程\"}\n",
    );
    room.write("user.txt", "线程是 10 n\n");
    let id = |recipe: &str| {
        json(room.run(&["recipe", "show", recipe, "--format", "json"]).done().text())["id"].clone()
    };
    assert_eq!(id("mine.toml"), id("zh-textrank"));
    assert_ne!(id("old.toml"), id("mine.toml"));
    let shown = room.run(&["recipe", "show", "mine.toml"]).done();
    assert!(shown.text().contains("\nversion = 3\n"), "{}", shown.text());
    // What an old version costs.
    let check = |recipe: &str| room.run(&["recipe", "check", recipe]).done().text().to_owned();
    let (newest, old) = (check("mine.toml"), check("old.toml"));
    assert!(newest.contains("version = 3 ") && newest.contains("(default)"), "{newest}");
    assert!(!newest.contains("earlier rules"), "{newest}");
    assert!(old.contains("note: version 1 cuts and ranks words by earlier rules: "), "{old}");
    let user = ["--dictionary", "user.txt"];
    room.run(&[&["explain", "in.jsonl", "--recipe", "mine.toml"], &user[..]].concat()).done();
    let refused = room.run(&[&["explain", "in.jsonl", "--recipe", "old.toml"], &user[..]].concat());
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    // Stores and segments of the old rules are what they were, and say so.
    let shared = ["--recipe", "old.toml"];
    room.run(&[&["store", "init", "pages", "-k", "3", "-q"], &shared[..]].concat()).done();
    room.run(&["store", "add", "pages", "in.jsonl", "-q"]).done();
    assert_eq!(
        json(room.run(&["store", "stats", "pages", "--format", "json"]).done().text())["recipe_id"],
        id("old.toml")
    );
    room.run(&[&["index", "build", "in.jsonl", "-o", "old.seg", "-q"], &shared[..]].concat())
        .done();
    room.run(&[&["index", "query", "old.seg", "in.jsonl"], &shared[..]].concat()).done();
    let other = room.run(&["index", "query", "old.seg", "in.jsonl", "--recipe", "mine.toml"]);
    assert!(
        other.stderr.contains("it is the same recipe by the rules of version 1: pass it as a file that says version = 1"),
        "{}",
        other.stderr
    );
}

#[test]
fn documents_of_the_reference_and_one_document_alone_are_told_apart() {
    let room = Room::new();
    let row = |id: &str, end: &str| {
        let text =
            "the ferry leaves the harbour at noon on every day but Sunday and returns at night";
        format!("{{\"id\":\"{id}\",\"text\":\"{text} {end}\"}}\n")
    };
    room.write("old.jsonl", row("x", "one") + &row("y", "two"));
    room.write("new.jsonl", row("a", "three"));
    let compare = |a: &str, b: &str| {
        let against = ["--in", "new.jsonl", "--against", "old.jsonl", "--recall", "exact"];
        room.run(&[&["compare", a, b], &against[..]].concat()).done().text().to_owned()
    };
    let said = compare("x", "y");
    assert!(said.contains("both are of --against, whose documents are not compared"), "{said}");
    assert!(said.contains("compared     no\n"), "{said}");
    let said = compare("a", "x");
    assert!(said.contains("B            \"x\" is of --against"), "{said}");
    assert!(!said.contains("\"x\" is kept"), "{said}");
    assert!(compare("a", "a").starts_with("verdict      the same: they are one document"));
    assert!(compare("a", "x").contains("compared     yes"));
}
