//! The blocks of text of a page, by its tree: what each says, how much of it is links, and in what part of the
//! page it stands. Whether a main text can be trusted by them is `verdict`'s; names of frames are `frames`'s.

use crate::html::frames::{is_frame, is_named_as_frame};
use crate::html::full_text::{INLINE, UNDISPLAYED};
use crate::html::trust::PageRules;
use dom_query::{Document, Element, NodeData, NodeRef};

/// Elements whose text no reader sees, or that only ask for text.
const UNSEEN: [&str; 8] =
    ["head", "iframe", "noscript", "script", "select", "style", "template", "textarea"];

/// Elements that may be frames by their names.
const NAMED: [&str; 8] = ["center", "div", "form", "ol", "span", "table", "td", "ul"];

/// Letters of a block that is running text by its length alone: some scripts have no marks of sentences.
const LONG: usize = 150;

/// Letters of a block of sentences.
const OF_SENTENCES: usize = 40;

/// What is no link outside of `main` is at most so many letters for one inside, for that to be the main element.
const ELSEWHERE: usize = 4;

/// Marks that end sentences where a space or nothing follows.
const STOPS: [char; 6] = ['.', '!', '?', '\u{2026}', '\u{61f}', '\u{6d4}'];

/// Marks that end sentences wherever they stand.
const FULL_STOPS: [char; 5] = ['\u{3002}', '\u{ff01}', '\u{ff1f}', '\u{ff61}', '\u{964}'];

/// Text that stands together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    /// White space collapsed.
    pub(crate) text: String,
    /// Characters that are no white space.
    pub(crate) letters: usize,
    /// Those of them in links and buttons.
    pub(crate) linked: usize,
    /// Whether it belongs to the frame of the page: menus, sidebars, footers, notices.
    pub(crate) is_framed: bool,
    /// Whether it stands in the element that the page declares as its main one.
    pub(crate) is_main: bool,
    /// Of a heading its level.
    pub(crate) heading: Option<u8>,
}

impl Block {
    /// Whether few of its letters are links.
    pub(crate) fn is_plain(&self) -> bool {
        3 * self.linked < self.letters
    }

    /// Letters that are no link.
    pub(crate) fn unlinked(&self) -> usize {
        self.letters.saturating_sub(self.linked)
    }

    /// Whether it is text to be read from start to end.
    pub(crate) fn is_running(&self) -> bool {
        self.is_plain()
            && self.heading.is_none()
            && (self.letters >= LONG || self.letters >= OF_SENTENCES && has_sentence(&self.text))
    }
}

fn has_sentence(text: &str) -> bool {
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        let ends = |next: Option<&char>| next.is_none_or(|next| !next.is_alphanumeric());
        if FULL_STOPS.contains(&letter) || STOPS.contains(&letter) && ends(rest.peek()) {
            return true;
        }
    }
    false
}

/// The blocks of a page in the order of its text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    pub(crate) all: Vec<Block>,
    /// The title of the page.
    pub(crate) title: String,
    /// Whether the page declares which element is its main one.
    pub(crate) declares_main: bool,
}

/// What can declare an element as the main one, the strongest first.
#[derive(Clone, Copy)]
enum Declared {
    Main = 1,
    Body = 2,
    Article = 4,
}

/// What is so of all inside an element.
#[derive(Clone, Copy, Default)]
struct Inside {
    /// Declared as main, as bits.
    declared: u8,
    is_framed: bool,
    is_unseen: bool,
    is_title: bool,
    is_link: bool,
    heading: Option<u8>,
    /// Whether the element ends a block.
    is_block: bool,
    /// Where the element begins, if its name says that it is a frame.
    named_from: Option<usize>,
}

/// A walk over a tree.
#[derive(Default)]
struct Walk {
    /// Whether the page is read as a browser shows it.
    is_shown: bool,
    title: String,
    blocks: Vec<Block>,
    /// What declares each block.
    declared: Vec<u8>,
    open: Block,
    has_gap: bool,
    /// Whether a line break came last.
    is_broken: bool,
    /// How often each element that is not within another of its kind declares something.
    count: [usize; 3],
    /// The blocks of elements that are frames by their names.
    named: Vec<(usize, usize)>,
}

impl Blocks {
    /// Reads a tree.
    ///
    /// # Complexity
    ///
    /// Linear in the page.
    pub(crate) fn of(tree: &Document, rules: PageRules) -> Self {
        let mut walk = Walk { is_shown: rules == PageRules::Shown, ..Walk::default() };
        let mut levels = vec![Inside::default()];
        let mut at: Option<NodeRef<'_>> = tree.root().first_child();
        while let Some(node) = at {
            let outer = levels.last().copied().unwrap_or_default();
            let inner = node.query(|node| match &node.data {
                NodeData::Text { contents } => {
                    walk.words(contents, outer);
                    None
                }
                NodeData::Element(element) => Some(walk.enter(element, outer)),
                _ => None,
            });
            if let (Some(inner), Some(child)) = (inner.flatten(), node.first_child()) {
                levels.push(inner);
                at = Some(child);
                continue;
            } else if let Some(inner) = inner.flatten() {
                walk.leave(inner);
            }
            let mut up = Some(node);
            at = loop {
                let Some(node) = up else { break None };
                if let Some(next) = node.next_sibling() {
                    break Some(next);
                }
                up = node.parent();
                if let Some(inner) = levels.pop() {
                    walk.leave(inner);
                }
            };
        }
        walk.end_block(Inside::default());
        walk.finish()
    }

    /// The text of the element that the page declares as its main one, a line a block, without what is marked
    /// as a frame within it.
    pub(crate) fn declared(&self) -> Option<String> {
        if !self.declares_main {
            return None;
        }
        let main = self.all.iter().filter(|block| block.is_main && !block.is_framed);
        let lines: Vec<&str> = main.map(|block| block.text.as_str()).collect();
        Some(lines.join("\n"))
    }
}

impl Walk {
    fn enter(&mut self, element: &Element, outer: Inside) -> Inside {
        let name: &str = &element.name.local;
        let attribute = |wanted: &str| {
            let found = element.attrs.iter().find(|it| &*it.name.local == wanted);
            found.map_or("", |it| &*it.value)
        };
        let is_hidden_field = name == "input" && attribute("type").eq_ignore_ascii_case("hidden");
        let is_passed_over = self.is_shown && (is_hidden_field || UNDISPLAYED.contains(&name));
        let is_block = name != "br" && !is_passed_over && !INLINE.contains(&name);
        if is_block {
            self.end_block(outer);
        } else if name == "br" {
            // Two in a row end a paragraph.
            if std::mem::replace(&mut self.is_broken, true) {
                self.end_block(outer);
            }
            self.has_gap = true;
        }
        let role = attribute("role");
        let is_hidden = element.attrs.iter().any(|it| match &*it.name.local {
            "hidden" => true,
            "aria-hidden" => &*it.value == "true",
            "style" => hides(&it.value),
            _ => false,
        });
        let mut declared = outer.declared;
        let is_framed = outer.is_framed || is_hidden || is_frame(name, role, outer.declared != 0);
        for (at, (declares, kind)) in [
            (name == "main" || role == "main", Declared::Main),
            (attribute("itemprop") == "articleBody", Declared::Body),
            (name == "article" || role == "article", Declared::Article),
        ]
        .into_iter()
        .enumerate()
        {
            let bit = kind as u8;
            if declares && !is_framed && declared & bit == 0 {
                declared |= bit;
                self.count[at] += 1;
            }
        }
        let is_named = is_block
            && !is_framed
            && declared == 0
            && NAMED.contains(&name)
            && is_named_as_frame(attribute("class"), attribute("id"));
        let level = name.strip_prefix('h').and_then(|level| level.parse::<u8>().ok());
        Inside {
            declared,
            is_framed,
            is_unseen: outer.is_unseen || UNSEEN.contains(&name),
            is_title: name == "title" && outer.is_unseen,
            is_link: outer.is_link || name == "a" || name == "button" || role == "button",
            heading: outer.heading.or(level.filter(|level| (1..=6).contains(level))),
            is_block,
            named_from: is_named.then_some(self.blocks.len()),
        }
    }

    fn leave(&mut self, inner: Inside) {
        if inner.is_block {
            self.end_block(inner);
        }
        if let Some(from) = inner.named_from {
            self.named.push((from, self.blocks.len()));
        }
    }

    fn words(&mut self, text: &str, inside: Inside) {
        if inside.is_title {
            self.title.extend(text.split_whitespace().flat_map(|word| [word, " "]));
        }
        if inside.is_unseen {
            return;
        }
        for (at, word) in text.split(char::is_whitespace).enumerate() {
            self.has_gap |= at > 0;
            if word.is_empty() {
                continue;
            }
            if self.has_gap && !self.open.text.is_empty() {
                self.open.text.push(' ');
            }
            (self.has_gap, self.is_broken) = (false, false);
            let letters = word.chars().count();
            self.open.text.push_str(word);
            self.open.letters += letters;
            self.open.linked += if inside.is_link { letters } else { 0 };
        }
    }

    /// Ends the block that is open, which stands in `inside`.
    fn end_block(&mut self, inside: Inside) {
        self.has_gap = false;
        if self.open.text.is_empty() {
            return;
        }
        let open = std::mem::take(&mut self.open);
        let Inside { is_framed, heading, declared, .. } = inside;
        self.blocks.push(Block { is_framed, heading, ..open });
        self.declared.push(declared);
    }

    /// Decides what only the whole page tells: which elements are frames by their names, and which is the main one.
    fn finish(mut self) -> Blocks {
        // An element that holds a title of the page, or what the page declares as main, is no frame of it.
        let holds = |at: usize| {
            let heading = self.blocks.get(at).and_then(|block| block.heading);
            heading == Some(1) || self.declared.get(at).is_some_and(|bits| *bits != 0)
        };
        let held = (0..self.blocks.len()).scan(0_usize, |held, at| {
            *held += usize::from(holds(at));
            Some(*held)
        });
        let held: Vec<usize> = std::iter::once(0).chain(held).collect();
        self.named.retain(|(from, to)| held.get(*from) == held.get(*to));
        // Elements lie within each other or apart, and each is listed after those within it.
        let mut end = self.blocks.len();
        for (from, to) in self.named.iter().rev().copied() {
            let blocks = self.blocks.get_mut(from..to.min(end)).unwrap_or_default();
            blocks.iter_mut().for_each(|block| block.is_framed = true);
            end = end.min(from);
        }
        // What holds little beside much else is not what its name says.
        let is_main = |(kind, bit): (Declared, u8)| {
            let blocks = self.blocks.iter().zip(&self.declared);
            let (mut of_main, mut elsewhere) = (0, 0);
            for (block, bits) in blocks.filter(|(block, _)| !block.is_framed) {
                if bits & bit != 0 {
                    of_main += block.letters;
                } else {
                    elsewhere += block.unlinked();
                }
            }
            let most = if matches!(kind, Declared::Main) { ELSEWHERE * of_main } else { of_main };
            of_main > 0 && most >= elsewhere
        };
        let kinds = [Declared::Main, Declared::Body, Declared::Article];
        let sole = kinds.into_iter().zip(self.count).filter(|(_, count)| *count == 1);
        let mut sole = sole.map(|(kind, _)| (kind, kind as u8));
        let main = sole.find(|kind| is_main(*kind));
        let bit = main.map_or(0, |(_, bit)| bit);
        for (block, bits) in self.blocks.iter_mut().zip(&self.declared) {
            block.is_main = bits & bit != 0;
        }
        Blocks { all: self.blocks, title: self.title, declares_main: main.is_some() }
    }
}

/// Whether a style hides an element.
fn hides(style: &str) -> bool {
    let plain: String = style.chars().filter(|c| !c.is_whitespace()).collect();
    let plain = plain.to_ascii_lowercase();
    plain.contains("display:none") || plain.contains("visibility:hidden")
}
