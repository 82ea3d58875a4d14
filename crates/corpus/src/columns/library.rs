//! Calls of the libraries that read columns: of damaged data they may panic.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// Whether a library is being called, whose panic is an answer.
    static CALLS: Cell<bool> = const { Cell::new(false) };
}

/// What a call of a library answers, or what it said when it panicked: the data are damaged. Nothing that it left may be
/// used then.
pub(crate) fn library<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    /// Once in a process: what such a panic says goes into the answer, and not to standard error too.
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !CALLS.get() {
                others(panic);
            }
        }));
    });
    let outer = CALLS.replace(true);
    let called = catch_unwind(AssertUnwindSafe(call));
    CALLS.set(outer);
    called.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        format!("its reader failed: {}", text.unwrap_or("without a word"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_answer() {
        assert_eq!(library(|| 7), Ok(7));
        let one = library::<()>(|| panic!("{} is wrong", 1));
        assert_eq!(one, Err("its reader failed: 1 is wrong".to_owned()));
        assert!(library::<()>(|| panic!("so")).unwrap_err().ends_with("so"));
    }
}
