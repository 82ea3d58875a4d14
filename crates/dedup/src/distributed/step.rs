//! The stages of a job in shards, and which units of a stage are a task's.

use std::fmt;
use std::str::FromStr;

/// A stage of a job in shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The first reading of an input file.
    Sketch,
    /// Links between documents: those of a range of the keys of a band, or of contents.
    Join,
    /// Links to components, and components to shards.
    Cluster,
    /// The documents of components of an input file, with their features, by shard.
    Gather,
    /// What becomes of the documents of a shard.
    Solve,
    /// The last reading of an input file: what stays of it, and reports.
    Write,
    /// Of a job over passages the first reading of an input file.
    Anchors,
    /// What repeats of a range of anchors.
    Repeats,
    /// The second reading of an input file: windows that are asked for.
    Windows,
    /// Equal windows of a range, with the first of each.
    Firsts,
    /// The copies in an input file to runs.
    Runs,
    /// The third reading of an input file: the text of firsts.
    Lend,
    /// The fourth reading of an input file: its copies are compared with their firsts.
    Cut,
    /// Of a job over eval sets the reading of a sample of all input.
    Sample,
    /// The first reading of an input file: items that stand in it.
    Look,
    /// What is known of each item from all input.
    Sum,
}

/// A share of the units of a stage: of so many tasks one, from 1.
///
/// # Examples
/// ```
/// use nearprint_dedup::Task;
///
/// let task: Task = "2/3".parse()?;
/// assert_eq!((0..7).filter(|unit| task.does(*unit)).collect::<Vec<_>>(), [1, 4]);
/// assert!("4/3".parse::<Task>().is_err() && "0/3".parse::<Task>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    number: usize,
    of: usize,
}

impl Step {
    /// All stages of a job over documents, in their order.
    pub const ALL: [Self; 6] =
        [Self::Sketch, Self::Join, Self::Cluster, Self::Gather, Self::Solve, Self::Write];

    /// All stages of a job over passages, in their order.
    pub const PASSAGES: [Self; 8] = [
        Self::Anchors,
        Self::Repeats,
        Self::Windows,
        Self::Firsts,
        Self::Runs,
        Self::Lend,
        Self::Cut,
        Self::Write,
    ];

    /// All stages of a job over eval sets, in their order.
    pub const CONTAMINATION: [Self; 4] = [Self::Sample, Self::Look, Self::Sum, Self::Write];

    /// The name of the stage.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sketch => "sketch",
            Self::Join => "join",
            Self::Cluster => "cluster",
            Self::Gather => "gather",
            Self::Solve => "solve",
            Self::Write => "write",
            Self::Anchors => "anchors",
            Self::Repeats => "repeats",
            Self::Windows => "windows",
            Self::Firsts => "firsts",
            Self::Runs => "runs",
            Self::Lend => "lend",
            Self::Cut => "cut",
            Self::Sample => "sample",
            Self::Look => "look",
            Self::Sum => "sum",
        }
    }

    /// The stage before this one, of those of a job.
    #[must_use]
    pub fn before(self, stages: &[Self]) -> Option<Self> {
        let at = stages.iter().position(|step| *step == self)?;
        stages.get(at.checked_sub(1)?).copied()
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Task {
    /// The only task.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// Whether a unit, counted from 0, is one of the task's.
    #[must_use]
    pub fn does(self, unit: usize) -> bool {
        unit % self.of == self.number - 1
    }
}

impl FromStr for Task {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = |part: &str| part.parse::<usize>().ok();
        let parts = text.split_once('/').and_then(|(i, n)| read(i).zip(read(n)));
        let task = parts.filter(|(number, of)| (1..=*of).contains(number));
        let task = task.map(|(number, of)| Self { number, of });
        task.ok_or_else(|| "give I/N with I from 1 to N, such as 3/16".to_owned())
    }
}
