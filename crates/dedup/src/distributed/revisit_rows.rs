//! The names of responses that revisits of one input file refer to, and those of its responses that go: what stands in
//! one file may refer to another.

use crate::distributed::columns::{BYTES, DOCUMENTS, KEPT, KEPT_BYTES, LABEL, NAME};
use crate::distributed::label_columns::LabelColumns;
use crate::distributed::unit_file::{GROUP, UnitFile, UnitWriter};
use crate::error::Error;
use crate::write::revisits::Revisits;

/// What rows are of, behind those of labels: names that are referred to, and those of what goes.
const OF: [u64; 2] = [1, 2];

/// Writes a row for each name.
pub(crate) fn write(revisits: &Revisits, file: &mut UnitWriter<'_>) -> Result<(), Error> {
    for (of, names) in OF.into_iter().zip(revisits.names()) {
        let mut rows = file.rows();
        for name in names {
            LabelColumns::push(std::iter::once(None), &[LABEL], &mut rows)?;
            for column in [DOCUMENTS, KEPT, BYTES, KEPT_BYTES] {
                rows.push(&column, 0)?;
            }
            rows.push(&NAME, *name)?;
            rows.note(of);
            if rows.held_bytes() >= GROUP {
                file.put(&mut rows)?;
            }
        }
        file.put(&mut rows)?;
    }
    Ok(())
}

/// Adds what [`write`] wrote of a file.
pub(crate) fn read(file: &UnitFile, revisits: &mut Revisits) -> Result<(), Error> {
    let names = |of: u64| -> Result<Vec<u64>, Error> {
        let mut names = Vec::new();
        for group in file.groups_of(of..of + 1) {
            let column = file.column(group, &NAME)?;
            names.extend((0..column.len()).map(|row| column.at(row)));
        }
        Ok(names)
    };
    let [referred, gone] = OF.map(names);
    revisits.add([&referred?, &gone?]);
    Ok(())
}
