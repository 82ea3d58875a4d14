//! What a store is made for: its recipe, its width and how it finds near-duplicates, in a file that people can
//! read. Only the radius ever changes, and only by a rebuild. What may differ each time a store is opened is in [`crate::options`].

use crate::disk::files;
use crate::disk::sketch::Sketch;
use crate::disk::truth;
use crate::error::Error;
use crate::repair::Repair;
use crate::rules::Rules;
use nearprint_fingerprint::{
    BandShape, DegenerateRule, Matching, Measure, Overlap, Recipe, RecipeId, Width,
};
use nearprint_rules::{Alike, Threshold};
use serde::{Deserialize, Serialize};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The version of what is on disk within a radius.
const BY_RADIUS: u32 = 1;
/// The version of what is on disk by similarity.
const BY_SIMILARITY: u32 = 2;
/// The version of what is on disk by a cosine, the latest one.
const BY_COSINE: u32 = 3;
/// The file that makes a folder a store. A copy of it is in the folder of the database.
pub(crate) const FILE: &str = "store.toml";
/// The file that tells an unfinished copy of a store from what somebody else has put there.
pub(crate) const COPYING: &str = "copying";
/// The socket in the folder of a store through which the process that serves it takes the requests of its owner.
pub const SOCKET: &str = "socket";

/// What a store is made for.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Recipe;
/// use nearprint_store::{Threshold, Settings};
///
/// let recipe = Recipe::named("text").unwrap();
/// let settings = Settings { threshold: Threshold::Radius(6), ..Settings::of(recipe.clone()) };
/// assert_eq!((settings.width.bits(), settings.threshold.radius()), (64, Some(6)));
/// let alike = Settings::by_similarity(recipe, 0.8);
/// assert_eq!(alike.threshold, Threshold::similarity(0.8));
/// let weighed = Settings::by_similarity(Recipe::named("vectors").unwrap(), 0.9);
/// assert_eq!(weighed.threshold, Threshold::cosine(0.9));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The recipe of the fingerprints; `None` if fingerprints come ready-made.
    pub recipe: Option<Recipe>,
    /// Bits of a fingerprint. If there is a recipe, its width: `Settings::of(recipe.with_width(width))`.
    pub width: Width,
    /// How near-duplicates are found.
    pub threshold: Threshold,
}

/// [`Settings`] as they are written: a radius, or a similarity with what belongs to it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Form {
    version: u32,
    width: Width,
    k: Option<u32>,
    similarity: Option<f64>,
    recall: Option<f64>,
    verify: Option<bool>,
    sketch_version: Option<u32>,
    recipe_id: Option<String>,
    /// Of all that decides answers. Stores of earlier releases have none.
    checksum: Option<String>,
    recipe: Option<Recipe>,
}

impl Form {
    /// The checksum of these settings. The id stands for the recipe.
    fn sum(&self) -> String {
        fn or_none<T: ToString>(value: Option<&T>) -> String {
            value.map_or("-".to_owned(), T::to_string)
        }
        let text = [
            self.version.to_string(),
            self.width.bits().to_string(),
            or_none(self.k.as_ref()),
            or_none(self.similarity.as_ref()),
            or_none(self.recall.as_ref()),
            or_none(self.verify.as_ref()),
            or_none(self.sketch_version.as_ref()),
            or_none(self.recipe_id.as_ref()),
        ];
        format!("{:016x}", xxh3_64(text.join(" ").as_bytes()))
    }

    /// The radius for which the checksum is right, if only the radius was changed.
    fn radius_made_for(&mut self) -> Option<u32> {
        let found = self.k?;
        let bits = self.width.bits();
        let made = (0..=bits).find(|k| {
            self.k = Some(*k);
            self.checksum.as_ref() == Some(&self.sum())
        });
        self.k = Some(found);
        made
    }
}

impl Settings {
    /// Settings for texts by `recipe`, at its width, with a radius of 3 bits for each 64. `nearprint store init` asks for
    /// a similarity of 0.8 at 128 bits in its place: set [`threshold`](Self::threshold) and the width of the recipe for that.
    #[must_use]
    pub fn of(recipe: Recipe) -> Self {
        Self { recipe: Some(recipe.clone()), ..Self::ready_made(recipe.width) }
    }

    /// Settings for fingerprints that are made elsewhere, with a radius of 3 bits for each 64.
    #[must_use]
    pub fn ready_made(width: Width) -> Self {
        Self { recipe: None, width, threshold: Threshold::Radius(width.default_radius()) }
    }

    /// Settings for texts by `recipe`, at its width, that finds documents of at least this similarity: the one that
    /// [suits](Threshold::suiting) the weights of the recipe, computed of all features.
    /// [`BandShape::SIMILARITY`] and [`BandShape::WIDTH`] are the defaults of the command.
    #[must_use]
    pub fn by_similarity(recipe: Recipe, similarity: f64) -> Self {
        Self { threshold: Threshold::suiting(recipe.weights, similarity), ..Self::of(recipe) }
    }

    /// Reads the settings of the store at `path`, for instance to choose the width to open it with.
    ///
    /// # Errors
    /// [`Error::NoStore`], [`Error::Version`], and [`Error::Corrupt`] or [`Error::EditedRadius`] where the
    /// file was changed. Where it is lost or unreadable a copy of it says the same; [`Error::LostSettings`] where that is
    /// gone too. [`Error::OtherSettings`] where the two differ.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Self::read_from(path, false)
    }

    /// As [`Self::read`], also where the radius was changed by hand: for who writes another.
    pub(crate) fn read_to_change_radius(path: &Path) -> Result<Self, Error> {
        Self::read_from(path, true)
    }

    fn read_from(path: &Path, any_radius: bool) -> Result<Self, Error> {
        let file = path.join(FILE);
        let copied = || Self::parse(&std::fs::read_to_string(copy(path)).ok()?, path, false).ok();
        let read = match std::fs::read_to_string(&file) {
            Ok(text) if is_form(&text) => {
                return match (Self::parse(&text, path, any_radius), copied()) {
                    (Ok(read), Some(copied)) => read.agree(copied, path, any_radius),
                    // A later release writes its version into the copy as well.
                    (Err(Error::Version { found, known, .. }), Some(_)) => {
                        let read =
                            format!("version = {found} here, of 1 to {known} that are known");
                        Err(other_settings(path, read))
                    }
                    (read, _) => read,
                };
            }
            Ok(text) => Self::parse(&text, path, any_radius),
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                Err(Error::Corrupt { path: file, what: error.to_string() })
            }
            Err(error) if is_none(&error) && Self::is_lost(path) => {
                Err(Error::LostSettings { path: path.to_owned() })
            }
            Err(error) if is_none(&error) => return Err(Error::NoStore { path: path.to_owned() }),
            Err(error) => return Err(Error::io(&file)(error)),
        };
        match read {
            // A later release wrote it, or the copy as well.
            Err(Error::Version { found: 1.., .. }) => read,
            _ => std::fs::read_to_string(copy(path))
                .ok()
                .and_then(|text| Self::parse(&text, path, any_radius).ok())
                .map_or(read, Ok),
        }
    }

    /// These settings, if the copy of them says the same.
    fn agree(self, mut copied: Self, path: &Path, any_radius: bool) -> Result<Self, Error> {
        if any_radius && copied.threshold.radius().is_some() && self.threshold.radius().is_some() {
            copied.threshold = self.threshold;
        }
        match copied.same_as(&self) {
            Ok(()) => Ok(self),
            Err(error) => Err(other_settings(path, error.to_string())),
        }
    }

    /// Why no store is made in a folder in which there is something.
    pub(crate) fn taken(path: PathBuf) -> Error {
        match Self::is_lost(&path).then(|| Self::read(&path)) {
            None if path.join(FILE).exists() => {
                Error::Taken { path, what: "a store is there already" }
            }
            None => Error::taken(path),
            Some(Err(error)) => error,
            Some(Ok(_)) => Error::Corrupt {
                path: path.join(FILE),
                what: format!(
                    "it is gone, but the documents of a store are here: open the store, which rewrites it from {}, or \
                     name another folder for a new one",
                    copy(&path).display()
                ),
            },
        }
    }

    /// Whether the documents of a store are at `path`, and no file that says what it is made for.
    pub(crate) fn is_lost(path: &Path) -> bool {
        let is_there = |name| path.join(name).exists();
        path.join(truth::FOLDER).is_dir() && !is_there(FILE) && !is_there(COPYING)
    }

    /// Writes the file of the settings anew where it is lost or damaged, and else the copy of it, if that is another. Returns
    /// what was mended.
    pub(crate) fn mend(&self, path: &Path) -> Result<Option<Repair>, Error> {
        let (file, copy) = (path.join(FILE), copy(path));
        match std::fs::read_to_string(&file).ok().filter(|text| is_form(text)) {
            None => {
                let text = self.to_toml()?;
                files::write(&file, |out| out.write_all(text.as_bytes()))?;
                let reason = format!("it was lost or damaged: rewritten from {}", copy.display());
                Ok(Some(Repair { path: file, reason }))
            }
            Some(text) => {
                let is_other = std::fs::read_to_string(&copy).ok().as_ref() != Some(&text);
                if is_other && Self::parse(&text, path, false).is_ok() {
                    // As in `write`.
                    let _written = files::write(&copy, |out| out.write_all(text.as_bytes()));
                }
                Ok(None)
            }
        }
    }

    /// The settings of a text in the form of the file, of the store at `path`.
    fn parse(text: &str, path: &Path, any_radius: bool) -> Result<Self, Error> {
        let file = path.join(FILE);
        let corrupt = |what| Error::Corrupt { path: file.clone(), what };
        let version: toml::Table = text.parse().map_err(|error| corrupt(format!("{error}")))?;
        let found = version.get("version").and_then(toml::Value::as_integer);
        let found = found.and_then(|version| u32::try_from(version).ok()).unwrap_or(0);
        if !(BY_RADIUS..=BY_COSINE).contains(&found) {
            return Err(Error::Version { path: path.to_owned(), found, known: BY_COSINE });
        }
        let mut form: Form = toml::from_str(text).map_err(|error| corrupt(format!("{error}")))?;
        if form.checksum.as_ref().is_some_and(|sum| *sum != form.sum()) {
            match (form.radius_made_for(), form.k) {
                (Some(_), Some(_)) if any_radius => {}
                (Some(made), Some(found)) => {
                    return Err(Error::EditedRadius { path: file, found, made });
                }
                _ => {
                    return Err(corrupt(
                        "a setting that decides answers was changed, as the checksum shows: restore the \
                         earlier value, which truth/store.toml has, or create another store for other settings"
                            .to_owned(),
                    ));
                }
            }
        }
        let Form {
            width, k, similarity, recall, verify, sketch_version, recipe_id, recipe, ..
        } = form;
        let threshold = match (found, k, similarity, recall) {
            (BY_RADIUS, Some(k), None, None) => Threshold::Radius(k),
            (BY_SIMILARITY, None, Some(similarity), Some(recall)) => {
                Threshold::Similarity { similarity, recall, verify: verify.unwrap_or(false) }
            }
            (BY_COSINE, None, Some(similarity), Some(recall)) => {
                Threshold::Cosine { similarity, recall }
            }
            _ => {
                let what = "version 1 has k, versions 2 and 3 have similarity and recall: restore the earlier settings";
                return Err(corrupt(what.to_owned()));
            }
        };
        if sketch_version.is_some_and(|version| version != BandShape::VERSION) {
            let (found, known) = (sketch_version.unwrap_or(0), BandShape::VERSION);
            let what = format!("sketches of version {found}; this release makes version {known}");
            return Err(corrupt(what));
        }
        let settings = Self { recipe, width, threshold };
        if settings.id().map(|id| id.to_string()) != recipe_id {
            return Err(corrupt(
                "the recipe was changed, and recipe-id does not match it: restore the earlier \
                 recipe, or create another store for another recipe"
                    .to_owned(),
            ));
        }
        Ok(settings)
    }

    /// The settings that [`Self::to_toml`] wrote, here or on another machine.
    ///
    /// # Errors
    /// [`Error::Version`] and [`Error::Corrupt`].
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Width;
    /// use nearprint_store::Settings;
    ///
    /// let settings = Settings::ready_made(Width::W128);
    /// assert_eq!(Settings::from_toml(&settings.to_toml()?)?, settings);
    /// # Ok::<(), nearprint_store::Error>(())
    /// ```
    pub fn from_toml(text: &str) -> Result<Self, Error> {
        Self::parse(text, Path::new(""), false)
    }

    /// Writes the settings of a store, whole or not at all. Their file makes the folder a store.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Error> {
        let text = self.to_toml()?;
        let write = |file: &Path| files::write(file, |out| out.write_all(text.as_bytes()));
        // Whenever this ends, no copy says anything else.
        match std::fs::remove_file(copy(path)) {
            Err(error) if !is_none(&error) => return Err(Error::io(&copy(path))(error)),
            Err(_) => {}
            Ok(()) => files::sync_folder(&path.join(truth::FOLDER))?,
        }
        write(&path.join(FILE))?;
        if path.join(truth::FOLDER).is_dir() {
            // The next opening tries it again; until then the store is as good without.
            let _written = write(&copy(path));
        }
        Ok(())
    }

    /// The settings as the file of a store has them, TOML.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for a recipe that TOML cannot hold.
    pub fn to_toml(&self) -> Result<String, Error> {
        let Self { recipe, width, threshold } = self.clone();
        let recipe_id = self.id().map(|id| id.to_string());
        let (similarity, recall, verify) = match threshold {
            Threshold::Radius(_) => (None, None, None),
            Threshold::Similarity { similarity, recall, verify } => {
                (Some(similarity), Some(recall), Some(verify))
            }
            Threshold::Cosine { similarity, recall } => (Some(similarity), Some(recall), None),
        };
        let version = match threshold {
            Threshold::Radius(_) => BY_RADIUS,
            Threshold::Similarity { .. } => BY_SIMILARITY,
            Threshold::Cosine { .. } => BY_COSINE,
        };
        let sketch_version = (version == BY_SIMILARITY).then_some(BandShape::VERSION);
        let k = threshold.radius();
        let mut form = Form {
            version,
            width,
            k,
            similarity,
            recall,
            verify,
            sketch_version,
            recipe_id,
            checksum: None,
            recipe,
        };
        form.checksum = Some(form.sum());
        toml::to_string(&form)
            .map_err(|error| Error::Corrupt { path: FILE.into(), what: error.to_string() })
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

    /// How alike two documents are in a store that finds documents by a similarity; `None` within a radius, for
    /// degenerate documents of different content, and where what is compared of one is not there. By
    /// [`Threshold::Similarity`] their features decide where both have them, else their sketches.
    #[must_use]
    pub fn alike(&self, a: &Sketch, b: &Sketch) -> Option<Alike> {
        let rules = self.rules().ok()?;
        let (min_similarity, rule) = (rules.min_similarity?, rules.degenerate);
        match (a.matching(rule), b.matching(rule)) {
            (Matching::Distance, Matching::Distance) => {}
            (Matching::Equality, Matching::Equality) if a.content == b.content => {
                return Some(Alike::equal(min_similarity.measure));
            }
            _ => return None,
        }
        match rules.bands {
            Some(shape) if a.keys.is_empty() || b.keys.is_empty() => Some(Alike {
                similarity: shape.similarity(&a.bands, &b.bands),
                measure: Measure::EstimatedJaccard,
            }),
            Some(_) => Some(Alike {
                similarity: Overlap::of(&a.keys, &b.keys).jaccard(),
                measure: Measure::Jaccard,
            }),
            None if a.check(&rules).is_err() || b.check(&rules).is_err() => None,
            None => Some(min_similarity.of_features(&a.clone().features(), &b.clone().features())),
        }
    }

    /// Whether two documents are near-duplicates by the radius or by how [alike](Self::alike) they are, and by the
    /// rule of the recipe for degenerate documents.
    #[must_use]
    pub fn is_near(&self, a: &Sketch, b: &Sketch) -> bool {
        match (self.alike(a, b), self.threshold.least()) {
            (Some(Alike { similarity, measure }), Some((least, _))) => {
                measure.reaches(similarity, least)
            }
            _ => a.is_near(b, self.threshold.radius().unwrap_or(0), self.degenerate()),
        }
    }

    /// Checks that a new store may have these settings, or a store that is made for another radius.
    ///
    /// # Errors
    /// [`Error::WideRadius`] for a radius over a quarter of the width; [`Error::Weights`] and
    /// [`Error::Rules`] for a similarity that is not found so.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Width;
    /// use nearprint_store::{Error, Threshold, Settings};
    ///
    /// let settings = |k| Settings { threshold: Threshold::Radius(k), ..Settings::ready_made(Width::W64) };
    /// assert!(settings(16).check().is_ok());
    /// assert!(matches!(settings(17).check(), Err(Error::WideRadius { most: 16, .. })));
    /// ```
    pub fn check(&self) -> Result<(), Error> {
        let (width, most) = (self.width.bits(), self.width.bits() / 4);
        match self.threshold.radius() {
            Some(k) if k > most => Err(Error::WideRadius { k, width, most }),
            _ => self.rules().map(drop),
        }
    }

    /// The rules that decide whether a document is a duplicate.
    pub(crate) fn rules(&self) -> Result<Rules, Error> {
        Rules::new(self.recipe.as_ref(), self.width, &self.threshold)
    }

    /// Checks that another store is made for the same, so that one can be a copy of the other.
    ///
    /// # Errors
    /// [`Error::OtherWidth`], [`Error::OtherRecipe`] and [`Error::OtherThreshold`], which say how they differ.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Width;
    /// use nearprint_store::{Error, Threshold, Settings};
    ///
    /// let ours = Settings::ready_made(Width::W64);
    /// let theirs = Settings { threshold: Threshold::Radius(4), ..ours.clone() };
    /// assert!(ours.same_as(&ours.clone()).is_ok());
    /// assert!(matches!(ours.same_as(&theirs), Err(Error::OtherThreshold { .. })));
    /// ```
    pub fn same_as(&self, other: &Self) -> Result<(), Error> {
        let (store, asked) = (self.width.bits(), other.width.bits());
        if store != asked {
            return Err(Error::OtherWidth { store, asked });
        }
        match (&self.recipe, &other.recipe) {
            (_, Some(theirs)) => self.accepts(theirs)?,
            (Some(ours), None) => {
                let differences =
                    format!("its fingerprints are of {}, these came ready-made", ours.name);
                return Err(Error::OtherRecipe { differences });
            }
            (None, None) => {}
        }
        if self.threshold == other.threshold {
            return Ok(());
        }
        let said = |threshold: &Threshold| match threshold {
            Threshold::Radius(k) => format!("within {k} bits"),
            Threshold::Similarity { similarity, recall, verify } => format!(
                "at similarity {similarity}, recall {recall}, {}",
                if *verify { "by their features" } else { "by estimate" }
            ),
            Threshold::Cosine { similarity, recall } => {
                format!("at cosine {similarity}, recall {recall}")
            }
        };
        Err(Error::OtherThreshold { ours: said(&self.threshold), theirs: said(&other.threshold) })
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

fn other_settings(path: &Path, differences: String) -> Error {
    Error::OtherSettings { path: path.join(FILE), copy: copy(path), differences }
}

/// The copy of the file of the settings in the store at `path`.
fn copy(path: &Path) -> PathBuf {
    path.join(truth::FOLDER).join(FILE)
}

/// Whether a text has the form of the file, whatever it says.
fn is_form(text: &str) -> bool {
    toml::from_str::<Form>(text).is_ok()
}

/// Whether there is no such file.
fn is_none(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_covers_what_decides_answers() {
        let room = tempfile::tempdir().unwrap();
        let file = room.path().join(FILE);
        let alike = Settings::by_similarity(Recipe::named("text").unwrap(), 0.8);
        let weighed = Settings::by_similarity(Recipe::named("vectors").unwrap(), 0.8);
        for settings in [Settings::ready_made(Width::W64), alike, weighed] {
            settings.write(room.path()).unwrap();
            assert_eq!(Settings::read(room.path()).unwrap(), settings);
            let text = std::fs::read_to_string(&file).unwrap();
            let edits = [
                ("k = 3", "k = 4"),
                ("width = 64", "width = 128"),
                ("similarity = 0.8", "similarity = 0.9"),
                ("recall = 0.999", "recall = 0.99"),
                ("verify = true", "verify = false"),
            ];
            for (from, to) in edits.into_iter().filter(|(from, _)| text.contains(from)) {
                std::fs::write(&file, text.replacen(from, to, 1)).unwrap();
                match Settings::read(room.path()).unwrap_err() {
                    Error::EditedRadius { found: 4, made: 3, .. } if from == "k = 3" => {}
                    Error::Corrupt { what, .. } => assert!(what.contains("checksum"), "{what}"),
                    other => panic!("{to}: {other}"),
                }
            }
            // Stores of earlier releases have none.
            let bare: Vec<_> = text.lines().filter(|line| !line.starts_with("checksum")).collect();
            assert_eq!(bare.len() + 1, text.lines().count());
            std::fs::write(&file, bare.join("\n")).unwrap();
            assert_eq!(Settings::read(room.path()).unwrap(), settings);
        }
        Settings::ready_made(Width::W64).write(room.path()).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains("checksum = \"d7466d8b46115f37\""), "{text}");
    }
}
