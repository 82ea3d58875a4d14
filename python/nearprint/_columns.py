"""Columns of rows as callers hold them, as lists; files as tables.

What the native module reads of rows is in `_rows`, and the values of columns as the command writes them in `_values`.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import TypeIs


class NotATable(TypeError):
    """A file has no rows that pyarrow reads, or is not there.

    Attributes
    ----------
    path, is_there
        The name of the file, and whether there is one.
    """

    def __init__(self, said: str, path: str, is_there: bool = True) -> None:
        """Take what is said of it, which the call that was made completes, and its name."""
        super().__init__(said)
        self.path = path
        self.is_there = is_there


def are_paths(data: Any) -> TypeIs[str | os.PathLike[str] | Sequence[str | os.PathLike[str]]]:
    """Say whether these are names of files: a `str`, a path, or a list of paths or of files that are there."""
    if isinstance(data, (str, bytes, os.PathLike)):
        return True
    if not isinstance(data, (list, tuple)) or not data:
        return False
    if all(isinstance(one, os.PathLike) for one in data):
        return True
    # A list of texts is one of texts, unless each is the name of a file.
    return all(isinstance(one, str) and len(one) < 4096 and "\n" not in one and os.path.exists(one) for one in data)


def are_texts(data: Any) -> bool:
    """Say whether these are texts, or a table or a file of them, and no fingerprints."""
    if isinstance(data, (str, bytes)) or hasattr(data, "__fspath__"):
        return True
    if isinstance(data, (list, tuple)):
        first = next((one for one in data if one is not None and not (isinstance(one, list) and not one)), None)
        return isinstance(first, (str, dict)) or hasattr(first, "__fspath__") or _are_said(first)
    if isinstance(getattr(data, "column_names", None), list) or hasattr(data, "columns") or hasattr(data, "to_table"):
        return True
    kind = str(getattr(data, "dtype", None) or getattr(data, "type", "")).lower()
    if kind == "object":
        return any(isinstance(one, str) or _are_said(one) for one in data)
    if kind == "category":
        return are_texts(data.dtype.categories)
    return any(name in kind for name in ("str", "utf8", "json")) or kind.startswith(("<u", "categorical", "enum"))


def _are_said(row: Any) -> bool:
    """Say whether a row is a list of texts or of messages."""
    turns = row if isinstance(row, list) or getattr(row, "dtype", None) == object else []
    return any(isinstance(turn, (str, dict)) for turn in turns)


# How names of files of Arrow end.
_ARROW = (".arrow", ".arrows", ".ipc", ".feather")

# How pyarrow reads files whose names end so.
_FORMATS = {
    **dict.fromkeys((".jsonl", ".ndjson", ".json"), "json"),
    ".csv": "csv",
    **dict.fromkeys((".tsv", ".tab"), "tsv"),
    ".parquet": "parquet",
    **dict.fromkeys(_ARROW, "ipc"),
    ".orc": "orc",
}

# Bytes of a block of text that pyarrow reads at once, in which a record has to end.
_BLOCK = 64 << 20

# What `datasets` saves beside files of Arrow.
_BESIDE = ("state.json", "dataset_info.json", "dataset_dict.json", "dataset_infos.json")

# How files of names that tell nothing begin.
_BEGINNINGS = {b"PAR1": "parquet", b"ARRO": "ipc", b"\xff\xff\xff\xff": "ipc"}


def table_of(path: str | bytes | os.PathLike[str]) -> Any:
    """Read a file, or a folder of files, as a table of pyarrow."""
    name = os.fsdecode(path)
    if not os.path.exists(name):
        raise NotATable(f"the text {name[:60]!r} is no list of texts, and no file has that name", name[:60], False)
    try:
        pyarrow: Any = import_module("pyarrow")
        for part in ("pyarrow.dataset", "pyarrow.json"):
            import_module(part)
    except ImportError:
        raise TypeError(
            f"{name!r} is a path, and pyarrow, which reads it, is not installed: install pyarrow, or call "
            f"nearprint.dedup_files({name!r}, output)"
        ) from None
    if os.path.isdir(name) and not any(files for _, _, files in os.walk(name)):
        raise ValueError(f"the folder {name!r} holds no file to read")
    ends = name.lower().removesuffix(".gz").removesuffix(".bz2").removesuffix(".zst")
    files = _arrow_of(name)
    kind = "ipc" if files else next((kind for ending, kind in _FORMATS.items() if ends.endswith(ending)), None)
    if kind is None and os.path.isfile(name):
        with open(name, "rb") as file:
            kind = _BEGINNINGS.get(file.read(4))
        if kind is None:
            raise NotATable(f"the file {name!r} is no table (JSONL, CSV, TSV, Parquet, Arrow, Feather or ORC)", name)
    try:
        if files:
            return pyarrow.concat_tables([_of_file(file, kind) for file in files], promote_options="default")
        # Datasets of pyarrow have no streams of Arrow, no TSV, no JSON in large records, and no names that are not UTF-8.
        if os.path.isfile(name) and (kind in ("ipc", "csv", "tsv", "json") or not _is_utf8(name)):
            return _of_file(name, kind)
        return pyarrow.dataset.dataset(name, format=kind or "parquet").to_table()
    except (OSError, pyarrow.ArrowInvalid) as refusal:
        why = str(refusal).splitlines()[0]
        raise NotATable(f"the file {name!r} is not read by pyarrow as {(kind or 'parquet').upper()} ({why})", name) from None


def _arrow_of(folder: str) -> list[str]:
    """The files of a folder whose data is Arrow alone, as `save_to_disk` of `datasets` writes it, in the order of the command."""
    found = [os.path.join(below, file) for below, _, files in os.walk(folder) for file in _data_of(files)]
    parts = [os.path.relpath(file, folder).split(os.sep) for file in found]
    shown = sorted(path for path in parts if not any(name.startswith((".", "_")) for name in path))
    is_arrow = all(path[-1].lower().endswith(_ARROW) for path in shown)
    return [os.path.join(folder, *path) for path in shown] if is_arrow else []


def _data_of(files: list[str]) -> list[str]:
    """The files of one folder without what `datasets` saves beside them, and without what it has computed of these."""
    data = [file for file in files if file not in _BESIDE]
    own = [file for file in data if not (file.startswith("cache-") and file.endswith(".arrow"))]
    return own or data if "state.json" in files else data


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _of_file(name: str, kind: str | None) -> Any:
    """The table that one file has, whatever its name is."""
    pyarrow = sys.modules["pyarrow"]
    packed = {"gz": "gzip", "bz2": "bz2", "zst": "zstd"}.get(name.lower().rpartition(".")[2])
    with open(name, "rb") as file:
        source: Any = file if packed is None else pyarrow.input_stream(file, compression=packed)
        if kind == "json":
            return pyarrow.json.read_json(source, pyarrow.json.ReadOptions(block_size=_BLOCK))
        if kind in ("csv", "tsv"):
            csv: Any = import_module("pyarrow.csv")
            cells = csv.ParseOptions(delimiter="\t" if kind == "tsv" else ",", newlines_in_values=True)
            return csv.read_csv(source, csv.ReadOptions(block_size=_BLOCK), cells)
        if packed is not None:
            source = pyarrow.BufferReader(source.read())
        if kind != "ipc":
            return import_module(f"pyarrow.{kind}").read_table(source)
        ipc: Any = import_module("pyarrow.ipc")
        is_file = source.read(6) == b"ARROW1"
        source.seek(0)
        return (ipc.open_file if is_file else ipc.open_stream)(source).read_all()


def names_of(data: Any) -> list[Any]:
    """Give the names of the columns of a table; none if it is not a table."""
    names = getattr(data, "column_names", None)
    if names is None:
        names = getattr(data, "columns", None)
    return [] if names is None else list(names)


def refuse_equal(there: list[Any], names: Iterable[str]) -> None:
    """Refuse columns that are read and of which several have one name: none of them is the one that is meant."""
    for name in names:
        if there.count(name) > 1:
            raise ValueError(f'two columns have the name "{name}"; rename one of them')


def has_column(data: Any, name: str) -> bool:
    """Say whether these are rows with such a column."""
    if isinstance(data, (list, tuple)):
        return any(isinstance(row, dict) and name in row for row in data)
    return name in names_of(data)


def column_of(data: Any, name: str) -> list[Any]:
    """Give the values of a column; what is missing there is `None`."""
    if isinstance(data, (list, tuple)):
        if data and not all(row is None or isinstance(row, dict) for row in data):
            raise TypeError(f"{name!r} names a column of a table, and data is a list of {type(data[0]).__name__}")
        rows = [row or {} for row in data]
        if rows and not any(name in row for row in rows):
            raise ValueError(_no_column(name, rows[0]))
        return [None if is_missing(value := row.get(name)) else value for row in rows]
    names = names_of(data)
    if not names and hasattr(data, "__arrow_c_stream__"):
        data = import_module("pyarrow").table(data)
        names = data.column_names
    refuse_equal(names, [name])
    if name not in names:
        index = getattr(getattr(data, "index", None), "names", ())
        if name in index:
            return column_of(data.reset_index(level=name), name)
        if not names:
            raise TypeError(f"{name!r} names a column of a table, and data is of type {type(data).__name__}")
        raise ValueError(_no_column(name, names))
    return listed(data[name])


def listed(column: Any) -> list[Any]:
    """Give the values of a column by itself; what is missing there is `None`."""
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            column = getattr(column, method)()
            break
    return [None if is_missing(value) else value for value in column]


def _no_column(name: str, there: Iterable[Any]) -> str:
    return f'no column "{name}"; there are {", ".join(chr(34) + str(one) + chr(34) for one in there)}'


def named_columns(keep_by: str | Sequence[str]) -> list[tuple[str, str]]:
    """Give the columns that documents are kept by, each with what stands behind it."""
    named = _listed(keep_by) if isinstance(keep_by, str) else keep_by
    if not isinstance(named, (list, tuple)) or not all(isinstance(one, str) for one in named):
        raise TypeError(f"keep_by= is a text such as 'date:max', or a list of such, not {type(keep_by).__name__}")
    if not named:
        raise ValueError("keep_by= is an empty list: name a column and a rule, such as 'date:max'")
    return [(column, rule) for column, _, rule in (one.rpartition(":") for one in named)]


def _listed(keep_by: str) -> list[str]:
    """The columns of a text with commas, as the command takes it; one column where a part has no rule."""
    parts = [part.strip() for part in keep_by.split(",")]
    return parts if all(part.endswith((":max", ":min")) for part in parts) else [keep_by]


def rules_of(keep_by: str | Sequence[str]) -> list[tuple[str, str]]:
    """Give the columns that documents are kept by, each with its rule, `max` or `min`: the later ones break ties."""
    rules = named_columns(keep_by)
    for _, rule in rules:
        if rule not in ("max", "min"):
            raise ValueError(f"keep_by names a column and a rule, such as 'date:max' or 'date:min', not {rule!r}")
    return rules


def is_missing(value: Any) -> bool:
    if value is None or isinstance(value, float) and math.isnan(value):
        return True
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, (numpy.datetime64, numpy.timedelta64)):
        return bool(numpy.isnat(value))
    pandas = sys.modules.get("pandas")
    return pandas is not None and (value is pandas.NA or value is pandas.NaT)
