//! Phrases from a corpus to the bits: learned, kept in a statistics file and joined.

use nearprint_fingerprint::{
    Feature, Fingerprinter, Recipe, Statistics, StatisticsBuilder, Sums, TokenCounts, TokenKeys,
    Weighting, shingles,
};

/// A corpus in which "new" and "york" belong together and no other words do.
fn corpus() -> Vec<String> {
    let place = |i| if i % 3 == 0 { "New York".to_owned() } else { format!("at {}", i * i % 31) };
    (0..90).map(|i| format!("{} he met {} {}", i % 13, i * 7 % 37, place(i))).collect()
}

fn learned(recipe: &Recipe, corpus: &[String]) -> Statistics {
    let mut reader = TokenKeys::new(recipe).unwrap();
    let mut tokens_of = |text: &String| {
        let mut tokens = Vec::new();
        reader.keys(text, None, &mut tokens);
        tokens
    };
    let mut tokens = TokenCounts::default();
    corpus.iter().for_each(|text| tokens.add(&tokens_of(text)));
    let mut pairs = tokens.pairs(recipe.phrases);
    corpus.iter().for_each(|text| pairs.add(&tokens_of(text)));
    let mut builder = StatisticsBuilder::with_phrases(recipe, &pairs.phrases()).unwrap();
    corpus.iter().for_each(|text| builder.add_text(text, None));
    Statistics::open(builder.finish()).unwrap()
}

#[test]
fn a_learned_phrase_is_one_token() {
    let recipe = Recipe { phrases: 10, shingle: 2, ..Recipe::named("text").unwrap() };
    let corpus = corpus();
    let statistics = learned(&recipe, &corpus);
    // By the formula: 30 times in 450 tokens, (30 - 5) * 450 / (30 * 30) = 12.5.
    assert_eq!(statistics.phrases().len(), 1);
    let backwards: Vec<_> = corpus.iter().rev().cloned().collect();
    assert_eq!(learned(&recipe, &backwards).id(), statistics.id());
    let mut fingerprinter = Fingerprinter::<1>::with_statistics(&recipe, &statistics).unwrap();
    let text = "New new york, York new york";
    let [new, york] = ["new", "york"].map(|word| recipe.hash.hash(word));
    let pair = |a, b| {
        let mut key = 0;
        shingles(&[a, b], 2, |found| key = found);
        key
    };
    let new_york = pair(new, york);
    let mut sums = Sums::default();
    for key in [pair(new, new_york), pair(new_york, york), pair(york, new_york)] {
        sums.add(&Feature { hash: [key], weight: 1.0 });
    }
    let found = fingerprinter.fingerprint(text);
    assert_eq!((found.fingerprint, found.features), (sums.fingerprint(recipe.sign), 3));
    let features = fingerprinter.features(text);
    let names: Vec<_> = features.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["new new york", "new york york", "york new york"]);
    let why = fingerprinter.explain(text);
    assert_eq!(why.tokens, ["new", "new york", "york", "new york"]);
    assert_eq!(why.bits, sums.fingerprint(recipe.sign).into());
}

#[test]
fn phrases_come_from_a_file_that_has_them() {
    let recipe = Recipe { phrases: 10, ..Recipe::named("words").unwrap() };
    let error = Fingerprinter::<1>::new(&recipe).unwrap_err().to_string();
    assert!(error.contains("phrases needs a statistics file"), "{error}");
    let plain = Recipe { phrases: 0, weights: Weighting::Idf, ..recipe.clone() };
    let mut builder = StatisticsBuilder::new(&plain).unwrap();
    builder.add_text("new york", None);
    let without = Statistics::open(builder.finish()).unwrap();
    let error = Fingerprinter::<1>::with_statistics(&recipe, &without).unwrap_err().to_string();
    assert!(error.contains("phrases = 10 in the recipe, absent in the file"), "{error}");
}
