//! Near-duplicates in files: what `nearprint dedup IN -o OUT --removed F` does.
//!
//!     cargo run --release --example dedup_files -- samples/news.jsonl kept.jsonl removed.jsonl

#![expect(clippy::print_stdout, reason = "an example says what it found")]

use nearprint::Dedup;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output, removed] = arguments.as_slice() else {
        return Err("give an input, an output and a file for what is removed".into());
    };
    let summary = Dedup::new().files([input]).removed(removed).write(output)?;
    println!("{} documents: {} kept, {} removed", summary.documents, summary.kept, summary.removed);
    Ok(())
}
