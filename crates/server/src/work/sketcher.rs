//! From what a request says to what the store compares, on the very path of the command.

use crate::request::problem::Problem;
use crate::request::threads::Threads;
use crate::work::payload::{Features, Payload};
use nearprint_corpus::Page;
use nearprint_fingerprint::{
    DocumentPart, FeatureSet, Fingerprint, Fingerprinter, Language, Recipe, Statistics, Weighting,
};
use nearprint_store::Sketch;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of a text after which a fingerprinter is dropped with its memory.
const LARGE: usize = 1 << 20;

/// What makes fingerprints: the store's recipe, and the statistics that it names.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The recipe; none where fingerprints come ready-made.
    pub recipe: Option<Recipe>,
    /// The statistics that it names.
    pub statistics: Option<Statistics>,
}

/// Makes sketches for all threads.
pub(crate) struct Sketcher<const WORDS: usize> {
    analysis: Analysis,
    /// Fingerprinters that nobody uses at the moment, with their working memory.
    #[expect(clippy::vec_box, reason = "they are large, and move at every request")]
    idle: Mutex<Vec<Box<Fingerprinter<WORDS>>>>,
    /// For what takes long.
    threads: Threads,
}

/// What became of a content.
pub(crate) struct Sketched<const WORDS: usize> {
    pub(crate) sketch: Sketch<WORDS>,
    /// The text that was fingerprinted, if it was one.
    pub(crate) text: Option<String>,
}

impl<const WORDS: usize> Sketcher<WORDS> {
    pub(crate) fn new(
        analysis: Analysis,
        threads: Threads,
    ) -> Result<Self, nearprint_fingerprint::RecipeError> {
        let sketcher = Self { analysis, idle: Mutex::default(), threads };
        if let Some(recipe) = &sketcher.analysis.recipe {
            // What is wrong with the recipe is told now.
            let first = sketcher.fingerprinter(recipe)?;
            sketcher.put_back(first);
        }
        Ok(sketcher)
    }

    pub(crate) fn recipe(&self) -> Option<&Recipe> {
        self.analysis.recipe.as_ref()
    }

    /// The sketch of a content: at once where that is quick, on a thread of its own where it is not.
    pub(crate) async fn sketch(
        self: &Arc<Self>,
        content: Payload,
        language: Option<Language>,
    ) -> Result<Sketched<WORDS>, Problem> {
        if !content.is_heavy() {
            return self.sketch_now(content, language);
        }
        let sketcher = Arc::clone(self);
        self.threads.for_request(move || sketcher.sketch_now(content, language)).await?
    }

    /// The sketch of a content, now.
    pub(crate) fn sketch_now(
        &self,
        content: Payload,
        language: Option<Language>,
    ) -> Result<Sketched<WORDS>, Problem> {
        let pointer = content.pointer();
        match content {
            Payload::Fingerprint(digits) => {
                let fingerprint = digits
                    .parse::<Fingerprint<WORDS>>()
                    .map_err(|error| Problem::field(pointer, error.to_string()))?;
                Ok(Sketched { sketch: fingerprint.into(), text: None })
            }
            Payload::Features(Features(features)) => {
                let recipe = self.recipe_for(pointer)?;
                self.fingerprinting(recipe, features.len() << 5, |fingerprinter| {
                    let made = fingerprinter.fingerprint_features(features);
                    let made = made.map_err(|error| Problem::field(pointer, error.to_string()))?;
                    Ok(Sketched { sketch: made.into(), text: None })
                })
            }
            content => {
                let recipe = self.recipe_for(pointer)?;
                let text = text_of(content, recipe);
                self.fingerprinting(recipe, text.len(), |fingerprinter| {
                    let sketch = fingerprinter.fingerprint_in(&text, language).into();
                    Ok(Sketched { sketch, text: Some(text) })
                })
            }
        }
    }

    /// The features of a content with their weights; none of a ready fingerprint.
    pub(crate) fn features(&self, content: &Payload) -> Result<Option<FeatureSet>, Problem> {
        match content {
            Payload::Fingerprint(_) => Ok(None),
            Payload::Features(Features(features)) => Ok(Some(features.iter().cloned().collect())),
            content => {
                let recipe = self.recipe_for(content.pointer())?;
                let text = text_of(content.clone(), recipe);
                let features = |fingerprinter: &mut Fingerprinter<WORDS>| {
                    Ok(Some(fingerprinter.features(&text)))
                };
                self.fingerprinting(recipe, text.len(), features)
            }
        }
    }

    /// The text of a content that is fingerprinted; none of features and ready fingerprints.
    pub(crate) fn text(&self, content: &Payload) -> Option<String> {
        match content {
            Payload::Features(_) | Payload::Fingerprint(_) => None,
            content => Some(text_of(content.clone(), self.recipe_for(content.pointer()).ok()?)),
        }
    }

    /// The recipe, if it takes what stands at `pointer`.
    fn recipe_for(&self, pointer: &'static str) -> Result<&Recipe, Problem> {
        let Some(recipe) = self.recipe() else {
            return Err(Problem::field(
                pointer,
                "this store is for fingerprints that were made elsewhere: give \"fingerprint\"",
            ));
        };
        let name = &recipe.name;
        let given = recipe.weights == Weighting::Given;
        let of_pages = recipe.content != DocumentPart::Text;
        let wrong = match pointer {
            "/features" if !given => {
                format!("the recipe {name} takes texts, not features: give \"text\"")
            }
            "/text" | "/html" if given => {
                format!("the recipe {name} takes features, not texts: give \"features\"")
            }
            "/html" if !of_pages => format!(
                "the recipe {name} does not say which text of a page counts: give that as \"text\", or \
                 make the store with such a recipe (web, or any with --html main or full)"
            ),
            _ => return Ok(recipe),
        };
        Err(Problem::field(pointer, wrong))
    }

    /// Calls `work` with a fingerprinter that is used again.
    fn fingerprinting<T>(
        &self,
        recipe: &Recipe,
        bytes: usize,
        work: impl FnOnce(&mut Fingerprinter<WORDS>) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut fingerprinter = match idle {
            Some(fingerprinter) => fingerprinter,
            None => self.fingerprinter(recipe).map_err(|_| Problem::lost())?,
        };
        let done = work(&mut fingerprinter);
        if bytes < LARGE {
            self.put_back(fingerprinter);
        }
        done
    }

    fn fingerprinter(
        &self,
        recipe: &Recipe,
    ) -> Result<Box<Fingerprinter<WORDS>>, nearprint_fingerprint::RecipeError> {
        Ok(Box::new(match &self.analysis.statistics {
            Some(statistics) => Fingerprinter::with_statistics(recipe, statistics)?,
            None => Fingerprinter::new(recipe)?,
        }))
    }

    fn put_back(&self, fingerprinter: Box<Fingerprinter<WORDS>>) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(fingerprinter);
    }
}

/// The text that a recipe fingerprints.
fn text_of(content: Payload, recipe: &Recipe) -> String {
    match content {
        Payload::Html(html) => match recipe.content {
            DocumentPart::HtmlMain => Page::new(&html).main().0.into_owned(),
            _ => Page::new(&html).into_full(),
        },
        Payload::Text(text) => text,
        Payload::Features(_) | Payload::Fingerprint(_) => String::new(),
    }
}
