//! Columns of Arrow files that the library is shown as bytes, and that are written as they came: integers of 128 bits,
//! which Polars writes and Arrow does not have, and texts. The library gives up a whole file for one text that is not
//! UTF-8, in whatever column; shown as bytes it is like one of any other format.
//!
//! Integers and 16 bytes have a number at the same place of their table, and texts and bytes of any length have none, so
//! that a schema is changed byte by byte.

#![deny(clippy::indexing_slicing)]

use crate::columns::arrow_plain::with_children;
use arrow_ipc::{
    Field as Described, Int, Schema as Schemas, Type, root_as_footer, root_as_message,
};
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use std::io;
use std::sync::Arc;

/// Bits of such an integer, and of one in whose place it is written.
const WIDE: i32 = 128;
const WRITTEN: i32 = 64;
/// Its bytes.
const BYTES: i32 = 16;
/// The key of the metadata by which a field is told while it is read, with the name of its mark.
const KEY: &str = "nearprint:is";

/// What a field is that is shown as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Signed,
    Unsigned,
    Text,
}

impl Mark {
    const ALL: [Self; 3] = [Self::Signed, Self::Unsigned, Self::Text];

    const fn name(self) -> &'static str {
        match self {
            Self::Signed => "signed",
            Self::Unsigned => "unsigned",
            Self::Text => "text",
        }
    }

    /// That of a field; none of one that is shown as it is.
    pub(crate) fn of(field: &Field) -> Option<Self> {
        let name = field.metadata().get(KEY)?;
        Self::ALL.into_iter().find(|mark| mark.name() == name)
    }

    /// The same of a field that a schema describes.
    fn of_described(field: Described<'_>) -> Option<Self> {
        match sign_of(field) {
            Some(true) => Some(Self::Signed),
            Some(false) => Some(Self::Unsigned),
            None => shown(field.type_type()).map(|_| Self::Text),
        }
    }

    /// Whether these are signed integers, where they are some.
    pub(crate) fn sign(self) -> Option<bool> {
        match self {
            Self::Signed => Some(true),
            Self::Unsigned => Some(false),
            Self::Text => None,
        }
    }

    /// The type by which values of a type are written that are shown as such.
    fn written(self, shown: &DataType) -> DataType {
        match (self, shown) {
            (_, DataType::Dictionary(keys, values)) => {
                DataType::Dictionary(keys.clone(), Box::new(self.written(values)))
            }
            (Self::Signed, _) => DataType::Int64,
            (Self::Unsigned, _) => DataType::UInt64,
            (Self::Text, DataType::Binary) => DataType::Utf8,
            (Self::Text, DataType::LargeBinary) => DataType::LargeUtf8,
            (Self::Text, DataType::BinaryView) => DataType::Utf8View,
            (Self::Text, other) => other.clone(),
        }
    }
}

/// The type of bytes that texts are shown as; none of other types.
fn shown(kind: Type) -> Option<Type> {
    match kind {
        Type::Utf8 => Some(Type::Binary),
        Type::LargeUtf8 => Some(Type::LargeBinary),
        Type::Utf8View => Some(Type::BinaryView),
        _ => None,
    }
}

/// Bytes to be changed, each by its place.
pub(crate) type Changes = Vec<(usize, u8)>;

/// What a schema has of such columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Masked {
    /// What shows bytes in their place, by places in the message or footer, ascending.
    pub(crate) changes: Changes,
    /// What each field is, a field before those within it.
    marks: Vec<Option<Mark>>,
}

impl Masked {
    /// Of the schema of a message or a footer.
    ///
    /// # Errors
    /// A column of a type that the library would not know either.
    pub(crate) fn of(schema: Schemas<'_>) -> io::Result<Self> {
        let mut masked = Self::default();
        for column in schema.fields().into_iter().flatten() {
            let name = column.name().unwrap_or_default();
            each(column, &mut |field| {
                let mark = Mark::of_described(field);
                masked.marks.push(mark);
                let table = field._tab;
                let kind = table.loc() + usize::from(table.vtable().get(Described::VT_TYPE_TYPE));
                if let Some(bytes) = shown(field.type_type()) {
                    masked.changes.push((kind, bytes.0));
                    return Ok(());
                }
                if let Some(int) = mark.and(field.type_as_int()) {
                    masked.changes.push((kind, Type::FixedSizeBinary.0));
                    masked.changes.extend(number(&int, BYTES));
                    return Ok(());
                }
                unknown(field).map_or(Ok(()), |what| {
                    let told = format!(
                        "the column {name:?} has {what}, which Arrow's format does not have"
                    );
                    Err(io::Error::new(io::ErrorKind::Unsupported, told))
                })
            })?;
        }
        masked.changes.sort_unstable();
        Ok(masked)
    }

    /// The schema that the library found, with a mark on each such field.
    pub(crate) fn marked(&self, schema: &SchemaRef) -> SchemaRef {
        if self.changes.is_empty() {
            return Arc::clone(schema);
        }
        let mut marks = self.marks.iter();
        changed(schema, &mut |field| {
            let Some(mark) = marks.next().copied().flatten() else { return field.clone() };
            let mut metadata = field.metadata().clone();
            metadata.insert(KEY.to_owned(), mark.name().to_owned());
            field.clone().with_metadata(metadata)
        })
    }
}

/// Whether a field that a schema describes has such integers, and these are signed.
pub(crate) fn sign_of(field: Described<'_>) -> Option<bool> {
    field.type_as_int().filter(|int| int.bitWidth() == WIDE).map(|int| int.is_signed())
}

/// Such an integer of 16 bytes.
pub(crate) fn digits(bytes: &[u8], is_signed: bool) -> Option<String> {
    let bytes = *bytes.first_chunk()?;
    Some(match is_signed {
        true => i128::from_le_bytes(bytes).to_string(),
        false => u128::from_le_bytes(bytes).to_string(),
    })
}

/// A field of the [plain type](crate::columns::arrow_plain::plain_type), with the mark of the values that are encoded.
pub(crate) fn plain_field(field: &Field) -> Field {
    let plain = |kind: &DataType| plain_field(&field.clone().with_data_type(kind.clone()));
    match field.data_type() {
        DataType::Dictionary(_, values) => plain(values),
        DataType::RunEndEncoded(_, values) => {
            let inner = plain_field(values);
            let mut metadata = field.metadata().clone();
            metadata.extend(
                inner.metadata().get_key_value(KEY).map(|(key, is)| (key.clone(), is.clone())),
            );
            field.clone().with_data_type(inner.data_type().clone()).with_metadata(metadata)
        }
        kind => {
            let kind = with_children(kind, &mut |child| Arc::new(plain_field(child)));
            field.clone().with_data_type(kind)
        }
    }
}

/// A schema without marks.
pub(crate) fn unmarked(schema: &SchemaRef) -> SchemaRef {
    changed(schema, &mut without_mark)
}

/// The schema to be written, with texts, and integers of 64 bits, in the place of marked fields; none of a schema without
/// marks.
pub(crate) fn stand_in(schema: &SchemaRef) -> Option<SchemaRef> {
    let mut is_marked = false;
    let stand_in = changed(schema, &mut |field| {
        is_marked |= Mark::of(field).is_some();
        as_written(field)
    });
    is_marked.then_some(stand_in)
}

/// A field as it is written.
pub(crate) fn as_written(field: &Field) -> Field {
    match Mark::of(field) {
        Some(mark) => without_mark(field).with_data_type(mark.written(field.data_type())),
        None => field.clone(),
    }
}

/// What of an output is written, in which a schema may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Message,
    /// There is none.
    Batches,
    Footer,
}

/// The bytes of the [stand-in](stand_in) of a schema as they are written: with integers of 128 bits again.
pub(crate) fn widened(bytes: &[u8], place: Place, schema: &SchemaRef) -> Option<Vec<u8>> {
    let mut signs = Vec::new();
    changed(schema, &mut |field| {
        signs.push(Mark::of(field).and_then(Mark::sign));
        field.clone()
    });
    let written = match place {
        Place::Message => root_as_message(bytes).ok()?.header_as_schema()?,
        Place::Batches => return None,
        Place::Footer => root_as_footer(bytes).ok()?.schema()?,
    };
    let (mut changes, mut signs) = (Changes::new(), signs.into_iter());
    for column in written.fields().into_iter().flatten() {
        each(column, &mut |field| {
            let is_marked = signs.next().flatten().is_some();
            let int = field.type_as_int().filter(|int| is_marked && int.bitWidth() == WRITTEN);
            changes.extend(int.iter().flat_map(|int| number(int, WIDE)));
            Ok(())
        })
        .ok()?;
    }
    let mut bytes = bytes.to_vec();
    for (at, byte) in changes {
        *bytes.get_mut(at)? = byte;
    }
    Some(bytes)
}

/// What the library does not know of a field.
fn unknown(field: Described<'_>) -> Option<String> {
    let kind = field.type_type();
    match field.type_as_int().map(|int| int.bitWidth()) {
        None | Some(8 | 16 | 32 | 64) => {}
        Some(bits) => return Some(format!("integers of {bits} bits")),
    }
    (kind == Type::NONE || kind.0 > Type::ENUM_MAX).then(|| format!("the type {}", kind.0))
}

/// Hands over a field, then those within it.
fn each<'a>(
    field: Described<'a>,
    on: &mut dyn FnMut(Described<'a>) -> io::Result<()>,
) -> io::Result<()> {
    on(field)?;
    field.children().into_iter().flatten().try_for_each(|child| each(child, on))
}

/// The bytes of the number of bits, or of bytes, of a type.
fn number(int: &Int<'_>, number: i32) -> Changes {
    let at = int._tab.loc() + usize::from(int._tab.vtable().get(Int::VT_BITWIDTH));
    (at..).zip(number.to_le_bytes()).collect()
}

/// A schema whose fields are changed, a field before those within it.
fn changed(schema: &SchemaRef, change: &mut dyn FnMut(&Field) -> Field) -> SchemaRef {
    fn of(field: &FieldRef, change: &mut dyn FnMut(&Field) -> Field) -> FieldRef {
        let changed = change(field);
        let within = with_children(changed.data_type(), &mut |child| of(child, change));
        Arc::new(changed.with_data_type(within))
    }
    let fields = schema.fields().iter().map(|field| of(field, change)).collect::<Vec<_>>();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

fn without_mark(field: &Field) -> Field {
    let mut metadata = field.metadata().clone();
    metadata.remove(KEY);
    field.clone().with_metadata(metadata)
}
