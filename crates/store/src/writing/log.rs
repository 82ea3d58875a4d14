//! The history of a store: what each group of writes changed, for copies that follow the store. A part of bounded
//! length is kept.

use crate::disk::logged::Logged;
use crate::disk::position::Chain;
use crate::disk::truth::{Changes, History, Truth};
use crate::error::Error;

/// After so many groups the oldest ones are looked at.
const EACH: u64 = 64;
/// The fewest groups that are looked at then.
const LOOKED: usize = 256;

/// Begins a history that no other store has, behind the group `commit`.
pub(crate) fn begin(changes: &mut Changes<'_>, commit: u64) -> History {
    from(changes, commit, Chain::begin())
}

/// Begins a history at this chain, behind the group `commit`.
pub(crate) fn from(changes: &mut Changes<'_>, commit: u64, chain: Chain) -> History {
    let bytes = changes.log(commit, &Logged::default(), chain, 0);
    History { chain, first: commit, bytes, between: false }
}

/// Adds a group.
pub(crate) fn add(
    changes: &mut Changes<'_>,
    history: &mut History,
    commit: u64,
    chain: Chain,
    logged: &Logged,
) {
    history.bytes = changes.log(commit, logged, chain, history.bytes);
    history.chain = chain;
}

/// Forgets the oldest groups beyond `keep` bytes, after the groups from `before` to `commit` were added. Not at each
/// group, so that some more are kept at times.
pub(crate) fn trim(
    truth: &Truth,
    changes: &mut Changes<'_>,
    history: &mut History,
    (before, commit): (u64, u64),
    keep: u64,
) -> Result<(), Error> {
    if before / EACH == commit / EACH {
        return Ok(());
    }
    let added = usize::try_from(commit - before).unwrap_or(usize::MAX);
    for row in truth.logged_heads(history.first, LOOKED.max(added.saturating_mul(2))) {
        let (number, head) = row?;
        if number >= before || history.bytes.saturating_sub(head.end) < keep {
            break;
        }
        changes.forget(number);
        history.first = number + 1;
    }
    Ok(())
}
