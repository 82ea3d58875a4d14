//! What a run may write, and where each record goes.

pub(crate) mod mirror;
#[expect(clippy::module_inception, reason = "the file of the type that the room is for")]
pub(crate) mod outputs;
mod waiting;
