//! The choice: what was seen, what each setting would do, and the one to take.

use crate::choosing::prediction::Prediction;
use crate::choosing::setting::Setting;
use crate::choosing::similarities::Similarities;
use crate::error::Error;
use crate::sampling::survey::Survey;
use nearprint_dedup::{Finding, Forecast, Likeness};
use nearprint_fingerprint::{Recipe, Width};
use serde::Serialize;

/// Similarities that are told of.
const GRID: [f64; 9] = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9];
/// The highest of them.
const LAST: f64 = 0.95;

/// What a survey tells of a corpus and of the settings for it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tuning {
    /// The recipe.
    pub recipe: String,
    /// Its id.
    pub recipe_id: String,
    /// Documents of the corpus; an estimate where not all of it was read.
    pub documents: u64,
    /// Documents that were looked at: drawn, and compared with all that were visible.
    pub looked_at: u64,
    /// Of these, those that may be near others.
    pub comparable: u64,
    /// The share of the corpus that was read.
    pub read: f64,
    /// The share of what was read that each document was compared with.
    pub visible: f64,
    /// Pairs that were seen, each as often as a drawn document is in it.
    pub pairs_seen: u64,
    /// How similar documents are.
    pub similarities: Similarities,
    /// The similarity that documents suggest; none where no command follows from them.
    pub suggested: Option<f64>,
    /// The similarity that is told of: what was asked for, else what documents suggest, else the default of a job.
    pub threshold: f64,
    /// What each setting would do.
    pub predictions: Vec<Prediction>,
    /// Which of them finds pairs of that similarity by bands, if one does.
    pub recommended: Option<usize>,
}

impl Tuning {
    /// The settings worth a word: `--similarity` from 0.5 to 0.95, and at the similarity to take all pairs for certain
    /// and the radius that stands for it, at every width that was surveyed; and the paper's setting.
    ///
    /// # Errors
    /// A similarity below [`Survey::LEAST`], of whose pairs a survey knows nothing; a recipe that similarities cannot be
    /// looked for with.
    pub fn settings(
        survey: &Survey,
        recipe: &Recipe,
        threshold: f64,
    ) -> Result<Vec<Setting>, Error> {
        let mut similarities: Vec<f64> = GRID.into_iter().chain([threshold, LAST]).collect();
        similarities.sort_by(f64::total_cmp);
        similarities.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
        let mut settings: Vec<Setting> = similarities
            .iter()
            .map(|one| Setting::by_similarity(*one, recipe))
            .collect::<Result<_, _>>()?;
        settings.push(Setting::exact(threshold, recipe)?);
        for width in &survey.widths {
            let k = Likeness::radius(threshold, *width);
            settings.extend(Setting::by_radius(k, *width, threshold));
        }
        if survey.widths.contains(&Width::W64) {
            settings.extend(Setting::by_radius(3, Width::W64, threshold));
        }
        Ok(settings)
    }

    /// What `survey` tells, of `settings` that [`settings`](Self::settings) gave or others.
    #[must_use]
    pub fn of(
        survey: &Survey,
        recipe: &Recipe,
        similarities: Similarities,
        threshold: f64,
        settings: &[Setting],
    ) -> Self {
        let predictions: Vec<Prediction> =
            settings.iter().map(|setting| Prediction::of(setting, survey)).collect();
        let recommended = settings.iter().position(|setting| {
            let is_by_bands = matches!(setting.likeness.finding(), Finding::Bands(_));
            is_by_bands && (setting.similarity - threshold).abs() < 1e-9
        });
        Self {
            recipe: recipe.name.clone(),
            recipe_id: recipe.id().to_string(),
            documents: survey.documents,
            looked_at: survey.drawn.len() as u64,
            comparable: survey.comparable,
            read: survey.read,
            visible: survey.visible,
            pairs_seen: survey.pairs.len() as u64,
            suggested: similarities.suggested(),
            threshold,
            similarities,
            predictions,
            recommended,
        }
    }

    /// The same with what each setting takes, as far as `forecasts` of them tell.
    #[must_use]
    pub fn costing(mut self, forecasts: &[Forecast]) -> Self {
        let predictions = std::mem::take(&mut self.predictions).into_iter().enumerate();
        let cost = |(at, one): (usize, Prediction)| match forecasts.get(at) {
            Some(forecast) => one.costing(forecast),
            None => one,
        };
        self.predictions = predictions.map(cost).collect();
        self
    }

    /// The prediction of the setting to take.
    #[must_use]
    pub fn recommended(&self) -> Option<&Prediction> {
        self.predictions.get(self.recommended?)
    }
}

impl Survey {
    /// How similar documents are.
    #[must_use]
    pub fn similarities(&self) -> Similarities {
        Similarities::of(self)
    }

    /// How many pairs of the whole corpus one pair that was seen stands for.
    #[must_use]
    pub fn pairs_of_one(&self) -> f64 {
        // Each document of a pair is drawn, and a pair has two.
        1.0 / (2.0 * self.share_drawn() * self.visible * self.read).max(f64::MIN_POSITIVE)
    }

    /// The share of the documents that were drawn.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub fn share_drawn(&self) -> f64 {
        (self.drawn.len() as f64 / self.documents.max(1) as f64).min(1.0)
    }
}
