//! The numbers of measures in the files of a job in shards. `nearprint-fingerprint` defines what a measure is.

use nearprint_fingerprint::Measure;

/// In the order of their numbers.
const ALL: [Measure; 6] = [
    Measure::Jaccard,
    Measure::EstimatedCosine,
    Measure::Cosine,
    Measure::WeightedJaccard,
    Measure::EstimatedJaccard,
    Measure::Containment,
];

/// The number of a measure in the files of a job in shards.
pub(crate) fn number_of(measure: Measure) -> u64 {
    ALL.iter().zip(0..).find(|(one, _)| **one == measure).map_or(0, |(_, number)| number)
}

/// The measure of a number.
pub(crate) fn of_number(number: u64) -> Measure {
    let at = usize::try_from(number).ok();
    at.and_then(|at| ALL.get(at).copied()).unwrap_or(Measure::Jaccard)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_has_a_number_that_stays() {
        for (number, measure) in (0..).zip(ALL) {
            assert_eq!((number_of(measure), of_number(number)), (number, measure));
        }
        assert_eq!(of_number(1), Measure::EstimatedCosine);
    }
}
