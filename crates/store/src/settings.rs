//! What a store is made for and never changes: its recipe, width and radius, in a file that people can
//! read. What may differ each time a store is opened is in [`crate::options`].

use crate::disk::files;
use crate::error::Error;
use nearprint_fingerprint::{DegenerateRule, Recipe, RecipeId, Width};
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::Path;

/// The version of what is on disk.
const VERSION: u32 = 1;
/// The file that makes a folder a store.
pub(crate) const FILE: &str = "store.toml";

/// What a store is made for.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Recipe;
/// use nearprint_store::Settings;
///
/// let recipe = Recipe::named("text").unwrap();
/// let settings = Settings { k: 6, ..Settings::of(recipe) };
/// assert_eq!((settings.width.bits(), settings.k), (64, 6));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The recipe of the fingerprints; `None` if fingerprints come ready-made.
    pub recipe: Option<Recipe>,
    /// Bits of a fingerprint. If there is a recipe, its width: `Settings::of(recipe.with_width(width))`.
    pub width: Width,
    /// The radius that the tables are made for, in bits. Searches within a larger one are slow.
    pub k: u32,
}

/// [`Settings`] as they are written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Form {
    version: u32,
    width: Width,
    k: u32,
    recipe_id: Option<String>,
    recipe: Option<Recipe>,
}

impl Settings {
    /// Settings for texts by `recipe`, at its width, with a radius of 3 bits for each 64.
    #[must_use]
    pub fn of(recipe: Recipe) -> Self {
        Self { recipe: Some(recipe.clone()), ..Self::ready_made(recipe.width) }
    }

    /// Settings for fingerprints that are made elsewhere, with a radius of 3 bits for each 64.
    #[must_use]
    pub fn ready_made(width: Width) -> Self {
        Self { recipe: None, width, k: width.default_radius() }
    }

    /// Reads the settings of the store at `path`, for instance to choose the width to open it with.
    ///
    /// # Errors
    /// [`Error::NoStore`], [`Error::Version`], and [`Error::Corrupt`] where the file was changed.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let file = path.join(FILE);
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Err(Error::NoStore { path: path.to_owned() });
            }
            Err(error) => return Err(Error::io(&file)(error)),
        };
        let corrupt = |what| Error::Corrupt { path: file.clone(), what };
        let version: toml::Table = text.parse().map_err(|error| corrupt(format!("{error}")))?;
        let found = version.get("version").and_then(toml::Value::as_integer);
        let found = found.and_then(|version| u32::try_from(version).ok()).unwrap_or(0);
        if found != VERSION {
            return Err(Error::Version { path: path.to_owned(), found, known: VERSION });
        }
        let form: Form = toml::from_str(&text).map_err(|error| corrupt(format!("{error}")))?;
        let Form { width, k, recipe_id, recipe, .. } = form;
        let settings = Self { recipe, width, k };
        if settings.id().map(|id| id.to_string()) != recipe_id {
            return Err(corrupt(
                "the recipe was changed, and recipe-id is not its: put back what was there, or make \
                 another store for another recipe"
                    .to_owned(),
            ));
        }
        Ok(settings)
    }

    /// Writes the settings of a new store. Their file makes the folder a store.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Error> {
        let file = path.join(FILE);
        let Self { recipe, width, k } = self.clone();
        let recipe_id = self.id().map(|id| id.to_string());
        let form = Form { version: VERSION, width, k, recipe_id, recipe };
        let text = toml::to_string(&form)
            .map_err(|error| Error::Corrupt { path: file.clone(), what: error.to_string() })?;
        files::write(&file, |out| std::io::Write::write_all(out, text.as_bytes()))
    }

    /// The id of the recipe.
    #[must_use]
    pub fn id(&self) -> Option<RecipeId> {
        self.recipe.as_ref().map(Recipe::id)
    }

    /// How degenerate documents are compared: the rule of the recipe.
    #[must_use]
    pub fn degenerate(&self) -> DegenerateRule {
        self.recipe.as_ref().map_or_else(DegenerateRule::default, |recipe| recipe.degenerate)
    }

    /// Whether fingerprints of `recipe` may be stored here.
    ///
    /// # Errors
    /// [`Error::OtherRecipe`], which says how the recipes differ.
    pub fn accepts(&self, recipe: &Recipe) -> Result<(), Error> {
        let differences = match &self.recipe {
            Some(ours) if ours.id() == recipe.id() => return Ok(()),
            Some(ours) => ours.differences(recipe).join("; "),
            None => format!("its fingerprints came ready-made, these are of {}", recipe.name),
        };
        Err(Error::OtherRecipe { differences })
    }
}
