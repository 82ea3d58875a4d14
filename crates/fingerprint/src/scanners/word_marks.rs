//! What is known of the bytes of a piece of text, and the words read off it. Who marks them is
//! [`crate::scanners::word_scanner`]; who takes the words is a [`WordSink`].

use crate::hashing::hash::TokenHash;
use crate::hashing::xxh3_short::MARGIN;
use crate::hashing::xxh3_words;
use crate::kernel::{Compiled, Kernel};
use crate::scanners::mask_positions::{SLACK, positions};
use crate::scanners::word_masks::BLOCK;

/// Blocks of which words are read off at a time: their positions stay in the first cache.
const READ: usize = 64;

/// What is known of each byte of a block; bit `i` is byte `i`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WordMarks {
    pub(crate) letters: u64,
    pub(crate) digits: u64,
    /// In a word, but neither letter nor digit.
    pub(crate) joiners: u64,
    /// Part of a word if it stands between letters.
    pub(crate) mid_letters: u64,
    /// Part of a word if it stands between digits.
    pub(crate) mid_numbers: u64,
    /// Characters that are tokens by themselves, with their marks.
    pub(crate) solo: u64,
    /// First bytes of those.
    pub(crate) solo_starts: u64,
    /// First bytes of characters to be looked up.
    pub(crate) leads: u64,
}

impl WordMarks {
    /// The bytes that are, or may be, in a word of several characters.
    pub(crate) fn joined(&self) -> u64 {
        self.letters | self.digits | self.joiners | self.mid_letters | self.mid_numbers
    }
}

/// The marks of one kind of the 64 bytes before `at`, in marks that begin with an empty block.
#[inline(always)]
fn window(marks: &[WordMarks], at: usize, mark: impl Fn(&WordMarks) -> u64) -> u64 {
    let (block, bit) = (at / BLOCK, at % BLOCK);
    let (before, own) = (mark(&marks[block]), mark(&marks[block + 1]));
    if bit == 0 { before } else { before >> bit | own << (BLOCK - bit) }
}

/// Moves the marks of all that may be in a word and ends at byte `at` by so many bytes to the right, over unmarked ones.
/// Returns how many bytes that are; `None` where they are too many, and nothing is moved.
pub(crate) fn move_run(marks: &mut [WordMarks], at: usize, by: usize) -> Option<usize> {
    let joined = window(marks, at, WordMarks::joined);
    let run = joined.leading_ones() as usize;
    if run == 0 || run == BLOCK {
        return (run == 0).then_some(0);
    }
    macro_rules! move_kind {
        ($kind:ident, $window:expr) => {
            let bits = $window >> (BLOCK - run);
            // From where they are, and to where they go.
            for at in [at - run, at - run + by] {
                let (block, bit) = (at / BLOCK + 1, at % BLOCK);
                marks[block].$kind ^= bits << bit;
                marks[block + 1].$kind ^= bits >> 1 >> (BLOCK - 1 - bit);
            }
        };
    }
    let letters = window(marks, at, |marks| marks.letters);
    move_kind!(letters, letters);
    // Words of letters alone are most.
    if letters.leading_ones() as usize != run {
        move_kind!(digits, window(marks, at, |marks| marks.digits));
        move_kind!(joiners, window(marks, at, |marks| marks.joiners));
        move_kind!(mid_letters, window(marks, at, |marks| marks.mid_letters));
        move_kind!(mid_numbers, window(marks, at, |marks| marks.mid_numbers));
    }
    Some(run)
}

/// Reads words off marks. Holds working memory: keep one and reuse it.
#[derive(Clone, Debug)]
pub(crate) struct WordReader {
    kernel: Kernel,
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl WordReader {
    pub(crate) fn new(kernel: Kernel) -> Self {
        // A word a byte, and one begun before.
        let most = READ * BLOCK + 1 + SLACK;
        Self { kernel, starts: vec![0; most], ends: vec![0; most] }
    }

    /// Gives the words of a piece of less than 4 GiB to `sink`.
    ///
    /// `text` is the piece between two margins and `marks` what is known of its blocks, between two
    /// that are empty.
    pub(crate) fn read(&mut self, text: &[u8], marks: &[WordMarks], sink: impl WordSink) {
        self.kernel.run(Reading { reader: self, text, marks, sink });
    }
}

/// What takes words.
pub(crate) trait WordSink {
    /// Takes the words `text[starts[i]..ends[i]]`, in order. To be marked `#[inline(always)]`, as a job is.
    fn take(&mut self, kernel: Kernel, text: &[u8], starts: &[u32], ends: &[u32]);
}

/// Appends the hash of every word.
pub(crate) struct WordHashes<'a> {
    pub(crate) hash: TokenHash,
    pub(crate) hashes: &'a mut Vec<u64>,
}

impl WordSink for WordHashes<'_> {
    #[inline(always)]
    fn take(&mut self, kernel: Kernel, text: &[u8], starts: &[u32], ends: &[u32]) {
        let Self { hash, hashes } = self;
        if *hash != TokenHash::Xxh3 {
            let word = |(&start, &end): (&u32, &u32)| text.get(start as usize..end as usize);
            let words = starts.iter().zip(ends).filter_map(word);
            let hash = |word| hash.hash(std::str::from_utf8(word).unwrap_or_default());
            hashes.extend(words.map(hash));
            return;
        }
        let first = hashes.len();
        hashes.resize(first + starts.len(), 0);
        xxh3_words::hash_words(kernel, text, starts, ends, &mut hashes[first..]);
    }
}

struct Reading<'a, S> {
    reader: &'a mut WordReader,
    text: &'a [u8],
    marks: &'a [WordMarks],
    sink: S,
}

impl<S: WordSink> Compiled for Reading<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { reader: WordReader { kernel, starts, ends }, text, marks, mut sink } = self;
        // Whether the byte before the block is in a word; of a solo character.
        let (mut in_word, mut in_solo) = (0, 0);
        let mut begun = None;
        // Where words begin with a joiner, one that the last block has begun included.
        let mut joiner_first = 0;
        let mut base = u32::try_from(MARGIN).unwrap_or_default();
        let mut windows = marks.windows(3);
        loop {
            let (mut first, mut last) = (0, 0);
            if let Some(start) = begun {
                starts[0] = start;
                first = 1;
            }
            let mut more = false;
            for window in windows.by_ref().take(READ) {
                let [before, own, after] = window else { continue };
                let joined = own.mid_letters & beside(before.letters, own.letters, after.letters)
                    | own.mid_numbers & beside(before.digits, own.digits, after.digits);
                let words = own.letters | own.digits | own.joiners | own.solo | joined;
                let (was_word, was_solo) = (words << 1 | in_word, own.solo << 1 | in_solo);
                let cuts = own.solo_starts | was_solo & !own.solo;
                (in_word, in_solo) = (words >> 63, own.solo >> 63);
                let begins = words & (!was_word | cuts);
                joiner_first |= begins & own.joiners;
                first = positions(*kernel, begins, base, starts, first);
                last = positions(*kernel, was_word & (!words | cuts), base, ends, last);
                base += u64::BITS;
                more = true;
            }
            begun = (first > last).then(|| starts[first - 1]);
            if joiner_first != 0 {
                last = drop_joiners(text, marks, &mut starts[..last], &mut ends[..last]);
            }
            sink.take(*kernel, text, &starts[..last], &ends[..last]);
            joiner_first = u64::from(begun.is_some_and(|start| text[start as usize] == b'_'));
            if !more {
                return;
            }
        }
    }
}

/// The bytes of a block that have a mark on both sides.
#[inline(always)]
fn beside(before: u64, own: u64, after: u64) -> u64 {
    (own << 1 | before >> 63) & (own >> 1 | after << 63)
}

/// Moves the words that do not consist of joiners only to the front, and returns how many there are.
#[cold]
fn drop_joiners(text: &[u8], marks: &[WordMarks], starts: &mut [u32], ends: &mut [u32]) -> usize {
    let mut kept = 0;
    for i in 0..starts.len() {
        let (from, to) = (starts[i] as usize, ends[i] as usize);
        (starts[kept], ends[kept]) = (starts[i], ends[i]);
        let word = text[from] != b'_' || counts(marks, from - MARGIN, to - MARGIN);
        kept += usize::from(word);
    }
    kept
}

/// Whether there is a letter or a digit among the bytes.
fn counts(marks: &[WordMarks], start: usize, end: usize) -> bool {
    (start..end).any(|at| {
        let own = &marks[at / BLOCK + 1];
        (own.letters | own.digits) >> (at % BLOCK) & 1 == 1
    })
}
