//! The whole job from files to files: what is asked (`spec`), the files that were found (`discovered`), the job over
//! them (`resolved`), what is opened (`opening`) and ready (`ready`), its stages in a row, what it will take, what it is
//! known by, how that differs from an earlier job (`difference`), and what an interrupted run goes on from.
//! `temporary_folder` is where files go meanwhile. `split` cuts a
//! corpus into `cut_parts`, `parts` says which, and `leak` what is still alike across. `decision` decides again from a
//! `decisions_file`, and `sweep` is what it tells of several similarities.
//! `comparison` says why two documents are brought together, or are not; `named` finds a document by its id or place.

pub(crate) mod checkpoint;
pub(crate) mod clock;
pub(crate) mod comparison;
pub(crate) mod cut_parts;
pub(crate) mod decision;
pub(crate) mod decisions_file;
pub(crate) mod difference;
pub(crate) mod discovered;
pub(crate) mod forecast;
pub(crate) mod form;
pub(crate) mod identity;
pub(crate) mod kept_stages;
pub(crate) mod leak;
pub(crate) mod named;
pub(crate) mod needs;
pub(crate) mod opening;
pub(crate) mod parts;
pub(crate) mod ready;
pub(crate) mod resolved;
pub(crate) mod sampling;
pub(crate) mod spec;
pub(crate) mod split;
pub(crate) mod stages;
pub(crate) mod sweep;
pub(crate) mod temporary_folder;
