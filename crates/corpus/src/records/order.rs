//! The order in which things pass, whichever threads work on them. What they are is not known here.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Lets those who have a place pass one by one, in the order in which places were given out, and keeps what each leaves for
/// those behind it.
///
/// Whoever has a place passes or drops it, without waiting for one behind it: then nobody waits for ever.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::Order;
/// use std::{sync::Arc, thread};
///
/// let order = Arc::new(Order::new(String::new()));
/// let places: Vec<_> = ["a", "b", "c"].map(|name| (name, order.give())).into();
/// let threads = places.into_iter().rev().map(|(name, place)| {
///     thread::spawn(move || place.pass(|so_far| { so_far.push_str(name); so_far.clone() }))
/// });
/// let told: Vec<_> = threads.collect::<Vec<_>>().into_iter().map(|t| t.join().unwrap()).collect();
/// assert_eq!(told, ["abc", "ab", "a"]);
/// ```
#[derive(Debug, Default)]
pub struct Order<S> {
    turn: Mutex<Turn<S>>,
    passed: Condvar,
}

/// A place in an order. Dropping it lets those behind pass.
#[derive(Debug)]
pub struct Place<S> {
    number: u64,
    has_passed: bool,
    order: Arc<Order<S>>,
}

#[derive(Debug, Default)]
struct Turn<S> {
    /// Places that were given out.
    given: u64,
    /// The one that passes next.
    next: u64,
    /// Those behind it that were dropped.
    dropped: BTreeSet<u64>,
    waiting: usize,
    so_far: S,
}

impl<S> Order<S> {
    /// Nobody has a place yet; the first to pass gets `so_far`.
    pub fn new(so_far: S) -> Self {
        let (turn, passed) = (
            Turn { given: 0, next: 0, dropped: BTreeSet::new(), waiting: 0, so_far },
            Condvar::new(),
        );
        Self { turn: Mutex::new(turn), passed }
    }

    /// Another place.
    pub fn give(self: &Arc<Self>) -> Place<S> {
        let mut turn = self.lock();
        turn.given += 1;
        Place { number: turn.given - 1, has_passed: false, order: Arc::clone(self) }
    }

    /// Waits until all passed whose places were given out.
    pub(crate) fn settle(&self) {
        let given = self.lock().given;
        drop(self.wait_for(given));
    }

    fn wait_for(&self, number: u64) -> MutexGuard<'_, Turn<S>> {
        let mut turn = self.lock();
        while turn.next < number {
            turn.waiting += 1;
            turn = self.passed.wait(turn).unwrap_or_else(PoisonError::into_inner);
            turn.waiting -= 1;
        }
        turn
    }

    fn end(&self, mut turn: MutexGuard<'_, Turn<S>>) {
        turn.next += 1;
        loop {
            let next = turn.next;
            if !turn.dropped.remove(&next) {
                break;
            }
            turn.next += 1;
        }
        // Waking costs a call of the system.
        if turn.waiting > 0 {
            self.passed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Turn<S>> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S> Place<S> {
    /// Waits until all before it passed; `work` gets what they left.
    pub fn pass<T>(mut self, work: impl FnOnce(&mut S) -> T) -> T {
        let mut turn = self.order.wait_for(self.number);
        let made = work(&mut turn.so_far);
        self.order.end(turn);
        self.has_passed = true;
        made
    }
}

impl<S> Drop for Place<S> {
    fn drop(&mut self) {
        if self.has_passed {
            return;
        }
        let mut turn = self.order.lock();
        if turn.next == self.number {
            self.order.end(turn);
        } else {
            turn.dropped.insert(self.number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::thread;
    use std::time::Duration;

    #[test]
    fn all_pass_in_order_whoever_is_first() {
        let order: Arc<Order<Vec<u64>>> = Arc::default();
        let places: Vec<_> = (0..50).map(|number| (number, order.give())).collect();
        thread::scope(|scope| {
            for (number, place) in places.into_iter().rev() {
                scope.spawn(move || match number % 5 {
                    3 => drop(place),
                    _ => place.pass(|passed| {
                        thread::sleep(Duration::from_micros(100));
                        passed.push(number);
                    }),
                });
            }
            order.settle();
            assert_eq!(order.lock().so_far.len(), 40);
        });
        assert!(order.lock().so_far.iter().copied().eq((0..50).filter(|number| number % 5 != 3)));
    }

    #[test]
    fn those_behind_one_that_fails_pass() {
        let order: Arc<Order<u64>> = Arc::default();
        let [first, second] = [order.give(), order.give()];
        let failing = || first.pass(|_| panic!("as a test wants"));
        assert!(catch_unwind(AssertUnwindSafe(failing)).is_err());
        assert_eq!(second.pass(|so_far| *so_far), 0);
    }
}
