//! Which threads come first where processors are short.
#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "no library sets the time slice of a thread")
)]

use std::panic::resume_unwind;
use std::thread;

/// How far threads in the background stand behind: where processors are short, they get about a tenth of one.
#[cfg(target_os = "linux")]
pub(crate) const BEHIND: i32 = 10;
/// The least time slice that Linux gives, in nanoseconds.
#[cfg(target_os = "linux")]
const SHORT: u64 = 100_000;
/// For the slice that a thread has where nobody asks for another one: some milliseconds.
#[cfg(target_os = "linux")]
const USUAL: u64 = 0;

/// The thread that calls this interrupts work in the background as soon as it has something to do, and so do the
/// threads that it starts. For threads that answer somebody and have little to do each time.
///
/// In Linux a thread that wakes up waits until the one that runs has ended its time slice, whatever their priorities
/// are, unless its own slice is the shorter one. So this gives it the shortest one. Before Linux 6.12 and on other
/// systems it does nothing.
///
/// # Examples
/// ```
/// std::thread::spawn(|| {
///     nearprint_store::ahead();
///     // Waits for questions and answers them.
/// });
/// ```
pub fn ahead() {
    #[cfg(target_os = "linux")]
    set(rustix::process::getpriority_process(None).unwrap_or_default(), SHORT);
}

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
        set(nice, USUAL);
    }
}

/// Sets the priority and the time slice of this thread. Before Linux 6.12 the slice stays as it is.
#[cfg(target_os = "linux")]
fn set(nice: i32, slice: u64) {
    let attributes = libc::sched_attr {
        size: u32::try_from(size_of::<libc::sched_attr>()).unwrap_or_default(),
        sched_policy: 0,
        sched_flags: libc::SCHED_FLAG_KEEP_POLICY as u64,
        sched_nice: nice,
        sched_priority: 0,
        sched_runtime: slice,
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

    #[test]
    fn work_behind_leaves_its_caller_where_it_was() {
        let priority = || rustix::process::getpriority_process(None).unwrap();
        let before = priority();
        assert_eq!(behind(priority), before.max(BEHIND));
        assert_eq!(priority(), before);
    }

    #[test]
    fn a_thread_ahead_has_a_short_time_slice_and_work_behind_it_the_usual_one() {
        let slice = || {
            // SAFETY: zeros are attributes, and the system writes no more bytes than it is told.
            let mut attributes: libc::sched_attr = unsafe { std::mem::zeroed() };
            let size = size_of_val(&attributes);
            let to = std::ptr::from_mut(&mut attributes);
            let failed = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, to, size, 0) };
            assert_eq!(failed, 0);
            attributes.sched_runtime
        };
        let usual = slice();
        // Before Linux 6.12 the system tells nothing.
        let short = if usual == 0 { 0 } else { SHORT };
        let priority = || rustix::process::getpriority_process(None).unwrap();
        let before = priority();
        let (mine, behind_me) = thread::spawn(move || {
            ahead();
            assert_eq!(priority(), before);
            (slice(), behind(slice))
        })
        .join()
        .unwrap();
        assert_eq!((mine, behind_me, slice()), (short, usual, usual));
    }
}
