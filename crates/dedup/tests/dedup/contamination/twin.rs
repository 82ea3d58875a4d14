//! The plain twin: every text of the items is held against every place of every document, without an index, a bitmap
//! or a hash.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of a test are small"
)]

mod saying;

use super::item::{Item, Owner, owners};
use nearprint_fingerprint::{Digits, PlacedTokens, Recipe, Tokenizer};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Question,
    WithChoices,
    Context,
}

/// A text that is looked for, what each of its tokens weighs, and the items that have it.
struct Sought {
    kind: Kind,
    words: Vec<String>,
    weights: Vec<f32>,
    users: Vec<usize>,
    /// Its question and each of its choices, or all of it.
    parts: Vec<Range<usize>>,
    /// Whether its runs that begin a search cover a quarter of it.
    seeded: bool,
}

/// A run by which a text is found: the text, and its place there.
type Seed = (usize, usize);
/// Such a run in a document: its place there, its place in the text, its tokens.
type Hit = (usize, usize, usize);

#[derive(Clone, Debug)]
struct Found {
    sought: usize,
    share: f32,
    bits: f32,
    covered: f32,
    dense: f32,
    run: usize,
    run_bits: f32,
    tokens: Range<usize>,
}

/// What is said of a document: the item, the verdict, the place, the share in thousandths.
type Said = (usize, &'static str, Range<usize>, u32);

pub(super) fn tokens(text: &str) -> Vec<String> {
    let mut placed = PlacedTokens::default();
    Tokenizer::new(&Recipe::default(), Digits::Keep).unwrap().tokens(text, &mut placed);
    (0..placed.len()).map(|at| placed.text(at).to_owned()).collect()
}

fn proof(word: &str) -> f32 {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    if word.is_ascii() && letters < 2 { 0.5 } else { 1.0 }
}

pub(super) struct Twin {
    items: Vec<Item>,
    soughts: Vec<Sought>,
    weights: BTreeMap<String, f32>,
    /// The runs of four tokens that begin a search, and parts that are shorter.
    runs: BTreeMap<Vec<String>, Vec<Seed>>,
    /// Owners that have each answer.
    same: BTreeMap<Vec<String>, usize>,
}

/// Of the places of a run those that begin a search.
fn searched(places: &[Seed], soughts: &[Sought], is_run: bool) -> Vec<Seed> {
    if places.len() <= 32 {
        return places.to_vec();
    }
    let firsts = |places: &[Seed]| -> Vec<Seed> {
        let mut firsts: Vec<Seed> = Vec::new();
        for place in places {
            if !is_run || firsts.iter().all(|first| first.0 != place.0) {
                firsts.push(*place);
            }
        }
        firsts
    };
    let is_alone = |place: &&Seed| soughts[place.0].kind != Kind::WithChoices;
    let mut places = places.to_vec();
    if firsts(&places).len() > 32 {
        places = places.iter().filter(is_alone).copied().collect();
    }
    if firsts(&places).len() > 32 {
        return Vec::new();
    }
    firsts(&places)
}

impl Twin {
    pub(super) fn of(items: &[Item], documents: &[Vec<String>]) -> Self {
        let weight = |word: &String| {
            let with = documents.iter().filter(|document| document.contains(word)).count();
            let all = documents.len().max(1000) as f64 + 1.0;
            (all / (with as f64 + 1.0)).log2().max(0.05) as f32
        };
        let mut soughts: Vec<Sought> = Vec::new();
        let mut put = |kind, number, parts: &[&Vec<String>]| {
            let mut end = 0;
            let parts: Vec<(Range<usize>, &Vec<String>)> = parts
                .iter()
                .map(|part| {
                    end += part.len();
                    (end - part.len()..end, *part)
                })
                .collect();
            let words: Vec<String> =
                parts.iter().flat_map(|(_, part)| part.iter().cloned()).collect();
            let parts: Vec<Range<usize>> = parts.into_iter().map(|(range, _)| range).collect();
            let is_same =
                |it: &&mut Sought| (it.kind, &it.words, &it.parts) == (kind, &words, &parts);
            match soughts.iter_mut().find(is_same) {
                _ if words.is_empty() => {}
                Some(known) => known.users.push(number),
                None => soughts.push(Sought {
                    kind,
                    words,
                    weights: Vec::new(),
                    users: vec![number],
                    parts,
                    seeded: false,
                }),
            }
        };
        for (number, item) in items.iter().enumerate() {
            put(Kind::Question, number, &[&item.question]);
            let of_answers: usize = item.answers.iter().map(Vec::len).sum();
            let length = item.question.len();
            if (1..12).contains(&length) && of_answers > 0 && length + of_answers >= 4 {
                let parts: Vec<&Vec<String>> =
                    [&item.question].into_iter().chain(&item.answers).collect();
                put(Kind::WithChoices, number, &parts);
            }
            put(Kind::Context, number, &[&item.context]);
        }
        let owners = owners(items);
        let mut had: BTreeSet<(&Vec<String>, &Owner)> = BTreeSet::new();
        for (item, owner) in items.iter().zip(&owners) {
            had.extend(item.answers.iter().map(|answer| (answer, owner)));
        }
        let mut same = BTreeMap::new();
        for (answer, _) in had {
            *same.entry(answer.clone()).or_insert(0) += 1;
        }
        let mut places: BTreeMap<Vec<String>, Vec<(usize, usize)>> = BTreeMap::new();
        for (number, sought) in soughts.iter().enumerate() {
            for (at, run) in sought.words.windows(4).enumerate() {
                places.entry(run.to_vec()).or_default().push((number, at));
            }
        }
        let mut shared: Vec<Vec<f32>> =
            soughts.iter().map(|sought| vec![f32::INFINITY; sought.words.len()]).collect();
        for of_run in places.values() {
            let mut whose = BTreeSet::new();
            for (sought, _) in of_run {
                match soughts[*sought].kind {
                    Kind::Context => drop(whose.insert((vec!["context".to_owned()], *sought))),
                    _ => whose
                        .extend(soughts[*sought].users.iter().map(|item| owners[*item].clone())),
                }
            }
            for (sought, at) in of_run {
                for shared in &mut shared[*sought][*at..at + 4] {
                    *shared = shared.min(whose.len() as f32);
                }
            }
        }
        let mut weights = BTreeMap::new();
        for item in items {
            let all =
                item.question.iter().chain(item.answers.iter().flatten()).chain(&item.context);
            for word in all {
                weights.entry(word.clone()).or_insert_with(|| weight(word));
            }
        }
        for (sought, shared) in soughts.iter_mut().zip(shared) {
            let divided = sought.words.iter().zip(shared);
            sought.weights = divided
                .map(|(word, shared)| weights[word] / if shared.is_finite() { shared } else { 1.0 })
                .collect();
        }
        let mut twin =
            Self { items: items.to_vec(), soughts, weights, runs: BTreeMap::new(), same };
        twin.search(places);
        let mut short: BTreeMap<Vec<String>, Vec<Seed>> = BTreeMap::new();
        for (number, sought) in twin.soughts.iter().enumerate() {
            let is_needed = match sought.kind {
                Kind::Question => sought.words.len() < 4,
                Kind::WithChoices => !sought.seeded,
                Kind::Context => false,
            };
            let length = sought.words.len();
            let has_threes = sought.kind != Kind::Context && (4..=24).contains(&length);
            let total: f32 = sought.weights.iter().sum();
            let is_heavy =
                |at: usize| sought.weights[at..at + 3].iter().sum::<f32>() >= 0.15 * total;
            for (at, run) in sought.words.windows(3).enumerate() {
                if has_threes && is_heavy(at) {
                    short.entry(run.to_vec()).or_default().push((number, at));
                }
            }
            let is_there =
                |part: &Range<usize>| part.len() == 3 && has_threes && is_heavy(part.start);
            let parts = sought.parts.iter().filter(|part| part.len() < 4 && !is_there(part));
            for part in parts.filter(|_| is_needed) {
                let run = sought.words[part.clone()].to_vec();
                short.entry(run).or_default().push((number, part.start));
            }
        }
        twin.search(short);
        twin
    }

    /// Adds runs with their places; what of each text is seeded by all of them.
    fn search(&mut self, places: BTreeMap<Vec<String>, Vec<Seed>>) {
        for (run, places) in places {
            let first = searched(&places, &self.soughts, run.len() == 4);
            self.runs.insert(run, first);
        }
        for number in 0..self.soughts.len() {
            let sought = &self.soughts[number];
            let is_covered = |at: usize| {
                sought.parts.iter().any(|part| {
                    let runs = part.clone().flat_map(|start| {
                        (start + 1..=part.end.min(start + 4)).map(move |end| start..end)
                    });
                    let has_threes = sought.kind != Kind::Context && sought.words.len() <= 24;
                    let mut runs = runs.filter(|run| {
                        run.len() == 4 || run.len() == 3 && has_threes || *run == *part
                    });
                    runs.any(|run| {
                        let places = self.runs.get(&sought.words[run.clone()]);
                        run.contains(&at)
                            && places.into_iter().flatten().any(|(other, start)| {
                                *other == number && (run.len() == 4 || *start == run.start)
                            })
                    })
                })
            };
            let words = 0..sought.words.len();
            let covered: f32 =
                words.filter(|at| is_covered(*at)).map(|at| sought.weights[at]).sum();
            let total: f32 = sought.weights.iter().sum();
            self.soughts[number].seeded = covered > 0.0 && covered >= 0.15 * total;
        }
    }

    fn answers(&self, item: usize) -> Vec<(&Vec<String>, f32)> {
        let bits = |answer: &Vec<String>| {
            let bits: f32 = answer.iter().map(|word| self.weights[word] * proof(word)).sum();
            bits / self.same[answer] as f32
        };
        self.items[item].answers.iter().map(|answer| (answer, bits(answer))).collect()
    }

    fn most_bits(&self, item: usize) -> f32 {
        let bits = |sought: &Sought| -> f32 {
            sought
                .words
                .iter()
                .zip(&sought.weights)
                .map(|(word, weight)| weight * proof(word))
                .sum()
        };
        let mut most = 0.0_f32;
        let of_item = self.soughts.iter().filter(|sought| sought.users.contains(&item));
        for sought in of_item.filter(|sought| sought.seeded && sought.words.len() >= 4) {
            match sought.kind {
                Kind::Question => {
                    let answers: f32 = self.answers(item).iter().map(|(_, bits)| bits).sum();
                    most = most.max(bits(sought) + answers);
                }
                Kind::WithChoices => most = most.max(bits(sought)),
                Kind::Context => {}
            }
        }
        most
    }

    /// Aligns a text with some tokens.
    fn align(&self, sought: &Sought, place: &[String]) -> Option<Found> {
        let (m, n) = (sought.words.len(), place.len());
        let mut table = vec![vec![(0.0_f32, 0); n + 1]; m + 1];
        for i in 1..=m {
            for j in 1..=n {
                let (up, left) = (table[i - 1][j].0, table[i][j - 1].0);
                table[i][j] = if up >= left { (up, 1) } else { (left, 2) };
                if sought.words[i - 1] == place[j - 1] {
                    let more = if table[i - 1][j - 1].1 == 3 { 0.01 } else { 0.0 };
                    let pair = table[i - 1][j - 1].0 + sought.weights[i - 1] + more;
                    if pair >= table[i][j].0 {
                        table[i][j] = (pair, 3);
                    }
                }
            }
        }
        let (mut i, mut j, mut pairs) = (m, n, Vec::new());
        while i > 0 && j > 0 {
            match table[i][j].1 {
                3 => {
                    (i, j) = (i - 1, j - 1);
                    pairs.insert(0, (i, j));
                }
                1 => i -= 1,
                _ => j -= 1,
            }
        }
        let total: f32 = sought.weights.iter().sum();
        let (mut matched, mut bits, mut count, mut run, mut run_bits) = (0.0, 0.0, 0, 0, 0.0);
        let mut covered = 0.0;
        let mut range: Option<Range<usize>> = None;
        let goes_on = |a: &(usize, usize), b: &(usize, usize)| {
            let is_choice = sought.kind == Kind::WithChoices && b.0 >= sought.parts[0].end;
            b.0 == a.0 + 1 && (b.1 == a.1 + 1 || b.1 == a.1 + 2 && is_choice)
        };
        // A single pair counts between two others, with a token of each text on both sides at most.
        let is_near = |a: Option<&(usize, usize)>, b: &(usize, usize)| {
            a.is_some_and(|a| a.0.abs_diff(b.0) <= 2 && a.1.abs_diff(b.1) <= 2)
        };
        let counts = |run: &[(usize, usize)]| {
            let before = pairs.iter().rev().find(|pair| pair.0 < run[0].0);
            let behind = pairs.iter().find(|pair| pair.0 > run[0].0);
            run.len() > 1 || is_near(before, &run[0]) && is_near(behind, &run[0])
        };
        for pairs in pairs.chunk_by(goes_on).filter(|pairs| counts(pairs)) {
            let mut of_run = 0.0;
            for (word, _) in pairs {
                matched += sought.weights[*word];
                covered += proof(&sought.words[*word]);
                of_run += sought.weights[*word] * proof(&sought.words[*word]);
            }
            bits += of_run;
            count += pairs.len();
            let end = pairs[pairs.len() - 1].1 + 1;
            range = Some(range.map_or(pairs[0].1, |range| range.start)..end);
            if pairs.len() > run {
                (run, run_bits) = (pairs.len(), of_run);
            }
        }
        let tokens = range?;
        let dense = count as f32 / tokens.len() as f32;
        let covered = covered / sought.words.iter().map(|word| proof(word)).sum::<f32>();
        let share = matched / total;
        Some(Found { sought: 0, share, bits, covered, dense, run, run_bits, tokens })
    }

    /// What stands of a text in a document.
    fn find(&self, number: usize, document: &[String]) -> Vec<Found> {
        let sought = &self.soughts[number];
        let length = sought.words.len();
        let mut hits: Vec<Hit> = Vec::new();
        for at in 0..document.len() {
            for tokens in 1..=4.min(document.len() - at) {
                let places = self.runs.get(&document[at..at + tokens]).into_iter().flatten();
                let of_text = places.filter(|(other, _)| *other == number);
                hits.extend(of_text.map(|(_, word)| (at, *word, tokens)));
            }
        }
        if length < 4 {
            let found = hits.first().map(|(at, ..)| {
                let bits = |at: usize| sought.weights[at] * proof(&sought.words[at]);
                let bits: f32 = (0..length).map(bits).sum();
                Found {
                    sought: number,
                    share: 1.0,
                    bits,
                    covered: 1.0,
                    dense: 1.0,
                    run: length,
                    run_bits: bits,
                    tokens: *at..at + length,
                }
            });
            return found.into_iter().collect();
        }
        let mut found: Vec<Found> = Vec::new();
        let mut rest = &hits[..];
        while let Some(first) = rest.first() {
            let reach = first.0 + length + length / 2 + 20;
            let (near, behind) = rest.split_at(rest.partition_point(|hit| hit.0 < reach));
            rest = behind;
            self.within(sought, near, 0..document.len(), document, &mut found);
        }
        found.sort_by(|a, b| {
            b.share
                .total_cmp(&a.share)
                .then((a.tokens.start, a.tokens.end).cmp(&(b.tokens.start, b.tokens.end)))
        });
        let mut kept: Vec<Found> = Vec::new();
        for next in found {
            if !kept.iter().any(|kept| overlap(&kept.tokens, &next.tokens)) {
                kept.push(Found { sought: number, ..next });
            }
        }
        kept
    }

    /// What stands within some tokens: at a place, and on both sides of it.
    fn within(
        &self,
        sought: &Sought,
        near: &[Hit],
        bounds: Range<usize>,
        document: &[String],
        found: &mut Vec<Found>,
    ) {
        if near.is_empty() {
            return;
        }
        let length = sought.words.len();
        // Equal runs of a text stand there at once.
        let stands = |hit: &Hit, start: usize| {
            let run = &sought.words[hit.1..hit.1 + hit.2];
            start == hit.1 || hit.2 == 4 && sought.words.get(start..start + 4) == Some(run)
        };
        let covered = |word: usize| {
            near.iter().any(|hit| (0..=word).any(|at| word < at + hit.2 && stands(hit, at)))
        };
        let weight: f32 =
            (0..length).filter(|word| covered(*word)).map(|word| sought.weights[word]).sum();
        let total: f32 = sought.weights.iter().sum();
        let next = if weight < 0.15 * total {
            self.part(sought, near, total)
        } else {
            let slack = length / 5 + 5;
            let start = near.iter().map(|hit| hit.0.saturating_sub(hit.1)).min().unwrap();
            let end = near.iter().map(|hit| hit.0 + length - hit.1).max().unwrap();
            let start = start.saturating_sub(slack).max(bounds.start);
            let end = (end + slack).min(bounds.end);
            let aligned = self.align(sought, &document[start..end]);
            aligned
                .filter(|it| it.share >= 0.35 || is_part(it))
                .map(|it| Found { tokens: it.tokens.start + start..it.tokens.end + start, ..it })
        };
        let Some(next) = next else { return };
        let place = next.tokens.clone();
        found.push(next);
        let of = |keep: &dyn Fn(&Hit) -> bool| -> Vec<Hit> {
            near.iter().copied().filter(|hit| keep(hit)).collect()
        };
        let before = of(&|hit| hit.0 + hit.2 <= place.start);
        let behind = of(&|hit| hit.0 >= place.end);
        self.within(sought, &before, bounds.start..place.start, document, found);
        self.within(sought, &behind, place.end..bounds.end, document, found);
    }

    /// The longest run that goes on.
    fn part(&self, sought: &Sought, hits: &[Hit], total: f32) -> Option<Found> {
        let hits: Vec<Seed> =
            hits.iter().filter(|hit| hit.2 == 4).map(|hit| (hit.0, hit.1)).collect();
        let mut longest: Option<(usize, Range<usize>, usize)> = None;
        for (at, word) in &hits {
            let mut run = 1;
            while hits.contains(&(at + run, word + run)) {
                run += 1;
            }
            // By the distance of both places, then the first.
            let before = longest.as_ref().is_some_and(|(length, range, other)| {
                (*length, *other as i64 - range.start as i64) >= (run, *word as i64 - *at as i64)
            });
            if !before {
                longest = Some((run, *at..at + run + 3, *word));
            }
        }
        let (run, tokens, word) = longest?;
        let words = word..word + run + 3;
        let matched: f32 = words.clone().map(|word| sought.weights[word]).sum();
        let covered: f32 = sought.words[words.clone()].iter().map(|word| proof(word)).sum();
        let all: f32 = sought.words.iter().map(|word| proof(word)).sum();
        let bits: f32 = words.map(|word| sought.weights[word] * proof(&sought.words[word])).sum();
        let found = Found {
            sought: 0,
            share: matched / total,
            bits,
            covered: covered / all,
            dense: 1.0,
            run: run + 3,
            run_bits: bits,
            tokens,
        };
        (run >= 10 && is_part(&found)).then_some(found)
    }
}

fn is_part(found: &Found) -> bool {
    let is_strewn = found.dense < 0.4 || found.share.min(found.covered) < 0.35;
    found.run >= 13 && found.run_bits >= 28.0 || !is_strewn && found.bits >= 28.0
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}
