//! Arrow arrays without encodings: what stands in dictionaries or in runs of equal values, each value in its row.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, Int64Type, RunEndIndexType};
use arrow_array::{Array, ArrayRef, UInt64Array, make_array};
use arrow_schema::{ArrowError, DataType, FieldRef};
use arrow_select::take::take;
use std::sync::Arc;

/// The type that values have without encodings, those within others included.
pub(crate) fn plain_type(of: &DataType) -> DataType {
    match of {
        DataType::Dictionary(_, values) => plain_type(values),
        DataType::RunEndEncoded(_, values) => plain_type(values.data_type()),
        other => with_children(other, &mut |field| {
            let plain = plain_type(field.data_type());
            Arc::new(field.as_ref().clone().with_data_type(plain))
        }),
    }
}

/// A type with others in the place of the fields within it, in their order; those of a dictionary are its values'.
pub(crate) fn with_children(
    of: &DataType,
    child: &mut dyn FnMut(&FieldRef) -> FieldRef,
) -> DataType {
    match of {
        DataType::Dictionary(keys, values) => {
            DataType::Dictionary(keys.clone(), Box::new(with_children(values, child)))
        }
        DataType::RunEndEncoded(ends, values) => {
            let ends = child(ends);
            DataType::RunEndEncoded(ends, child(values))
        }
        DataType::List(values) => DataType::List(child(values)),
        DataType::LargeList(values) => DataType::LargeList(child(values)),
        DataType::ListView(values) => DataType::ListView(child(values)),
        DataType::LargeListView(values) => DataType::LargeListView(child(values)),
        DataType::FixedSizeList(values, length) => DataType::FixedSizeList(child(values), *length),
        DataType::Map(entries, sorted) => DataType::Map(child(entries), *sorted),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(child).collect()),
        DataType::Union(fields, mode) => {
            let fields = fields.iter().map(|(id, field)| (id, child(field)));
            DataType::Union(fields.collect(), *mode)
        }
        other => other.clone(),
    }
}

/// The same values, of the [plain type](plain_type).
pub(crate) fn plain(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let to = plain_type(array.data_type());
    if to == *array.data_type() {
        return Ok(Arc::clone(array));
    }
    match array.data_type() {
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            take(&*plain(dictionary.values())?, dictionary.keys(), None)
        }
        DataType::RunEndEncoded(..) => {
            let runs = of_runs::<Int16Type>(array)
                .or_else(|| of_runs::<Int32Type>(array))
                .or_else(|| of_runs::<Int64Type>(array));
            let kind = || ArrowError::SchemaError("runs end at 16, 32 or 64 bits".to_owned());
            let (values, rows) = runs.ok_or_else(kind)?;
            take(&*plain(&values)?, &rows, None)
        }
        _ => {
            let data = array.to_data();
            let children = data.child_data().iter();
            let children = children.map(|child| Ok(plain(&make_array(child.clone()))?.to_data()));
            let children = children.collect::<Result<_, ArrowError>>()?;
            Ok(make_array(data.into_builder().data_type(to).child_data(children).build()?))
        }
    }
}

/// The values of runs, and which of them each row has.
fn of_runs<I: RunEndIndexType>(array: &ArrayRef) -> Option<(ArrayRef, UInt64Array)> {
    let runs = array.as_run_opt::<I>()?;
    let rows = (0..array.len()).map(|row| runs.get_physical_index(row) as u64);
    Some((Arc::clone(runs.values()), UInt64Array::from_iter_values(rows)))
}

/// Whether values of a type have a dictionary, those within others included.
pub(crate) fn has_dictionary(of: &DataType) -> bool {
    let mut found = matches!(of, DataType::Dictionary(..));
    with_children(of, &mut |field| {
        found |= has_dictionary(field.data_type());
        Arc::clone(field)
    });
    found
}

/// The dictionaries of an array, from the outermost to the innermost.
pub(crate) fn dictionaries(array: &ArrayRef) -> Vec<ArrayRef> {
    let mut found = Vec::new();
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        found.push(Arc::clone(dictionary.values()));
    }
    for child in array.to_data().child_data() {
        found.extend(dictionaries(&make_array(child.clone())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::builder::{ListBuilder, StringDictionaryBuilder};
    use arrow_array::types::Int8Type;
    use arrow_array::{DictionaryArray, Int8Array, Int32Array, RunArray, StringArray, StructArray};
    use arrow_schema::{Field, Fields};

    fn colours() -> DictionaryArray<Int8Type> {
        let mut builder = StringDictionaryBuilder::<Int8Type>::new();
        builder.extend([Some("red"), None, Some("blue"), Some("red")]);
        builder.finish()
    }

    fn texts(values: &[Option<&str>]) -> ArrayRef {
        Arc::new(StringArray::from(values.to_vec()))
    }

    #[test]
    fn each_row_has_its_value() {
        let plain_colours = texts(&[Some("red"), None, Some("blue"), Some("red")]);
        let array: ArrayRef = Arc::new(colours());
        assert_eq!(&plain(&array).unwrap(), &plain_colours);
        assert_eq!(dictionaries(&array).len(), 1);
        let ends = Int32Array::from(vec![1, 3, 4]);
        let runs = RunArray::<Int32Type>::try_new(&ends, &texts(&[Some("a"), None, Some("b")]));
        let runs: ArrayRef = Arc::new(runs.unwrap());
        let expected = texts(&[Some("a"), None, None, Some("b")]);
        assert_eq!(&plain(&runs).unwrap(), &expected);
        assert_eq!(&plain(&runs.slice(1, 3)).unwrap(), &expected.slice(1, 3));
        assert!(!has_dictionary(runs.data_type()) && dictionaries(&runs).is_empty());
        // Within others, and a dictionary of such.
        let mut lists = ListBuilder::new(StringDictionaryBuilder::<Int8Type>::new());
        for of in [&[Some("red"), None, Some("blue")][..], &[], &[Some("red")]] {
            lists.append_value(of.iter().copied());
        }
        let list: ArrayRef = Arc::new(lists.finish());
        let fields = Fields::from(vec![
            Field::new("n", DataType::Int32, true),
            Field::new("of", list.data_type().clone(), true),
        ]);
        let numbers: ArrayRef = Arc::new(Int32Array::from(vec![1, 2, 3]));
        let rows: ArrayRef = Arc::new(StructArray::new(fields, vec![numbers, list], None));
        let keys = Int8Array::from(vec![Some(2), None, Some(0)]);
        let outer: ArrayRef = Arc::new(DictionaryArray::new(keys, rows));
        assert!(has_dictionary(outer.data_type()));
        let found = plain(&outer.slice(1, 2)).unwrap();
        assert_eq!(found.data_type(), &plain_type(outer.data_type()));
        assert!(!has_dictionary(found.data_type()));
        assert!(found.is_null(0));
        let last = found.as_struct().column(1).as_list::<i32>().value(1);
        assert_eq!(&last, &plain_colours.slice(0, 3));
        assert_eq!(dictionaries(&outer).len(), 2);
    }
}
