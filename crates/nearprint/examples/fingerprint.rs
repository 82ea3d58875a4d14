//! Texts to fingerprints: by the default recipe, and by another one at another width.
//!
//!     cargo run --release --example fingerprint

#![expect(clippy::print_stdout, reason = "an example says what it found")]

use nearprint::{Recipe, Width};

fn main() -> Result<(), nearprint::RecipeError> {
    let texts = ["One document.", "Another document.", "one DOCUMENT"];
    for code in nearprint::fingerprint_all(&texts) {
        println!("{code}");
    }
    let recipe = Recipe::named("chars-5")?.with_width(Width::W128);
    for code in recipe.fingerprinter::<2>()?.fingerprint_all(&texts) {
        println!("{code}");
    }
    Ok(())
}
