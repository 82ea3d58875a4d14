//! Near-duplicates among texts in memory: which stay, which go, and because of which.
//!
//!     cargo run --release --example dedup_texts

#![expect(clippy::print_stdout, reason = "an example says what it found")]

use nearprint::Dedup;

fn main() -> Result<(), nearprint::dedup::Error> {
    let texts = [
        "The city council approved the new budget on Monday after a long debate about schools.",
        "A storm is expected to reach the northern coast by the end of the week.",
        "the city council approved the new budget on Monday, after a long debate about schools",
    ];
    let found = Dedup::new().similarity(0.8).texts(&texts)?;
    println!("these stay: {:?}", found.kept());
    for gone in found.removed() {
        let Some(alike) = gone.evidence.alike else { continue };
        let (measure, similarity) = (alike.measure.name(), alike.similarity);
        println!("{} repeats {} ({measure} {similarity:.2})", gone.position, gone.near);
    }
    Ok(())
}
