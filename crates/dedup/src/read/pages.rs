//! How many HTML pages had no main text, or were not whole. `nearprint_corpus` looks for it.

use nearprint_corpus::{Document, Fallback};
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Pages that were taken with all their text in place of the main text, and documents that may be other than they should.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pages {
    /// They are too large, too deeply nested or too crowded to be analysed.
    pub too_costly: u64,
    /// They have no main text, or little of it.
    pub without_main_text: u64,
    /// What looks like their main text is a small part of all.
    #[serde(default)]
    pub little_main_text: u64,
    /// What looks like their main text cannot be trusted.
    #[serde(default)]
    pub doubtful_main_text: u64,
    /// Their bodies are cut off or damaged in an archive: they are read as far as they go.
    #[serde(default, skip_serializing_if = "is_none")]
    pub cut: u64,
    /// Texts by the names of their files that begin as rows or archives do.
    #[serde(default, skip_serializing_if = "is_none")]
    pub seem_rows: u64,
}

/// Whether none is counted: few corpora have such pages.
fn is_none<T: Default + PartialEq>(count: &T) -> bool {
    *count == T::default()
}

impl Pages {
    /// Counts a document, which may be a page.
    pub fn add_document(&mut self, document: &Document<'_>) {
        self.add(document.fallback);
        self.cut += u64::from(document.cut);
        self.seem_rows += u64::from(document.seems_rows);
    }

    /// Counts a page.
    pub fn add(&mut self, fallback: Option<Fallback>) {
        self.too_costly += u64::from(fallback == Some(Fallback::Costly));
        self.without_main_text += u64::from(fallback == Some(Fallback::Short));
        self.little_main_text += u64::from(fallback == Some(Fallback::Small));
        self.doubtful_main_text += u64::from(fallback == Some(Fallback::Doubtful));
    }
}

impl AddAssign for Pages {
    fn add_assign(&mut self, other: Self) {
        self.too_costly += other.too_costly;
        self.without_main_text += other.without_main_text;
        self.little_main_text += other.little_main_text;
        self.doubtful_main_text += other.doubtful_main_text;
        self.cut += other.cut;
        self.seem_rows += other.seem_rows;
    }
}
