//! Text to the tokens that features are made of, by all that a recipe says of them: normal form,
//! accents, segmentation, case, stop words and stems. Features are made in [`crate::features::analysis`].

use crate::recipes::recipe::Recipe;
use crate::text::language::Language;
use crate::text::lexicon::Memory;
use crate::text::stem::stem;
use crate::text::stop_words::StopWords;
use std::borrow::Cow;

/// Makes tokens by one recipe, with the memory that this takes.
#[derive(Clone, Debug)]
pub(crate) struct TokenMaker {
    recipe: Recipe,
    stop_words: StopWords,
    scratch: String,
    memory: Memory,
}

impl TokenMaker {
    pub(crate) fn new(recipe: &Recipe) -> Self {
        // Keywords know the words of the file as they stand.
        let file = recipe.stop_file.as_ref().filter(|_| !recipe.has_keywords());
        let further = file.and_then(|file| file.content()).into_iter().flat_map(|list| list.iter());
        let words = recipe.stop_list.iter().map(String::as_str).chain(further);
        let stop_words = StopWords::new(words.map(|word| form(recipe, word)), recipe.stop_words);
        Self {
            recipe: recipe.clone(),
            stop_words,
            scratch: String::new(),
            memory: Memory::default(),
        }
    }

    /// Calls `emit` with every token of `text` in order, and with its place among all words where they are
    /// ranked; `given` is the language that comes with it.
    pub(crate) fn tokens(
        &mut self,
        text: &str,
        given: Option<Language>,
        mut emit: impl FnMut(usize, &str),
    ) {
        let bare = self.recipe.prepared(text);
        let language = self.prepare(&bare, given);
        let Self { recipe, stop_words, scratch, memory } = self;
        let mut pass = |place: usize, token: &str| {
            if let Some(token) = kept(recipe, stop_words, language, token) {
                emit(place, &token);
            }
        };
        if recipe.has_keywords() {
            recipe.chinese_words(&bare, &mut |place, word| {
                recipe.split.token_of(word, recipe.case, scratch);
                pass(place, scratch);
            });
        } else {
            recipe.tokens_with(memory, language, &bare, scratch, |token| pass(0, token));
        }
    }

    /// Calls `emit` with every part of `bare` that becomes a token, and with the token, in order. `bare` is in the
    /// recipe's form and without the accents that it strips. Of a recipe of runs of characters each character is a
    /// token, whatever the rules for tokens say of runs.
    pub(crate) fn parts(
        &mut self,
        bare: &str,
        given: Option<Language>,
        mut emit: impl FnMut(&str, &str),
    ) {
        let language = self.prepare(bare, given);
        let Self { recipe, stop_words, scratch, memory } = self;
        recipe.parts(memory, language, bare, |part| {
            recipe.split.token_of(part, recipe.case, scratch);
            if recipe.gram > 1 {
                emit(part, scratch);
            } else if let Some(token) = kept(recipe, stop_words, language, scratch) {
                emit(part, &token);
            }
        });
    }

    /// The language of a text, for which stop words are then ready.
    fn prepare(&mut self, bare: &str, given: Option<Language>) -> Option<Language> {
        let Self { recipe, stop_words, .. } = self;
        let language = recipe.language.language(given, bare);
        stop_words.prepare(language, |word| form(recipe, word));
        language
    }
}

/// A token by the rules for stop words and stems; `None` where it is left out.
fn kept<'t>(
    recipe: &Recipe,
    stop_words: &StopWords,
    language: Option<Language>,
    token: &'t str,
) -> Option<Cow<'t, str>> {
    if !stop_words.is_empty() && stop_words.contains(token, language) {
        return None;
    }
    let stemmed = language.filter(|_| recipe.stem);
    Some(stemmed.map_or(Cow::Borrowed(token), |language| stem(token, language)))
}

/// A word of a list in the form that tokens have.
fn form(recipe: &Recipe, word: &str) -> String {
    let mut out = String::new();
    recipe.case.map_into(&recipe.prepared(word), &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::accents::Accents;
    use crate::text::language::LanguageRule;

    fn tokens(change: impl Fn(&mut Recipe), text: &str, given: Option<&str>) -> String {
        let mut recipe = Recipe::named("words").unwrap();
        change(&mut recipe);
        recipe.check().unwrap();
        let mut out = Vec::new();
        let given = given.and_then(Language::from_tag);
        TokenMaker::new(&recipe).tokens(text, given, |_, token| out.push(token.to_owned()));
        out.join(" ")
    }

    #[cfg(feature = "languages")]
    #[test]
    fn stop_words_go_before_words_are_stemmed() {
        let text = "The councillors were approving the café's budgets";
        assert_eq!(
            tokens(
                |r| {
                    (r.stop_words, r.stem) = (true, true);
                    r.language = "en".parse().unwrap();
                    r.accents = Accents::Strip;
                },
                text,
                None
            ),
            "councillor approv cafe budget"
        );
        assert_eq!(
            tokens(|r| r.stop_list = vec!["THE".into(), "ｗere".into()], text, None),
            "councillors approving café's budgets"
        );
    }

    #[cfg(feature = "languages")]
    #[test]
    fn the_language_that_comes_with_a_document_goes_before_the_one_detected() {
        let rules = |r: &mut Recipe| (r.stop_words, r.language) = (true, LanguageRule::Auto);
        let text = "the council and the budget of the town";
        assert_eq!(tokens(rules, text, None), "council budget town");
        assert_eq!(tokens(rules, text, Some("de")), text);
        let fixed = |r: &mut Recipe| {
            (r.stop_words, r.language) = (true, "en".parse().unwrap());
        };
        assert_eq!(tokens(fixed, text, Some("de")), "council budget town");
    }
}
