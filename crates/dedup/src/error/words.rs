//! What messages say in words that depend on figures.

use nearprint_corpus::ByteSize;
use std::io;

/// How few of the records of a file are documents, and why the first that is none is not, or nothing of it was read.
pub(super) fn few(documents: u64, records: u64, why: Option<&str>) -> String {
    let first = why.map_or_else(String::new, |why| format!("; the first other one: {why}"));
    match (documents, records, why) {
        (_, 0, None) => "it has no records; documents are expected".to_owned(),
        (_, 0, Some(why)) => format!("nothing of it could be read: {why}"),
        (0, ..) => format!("none of its {records} records is a document{first}"),
        _ => format!("only {documents} of its {records} records are documents{first}"),
    }
}

/// The memory that there is room for it in.
pub(super) fn enough(needed: u64) -> String {
    format!("{} or more", ByteSize(needed).at_least())
}

/// What to do where a temporary file cannot be written.
pub(super) fn room_for(failure: &io::Error) -> &'static str {
    match failure.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space or name another directory"
        }
        io::ErrorKind::FileTooLarge => {
            "raise the limit for files (ulimit -f) or name another directory"
        }
        _ => "name another directory",
    }
}

#[cfg(test)]
mod tests {
    use crate::error::Error;

    #[test]
    fn few_documents_are_told_with_the_first_record_that_is_none() {
        let told = |documents, records, why: Option<&str>| {
            let (file, why) = ("a".to_owned(), why.map(str::to_owned));
            Error::FewDocuments { file, records, documents, why }.to_string()
        };
        assert_eq!(told(0, 0, None), "a: it has no records; documents are expected");
        let unread = "a: nothing of it could be read: a is compressed with LZ4";
        assert_eq!(told(0, 0, Some("a is compressed with LZ4")), unread);
        let expected =
            "a: none of its 2 records is a document; the first other one: image/png, a:1";
        assert_eq!(told(0, 2, Some("image/png, a:1")), expected);
        assert_eq!(told(1, 3, None), "a: only 1 of its 3 records are documents");
    }
}
