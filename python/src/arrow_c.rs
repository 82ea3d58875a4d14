//! Arrow over the C data interface, looked at before it is believed: what another program calls an array need
//! not be one. The interface carries no sizes of buffers, so a length that is possible is taken for true.
//!
//! Source: "The Arrow C data interface" and "The Arrow C stream interface", Apache Arrow.
#![expect(unsafe_code, reason = "the interface hands over pointers")]

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, make_array, new_empty_array};
use arrow_buffer::ArrowNativeType;
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// Columns of columns and dictionaries of dictionaries, at most.
const DEEPEST: usize = 64;
/// More rows, or bytes of a buffer, than any machine has.
const MOST: i64 = 1 << 48;
/// Most pairs of metadata, which are read into a list, and most bytes of a key or a value.
const PAIRS: i32 = 1 << 20;
const METADATA: i32 = 1 << 30;

/// Why something is no Arrow array.
type Lie = String;

/// An `ArrowArray`.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const u8,
    children: *const *const Array,
    dictionary: *const Array,
    release: *const c_void,
    private_data: *const c_void,
}

/// An `ArrowSchema`.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const u8,
    flags: i64,
    n_children: i64,
    children: *const *const Schema,
    dictionary: *const Schema,
    release: *const c_void,
    private_data: *const c_void,
}

/// The array in two capsules, of which it is taken.
pub(crate) fn array(
    schema: &Bound<'_, PyCapsule>,
    array: &Bound<'_, PyCapsule>,
) -> PyResult<Result<ArrayRef, Lie>> {
    let schema = schema.pointer_checked(Some(c"arrow_schema"))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(c"arrow_array"))?.cast::<FFI_ArrowArray>();
    // SAFETY: a capsule of that name has such a structure. It is left released, so that it is released once.
    let (schema, array) = unsafe {
        (FFI_ArrowSchema::from_raw(schema.as_ptr()), FFI_ArrowArray::from_raw(array.as_ptr()))
    };
    Ok(kind(&schema).and_then(|kind| imported(&schema, array, &kind, 0)))
}

/// The type of the arrays in the stream of a capsule, and its arrays; each time before one is asked for, `look`
/// may end it.
pub(crate) fn stream(
    capsule: &Bound<'_, PyCapsule>,
    look: impl Fn() -> PyResult<()>,
) -> PyResult<Result<(DataType, Vec<ArrayRef>), Lie>> {
    let stream = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule of that name has a stream. It is left released, so that it is released once.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.cast().as_ptr()) };
    let (Some(get_schema), Some(get_next), Some(_)) =
        (stream.get_schema, stream.get_next, stream.release)
    else {
        return Ok(Err("the stream was released already, or lacks a function".to_owned()));
    };
    let mut schema = FFI_ArrowSchema::empty();
    // Others may need the interpreter's lock to go on.
    let py = capsule.py();
    // SAFETY: the function is the stream's own, and both structures live.
    let failed = py.detach(|| unsafe { get_schema(&mut stream, &mut schema) });
    if failed != 0 {
        return Ok(Err(last_error(&mut stream, failed)));
    }
    let kind = match kind(&schema) {
        Ok(kind) => kind,
        Err(lie) => return Ok(Err(lie)),
    };
    let mut arrays = Vec::new();
    loop {
        look()?;
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as above.
        let failed = py.detach(|| unsafe { get_next(&mut stream, &mut array) });
        if failed != 0 {
            return Ok(Err(last_error(&mut stream, failed)));
        }
        if array.is_released() {
            return Ok(Ok((kind, arrays)));
        }
        let before = arrays.iter().map(|array: &ArrayRef| array.len()).sum();
        match imported(&schema, array, &kind, before) {
            Ok(array) => arrays.push(array),
            Err(lie) => return Ok(Err(lie)),
        }
    }
}

fn last_error(stream: &mut FFI_ArrowArrayStream, code: c_int) -> Lie {
    // SAFETY: the function is the stream's own. What it gives is null or a text that lives until the next call.
    let said = stream.get_last_error.map(|last| unsafe { last(stream) });
    match said.filter(|said| !said.is_null()) {
        Some(said) => unsafe { CStr::from_ptr(said) }.to_string_lossy().into_owned(),
        None => format!("the stream failed with the error {code}"),
    }
}

/// The type that a schema names.
fn kind(schema: &FFI_ArrowSchema) -> Result<DataType, Lie> {
    // SAFETY: both are the structure of the interface.
    let raw = unsafe { &*ptr::from_ref(schema).cast::<Schema>() };
    if raw.release.is_null() {
        return Err("it was released already".to_owned());
    }
    // SAFETY: the schema lives.
    unsafe { check_schema(raw, 0) }?;
    caught(|| DataType::try_from(schema).map_err(|error| error.to_string()))
}

/// The array of that type, whose contents nobody has checked; `before` rows came before it.
fn imported(
    schema: &FFI_ArrowSchema,
    mut array: FFI_ArrowArray,
    kind: &DataType,
    before: usize,
) -> Result<ArrayRef, Lie> {
    // SAFETY: these are the structures of the interface, and both live.
    unsafe {
        let schema = &*ptr::from_ref(schema).cast::<Schema>();
        let raw = &*ptr::from_ref(&array).cast::<Array>();
        if raw.release.is_null() {
            return Err("it was released already".to_owned());
        }
        check_array(schema, raw, 0)?;
        if raw.length == 0 {
            return Ok(new_empty_array(kind));
        }
        leave_out_buffers_of_nulls(schema, ptr::from_mut(&mut array).cast::<Array>());
    }
    caught(|| {
        // SAFETY: whoever handed it over promises that buffers are as long as their type and length say.
        let data = unsafe { from_ffi_and_data_type(array, kind.clone()) };
        let data = data.map_err(|error| error.to_string())?;
        check_values(&data, before)?;
        Ok(make_array(data))
    })
}

/// Leaves out the buffers of columns of nulls, which have none: polars hands over one.
///
/// # Safety
/// Both passed [`check_array`], and nobody else has the array.
unsafe fn leave_out_buffers_of_nulls(schema: &Schema, array: *mut Array) {
    // SAFETY: the caller's, here and below.
    unsafe {
        if text(schema.format) == Ok("n") {
            (*array).n_buffers = 0;
        }
        let types = listed(schema.children, schema.n_children).unwrap_or_default();
        for (at, kind) in types.into_iter().enumerate() {
            leave_out_buffers_of_nulls(kind, (*(*array).children.add(at)).cast_mut());
        }
        if let Some(values) = schema.dictionary.as_ref() {
            leave_out_buffers_of_nulls(values, (*array).dictionary.cast_mut());
        }
    }
}

/// What [`ArrayData::validate_full`] looks at, but for nulls of a column that its type forbids. `before` rows came before
/// these.
fn check_values(data: &ArrayData, before: usize) -> Result<(), Lie> {
    let broken = |error: ArrowError| format!("a broken Arrow array: {error}");
    match data.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 => {
            data.validate().and_then(|()| data.validate_nulls()).map_err(broken)?;
            check_strings(data, before)
        }
        DataType::Struct(_) => {
            data.validate().map_err(broken)?;
            data.child_data().iter().try_for_each(|child| check_values(child, before))
        }
        _ => data.validate_full().map_err(|error| match damaged_within(data, 0..data.len()) {
            Some(row) => {
                format!("a broken Arrow array: a text in row {} is not UTF-8", before + row)
            }
            None => broken(error),
        }),
    }
}

/// The first of some rows that holds bytes which are not UTF-8 in a list or a map.
fn damaged_within(data: &ArrayData, mut rows: Range<usize>) -> Option<usize> {
    /// The place of a row in the buffers of its column, or in its child.
    fn place<O: ArrowNativeType>(data: &ArrayData, row: usize) -> Option<Range<usize>> {
        let at = data.offset() + row;
        let [start, end] = *data.buffers().first()?.typed_data::<O>().get(at..at + 2)? else {
            return None;
        };
        Some(start.to_usize()?..end.to_usize()?)
    }
    let is_text = |place: Option<Range<usize>>| {
        let bytes = place.and_then(|place| data.buffers().get(1)?.as_slice().get(place));
        bytes.is_none_or(|bytes| simdutf8::basic::from_utf8(bytes).is_ok())
    };
    let child = data.child_data().first();
    let holds = |place: Option<Range<usize>>| {
        place.zip(child).is_some_and(|(place, child)| damaged_within(child, place).is_some())
    };
    match data.data_type() {
        DataType::Utf8 => rows.find(|row| !is_text(place::<i32>(data, *row))),
        DataType::LargeUtf8 => rows.find(|row| !is_text(place::<i64>(data, *row))),
        DataType::List(_) | DataType::Map(..) => rows.find(|row| holds(place::<i32>(data, *row))),
        DataType::LargeList(_) => rows.find(|row| holds(place::<i64>(data, *row))),
        DataType::FixedSizeList(_, size) => {
            let size = usize::try_from(*size).ok()?;
            rows.find(|row| {
                let start = (data.offset() + row) * size;
                holds(Some(start..start + size))
            })
        }
        DataType::Struct(_) => {
            let first = data.offset();
            let rows = first + rows.start..first + rows.end;
            let damaged = data.child_data().iter();
            damaged
                .filter_map(|child| damaged_within(child, rows.clone()))
                .min()
                .map(|row| row - first)
        }
        _ => None,
    }
}

/// What [`ArrayData::validate_values`] looks at, at the speed of memory, and of a slice its own texts alone.
fn check_strings(data: &ArrayData, before: usize) -> Result<(), Lie> {
    fn check<O: ArrowNativeType>(data: &ArrayData) -> Option<()> {
        let [offsets, values] = data.buffers() else { return None };
        if data.is_empty() {
            return Some(());
        }
        let offsets = offsets.typed_data::<O>().get(data.offset()..=data.offset() + data.len())?;
        let place = |offset: &O| offset.to_usize();
        let (start, end) = (place(offsets.first()?)?, place(offsets.last()?)?);
        let texts = simdutf8::basic::from_utf8(values.as_slice().get(start..end)?).ok()?;
        let mut last = start;
        let mut is_next = |offset: &O| {
            let next = place(offset).filter(|next| *next >= last)?;
            last = next;
            texts.is_char_boundary(next - start).then_some(())
        };
        offsets.iter().try_for_each(&mut is_next)
    }
    /// The first row that has bytes which are not UTF-8.
    fn damaged<O: ArrowNativeType>(data: &ArrayData) -> Option<usize> {
        let [offsets, values] = data.buffers() else { return None };
        let offsets = offsets.typed_data::<O>().get(data.offset()..=data.offset() + data.len())?;
        let is_damaged = |row: &[O]| {
            let [start, end] = row else { return false };
            let place = start.to_usize().zip(end.to_usize());
            let bytes = place.and_then(|(start, end)| values.as_slice().get(start..end));
            bytes.is_some_and(|bytes| simdutf8::basic::from_utf8(bytes).is_err())
        };
        offsets.windows(2).position(is_damaged)
    }
    let (checked, damaged): (_, fn(&ArrayData) -> _) = match data.data_type() {
        DataType::Utf8 => (check::<i32>(data), damaged::<i32>),
        _ => (check::<i64>(data), damaged::<i64>),
    };
    checked.ok_or_else(|| match damaged(data) {
        Some(row) => format!("a broken Arrow array: the text in row {} is not UTF-8", before + row),
        None => "a broken Arrow array: its offsets do not ascend within its bytes".to_owned(),
    })
}

/// What a library makes of a lie that nobody thought of.
fn caught<T>(work: impl FnOnce() -> Result<T, Lie>) -> Result<T, Lie> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err("a broken Arrow array, which contradicts itself".to_owned()))
}

fn unless(holds: bool, lie: &str) -> Result<(), Lie> {
    if holds { Ok(()) } else { Err(lie.to_owned()) }
}

/// The text at a pointer.
///
/// # Safety
/// It is null, or points to a text that ends with a zero byte.
unsafe fn text<'a>(pointer: *const c_char) -> Result<&'a str, Lie> {
    unless(!pointer.is_null(), "it names no type")?;
    // SAFETY: the caller's.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| "a type or a name is not UTF-8".to_owned())
}

/// The structures that a list of pointers names.
///
/// # Safety
/// The list is null, or has `count` pointers, each null or to a structure that lives.
unsafe fn listed<'a, T>(list: *const *const T, count: i64) -> Result<Vec<&'a T>, Lie> {
    let count = usize::try_from(count).map_err(|_| "it has a negative number of children")?;
    if count == 0 {
        return Ok(Vec::new());
    }
    unless(!list.is_null() && count < 1 << 20, "its children are not there")?;
    // SAFETY: the caller's.
    let children = (0..count).map(|at| unsafe { (*list.add(at)).as_ref() });
    children.collect::<Option<_>>().ok_or_else(|| "a child is not there".to_owned())
}

/// # Safety
/// The schema lives, and so does all that it points to.
unsafe fn check_schema(schema: &Schema, depth: usize) -> Result<(), Lie> {
    unless(depth < DEEPEST, "types within types have no end")?;
    // SAFETY: the caller's, here and below.
    unsafe {
        let format = text(schema.format)?;
        if !schema.name.is_null() {
            text(schema.name)?;
        }
        check_metadata(schema.metadata)?;
        let children = listed(schema.children, schema.n_children)?;
        let of_one = ["+l", "+L", "+m", "+w:", "+vl", "+vL"];
        if of_one.iter().any(|kind| format.starts_with(kind)) {
            unless(children.len() == 1, "a list has one child")?;
        }
        let wide = format.strip_prefix("w:").or_else(|| format.strip_prefix("+w:"));
        unless(!wide.is_some_and(|wide| wide.starts_with('-')), "a width is negative")?;
        children.into_iter().try_for_each(|child| check_schema(child, depth + 1))?;
        let Some(values) = schema.dictionary.as_ref() else { return Ok(()) };
        let is_integer = matches!(format, "c" | "C" | "s" | "S" | "i" | "I" | "l" | "L");
        unless(is_integer, "keys of a dictionary are integers")?;
        check_schema(values, depth + 1)
    }
}

/// # Safety
/// The pointer is null, or what it points to is as long as it says itself.
unsafe fn check_metadata(mut at: *const u8) -> Result<(), Lie> {
    if at.is_null() {
        return Ok(());
    }
    let mut number = || {
        // SAFETY: the caller's.
        unsafe {
            let number = at.cast::<i32>().read_unaligned();
            at = at.add(4);
            number
        }
    };
    let pairs = number();
    unless((0..PAIRS).contains(&pairs), "it has a wrong number of metadata")?;
    for _ in 0..2 * pairs {
        // SAFETY: the caller's.
        let bytes = unsafe { at.cast::<i32>().read_unaligned() };
        unless((0..METADATA).contains(&bytes), "metadata have a wrong length")?;
        // SAFETY: the caller's.
        at = unsafe { at.add(4 + usize::try_from(bytes).unwrap_or(0)) };
    }
    Ok(())
}

/// # Safety
/// The schema passed [`check_schema`]. Both live, and so does all that they point to.
unsafe fn check_array(schema: &Schema, array: &Array, depth: usize) -> Result<(), Lie> {
    unless(depth < DEEPEST, "arrays within arrays have no end")?;
    let rows = 0..MOST;
    unless(
        rows.contains(&array.length) && rows.contains(&array.offset),
        "its length or offset is negative or too large",
    )?;
    unless(
        array.null_count >= -1 && array.null_count <= array.length,
        "its number of nulls is wrong",
    )?;
    let end = usize::try_from(array.length + array.offset).unwrap_or(usize::MAX);
    // SAFETY: the caller's, here and below.
    unsafe {
        let format = text(schema.format)?;
        check_buffers(format, array, end)?;
        let (types, children) = (
            listed(schema.children, schema.n_children)?,
            listed(array.children, array.n_children)?,
        );
        unless(types.len() == children.len(), "it has more or fewer children than its type")?;
        for (kind, child) in types.into_iter().zip(children) {
            check_array(kind, child, depth + 1)?;
            let is_long = usize::try_from(child.length).is_ok_and(|length| length >= end);
            unless(!format.starts_with("+s") || is_long, "a column is shorter than its table")?;
        }
        match (schema.dictionary.as_ref(), array.dictionary.as_ref()) {
            (None, None) => Ok(()),
            (Some(kind), Some(values)) => check_array(kind, values, depth + 1),
            _ => Err("a dictionary has keys and values".to_owned()),
        }
    }
}

/// # Safety
/// As of [`check_array`]; buffers that are needed for `end` rows are as long as that.
unsafe fn check_buffers(format: &str, array: &Array, end: usize) -> Result<(), Lie> {
    let count = usize::try_from(array.n_buffers).unwrap_or(usize::MAX);
    unless(count < 1 << 20, "its number of buffers is negative or too large")?;
    let needed = match format {
        "n" => 0,
        "u" | "U" | "z" | "Z" | "vu" | "vz" => 3,
        _ if format.starts_with("+r") => 0,
        _ if ["+s", "+w:", "+us"].iter().any(|kind| format.starts_with(kind)) => 1,
        _ => 2,
    };
    unless(count >= needed, "it has too few buffers")?;
    if needed == 0 {
        return Ok(());
    }
    unless(!array.buffers.is_null(), "its buffers are not there")?;
    // SAFETY: the caller's, here and below: there are `count` buffers.
    unsafe {
        let buffer = |at: usize| *array.buffers.add(at);
        let last = match format {
            "u" | "z" if end > 0 && !buffer(1).is_null() => {
                i64::from(buffer(1).cast::<i32>().add(end).read_unaligned())
            }
            "U" | "Z" if end > 0 && !buffer(1).is_null() => {
                buffer(1).cast::<i64>().add(end).read_unaligned()
            }
            "vu" | "vz" if count > 3 => {
                let lengths = buffer(count - 1).cast::<i64>();
                unless(!lengths.is_null(), "the lengths of its buffers are not there")?;
                let mut lengths = (0..count - 3).map(|at| lengths.add(at).read_unaligned());
                let is_wrong = lengths.any(|length| !(0..MOST).contains(&length));
                return unless(!is_wrong, "a buffer has a negative length");
            }
            _ => 0,
        };
        unless((0..MOST).contains(&last), "a broken Arrow array: its last offset is negative")
    }
}
