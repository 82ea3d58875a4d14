//! Work behind the threads that answer requests.

use nearprint_store::step_back;
use std::panic::resume_unwind;
use std::thread;

/// Does work on a thread of its own, which stands behind those that answer requests where processors are short. Waits
/// for it, so this is for threads that may wait.
pub(crate) fn behind<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let done = thread::scope(|scope| {
        let working = scope.spawn(|| {
            step_back();
            work()
        });
        working.join()
    });
    done.unwrap_or_else(|panic| resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn work_behind_leaves_its_caller_where_it_was() {
        let priority = || rustix::process::getpriority_process(None).unwrap();
        let before = priority();
        assert_eq!(behind(priority), before.max(10));
        assert_eq!(priority(), before);
    }
}
