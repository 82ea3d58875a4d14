//! Arrow IPC: rows in record batches. As a stream, or as a file with a footer, which is Feather version 2 too; the
//! first bytes tell which.

use crate::columns::arrow_cells::{form, pack};
use crate::columns::arrow_messages::{FEATHER_1, STREAM};
use crate::columns::arrow_rows::{Batches, Behind, FILE, PADDING};
use crate::columns::batches::{batch_bytes, stream_bytes};
use crate::columns::fingerprint_bytes::{BytesForm, FINGERPRINT};
use crate::columns::packed_row::Columns;
use crate::columns::unpacking::{Packing, Unpacking};
use crate::error::Error;
use crate::format::{InputFormat, Kind, Shape};
use crate::formats::format::{Format, RowsOut};
use crate::formats::packed::Packed;
use crate::formats::record_reader::RecordReader;
use crate::records::decoder::Decoder;
use crate::records::opened::Opened;
use crate::records::source::Source;
use crate::write::arrow_output::ArrowOutput;
use crate::write::arrow_schema::{Like, column_names, same_schema};
use crate::write::new_column::NewColumn;
use crate::write::row_writer::RowWriter;
use std::io::{self, Cursor, Read};
use std::mem;
use std::path::Path;
use std::sync::Arc;

/// Bytes of a record batch of which nothing is told before it is read, as far as memory is counted for it.
const BATCH: u64 = 64 << 20;

/// Bytes of a message in a stream whose length is not known, at most.
const MOST: u64 = 1 << 36;

pub(crate) struct Arrow;

impl InputFormat {
    /// Rows of Arrow IPC: a stream, or a file (Feather).
    pub const ARROW: Self = InputFormat(&Kind {
        names: &["arrow", "feather"],
        title: "Arrow",
        about: Some("Rows of Arrow IPC: a stream, or a file (Feather)"),
        endings: &["arrow", "arrows", "feather", "ipc"],
        shape: Shape::Columns,
    });
}

impl Format for Arrow {
    fn kind(&self) -> InputFormat {
        InputFormat::ARROW
    }

    /// The magic number of a file, or the first message of a stream: its length, and the start of a table.
    fn is_at(&self, head: &[u8]) -> bool {
        let length = head.strip_prefix(STREAM).and_then(|rest| rest.first_chunk::<4>());
        let is_stream = length.is_some_and(|length| {
            let length = u32::from_le_bytes(*length);
            length > 0 && length.is_multiple_of(8)
        });
        head.starts_with(b"ARROW1") || head.starts_with(FEATHER_1) || is_stream
    }

    fn reader(&self, mut opened: Opened) -> Result<Box<dyn RecordReader>, Error> {
        opened.fill_head(PADDING + STREAM.len());
        Ok(Box::new(Packed::open(opened, "Arrow", unpack)?))
    }

    fn reading_bytes(&self, source: &Source, is_capped: bool) -> u64 {
        let told = match source.file() {
            Ok((file, _)) => batch_bytes(file).ok().flatten(),
            Err(_) if is_capped => packed_bytes(source),
            Err(_) => None,
        };
        told.unwrap_or_else(|| source.bytes().unwrap_or(BATCH).min(BATCH) * 2)
    }

    fn column_names(&self, source: &Source) -> Result<Vec<String>, Error> {
        column_names(source)
    }

    fn same_columns(
        &self,
        first: &Source,
        second: &Source,
        added: &[NewColumn],
    ) -> Result<(), Error> {
        same_schema(first, second, added)
    }

    fn writer(&self, out: RowsOut<'_>) -> Result<Box<dyn RowWriter>, Error> {
        let sources = (out.like, out.sources);
        let like = Like::of(sources, out.text, out.added, is_file_by_name(out.path))?;
        let (path, target, shards) = out.to.first(out.path);
        Ok(Box::new(ArrowOutput::open(&path, target, like, shards)?))
    }
}

/// Whether a name says that Arrow is a file with a footer (Feather, and the IPC file of polars), or a stream; `None` where it
/// says neither.
fn is_file_by_name(path: &Path) -> Option<bool> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "feather" | "ipc" => Some(true),
        "arrows" => Some(false),
        _ => None,
    }
}

/// Begins to unpack a source: a file at any place, anything else from front to back, as a file is a stream behind its
/// first bytes.
fn unpack(opened: &mut Opened, room: usize) -> Result<io::Result<Unpacking>, Error> {
    let on_disk = opened.source.file().ok().filter(|_| !opened.is_compressed());
    let batches = match (on_disk, opened.decoder.take()) {
        (Some((file, _)), _) => Batches::of_file(file, Arc::clone(&opened.read)),
        (None, Some(decoder)) => {
            let mut head = mem::take(&mut opened.head);
            let behind = from_message(&mut head);
            let bytes = Cursor::new(head).chain(Decoded { decoder, bytes: Cursor::default() });
            Batches::of_stream(bytes, MOST, behind)
        }
        (None, None) => Err(io::ErrorKind::UnexpectedEof.into()),
    };
    Ok(batches.and_then(|batches| {
        let names = batches.schema.fields().iter().map(|field| field.name().clone());
        let columns = Columns(names.collect());
        Unpacking::start("arrow", columns, room, move |packing| rows(batches, packing))
    }))
}

/// Cuts off what a file with a footer begins with in front of its first message.
fn from_message(head: &mut Vec<u8>) -> Behind {
    if !head.starts_with(FILE) {
        return Behind::Nothing;
    }
    let padding = head.iter().skip(FILE.len()).take_while(|byte| **byte == 0).count();
    head.drain(..FILE.len() + padding);
    Behind::Footer
}

/// Bytes of memory that the rows of a source take that is compressed as a whole, which is unpacked for that: only so it tells
/// its batches before they are there.
fn packed_bytes(source: &Source) -> Option<u64> {
    let decoder = Decoder::open(source, Arc::default()).ok().filter(Decoder::is_compressed)?;
    let (mut bytes, mut head) = (Decoded { decoder, bytes: Cursor::default() }, Vec::new());
    bytes.by_ref().take((PADDING + STREAM.len()) as u64).read_to_end(&mut head).ok()?;
    from_message(&mut head);
    stream_bytes(Cursor::new(head).chain(bytes), MOST)
}

/// Packs all rows.
fn rows(mut batches: Batches, packing: &mut Packing) -> io::Result<()> {
    let schema = Arc::clone(&batches.schema);
    let mut of_fingerprints = None;
    while let Some(batch) = batches.next() {
        let batch = batch?;
        if let (None, Some((at, _))) = (of_fingerprints, schema.column_with_name(FINGERPRINT)) {
            of_fingerprints = form(&**batch.column(at))?;
        }
        let of_fingerprints = of_fingerprints.unwrap_or(BytesForm::Bits);
        for row in 0..batch.num_rows() {
            for (field, column) in schema.fields().iter().zip(batch.columns()) {
                pack(field, of_fingerprints, &**column, row, packing.row())?;
            }
            if !packing.end_row() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The bytes of a decoder, for a library that reads.
struct Decoded {
    decoder: Decoder,
    bytes: Cursor<Vec<u8>>,
}

impl Read for Decoded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        /// Bytes taken at a time.
        const STEP: usize = 1 << 16;
        if self.bytes.position() >= self.bytes.get_ref().len() as u64 {
            let mut bytes = mem::take(&mut self.bytes).into_inner();
            bytes.clear();
            let filled = self.decoder.fill(&mut bytes, STEP);
            if bytes.is_empty() {
                filled.map_err(io::Error::other)?;
            }
            self.bytes = Cursor::new(bytes);
        }
        self.bytes.read(buffer)
    }
}
