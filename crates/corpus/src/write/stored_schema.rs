//! The schema of Arrow that a Parquet file stores beside its own: it tells of types for which Parquet has no form of its
//! own, such as durations, time zones and dictionaries
//! ([`ARROW:schema`](https://arrow.apache.org/docs/cpp/parquet.html#serialization-details)).

#![deny(clippy::indexing_slicing)]

use crate::columns::arrow_messages::{STREAM, masked_stream};
use crate::columns::arrow_wide::{Place, stand_in, widened};
use crate::columns::library::library;
use crate::write::arrow_schema::{field_of, fields_of};
use crate::write::new_column::NewColumn;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::{DictionaryTracker, IpcDataGenerator, IpcWriteOptions};
use arrow_schema::Schema;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::sync::Arc;

/// A stored schema with the columns `added` behind its own, in the place of those of their names; `None` of what is no
/// schema.
pub(crate) fn with_columns(stored: &str, added: &[NewColumn]) -> Option<String> {
    let bytes = BASE64_STANDARD.decode(stored).ok()?;
    let (stream, masked) = masked_stream(&*bytes).ok()?;
    let schema = library(|| Some(StreamReader::try_new(stream, None).ok()?.schema())).ok()??;
    let schema = masked.marked(&schema);
    let mut fields = fields_of(&schema, added);
    fields.extend(added.iter().map(|column| Arc::new(field_of(column))));
    let schema = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
    let stand_in = stand_in(&schema);
    let message = IpcDataGenerator::default().schema_to_bytes_with_dictionary_tracker(
        stand_in.as_ref().unwrap_or(&schema),
        &mut DictionaryTracker::new(false),
        &IpcWriteOptions::default(),
    );
    let message = match stand_in {
        Some(_) => widened(&message.ipc_message, Place::Message, &schema)?,
        None => message.ipc_message,
    };
    let length = u32::try_from(message.len()).ok()?.to_le_bytes();
    Some(BASE64_STANDARD.encode([STREAM, &length, &message].concat()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::new_column::NewColumnKind;
    use arrow_ipc::writer::StreamWriter;
    use arrow_schema::{DataType, Field, TimeUnit};

    #[test]
    fn types_that_only_arrow_has_stay() {
        let field = |name: &str, of| Field::new(name, of, true);
        let dictionary =
            DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::LargeUtf8));
        let own = vec![
            field("took", DataType::Duration(TimeUnit::Millisecond)),
            field("seen", DataType::Timestamp(TimeUnit::Microsecond, Some("Europe/Berlin".into()))),
            field("text", DataType::LargeUtf8),
            field("copies", DataType::Utf8),
            field("kind", dictionary),
        ];
        let metadata = [("pandas".to_owned(), "{}".to_owned())].into();
        let schema = Schema::new_with_metadata(own.clone(), metadata);
        let writer = StreamWriter::try_new(Vec::new(), &schema).unwrap();
        let stored = BASE64_STANDARD.encode(writer.get_ref());
        let added = [
            NewColumn { name: "copies", kind: NewColumnKind::Integer },
            NewColumn { name: "weight", kind: NewColumnKind::Real },
        ];
        let bytes = BASE64_STANDARD.decode(with_columns(&stored, &added).unwrap()).unwrap();
        let found = StreamReader::try_new(&*bytes, None).unwrap().schema();
        let mut expected: Vec<Field> = own;
        expected.remove(3);
        expected.push(field("copies", DataType::Int64));
        expected.push(field("weight", DataType::Float64));
        assert_eq!(*found, Schema::new_with_metadata(expected, schema.metadata().clone()));
        for broken in ["", "x", "not base64!", &stored[..stored.len() / 2]] {
            assert_eq!(with_columns(broken, &added), None, "{broken}");
        }
    }
}
