//! Which radii there are. Imports no sibling but the error.

use crate::error::Error;

/// Refuses a radius of more bits than a fingerprint has.
///
/// # Errors
/// [`Error::RadiusOverWidth`].
///
/// # Examples
/// ```
/// use nearprint_index::{Error, check_radius};
///
/// assert!(check_radius(64, 64).is_ok());
/// assert_eq!(check_radius(65, 64), Err(Error::RadiusOverWidth { k: 65, width: 64 }));
/// ```
pub fn check_radius(k: u32, width: u32) -> Result<(), Error> {
    if k > width { Err(Error::RadiusOverWidth { k, width }) } else { Ok(()) }
}
