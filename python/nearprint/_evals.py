"""Eval sets as callers hold them: what the native module reads of them, and the fields of their items."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

from nearprint import errors
from nearprint._rows import held, whole

# How names of files end.
_ENDING = re.compile(r"\.\w{2,8}$")

Fields = str | Iterable[str] | None


def item_fields(**parts: Fields) -> str | None:
    """Give the list of fields that the command takes."""
    pairs = []
    for part, names in parts.items():
        for name in [names] if names is None or isinstance(names, str) else names:
            if name is not None and not isinstance(name, str):
                raise TypeError(f"{part}= names fields, and {name!r} is of type {type(name).__name__}")
            if name is not None and ("," in name or not name.strip()):
                raise ValueError(f"{part}= names a field, and {name!r} is none: give several as a list")
            pairs += [] if name is None else [f"{part}={name}"]
    return ",".join(pairs) or None


def eval_sets(against: Any) -> list[tuple[str | None, Any]]:
    """Give the eval sets with their names, as the native module takes them."""
    if against is None:
        return []
    if isinstance(against, Mapping):
        for name in against:
            if not isinstance(name, str):
                raise TypeError(f"the name of an eval set is a str, and {name!r} is of type {type(name).__name__}")
        return [(name, eval_set(rows)) for name, rows in against.items()]
    given = eval_set(against)
    return [(None if isinstance(given, list) else "against", given)]


def eval_set(against: Any) -> Any:
    """Give an eval set as a list of paths, as lines of JSON, or as what hands over Arrow."""
    if isinstance(against, (str, bytes, os.PathLike)):
        return [_path_of(against)]
    is_listed = isinstance(against, (list, tuple))
    if is_listed and against and all(isinstance(one, (str, bytes, os.PathLike)) for one in against):
        return [_path_of(one) for one in against]
    against = held(against)
    if not isinstance(against, (list, tuple)):
        against = whole(against)
    if not isinstance(against, (list, tuple)):
        return against
    return b"".join(_line(number, row) for number, row in enumerate(against))


def _path_of(one: str | bytes | os.PathLike[str]) -> str:
    """The path of an eval set. A sentence is none: it is a question."""
    path = os.fsdecode(one)
    is_said = isinstance(one, str) and len(path.split()) > 2 and os.sep not in path and not _ENDING.search(path)
    if is_said and not os.path.exists(path):
        shown = path if len(path) <= 60 else f"{path[:60]}..."
        raise errors.InputError(
            f"against: {shown!r} is no file or folder, and eval sets are paths or rows: write a question as a row, "
            f"[{{'question': {shown!r}}}]"
        )
    return path


def _line(number: int, row: object) -> bytes:
    """Give a row as a line of JSON."""
    import json

    if not isinstance(row, Mapping):
        kind = type(row).__name__
        raise TypeError(f"a row of an eval set is a dict, and row {number} is of type {kind}")
    return json.dumps(_plain(row)).encode() + b"\n"


def _plain(value: Any) -> Any:
    """Give a value as JSON has it: what is no text, number, list or dict as the text that it prints, bytes as nothing."""
    if isinstance(value, float):
        return value if float("-inf") < value < float("inf") else None
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(of_name) for name, of_name in value.items()}
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in cast("Iterable[object]", value)]
    return None if isinstance(value, (bytes, bytearray)) else str(value)
