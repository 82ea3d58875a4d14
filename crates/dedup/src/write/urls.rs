//! Whether removed captures were of the URL of the one that stays, or of another.

use crate::decide::fates::{Fate, Fates};
use crate::read::documents::Documents;
use crate::read::ids::Ids;
use crate::read::names::{Name, Names};
use nearprint_corpus::{InputFormat, Source};
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Removed captures by their URLs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Urls {
    /// Of the URL of the document that stays in their place: other captures of one page.
    pub same_url: u64,
    /// Of another: one text under two addresses.
    pub other_url: u64,
}

impl Urls {
    /// Whether no capture is counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Counts removed documents, each with the one because of which it is.
    pub(crate) fn of<'n, 'a: 'n>(
        removed: impl Iterator<Item = (&'n Name<'a>, &'n Name<'a>)>,
    ) -> Self {
        let mut urls = Self::default();
        for (name, near) in removed {
            match name.is_of_url(near) {
                Some(true) => urls.same_url += 1,
                Some(false) => urls.other_url += 1,
                None => {}
            }
        }
        urls
    }

    /// Counts those of a job whose ids are kept, where it reads archives.
    pub(crate) fn of_fates(sources: &[Source], documents: &Documents, fates: &Fates) -> Self {
        let is_archive = |source: &Source| source.format().is_some_and(InputFormat::is_archive);
        if !matches!(documents.ids, Ids::Listed { .. }) || !sources.iter().any(is_archive) {
            return Self::default();
        }
        let names = Names::from(&documents.ids);
        let mut urls = Self::default();
        for (document, fate) in fates.each() {
            if let Fate::Goes { near, .. } = fate {
                urls += Self::of(std::iter::once((&names.of(document), &names.of(near))));
            }
        }
        urls
    }
}

impl AddAssign for Urls {
    fn add_assign(&mut self, other: Self) {
        self.same_url += other.same_url;
        self.other_url += other.other_url;
    }
}
