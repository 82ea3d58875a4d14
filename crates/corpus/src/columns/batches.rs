//! How large the record batches of an Arrow file are, told by its messages. Reading rows is `arrow_rows`'.

#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

use crate::columns::arrow_messages::{Block, Footer, Framed, Told, checked_footer};
use crate::columns::arrow_rows::is_file;
use std::fs::File;
use std::io::{self, Read};

/// Bytes of chunks of rows that wait, of those that are packed and of their buffers.
const CHUNKS: u64 = 16_000_000;

/// Bytes of memory that the rows of a file take while they are read, and read again to be written: each time a batch and all
/// dictionaries, as they are stored and as they are unpacked, and chunks of rows. None where no message begins.
///
/// Of each batch a few bytes are looked at, as any may be the largest.
pub(crate) fn batch_bytes(mut file: File) -> io::Result<Option<u64>> {
    let mut told = Told::default();
    if is_file(&mut file)? {
        let Footer { blocks, dictionaries, .. } = checked_footer(&mut file)?;
        told.dictionaries = dictionaries;
        for block in blocks {
            // Reading ends here too.
            let Ok(sizes) = block.check(&mut file) else { break };
            told.add(&sizes);
        }
    } else {
        let mut at = 0;
        while let Ok(Some(block)) = Block::at(at, &mut file)
            && let Ok(sizes) = block.check(&mut file)
        {
            at = block.body().saturating_add(sizes.stored);
            told.add(&sizes);
        }
    }
    Ok(memory(told))
}

/// The same of a stream, from its first message on, that is read from front to back.
pub(crate) fn stream_bytes(stream: impl Read, most: u64) -> Option<u64> {
    let mut framed = Framed::new(stream, most);
    // Where it fails reading ends too.
    let _ = io::copy(&mut framed, &mut io::sink());
    memory(framed.told)
}

fn memory(Told { largest, count, dictionaries }: Told) -> Option<u64> {
    let largest = largest?;
    let chunks = CHUNKS.min(largest.saturating_mul(count));
    Some(largest.saturating_add(dictionaries).saturating_mul(2).saturating_add(chunks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{ArrayRef, RecordBatch, StringArray};
    use arrow_ipc::CompressionType;
    use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
    use std::io::Write;
    use std::sync::Arc;

    fn of(bytes: &[u8]) -> Option<u64> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        batch_bytes(file).unwrap()
    }

    #[test]
    fn batches_are_as_large_as_they_are_unpacked() {
        let texts: ArrayRef = Arc::new(StringArray::from(vec!["a".repeat(1000); 1000]));
        let batch = RecordBatch::try_from_iter([("text", texts)]).unwrap();
        for compression in [None, Some(CompressionType::ZSTD), Some(CompressionType::LZ4_FRAME)] {
            let options = || IpcWriteOptions::default().try_with_compression(compression).unwrap();
            let schema = batch.schema();
            let mut file =
                FileWriter::try_new_with_options(Vec::new(), &schema, options()).unwrap();
            let mut stream =
                StreamWriter::try_new_with_options(Vec::new(), &schema, options()).unwrap();
            file.write(&batch).unwrap();
            stream.write(&batch).unwrap();
            for written in [file.into_inner().unwrap(), stream.into_inner().unwrap()] {
                // Twice a batch, and a chunk of rows.
                let told = of(&written).unwrap();
                assert!((3_000_000..3_200_000).contains(&told), "{compression:?}: {told}");
                let start = written.iter().position(|byte| *byte == 0xff).unwrap();
                let told_of_stream = stream_bytes(&written[start..], 1 << 36);
                assert_eq!(told_of_stream, Some(told), "{compression:?}");
            }
        }
    }

    #[test]
    fn a_large_batch_counts_behind_small_ones() {
        let texts: ArrayRef = Arc::new(StringArray::from(vec!["a".repeat(1000); 1000]));
        let batch = RecordBatch::try_from_iter([("text", texts)]).unwrap();
        for (count, has_footer) in [(20, false), (20, true), (100, false), (100, true)] {
            let schema = batch.schema();
            let mut file = FileWriter::try_new(Vec::new(), &schema).unwrap();
            let mut stream = StreamWriter::try_new(Vec::new(), &schema).unwrap();
            for _ in 0..count {
                file.write(&batch.slice(0, 1)).unwrap();
                stream.write(&batch.slice(0, 1)).unwrap();
            }
            file.write(&batch).unwrap();
            stream.write(&batch).unwrap();
            let written = match has_footer {
                true => file.into_inner(),
                false => stream.into_inner(),
            };
            let told = of(&written.unwrap()).unwrap();
            assert!(told > 10_000_000, "{count}: {told}");
        }
    }

    #[test]
    fn where_no_message_begins_nothing_is_told() {
        assert_eq!(of(b""), None);
        assert_eq!(of(b"\x28\xb5\x2f\xfdpacked as a whole"), None);
        assert_eq!(stream_bytes(&b"\xff\xff\xff\xff\xff\xff\xff\xff"[..], 1 << 36), None);
    }
}
