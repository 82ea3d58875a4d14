//! Two documents of a corpus, by their ids: why `dedup` brings them together, or does not.

use crate::flags::input::{Found, InputFlags, with_reference};
use crate::flags::keeping::KeepFlags;
use crate::flags::likeness::LikenessFlags;
use crate::flags::recipe::RecipeFlags;
use crate::flags::within::WithinFlags;
use crate::show::figures::count;
use crate::show::format::Format;
use crate::signals::heed_in_order;
use crate::usage::{print, wrong};
use nearprint_dedup::{
    ComparedDocument, Comparison, CriteriaSpec, Error, Featureless, JobSpec, Memory, Origin,
    Progress, Reading, ReadingSpec, Resources, Verify,
};
use nearprint_fingerprint::Measure;
use serde_json::json;
use std::fmt::Write as _;
use std::sync::Arc;

/// Pairs that are compared less often than this are compared by chance.
const SELDOM: f64 = 0.001;

/// The documents, and the job that is asked about them.
pub(super) struct Asked<'a> {
    pub(super) ids: [&'a str; 2],
    pub(super) input: &'a InputFlags,
    pub(super) against: &'a [String],
    pub(super) memory: Option<usize>,
    pub(super) threads: usize,
    pub(super) recipe: &'a RecipeFlags,
    pub(super) likeness: &'a LikenessFlags,
    pub(super) within: &'a WithinFlags,
    pub(super) keeping: &'a KeepFlags,
    pub(super) featureless: Featureless,
    pub(super) format: Format,
}

/// Runs the job over the corpus, and prints what it decides of the two.
pub(super) fn compare(args: &Asked<'_>) -> anyhow::Result<()> {
    args.likeness.refuse_equal()?;
    let with = Resources {
        memory: args.memory.map_or(Memory::Frugal, Memory::Process),
        threads: Some(args.threads),
        ..Resources::default()
    };
    let room = args.memory.and_then(|_| with.memory.for_lists(args.threads));
    let found = args.input.find_beside(&args.input.inputs, args.against, room)?;
    if args.against.is_empty() {
        args.input.refuse_idle_fields(&found.0, false)?;
    }
    let flags = args.recipe.suiting(&found.0, true);
    let (recipe, content) = flags.wide(args.likeness)?.content()?;
    args.likeness.check(recipe.width)?;
    let (keep, scores) = args.keeping.rule()?;
    let mut spec = args.likeness.by(&recipe);
    if let Origin::Text { statistics, .. } = &content {
        spec.fingerprints.statistics.clone_from(statistics);
    }
    let reference = match args.against {
        [] => Found::default(),
        against => args.input.find_against(against, room)?,
    };
    let Reading { fields, on_error, fail_on_empty, options, .. } =
        args.input.reading(content, args.threads)?;
    let fields = scores.among(fields);
    let cluster_rule = args.keeping.cluster_rule();
    let spec = JobSpec {
        input: with_reference(found, reference, true),
        reading: ReadingSpec { fields, on_error, fail_on_empty, options },
        criteria: CriteriaSpec {
            cluster_rule,
            keep: Some(keep),
            featureless: args.featureless,
            ..spec.criteria
        },
        labels: args.within.labels(),
        ..spec
    };
    let progress = Arc::new(Progress::default());
    heed_in_order(&progress);
    let compared = spec.compare(args.ids, &with, &progress);
    let compared = match compared {
        Err(error @ Error::Undecidable { .. }) => return wrong(format!("--in: {error}")),
        compared => compared?,
    };
    match args.format {
        // A map of strings and numbers always has a JSON form.
        Format::Json => print(&format!("{:#}\n", json!(compared))),
        Format::Table => print(&table(&compared, args.within)?),
    }
}

fn table(of: &Comparison, within: &WithinFlags) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    let together = is_together(of);
    let verdict = match (together, of.passes) {
        _ if of.documents[0].id == of.documents[1].id => "the same",
        (true, _) => "in one group",
        (false, true) => "not in one group",
        (false, false) => "not near-duplicates",
    };
    writeln!(out, "verdict      {verdict}: {}", reason(of, within))?;
    writeln!(out, "content      {}", if of.equal_content { "equal" } else { "different" })?;
    writeln!(out, "similarity   {}, {}: {}", decisive(of), of.measure, asked(of))?;
    writeln!(out, "distance     {} bits", of.distance)?;
    let compared = if of.compared { "yes" } else { "no" };
    match of.probability {
        _ if are_kept_apart(of) => writeln!(out, "compared     {compared}")?,
        // Of pairs far below the similarity next to none is compared: that is no news.
        share if !(SELDOM..1.0).contains(&share) => writeln!(out, "compared     {compared}")?,
        share => writeln!(
            out,
            "compared     {compared}; a pair this similar is compared with probability {share:.5}"
        )?,
    }
    if of.crowded > 0 {
        writeln!(
            out,
            "             {} of the corpus are in very large groups: each is compared with documents that stay, not with all",
            count(of.crowded)
        )?;
    }
    writeln!(out, "clusters     {}, keep {}", of.cluster_rule, of.keep)?;
    for (name, document) in ["A", "B"].iter().zip(&of.documents) {
        writeln!(out, "{name:12} {}", told(document))?;
    }
    Ok(out)
}

/// What the rule goes by, as it is shown.
fn decisive(of: &Comparison) -> String {
    let rule = of.verify.parse::<Verify>().unwrap_or_default();
    rule.shown(of.similarity)
}

/// What is asked of two documents, and whether they are that.
fn asked(of: &Comparison) -> String {
    match (of.verify.split_once('='), of.passes) {
        (Some((_, least)), true) => format!("at least {least}"),
        (Some((_, least)), false) => format!("below {least}"),
        (None, true) => format!("within {} bits", of.k),
        (None, false) => format!("more than {} bits apart", of.k),
    }
}

/// Whether two documents are in one cluster.
fn is_together(of: &Comparison) -> bool {
    let [a, b] = &of.documents;
    a.cluster.is_some() && a.cluster == b.cluster
}

/// Whether their labels are such that two documents are not compared.
fn are_kept_apart(of: &Comparison) -> bool {
    let [a, b] = &of.documents;
    a.label != b.label || a.side.is_some() && a.side == b.side || a.of_reference && b.of_reference
}

/// Why two documents are in one cluster, or are not.
fn reason(of: &Comparison, within: &WithinFlags) -> String {
    let [a, b] = &of.documents;
    if a.id == b.id {
        return "they are one document".to_owned();
    }
    if a.of_reference && b.of_reference {
        let by_others = if is_together(of) { "; documents of the input connect them" } else { "" };
        return format!(
            "both are of --against, whose documents are not compared with each other{by_others}"
        );
    }
    let labels = a.label.as_ref().zip(b.label.as_ref()).filter(|(a, b)| a != b);
    if let Some(((a, b), field)) = labels.zip(within.within.as_ref()) {
        return format!(
            "their {field} is {a:?} and {b:?}, and only documents with equal {field} are compared"
        );
    }
    let sides = a.side.as_ref().zip(b.side.as_ref()).filter(|(a, b)| a == b);
    if let Some(((side, _), field)) = sides.zip(within.across.as_ref()) {
        let by_others = if is_together(of) { "; documents with another connect them" } else { "" };
        return format!(
            "their {field} is {side:?}, and only documents with different {field} are compared{by_others}"
        );
    }
    match (is_together(of), of.passes) {
        (true, _) if of.equal_content => "their content is equal".to_owned(),
        (true, true) => "they are near-duplicates".to_owned(),
        (true, false) => "not similar enough themselves, but connected by documents between them: both are in the cluster \
                          of one that is kept"
            .to_owned(),
        (false, _) if a.degenerate || b.degenerate => {
            "one of them is too short to compare, and their content is not equal".to_owned()
        }
        (false, false) if of.verify == "none" => format!("fingerprints are {}", asked(of)),
        (false, false) => {
            let contained = Measure::Containment.name();
            let name = if of.measure == contained { contained } else { "similarity" };
            format!("{name} {} is {}", decisive(of), asked(of))
        }
        (false, true) if !of.compared => {
            "they are similar enough, but were never compared; --recall exact compares all such pairs".to_owned()
        }
        (false, true) if a.cluster.is_none() || b.cluster.is_none() => {
            "they are near-duplicates, but one is not near the kept document of the other (--cluster-rule star)".to_owned()
        }
        (false, true) => {
            "they are near-duplicates, but in the clusters of different kept documents (--cluster-rule \
             star)"
                .to_owned()
        }
    }
}

/// What becomes of a document, in words.
fn told(document: &ComparedDocument) -> String {
    let ComparedDocument { id, stays, cluster, cluster_size, representative, similarity, .. } =
        document;
    let stays = match stays {
        _ if document.of_reference => "is of --against",
        true => "is kept",
        false => "is removed",
    };
    let named = match document.line {
        Some(line) => format!("{id} (line {line})"),
        None => id.to_string(),
    };
    let Some((cluster, size)) = cluster.zip(*cluster_size) else {
        return format!("{named} {stays}, alone");
    };
    let cluster = format!("cluster {cluster} of {} documents", count(size));
    match representative.as_ref().filter(|other| *other != id) {
        None => format!("{named} {stays}, the representative of {cluster}"),
        Some(other) => {
            let similar = similarity.map_or_else(String::new, |it| format!(", similarity {it:.4}"));
            format!("{named} {stays}, represented by {other}{similar}, {cluster}")
        }
    }
}
