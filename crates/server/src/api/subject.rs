//! What a question is about: a content, or a document that is stored.

use crate::api::document::unknown;
use crate::api::submission::named;
use crate::request::problem::Problem;
use crate::shared::Service;
use crate::work::payload::Payload;
use nearprint_fingerprint::{FeatureList, FeatureSet, Language};
use nearprint_store::{Document, Sketch};
use serde::Deserialize;
use std::borrow::Cow;

/// What a question is about.
pub(crate) enum Subject {
    /// The stored document with this id.
    Stored(String),
    Given(Payload, Option<Language>),
    /// A document of which only the sketch is known.
    Sketched(Sketch),
}

/// A subject with what is known of it.
pub(crate) struct Known {
    /// The id of a stored document.
    pub(crate) id: Option<String>,
    pub(crate) sketch: Sketch,
    /// The content of the sketch; `None` for a stored document whose text was not kept.
    pub(crate) content: Option<Payload>,
}

/// The part of a document's metadata that this reads: the text, where `submission` keeps it.
#[derive(Deserialize)]
struct Kept<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

impl Subject {
    /// The only subject that is given; an error if there are two, or none.
    pub(crate) fn one(
        id: Option<String>,
        content: Option<Payload>,
        language: Option<Language>,
    ) -> Result<Self, Problem> {
        match (id, content) {
            (Some(id), None) => named(&id).map(|()| Self::Stored(id)),
            (None, Some(content)) => Ok(Self::Given(content, language)),
            (Some(_), Some(_)) => Err(Problem::field(
                "/id",
                "give either the id of a stored document or a content, not both",
            )),
            (None, None) => Err(Problem::field(
                "",
                "give one of \"text\", \"html\", \"features\", \"fingerprint\" and \"id\"",
            )),
        }
    }

    /// Looks it up, or makes its sketch.
    pub(crate) async fn looked_up(self, service: &Service) -> Result<Known, Problem> {
        match self {
            Self::Stored(id) => match service.store.get(&id)? {
                Some(document) => Ok(stored(document, service).await),
                None => Err(unknown()),
            },
            Self::Given(content, language) => {
                let made = service.sketcher.sketch(content.clone(), language).await?;
                Ok(Known { id: None, sketch: made.sketch, content: Some(content) })
            }
            Self::Sketched(sketch) => Ok(Known { id: None, sketch, content: None }),
        }
    }
}

/// What is known of a stored document. A text in its metadata is its own if it has the same sketch.
pub(crate) async fn stored(document: Document, service: &Service) -> Known {
    let Document { id, sketch, metadata, .. } = document;
    let kept = metadata.as_deref().and_then(|json| serde_json::from_str::<Kept<'_>>(json).ok());
    let content = match kept {
        Some(Kept { text }) => {
            let content = Payload::Kept(text.into_owned());
            let made = service.sketcher.sketch(content.clone(), None).await;
            made.is_ok_and(|made| made.sketch == sketch).then_some(content)
        }
        None => None,
    };
    Known { id: Some(id), sketch, content }
}

impl Known {
    /// Its features, if they are known.
    pub(crate) fn features(&self, service: &Service) -> Result<Option<FeatureSet>, Problem> {
        match &self.content {
            Some(content) => service.sketcher.features(content),
            None => Ok(None),
        }
    }

    /// The same by their keys.
    pub(crate) fn list(&self, service: &Service) -> Result<Option<FeatureList>, Problem> {
        match &self.content {
            Some(content) => service.sketcher.list(content),
            None => Ok(None),
        }
    }
}
