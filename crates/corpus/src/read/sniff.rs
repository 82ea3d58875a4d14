//! The format of a source by its content, where nothing else has told it.

use crate::error::Error;
use crate::format::InputFormat;
use crate::read::binary;
use crate::read::decoder::Decoder;
use crate::read::source::Source;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Sets the format of a file or an object that has none, by its first bytes. What cannot be read here
/// fails again, and is reported, when the records are read.
///
/// # Errors
///
/// [`Error::Binary`] if it is no text; the format is then that of a text.
pub(crate) fn tell_format(source: &mut Source) -> Result<(), Error> {
    if source.format.is_some() || source.is_stream() {
        return Ok(());
    }
    let mut head = Vec::new();
    let mut is_parquet = false;
    if let Ok(mut decoder) = Decoder::open(source, Arc::new(AtomicU64::new(0))) {
        is_parquet = decoder.is_parquet();
        let _ = decoder.fill(&mut head, InputFormat::HEAD_BYTES);
    }
    let told = if is_parquet { InputFormat::Jsonl } else { InputFormat::of_content(&head) };
    source.format = Some(source.taken_as(told));
    match binary::kind(&head) {
        Some(kind) if !is_parquet => Err(Error::Binary { path: source.name.clone(), kind }),
        _ => Ok(()),
    }
}
