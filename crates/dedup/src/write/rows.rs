//! The rows of the reports: one JSON object a line, ids as the user wrote them, each with the file and
//! the row of its document where ids repeat.

use crate::read::names::Name;
use crate::read::sketched::{APART, Sketched, State};
use nearprint_rules::{Alike, Evidence};
use std::fmt::Write as _;

/// `{"id","fingerprint"}`; with `"flags"` where something is wrong with the document as a
/// near-duplicate of others, and then with the `"content"` that its duplicates have, where the recipe
/// asks for equal ones. A page of which all text was asked for beside the main one has
/// `"fingerprint_full"` too.
#[must_use]
pub fn fingerprint(id: &str, sketched: &Sketched) -> String {
    let mut row = format!("{{\"id\":{id},\"fingerprint\":\"{}\"", sketched.fingerprint);
    // Writing to a string cannot fail.
    let _written = match &sketched.full {
        Some(full) => write!(row, ",\"fingerprint_full\":\"{full}\""),
        None => Ok(()),
    };
    if sketched.flags.any() {
        row.push_str(",\"flags\":[");
        for (i, flag) in sketched.flags.names().enumerate() {
            row.push_str(if i == 0 { "\"" } else { ",\"" });
            row.push_str(flag);
            row.push('"');
        }
        row.push(']');
    }
    // Writing to a string cannot fail.
    let _written = match sketched.state {
        State::Exact(content) => write!(row, ",\"content\":\"{content:016x}\""),
        State::Apart => write!(row, ",\"content\":\"{APART}\""),
        _ => Ok(()),
    };
    row.push_str("}\n");
    row
}

/// `{"a","b","distance"}`, with `"similarity","measure"` where the similarity is known.
#[must_use]
pub fn pair(a: &Name<'_>, b: &Name<'_>, evidence: Evidence) -> String {
    let mut row = format!("{{{},{},", a.members("a"), b.members("b"));
    write_members(&mut row, evidence);
    row.push_str("}\n");
    row
}

/// Writes the evidence as members of an object.
pub(crate) fn write_members(row: &mut String, Evidence { distance, alike }: Evidence) {
    // Writing to a string cannot fail.
    let _written = write!(row, "\"distance\":{distance}");
    if let Some(Alike { similarity, measure }) = alike {
        let measure = measure.name();
        let _written = write!(row, ",\"similarity\":{similarity:.4},\"measure\":\"{measure}\"");
    }
}

/// `{"id","cluster","representative"}`.
#[must_use]
pub fn cluster(id: &Name<'_>, cluster: u32, representative: &Name<'_>) -> String {
    let (id, representative) = (id.members("id"), representative.members("representative"));
    format!("{{{id},\"cluster\":{cluster},{representative}}}\n")
}

/// `{"id"}` of a document that stays.
#[must_use]
pub(crate) fn kept(id: &Name<'_>) -> String {
    format!("{{{}}}\n", id.members("id"))
}

/// The document because of which another goes.
#[derive(Clone, Copy)]
pub(crate) enum Cause<'a> {
    /// It stays itself.
    Kept(&'a Name<'a>),
    /// It goes too, as no document of the cluster stays.
    Near(&'a Name<'a>),
}

impl<'a> Cause<'a> {
    /// A document that stays, or does not.
    pub(crate) const fn new(name: &'a Name<'a>, stays: bool) -> Self {
        if stays { Self::Kept(name) } else { Self::Near(name) }
    }
}

/// `{"id","kept","distance","similarity","measure","cluster"}`; where no document of a cluster stays `"kept"` is
/// null, and the near-duplicate is called `"near"`. The cluster is null for a document that goes because
/// of one of a segment.
#[must_use]
pub(crate) fn removed(
    id: &Name<'_>,
    near: Cause<'_>,
    evidence: Evidence,
    cluster: Option<u32>,
) -> String {
    let cluster = cluster.map_or_else(|| "null".to_owned(), |cluster| cluster.to_string());
    let id = id.members("id");
    let near = match near {
        Cause::Kept(name) => name.members("kept"),
        Cause::Near(name) => format!("\"kept\":null,{}", name.members("near")),
    };
    let mut row = format!("{{{id},{near},");
    write_members(&mut row, evidence);
    // Writing to a string cannot fail.
    let _written = writeln!(row, ",\"cluster\":{cluster}}}");
    row
}

/// `{ID_FIELD,TEXT_FIELD}`: a text file as a row.
#[must_use]
pub fn text(id_field: &str, id: &str, text_field: &str, text: &str) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    format!("{{{}:{id},{}:{}}}\n", quoted(id_field), quoted(text_field), quoted(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::Measure;
    use nearprint_fingerprint::{Fingerprint64, Flags};

    #[test]
    fn rows_are_json_objects() {
        let sketched = Sketched {
            state: State::Exact(0xab),
            flags: Flags { short: true, dominant: true, ..Flags::default() },
            fingerprint: Fingerprint64::from(7).into(),
            full: None,
            few: false,
            score: None,
            length: 1,
            content_hash: 0,
        };
        let near = Evidence::measured(3, 0.98917, Measure::Jaccard);
        let both = Sketched { full: Some(Fingerprint64::from(8).into()), ..sketched };
        assert!(fingerprint("1", &both).contains("07\",\"fingerprint_full\":\"0000000000000008\""));
        assert_eq!(
            fingerprint("1", &sketched),
            "{\"id\":1,\"fingerprint\":\"0000000000000007\",\"flags\":[\"short\",\"dominant\"],\
             \"content\":\"00000000000000ab\"}\n"
        );
        let (a, two) = (Name::from("\"a\""), Name::from("2"));
        let placed = Name { place: Some(("f\"1", 9)), ..a.clone() };
        for row in [
            fingerprint("1", &sketched),
            fingerprint("1", &both),
            pair(&a, &two, Evidence { distance: 3, alike: None }),
            pair(&a, &placed, near),
            cluster(&placed, 0, &two),
            kept(&placed),
            removed(&a, Cause::Kept(&two), near, Some(4)),
            removed(&placed, Cause::Near(&placed), near, None),
            text("i\"d", "\"a\"", "text", "line\n\"quoted\""),
        ] {
            assert!(row.ends_with("}\n"));
            assert!(serde_json::from_str::<serde_json::Value>(&row).unwrap().is_object(), "{row}");
        }
        assert_eq!(
            removed(&Name::from("1"), Cause::Kept(&two), near, Some(4)),
            "{\"id\":1,\"kept\":2,\"distance\":3,\"similarity\":0.9892,\"measure\":\"jaccard\",\"cluster\":4}\n"
        );
        let by_weight = Evidence::measured(3, 0.98917, Measure::Cosine);
        assert_eq!(
            removed(&Name::from("1"), Cause::Kept(&two), by_weight, Some(4)),
            "{\"id\":1,\"kept\":2,\"distance\":3,\"similarity\":0.9892,\"measure\":\"cosine\",\"cluster\":4}\n"
        );
        assert_eq!(
            removed(&Name::from("1"), Cause::Kept(&two), Evidence::estimated(0, 64), Some(4)),
            "{\"id\":1,\"kept\":2,\"distance\":0,\"similarity\":1.0000,\"measure\":\"estimated-cosine\",\"cluster\":4}\n"
        );
    }
}
