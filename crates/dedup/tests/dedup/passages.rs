//! The plain twin: windows sorted by comparing their text, and what goes by the definition. The job is compared with
//! it at every unit, length, order, memory and number of threads.

use nearprint_corpus::{Fields, ReadOptions};
use nearprint_dedup::{
    CutRule, Dedup, InputSpec, KeepRule, Memory, Offsets, PassageRule, PassageUnit, PassagesOutput,
    PassagesSpec, PassagesSummary, Progress, ReadingSpec, Resources,
};
use nearprint_fingerprint::{Digits, PlacedTokens, Recipe, Tokenizer, units};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// The rank of a document, the first unit of a window in it, and the document.
type Place = (usize, usize, usize);

/// The text of each unit of a document.
struct Plain {
    units: Vec<Vec<String>>,
    /// Of each unit, the tokens in it.
    tokens: Vec<Range<usize>>,
    /// Where each token of the document begins.
    starts: Vec<usize>,
}

impl Plain {
    fn of(text: &str, rule: PassageRule) -> Self {
        let mut placed = PlacedTokens::default();
        Tokenizer::new(&Recipe::default(), rule.digits).unwrap().tokens(text, &mut placed);
        let starts: Vec<usize> = (0..placed.len()).map(|at| placed.place(at).start).collect();
        let before = |byte: usize| starts.partition_point(|start| *start < byte);
        let tokens: Vec<Range<usize>> = match rule.unit.of_text() {
            None => (0..placed.len()).map(|at| at..at + 1).collect(),
            Some(unit) => {
                let all = units(text, unit).map(|place| before(place.start)..before(place.end));
                all.filter(|tokens| !tokens.is_empty()).collect()
            }
        };
        let text =
            |tokens: &Range<usize>| tokens.clone().map(|at| placed.text(at).to_owned()).collect();
        Self { units: tokens.iter().map(text).collect(), tokens, starts }
    }

    /// Tokens that begin within some bytes.
    fn within(&self, bytes: &Range<usize>) -> Range<usize> {
        let before = |byte: usize| self.starts.partition_point(|start| *start < byte);
        before(bytes.start)..before(bytes.end)
    }
}

/// What the definition says of a document.
#[derive(Clone, Default)]
struct Expected {
    /// Tokens that go of it, as runs, each with the most copies of one of its windows.
    gone: Vec<(Range<usize>, usize)>,
    /// Whether it has the kept one of windows that go of other documents.
    lends: bool,
}

/// What the definition says of each document. Documents before `reference` are there to be compared with; `ranks` says
/// which comes before which.
fn expected(
    texts: &[String],
    rule: PassageRule,
    ranks: &[usize],
    reference: usize,
) -> Vec<Expected> {
    let length = rule.length().unwrap() as usize;
    let plains: Vec<Plain> = texts.iter().map(|text| Plain::of(text, rule)).collect();
    let mut windows = BTreeMap::<&[Vec<String>], Vec<Place>>::new();
    for (document, plain) in plains.iter().enumerate() {
        for (at, window) in plain.units.windows(length).enumerate() {
            windows.entry(window).or_default().push((ranks[document], at, document));
        }
    }
    let nothing_stays = rule.keep == KeepRule::Nothing;
    let mut expected = vec![Expected::default(); texts.len()];
    for places in windows.values_mut() {
        places.sort_unstable();
        let (_, first_at, first_in) = places[0];
        let mut documents: Vec<usize> = places.iter().map(|place| place.2).collect();
        documents.sort_unstable();
        documents.dedup();
        if places.len() < 2 || documents.len() < rule.copies as usize {
            continue;
        }
        for (number, &(_, at, document)) in places.iter().enumerate() {
            let stays = match nothing_stays {
                true => !rule.inside && documents.len() < 2,
                false => number == 0 || !rule.inside && document == first_in,
            };
            if stays || document < reference {
                continue;
            }
            let within = !nothing_stays && document == first_in && first_at + length > at;
            let start = if within { first_at + length } else { at };
            expected[document].gone.push((start..at + length, places.len()));
            expected[first_in].lends |= !nothing_stays && document != first_in;
        }
    }
    let of_document = |(document, Expected { mut gone, lends }): (usize, Expected)| {
        gone.sort_unstable_by_key(|(range, _)| (range.start, range.end));
        let mut joined: Vec<(Range<usize>, usize)> = Vec::new();
        for (range, copies) in gone {
            match joined.last_mut() {
                Some((last, most)) if range.start <= last.end => {
                    last.end = last.end.max(range.end);
                    *most = (*most).max(copies);
                }
                _ => joined.push((range, copies)),
            }
        }
        let tokens = &plains[document].tokens;
        let gone = joined
            .into_iter()
            .map(|(range, most)| (tokens[range.start].start..tokens[range.end - 1].end, most))
            .collect();
        Expected { gone, lends }
    };
    expected.into_iter().enumerate().map(of_document).collect()
}

/// The order of preference, by the place of each document in it.
fn ranks(texts: &[String], keep: KeepRule, scores: &[i64], reference: usize) -> Vec<usize> {
    let key = |document: usize| {
        let worth: i64 = match keep {
            KeepRule::Longest => -(texts[document].len() as i64),
            KeepRule::Shortest => texts[document].len() as i64,
            KeepRule::Last => -(document as i64),
            KeepRule::Highest => -scores[document],
            KeepRule::Lowest => scores[document],
            _ => 0,
        };
        (document >= reference, if document < reference { 0 } else { worth }, document)
    };
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|document| key(*document));
    let mut ranks = vec![0; texts.len()];
    order.into_iter().enumerate().for_each(|(rank, document)| ranks[document] = rank);
    ranks
}

/// How a job is run.
#[derive(Clone, Copy, Debug)]
struct Run {
    threads: usize,
    room: usize,
    batch: usize,
}

/// Runs a job over rows of these texts; returns what it writes.
fn run(
    folder: &Path,
    texts: &[String],
    scores: &[i64],
    reference: usize,
    spec: &PassagesSpec,
    run: Run,
) -> (Vec<Value>, Vec<Value>, PassagesSummary) {
    let row = |(id, text): (usize, &String)| {
        json!({ "id": id, "text": text, "score": scores[id] }).to_string() + "\n"
    };
    let rows: Vec<String> = texts.iter().enumerate().map(row).collect();
    let path = |name: &str| folder.join(name);
    fs::write(path("in.jsonl"), rows[reference..].concat()).unwrap();
    let mut input =
        InputSpec { inputs: vec![path("in.jsonl").display().to_string()], ..InputSpec::default() };
    if reference > 0 {
        fs::write(path("against.jsonl"), rows[..reference].concat()).unwrap();
        input.against = vec![path("against.jsonl").display().to_string()];
    }
    let spec = PassagesSpec {
        input,
        outputs: PassagesOutput {
            corpus: Some(path("out.jsonl")),
            removed: Some(path("removed.jsonl")),
            offsets: Offsets::Bytes,
            ..spec.outputs.clone()
        },
        reading: ReadingSpec {
            fields: Fields { score: Some("score".to_owned()), ..Fields::default() },
            options: ReadOptions { batch_bytes: run.batch, ..ReadOptions::default() },
            ..ReadingSpec::default()
        },
        ..spec.clone()
    };
    let with = Resources {
        threads: Some(run.threads),
        memory: Memory::Join(run.room),
        work_dir: Some(folder.to_owned()),
        force: true,
        ..Resources::default()
    };
    let progress = Progress::default();
    let summary = spec.open(&with, &progress).unwrap().run(&progress).unwrap();
    let read = |name: &str| -> Vec<Value> {
        let text = fs::read_to_string(path(name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    (read("out.jsonl"), read("removed.jsonl"), summary)
}

/// Two numbers of a row as a range of bytes.
fn bytes(
    row: &Value,
    start: impl serde_json::value::Index,
    end: impl serde_json::value::Index,
) -> Range<usize> {
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    number(&row[start])..number(&row[end])
}

/// Compares a job with the definition.
fn check(
    texts: &[String],
    scores: &[i64],
    reference: usize,
    rule: PassageRule,
    min_left: u64,
    how: Run,
) {
    let folder = tempfile::tempdir().unwrap();
    let order = ranks(texts, rule.keep, scores, reference);
    let expected = expected(texts, rule, &order, reference);
    let outputs = PassagesOutput { annotate: true, ..PassagesOutput::default() };
    let noted = PassagesSpec { rule, outputs, ..PassagesSpec::default() };
    let cut = PassagesSpec {
        rule,
        cut: CutRule { joint: Some("|".to_owned()), min_left, ..CutRule::default() },
        ..PassagesSpec::default()
    };
    let (notes, removed, summary) = run(folder.path(), texts, scores, reference, &noted, how);
    let (written, of_written, cut_summary) =
        run(folder.path(), texts, scores, reference, &cut, how);
    let row_of = |document: usize| written.iter().find(|row| row["id"] == json!(document));
    // Every cut names a place that is written, or is one of the reference; or one of a document that goes as a whole.
    let of_others = of_written.iter().filter(|row| row["kept"]["id"] != row["id"]);
    for kept in of_others.filter_map(|row| row.get("kept")) {
        let kept = usize::try_from(kept["id"].as_u64().unwrap()).unwrap();
        assert!(kept < reference || row_of(kept).is_some(), "{kept} {of_written:?}");
    }
    let (mut cut_tokens, mut emptied) = (0, [0; 2]);
    for (document, expected) in expected.iter().enumerate().skip(reference) {
        let text = &texts[document];
        let plain = Plain::of(text, rule);
        let note = notes[document - reference]["nearprint"]["passages"].as_array().unwrap();
        let spans: Vec<Range<usize>> = note.iter().map(|span| bytes(span, 0, 1)).collect();
        let found: Vec<(Range<usize>, usize)> = note
            .iter()
            .zip(&spans)
            .map(|(span, bytes)| {
                (plain.within(bytes), usize::try_from(span[2].as_u64().unwrap()).unwrap())
            })
            .collect();
        assert_eq!(found, expected.gone, "document {document}: {text:?}");
        let own = found.iter().map(|(tokens, _)| tokens.len() as u64).sum::<u64>();
        cut_tokens += own;
        // What is cut and what is left are the text.
        let (mut left, mut at) = (String::new(), 0);
        for span in &spans {
            left += &text[at..span.start];
            left += "|";
            at = span.end;
        }
        left += &text[at..];
        let few = (plain.starts.len() as u64) - own < min_left;
        let goes = !found.is_empty() && few && !expected.lends;
        if !found.is_empty() && !goes && own == plain.starts.len() as u64 {
            emptied[0] += 1;
            emptied[1] += u64::from(expected.lends);
        }
        let expected_row = (!goes).then(|| json!(left));
        let row = row_of(document);
        assert_eq!(row.map(|row| &row["text"]), expected_row.as_ref(), "document {document}");
        // Rows together are what is cut, and each names a place that stands before it.
        let rows: Vec<&Value> = removed.iter().filter(|row| row["id"] == json!(document)).collect();
        let mut covered = vec![false; text.len()];
        for row in rows {
            covered[bytes(row, "start", "end")].fill(true);
            let key = if rule.keep == KeepRule::Nothing { "near" } else { "kept" };
            let kept = usize::try_from(row[key]["id"].as_u64().unwrap()).unwrap();
            assert!(rule.keep == KeepRule::Nothing || order[kept] <= order[document], "{row}");
            let place = bytes(&row[key], "start", "end");
            assert!(texts[kept].get(place).is_some(), "{row}");
        }
        let mut expected = vec![false; text.len()];
        spans.iter().for_each(|span| expected[span.clone()].fill(true));
        assert_eq!(covered, expected, "document {document}: {text:?} {removed:?}");
    }
    assert_eq!([summary.cut_tokens, cut_summary.cut_tokens], [cut_tokens; 2]);
    assert_eq!([cut_summary.emptied, cut_summary.emptied_and_named], emptied);
    assert_eq!(cut_summary.removed, (texts.len() - reference - written.len()) as u64);
}

/// Texts of few words, in which much repeats: also texts that repeat themselves.
fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["a", "b", "B", "c1", "c2", "\u{e9}", "漢"]);
    let between = prop::sample::select(vec![" ", " ", " ", ", ", ". ", "\n", "\n- ", "\n\n", "! "]);
    let words = prop::collection::vec((word, between), 0..14);
    let part = (words, 1_usize..7).prop_map(|(words, times)| {
        let part: String = words.iter().flat_map(|(word, between)| [*word, *between]).collect();
        part.repeat(times)
    });
    prop::collection::vec(part, 0..4).prop_map(|parts| parts.concat())
}

fn rule() -> impl Strategy<Value = PassageRule> {
    let unit = prop::sample::select(vec![
        PassageUnit::Token,
        PassageUnit::Token,
        PassageUnit::Line,
        PassageUnit::Sentence,
        PassageUnit::Paragraph,
    ]);
    let keep = prop::sample::select(vec![
        KeepRule::First,
        KeepRule::First,
        KeepRule::Last,
        KeepRule::Longest,
        KeepRule::Shortest,
        KeepRule::Highest,
        KeepRule::Lowest,
        KeepRule::Nothing,
    ]);
    let length = prop_oneof![4 => 1_u32..6, 2 => 6_u32..20, 1 => 20_u32..60];
    (unit, length, keep, any::<bool>(), 1_u32..4, any::<bool>()).prop_map(
        |(unit, length, keep, inside, copies, one)| {
            let length = Some(length.max(unit.least_length()));
            let digits = if one { Digits::One } else { Digits::Keep };
            PassageRule { unit, length, keep, inside, copies, digits, similarity: None }
        },
    )
}

fn how() -> impl Strategy<Value = Run> {
    let room = prop_oneof![Just(1_usize << 24), 4_096_usize..65_536];
    (1_usize..4, room, 1_usize..4000).prop_map(|(threads, room, batch)| Run {
        threads,
        room,
        batch,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(nearprint_testing::cases(150)))]
    #[test]
    fn what_goes_is_what_the_definition_says(
        documents in prop::collection::vec((text(), 0_i64..4), 1..7),
        reference in 0_usize..3,
        rule in rule(),
        min_left in 0_u64..12,
        how in how(),
    ) {
        let (texts, scores): (Vec<_>, Vec<_>) = documents.into_iter().unzip();
        let reference = reference.min(texts.len() - 1);
        check(&texts, &scores, reference, rule, min_left, how);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(nearprint_testing::cases(40)))]
    /// What goes of paragraphs is what goes of documents that are these paragraphs.
    #[test]
    fn near_paragraphs_go_as_near_documents_do(
        documents in prop::collection::vec(prop::collection::vec(paragraph(), 0..6), 1..5),
        keep in prop::sample::select(vec![KeepRule::First, KeepRule::Last, KeepRule::Nothing]),
        threads in 1_usize..4,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let rows = documents.iter().enumerate().map(|(id, paragraphs)| {
            format!("{}\n", json!({ "id": id, "text": paragraphs.join("\n\n") }))
        });
        std::fs::write(path("in.jsonl"), rows.collect::<String>()).unwrap();
        let spec = PassagesSpec {
            input: InputSpec {
                inputs: vec![path("in.jsonl").display().to_string()],
                ..InputSpec::default()
            },
            rule: PassageRule {
                unit: PassageUnit::Paragraph,
                keep,
                similarity: Some(0.5),
                ..PassageRule::default()
            },
            outputs: PassagesOutput {
                corpus: Some(path("out.jsonl")),
                removed: Some(path("removed.jsonl")),
                ..PassagesOutput::default()
            },
            ..PassagesSpec::default()
        };
        let (progress, with) =
            (Progress::default(), Resources { threads: Some(threads), ..Resources::default() });
        let summary = spec.open(&with, &progress).unwrap().run(&progress).unwrap();

        // The paragraphs in the order in which documents are preferred.
        let mut order: Vec<usize> = (0..documents.len()).collect();
        if keep == KeepRule::Last {
            order.reverse();
        }
        let flat: Vec<(usize, usize)> = order
            .iter()
            .flat_map(|&document| (0..documents[document].len()).map(move |at| (document, at)))
            .collect();
        let texts: Vec<&str> = flat.iter().map(|&(a, b)| documents[a][b].as_str()).collect();
        let rule = if keep == KeepRule::Nothing { KeepRule::Nothing } else { KeepRule::First };
        let found = Dedup::new().similarity(0.5).keep(rule).texts(&texts).unwrap();
        let mut left: Vec<Vec<&str>> = vec![Vec::new(); documents.len()];
        let mut kept: Vec<(usize, usize)> =
            found.kept().iter().map(|&at| flat[at]).collect();
        kept.sort_unstable();
        kept.iter().for_each(|&(a, b)| left[a].push(&documents[a][b]));
        let out = std::fs::read_to_string(path("out.jsonl")).unwrap();
        for (line, left) in out.lines().zip(&left) {
            let row: Value = serde_json::from_str(line).unwrap();
            let text = row["text"].as_str().unwrap();
            let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
            prop_assert_eq!(&lines, left);
        }
        let removed = std::fs::read_to_string(path("removed.jsonl")).unwrap();
        prop_assert_eq!(removed.lines().count(), flat.len() - kept.len());
        prop_assert_eq!(summary.documents, documents.len() as u64);
        for line in removed.lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            let text = |of: &Value| {
                let number = |key: &str| usize::try_from(of[key].as_u64().unwrap()).unwrap();
                documents[number("id")].join("\n\n")[number("start")..number("end")].to_owned()
            };
            let key = if keep == KeepRule::Nothing { "near" } else { "kept" };
            prop_assert!(row["similarity"].as_f64().unwrap() >= 0.5, "{}", row);
            prop_assert!(documents.iter().flatten().any(|it| *it == text(&row[key])), "{}", row);
        }
    }
}

/// A paragraph of few words.
fn paragraph() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["ape", "bee", "cat", "dog", "eel", "fox"]);
    prop::collection::vec(word, 3..7).prop_map(|words| words.join(" "))
}

#[test]
fn a_text_of_one_word_keeps_one_window() {
    let texts = ["no ".repeat(3), "no ".repeat(5000), "yes ".to_owned() + &"no ".repeat(700)];
    for keep in [KeepRule::First, KeepRule::Longest] {
        let rule = PassageRule { length: Some(50), keep, ..PassageRule::default() };
        let how = Run { threads: 2, room: 1 << 16, batch: 1000 };
        check(&texts, &[0; 3], 0, rule, 0, how);
    }
}
