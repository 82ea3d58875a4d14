//! Documents as rows of JSON, with all that the store keeps of them: what an export writes and an import reads.
//! Files are handled elsewhere.

use crate::disk::document::Document;
use crate::disk::sketch::Sketch;
use crate::error::Error;
use crate::settings::Settings;
use nearprint_bits::AnyFingerprint;
use nearprint_fingerprint::{BandShape, FeatureList, Flags, Width};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt::Write;

/// Writes documents of a store as rows of JSON, and reads them back for this store or for another one of the same
/// recipe, width and shape of sketches. Drawn field by field in `docs/format.md`.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Recipe, Width};
/// use nearprint_store::{Document, Rows, Settings, Store, Write};
/// # let room = tempfile::tempdir()?;
/// # let path = room.path().join("pages");
///
/// let settings = Settings::by_similarity(Recipe::named("words")?.with_width(Width::W128), 0.8);
/// let store = Store::create(&path, &settings)?;
/// store.add("a", "A document of some words, which is not a short one.")?;
/// let document = store.get("a")?.unwrap();
/// let rows = Rows::of(&settings)?;
/// let row = rows.write(&document);
/// assert_eq!(rows.read(&row)?, document);
/// let other = Rows::of(&Settings::ready_made(Width::W128))?;
/// assert!(other.read(&row).is_err(), "documents of another recipe");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rows {
    width: Width,
    recipe: Option<String>,
    shape: Option<String>,
    /// Whether documents have their features, and these their weights.
    compared: (bool, bool),
}

/// A row.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    fingerprint: String,
    time: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    recipe: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    flags: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shape: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    bands: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    keys: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    weights: String,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    metadata: Option<&'a RawValue>,
}

impl Rows {
    /// The rows of a store of these settings.
    ///
    /// # Errors
    /// A similarity that no bands find.
    pub fn of(settings: &Settings) -> Result<Self, Error> {
        let shape = settings
            .threshold
            .bands()?
            .map(|shape| format!("{}x{}/{}", shape.bands(), shape.rows(), BandShape::VERSION));
        let recipe = settings.id().map(|id| id.to_string());
        let compared = (settings.threshold.verifies(), settings.threshold.weighs());
        Ok(Self { width: settings.width, recipe, shape, compared })
    }

    /// The row of a document, without a line end, in one line.
    #[must_use]
    pub fn write(&self, document: &Document) -> String {
        let Document { id, sketch, time, metadata } = document;
        let Sketch { fingerprint, flags, content, bands, keys, weights, code: _ } = sketch;
        // Lines end between values of JSON only.
        let metadata = metadata.as_deref().map(|text| text.replace(['\n', '\r'], " "));
        let form = Form {
            id: id.into(),
            fingerprint: fingerprint.to_string(),
            time: *time,
            recipe: self.recipe.clone(),
            flags: flags.names().map(str::to_owned).collect(),
            content: flags.any().then(|| format!("{content:016x}")),
            shape: self.shape.clone().filter(|_| !bands.is_empty()),
            bands: hex(bands.iter().copied()),
            keys: hex(keys.iter().flat_map(|key| key.to_be_bytes())),
            weights: hex(weights.iter().flat_map(|weight| weight.to_be_bytes())),
            metadata: metadata.as_deref().and_then(|text| serde_json::from_str(text).ok()),
        };
        serde_json::to_string(&form).unwrap_or_default()
    }

    /// The document of a row.
    ///
    /// # Errors
    /// [`Error::Row`] for what is no row, and for rows of another recipe, width or shape of sketches.
    pub fn read(&self, row: &str) -> Result<Document, Error> {
        let form: Form<'_> = serde_json::from_str(row).map_err(|error| Error::Row {
            what: format!("this is not a row of an export: {error}"),
        })?;
        let fingerprint: AnyFingerprint =
            form.fingerprint.parse().map_err(|error| Error::Row { what: format!("{error}") })?;
        let named = |recipe: &Option<String>| match recipe {
            Some(id) => format!("of the recipe {id}"),
            None => "ready-made, of no recipe".to_owned(),
        };
        let (of_row, of_store) = (named(&form.recipe), named(&self.recipe));
        let (found, ours) = (fingerprint.width(), self.width);
        if found != ours {
            return refused(format!(
                "a fingerprint of {found} bits, {of_row}; the store has {ours}, {of_store}"
            ));
        }
        if form.recipe != self.recipe {
            return refused(format!(
                "the fingerprint is {of_row}; those of the store are {of_store}"
            ));
        }
        let bands = bytes("bands", &form.bands)?;
        if !bands.is_empty() && form.shape != self.shape {
            let named = |shape: &Option<String>| shape.clone().unwrap_or("none".to_owned());
            let (found, ours) = (named(&form.shape), named(&self.shape));
            return refused(format!(
                "the shape of the sketch is {found}; that of the store is {ours}"
            ));
        }
        let keys = numbers("keys", &form.keys)?;
        if !keys.is_sorted_by(|a, b| a < b) {
            return refused("\"keys\": they are not ascending".to_owned());
        }
        let weights: Vec<_> =
            numbers("weights", &form.weights)?.into_iter().map(f64::from_bits).collect();
        if !weights.iter().all(|weight| weight.is_finite()) {
            return refused("\"weights\": finite numbers are expected".to_owned());
        }
        if !weights.is_empty() && weights.len() != keys.len() {
            return refused("\"weights\": one for each of the \"keys\" is expected".to_owned());
        }
        let flags = flags(&form.flags)?;
        let (verifies, weighs) = self.compared;
        for (field, wanted) in
            [("keys", verifies && keys.is_empty()), ("weights", weighs && weights.is_empty())]
        {
            if wanted && !flags.any() {
                return refused(format!(
                    "\"{field}\" is missing: the store compares the features of documents, and the one that wrote \
                     this row keeps none"
                ));
            }
        }
        let content = match &form.content {
            None => 0,
            Some(text) => u64::from_str_radix(text, 16).map_err(|_| Error::Row {
                what: format!("\"content\": {text:?}; 16 hexadecimal digits are expected"),
            })?,
        };
        if form.content.is_some() != flags.any() {
            return refused("\"flags\" and \"content\": both or none are expected".to_owned());
        }
        let sketch = Sketch { bands, ..Sketch::plain(fingerprint, flags, content) };
        Ok(Document {
            id: form.id.into_owned(),
            sketch: match weights.is_empty() {
                true => Sketch { keys, ..sketch },
                false => sketch.weighed(&FeatureList::of(keys, weights)),
            },
            time: form.time,
            metadata: form.metadata.map(|metadata| metadata.get().to_owned()),
        })
    }
}

/// A value that is there, `null` too.
fn there<'de, D: Deserializer<'de>>(source: D) -> Result<Option<&'de RawValue>, D::Error> {
    Deserialize::deserialize(source).map(Some)
}

fn refused<T>(what: String) -> Result<T, Error> {
    Err(Error::Row { what })
}

fn flags(names: &[String]) -> Result<Flags, Error> {
    let mut flags = Flags::default();
    for name in names {
        match name.as_str() {
            "empty" => flags.empty = true,
            "short" => flags.short = true,
            "dominant" => flags.dominant = true,
            other => {
                return refused(format!(
                    "\"flags\": {other:?}; \"empty\", \"short\" and \"dominant\" are known"
                ));
            }
        }
    }
    Ok(flags)
}

fn hex(bytes: impl Iterator<Item = u8>) -> String {
    bytes.fold(String::new(), |mut text, byte| {
        // A string takes all.
        let _written = write!(text, "{byte:02x}");
        text
    })
}

/// Numbers of 64 bits.
fn numbers(field: &str, hex: &str) -> Result<Vec<u64>, Error> {
    let bytes = bytes(field, hex)?;
    match bytes.as_chunks() {
        (numbers, []) => Ok(numbers.iter().map(|number| u64::from_be_bytes(*number)).collect()),
        _ => refused(format!("\"{field}\": each is of 16 digits")),
    }
}

fn bytes(field: &str, hex: &str) -> Result<Vec<u8>, Error> {
    let (pairs, rest) = hex.as_bytes().as_chunks();
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let byte = |[high, low]: &[u8; 2]| u8::try_from(digit(*high)? << 4 | digit(*low)?).ok();
    let bytes = pairs.iter().map(byte).collect::<Option<Vec<_>>>().filter(|_| rest.is_empty());
    bytes.ok_or_else(|| Error::Row {
        what: format!("\"{field}\": pairs of hexadecimal digits are expected"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::{Fingerprint, Recipe, angle_code};
    use nearprint_rules::Threshold;
    use proptest::prelude::*;

    fn alike(similarity: f64) -> Rows {
        let recipe = Recipe::named("words").unwrap().with_width(Width::W128);
        let threshold = Threshold::Similarity { similarity, recall: 0.9, verify: true };
        Rows::of(&Settings { threshold, ..Settings::of(recipe) }).unwrap()
    }

    fn document(metadata: Option<&str>) -> Document {
        let fingerprint = Fingerprint::from_words([7, 9]);
        let (bands, keys) = (vec![1; 40], vec![3, u64::MAX]);
        let sketch = Sketch { bands, keys, ..fingerprint.into() };
        let metadata = metadata.map(str::to_owned);
        Document { time: 17, metadata, ..Document::new("a", sketch) }
    }

    proptest! {
        #[test]
        fn rows_go_both_ways(words: [u64; 2], bits in 0_u8..8, content: u64, time in 0_u64..1 << 48, id in ".{1,40}", number: Option<u32>, bands in prop::collection::vec(any::<u8>(), 0..90), keys in prop::collection::btree_map(any::<u64>(), -1e9..1e9, 1..40), weighs: bool) {
            let flags = Flags { empty: bits & 1 != 0, short: bits & 2 != 0, dominant: bits & 4 != 0 };
            let content = if flags.any() { content } else { 0 };
            let fingerprint = Fingerprint::from_words(words).into();
            let (keys, mut weights): (Vec<_>, Vec<f64>) = keys.into_iter().unzip();
            weights.retain(|_| weighs);
            let code = (!weights.is_empty()).then(|| angle_code(&FeatureList::of(keys.clone(), weights.clone()), Width::W128));
            let sketch = Sketch { fingerprint, flags, content, bands, keys, weights, code };
            let metadata = number.map(|number| format!("{{\"n\": [{number}.0, 1e400, null]}}"));
            let document = Document { id, sketch, time, metadata };
            let rows = alike(0.8);
            let row = rows.write(&document);
            prop_assert!(!row.contains('\n'));
            prop_assert_eq!(rows.read(&row).unwrap(), document);
        }

        #[test]
        fn no_text_is_a_panic(text in "[\\[{\":,}0-9a-z]{0,60}") {
            let _any = alike(0.8).read(&text);
        }
    }

    #[test]
    fn metadata_stays_as_it_is_but_for_its_lines() {
        for (metadata, read) in [("null", "null"), ("{\n \"a\" :\r\n1.50}", "{  \"a\" :  1.50}")] {
            let row = alike(0.8).write(&document(Some(metadata)));
            let again = alike(0.8).read(&row).unwrap();
            assert_eq!((again.metadata.as_deref(), row.lines().count()), (Some(read), 1));
        }
        assert_eq!(alike(0.8).read(&alike(0.8).write(&document(None))).unwrap().metadata, None);
    }

    #[test]
    fn rows_of_another_store_and_rows_that_cannot_be_right_are_refused() {
        let (rows, row) = (alike(0.8), alike(0.8).write(&document(None)));
        let text = Recipe::named("text").unwrap().with_width(Width::W128);
        let other = |settings: Settings| Rows::of(&settings).unwrap().read(&row);
        let told = |found: Result<Document, Error>| found.unwrap_err().to_string();
        assert!(told(other(Settings::by_similarity(text, 0.8))).contains("of the recipe"));
        assert!(told(other(Settings::ready_made(Width::W128))).contains("ready-made"));
        // Its recipe is another one too.
        let narrow = Recipe::named("words").unwrap().with_width(Width::W64);
        let said = told(other(Settings::of(narrow)));
        assert!(said.contains("a fingerprint of 128 bits, of the recipe "), "{said}");
        assert!(said.contains("; the store has 64, of the recipe "), "{said}");
        assert!(told(alike(0.9).read(&row)).contains("the shape of the sketch is "));
        for (from, to, said) in [
            ("{\"id\"", "[\"id\"", "not a row of an export"),
            ("\"time\":17", "\"time\":17,\"tiem\":1", "unknown field `tiem`"),
            ("\"time\":17", "\"time\":17,\"flags\":[\"odd\"]", "\"odd\""),
            ("\"time\":17", "\"time\":17,\"flags\":[\"short\"]", "both or none"),
            ("\"time\":17", "\"time\":17,\"flags\":[\"short\"],\"content\":\"x\"", "16 hexa"),
            ("0000000000000007", "", "a fingerprint of 64 bits"),
            ("0101", "01g1", "\"bands\": pairs"),
            ("0101", "011", "\"bands\": pairs"),
            ("ffff", "ff", "\"keys\": each is of 16 digits"),
            ("0000000000000003ffffffffffffffff", "ffffffffffffffff0000000000000003", "ascending"),
            (
                "ffffffffffffffff\"",
                "ffffffffffffffff\",\"weights\":\"3ff0000000000000\"",
                "one for each",
            ),
            ("ffffffffffffffff\"", "ffffffffffffffff\",\"weights\":\"7ff0000000000000\"", "finite"),
        ] {
            assert!(row.contains(from), "{row}");
            let said_of = told(rows.read(&row.replacen(from, to, 1)));
            assert!(said_of.contains(said), "{to}: {said_of}");
        }
    }
}
