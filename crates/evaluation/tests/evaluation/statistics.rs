//! Figures and intervals beside those of SciPy and scikit-learn. `scripts/check-statistics` makes the golden file.

use nearprint_evaluation::{ClusterScore, Gold, Labels, Resampling, Unlisted, wilson};
use serde_json::Value;

fn golden(part: &str) -> Vec<Value> {
    let golden: Value = serde_json::from_str(include_str!("../golden/statistics.json")).unwrap();
    golden[part].as_array().unwrap().clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn names(value: &Value) -> Vec<u32> {
    let all = value.as_array().unwrap().iter();
    all.map(|name| u32::try_from(name.as_u64().unwrap()).unwrap()).collect()
}

#[test]
fn wilsons_interval_is_that_of_scipy() {
    for case in golden("wilson") {
        let told = wilson(number(&case["right"]) / number(&case["of"]), number(&case["of"]));
        let apart =
            (told.low - number(&case["low"])).abs() + (told.high - number(&case["high"])).abs();
        assert!(apart < 1e-9, "{case} {told:?}");
    }
}

#[test]
fn clusters_score_as_scikit_learn_says() {
    for case in golden("clusterings") {
        let (groups, clusters) = (names(&case["groups"]), names(&case["clusters"]));
        let ids: Vec<_> = (0..groups.len()).map(|id| id.to_string()).collect();
        let members = ids.iter().cloned().zip(groups.iter().map(ToString::to_string));
        let gold = Gold::of(&Labels::of_clusters(members).unwrap(), &ids, Unlisted::Different);
        let score = ClusterScore::of(&clusters, &gold.unwrap());
        let (pairs, cubed) = (score.pairs.score, score.b_cubed);
        let found = [pairs.precision, pairs.recall, pairs.f1, score.adjusted_rand];
        let found = found.into_iter().chain([cubed.precision, cubed.recall, cubed.f1]);
        let expected = numbers(&case["pairs"]).into_iter().chain([number(&case["adjusted_rand"])]);
        let expected = expected.chain(numbers(&case["b_cubed"]));
        for (found, expected) in found.zip(expected) {
            assert!((found.value - expected).abs() < 1e-9, "{found:?} {expected}");
            let inside = found.interval.low <= found.value && found.value <= found.interval.high;
            assert!(inside || clusters == groups, "{found:?}");
        }
    }
}

#[test]
fn intervals_over_groups_are_near_those_of_scipy() {
    for case in golden("bootstraps") {
        let (right, of) = (numbers(&case["right"]), numbers(&case["of"]));
        let weighed = |values: &[f64], weights: &[f64]| -> f64 {
            values.iter().zip(weights).map(|(value, weight)| value * weight).sum()
        };
        let share = |weights: &[f64]| vec![weighed(&right, weights) / weighed(&of, weights)];
        let told = Resampling::new(of.len()).intervals(share)[0];
        let (low, high) = (number(&case["low"]), number(&case["high"]));
        let most = 0.12 * (high - low);
        assert!(
            (told.low - low).abs() < most && (told.high - high).abs() < most,
            "{told:?} {low} {high}"
        );
        // Observations that are taken for independent tell too narrow an interval.
        let all: f64 = of.iter().sum();
        let naive = wilson(right.iter().sum::<f64>() / all, all);
        assert!(naive.high - naive.low < 0.9 * (high - low), "{naive:?}");
    }
}
