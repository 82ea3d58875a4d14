//! A process that is killed while it writes: what it was told to be durable is there, once.
//!
//! `NEARPRINT_CRASHES` says how many times, 6 by default.

use crate::room::{Room, alike_document, alike_settings, document, options, random, settings};
use nearprint_store::{Document, Outcome, Store, Write};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

/// Names the store that the child process writes to, and the round.
const STORE: &str = "NEARPRINT_CRASH_STORE";
const ROUND: &str = "NEARPRINT_CRASH_ROUND";
/// Says that the store finds by similarity.
const ALIKE: &str = "NEARPRINT_CRASH_ALIKE";
/// Kills that one store goes through.
const AGE: u64 = 20;
/// Documents of one bulk write.
const BULK: u64 = 500;

/// The fingerprint of a document of these tests, which its id tells.
fn code(id: &str) -> u64 {
    id.bytes().fold(0, |code, byte| random(code ^ u64::from(byte)))
}

/// A document for the store.
fn made(alike: bool, id: &str, code: u64) -> Document {
    if alike { alike_document(id, code) } else { document(id, code) }
}

/// The child: writes until it is killed, and says what it was answered, a line each. A `?` goes before
/// a removal, a `-` after it, a `+` after documents that are stored.
#[test]
fn child() {
    let Ok(path) = std::env::var(STORE) else { return };
    let round = std::env::var(ROUND).unwrap();
    let path = Path::new(&path);
    let alike = std::env::var(ALIKE).is_ok();
    let settings = if alike { alike_settings } else { settings };
    let document = |id: &str, code| made(alike, id, code);
    let store = match Store::open_with(path, &options()) {
        Err(nearprint_store::Error::NoStore { .. }) => {
            Store::create_with(path, &settings(), &options()).unwrap()
        }
        other => other.unwrap(),
    };
    let out = Mutex::new(std::io::stdout());
    let say = |line: String| out.lock().unwrap().write_all(line.as_bytes()).unwrap();
    thread::scope(|scope| {
        for thread in 0..3 {
            let (store, say, round) = (&store, &say, &round);
            scope.spawn(move || {
                for number in 0_u64.. {
                    let id = format!("{round}-{thread}-{number}");
                    assert_eq!(
                        store.write(Write::CheckAndAdd(document(&id, code(&id)))).unwrap(),
                        Outcome::New
                    );
                    say(format!("+{id}\n"));
                    // A near-duplicate of what was acknowledged stays out.
                    let twin = document(&format!("{id}-twin"), code(&id) ^ 5);
                    assert!(matches!(
                        store.write(Write::CheckAndAdd(twin)).unwrap(),
                        Outcome::Duplicate(_)
                    ));
                    if number % 3 == 0 {
                        say(format!("?{id}\n"));
                        assert_eq!(store.delete(&id).unwrap(), Outcome::Deleted);
                        say(format!("-{id}\n"));
                    }
                }
            });
        }
        scope.spawn(|| {
            for bulk in 0_u64.. {
                let ids: Vec<_> =
                    (0..BULK).map(|number| format!("{round}-bulk-{bulk}-{number}")).collect();
                let writes = ids.iter().map(|id| Write::Add(document(id, code(id)))).collect();
                store.write_all(writes).unwrap().into_iter().for_each(|one| {
                    assert_eq!(one.unwrap(), Outcome::New);
                });
                say(ids.iter().map(|id| format!("+{id}\n")).collect());
            }
        });
        loop {
            store.compact().unwrap();
            thread::sleep(Duration::from_millis(30));
        }
    });
}

fn start(path: &Path, round: u64, alike: bool) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "crash::child", "--nocapture"]);
    child.env(STORE, path).env(ROUND, round.to_string());
    if alike {
        child.env(ALIKE, "yes");
    }
    child.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn what_was_acknowledged_survives_a_kill() {
    survives(false);
}

#[test]
fn what_was_acknowledged_by_similarity_survives_a_kill() {
    survives(true);
}

fn survives(alike: bool) {
    let rounds = std::env::var("NEARPRINT_CRASHES").map_or(6, |rounds| rounds.parse().unwrap());
    let room = Room::new();
    let path = room.path("store");
    let mut stored = BTreeSet::new();
    let mut kills_under_load = 0;
    for round in 0..rounds {
        if round % AGE == 0 {
            let _none = std::fs::remove_dir_all(&path);
            stored.clear();
        }
        let mut child = start(&path, round, alike);
        let out = BufReader::new(child.stdout.take().unwrap());
        let (first, wrote) = mpsc::channel();
        let reader = thread::spawn(move || {
            let lines = out.lines().map_while(Result::ok);
            let told = lines.inspect(|line| {
                if line.starts_with('+') {
                    let _heard = first.send(());
                }
            });
            told.collect::<Vec<_>>()
        });
        // Every fourth kill may meet the opening, the others meet writes.
        if round % 4 > 0 {
            let _ended = wrote.recv_timeout(Duration::from_secs(60));
        }
        thread::sleep(Duration::from_millis(random(round) % 500));
        child.kill().unwrap();
        child.wait().unwrap();
        let lines = reader.join().unwrap();
        let mut open = BTreeMap::new();
        for line in &lines {
            match line.split_at_checked(1) {
                Some(("+", id)) => drop(stored.insert(id.to_owned())),
                Some(("?", id)) => drop(open.insert(id.to_owned(), ())),
                Some(("-", id)) => {
                    stored.remove(id);
                    open.remove(id);
                }
                // What the test harness says.
                _ => {}
            }
        }
        kills_under_load += u64::from(lines.iter().any(|line| line.starts_with('+')));
        if !path.join("store.toml").exists() {
            // Killed before there was a store.
            let _begun = std::fs::remove_dir_all(&path);
            continue;
        }
        let store = room.open();
        assert_eq!(store.repairs(), []);
        store.verify().unwrap();
        let there: Vec<String> = store.scan().unwrap().map(|one| one.unwrap().id).collect();
        let set: BTreeSet<_> = there.iter().cloned().collect();
        assert_eq!(set.len(), there.len(), "a document is there twice");
        // A removal that was under way may have happened or not.
        stored.retain(|id| !open.contains_key(id) || set.contains(id));
        let lost: Vec<_> = stored.difference(&set).collect();
        assert!(lost.is_empty(), "round {round}: lost {lost:?}");
        for id in &set {
            assert!(!id.ends_with("twin"), "{id} is a near-duplicate");
        }
        for id in set.iter().step_by(1 + set.len() / 50) {
            let document = |id: &str, code| made(alike, id, code);
            let near = store.check(document("", code(id)).sketch).unwrap().unwrap();
            assert_eq!((&near.id, near.distance), (id, 0));
        }
        // Writes that were under way may have been stored.
        stored = set;
    }
    assert!(kills_under_load * 2 > rounds, "{kills_under_load} of {rounds} kills met writes");
}
