//! What decides what the stages of a job hold: a job that goes on must be the one that was begun.

use crate::error::Error;
use crate::job::dedup_job::DedupJob;
use crate::matching::seen::Seen;
use crate::report::reports::Reports;
use nearprint_corpus::Part;
use nearprint_fingerprint::Recipe;
use serde_json::{Map, Value, json};
use std::time::UNIX_EPOCH;
use xxhash_rust::xxh3::xxh3_64;

/// The footer of a segment is within so many bytes of its end.
const FOOTER: usize = 1 << 17;

impl DedupJob {
    /// All that decides the outcome, field by field.
    ///
    /// # Errors
    /// A source of which an earlier state cannot be told from a later one: a stream.
    pub(crate) fn identity(
        &self,
        recipe: &Recipe,
        reports: &Reports,
    ) -> Result<Map<String, Value>, Error> {
        let Self { reading, sources, reference, annotate, criteria, .. } = self;
        let fields = &reading.fields;
        let sources = sources.iter().map(|source| match source.version() {
            Some(version) => Ok(json!([
                source.name(),
                version,
                source.format().map(|format| format.to_string())
            ])),
            None => Err(Error::NoResume { name: source.name().to_owned() }),
        });
        let job = json!({
            "recipe": format!("{} ({})", recipe.name, recipe.id()),
            "width": recipe.width.bits(),
            "k": criteria.likeness.k(),
            "candidates": criteria.likeness.finding().to_string(),
            "verify": criteria.likeness.verify().to_string(),
            "cluster rule": criteria.cluster_rule.name(),
            "keep": criteria.keep.name_by(fields.score.as_deref()),
            "annotate": annotate,
            "reference files": reference,
            "id field": fields.id,
            "text field": fields.text,
            "language field": fields.tag,
            "null text": fields.null_text.name(),
            "html": fields.part.map(name_of),
            "on error": reading.on_error.name(),
            "longest record": reading.options.max_record_bytes,
            "segments": self.seen.iter().map(segment).collect::<Vec<_>>(),
            "radius to segments": criteria.likeness.radius_to_segments(),
            "reports": reports.names(),
            "input": sources.collect::<Result<Vec<_>, _>>()?,
        });
        Ok(job.as_object().cloned().unwrap_or_default())
    }
}

/// A segment by its name and state: its length, a checksum of its end, which holds the checksums of
/// all of it, and the state of its file of ids.
fn segment(seen: &Seen) -> Value {
    let bytes = (*seen.bytes).as_ref();
    let end = bytes.get(bytes.len().saturating_sub(FOOTER)..).unwrap_or_default();
    let ids = seen.ids.as_ref().and_then(|path| path.metadata().ok());
    let ids = ids.map(|ids| {
        let changed = ids.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        json!([ids.len(), changed.map(|time| time.as_nanos().to_string())])
    });
    json!([seen.name, bytes.len(), format!("{:016x}", xxh3_64(end)), ids])
}

/// The part of a page, as a checkpoint has it.
const fn name_of(part: Part) -> &'static str {
    match part {
        Part::Main(_) => "main",
        Part::Full => "full",
        Part::Both(_) => "both",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::sync::Arc;
    use std::time::Duration;

    #[test]
    fn a_segment_or_ids_that_were_written_again_are_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.seg.ids");
        let seen = |bytes: Vec<u8>, ids: &str, second: u64| {
            std::fs::write(&path, ids).unwrap();
            let written = UNIX_EPOCH + Duration::from_secs(second);
            File::options().write(true).open(&path).unwrap().set_modified(written).unwrap();
            let (name, ids) = ("x.seg".to_owned(), Some(path.clone()));
            segment(&Seen { name, bytes: Arc::new(bytes), ids })
        };
        let before = seen(vec![1; FOOTER], "1", 7);
        assert_eq!(before, seen(vec![1; FOOTER], "1", 7));
        // Each differs in one thing: the length, the end, the length of the ids, their time.
        assert_ne!(before, seen(vec![1; FOOTER + 1], "1", 7));
        assert_ne!(before, seen(vec![2; FOOTER], "1", 7));
        assert_ne!(before, seen(vec![1; FOOTER], "10", 7));
        assert_ne!(before, seen(vec![1; FOOTER], "2", 8));
        let unnamed = |bytes| Seen { name: "y".to_owned(), bytes: Arc::new(bytes), ids: None };
        assert_eq!(segment(&unnamed(vec![1; 9])), segment(&unnamed(vec![1; 9])));
    }
}
