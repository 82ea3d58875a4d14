//! Work that goes on while Python waits: Ctrl-C ends it, and a function of the caller hears how far it is.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// How often the calling thread looks for signals.
const LOOK: Duration = Duration::from_millis(20);
/// Looks between two calls of the caller's function.
const LOOKS: u32 = 5;

/// Runs `work` on a thread of its own while the calling thread lets other Python threads run and heeds
/// signals. On one, or where `tell` raises, `cancel` is called, and when `work` has ended the exception goes
/// on.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    cancel: impl Fn(),
    tell: impl Fn() -> PyResult<()>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    thread::scope(|scope| {
        let (done, mut ended) = sync_channel(1);
        let worker = scope.spawn(move || {
            let result = work();
            // Whoever waits has gone only with an exception.
            let _heard = done.send(());
            result
        });
        let mut raised = None;
        for look in 1.. {
            let answer;
            (ended, answer) = py.detach(move || {
                let answer = ended.recv_timeout(LOOK);
                (ended, answer)
            });
            if answer != Err(RecvTimeoutError::Timeout) {
                break;
            }
            let told = if look % LOOKS == 0 { tell() } else { Ok(()) };
            if let Err(error) = py.check_signals().and(told) {
                cancel();
                raised = Some(error);
                break;
            }
        }
        let result = py.detach(|| worker.join());
        match (raised, result) {
            (Some(error), _) => Err(error),
            (None, Ok(result)) => Ok(result),
            (None, Err(panic)) => std::panic::resume_unwind(panic),
        }
    })
}

/// [`run`] for work that looks at a flag.
pub(crate) fn run_until<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    run(py, || stop.store(true, Ordering::Relaxed), || Ok(()), || work(&stop))
}
