//! The document of a payload: a page or a text, by the type that its archive or its server says.

use crate::archive::http::{Body, Response};
use crate::archive::mime::{self, HTML, Payload, SNIFFED, XHTML};
use crate::documents::document::Document;
use crate::documents::fields::{Fields, Place};
use crate::error::Error;
use crate::html::charset::{self, Markup, Syntax};
use crate::iso_2022_jp::is_iso_2022_jp;
use encoding_rs::UTF_8;
use std::borrow::Cow;

/// What is in a record of an archive.
pub(crate) enum Content<'a> {
    /// What a server answered.
    Response(Response<'a>),
    /// Captured bytes whose type the record says, with the value that tells it where there is one.
    Bytes(&'a [u8], Option<&'a str>),
    /// The same of bytes that a program made, which knew what it made.
    Converted(&'a [u8], Option<&'a str>),
}

impl<'a> Content<'a> {
    /// What it is, as far as it can be a document.
    pub(crate) fn payload(&self) -> Option<Payload> {
        match self {
            Self::Response(response) => response.payload(),
            Self::Bytes(..) | Self::Converted(..) => mime::of_type(&self.kind()),
        }
    }

    /// Its type.
    fn kind(&self) -> Cow<'static, str> {
        match self {
            Self::Response(response) => response.kind(),
            Self::Bytes(bytes, stated) => {
                let stated = mime::extract(stated.iter().copied());
                mime::served(stated, || Body::of_block(bytes, SNIFFED).bytes)
            }
            Self::Converted(bytes, stated) => {
                let stated = mime::extract(stated.iter().copied()).map(|(essence, _)| essence);
                mime::kind(stated, || Body::of_block(bytes, SNIFFED).bytes)
            }
        }
    }

    /// Whether nothing tells that it is in another character set than UTF-8.
    pub(crate) fn is_utf_8(&self) -> bool {
        match self {
            Self::Response(_) => false,
            Self::Bytes(bytes, stated) | Self::Converted(bytes, stated) => {
                match stated.and_then(charset::stated) {
                    Some(encoding) => encoding == UTF_8,
                    None => !is_iso_2022_jp(bytes) && charset::is_utf_8(bytes),
                }
            }
        }
    }

    /// Why it is no document: the status of a response that is no success, its type, or where that is one of documents the
    /// scheme of its target, which no capture has.
    pub(crate) fn obstacle(&self, uncaptured: Option<&str>) -> String {
        match self {
            _ if self.payload().is_some() => format!("target {}", uncaptured.unwrap_or("unknown")),
            Self::Response(response) if response.status() != Some(b"200") => {
                let status = response.status().unwrap_or(b"none");
                format!("status {}", String::from_utf8_lossy(status))
            }
            _ => self.kind().into_owned(),
        }
    }

    /// Its document, without an id.
    pub(crate) fn document(
        &self,
        fields: &Fields,
        limit: usize,
        place: Place<'_>,
    ) -> Result<Document<'static>, Error> {
        let payload = self.payload();
        if payload == Some(Payload::Page) && fields.part.is_none() {
            return Err(Error::HtmlAsText { place: place() });
        }
        let (body, content_type) = match self {
            Self::Response(response) => (response.body(limit, place)?, response.content_type()),
            Self::Bytes(bytes, stated) | Self::Converted(bytes, stated) => {
                (Body::of_block(bytes, limit).within(limit, place)?, *stated)
            }
        };
        let syntax = match &*self.kind() {
            XHTML => Syntax::Xml,
            HTML => Syntax::Html,
            _ => Syntax::Text,
        };
        let markup = Markup::of_payload(&body.bytes, content_type, syntax);
        let markup = if syntax == Syntax::Xml { markup.out_of_xml() } else { markup };
        let Markup { text, replaced, endless, .. } = markup;
        if endless {
            return Err(Error::EndlessEntities { place: place() });
        }
        let part = fields.part.filter(|_| payload == Some(Payload::Page));
        let document = Document::of_markup(text.into_owned(), replaced, part);
        Ok(Document { cut: !body.is_whole, ..document })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_body_without_a_head_is_undone_by_its_first_bytes() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(b"some text").unwrap();
        let packed = encoder.finish().unwrap();
        for stated in [Some("text/plain"), None] {
            let content = Content::Bytes(&packed, stated);
            assert_eq!(content.payload(), Some(Payload::Text));
            let document =
                |limit| content.document(&Fields::default(), limit, &|| "here".to_owned());
            assert_eq!(&*document(9).unwrap().text, "some text");
            assert!(matches!(document(8), Err(Error::TooLong { limit: 8, .. })));
        }
        let cut = Content::Bytes(&packed[..packed.len() - 9], Some("text/plain"));
        assert!(cut.document(&Fields::default(), 99, &|| "here".to_owned()).unwrap().cut);
    }
}
