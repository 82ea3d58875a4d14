//! Building the segment that is to be searched: in memory, or in a file that is then mapped.

use crate::args::{Args, Failure};
use crate::codes;
use crate::report::{Line, memory, timed};
use memmap2::Mmap;
use nearprint_fingerprint::Fingerprint;
use nearprint_index::{
    Built, Layout, Plan, Planner, Purpose, Request, Scheme, Segment, SegmentBuilder,
};
use std::fs::File;
use std::io::Cursor;
use std::path::Path;

/// The bytes of a segment.
pub enum Bytes {
    Held(Vec<u8>),
    Mapped(Mmap),
}

impl AsRef<[u8]> for Bytes {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Held(bytes) => bytes,
            Self::Mapped(map) => map,
        }
    }
}

/// Builds the segment of the codes in `args.file`, document `i` being the `i`-th; prints seconds,
/// bytes a fingerprint and the peak of memory.
pub fn build<const WORDS: usize>(args: &Args, k: u32) -> Result<Segment<Bytes, WORDS>, Failure> {
    let n = std::fs::metadata(&args.file)?.len() / (8 * WORDS as u64);
    let width = 64 * WORDS as u32;
    let layout = layout(args, width, k, n)?;
    let bucket_bits = layout.bucket_bits();
    let builder = SegmentBuilder::new(layout, None, args.number("memory", 4 << 30)?);
    let entries = || codes::stream::<WORDS>(&args.file).zip(0..);
    let (bytes, built, seconds) = match args.text("segment") {
        Some(path) => in_file(&builder, entries, path.as_ref())?,
        None => held(&builder, entries)?,
    };
    let peak = memory("VmHWM");
    let segment = Segment::open(bytes)?;
    let (ids, tables) = segment.section_bytes();
    let total: u64 = tables.iter().map(|(suffixes, directory)| suffixes + directory).sum();
    let each = |bytes: u64| bytes as f64 / segment.len() as f64;
    let bits = 8.0 * each(total) / tables.len() as f64;
    // What no table of so many random codes can be smaller than.
    let bound_bits = (64 * WORDS) as f64 - (segment.len() as f64).log2() + std::f64::consts::LOG2_E;
    Line::new("build")
        .number("codes", n)
        .number("fingerprints", built.fingerprints)
        .number("bucket_bits", bucket_bits)
        .number("passes", built.passes)
        .number("seconds", seconds)
        .number("bytes", built.bytes)
        .number("plan_bytes", plan(args, width, k, n)?.bytes())
        .number("bytes_with_ids", built.bytes as f64 / n as f64)
        .number("bytes_without_ids", each(total))
        .number("bytes_of_ids", each(ids))
        .number("bits", bits)
        .number("bound_bits", bound_bits)
        .number("bits_over_bound", bits / bound_bits)
        .number("peak_bytes", peak)
        .print();
    Ok(segment)
}

fn parts(args: &Args) -> Result<u32, Failure> {
    let name = args.text("layout").unwrap_or("parts:2");
    let parts = name.strip_prefix("parts:").and_then(|parts| parts.parse().ok());
    Ok(parts.ok_or_else(|| format!("--layout {name} is not parts:P"))?)
}

fn layout(args: &Args, width: u32, k: u32, n: u64) -> Result<Layout, Failure> {
    Ok(Layout::new(width, k, Scheme::Parts(parts(args)?), n)?)
}

/// What the planner predicts of the segment asked for, at a radius.
pub fn plan(args: &Args, width: u32, k: u32, documents: u64) -> Result<Plan, Failure> {
    let purpose = Purpose::Batch;
    let request = Request { documents, width, k, ids: true, memory: None, purpose };
    Ok(Planner::new(request)?.named(&format!("parts-{}", parts(args)?))?.clone())
}

fn held<const WORDS: usize, I: Iterator<Item = (Fingerprint<WORDS>, u64)>>(
    builder: &SegmentBuilder,
    entries: impl Fn() -> I,
) -> Result<(Bytes, Built, f64), Failure> {
    let mut out = Cursor::new(Vec::new());
    let (built, seconds) = timed(|| builder.build(entries, &mut out));
    Ok((Bytes::Held(out.into_inner()), built?, seconds))
}

fn in_file<const WORDS: usize, I: Iterator<Item = (Fingerprint<WORDS>, u64)>>(
    builder: &SegmentBuilder,
    entries: impl Fn() -> I,
    path: &Path,
) -> Result<(Bytes, Built, f64), Failure> {
    let file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
    let (built, seconds) = timed(|| builder.build(entries, &file));
    // SAFETY: the file was made by this process, in a folder of its own, and is not changed again.
    let map = unsafe { Mmap::map(&file)? };
    Ok((Bytes::Mapped(map), built?, seconds))
}
