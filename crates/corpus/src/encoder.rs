//! The compression of an output. Where the bytes go, and under which name, is `output`'s.

use std::io::{self, BufWriter, Write};

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use liblzma::write::XzEncoder;

use crate::compression::Compression;

/// Bytes gathered before the disk is asked to take them.
const DISK_BUFFER: usize = 1 << 17;

/// What `xz` itself takes: 94 MiB of memory.
const XZ_LEVEL: u32 = 6;

/// Where encoded bytes go.
pub(crate) type Disk = Box<dyn Write + Send>;

/// Encodes one output.
pub(crate) enum Encoder {
    Plain(BufWriter<Disk>),
    Gzip(GzEncoder<BufWriter<Disk>>),
    Zstd(zstd::stream::write::Encoder<'static, BufWriter<Disk>>),
    Bzip2(Box<BzEncoder<BufWriter<Disk>>>),
    Xz(Box<XzEncoder<BufWriter<Disk>>>),
}

impl Encoder {
    pub(crate) fn new(disk: Disk, compression: Compression) -> io::Result<Encoder> {
        let disk = BufWriter::with_capacity(DISK_BUFFER, disk);
        Ok(match compression {
            Compression::None => Encoder::Plain(disk),
            Compression::Gzip => {
                Encoder::Gzip(GzEncoder::new(disk, flate2::Compression::default()))
            }
            Compression::Zstd => {
                let mut encoder = zstd::stream::write::Encoder::new(disk, 0)?;
                encoder.include_checksum(true)?;
                Encoder::Zstd(encoder)
            }
            Compression::Bzip2 => {
                Encoder::Bzip2(Box::new(BzEncoder::new(disk, bzip2::Compression::best())))
            }
            Compression::Xz => Encoder::Xz(Box::new(XzEncoder::new(disk, XZ_LEVEL))),
            Compression::Parquet => {
                let told = "Parquet is read, not written: name a .jsonl file";
                return Err(io::Error::new(io::ErrorKind::Unsupported, told));
            }
        })
    }

    pub(crate) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Encoder::Plain(disk) => disk.write_all(bytes),
            Encoder::Gzip(encoder) => encoder.write_all(bytes),
            Encoder::Zstd(encoder) => encoder.write_all(bytes),
            Encoder::Bzip2(encoder) => encoder.write_all(bytes),
            Encoder::Xz(encoder) => encoder.write_all(bytes),
        }
    }

    /// Ends the compressed data and hands everything to the operating system.
    pub(crate) fn finish(self) -> io::Result<()> {
        let mut disk = match self {
            Encoder::Plain(disk) => disk,
            Encoder::Gzip(encoder) => encoder.finish()?,
            Encoder::Zstd(encoder) => encoder.finish()?,
            Encoder::Bzip2(encoder) => encoder.finish()?,
            Encoder::Xz(encoder) => encoder.finish()?,
        };
        disk.flush()
    }
}
