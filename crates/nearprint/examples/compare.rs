//! How alike two texts are, and why.
//!
//!     cargo run --release --example compare

#![expect(clippy::print_stdout, reason = "an example says what it found")]

use nearprint::Recipe;

fn main() -> Result<(), nearprint::RecipeError> {
    let (old, new) = ("The council met on Monday.", "The council met on Tuesday.");
    let why = nearprint::compare(&Recipe::named("words")?, old, new)?;
    println!("{} bits apart, Jaccard {:.2}", why.distance, why.similarity.jaccard);
    for feature in why.differences() {
        println!("{}: {} in the old, {} in the new", feature.feature, feature.a, feature.b);
    }
    Ok(())
}
