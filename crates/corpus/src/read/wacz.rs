//! WACZ: a ZIP file of web archives, as crawlers in browsers write it, and any other one with such. Each archive in it
//! is a source of its own, in whatever folder it is: in a WACZ that is `archive/`.

use crate::format::InputFormat;
use crate::records::source::{Origin, Part, Source};
use memchr::memmem;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

/// Bytes that the end of a ZIP file has at most, with its comment and what ZIP64 adds before.
const TAIL: u64 = (1 << 16) + 22 + 20 + 56;

/// What is said of a list of WACZ files.
pub(crate) const LIST: &str =
    "it lists WACZ files, as a multi-WACZ package does: give these themselves";

/// Bytes of a directory, at most.
const DIRECTORY: u64 = 1 << 28;

/// How an entry of a directory begins.
const ENTRY: &[u8] = b"PK\x01\x02";

/// A file inside, and where its bytes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) part: Part,
}

/// Whether a file is called WACZ.
pub(crate) fn is_wacz(source: &Source) -> bool {
    has_ending(source, "wacz")
}

/// Whether a file is called ZIP, which its first bytes need not show.
pub(crate) fn is_zip(source: &Source) -> bool {
    has_ending(source, "zip")
}

fn has_ending(source: &Source, ending: &str) -> bool {
    let own = Path::new(source.name()).extension();
    own.is_some_and(|own| own.eq_ignore_ascii_case(ending))
}

/// Whether a file of JSON lists WACZ files, which are in other places.
///
/// # References
///
/// WACZ 1.2, "Multi-WACZ": the profile `multi-wacz-package`.
pub(crate) fn is_list(source: &Source) -> bool {
    let head = if has_ending(source, "json") {
        source.decoded_head().unwrap_or_default()
    } else {
        Vec::new()
    };
    memmem::find(&head, b"\"multi-wacz-package\"").is_some()
}

/// The archives in a file.
///
/// # Errors
///
/// What is no ZIP file, or one of a damaged directory; [`ErrorKind::Unsupported`] where there is no archive to be
/// read.
///
/// # References
///
/// PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", sections 4.3 and 4.5.3.
pub(crate) fn archives(source: &Source) -> io::Result<Vec<Member>> {
    let Origin::File(path) = &source.origin else {
        return Err(unsupported("WACZ is read from its end: give it as a file"));
    };
    let mut file = File::open(path)?;
    let length = file.seek(SeekFrom::End(0))?;
    let directory = directory(&mut file, length)?;
    let is_damaged = || damaged("its directory is damaged");
    let (mut members, mut packages, mut entries) = (Vec::new(), Vec::new(), 0);
    let mut rest = directory.bytes.as_slice();
    while rest.starts_with(ENTRY) {
        let entry = Fields(rest);
        let (named, extra, comment) = (entry.length(28), entry.length(30), entry.length(32));
        let name = rest.get(46..46 + named).unwrap_or_default();
        let extra_bytes = rest.get(46 + named..46 + named + extra).unwrap_or_default();
        let header = directory.before.saturating_add(wide(entry, extra_bytes)[2]);
        let start = content_of(header, name, &mut file)?;
        let name = String::from_utf8_lossy(name).into_owned();
        // As in folders, hidden files are left out: some programs add such beside each file.
        let is_hidden =
            name.split('/').any(|part| part.starts_with('.') && !matches!(part, "." | ".."));
        let is_archive =
            InputFormat::of_name(Path::new(&name)).is_some_and(InputFormat::is_archive);
        if name.ends_with(".wacz") {
            packages.push(name);
        } else if is_archive && !is_hidden {
            let part = part(entry, &name, extra_bytes, start)?;
            members.push(Member { name, part });
        }
        rest = rest.get(46 + named + extra + comment..).ok_or_else(is_damaged)?;
        entries += 1;
    }
    // A signature may follow.
    let is_whole = rest.is_empty() || rest.starts_with(b"PK\x05\x05");
    if !is_whole || entries & 0xffff != directory.count & 0xffff {
        return Err(is_damaged());
    }
    match (members.is_empty(), packages.first()) {
        (false, _) => Ok(members),
        (true, None) => Err(unsupported("it holds no web archive, such as archive/data.warc.gz")),
        (true, Some(package)) => Err(unsupported(&format!(
            "it holds other WACZ files, such as {package}: unpack it, and give these"
        ))),
    }
}

/// The directory of a ZIP file: all bytes of it, how many entries its end says, and how many bytes stand before the place
/// from which offsets count.
struct Directory {
    bytes: Vec<u8>,
    count: u64,
    before: u64,
}

/// Reads the directory of a file of this length, which stands right before its end. Other bytes may stand before the ZIP
/// file, such as a program that unpacks it, and its comment may hold anything, as unzip takes them.
fn directory(file: &mut File, length: u64) -> io::Result<Directory> {
    let start = length.saturating_sub(TAIL);
    file.seek(SeekFrom::Start(start))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    let mut refused = damaged("it is not a ZIP file, or its end is lost");
    // The last end whose comment fills the file; of a file that has none, the last.
    let ends = memmem::rfind_iter(&tail, b"PK\x05\x06");
    let (whole, others): (Vec<_>, Vec<_>) =
        ends.map(|at| End { start, tail: &tail, at }).partition(End::is_last);
    for end in whole.into_iter().chain(others) {
        match end.directory(file) {
            Ok(directory) => return Ok(directory),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

/// Bytes that may be the end of a directory: from a place in the last ones of a file, which start there in it.
#[derive(Clone, Copy)]
struct End<'a> {
    start: u64,
    tail: &'a [u8],
    at: usize,
}

impl End<'_> {
    fn fields(&self) -> Fields<'_> {
        Fields(self.tail.get(self.at..).unwrap_or_default())
    }

    /// Whether the file ends with its comment.
    fn is_last(&self) -> bool {
        self.fields().0.len() == 22 + self.fields().length(20)
    }

    fn directory(&self, file: &mut File) -> io::Result<Directory> {
        let end = self.fields();
        let is_damaged = || damaged("the end of its directory is damaged");
        // What is on several disks is not read.
        let is_one = end.number(4, 4) == 0 && end.number(8, 2) == end.number(10, 2);
        let mut numbers = [(10, 2), (12, 4), (16, 4)].map(|(at, bytes)| end.number(at, bytes));
        let mut behind = self.at;
        // ZIP64 has an end of its own, and before the other one where that is.
        let (own, locator) = self.tail.split_at(self.at).0.split_at(self.at.saturating_sub(20));
        if locator.starts_with(b"PK\x06\x07") {
            behind = memmem::rfind(own, b"PK\x06\x06").ok_or_else(is_damaged)?;
            let wide = Fields(self.tail.get(behind..).unwrap_or_default());
            numbers = [32, 40, 48].map(|at| wide.number(at, 8));
        }
        let [count, bytes, offset] = numbers;
        // Nothing stands between the directory and its end.
        let begin = (self.start + behind as u64).checked_sub(bytes);
        let before = begin.and_then(|begin| begin.checked_sub(offset));
        let (Some(begin), Some(before)) = (begin, before.filter(|_| bytes <= DIRECTORY && is_one))
        else {
            return Err(is_damaged());
        };
        // What was cut off may end with another ZIP file, which stands in it.
        if before > 0 && !self.is_last() {
            return Err(is_damaged());
        }
        file.seek(SeekFrom::Start(begin))?;
        let mut directory = Vec::new();
        file.take(bytes).read_to_end(&mut directory)?;
        if !directory.starts_with(ENTRY) && bytes > 0 {
            return Err(is_damaged());
        }
        Ok(Directory { bytes: directory, count, before })
    }
}

fn damaged(told: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, told)
}

fn unsupported(told: &str) -> io::Error {
    io::Error::new(ErrorKind::Unsupported, told)
}

/// Where the content begins of the file that an entry of the directory tells of: behind a header with the same name.
fn content_of(header: u64, name: &[u8], file: &mut File) -> io::Result<u64> {
    let is_damaged = || damaged("its directory does not tell where its files are");
    file.seek(SeekFrom::Start(header)).map_err(|_| is_damaged())?;
    let mut local = vec![0; 30 + name.len()];
    file.read_exact(&mut local).map_err(|_| is_damaged())?;
    let fields = Fields(&local);
    if !local.starts_with(b"PK\x03\x04")
        || fields.length(26) != name.len()
        || !local.ends_with(name)
    {
        return Err(is_damaged());
    }
    Ok(header + local.len() as u64 + fields.number(28, 2))
}

/// What an entry of the directory tells of a file whose content begins there.
fn part(entry: Fields<'_>, name: &str, extra: &[u8], start: u64) -> io::Result<Part> {
    let method = entry.number(10, 2);
    if entry.number(8, 2) & 1 > 0 || !matches!(method, 0 | 8) {
        let told = format!("{name} is encrypted, or packed by method {method}");
        return Err(unsupported(&told));
    }
    let (bytes, checksum) = (wide(entry, extra)[1], entry.number(16, 4));
    Ok(Part { start, bytes, deflated: method == 8, checksum })
}

/// The bytes of a file, those of it packed, and where its header is. Numbers that 32 bits do not hold follow each other
/// in a field of ZIP64.
fn wide(entry: Fields<'_>, extra: &[u8]) -> [u64; 3] {
    let most = u64::from(u32::MAX);
    let mut wide = of_64(extra).chunks_exact(8).map(|number| Fields(number).number(0, 8));
    [24, 20, 42].map(|at| match entry.number(at, 4) {
        number if number == most => wide.next().unwrap_or(most),
        number => number,
    })
}

/// The numbers of ZIP64 in the extra fields of an entry.
fn of_64(mut extra: &[u8]) -> &[u8] {
    while extra.len() >= 4 {
        let (id, length) = (Fields(extra).number(0, 2), Fields(extra).length(2));
        let held = extra.get(4..4 + length).unwrap_or_default();
        if id == 1 {
            return held;
        }
        extra = extra.get(4 + length..).unwrap_or_default();
    }
    &[]
}

/// Numbers in bytes, the least significant byte first; 0 where there are none.
#[derive(Clone, Copy)]
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn number(self, at: usize, bytes: usize) -> u64 {
        let field = self.0.get(at..at + bytes).unwrap_or_default();
        field.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    fn length(self, at: usize) -> usize {
        usize::try_from(self.number(at, 2)).unwrap_or(0)
    }
}
