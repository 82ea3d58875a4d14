//! Fingerprints of 64 bits by the crates find-simdoc and simhash, on one thread, from texts in
//! memory: text-peers TEXTS NAME ... prints a line of JSON for each name.

#[path = "../../../fingerprint/src/texts.rs"]
mod texts;

use find_simdoc::feature::{FeatureConfig, FeatureExtractor};
use find_simdoc::lsh::simhash::SimHasher;
use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "usage: text-peers TEXTS NAME ...
  NAME is simhash-words, simhash-chars-4, find-simdoc-words, find-simdoc-shingles-3 or
  find-simdoc-chars-4.";

type Fingerprint = Box<dyn FnMut(&str) -> u64>;

/// find-simdoc with unit weights: runs of `n` words between blanks, or of characters.
fn find_simdoc(n: usize, words: bool) -> Result<Fingerprint, Box<dyn Error>> {
    let config = FeatureConfig::new(n, words.then_some(' '), 42)?;
    let (hasher, mut features) = (SimHasher::new(42), Vec::new());
    Ok(Box::new(move |text| {
        FeatureExtractor::new(&config).extract_with_weights(text, &mut features);
        hasher.iter(&features).next().unwrap_or(0)
    }))
}

/// Runs of four characters, without copying them.
fn chars_4(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.char_indices().map(|(at, _)| at).skip(4).chain([text.len()]);
    text.char_indices().zip(ends).map(|((start, _), end)| &text[start..end])
}

fn fingerprint(name: &str) -> Result<Fingerprint, Box<dyn Error>> {
    Ok(match name {
        "simhash-words" => Box::new(simhash::simhash),
        "simhash-chars-4" => Box::new(|text| simhash::simhash_stream(chars_4(text))),
        "find-simdoc-words" => find_simdoc(1, true)?,
        "find-simdoc-shingles-3" => find_simdoc(3, true)?,
        "find-simdoc-chars-4" => find_simdoc(4, false)?,
        _ => return Err(USAGE.into()),
    })
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let texts = texts::read(&args.next().ok_or(USAGE)?).map_err(|e| e.to_string())?;
    for name in args {
        let mut fingerprint = fingerprint(&name)?;
        let mut pass = |texts: &[String]| texts.iter().fold(0, |all, text| all ^ fingerprint(text));
        pass(&texts[..texts.len() / 10]);
        let start = Instant::now();
        let xor = pass(&texts);
        let seconds = start.elapsed().as_secs_f64();
        println!(r#"{{"name":"{name}","seconds":{seconds:.6},"xor":"{xor:016x}"}}"#);
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("text-peers: {failure}");
            ExitCode::FAILURE
        }
    }
}
