//! Any text as a recipe: it is refused, or it makes fingerprints and reads back as itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearprint_fingerprint::{Fingerprinter, Recipe, Width};

fuzz_target!(|toml: &str| {
    let Ok(recipe) = Recipe::from_toml(toml) else { return };
    let again = Recipe::from_toml(&recipe.to_toml()).expect("a recipe reads back");
    assert_eq!((again.id(), &again), (recipe.id(), &recipe));
    assert!(recipe.differences(&again).is_empty());
    if let Ok(mut fingerprinter) = Fingerprinter::<1>::new(&recipe.with_width(Width::W64)) {
        fingerprinter.fingerprint("Some text, 一些文字, ข้อความ: foo(bar) 3.14");
    }
});
