//! The page of `decontaminate --report`: one file of HTML that needs nothing else, no script and no network. The
//! template escapes what documents and items say.

use crate::show::figures::{bytes, count, count_of, percent};
use crate::verb::decontaminate::remarks::remarks;
use askama::Template;
use nearprint_dedup::{ContaminationOverview, ContaminationSummary, SetSummary, ShownFinding};
use nearprint_fingerprint::{Difference, Piece};
use std::fmt;

/// Differences of a place that are shown.
const DIFFERENCES: usize = 12;
/// Eval sets at most.
const SETS: usize = 200;

#[derive(Template)]
#[template(path = "decontaminate.html")]
struct Page<'a> {
    documents: String,
    share: String,
    lede: String,
    figures: Vec<(&'static str, String, String)>,
    remarks: Vec<String>,
    removed: Vec<Shown>,
    told: Vec<Shown>,
    sets: &'a [SetSummary],
    others: usize,
    settings: Vec<(&'static str, String)>,
}

/// An item beside the place where it stands.
struct Shown {
    id: String,
    item: String,
    about: String,
    question: String,
    difference: Difference,
}

/// The page. It says nothing that differs between two runs of one job.
pub(crate) fn page(
    summary: &ContaminationSummary,
    overview: &ContaminationOverview,
) -> Result<String, fmt::Error> {
    let figure = |name, number: u64, note: &str| (name, count(number), note.to_owned());
    let contaminated = summary.contaminated_documents;
    let page = Page {
        documents: count_of(contaminated, "document"),
        share: percent(contaminated, summary.documents),
        lede: format!(
            "{} of {} occur in the {}",
            count(summary.items_found()),
            count_of(summary.items, "item"),
            count_of(summary.documents, "document"),
        ),
        figures: vec![
            figure("documents read", summary.documents, &bytes(summary.bytes)),
            figure("documents contaminated", contaminated, ""),
            figure("documents left without a word", summary.emptied, ""),
            figure("items contaminated", summary.contaminated, ""),
            figure("items in very many documents", summary.common, ""),
            figure("items in their own file", summary.eval_file, "which is in the corpus"),
            figure("items in part", summary.partial, "reported, nothing removed"),
            figure("items by context alone", summary.context, "reported, nothing removed"),
            figure("items undecidable", summary.undecidable, "too short or too common"),
        ],
        remarks: remarks(summary),
        removed: overview.removed.iter().map(Shown::of).collect(),
        told: overview.told.iter().map(Shown::of).collect(),
        sets: summary.sets.get(..SETS).unwrap_or(&summary.sets),
        others: summary.sets.len().saturating_sub(SETS),
        settings: vec![
            ("action", summary.action.to_owned()),
            ("share", summary.share.to_string()),
            ("bits", summary.bits.to_string()),
            ("undecidable items", summary.short.to_owned()),
            ("common text", summary.common_text.to_owned()),
            ("recipe", format!("{} ({})", summary.recipe, summary.recipe_id)),
            ("nearprint", summary.version.to_owned()),
        ],
    };
    page.render().map_err(|_| fmt::Error)
}

impl Shown {
    fn of(found: &ShownFinding) -> Self {
        let ShownFinding { share, bits, answers, of_answers, .. } = found;
        let answers = match of_answers {
            0 => String::new(),
            of_answers => format!(", with {answers} of {of_answers} choices and answers"),
        };
        Self {
            id: found.id.clone(),
            item: format!("{} {}", found.eval, found.item),
            about: format!("{}: share {share:.2}, {bits:.0} bits{answers}", found.verdict.name()),
            question: found.question.clone(),
            difference: Difference::of(&found.question, &found.text, DIFFERENCES),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_dedup::Verdict;

    #[test]
    fn what_documents_and_items_say_is_escaped() {
        let text = "<script>alert(1)</script> & more".to_owned();
        let shown = ShownFinding {
            id: "<b id=x>".to_owned(),
            item: "<i>".to_owned(),
            eval: "a<u>".to_owned(),
            verdict: Verdict::Contaminated,
            share: 0.7,
            bits: 31.0,
            answers: 1,
            of_answers: 4,
            question: text.clone(),
            text: "<script>other</script> & more".to_owned(),
        };
        let overview = ContaminationOverview { removed: vec![shown.clone()], told: vec![shown] };
        let page = page(&ContaminationSummary::default(), &overview).unwrap();
        for raw in ["<script", "<i>", "<b id", "<u>", "& "] {
            assert!(!page.contains(raw), "{raw}");
        }
        assert!(page.contains("0 of 0 items occur in the 0 documents"), "{page}");
        assert!(page.contains("contaminated: share 0.70, 31 bits, with 1 of 4 choices"), "{page}");
    }
}
