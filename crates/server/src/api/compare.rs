//! `POST /v1/compare`: how alike two documents are, and where they differ.

use crate::api::row::MeasureName;
use crate::api::subject::{Known, Subject};
use crate::api::submission::language_of;
use crate::request::json::{Object, present_id, whole};
use crate::request::problem::Problem;
use crate::schema::{self, difference::difference};
use crate::shared::{Service, Shared, json};
use crate::work::payload::with_content;
use axum::body::Body;
use axum::extract::State;
use axum::http::Request;
use axum::response::Response;
use nearprint_fingerprint::{Difference, FeatureSet, Similarity, differences, estimate};
use nearprint_store::{Alike, Measure, Settings};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use utoipa::ToSchema;
use utoipa::openapi::Ref;
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Schema, Type};

/// Features of an answer, unless the request says otherwise: so many that weigh more in `a`, as many that
/// weigh more in `b`.
const LIMIT: u32 = 10;
/// Most features that a request can ask for.
const MOST: u32 = 1000;

/// Most places of a difference in an answer.
const ROWS: usize = 60;
/// Most bytes of a text that are compared for differences.
const LONGEST: usize = 256 << 10;

/// A question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Comparison {
    a: Object<Side>,
    b: Object<Side>,
    #[serde(default, deserialize_with = "whole")]
    limit: Option<u32>,
    #[serde(default)]
    difference: bool,
}

with_content! {
    /// One of the two documents of a question.
    struct Side {
        id: by "present_id",
    }
}

/// How alike two documents are. Fields that need features are null if the features of one are not known.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Compared {
    a: SideRow,
    b: SideRow,
    /// Bits of a fingerprint.
    width: u32,
    /// The store's radius, of a store within a radius.
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<u32>,
    /// Bits in which the fingerprints differ.
    distance: u32,
    /// Whether one would be a duplicate of the other.
    near_duplicates: bool,
    /// How alike they are as the store compares them, by the measure beside it; null for documents that are too
    /// short to be like others, if they are not equal.
    similarity: Option<f64>,
    /// What that is one of.
    measure: Option<MeasureName>,
    /// The cosine of the features, estimated from the distance.
    cosine_estimated: f64,
    /// The 95 % interval of the estimate.
    cosine_interval: [f64; 2],
    /// The exact cosine of the weighted features.
    cosine: Option<f64>,
    /// Features of both, divided by features of either.
    jaccard: Option<f64>,
    /// The same, by weight.
    weighted_jaccard: Option<f64>,
    /// Features of both, divided by the features of the smaller document.
    containment: Option<f64>,
    /// How many features differ in weight.
    different_features: Option<usize>,
    /// The features whose weights differ most.
    features: Option<Vec<DifferenceRow>>,
    /// With "difference": where the texts differ, word by word; null if one text is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = where_they_differ, required = false)]
    difference: Option<Option<Words>>,
}

/// The schema of [`Words`] or null. [`answer`] defines the schema that it names.
fn where_they_differ() -> Schema {
    let null = ObjectBuilder::new().schema_type(Type::Null);
    OneOfBuilder::new().item(Ref::from_schema_name("Difference")).item(null).build().into()
}

/// Where two texts differ.
#[derive(Debug, Serialize)]
struct Words {
    #[serde(flatten)]
    difference: Difference,
    /// Whether a text was too long, so that only its beginning was compared.
    cut: bool,
}

/// One of the two documents.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SideRow {
    /// The id of a stored document; null for a content that was given.
    id: Option<String>,
    /// Its fingerprint, in hexadecimal digits.
    fingerprint: String,
    /// How many features it has.
    features: Option<usize>,
}

/// A feature whose weight differs.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DifferenceRow {
    /// The text of the feature.
    feature: String,
    /// Its weight in `a`; 0 if `a` lacks it.
    a: f64,
    /// Its weight in `b`; 0 if `b` lacks it.
    b: f64,
}

/// How a question is described.
pub(crate) fn body(settings: &Settings) -> schema::Body {
    let side = schema::reference("Subject");
    let comparison = json!({
        "type": "object",
        "properties": {
            "a": side, "b": side,
            "limit": { "type": "integer", "minimum": 0, "maximum": MOST, "default": LIMIT,
                       "description": "Features that weigh more in either" },
            "difference": { "type": "boolean", "default": false,
                            "description": "Say where the texts differ, if they are known" },
        },
        "required": ["a", "b"],
        "additionalProperties": false,
    });
    let mut subject = schema::content(settings, json!({ "id": schema::stored_id() }), &[]);
    subject["description"] = "Exactly one content, or a stored document".into();
    let mut body = schema::Body::json("Comparison", comparison);
    body.schemas.push(("Subject".to_owned(), subject));
    body
}

/// How the answer is described.
pub(crate) fn answer() -> schema::Answer {
    let mut answer = schema::Answer::json::<Compared>();
    answer.schemas.push(("Difference".to_owned(), difference()));
    answer
}

pub(crate) async fn compare(
    State(service): State<Shared>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let (_held, Comparison { a, b, limit, difference }) = service.read(request).await?;
    let limit = limit.unwrap_or(LIMIT);
    if limit > MOST {
        return Err(Problem::field("/limit", format!("an answer has at most {MOST} features")));
    }
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let a = a.0.looked_up(&service).await.map_err(|problem| problem.within("/a"))?;
    let b = b.0.looked_up(&service).await.map_err(|problem| problem.within("/b"))?;
    let shared = Arc::clone(&service);
    let compare = move || {
        let compared = Compared::of(&a, &b, limit, &shared)?;
        let words = difference.then(|| Words::of(&a, &b, &shared));
        Ok::<_, Problem>(Compared { difference: words, ..compared })
    };
    let compared = service.threads.for_request(compare).await??;
    json(&compared)
}

impl Side {
    async fn looked_up(mut self, service: &Service) -> Result<Known, Problem> {
        let content = self.content()?;
        Subject::one(self.id, content, language_of(self.language)?)?.looked_up(service).await
    }
}

impl Compared {
    fn of(a: &Known, b: &Known, limit: usize, service: &Service) -> Result<Self, Problem> {
        let (of_a, of_b) = (a.features(service)?, b.features(service)?);
        let settings = service.store.settings();
        let (code_of_a, code_of_b) = (a.sketch.fingerprint, b.sketch.fingerprint);
        // Both are of the store's width.
        let distance = code_of_a.distance(&code_of_b).ok_or_else(Problem::lost)?;
        let width = settings.width.bits();
        let (low, high) = estimate::cosine_interval(distance, width);
        let near = settings.is_near(&a.sketch, &b.sketch);
        let cosine_estimated = estimate::cosine(distance, width);
        let alike = match settings.threshold.radius() {
            Some(_) => {
                let measure = Measure::EstimatedCosine;
                Some(Alike { similarity: cosine_estimated, measure })
            }
            None => settings.alike(&a.sketch, &b.sketch),
        };
        let both = of_a.as_ref().zip(of_b.as_ref());
        let exact = both.map(|(a, b)| Similarity::of(a, b));
        let different = both.map(|(a, b)| differences(a, b));
        let side = |more_in_a: bool| {
            let all = different.iter().flatten();
            all.filter(move |one| (one.a > one.b) == more_in_a).take(limit)
        };
        let features = side(true).chain(side(false)).map(|one| DifferenceRow {
            feature: one.feature.to_owned(),
            a: one.a,
            b: one.b,
        });
        let features = different.as_ref().map(|_| features.collect());
        Ok(Self {
            a: SideRow::of(a, of_a.as_ref()),
            b: SideRow::of(b, of_b.as_ref()),
            width,
            k: settings.threshold.radius(),
            distance,
            near_duplicates: near,
            similarity: alike.map(|alike| alike.similarity),
            measure: alike.map(|alike| alike.measure.into()),
            cosine_estimated,
            cosine_interval: [low, high],
            cosine: exact.map(|exact| exact.cosine),
            jaccard: exact.map(|exact| exact.jaccard),
            weighted_jaccard: exact.map(|exact| exact.weighted_jaccard),
            containment: exact.map(|exact| exact.containment),
            different_features: different.as_ref().map(Vec::len),
            features,
            difference: None,
        })
    }
}

impl Words {
    fn of(a: &Known, b: &Known, service: &Service) -> Option<Self> {
        let text = |known: &Known| service.sketcher.text(known.content.as_ref()?);
        let (a, b) = (text(a)?, text(b)?);
        let (shown, other) = (beginning(&a), beginning(&b));
        let cut = shown.len() < a.len() || other.len() < b.len();
        Some(Self { difference: Difference::of(shown, other, ROWS), cut })
    }
}

/// The part of a text that is compared.
fn beginning(text: &str) -> &str {
    let mut ends = (0..=LONGEST.min(text.len())).rev();
    // The empty text is a beginning of every text.
    ends.find_map(|end| text.get(..end)).unwrap_or_default()
}

impl SideRow {
    fn of(known: &Known, features: Option<&FeatureSet>) -> Self {
        Self {
            id: known.id.clone(),
            fingerprint: known.sketch.fingerprint.to_string(),
            features: features.map(FeatureSet::len),
        }
    }
}
