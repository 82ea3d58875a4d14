//! Labels of the rows of an Arrow column in memory: those that the rows of a file with this column have.

use crate::columns::arrow_cells::value_at;
use crate::columns::library::library;
use crate::documents::labels::of_json;
use crate::error::Error;
use arrow_array::{Array as _, ArrayRef};
use arrow_schema::Field;
use serde_json::Value;

/// The labels of the rows of a column `called` so, as [`Document::labels`](crate::Document::labels) has them.
///
/// # Errors
/// [`Error::LabelType`] of values that are no texts, numbers or truth values.
///
/// # Examples
/// ```
/// use arrow_array::{ArrayRef, Float64Array};
/// use nearprint_corpus::column_labels;
/// use std::sync::Arc;
///
/// let column: ArrayRef = Arc::new(Float64Array::from(vec![Some(0.0), Some(-0.0), Some(1.5), None]));
/// let labels = column_labels("share", &column)?;
/// let labels: Vec<_> = labels.iter().map(Option::as_deref).collect();
/// assert_eq!(labels, [Some("0"), Some("0"), Some("1.5"), None]);
/// # Ok::<(), nearprint_corpus::Error>(())
/// ```
pub fn column_labels(called: &str, column: &ArrayRef) -> Result<Vec<Option<String>>, Error> {
    let field = Field::new(called, column.data_type().clone(), true);
    let label = |row: usize| {
        let place = || format!("row {row}");
        match library(|| value_at(&field, column, row)) {
            Ok(Ok(Value::String(text))) => Ok(Some(text)),
            Ok(Ok(value)) => of_json(&value.to_string(), called, &place),
            Ok(Err(_)) | Err(_) => {
                let found = "a value that cannot be read";
                Err(Error::LabelType { place: place(), field: called.to_owned(), found })
            }
        }
    };
    (0..column.len()).map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::types::Float16Type;
    use arrow_array::{
        BinaryArray, BooleanArray, Date32Array, Decimal128Array, DurationSecondArray, Float32Array,
        Int64Array, ListArray, PrimitiveArray, StringArray, TimestampSecondArray,
    };
    use std::sync::Arc;

    #[test]
    fn every_type_of_one_value_has_the_label_of_a_file() {
        let half = PrimitiveArray::<Float16Type>::from_value(Default::default(), 1);
        let decimal = Decimal128Array::from(vec![150]).with_precision_and_scale(5, 2).unwrap();
        let columns: [(ArrayRef, &str); 11] = [
            (Arc::new(StringArray::from(vec!["a\"b"])), "a\"b"),
            (Arc::new(BooleanArray::from(vec![true])), "true"),
            (Arc::new(Int64Array::from(vec![-7])), "-7"),
            (Arc::new(Float32Array::from(vec![0.1])), "0.10000000149011612"),
            (Arc::new(Float32Array::from(vec![-0.0])), "0"),
            (Arc::new(half), "0"),
            (Arc::new(decimal), "1.50"),
            (Arc::new(Date32Array::from(vec![19_723])), "2024-01-01"),
            (Arc::new(TimestampSecondArray::from(vec![0])), "1970-01-01 00:00:00 +00:00"),
            (Arc::new(DurationSecondArray::from(vec![5])), "5s"),
            (Arc::new(BinaryArray::from(vec![&b"ab"[..]])), "ab"),
        ];
        for (column, label) in columns {
            let labels = column_labels("dump", &column).unwrap();
            assert_eq!(labels, [Some(label.to_owned())], "{}", column.data_type());
        }
        let lists = vec![Some(vec![Some(1)])];
        let lists: ArrayRef =
            Arc::new(ListArray::from_iter_primitive::<arrow_array::types::Int64Type, _, _>(lists));
        let refused = column_labels("dump", &lists).unwrap_err().to_string();
        assert!(refused.starts_with("row 0: the field \"dump\" must be a text"), "{refused}");
    }
}
