"""Rows that belong together, so that no cut of the data separates near-duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nearprint import _native
from nearprint._arguments import public
from nearprint._rows import handed, held_with_text
from nearprint._values import one_text
from nearprint.progress import Told, heard
from nearprint.recipe import Recipe, recipe_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@public()
def groups(
    data: Any,
    *,
    text: str | Sequence[str] | None = None,
    similarity: float | None = None,
    recall: float | str | None = None,
    k: int | None = None,
    recipe: str | Recipe = "text",
    width: int | None = None,
    verify: str | None = None,
    equal: str | None = None,
    threads: int | None = None,
    progress: Told = None,
) -> NDArray[np.int64]:
    """Give each row the number of its group: rows that near-duplicates connect have the same.

    The groups are those that the command ``nearprint split`` keeps in one part: near-duplicates, in any number of steps
    they are connected, and equal texts without any feature. The number of a group is its first row.

    Parameters
    ----------
    data, text, similarity, k, recipe, width, verify, equal, threads, progress
        As for :func:`nearprint.dedup`.
    recall
        The share of the pairs of exactly that similarity that is found at least. By default all are
        (``"exact"``), unless ``k``, ``equal`` or ``verify="none"`` is given.

    Returns
    -------
    numpy.ndarray
        An integer for each row, for ``groups=`` of the splitters of scikit-learn.

    Examples
    --------
    >>> import nearprint
    >>> texts = ["one two three four", "five six seven eight", "One, two, three, four!"]
    >>> nearprint.groups(texts).tolist()
    [0, 1, 0]
    """
    chosen = recipe_of(recipe)
    if recall is None and k is None and verify != "none" and equal is None:
        recall = "exact"
    table, column = held_with_text(data, text)
    rows, name, _ = one_text(table, column, None)
    with heard(progress) as told:
        found = _native.dedup(
            handed(rows, name),
            chosen,
            text=name,
            similarity=similarity,
            recall=None if recall is None else str(recall),
            k=k,
            width=width,
            verify=verify,
            equal=equal,
            keep="first",
            cluster_rule="connected",
            threads=threads,
            progress=told,
            collapse=True,
        )
    return found.representative
