//! `nearprint store expire`: old documents out of a store.

use crate::flags::heading::RESOURCES;
use crate::show::figures::count_of;
use crate::usage::say;
use crate::verb::store::flags::StoreFlags;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Delete documents that were stored long ago
///
/// The age of a document is that of its time: when it was stored or last replaced, or the time that was
/// imported. Reads and deletes some thousand documents at a time; a command that was killed is simply given
/// again.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreFlags,
    /// Age of the youngest document to delete: 90d, 12h, 30m, 45s or 8w
    #[arg(long, value_name = "AGE", value_parser = age)]
    older_than: Duration,
    /// Print no closing line
    #[arg(long, short, help_heading = RESOURCES)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint store expire pages --older-than 90d";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
    let before = now.saturating_sub(args.older_than).as_millis();
    let store = args.store.open_any()?;
    let deleted = store.forget_before(u64::try_from(before)?, || false)?;
    if !args.quiet {
        let holds = count_of(store.len(), "document");
        say(&format!("{} deleted; the store holds {holds}", count_of(deleted, "document")));
    }
    Ok(())
}

/// A number with its unit.
fn age(text: &str) -> Result<Duration, String> {
    let units = [('s', 1), ('m', 60), ('h', 3600), ('d', 86_400), ('w', 7 * 86_400)];
    let unit = text.chars().next_back().and_then(|last| units.iter().find(|unit| unit.0 == last));
    let seconds = unit.and_then(|(unit, seconds)| {
        let number: u64 = text.strip_suffix(*unit)?.parse().ok()?;
        number.checked_mul(*seconds)
    });
    let wrong = || "a number and s, m, h, d or w are expected, such as 90d".to_owned();
    seconds.map(Duration::from_secs).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_a_number_with_a_unit() {
        for (text, seconds) in
            [("45s", 45), ("30m", 1800), ("12h", 43_200), ("90d", 7_776_000), ("8w", 4_838_400)]
        {
            assert_eq!(age(text).unwrap(), Duration::from_secs(seconds));
        }
        for text in [
            "",
            "d",
            "90",
            "-1d",
            "1.5h",
            "90 d",
            "1y",
            "99999999999999999999d",
            "9999999999999999999w",
        ] {
            assert!(age(text).unwrap_err().contains("such as 90d"), "{text}");
        }
    }
}
