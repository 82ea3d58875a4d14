//! Puts the records of a journal in the order of changes, where the start of one is damaged: no checksum is of that.

use crate::raw::journal::Part;

/// The parts with a place for each record, which ascend from behind `before`: the places that they have, but for the fewest
/// that break the order.
pub(crate) fn ordered(mut parts: Vec<Part<'_>>, before: u64) -> Vec<Part<'_>> {
    let kept = longest(&parts, before);
    let mut kept = kept.into_iter().peekable();
    let mut last = before;
    for (at, part) in parts.iter_mut().enumerate() {
        let Part::Record(record) = part else { continue };
        last = match kept.next_if(|kept| kept.0 == at) {
            Some((_, place)) => place,
            // As late as may be, so that it does not seem to be in a table; the last ones follow each other.
            None => kept.peek().map_or(last.saturating_add(1), |next| next.1 - 1),
        };
        record.place = Some(last);
    }
    parts
}

/// The longest ascending run of places, with the numbers of their parts.
fn longest(parts: &[Part<'_>], before: u64) -> Vec<(usize, u64)> {
    // For each length the run of that length that ends lowest: its last place, and which one comes before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut all: Vec<(usize, u64, Option<usize>)> = Vec::new();
    let places = parts.iter().enumerate().filter_map(|(at, part)| match part {
        Part::Record(record) => Some((at, record.place?)),
        Part::Damage(_) => None,
    });
    for (at, place) in places.filter(|(_, place)| *place > before) {
        let place_of = |end: &usize| all.get(*end).map_or(0, |found| found.1);
        let length = ends.partition_point(|end| place_of(end) < place);
        let previous = length.checked_sub(1).and_then(|length| ends.get(length).copied());
        all.push((at, place, previous));
        match ends.get_mut(length) {
            Some(end) => *end = all.len() - 1,
            None => ends.push(all.len() - 1),
        }
    }
    let mut run = Vec::new();
    let mut next = ends.last().copied();
    while let Some((at, place, previous)) = next.and_then(|next| all.get(next)) {
        run.push((*at, *place));
        next = *previous;
    }
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw::journal::Record;

    fn places(places: &[Option<u64>], before: u64) -> Vec<u64> {
        let record = |place: &Option<u64>| {
            Part::Record(Record { at: 0..0, place: *place, changes: Vec::new() })
        };
        let parts = ordered(places.iter().map(record).collect(), before);
        let place = |part: &Part<'_>| match part {
            Part::Record(record) => record.place.unwrap(),
            Part::Damage(_) => unreachable!(),
        };
        parts.iter().map(place).collect()
    }

    #[test]
    fn a_place_that_breaks_the_order_is_put_between_its_neighbours() {
        let some = |all: &[u64]| all.iter().copied().map(Some).collect::<Vec<_>>();
        assert_eq!(places(&some(&[5, 7, 9]), 4), [5, 7, 9]);
        assert_eq!(places(&some(&[5, 1000, 9]), 4), [5, 8, 9]);
        assert_eq!(places(&some(&[1000, 7, 9, 10]), 4), [6, 7, 9, 10]);
        assert_eq!(places(&some(&[5, 7, 1]), 4), [5, 7, 8]);
        assert_eq!(places(&[None, Some(7), None, Some(12), None], 4), [6, 7, 11, 12, 13]);
        assert_eq!(places(&[None], 4), [5]);
        assert_eq!(places(&[], 4), [] as [u64; 0]);
    }
}
