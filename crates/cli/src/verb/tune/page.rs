//! The page on which a person decides which pairs are the same: one file of HTML that needs no network.

use askama::Template;
use nearprint_dedup::{Excerpt, RecordNumber};
use nearprint_evaluation::{Question, Survey, id_text};
use nearprint_fingerprint::{Difference, mix64, visible};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The most rows of a difference that are shown.
const ROWS: usize = 12;

#[derive(Template)]
#[template(path = "tune.html")]
struct Page<'a> {
    /// What the script reads.
    data: String,
    count: usize,
    around: f64,
    serves: bool,
    /// The file of answers.
    saved: &'a str,
    /// The field that names sources; nothing where none is asked for.
    by: &'a str,
}

/// What the script reads.
#[derive(Serialize)]
struct Data<'a> {
    /// Tells the answers of one page from those of another in a browser.
    id: String,
    /// Where the curve begins.
    from: f64,
    /// The command for the similarity that is put in place of `{similarity}`.
    command: &'a str,
    serves: bool,
    answers: &'a [Value],
    pairs: Vec<Pair<'a>>,
}

#[derive(Serialize)]
struct Pair<'a> {
    a: Side<'a>,
    b: Side<'a>,
    similarity: f64,
    difference: Difference,
}

#[derive(Serialize)]
struct Side<'a> {
    id: String,
    /// The id, as it can be shown.
    name: String,
    bytes: u64,
    /// Where it is from, where that is asked for and told.
    source: Option<&'a str>,
    /// Whether only the first part of its text is compared.
    cut: bool,
}

/// Pairs that are asked about, and how.
pub(super) struct Asked<'a> {
    pub(super) questions: &'a [Question],
    pub(super) excerpts: &'a BTreeMap<RecordNumber, Excerpt>,
    /// The similarity around which they are.
    pub(super) around: f64,
    /// The command to run, with `{similarity}` in it.
    pub(super) command: &'a str,
    /// The file of answers, where the page is served.
    pub(super) saved: Option<&'a str>,
    /// What was answered before.
    pub(super) answers: &'a [Value],
    /// The field that names sources.
    pub(super) by: Option<&'a str>,
    /// What it says of records.
    pub(super) told: &'a BTreeMap<RecordNumber, String>,
}

impl Asked<'_> {
    /// The page.
    pub(super) fn page(&self) -> anyhow::Result<String> {
        let pairs: Vec<Pair<'_>> = self.questions.iter().filter_map(|one| self.pair(one)).collect();
        let names = pairs.iter().flat_map(|pair| [pair.a.id.as_bytes(), pair.b.id.as_bytes()]);
        let id = names.flatten().fold(0, |id, byte| mix64(id ^ u64::from(*byte)));
        let data = Data {
            id: format!("{id:016x}"),
            from: Survey::LEAST,
            command: self.command,
            serves: self.saved.is_some(),
            answers: self.answers,
            pairs,
        };
        let page = Page {
            // Nothing that a document says ends the script.
            data: serde_json::to_string(&data)?.replace('<', "\\u003c"),
            count: data.pairs.len(),
            around: self.around,
            serves: data.serves,
            saved: self.saved.unwrap_or_default(),
            by: self.by.unwrap_or_default(),
        };
        Ok(page.render()?)
    }

    fn pair(&self, question: &Question) -> Option<Pair<'_>> {
        let [a, b] = [self.excerpts.get(&question.a)?, self.excerpts.get(&question.b)?];
        let source = |record| self.told.get(record).map(String::as_str);
        Some(Pair {
            a: Side::of(a, source(&question.a)),
            b: Side::of(b, source(&question.b)),
            similarity: (1e4 * question.similarity).round() / 1e4,
            difference: Difference::of(&a.text, &b.text, ROWS),
        })
    }
}

impl<'a> Side<'a> {
    fn of(excerpt: &Excerpt, source: Option<&'a str>) -> Self {
        let id = id_text(&excerpt.id);
        let cut = excerpt.bytes > excerpt.text.len() as u64;
        Self { name: visible(&id), id, bytes: excerpt.bytes, source, cut }
    }
}
