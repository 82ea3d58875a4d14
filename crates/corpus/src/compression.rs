//! The compressions of inputs and outputs, and how one is told. Decoding is `decoder`'s, encoding
//! `encoder`'s.

use std::path::Path;

/// How the bytes of a file are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip, of one member or many.
    Gzip,
    /// Zstandard, of one frame or many.
    Zstd,
    /// bzip2, of one stream or many.
    Bzip2,
    /// xz, of one stream or many.
    Xz,
    /// Brotli, which its name alone tells.
    Brotli,
}

impl Compression {
    /// Bytes that [`of_content`](Self::of_content) looks at.
    pub const MAGIC_BYTES: usize = 10;

    /// The compression that a name tells: `.gz`, `.zst`, `.bz2`, `.xz` or `.br`, or another usual name of these such as
    /// `.bgz`.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::path::Path;
    /// use nearprint_corpus::Compression;
    ///
    /// assert_eq!(Compression::of_name(Path::new("kept.jsonl.zst")), Compression::Zstd);
    /// ```
    pub fn of_name(path: &Path) -> Self {
        match path.extension().map(|extension| extension.to_ascii_lowercase()) {
            Some(extension) if ["gz", "gzip", "bgz", "bgzf"].iter().any(|it| extension == *it) => {
                Self::Gzip
            }
            Some(extension) if extension == "zst" || extension == "zstd" => Self::Zstd,
            Some(extension) if extension == "bz2" => Self::Bzip2,
            Some(extension) if extension == "xz" => Self::Xz,
            Some(extension) if extension == "br" => Self::Brotli,
            _ => Self::None,
        }
    }

    /// The compression that the first [`MAGIC_BYTES`](Self::MAGIC_BYTES) of a file tell, or all of a
    /// shorter one.
    ///
    /// A Zstandard file may open with a skippable frame, as `pzstd` writes.
    #[must_use]
    pub fn of_content(head: &[u8]) -> Self {
        match head {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            [b'B', b'Z', b'h', b'1'..=b'9', block @ ..] if opens_bzip2_block(block) => Self::Bzip2,
            [0xfd, b'7', b'z', b'X', ..] => Self::Xz,
            _ => Self::None,
        }
    }

    /// Whether a file of these bytes, which are all that it has, is cut off within the first ones of this compression.
    pub(crate) fn is_cut(self, bytes: &[u8]) -> bool {
        let magic: &[u8] = match self {
            Self::None | Self::Brotli => b"",
            Self::Gzip => &[0x1f, 0x8b],
            Self::Zstd => &[0x28, 0xb5, 0x2f, 0xfd],
            Self::Bzip2 => b"BZh",
            Self::Xz => &[0xfd, b'7', b'z', b'X', b'Z', 0],
        };
        // A frame of zstd may hold something else than data.
        let is_skippable = matches!(bytes, [0x50..=0x5f, 0x2a] | [0x50..=0x5f, 0x2a, 0x4d]);
        !bytes.is_empty() && bytes.len() < magic.len() && magic.starts_with(bytes)
            || self == Self::Zstd && is_skippable
    }

    /// The program that undoes it.
    pub(crate) fn undone_by(self) -> &'static str {
        match self {
            Self::None => "cat",
            Self::Gzip => "gunzip",
            Self::Zstd => "unzstd",
            Self::Bzip2 => "bunzip2",
            Self::Xz => "unxz",
            Self::Brotli => "brotli -d",
        }
    }

    /// The name for messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "uncompressed",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Brotli => "brotli",
        }
    }
}

/// Whether a bzip2 block or the end of the stream follows, as far as there are bytes: a text may
/// begin with `BZh1` too.
fn opens_bzip2_block(bytes: &[u8]) -> bool {
    const BLOCK: [u8; 6] = [0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
    const END: [u8; 6] = [0x17, 0x72, 0x45, 0x38, 0x50, 0x90];
    let bytes = bytes.get(..6).unwrap_or(bytes);
    BLOCK.starts_with(bytes) || END.starts_with(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_tells_the_compression() {
        assert_eq!(Compression::of_content(b"\x1f\x8b\x08\x00"), Compression::Gzip);
        assert_eq!(Compression::of_content(b"\x28\xb5\x2f\xfd"), Compression::Zstd);
        assert_eq!(Compression::of_content(b"\x50\x2a\x4d\x18"), Compression::Zstd);
        assert_eq!(Compression::of_content(b"\x28\xb5\x2f"), Compression::None);
        assert_eq!(Compression::of_content(b"BZh91AY&SY"), Compression::Bzip2);
        assert_eq!(Compression::of_content(b"BZh1\x17\x72\x45\x38\x50\x90"), Compression::Bzip2);
        assert_eq!(Compression::of_content(b"BZh9"), Compression::Bzip2);
        assert_eq!(Compression::of_content(b"BZh9 is a"), Compression::None);
        assert_eq!(Compression::of_content(b"\xfd7zXZ\x00\x00\x04"), Compression::Xz);
        assert_eq!(Compression::of_content(b""), Compression::None);
        for (compression, bytes) in [
            (Compression::Gzip, &b"\x1f"[..]),
            (Compression::Zstd, b"\x28\xb5\x2f"),
            (Compression::Bzip2, b"BZ"),
            (Compression::Xz, b"\xfd7z"),
        ] {
            assert!(compression.is_cut(bytes));
            assert!(
                !compression.is_cut(b"")
                    && !compression.is_cut(b"{")
                    && !Compression::None.is_cut(bytes)
            );
        }
    }

    #[test]
    fn a_name_tells_the_compression() {
        assert_eq!(Compression::of_name(Path::new("a.GZ")), Compression::Gzip);
        assert_eq!(Compression::of_name(Path::new("a.jsonl.zst")), Compression::Zstd);
        assert_eq!(Compression::of_name(Path::new("a.jsonl.bz2")), Compression::Bzip2);
        assert_eq!(Compression::of_name(Path::new("a.XZ")), Compression::Xz);
        assert_eq!(Compression::of_name(Path::new("a.jsonl.br")), Compression::Brotli);
        assert_eq!(Compression::of_name(Path::new("gz")), Compression::None);
        assert_eq!(Compression::of_name(Path::new("a.gz.jsonl")), Compression::None);
    }
}
