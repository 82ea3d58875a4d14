//! Whether what looks like the main text of a page can be trusted, by where it stands in the page and by what
//! else is there.

use crate::html::blocks::{Block, Blocks};
use std::collections::HashSet;

/// What is no link elsewhere is at most one letter for so many of a main text under what may be another title, or on
/// a page without one; in all it is no more than the main text.
const ELSEWHERE: usize = 4;

/// On a page without headings a main text is at least one letter in so many...
const SHARE: usize = 4;

/// ... and in so many where it begins or ends the page, as notices do.
const SHARE_AT_EDGE: usize = 2;

/// Letters of a text that one word about rights or cookies makes a notice.
const NOTICE: usize = 600;

/// What notices say.
const NOTICES: [&str; 4] = ["\u{a9}", "copyright", "all rights reserved", "cookies"];

/// Blocks between a title and its text.
const BYLINES: usize = 6;

/// Letters of a heading that the title of the page may hold.
const NAMED: usize = 8;

/// Letters and digits that tell where a text stands.
const WINDOW: usize = 12;

/// Windows of a page above which only some are looked at.
const WINDOWS: usize = 1 << 17;

/// The main text of a page of these blocks, where what looks like it can be trusted: the blocks that stand in `found`,
/// but links, frames and the title.
///
/// It cannot if more of it is links; if most of it stands outside of what the page declares as its main element; if
/// there is more text besides, or under what may be another title more than a quarter of it, whatever holds that text:
/// tables, lists, captions, forms; if it stands under no title, but another text does. Where there are neither titles
/// nor declarations, it has to be no notice and no small part of the page. Links elsewhere, however many, change
/// nothing beside a title.
///
/// # Complexity
///
/// Linear.
pub(crate) fn trusted(found: &str, page: &Blocks) -> Option<String> {
    let blocks = &page.all;
    let parts = parts(found, page);
    let (mut inside, mut declared) = (0, 0);
    for (block, part) in blocks.iter().zip(&parts) {
        let letters = part.of(block.letters);
        inside += letters;
        declared += if block.is_main { letters } else { 0 };
    }
    if page.declares_main && 2 * declared < inside {
        return None;
    }
    let is_inside = |block: &Block| !block.is_framed && (block.is_main || !page.declares_main);
    let is_kept = |at: usize| {
        let (block, part) = (blocks.get(at)?, parts.get(at)?);
        (is_inside(block) && block.is_plain() && part.is_most()).then_some(at)
    };
    let first = (0..blocks.len()).find_map(is_kept)?;
    let last = (0..blocks.len()).rev().find_map(is_kept)?;
    let titles = Titles::of(page);
    let title = titles.over(first, last, |at| is_kept(at).is_some());
    if title.is_none() && titles.highest.is_some() {
        return None;
    }
    // The headings that the text begins under: others as high as the last of them are of other sections.
    let over = title.map(|at| at..=first.max(at));
    let headings = over.clone().and_then(|over| blocks.get(over)).unwrap_or_default();
    let rank =
        headings.iter().filter(|it| !it.is_framed).filter_map(|block| block.heading).next_back();
    let mut is_other = title.is_none();
    let (mut kept, mut elsewhere, mut other, mut linked) = (Vec::new(), 0, 0, 0);
    for (at, (block, part)) in blocks.iter().zip(&parts).enumerate() {
        let is_as_high = block.heading.is_some() && block.heading <= rank && !block.is_framed;
        let is_title = is_as_high || titles.may_be(block);
        if is_title {
            is_other = !over.as_ref().is_some_and(|over| over.contains(&at));
        }
        let is_within = (first..=last).contains(&at) && part.windows == 0;
        if is_inside(block) && block.is_plain() && (part.is_most() || is_within) {
            kept.extend((title != Some(at)).then_some(block));
            continue;
        }
        if is_inside(block) && !is_title {
            elsewhere += block.unlinked();
            other += if is_other { block.unlinked() } else { 0 };
        }
        if !block.is_plain() && part.is_most() && title.is_none_or(|title| at > title) {
            linked += block.letters;
        }
    }
    let letters = kept.iter().map(|block| block.letters).sum::<usize>();
    let text = |kept: &[&Block]| {
        let lines: Vec<&str> = kept.iter().map(|block| block.text.as_str()).collect();
        lines.join("\n")
    };
    if linked > letters || elsewhere > letters || ELSEWHERE * other > letters {
        return None;
    }
    if title.is_some() {
        return Some(text(&kept));
    }
    let is_title = |line: &&Block| !line.is_running() && ELSEWHERE * line.letters < letters;
    let has_line = kept.first().is_some_and(is_title);
    let main = text(kept.get(usize::from(has_line)..).unwrap_or_default());
    if page.declares_main {
        return Some(main);
    }
    if letters < NOTICE && is_notice(&text(&kept)) {
        return None;
    }
    let is_edge =
        |others: Option<&[Block]>| !others.unwrap_or_default().iter().any(Block::is_plain);
    let at_edge = is_edge(blocks.get(..first)) || is_edge(blocks.get(last + 1..));
    let shown = blocks.iter().filter(|block| !block.is_framed);
    let all: usize = shown.map(|block| block.letters).sum();
    (letters * if at_edge { SHARE_AT_EDGE } else { SHARE } >= all).then_some(main)
}

fn is_notice(text: &str) -> bool {
    let text = text.to_lowercase();
    NOTICES.iter().any(|word| text.contains(word))
}

/// What may be the title of a text on a page: what the title of the page names, and headings of the highest rank.
struct Titles<'a> {
    page: &'a Blocks,
    highest: Option<u8>,
    /// Whether the title of the page names a heading.
    names: bool,
}

impl<'a> Titles<'a> {
    fn of(page: &'a Blocks) -> Self {
        let headings = page.all.iter().filter(|it| !it.is_framed && it.heading.is_some());
        let highest = headings.clone().filter_map(|block| block.heading).min();
        let mut titles = Titles { page, highest, names: false };
        titles.names = headings.into_iter().any(|block| titles.is_named(block));
        titles
    }

    fn is_named(&self, block: &Block) -> bool {
        block.letters >= NAMED && self.page.title.contains(&block.text)
    }

    fn may_be(&self, block: &Block) -> bool {
        let is_highest = block.heading.is_some() && block.heading == self.highest;
        let is_text = block.is_plain() || block.heading.is_some();
        !block.is_framed && (is_highest || is_text && self.is_named(block))
    }

    /// The title of a text whose blocks stand in this range: a heading where there are any, one that is named where one
    /// is. The first running text under it is of the text.
    fn over(&self, first: usize, last: usize, is_kept: impl Fn(usize) -> bool) -> Option<usize> {
        let is_title = |at: &usize| {
            let block = self.page.all.get(*at);
            block.is_some_and(|block| {
                block.heading.is_some() == self.highest.is_some()
                    && (!self.names || self.is_named(block))
                    && self.may_be(block)
            })
        };
        let is_byline = |at: &usize| self.page.all.get(*at).is_some_and(|it| !it.is_running());
        let before = (first.saturating_sub(BYLINES)..first).rev();
        let over = before.take_while(is_byline).find(is_title);
        let is_over_text =
            |title: &usize| (*title..=last).find(|at| !is_byline(at)).is_none_or(&is_kept);
        over.or_else(|| (first..=last).find(is_title).filter(is_over_text))
    }
}

/// How much of a block was found in a text.
#[derive(Clone, Copy, Default)]
struct Part {
    found: usize,
    windows: usize,
}

impl Part {
    fn of(self, letters: usize) -> usize {
        (letters * self.found).checked_div(self.windows).unwrap_or_default()
    }

    fn is_most(self) -> bool {
        2 * self.found > self.windows
    }
}

/// How much of each block stands in a text.
fn parts(text: &str, page: &Blocks) -> Vec<Part> {
    let letters: usize = page.all.iter().map(|block| block.letters).sum();
    let mask = (letters / WINDOWS + 1).next_power_of_two() as u64 - 1;
    let of_text: HashSet<u64> = windows(text, mask).collect();
    let part = |block: &Block| {
        let mut part = Part::default();
        for window in windows(&block.text, mask) {
            part.windows += 1;
            part.found += usize::from(of_text.contains(&window));
        }
        part
    };
    page.all.iter().map(part).collect()
}

/// Hashes of all runs of [`WINDOW`] letters and digits that a mask lets through.
fn windows(text: &str, mask: u64) -> impl Iterator<Item = u64> {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    let oldest = (0..WINDOW).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let mut run = [0_u64; WINDOW];
    let (mut at, mut hash) = (0, 0_u64);
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    letters.filter_map(move |letter| {
        let slot = run.get_mut(at % WINDOW)?;
        let gone = std::mem::replace(slot, u64::from(letter));
        hash = hash.wrapping_mul(BASE).wrapping_add(u64::from(letter));
        hash = hash.wrapping_sub(gone.wrapping_mul(oldest));
        at += 1;
        let mixed = (hash ^ (hash >> 32)).wrapping_mul(BASE);
        let mixed = mixed ^ (mixed >> 29);
        (at >= WINDOW && mixed & mask == 0).then_some(mixed)
    })
}
