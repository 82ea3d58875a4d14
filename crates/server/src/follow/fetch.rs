//! Makes a copy of the leader where there is none yet.

use crate::error::Error;
use crate::follow::fault::Fault;
use crate::follow::leader::Leader;
use crate::follow::link::Link;
use nearprint_store::{Change, ChangeRow, Copying, Options};
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::runtime::Builder;

/// How often the log says how far it is.
const TOLD: Duration = Duration::from_secs(10);

/// Makes a copy of the store that the leader serves, in the folder `path`: new, empty, or what an attempt that was killed
/// left there. The folder holds a store when this returns without an error, and none before.
///
/// # Errors
/// [`Error::Follow`] where the leader cannot be reached or does not send its documents; those of
/// [`Copying`]; [`Error::System`].
pub fn fetch(leader: &Leader, path: &Path, options: &Options) -> Result<(), Error> {
    leader.check()?;
    let runtime = Builder::new_current_thread().enable_all().build().map_err(Error::System)?;
    runtime.block_on(async {
        let (mut link, told) = Link::open(leader, None).await.map_err(told_of)?;
        let mut copying = Copying::begin(path, &told.settings, options)?;
        let (mut documents, mut said) = (0_u64, Instant::now());
        loop {
            match link.next().await.map_err(told_of)? {
                ChangeRow::Change(Change::Stored { number, document }) => {
                    copying.take(number, document)?;
                    documents += 1;
                    if said.elapsed() >= TOLD {
                        said = Instant::now();
                        tracing::info!(documents, "copies the store of the leader");
                    }
                }
                ChangeRow::Now(now) => {
                    copying.finish(now.reached, now.whole)?;
                    let leader = leader.to_string();
                    tracing::info!(leader, documents, "copied the store of the leader");
                    return Ok(());
                }
                _ => {
                    return Err(told_of(Fault::refused(
                        "the leader sends changes before its documents",
                    )));
                }
            }
        }
    })
}

fn told_of(fault: Fault) -> Error {
    Error::Follow { what: fault.what }
}
