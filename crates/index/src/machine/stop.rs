//! A caller's request to stop, as the long calls of this crate look at it.

use crate::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};

/// The flag of a caller who may want to stop, or no flag. Each call has its own.
///
/// Once the flag was seen set, the call stays stopped, whatever becomes of the flag. So work that was
/// left out never counts as done.
#[derive(Debug, Default)]
pub(crate) struct Stop<'a> {
    flag: Option<&'a AtomicBool>,
    seen: AtomicBool,
}

impl<'a> Stop<'a> {
    /// A call that stops when `flag` is set. Without a flag nothing stops it.
    pub(crate) fn on(flag: Option<&'a AtomicBool>) -> Self {
        Self { flag, seen: AtomicBool::new(false) }
    }

    /// Whether to leave out the work that follows. A load from the cache: ask once for every few
    /// thousand comparisons.
    #[inline]
    pub(crate) fn asked(&self) -> bool {
        let Some(flag) = self.flag else { return false };
        if flag.load(Ordering::Relaxed) {
            self.seen.store(true, Ordering::Relaxed);
        }
        self.seen.load(Ordering::Relaxed)
    }

    /// [`Error::Interrupted`] if any work was left out.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        if self.seen.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_stays_seen() {
        let flag = AtomicBool::new(false);
        let stop = Stop::on(Some(&flag));
        assert!(!stop.asked() && stop.finish().is_ok());
        flag.store(true, Ordering::Relaxed);
        assert!(stop.finish().is_ok(), "no work was left out yet");
        assert!(stop.asked());
        flag.store(false, Ordering::Relaxed);
        assert!(stop.asked());
        assert_eq!(stop.finish(), Err(Error::Interrupted));
        assert!(!Stop::default().asked());
    }
}
