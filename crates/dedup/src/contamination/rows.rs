//! The rows of reports: what was found in a document, and what is known of an item.

use crate::contamination::findings::{Entry, Finding, Told, Verdicts};
use crate::contamination::items::{ItemText, Items, Named};
use crate::contamination::note::ContaminationNote;
use crate::contamination::overview::ShownFinding;
use crate::error::Error;
use crate::passages::rows::Names;
use serde_json::Value;

/// What rows say of findings and items.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) items: &'a Items,
    pub(crate) told: &'a Told,
    pub(crate) verdicts: &'a Verdicts<'a>,
    pub(crate) names: &'a Names<'a>,
    /// How many names each item has.
    pub(crate) named: &'a [u32],
}

/// How many names each item has.
pub(crate) fn names_of(items: &Items) -> Vec<u32> {
    let mut named = vec![0; items.items.len()];
    items.names.iter().for_each(|name| named[name.item as usize] += 1);
    named
}

impl Rows<'_> {
    /// `{"id","item","eval","share","bits","of_bits","start","end","text","answers","of_answers","verdict","removed"}`; with
    /// `"equal"` where several items are equal to this one.
    pub(crate) fn finding(&self, finding: &Finding, is_annotated: bool) -> Result<String, Error> {
        let (id, text) = self.told.texts(finding)?;
        let id = self.names.named(&id, finding.record).members("id");
        let goes = self.verdicts.goes(finding) && !is_annotated;
        let Finding { from, until, .. } = finding;
        let text = Value::from(text);
        let own = self.about(finding)?;
        Ok(format!(
            "{{{id},{own},\"start\":{from},\"end\":{until},\"text\":{text},\"removed\":{goes}}}\n"
        ))
    }

    /// The note of a document with these findings: an object for each.
    pub(crate) fn noted(&self, found: &[Entry]) -> Result<ContaminationNote, Error> {
        let note = |entry: &Entry| -> Result<String, Error> {
            let finding = Finding::of_entry(*entry);
            let Finding { from, until, .. } = finding;
            Ok(format!("{{\"start\":{from},\"end\":{until},{}}}", self.about(&finding)?))
        };
        Ok(ContaminationNote::of(&found.iter().map(note).collect::<Result<Vec<_>, _>>()?))
    }

    /// A finding as a page shows it.
    pub(crate) fn shown(&self, finding: &Finding) -> Result<ShownFinding, Error> {
        let items = self.items;
        let name = items.name(finding.item);
        let plain = |id: String| serde_json::from_str(&id).unwrap_or(id);
        let (id, text) = self.told.texts(finding)?;
        let ItemText { mut question, choices, answers, .. } = items.text(finding.item)?;
        if finding.answers > 0 {
            question = [vec![question], choices, answers].concat().join("\n");
        }
        Ok(ShownFinding {
            id: plain(id),
            item: plain(items.id(name)?),
            eval: items.set(name).to_owned(),
            verdict: self.verdicts.of(finding),
            share: finding.share,
            bits: finding.bits,
            answers: finding.answers,
            of_answers: items.items[finding.item as usize].answers,
            question,
            text,
        })
    }

    /// The members of an object that say which item was found, and how much of it.
    fn about(&self, finding: &Finding) -> Result<String, Error> {
        let items = self.items;
        let name = items.name(finding.item);
        let (item, eval) = (items.id(name)?, Value::from(items.set(name)));
        let equal = match self.named[finding.item as usize] {
            0 | 1 => String::new(),
            several => format!("\"equal\":{},", several - 1),
        };
        let Finding { share, bits, answers, .. } = finding;
        let (of_bits, of_answers) =
            (items.most_bits(finding.item), items.items[finding.item as usize].answers);
        let verdict = self.verdicts.of(finding).name();
        Ok(format!(
            "\"item\":{item},\"eval\":{eval},{equal}\"share\":{share:.3},\"bits\":{bits:.1},\"of_bits\":{of_bits:.1},\
             \"answers\":{answers},\"of_answers\":{of_answers},\"verdict\":\"{verdict}\""
        ))
    }

    /// `{"item","eval","documents","best_share","best_id","verdict"}`, and `"of_bits"`.
    pub(crate) fn item(&self, name: &Named) -> Result<String, Error> {
        let (items, number) = (self.items, name.item);
        let (item, eval) = (items.id(name)?, Value::from(items.set(name)));
        let documents = self.verdicts.known.documents[number as usize];
        let mut best: Option<(f32, String)> = None;
        for sought in items.texts_of(number) {
            let found = self.told.best(sought)?;
            best = match (best, found) {
                (Some(best), Some(found)) if found.0 <= best.0 => Some(best),
                (best, found) => found.or(best),
            };
        }
        let (share, id) = best.unwrap_or((0.0, "null".to_owned()));
        let of_bits = items.most_bits(number);
        let verdict = self.verdicts.of_item(number, items).name();
        Ok(format!(
            "{{\"item\":{item},\"eval\":{eval},\"documents\":{documents},\"best_share\":{share:.3},\"best_id\":{id},\
             \"of_bits\":{of_bits:.1},\"verdict\":\"{verdict}\"}}\n"
        ))
    }
}
