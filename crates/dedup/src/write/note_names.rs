//! What notes are called where they have no columns: fields of rows of JSON, and of the heads of WARC records. What holds
//! something else keeps its name. A row has its note by the first name that is free in it; those of archives have one name.

use crate::read::fields_seen::OF_NOTES;
use memchr::memmem;
use nearprint_corpus::{InputFormat, NewColumn, ReadOptions, Reader, Source, padded_json};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;
use std::slice;

/// What tells the notes of a job.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    /// Whether a value is a note, of this or an earlier version, or one with other settings.
    pub(crate) is_own: fn(&RawValue) -> bool,
    /// The columns that notes have, and those that notes with any settings have, by their usual names.
    pub(crate) columns: &'static [NewColumn],
    pub(crate) any_columns: &'static [NewColumn],
    /// How many of the latter, the first ones, all notes have.
    pub(crate) ever: usize,
}

/// The field of a note.
pub(crate) const USUAL: &str = "nearprint";

/// The names, by their numbers, that something else than a note has: `nearprint`, `nearprint_note`, `nearprint_note_2`
/// and so on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Taken(u64);

impl Taken {
    /// Those that something else has in records of archives of these sources.
    ///
    /// # Complexity
    /// One reading; what holds no such name is not parsed.
    pub(crate) fn of(form: Form, sources: &[Source], options: ReadOptions) -> Self {
        let mut taken = Self::default();
        let is_archive = |source: &&Source| source.format().is_none_or(InputFormat::is_archive);
        for source in sources.iter().filter(is_archive) {
            // What cannot be read is told by the other readings.
            for batch in Reader::new(slice::from_ref(source), options).flatten() {
                if !batch.format().is_archive() || !OF_NOTES.iter().any(|it| batch.holds(it)) {
                    continue;
                }
                for record in batch.records() {
                    let head = Fields::of(&record.raw()).map(|fields| fields.taken(form));
                    taken.add(head.unwrap_or_default());
                }
            }
        }
        taken
    }

    /// Adds what is known of other records.
    pub(crate) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub(crate) fn has(self, number: usize) -> bool {
        number < NAMES && self.0 >> number & 1 > 0
    }

    /// The first name that is free.
    fn free(self) -> usize {
        self.0.trailing_ones() as usize
    }

    /// The first name that is free of these and of those that a record has, and whether the record has one before it.
    fn beside(self, here: Self) -> (usize, bool) {
        let number = Self(self.0 | here.0).free();
        (number, (0..number).any(|before| here.has(before)))
    }
}

impl FromIterator<usize> for Taken {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        Self(numbers.into_iter().filter(|number| *number < NAMES).fold(0, |all, at| all | 1 << at))
    }
}

/// Names that are told apart.
const NAMES: usize = u64::BITS as usize;

/// The name of a number.
pub(crate) fn name(number: usize) -> String {
    match number {
        0 => USUAL.to_owned(),
        1 => format!("{USUAL}_note"),
        number => format!("{USUAL}_note_{number}"),
    }
}

/// The number of a name.
fn number(of: &str) -> Option<usize> {
    let number = match of.strip_prefix(USUAL)? {
        "" => 0,
        "_note" => 1,
        more => more.strip_prefix("_note_")?.parse().ok()?,
    };
    (name(number) == of).then_some(number)
}

/// How a note came to stand beside a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Manner {
    /// Whether something else has a name before its own.
    pub(crate) renamed: bool,
    /// Whether it is in the place of one that an earlier run wrote.
    pub(crate) replaced: bool,
}

/// A row of JSON without the notes that earlier runs wrote into it, but for those under names that are taken; the name
/// that a note has in it, and how it comes there.
pub(crate) fn without_notes(
    row: &[u8],
    is_own: fn(&RawValue) -> bool,
    taken: Taken,
) -> (Cow<'_, [u8]>, String, Manner) {
    let key = format!("\"{USUAL}");
    // A letter of a key may be escaped.
    let may_be_there = [key.as_bytes(), b"\\u00"].iter().any(|it| memmem::find(row, it).is_some());
    if !may_be_there {
        return (Cow::Borrowed(row), name(taken.free()), Manner::default());
    }
    let (mut row, mut replaced, mut here) = (Cow::Borrowed(row), false, Taken::default());
    loop {
        let read = padded(&row);
        let Some(Members(members)) = Members::of(&read) else { break };
        let numbered = members.iter().map(|member| number(&member.key)).enumerate();
        let named: Vec<_> = numbered.filter_map(|(at, number)| Some((at, number?))).collect();
        let is_note = |(at, number): &&(usize, usize)| {
            !taken.has(*number) && members.get(*at).is_some_and(|member| is_own(member.value))
        };
        let Some((at, _)) = named.iter().find(is_note) else {
            here = named.into_iter().map(|(_, number)| number).collect();
            break;
        };
        replaced = true;
        row = without_member(&row, &read, &members, *at).into();
    }
    let (number, renamed) = taken.beside(here);
    (row, name(number), Manner { renamed, replaced })
}

/// A row of JSON that was a row of columns, without those of these names.
pub(crate) fn without_columns(row: &[u8], is_gone: impl Fn(&str) -> bool) -> Cow<'_, [u8]> {
    let mut row = Cow::Borrowed(row);
    loop {
        let read = padded(&row);
        let Some(Members(members)) = Members::of(&read) else { break };
        let Some(at) = members.iter().position(|member| is_gone(&member.key)) else { break };
        row = without_member(&row, &read, &members, at).into();
    }
    row
}

/// A row as it is parsed: of its length, without numbers that JSON does not have.
fn padded(row: &[u8]) -> Cow<'_, str> {
    str::from_utf8(row).map_or(Cow::Borrowed(""), padded_json)
}

/// A member of an object, as it stands.
struct Member<'a> {
    key: Cow<'a, str>,
    value: &'a RawValue,
}

/// The members of an object in their order.
struct Members<'a>(Vec<Member<'a>>);

impl<'a> Members<'a> {
    fn of(row: &'a str) -> Option<Self> {
        serde_json::from_str(row).ok()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Vec<Member<'de>>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Key(key), value)) = map.next_entry()? {
                    members.push(Member { key, value });
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Each).map(Self)
    }
}

/// A key, borrowed where it has no escape.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// A row without the member at a place, and without the comma that parts it from the others; the members are those of
/// `read`, where each stands as in the row.
fn without_member(row: &[u8], read: &str, members: &[Member<'_>], at: usize) -> Vec<u8> {
    let end_of = |member: &Member<'_>| {
        let value = member.value.get();
        value.as_ptr().addr() - read.as_ptr().addr() + value.len()
    };
    let begin = row.iter().position(|byte| *byte == b'{').map_or(0, |brace| brace + 1);
    let before = at.checked_sub(1).and_then(|before| members.get(before)).map(end_of);
    let end = members.get(at).map_or(begin, end_of);
    let mut rest = row.get(end..).unwrap_or_default();
    if before.is_none() && at + 1 < members.len() {
        // The comma stands behind the first member.
        let comma = rest.iter().position(|byte| *byte == b',').map_or(0, |comma| comma + 1);
        rest = rest.get(comma..).unwrap_or_default();
    }
    [row.get(..before.unwrap_or(begin)).unwrap_or_default(), rest].concat()
}

/// The head of a record of WARC in its fields, the line before them first.
struct Fields<'a> {
    fields: Vec<Vec<u8>>,
    line_end: &'a [u8],
    /// What follows, from the empty line on.
    rest: &'a [u8],
}

/// The fields of a head under one name of a note.
struct Named {
    number: usize,
    places: Vec<usize>,
    /// What they say, by what stands behind the name.
    value: Map<String, Value>,
    /// Whether the notes to be written have one of these fields.
    is_written: bool,
}

impl<'a> Fields<'a> {
    /// A value may be folded over lines (WARC 1.1, section 4).
    fn of(record: &'a [u8]) -> Option<Self> {
        let ends = [&b"\r\n"[..], b"\n"].map(|end| (memmem::find(record, &end.repeat(2)), end));
        let (end, line_end) = ends.into_iter().filter_map(|(at, end)| Some((at?, end))).min()?;
        let (mut left, rest) = record.split_at(end);
        let mut fields: Vec<Vec<u8>> = Vec::new();
        while !left.is_empty() {
            let end = memmem::find(left, line_end).unwrap_or(left.len());
            let (line, behind) = left.split_at(end);
            match fields.last_mut().filter(|_| line.starts_with(b" ") || line.starts_with(b"\t")) {
                Some(field) => field.extend([line_end, line].concat()),
                None => fields.push(line.to_vec()),
            }
            left = behind.get(line_end.len()..).unwrap_or_default();
        }
        Some(Self { fields, line_end, rest })
    }

    /// The fields by the names of notes, name by name.
    fn named(&self, form: Form) -> Vec<Named> {
        let mut all: Vec<Named> = Vec::new();
        for (at, field) in self.fields.iter().enumerate().skip(1) {
            let Some((field, value)) = split(field) else { continue };
            let column = field.to_ascii_lowercase().replace('-', "_");
            let mut numbered = form.any_columns.iter().filter_map(|own| {
                let prefix = column.strip_suffix(suffix(own))?.strip_suffix('_')?;
                Some((number(prefix)?, suffix(own)))
            });
            let Some((number, suffix)) = numbered.next() else { continue };
            let known = all.iter().position(|named| named.number == number);
            let place = known.unwrap_or(all.len());
            if known.is_none() {
                all.push(Named::of(form, number));
            }
            if let Some(named) = all.get_mut(place) {
                let told = serde_json::from_str(&value).unwrap_or(Value::String(value));
                named.value.insert(suffix.to_owned(), told);
                named.places.push(at);
                let is_written = |own: &NewColumn| self::suffix(own) == suffix;
                named.is_written |= form.columns.iter().any(is_written);
            }
        }
        all
    }

    /// The names that something else has.
    fn taken(&self, form: Form) -> Taken {
        let named = self.named(form);
        let others = named.iter().filter(|named| named.is_written && !named.is_note(form));
        others.map(|named| named.number).collect()
    }

    /// The fields without the notes that earlier runs wrote, but for those under names that are taken; the name that a note
    /// has among them, and how it comes there.
    fn without_notes(&mut self, form: Form, taken: Taken) -> (String, Manner) {
        let named = self.named(form);
        let is_gone = |named: &&Named| !taken.has(named.number) && named.is_note(form);
        let (gone, stay): (Vec<&Named>, Vec<&Named>) = named.iter().partition(is_gone);
        let places: Vec<usize> = gone.iter().flat_map(|named| named.places.clone()).collect();
        let mut at = 0..;
        self.fields.retain(|_| at.next().is_none_or(|at| !places.contains(&at)));
        let stay = stay.into_iter().filter(|named| named.is_written || taken.has(named.number));
        let here: Taken = stay.map(|named| named.number).collect();
        let (number, renamed) = taken.beside(here);
        (name(number), Manner { renamed, replaced: !places.is_empty() })
    }
}

impl Named {
    /// No field yet. What does not apply is left out of a head: of what all notes have that is null.
    fn of(form: Form, number: usize) -> Self {
        let ever = form.any_columns.iter().take(form.ever);
        let value = ever.map(|column| (suffix(column).to_owned(), Value::Null)).collect();
        Self { number, places: Vec::new(), value, is_written: false }
    }

    fn is_note(&self, form: Form) -> bool {
        to_raw_value(&self.value).is_ok_and(|value| (form.is_own)(&value))
    }
}

/// What stands behind the name of the note in the name of a column.
fn suffix(column: &NewColumn) -> &'static str {
    column.name.strip_prefix(USUAL).and_then(|it| it.strip_prefix('_')).unwrap_or(column.name)
}

/// The name of a field of a head, and its value.
fn split(field: &[u8]) -> Option<(String, String)> {
    let (name, value) = str::from_utf8(field).ok()?.split_once(':')?;
    Some((name.trim().to_owned(), value.trim().to_owned()))
}

/// The field of a head for what a note says: `Nearprint-Copies` for `nearprint_copies`.
fn field_name(column: &str) -> String {
    let capital = |word: &str| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_ascii_uppercase() + rest
    };
    column.split('_').map(capital).collect::<Vec<_>>().join("-")
}

/// A record of WARC with a field of its head for each text of a note that applies, in place of those that an earlier run
/// wrote; its other bytes stay.
pub(crate) fn on_head(
    form: Form,
    record: &[u8],
    texts: &[String],
    taken: Taken,
) -> (Vec<u8>, Manner) {
    let Some(mut fields) = Fields::of(record) else {
        return (record.to_vec(), Manner::default());
    };
    let (name, manner) = fields.without_notes(form, taken);
    for (column, text) in form.columns.iter().zip(texts).filter(|(_, text)| !text.is_empty()) {
        let field = field_name(&format!("{name}_{}", suffix(column)));
        let text = text.replace(char::is_control, " ");
        fields.fields.push(format!("{field}: {text}").into_bytes());
    }
    let noted = [fields.fields.join(fields.line_end).as_slice(), fields.rest].concat();
    (noted, manner)
}
