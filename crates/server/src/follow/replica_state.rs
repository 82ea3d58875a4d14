//! How far a copy is behind its leader, and whether it follows it.

use crate::follow::fault::{Fault, FaultKind};
use nearprint_store::Now;
use serde::Serialize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use utoipa::ToSchema;

/// After this time without its leader a copy that was started answers with what it has.
const ALONE: Duration = Duration::from_secs(10);

/// How far a copy is behind its leader, and whether it follows it.
pub(crate) struct ReplicaState {
    /// The address of the leader.
    pub(crate) leader: String,
    state: Mutex<State>,
}

struct State {
    begun: Instant,
    connected: bool,
    /// Whether the copy had all changes of the leader once.
    caught_up: bool,
    fault: Option<Fault>,
    /// Groups of writes that the leader has committed, as far as is known.
    groups: u64,
    /// When the copy was last known to have all changes of the leader.
    fresh: Instant,
    /// The clock here less that of the leader, in milliseconds, the way of a row included.
    ahead: i128,
    /// Whether changes came since the last row that told what the leader is.
    busy: bool,
}

/// A copy, and how far it is behind its leader.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FollowBody {
    /// The address of the leader, which takes the writes.
    leader: String,
    /// Whether the leader sends its changes at the moment.
    pub(crate) connected: bool,
    /// Whether the copy had all changes of its leader once since it was started.
    caught_up: bool,
    /// Seconds since the copy was last known to have all changes of its leader; until it had them once, since it was
    /// started.
    pub(crate) lag_seconds: f64,
    /// Groups of writes of the leader that the copy does not have, as far as is known.
    pub(crate) lag_groups: u64,
    /// Whether the copy is not what its leader once was, so that it cannot follow it.
    pub(crate) different: bool,
    /// Why the copy does not follow at the moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl ReplicaState {
    pub(crate) fn new(leader: String) -> Self {
        let now = Instant::now();
        let state = State {
            begun: now,
            connected: false,
            caught_up: false,
            fault: None,
            groups: 0,
            fresh: now,
            ahead: 0,
            busy: false,
        };
        Self { leader, state: Mutex::new(state) }
    }

    /// The leader answers; `time` is its clock.
    pub(crate) fn connected(&self, time: u64) {
        let mut state = self.state();
        let again = state.fault.take().is_some();
        (state.connected, state.busy, state.ahead) = (true, true, clock() - i128::from(time));
        let leader = &self.leader;
        if again {
            tracing::info!(leader, "follows the leader again");
        } else {
            tracing::info!(leader, "follows the leader");
        }
    }

    /// A change came.
    pub(crate) fn busy(&self) {
        self.state().busy = true;
    }

    /// The leader told what it is, and the copy has all that came before.
    pub(crate) fn heard(&self, now: &Now) {
        let mut state = self.state();
        state.groups = now.reached.position.groups();
        if !now.whole {
            return;
        }
        if !std::mem::take(&mut state.busy) {
            // Nothing else was on the way.
            state.ahead = clock() - i128::from(now.time);
        }
        let late = clock() - i128::from(now.time) - state.ahead;
        let late = Duration::from_millis(u64::try_from(late).unwrap_or(0));
        let fresh = Instant::now().checked_sub(late).unwrap_or(state.begun);
        state.fresh = fresh.max(state.fresh);
        if !std::mem::replace(&mut state.caught_up, true) {
            let groups = state.groups;
            tracing::info!(leader = self.leader, groups, "has caught up with the leader");
        }
    }

    /// The copy does not follow.
    pub(crate) fn failed(&self, fault: Fault) {
        let mut state = self.state();
        state.connected = false;
        if state.fault.as_ref() == Some(&fault) {
            return;
        }
        let (leader, reason) = (&self.leader, &fault.what);
        match fault.kind {
            FaultKind::Lost => tracing::warn!(leader, reason, "lost the leader"),
            FaultKind::Refused => tracing::error!(leader, reason, "the leader cannot be followed"),
            FaultKind::Different => {
                tracing::error!(
                    leader,
                    reason,
                    "this copy has diverged from its leader, and does not follow it"
                );
            }
        }
        state.fault = Some(fault);
    }

    /// Whether the copy may answer: it had all changes of its leader once since it was started, or it looked for its
    /// leader for a while and has what it had. If not, why.
    pub(crate) fn ready(&self) -> Result<(), String> {
        let state = self.state();
        match &state.fault {
            Some(Fault { kind: FaultKind::Different, what }) => {
                Err(format!("this copy has diverged from its leader: {what}"))
            }
            _ if state.caught_up => Ok(()),
            Some(fault) if state.begun.elapsed() < ALONE => {
                Err(format!("this copy has not reached its leader yet: {}", fault.what))
            }
            Some(_) => Ok(()),
            None => Err("this copy has not caught up with its leader yet".to_owned()),
        }
    }

    /// `groups`: those that the copy has.
    pub(crate) fn body(&self, groups: u64) -> FollowBody {
        let state = self.state();
        let different =
            state.fault.as_ref().is_some_and(|fault| fault.kind == FaultKind::Different);
        FollowBody {
            leader: self.leader.clone(),
            connected: state.connected,
            caught_up: state.caught_up,
            lag_seconds: state.fresh.elapsed().as_secs_f64(),
            lag_groups: state.groups.saturating_sub(groups),
            different,
            error: state.fault.as_ref().map(|fault| fault.what.clone()),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Milliseconds since 1970.
fn clock() -> i128 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i128::try_from(now.as_millis()).unwrap_or(i128::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_store::Reached;

    fn now(groups: u64, time: i128, whole: bool) -> Now {
        let position = format!("{groups}-{:032x}", 7).parse().unwrap();
        let reached = Reached { position, documents: 0, end: 0 };
        Now { reached, whole, time: u64::try_from(time).unwrap() }
    }

    #[test]
    fn the_lag_is_the_age_of_what_the_copy_shows_whatever_the_clocks_say() {
        let following = ReplicaState::new("http://leader/".to_owned());
        assert!(following.ready().unwrap_err().contains("has not caught up"));
        // Its clock is an hour behind.
        let theirs = clock() - 3_600_000;
        following.connected(u64::try_from(theirs).unwrap());
        following.heard(&now(9, theirs, false));
        let body = following.body(4);
        assert!(body.connected && !body.caught_up);
        assert_eq!(body.lag_groups, 5);
        // What the leader was 20 s ago, behind other changes.
        following.state().fresh = Instant::now() - Duration::from_secs(60);
        following.heard(&now(9, theirs - 20_000, true));
        let lag = following.body(9).lag_seconds;
        assert!((20.0..25.0).contains(&lag), "{lag}");
        assert!(following.ready().is_ok());
        // At rest.
        following.heard(&now(9, theirs - 20_000, true));
        assert!(following.body(9).lag_seconds < 5.0);
    }

    #[test]
    fn a_copy_of_something_else_is_not_ready_and_one_without_its_leader_is_after_a_while() {
        let following = ReplicaState::new("http://leader/".to_owned());
        following.failed(Fault::lost("no answer"));
        assert!(following.ready().unwrap_err().contains("no answer"));
        following.state().begun = Instant::now() - ALONE;
        assert!(following.ready().is_ok());
        following.failed(Fault::different("another history"));
        assert!(following.ready().unwrap_err().contains("another history"));
        let body = following.body(0);
        assert!(body.different && body.error.unwrap().contains("another history"));
        following.connected(0);
        assert!(!following.body(0).different);
    }
}
