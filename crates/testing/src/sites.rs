//! Pages of made sites: one article under any frame, by templates of several kinds.

use std::fmt::Write as _;

/// How a site builds its pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Template {
    /// Elements within elements, without a name.
    Soup,
    /// The same with names.
    Named,
    /// A table for the layout.
    Table,
    /// What elements are says what they are for.
    Semantic,
    /// The same by roles.
    Roles,
}

impl Template {
    /// Every template.
    pub const ALL: [Self; 5] = [Self::Soup, Self::Named, Self::Table, Self::Semantic, Self::Roles];
}

/// What stands around the articles of a site, in words.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame {
    /// Words of links before the article.
    pub before: usize,
    /// Words of links behind it.
    pub after: usize,
    /// Words of prose in a sidebar.
    pub sidebar: usize,
    /// Words of prose in the footer.
    pub footer: usize,
    /// Whether a notice about cookies comes first.
    pub notice: bool,
}

/// Sentences of so many words in all, which no other seed gives.
#[must_use]
pub fn prose(seed: u64, words: usize) -> String {
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (mut text, mut left) = (String::new(), 0);
    for at in 0..words {
        let word = numbers.word();
        if left == 0 {
            left = 6 + numbers.below(12);
            let (first, rest) = word.split_at(1);
            write!(text, "{}{rest}", first.to_uppercase()).unwrap();
        } else {
            text.push_str(&word);
        }
        left -= 1;
        let mark = match left {
            _ if left == 0 || at + 1 == words => ". ",
            5 if numbers.below(2) == 0 => ", ",
            _ => " ",
        };
        text.push_str(mark);
    }
    text.trim_end().to_owned()
}

/// Paragraphs of some 60 words.
fn paragraphs(text: &str) -> String {
    let (mut html, mut words) = ("<p>".to_owned(), 0);
    for sentence in text.split_inclusive(". ") {
        if words > 50 {
            html.push_str("</p>\n<p>");
            words = 0;
        }
        html.push_str(sentence);
        words += sentence.split(' ').count();
    }
    html + "</p>"
}

/// Links of so many words in all, two a link, in a list.
#[must_use]
pub fn links(seed: u64, words: usize) -> String {
    let mut numbers = Numbers(seed.wrapping_mul(0xd6e8_feb8_6659_fd93) | 1);
    let entry = |_| {
        format!("<li><a href=\"{}\">{} {}</a></li>", numbers.word(), numbers.word(), numbers.word())
    };
    format!("<ul>{}</ul>", (0..words / 2).map(entry).collect::<String>())
}

/// A page of the site that `seed` stands for: `body` is markup.
#[must_use]
pub fn page(template: Template, frame: &Frame, seed: u64, title: &str, body: &str) -> String {
    let part = |salt: u64| seed.wrapping_mul(1000) + salt;
    let before = links(part(1), frame.before);
    let after = links(part(2), frame.after);
    let sidebar = match frame.sidebar {
        0 => String::new(),
        words => paragraphs(&prose(part(3), words)),
    };
    let footer = match frame.footer {
        0 => String::new(),
        words => format!("<p>{}</p>", prose(part(4), words)),
    };
    let notice = if frame.notice {
        "<p>We and our partners use cookies to show you what you like. You can change this at any time.</p>"
    } else {
        ""
    };
    let article = format!("<h1>{title}</h1>\n{body}");
    let inner = match template {
        Template::Soup => format!(
            "<div>{notice}</div><div><div>{before}</div><div><div>{article}</div></div>\
             <div>{sidebar}</div><div>{after}</div></div><div>{footer}</div>"
        ),
        Template::Named => format!(
            "<div class=\"cookie-notice\">{notice}</div><div class=\"nav\">{before}</div><div id=\"content\">\
             <div class=\"story\">{article}</div></div><div class=\"sidebar\">{sidebar}</div>\
             <div class=\"links menu\">{after}</div><div id=\"footer\">{footer}</div>"
        ),
        Template::Table => format!(
            "{notice}<table><tr><td width=160>{before}</td><td>{article}</td><td class=\"side\">{sidebar}</td>\
             </tr></table><hr>{after}<hr><small>{footer}</small>"
        ),
        Template::Semantic => format!(
            "<dialog open>{notice}</dialog><header><nav>{before}</nav></header><main><article>{article}</article>\
             </main><aside>{sidebar}</aside><nav>{after}</nav><footer>{footer}</footer>"
        ),
        Template::Roles => format!(
            "<div role=\"dialog\">{notice}</div><div role=\"navigation\">{before}</div><div><div role=\"main\">\
             {article}</div></div><div role=\"complementary\">{sidebar}</div><div role=\"navigation\">{after}</div>\
             <div role=\"contentinfo\">{footer}</div>"
        ),
    };
    format!("<!DOCTYPE html><html><head><title>{title}</title></head><body>{inner}</body></html>")
}

/// A page with an article of prose.
#[must_use]
pub fn article(template: Template, frame: &Frame, seed: u64, text: &str) -> String {
    let title: Vec<&str> = text.split(' ').take(4).collect();
    page(template, frame, seed, &title.join(" "), &paragraphs(text))
}

/// Numbers in an order that the first decides.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// A word of two to four syllables, of which some thousands are likely.
    fn word(&mut self) -> String {
        const SYLLABLES: [&str; 20] = [
            "ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "wo",
            "zu", "an", "er", "is", "on", "us",
        ];
        let count = 1 + self.below(2) + self.below(3);
        (0..count).map(|_| SYLLABLES[usize::try_from(self.below(20)).unwrap_or(0)]).collect()
    }
}
