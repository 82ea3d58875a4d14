//! Object storage and the web.

pub(crate) mod folder_copy;
#[cfg(feature = "objects")]
pub(crate) mod object;
#[cfg(not(feature = "objects"))]
#[path = "object_absent.rs"]
pub(crate) mod object;
pub(crate) mod object_url;
