//! Makes sketches of the contents of requests, as the command does.

use crate::request::problem::Problem;
use crate::request::threads::Threads;
use crate::work::payload::{Features, Payload};
use nearprint_corpus::{PageRules, Part};
use nearprint_fingerprint::{
    DocumentPart, FeatureList, FeatureSet, Language, Measure, Recipe, Statistics, Weighting, Width,
};
use nearprint_store::{
    AnyFingerprint, Error as StoreError, Settings, Sketch, Sketcher as TextSketcher,
};
use std::sync::Arc;

/// What makes fingerprints: the store's recipe, and the statistics that it names.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Recipe;
/// use nearprint_server::{Analysis, Config, service};
/// use nearprint_store::{Settings, Store};
/// # let room = tempfile::tempdir()?;
/// # let path = room.path().join("pages");
///
/// let recipe = Recipe::named("web")?;
/// let store = Store::create(&path, &Settings::of(recipe.clone()))?;
/// let analysis = Analysis { recipe: Some(recipe), statistics: None };
/// assert!(service(store, analysis, Config::default()).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The recipe; `None` if fingerprints come ready-made.
    pub recipe: Option<Recipe>,
    /// The statistics that it names.
    pub statistics: Option<Statistics>,
}

/// Makes sketches of the contents of requests.
pub(crate) struct Sketcher {
    /// Bits of the store's fingerprints.
    width: Width,
    /// Whether the store compares sketches, which a fingerprint alone has not.
    by_similarity: bool,
    /// `None` if fingerprints come ready-made.
    texts: Option<TextSketcher>,
    /// Threads for long work.
    threads: Threads,
}

/// The sketch of a content.
pub(crate) struct Sketched {
    pub(crate) sketch: Sketch,
    /// The text that was fingerprinted; `None` for features and ready fingerprints.
    pub(crate) text: Option<String>,
}

impl Sketcher {
    pub(crate) fn new(
        analysis: Analysis,
        settings: &Settings,
        threads: Threads,
    ) -> Result<Self, StoreError> {
        let Settings { width, threshold, .. } = settings;
        let (width, by_similarity) = (*width, threshold.radius().is_none());
        let Analysis { recipe, statistics } = analysis;
        let sketcher = |recipe| TextSketcher::new(recipe, statistics)?.for_threshold(threshold);
        let texts = recipe.map(sketcher).transpose()?;
        if let Some(texts) = texts.as_ref().filter(|texts| texts.recipe().width != width) {
            let (store, asked) = (width.bits(), texts.recipe().width.bits());
            return Err(StoreError::OtherWidth { store, asked });
        }
        Ok(Self { width, by_similarity, texts, threads })
    }

    /// The sketch of a content: made at once if that is quick, else on a thread apart.
    pub(crate) async fn sketch(
        self: &Arc<Self>,
        content: Payload,
        language: Option<Language>,
    ) -> Result<Sketched, Problem> {
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
    ) -> Result<Sketched, Problem> {
        let pointer = content.pointer();
        let odd = |error: StoreError| Problem::field(pointer, error.to_string());
        match content {
            Payload::Fingerprint(_) if self.by_similarity => Err(Problem::field(
                pointer,
                "this store finds documents by similarity, which needs more than a fingerprint: give \
                 the text or the features",
            )),
            Payload::Fingerprint(digits) => {
                let fingerprint = match self.width {
                    Width::W64 => digits.parse().map(AnyFingerprint::W64),
                    Width::W128 => digits.parse().map(AnyFingerprint::W128),
                    Width::W256 => digits.parse().map(AnyFingerprint::W256),
                };
                let fingerprint =
                    fingerprint.map_err(|error| Problem::field(pointer, error.to_string()))?;
                Ok(Sketched { sketch: fingerprint.into(), text: None })
            }
            Payload::Features(Features(features)) => {
                let sketch = self.texts_for(pointer)?.sketch_features(&features).map_err(odd)?;
                Ok(Sketched { sketch, text: None })
            }
            content => {
                let texts = self.texts_for(pointer)?;
                let text = text_of(content, texts.recipe());
                let sketch = texts.sketch(&text, language).map_err(|_| Problem::lost())?;
                Ok(Sketched { sketch, text: Some(text) })
            }
        }
    }

    /// The features of a content with their weights; `None` for a ready fingerprint.
    pub(crate) fn features(&self, content: &Payload) -> Result<Option<FeatureSet>, Problem> {
        match content {
            Payload::Fingerprint(_) => Ok(None),
            Payload::Features(Features(features)) => Ok(Some(features.iter().cloned().collect())),
            content => {
                let texts = self.texts_for(content.pointer())?;
                let text = text_of(content.clone(), texts.recipe());
                texts.features(&text).map(Some).map_err(|_| Problem::lost())
            }
        }
    }

    /// The features of a content by their keys, with their weights; `None` for a ready fingerprint.
    pub(crate) fn list(&self, content: &Payload) -> Result<Option<FeatureList>, Problem> {
        let pointer = content.pointer();
        let list = match content {
            Payload::Fingerprint(_) => return Ok(None),
            Payload::Features(Features(features)) => {
                self.texts_for(pointer)?.list_of_features(features)
            }
            content => {
                let texts = self.texts_for(pointer)?;
                texts.list(&text_of(content.clone(), texts.recipe()), None)
            }
        };
        list.map(Some).map_err(|_| Problem::lost())
    }

    /// What the similarity of features is one of that the recipe of texts forms.
    pub(crate) fn measure(&self) -> Measure {
        match &self.texts {
            Some(texts) if !texts.recipe().weights.is_integer() => Measure::Cosine,
            _ => Measure::Jaccard,
        }
    }

    /// The text of a content that is fingerprinted; `None` for features and ready fingerprints.
    pub(crate) fn text(&self, content: &Payload) -> Option<String> {
        match content {
            Payload::Features(_) | Payload::Fingerprint(_) => None,
            content => {
                Some(text_of(content.clone(), self.texts_for(content.pointer()).ok()?.recipe()))
            }
        }
    }

    /// The maker of fingerprints, if its recipe takes the content at `pointer`.
    fn texts_for(&self, pointer: &'static str) -> Result<&TextSketcher, Problem> {
        let Some(texts) = &self.texts else {
            return Err(Problem::field(
                pointer,
                "this store takes only fingerprints that were made elsewhere: give \"fingerprint\"",
            ));
        };
        let recipe = texts.recipe();
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
                "the recipe {name} takes texts, not pages: give the text of the page as \"text\""
            ),
            _ => return Ok(texts),
        };
        Err(Problem::field(pointer, wrong))
    }
}

/// The text that a recipe fingerprints.
fn text_of(content: Payload, recipe: &Recipe) -> String {
    match content {
        Payload::Kept(text) => text,
        // As the command reads a row.
        Payload::Text(text) | Payload::Html(text) => {
            let rules = PageRules::of_version(recipe.version);
            match recipe.content {
                DocumentPart::HtmlMain => Part::Main(rules).of(&text).0,
                DocumentPart::HtmlFull => Part::Full(rules).of(&text).0,
                DocumentPart::Text => text,
            }
        }
        Payload::Features(_) | Payload::Fingerprint(_) => String::new(),
    }
}
