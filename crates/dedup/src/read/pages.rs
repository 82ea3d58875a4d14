//! How many HTML pages had no main text. `nearprint_corpus` looks for it.

use nearprint_corpus::Fallback;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Pages that were taken with all their text in place of the main text.
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
}

impl Pages {
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
    }
}
