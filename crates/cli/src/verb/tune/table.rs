//! What `nearprint tune` found, in words and as a table.

use crate::show::figures::{about, bytes, count, count_of, percentage};
use nearprint_evaluation::{Estimate, Interval, Prediction, Tuning};
use std::fmt::{self, Write as _};

/// `dedup` counts the near-duplicates of documents with fewer pairs than that one by one.
const COUNTED: f64 = 500.0;

/// The words, then a row for each setting.
pub(super) fn table(tuning: &Tuning, words: &[String]) -> Result<String, fmt::Error> {
    let mut out = String::new();
    writeln!(
        out,
        "{:33} {:>21} {:>23} {:>23} {:>12} {:>12} {:>7} {:>8}",
        "setting", "removed %", "recall %", "precision %", "pairs", "rejected", "time", "memory"
    )?;
    for (at, prediction) in tuning.predictions.iter().enumerate() {
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
        let mark = if Some(at) == tuning.recommended { "* " } else { "  " };
        writeln!(
            out,
            "{:33} {:>21} {:>23} {:>23} {:>12} {:>12} {:>7} {:>8}",
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
        )?;
    }
    writeln!(out)?;
    words.iter().try_for_each(|line| writeln!(out, "{line}"))?;
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

/// `12.3 % (11.0 to 13.9 %)`.
fn share(estimate: &Estimate) -> String {
    let Estimate { value, interval } = estimate;
    format!(
        "{} % ({} to {} %)",
        percentage(*value),
        percentage(interval.low),
        percentage(interval.high)
    )
}

fn percent(estimate: &Estimate) -> String {
    let Estimate { value, interval } = estimate;
    format!(
        "{} ({} to {})",
        percentage(*value),
        percentage(interval.low),
        percentage(interval.high)
    )
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
