//! The figures of an evaluation, as tables and as JSON.

use crate::flags::likeness::measured;
use crate::show::figures::{count, count_of};
use crate::verb::evaluate::side_by_side::Judgement;
use nearprint_evaluation::{
    Curve, DedupScore, Gold, Limit, PairScore, Point, Unlisted, three_digits,
};
use serde_json::{Value, json};
use std::fmt::{self, Write as _};

/// Rows that a curve has at most, beside its best.
const ROWS: usize = 16;

pub(super) fn json(judgements: &[Judgement], gold: &Gold) -> Value {
    let each = judgements.iter().map(|one| {
        json!({
            "recipe": one.recipe, "recipe_id": one.id, "width": one.width.bits(),
            "setting": one.setting, "too_short": one.judged.too_short,
            "by_radius": one.judged.by_radius, "by_similarity": one.judged.by_similarity,
            "dedup": one.judged.dedup,
        })
    });
    json!({
        "documents": gold.documents(), "unlabelled": unlabelled(judgements),
        "labels": {
            "same": gold.same_pairs(), "different": gold.different_pairs(), "groups": gold.joined_groups(),
            "unlisted": match gold.unlisted() {
                Unlisted::Different => "different",
                Unlisted::Ignored => "ignored",
            },
            "unknown_ids": gold.unknown(),
        },
        "evaluations": each.collect::<Vec<_>>(),
    })
}

/// What the labels are, in a sentence.
pub(super) fn labels(gold: &Gold) -> String {
    format!(
        "{}, {} labelled as the same in {}{}; pairs without a label are {}",
        count_of(gold.documents() as u64, "document"),
        count_of(gold.same_pairs(), "pair"),
        count_of(gold.joined_groups(), "group"),
        match gold.different_pairs() {
            Some(different) if different > 0 => format!(", {} as not the same", count(different)),
            _ => String::new(),
        },
        match gold.unlisted() {
            Unlisted::Different => "not the same",
            Unlisted::Ignored => "ignored",
        }
    )
}

/// Documents that took no part: of one corpus and its labels as many for each recipe.
fn unlabelled(judgements: &[Judgement]) -> u64 {
    judgements.first().map_or(0, |one| one.judged.unlabelled)
}

/// What a reader of figures of clusters has to know: which documents are in them, and what they make of pairs that count
/// neither way.
pub(super) fn of_clusters(judgements: &[Judgement], gold: &Gold) -> Vec<String> {
    const OPEN: &str = "Rand and B-cubed count pairs of different groups as different, doubtful and unlabelled ones too";
    let unlabelled = Some(unlabelled(judgements)).filter(|documents| *documents > 0);
    let alone = unlabelled.map(|documents| {
        format!(
            "Clusters, and what dedup keeps, are of labelled documents alone: {} without a label, which may connect them, took \
             no part",
            count_of(documents, "document")
        )
    });
    let open = gold.leaves_pairs_open().then(|| OPEN.to_owned());
    alone.into_iter().chain(open).collect()
}

pub(super) fn table(judgements: &[Judgement], gold: &Gold) -> Result<String, fmt::Error> {
    let mut out = format!("{}\n", labels(gold));
    for one in judgements {
        writeln!(out, "\n{}", one.name())?;
        if let Some(curve) = &one.judged.by_radius {
            curve_table(&mut out, curve)?;
        }
        if let Some(curve) = &one.judged.by_similarity {
            curve_table(&mut out, curve)?;
        }
        if let Some(setting) = &one.judged.dedup {
            setting_table(&mut out, setting, one.setting.as_deref().unwrap_or_default())?;
        }
    }
    if judgements.len() > 1 {
        best_table(&mut out, judgements)?;
    }
    out.push_str("\neach figure with its 95 % interval, over groups of documents\n");
    for remark in of_clusters(judgements, gold) {
        writeln!(out, "{remark}")?;
    }
    Ok(out)
}

/// The points of a curve that a table shows: so many at even steps, and the best.
pub(super) fn shown(curve: &Curve) -> Vec<(&Point, bool)> {
    let last = curve.points.len().saturating_sub(1);
    let step = [1, 2, 4, 5, 8, 10].into_iter().find(|step| last / step < ROWS).unwrap_or(16);
    let best = curve.best().map(|best| best.limit);
    let points = curve.points.iter().enumerate();
    let points = points.map(|(at, point)| (at, point, Some(point.limit) == best));
    let points = points.filter(|(at, _, best)| *best || at % step == 0 || *at == last);
    points.map(|(_, point, best)| (point, best)).collect()
}

/// A limit as a table has it.
pub(super) fn limit(limit: Limit) -> String {
    match limit {
        Limit::K(k) => k.to_string(),
        Limit::Similarity(similarity) => format!("{similarity:.2}"),
    }
}

/// What a curve goes by, and what stands before its limits.
pub(super) fn axis(curve: &Curve) -> (&'static str, &'static str) {
    curve.measure.map_or(("radius", "k"), |measure| (measured(measure), "from"))
}

fn curve_table(out: &mut String, curve: &Curve) -> fmt::Result {
    let (name, head) = axis(curve);
    writeln!(
        out,
        "\n  by {name}\n{head:>6}  {:<24}{:<24}{:<24}{:>7}{:>9}",
        "precision", "recall", "F1", "Rand", "B-cubed"
    )?;
    for (Point { limit: at, pairs, clusters }, best) in shown(curve) {
        writeln!(
            out,
            "{:>6}  {}{:>7}{:>9}{}",
            limit(*at),
            scores(pairs),
            three_digits(clusters.adjusted_rand.value),
            three_digits(clusters.b_cubed.f1.value),
            if best { "  best F1" } else { "" }
        )?;
    }
    Ok(())
}

fn scores(PairScore { score, .. }: &PairScore) -> String {
    [score.precision, score.recall, score.f1].map(|one| format!("{:<24}", one.to_string())).concat()
}

fn setting_table(out: &mut String, setting: &DedupScore, said: &str) -> fmt::Result {
    let DedupScore { pairs, clusters, kept, removed, .. } = setting;
    // The figures on a line of their own: a table is no wider than 120 characters.
    let said = said.replacen(" (", "\n         (", 1);
    writeln!(out, "\n  dedup: {said}")?;
    writeln!(
        out,
        "{:>10}  {:<24}{:<24}{:<24}{:>7}{:>8}{:>8}",
        "", "precision", "recall", "F1", "right", "wrong", "missed"
    )?;
    for (name, score) in [("pairs", pairs), ("clusters", &clusters.pairs)] {
        writeln!(
            out,
            "{name:>10}  {}{:>7}{:>8}{:>8}",
            scores(score),
            count(score.right),
            count(score.wrong),
            count(score.missed)
        )?;
    }
    let cubed = clusters.b_cubed;
    let cubed =
        [cubed.precision, cubed.recall, cubed.f1].map(|one| format!("{:<24}", one.to_string()));
    writeln!(out, "{:>10}  {}", "B-cubed", cubed.concat().trim_end())?;
    writeln!(
        out,
        "{:>10}  {} adjusted; {} kept, {} removed, {}",
        "Rand",
        clusters.adjusted_rand,
        count(*kept),
        count(*removed),
        count_of(clusters.clusters, "cluster")
    )
}

/// All recipes and widths, each at its best.
fn best_table(out: &mut String, judgements: &[Judgement]) -> fmt::Result {
    let names = judgements.iter().map(|one| one.recipe.chars().count());
    let longest = names.max().unwrap_or(0).max(6);
    writeln!(
        out,
        "\n  side by side, each at its best F1\n  {:<longest$}{:>6}{:>5}  {:<24}{:>5}  {:<24}dedup F1",
        "recipe", "bits", "k", "F1", "from", "F1"
    )?;
    for one in judgements {
        let best = |curve: &Option<Curve>| match curve.as_ref().and_then(Curve::best) {
            Some(point) => (limit(point.limit), point.pairs.score.f1.to_string()),
            None => ("-".to_owned(), "-".to_owned()),
        };
        let (k, by_radius) = best(&one.judged.by_radius);
        let (from, by_similarity) = best(&one.judged.by_similarity);
        let dedup = one.judged.dedup.as_ref();
        let dedup = dedup.map_or_else(|| "-".to_owned(), |it| it.pairs.score.f1.to_string());
        let (recipe, bits) = (&one.recipe, one.width.bits());
        writeln!(
            out,
            "  {recipe:<longest$}{bits:>6}{k:>5}  {by_radius:<24}{from:>5}  {by_similarity:<24}{dedup}"
        )?;
    }
    Ok(())
}
