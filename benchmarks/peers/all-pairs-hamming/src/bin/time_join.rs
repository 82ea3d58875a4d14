//! `time_join CODES K RUNS` times the self join of the crate alone, from codes in memory to a list
//! of pairs, and prints one line of JSON. The sum over the pairs is that of `benchmarks/index`.

use std::error::Error;
use std::fs;
use std::time::Instant;

use all_pairs_hamming::ChunkedJoiner;

const BITS: f64 = 64.0;

fn weight(a: u64, b: u64, distance: u32) -> u64 {
    (a << 32 ^ b)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(23)
        .wrapping_add(distance.into())
        .wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [codes, k, runs] = args.as_slice() else {
        return Err("usage: time_join CODES K RUNS".into());
    };
    let k: f64 = k.parse()?;
    let bytes = fs::read(codes)?;
    let codes: Vec<u64> =
        bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
    drop(bytes);
    let (mut seconds, mut found, mut sum) = (Vec::new(), 0, 0_u64);
    for _ in 0..runs.parse::<usize>()? {
        let start = Instant::now();
        let mut joiner = ChunkedJoiner::<u32>::new(2);
        for code in &codes {
            joiner.add([(code >> 32) as u32, *code as u32])?;
        }
        let pairs = joiner.similar_pairs(k / BITS);
        seconds.push(start.elapsed().as_secs_f64().to_string());
        found = pairs.len();
        sum = pairs.iter().fold(0, |sum, (a, b, distance)| {
            sum.wrapping_add(weight(*a as u64, *b as u64, (distance * BITS) as u32))
        });
    }
    println!(
        r#"{{"what":"peer","peer":"all-pairs-hamming 0.1.0","codes":{},"seconds":[{}],"pairs":{found},"sum":"{sum}"}}"#,
        codes.len(),
        seconds.join(",")
    );
    Ok(())
}
