//! Reads segments in the background, a little at a time: so that damage is found that no search meets.

use crate::views::view::View;
use crate::writing::inbox::Inbox;
use crate::writing::message::Message;
use crate::writing::shared::Shared;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a store is open before its segments are first read, at most.
const FIRST: Duration = Duration::from_secs(3600);

/// The least pause between two readings.
const LEAST: Duration = Duration::from_millis(10);

/// The reader of all segments, on a thread of its own.
pub(crate) struct Scrub {
    pub(crate) shared: Arc<Shared>,
    /// Takes the damage that is found.
    pub(crate) inbox: Inbox<Message>,
    /// Its other end goes when the store is closed.
    pub(crate) closed: Receiver<()>,
}

impl Scrub {
    /// Works until the store is closed.
    pub(crate) fn run(self) {
        let Some(every) = self.shared.options.scrub else { return };
        let every = every.max(LEAST);
        let mut wait = FIRST.min(every);
        while self.pause(wait).is_continue() {
            if self.pass().is_break() {
                return;
            }
            wait = every;
        }
    }

    /// Reads each segment once.
    fn pass(&self) -> ControlFlow<()> {
        let segments = View::clone(&self.shared.view.load()).segments;
        let (begun, mut bytes) = (Instant::now(), 0_u64);
        let rate = self.shared.options.scrub_rate.max(1);
        for segment in segments {
            let verified = segment.verify_by(&mut |piece| {
                bytes += piece as u64;
                let due = Duration::from_millis(bytes.saturating_mul(1000) / rate);
                self.pause(due.saturating_sub(begun.elapsed()))
            });
            match verified {
                Ok(went) => went?,
                Err(error) => {
                    let message = error.damage().map(|damage| Message::Damaged(damage, None));
                    if message.is_some_and(|message| self.inbox.send(message).is_err()) {
                        return ControlFlow::Break(());
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Waits; breaks off where the store is closed.
    fn pause(&self, time: Duration) -> ControlFlow<()> {
        match self.closed.recv_timeout(time) {
            Err(RecvTimeoutError::Timeout) => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }
}
