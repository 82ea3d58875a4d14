//! The documents that a verb looks into, and how they are read: texts, of which something within is looked for.

use crate::flags::input::{Found, InputFlags, with_reference};
use crate::flags::keeping::ScoreFields;
use crate::flags::run::RunFlags;
use crate::usage::wrong;
use nearprint_corpus::Source;
use nearprint_dedup::{InputSpec, Memory, Origin, Reading, ReadingSpec};
use nearprint_fingerprint::Recipe;

/// What the flags name of a run that looks for `what`: the recipe that `recipe` takes for its files, its input with the
/// documents of `against`, and how both are read.
pub(crate) fn within_texts(
    what: &str,
    (input, run): (&InputFlags, &RunFlags),
    memory: Option<usize>,
    against: &[String],
    recipe: impl FnOnce(&[Source]) -> anyhow::Result<(Recipe, Option<Recipe>)>,
    scores: ScoreFields,
) -> anyhow::Result<(Recipe, InputSpec, ReadingSpec)> {
    if input.input_format.is_some_and(|format| format.raw_width().is_some()) {
        return wrong(format!("{what} are read from texts: raw fingerprints have none"));
    }
    let threads = run.threads()?;
    let room = memory.and_then(|memory| Memory::Process(memory).for_lists(threads));
    let found = input.find_beside(&input.inputs, against, room)?;
    let reference = match against {
        [] => Found::default(),
        against => input.find_reference(against, room)?,
    };
    let spec = with_reference(found, reference, run.quiet);
    let (recipe, archives_recipe) = recipe(&spec.sources)?;
    let content = Origin::from(recipe.clone());
    let Reading { fields, on_error, fail_on_empty, options, .. } =
        input.reading(content, threads)?;
    let fields = scores.among(fields);
    let input = InputSpec { archives_recipe, dialect: input.dialect()?, ..spec };
    Ok((recipe, input, ReadingSpec { fields, on_error, fail_on_empty, options }))
}
