//! The pairs that are listed beside comparing all documents with each other.

use nearprint_dedup::{Cuts, Dedup, Memory, Progress, Recall, Step, Task, Verify};
use nearprint_fingerprint::{FeatureList, Fingerprinter, Recipe, Width};
use std::collections::BTreeSet;
use std::path::Path;

/// Pairs of documents, in order.
type Pairs = Vec<(usize, usize)>;

/// Crowds of edited copies, a chain in which each document is near those beside it, pages that share most of their
/// words with all others, a few near-duplicates, short and empty documents; and equal copies of some of all of them,
/// by other spaces and marks. In turn, so that all are mixed.
fn texts() -> Vec<String> {
    let edited = |name: &str, copy: usize, every: usize| {
        let word = |at: usize| match (at * 7 + copy * 13) % every {
            0 => format!("{name}edit{copy}x{at}"),
            _ => format!("{name}{at}"),
        };
        (0..120).map(word).collect::<Vec<_>>().join(" ")
    };
    let chain = |link: usize| {
        (0..100).map(|at| format!("chain{}", at + 2 * link)).collect::<Vec<_>>().join(" ")
    };
    let page = |number: usize| {
        let own = (0..20).map(|at| format!("own{number}x{at}"));
        (0..90).map(|at| format!("all{at}")).chain(own).collect::<Vec<_>>().join(" ")
    };
    let text = |number: usize| match number % 7 {
        0 | 1 => edited("one", number, 101),
        2 => edited("two", number, 61),
        3 => chain(number / 7),
        4 => page(number),
        5 => edited(&format!("few{}x", number / 42), number, 43),
        _ => ["", "...", "one two", "One; two!", "three"][number / 7 % 5].to_owned(),
    };
    let mut texts: Vec<String> = (0..1400).map(text).collect();
    for copy in 0..200 {
        let of = (copy * 37) % 1400;
        let text = texts[of].replace(' ', if copy % 2 == 0 { ", " } else { "  " });
        texts.insert((copy * 53) % texts.len(), text);
    }
    texts
}

fn lists(texts: &[String], recipe: &Recipe) -> Vec<FeatureList> {
    let mut fingerprinter = Fingerprinter::<1>::new(recipe).unwrap();
    texts
        .iter()
        .map(|text| {
            let read = fingerprinter.read(text);
            FeatureList::of_set(read.keys())
        })
        .collect()
}

/// What a text says, whatever its spaces and marks are.
fn content(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|one: char| !one.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Which texts have too few words for a feature.
fn are_short(contents: &[String]) -> Vec<bool> {
    contents.iter().map(|content| content.split(' ').count() < 3).collect()
}

/// All pairs of the documents that a comparison of all finds: of short ones those of equal content alone.
fn scanned(texts: &[String], reference: usize, verify: Verify) -> Pairs {
    let recipe = Recipe::named("text").unwrap();
    let lists = lists(texts, &recipe);
    let contents: Vec<String> = texts.iter().map(|text| content(text)).collect();
    let is_short = are_short(&contents);
    let mut pairs = Vec::new();
    for a in 0..texts.len() {
        for b in (a + 1).max(reference)..texts.len() {
            let is_equal = contents[a] == contents[b];
            let is_pair = match (contents[a].is_empty(), is_short[a] || is_short[b]) {
                (true, _) => false,
                (_, true) => is_equal,
                _ => is_equal || verify.similarity_of(&lists[a], &lists[b]).is_some(),
            };
            if is_pair {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

/// The pairs, and how many the summary counts: rows, and what they stand for.
fn listed(dedup: &Dedup, texts: &[String]) -> (Pairs, u64, u64) {
    let mut pairs = Vec::new();
    let text = |at: usize| texts[at].as_str();
    let found =
        dedup.texts_and_pairs_by(texts.len(), text, |pair| pairs.push((pair.a, pair.b))).unwrap();
    let summary = found.summary();
    (pairs, summary.pairs_listed.unwrap(), summary.pairs.unwrap())
}

fn job() -> Dedup {
    Dedup::new().recipe(Recipe::named("text").unwrap()).width(Width::W128)
}

#[test]
fn every_pair_is_listed_once_and_in_order() {
    let texts = texts();
    for (similarity, exact, reference, threads, memory) in [
        (0.8, true, 0, 2, Memory::Frugal),
        (0.9, true, 500, 1, Memory::Join(1 << 17)),
        (0.8, false, 0, 7, Memory::Join(1 << 17)),
        (0.9, false, 700, 2, Memory::Frugal),
        (0.6, false, 0, 2, Memory::Frugal),
    ] {
        let expected = scanned(&texts, reference, Verify::Jaccard(similarity));
        let dedup = job().similarity(similarity).threads(threads).memory(memory);
        let dedup = dedup.reference_texts(reference);
        let dedup = if exact { dedup.recall(Recall::Exact) } else { dedup };
        let (pairs, rows, all) = listed(&dedup, &texts);
        assert_eq!((rows, all), (pairs.len() as u64, pairs.len() as u64));
        assert!(pairs.is_sorted() && expected.len() > 10_000, "{}", expected.len());
        if exact {
            assert!(pairs == expected, "{similarity}: {} of {}", pairs.len(), expected.len());
            continue;
        }
        // Bands find a pair with a probability; of equal documents all pairs are found or none.
        let [found, all] = [&pairs, &expected].map(|of| of.iter().collect::<BTreeSet<_>>());
        assert!(found.len() == pairs.len() && found.is_subset(&all), "{similarity}");
        assert!(found.len() * 1000 >= all.len() * 995, "{} of {}", found.len(), all.len());
    }
}

#[test]
fn folded_pairs_stand_for_all() {
    let texts = texts();
    let contents: Vec<String> = texts.iter().map(|text| content(text)).collect();
    let first = |at: usize| contents.iter().position(|one| *one == contents[at]).unwrap();
    let dedup = job().recall(Recall::Exact);
    let (all, ..) = listed(&dedup, &texts);
    let (short, rows, stand_for) = listed(&dedup.fold_equal(true), &texts);
    let stands = |(a, b): &&(usize, usize)| first(*a) == *a && (first(*b) == *a || first(*b) == *b);
    assert_eq!(short, all.iter().filter(stands).copied().collect::<Pairs>());
    assert_eq!((rows, stand_for), (short.len() as u64, all.len() as u64));
    assert!(rows < stand_for);
}

#[test]
fn a_radius_lists_every_pair_of_equal_fingerprints() {
    let texts = texts();
    let recipe = Recipe::named("text").unwrap().with_width(Width::W128);
    let mut fingerprinter = Fingerprinter::<2>::new(&recipe).unwrap();
    let codes: Vec<_> = texts.iter().map(|text| fingerprinter.read(text).fingerprint()).collect();
    let contents: Vec<String> = texts.iter().map(|text| content(text)).collect();
    let is_short = are_short(&contents);
    for (reference, memory) in [(0, Memory::Frugal), (600, Memory::Join(1 << 17))] {
        let mut expected = Vec::new();
        for a in 0..texts.len() {
            for b in (a + 1).max(reference)..texts.len() {
                let is_pair = match is_short[a] || is_short[b] {
                    true => !contents[a].is_empty() && contents[a] == contents[b],
                    false => codes[a].distance(&codes[b]) <= 6,
                };
                if is_pair {
                    expected.push((a, b));
                }
            }
        }
        let dedup = job().k(6).reference_texts(reference).memory(memory);
        let (pairs, _, all) = listed(&dedup, &texts);
        assert!(pairs == expected, "{} of {}", pairs.len(), expected.len());
        let (short, rows, stand_for) = listed(&dedup.fold_equal(true), &texts);
        assert_eq!((rows, stand_for), (short.len() as u64, all));
        assert!(short.len() < pairs.len() && short.iter().all(|pair| expected.contains(pair)));
    }
}

/// The rows of pairs in a file or folder, in order.
fn rows(path: &Path) -> Pairs {
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        files = path.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    }
    let read = |path: &std::path::PathBuf| std::fs::read_to_string(path).unwrap();
    let text: String = files.iter().map(read).collect();
    let row = |row: &str| {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        let id = |of: &str| usize::try_from(row[of].as_u64().unwrap()).unwrap();
        (id("a"), id("b"))
    };
    let mut pairs: Pairs = text.lines().map(row).collect();
    pairs.sort_unstable();
    pairs
}

#[test]
fn files_shards_and_runs_that_go_on_list_the_same() {
    let room = tempfile::tempdir().unwrap();
    let path = |name: &str| room.path().join(name);
    let texts = texts();
    let row =
        |(id, text): (usize, &String)| serde_json::json!({"id": id, "text": text}).to_string();
    let lines: Vec<String> = texts.iter().enumerate().map(row).collect();
    std::fs::create_dir(path("in")).unwrap();
    for (part, lines) in lines.chunks(600).enumerate() {
        std::fs::write(path("in").join(format!("{part}.jsonl")), lines.join("\n") + "\n").unwrap();
    }
    for fold_equal in [false, true] {
        let dedup = job().fold_equal(fold_equal).threads(2);
        let (expected, rows_listed, stand_for) = listed(&dedup, &texts);
        let check = |summary: nearprint_dedup::Summary, name: &str| {
            assert!(rows(&path(name)) == expected, "{name}");
            assert_eq!((summary.pairs_listed, summary.pairs), (Some(rows_listed), Some(stand_for)));
        };
        let files = |dedup: Dedup| dedup.files([path("in").display().to_string()]).force(true);
        let of = |files: Dedup, name: &str| files.pairs(path(name));
        check(of(files(dedup.clone()), "pairs").report().unwrap(), "pairs");
        let kept = dedup.clone().work_dir(path("work"));
        check(of(files(kept), "kept").write(path("out/")).unwrap(), "kept");
        let least = dedup.clone().memory(Memory::Join(1 << 17));
        check(of(files(least), "least").report().unwrap(), "least");
        let parts = format!("parts{fold_equal}");
        let files = of(files(dedup), &parts).summary(path("summary"));
        let shards = files.shards(path(&format!("shards{fold_equal}")), path("out/")).unwrap();
        shards.create(Vec::new(), Cuts::default()).unwrap();
        for step in Step::ALL {
            shards.run(step, Task::WHOLE, &Progress::default()).unwrap();
        }
        assert!(rows(&path(&parts)) == expected, "shards");
        let summary = std::fs::read_to_string(path("summary")).unwrap();
        let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
        assert_eq!(
            (&summary["pairs_listed"], &summary["pairs"]),
            (&rows_listed.into(), &stand_for.into())
        );
    }
}

#[test]
fn a_text_a_hundred_thousand_times_ends_soon_where_it_is_folded() {
    let texts = ["the same few words again", "The same; few words, again!", "of something else"];
    let text = |at: usize| texts[if at == 9 { 2 } else { at % 2 }];
    let mut rows = 0;
    let dedup = job().fold_equal(true).memory(Memory::Join(1 << 20));
    let found = dedup.texts_and_pairs_by(100_000, text, |_| rows += 1).unwrap();
    assert_eq!((rows, found.kept()), (99_998, &[0, 9][..]));
    assert_eq!(found.summary().pairs, Some(99_999 * 99_998 / 2));
}
