//! What a recipe takes from elsewhere: the statistics file, the dictionary and the files of words that
//! become part of it.

use crate::error::{RecipeError, WordFileKind};
use crate::recipes::recipe::Recipe;
use crate::text::by_content::ByContent;
use crate::text::idf_file::{IdfFile, UnlistedIdf};
use crate::text::stop_file::StopFile;
use crate::text::token::Split;
use crate::text::user_dictionary::UserDictionary;
use crate::text::word_dictionary::WordDictionary;
use crate::vote::weight::Weighting;
use crate::weighing::statistics::Statistics;

impl Recipe {
    /// Refuses a recipe that takes something from a statistics file.
    ///
    /// # Errors
    /// [`RecipeError::StatisticsMissing`], which names the key that needs the file.
    pub fn check_no_statistics(&self) -> Result<(), RecipeError> {
        match self.asks_statistics() {
            Some(what) => Err(RecipeError::StatisticsMissing { what }),
            None => Ok(()),
        }
    }

    /// The key whose value comes from a statistics file.
    fn asks_statistics(&self) -> Option<&'static str> {
        match self.weights {
            Weighting::Idf => Some("weights = \"idf\""),
            Weighting::Bm25 => Some("weights = \"bm25\""),
            _ if self.phrases > 0 => Some("phrases"),
            _ => None,
        }
    }

    /// This recipe with `statistics` as part of it: its id names the file from then on.
    ///
    /// # Errors
    /// A recipe that has no use for statistics, that forms other features than those counted there,
    /// or that names another file.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Recipe, Statistics, StatisticsBuilder, Weighting};
    ///
    /// let recipe = Recipe { weights: Weighting::Idf, ..Recipe::named("words")? };
    /// let mut builder = StatisticsBuilder::new(&recipe)?;
    /// builder.add_text("the council met", None);
    /// let statistics = Statistics::open(builder.finish())?;
    /// let bound = recipe.bound_to_statistics(&statistics)?;
    /// assert_eq!(bound.statistics, Some(statistics.id()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bound_to_statistics(&self, statistics: &Statistics) -> Result<Self, RecipeError> {
        if self.asks_statistics().is_none() {
            return Err(RecipeError::StatisticsUnused);
        }
        let differences = self.feature_differences(statistics.recipe());
        if !differences.is_empty() {
            let differences = differences.join("; ");
            return Err(RecipeError::StatisticsRecipe { differences });
        }
        let given = statistics.id();
        if let Some(named) = self.statistics.filter(|&named| named != given) {
            let (recipe, given) = (named.to_string(), given.to_string());
            return Err(RecipeError::StatisticsOther { recipe, given });
        }
        Ok(Self { statistics: Some(given), ..self.clone() })
    }

    /// This recipe with `dictionary` as part of it: its words come from there, and its id names the
    /// dictionary.
    ///
    /// # Errors
    /// A recipe that has no use for a dictionary, or that names another one.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{DictionaryId, Recipe, Split, WordDictionary};
    ///
    /// // Only its name; `WordDictionary::open` reads the words too.
    /// let dictionary = WordDictionary::named(DictionaryId::from(7));
    /// let recipe = Recipe { split: Split::Lindera, ..Recipe::named("ja")? };
    /// let bound = recipe.bound_to_dictionary(&dictionary)?;
    /// assert_ne!(bound.id(), recipe.id());
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    pub fn bound_to_dictionary(&self, dictionary: &WordDictionary) -> Result<Self, RecipeError> {
        if self.split != Split::Lindera {
            return Err(RecipeError::DictionaryUnused);
        }
        if let Some(named) = self.dictionary.as_ref().filter(|&named| named != dictionary) {
            let (recipe, given) = (named.to_string(), dictionary.to_string());
            return Err(RecipeError::DictionaryOther { recipe, given });
        }
        Ok(Self { dictionary: Some(dictionary.clone()), ..self.clone() })
    }

    /// This recipe with the words of `file` as words of jieba's dictionary; its id names the file.
    ///
    /// # Errors
    /// A recipe that has no use for a user dictionary, or that names another one.
    pub fn bound_to_user_dictionary(&self, file: &UserDictionary) -> Result<Self, RecipeError> {
        let used = self.cuts_as_jieba();
        let user_dictionary = Some(fitting(WordFileKind::User, used, &self.user_dictionary, file)?);
        Ok(Self { user_dictionary, ..self.clone() })
    }

    /// This recipe without the words of `file`; its id names the file.
    ///
    /// # Errors
    /// A recipe that has no use for a stop-word file, or that names another one.
    pub fn bound_to_stop_file(&self, file: &StopFile) -> Result<Self, RecipeError> {
        let used = self.cuts_as_jieba();
        let stop_file = Some(fitting(WordFileKind::Stop, used, &self.stop_file, file)?);
        Ok(Self { stop_file, ..self.clone() })
    }

    /// This recipe with keywords weighed by `file`; its id names the file.
    ///
    /// # Errors
    /// A recipe that has no use for an idf file, or that names another one.
    pub fn bound_to_idf_file(&self, file: &IdfFile) -> Result<Self, RecipeError> {
        let used = self.cuts_as_jieba() && self.weights == Weighting::Keywords;
        let idf_file = Some(fitting(WordFileKind::Idf, used, &self.idf_file, file)?);
        Ok(Self { idf_file, ..self.clone() })
    }

    /// Refuses a recipe that names or needs a file of words whose contents are not there.
    pub(crate) fn check_word_files(&self) -> Result<(), RecipeError> {
        fn check<T>(file: WordFileKind, named: &Option<ByContent<T>>) -> Result<(), RecipeError> {
            match named {
                Some(missing) if missing.content().is_none() => {
                    Err(RecipeError::WordFileMissing { file, named: Some(missing.to_string()) })
                }
                _ => Ok(()),
            }
        }
        check(WordFileKind::User, &self.user_dictionary)?;
        check(WordFileKind::Stop, &self.stop_file)?;
        check(WordFileKind::Idf, &self.idf_file)?;
        // The mean is that of a file, and the frequencies that come with jieba are not for single characters.
        let needed = self.unlisted_idf == UnlistedIdf::Mean
            || (self.weights == Weighting::Keywords && self.min_length == 1);
        if needed && self.idf_file.is_none() {
            return Err(RecipeError::WordFileMissing { file: WordFileKind::Idf, named: None });
        }
        Ok(())
    }
}

/// `given`, where the recipe uses such a `file` and names no other.
fn fitting<T>(
    file: WordFileKind,
    is_used: bool,
    named: &Option<ByContent<T>>,
    given: &ByContent<T>,
) -> Result<ByContent<T>, RecipeError> {
    if !is_used {
        return Err(RecipeError::WordFileUnused { file });
    }
    match named {
        Some(named) if named != given => {
            let (recipe, given) = (named.to_string(), given.to_string());
            Err(RecipeError::WordFileOther { file, recipe, given })
        }
        _ => Ok(given.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::statistics_builder::StatisticsBuilder;

    fn recipe() -> Recipe {
        Recipe { weights: Weighting::Idf, ..Recipe::named("words").unwrap() }
    }

    fn statistics(text: &str) -> Statistics {
        let mut builder = StatisticsBuilder::new(&recipe()).unwrap();
        builder.add_text(text, None);
        Statistics::open(builder.finish()).unwrap()
    }

    #[test]
    fn a_file_of_another_recipe_is_refused() {
        let statistics_here = statistics("one two two");
        let bind = |recipe: &Recipe| recipe.bound_to_statistics(&statistics_here);
        let bound = bind(&recipe()).unwrap();
        assert_ne!(bound.id(), recipe().id());
        assert_eq!(bind(&bound).unwrap(), bound);
        assert_eq!(Recipe::from_toml(&bound.to_toml()).unwrap(), bound);
        // What does not touch the features may differ.
        assert!(bind(&Recipe { top: 9, weights: Weighting::Bm25, ..recipe() }).is_ok());
        let error = |recipe| bind(&recipe).unwrap_err().to_string();
        assert!(
            error(Recipe { shingle: 2, ..recipe() })
                .contains("shingle = 2 in the recipe, 1 in the file")
        );
        assert!(
            error(Recipe::named("words").unwrap()).contains("the recipe uses no statistics file")
        );
        let other = recipe().bound_to_statistics(&statistics("else")).unwrap();
        assert!(error(other).contains("made for the statistics file"));
    }
}
