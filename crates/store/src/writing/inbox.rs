//! Requests that wait for the one thread that takes them.
//!
//! The channels of libraries wait by yielding the processor again and again. Linux takes each of these for leave to run
//! other threads first, and so the thread that all writes wait for would come after work in the background. They also
//! wake the thread for each request; it waits here for as many as it wants.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Where requests are left. Clones leave them at the same place.
#[derive(Debug)]
pub(crate) struct Inbox<T>(Arc<Queue<T>>);

/// The end at which requests are taken, by one thread. Once it is dropped nobody can leave one.
#[derive(Debug)]
pub(crate) struct Requests<T>(Arc<Queue<T>>);

/// A request that was not left, and why.
#[derive(Debug)]
pub(crate) enum NotLeft<T> {
    Full(T),
    Closed(T),
}

#[derive(Debug)]
struct Queue<T> {
    state: Mutex<State<T>>,
    /// As many requests wait as are wanted.
    enough: Condvar,
    /// A request was taken, or the end is closed.
    room: Condvar,
    most: usize,
}

#[derive(Debug)]
struct State<T> {
    waiting: VecDeque<T>,
    /// How many the other end waits for; 0 while it does not wait.
    wanted: usize,
    /// How many can leave requests.
    inboxes: usize,
    closed: bool,
}

/// A place for at most so many requests, and the end at which they are taken.
pub(crate) fn inbox<T>(most: usize) -> (Inbox<T>, Requests<T>) {
    let state = State { waiting: VecDeque::new(), wanted: 0, inboxes: 1, closed: false };
    let (enough, room) = (Condvar::new(), Condvar::new());
    let queue = Queue { state: Mutex::new(state), enough, room, most };
    let queue = Arc::new(queue);
    (Inbox(Arc::clone(&queue)), Requests(queue))
}

impl<T> Queue<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn len(&self) -> usize {
        self.lock().waiting.len()
    }

    fn leave(&self, mut state: MutexGuard<'_, State<T>>, request: T) {
        state.waiting.push_back(request);
        let enough = state.wanted > 0 && state.waiting.len() >= state.wanted;
        drop(state);
        if enough {
            self.enough.notify_one();
        }
    }
}

impl<T> Inbox<T> {
    /// Leaves a request; waits while there is no room. Gives it back where nobody takes it.
    pub(crate) fn send(&self, request: T) -> Result<(), T> {
        let state = self.0.lock();
        let full = |state: &mut State<T>| !state.closed && state.waiting.len() >= self.0.most;
        let state = self.0.room.wait_while(state, full).unwrap_or_else(PoisonError::into_inner);
        if state.closed {
            return Err(request);
        }
        self.0.leave(state, request);
        Ok(())
    }

    /// Leaves a request if there is room.
    pub(crate) fn try_send(&self, request: T) -> Result<(), NotLeft<T>> {
        let state = self.0.lock();
        if state.closed {
            return Err(NotLeft::Closed(request));
        }
        if state.waiting.len() >= self.0.most {
            return Err(NotLeft::Full(request));
        }
        self.0.leave(state, request);
        Ok(())
    }

    /// How many requests wait.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

impl<T> Clone for Inbox<T> {
    fn clone(&self) -> Self {
        self.0.lock().inboxes += 1;
        Self(Arc::clone(&self.0))
    }
}

impl<T> Drop for Inbox<T> {
    fn drop(&mut self) {
        self.0.lock().inboxes -= 1;
        self.0.enough.notify_one();
    }
}

impl<T> Requests<T> {
    /// The request that waits longest, if one waits.
    pub(crate) fn take(&self) -> Option<T> {
        let request = self.0.lock().waiting.pop_front();
        if request.is_some() {
            self.0.room.notify_one();
        }
        request
    }

    /// How many requests wait.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nobody can leave a request any more.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.0.lock().inboxes == 0
    }

    /// Waits until so many requests wait, or as many as there is room for, or until this time; no longer than somebody
    /// can leave one.
    pub(crate) fn wait(&self, count: usize, until: Option<Instant>) {
        let mut state = self.0.lock();
        state.wanted = count.min(self.0.most);
        while state.waiting.len() < state.wanted && state.inboxes > 0 {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            state = match left {
                Some(left) if left.is_zero() => break,
                Some(left) => {
                    let waited = self.0.enough.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.0.enough.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
        state.wanted = 0;
    }
}

impl<T> Drop for Requests<T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.closed = true;
        let left = std::mem::take(&mut state.waiting);
        drop(state);
        self.0.room.notify_all();
        // Whoever waits for an answer to one of these learns by its end that there is none.
        drop(left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use std::time::Duration;

    const MOMENT: Duration = Duration::from_millis(50);
    /// Longer than any test that passes.
    const LONG: Duration = Duration::from_secs(30);

    #[test]
    fn requests_are_taken_in_their_order_and_no_more_are_left_than_there_is_room_for() {
        let (inbox, requests) = inbox(2);
        inbox.send(1).unwrap();
        inbox.try_send(2).unwrap();
        assert!(matches!(inbox.try_send(3), Err(NotLeft::Full(3))));
        assert_eq!((inbox.len(), requests.len()), (2, 2));
        assert_eq!(requests.take(), Some(1));
        inbox.try_send(4).unwrap();
        assert_eq!([requests.take(), requests.take(), requests.take()], [Some(2), Some(4), None]);
    }

    #[test]
    fn whoever_sends_waits_for_room() {
        let (inbox, requests) = inbox(1);
        inbox.send(0).unwrap();
        let senders: Vec<_> = (1..=3)
            .map(|request| {
                let inbox = inbox.clone();
                thread::spawn(move || inbox.send(request))
            })
            .collect();
        thread::sleep(MOMENT);
        assert_eq!(requests.len(), 1);
        let mut taken = Vec::new();
        while taken.len() < 4 {
            requests.wait(1, Some(Instant::now() + LONG));
            taken.push(requests.take().unwrap());
        }
        assert!(senders.into_iter().all(|sender| sender.join().unwrap().is_ok()));
        taken.sort_unstable();
        assert_eq!(taken, [0, 1, 2, 3]);
    }

    #[test]
    fn waiting_ends_with_as_many_as_are_wanted_and_not_before() {
        let (inbox, requests) = inbox(10);
        let waiter = thread::spawn(move || {
            requests.wait(3, Some(Instant::now() + LONG));
            requests.len()
        });
        let begun = Instant::now();
        for request in 0..3 {
            thread::sleep(MOMENT);
            assert!(!waiter.is_finished());
            inbox.send(request).unwrap();
        }
        assert_eq!(waiter.join().unwrap(), 3);
        assert!(begun.elapsed() < LONG);
    }

    #[test]
    fn waiting_ends_where_there_is_room_for_no_more() {
        let (inbox, requests) = inbox(2);
        let waiter = thread::spawn(move || requests.wait(100, Some(Instant::now() + LONG)));
        let begun = Instant::now();
        inbox.send(()).unwrap();
        inbox.send(()).unwrap();
        waiter.join().unwrap();
        assert!(begun.elapsed() < LONG);
    }

    #[test]
    fn waiting_ends_at_its_time_and_once_nobody_is_left_to_send() {
        let (inbox, requests) = inbox::<()>(2);
        let begun = Instant::now();
        requests.wait(1, Some(begun + MOMENT));
        assert!(begun.elapsed() >= MOMENT && !requests.is_abandoned());
        let other = inbox.clone();
        let waiter = thread::spawn(move || {
            requests.wait(1, None);
            requests.is_abandoned()
        });
        drop(inbox);
        thread::sleep(MOMENT);
        assert!(!waiter.is_finished());
        drop(other);
        assert!(waiter.join().unwrap());
    }

    #[test]
    fn once_the_end_is_gone_requests_are_dropped_and_refused() {
        let (inbox, requests) = inbox(1);
        let held = Arc::new(());
        inbox.send(Arc::clone(&held)).unwrap();
        let sender = {
            let (inbox, held) = (inbox.clone(), Arc::clone(&held));
            thread::spawn(move || inbox.send(held))
        };
        thread::sleep(MOMENT);
        drop(requests);
        assert!(sender.join().unwrap().is_err());
        assert_eq!((Arc::strong_count(&held), inbox.len()), (1, 0));
        assert!(inbox.send(Arc::clone(&held)).is_err());
        assert!(matches!(inbox.try_send(held), Err(NotLeft::Closed(_))));
    }
}
