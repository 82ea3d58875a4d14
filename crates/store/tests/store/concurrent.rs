//! Many threads at once.

use crate::room::{Room, document, random};
use nearprint_fingerprint::Fingerprint;
use nearprint_store::{Error, Outcome, Write};
use std::collections::HashMap;
use std::sync::{Barrier, mpsc};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn of_near_duplicates_that_arrive_together_one_is_new() {
    const THREADS: u8 = 16;
    const GROUPS: u64 = 60;
    let room = Room::new();
    let store = room.store();
    let together = Barrier::new(THREADS.into());
    let outcomes: Vec<(u64, u8, Outcome)> = thread::scope(|scope| {
        let ask = |thread: u8| {
            let (store, together) = (&store, &together);
            move || {
                let each = |group| {
                    together.wait();
                    // Any two of a group differ in two bits.
                    let code = random(group) ^ 1 << thread;
                    let outcome = store
                        .write(Write::CheckAndAdd(document(format!("{group}-{thread}"), code)));
                    (group, thread, outcome.unwrap())
                };
                (0..GROUPS).map(each).collect::<Vec<_>>()
            }
        };
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(ask(thread))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let mut new = HashMap::new();
    for (group, thread, _) in outcomes.iter().filter(|(.., outcome)| *outcome == Outcome::New) {
        assert_eq!(new.insert(group, format!("{group}-{thread}")), None, "two new in {group}");
    }
    assert_eq!(new.len() as u64, GROUPS);
    for (group, _, outcome) in &outcomes {
        if let Outcome::Duplicate(near) = outcome {
            assert_eq!((&near.id, near.distance), (&new[group], 2));
        }
    }
    assert_eq!(store.verify().unwrap().documents, GROUPS);
}

#[test]
fn readers_go_on_while_writers_write_and_segments_are_made() {
    const WRITES: u64 = 150_000;
    let room = Room::new();
    let store = room.store();
    store.write(Write::Add(document("first", random(0)))).unwrap();
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for chunk in 0..50 {
                let numbers = 1 + chunk * WRITES / 50..1 + (chunk + 1) * WRITES / 50;
                let writes = numbers.map(|number| document(number, random(number)));
                let writes = writes.map(nearprint_store::Write::Add).collect();
                store.write_all(writes).unwrap();
            }
        });
        let mut asked = 0;
        while !writer.is_finished() || asked < 100 {
            let near = store.check(Fingerprint::from(random(0) ^ 1)).unwrap().unwrap();
            assert_eq!((near.id.as_str(), near.distance), ("first", 1));
            asked += 1;
        }
    });
    // A segment is made beside the writes: on a busy machine it may come after the last of them.
    let patience = Instant::now() + Duration::from_secs(60);
    while store.stats().unwrap().segments.is_empty() {
        assert!(Instant::now() < patience, "no segment was made");
        thread::sleep(Duration::from_millis(10));
    }
    let stats = store.stats().unwrap();
    assert_eq!(stats.documents, WRITES + 1);
    assert!(stats.flushes > 0);
    let commits: u64 = stats.commit_times.classes.iter().map(|(_, count)| count).sum();
    assert_eq!(commits, stats.commits);
    for number in (0..WRITES).step_by(4999) {
        let near = store.check(Fingerprint::from(random(number))).unwrap().unwrap();
        assert_eq!(near.distance, 0);
    }
    store.compact().unwrap();
    let stats = store.stats().unwrap();
    assert_eq!((stats.segments.len(), stats.recent), (1, 0));
    assert_eq!(store.verify().unwrap().searched, WRITES + 1);
}

#[test]
fn writes_that_nobody_waits_for_are_answered_or_refused() {
    let room = Room::new();
    let store = room.store();
    let (go, held) = mpsc::channel::<()>();
    let (answer, answers) = mpsc::channel();
    let (reached, holds) = mpsc::channel();
    let hold = move |_| {
        reached.send(()).unwrap();
        let _gone = held.recv();
    };
    let write = Write::Add(document("hold", random(0)));
    assert!(store.submit(vec![write], Box::new(hold)).is_ok());
    // Once the writer waits in that answer, what comes waits, until there is no room.
    holds.recv().unwrap();
    let mut taken = 0;
    let refused = loop {
        let answer = answer.clone();
        let write = Write::Add(document(taken, random(1 + taken)));
        match store.submit(vec![write], Box::new(move |outcomes| answer.send(outcomes).unwrap())) {
            Ok(()) => taken += 1,
            Err(refused) => {
                assert_eq!(refused.writes.len(), 1);
                break refused.error;
            }
        }
    };
    assert!(matches!(refused, Error::Busy), "{refused}");
    assert!(store.stats().unwrap().waiting >= 1000);
    drop(go);
    // Closing the store waits for all.
    drop((store, answer));
    let outcomes: Vec<_> = answers.iter().flatten().map(Result::unwrap).collect();
    assert_eq!(outcomes, vec![Outcome::New; usize::try_from(taken).unwrap()]);
    let stats = room.open().stats().unwrap();
    assert_eq!((stats.documents, stats.waiting), (taken + 1, 0));
}
