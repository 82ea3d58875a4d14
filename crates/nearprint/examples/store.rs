//! "Have we seen this page?": a store on disk that answers, and keeps what it answered.
//!
//!     cargo run --release --example store -- pages

#![expect(clippy::print_stdout, reason = "an example says what it found")]

use nearprint::store::Error;
use nearprint::{Outcome, Recipe, Settings, Store};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("give a folder for the store")?;
    // Documents within 3 bits are near; `nearprint store init` asks for a similarity of 0.8 instead.
    let store = match Store::open(&folder) {
        Err(Error::NoStore { .. }) => Store::create(&folder, &Settings::of(Recipe::default()))?,
        opened => opened?,
    };
    let pages = [("a", "The council met on Monday."), ("b", "the council met, on MONDAY")];
    for (id, text) in pages {
        match store.check_and_add(id, text)? {
            Outcome::Duplicate(near) => println!("{id} repeats {}", near.id),
            outcome => println!("{id}: {outcome:?}"),
        }
    }
    println!("{} documents", store.len());
    Ok(())
}
