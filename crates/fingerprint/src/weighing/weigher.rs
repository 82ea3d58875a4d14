//! Real weights from how common a feature is in a corpus. Logarithms come from the crate `libm`,
//! in software: the same on every machine.

/// How common a feature is, and the corpus that says so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frequency {
    /// Documents that have the feature.
    pub(crate) documents: f64,
    /// Documents of the corpus.
    pub(crate) of: f64,
    /// Features of a document of the corpus on average, counted with their repetitions.
    pub(crate) mean_length: f64,
}

/// How fast a repeated feature saturates in [`bm25`].
const K1: f64 = 1.2;
/// How much the length of a document matters in [`bm25`].
const B: f64 = 0.75;

/// TF-IDF: `count * (ln((1 + N) / (1 + n)) + 1)` for a feature that `n` of `N` documents have. A
/// feature that all have still counts, and one that none has does not divide by zero.
///
/// # References
/// Spärck Jones, "A statistical interpretation of term specificity", 1972; smoothed as by
/// scikit-learn's `TfidfVectorizer`.
#[must_use]
pub(crate) fn tf_idf(count: u32, frequency: Frequency) -> f64 {
    let Frequency { documents, of, .. } = frequency;
    f64::from(count) * (libm::log((1.0 + of) / (1.0 + documents)) + 1.0)
}

/// BM25 with k1 = 1.2 and b = 0.75: the count saturates at 2.2 times the inverse document frequency
/// `ln(1 + (N - n + 0.5) / (n + 0.5))`, the sooner the shorter the document.
///
/// `length` is the number of the document's features with their repetitions.
///
/// # References
/// Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; the
/// frequency with `1 +`, so that it is never negative, as in Lucene.
#[must_use]
pub(crate) fn bm25(count: u32, length: f64, frequency: Frequency) -> f64 {
    let Frequency { documents, of, mean_length } = frequency;
    let idf = libm::log(1.0 + (of - documents + 0.5) / (documents + 0.5));
    let relative = if mean_length > 0.0 { length / mean_length } else { 1.0 };
    let count = f64::from(count);
    idf * count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * relative))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(documents: f64) -> Frequency {
        Frequency { documents, of: 99.0, mean_length: 10.0 }
    }

    #[test]
    fn weights_are_those_of_the_formulas() {
        assert!((tf_idf(3, of(9.0)) - 3.0 * (10_f64.ln() + 1.0)).abs() < 1e-12);
        assert_eq!(tf_idf(1, of(99.0)), 1.0);
        assert!(tf_idf(1, of(0.0)).is_finite());
        let expected = (1.0 + 90.5 / 9.5_f64).ln() * 2.0 * 2.2 / (2.0 + 1.2);
        assert!((bm25(2, 10.0, of(9.0)) - expected).abs() < 1e-12);
    }

    #[test]
    fn counts_saturate_and_length_holds_down() {
        let weight = |count, length| bm25(count, length, of(9.0));
        assert!(weight(100, 10.0) < 2.2 * weight(1, 10.0));
        assert!(weight(1, 100.0) < weight(1, 10.0) && weight(1, 100.0) > 0.0);
        assert!(bm25(1, 10.0, of(99.0)) > 0.0);
    }
}
