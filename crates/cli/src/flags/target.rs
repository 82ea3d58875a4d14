//! How much of a corpus is to stay, as people type it.

use crate::flags::size::bytes as size;
use crate::flags::survivors::share_of_documents;
use crate::show::figures::count_of;
use nearprint_dedup::Target;

/// A number of documents such as `1.2M-documents`, a share of them such as `30%`, or a size of text such as `40G`.
pub(crate) fn target(text: &str) -> Result<Target, String> {
    let wanted = || {
        "use a number of documents such as 1.2M-documents, a share such as 30%, or a size such as 40G".to_owned()
    };
    if let Some(number) = text.strip_suffix("-documents") {
        let documents = size(number).map_err(|_| wanted())?;
        return Ok(Target::Documents(documents as u64));
    }
    if text.ends_with('%') {
        let share = share_of_documents(text).filter(|share| *share > 0.0);
        return share.map(Target::Share).ok_or_else(wanted);
    }
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return Err(without_unit(text));
    }
    size(text).map(|bytes| Target::Bytes(bytes as u64)).map_err(|_| wanted())
}

/// What is said of a number alone: what it may mean. One below 1 is a share, as other flags take it.
fn without_unit(number: &str) -> String {
    let share = number.parse().ok().filter(|share| *share < 1.0).map(|share: f64| {
        let percent = format!("{:.6}", share * 100.0);
        format!("{}%", percent.trim_end_matches('0').trim_end_matches('.'))
    });
    let meant = match share {
        Some(share) => vec![share],
        None => vec![format!("{number}%"), format!("{number}-documents")],
    };
    let taken: Vec<_> = meant.into_iter().filter(|text| target(text).is_ok()).collect();
    match taken.as_slice() {
        [] => format!("{number} has no unit: use a share such as 30%, or a size such as 40G"),
        taken => format!("{number} has no unit: use {}, or a size such as 40G", taken.join(" or ")),
    }
}

/// The same for a reader.
pub(crate) fn of(target: Target) -> String {
    match target {
        Target::Documents(documents) => count_of(documents, "document"),
        Target::Share(_) | Target::Bytes(_) => target.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_documents_a_share_or_a_size() {
        for (text, found, said) in [
            ("1.2M-documents", Target::Documents(1_200_000), "1,200,000 documents"),
            ("1-documents", Target::Documents(1), "1 document"),
            ("30%", Target::Share(0.3), "30 % of the documents"),
            ("29%", Target::Share(0.29), "29 % of the documents"),
            ("29.3 %", Target::Share(0.293), "29.3 % of the documents"),
            ("7%", Target::Share(0.07), "7 % of the documents"),
            ("100%", Target::Share(1.0), "100 % of the documents"),
            ("40G", Target::Bytes(40_000_000_000), "40 GB of text"),
        ] {
            assert_eq!(target(text), Ok(found), "{text}");
            assert_eq!(of(found), said);
        }
        for wrong in [
            "",
            "documents",
            "-documents",
            "x-documents",
            "101%",
            "-1%",
            "%",
            "NaN%",
            "40X",
            "0%",
            "0-documents",
        ] {
            assert!(target(wrong).unwrap_err().contains("1.2M-documents"), "{wrong}");
        }
        for (text, meant) in [
            ("30", "30% or 30-documents, or a size"),
            ("0.75", "75%, or a size"),
            (".5", "50%, or a size"),
            ("0.293", "29.3%, or a size"),
            ("0", "a share such as 30%, or a size"),
            ("200", "200-documents, or a size"),
        ] {
            let said = format!("{text} has no unit: use {meant} such as 40G");
            assert_eq!(target(text), Err(said));
        }
    }
}
