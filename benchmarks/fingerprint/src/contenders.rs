//! Ways to do one thing, measured in turn: the rules of version 1 beside the newest, tokens with places beside hashes.

use crate::Failure;
use crate::languages::{LANGUAGES, Language};
use nearprint_fingerprint::{Digits, Fingerprinter, PlacedTokens, Recipe, Tokenizer};
use std::hint::black_box;
use std::time::Instant;

/// Texts of a turn: it is over before the machine changes what else it does.
const TURN: usize = 16;

/// Fingerprints texts of every language by the rules of version 1 and the newest of each recipe.
pub fn versions(times: usize, recipes: &[Recipe]) -> Result<(), Failure> {
    for recipe in recipes {
        let mut old = Fingerprinter::<1>::new(&recipe.with_version(1)?)?;
        let mut new = Fingerprinter::<1>::new(recipe)?;
        for language in &LANGUAGES {
            let [before, after] = seconds(
                times,
                language,
                [
                    &mut |text| {
                        black_box(old.fingerprint(text));
                    },
                    &mut |text| {
                        black_box(new.fingerprint(text));
                    },
                ],
            );
            print(recipe, language, ["version 1", "newest"], [before, after]);
        }
    }
    Ok(())
}

/// Makes tokens with places of texts of every language, beside fingerprints.
pub fn places(times: usize, recipes: &[Recipe]) -> Result<(), Failure> {
    for recipe in recipes {
        let mut fingerprinter = Fingerprinter::<1>::new(recipe)?;
        let mut tokenizer = Tokenizer::new(recipe, Digits::Keep)?;
        let mut tokens = PlacedTokens::default();
        for language in &LANGUAGES {
            let [fingerprints, places] = seconds(
                times,
                language,
                [
                    &mut |text| {
                        black_box(fingerprinter.fingerprint(text));
                    },
                    &mut |text| {
                        tokenizer.tokens(text, &mut tokens);
                        black_box(&tokens);
                    },
                ],
            );
            print(recipe, language, ["fingerprints", "places"], [fingerprints, places]);
        }
    }
    Ok(())
}

/// The least seconds of each contender for every turn, over so many times, in sum: what it takes where nothing disturbs.
fn seconds<const N: usize>(
    times: usize,
    language: &Language,
    mut contenders: [&mut dyn FnMut(&str); N],
) -> [f64; N] {
    let texts = language.texts();
    let turns: Vec<_> = texts.chunks(TURN).collect();
    let mut least = vec![[f64::MAX; N]; turns.len()];
    for time in 0..times {
        for (turn, least) in turns.iter().zip(&mut least) {
            for place in 0..N {
                // Whoever comes second finds the texts in the caches: each comes first in its turn.
                let own = (place + time) % N;
                let start = Instant::now();
                turn.iter().for_each(|text| contenders[own](text));
                least[own] = least[own].min(start.elapsed().as_secs_f64());
            }
        }
    }
    std::array::from_fn(|own| least.iter().map(|turn| turn[own]).sum())
}

fn print<const N: usize>(
    recipe: &Recipe,
    language: &Language,
    names: [&str; N],
    seconds: [f64; N],
) {
    let bytes: usize = language.texts().iter().map(String::len).sum();
    let seconds: Vec<_> = names
        .iter()
        .zip(seconds)
        .map(|(name, seconds)| format!(r#""{name}":{seconds:.9}"#))
        .collect();
    println!(
        r#"{{"recipe":"{}","texts":"{}","bytes":{bytes},"seconds":{{{}}}}}"#,
        recipe.name,
        language.name,
        seconds.join(",")
    );
}
