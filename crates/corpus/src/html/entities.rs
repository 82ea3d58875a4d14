//! The entities that a page in XML declares in its document type, and what references to them stand for.
//!
//! # References
//!
//! XML 1.0, sections 4.2 "Entity Declarations", 4.4 and 4.5; the limits are those of libxml2 (`parser.h`,
//! `XML_PARSER_ALLOWED_EXPANSION` and after it).

use crate::within::within;
use memchr::memmem;
use std::borrow::Cow;
use std::collections::HashMap;

/// Bytes that all references of a page may stand for, and how often longer than the page that may be where it is more.
const ALLOWED: usize = 1_000_000;
const AMPLIFIED: usize = 5;
/// What a reference counts beside its bytes.
const EACH: usize = 20;
/// References in what references stand for, at most.
const DEEPEST: usize = 40;

/// Why a page in XML is not read as such.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// It is not well-formed.
    NotWellFormed,
    /// Its entities stand for themselves, or for more than is read.
    Endless,
}

/// What is declared, and what references to it have cost.
#[derive(Default)]
pub(crate) struct Entities {
    /// What each stands for; none of what is in another file. The first declaration counts.
    general: HashMap<String, Option<String>>,
    parameters: HashMap<String, Option<String>>,
    /// Bytes of the page.
    page: usize,
    spent: usize,
}

impl Entities {
    /// None yet, of a page of so many bytes.
    pub(crate) fn of_page(page: usize) -> Self {
        Self { page, ..Self::default() }
    }

    /// Takes the declarations of a document type, without its brackets.
    pub(crate) fn declare(&mut self, doctype: &str) -> Result<(), Flaw> {
        let Some(start) = opening(doctype.as_bytes()) else { return Ok(()) };
        let subset = doctype.get(start + 1..).unwrap_or_default();
        self.declarations(subset.rsplit_once(']').map_or(subset, |(subset, _)| subset), 0)
    }

    fn declarations(&mut self, subset: &str, depth: usize) -> Result<(), Flaw> {
        let mut rest = subset.trim_start();
        while !rest.is_empty() {
            let reference = rest.strip_prefix('%').and_then(|name| name.split_once(';'));
            if let Some((name, behind)) = reference {
                if let Some(text) = self.parameters.get(name).cloned().flatten() {
                    self.spend(&text, depth)?;
                    self.declarations(&text, depth + 1)?;
                }
                rest = behind.trim_start();
                continue;
            }
            let end = Some(rest).filter(|rest| rest.starts_with('<'));
            let Some(end) = end.and_then(|rest| end_of_declaration(rest.as_bytes())) else { break };
            let (declaration, behind) = rest.split_at(end);
            if let Some(entity) = declaration.strip_prefix("<!ENTITY") {
                self.entity(entity);
            }
            rest = behind.trim_start();
        }
        Ok(())
    }

    fn entity(&mut self, declaration: &str) {
        let declaration = declaration.trim_start();
        let parameter = declaration.strip_prefix('%').map(str::trim_start);
        let all = if parameter.is_some() { &mut self.parameters } else { &mut self.general };
        let named = parameter.unwrap_or(declaration).split_once(char::is_whitespace);
        let Some((name, value)) = named else { return };
        let value = value.trim_start();
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''));
        let text = quote.and_then(|quote| value.get(1..)?.split(quote).next());
        all.entry(name.to_owned()).or_insert_with(|| text.map(with_characters));
    }

    /// What a reference in so many others stands for; `None` where nothing in the page says it.
    pub(crate) fn text(&mut self, name: &str, depth: usize) -> Result<Option<String>, Flaw> {
        let text = self.general.get(name).cloned().flatten();
        text.iter().try_for_each(|text| self.spend(text, depth))?;
        Ok(text)
    }

    fn spend(&mut self, text: &str, depth: usize) -> Result<(), Flaw> {
        self.spent += text.len() + EACH;
        let most = ALLOWED.max(AMPLIFIED.saturating_mul(self.page));
        if depth >= DEEPEST || self.spent > most { Err(Flaw::Endless) } else { Ok(()) }
    }

    /// Attributes of a tag, with what the references in their values stand for.
    pub(crate) fn attributes<'a>(
        &mut self,
        raw: &'a str,
        depth: usize,
    ) -> Result<Cow<'a, str>, Flaw> {
        if self.general.is_empty() || !raw.contains('&') {
            return Ok(Cow::Borrowed(raw));
        }
        let mut pieces = raw.split('&');
        let mut told = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (name, behind) = piece.split_once(';').unwrap_or((piece, ""));
            match self.text(name, depth)? {
                Some(text) if text.contains('<') => return Err(Flaw::NotWellFormed),
                Some(text) => {
                    let text = self.attributes(&text, depth + 1)?;
                    told += &text.replace('"', "&quot;").replace('\'', "&#39;");
                    told += behind;
                }
                None => told.extend(["&", piece]),
            }
        }
        Ok(Cow::Owned(told))
    }
}

/// Where the bracket of a document type opens, outside of quotes.
fn opening(doctype: &[u8]) -> Option<usize> {
    let mut quote = None;
    doctype.iter().position(|byte| {
        match quote {
            Some(open) if open == *byte => quote = None,
            Some(_) => {}
            None if matches!(byte, b'"' | b'\'') => quote = Some(*byte),
            None => return *byte == b'[',
        }
        false
    })
}

/// Where a declaration ends that these bytes begin with, be it a document type, an instruction or a comment: a `>` in
/// quotes, or in a declaration inside, is not its own.
pub(crate) fn end_of_declaration(markup: &[u8]) -> Option<usize> {
    end_within(markup, 0)
}

fn end_within(markup: &[u8], depth: usize) -> Option<usize> {
    let behind =
        |from: usize, end: &[u8]| Some(from + memmem::find(markup.get(from..)?, end)? + end.len());
    match markup {
        [b'<', b'?', ..] => return behind(2, b"?>"),
        [b'<', b'!', b'-', b'-', ..] => return behind(4, b"-->"),
        // A document type has declarations, and these have none.
        _ if depth > 1 => return None,
        _ => {}
    }
    let mut at = 2;
    loop {
        at = match markup.get(at)? {
            b'>' => return Some(at + 1),
            quote @ (b'"' | b'\'') => behind(at + 1, &[*quote])?,
            b'<' => at + end_within(within(markup, at..), depth + 1)?,
            _ => at + 1,
        };
    }
}

/// A value with the characters that it gives by their numbers.
fn with_characters(value: &str) -> String {
    let mut pieces = value.split("&#");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let numbered = piece.split_once(';').and_then(|(number, behind)| {
            let number = match number.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            Some((char::from_u32(number.ok()?)?, behind))
        });
        match numbered {
            Some((character, behind)) => {
                text.push(character);
                text.push_str(behind);
            }
            None => text.extend(["&#", piece]),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_end_where_xml_ends_them() {
        for whole in [
            "<!DOCTYPE html>",
            "<?xml version='>'?>",
            "<!-- > -- > -->",
            "<!DOCTYPE a PUBLIC \"[>\" '>'[<!ENTITY b \"]>\"><!-- ]> ' --><?p ]> \"?>%c;]>",
        ] {
            let markup = format!("{whole}<a>]>");
            assert_eq!(end_of_declaration(markup.as_bytes()), Some(whole.len()), "{whole}");
        }
        for cut in ["<!DOCTYPE html", "<!-- >", "<!DOCTYPE a [<!ENTITY b \">", &"<!".repeat(9999)] {
            assert_eq!(end_of_declaration(cut.as_bytes()), None);
        }
    }

    #[test]
    fn what_is_declared_is_told() {
        let doctype = "a SYSTEM '[' [<!ENTITY a 'one'><!ENTITY a 'two'> <!ENTITY % p \"<!ENTITY c '&#38;#38;#60;'>\">\n\
                       %p;%unknown;<!-- <!ENTITY d 'x'> --><!ENTITY b SYSTEM 'x'><!ENTITY b 'y'><!ENTITY e '&a;&#x26;'>]";
        let mut entities = Entities::of_page(0);
        entities.declare(doctype).unwrap();
        let mut text = |name| entities.text(name, 0).unwrap();
        let told = ["a", "b", "c", "d", "e"].map(&mut text);
        assert_eq!(
            told.each_ref().map(Option::as_deref),
            [Some("one"), None, Some("&#60;"), None, Some("&a;&")]
        );
        let of = entities.attributes("x='&a;\"&amp;&c;' y=\"&b;", 0).unwrap();
        assert_eq!(of, "x='one\"&amp;&#60;' y=\"&b;");
    }

    #[test]
    fn what_has_no_end_is_refused() {
        for doctype in [
            "a [<!ENTITY a '&b;'><!ENTITY b '&a;'>]".to_owned(),
            format!("a [<!ENTITY a '{}'><!ENTITY b ''>]", "&b;".repeat(60_000)),
        ] {
            let mut entities = Entities::of_page(doctype.len());
            entities.declare(&doctype).unwrap();
            assert_eq!(entities.attributes("x='&a;'", 0), Err(Flaw::Endless));
        }
        let mut entities = Entities::of_page(0);
        assert_eq!(entities.declare("a [<!ENTITY % a '%a;'>%a;]"), Err(Flaw::Endless));
    }
}
