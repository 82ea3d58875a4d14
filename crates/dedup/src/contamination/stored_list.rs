//! The lists of a file with an index of items, in their order.

use crate::memory::sealed::Seal;

/// A list of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoredList {
    /// What the items are of, as JSON.
    Head,
    /// The hash of each token, and whether it is a weak one.
    TokenHashes,
    WeakTokens,
    Items,
    Soughts,
    Names,
    FirstNames,
    Words,
    /// How many owners the rarest run of each word has: 0 where it is in none.
    Owners,
    /// Words of more owners than a byte counts, with their number.
    ManyOwners,
    Answers,
    OfAnswers,
    Texts,
    /// A bit for each word: whether a run that begins a search has it.
    Seeded,
    /// Ids and texts.
    Strings,
    /// The index of runs of four tokens.
    Bitmap,
    Buckets,
    Keys,
    Places,
    /// The runs of three that a corpus chooses from.
    FewBuckets,
    FewKeys,
    FewPlaces,
}

impl StoredList {
    /// What files with these lists begin with. A new version where a list, or what makes one, is another.
    pub(crate) const SEAL: Seal =
        Seal { magic: *b"NPITEMS\n", version: 3, lists: Self::FewPlaces as usize + 1 };

    /// All that lie in memory.
    pub(crate) fn held() -> impl Iterator<Item = usize> {
        (0..Self::SEAL.lists).filter(|list| *list != Self::Strings as usize)
    }
}
