//! Fixed memory of a job: what threads, inputs and outputs need regardless of the documents. What
//! documents take is in `limits` and `forecast`.

use crate::error::Error;
use crate::job::form::Form;
use crate::job::spec::OutputSpec;
use crate::memory::limits::Memory;
use crate::read::reading::Reading;
use crate::read::sketch::Origin;
use nearprint_corpus::{
    ByteSize, Compression, Error as Corpus, InputFormat, Source, listing_bytes, reading_bytes,
};
use nearprint_fingerprint::DocumentPart;
use std::fmt;
use std::path::PathBuf;

/// Bytes of a file of a folder that mirrors the input. Measured.
const OF_MIRRORED: u64 = 1900;
/// Seconds to make and name such a file. Measured on one disk.
const MAKING: f64 = 180e-6;
/// Bytes of memory to a byte of a page while its tree is walked, and to a page of the size at which trees end:
/// on each thread. Measured.
const OF_PAGE: u64 = 13;
const OF_PAGES: u64 = 40_000_000;
/// Bytes of an encoder: those of `xz -6`, `bzip2 -9`, brotli of quality 5 and `zstd -3`.
const XZ: u64 = 99_000_000;
const BZIP2: u64 = 8_000_000;
const BROTLI: u64 = 16_000_000;
const ZSTD: u64 = 4_000_000;
/// What a Parquet file takes whose rows get columns: the cells of three row groups, in lists that may have
/// grown to twice their size.
const NOTES: u64 = 24_000_000;
/// What is worth a word.
const SMALL: u64 = 2_000_000;
/// Bytes of memory to a byte of a record that is longer than others: it waits, is parsed and cut into features
/// while the next one is read. Measured.
pub(crate) const OF_RECORD: u64 = 6;

/// Bytes of a record for which every thread has room.
const USUAL_RECORD: u64 = 1_000_000;

/// Bytes of memory that a job takes before it holds a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    threads: usize,
    files: u64,
    /// The lists of these.
    lists: u64,
    /// Files that are written to a folder.
    mirrored: u32,
    /// Windows, dictionaries and pages of the input.
    reading: u64,
    /// Encoders of the outputs.
    writing: u64,
    pages: u64,
}

/// The bytes of the longest record that there is room for, within so many of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordRoom {
    pub(crate) longest: usize,
    given: usize,
    /// Bytes that are taken beside records, and to a byte of one.
    beside: u64,
    of_byte: u64,
}

impl Needs {
    /// What a job takes within `memory` that reads these sources, of which the first `reference` are only compared with.
    pub(crate) fn of(
        reading: &Reading,
        sources: &[Source],
        reference: usize,
        outputs: &OutputSpec,
        form: Form,
        memory: Memory,
    ) -> Self {
        let written = sources.get(reference..).unwrap_or_default();
        let OutputSpec { survivors, removed, pairs, clusters, summary, annotate, .. } = outputs;
        let has_notes = *annotate || outputs.notes_copies();
        let folder = form == Form::Folder;
        // Of a folder one file is written at a time, packed as its source is.
        let packed = written
            .iter()
            .find(|source| Compression::of_name(source.relative()) == Compression::Xz);
        let survivors = match folder {
            true => packed.or(written.first()).map(Source::relative),
            false => survivors.as_deref(),
        };
        let reports = [removed, pairs, clusters, summary].into_iter().flatten();
        let outputs = survivors.into_iter().chain(reports.map(PathBuf::as_path));
        let noted = has_notes
            && match folder {
                true => written.iter().any(|it| it.format().is_some_and(InputFormat::is_columns)),
                false => form == Form::Rows,
            };
        let mirrored = if folder { written.len() } else { 0 };
        let threads = reading.threads;
        let is_main =
            |recipe: &nearprint_fingerprint::Recipe| recipe.content == DocumentPart::HtmlMain;
        let has_pages = matches!(&reading.content, Origin::Text { recipe, .. } if is_main(recipe));
        let encoder = |path| match Compression::of_name(path) {
            Compression::Xz => XZ,
            Compression::Bzip2 => BZIP2,
            Compression::Zstd => ZSTD,
            Compression::Brotli => BROTLI,
            Compression::None | Compression::Gzip => 0,
        };
        Self {
            threads,
            files: sources.len() as u64,
            lists: listing_bytes(sources) + OF_MIRRORED * mirrored as u64,
            mirrored: u32::try_from(mirrored).unwrap_or(u32::MAX),
            reading: reading_bytes(sources, matches!(memory, Memory::Process(_))),
            writing: outputs.map(encoder).sum::<u64>() + if noted { NOTES } else { 0 },
            pages: if has_pages { OF_PAGES * threads as u64 } else { 0 },
        }
    }

    /// Bytes beside those of the program and its threads, where the longest page is so long.
    pub(crate) fn with_pages_of(&self, longest: u64) -> u64 {
        let pages = self.pages.min(OF_PAGE * longest * self.threads as u64);
        self.lists() + self.reading + self.writing + pages
    }

    /// Seconds to make the files that are written.
    pub(crate) fn making_seconds(&self) -> f64 {
        f64::from(self.mirrored) * MAKING
    }

    /// Bytes of lists that are worth a word.
    pub(crate) fn lists(&self) -> u64 {
        if self.lists > SMALL { self.lists } else { 0 }
    }

    /// All bytes.
    fn bytes(&self) -> u64 {
        Memory::least(self.threads) as u64 + self.with_pages_of(u64::MAX >> 16)
    }

    /// Refuses a job that cannot keep to `memory`.
    ///
    /// # Errors
    /// [`Error::Memory`], which says what takes so much.
    pub(crate) fn check(&self, memory: Memory) -> Result<(), Error> {
        match memory {
            Memory::Process(given) if (given as u64) < self.bytes() => {
                let (given, needed) = (given as u64, self.bytes());
                Err(Error::Memory { what: self.to_string(), given, needed })
            }
            _ => Ok(()),
        }
    }

    /// The same of a search within texts, for `what`, which takes memory of its own on each thread.
    ///
    /// # Errors
    /// [`Error::Memory`], which says how much is enough for both.
    pub(crate) fn check_search(&self, memory: Memory, what: &str) -> Result<(), Error> {
        match memory.check_search(what, self.threads) {
            Err(Error::Memory { what, given, needed }) => {
                Err(Error::Memory { what, given, needed: needed.max(self.bytes()) })
            }
            _ => self.check(memory),
        }
    }

    /// The room for records where so many bytes of memory are taken to a byte of one; none where nobody says how much room
    /// there is.
    pub(crate) fn record_room(&self, memory: Memory, of_byte: u64) -> Option<RecordRoom> {
        let Memory::Process(given) = memory else { return None };
        let longest = self.longest_record_of(memory, of_byte)?;
        Some(RecordRoom { longest, given, beside: self.bytes(), of_byte })
    }

    /// Bytes of the longest record that there is room for; none where nobody says how much room there is.
    pub(crate) fn longest_record(&self, memory: Memory) -> Option<usize> {
        self.longest_record_of(memory, OF_RECORD)
    }

    /// The same where so many bytes of memory are taken to a byte of it.
    fn longest_record_of(&self, memory: Memory, of_byte: u64) -> Option<usize> {
        let Memory::Process(given) = memory else { return None };
        let room = (given as u64).saturating_sub(self.bytes());
        usize::try_from((room / of_byte).max(USUAL_RECORD)).ok()
    }
}

/// An error of a run in which there is so much room for records, of which each might have `asked` bytes: it says so where a
/// longer one than there is room for ended it. That was not read to its end, but is no longer than its file.
pub(crate) fn named(room: Option<RecordRoom>, error: Error, asked: usize) -> Error {
    let Some(RecordRoom { given, beside, of_byte, .. }) = room else { return error };
    match error {
        Error::Corpus(Corpus::TooLong { place, limit }) if limit < asked => {
            let error = Corpus::TooLong { place, limit };
            let file = error.file().map(|file| Source::named(file, None));
            let file = file.and_then(|file| file.plain_bytes()).unwrap_or(u64::MAX);
            let needed = of_byte.saturating_mul(file.min(asked as u64)).saturating_add(beside);
            let Corpus::TooLong { place, limit } = error else { return error.into() };
            let (limit, given) = (limit as u64, given as u64);
            Error::LongRecord { place, needed, limit, given }
        }
        error => error,
    }
}

/// What takes memory.
impl fmt::Display for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a run on {} threads", self.threads)?;
        if self.lists() > 0 {
            write!(f, " over {} files", self.files)?;
        }
        for (bytes, what) in [
            (self.pages, "pages of HTML"),
            (self.reading, "input that takes it to unpack"),
            (self.writing, "outputs that take it to pack"),
        ] {
            if bytes > SMALL {
                write!(f, ", with {what} ({})", ByteSize(bytes))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_much_is_told_and_refused() {
        let needs = Needs { threads: 2, files: 3, lists: 3000, ..Needs::default() };
        assert_eq!(needs.to_string(), "a run on 2 threads");
        assert!(needs.check(Memory::Process(32_000_000)).is_ok());
        let many = Needs {
            files: 100_000,
            lists: 250_000_000,
            reading: 134_000_000,
            writing: XZ,
            ..needs
        };
        assert!(many.check(Memory::Frugal).is_ok());
        let Err(Error::Memory { what, given, needed }) = many.check(Memory::Process(64_000_000))
        else {
            panic!("a job that takes more is refused")
        };
        let said = "a run on 2 threads over 100000 files, with input that takes it to unpack (134 MB), with \
                    outputs that take it to pack (99 MB)";
        assert_eq!((what.as_str(), given), (said, 64_000_000));
        assert_eq!(needed, 32_000_000 + 250_000_000 + 134_000_000 + 99_000_000);
        let enough = usize::try_from(needed).unwrap();
        assert!(many.check(Memory::Process(enough)).is_ok());
        let noted = Needs { writing: many.writing + NOTES, ..many };
        assert!(noted.check(Memory::Process(enough)).is_err());
        assert!(many.check(Memory::Process(enough - 1)).is_err());
    }

    #[test]
    fn what_is_advised_is_enough_for_a_search() {
        let needs = Needs { threads: 2, ..Needs::default() };
        let advised = |needs: &Needs| match needs.check_search(Memory::Process(30_000_000), "it") {
            Err(Error::Memory { needed, .. }) => needed,
            _ => 0,
        };
        assert_eq!(advised(&needs), 64_000_000);
        assert!(needs.check_search(Memory::Process(64_000_000), "it").is_ok());
        assert_eq!(advised(&Needs { writing: XZ, ..needs }), 131_000_000);
    }

    #[test]
    fn a_record_may_be_as_long_as_there_is_room() {
        let needs = Needs { threads: 2, ..Needs::default() };
        let longest = |bytes| needs.longest_record(Memory::Process(bytes));
        assert_eq!(longest(92_000_000), Some(10_000_000));
        assert_eq!(longest(1), Some(1_000_000));
        let pages = Needs { pages: 2 * OF_PAGES, ..needs };
        assert_eq!(pages.longest_record(Memory::Process(172_000_000)), Some(10_000_000));
        let of_pages = [10_000, 4_000_000].map(|longest| pages.with_pages_of(longest));
        assert_eq!(of_pages, [260_000, 80_000_000]);
        assert_eq!(needs.longest_record(Memory::Frugal), None);
    }
}
