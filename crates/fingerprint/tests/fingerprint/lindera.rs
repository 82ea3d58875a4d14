//! Words by a dictionary of a dozen words, built here by the library that reads it from the sources in
//! `lindera/`: `words.csv` (word, left and right context, cost, details) and the files of MeCab.

use lindera_dictionary::builder::DictionaryBuilder;
use lindera_dictionary::dictionary::metadata::Metadata;
use lindera_dictionary::dictionary::schema::Schema;
use lindera_dictionary::space_penalty::{SpacePenaltyConfig, SpacePenaltyRule};
use nearprint_fingerprint::{
    DictionaryError, Fingerprinter, Recipe, Split, Statistics, StatisticsBuilder, Weighting,
    WordDictionary,
};
use std::collections::BTreeMap;
use std::{fs, io};

/// A built dictionary: bytes by the name of the file.
type Files = BTreeMap<String, Vec<u8>>;

/// The dictionary of `lindera/` with `more` words.
fn build(metadata: Metadata, more: &str) -> Files {
    let (sources, built) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let texts = [
        ("char.def", include_str!("lindera/char.def")),
        ("unk.def", include_str!("lindera/unk.def")),
        ("matrix.def", include_str!("lindera/matrix.def")),
        ("words.csv", include_str!("lindera/words.csv")),
        ("more.csv", more),
    ];
    texts.iter().for_each(|(name, text)| fs::write(sources.path().join(name), text).unwrap());
    DictionaryBuilder::new(metadata).build_dictionary(sources.path(), built.path()).unwrap();
    let files = fs::read_dir(built.path()).unwrap().map(|entry| {
        let entry = entry.unwrap();
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    });
    files.collect()
}

fn open(files: &Files) -> Result<WordDictionary, DictionaryError> {
    WordDictionary::open(|file| files.get(file).cloned().ok_or(io::ErrorKind::NotFound.into()))
}

fn small() -> WordDictionary {
    open(&build(Metadata::default(), "")).unwrap()
}

fn recipe() -> Recipe {
    Recipe { split: Split::Lindera, ..Recipe::named("words").unwrap() }
}

fn words(dictionary: &WordDictionary, text: &str) -> String {
    let recipe = recipe().bound_to_dictionary(dictionary).unwrap();
    let mut found = Vec::new();
    recipe.tokens(None, text, &mut String::new(), |word| found.push(word.to_owned()));
    found.join("/")
}

#[test]
fn words_are_those_of_the_cheapest_path() {
    let dictionary = small();
    let found = |text| words(&dictionary, text);
    assert_eq!(found("市議会は新しい予算を承認した。"), "市議会/は/新しい/予算/を/承認/した");
    // 東 + 京都 costs 1500 more.
    assert_eq!(found("東京都の予算"), "東京/都/の/予算");
    // Words that the dictionary lacks: runs of one kind, by the rules of `char.def`.
    assert_eq!(found("GPU42のサーバー、東京\n予算!"), "gpu42/の/サーバー/東京/予算");
    assert_eq!(found(" \n… 。"), "");
    // A sentence ends before what could be a word.
    let across = open(&build(Metadata::default(), "。東京,1,1,-9000,,,,,,,,,\n")).unwrap();
    assert_eq!(words(&across, "予算。東京"), "予算/東京");
}

#[test]
fn the_dictionary_is_part_of_the_recipe() {
    let (small, larger) = (small(), open(&build(Metadata::default(), "東京都,1,1,500,,,,,,,,,\n")));
    let larger = larger.unwrap();
    assert_eq!(words(&larger, "東京都の予算"), "東京都/の/予算");
    let [a, b] =
        [&small, &larger].map(|dictionary| recipe().bound_to_dictionary(dictionary).unwrap());
    assert_ne!(a.id(), b.id());
    assert_ne!(a.id(), recipe().id());
    let differences = a.differences(&b);
    assert_eq!(differences, [format!("dictionary = \"{small}\" here, \"{larger}\" there")]);
    // One cost alone is another.
    let dearer = open(&build(Metadata::default(), "東京都,1,1,501,,,,,,,,,\n")).unwrap();
    assert_ne!(dearer, larger);
    // As it is built anew, and as it is read from a recipe that names it.
    assert_eq!(open(&build(Metadata::default(), "")).unwrap(), small);
    let named = Recipe::from_toml(&a.to_toml()).unwrap();
    assert_eq!((named.id(), &named), (a.id(), &a));
    assert_eq!(named.bound_to_dictionary(&small).unwrap().id(), a.id());
    let error = named.bound_to_dictionary(&larger).unwrap_err().to_string();
    assert!(error.contains(&format!("made for the dictionary with identity {small}")), "{error}");
    for (recipe, says) in [
        (named, format!("the one with identity {small}")),
        (recipe(), "needs a dictionary that lindera built".into()),
    ] {
        let error = Fingerprinter::<1>::new(&recipe).unwrap_err().to_string();
        assert!(error.contains("split = \"lindera\" needs a dictionary"), "{error}");
        assert!(error.ends_with(&says), "{error}");
    }
    let error =
        Recipe::named("words").unwrap().bound_to_dictionary(&small).unwrap_err().to_string();
    assert!(error.contains("uses no dictionary"), "{error}");
    let other = Recipe { split: Split::Words, ..a };
    assert!(other.check().unwrap_err().to_string().contains("only split = \"lindera\""));
}

/// Frozen: a change of these bits is a change of the crate that reads dictionaries.
#[test]
fn fingerprints_are_frozen_and_statistics_know_the_dictionary() {
    let dictionary = small();
    let bound = recipe().bound_to_dictionary(&dictionary).unwrap();
    let mut fingerprinter = Fingerprinter::<1>::new(&bound).unwrap();
    let found = fingerprinter.fingerprint("東京都の市議会は新しい予算を承認した。東京都の予算!");
    assert_eq!(found.features, 14);
    assert_eq!(found.fingerprint.to_string(), "0e0ae29196a8f990");

    let weighed = Recipe { weights: Weighting::Idf, ..bound };
    let mut builder = StatisticsBuilder::new(&weighed).unwrap();
    builder.add_text("東京都の予算", None);
    let statistics = Statistics::open(builder.finish()).unwrap();
    assert_eq!(statistics.terms(), 4);
    assert!(weighed.bound_to_statistics(&statistics).is_ok());
    let other = open(&build(Metadata::default(), "東京都,1,1,500,,,,,,,,,\n")).unwrap();
    let other = Recipe { weights: Weighting::Idf, ..recipe() }.bound_to_dictionary(&other).unwrap();
    let error = other.bound_to_statistics(&statistics).unwrap_err().to_string();
    assert!(error.contains("dictionary = "), "{error}");
}

#[test]
fn penalties_of_the_dictionary_behind_a_blank_are_applied() {
    let rule = SpacePenaltyRule::new(["名詞"], 30_000);
    let mut metadata = Metadata::default();
    let major = |name: String| if name == "major_pos" { "part_of_speech_tag".into() } else { name };
    let fields = metadata.dictionary_schema.fields.into_iter().map(major);
    metadata.dictionary_schema = Schema::new(fields.collect());
    let more = "予,1,1,4000,副詞,,,,,,,,\n算,1,1,4000,副詞,,,,,,,,\n";
    let plain = open(&build(metadata.clone(), more)).unwrap();
    metadata.space_penalty = Some(SpacePenaltyConfig::new(vec![rule]));
    let penal = open(&build(metadata, more)).unwrap();
    assert_eq!(words(&plain, "東京 予算"), "東京/予算");
    assert_eq!(words(&penal, "東京 予算"), "東京/予/算");
    assert_ne!(plain, penal);
}

#[test]
fn long_text_without_an_end_of_sentence_is_cut() {
    let dictionary = small();
    let text = "市議会は東京都の予算を承認した".repeat(20_000);
    let found = words(&dictionary, &text);
    let expected = 20_000 * "市議会/は/東京/都/の/予算/を/承認/した".split('/').count();
    let number = found.split('/').count();
    // At a border of two sentences a word may be cut, once in 32 KiB.
    assert!(number.abs_diff(expected) <= 2 * (text.len() >> 15), "{number} of {expected}");
    assert_eq!(found.replace('/', ""), text);
}

#[test]
fn every_missing_or_shortened_file_is_named() {
    let files = build(Metadata::default(), "");
    assert_eq!(files.len(), 9);
    for (name, bytes) in &files {
        let mut fewer = files.clone();
        fewer.remove(name);
        let error = open(&fewer).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("{name}: entity not found; expected a folder")),
            "{error}"
        );
        let lengths = [0, 1, 7, bytes.len() / 3, bytes.len() / 2, bytes.len() - 8, bytes.len() - 1];
        for length in lengths {
            let mut shorter = files.clone();
            shorter.insert(name.clone(), bytes[..length].to_vec());
            let error = open(&shorter).unwrap_err();
            assert!(matches!(error, DictionaryError::Corrupt { .. }), "{name} {length}: {error}");
        }
    }
}

#[test]
fn files_that_do_not_fit_each_other_are_refused() {
    let files = build(Metadata::default(), "");
    let damaged = |name: &str, at: usize, byte| {
        let mut files = files.clone();
        files.get_mut(name).unwrap()[at] = byte;
        open(&files).map(|dictionary| words(&dictionary, "東京都の予算、GPU"))
    };
    let error = damaged("dict.vals", 6, 9).unwrap_err().to_string();
    assert!(error.contains("matrix.mtx is corrupt: it lacks contexts"), "{error}");
    // Any one byte changed is refused, or gives other words: nothing goes astray.
    for name in ["unk.bin", "matrix.mtx", "dict.trie", "dict.valsidx", "dict.vals"] {
        for at in (0..files[name].len()).step_by(files[name].len() / 20 + 1) {
            let _ = damaged(name, at, 0xFF);
        }
    }
    // Where the library would go astray itself.
    let name = "char_def.bin";
    let refused = (0..files[name].len()).filter_map(|at| damaged(name, at, 0xFF).err());
    let said = refused.map(|error| error.to_string()).collect::<Vec<_>>();
    let astray =
        "char_def.bin is corrupt: its parts do not fit together; build the dictionary again";
    assert!(said.iter().any(|said| said == astray), "{said:#?}");
}

#[test]
fn a_dictionary_of_another_version_is_refused() {
    let mut files = build(Metadata::default(), "");
    let metadata = String::from_utf8(files["metadata.json"].clone()).unwrap();
    let older = metadata.replace("\"format_version\": 2", "\"format_version\": 1");
    assert_ne!(older, metadata);
    // Its other files had other names.
    files.remove("dict.trie");
    files.insert("metadata.json".into(), older.into());
    assert_eq!(open(&files).unwrap_err(), DictionaryError::Version { found: 1, known: 2 });
}
