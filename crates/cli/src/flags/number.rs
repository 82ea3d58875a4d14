//! Values that are no numbers, or out of their range: what to give in their place.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use std::error::Error as StdError;
use std::num::{IntErrorKind, ParseIntError};

/// Whether a value is refused as no whole number at all.
pub(crate) fn is_no_number(refusal: &Error) -> bool {
    refusal.source().is_some_and(|source| source.is::<ParseIntError>())
}

/// What to give in place of a value that is no whole number, or not in a range, where that is refused.
pub(crate) fn number_said(refusal: &Error) -> Option<String> {
    let is_value = refusal.kind() == ErrorKind::ValueValidation;
    let why = refusal.source().filter(|_| is_value)?;
    let is_negative =
        |value: &ContextValue| value.to_string().parse::<i128>().is_ok_and(|it| it < 0);
    match refusal.get(ContextKind::InvalidValue).is_some_and(is_negative) {
        true if why.is::<ParseIntError>() => Some("use a positive whole number".to_owned()),
        _ => expected_number(why),
    }
}

/// The same by the reason of the refusal.
pub(crate) fn expected_number(why: &(dyn StdError + 'static)) -> Option<String> {
    if let Some(error) = why.downcast_ref::<ParseIntError>() {
        return Some(match error.kind() {
            IntErrorKind::Zero => "use a whole number from 1 on".to_owned(),
            IntErrorKind::PosOverflow => "use a smaller whole number".to_owned(),
            _ => "use a whole number".to_owned(),
        });
    }
    // As the parser of arguments tells a range.
    let told = why.to_string();
    let (given, range) = told.split_once(" is not in ")?;
    let (least, most) = range.split_once("..")?;
    let number = |text: &str| text.trim_start_matches('=').parse::<i128>().ok();
    let (given, least, most) = (number(given)?, number(least)?, number(most)?);
    Some(match given < least && most >= u32::MAX.into() {
        true => format!("use a whole number from {least} on"),
        false => format!("use a whole number from {least} to {most}"),
    })
}

/// The refusal of a value that is no such number, in words of ours.
pub(crate) fn told_of_number(refusal: &Error, advice: String) -> Error {
    let mut told = Error::new(refusal.kind()).with_cmd(&Command::new("nearprint"));
    for (kind, value) in refusal.context() {
        told.insert(kind, value.clone());
    }
    let advice = vec![StyledStr::from(advice)];
    told.insert(ContextKind::Suggested, ContextValue::StyledStrs(advice));
    told
}
