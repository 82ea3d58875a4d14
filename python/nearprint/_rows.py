"""Rows as callers hold them: what the native module reads of them, and some of them in the caller's own type.

No library is imported here. What a library made is known by the library that is imported already.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from nearprint import _native
from nearprint._columns import are_paths, is_missing, names_of, refuse_equal, table_of
from nearprint._forms import form_of
from nearprint.table import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")


def held(data: Any) -> Any:
    """Give the data, or what it holds where it can be read once or may come in another order the next time."""
    _refuse_unread(data)
    if are_paths(data):
        return table_of(data) if isinstance(data, (str, bytes, os.PathLike)) else _of_files(data)
    data = _collected(data)
    if hasattr(data, "to_arrow_table"):
        return data.to_arrow_table()
    if hasattr(data, "read_all"):
        return data.read_all()
    return list(data) if hasattr(data, "__next__") else data


def held_with_text(data: Any, text: T | None) -> tuple[Any, T | str | None]:
    """Give what is held, and the column of its texts. That of files is called `text`, as for the command, unless one is named."""
    table = held(data)
    is_usual = text is None and are_paths(data) and "text" in names_of(table)
    return table, "text" if is_usual else text


def handed(data: Any, text: str | None, *others: str | None) -> Any:
    """Give what the native module reads: Arrow where there is any, and of a table no more columns than it needs."""
    _refuse_unread(data)
    data = _collected(data)
    more = [name for name in others if name is not None]
    names = [] if text is None else list(dict.fromkeys([text, *more]))
    if _is_a(data, "datasets", "Dataset"):
        return _of_dataset(data, names, more)
    if _is_column_of_dataset(data):
        return _of_dataset(data.source, [data.column_name])
    if _is_a(data, "pandas", "DataFrame") or _is_a(data, "pyarrow", "Table", "RecordBatch"):
        refuse_equal(names_of(data), names)
    if _is_a(data, "pandas", "DataFrame"):
        return _of_frame(data, names, more)
    if _is_a(data, "pandas", "Series", "Index") or _is_a(data, "pandas.api.extensions", "ExtensionArray"):
        column = sys.modules["pandas"].Series(data)
        _check_objects(column)
        if not _are_plain(column):
            if (table := _as_table(column.to_frame(""))) is not None:
                return table.column(0)
        elif hasattr(column, "__arrow_c_stream__"):
            return column
        # Conversations that Arrow has no type for, and before pandas 3.
        return [_plain(value) for value in column.astype(object).where(column.notna(), None).tolist()]
    if _is_a(data, "polars", "DataFrame"):
        return _of_polars(data.select(names) if names and set(names) <= set(data.columns) else data, more)
    if _is_a(data, "pyarrow", "Table", "RecordBatch"):
        if not names:
            # Other columns may be of types that only pyarrow knows.
            read = [at for at, field in enumerate(data.schema) if _may_be_read(field, more)]
            return data.select(read) if read else data
        return data.select(names) if set(names) <= set(data.column_names) else data
    return data


def is_conversation(value: Any) -> bool:
    """Say whether this is a list of messages or of texts, as Python or NumPy has it."""
    turns = _plain(value)
    return isinstance(turns, list) and all(turn is None or isinstance(turn, (str, dict)) for turn in turns)


def _plain(value: Any) -> Any:
    """A value with lists in the place of arrays of objects, which pandas has of the lists in files."""
    if isinstance(value, dict):
        return {name: _plain(of) for name, of in value.items()}
    if isinstance(value, list) or _is_a(value, "numpy", "ndarray") and value.dtype == object:
        return [_plain(of) for of in value]
    return value


def as_arrow(data: Any, name: str) -> Any:
    """Give what hands over a column of a table as Arrow; `None` where its values are objects of Python."""
    if isinstance(data, (list, tuple)):
        return None
    if _is_a(data, "pandas", "DataFrame"):
        refuse_equal(names_of(data), [name])
        frame = _columns_of_frame(data, [name])
        if name not in frame.columns or _holds_objects(frame[name]):
            return None
        return _as_table(frame[[name]])
    table = handed(data, name, name)
    return table if hasattr(table, "__arrow_c_stream__") else None


def _as_table(frame: Any) -> Any:
    """The table of Arrow of a frame of pandas; `None` where Arrow has no type for a column, such as of complex numbers."""
    try:
        return import_module("pyarrow").Table.from_pandas(frame, preserve_index=False)
    except (ImportError, TypeError, ValueError, NotImplementedError):
        return None


def _of_files(paths: Sequence[str | os.PathLike[str]]) -> Any:
    """The tables of several files as one."""
    tables = [table_of(path) for path in paths]
    return sys.modules["pyarrow"].concat_tables(tables, promote_options="default")


def fingerprinted(
    texts: Any,
    recipe: _native.Recipe,
    column: str,
    text: str | None = None,
    width: int | None = None,
    threads: int | None = None,
) -> _native.Array:
    """The fingerprints of texts; what is none of them is told by the name of their column."""
    try:
        return _native.fingerprint_column(texts, recipe, text, width, threads)
    except TypeError as refusal:
        said = str(refusal)
        raise TypeError(f"{column}: {said}{': convert this column' if 'strings, not' in said else ''}") from None


def whole(data: Any) -> Any:
    """Give a table with all its columns, as Arrow where there is any, or its rows where Arrow has no type for them."""
    _refuse_unread(data)
    if _is_a(data, "pandas", "DataFrame") and any(_is_mixed(data.iloc[:, at]) for at in range(data.shape[1])):
        return as_rows(data)
    return _of_dataset(data, data.column_names) if _is_a(data, "datasets", "Dataset") else data


def taken(data: Any, rows: NDArray[np.int64], keep: NDArray[np.bool_]) -> Any:
    """Give the kept rows of the data, in its type."""
    if hasattr(data, "iloc") or _is_a(data, "pandas", "Index"):
        return _taken_of_pandas(data, rows)
    if _is_a(data, "datasets", "Dataset"):
        return data.select(rows)
    if _is_column_of_dataset(data):
        return data.source.select(rows)[data.column_name]
    if hasattr(data, "gather_every"):
        import polars

        return data.filter(polars.Series(keep))
    if hasattr(data, "ndim"):
        return data[rows]
    if hasattr(data, "take"):
        return _taken_of_arrow(data, rows) if "pyarrow" in sys.modules else data.take(rows)
    if hasattr(data, "__arrow_c_stream__"):
        return Table(_native.take(data, rows))
    return [data[row] for row in rows.tolist()]


def retold(data: Any, name: str | None, texts: Any, rows: NDArray[np.int64], keep: NDArray[np.bool_]) -> Any:
    """Give the kept rows of the data, with other texts, in its type: in the column of a name, if it is a table."""
    left = taken(data, rows, keep)
    if _is_a(data, "polars", "DataFrame", "Series"):
        old = left if name is None else left[name]
        column = _polars_of(texts, old.dtype).alias(old.name)
        return column if name is None else left.with_columns(column)
    if _is_a(data, "pyarrow", "Table", "RecordBatch", "Array", "ChunkedArray"):
        pyarrow = sys.modules["pyarrow"]
        if name is None:
            column = _arrow_of(texts, data.type)
            return pyarrow.chunked_array([column]) if isinstance(data, pyarrow.ChunkedArray) else column
        at = left.schema.get_field_index(name)
        return left.set_column(at, left.schema.field(at), _arrow_of(texts, left.schema.field(at).type))
    if _is_a(data, "pandas", "DataFrame"):
        if name not in left.columns:
            raise TypeError(f"the texts are in the index {name!r}: make it a column by reset_index()")
        column = sys.modules["pandas"].Series(**_pandas_of(texts, left[name]), index=left.index)
        return left.assign(**{str(name): column})
    if _is_a(data, "pandas", "Series", "Index"):
        return type(left)(**_pandas_of(texts, left), name=left.name, **_index_of(left))
    values = texts.to_numpy().tolist()
    if _is_a(data, "datasets", "Dataset"):
        names, kind = left.column_names, left.features[name]
        if "binary" in str(getattr(kind, "dtype", "")):
            values = _bytes_of(values)
        return left.remove_columns([name]).add_column(name, values, feature=kind).select_columns(names)
    if _is_a(data, "numpy", "ndarray"):
        import numpy

        are_bytes = data.dtype.kind == "S" or any(isinstance(one, bytes) for one in left)
        return numpy.array(_bytes_of(values) if are_bytes else values, object if data.dtype == object else None)
    if hasattr(data, "__arrow_c_stream__") and not _is_column_of_dataset(data):
        return Table(_native.with_texts(left._table, name or "text", texts))
    if name is not None and isinstance(data, (list, tuple)):
        return [row if text is None else {**row, name: text} for row, text in zip(left, values, strict=True)]
    return values


def _index_of(left: Any) -> dict[str, Any]:
    return {"index": left.index} if hasattr(left, "index") else {}


def _bytes_of(texts: Iterable[str | None]) -> list[bytes | None]:
    return [None if text is None else text.encode() for text in texts]


def _arrow_of(texts: Any, kind: Any) -> Any:
    """Texts as an array of pyarrow of a type that has texts."""
    pyarrow = sys.modules["pyarrow"]
    array = pyarrow.array(texts)
    if pyarrow.types.is_dictionary(kind):
        return array.cast(kind.value_type).dictionary_encode().cast(kind)
    if pyarrow.types.is_run_end_encoded(kind):
        encode = import_module("pyarrow.compute").run_end_encode
        return encode(array.cast(kind.value_type), run_end_type=kind.run_end_type)
    if array.null_count == len(array):
        return pyarrow.nulls(len(array), kind)
    return array.cast(kind)


def _polars_of(texts: Any, kind: Any) -> Any:
    """Texts as a series of polars of a type that has texts; an enumeration gets those that it lacks."""
    polars = sys.modules["polars"]
    column = polars.Series(texts)
    if isinstance(kind, polars.Enum):
        there = kind.categories.to_list()
        kind = polars.Enum(list(dict.fromkeys([*there, *column.drop_nulls().to_list()])))
    return column.cast(kind)


def _pandas_of(texts: Any, old: Any) -> dict[str, Any]:
    """Texts as values of pandas of the type of a column of texts; categories get those that they lack."""
    pandas, kind = sys.modules["pandas"], old.dtype
    if hasattr(kind, "pyarrow_dtype"):
        column = sys.modules["pyarrow"].chunked_array([_arrow_of(texts, kind.pyarrow_dtype)])
        return {"data": type(old.array)(column)}
    values = texts.to_numpy().tolist()
    are_categories = isinstance(kind, pandas.CategoricalDtype)
    if any(isinstance(one, bytes) for one in (kind.categories if are_categories else old if kind == object else ())):
        values = _bytes_of(values)
    if are_categories:
        there = dict.fromkeys([*kind.categories, *(value for value in values if value is not None)])
        kind = pandas.CategoricalDtype(list(there), kind.ordered)
    return {"data": values, "dtype": kind}


def _taken_of_pandas(data: Any, rows: NDArray[np.int64]) -> Any:
    """Some rows of what pandas holds, which takes those of Arrow columns by pyarrow."""
    try:
        return data.iloc[rows] if hasattr(data, "iloc") else data[rows]
    except NotImplementedError:
        pandas = sys.modules["pandas"]
        if isinstance(data, pandas.DataFrame):
            columns = [_taken_of_pandas(data.iloc[:, at], rows) for at in range(data.shape[1])]
            frame = pandas.concat(columns, axis=1, keys=range(len(columns)))
            return frame.set_axis(data.columns, axis=1)
        array = data.array
        left = type(array)(_taken_of_arrow(sys.modules["pyarrow"].chunked_array(array.__arrow_array__()), rows))
        index = {} if isinstance(data, pandas.Index) else {"index": _taken_of_pandas(data.index, rows)}
        return type(data)(left, name=data.name, **index)


def _taken_of_arrow(data: Any, rows: NDArray[np.int64]) -> Any:
    """Some rows of what pyarrow holds, which takes none of some types: views of strings, runs, and what has these."""
    try:
        return data.take(rows)
    except NotImplementedError:
        pyarrow = sys.modules["pyarrow"]
        if isinstance(data, (pyarrow.Table, pyarrow.RecordBatch)):
            columns = [_taken_of_arrow(column, rows) for column in data.columns]
            return type(data).from_arrays(columns, schema=data.schema)
        left = pyarrow.table(_native.take(pyarrow.table([data], [""]), rows)).column(0)
        # Maps lose the names of their fields.
        left = left if left.type == data.type else left.cast(data.type)
        return left if isinstance(data, pyarrow.ChunkedArray) else left.chunk(0)


def _collected(data: Any) -> Any:
    """Give the table of what is still to be read: a query of polars, a dataset of pyarrow."""
    if _is_a(data, "polars", "LazyFrame"):
        return data.collect()
    return data.to_table() if _is_a(data, "pyarrow.dataset", "Dataset", "Scanner") else data


def _is_a(data: Any, library: str, *classes: str) -> bool:
    """Say whether the data is of a class of a library: one that is not imported has made nothing."""
    module = sys.modules.get(library)
    kinds = [getattr(module, name, None) for name in classes]
    return any(isinstance(kind, type) and isinstance(data, kind) for kind in kinds)


def _may_be_read(field: Any, others: list[str]) -> bool:
    texts = ("string", "large_string", "binary", "large_binary", "dictionary", "run_end_encoded", "null", "extension<arrow.json>")
    kind = str(field.type)
    # Messages are lists of structures.
    return field.name in others or kind.startswith(texts) or "list" in kind.partition("<")[0] and ": struct<" in kind


def _is_column_of_dataset(data: Any) -> bool:
    return _is_a(data, "datasets.arrow_dataset", "Column") and _is_a(data.source, "datasets", "Dataset")


def _refuse_unread(data: Any) -> None:
    kind = type(data).__name__
    if _is_a(data, "datasets", "DatasetDict", "IterableDatasetDict"):
        names = ", ".join(repr(str(name)) for name in data)
        raise TypeError(
            f"a {kind} has several datasets ({names}): give one of them, or all as one by "
            "datasets.concatenate_datasets(list(data.values()))"
        )
    if _is_a(data, "datasets", "IterableDataset"):
        raise TypeError(
            f"an {kind} is read in passing, and all rows are needed at once: load it without streaming=True, or give "
            "its files to nearprint.dedup_files; nearprint.integrations.datasets.Fingerprints streams"
        )


def _of_dataset(dataset: Any, names: list[str], others: Sequence[str] = ()) -> Any:
    """The rows of a dataset in the order of its indices; without indices no byte is copied."""
    if not names:
        names = [field.name for field in dataset.features.arrow_schema if _may_be_read(field, list(others))]
    if names and set(names) <= set(dataset.column_names):
        dataset = dataset.select_columns(names)
    arrow = dataset.with_format("arrow")
    if len(dataset) == 0 or dataset._indices is None:
        return arrow[:]
    # Rows that go by indices come as a chunk each.
    pieces = [piece.combine_chunks() for piece in arrow.iter(batch_size=10_000)]
    return sys.modules["pyarrow"].concat_tables(pieces)


def _of_polars(frame: Any, others: list[str]) -> Any:
    """A frame of polars, with integers of 128 bits as texts: Arrow has no such type."""
    polars = sys.modules["polars"]
    wide = {getattr(polars, name, None) for name in ("Int128", "UInt128")} - {None}
    for name, kind in frame.schema.items():
        if name in others and kind == polars.Object:
            # It would be handed over as addresses of memory.
            raise TypeError(f"the column {name!r} of polars holds objects of Python: cast it to texts, numbers or times")
    texts = [name for name, kind in frame.schema.items() if name in others and kind in wide]
    return frame.with_columns(polars.col(texts).cast(polars.String)) if texts else frame


def _of_frame(frame: Any, names: list[str], others: list[str]) -> Any:
    """The columns of a frame of pandas, and levels of its index that are named; as rows, if Arrow has no type for one."""
    frame = _columns_of_frame(frame, names or others)
    if not set(names or others) <= set(frame.columns):
        return frame
    if not names:
        frame = _with_texts(frame, others)
    else:
        # An index can hold what Arrow cannot.
        frame = frame[names].reset_index(drop=True)
        _check_objects(frame.iloc[:, 0])
    said = names[:1] if names and not _are_plain(frame.iloc[:, 0]) else []
    exact = {name: column for name in others if (column := _exact(frame[name])) is not None}
    frame = frame.assign(**exact) if exact else frame
    if not any(_is_mixed(frame[name]) for name in others):
        table = _as_table(frame) if said else frame
        if table is not None:
            return table
    # Rows hold objects of Python: Arrow has no type for conversations of several forms.
    plain = {name: _objects(_plain(value) for value in frame[name].tolist()) for name in said}
    return as_rows(frame.assign(**plain, **{name: _formed(frame[name]) for name in others if name not in said}))


def _formed(column: Any) -> Any:
    """A column of pandas as objects of the form that the command writes them in."""
    return _objects(None if is_missing(value) else form_of(value) for value in column.tolist())


def _objects(values: Iterable[Any]) -> Any:
    """A column of pandas of these objects."""
    return sys.modules["pandas"].Series(list(values), dtype=object)


def _columns_of_frame(frame: Any, names: list[str]) -> Any:
    """A frame of pandas with the levels of its index that are named as columns."""
    levels = [name for name in names if name not in frame.columns and name in frame.index.names]
    return frame.reset_index(level=levels) if levels else frame


def _exact(column: Any) -> Any:
    """A column of objects as the command writes them, where pyarrow would round them or make them one type; else `None`."""
    pandas = sys.modules["pandas"]
    plain = ("string", "bytes", "boolean", "floating", "decimal", "empty")
    if isinstance(column.dtype, pandas.SparseDtype):
        return column.sparse.to_dense()
    if getattr(column.dtype, "kind", "") == "c" or column.dtype == "longdouble":
        raise TypeError(f"the column {column.name!r} is one of {column.dtype}: make it one of float64 or of texts")
    if not _holds_objects(column) or pandas.api.types.infer_dtype(column.astype(object), skipna=True) in plain:
        return None
    values = _formed(column).tolist()
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float}:
        are_short = all(not isinstance(value, int) or -(2**63) <= value < 2**63 for value in values)
        return None if are_short else pandas.Series([None if value is None else str(value) for value in values], dtype=object)
    if kinds != {bool} and not (str in kinds and kinds <= {str, int, float, bool}):
        names = " and ".join(sorted(kind.__name__ for kind in kinds))
        raise TypeError(
            f"the column {column.name!r} has values of type {names}: make all of them texts, numbers, truth values, dates or times"
        )
    return pandas.Series(values, dtype=object)


def _holds_objects(column: Any) -> bool:
    """Say whether a column of pandas has objects of Python, be they categories."""
    return bool(getattr(column.dtype, "categories", column).dtype == object)


def _with_texts(frame: Any, others: list[str]) -> Any:
    """A frame without objects that are no texts, unless they are named. Where it has nothing else, one with texts is refused."""
    objects = [at for at, name in enumerate(frame.columns) if frame.dtypes.iloc[at] == object and name not in others]
    wrong = [at for at in objects if not _are_plain(frame.iloc[:, at]) and not _are_messages(frame.iloc[:, at])]
    if not wrong:
        return frame
    mixed = next((at for at in wrong if _is_mixed(frame.iloc[:, at])), None)
    kept = [at for at in range(frame.shape[1]) if at not in wrong]
    if mixed is not None and not any(frame.dtypes.iloc[at] == object or "str" in str(frame.dtypes.iloc[at]) for at in kept):
        _check_objects(frame.iloc[:, mixed])
    return frame.iloc[:, kept].reset_index(drop=True)


def _are_messages(column: Any) -> bool:
    """Say whether a column of pandas has lists of objects that Arrow has a type for."""
    first = _plain(next(iter(column.dropna()), None))
    return isinstance(first, list) and isinstance(next(iter(first), None), dict) and _as_table(column.to_frame("")) is not None


def _is_mixed(column: Any) -> bool:
    """Say whether a column of pandas has texts and other objects, which Arrow has no type for."""
    infer: Any = sys.modules["pandas"].api.types.infer_dtype
    if column.dtype != object or not infer(column, skipna=True).startswith("mixed"):
        return False
    kinds = {type(value) for value in column.dropna()}
    return str in kinds and len(kinds) > 1


def as_rows(frame: Any) -> list[dict[str, Any]]:
    """The rows of a frame of pandas as dicts; what is missing is ``None``."""
    rows: list[dict[str, Any]] = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return rows


def _are_plain(column: Any) -> bool:
    """Say whether a column of pandas is of a type of its own, or of objects that are all str or all bytes."""
    infer: Any = sys.modules["pandas"].api.types.infer_dtype
    return not _holds_objects(column) or infer(column.astype(object), skipna=True) in ("string", "bytes", "empty")


def _check_objects(column: Any) -> None:
    """Refuse objects that are neither all str nor all conversations, nor all bytes. None, NaN and NA are missing texts."""
    if _are_plain(column):
        return
    pandas = sys.modules["pandas"]
    # The first tells what the others are.
    expected = ""
    for row, text in enumerate(column):
        if pandas.api.types.is_scalar(text) and pandas.isna(text):
            continue
        kind = "str" if isinstance(text, str) else "list" if is_conversation(text) else type(text).__name__
        expected = expected or (kind if kind == "list" else "str")
        if kind != expected:
            of = "" if column.name is None else f" of the column {str(column.name)!r}"
            raise TypeError(f"row {row}{of} is of type {kind}, not {expected}: convert it, or make it None")
