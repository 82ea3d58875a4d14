//! A proof on the user's own corpus: items are put into documents of it, in memory and in each form, and looked for.

use crate::contamination::finder::Finder;
use crate::contamination::forms::{Chance, Form};
use crate::contamination::index::Index;
use crate::contamination::items::{ItemText, Items, Kind};
use crate::contamination::judging::{Judge, Judged};
use crate::contamination::overview::ShownFinding;
use crate::contamination::parted::parted;
use crate::contamination::rule::{ContaminationRule, Verdict, double, single};
use crate::error::Error;
use crate::passages::corpus::{Corpus, Planned};
use crate::passages::units::UnitReader;
use crate::progress::Stage;
use nearprint_fingerprint::{RecipeError, mix64};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of a document that items are put into, at most.
const HOST: usize = 12_000;
/// Places of untouched documents that are shown.
const HIGHEST: usize = 10;
/// Seeds of what is drawn: of documents, of items, of places and edits.
const OF_DOCUMENTS: u64 = 1;
const OF_ITEMS: u64 = 2;
const OF_PLANTS: u64 = 3;
/// The deviations from the mean that have 95 % of a normal distribution between them.
const DEVIATIONS: f64 = 1.959_964;

/// How many of the items that were put into documents are found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SelfTest {
    /// The release that made it.
    pub version: &'static str,
    /// Items that were drawn, and those of them that no match decides: these are in no recall.
    pub items: u64,
    /// See above.
    pub undecidable: u64,
    /// Documents of the corpus that they were put into.
    pub documents: u64,
    /// Each form.
    pub forms: Vec<FormRecall>,
    /// Of these documents, those that are contaminated as they are.
    pub alarms: u64,
    /// The places of these that are nearest to an item, or are one, the nearest first.
    #[serde(skip)]
    pub highest: Vec<ShownFinding>,
    /// The share and the bits that are asked.
    pub share: f64,
    /// See above.
    pub bits: f64,
    /// Name and id of the recipe.
    pub recipe: String,
    /// See above.
    pub recipe_id: String,
}

/// How many items are found in a form.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FormRecall {
    /// What the form is called.
    pub form: &'static str,
    /// Items that were put into documents, and those that were found.
    pub planted: u64,
    /// See above.
    pub found: u64,
    /// The share that was found, of none no number; and its interval of 95 % (Wilson's).
    pub recall: Option<f64>,
    /// See above.
    pub low: f64,
    /// See above.
    pub high: f64,
}

/// A document that items are put into.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Host {
    /// Where it stands in the draw.
    turn: u64,
    /// Its id, as JSON text.
    id: String,
    text: String,
}

/// What is tested.
#[derive(Clone, Copy)]
pub(crate) struct Testing<'a> {
    pub(crate) corpus: &'a Corpus<'a>,
    pub(crate) items: &'a Items,
    pub(crate) index: &'a Index,
    pub(crate) rule: &'a ContaminationRule,
}

/// What a thread looks with.
struct Looker<'a> {
    units: UnitReader,
    finder: Finder<'a>,
    judge: Judge<'a>,
}

impl<'a> Testing<'a> {
    /// Puts so many items into as many documents, in each form.
    ///
    /// # Errors
    /// Records that cannot be read, where that ends the job; a corpus without a document.
    pub(crate) fn run(&self, count: usize) -> Result<SelfTest, Error> {
        let hosts = self.hosts(count)?;
        if hosts.is_empty() {
            return Err(Error::Contamination {
                problem: "no document of the corpus has a word, so no item can be planted"
                    .to_owned(),
            });
        }
        let drawn = self.drawn(count);
        let decidable: Vec<u32> = drawn
            .iter()
            .copied()
            .filter(|item| !self.items.is_undecidable(*item, self.rule))
            .collect();
        let mut forms = Vec::new();
        for form in Form::ALL {
            self.corpus.progress.check()?;
            forms.push(self.form(form, &decidable, &hosts)?);
        }
        let (alarms, highest) = self.untouched(&hosts)?;
        let recipe = self.corpus.recipe;
        Ok(SelfTest {
            version: env!("CARGO_PKG_VERSION"),
            items: drawn.len() as u64,
            undecidable: (drawn.len() - decidable.len()) as u64,
            documents: hosts.len() as u64,
            forms,
            alarms,
            highest,
            share: self.rule.share,
            bits: self.rule.bits,
            recipe: recipe.name.clone(),
            recipe_id: recipe.id().to_string(),
        })
    }

    /// So many documents with a word, drawn from all; long ones are cut short.
    fn hosts(&self, count: usize) -> Result<Vec<Host>, Error> {
        let mut kept: BinaryHeap<Host> = BinaryHeap::new();
        // Whoever has a later turn need not be copied.
        let last = AtomicU64::new(u64::MAX);
        let corpus = self.corpus;
        corpus.read_by(
            Stage::Look,
            || Ok::<(), RecipeError>(()),
            |_| Ok(()),
            |(), planned: Planned<()>| {
                let mut hosts = Vec::new();
                for (number, record) in (planned.first()..).zip(planned.batch.records()) {
                    let turn = mix64(number ^ mix64(OF_DOCUMENTS));
                    if turn > last.load(Ordering::Relaxed) {
                        continue;
                    }
                    let document = match corpus.document_to_cut(&record, false) {
                        Ok(document) => document,
                        Err(error) if corpus.reading.ends_with(&error) => return Err(error),
                        Err(_) => continue,
                    };
                    let text = shortened(&document.text);
                    if text.chars().any(char::is_alphanumeric) {
                        let id = document.id.as_ref().map(|id| id.as_json().to_owned());
                        let id = id.unwrap_or_else(|| record.default_id().as_json().to_owned());
                        hosts.push(Host { turn, id, text: text.to_owned() });
                    }
                }
                Ok(hosts)
            },
            |hosts: Result<Vec<Host>, Error>| {
                for host in hosts? {
                    kept.push(host);
                    if kept.len() > count {
                        kept.pop();
                        let turn = kept.peek().map_or(u64::MAX, |host| host.turn);
                        last.store(turn, Ordering::Relaxed);
                    }
                }
                Ok(())
            },
        )?;
        Ok(kept.into_sorted_vec())
    }

    /// So many different items with a question, drawn from all.
    fn drawn(&self, count: usize) -> Vec<u32> {
        let all = 0..crate::numbers::narrow(self.items.items.len() as u64);
        let with_question = all.filter(|item| self.items.question(*item).is_some());
        let turn = |item: u32| (mix64(u64::from(item) ^ mix64(OF_ITEMS)), item);
        let mut drawn: Vec<(u64, u32)> = with_question.map(turn).collect();
        drawn.sort_unstable();
        drawn.truncate(count);
        drawn.into_iter().map(|(_, item)| item).collect()
    }

    fn looker(&self) -> Result<Looker<'a>, RecipeError> {
        let rule = self.corpus.rule;
        Ok(Looker {
            units: UnitReader::new(self.corpus.recipe, rule.unit, rule.digits)?,
            finder: Finder::new(self.items, self.index, false),
            judge: Judge::new(self.items, self.rule),
        })
    }

    /// How many items are found in a form.
    fn form(&self, form: Form, items: &[u32], hosts: &[Host]) -> Result<FormRecall, Error> {
        let outcomes = items.par_iter().enumerate().map_init(
            || self.looker(),
            |looker, (at, item)| -> Result<Option<bool>, Error> {
                let looker = looker.as_mut().map_err(|error| Error::from(error.clone()))?;
                let ItemText { question, choices, mut answers } = self.items.text(*item)?;
                answers.truncate(1);
                let answers = if choices.is_empty() { answers } else { choices };
                let seed = mix64(at as u64 ^ mix64(form as u64 ^ mix64(OF_PLANTS)));
                let mut chance = Chance::of(seed);
                let Looker { units, finder, judge } = looker;
                let Some(text) = form.of(&question, &answers, &mut chance, units) else {
                    return Ok(None);
                };
                let host = &hosts[(at + chance.below(hosts.len())) % hosts.len()].text;
                let (planted, place) = planted(host, &text, &mut chance);
                let text = parted(&planted);
                let units = units.read(&text);
                let judgement = judge.judge(&finder.find(units.hashes()), units.hashes());
                // The document may have the item elsewhere.
                let is_there =
                    |bytes: Range<usize>| bytes.start < place.end && place.start < bytes.end;
                let is_found = |judged: &Judged| {
                    judged.item == *item
                        && judged.verdict == Verdict::Contaminated
                        && is_there(units.span(judged.tokens.clone()))
                };
                Ok(Some(judgement.judged.iter().any(is_found)))
            },
        );
        let outcomes = outcomes.collect::<Result<Vec<_>, Error>>()?;
        let planted = outcomes.iter().flatten().count() as u64;
        let found = outcomes.iter().flatten().filter(|found| **found).count() as u64;
        let (low, high) = interval(found, planted);
        let recall = (planted > 0).then(|| double(found) / double(planted));
        Ok(FormRecall { form: form.name(), planted, found, recall, low, high })
    }

    /// How many documents are contaminated as they are, and the places that are nearest to an item.
    fn untouched(&self, hosts: &[Host]) -> Result<(u64, Vec<ShownFinding>), Error> {
        let looked = hosts.par_iter().map_init(
            || self.looker(),
            |looker, host| -> Result<(bool, Option<(f32, ShownFinding)>), Error> {
                let looker = looker.as_mut().map_err(|error| Error::from(error.clone()))?;
                let Looker { units, finder, judge } = looker;
                let text = parted(&host.text);
                let units = units.read(&text);
                let texts = finder.find(units.hashes());
                let judged = judge.judge(&texts, units.hashes()).judged;
                let is_contaminated =
                    judged.iter().any(|judged| judged.verdict == Verdict::Contaminated);
                let rank = |share: f32, bits: f32| {
                    (share / single(self.rule.share)).min(bits / single(self.rule.bits))
                };
                let mut nearest: Option<(f32, ShownFinding)> = None;
                for found in &texts {
                    let kind = self.items.soughts[found.sought as usize].kind;
                    let Some(item) = self.items.users(found.sought).first() else { continue };
                    let of_item = judged.iter().find(|judged| judged.item == *item);
                    let bits = of_item.map_or(found.evidence.bits, |judged| judged.bits);
                    let rank = rank(found.evidence.share, bits);
                    if kind == Kind::Context
                        || nearest.as_ref().is_some_and(|(best, _)| *best >= rank)
                    {
                        continue;
                    }
                    let name = self.items.name(*item);
                    let plain =
                        |id: &str| serde_json::from_str(id).unwrap_or_else(|_| id.to_owned());
                    let place = units.span(found.tokens.clone());
                    nearest = Some((
                        rank,
                        ShownFinding {
                            id: plain(&host.id),
                            item: plain(&self.items.id(name)?),
                            eval: self.items.set(name).to_owned(),
                            verdict: of_item.map_or(Verdict::Clean, |judged| judged.verdict),
                            share: found.evidence.share,
                            bits,
                            answers: of_item.map_or(0, |judged| judged.answers),
                            of_answers: self.items.items[*item as usize].answers,
                            question: self.items.text(*item)?.question,
                            text: host.text.get(place).unwrap_or_default().to_owned(),
                        },
                    ));
                }
                Ok((is_contaminated, nearest))
            },
        );
        let looked = looked.collect::<Result<Vec<_>, Error>>()?;
        let alarms = looked.iter().filter(|(is_contaminated, _)| *is_contaminated).count() as u64;
        let mut nearest: Vec<(f32, ShownFinding)> =
            looked.into_iter().filter_map(|(_, nearest)| nearest).collect();
        nearest.sort_by(|a, b| b.0.total_cmp(&a.0));
        nearest.truncate(HIGHEST);
        Ok((alarms, nearest.into_iter().map(|(_, shown)| shown).collect()))
    }
}

impl SelfTest {
    /// The figures as a JSON object on lines of its own.
    #[must_use]
    pub fn to_json(&self) -> String {
        // A map of strings and numbers always has a JSON form.
        let mut json = serde_json::to_string_pretty(self).unwrap_or_default();
        json.push('\n');
        json
    }
}

/// The beginning of a text.
fn shortened(text: &str) -> &str {
    let end = (0..=HOST.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    text.get(..end.unwrap_or(0)).unwrap_or_default()
}

/// A document with a text on lines of its own, behind one of its words, and the place of that.
fn planted(host: &str, text: &str, chance: &mut Chance) -> (String, Range<usize>) {
    let at = chance.below(host.len() + 1);
    let blank = host.as_bytes().get(at..).unwrap_or_default().iter().position(|byte| *byte == b' ');
    let (before, behind) = host.split_at(blank.map_or(host.len(), |blank| at + blank));
    let start = before.len() + 1;
    (format!("{before}\n{text}\n{behind}"), start..start + text.len())
}

/// Wilson's interval of 95 % of a share.
///
/// # References
/// E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", Journal of the American
/// Statistical Association 22, 1927.
fn interval(found: u64, of: u64) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let (n, z) = (double(of), DEVIATIONS);
    let share = double(found) / n;
    let middle = share + z * z / (2.0 * n);
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let all = 1.0 + z * z / n;
    // Where all or none were found it ends there, whatever the last digits are.
    let low = if found == 0 { 0.0 } else { (middle - half) / all };
    let high = if found == of { 1.0 } else { (middle + half) / all };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_wilsons() {
        for (found, of, low, high) in [
            (0, 0, 0.0, 1.0),
            (10, 10, 0.7225, 1.0),
            (0, 10, 0.0, 0.2775),
            (81, 263, 0.2553, 0.3662),
        ] {
            let (a, b) = interval(found, of);
            assert!((a - low).abs() < 1e-4 && (b - high).abs() < 1e-4, "{found} {of}: {a} {b}");
        }
    }

    #[test]
    fn an_interval_of_all_ends_at_one() {
        for of in 1..300 {
            assert!(interval(of, of).1.to_bits() == 1.0_f64.to_bits(), "{of}");
            assert!(interval(0, of).0.to_bits() == 0.0_f64.to_bits(), "{of}");
        }
    }

    #[test]
    fn a_text_is_planted_between_words() {
        for seed in 0..50 {
            let (text, place) = planted("é one twö three", "ITEM", &mut Chance::of(seed));
            assert_eq!(&text[place], "ITEM");
            let rest = text.replacen("\nITEM\n", "", 1);
            assert_eq!(rest, "é one twö three");
        }
        assert_eq!(shortened(&"é".repeat(HOST)).len(), HOST);
    }
}
