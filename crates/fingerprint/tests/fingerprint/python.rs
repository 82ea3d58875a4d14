//! The Python class that is widely copied: its bits, by the recipe `python-128`.

use nearprint_fingerprint::{Fingerprinter, Recipe, SignRule, Width};

fn python<const WORDS: usize>(sign: SignRule, width: Width, text: &str) -> String {
    let recipe = Recipe::named("python-128").unwrap().with_width(width);
    let recipe = Recipe { sign, ..recipe };
    Fingerprinter::<WORDS>::new(&recipe).unwrap().fingerprint(text).fingerprint.to_string()
}

#[test]
fn the_python_class_is_reproduced_under_both_sign_rules_and_widths() {
    let (a, b) = ("This is a test string for testing", "This is a test string for testing also!");
    use SignRule::{NonNegative, Positive};
    for (sign, text, expected) in [
        (NonNegative, a, "0000000020302202800d8e90e45cc488"),
        (NonNegative, b, "0000000020fc2282801d9e9ce4dcc6ea"),
        (Positive, a, "0000000020302202800d8e90e45cc488"),
        (Positive, b, "0000000000002002000d0e90e45cc088"),
    ] {
        assert_eq!(python::<2>(sign, Width::W128, text), expected);
        assert_eq!(python::<1>(sign, Width::W64, text), expected[16..]);
    }
}

#[test]
fn the_ratio_of_the_python_class_is_that_of_two_integers() {
    let value = |text: &str| {
        let hex = python::<2>(SignRule::NonNegative, Width::W128, text);
        u128::from_str_radix(&hex, 16).unwrap()
    };
    let (a, b) = (
        value("This is a test string for testing"),
        value("This is a test string for testing also!"),
    );
    assert_eq!(a as f64 / b as f64, 0.975_840_988_109_587_5);
    assert_eq!((a ^ b).count_ones(), 14);
}
