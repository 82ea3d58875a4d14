//! Curves beside all pairs, compared one by one; and a setting beside the pairs that it is said to find.

use nearprint_dedup::{Dedup, Recall, Verify};
use nearprint_evaluation::{
    Evaluation, Gold, Judged, Label, Labels, Limit, PairLabel, Texts, Unlisted,
};
use nearprint_fingerprint::{Comparison, Recipe, Similarity, Weighting, Width};

/// Texts in families of which each member has other words changed; some equal, short or empty.
fn texts() -> Texts {
    let text = |at: usize| match at {
        3 => String::new(),
        4 | 5 => "too short".to_owned(),
        6 | 7 => (0..40).map(|word| format!("equal{word}")).collect::<Vec<_>>().join(" "),
        _ => {
            let changed = |word: usize| word * 7 % 40 < at * 5 % 11;
            let word = |word| {
                if changed(word) { format!("c{at}w{word}") } else { format!("f{}w{word}", at % 4) }
            };
            let often = |at: usize| std::iter::repeat_n(word(at), 1 + at % 3);
            (0..40).flat_map(often).collect::<Vec<_>>().join(" ")
        }
    };
    Texts::new((0..40).map(|at| (format!("d{at}"), text(at))))
}

/// Labels of some of the pairs: of one family the same, some of them grey.
fn labels() -> Labels {
    let pairs = (0..40_usize).flat_map(|a| (a + 1..40).map(move |b| (a, b)));
    let said = pairs.filter_map(|(a, b)| match (a % 4 == b % 4, (a + b) % 5) {
        (true, 0) => Some((a, b, Label::Grey)),
        (true, 1..=3) => Some((a, b, Label::Same)),
        (false, 4) => Some((a, b, Label::Different)),
        _ => None,
    });
    Labels::of_pairs(
        said.map(|(a, b, label)| PairLabel::new(format!("d{a}"), format!("d{b}"), label)),
    )
    .unwrap()
}

/// Right and wrong pairs among those that `is_found` says are found.
fn counted(gold: &Gold, is_found: impl Fn(usize, usize) -> bool) -> (u64, u64) {
    let (mut right, mut wrong) = (0, 0);
    for (a, b) in (0..40).flat_map(|a| (a + 1..40).map(move |b| (a, b))) {
        if is_found(a, b) {
            match gold.label(u32::try_from(b).unwrap(), u32::try_from(a).unwrap()) {
                Label::Same => right += 1,
                Label::Different => wrong += 1,
                Label::Grey => {}
            }
        }
    }
    (right, wrong)
}

#[test]
fn curves_count_what_comparing_all_pairs_counts() {
    let texts = texts();
    for (width, unlisted, weights, check) in [
        (Width::W64, Unlisted::Different, Weighting::Set, Verify::Jaccard as fn(f64) -> Verify),
        (Width::W256, Unlisted::Ignored, Weighting::Set, Verify::Jaccard),
        (Width::W128, Unlisted::Different, Weighting::Count, Verify::Cosine),
    ] {
        let recipe = Recipe { weights, ..Recipe::named("words").unwrap().with_width(width) };
        let is_cosine = check(0.6) == Verify::Cosine(0.6);
        let gold = Gold::of(&labels(), texts.ids(), unlisted).unwrap();
        let dedup = Dedup::new().verify(check(0.6)).similarity(0.6);
        let dedup = if is_cosine { dedup.recall(Recall::Exact) } else { dedup };
        let evaluation = Evaluation {
            similarities: Some(check(0.3)),
            dedup: Some(dedup),
            cases: 1000,
            ..Evaluation::new(recipe.clone())
        };
        let Judged { by_radius, by_similarity, dedup, .. } = evaluation.run(&texts, &gold).unwrap();
        let compare = |a: usize, b: usize| {
            Comparison::of(&recipe, &texts.texts()[a], &texts.texts()[b]).unwrap()
        };
        let all: Vec<Vec<_>> = (0..40).map(|a| (0..40).map(|b| compare(a, b)).collect()).collect();
        let similar = |a: usize, b: usize, least: f64| {
            let Similarity { jaccard, cosine, .. } = all[a][b].similarity;
            let measured = if is_cosine { cosine } else { jaccard };
            all[a][b].least_radius.is_some() && measured >= least - 1e-12
        };
        let by_similarity = by_similarity.unwrap();
        assert_eq!(by_similarity.measure, Some(if is_cosine { "cosine" } else { "jaccard" }));
        let mut seen = 0;
        for point in by_radius.unwrap().points.iter().chain(&by_similarity.points) {
            let expected = counted(&gold, |a, b| match point.limit {
                Limit::K(k) => all[a][b].is_near(k),
                Limit::Similarity(least) => similar(a, b, least),
            });
            assert_eq!((point.pairs.right, point.pairs.wrong), expected, "{:?}", point.limit);
            assert_eq!(point.pairs.right + point.pairs.missed, gold.same_pairs());
            seen += 1;
        }
        assert_eq!(seen, width.bits() / 4 + 1 + 71);

        let setting = dedup.unwrap();
        let expected = counted(&gold, |a, b| similar(a, b, 0.6));
        assert_eq!((setting.pairs.right, setting.pairs.wrong), expected);
        assert_eq!(setting.missed.len() as u64, setting.pairs.missed);
        assert_eq!(setting.wrong.len() as u64, setting.pairs.wrong);
        assert!(expected.0 > 20 && setting.pairs.missed > 20, "{expected:?}");
        let place = |id: &str| id[1..].parse::<usize>().unwrap();
        for case in setting.missed.iter().chain(&setting.wrong) {
            let why = &all[place(&case.a)][place(&case.b)];
            assert_eq!((case.distance, case.similarity), (why.distance, why.similarity.jaccard));
            assert_eq!(case.cosine, why.similarity.cosine);
            assert_eq!(case.features.differ, why.differences().len());
            let measured = if is_cosine { case.cosine } else { case.similarity };
            let reason = match (why.least_radius, measured) {
                (None, _) => "too short to compare",
                (_, 0.6..) => "reaches 0.6",
                _ => "is below 0.6",
            };
            assert!(case.reason.contains(reason), "{case:?}");
        }
    }
}

#[test]
fn a_curve_of_too_many_pairs_ends_early() {
    let texts = texts();
    let gold = Gold::of(&labels(), texts.ids(), Unlisted::Different).unwrap();
    let recipe = Recipe::named("words").unwrap().with_width(Width::W128);
    let whole = Evaluation { dedup: None, ..Evaluation::new(recipe) };
    let few = Evaluation { pairs: 30, ..whole.clone() };
    let (whole, few) = (whole.run(&texts, &gold).unwrap(), few.run(&texts, &gold).unwrap());
    for (whole, few) in [(whole.by_radius, few.by_radius), (whole.by_similarity, few.by_similarity)]
    {
        let (whole, few) = (whole.unwrap(), few.unwrap());
        assert!(!whole.cut && few.cut && few.points.len() < whole.points.len());
        let pairs = |point: &nearprint_evaluation::Point| (point.pairs.right, point.pairs.wrong);
        assert!(
            few.points.iter().map(pairs).eq(whole.points.iter().take(few.points.len()).map(pairs))
        );
    }
}
