//! A segment of what stays answers as the documents that it was made of.

use nearprint_corpus::{Fields, ReadOptions, discover};
use nearprint_dedup::{
    ClusterRule, Dedup, Documents, Error, KeepRule, OnError, Origin, Progress, Reading, Recall,
    Verify, Wanted,
};
use nearprint_fingerprint::{BandShape, DegenerateRule, Recipe, Weighting, Width};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A day of documents: edits of a few originals that all days share, copies, texts with too little in them,
/// and many of one form.
fn day(day: usize, documents: usize) -> String {
    let row = |number: usize| {
        let seed = day * 1009 + number * 7;
        let original = number * 7919 % 120;
        let word = |at: usize| match (at * 11 + seed) % 61 < seed % 5 {
            true => format!("edit{day}x{number}x{at}"),
            false => format!("w{original}x{at}"),
        };
        let text = match number % 40 {
            0 => "Not found".to_owned(),
            1 => format!("short {}", number % 3),
            2 => String::new(),
            // More than a bucket holds, all alike but for a word or two.
            3..=11 => {
                let form = (0..40).map(|at| format!("form{at}"));
                form.chain([format!("field{}", seed % 7), format!("n{}", seed % 11)])
                    .collect::<Vec<_>>()
                    .join(" ")
            }
            _ => (0..45).map(word).collect::<Vec<_>>().join(" "),
        };
        let id =
            if number.is_multiple_of(3) { json!(number) } else { json!(format!("{day}-{number}")) };
        json!({"id": id, "text": text, "score": seed % 13}).to_string()
    };
    (0..documents).map(row).collect::<Vec<_>>().join("\n")
}

/// Documents that a job removed, and how many of them for their content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gone {
    removed: u64,
    exact: u64,
}

struct Room(tempfile::TempDir);

impl Room {
    fn new(days: usize, documents: usize) -> Self {
        let room = Self(tempfile::tempdir().unwrap());
        for number in 1..=days {
            std::fs::write(room.path(&format!("{number}.jsonl")), day(number, documents)).unwrap();
        }
        room
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn name(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs a job over `input`, against others; what stays goes to `kept`.
    fn run(&self, job: &Dedup, input: &str, against: &[String], kept: &str) -> Result<Gone, Error> {
        let against: Vec<_> = against.iter().map(|name| self.name(name)).collect();
        let job = job.clone().threads(2).files([self.name(input)]).force(true).against(against);
        let job = job.removed(self.path("removed")).index_out(self.path(&format!("{kept}.seg")));
        let summary = job.write(self.path(kept))?;
        Ok(Gone { removed: summary.removed, exact: summary.exact })
    }

    /// Each removed document, and the one that stays for it, with how near they are.
    fn removed(&self) -> Vec<(Value, Value, Value, Value)> {
        let rows = self.text("removed");
        let row = |row: &str| {
            let mut row: Value = serde_json::from_str(row).unwrap();
            let mut take = |name: &str| row[name].take();
            (take("id"), take("kept"), take("distance"), take("similarity"))
        };
        rows.lines().map(row).collect()
    }
}

/// Ways to look for near-duplicates.
fn ways() -> Vec<(&'static str, Dedup)> {
    let apart = Recipe { degenerate: DegenerateRule::Apart, ..Recipe::default() };
    let weighted = Recipe { weights: Weighting::Textrank, shingle: 1, ..Recipe::default() };
    let dedup = Dedup::new;
    vec![
        ("default", dedup()),
        ("low", dedup().similarity(0.5)),
        ("exact", dedup().recall(Recall::Exact)),
        ("containment", dedup().verify(Verify::Containment(0.9))),
        ("radius", dedup().k(3).width(Width::W64)),
        ("wide radius", dedup().k(26).width(Width::W128)),
        ("checked radius", dedup().k(60).width(Width::W256).verify(Verify::Jaccard(0.7))),
        ("connected", dedup().cluster_rule(ClusterRule::Connected).keep(KeepRule::Longest)),
        ("words", dedup().recipe(Recipe::named("words").unwrap())),
        ("weighted", dedup().recipe(weighted)),
        ("apart", dedup().recipe(apart)),
    ]
}

#[test]
fn segments_answer_as_their_documents() {
    let room = Room::new(3, 900);
    for (name, way) in ways() {
        let run = |input: &str, against: &[&str], kept: &str| {
            let against: Vec<_> = against.iter().map(|name| (*name).to_owned()).collect();
            room.run(&way, input, &against, kept).unwrap()
        };
        run("1.jsonl", &[], "k1.jsonl");
        let by_texts = run("2.jsonl", &["k1.jsonl"], "t2.jsonl");
        let (removed, texts) = (room.removed(), room.text("t2.jsonl"));
        let by_segment = run("2.jsonl", &["k1.jsonl.seg"], "s2.jsonl");
        assert!(by_texts.removed > 300 && by_texts.exact > 10, "{name}: {by_texts:?}");
        assert_eq!(by_segment, by_texts, "{name}");
        assert!(room.text("s2.jsonl") == texts, "{name}");
        assert!(room.removed() == removed, "{name}");
        assert!(
            std::fs::read(room.path("s2.jsonl.seg")).unwrap()
                == std::fs::read(room.path("t2.jsonl.seg")).unwrap(),
            "{name}"
        );
        // The third day after both, one as texts and one as a segment.
        let by_texts = run("3.jsonl", &["k1.jsonl", "t2.jsonl"], "t3.jsonl");
        let by_segments = run("3.jsonl", &["k1.jsonl.seg", "s2.jsonl.seg"], "s3.jsonl");
        assert_eq!(by_segments, by_texts, "{name}");
        assert!(room.text("s3.jsonl") == room.text("t3.jsonl"), "{name}");
    }
}

#[test]
fn a_chain_of_exact_days_leaves_nothing_near_what_one_run_leaves() {
    let room = Room::new(4, 500);
    let way = Dedup::new().recall(Recall::Exact);
    let mut segments: Vec<String> = Vec::new();
    let mut kept = 0;
    for number in 1..=4 {
        let (input, output) = (format!("{number}.jsonl"), format!("k{number}.jsonl"));
        room.run(&way, &input, &segments, &output).unwrap();
        kept += room.text(&output).lines().count();
        segments.push(format!("{output}.seg"));
    }
    // What all days keep has no near-duplicates in it.
    let all: Vec<_> = (1..=4).map(|number| room.text(&format!("k{number}.jsonl"))).collect();
    std::fs::write(room.path("all.jsonl"), all.concat()).unwrap();
    assert_eq!(room.run(&way, "all.jsonl", &[], "again.jsonl").unwrap().removed, 0);
    assert_eq!(room.text("again.jsonl").lines().count(), kept);
}

#[test]
fn a_job_with_segments_goes_on_where_it_was_ended() {
    let room = Room::new(2, 300);
    room.run(&Dedup::new(), "1.jsonl", &[], "k1.jsonl").unwrap();
    let against = ["k1.jsonl.seg".to_owned()];
    room.run(&Dedup::new(), "2.jsonl", &against, "k2.jsonl").unwrap();
    let expected = (room.text("k2.jsonl"), std::fs::read(room.path("k2.jsonl.seg")).unwrap());
    // The page is made behind all stages that are kept: what it writes to cannot be made.
    let job = Dedup::new().threads(2).work_dir(room.path("work"));
    let job = job.files([room.name("2.jsonl")]).force(true).against([room.name("k1.jsonl.seg")]);
    let job = job.removed(room.path("removed")).index_out(room.path("k2.jsonl.seg"));
    let failing = job.clone().page(room.path("page.html"), |_, _| Err(std::fmt::Error));
    assert!(matches!(failing.write(room.path("k2.jsonl")), Err(Error::View)));
    let again = job.page(room.path("page.html"), |_, _| Ok(String::new())).resume(true);
    let ready = again.open(room.path("k2.jsonl")).unwrap();
    assert_eq!(ready.finished_stages().unwrap(), ["documents", "matches"]);
    ready.run(&nearprint_dedup::Progress::default()).unwrap();
    let found = (room.text("k2.jsonl"), std::fs::read(room.path("k2.jsonl.seg")).unwrap());
    assert!(found == expected);
}

fn flipped(path: &Path, at: usize, bit: usize) -> Vec<u8> {
    let mut bytes = std::fs::read(path).unwrap();
    bytes[at] ^= 1 << bit;
    bytes
}

#[test]
fn no_damage_goes_unseen() {
    let room = Room::new(2, 120);
    room.run(&Dedup::new(), "1.jsonl", &[], "k1.jsonl").unwrap();
    let whole = room.path("k1.jsonl.seg");
    let length = std::fs::read(&whole).unwrap().len();
    let against = ["bad.seg".to_owned()];
    for flip in 0..200_usize {
        let bytes = flipped(&whole, flip * 7919 % length, flip % 8);
        std::fs::write(room.path("bad.seg"), bytes).unwrap();
        for on_error in [OnError::Fail, OnError::Skip] {
            let job = Dedup::new().files([room.name("2.jsonl")]).on_error(on_error);
            let refused = job.against([room.name("bad.seg")]).write(room.path("k2.jsonl"));
            assert!(refused.is_err(), "byte {}", flip * 7919 % length);
        }
        assert!(!room.path("k2.jsonl").exists());
    }
    for length in [0, 1, length / 2, length - 1] {
        let bytes = std::fs::read(&whole).unwrap();
        std::fs::write(room.path("bad.seg"), &bytes[..length]).unwrap();
        assert!(room.run(&Dedup::new(), "2.jsonl", &against, "k2.jsonl").is_err(), "{length}");
    }
}

#[test]
fn what_is_no_segment_of_this_recipe_is_refused() {
    let room = Room::new(2, 60);
    room.run(&Dedup::new(), "1.jsonl", &[], "k1.jsonl").unwrap();
    let refused = |way: &Dedup, against: &str| {
        let against = [against.to_owned()];
        let error = room.run(way, "2.jsonl", &against, "k2.jsonl").unwrap_err();
        assert!(!room.path("k2.jsonl").exists());
        error.to_string()
    };
    let words = Dedup::new().recipe(Recipe::named("words").unwrap());
    let said = refused(&words, "k1.jsonl.seg");
    assert!(said.contains("another recipe") && said.contains("shingle"), "{said}");
    assert!(
        refused(&Dedup::new().width(Width::W64), "k1.jsonl.seg")
            .contains("width = 128 in the segment, 64 in this run")
    );
    std::fs::copy(room.path("2.jsonl"), room.path("rows.seg")).unwrap();
    assert!(refused(&Dedup::new(), "rows.seg").contains("not a segment of an earlier run"));
    std::fs::write(room.path("newer.seg"), "{\"segment\":3}\n").unwrap();
    assert!(refused(&Dedup::new(), "newer.seg").contains("version 3, this program knows 1 and 2"));
    std::fs::write(room.path("empty.seg"), "").unwrap();
    assert!(refused(&Dedup::new(), "empty.seg").contains("empty"));
    // As an input it has no documents.
    let input = Dedup::new().files([room.name("k1.jsonl.seg")]).write(room.path("out.jsonl"));
    assert!(input.unwrap_err().to_string().contains("holds no texts"));
    let reading = Reading {
        content: Origin::from(Recipe::default().with_width(Width::W128)),
        fields: Fields::default(),
        on_error: OnError::Skip,
        fail_on_empty: false,
        options: ReadOptions::default(),
        threads: 1,
    };
    let (sources, progress) =
        (discover(&[room.name("k1.jsonl.seg")], None).unwrap(), Progress::default());
    let texts = reading.sketches(&sources, &progress, &mut |_| Ok(()));
    let documents = Documents::read(&reading, &sources, Wanted::default(), &progress).map(|_| ());
    let shape = BandShape::for_similarity(0.8, 0.9).unwrap();
    let bands = reading.sketches_with_bands(shape, true, &sources, &progress, &mut |_| Ok(()));
    for read in [texts.map(|_| ()), documents, bands.map(|_| ())] {
        assert!(read.unwrap_err().to_string().contains("holds no texts"));
    }
}
