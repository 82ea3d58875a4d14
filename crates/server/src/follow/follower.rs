//! Takes over the changes of the leader, as long as the server runs.

use crate::follow::fault::{Fault, FaultKind};
use crate::follow::leader::Leader;
use crate::follow::link::Link;
use crate::follow::replica_state::ReplicaState;
use nearprint_store::{Change, ChangeRow, Error as StoreError, Leader as Told, Reached, Store};
use std::mem::take;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// The pause after the leader was lost: the first, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(5)];
/// The pause after the leader refused the copy.
const REFUSED: Duration = Duration::from_secs(10);
/// Changes that are taken over together, at most.
const TOGETHER: usize = 16_384;
/// Bytes of documents that are taken over together, about.
const BYTES: usize = 8 << 20;

/// Follows the leader for ever. `store` gives the store.
pub(crate) async fn follow<S: Send + Sync + 'static>(
    service: Arc<S>,
    store: fn(&S) -> &Store,
    leader: Leader,
    following: Arc<ReplicaState>,
) {
    let mut pause = PAUSES[0];
    loop {
        let mut follower =
            Follower { service: Arc::clone(&service), store, following: Arc::clone(&following) };
        let (came, fault) = follower.follow(&leader).await;
        if came {
            pause = PAUSES[0];
        }
        let wait = if fault.kind == FaultKind::Lost { pause } else { REFUSED };
        following.failed(fault);
        sleep(wait).await;
        pause = (2 * pause).min(PAUSES[1]);
    }
}

/// Asks once whether the leader can be followed.
pub(crate) async fn try_leader(store: &Store, leader: &Leader) -> Result<(), Fault> {
    begin(store, leader).await.map(|_| ())
}

/// Asks for the changes behind what the store has. That a leader is made for something else is told before that it has
/// another history.
async fn begin(store: &Store, leader: &Leader) -> Result<(Link, Told), Fault> {
    let opened = Link::open(leader, Some(store.position())).await;
    let told = match &opened {
        Ok((_, told)) => told.settings.clone(),
        Err(fault) if fault.kind == FaultKind::Different => {
            Link::open(leader, None).await?.1.settings
        }
        Err(_) => return opened,
    };
    store.settings().same_as(&told).map_err(Fault::different)?;
    opened
}

struct Follower<S> {
    service: Arc<S>,
    store: fn(&S) -> &Store,
    following: Arc<ReplicaState>,
}

impl<S: Send + Sync + 'static> Follower<S> {
    /// Follows the leader until that fails. Returns why, and whether anything came before.
    async fn follow(&mut self, leader: &Leader) -> (bool, Fault) {
        let store = (self.store)(&self.service);
        let (mut link, told) = match begin(store, leader).await {
            Ok(opened) => opened,
            Err(fault) => return (false, fault),
        };
        self.following.connected(told.time);
        (true, self.take_over(&mut link).await.err().unwrap_or_else(|| Fault::lost("it ended")))
    }

    async fn take_over(&self, link: &mut Link) -> Result<(), Fault> {
        let (mut changes, mut bytes) = (Vec::new(), 0);
        loop {
            match link.next().await? {
                ChangeRow::Leader(_) => return Err(Fault::refused("the leader started again")),
                ChangeRow::Change(change) => {
                    if let Change::Stored { document, .. } = &change {
                        let sketch = &document.sketch;
                        bytes += sketch.bands.len() + 8 * sketch.keys.len() + document.id.len();
                        bytes += document.metadata.as_ref().map_or(0, String::len);
                    }
                    changes.push(change);
                    if changes.len() >= TOGETHER || bytes >= BYTES {
                        self.following.busy();
                        self.apply(take(&mut changes), None).await?;
                        bytes = 0;
                    }
                }
                ChangeRow::Now(now) => {
                    let whole = now.whole.then_some(now.reached);
                    if !changes.is_empty() {
                        self.following.busy();
                    }
                    if !changes.is_empty() || whole.is_some() {
                        self.apply(take(&mut changes), whole).await?;
                        bytes = 0;
                    }
                    self.following.heard(&now);
                }
            }
        }
    }

    async fn apply(&self, changes: Vec<Change>, whole: Option<Reached>) -> Result<(), Fault> {
        let (service, store) = (Arc::clone(&self.service), self.store);
        let done = tokio::task::spawn_blocking(move || store(&service).follow(changes, whole));
        match done.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error @ (StoreError::ReadOnly { .. } | StoreError::Closed))) => {
                Err(Fault::lost(error))
            }
            Ok(Err(error)) => Err(Fault::different(error)),
            Err(_) => Err(Fault::lost("changes could not be taken over")),
        }
    }
}
