//! Text to tokens with places, by a recipe. What a place is, [`crate::text::placed_tokens`] says.

use crate::error::RecipeError;
use crate::features::token_maker::TokenMaker;
use crate::hashing::hash::TokenHash;
use crate::in_bounds::place_in;
use crate::kernel::Kernel;
use crate::recipes::recipe::Recipe;
use crate::scanners::word_scanner::WordScanner;
use crate::text::aligned_text::AlignedText;
use crate::text::digits::Digits;
use crate::text::language::Language;
use crate::text::placed_tokens::PlacedTokens;
use crate::text::token::Split;
use crate::vote::weight::Weighting;

/// Makes tokens with places by one recipe. Holds working memory: keep one a thread and reuse it.
///
/// Tokens are those that the recipe makes features of, in the order of the text, before phrases and shingles are joined;
/// of a recipe of runs of characters (`gram`) each character is one. Pairs of syllables of Korean words are left out:
/// they lie in their words.
///
/// What lies at the place of a token makes the same token by itself, but where
/// - several tokens are made of one character: see [`PlacedTokens`];
/// - the token is a blank, a joiner or a tag by a recipe of characters: these show only between others;
/// - a dictionary cuts words by what stands around them;
/// - accents are stripped, and a mark that takes up space stands between a letter and one of its own;
/// - the language that is detected decides, and is another one by less text.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Digits, PlacedTokens, Recipe, Tokenizer};
///
/// let mut tokenizer = Tokenizer::new(&Recipe::named("text")?, Digits::Keep)?;
/// let mut tokens = PlacedTokens::default();
/// tokenizer.tokens("To be, or NOT to be.", &mut tokens);
/// assert_eq!((tokens.len(), tokens.text(3), tokens.place(3)), (6, "not", 10..13));
/// # Ok::<(), nearprint_fingerprint::RecipeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tokenizer {
    digits: Digits,
    aligned: AlignedText,
    makes: Maker,
}

/// What finds the tokens.
#[derive(Clone, Debug)]
enum Maker {
    /// The fast path.
    Words(Box<WordScanner>),
    Any(Box<TokenMaker>),
}

impl Tokenizer {
    /// A tokenizer for `recipe`.
    ///
    /// # Errors
    /// A recipe that has no tokens with places: its features come in place of text, it keeps the words that rank
    /// highest, or its tokens are hashed at the width of the fingerprint. Else as for [`Fingerprinter::new`], but that
    /// statistics need not be there.
    ///
    /// [`Fingerprinter::new`]: crate::Fingerprinter::new
    pub fn new(recipe: &Recipe, digits: Digits) -> Result<Self, RecipeError> {
        recipe.check()?;
        recipe.ready()?;
        let because = match recipe.weights {
            Weighting::Given => Some("its features come in place of text"),
            _ if recipe.has_keywords() => Some("it keeps the words of a text that rank highest"),
            _ if recipe.hash == TokenHash::Python => {
                Some("it hashes tokens at the width of the fingerprint")
            }
            _ => None,
        };
        if let Some(because) = because {
            return Err(RecipeError::NoPlaces { recipe: recipe.name.clone(), because });
        }
        let makes = if recipe.split == Split::Words && recipe.leaves_tokens() {
            let scanner = WordScanner::new(Kernel::detect(), recipe.form(), recipe.case);
            Maker::Words(Box::new(scanner.with_digits(digits)))
        } else {
            Maker::Any(Box::new(TokenMaker::new(recipe)))
        };
        Ok(Self { digits, aligned: AlignedText::new(recipe.form(), recipe.accents), makes })
    }

    /// Replaces `into` by the tokens of `text`.
    ///
    /// # Complexity
    /// Linear in the length of the text; 40 bytes a token in `into`, and the text.
    pub fn tokens(&mut self, text: &str, into: &mut PlacedTokens) {
        self.tokens_in(text, None, into);
    }

    /// As [`Self::tokens`], without [`PlacedTokens::hashes`]: in less time.
    pub fn tokens_without_hashes(&mut self, text: &str, into: &mut PlacedTokens) {
        into.begin(false);
        self.append(text, None, into);
    }

    /// Replaces `into` by the hashes of the tokens of `text`, without their texts and places: those that
    /// [`PlacedTokens::hashes`] has.
    ///
    /// # Complexity
    /// Linear in the length of the text, in about half the time of [`Self::tokens`].
    pub fn hashes(&mut self, text: &str, into: &mut Vec<u64>) {
        into.clear();
        let Self { digits, aligned, makes } = self;
        match makes {
            Maker::Words(scanner) => scanner.hashes(text, TokenHash::Xxh3, into),
            Maker::Any(maker) => {
                let (bare, _) = aligned.align(text);
                let mut last = 0;
                maker.parts(bare, None, |part, token| {
                    let part = place_in(bare, part);
                    if part.start >= last {
                        last = part.end;
                        into.push(TokenHash::Xxh3.hash(&digits.apply(token)));
                    }
                });
            }
        }
    }

    /// As [`Self::tokens`], of a text that comes with its language: see
    /// [`Fingerprinter::fingerprint_in`](crate::Fingerprinter::fingerprint_in).
    pub fn tokens_in(&mut self, text: &str, language: Option<Language>, into: &mut PlacedTokens) {
        into.begin(true);
        self.append(text, language, into);
    }

    fn append(&mut self, text: &str, language: Option<Language>, into: &mut PlacedTokens) {
        let Self { digits, aligned, makes } = self;
        match makes {
            Maker::Words(scanner) => scanner.placed(text, aligned, into),
            Maker::Any(maker) => {
                let (bare, mut places) = aligned.align(text);
                let mut last = 0;
                maker.parts(bare, language, |part, token| {
                    let part = place_in(bare, part);
                    if part.start >= last {
                        last = part.end;
                        into.push(&digits.apply(token), places.of(part));
                    }
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::accents::Accents;
    use crate::text::case::Case;
    use crate::text::normalize::NormalForm;
    use icu_properties::CodePointMapData;
    use icu_properties::props::GeneralCategory;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    /// Every built-in recipe that has places, in its first version and its newest, and recipes of other choices.
    static RECIPES: LazyLock<Vec<Recipe>> = LazyLock::new(|| {
        let builtin = Recipe::builtin().iter();
        let mut recipes: Vec<_> = builtin
            .filter(|recipe| Tokenizer::new(recipe, Digits::Keep).is_ok())
            .cloned()
            .collect();
        assert_eq!(recipes.len(), 8);
        recipes.extend(recipes.clone().iter().filter_map(|recipe| recipe.with_version(1).ok()));
        let words = Recipe::named("words").unwrap();
        let mut other = |change: &dyn Fn(&mut Recipe)| {
            let mut recipe = words.clone();
            change(&mut recipe);
            recipe.check().unwrap();
            recipes.push(recipe);
        };
        other(&|r| (r.normalize, r.case) = (NormalForm::Nfc, Case::Fold));
        other(&|r| (r.version, r.normalize, r.case) = (1, NormalForm::Keep, Case::Keep));
        other(&|r| r.accents = Accents::Strip);
        other(&|r| (r.split, r.accents) = (Split::Blanks, Accents::Strip));
        other(&|r| r.stop_list = vec!["a".into(), "上".into()]);
        other(&|r| (r.split, r.gram) = (Split::Characters, 4));
        other(&|r| (r.split, r.normalize) = (Split::Characters, NormalForm::Keep));
        recipes
    });

    /// The tokens by the steps that know no places.
    fn plain(recipe: &Recipe, text: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        let recipe = Recipe { gram: 1, ..recipe.clone() };
        TokenMaker::new(&recipe).tokens(text, None, |_, token| tokens.push(token.to_owned()));
        tokens
    }

    fn placed(recipe: &Recipe, digits: Digits, text: &str) -> PlacedTokens {
        let mut tokens = PlacedTokens::default();
        let mut tokenizer = Tokenizer::new(recipe, digits).unwrap();
        // Twice: a tokenizer is made to be used again.
        tokenizer.tokens(text, &mut tokens);
        tokenizer.tokens(text, &mut tokens);
        tokens
    }

    fn texts(tokens: &PlacedTokens) -> Vec<&str> {
        (0..tokens.len()).map(|number| tokens.text(number)).collect()
    }

    /// For each token whether it alone was made of all that lies at its place.
    fn are_alone(recipe: &Recipe, text: &str) -> Vec<bool> {
        let mut aligned = AlignedText::new(recipe.form(), recipe.accents);
        let (bare, mut places) = aligned.align(text);
        // A character that has no byte of its own shares those of the one before it.
        let shares = |(at, c): (usize, char)| places.of(at..at + c.len_utf8()).is_empty();
        let shares: Vec<bool> = bare.char_indices().map(shares).chain([false]).collect();
        let mut alone = Vec::new();
        TokenMaker::new(recipe).parts(bare, None, |part, _| {
            let place = place_in(bare, part);
            let number = |at: usize| bare[..at].chars().count();
            alone.push(!shares[number(place.start)] && !shares[number(place.end)]);
        });
        alone
    }

    fn agrees(text: &str) -> Result<(), TestCaseError> {
        for recipe in RECIPES.iter() {
            let about = || format!("{} {} {text:?}", recipe.name, recipe.version);
            let expected = plain(recipe, text);
            let tokens = placed(recipe, Digits::Keep, text);
            prop_assert_eq!(texts(&tokens), expected.clone(), "{}", about());
            let one = placed(recipe, Digits::One, text);
            let digits: Vec<_> = expected.iter().map(|token| Digits::One.apply(token)).collect();
            prop_assert_eq!(texts(&one), digits, "{}", about());
            for (digits, placed) in [(Digits::Keep, &tokens), (Digits::One, &one)] {
                let mut hashes = vec![7];
                Tokenizer::new(recipe, digits).unwrap().hashes(text, &mut hashes);
                prop_assert_eq!(hashes, placed.hashes(), "{}", about());
            }
            let mut unhashed = PlacedTokens::default();
            let mut tokenizer = Tokenizer::new(recipe, Digits::Keep).unwrap();
            tokenizer.tokens_without_hashes(text, &mut unhashed);
            prop_assert_eq!(texts(&unhashed), texts(&tokens), "{}", about());
            prop_assert_eq!(&unhashed.places, &tokens.places, "{}", about());
            prop_assert!(unhashed.hashes().is_empty());
            let mut last = 0;
            for number in 0..tokens.len() {
                for tokens in [&tokens, &one] {
                    let hash = TokenHash::Xxh3.hash(tokens.text(number));
                    prop_assert_eq!(tokens.hashes()[number], hash, "{}", about());
                }
                let place = tokens.place(number);
                prop_assert_eq!(one.place(number), place.clone(), "{}", about());
                prop_assert!(
                    last <= place.start && text.get(place.clone()).is_some(),
                    "{}",
                    about()
                );
                last = place.end;
            }
        }
        Ok(())
    }

    /// What a recipe makes of the bytes of each token.
    fn comes_back(text: &str) -> Result<(), TestCaseError> {
        let spacing = CodePointMapData::<GeneralCategory>::new();
        let has_spacing = text.chars().any(|c| spacing.get(c) == GeneralCategory::SpacingMark);
        let recipes = RECIPES.iter();
        for recipe in recipes.filter(|r| !(has_spacing && r.accents == Accents::Strip)) {
            let tokens = placed(recipe, Digits::Keep, text);
            let alone = are_alone(recipe, text);
            prop_assert_eq!(tokens.len(), alone.len());
            let by_dictionary = matches!(recipe.split, Split::Zh | Split::Dictionary);
            let in_context = |token: &str| {
                let shows = [' ', '\u{200c}', '\u{200d}'];
                recipe.split == Split::Characters
                    && token
                        .contains(|c| shows.contains(&c) || matches!(c, '\u{e0020}'..='\u{e007f}'))
            };
            for (number, _) in alone.iter().enumerate().filter(|(_, alone)| **alone) {
                let (token, part) = (tokens.text(number), &text[tokens.place(number)]);
                let again = placed(recipe, Digits::Keep, part);
                let about = format!("{} {} {part:?} of {text:?}", recipe.name, recipe.version);
                if by_dictionary {
                    prop_assert_eq!(texts(&again).concat(), token, "{}", about);
                } else if !in_context(token) {
                    prop_assert_eq!(texts(&again), [token], "{}", about);
                    prop_assert_eq!(again.place(0), 0..part.len(), "{}", about);
                }
            }
        }
        Ok(())
    }

    const MIXED: &str = "([aZéÉß1_'.,:;·’…，１Ａ\u{301}\u{323}\u{344}\u{ad}\u{200d}\u{200c}\u{200b}\u{640}\u{34f}\0\u{7f}ʼ“–\u{202f} \n\u{a0}\u{feff}]|\r\n|[א\"ש上丁龍䷀か\u{3099}゛ｶﾞカーก\u{e35}\u{e33}ำ하\u{11ab}ᄒ\u{1161}한가🇫🇷👨👩👩🏽🚀🏴\u{e0067}İẞﬁ½①㌀ﷺ㎏٣خيकि्\u{93f}\u{94d}\u{9c7}\u{9be}\u{1d400}𝟗\u{20000}≠=-])";

    fn mixed(counts: &str) -> impl Strategy<Value = String> {
        prop::string::string_regex(&format!("{MIXED}{counts}")).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(nearprint_testing::cases(300)))]
        #[test]
        fn tokens_are_those_that_have_no_places(text in mixed("{0,40}")) {
            agrees(&text)?;
        }

        #[test]
        fn tokens_of_any_text_are_those_that_have_no_places(text: String) {
            agrees(&text)?;
        }

        #[test]
        fn words_across_blocks_are_those_that_have_no_places(
            text in prop::string::string_regex(&format!("([a-zA-Z0-9_'.,: ]{{20,63}}{MIXED}{{0,3}}){{0,6}}")).unwrap()
        ) {
            agrees(&text)?;
        }

        #[test]
        fn the_bytes_of_a_token_make_it_again(text in mixed("{0,24}")) {
            comes_back(&text)?;
        }

        #[test]
        fn the_bytes_of_a_token_of_any_text_make_it_again(text: String) {
            comes_back(&text)?;
        }
    }

    #[test]
    fn places_count_from_the_start_of_a_long_text() {
        for part in
            ["near-print's ", "指纹", "cafe\u{301} ", "“é”\u{200b} ", "١٢ x ", "하\u{11ab} ", "कि "]
        {
            let text = part.repeat(2000);
            agrees(&text).unwrap();
            let text_recipe = Recipe::named("text").unwrap();
            let tokens = placed(&text_recipe, Digits::Keep, &text);
            let one = placed(&text_recipe, Digits::Keep, part);
            assert_eq!(tokens.len(), 2000 * one.len());
            for number in 0..tokens.len() {
                let (copy, number_there) = (number / one.len(), number % one.len());
                let place = one.place(number_there);
                let moved = place.start + copy * part.len()..place.end + copy * part.len();
                assert_eq!(tokens.place(number), moved, "{number} of {part:?}");
            }
        }
    }

    #[test]
    fn pairs_of_syllables_are_left_out() {
        for split in [Split::Ko, Split::Mixed] {
            let recipe = Recipe { split, ..Recipe::named("words").unwrap() };
            let text = "한국어는 쉽다, 한국의 GPU";
            assert_eq!(
                texts(&placed(&recipe, Digits::Keep, text)),
                ["한국어는", "쉽다", "한국의", "gpu"]
            );
        }
    }

    #[test]
    fn characters_of_runs_are_tokens_whatever_runs_are_left_out() {
        let recipe = Recipe {
            split: Split::Characters,
            gram: 2,
            stop_list: vec!["a".into(), "ab".into()],
            ..Recipe::named("words").unwrap()
        };
        let tokens = placed(&recipe, Digits::Keep, " ab \n a");
        assert_eq!(texts(&tokens), ["a", "b", " ", "a"]);
        assert_eq!(tokens.place(2), 3..6);
    }

    #[cfg(feature = "languages")]
    #[test]
    fn words_left_out_have_no_place_and_stems_have_that_of_their_word() {
        let recipe = Recipe {
            stop_words: true,
            stem: true,
            language: "en".parse().unwrap(),
            ..Recipe::named("words").unwrap()
        };
        let tokens = placed(&recipe, Digits::Keep, "The coun\u{ad}cillors were approving");
        assert_eq!(texts(&tokens), ["councillor", "approv"]);
        assert_eq!((tokens.place(0), tokens.place(1)), (4..17, 23..32));
    }

    #[test]
    fn recipes_without_places_are_refused_by_their_names() {
        for name in ["vectors", "python-128", "zh-keywords", "zh-textrank"] {
            let error = Tokenizer::new(&Recipe::named(name).unwrap(), Digits::Keep).unwrap_err();
            assert!(error.to_string().starts_with(&format!("recipe \"{name}\" has no")), "{error}");
        }
        let tokens = PlacedTokens::default();
        assert_eq!((tokens.text(0), tokens.place(7)), ("", 0..0));
        assert!(tokens.is_empty());
    }
}
