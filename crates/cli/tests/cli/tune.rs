//! `tune` on a corpus whose pairs are known.

use crate::room::Room;
use serde_json::{Value, json};

/// 100 texts of 60 words, each with a copy in which so many words were replaced, one after the other.
fn room() -> Room {
    let room = Room::new();
    let rows: String = (0..100_usize)
        .flat_map(|number| {
            let text = |changed: usize| {
                let word = |at: usize| match at % 12 == 5 && at / 12 < changed {
                    true => format!("other{number}x{at} "),
                    false => format!("word{number}x{at} "),
                };
                (0..60).map(word).collect::<String>()
            };
            let row =
                |id: &str, text: String| json!({ "id": format!("{number}{id}"), "text": text });
            [row("a", text(0)), row("b", text(number % 5))]
        })
        .map(|row| format!("{row}\n"))
        .collect();
    room.write("in.jsonl", rows);
    room
}

fn tuned(room: &Room, more: &[&str]) -> Value {
    let run = room.run(&[&["tune", "in.jsonl", "--format", "json", "-q"], more].concat()).done();
    serde_json::from_str(run.text()).unwrap()
}

/// The prediction of a setting.
fn of<'a>(tuning: &'a Value, flags: &str) -> &'a Value {
    let predictions = tuning["predictions"].as_array().unwrap();
    predictions.iter().find(|one| one["flags"] == flags).unwrap_or_else(|| panic!("{tuning:#}"))
}

#[test]
fn what_it_predicts_of_the_whole_corpus_is_what_dedup_does() {
    let room = room();
    let tuning = tuned(&room, &["--similarity", "0.8"]);
    assert_eq!((&tuning["documents"], &tuning["looked_at"]), (&json!(200), &json!(200)));
    for flags in ["--similarity 0.8", "--similarity 0.9", "--similarity 0.8 --recall exact"] {
        let told = of(&tuning, flags);
        let mut args = vec!["dedup", "in.jsonl", "-o", "out.jsonl", "--force", "-q"];
        args.extend(["--summary", "s.json"].into_iter().chain(flags.split(' ')));
        room.run(&args).done();
        let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
        let removed = summary["removed"].as_f64().unwrap() / 200.0;
        let goes = told["goes"]["value"].as_f64().unwrap();
        assert!(removed > 0.1 && (goes - removed).abs() < 0.001, "{flags}: {goes} {removed}");
        // Every document was looked at: nothing is left to chance.
        assert!((told["goes"]["high"].as_f64().unwrap() - goes).abs() < 1e-9, "{told}");
        assert!(told["recall"]["value"].as_f64().unwrap() > 0.999, "{told}");
    }
    // Words that share nothing are far from each other: the radius finds what it is there for.
    let radius = of(&tuning, "-k 48 --width 256");
    assert!(radius["recall"]["value"].as_f64().unwrap() > 0.9, "{radius}");
    let words = tuning["recommendation"].as_str().unwrap();
    assert!(words.contains("All 200 documents were looked at"), "{words}");
    assert!(words.ends_with("  nearprint dedup in.jsonl -o OUT --similarity 0.8"), "{words}");
}

#[test]
fn with_real_weights_the_suggested_command_asks_for_the_similarity_that_was_told_of() {
    let room = room();
    room.write("mine.toml", "split = \"words\"\nweights = \"textrank\"\n");
    let tuning = tuned(&room, &["--similarity", "0.8", "--recipe", "mine.toml"]);
    let words = tuning["recommendation"].as_str().unwrap();
    let command =
        "nearprint dedup in.jsonl --recipe mine.toml -o OUT --similarity 0.8 --verify jaccard=0.8";
    assert!(words.ends_with(&format!("  {command}")), "{words}");
    assert!(words.contains("At Jaccard similarity 0.8, "), "{words}");
    let other = "By this recipe dedup, pairs, compare and evaluate measure another similarity, cosine: give";
    assert!(words.contains(other), "{words}");
    assert!(words.contains("give each of them --similarity S --verify jaccard=S."), "{words}");
    let usual = tuned(&room, &[])["recommendation"].as_str().unwrap().to_owned();
    assert!(usual.contains("At Jaccard similarity ") && !usual.contains("another"), "{usual}");
    let args = command.replace("OUT", "out.jsonl --force -q --summary s.json");
    room.run(&args.split(' ').skip(1).collect::<Vec<_>>()).done();
    let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
    let told = of(&tuning, "--similarity 0.8 --verify jaccard=0.8");
    let removed = summary["removed"].as_f64().unwrap() / 200.0;
    let goes = told["goes"]["value"].as_f64().unwrap();
    assert!(removed > 0.1 && (goes - removed).abs() < 0.001, "{goes} {removed}");
}

#[test]
fn a_sample_is_the_same_for_the_same_seed_and_its_intervals_hold_the_truth() {
    let room = room();
    let args = ["--similarity", "0.8", "--documents", "80"];
    let tuning = tuned(&room, &args);
    // Time and memory alone depend on the threads.
    let told = |tuning: &Value| {
        let mut tuning = tuning.clone();
        for prediction in tuning["predictions"].as_array_mut().unwrap() {
            let figures = prediction.as_object_mut().unwrap();
            assert!(figures.remove("seconds").is_some() && figures.remove("memory").is_some());
        }
        tuning
    };
    let alone = tuned(&room, &[&args[..], &["--threads", "1"]].concat());
    assert_eq!(told(&tuning), told(&alone));
    assert_eq!(tuning["looked_at"], 80);
    let whole = tuned(&room, &["--similarity", "0.8"]);
    let (told, truth) = (of(&tuning, "--similarity 0.8"), of(&whole, "--similarity 0.8"));
    let figure = |of: &Value, name: &str| of["goes"][name].as_f64().unwrap();
    let truth = figure(truth, "value");
    assert!(figure(told, "low") < truth && truth < figure(told, "high"), "{told} {truth}");
    let other = tuned(&room, &[&args[..], &["--seed", "2"]].concat());
    assert_ne!(tuning["similarities"]["nearest"], other["similarities"]["nearest"]);
}

#[test]
fn the_page_holds_pairs_as_data_and_the_picture_is_svg() {
    let room = room();
    let args = ["tune", "in.jsonl", "-q", "--page", "p.html", "--plot", "p.svg", "--pairs", "20"];
    let run = room.run(&args).done();
    // Whether the histogram has a valley or not.
    assert!(run.text().contains("are written to p.html; open it"), "{}", run.text());
    let page = room.text("p.html");
    let (_, data) = page.split_once("id=\"pairs\">").unwrap();
    let data: Value = serde_json::from_str(data.split("</script>").next().unwrap()).unwrap();
    let pairs = data["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 20);
    for pair in pairs {
        let [a, b] = ["a", "b"].map(|side| pair[side]["id"].as_str().unwrap());
        assert_eq!(a.trim_end_matches('a'), b.trim_end_matches('b'), "{pair}");
        assert_eq!(pair["similarity"] == 1.0, pair["difference"]["rows"] == json!([]), "{pair}");
    }
    // The picture names a valley where the text does.
    let said = room.run(&["tune", "in.jsonl", "-q"]).done().text().to_owned();
    // A bound has no interval.
    assert!(said.contains(" <= "), "{said}");
    let drawn = room.text("p.svg");
    assert_eq!(said.contains("has a valley at"), drawn.contains(">valley 0."), "{said}");
    assert_eq!(said.contains("has no "), drawn.contains("no clear valley; marked 0.8"), "{said}");
    assert_eq!(said.contains("has no "), said.contains("no threshold; * marks 0.8."), "{said}");
    let command = "\n  nearprint dedup in.jsonl -o OUT --similarity ";
    assert_eq!(said.contains("has a valley at"), said.contains(command), "{said}");
    // No document has so many near-duplicates that dedup would count a sample.
    assert!(said.contains("That counts every pair.\n"), "{said}");
    room.refuses(
        &["tune", "in.jsonl", "-q", "--page", "p.html"],
        1,
        "p.html exists; pass --force to replace it",
    );
}

#[test]
fn ids_that_repeat_are_told_before_a_person_answers() {
    let room = room();
    let rows = room.text("in.jsonl").replace("\"id\":\"1b\"", "\"id\":\"1a\"");
    room.write("in.jsonl", rows.replace("\"id\":\"2b\"", "\"id\":\"1a\""));
    let told = |args: &[&str]| room.run(&[&["tune", "in.jsonl"], args].concat()).done().stderr;
    let said = "2 documents repeat an earlier id";
    let labels = format!("{said}: evaluate refuses labels of these");
    assert!(room.run(&["dedup", "in.jsonl", "-o", "out.jsonl"]).done().stderr.contains(said));
    assert!(told(&["--page", "p.html"]).contains(&labels));
    let alone = told(&[]);
    assert!(alone.contains(said) && !alone.contains(&labels), "{alone}");
}

#[test]
fn a_small_source_has_as_many_pairs_on_the_page_as_a_large_one() {
    let room = room();
    // The pairs of 5 of 100 texts are from a source of their own.
    let rows = room.text("in.jsonl").lines().enumerate().fold(String::new(), |rows, (at, row)| {
        let mut row: Value = serde_json::from_str(row).unwrap();
        row["site"] = json!(if at % 40 < 2 { "small" } else { "large" });
        rows + &format!("{row}\n")
    });
    room.write("sites.jsonl", rows);
    let asked = |more: &[&str]| -> Vec<String> {
        let args = ["tune", "sites.jsonl", "-q", "--force", "--page", "p.html", "--pairs", "10"];
        room.run(&[&args[..], more].concat()).done();
        let page = room.text("p.html");
        let (_, data) = page.split_once("id=\"pairs\">").unwrap();
        let data: Value = serde_json::from_str(data.split("</script>").next().unwrap()).unwrap();
        let pairs = data["pairs"].as_array().unwrap();
        pairs.iter().map(|pair| pair["a"]["source"].as_str().unwrap_or("none").to_owned()).collect()
    };
    assert_eq!(asked(&[]), ["none"; 10]);
    let mut by_site = asked(&["--by", "site"]);
    by_site.sort_unstable();
    assert_eq!(by_site, [["large"; 5], ["small"; 5]].concat());
    assert!(room.text("p.html").contains("Answers by site"));
    room.refuses(
        &["tune", "sites.jsonl", "-q", "--force", "--page", "p.html", "--by", "no"],
        1,
        "--by no: no document of the pairs has this field; name a field of the rows that says where a text is from; the \
         fields of the first are \"id\", \"site\", \"text\"",
    );
}

#[test]
fn pages_of_archives_are_told_apart_by_their_hosts() {
    let room = Room::new();
    let record = |host: &str, number: usize, text: &str| {
        let page = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{text}</p>");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://{host}/{number}\r\n\
             Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{page}\r\n\r\n",
            page.len()
        )
    };
    let archive: String = (0..40)
        .flat_map(|number| {
            let words = |last: &str| {
                (0..40).map(|at| format!("w{number}x{at} ")).collect::<String>() + last
            };
            [record("a.example", number, &words("one")), record("b.example", number, &words("two"))]
        })
        .collect();
    room.write("crawl.warc", archive);
    room.run(&["tune", "-q", "crawl.warc", "--page", "p.html", "--by", "host"]).done();
    assert!(room.text("p.html").contains("a.example"));
    room.run(&["tune", "-q", "crawl.warc", "--page", "q.html", "--by", "nowhere"])
        .refused(
            1,
            "--by nowhere: no document of the pairs has this field; name a field of the rows that says where a text is from",
        );
}

#[test]
fn what_cannot_be_tuned_for_is_refused_with_the_reason() {
    let room = Room::new();
    room.write("one.jsonl", "{\"text\":\"one two three four\"}\n");
    room.write("empty.jsonl", "{\"text\":\"\"}\n{\"text\":\"!\"}\n{\"text\":\" \"}\n");
    let texts = (0..30).map(|at| json!({ "text": format!("a{at} b{at} c{at} d{at} e{at}") }));
    room.write("far.jsonl", texts.map(|row| format!("{row}\n")).collect::<String>());
    for (args, code, message) in [
        (&["one.jsonl"][..], 1, "1 document to compare, and a pair needs two: give more"),
        (
            &["empty.jsonl"][..],
            1,
            "none of 3 documents that were looked at, of 3, has a feature to compare: their texts are empty, or the \
             recipe finds nothing in them; see them with `nearprint text`",
        ),
        (
            &["far.jsonl", "--page", "p.html"][..],
            1,
            "there is no pair to decide: no pair that was found has a similarity within 0.3 of 0.8; look at more documents \
             (--documents), or around another similarity (--similarity)",
        ),
        (
            &["far.jsonl", "--plot", "p.gif"][..],
            2,
            "--plot p.gif: name a file that ends in .svg, .pdf, .png or .csv",
        ),
        (
            &["far.jsonl", "--by", "source"][..],
            2,
            "--by: it is about the pairs of a page; add --page FILE.html or --serve",
        ),
        // Before anything is read.
        (
            &["none.jsonl", "--similarity", "0.29"][..],
            2,
            "--similarity 0.29: tune looks at pairs from 0.3 on; use 0.3 to 1",
        ),
        (
            &["none.jsonl", "--serve", "--listen", "0.0.0.0:1"][..],
            2,
            "--listen 0.0.0.0:1: the page is only for this machine; listen on 127.0.0.1",
        ),
        (
            &["far.jsonl", "--recipe", "vectors"][..],
            2,
            "--recipe vectors: tune takes texts, not features",
        ),
    ] {
        room.refuses(&[&["tune", "-q"][..], args].concat(), code, message);
    }
    let small = room.run(&["tune", "-q", "far.jsonl", "--budget", "0s"]);
    assert!(
        small.stderr.contains("error: --budget: a budget of 0.0 s is too small"),
        "{}",
        small.stderr
    );
    // No pair at all is an answer, and a sample larger than the corpus is the corpus.
    let answer = room.run(&["tune", "-q", "far.jsonl"]).done();
    let words = "None of them has a neighbour at similarity 0.3 or more";
    assert!(
        answer.text().contains(words) && answer.text().contains("All 30 documents"),
        "{}",
        answer.text()
    );
    // Nothing says which similarity to take, unless somebody does.
    assert!(answer.text().ends_with("give it with --similarity.\n"), "{}", answer.text());
    let json = room.run(&["tune", "-q", "far.jsonl", "--format", "json"]).done();
    let told: Value = serde_json::from_str(json.text()).unwrap();
    assert_eq!((&told["suggested"], &told["threshold"]), (&Value::Null, &json!(0.8)));
    assert!(!told["recommendation"].as_str().unwrap().contains("nearprint dedup"), "{told}");
    let asked = room.run(&["tune", "-q", "far.jsonl", "--similarity", "0.7"]).done();
    assert!(asked.text().ends_with("  nearprint dedup far.jsonl -o OUT --similarity 0.7\n"));
}
