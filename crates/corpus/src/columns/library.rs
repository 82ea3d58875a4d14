//! Calls of the libraries that read columns: of damaged data they may panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a call of a library answers, or what it said when it panicked: the data are damaged. Nothing that it left may be
/// used then.
pub(crate) fn library<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        format!("what reads it gave up: {}", text.unwrap_or("without a word"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_answer() {
        assert_eq!(library(|| 7), Ok(7));
        let one = library::<()>(|| panic!("{} is wrong", 1));
        assert_eq!(one, Err("what reads it gave up: 1 is wrong".to_owned()));
        assert!(library::<()>(|| panic!("so")).unwrap_err().ends_with("so"));
    }
}
