//! Pairs from every source: of many pairs as many of each, so that a large source does not decide alone.

use anyhow::bail;
use nearprint_corpus::{Fields, InvalidUtf8, Reader, Source};
use nearprint_dedup::{Error, Progress, Reading, RecordNumber};
use nearprint_evaluation::Question;
use std::collections::{BTreeMap, VecDeque};

/// Pairs that are looked at for each that is asked about.
const LOOKED: usize = 16;
/// Bands of similarity, of which a source gives as many pairs as there are.
const BANDS: f64 = 50.0;

/// Pairs to look at, where so many are to be asked about.
pub(super) fn candidates(count: usize) -> usize {
    count.saturating_mul(LOOKED)
}

/// What a field says of some records, whose numbers ascend.
pub(super) fn told(
    reading: &Reading,
    sources: &[Source],
    (field, records): (&str, &[RecordNumber]),
    progress: &Progress,
) -> anyhow::Result<BTreeMap<RecordNumber, String>> {
    let fields =
        Fields { labels: vec![field.to_owned()], ..reading.document_fields().into_owned() };
    let (mut told, mut present) = (BTreeMap::new(), None);
    let mut wanted = records.iter().copied().peekable();
    for batch in Reader::new(sources, reading.options).flatten() {
        let (start, count) = (batch.first_record(), batch.len() as u64);
        while let Some(record) = wanted.next_if(|record| record.0 < start + count) {
            let at = usize::try_from(record.0.saturating_sub(start))?;
            let Some(found) = batch.record(at) else { continue };
            present = present.or_else(|| found.field_names());
            let Ok(document) = found.document(&fields, InvalidUtf8::Replace) else { continue };
            if let Some(source) = document.labels.into_iter().flatten().next() {
                told.insert(record, source);
            }
        }
        if progress.is_cancelled() {
            return Err(Error::Interrupted.into());
        }
        if wanted.peek().is_none() {
            break;
        }
    }
    if told.is_empty() {
        let present = present
            .map_or_else(String::new, |names| format!("; the fields of the first are {names}"));
        bail!(
            "--by {field}: no document of the pairs has this field; name a field of the rows that says where a text is \
             from{present}"
        );
    }
    Ok(told)
}

/// Of `questions` at most `count`: of each source, or two sources that a pair joins, as many as there are, and within
/// it of each band of similarity.
pub(super) fn evenly(
    questions: Vec<Question>,
    told: &BTreeMap<RecordNumber, String>,
    count: usize,
) -> Vec<Question> {
    let mut groups: BTreeMap<[Option<&String>; 2], BTreeMap<u32, VecDeque<Question>>> =
        BTreeMap::new();
    for question in questions {
        let mut sources = [told.get(&question.a), told.get(&question.b)];
        sources.sort_unstable();
        let bands = groups.entry(sources).or_default();
        bands.entry(band(question.similarity)).or_default().push_back(question);
    }
    // Each group as a line: one of each band, then the next of each.
    let mut lines: Vec<VecDeque<Question>> = groups
        .into_values()
        .map(|mut bands| {
            let mut line = VecDeque::new();
            while !bands.is_empty() {
                bands.retain(|_, band| {
                    line.extend(band.pop_front());
                    !band.is_empty()
                });
            }
            line
        })
        .collect();
    let mut taken = Vec::new();
    while taken.len() < count && lines.iter().any(|line| !line.is_empty()) {
        let left = count - taken.len();
        taken.extend(lines.iter_mut().filter_map(VecDeque::pop_front).take(left));
    }
    taken.sort_by(|a, b| {
        a.similarity.total_cmp(&b.similarity).then(a.a.cmp(&b.a)).then(a.b.cmp(&b.b))
    });
    taken
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 50")]
fn band(similarity: f64) -> u32 {
    (similarity * BANDS + 1e-9) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_source_is_asked_about_as_often_as_a_large_one() {
        let mut told = BTreeMap::new();
        let mut questions = Vec::new();
        for pair in 0..1000 {
            let (a, b) = (RecordNumber(2 * pair), RecordNumber(2 * pair + 1));
            let source = if pair % 100 == 0 { "small" } else { "large" };
            told.insert(a, source.to_owned());
            told.insert(b, if pair == 500 { "large" } else { source }.to_owned());
            let similarity = if pair % 2 == 0 { 0.61 } else { 0.91 };
            questions.push(Question { a, b, similarity, weight: 1.0 });
        }
        let asked = evenly(questions.clone(), &told, 15);
        let of = |source: &str| {
            asked.iter().filter(|one| told[&one.a] == source && told[&one.b] == source).count()
        };
        // One pair is of both; then seven of each.
        assert_eq!((asked.len(), of("small"), of("large")), (15, 7, 7));
        let similar = |least: f64| {
            asked.iter().filter(|one| told[&one.a] == "large" && one.similarity > least).count()
        };
        assert_eq!((similar(0.9), similar(0.5)), (3, 7), "bands in turn");
        assert!(asked.is_sorted_by(|a, b| a.similarity <= b.similarity));
        assert_eq!(evenly(questions, &told, 5000).len(), 1000);
    }
}
