//! Plans of tables as people read them.

use crate::show::figures::{bytes, count};
use anyhow::bail;
use nearprint_index::{Error, Plan, Planner, Request};

/// The plan that `planner` chooses; where none fits, with the flag that makes one fit if one does.
pub(crate) fn chosen(planner: &Planner) -> anyhow::Result<&Plan> {
    let request = *planner.request();
    planner.choose().or_else(|error| {
        let without = Planner::new(Request { ids: false, ..request })?;
        match (&error, without.choose()) {
            (Error::Budget { .. }, Ok(plan)) if request.ids => bail!(
                "{error}; or pass --no-ids: without the numbers of the documents {} takes {}, and answers are fingerprints",
                plan.name(),
                bytes(plan.bytes())
            ),
            _ => Err(error.into()),
        }
    })
}

/// What a plan that takes more memory would buy, and what to `pass` for it.
pub(crate) fn much_faster(chosen: &Plan, faster: &Plan, pass: &str) -> String {
    format!(
        "{} answers a query in {}; {} would answer in {} and take {} in place of {}: {pass}",
        chosen.name(),
        time(chosen.query_microseconds()),
        faster.name(),
        time(faster.query_microseconds()),
        bytes(faster.bytes()),
        bytes(chosen.bytes()),
    )
}

/// Microseconds in their unit.
fn time(microseconds: f64) -> String {
    match microseconds {
        us if us < 1e3 => format!("{us:.1} us"),
        us if us < 1e6 => format!("{:.1} ms", us / 1e3),
        us => format!("{:.1} s", us / 1e6),
    }
}

/// Fingerprints that a query is compared with, or buckets that it meets.
pub(crate) fn mean(number: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a mean of counts, which a float that is too large ends at the largest count"
    )]
    let whole = number.round() as u64;
    match number {
        1e8.. => format!("{number:.1e}"),
        0.0 | 10.0.. => count(whole),
        _ if (number - number.round()).abs() < 1e-9 => count(whole),
        0.01.. => format!("{number:.2}"),
        _ => format!("{number:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_times_have_the_digits_that_they_deserve() {
        let means = [0.0, 8.0, 0.25, 3e-7, 88.0, 1_048_576.0, 20.4, 8e9].map(mean);
        assert_eq!(means, ["0", "8", "0.25", "3.0e-7", "88", "1,048,576", "20", "8.0e9"]);
        assert_eq!([1.24, 425_000.0, 2e6].map(time), ["1.2 us", "425.0 ms", "2.0 s"]);
    }
}
