//! What `nearprint tune` found, in words and as a table.

use crate::show::figures::{about, bytes, count, count_of, percentage};
use nearprint_evaluation::{Estimate, Interval, Prediction, Tuning};
use std::fmt::{self, Write as _};

/// `dedup` counts the near-duplicates of documents with fewer pairs than that one by one.
const COUNTED: f64 = 500.0;

/// What columns are called, and how wide they are.
const COLUMNS: [(&str, usize); 8] = [
    ("setting", 33),
    ("removed %", 21),
    ("recall %", 23),
    ("precision %", 23),
    ("pairs", 12),
    ("rejected", 12),
    ("time", 7),
    ("memory", 8),
];
/// The column that is left out where every row has [`ALL`] in it.
const PRECISION: usize = 3;
/// A share of all, in percent.
const ALL: &str = "100.0";

/// A row for each setting, then the words.
pub(super) fn table(tuning: &Tuning, words: &[String]) -> Result<String, fmt::Error> {
    let mut out = rows(&tuning.predictions, tuning.recommended)?;
    writeln!(out)?;
    words.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(out)
}

/// The names of the columns, and a row for each setting.
fn rows(predictions: &[Prediction], recommended: Option<usize>) -> Result<String, fmt::Error> {
    let cells = |(at, prediction): (usize, &Prediction)| {
        let Prediction {
            flags,
            goes,
            recall,
            precision,
            pairs,
            compared_in_vain,
            seconds,
            memory,
            ..
        } = prediction;
        let mark = if Some(at) == recommended { "* " } else { "  " };
        [
            format!("{mark}{flags}"),
            percent(goes),
            percent(recall),
            percent(precision),
            count(whole(*pairs)),
            compared_in_vain.map_or_else(String::new, at_most),
            seconds
                .map_or_else(String::new, about)
                .replace("less than a second", "< 1 s")
                .replace("about ", ""),
            memory.map_or_else(String::new, bytes),
        ]
    };
    let rows: Vec<[String; 8]> = predictions.iter().enumerate().map(cells).collect();
    let is_told = rows.iter().any(|row| row[PRECISION] != ALL);
    let names = COLUMNS.map(|(name, _)| name.to_owned());
    let mut out = String::new();
    for row in std::iter::once(&names).chain(&rows) {
        for (at, (cell, (_, width))) in row.iter().zip(COLUMNS).enumerate() {
            match at {
                0 => write!(out, "{cell:width$}")?,
                PRECISION if !is_told => {}
                _ => write!(out, " {cell:>width$}")?,
            }
        }
        writeln!(out)?;
    }
    Ok(out)
}

/// The command, where its similarity is the one that was asked for, or that documents suggest and nobody has answered about
/// pairs; else why there is none.
pub(super) fn conclusion(
    command: &str,
    (is_asked, is_suggested, is_answered): (bool, bool, bool),
) -> String {
    match (is_asked || is_suggested && !is_answered, is_answered) {
        (true, _) => format!("  {command}"),
        (false, true) => {
            "The page says which threshold the answers so far tell, if they tell one.".to_owned()
        }
        (false, false) => {
            "No command follows from this: choose a threshold first, and give it with --similarity."
                .to_owned()
        }
    }
}

/// What was looked at, what that shows, and how it ends. `other` is what `dedup` measures by the recipe where that is not the
/// Jaccard similarity; `pairs` says where pairs are.
pub(super) fn recommendation(
    tuning: &Tuning,
    other: Option<&str>,
    end: String,
    pairs: Option<&str>,
) -> Vec<String> {
    let Tuning { documents, looked_at, comparable, threshold, .. } = tuning;
    let mut words = vec![looked(tuning)];
    if comparable < looked_at {
        words.push(format!(
            "Of these, {} can be compared: the others have no features or too few.",
            count(*comparable)
        ));
    }
    let Some(prediction) = tuning.recommended() else { return words };
    if tuning.pairs_seen == 0 {
        words.push(format!(
            "None of them has a neighbour at similarity 0.3 or more: at most {} % of the documents have one. That \
             suggests no threshold; the default of dedup is 0.8.",
            percentage(prediction.goes.interval.high)
        ));
    } else {
        words.push(match tuning.similarities.valley {
            Some(valley) if valley.is_clear() => format!(
                "The histogram has a valley at {:.2} ({:.2} to {:.2}): copies are above it, merely similar texts \
                 below.{}",
                valley.similarity,
                valley.interval.low,
                valley.interval.high,
                pairs.map_or_else(String::new, |pairs| format!(" Pairs {pairs}"))
            ),
            Some(valley) => format!(
                "The histogram has no clear valley, as it may lie anywhere from {:.2} to {:.2}: it suggests no \
                 threshold; * marks {threshold}. {}",
                valley.interval.low,
                valley.interval.high,
                look(pairs)
            ),
            None => format!(
                "The histogram has no valley, so it suggests no threshold; * marks {threshold}. {}",
                look(pairs)
            ),
        });
        words.push(format!(
            "At Jaccard similarity {threshold}, {} of {} would be removed. The setting finds {} of the pairs at or above it, and \
             compares each exactly.",
            share(&prediction.goes),
            count_of(*documents, "document"),
            share(&prediction.recall),
        ));
    }
    let is_whole = looked_at == documents && tuning.visible >= 1.0;
    let Interval { low, high } = prediction.goes.interval;
    if is_whole && (high - low).abs() < f64::EPSILON {
        let sampled = match prediction.pairs < COUNTED {
            true => "",
            false => {
                " Of documents with many hundreds of near-duplicates dedup counts a sample, and may remove more or \
                 fewer."
            }
        };
        words.push(format!("That counts every pair.{sampled}"));
    }
    if let Some(other) = other {
        words.push(format!(
            "By this recipe dedup, pairs, compare and evaluate measure another similarity, {other}: give each of them \
             --similarity S --verify jaccard=S."
        ));
    }
    words.push(end);
    words
}

/// How to decide by looking at pairs.
fn look(pairs: Option<&str>) -> String {
    match pairs {
        Some(pairs) => format!("Look at pairs and decide: they {pairs}"),
        None => "Look at pairs and decide: --page pairs.html writes them to a page.".to_owned(),
    }
}

/// How much was looked at.
fn looked(tuning: &Tuning) -> String {
    let Tuning { documents, looked_at, read, visible, .. } = tuning;
    let all = match *read < 1.0 {
        true => format!("about {}", count_of(*documents, "document")),
        false => count_of(*documents, "document"),
    };
    let of = match looked_at == documents {
        true => format!("All {all} were looked at"),
        false => format!("{} of {all} were looked at, drawn at random", count(*looked_at)),
    };
    let with = match *visible * *read < 1.0 {
        true => format!(
            "compared with {} % of the corpus, as far as the budget allowed",
            percentage(visible * read)
        ),
        false => "compared with all others".to_owned(),
    };
    format!("{of}, each {with}.")
}

/// `12.3 % (11.0 to 13.9 %)`; of an interval that is no wider than the figure nothing.
fn share(estimate: &Estimate) -> String {
    match digits(estimate) {
        [value, low, high] if low == high => format!("{value} %"),
        [value, low, high] => format!("{value} % ({low} to {high} %)"),
    }
}

/// The same where the column says what it is of.
fn percent(estimate: &Estimate) -> String {
    match digits(estimate) {
        [value, low, high] if low == high => value,
        [value, low, high] => format!("{value} ({low} to {high})"),
    }
}

/// A figure and the ends of its interval, in percent.
fn digits(estimate: &Estimate) -> [String; 3] {
    let Estimate { value, interval: Interval { low, high } } = *estimate;
    [value, low, high].map(percentage)
}

/// Pairs that are no more than that: sketches filter some before they are compared.
fn at_most(pairs: f64) -> String {
    match whole(pairs) {
        0 => "0".to_owned(),
        pairs => format!("<= {}", count(pairs)),
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
fn whole(count: f64) -> u64 {
    count.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A prediction with these figures, of which the first is exact.
    fn prediction(goes: f64, recall: [f64; 3], precision: f64) -> Prediction {
        let estimate =
            |[value, low, high]: [f64; 3]| Estimate { value, interval: Interval { low, high } };
        Prediction {
            flags: "--similarity 0.8".to_owned(),
            finding: "bands",
            similarity: 0.8,
            goes: estimate([goes; 3]),
            recall: estimate(recall),
            precision: estimate([precision; 3]),
            pairs: 26.0,
            compared_in_vain: None,
            seconds: None,
            memory: None,
        }
    }

    #[test]
    fn an_exact_figure_stands_alone_and_a_column_of_all_is_left_out() {
        let recall = [0.9995, 0.9956, 1.0];
        let exact = prediction(0.303, recall, 1.0);
        let words = |predictions: &[Prediction]| -> Vec<String> {
            let rows = rows(predictions, Some(0)).unwrap();
            let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
            rows.lines().map(line).collect()
        };
        let row = "* --similarity 0.8 30.3 99.95 (99.56 to 100.0) 26";
        let names = "setting removed % recall % pairs rejected time memory";
        assert_eq!(words(std::slice::from_ref(&exact)), [names, row]);
        let told = words(&[exact, prediction(0.303, recall, 0.867)]);
        assert!(told[0].contains("recall % precision % pairs"), "{told:?}");
        assert_eq!(told[1], row.replace(" 26", " 100.0 26"));
        assert!(told[2].ends_with(" 86.7 26"), "{told:?}");
        let of = prediction(0.303, recall, 1.0);
        let shares = [&of.goes, &of.recall].map(share);
        assert_eq!(shares, ["30.3 %", "99.95 % (99.56 to 100.0 %)"]);
    }

    #[test]
    fn a_command_rests_on_what_was_asked_for_or_found() {
        let of = |rests| conclusion("nearprint dedup", rests);
        for rests in [(true, false, false), (true, true, true), (false, true, false)] {
            assert_eq!(of(rests), "  nearprint dedup", "{rests:?}");
        }
        let nothing = of((false, false, false));
        assert!(nothing.starts_with("No command follows"), "{nothing}");
        for rests in [(false, true, true), (false, false, true)] {
            let told = "The page says which threshold the answers so far tell, if they tell one.";
            assert_eq!(of(rests), told);
        }
    }
}
