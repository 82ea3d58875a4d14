//! The columns of the files of units: handles that the stage that writes one and those that read it share.
//! Which stage has which, and in which order, is `schema`'s.

use crate::distributed::cells::Column;

/// The state of a record, as a number of `codes`.
pub(crate) const STATE: Column<u64> = Column::new("state");
pub(crate) const FINGERPRINT: Column<[u8]> = Column::new("fingerprint");
/// A hash of the whole content.
pub(crate) const CONTENT: Column<[u8]> = Column::new("content");
/// What the keep rule goes by, if it goes by a number.
pub(crate) const WORTH: Column<u64> = Column::new("worth");
/// The id as JSON; empty where nothing names documents.
pub(crate) const ID: Column<str> = Column::new("id");
/// Hashes of the ids of a batch, in its first row.
pub(crate) const ID_HASHES: Column<[u8]> = Column::new("id_hashes");
/// The content of a short document.
pub(crate) const SHORT: Column<u64> = Column::new("short");
/// The code of the sketch of a document, where bands find candidates.
pub(crate) const CODE: Column<[u8]> = Column::new("code");
/// The code of the angle of a document.
pub(crate) const ANGLE: Column<[u8]> = Column::new("angle");

/// A label of a document, behind a sign; empty where it has none.
pub(crate) const LABEL: Column<str> = Column::new("label");

/// The first and the second document of a link.
pub(crate) const A: Column<u64> = Column::new("a");
pub(crate) const B: Column<u64> = Column::new("b");

/// The number of a document in the whole corpus.
pub(crate) const NUMBER: Column<u64> = Column::new("number");
pub(crate) const SHARD: Column<u64> = Column::new("shard");
/// 1 where the component holds documents of different content, so that their features are compared.
pub(crate) const COMPARED: Column<u64> = Column::new("compared");

/// The number of the record of a document in its file.
pub(crate) const RECORD: Column<u64> = Column::new("record");
/// Features, 8 bytes each, and behind them as many for their weights, where they have some.
pub(crate) const FEATURES: Column<[u8]> = Column::new("features");
/// All keys of bands of a document, or the code of its angle.
pub(crate) const BANDS: Column<[u8]> = Column::new("bands");

/// The number of the first document of the cluster.
pub(crate) const HEAD: Column<u64> = Column::new("head");
/// The representative of the cluster: its number, its file and its record there.
pub(crate) const REPRESENTATIVE: Column<u64> = Column::new("representative");
pub(crate) const REPRESENTATIVE_FILE: Column<u64> = Column::new("representative_file");
pub(crate) const REPRESENTATIVE_RECORD: Column<u64> = Column::new("representative_record");
pub(crate) const REPRESENTATIVE_ID: Column<str> = Column::new("representative_id");
/// 1 for a document that goes.
pub(crate) const REMOVED: Column<u64> = Column::new("removed");
/// The document because of which it goes.
pub(crate) const NEAR: Column<u64> = Column::new("near");
pub(crate) const NEAR_FILE: Column<u64> = Column::new("near_file");
pub(crate) const NEAR_RECORD: Column<u64> = Column::new("near_record");
pub(crate) const NEAR_ID: Column<str> = Column::new("near_id");
/// What a document that stays stands for, as JSON; empty for others.
pub(crate) const COUNTED: Column<str> = Column::new("counted");
/// How near it is to that document: the distance, the bits of the similarity, and the number of its measure, which the
/// file calls a cosine.
pub(crate) const DISTANCE: Column<u64> = Column::new("distance");
pub(crate) const SIMILARITY: Column<u64> = Column::new("similarity");
pub(crate) const MEASURE: Column<u64> = Column::new("cosine");

/// Documents of a label, and those that stay; the bytes of the records of both.
pub(crate) const DOCUMENTS: Column<u64> = Column::new("documents");
pub(crate) const KEPT: Column<u64> = Column::new("kept");
pub(crate) const BYTES: Column<u64> = Column::new("bytes");
pub(crate) const KEPT_BYTES: Column<u64> = Column::new("kept_bytes");
/// The hash of a name of a response.
pub(crate) const NAME: Column<u64> = Column::new("name");
