//! The recipes that come with the library. Their ids and golden fingerprints are frozen by tests: a
//! change of bits is a new recipe.

use crate::recipe::Recipe;
use std::sync::LazyLock;

/// The name of the recipe that is used where none is asked for.
pub const DEFAULT: &str = "text";

static RECIPES: LazyLock<Vec<Recipe>> = LazyLock::new(|| {
    [
        include_str!("../recipes/text.toml"),
        include_str!("../recipes/words.toml"),
        include_str!("../recipes/chars-5.toml"),
        include_str!("../recipes/python-128.toml"),
        include_str!("../recipes/shingles-3.toml"),
        include_str!("../recipes/web.toml"),
        include_str!("../recipes/zh.toml"),
        include_str!("../recipes/zh-keywords.toml"),
        include_str!("../recipes/zh-keywords-mix.toml"),
        include_str!("../recipes/ja.toml"),
        include_str!("../recipes/code.toml"),
        include_str!("../recipes/vectors.toml"),
    ]
    .into_iter()
    .filter_map(|toml| Recipe::from_toml(toml).ok())
    .collect()
});

/// Every built-in recipe, the default first.
#[must_use]
pub fn recipes() -> &'static [Recipe] {
    &RECIPES
}

/// The built-in recipe of that name.
#[must_use]
pub fn recipe(name: &str) -> Option<Recipe> {
    RECIPES.iter().find(|recipe| recipe.name == name).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recipe_file_is_read() {
        let names: Vec<_> = recipes().iter().map(|recipe| recipe.name.as_str()).collect();
        assert_eq!(
            names,
            [
                DEFAULT,
                "words",
                "chars-5",
                "python-128",
                "shingles-3",
                "web",
                "zh",
                "zh-keywords",
                "zh-keywords-mix",
                "ja",
                "code",
                "vectors"
            ]
        );
        assert!(recipes().iter().all(|recipe| !recipe.description.is_empty()));
    }
}
