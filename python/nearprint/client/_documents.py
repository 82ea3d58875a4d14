"""Documents on their way to the service: checked, written as JSON, and cut into requests of bounded size."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Set, Sized
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from nearprint._forms import id_of

# Bytes of a request; a single document may exceed it. The service reads as many lines ahead.
REQUEST = 1 << 20
# Bytes of the answer to a request, as far as they can be foreseen. The service and the system hold more than that
# for a client that still sends: with httpx a request is sent whole before its answer is read.
ANSWER = 256 << 10
# Bytes of an answer's row without its ids.
ROW = 256
# What to give in the place of a table.
COLUMNS = {
    "documents": "its columns of ids and of texts, as df['id'], df['text']",
    "ids": "its column of ids, as df['id']",
    "texts": "its column of texts, as df['text']",
}


@dataclass(frozen=True)
class Line:
    """A document as the service reads it: the fields of one line of a batch."""

    row: int
    fields: Mapping[str, Any]

    @property
    def id(self) -> str | None:
        """The id of the document; ``None`` if it has none that can be one."""
        id = self.fields.get("id")
        return id if isinstance(id, str) else None

    @cached_property
    def json(self) -> bytes:
        """All its fields."""
        return encoded(self.row, self.fields)

    @property
    def answer(self) -> int:
        """The bytes of the row that answers it: its own id, and one like it of what is near."""
        return ROW + 2 * len((self.id or "").encode())


@dataclass
class Portion:
    """Lines of one request."""

    ids: list[str | None] = field(default_factory=list)
    body: bytearray = field(default_factory=bytearray)
    answer: int = 0

    def takes(self, line: Line) -> bool:
        """Whether the request stays within its bounds with this line."""
        return not self.ids or (
            len(self.body) + len(line.json) < REQUEST and self.answer + line.answer <= ANSWER
        )

    def add(self, line: Line) -> None:
        """Take a line."""
        self.ids.append(line.id)
        self.body += line.json + b"\n"
        self.answer += line.answer


def portions(lines: Iterable[Line]) -> Iterator[Portion]:
    """Cut lines into requests. It reads one line further than it hands over."""
    portion = Portion()
    for line in lines:
        if not portion.takes(line):
            yield portion
            portion = Portion()
        portion.add(line)
    if portion.ids:
        yield portion


def documents(ids: Any, texts: Any) -> Iterator[Line]:
    """The lines of documents: of a column of ids and one of texts, or of pairs or mappings.

    A missing text is one without a word.
    """
    if texts is not None:
        ids, texts = column(ids, "ids"), column(texts, "texts")
        if isinstance(ids, Sized) and isinstance(texts, Sized) and len(ids) != len(texts):
            raise ValueError(f"{len(ids)} ids for {len(texts)} texts")
        return (document(row, id, _text_of(text)) for row, (id, text) in enumerate(zip(ids, texts, strict=True)))
    return (_paired(row, one) for row, one in enumerate(column(ids, "documents")))


def checks(texts: Any) -> Iterator[Line]:
    """The lines of texts to check. A missing text is an empty one: it has no near-duplicate."""
    return (_checked(row, text) for row, text in enumerate(column(texts, "texts")))


def names(ids: Any) -> Iterator[Line]:
    """The lines of ids."""
    several = [ids] if isinstance(id_of(ids), str) else column(ids, "ids")
    return (Line(row, {"id": string(row, "id", id_of(id))}) for row, id in enumerate(several))


def document(row: int, id: Any, text: Any) -> Line:
    """The line of a document."""
    return Line(row, {"id": string(row, "id", id_of(id)), "text": string(row, "text", text)})


def given(row: int, fields: Mapping[str, Any]) -> Line:
    """The line of a document with the fields that the service takes."""
    return Line(row, {**fields, "id": id_of(fields["id"])} if "id" in fields else fields)


def string(row: int, what: str, value: Any) -> str:
    """The value, which must be a string."""
    if isinstance(value, str):
        return value
    if value is None:
        raise ValueError(f"row {row} has no {what} (None): leave it out")
    missing = "; a missing text is None" if isinstance(value, float) else ""
    raise TypeError(f"row {row}: the {what} is of type {type(value).__name__}, not str{missing}")


def encoded(row: int, fields: Mapping[str, Any]) -> bytes:
    """The JSON of an object, in one line."""
    try:
        return json.dumps(dict(fields), ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    except (ValueError, TypeError) as error:
        note(error, f"nearprint: in row {row}")
        raise


def note(error: Exception, text: str) -> None:
    """Add a note to an error: before Python 3.11 it is kept, and no traceback shows it."""
    if sys.version_info >= (3, 11):
        error.add_note(text)
    else:
        setattr(error, "__notes__", [*getattr(error, "__notes__", ()), text])


def column(data: Any, what: str) -> Iterable[Any]:
    """The values of a column of any library, or of what else can be iterated in an order."""
    # Tables of some libraries give the names of their columns to who iterates them.
    if hasattr(type(data), "columns"):
        raise TypeError(f"{what} are a column or a sequence, not a table ({type(data).__name__}): give {COLUMNS[what]}")
    if isinstance(data, Mapping) and what != "ids":
        raise TypeError(f"{what} are a column or a sequence, not one {type(data).__name__}: put it in a list")
    if isinstance(data, (str, bytes, Mapping, Set)) or not isinstance(data, Iterable):
        raise TypeError(f"{what} are a column or a sequence of str, not {type(data).__name__}")
    if hasattr(data, "to_pylist"):
        listed: list[Any] = data.to_pylist()
        return listed
    return data


def _checked(row: int, text: Any) -> Line:
    return given(row, text) if isinstance(text, Mapping) else Line(row, {"text": string(row, "text", _text_of(text))})


def _paired(row: int, one: Any) -> Line:
    if isinstance(one, Mapping):
        return given(row, one)
    if isinstance(one, (str, bytes)) or not isinstance(one, Iterable):
        raise TypeError(
            f"row {row} is of type {type(one).__name__}: give pairs (id, text), or a column of ids and one of texts"
        )
    values = tuple(one)
    if len(values) != 2:
        raise ValueError(f"row {row} has {len(values)} values: give pairs (id, text)")
    id, text = values
    return document(row, id, _text_of(text))


def _text_of(text: Any) -> Any:
    return "" if text is None else text
