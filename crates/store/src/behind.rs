//! Work behind the threads that answer somebody.
#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "no library sets the time slice of a thread")
)]

use std::panic::resume_unwind;
use std::thread;

/// How far threads in the background stand behind: where processors are short, they get about a tenth of one.
#[cfg(target_os = "linux")]
const BEHIND: i32 = 10;
/// The least time slice that Linux gives, in nanoseconds. A thread that answers may have to wait for one in the
/// background to end its slice, whatever their priorities are; the usual slice has some milliseconds.
#[cfg(target_os = "linux")]
const SLICE: u64 = 100_000;

/// Where processors are short, the thread that calls this goes behind those that answer somebody, and so do the threads
/// that it starts: as those do by which a store makes segments.
pub(crate) fn step_back() {
    // Where that is refused, work in the background slows answers down.
    #[cfg(target_os = "linux")]
    {
        // Linux counts the priority by thread.
        let now = rustix::process::getpriority_process(None).unwrap_or_default();
        let nice = now.max(BEHIND);
        let _refused = rustix::process::setpriority_process(None, nice);
        shorten_slice(nice);
    }
}

/// Gives this thread a short time slice. Before Linux 6.12 this does nothing.
#[cfg(target_os = "linux")]
fn shorten_slice(nice: i32) {
    let attributes = libc::sched_attr {
        size: u32::try_from(size_of::<libc::sched_attr>()).unwrap_or_default(),
        sched_policy: 0,
        sched_flags: libc::SCHED_FLAG_KEEP_POLICY as u64,
        sched_nice: nice,
        sched_priority: 0,
        sched_runtime: SLICE,
        sched_deadline: 0,
        sched_period: 0,
    };
    // SAFETY: the system only reads the attributes, which have the size that they tell.
    let _refused =
        unsafe { libc::syscall(libc::SYS_sched_setattr, 0, std::ptr::from_ref(&attributes), 0) };
}

/// Does work on a thread of its own, which stands behind those that answer somebody where processors are short, as do
/// the threads that it starts. Waits for it, so this is for threads that may wait.
///
/// # Examples
/// ```
/// let sum = nearprint_store::behind(|| (1..=1_000_000_u64).sum::<u64>());
/// assert_eq!(sum, 500_000_500_000);
/// ```
pub fn behind<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let done = thread::scope(|scope| {
        let working = scope.spawn(|| {
            step_back();
            work()
        });
        working.join()
    });
    done.unwrap_or_else(|panic| resume_unwind(panic))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::disk::truth::Truth;
    use crate::options::Options;

    #[test]
    fn work_behind_leaves_its_caller_where_it_was() {
        let priority = || rustix::process::getpriority_process(None).unwrap();
        let before = priority();
        assert_eq!(behind(priority), before.max(BEHIND));
        assert_eq!(priority(), before);
    }

    #[test]
    fn work_behind_has_a_short_time_slice() {
        let slice = || {
            // SAFETY: zeros are attributes, and the system writes no more bytes than it is told.
            let mut attributes: libc::sched_attr = unsafe { std::mem::zeroed() };
            let size = size_of_val(&attributes);
            let to = std::ptr::from_mut(&mut attributes);
            let failed = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, to, size, 0) };
            assert_eq!(failed, 0);
            attributes.sched_runtime
        };
        // Before Linux 6.12 the system tells nothing.
        let mine = slice();
        assert_eq!(behind(slice), if mine == 0 { 0 } else { SLICE });
        assert_eq!(slice(), mine);
    }

    #[test]
    fn the_database_stands_behind() {
        let folder = tempfile::tempdir().unwrap();
        let _truth = Truth::open(folder.path(), &Options::default()).unwrap();
        let mut workers = 0;
        for thread in std::fs::read_dir("/proc/self/task").unwrap() {
            let stat = std::fs::read_to_string(thread.unwrap().path().join("stat"));
            let Ok(stat) = stat else { continue };
            let (named, fields) = stat.rsplit_once(") ").unwrap();
            if named.contains("(fjall:") {
                // The 19th field of proc_pid_stat(5); the second ends here.
                let nice: i32 = fields.split(' ').nth(16).unwrap().parse().unwrap();
                assert!(nice >= BEHIND, "{stat}");
                workers += 1;
            }
        }
        assert!(workers > 0);
    }
}
