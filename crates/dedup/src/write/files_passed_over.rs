//! The files that were found and are not read, as the figures of a job have them.

use nearprint_corpus::PassedOver;
use serde::Serialize;
use std::collections::BTreeMap;

/// Files and folders that were found and not read, by reason: no text (`binary`), a link that leads nowhere
/// (`dangling-link`), no right to open it (`unreadable`), or another name of a file that is read (`again`).
/// What the patterns of a [`Discovery`](nearprint_corpus::Discovery) leave out is not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FilesPassedOver {
    /// All of them.
    pub total: u64,
    /// How many for each reason.
    pub reasons: BTreeMap<&'static str, u64>,
    /// The first for each reason.
    pub examples: BTreeMap<&'static str, String>,
}

impl From<&[PassedOver]> for FilesPassedOver {
    fn from(passed_over: &[PassedOver]) -> Self {
        let mut files = Self::default();
        for PassedOver { obstacle, count, first } in passed_over {
            files.total += count;
            *files.reasons.entry(obstacle.name()).or_default() += count;
            files.examples.entry(obstacle.name()).or_insert_with(|| first.clone());
        }
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_corpus::Obstacle;

    #[test]
    fn what_several_inputs_pass_over_is_added() {
        let passed =
            |obstacle, count, first: &str| PassedOver { obstacle, count, first: first.to_owned() };
        let all = [
            passed(Obstacle::Binary, 2, "a.png"),
            passed(Obstacle::Again, 1, "b"),
            passed(Obstacle::Binary, 3, "c.pdf"),
        ];
        let files = FilesPassedOver::from(&all[..]);
        assert_eq!(files.total, 6);
        assert_eq!(files.reasons, BTreeMap::from([("binary", 5), ("again", 1)]));
        assert_eq!(files.examples["binary"], "a.png");
    }
}
