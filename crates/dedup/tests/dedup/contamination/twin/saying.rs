//! What is said of the places that were found.

use super::{Found, Kind, Said, Twin, is_part, overlap};

/// Of the words of the test those that may stand before any answer.
fn leads(word: &str) -> bool {
    ["the", "is", "a", "b", "c", "d", "1"].contains(&word)
}

impl Twin {
    /// What is said of a document, by item, verdict and place.
    pub(in super::super) fn said(&self, document: &[String]) -> Vec<Said> {
        let all: Vec<Found> =
            (0..self.soughts.len()).flat_map(|number| self.find(number, document)).collect();
        let holds = |found: &Found, more: f32| {
            let stands = found.dense >= 0.4 && found.share.min(found.covered) >= 0.55;
            let whole = found.dense >= 0.4 && found.share >= 0.95 && found.covered >= 0.75;
            let fallen = ((found.share - 0.75) / (0.95 - 0.75)).clamp(0.0, 1.0);
            let asked = 30.0 * (1.0 - fallen * (1.0 - 2.0 / 3.0));
            (stands && found.bits + more >= asked, stands, whole)
        };
        let kind = |found: &Found| self.soughts[found.sought].kind;
        let contexts: Vec<&Found> =
            all.iter().filter(|it| kind(it) == Kind::Context && holds(it, 0.0).0).collect();
        let mut said: Vec<(Said, f32, f32, usize)> = Vec::new();
        for found in &all {
            for item in &self.soughts[found.sought].users {
                let hopeless = self.most_bits(*item) < 30.0 * (2.0 / 3.0);
                let more = match kind(found) {
                    Kind::Question => self.behind(*item, found.tokens.end, document).0,
                    _ => 0.0,
                };
                let mut say = |verdict, bits| {
                    // As rows have it: of a half the even one.
                    let share = format!("{:.3}", found.share).parse::<f64>().unwrap();
                    let share = (share * 1000.0).round() as u32;
                    said.push((
                        (*item, verdict, found.tokens.clone(), share),
                        found.share,
                        bits,
                        found.sought,
                    ));
                };
                let bits = found.bits + more;
                let decides = self.soughts[found.sought].words.len() >= 4;
                match kind(found) {
                    Kind::Context if holds(found, 0.0).0 => say("context", bits),
                    Kind::Context => {}
                    _ if !hopeless && decides && holds(found, more).0 => {
                        say("contaminated", bits);
                    }
                    Kind::Question if !hopeless && is_part(found) => {
                        say("partial", bits);
                    }
                    _ if holds(found, 0.0).2 => say("undecidable", bits),
                    _ => {}
                }
                let of_item = |it: &&&Found| self.soughts[it.sought].users.contains(item);
                if let Some(context) = contexts.iter().find(of_item)
                    && kind(found) == Kind::Question
                    && decides
                    && holds(found, 0.0).1
                    && holds(found, more + context.bits).0
                {
                    say("contaminated", bits + context.bits);
                }
            }
        }
        let rank = |verdict: &str| {
            ["undecidable", "context", "partial", "contaminated"]
                .iter()
                .position(|it| *it == verdict)
        };
        said.sort_by(|a, b| {
            (a.0.0, std::cmp::Reverse(rank(a.0.1)))
                .cmp(&(b.0.0, std::cmp::Reverse(rank(b.0.1))))
                .then(b.1.total_cmp(&a.1))
                .then(a.0.2.len().cmp(&b.0.2.len()))
                .then((a.0.2.start, a.3).cmp(&(b.0.2.start, b.3)))
                .then(b.2.total_cmp(&a.2))
        });
        let mut kept: Vec<Said> = Vec::new();
        for (next, ..) in said {
            let is_known = kept.iter().filter(|kept| kept.0 == next.0).any(|kept| {
                let decides_nothing = rank(next.1) <= rank("context");
                overlap(&kept.2, &next.2) || decides_nothing && kept.1 == "contaminated"
            });
            if !is_known {
                kept.push(next);
            }
        }
        kept.sort_by_key(|said| (said.2.start, said.0, said.2.end));
        for said in &mut kept {
            if !["partial", "context"].contains(&said.1) {
                said.2.end = self.behind(said.0, said.2.end, document).1;
            }
        }
        kept
    }

    /// The bits of choices and answers behind a question, and where those end that follow it and each other in its line.
    fn behind(&self, item: usize, end: usize, document: &[String]) -> (f32, usize) {
        let answers = self.answers(item);
        let own: usize = answers.iter().map(|(answer, _)| answer.len()).sum();
        let near = &document[end..(end + 60 + 3 * own).min(document.len())];
        let (mut places, mut more) = (Vec::new(), 0.0);
        for (number, (answer, bits)) in answers.iter().enumerate() {
            let windows = near.windows(answer.len()).enumerate();
            let here = windows.filter(|(_, it)| *it == &answer[..]).take(8);
            let here: Vec<_> =
                here.map(|(at, _)| (at, at + answer.len(), number, *bits >= 12.0)).collect();
            more += if here.is_empty() { 0.0 } else { *bits };
            places.extend(here);
        }
        places.sort_unstable();
        let (mut last, mut placed) = (0, Vec::new());
        for (start, end, number, is_rare) in places {
            let gap = &near[last..start.max(last)];
            let is_new = is_rare && !placed.contains(&number);
            if gap.len() <= 12 && (is_new || gap.iter().all(|word| leads(word))) {
                last = last.max(end);
                placed.push(number);
            }
        }
        (more, end + last)
    }
}
