//! The compression of an output. Where the bytes go, and under which name, is `output`'s.

use crate::compression::Compression;
use crate::records::brotli::BUFFER;
use brotli::CompressorWriter;
use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use liblzma::write::XzEncoder;
use std::io::{self, BufWriter, Write};

/// Bytes gathered before the disk is asked to take them.
const DISK_BUFFER: usize = 1 << 17;

/// What `xz` itself takes: 94 MiB of memory.
const XZ_LEVEL: u32 = 6;

/// Quality and the logarithm of the window: what servers of texts take, in some 12 MiB of memory.
const BROTLI: (u32, u32) = (5, 22);

/// Where encoded bytes go.
pub(crate) type Disk = Box<dyn Write + Send>;

/// Encodes one output.
pub(crate) enum Encoder {
    Plain(BufWriter<Disk>),
    Gzip(GzEncoder<BufWriter<Disk>>),
    Zstd(zstd::stream::write::Encoder<'static, BufWriter<Disk>>),
    Bzip2(Box<BzEncoder<BufWriter<Disk>>>),
    Xz(Box<XzEncoder<BufWriter<Disk>>>),
    /// Into memory first: the encoder hides what goes wrong at its end.
    Brotli(Box<CompressorWriter<Vec<u8>>>, BufWriter<Disk>),
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
    pub(crate) fn new(disk: Disk, compression: Compression, each: bool) -> io::Result<Self> {
        let disk = BufWriter::with_capacity(DISK_BUFFER, disk);
        Ok(match compression {
            Compression::Gzip | Compression::Zstd if each => {
                Self::Each(Each { disk, compression, empty: true })
            }
            Compression::None => Self::Plain(disk),
            Compression::Gzip => Self::Gzip(GzEncoder::new(disk, flate2::Compression::default())),
            Compression::Zstd => {
                let mut encoder = zstd::stream::write::Encoder::new(disk, 0)?;
                encoder.include_checksum(true)?;
                Self::Zstd(encoder)
            }
            Compression::Bzip2 => {
                Self::Bzip2(Box::new(BzEncoder::new(disk, bzip2::Compression::best())))
            }
            Compression::Xz => Self::Xz(Box::new(XzEncoder::new(disk, XZ_LEVEL))),
            Compression::Brotli => {
                let encoder = CompressorWriter::new(Vec::new(), BUFFER, BROTLI.0, BROTLI.1);
                Self::Brotli(Box::new(encoder), disk)
            }
        })
    }

    pub(crate) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(disk) => disk.write_all(bytes),
            Self::Gzip(encoder) => encoder.write_all(bytes),
            Self::Zstd(encoder) => encoder.write_all(bytes),
            Self::Bzip2(encoder) => encoder.write_all(bytes),
            Self::Xz(encoder) => encoder.write_all(bytes),
            Self::Brotli(encoder, disk) => {
                encoder.write_all(bytes)?;
                disk.write_all(encoder.get_ref())?;
                encoder.get_mut().clear();
                Ok(())
            }
            Self::Each(each) => each.write(bytes),
        }
    }

    /// Ends the compressed data and hands everything to the operating system.
    pub(crate) fn finish(self) -> io::Result<()> {
        let mut disk = match self {
            Self::Plain(disk) => disk,
            Self::Gzip(encoder) => encoder.finish()?,
            Self::Zstd(encoder) => encoder.finish()?,
            Self::Bzip2(encoder) => encoder.finish()?,
            Self::Xz(encoder) => encoder.finish()?,
            Self::Brotli(encoder, mut disk) => {
                disk.write_all(&encoder.into_inner())?;
                disk
            }
            Self::Each(mut each) => {
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
