//! What a WARC record says of the capture that it is part of. Which records go with which is handled by
//! who writes them.

#![deny(clippy::indexing_slicing)]

use crate::archive::head::Head;

/// How a WARC record is linked with others of its capture: the records that one request made
/// (WARC 1.1, sections 5.2, 5.7 and 5.11).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capture {
    /// Its `WARC-Record-ID`, without angle brackets.
    pub id: Option<String>,
    /// The ids that its fields `WARC-Concurrent-To` and `WARC-Refers-To` name.
    pub names: Vec<String>,
}

impl Capture {
    /// That of the record in these bytes.
    pub(crate) fn parse(raw: &[u8]) -> Option<Self> {
        Head::split(raw).map(|(head, _)| Self::of(head))
    }

    /// That of the record in these bytes, where it is a `request` or `metadata`.
    pub(crate) fn of_companion(raw: &[u8]) -> Option<Self> {
        let (head, _) = Head::split(raw)?;
        let kind = head.get("WARC-Type").unwrap_or_default().to_ascii_lowercase();
        let is_companion = matches!(&*kind, "request" | "metadata");
        is_companion.then(|| Self::of(head))
    }

    fn of(head: Head<'_>) -> Self {
        let bare = |id: &str| id.trim_start_matches('<').trim_end_matches('>').to_owned();
        let concurrent = head.get_all("WARC-Concurrent-To");
        let names = concurrent.chain(head.get_all("WARC-Refers-To"));
        Self { id: head.get("WARC-Record-ID").map(bare), names: names.map(bare).collect() }
    }

    /// Whether one of the two names the other.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::Capture;
    ///
    /// let response = Capture { id: Some("urn:1".to_owned()), names: Vec::new() };
    /// let request = Capture { id: Some("urn:2".to_owned()), names: vec!["urn:1".to_owned()] };
    /// assert!(response.is_linked(&request) && request.is_linked(&response));
    /// assert!(!request.is_linked(&request));
    /// ```
    #[must_use]
    pub fn is_linked(&self, other: &Self) -> bool {
        let names =
            |one: &Self, other: &Self| other.id.as_ref().is_some_and(|id| one.names.contains(id));
        names(self, other) || names(other, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_names_its_response() {
        let raw = |kind: &str| {
            format!(
                "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:2>\r\n\
                 WARC-Concurrent-To: <urn:1>\r\nwarc-concurrent-to: urn:3\r\n\
                 WARC-Refers-To: <urn:4>\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
            )
        };
        let names = ["urn:1", "urn:3", "urn:4"].map(str::to_owned).to_vec();
        let capture = Capture { id: Some("urn:2".to_owned()), names };
        assert_eq!(Capture::parse(raw("response").as_bytes()), Some(capture.clone()));
        for kind in ["request", "metadata", "Request"] {
            assert_eq!(Capture::of_companion(raw(kind).as_bytes()), Some(capture.clone()));
        }
        assert_eq!(Capture::of_companion(raw("warcinfo").as_bytes()), None);
    }
}
