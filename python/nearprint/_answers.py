"""What the service answers, as Python has it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row:
    """What became of one document.

    Attributes
    ----------
    id
        The id of the document; ``None`` if it has none.
    outcome
        ``"new"``, ``"exists"`` (with the same fingerprint), ``"duplicate"``, ``"updated"``, ``"deleted"``,
        ``"absent"`` or ``"refused"``. Of a check, ``"new"`` says that no near-duplicate is stored.
    near, distance, similarity, measure
        Of a duplicate the id of the nearest stored document, the bits in which the two differ, and in a store by
        similarity how alike they are by which measure: ``"jaccard"``, ``"cosine"`` or ``"estimated-jaccard"``.
    reason
        Why the document was refused.
    """

    id: str | None
    outcome: str
    near: str | None = None
    distance: int | None = None
    similarity: float | None = None
    measure: str | None = None
    reason: str | None = None

    @classmethod
    def _of(cls, value: Any) -> Row:
        near = value.get("near") or {}
        return cls(
            value["id"],
            value["verdict"],
            near.get("id"),
            near.get("distance"),
            near.get("similarity"),
            near.get("measure"),
            value.get("error"),
        )


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A stored document near a text.

    Attributes
    ----------
    id
        Its id.
    distance
        The bits in which the fingerprints differ.
    similarity, measure
        How alike the two are by which measure, in a store by similarity.
    """

    id: str
    distance: int
    similarity: float | None = None
    measure: str | None = None

    @classmethod
    def _of(cls, value: Any) -> Neighbor:
        return cls(value["id"], value["distance"], value.get("similarity"), value.get("measure"))


@dataclass(frozen=True, slots=True)
class Document:
    """A stored document.

    Attributes
    ----------
    id
        Its id.
    fingerprint
        Its fingerprint, in hexadecimal digits.
    time
        When it was stored.
    metadata
        What was given with it, or ``None``.
    """

    id: str
    fingerprint: str
    time: datetime
    metadata: dict[str, Any] | None = None

    @classmethod
    def _of(cls, value: Any) -> Document:
        stored = datetime.fromtimestamp(value["time"] / 1000, timezone.utc)
        return cls(value["id"], value["fingerprint"], stored, value.get("metadata"))


def parsed(body: bytes | bytearray, shape: Callable[[Any], T | None]) -> T | None:
    """What a JSON says, by its shape; ``None`` if it is none, or has another shape."""
    try:
        return shape(json.loads(body))
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
        return None
