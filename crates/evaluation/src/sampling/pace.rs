//! Which documents a pass still looks at, so that it ends within its time.

use crate::sampling::part::Part;
use std::time::{Duration, Instant};

/// The part of a pass after which its speed is told, and the least time.
const PART: f64 = 0.02;
const LOOK: Duration = Duration::from_millis(300);

/// The documents that are visible: all at first, half as many whenever the pass would last too long or
/// pairs are too many. A document is visible by its place in a row of draws, so what is visible is a fair part.
pub(crate) struct Pace {
    visible: Part,
    end: Instant,
}

/// Since when the pass goes at its speed.
pub(crate) struct Since {
    at: Instant,
    done: f64,
}

impl Pace {
    /// A pass that ends by `end`.
    pub(crate) fn until(end: Instant) -> Self {
        Self { visible: Part::of(1.0), end }
    }

    /// What is visible.
    pub(crate) fn visible(&self) -> &Part {
        &self.visible
    }

    /// Starts to tell the speed.
    pub(crate) fn start(&self) -> Since {
        Since { at: Instant::now(), done: 0.0 }
    }

    /// Halves what is visible if the pass, of which the share `done` is done, would last too long. Whether there is
    /// time for anything more.
    pub(crate) fn keep(&self, since: &mut Since, done: f64) -> bool {
        let (now, gained) = (Instant::now(), done - since.done);
        let took = now - since.at;
        if gained >= PART && took >= LOOK {
            let rest = took.mul_f64(((1.0 - done) / gained).clamp(0.0, 1e6));
            if now + rest > self.end && self.visible.share() > 1e-4 {
                self.visible.halve();
            }
            *since = Since { at: now, done };
        }
        now < self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_that_would_last_too_long_sees_half_as_much() {
        let pace = Pace::until(Instant::now() + Duration::from_secs(10));
        let mut since = Since { at: Instant::now() - Duration::from_secs(2), done: 0.0 };
        // Two seconds for a tenth: 18 more are too many.
        assert!(pace.keep(&mut since, 0.1));
        assert!((pace.visible().share() - 0.5).abs() < 1e-9);
        assert!(pace.visible().holds(1) && !pace.visible().holds(u64::MAX / 2 + 9));
        // Nine tenths in no time are well.
        assert!(pace.keep(&mut since, 0.999));
        assert!((pace.visible().share() - 0.5).abs() < 1e-9);
        let late = Pace::until(Instant::now());
        assert!(!late.keep(&mut late.start(), 0.5));
    }
}
