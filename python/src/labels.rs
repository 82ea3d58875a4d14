//! Labels of rows: the values of a column that groups them, as texts.

use crate::text_column::{is_text, text_at};
use arrow_array::cast::AsArray;
use arrow_array::{Array as _, ArrayRef, downcast_integer_array};
use arrow_schema::DataType;
use nearprint_corpus::{json_of, label_of};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// The labels of the rows of a column, which an argument names: a text, a number or a truth value each, and what the
/// command reads as a text, such as a date; `None` where it is missing.
pub(crate) fn labels_of(argument: &str, column: &ArrayRef) -> PyResult<Vec<Option<String>>> {
    let each = |label: &dyn Fn(usize) -> String| {
        (0..column.len()).map(|row| column.is_valid(row).then(|| label(row))).collect()
    };
    Ok(match column.data_type() {
        kind if is_text(kind) => {
            (0..column.len()).map(|row| text_at(column, row).map(str::to_owned)).collect()
        }
        DataType::Boolean => each(&|row| column.as_boolean().value(row).to_string()),
        kind => {
            let array = column.as_ref();
            downcast_integer_array!(
                array => each(&|row| array.value(row).to_string()),
                _ => return (0..column.len()).map(|row| {
                    let json = json_of(column, row).ok();
                    let label = json.and_then(|json| label_of(&json).ok());
                    label.ok_or_else(|| PyTypeError::new_err(format!(
                        "{argument}= names a column of {kind}: rows are grouped by texts, numbers or truth values"
                    )))
                }).collect(),
            )
        }
    })
}
