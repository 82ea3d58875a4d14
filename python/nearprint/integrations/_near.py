"""The nearest document that was seen: what an index or a store has near a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nearprint import _native
from nearprint.index import Index
from nearprint.recipe import Recipe, recipe_of
from nearprint.table import Table


@dataclass(frozen=True)
class Near:
    """A document that was seen.

    Attributes
    ----------
    id
        Its id: of an index a number, of a store a string.
    distance
        Bits in which the fingerprints differ.
    similarity
        How alike the two are, where a store goes by similarity.
    """

    id: int | str
    distance: int
    similarity: float | None = None


def nearest_of_index(index: Index, recipe: Recipe, k: int | None, texts: Sequence[str]) -> list[Near | None]:
    """For each text the nearest fingerprint within ``k`` bits, or within the radius of the index."""
    codes = _native.fingerprint_column(texts, recipe_of(recipe), None, index.width)
    found = index.query(codes, k, top=1)
    nearest: list[Near | None] = [None] * len(texts)
    columns = (found[name].tolist() for name in ("query", "id", "distance"))
    for row, id, distance in zip(*columns, strict=True):
        # The fingerprint of every text without features is 0, and such a text is never a duplicate.
        if recipe.features(texts[row]):
            nearest[row] = Near(id, distance)
    return nearest


def nearest_of_answer(answer: Table) -> list[Near | None]:
    """For each row of a store's answer the document that it names."""
    columns = (answer[name].tolist() for name in ("near", "distance", "similarity"))
    return [None if row[0] is None else Near(*row) for row in zip(*columns, strict=True)]
