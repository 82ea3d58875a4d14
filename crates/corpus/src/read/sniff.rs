//! The format of a source by its content, where nothing else has told it.

use crate::format::InputFormat;
use crate::read::decoder::Decoder;
use crate::read::source::Source;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Sets the format of a file or an object that has none, by its first bytes. What cannot be read here
/// fails again, and is reported, when the records are read.
pub(crate) fn tell_format(source: &mut Source) {
    if source.format.is_some() || source.is_stream() {
        return;
    }
    let mut head = Vec::new();
    let mut is_parquet = false;
    if let Ok(mut decoder) = Decoder::open(source, Arc::new(AtomicU64::new(0))) {
        is_parquet = decoder.is_parquet();
        let _ = decoder.fill(&mut head, InputFormat::HEAD_BYTES);
    }
    let told = InputFormat::of_content(&head);
    source.format = Some(if is_parquet { InputFormat::Jsonl } else { source.taken_as(told) });
}
