//! The tokens of the items, each with a number, and how much it tells where it stands in a document.

use crate::contamination::rule::{WEAK, single};
use crate::contamination::stored_list::StoredList;
use crate::memory::sealed::{Flaw, Sealed, SealedWriter};
use foldhash::{HashMap, HashMapExt};
use std::io;

/// Stands for every token that no item has.
pub(crate) const OTHER: u32 = u32::MAX;
/// Documents that a sample counts as, at least: where few are there, none of them proves that a word is usual.
const LEAST_SAMPLE: u32 = 1000;
/// The least that a token weighs, in bits: one in every document tells nothing, and still has to stand in order.
const LEAST_WEIGHT: f64 = 0.05;

/// The tokens of the items.
///
/// Memory: some 40 bytes a distinct token.
#[derive(Default)]
pub(crate) struct Vocabulary {
    numbers: HashMap<u64, u32>,
    hashes: Vec<u64>,
    /// Whether a token is a number or a single letter.
    weak: Vec<bool>,
    weights: Vec<f32>,
}

impl Vocabulary {
    /// Puts the tokens into a file.
    pub(crate) fn store(&self, file: &mut SealedWriter<'_>) -> io::Result<()> {
        file.list(StoredList::TokenHashes as usize, self.hashes.iter().copied())?;
        file.list(StoredList::WeakTokens as usize, self.weak.iter().map(|weak| u8::from(*weak)))
    }

    /// The tokens of a file.
    pub(crate) fn restore(file: &Sealed) -> Result<Self, Flaw> {
        let hashes: Vec<u64> = file.list(StoredList::TokenHashes as usize)?;
        let weak: Vec<u8> = file.list(StoredList::WeakTokens as usize)?;
        let mut numbers = HashMap::with_capacity(hashes.len());
        numbers.extend(hashes.iter().copied().zip(0..));
        if weak.len() != hashes.len() || numbers.len() != hashes.len() {
            return Err(Flaw::Damaged("its tokens contradict each other".to_owned()));
        }
        let weak = weak.into_iter().map(|weak| weak == 1).collect();
        Ok(Self { numbers, hashes, weak, weights: Vec::new() })
    }

    /// Gives back what lists have more than they need.
    pub(crate) fn shrink(&mut self) {
        self.hashes.shrink_to_fit();
        self.weak.shrink_to_fit();
    }

    /// The number of a token with this hash, which is a new one where it was not there yet.
    pub(crate) fn add(&mut self, hash: u64, token: &str) -> u32 {
        let next = crate::numbers::narrow(self.hashes.len() as u64);
        let number = *self.numbers.entry(hash).or_insert(next);
        if number == next {
            self.hashes.push(hash);
            let letters = token.chars().filter(|c| c.is_alphabetic()).count();
            self.weak.push(token.is_ascii() && letters < 2);
        }
        number
    }

    /// The number of the token with this hash, [`OTHER`] where no item has it.
    pub(crate) fn number(&self, hash: u64) -> u32 {
        self.numbers.get(&hash).copied().unwrap_or(OTHER)
    }

    /// The hash of a token.
    pub(crate) fn hash(&self, number: u32) -> u64 {
        self.hashes[number as usize]
    }

    /// How many tokens there are.
    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Bytes in memory, at most.
    pub(crate) fn held_bytes(&self) -> usize {
        self.hashes.capacity() * 17 + self.numbers.capacity() * 18
    }

    /// Takes the weights from a sample of so many documents: how many of these have each token.
    pub(crate) fn weigh(&mut self, sampled: u32, documents: &[u32]) {
        let all = f64::from(sampled.max(LEAST_SAMPLE)) + 1.0;
        let weight = |documents: &u32| {
            single((all / (f64::from(*documents) + 1.0)).log2().max(LEAST_WEIGHT))
        };
        self.weights = documents.iter().map(weight).collect();
    }

    /// What a token tells, in bits.
    pub(crate) fn weight(&self, number: u32) -> f32 {
        self.weights[number as usize]
    }

    /// The part of its weight that a token counts as evidence.
    pub(crate) fn proof(&self, number: u32) -> f32 {
        if self.weak[number as usize] { WEAK } else { 1.0 }
    }

    /// How many tokens these are, of which numbers and single letters count as they prove.
    pub(crate) fn count(&self, numbers: &[u32]) -> f32 {
        numbers.iter().map(|number| self.proof(*number)).sum()
    }
}
