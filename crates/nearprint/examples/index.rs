//! An index of fingerprints with ids of your own: build it, keep it, ask it.
//!
//!     cargo run --release --example index

#![expect(clippy::print_stdout, reason = "an example says what it found")]

use nearprint::{Index, Index64};

fn main() -> Result<(), nearprint::IndexError> {
    let (ids, codes): ([u64; 3], [u64; 3]) = ([1001, 1002, 1003], [0x0f, 0xff, 0xf0f0]);
    let path = std::env::temp_dir().join("nearprint-example.seg");
    Index::build_with_ids(&ids, &codes, 3)?.save(&path)?;

    let index = Index64::open(&path)?;
    for near in index.query(0x1f_u64)? {
        println!("{} differs in {} bits", near.doc, near.distance);
    }
    Ok(())
}
