//! The recipes that come with the library. Their ids and golden fingerprints are frozen by tests: a
//! change of bits is a new recipe.

use crate::error::RecipeError;
use crate::ids::RecipeId;
use crate::recipes::recipe::Recipe;
use nearprint_bits::Width;
use std::sync::LazyLock;

/// In the order in which people are shown them; the default first.
static RECIPES: LazyLock<Vec<Recipe>> = LazyLock::new(|| {
    [
        include_str!("../../recipes/text.toml"),
        include_str!("../../recipes/words.toml"),
        include_str!("../../recipes/chars-5.toml"),
        include_str!("../../recipes/python-128.toml"),
        include_str!("../../recipes/shingles-3.toml"),
        include_str!("../../recipes/web.toml"),
        include_str!("../../recipes/zh.toml"),
        include_str!("../../recipes/zh-keywords.toml"),
        include_str!("../../recipes/zh-keywords-mix.toml"),
        include_str!("../../recipes/zh-keywords-go.toml"),
        include_str!("../../recipes/zh-textrank.toml"),
        include_str!("../../recipes/ja.toml"),
        include_str!("../../recipes/code.toml"),
        include_str!("../../recipes/vectors.toml"),
    ]
    .map(read)
    .into()
});

#[expect(clippy::expect_used, reason = "the files are part of the program, and a test reads each")]
fn read(toml: &str) -> Recipe {
    Recipe::from_toml(toml).expect("a built-in recipe is valid")
}

impl Recipe {
    /// The name of the recipe to use if the user names none.
    pub const DEFAULT: &str = "text";

    /// Every recipe that comes with the library, the default first.
    #[must_use]
    pub fn builtin() -> &'static [Self] {
        &RECIPES
    }

    /// The built-in recipe of that name.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Recipe;
    ///
    /// assert_eq!(Recipe::named("text")?, Recipe::default());
    /// assert!(Recipe::named("texts").unwrap_err().to_string().contains("text, words,"));
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    ///
    /// # Errors
    /// [`RecipeError::Unknown`] if no built-in recipe has that name; it lists all names.
    pub fn named(name: &str) -> Result<Self, RecipeError> {
        let found = RECIPES.iter().find(|recipe| recipe.name == name).cloned();
        found.ok_or_else(|| {
            let known: Vec<_> = RECIPES.iter().map(|recipe| recipe.name.as_str()).collect();
            RecipeError::Unknown { found: name.to_owned(), known: known.join(", ") }
        })
    }

    /// The built-in recipe with this id, at whatever width and in whatever version.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Recipe, Width};
    ///
    /// let recipe = Recipe::default().with_width(Width::W128);
    /// assert_eq!(Recipe::with_id(recipe.id()), Some(recipe));
    /// ```
    #[must_use]
    pub fn with_id(id: RecipeId) -> Option<Self> {
        let versions = RECIPES.iter().flat_map(|recipe| {
            (1..=recipe.version).map(|version| Self { version, ..recipe.clone() })
        });
        let versions = versions.filter(|recipe| recipe.check().is_ok());
        let all = versions.flat_map(|recipe| Width::ALL.map(|width| recipe.with_width(width)));
        all.into_iter().find(|recipe| recipe.id() == id)
    }
}

impl Default for Recipe {
    /// The recipe [`Recipe::DEFAULT`]: running text of any language.
    fn default() -> Self {
        RECIPES.first().cloned().unwrap_or_else(|| read(include_str!("../../recipes/text.toml")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_of_an_earlier_version_is_known_by_its_id() {
        let web = Recipe::named("web").unwrap();
        assert_eq!(web.version, 5);
        for version in [1, 2, 4] {
            let earlier = Recipe { version, ..web.clone() };
            assert_ne!(earlier.id(), web.id());
            assert_eq!(Recipe::with_id(earlier.id()), Some(earlier));
        }
        assert_eq!(Recipe::with_id(Recipe { version: 3, ..web }.id()), None);
    }

    #[test]
    fn every_recipe_file_is_read() {
        let names: Vec<_> = Recipe::builtin().iter().map(|recipe| recipe.name.as_str()).collect();
        assert_eq!(
            names,
            [
                Recipe::DEFAULT,
                "words",
                "chars-5",
                "python-128",
                "shingles-3",
                "web",
                "zh",
                "zh-keywords",
                "zh-keywords-mix",
                "zh-keywords-go",
                "zh-textrank",
                "ja",
                "code",
                "vectors"
            ]
        );
        assert!(Recipe::builtin().iter().all(|recipe| !recipe.description.is_empty()));
    }
}
