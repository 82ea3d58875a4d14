//! Which units of a stage are done.

use crate::distributed::step::Step;
use crate::distributed::work_folder::WorkFolder;
use crate::error::Error;
use std::collections::HashSet;

/// Units that an error names at most.
const NAMED: usize = 10;

/// Of so many units of a stage those that are not done.
pub(crate) fn not_done(folder: &WorkFolder, step: Step, units: usize) -> Result<Vec<usize>, Error> {
    let done: HashSet<usize> = folder.done(step)?.into_iter().collect();
    Ok((0..units).filter(|unit| !done.contains(unit)).collect())
}

/// Refuses a stage of which some of so many units are missing.
pub(crate) fn check_complete(step: Step, units: usize, missing: &[usize]) -> Result<(), Error> {
    if missing.is_empty() {
        return Ok(());
    }
    let some: Vec<String> = missing.iter().take(NAMED).map(usize::to_string).collect();
    let more = if missing.len() > NAMED { " and others" } else { "" };
    let missing = format!("{} of {units}: {}{more}", missing.len(), some.join(", "));
    Err(Error::Unready { stage: step.name(), missing })
}
