//! A loss of power at any sync: a first run counts the syncs, others lose at the n-th one all that was
//! written and not synced. What was acknowledged is there.
//!
//! `NEARPRINT_FREEZES` says at how many syncs, 12 by default. It takes a C compiler.
#![cfg(target_os = "linux")]

use crate::room::{Room, document, options, random, settings};
use nearprint_store::{Error, Outcome, Store, Write};
use nearprint_testing::skip;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const STORE: &str = "NEARPRINT_POWER_STORE";

/// The child: a life of a store, which says what it was answered.
#[test]
fn child() {
    let Ok(path) = std::env::var(STORE) else { return };
    let store = Store::create_with(Path::new(&path), &settings(), &options()).unwrap();
    let say = |line: String| std::io::stdout().write_all(line.as_bytes()).unwrap();
    for turn in 0..12 {
        let ids: Vec<_> = (0..20).map(|at| turn * 20 + at).collect();
        let writes = ids.iter().map(|id| Write::Add(document(id, random(*id)))).collect();
        store.write_all(writes).unwrap().into_iter().for_each(|one| {
            assert_eq!(one.unwrap(), Outcome::New);
        });
        say(ids.iter().map(|id| format!("+{id}\n")).collect());
        say(format!("?{}\n", turn * 20));
        store.delete(&(turn * 20).to_string()).unwrap();
        say(format!("-{}\n", turn * 20));
        if turn % 3 == 2 {
            store.compact().unwrap();
        }
    }
}

fn run(shim: &Path, store: &Path, name: &str, value: &str) -> String {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "power::child", "--nocapture"]);
    child.env(STORE, store).env("LD_PRELOAD", shim).env(name, value);
    let out = child.stderr(Stdio::null()).output().unwrap();
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn what_was_acknowledged_survives_a_loss_of_power_at_any_sync() {
    let room = Room::new();
    let shim = room.path("freeze.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/freeze.c");
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&shim).arg(&source).args(["-ldl", "-lpthread"]);
    if !cc.stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        return skip("there is no C compiler (cc) that makes the library which loses the power");
    }
    let count = room.path("count");
    run(&shim, &room.path("whole"), "FREEZE_COUNT", count.to_str().unwrap());
    let syncs: usize = std::fs::read_to_string(&count).unwrap().parse().unwrap();
    assert!(syncs > 40, "{syncs}");
    let wanted = std::env::var("NEARPRINT_FREEZES").map_or(12, |wanted| wanted.parse().unwrap());
    let wanted = syncs.min(wanted);
    let mut stores = 0;
    for at in (1..=syncs).step_by((syncs / wanted).max(1)) {
        let path = room.path(&at.to_string());
        let said = run(&shim, &path, "FREEZE_AT", &at.to_string());
        let store = match Store::open_with(&path, &options()) {
            // There was none yet, and nothing was acknowledged.
            Err(Error::NoStore { .. }) if !said.contains('+') => continue,
            store => store.unwrap_or_else(|error| panic!("sync {at}: {error}")),
        };
        stores += 1;
        let (mut stored, mut gone) = (BTreeSet::new(), BTreeSet::new());
        for line in said.lines() {
            match line.split_at_checked(1) {
                Some(("+", id)) => drop(stored.insert(id)),
                Some(("?", id)) => drop(stored.remove(id)),
                Some(("-", id)) => drop(gone.insert(id)),
                _ => {}
            }
        }
        store.verify().unwrap_or_else(|error| panic!("sync {at}: {error}"));
        assert_eq!(store.repairs(), [], "sync {at}");
        for id in stored {
            assert!(store.get(id).unwrap().is_some(), "sync {at}: {id} is lost");
        }
        for id in gone {
            assert!(store.get(id).unwrap().is_none(), "sync {at}: {id} came back");
        }
    }
    assert!(stores * 2 > wanted, "{stores} of {wanted}");
}
