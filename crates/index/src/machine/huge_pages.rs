//! Large pages of memory for what is large: fewer faults when it is first written, and fewer misses of the
//! processor's table of pages.
#![expect(unsafe_code, reason = "an allocator, and advice to the system, take pointers")]

use std::alloc::{GlobalAlloc, Layout};

/// Bytes of a large page, as most processors have them.
#[cfg(target_os = "linux")]
const PAGE: usize = 2 << 20;
/// Bytes of memory from which on an allocator asks for large pages: the last of them may be half empty.
const LARGE: usize = 4 << 20;

/// Asks for large pages behind the items of `items`, which is about to be filled up to its capacity. Where the
/// system gives none, nothing changes.
pub(crate) fn ask<T>(items: &mut Vec<T>) {
    let room = items.spare_capacity_mut().as_mut_ptr_range();
    advise(room.start.cast(), room.end.addr() - room.start.addr());
}

/// Asks for large pages in so many bytes of memory, which are the caller's.
fn advise(start: *mut u8, bytes: usize) {
    #[cfg(target_os = "linux")]
    {
        let skipped = start.align_offset(PAGE);
        let whole = bytes.saturating_sub(skipped) / PAGE * PAGE;
        if whole > 0 {
            use rustix::mm::{Advice, madvise};
            // SAFETY: whole pages of the memory. The advice changes no content.
            let _refused =
                unsafe { madvise(start.add(skipped).cast(), whole, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _unused = (start, bytes);
}

/// An allocator that asks the system for large pages where 4 MiB or more are allocated: tables that are read here and
/// there take half the time with them. Elsewhere than on Linux, or where `transparent_hugepage` is `never`, it is `A`.
///
/// # Examples
/// ```
/// use nearprint_index::LargePages;
/// use std::alloc::System;
///
/// #[global_allocator]
/// static ALLOCATOR: LargePages<System> = LargePages(System);
///
/// fn main() {
///     assert_eq!(vec![1_u8; 5 << 20].len(), 5 << 20);
/// }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct LargePages<A>(pub A);

impl<A> LargePages<A> {
    fn asked(memory: *mut u8, bytes: usize) -> *mut u8 {
        if bytes >= LARGE && !memory.is_null() {
            advise(memory, bytes);
        }
        memory
    }
}

// SAFETY: all memory is that of `A`, and advice changes nothing of it.
unsafe impl<A: GlobalAlloc> GlobalAlloc for LargePages<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        Self::asked(unsafe { self.0.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        Self::asked(unsafe { self.0.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        Self::asked(unsafe { self.0.realloc(memory, layout, bytes) }, bytes)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { self.0.dealloc(memory, layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::alloc::System;

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

    #[test]
    fn memory_of_any_size_is_that_of_the_allocator_below() {
        let allocator = LargePages(System);
        for bytes in [1, LARGE - 1, LARGE, LARGE + 12345] {
            let layout = Layout::from_size_align(bytes, 64).unwrap();
            // SAFETY: the layout has a size, all is written before it is read, and freed once by its layout.
            unsafe {
                let memory = allocator.alloc_zeroed(layout);
                assert_eq!((memory.add(bytes - 1).read(), memory.addr() % 64), (0, 0), "{bytes}");
                memory.add(bytes - 1).write(7);
                let memory = allocator.realloc(memory, layout, 3 * bytes);
                assert_eq!(memory.add(bytes - 1).read(), 7, "{bytes}");
                let layout = Layout::from_size_align(3 * bytes, 64).unwrap();
                allocator.dealloc(memory, layout);
            }
        }
    }
}
