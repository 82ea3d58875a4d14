//! The share of documents that go, from how many near-duplicates drawn documents have.

/// Near-duplicates that were seen, from which on a document has about as many as that says.
const MANY: usize = 40;
/// True numbers that are told one by one; beyond them each is a quarter larger.
const SINGLE: usize = 20;
/// Rounds of the fit.
const ROUNDS: usize = 100;

/// The share that goes of documents which have so many near-duplicates: of a group in which all are near-duplicates
/// of each other one stays, so a document with `d` of them goes with the probability `d / (d + 1)`.
///
/// # References
/// Wei, "A lower bound on the stability number of a simple graph", 1981: at least so many stay if documents stay in
/// random order, each that is near none that stays.
fn goes(near: f64) -> f64 {
    near / (near + 1.0)
}

/// The share that goes of documents of which so many near-duplicates were seen, each counted with its weight, where
/// each near-duplicate was `visible` with that probability.
///
/// Where not all are visible the numbers of near-duplicates are fitted to those that were seen: the distribution of the
/// greatest likelihood, by expectation and maximisation.
///
/// # References
/// Laird, "Nonparametric maximum likelihood estimation of a mixing distribution", JASA 73 (1978).
pub(crate) fn share(seen: &[f64], weights: &[f64], visible: f64) -> f64 {
    let total: f64 = weights.iter().sum();
    if total <= 0.0 {
        return f64::NAN;
    }
    let pairs = || seen.iter().zip(weights);
    if visible >= 1.0 {
        return pairs().map(|(seen, weight)| weight * goes(*seen)).sum::<f64>() / total;
    }
    let mut few = vec![0.0; MANY + 1];
    let mut sum = 0.0;
    for (seen, weight) in pairs() {
        match few.get_mut(rounded(*seen)) {
            Some(count) => *count += weight,
            None => sum += weight * goes(seen / visible),
        }
    }
    (sum + fitted(&few, visible)) / total
}

/// By how much the share that goes differs from that of groups in which all are near-duplicates of each other, as
/// the pairs among some documents show: what [`share`] says of these pairs alone, and what goes if they are put around
/// the documents that have the most near-duplicates, which `near` counts.
pub(crate) fn beyond_groups(pairs: &[(u32, u32)], near: &[f64]) -> f64 {
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); near.len()];
    for (a, b) in pairs {
        for (one, other) in [(a, b), (b, a)] {
            if let Some(list) = neighbours.get_mut(*one as usize) {
                list.push(*other);
            }
        }
    }
    let of_groups: f64 = neighbours.iter().map(|list| goes(float(list.len()))).sum();
    let mut order: Vec<usize> = (0..near.len()).collect();
    order.sort_by(|a, b| {
        let of = |at: &usize| near.get(*at).copied().unwrap_or(0.0);
        of(b).total_cmp(&of(a)).then(a.cmp(b))
    });
    let mut is_settled = vec![false; near.len()];
    let mut gone = 0;
    for center in order {
        if is_settled.get_mut(center).is_none_or(|settled| std::mem::replace(settled, true)) {
            continue;
        }
        for other in neighbours.get(center).into_iter().flatten() {
            if let Some(settled) = is_settled.get_mut(*other as usize).filter(|one| !**one) {
                *settled = true;
                gone += 1;
            }
        }
    }
    (float(gone) - of_groups) / float(near.len().max(1))
}

/// What goes of documents of which so many were seen with 0, 1, 2 near-duplicates and so on.
fn fitted(seen: &[f64], visible: f64) -> f64 {
    let total: f64 = seen.iter().sum();
    let last = seen.iter().rposition(|count| *count > 0.0).unwrap_or(0);
    if total <= 0.0 || last == 0 {
        return 0.0;
    }
    let truths = truths(2.0 * (float(last) + 2.0) / visible);
    let chances: Vec<Vec<f64>> =
        truths.iter().map(|truth| binomial(*truth, visible, last)).collect();
    let mut parts = vec![1.0 / float(truths.len()); truths.len()];
    for _ in 0..ROUNDS {
        let mut next = vec![0.0; truths.len()];
        for (at, count) in seen.iter().take(last + 1).enumerate().filter(|(_, count)| **count > 0.0)
        {
            let chance = |(part, of): (&f64, &Vec<f64>)| part * of.get(at).copied().unwrap_or(0.0);
            let all: f64 = parts.iter().zip(&chances).map(chance).sum();
            let shares =
                parts.iter().zip(&chances).map(|one| chance(one) / all.max(f64::MIN_POSITIVE));
            next.iter_mut().zip(shares).for_each(|(next, share)| *next += count * share / total);
        }
        parts = next;
    }
    total * parts.iter().zip(&truths).map(|(part, truth)| part * goes(*truth)).sum::<f64>()
}

/// Numbers of near-duplicates up to `most`, one by one and then in steps.
fn truths(most: f64) -> Vec<f64> {
    let mut truths: Vec<f64> = (0..=SINGLE).map(float).collect();
    let mut next = float(SINGLE) * 1.25;
    while next < most {
        truths.push(next.round());
        next *= 1.25;
    }
    truths
}

/// The probability of 0 to `last` of `of` things, each seen with the probability `visible`.
fn binomial(of: f64, visible: f64, last: usize) -> Vec<f64> {
    let mut chance = (1.0 - visible).powf(of);
    (0..=last)
        .map(|at| {
            let this = chance;
            chance *= ((of - float(at)).max(0.0) / float(at + 1)) * visible / (1.0 - visible);
            this
        })
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "a few")]
fn float(count: usize) -> f64 {
    count as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
fn rounded(count: f64) -> usize {
    count.round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::mix64;

    #[test]
    fn of_each_group_all_but_one_go() {
        // Four groups of 1, 2, 3 and 4 documents: 6 of 10 go.
        let seen = [0.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0];
        assert!((share(&seen, &[1.0; 10], 1.0) - 0.6).abs() < 1e-12);
        // The first group counts nine times: 18 documents, 6 go.
        let weights: Vec<f64> = (0..10).map(|at| if at == 0 { 9.0 } else { 1.0 }).collect();
        assert!((share(&seen, &weights, 1.0) - 6.0 / 18.0).abs() < 1e-12);
        assert!(share(&[], &[], 1.0).is_nan());
    }

    #[test]
    fn chains_and_stars_differ_from_groups() {
        // A group of three: nothing differs.
        assert!(beyond_groups(&[(0, 1), (1, 2), (0, 2)], &[2.0; 3]).abs() < 1e-12);
        // A chain of five: the second and the fourth stay, three go, and 1/2 + 2/3 + 2/3 + 2/3 + 1/2 were told.
        let chain = [(0, 1), (1, 2), (2, 3), (3, 4)];
        let found = beyond_groups(&chain, &[1.0, 2.0, 2.0, 2.0, 1.0]);
        assert!((found - (3.0 - 3.0) / 5.0).abs() < 1e-12, "{found}");
        // A star of four around the last one: three go, and 3/2 + 3/4 were told.
        let star = [(0, 3), (1, 3), (2, 3)];
        let found = beyond_groups(&star, &[1.0, 1.0, 1.0, 3.0]);
        assert!((found - (3.0 - 2.25) / 4.0).abs() < 1e-12, "{found}");
        // Documents that are not among these make the first one the center: it stays, and the last one goes alone.
        let found = beyond_groups(&star, &[9.0, 1.0, 1.0, 3.0]);
        assert!((found - (1.0 - 2.25) / 4.0).abs() < 1e-12, "{found}");
        assert_eq!(beyond_groups(&[], &[]), 0.0);
    }

    /// Half of the documents are alone, the others in groups of 2, 5 and 30; a part of them is visible.
    #[test]
    fn what_is_not_visible_is_undone() {
        let near = |at: u64| [0, 0, 0, 1, 4, 29][usize::try_from(at % 6).unwrap()];
        for visible in [0.5, 0.25] {
            let seen: Vec<f64> = (0..12_000_u64)
                .map(|at| {
                    let shown = |other: &u64| {
                        let word = mix64(at << 8 | other) >> 11;
                        (word as f64 / (1_u64 << 53) as f64) < visible
                    };
                    (0..near(at)).filter(shown).count() as f64
                })
                .collect();
            let found = share(&seen, &vec![1.0; seen.len()], visible);
            let truth = (0.5 + 4.0 / 5.0 + 29.0 / 30.0) / 6.0;
            assert!((found - truth).abs() < 0.02, "{visible}: {found} {truth}");
            // As if all were visible it would be far off.
            assert!((share(&seen, &vec![1.0; seen.len()], 1.0) - truth).abs() > 0.03);
        }
    }
}
