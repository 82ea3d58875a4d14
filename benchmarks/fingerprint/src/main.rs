//! Measures the crate `nearprint-fingerprint`: texts in memory to fingerprints in memory. Prints a
//! line of JSON for each recipe and ends with status 1 where a fingerprint or a sketch is wrong.
//! `benchmarks/fingerprint.py` runs it.

mod contenders;
mod definition;
mod languages;
mod sketches;
mod texts;

use nearprint_fingerprint::{Fingerprinter, Recipe, UserDictionary};
use std::error::Error;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

const USAGE: &str = "usage: fingerprint-bench [--sketches TIMES] TEXTS RECIPE[+FILE][:WIDTH[:THREADS]] ...
       fingerprint-bench --versions|--places TIMES RECIPE ...
  TEXTS is a file of texts in ClickHouse's RowBinary; RECIPE is built in, or a file.toml; FILE is a user dictionary.
  --sketches measures without and with the sketch for bands in turn, so many times, on one thread.
  --versions measures the rules of version 1 and the newest in turn, --places fingerprints and tokens with places, each
  on made texts of several languages; the least time of each turn counts.";
/// Documents that a thread takes at a time.
const BATCH: usize = 64;
/// One document in so many is computed again by the definition.
const CHECKED: usize = 199;

type Failure = Box<dyn Error + Send + Sync>;

/// What is measured of one recipe.
struct Job {
    name: String,
    recipe: Recipe,
    threads: usize,
}

impl Job {
    fn parse(argument: &str) -> Result<Self, Failure> {
        let mut parts = argument.split(':');
        let recipe_and_file = parts.next().unwrap_or_default();
        let (name, user) = match recipe_and_file.split_once('+') {
            Some((name, user)) => (name, Some(user)),
            None => (recipe_and_file, None),
        };
        let recipe = match Recipe::named(name) {
            Ok(recipe) => recipe,
            Err(_) => Recipe::from_toml(
                &std::fs::read_to_string(name).map_err(|e| format!("recipe {name}: {e}"))?,
            )?,
        };
        let recipe = match user {
            Some(path) => {
                recipe.bound_to_user_dictionary(&UserDictionary::read(&std::fs::read(path)?)?)?
            }
            None => recipe,
        };
        let width = parts.next().map_or(Ok(recipe.width), str::parse)?;
        let threads = parts.next().map_or(Ok(1), str::parse)?;
        Ok(Self { name: recipe.name.clone(), recipe: recipe.with_width(width), threads })
    }

    /// One pass over the texts: the exclusive or of all words of all fingerprints, and the features.
    fn pass<const WORDS: usize>(&self, texts: &[String]) -> Result<(u64, usize), Failure> {
        let next = AtomicUsize::new(0);
        let work = || -> Result<(u64, usize), Failure> {
            let mut fingerprinter = Fingerprinter::<WORDS>::new(&self.recipe)?;
            let (mut xor, mut features) = (0, 0);
            loop {
                let start = next.fetch_add(BATCH, Ordering::Relaxed).min(texts.len());
                let batch = &texts[start..texts.len().min(start + BATCH)];
                if batch.is_empty() {
                    return Ok((xor, features));
                }
                for text in batch {
                    let outcome = fingerprinter.fingerprint(text);
                    xor ^= outcome.fingerprint.words().iter().fold(0, |all, word| all ^ word);
                    features += outcome.features;
                }
            }
        };
        if self.threads == 1 {
            return work();
        }
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads).map(|_| scope.spawn(work)).collect();
            let mut sum = (0, 0);
            for thread in threads {
                let (xor, features) = thread.join().map_err(|_| "a thread panicked")??;
                sum = (sum.0 ^ xor, sum.1 + features);
            }
            Ok(sum)
        })
    }

    fn run<const WORDS: usize>(
        &self,
        texts: &[String],
        sketches: Option<usize>,
    ) -> Result<(), Failure> {
        if let Some(times) = sketches {
            return sketches::run::<WORDS>(&self.recipe, texts, times);
        }
        let mut fingerprinter = Fingerprinter::<WORDS>::new(&self.recipe)?;
        for text in texts.iter().step_by(CHECKED) {
            let (found, expected) =
                (fingerprinter.fingerprint(text), definition::fingerprint(&self.recipe, text)?);
            if found.fingerprint != expected {
                let start: String = text.chars().take(60).collect();
                return Err(format!(
                    "recipe {}: {found:?}, not {expected}, for the text that \
                                    begins {start:?}",
                    self.name
                )
                .into());
            }
        }
        self.pass::<WORDS>(&texts[..texts.len() / 10])?;
        let start = Instant::now();
        let (xor, features) = self.pass::<WORDS>(texts)?;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            r#"{{"name":"{}","width":{},"threads":{},"seconds":{seconds:.6},"features":{features},"xor":"{xor:016x}"}}"#,
            self.name, self.recipe.width, self.threads
        );
        Ok(())
    }
}

fn run() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1).peekable();
    if let Some(what) = args.next_if(|arg| arg == "--versions" || arg == "--places") {
        let times = args.next().ok_or(USAGE)?.parse()?;
        let jobs: Vec<Job> = args.map(|recipe| Job::parse(&recipe)).collect::<Result<_, _>>()?;
        let recipes: Vec<Recipe> = jobs.into_iter().map(|job| job.recipe).collect();
        return match what.as_str() {
            "--versions" => contenders::versions(times, &recipes),
            _ => contenders::places(times, &recipes),
        };
    }
    let times: Option<usize> = match args.next_if(|arg| arg == "--sketches") {
        Some(_) => Some(args.next().ok_or(USAGE)?.parse()?),
        None => None,
    };
    let texts = texts::read(&args.next().ok_or(USAGE)?)?;
    for job in args {
        let job = Job::parse(&job)?;
        match job.recipe.width.bits() {
            64 => job.run::<1>(&texts, times)?,
            128 => job.run::<2>(&texts, times)?,
            _ => job.run::<4>(&texts, times)?,
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("fingerprint-bench: {failure}");
            ExitCode::FAILURE
        }
    }
}
