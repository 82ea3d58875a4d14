//! The stages of a job in shards, and which units of a stage are a task's.

use std::fmt;
use std::str::FromStr;

/// A stage of a job in shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// The second reading of an input file: what stays of it, and reports.
    Write,
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
    /// All stages, in their order.
    pub const ALL: [Self; 6] =
        [Self::Sketch, Self::Join, Self::Cluster, Self::Gather, Self::Solve, Self::Write];

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
        }
    }

    /// The stage before this one.
    #[must_use]
    pub fn before(self) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|step| *step < self)
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
