//! Numbers as the template writes them: `{{ number|grouped }}`.

#![expect(unreachable_pub, reason = "what the macro makes of a filter")]

use crate::show::figures::grouped as group;
use askama::{Result, Values};
use std::fmt::Display;

/// `1,234,567`.
#[askama::filter_fn]
pub(super) fn grouped(number: impl Display, _: &dyn Values) -> Result<String> {
    Ok(group(&number.to_string()))
}

/// `1 word`, `1,234 words`.
#[askama::filter_fn]
pub(super) fn of(number: impl Display, _: &dyn Values, thing: &str) -> Result<String> {
    let number = number.to_string();
    let s = if number == "1" { "" } else { "s" };
    Ok(format!("{} {thing}{s}", group(&number)))
}
