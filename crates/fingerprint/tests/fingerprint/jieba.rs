//! Words, parts of speech, keywords and ranks against jieba itself: `jieba/answers.py` wrote what is compared
//! here. All must be equal, to the last bit of each weight.
//!
//! `jieba/answers.jsonl` is its answer on `samples/zh.jsonl` and on `jieba/texts.jsonl`, `jieba/answers-files.jsonl`
//! that on the latter with a user dictionary, stop words and frequencies, `jieba/answers-removed.jsonl` that on rows of
//! the samples with the words removed of `jieba/removed.txt`: words of jieba's dictionary, words that its model finds,
//! and words that the file itself adds before. To compare on other documents, run the script on them and name
//! its output in `NEARPRINT_JIEBA_ROWS`.

use nearprint_fingerprint::{
    Fingerprinter, IdfFile, Recipe, RecipeError, StopFile, UserDictionary, Weighting,
};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What jieba answers about a text: lists joined by `¦`.
#[derive(Deserialize)]
struct Row {
    words: String,
    tagged: String,
    keywords: String,
    nouns: String,
    textrank: String,
    fingerprint: String,
}

impl Row {
    fn text(&self) -> String {
        self.words.split('¦').collect()
    }

    /// The words of the row's parts of speech `parts`.
    fn of_parts(&self, parts: &[String]) -> Vec<&str> {
        let tagged = self.tagged.split('¦').map(|word| word.rsplit_once('/').unwrap());
        tagged.filter(|(_, part)| parts.iter().any(|p| p == part)).map(|(word, _)| word).collect()
    }
}

fn weights(list: &str) -> BTreeMap<String, f64> {
    let pairs = list.split('¦').filter_map(|pair| pair.rsplit_once('/'));
    pairs.map(|(word, digits)| (word.to_owned(), digits.parse().unwrap())).collect()
}

/// The parts of speech of a row, half of them, so that words of the others are left out.
fn some_parts(row: &Row) -> Vec<String> {
    let parts = row.tagged.split('¦').map(|word| word.rsplit_once('/').unwrap().1.to_owned());
    let mut parts: Vec<_> = parts.collect();
    parts.sort_unstable();
    parts.dedup();
    parts.into_iter().step_by(2).collect()
}

type Bind = dyn Fn(Recipe) -> Result<Recipe, RecipeError>;

fn compare(rows: &str, bind: &Bind) -> usize {
    let of = |name: &str| bind(Recipe::named(name).unwrap()).unwrap();
    let fingerprinter = |recipe: &Recipe| Fingerprinter::<1>::new(recipe).unwrap();
    // Every word, in order: what a recipe of keywords cuts, before it chooses.
    let words = |recipe: &Recipe, text: &str| {
        let mut found = Vec::new();
        recipe.tokens(None, text, &mut String::new(), |word| found.push(word.to_owned()));
        found
    };
    let nouns = ["n", "nr", "ns", "nz"].map(str::to_owned).to_vec();
    let (mut keywords, mut ranks) =
        (fingerprinter(&of("zh-keywords")), fingerprinter(&of("zh-textrank")));
    let mut nouns_of = fingerprinter(&Recipe { parts_of_speech: nouns, ..of("zh-keywords") });
    let plain = Recipe { min_length: 0, weights: Weighting::Set, ..of("zh-textrank") };
    let mut compared = 0;
    for line in rows.lines() {
        let row: Row = serde_json::from_str(line).unwrap();
        let text = row.text();
        let lettered = |word: &&str| word.contains(char::is_alphanumeric);
        let expected: Vec<_> = row.words.split('¦').filter(lettered).collect();
        assert_eq!(words(&plain, &text), expected, "words of row {compared}");
        let parts = some_parts(&row);
        let expected: Vec<_> = row.of_parts(&parts).into_iter().filter(lettered).collect();
        let some = Recipe { parts_of_speech: parts, ..plain.clone() };
        assert_eq!(words(&some, &text), expected, "{:?} of row {compared}", some.parts_of_speech);
        for (fingerprinter, expected) in [
            (&mut keywords, &row.keywords),
            (&mut nouns_of, &row.nouns),
            (&mut ranks, &row.textrank),
        ] {
            let set = fingerprinter.features(&text);
            let found: BTreeMap<_, _> =
                set.iter().map(|(word, weight)| (word.to_owned(), weight)).collect();
            let weights_of = fingerprinter.recipe().weights;
            assert_eq!(found, weights(expected), "{weights_of:?} of row {compared}");
        }
        let fingerprint = keywords.fingerprint(&text).fingerprint.to_string();
        assert_eq!(fingerprint, row.fingerprint, "row {compared}: {text}");
        compared += 1;
    }
    compared
}

#[test]
fn words_keywords_and_ranks_are_those_of_jieba() {
    assert_eq!(compare(include_str!("jieba/answers.jsonl"), &Ok), 42);
    if let Ok(path) = std::env::var("NEARPRINT_JIEBA_ROWS") {
        let rows = std::fs::read_to_string(path).unwrap();
        println!("{} further documents agree", compare(&rows, &Ok));
    }
}

#[test]
fn files_of_words_change_what_they_change_in_jieba() {
    let user = UserDictionary::read(include_bytes!("jieba/user.txt")).unwrap();
    let stop = StopFile::read(include_bytes!("jieba/stop.txt")).unwrap();
    let idf = IdfFile::read(include_bytes!("jieba/idf.txt")).unwrap();
    let bind = move |recipe: Recipe| {
        let bound = recipe.bound_to_user_dictionary(&user)?.bound_to_stop_file(&stop)?;
        if recipe.weights == Weighting::Keywords {
            bound.bound_to_idf_file(&idf)
        } else {
            Ok(bound)
        }
    };
    assert_eq!(compare(include_str!("jieba/answers-files.jsonl"), &bind), 10);
}

#[test]
fn words_that_a_user_removes_are_cut_as_in_jieba() {
    let removed = UserDictionary::read(include_bytes!("jieba/removed.txt")).unwrap();
    let bind = move |recipe: Recipe| recipe.bound_to_user_dictionary(&removed);
    assert_eq!(compare(include_str!("jieba/answers-removed.jsonl"), &bind), 8);
}

#[test]
fn files_of_words_are_part_of_the_recipe() {
    let file = |text: &str| UserDictionary::read(text.as_bytes()).unwrap();
    let (one, two) = (file("区块链\n"), file("区块链 5\n"));
    let zh = Recipe::named("zh").unwrap();
    let bound = zh.bound_to_user_dictionary(&one).unwrap();
    assert_ne!(bound.id(), zh.id());
    assert_ne!(bound.id(), zh.bound_to_user_dictionary(&two).unwrap().id());
    // As it is read from a recipe that names it.
    let named = Recipe::from_toml(&bound.to_toml()).unwrap();
    assert_eq!((named.id(), &named), (bound.id(), &bound));
    let error = Fingerprinter::<1>::new(&named).unwrap_err().to_string();
    let expected = format!(
        "the recipe was made for the user dictionary with identity {one}, which is not given"
    );
    assert_eq!(error, expected);
    assert_eq!(named.bound_to_user_dictionary(&one).unwrap().id(), bound.id());
    let error = named.bound_to_user_dictionary(&two).unwrap_err().to_string();
    assert!(
        error.contains(&format!("made for the user dictionary with identity {one}")),
        "{error}"
    );
    let stop = StopFile::read("的\n".as_bytes()).unwrap();
    let error = Recipe::named("words").unwrap().bound_to_stop_file(&stop).unwrap_err().to_string();
    assert!(
        error.contains("does not use a stop-word file; split = \"zh\" with version = 3"),
        "{error}"
    );
    let idf = IdfFile::read("区块链 5\n".as_bytes()).unwrap();
    let error = zh.bound_to_idf_file(&idf).unwrap_err().to_string();
    assert!(error.contains("does not use an idf file; weights = \"keywords\""), "{error}");
    // The first version of the rules knows no files: its ids and bits stay as they were.
    assert!(Recipe { version: 1, ..zh }.bound_to_user_dictionary(&one).is_err());
}
