//! What a document of an archive is called where nobody names a field: by its URL and the date of its capture.

#![deny(clippy::indexing_slicing)]

use std::fmt;

/// The URL of a capture and its date, as they stand in the id of its document: `https://example.org/ 2026-01-31T09:30:00Z`.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::CaptureId;
///
/// let id = CaptureId::parse("https://Example.org:8080/a?b=1 2026-01-31T09:30:00Z").unwrap();
/// assert_eq!((id.url, id.host().as_deref()), ("https://Example.org:8080/a?b=1", Some("example.org")));
/// assert_eq!(CaptureId::parse("<urn:uuid:0e3a>"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureId<'a> {
    /// The URL, as the archive has it.
    pub url: &'a str,
    /// When it was captured: `2026-01-31T09:30:00Z`.
    pub date: &'a str,
}

impl<'a> CaptureId<'a> {
    /// The id of a capture whose record names both.
    pub(crate) fn of(url: Option<&'a str>, date: Option<&'a str>) -> Option<Self> {
        let (url, date) = (bare(url?), date?);
        (!url.is_empty() && is_date(date)).then_some(Self { url, date })
    }

    /// The parts of an id; none where it is of another kind.
    #[must_use]
    pub fn parse(id: &'a str) -> Option<Self> {
        let (url, date) = id.rsplit_once(' ')?;
        (url.contains(':') && is_date(date)).then_some(Self { url, date })
    }

    /// The host of its URL, in lower case, without a port.
    #[must_use]
    pub fn host(&self) -> Option<String> {
        host(self.url)
    }
}

impl fmt::Display for CaptureId<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.url, self.date)
    }
}

/// The host of a URL, in lower case, without a port; none of a URL without one.
pub(crate) fn host(url: &str) -> Option<String> {
    let (_, rest) = bare(url).split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let named = authority.rsplit('@').next()?;
    let end = match named.strip_prefix('[') {
        Some(address) => address.find(']')? + 2,
        None => named.find(':').unwrap_or(named.len()),
    };
    let host = named.get(..end).filter(|host| !host.is_empty())?;
    Some(host.to_ascii_lowercase())
}

/// A URL without the angle brackets that some crawlers write around it.
pub(crate) fn bare(url: &str) -> &str {
    url.strip_prefix('<').and_then(|url| url.strip_suffix('>')).unwrap_or(url)
}

/// Whether a text is a date as archives write it.
fn is_date(text: &str) -> bool {
    let year = text.get(..4).unwrap_or_default();
    let is_year = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit());
    let of_date = |byte: u8| byte.is_ascii_digit() || b"-:TZ.+".contains(&byte);
    is_year && text.len() > 4 && text.bytes().all(of_date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_was_made() {
        for url in ["https://a.example/x y", "dns:a.example", "<http://a.example/>"] {
            let id = CaptureId::of(Some(url), Some("2026-01-31T09:30:00.5Z")).unwrap();
            assert_eq!(CaptureId::parse(&id.to_string()), Some(id), "{url}");
        }
        for (url, date) in [(None, Some("2026")), (Some("a:b"), None), (Some("a:b"), Some("today"))]
        {
            assert_eq!(CaptureId::of(url, date), None, "{url:?} {date:?}");
        }
        for other in ["a b", "<urn:1>", "see http://a.example tomorrow", "x: 12345x"] {
            assert_eq!(CaptureId::parse(other), None, "{other}");
        }
    }

    #[test]
    fn a_host_has_neither_user_nor_port() {
        for (url, expected) in [
            ("https://Me:x@A.example:80/b@c", Some("a.example")),
            ("http://[2001:DB8::1]:80/", Some("[2001:db8::1]")),
            ("<http://a.example?b>", Some("a.example")),
            ("urn:a", None),
            ("file:///a", None),
        ] {
            assert_eq!(host(url).as_deref(), expected, "{url}");
        }
    }
}
