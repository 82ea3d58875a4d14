//! What a WARC record says: whether it is a document, its id and its text. Where it ends is
//! `warc_cutter`'s.

#![deny(clippy::indexing_slicing)]

use crate::archive::capture_id::{CaptureId, host};
use crate::archive::content::Content;
use crate::archive::head::Head;
use crate::archive::http::Response;
use crate::documents::document::{Document, InvalidUtf8};
use crate::documents::fields::{Fields, Place};
use crate::documents::labels;
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

    /// Whether it is a document: the text of a `conversion`, or the page or text of a `resource`, or of a `response`
    /// that was a success. Segments of records are none.
    pub(crate) fn is_document(&self) -> bool {
        if self.head.get("WARC-Segment-Number").is_some() {
            return false;
        }
        match self.head.get("WARC-Type") {
            Some("conversion") => self.is_text(),
            Some("response" | "resource") => {
                self.content().is_some_and(|content| content.payload().is_some())
            }
            _ => false,
        }
    }

    /// Why it is no document, in a word or two: what sort of record it is, or of what type its payload is.
    pub(crate) fn obstacle(&self) -> String {
        let kind = self.head.get("WARC-Type").unwrap_or("no type");
        match (self.content(), kind) {
            _ if self.head.get("WARC-Segment-Number").is_some() => "a segment".to_owned(),
            (Some(content), "response" | "resource") => content.obstacle(),
            _ => kind.to_owned(),
        }
    }

    /// Its text and id.
    pub(crate) fn document(
        &self,
        fields: &Fields,
        invalid_utf8: InvalidUtf8,
        limit: usize,
        place: Place<'_>,
    ) -> Result<Document<'a>, Error> {
        let (id, record) = self.id(fields, place);
        let tag = fields.tag.as_deref().and_then(|name| self.get(name));
        let label = |_: usize, field: &str| Ok(self.get(field));
        let labels = labels::all(fields, label)?;
        let content = self.content().filter(|_| self.head.get("WARC-Type") != Some("conversion"));
        let document = match content {
            Some(content) => content.document(fields, limit, place)?,
            None => Document::from_text(self.block, invalid_utf8, place)?,
        };
        Ok(Document { id, record, tag, labels, ..document })
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

    fn is_text(&self) -> bool {
        let content_type = self.head.get("Content-Type").unwrap_or_default();
        let essence = content_type.split(';').next().unwrap_or_default().trim();
        essence.eq_ignore_ascii_case("text/plain")
    }

    /// What is inside: a response, or a resource as it is.
    fn content(&self) -> Option<Content<'a>> {
        let content_type = self.head.get("Content-Type");
        let essence = content_type.and_then(|value| value.split(';').next()).unwrap_or_default();
        let is_http = essence.trim().eq_ignore_ascii_case("application/http")
            || essence.is_empty() && self.block.starts_with(b"HTTP/");
        if is_http {
            return Response::parse(self.block).map(Content::Response);
        }
        let is_resource = self.head.get("WARC-Type") == Some("resource");
        is_resource.then_some(Content::Bytes(self.block, content_type))
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
