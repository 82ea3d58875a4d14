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
    /// Every record by itself.
    Each(Each),
}

/// A stream in which every record is a gzip member or a zstd frame of its own.
pub(crate) struct Each {
    disk: BufWriter<Disk>,
    compression: Compression,
    /// Whether there is no record yet.
    empty: bool,
}

impl Encoder {
    /// With `each` a record is written at a time, and can be decoded by itself where the compression
    /// has such units.
    pub(crate) fn new(disk: Disk, compression: Compression, each: bool) -> io::Result<Encoder> {
        let disk = BufWriter::with_capacity(DISK_BUFFER, disk);
        Ok(match compression {
            Compression::Gzip | Compression::Zstd if each => {
                Encoder::Each(Each { disk, compression, empty: true })
            }
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
                let told = "only rows of Parquet are written as Parquet: name a .jsonl file";
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
            Encoder::Each(each) => each.write(bytes),
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
            Encoder::Each(mut each) => {
                // A file of no byte is no gzip file.
                if each.empty {
                    each.write(b"")?;
                }
                each.disk
            }
        };
        disk.flush()
    }
}

impl Each {
    fn write(&mut self, record: &[u8]) -> io::Result<()> {
        self.empty = false;
        if self.compression == Compression::Zstd {
            let mut encoder = zstd::stream::write::Encoder::new(&mut self.disk, 0)?;
            encoder.include_checksum(true)?;
            encoder.write_all(record)?;
            encoder.finish()?;
        } else {
            let mut encoder = GzEncoder::new(&mut self.disk, flate2::Compression::default());
            encoder.write_all(record)?;
            encoder.finish()?;
        }
        Ok(())
    }
}
