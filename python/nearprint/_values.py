"""Values of columns, be they of Arrow or objects of Python, as the command reads and writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from nearprint import _native
from nearprint._columns import column_of, has_column, listed, names_of
from nearprint._forms import form_of, id_of
from nearprint._rows import as_arrow, handed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def values_of(data: Any, name: str) -> list[Any]:
    """Give the values of a column or of a field within one, as `docs/rows.md` has them; what is missing there is `None`."""
    if is_nested(data, name):
        return _values_within(data, name)
    table = as_arrow(data, name)
    return [form_of(value) for value in column_of(data, name)] if table is None else _native.values_of(table, name)


# How types of columns begin whose values may be whole numbers.
_NUMBERS = ("int", "uint", "float", "double", "object")


def ids_of(ids: Any) -> Any:
    """Give ids as texts, of whole numbers their digits; a column of texts as it is."""
    kind = str(getattr(ids, "dtype", None) or getattr(ids, "type", "")).lower()
    is_listed = isinstance(ids, Sequence) and not isinstance(ids, (bytes, bytearray, memoryview)) or hasattr(ids, "__next__")
    return [id_of(one) for one in listed(ids)] if is_listed or kind.startswith(_NUMBERS) else ids


def texts_of(data: Any, text: str | Sequence[str] | None, said: bool = True) -> list[str | None]:
    """Give the texts of rows; those of several columns as one text, as the command joins them: a line each.

    Missing ones are left out, and a row without any has none. What was said in conversations is a text where that is
    asked for.
    """
    if text is None and isinstance(data, (list, tuple)) and has_column(data, "text"):
        text = "text"
    if text is None or isinstance(text, str):
        return _texts_of_one(data, text, said)
    columns = [_texts_of_one(data, name, said) for name in text]
    present = ([part for part in parts if part is not None] for parts in zip(*columns, strict=True))
    return ["\n".join(parts) if parts else None for parts in present]


def texts_called(values: Iterable[Any], name: str, said: bool = True) -> list[str | None]:
    """Give the texts of the values of a column: what its name says that they are, be it messages as JSON."""
    rows = [{name: value} for value in values]
    return _native.texts_of(rows, name, said) if rows else []


def one_text(
    data: Any, text: str | Sequence[str] | None, id: str | None, *others: str | None, said: bool = True
) -> tuple[Any, str | None, str | None]:
    """Give data with one column of texts, and the names of the columns of texts and ids in it.

    Several columns of texts are joined, as the command joins them: a line each. The other columns named are kept. Fields
    within columns become columns. Texts that were read here are in a column of no such name: they are not read again.
    """
    names = [text] if isinstance(text, str) else list(text or ())
    more = [name for name in dict.fromkeys((id, *others)) if name is not None]
    nested = [name for name in (*names, *more) if is_nested(data, name)]
    if not nested and (text is None or isinstance(text, str)):
        return data, text, id
    for name in nested:
        if all(value is None for value in values_of(data, name)):
            raise ValueError(f'no column "{name}", nor a row with such a field within a column')
    texts = texts_of(data, text, said)
    if not more:
        return texts, None, None
    # It is longer than each of the others, and the name of no messages.
    name = chr(10) * (1 + max(map(len, more)))
    columns = zip(texts, *(values_of(data, other) for other in more), strict=True)
    return [dict(zip((name, *more), row, strict=True)) for row in columns], name, id


def is_nested(data: Any, name: str) -> bool:
    """Say whether a name with dots is of a field within a column of these rows."""
    outer, dot, _ = name.partition(".")
    return bool(dot) and not has_column(data, name) and has_column(data, outer)


def _values_within(data: Any, name: str) -> list[Any]:
    outer, _, path = name.partition(".")
    return [form_of(_within(value, path)) for value in values_of(data, outer)]


def _texts_of_one(data: Any, text: str | None, said: bool) -> list[str | None]:
    if text is not None and is_nested(data, text):
        return texts_called(_values_within(data, text), text, said)
    return _native.texts_of(handed(data, text), text, said)


def records(rows: Any) -> list[dict[str, Any]]:
    """Give rows of labels as dicts: what is missing in a table is left out, but for a verdict, which is null there."""
    if isinstance(rows, (list, tuple)):
        return [dict(row) for row in rows]
    names = names_of(rows)
    if not names:
        raise TypeError(f"labels are a path, a list of dicts or a table, not {type(rows).__name__}")
    columns = [values_of(rows, name) for name in names]
    return [
        {name: value for name, value in zip(names, values, strict=True) if value is not None or name in ("same", "label")}
        for values in zip(*columns, strict=True)
    ]


def best_first(data: Any, rules: Iterable[tuple[str, str]], *, are_all: bool = False) -> list[int]:
    """Give the rows with the greatest value of a column first (`max`) or the least (`min`); those without a value last.

    Of equal values those come first that do by the next column, and of rows that are equal in all the first one. A column
    in which no row has a value is an error where these are all rows there are.
    """
    import numpy as np

    keys = []
    for name, rule in rules:
        places = _places_of(data, name)
        if are_all and len(places) and (places < 0).all():
            raise ValueError(f'no row has a value in the column "{name}", which keep_by= names')
        keys.append(np.where(places < 0, len(places), -places if rule == "max" else places))
    order: list[int] = np.lexsort(keys[::-1]).tolist()
    return order


def _within(value: Any, path: str) -> Any:
    """The value of the field of a name, or within the field before its first dot, as the command finds it."""
    if not isinstance(value, dict) or path in value:
        return value.get(path) if isinstance(value, dict) else None
    outer, _, inner = path.partition(".")
    return _within(value.get(outer), inner) if inner else None


def _places_of(data: Any, name: str) -> NDArray[np.int64]:
    """The places of the values of a column among each other; -1 for what is missing."""
    if is_nested(data, name):
        values = _values_within(data, name)
    elif (table := as_arrow(data, name)) is not None:
        return _native.places_of(table, name)
    else:
        values = [form_of(value) for value in column_of(data, name)]
    # Half a surrogate pair is no value, and is shown.
    texts = [None if value is None else str(value).encode(errors="backslashreplace").decode() for value in values]
    return _native.places_of(texts, name)
