//! What a WARC record says: whether it is a document, its id and its text. Where it ends is
//! `warc_cutter`'s.

#![deny(clippy::indexing_slicing)]

use crate::archive::head::Head;
use crate::archive::http::{Payload, Response};
use crate::documents::document::{Document, InvalidUtf8};
use crate::documents::fields::{Fields, Place};
use crate::error::Error;
use crate::html::charset::Markup;
use crate::id::Id;

/// The name of the field that is a record's id where no other is asked for.
const RECORD_ID: &str = "WARC-Record-ID";

/// A whole record.
pub(crate) struct WarcRecord<'a> {
    head: Head<'a>,
    block: &'a [u8],
}

impl<'a> WarcRecord<'a> {
    /// The record in these bytes, which end with two line ends.
    pub(crate) fn parse(raw: &'a [u8]) -> Option<Self> {
        let (head, rest) = Head::split(raw)?;
        Some(WarcRecord { head, block: rest.strip_suffix(b"\r\n\r\n").unwrap_or(rest) })
    }

    /// Whether it is a document: the text of a `conversion`, or the page or text of a `response` that
    /// was a success. Segments of records are none.
    pub(crate) fn is_document(&self) -> bool {
        if self.head.get("WARC-Segment-Number").is_some() {
            return false;
        }
        match self.head.get("WARC-Type") {
            Some("conversion") => self.is_text(),
            Some("response") => self.response().is_some_and(|found| found.payload().is_some()),
            _ => false,
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
        let field = if fields.id == Fields::default().id { RECORD_ID } else { &fields.id };
        let id = self.head.get(field).map(Id::from_text);
        let tag = fields.tag.as_deref().and_then(|name| self.head.get(name)).map(str::to_owned);
        let document = match self.response() {
            Some(response) => match response.payload() {
                Some(Payload::Page) if fields.part.is_none() => {
                    return Err(Error::HtmlAsText { place: place() });
                }
                payload => {
                    let body = response.body(limit, place)?;
                    let Markup { text, replaced, .. } =
                        Markup::decode(&body, response.content_type());
                    let text = text.into_owned();
                    let part = fields.part.filter(|_| payload == Some(Payload::Page));
                    Document::of_markup(text, replaced, part)
                }
            },
            None => Document::from_text(self.block, invalid_utf8, place)?,
        };
        Ok(Document { id, tag, ..document })
    }

    fn is_text(&self) -> bool {
        let content_type = self.head.get("Content-Type").unwrap_or_default();
        let essence = content_type.split(';').next().unwrap_or_default().trim();
        essence.eq_ignore_ascii_case("text/plain")
    }

    /// The HTTP response inside.
    fn response(&self) -> Option<Response<'a>> {
        let content_type = self.head.get("Content-Type")?;
        let essence = content_type.split(';').next()?.trim();
        let http = essence.eq_ignore_ascii_case("application/http");
        if http { Response::parse(self.block) } else { None }
    }
}
