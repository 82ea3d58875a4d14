//! The page of `passages --report`: one file of HTML that needs nothing else, no script and no network. The template
//! escapes what documents say.

use crate::show::figures::{bytes, count, count_of, percent};
use crate::verb::passages::remarks::remarks;
use askama::Template;
use nearprint_dedup::{CutDocument, PassagesOverview, PassagesSummary};
use std::fmt;

/// Files at most: a page of a hundred thousand would not open.
const FILES: usize = 200;

#[derive(Template)]
#[template(path = "passages.html")]
struct Page {
    cut: String,
    share: String,
    lede: String,
    figures: Vec<(&'static str, String, String)>,
    remarks: Vec<String>,
    /// None where passages are near-duplicates, which are not listed.
    most: Option<Vec<Passage>>,
    documents: Vec<Document>,
    files: Vec<File>,
    others: usize,
    settings: Vec<(&'static str, String)>,
}

/// A passage that repeats.
struct Passage {
    copies: String,
    about: String,
    text: String,
}

/// A document before and after.
struct Document {
    id: String,
    about: String,
    before: Vec<(bool, String)>,
    after: String,
}

/// A file and what was cut of it.
struct File {
    name: String,
    tokens: String,
    cut: String,
    share: String,
    width: String,
}

/// The page. It says nothing that differs between two runs of one job.
pub(crate) fn page(
    summary: &PassagesSummary,
    overview: &PassagesOverview,
) -> Result<String, fmt::Error> {
    let share = percent(summary.cut_tokens, summary.tokens);
    let figure = |name, number: u64, note: String| (name, count(number), note);
    let mut sources: Vec<_> = overview.sources.iter().collect();
    sources.sort_by_key(|source| std::cmp::Reverse(source.cut));
    let files = sources.iter().take(FILES).map(|source| File {
        name: source.name.clone(),
        tokens: count(source.tokens),
        cut: count(source.cut),
        share: percent(source.cut, source.tokens),
        width: percent(source.cut, source.tokens).replace(" %", "%"),
    });
    let mut figures = vec![
        figure("tokens read", summary.tokens, format!("{} of records", bytes(summary.bytes))),
        figure("tokens cut", summary.cut_tokens, share.clone()),
        figure("documents cut", summary.cut_documents, String::new()),
        figure("documents removed", summary.removed, "too little was left".to_owned()),
        figure("documents left without a word", summary.emptied, String::new()),
        figure("tokens of the longest cut", summary.longest_cut, String::new()),
        figure("copies of the most frequent passage", summary.most_copies, String::new()),
    ];
    let passages = summary.passages;
    figures.extend(passages.map(|it| figure("distinct passages", it, "that repeat".to_owned())));
    let page = Page {
        cut: count_of(summary.cut_tokens, "token"),
        lede: format!(
            "{} in {} of {}",
            count_of(summary.cuts, "place"),
            count(summary.cut_documents),
            count_of(summary.documents - summary.reference, "document"),
        ),
        figures,
        share,
        remarks: remarks(summary),
        most: passages.map(|_| overview.most.iter().map(Passage::of).collect()),
        documents: overview.documents.iter().map(Document::of).collect(),
        files: files.collect(),
        others: sources.len().saturating_sub(FILES),
        settings: vec![
            ("recipe", format!("{} ({})", summary.recipe, summary.recipe_id)),
            ("a passage has at least", count_of(summary.length.into(), summary.unit)),
            ("kept", summary.keep.clone()),
            ("within one document", summary.inside.to_owned()),
            ("documents at least", count(summary.least_documents.into())),
            ("digits", summary.digits.to_owned()),
        ],
    };
    page.render().map_err(|_| fmt::Error)
}

impl Passage {
    fn of(passage: &nearprint_dedup::RepeatedPassage) -> Self {
        let (documents, sources) =
            (count_of(passage.documents, "document"), count_of(passage.sources, "source"));
        Self {
            copies: count(passage.copies),
            about: format!("{}, in {documents} of {sources}", count_of(passage.tokens, "token")),
            text: passage.text.clone(),
        }
    }
}

impl Document {
    fn of(document: &CutDocument) -> Self {
        let left = document.parts.iter().filter(|(is_cut, _)| !is_cut);
        Self {
            id: document.id.clone(),
            about: format!("{} of {} cut", count(document.cut), count_of(document.tokens, "token")),
            before: document.parts.clone(),
            after: left.map(|(_, part)| part.as_str()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_dedup::{RepeatedPassage, SourceCuts};

    #[test]
    fn what_documents_say_is_escaped() {
        let text = "<script>alert(1)</script> & more".to_owned();
        let overview = PassagesOverview {
            sources: vec![SourceCuts { name: "a<i>.jsonl".to_owned(), tokens: 4, cut: 3 }],
            most: vec![RepeatedPassage {
                text: text.clone(),
                tokens: 3,
                copies: 2,
                documents: 2,
                sources: 1,
            }],
            documents: vec![CutDocument {
                id: "<b id=x>".to_owned(),
                tokens: 4,
                cut: 3,
                parts: vec![(true, text.clone()), (false, text)],
            }],
        };
        let summary = PassagesSummary { passages: Some(1), ..PassagesSummary::default() };
        let page = page(&summary, &overview).unwrap();
        for raw in ["<script", "<i>", "<b id", "& "] {
            assert!(!page.contains(raw), "{raw}");
        }
        assert!(
            page.contains("0 places in 0 of 0 documents") && page.contains("'before'"),
            "{page}"
        );
        assert!(page.contains("3 of 4 tokens cut") && page.contains("75.0 %"), "{page}");
    }
}
