//! What a record is of, by its target: what was captured, or what a crawler says of its own work.

#![deny(clippy::indexing_slicing)]

use crate::archive::capture_id::bare;

/// Schemes by which crawlers tell of their own work, and of what they make of a page: GNU Wget's arguments and log, the first
/// record of ARC, names of hosts, and pictures and what is said of videos of Brozzler and warcprox.
const OWN: [&str; 6] = ["dns", "filedesc", "metadata", "screenshot", "thumbnail", "youtube-dl"];

/// Namespaces of names of documents and of their bytes. Others are made up, as `urn:text:` of Browsertrix and
/// `urn:X-wpull:log` are.
///
/// # References
/// RFC 8141, section 5.1, and IANA, "Uniform Resource Names (URN) Namespaces".
const DOCUMENTS: [&str; 22] = [
    "ark", "bitprint", "btih", "cid", "doi", "hdl", "ietf", "isbn", "iso", "issn", "lex", "lsid",
    "md5", "nbn", "oid", "publicid", "pwid", "sha1", "sha256", "sha512", "swh", "uuid",
];

/// The scheme of a target that no capture has, of `urn:` with its namespace: that of what a crawler makes of a page or says
/// of its work, and of names of hosts (`dns:`). None of any other: schemes are open (RFC 3986, section 3.1), and what has
/// none may have a colon in it.
///
/// # References
/// WARC 1.1, "WARC-Target-URI": the URI whose capture gave rise to the record; and "resource", whose schemes are those of
/// retrievals, and `dns`.
pub(crate) fn uncaptured(target: &str) -> Option<&str> {
    let target = bare(target);
    // Before a blank stands a word.
    let (scheme, rest) = target.split_once(':').filter(|(_, rest)| !rest.starts_with(' '))?;
    let is_one_of = |all: &[&str], name: &str| all.iter().any(|own| own.eq_ignore_ascii_case(name));
    if scheme.eq_ignore_ascii_case("urn") {
        let namespace = rest.split(':').next().unwrap_or_default();
        let told = target.get(..scheme.len() + 1 + namespace.len());
        return told.filter(|_| !is_one_of(&DOCUMENTS, namespace));
    }
    is_one_of(&OWN, scheme).then_some(scheme)
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
            ("thumbnail:https://a.example/", "thumbnail"),
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
            "Metadata: words",
            "Title: words",
            "localhost:8080/x",
            "doi:10.1000/1",
            "info:doi/10.1000/1",
            "ark:/12025/654",
            "hdl:1/2",
            "oai:a.example:1",
            "mid:1@a.example",
            "corpus:doc1",
            "en:Page",
            "urn:pwid:a.example:2024-01-01T00:00:00Z:part:https://b.example/",
            "urn:sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A",
            "urn:lsid:a.example:b:1",
            "/b/c",
            "",
        ] {
            assert_eq!(uncaptured(captured), None, "{captured}");
        }
    }
}
