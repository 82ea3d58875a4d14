//! The job of `nearprint pairs --input-format u64`, done by the crate `all-pairs-hamming`:
//! `all-pairs-hamming-peer CODES K OUT` reads raw little-endian words of 64 bits and writes every
//! pair of rows within K bits as `{"a","b","distance"}`.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};

use all_pairs_hamming::ChunkedJoiner;

const BITS: f64 = 64.0;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [codes, k, out] = args.as_slice() else {
        return Err("usage: all-pairs-hamming-peer CODES K OUT".into());
    };
    let k: f64 = k.parse()?;

    let mut joiner = ChunkedJoiner::<u32>::new(2);
    for bytes in fs::read(codes)?.chunks_exact(8) {
        let word = u64::from_le_bytes(bytes.try_into()?);
        joiner.add([(word >> 32) as u32, word as u32])?;
    }
    let mut rows = BufWriter::new(File::create(out)?);
    for (a, b, distance) in joiner.similar_pairs(k / BITS) {
        let distance = (distance * BITS) as u32;
        writeln!(rows, r#"{{"a":{a},"b":{b},"distance":{distance}}}"#)?;
    }
    rows.flush()?;
    Ok(())
}
