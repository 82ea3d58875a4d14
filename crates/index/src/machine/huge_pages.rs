//! Large pages of memory for what is large: fewer faults when it is first written, and fewer misses of the
//! processor's table of pages.
#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "advice to the system takes a pointer")
)]

/// Bytes of a large page, as most processors have them.
#[cfg(target_os = "linux")]
const PAGE: usize = 2 << 20;

/// Asks for large pages behind the items of `items`, which is about to be filled up to its capacity. Where the
/// system gives none, nothing changes.
pub(crate) fn ask<T>(items: &mut Vec<T>) {
    #[cfg(target_os = "linux")]
    {
        let room = items.spare_capacity_mut().as_mut_ptr_range();
        let start = room.start.cast::<u8>();
        let skipped = start.align_offset(PAGE);
        let bytes = room.end.addr() - room.start.addr();
        let whole = bytes.saturating_sub(skipped) / PAGE * PAGE;
        if whole > 0 {
            use rustix::mm::{Advice, madvise};
            // SAFETY: whole pages of memory that the list owns. The advice changes no content.
            let _refused =
                unsafe { madvise(start.add(skipped).cast(), whole, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _unused = items;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_any_size_keep_what_they_hold() {
        for capacity in [0, 1, 1 << 18, (1 << 20) + 7] {
            let mut items = Vec::<u64>::with_capacity(capacity);
            items.extend(0..capacity as u64 / 2);
            ask(&mut items);
            items.extend(capacity as u64 / 2..capacity as u64);
            assert!(items.into_iter().eq(0..capacity as u64));
        }
    }
}
