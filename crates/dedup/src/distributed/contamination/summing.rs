//! The stage that adds up what all files told of the items.

use crate::contamination::findings::{Known, Told, put};
use crate::contamination::looking::check_number;
use crate::distributed::contamination::job::{
    ContaminationJob, LookCounts, SumCounts, each_known, each_share, put_told,
};
use crate::distributed::lists::{List, each_entry};
use crate::distributed::step::Step;
use crate::error::Error;
use crate::passages::lent::Lending;
use crate::read::fields_seen::FieldsByPart;
use crate::read::repeated_ids::RepeatedIds;

/// Adds up what is known.
///
/// Memory: the items with their index, and 32 bytes an item.
pub(crate) fn sum(of: &ContaminationJob<'_>) -> Result<(), Error> {
    of.write(Step::Sum, 0, |unit| {
        let mut known = Known::nothing(&of.prepared()?.items);
        let mut ids = RepeatedIds::new(Some(&of.job.dir));
        let (mut counts, mut fields, mut first) =
            (SumCounts::default(), FieldsByPart::default(), 0);
        // The file of the document that has most of a text.
        let mut best_in = vec![0; known.shares.len()];
        for file in 0..of.files() {
            of.progress.check()?;
            let looked = of.open(Step::Look, file)?;
            let LookCounts { tallied, fields: seen, aligned, .. } = looked.counts()?;
            let records = tallied.records.iter().sum();
            counts.firsts.push(first);
            first += records;
            counts.tallied.records.push(records);
            counts.tallied.tokens.push(tallied.tokens.iter().sum());
            counts.tallied.counts.merge(tallied.counts);
            counts.aligned += aligned;
            fields.merge(&seen);
            each_entry(&looked, List::Ids, 0, |id| ids.push(id))?;
            each_known(&looked, &mut |item, documents, highest| {
                known.documents[item] += documents;
                known.highest[item] = known.highest[item].max(highest);
            })?;
            // Of equal shares the first stays.
            each_share(&looked, &mut |sought, share, id| {
                if share > known.shares[sought] {
                    (known.shares[sought], known.ids[sought]) = (share, id);
                    best_in[sought] = file;
                }
            })?;
        }
        check_number(first)?;
        fields.check(&of.job.reading.fields, [None, None])?;
        counts.tallied.counts.repeated_ids = ids.count()?;
        put_told(unit, &with_ids(of, known, &best_in)?)?;
        Ok(counts)
    })
}

/// What is known, with the ids that it names: those of documents in these files.
fn with_ids(of: &ContaminationJob<'_>, mut known: Known, best_in: &[usize]) -> Result<Told, Error> {
    let mut strings = Lending::new(&of.job.dir, of.held()?);
    let mut found: Vec<usize> = (0..known.shares.len()).collect();
    found.retain(|sought| known.shares[*sought] > 0.0);
    found.sort_by_key(|sought| best_in[*sought]);
    for soughts in found.chunk_by(|a, b| best_in[*a] == best_in[*b]) {
        let Some(file) = soughts.first().map(|sought| best_in[*sought]) else { continue };
        let own = of.strings(&of.open(Step::Look, file)?)?;
        let told = Told { strings: own, known };
        let ids: Vec<String> = soughts
            .iter()
            .map(|sought| Ok(told.string(told.known.ids[*sought])?.0))
            .collect::<Result<_, Error>>()?;
        known = told.known;
        for (sought, id) in soughts.iter().zip(ids) {
            known.ids[*sought] = put(&mut strings, &id)?;
        }
    }
    Ok(Told { strings: strings.finish()?, known })
}
