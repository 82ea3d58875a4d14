//! From a width known at run time to the one compiled in.

/// Calls `$function::<WORDS>($args)` for the words of `$width`.
macro_rules! at_width {
    ($width:expr, $function:ident($($arg:expr),* $(,)?)) => {
        match $width {
            nearprint_fingerprint::Width::W64 => $function::<1>($($arg),*),
            nearprint_fingerprint::Width::W128 => $function::<2>($($arg),*),
            nearprint_fingerprint::Width::W256 => $function::<4>($($arg),*),
        }
    };
}
pub(crate) use at_width;
