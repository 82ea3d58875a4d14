//! A copy: takes over the changes of another service, its leader.

pub(crate) mod fault;
pub(crate) mod fetch;
pub(crate) mod follower;
pub(crate) mod leader;
pub(crate) mod link;
pub(crate) mod replica_state;
