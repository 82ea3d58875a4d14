//! What a WARC record says: whether it is a document, its id and its text. Where it ends is
//! `warc_cutter`'s.

#![deny(clippy::indexing_slicing)]

use crate::archive::capture_id::{CaptureId, host};
use crate::archive::content::Content;
use crate::archive::head::Head;
use crate::archive::http::{Response, is_http};
use crate::archive::mime::{self, Payload};
use crate::archive::target::uncaptured;
use crate::documents::document::{Document, InvalidUtf8};
use crate::documents::fields::{Fields, Place};
use crate::documents::labels;
use crate::documents::score;
use crate::error::Error;
use crate::id::Id;
use crate::within::within;
use std::borrow::Cow;

/// The name of the field that is a record's id where it has no URL or no date.
const RECORD_ID: &str = "WARC-Record-ID";

/// What a document of an archive has as if its head said so: the host of its URL.
pub(crate) const HOST: &str = "host";

/// What follows the block of every record.
pub(crate) const END: &[u8] = b"\r\n\r\n";

/// What the names of fields begin with (WARC 1.1, section 5): others may be added, but stand behind those that have to be
/// there.
pub(crate) const FIELDS: [&[u8]; 2] = [b"WARC-", b"Content-"];

/// A whole record.
pub(crate) struct WarcRecord<'a> {
    head: Head<'a>,
    block: &'a [u8],
}

impl<'a> WarcRecord<'a> {
    /// The record in these bytes. Its head says how long its block is; line ends follow.
    pub(crate) fn parse(raw: &'a [u8]) -> Option<Self> {
        let (head, rest) = Head::split(raw)?;
        let length = head.get("Content-Length").and_then(|stated| stated.parse::<usize>().ok());
        let block = length.and_then(|length| rest.get(..length));
        Some(WarcRecord { head, block: block.unwrap_or(rest) })
    }

    /// Whether it is a document: the page or text of a `conversion` or a captured `resource`, or of a `response` that was
    /// a success. Segments of records are none.
    pub(crate) fn is_document(&self) -> bool {
        if self.head.get("WARC-Segment-Number").is_some() || self.uncaptured().is_some() {
            return false;
        }
        self.content().is_some_and(|content| content.payload().is_some())
    }

    /// Why it is no document, in a word or two: what sort of record it is, of what type its payload is, or of what scheme
    /// its target.
    pub(crate) fn obstacle(&self) -> String {
        match (self.content(), self.head.get("WARC-Type")) {
            _ if self.head.get("WARC-Segment-Number").is_some() => "a segment".to_owned(),
            (Some(content), _) => content.obstacle(self.uncaptured()),
            (None, Some(_)) if self.is("response") => {
                "a response without the end of its head".to_owned()
            }
            (None, kind) => kind.unwrap_or("no type").to_ascii_lowercase(),
        }
    }

    /// Its text and id.
    pub(crate) fn document(
        &self,
        fields: &Fields,
        limit: usize,
        place: Place<'_>,
    ) -> Result<Document<'a>, Error> {
        let (id, record) = self.id(fields, place);
        let tag = fields.tag.as_deref().and_then(|name| self.get(name));
        let label = |_: usize, field: &str| Ok(self.get(field));
        let labels = labels::all(fields, label)?;
        let (score, ties) = score::of_head(|field| self.get(field), fields, place)?;
        let content = self.content();
        // The text of a conversion is UTF-8, unless its type or its bytes tell another character set. What is damaged in it
        // is replaced as in pages: nobody can name another for one record of an archive.
        let is_text =
            |content: &Content<'_>| content.payload() == Some(Payload::Text) && content.is_utf_8();
        let is_converted = self.is("conversion") && content.as_ref().is_none_or(is_text);
        let document = match content.filter(|_| !is_converted) {
            Some(content) => content.document(fields, limit, place)?,
            None => Document::from_text(self.block, InvalidUtf8::Replace, place)?,
        };
        Ok(Document { id, record, tag, score, ties, labels, ..document })
    }

    /// The id of its document, and what its archive calls it where that is another.
    fn id(&self, fields: &Fields, place: Place<'_>) -> (Option<Id<'static>>, Option<Id<'static>>) {
        if fields.id != Fields::default().id {
            return (self.get(&fields.id).as_deref().map(Id::from_text), None);
        }
        let own = self.head.get(RECORD_ID).map(Id::from_text);
        match CaptureId::of(self.head.get("WARC-Target-URI"), self.head.get("WARC-Date")) {
            Some(id) => (
                Some(Id::from_text(&id.to_string())),
                own.or_else(|| Some(Id::from_text(&place()))),
            ),
            None => (own, None),
        }
    }

    /// The value of a field of the head, or the `host` of the URL.
    fn get(&self, name: &str) -> Option<String> {
        let value = self.head.get(name).map(str::to_owned);
        let is_host = name.eq_ignore_ascii_case(HOST);
        value.or_else(|| is_host.then(|| host(self.head.get("WARC-Target-URI")?)).flatten())
    }

    /// Whether its type is this one, in capitals or not.
    fn is(&self, kind: &str) -> bool {
        self.head.get("WARC-Type").is_some_and(|own| own.eq_ignore_ascii_case(kind))
    }

    /// The scheme of the target of a `resource` that a crawler made itself.
    fn uncaptured(&self) -> Option<&'a str> {
        let target = self.head.get("WARC-Target-URI").filter(|_| self.is("resource"));
        target.and_then(uncaptured)
    }

    /// What is inside: what a server answered, or bytes as they are; none of records of other types, and of a response
    /// whose head does not end.
    fn content(&self) -> Option<Content<'a>> {
        let stated = self.head.get("Content-Type");
        let is_truncated = self.head.get("WARC-Truncated").is_some();
        let answered = |it: Response<'a>| Content::Response(it.truncated(is_truncated));
        if self.is("conversion") {
            return Some(Content::Converted(self.block, stated));
        }
        if !(self.is("response") || self.is("resource")) {
            return None;
        }
        if is_http(self.block.trim_ascii_start()) {
            return Response::parse(self.block).map(answered);
        }
        let kind = mime::extract(stated.into_iter()).map(|(essence, _)| essence);
        if !matches!(kind.as_deref(), Some("application/http" | "application/https")) {
            return Some(Content::Bytes(self.block, stated));
        }
        // Servers of HTTP/0.9 send no head.
        let response = Response::parse(self.block).filter(Response::has_status);
        Some(response.map_or(Content::Bytes(self.block, None), answered))
    }
}

/// A record with the end that every record has: two line ends behind its block.
pub(crate) fn ended(raw: &[u8]) -> Cow<'_, [u8]> {
    let Some((head, rest)) = Head::split(raw) else { return Cow::Borrowed(raw) };
    let length = head.get("Content-Length").and_then(|stated| stated.parse::<usize>().ok());
    match length.and_then(|length| rest.split_at_checked(length)) {
        Some((_, end)) if end != END => {
            Cow::Owned([within(raw, ..raw.len() - end.len()), END].concat())
        }
        _ => Cow::Borrowed(raw),
    }
}
