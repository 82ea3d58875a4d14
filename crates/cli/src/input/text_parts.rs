//! The fields that are the text together, where single documents are read: one that no row has is mistyped.

use nearprint_corpus::{Fields, InvalidUtf8, ReadOptions, Reader, Source};
use nearprint_dedup::FieldsSeen;

/// Reads rows until each of these fields was seen in one. Of a stream there is nothing more to be read.
pub(crate) fn look_for_parts(
    seen: &mut FieldsSeen,
    sources: &[Source],
    options: ReadOptions,
    fields: &Fields,
) {
    if seen.check_text(fields).is_ok() || sources.iter().any(Source::is_stream) {
        return;
    }
    for batch in Reader::new(sources, options).flatten() {
        for record in batch.records() {
            if let Ok(document) = record.document(fields, InvalidUtf8::Replace) {
                seen.add_text(&record, &document);
            }
            if seen.check_text(fields).is_ok() {
                return;
            }
        }
    }
}
