//! Reads the JSON of a request. A problem names the field, what was found and what was expected.

use crate::request::problem::{Kind, Problem};
use nearprint_corpus::Id;
use serde::de::value::MapAccessDeserializer;
use serde::de::{
    Deserialize, DeserializeOwned, Deserializer, Error, MapAccess, Unexpected, Visitor,
};
use serde_json::error::Category;
use serde_json::value::RawValue;
use serde_path_to_error::Segment;
use std::fmt::{self, Write};
use std::marker::PhantomData;

/// What an id is.
const AN_ID: &str = "a string or a whole number";
/// The byte order mark.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads an object that is the whole of `body`.
pub(crate) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    // Some editors put a mark before the text, which is no part of it (RFC 8259, 8.1).
    let body = body.strip_prefix(MARK).unwrap_or(body);
    // Only a body that cannot be read is read again, to find the field.
    let read = serde_json::from_slice::<Object<T>>(body);
    read.map(|Object(value)| value).map_err(|error| explain::<Object<T>>(body, &error))
}

/// A value that must be an object. Serde would also take an array of its fields.
#[derive(Debug)]
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }

        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

/// For `deserialize_with`: a field that may be left out but is never null.
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// For `deserialize_with`: an id, a string or a whole number, whose digits name it. It may be left out or null.
pub(crate) fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = <&RawValue>::deserialize(deserializer)?.get();
    if text == "null" {
        return Ok(None);
    }
    Id::named(text).map(Some).map_err(|found| {
        let unexpected = Unexpected::Other(found);
        match text.starts_with('"') {
            true => Error::invalid_value(unexpected, &AN_ID),
            false => Error::invalid_type(unexpected, &AN_ID),
        }
    })
}

/// For `deserialize_with`: the same of an id that must be there.
pub(crate) fn given_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    id(deserializer)?.ok_or_else(|| Error::invalid_type(Unexpected::Unit, &AN_ID))
}

/// For `deserialize_with`: the same of an id that may be left out but is never null.
pub(crate) fn present_id<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    given_id(deserializer).map(Some)
}

/// For `deserialize_with`: a text that may be left out. That it is null is told apart.
pub(crate) fn text<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(deserializer).map(Some)
}

/// For `deserialize_with`: a whole number that may be left out. `7.0` is whole too.
pub(crate) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    // Every field has a smaller limit.
    let small = |number| u32::try_from(number).unwrap_or(u32::MAX);
    Ok(long_whole(deserializer)?.map(small))
}

/// The same for a number of up to 64 bits.
pub(crate) fn long_whole<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<u64>, D::Error> {
    struct WholeVisitor;

    impl Visitor<'_> for WholeVisitor {
        type Value = u64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a whole number from 0 on")
        }

        fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<u64, E> {
            Ok(number)
        }

        fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<u64, E> {
            if number < 0.0 || number.fract() != 0.0 {
                return Err(E::invalid_value(Unexpected::Float(number), &self));
            }
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is whole"
            )]
            Ok(number as u64)
        }
    }

    deserializer.deserialize_any(WholeVisitor).map(Some)
}

fn explain<T: DeserializeOwned>(body: &[u8], error: &serde_json::Error) -> Problem {
    if error.classify() != Category::Data {
        return Problem::new(Kind::Body, format!("the body is not JSON: {error}"));
    }
    if body.trim_ascii_start().starts_with(b"[") {
        let detail = "expected an object, found an array; many documents go to /v1/batch, an object on each line";
        return Problem::field(String::new(), detail.to_owned());
    }
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    match serde_path_to_error::deserialize::<_, T>(&mut deserializer) {
        Ok(_) => Problem::new(Kind::Body, error.to_string()),
        Err(traced) => Problem::field(pointer(traced.path()), traced.inner().to_string()),
    }
}

/// The place as a JSON pointer (RFC 6901).
fn pointer(path: &serde_path_to_error::Path) -> String {
    let mut pointer = String::new();
    for segment in path {
        let written = match segment {
            Segment::Seq { index } => write!(pointer, "/{index}"),
            Segment::Map { key } | Segment::Enum { variant: key } => {
                write!(pointer, "/{}", key.replace('~', "~0").replace('/', "~1"))
            }
            Segment::Unknown => Ok(()),
        };
        debug_assert!(written.is_ok(), "a string takes all that is written");
    }
    pointer
}
