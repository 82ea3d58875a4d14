//! Weights of features as programs and people read them.

use serde_json::Number;

/// A weight as a JSON number: an integer where it is one.
pub(crate) fn number(weight: f64) -> Number {
    // No digits are read as a float again: not every reader gives the same number back.
    let whole = format!("{weight}").parse::<i64>().map(Number::from);
    whole.ok().or_else(|| Number::from_f64(weight)).unwrap_or_else(|| 0.into())
}

/// A weight for a table: at most four digits after the point, but for a tiny one.
pub(crate) fn weight(weight: f64) -> String {
    if weight.fract() == 0.0 {
        return format!("{weight}");
    }
    let rounded = format!("{weight:.4}");
    match rounded.trim_end_matches('0').trim_end_matches('.') {
        "0" | "-0" => format!("{weight:.1e}"),
        shortest => shortest.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_weights_have_no_point() {
        assert_eq!([2.0, -0.5, 77.2].map(weight), ["2", "-0.5", "77.2"]);
        assert_eq!(
            [-13.019_999_999_999_996, 2e-7, 3.000_01].map(weight),
            ["-13.02", "2.0e-7", "3"]
        );
        assert_eq!(number(3.0).to_string(), "3");
        assert_eq!(number(-2.5).to_string(), "-2.5");
        assert_eq!(
            [number(1e300), number(-9e15)].map(|n| n.to_string()),
            ["1e+300", "-9000000000000000"]
        );
    }

    #[test]
    fn a_weight_is_the_same_number_when_it_is_read() {
        let mut word = 2007_u64;
        for _ in 0..20_000 {
            word = word
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let small = f64::from(u32::try_from(word >> 32).unwrap()) / 7e6;
            for weight in [f64::from_bits(word), small, -small / 3.0, small.round()] {
                let read = number(weight).to_string().parse::<f64>().unwrap();
                assert_eq!(read, if weight.is_finite() { weight } else { 0.0 });
            }
        }
    }
}
