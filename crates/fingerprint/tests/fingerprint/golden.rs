//! Frozen bits: the id of every built-in recipe and its fingerprints of fixed texts in many scripts.
//! A difference here is a new recipe or a new recipe version, never a new golden file.

use nearprint_fingerprint::{Fingerprinter, Recipe, Width};
use std::fmt::Write as _;

const TEXTS: [&str; 9] = [
    "",
    "Word",
    "The quick brown fox jumps over the lazy dog; the quick brown fox doesn't care: 3.14 times.",
    "ＦＵＬＬ-width ﬁgures ½, İstanbul, ΟΔΥΣΣΕΎΣ, Straße, e\u{301}té, naïve\u{ad}ly",
    "近似重复检测：把文本变成指纹，然后找出距离不超过三位的所有指纹。GPU 上有3个。",
    "ｶﾀｶﾅとひらがなと漢字が混ざった文章です。カタカナとひらがなと漢字。",
    "ที่นี่มีภาษาไทย และ 한국어 문서도 있습니다 и немного русского текста",
    "שלום עולם, צה\"ל — مرحبا بالعالم ٣٫١٤ नमस्ते दुनिया",
    "a a a a a a a a b b b b c c d 👨‍👩‍👧 🇫🇷 x_y __init__ 1,000.50 e.g. can't\r\n\ttabs",
];

fn row<const WORDS: usize>(recipe: &Recipe, out: &mut String) {
    let mut fingerprinter = Fingerprinter::<WORDS>::new(recipe).unwrap();
    writeln!(out, "{} {} {}", recipe.name, recipe.width, recipe.id()).unwrap();
    for text in TEXTS {
        let outcome = fingerprinter.fingerprint(text);
        writeln!(out, "{:>4} {}", outcome.features, outcome.fingerprint).unwrap();
    }
}

#[test]
fn recipes_and_fingerprints_are_frozen() {
    let mut found = String::new();
    let first = Recipe::builtin().iter().map(|recipe| Recipe { version: 1, ..recipe.clone() });
    let later = Recipe::builtin().iter().flat_map(|recipe| {
        let of_version = |version| {
            let name = format!("{} (version {version})", recipe.name);
            Recipe { name, version, ..recipe.clone() }
        };
        (2..=recipe.version).map(of_version).filter(|recipe| recipe.check().is_ok())
    });
    for recipe in first.chain(later) {
        row::<1>(&recipe.with_width(Width::W64), &mut found);
        row::<2>(&recipe.with_width(Width::W128), &mut found);
        row::<4>(&recipe.with_width(Width::W256), &mut found);
    }
    let frozen = include_str!("golden.txt");
    assert!(found == frozen, "golden.txt differs; found:\n{found}");
}
