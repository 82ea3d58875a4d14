//! A block of named fields with a line before it: the head of a WARC record, and of the HTTP response
//! inside. What the fields mean is `warc`'s and `http`'s.

#![deny(clippy::indexing_slicing)]

use memchr::memchr_iter;
use std::str;

/// A head that was found, not checked: archives keep what servers sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head<'a> {
    /// Without the empty line at its end.
    lines: &'a [u8],
}

impl<'a> Head<'a> {
    /// The head that `bytes` begin with, and what follows it. Reads no further.
    pub(crate) fn split(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        memchr_iter(b'\n', bytes).find_map(|at| {
            let (lines, rest) = bytes.split_at_checked(at)?;
            let rest = rest.strip_prefix(b"\n\r\n").or_else(|| rest.strip_prefix(b"\n\n"))?;
            Some((Head { lines }, rest))
        })
    }

    /// The line before the fields.
    pub(crate) fn first(&self) -> &'a [u8] {
        self.lines.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii()
    }

    /// The value of the first field of that name, whatever its case; none if it is no UTF-8.
    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        self.values(name).next()?
    }

    /// The values of all fields of that name, whatever its case.
    pub(crate) fn get_all(&self, name: &str) -> impl Iterator<Item = &'a str> {
        self.values(name).flatten()
    }

    /// The same, none in the place of what is no UTF-8. A value may be folded: lines that begin with a blank go on
    /// with it, and the line ends between them stay.
    ///
    /// # References
    ///
    /// RFC 9112, section 5.2, and WARC 1.1, section 4.
    fn values(&self, name: &str) -> impl Iterator<Item = Option<&'a str>> {
        let mut rest = self.lines;
        let mut fields = std::iter::from_fn(move || {
            let mut ends = memchr_iter(b'\n', rest);
            let goes_on = |end: &usize| matches!(rest.get(end + 1), Some(b' ' | b'\t'));
            let end = ends.find(|end| !goes_on(end)).unwrap_or(rest.len());
            let field = rest.get(..end).filter(|field| !field.is_empty())?;
            rest = rest.get(end + 1..).unwrap_or_default();
            Some(field)
        });
        fields.next();
        fields.filter_map(move |field| {
            let (before, value) = field.split_at_checked(name.len())?;
            let value = value.trim_ascii_start().strip_prefix(b":")?;
            let named = before.eq_ignore_ascii_case(name.as_bytes());
            named.then(|| str::from_utf8(value.trim_ascii()).ok())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_name() {
        let bytes =
            b"HTTP/1.1 200 OK\r\nContent-Type : text/html\r\nx:1\r\nX: 2\r\nbad\r\n\r\nbody";
        let (head, body) = Head::split(bytes).unwrap();
        assert_eq!((head.first(), body), (&b"HTTP/1.1 200 OK"[..], &b"body"[..]));
        assert_eq!(head.get("content-type"), Some("text/html"));
        assert_eq!(head.get("X"), Some("1"));
        assert_eq!(head.get_all("x").collect::<Vec<_>>(), ["1", "2"]);
        assert_eq!(
            (head.get("bad"), head.get("Content"), head.get("HTTP/1.1 200 OK")),
            (None, None, None)
        );
        let (head, body) = Head::split(b"a\nb: c\n\nd\r\n\r\n").unwrap();
        assert_eq!((head.get("b"), body), (Some("c"), &b"d\r\n\r\n"[..]));
        assert!(Head::split(b"a\r\nb: c\r\n").is_none());
        let folded = b"a\r\nType:\r\n\ttext/html\r\nb: c;\r\n  d\r\n e\r\nLength: 7\r\n\r\n";
        let (head, _) = Head::split(folded).unwrap();
        let of = ["type", "b", "length"].map(|name| head.get(name));
        assert_eq!(of, [Some("text/html"), Some("c;\r\n  d\r\n e"), Some("7")]);
    }
}
