//! The links of a bucket of a band, where no pair is asked for: so few that they join what its candidates join.

use crate::error::Error;
use crate::matching::band_join::BUCKET;

/// Links the documents of a bucket: those of a crowded bucket all to the first, of others each two that are `near`.
///
/// # Errors
/// Those of `link`.
pub(crate) fn linked<T: Copy>(
    bucket: &[T],
    near: impl Fn(T, T) -> bool,
    mut link: impl FnMut(T, T) -> Result<(), Error>,
) -> Result<(), Error> {
    let is_crowded = bucket.len() > BUCKET;
    for (at, a) in bucket.iter().enumerate() {
        for b in bucket.iter().skip(at + 1) {
            if is_crowded || near(*a, *b) {
                link(*a, *b)?;
            }
        }
        if is_crowded {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(bucket: &[u32]) -> Vec<(u32, u32)> {
        let mut links = Vec::new();
        let link = |a, b| {
            links.push((a, b));
            Ok(())
        };
        linked(bucket, |a, b| a.abs_diff(b) <= 1, link).unwrap();
        links
    }

    #[test]
    fn those_that_are_near_are_linked_and_all_of_a_crowded_bucket() {
        assert_eq!(links(&[0, 5, 1, 6]), [(0, 1), (5, 6)]);
        let apart = |count: usize| (0..).map(|at| 2 * at).take(count).collect::<Vec<u32>>();
        assert!(links(&apart(BUCKET)).is_empty());
        let crowded = apart(BUCKET + 1);
        assert_eq!(links(&crowded), crowded[1..].iter().map(|b| (0, *b)).collect::<Vec<_>>());
    }
}
