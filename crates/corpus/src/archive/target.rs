//! What a record is of, by its target: what was captured, or what a crawler says of its own work.

#![deny(clippy::indexing_slicing)]

use crate::archive::capture_id::bare;

/// Schemes of what is captured whose addresses need no host, and of those with one that are often written without.
const CAPTURED: [&str; 8] = ["data", "file", "ftp", "gopher", "http", "https", "news", "nntp"];

/// Schemes with a host by which crawlers tell of their own work and of their files: GNU Wget's arguments and log, and the
/// first record of ARC.
const OWN: [&str; 2] = ["filedesc", "metadata"];

/// Namespaces of names of documents. Others are made up, as `urn:text:` of Browsertrix and `urn:X-wpull:log` are.
///
/// # References
/// RFC 8141, section 5.1, and IANA, "Uniform Resource Names (URN) Namespaces".
const DOCUMENTS: [&str; 10] =
    ["doi", "ietf", "isbn", "iso", "issn", "lex", "nbn", "oid", "publicid", "uuid"];

/// The scheme of a target that no capture has, of `urn:` with its namespace: that of what a crawler makes of a page or says
/// of its work, and of names of hosts (`dns:`). None of addresses of documents and of what has no scheme.
///
/// # References
/// WARC 1.1, "WARC-Target-URI": the URI whose capture gave rise to the record; and "resource", whose schemes are those of
/// retrievals, and `dns`.
pub(crate) fn uncaptured(target: &str) -> Option<&str> {
    let target = bare(target);
    let (scheme, rest) = target.split_once(':')?;
    let of_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-".contains(&byte);
    let is_one_of = |all: &[&str], name: &str| all.iter().any(|own| own.eq_ignore_ascii_case(name));
    // A host before its port, a drive, or words.
    if scheme.len() < 2 || !scheme.bytes().all(of_scheme) {
        return None;
    }
    if scheme.eq_ignore_ascii_case("urn") {
        let namespace = rest.split(':').next().unwrap_or_default();
        let told = target.get(..scheme.len() + 1 + namespace.len());
        return told.filter(|_| !is_one_of(&DOCUMENTS, namespace));
    }
    let has_host = rest.starts_with("//") && !is_one_of(&OWN, scheme);
    (!has_host && !is_one_of(&CAPTURED, scheme)).then_some(scheme)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_crawlers_say_of_their_work_is_no_capture() {
        for (target, scheme) in [
            ("<metadata://gnu.org/software/wget/warc/wget_arguments.txt>", "metadata"),
            ("urn:X-wpull:log", "urn:X-wpull"),
            ("urn:textFinal:https://a.example/", "urn:textFinal"),
            ("URN:pageinfo:https://a.example/", "URN:pageinfo"),
            ("urn:log", "urn:log"),
            ("screenshot:https://a.example/", "screenshot"),
            ("youtube-dl:00001:https://a.example/", "youtube-dl"),
            ("dns:a.example", "dns"),
            ("filedesc://a.arc", "filedesc"),
        ] {
            assert_eq!(uncaptured(target), Some(scheme), "{target}");
        }
        for captured in [
            "http://a.example/",
            "<HTTPS://a.example/>",
            "ftp://a.example/b",
            "file:///b/c.txt",
            "file:/b/c.txt",
            "gemini://a.example/",
            "s3://bucket/key",
            "news:1@a.example",
            "urn:isbn:9780000000002",
            "urn:UUID:0e3a",
            "www.a.example:8080/x",
            "C:\\b\\c.txt",
            "some words: more",
            "/b/c",
            "",
        ] {
            assert_eq!(uncaptured(captured), None, "{captured}");
        }
    }
}
