//! WACZ: a ZIP file of web archives, as crawlers in browsers write it, and any other one with such. Each archive in it
//! is a source of its own, in whatever folder it is: in a WACZ that is `archive/`.

use crate::format::InputFormat;
use crate::records::source::Source;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Bytes that the end of a ZIP file has at most, with its comment and what ZIP64 adds before.
const TAIL: u64 = (1 << 16) + 22 + 20 + 56;

/// Files in a ZIP file that are looked at, and bytes of its directory.
const DIRECTORY: u64 = 1 << 28;

/// A file inside, and where its bytes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) start: u64,
    pub(crate) bytes: u64,
    pub(crate) deflated: bool,
}

/// Whether a file is called WACZ.
pub(crate) fn is_wacz(source: &Source) -> bool {
    Path::new(source.name()).extension().is_some_and(|it| it == "wacz")
}

/// The archives in a file; none where it is no ZIP file, or one without such.
///
/// # References
///
/// PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", sections 4.3 and 4.5.3.
pub(crate) fn archives(path: &Path) -> io::Result<Vec<Member>> {
    let mut file = BufReader::new(File::open(path)?);
    let length = file.seek(SeekFrom::End(0))?;
    let start = length.saturating_sub(TAIL);
    file.seek(SeekFrom::Start(start))?;
    let mut tail = Vec::new();
    (&mut file).take(TAIL).read_to_end(&mut tail)?;
    let Some(at) = tail.windows(4).rposition(|bytes| bytes == b"PK\x05\x06") else {
        return Ok(Vec::new());
    };
    let end = Fields(tail.get(at..).unwrap_or_default());
    let (count, mut bytes, mut offset) = (end.number(10, 2), end.number(12, 4), end.number(16, 4));
    let of_64 = tail
        .get(..at)
        .and_then(|before| before.windows(4).rposition(|bytes| bytes == b"PK\x06\x06"));
    if let Some(at) =
        of_64.filter(|_| offset == u64::from(u32::MAX) || bytes == u64::from(u32::MAX))
    {
        let end = Fields(tail.get(at..).unwrap_or_default());
        (bytes, offset) = (end.number(40, 8), end.number(48, 8));
    }
    if bytes > DIRECTORY || offset.checked_add(bytes).is_none_or(|end| end > length) {
        return Err(damaged("its directory lies beyond its end"));
    }
    file.seek(SeekFrom::Start(offset))?;
    let mut directory = Vec::new();
    (&mut file).take(bytes).read_to_end(&mut directory)?;
    let is_damaged = || damaged("its directory is damaged");
    let (mut members, mut entries) = (Vec::new(), 0);
    let mut rest = directory.as_slice();
    while rest.starts_with(b"PK\x01\x02") {
        let entry = Fields(rest);
        let (named, extra, comment) = (entry.length(28), entry.length(30), entry.length(32));
        let name = rest.get(46..46 + named).unwrap_or_default();
        let extra_bytes = rest.get(46 + named..46 + named + extra).unwrap_or_default();
        if let Some(member) = member(entry, name, extra_bytes, &mut file)? {
            members.push(member);
        }
        rest = rest.get(46 + named + extra + comment..).ok_or_else(is_damaged)?;
        entries += 1;
    }
    // A signature may follow.
    let is_whole = rest.is_empty() || rest.starts_with(b"PK\x05\x05");
    if !is_whole || entries & 0xffff != count {
        return Err(is_damaged());
    }
    Ok(members)
}

fn damaged(told: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, told)
}

/// The archive that an entry of the directory tells of; none of another file.
fn member(
    entry: Fields<'_>,
    name: &[u8],
    extra: &[u8],
    file: &mut BufReader<File>,
) -> io::Result<Option<Member>> {
    let name = String::from_utf8_lossy(name).into_owned();
    let format = InputFormat::of_name(Path::new(&name));
    // As in folders, hidden files are left out: some programs add such beside each file.
    let is_hidden = name.split('/').any(|part| part.starts_with('.'));
    if is_hidden || !format.is_some_and(InputFormat::is_archive) {
        return Ok(None);
    }
    let (mut bytes, mut header) = (entry.number(20, 4), entry.number(42, 4));
    // Numbers that 32 bits do not hold follow each other in a field of ZIP64.
    let most = u64::from(u32::MAX);
    let mut wide = of_64(extra).chunks_exact(8).map(|number| Fields(number).number(0, 8));
    for number in [&mut entry.number(24, 4), &mut bytes, &mut header] {
        if *number == most {
            *number = wide.next().unwrap_or(most);
        }
    }
    let method = entry.number(10, 2);
    if entry.number(8, 2) & 1 > 0 || !matches!(method, 0 | 8) {
        let told = format!("{name} is encrypted, or packed by method {method}");
        return Err(io::Error::new(io::ErrorKind::Unsupported, told));
    }
    file.seek(SeekFrom::Start(header))?;
    let mut local = [0; 30];
    file.read_exact(&mut local)?;
    let local = Fields(&local);
    let start = header + 30 + local.number(26, 2) + local.number(28, 2);
    Ok(Some(Member { name, start, bytes, deflated: method == 8 }))
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
