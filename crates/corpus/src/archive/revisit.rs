//! What a `revisit` record refers to: the response whose content came again (WARC 1.1, section 6.7.2).

#![deny(clippy::indexing_slicing)]

use crate::archive::capture_id::CaptureId;
use crate::archive::head::Head;

/// The names that a revisit may refer to the record in these bytes by: its id, and its URL with its date.
pub(crate) fn names(raw: &[u8]) -> Vec<String> {
    let Some((head, _)) = Head::split(raw) else { return Vec::new() };
    let capture = CaptureId::of(head.get("WARC-Target-URI"), head.get("WARC-Date"));
    let id = head.get("WARC-Record-ID").map(bare);
    id.into_iter().chain(capture.map(|capture| capture.to_string())).collect()
}

/// The name that the record in these bytes refers to, where it is a revisit that names a response: by its id, or else by
/// its URL and date.
pub(crate) fn referred(raw: &[u8]) -> Option<String> {
    let (head, _) = Head::split(raw)?;
    head.get("WARC-Type").filter(|kind| kind.eq_ignore_ascii_case("revisit"))?;
    let capture =
        || CaptureId::of(head.get("WARC-Refers-To-Target-URI"), head.get("WARC-Refers-To-Date"));
    head.get("WARC-Refers-To").map(bare).or_else(|| Some(capture()?.to_string()))
}

/// An id without angle brackets.
fn bare(id: &str) -> String {
    id.trim_start_matches('<').trim_end_matches('>').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revisit_refers_to_a_response_by_its_id_or_by_its_url_and_date() {
        let raw = |kind: &str, fields: &str| {
            format!("WARC/1.1\r\nWARC-Type: {kind}\r\n{fields}Content-Length: 0\r\n\r\n\r\n\r\n")
                .into_bytes()
        };
        let response = raw(
            "response",
            "WARC-Record-ID: <urn:1>\r\nWARC-Target-URI: http://a.b/c\r\nWARC-Date: 2026-01-31T09:30:00Z\r\n",
        );
        let [id, capture] = ["urn:1", "http://a.b/c 2026-01-31T09:30:00Z"];
        assert_eq!(names(&response), [id, capture]);
        let place = "WARC-Refers-To-Target-URI: http://a.b/c\r\nWARC-Refers-To-Date: 2026-01-31T09:30:00Z\r\n";
        let by_id = format!("WARC-Refers-To: <urn:1>\r\n{place}");
        assert_eq!(referred(&raw("revisit", &by_id)).as_deref(), Some(id));
        assert_eq!(referred(&raw("Revisit", place)).as_deref(), Some(capture));
        assert_eq!(referred(&raw("revisit", "")), None);
        assert_eq!(referred(&raw("metadata", &by_id)), None);
    }
}
