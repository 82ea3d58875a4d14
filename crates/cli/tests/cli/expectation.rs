//! What every verb has to answer, worked out the slow and plain way from the fingerprints that
//! `nearprint fingerprint` prints: all pairs by popcount, components by relabelling. Shares no code
//! with the binary.

use crate::nearprint::rows;
use std::cmp::Ordering::{Greater, Less};
use std::collections::{BTreeSet, HashMap};
use std::f64::consts::PI;
use std::fmt::Write as _;

/// A document as `nearprint fingerprint` prints it.
pub(crate) struct Printed {
    /// The id as JSON text.
    pub(crate) id: String,
    /// Least significant word first; the last are 0 where the fingerprint is narrow.
    pub(crate) words: [u64; 4],
    /// 16, 32 or 64.
    pub(crate) digits: usize,
    pub(crate) empty: bool,
    /// What its duplicates have too, where no distance makes them so.
    pub(crate) content: Option<String>,
}

impl Printed {
    pub(crate) fn all(text: &str) -> Vec<Printed> {
        let printed = |row: serde_json::Value| {
            let digits = row["fingerprint"].as_str().unwrap();
            let mut words = [0; 4];
            for (at, word) in words.iter_mut().take(digits.len() / 16).enumerate() {
                let end = digits.len() - 16 * at;
                *word = u64::from_str_radix(&digits[end - 16..end], 16).unwrap();
            }
            let empty =
                row["flags"].as_array().is_some_and(|flags| flags.contains(&"empty".into()));
            let content = row["content"].as_str().map(str::to_owned);
            Printed { id: row["id"].to_string(), words, digits: digits.len(), empty, content }
        };
        rows(text).into_iter().map(printed).collect()
    }

    fn distance(&self, other: &Printed) -> u32 {
        self.words.iter().zip(other.words).map(|(a, b)| (a ^ b).count_ones()).sum()
    }
}

/// The first document of the content of each, by their ids.
pub(crate) fn firsts(texts: &str) -> HashMap<String, String> {
    let mut of_content = HashMap::new();
    let first = |row: serde_json::Value| {
        let (id, text) = (row["id"].to_string(), row["text"].as_str().unwrap().to_lowercase());
        // Wide forms of letters and digits are those of ASCII.
        let narrow = |c: char| match u32::from(c) {
            wide @ 0xff01..=0xff5e => char::from_u32(wide - 0xfee0).unwrap(),
            _ => c,
        };
        let text: String = text.chars().map(narrow).collect();
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let content: Vec<_> = words.map(str::to_owned).collect();
        (id.clone(), of_content.entry(content).or_insert(id).clone())
    };
    rows(texts).into_iter().map(first).collect()
}

/// The answers.
pub(crate) struct Expectation {
    pub(crate) pairs: String,
    pub(crate) clusters: String,
    pub(crate) removed: String,
    /// Positions of the documents that stay.
    pub(crate) survivors: Vec<usize>,
    /// The number of clusters.
    pub(crate) groups: usize,
}

impl Expectation {
    /// `keep` chooses among the ascending positions of a cluster.
    pub(crate) fn new(printed: &[Printed], k: u32, keep: impl Fn(&[usize]) -> usize) -> Self {
        let mut pairs = String::new();
        let mut group: Vec<usize> = (0..printed.len()).collect();
        for (a, one) in printed.iter().enumerate() {
            for (b, other) in printed.iter().enumerate().skip(a + 1) {
                let distance = one.distance(other);
                let near = match (&one.content, &other.content) {
                    (None, None) => distance <= k,
                    (one, other) => one == other,
                };
                if !near || one.empty || other.empty {
                    continue;
                }
                let (a_id, b_id) = (&one.id, &other.id);
                writeln!(pairs, "{{\"a\":{a_id},\"b\":{b_id},\"distance\":{distance}}}").unwrap();
                let (from, to) = (group[a].max(group[b]), group[a].min(group[b]));
                if from != to {
                    group.iter_mut().filter(|label| **label == from).for_each(|label| *label = to);
                }
            }
        }
        // The label of a group is its first document, so groups come in the order of their first.
        let members = |label| -> Vec<usize> {
            (0..printed.len()).filter(|&document| group[document] == label).collect()
        };
        let heads = (0..printed.len()).filter(|&head| group[head] == head);
        let clusters: Vec<_> = heads.map(members).filter(|members| members.len() > 1).collect();
        let mut place = vec![None; printed.len()];
        for (number, members) in clusters.iter().enumerate() {
            let kept = keep(members);
            members.iter().for_each(|&member| place[member] = Some((number, kept)));
        }
        let mut answer = Expectation {
            pairs,
            clusters: String::new(),
            removed: String::new(),
            survivors: Vec::new(),
            groups: clusters.len(),
        };
        for (document, one) in printed.iter().enumerate() {
            let Some((number, kept)) = place[document] else {
                answer.survivors.push(document);
                continue;
            };
            let (id, kept_id) = (&one.id, &printed[kept].id);
            writeln!(
                answer.clusters,
                "{{\"id\":{id},\"cluster\":{number},\"representative\":{kept_id}}}"
            )
            .unwrap();
            if kept == document {
                answer.survivors.push(document);
                continue;
            }
            let distance = one.distance(&printed[kept]);
            let bits = f64::from(u32::try_from(4 * one.digits).unwrap());
            let cosine = (PI * f64::from(distance) / bits).cos();
            writeln!(
                answer.removed,
                "{{\"id\":{id},\"kept\":{kept_id},\"distance\":{distance},\"similarity\":{cosine:.4},\
                 \"measure\":\"estimated-cosine\",\"cluster\":{number}}}"
            )
            .unwrap();
        }
        answer
    }

    /// The lines of `input` that stay.
    pub(crate) fn lines(&self, input: &str) -> String {
        let lines: Vec<_> = input.split_inclusive('\n').collect();
        self.survivors.iter().map(|&at| lines[at]).collect()
    }
}

/// What `dedup` has to answer where pairs are verified and clusters are stars: worked out from the
/// texts, which are words with single blanks between them.
pub(crate) struct Verified {
    pub(crate) pairs: String,
    pub(crate) clusters: String,
    pub(crate) removed: String,
    /// Positions of the documents that stay.
    pub(crate) survivors: Vec<usize>,
}

impl Verified {
    /// Pairs within `k` bits whose word 3-shingles have this Jaccard similarity; each document whose
    /// turn comes takes all its near-duplicates that nobody has. `first` tells whose turn is before.
    pub(crate) fn new(
        printed: &[Printed],
        texts: &[String],
        (k, least): (u32, f64),
        first: impl Fn(usize, usize, &[usize]) -> bool,
    ) -> Self {
        let shingles = |text: &String| -> BTreeSet<String> {
            let words: Vec<_> = text.split_whitespace().collect();
            words.windows(3).map(|three| three.join(" ")).collect()
        };
        let sets: Vec<_> = texts.iter().map(shingles).collect();
        let similarity = |a: usize, b: usize| {
            let shared = sets[a].intersection(&sets[b]).count() as f64;
            shared / (sets[a].len() as f64 + sets[b].len() as f64 - shared)
        };
        let mut near = vec![Vec::new(); printed.len()];
        let mut pairs = String::new();
        for (a, one) in printed.iter().enumerate() {
            for (b, other) in printed.iter().enumerate().skip(a + 1) {
                let distance = one.distance(other);
                if distance > k || similarity(a, b) < least {
                    continue;
                }
                near[a].push(b);
                near[b].push(a);
                let (a_id, b_id, similar) = (&one.id, &other.id, similarity(a, b));
                writeln!(
                    pairs,
                    "{{\"a\":{a_id},\"b\":{b_id},\"distance\":{distance},\"similarity\":{similar:.4},\
                     \"measure\":\"jaccard\"}}"
                )
                .unwrap();
            }
        }
        let degrees: Vec<usize> = near.iter().map(Vec::len).collect();
        let mut order: Vec<usize> = (0..printed.len()).collect();
        order.sort_by(|&a, &b| if first(a, b, &degrees) { Less } else { Greater });
        let mut kept: Vec<Option<usize>> = vec![None; printed.len()];
        for &document in &order {
            if kept[document].is_none() {
                kept[document] = Some(document);
                for &other in &near[document] {
                    kept[other].get_or_insert(document);
                }
            }
        }
        let kept: Vec<usize> = kept.into_iter().map(Option::unwrap).collect();
        let mut heads: Vec<usize> = Vec::new();
        let mut answer = Verified {
            pairs,
            clusters: String::new(),
            removed: String::new(),
            survivors: Vec::new(),
        };
        for (document, &head) in kept.iter().enumerate() {
            if head == document {
                answer.survivors.push(document);
            }
            if kept.iter().filter(|&&other| other == head).count() < 2 {
                continue;
            }
            let number = heads.iter().position(|&known| known == head).unwrap_or_else(|| {
                heads.push(head);
                heads.len() - 1
            });
            let (id, head_id) = (&printed[document].id, &printed[head].id);
            writeln!(
                answer.clusters,
                "{{\"id\":{id},\"cluster\":{number},\"representative\":{head_id}}}"
            )
            .unwrap();
            if head != document {
                let distance = printed[document].distance(&printed[head]);
                let similar = similarity(document, head);
                writeln!(
                    answer.removed,
                    "{{\"id\":{id},\"kept\":{head_id},\"distance\":{distance},\
                     \"similarity\":{similar:.4},\"measure\":\"jaccard\",\"cluster\":{number}}}"
                )
                .unwrap();
            }
        }
        answer
    }
}
