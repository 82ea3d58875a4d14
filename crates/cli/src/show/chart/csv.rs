//! The numbers of a picture as CSV.

/// The file: a header, then the rows.
pub(super) fn document(rows: &[Vec<String>]) -> anyhow::Result<Vec<u8>> {
    let mut out = csv::Writer::from_writer(Vec::new());
    for row in rows {
        out.write_record(row)?;
    }
    Ok(out.into_inner()?)
}
