//! All pairs of near fingerprints: every one within the radius, each once.
//!
//!     cargo run --release --example pairs

#![expect(clippy::print_stdout, reason = "an example says what it found")]

fn main() -> Result<(), nearprint::index::Error> {
    let codes: [u64; 4] = [0b0000_1111, 0b0000_1110, 0b1111_0000, 0b0000_1111];
    for pair in nearprint::pairs(&codes, 3)? {
        println!("{} and {} differ in {} bits", pair.a, pair.b, pair.distance);
    }
    Ok(())
}
