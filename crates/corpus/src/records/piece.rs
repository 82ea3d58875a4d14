//! The parts that compressed files may be made of: in archives each record is usually one of its own.

use crate::compression::Compression;

/// What a compressed file has several of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A member of gzip (RFC 1952, section 2.3).
    Member,
    /// A frame of zstd (RFC 8878, section 3.1.1).
    Frame,
}

impl Piece {
    /// The parts of what is compressed so; none where it has none that are told by how they begin.
    pub(crate) fn of(compression: &str) -> Option<Self> {
        let of = [(Compression::Gzip, Self::Member), (Compression::Zstd, Self::Frame)];
        of.into_iter().find_map(|(known, part)| (known.name() == compression).then_some(part))
    }

    /// How one begins: what tells the compression, and of gzip the one method that it has.
    pub(crate) const fn magic(self) -> &'static [u8] {
        match self {
            Self::Member => b"\x1f\x8b\x08",
            Self::Frame => b"\x28\xb5\x2f\xfd",
        }
    }

    /// What is damaged where one is.
    pub(crate) const fn damaged(self) -> &'static str {
        match self {
            Self::Member => "gzip data is damaged in the member",
            Self::Frame => "zstd data is damaged in the frame",
        }
    }
}
