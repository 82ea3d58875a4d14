"""Fingerprints compared with each other: distances, pairs and groups.

Fingerprints are NumPy ``uint64``: of shape ``(n,)`` for 64 bits, ``(n, 2)`` or ``(n, 4)`` for wider ones, the
lowest word first. Or they are an Arrow column of ``uint64`` or fixed-size binary, as
:func:`nearprint.fingerprint` gives it. Integers of 64 bits with a sign are the bits that they have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nearprint import _native
from nearprint._arguments import public
from nearprint._columns import are_texts
from nearprint._kinds import CODES, CODES_OR_ROWS
from nearprint._rows import handed, held_with_text
from nearprint._values import one_text
from nearprint.progress import Told, heard
from nearprint.recipe import Recipe, recipe_of
from nearprint.table import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@public(a=CODES, b=CODES)
def distance(a: Any, b: Any) -> NDArray[np.uint16]:
    """Count the bits in which fingerprints differ, row by row.

    Parameters
    ----------
    a, b
        Fingerprints of one width. A single one is compared with each of the others.

    Examples
    --------
    >>> import numpy as np
    >>> import nearprint
    >>> nearprint.distance(np.array([1, 7], dtype="uint64"), [0]).tolist()
    [1, 3]
    """
    return _native.distance(a, b)


@public(codes=CODES_OR_ROWS, other=CODES_OR_ROWS)
def pairs(
    codes: Any,
    k: int | None = None,
    *,
    other: Any = None,
    text: str | Sequence[str] | None = None,
    id: str | None = None,
    similarity: float | None = None,
    recall: float | str | None = None,
    recipe: str | Recipe | None = None,
    width: int | None = None,
    verify: str | None = None,
    within: str | None = None,
    across: str | None = None,
    threads: int | None = None,
    progress: Told = None,
    fold_equal: bool = False,
) -> Table:
    """Find every pair of near-duplicate texts, each compared, or every pair of fingerprints within ``k`` bits.

    Parameters
    ----------
    codes
        Fingerprints, or texts as :func:`nearprint.dedup` takes them: a table, a column, a list of ``str``.
    k
        The radius in bits: by default 3 for fingerprints. For texts it replaces a similarity.
    text, similarity, recall, recipe, width, verify, within, across, progress
        Of texts, as for :func:`nearprint.dedup`.
    id
        Of texts: the column of a table that has ids, which name the texts in place of their rows.
    other
        Other fingerprints: then pairs are of one of ``codes`` and one of these.
    threads
        Worker threads. By default one for each processor.
    fold_equal
        List equal fingerprints once: the first of them has a pair with each of the others, and it alone has pairs
        with further ones.

    Returns
    -------
    Table
        Rows of ``codes`` (``a``) and of ``other`` or ``codes`` (``b``), and their ``distance``; sorted by row. Of texts also
        their ``similarity`` and its ``measure``. Equal ones are pairs, too: of m equal ones there are m (m - 1) / 2.

    Examples
    --------
    >>> import numpy as np
    >>> import nearprint
    >>> found = nearprint.pairs(np.array([0xFF, 0x0F, 0xFF, 0x1F], dtype="uint64"), k=1)
    >>> found["a"].tolist(), found["b"].tolist(), found["distance"].tolist()
    ([0, 1], [2, 3], [0, 1])
    >>> len(nearprint.pairs([7, 7, 7])), len(nearprint.pairs([7, 7, 7], fold_equal=True))
    (3, 2)
    >>> texts = ["one two three four five six", "seven eight nine", "One two three four five six!"]
    >>> found = nearprint.pairs(texts, similarity=0.8)
    >>> found["a"].tolist(), found["b"].tolist(), found["similarity"].tolist()
    ([0], [2], [1.0])
    """
    if other is not None and (are_texts(codes) or are_texts(other)):
        raise TypeError(
            "other= is for fingerprints: of texts, nearprint.dedup(texts, against=others) finds what is near others"
        )
    if not are_texts(codes):
        _refuse_texts_of(
            "pairs", text=text, id=id, similarity=similarity, recall=recall, recipe=recipe, width=width, verify=verify,
            within=within, across=across,
        )  # fmt: skip
        return Table(_native.pairs(codes, 3 if k is None else k, other, threads, fold_equal))
    found = _found(
        codes, text, similarity, recall, recipe, progress, id=id, k=k, width=width, verify=verify, within=within,
        across=across, threads=threads, pairs=True, fold_equal=fold_equal,
    )  # fmt: skip
    return Table(found.pairs)


@public(codes=CODES_OR_ROWS)
def clusters(
    codes: Any,
    k: int | None = None,
    *,
    text: str | Sequence[str] | None = None,
    similarity: float | None = None,
    recall: float | str | None = None,
    recipe: str | Recipe | None = None,
    width: int | None = None,
    verify: str | None = None,
    equal: str | None = None,
    cluster_rule: str | None = None,
    threads: int | None = None,
    progress: Told = None,
) -> NDArray[np.int64]:
    """Number the groups that pairs connect: of near-duplicate texts, or of fingerprints within ``k`` bits.

    Parameters
    ----------
    codes
        Fingerprints, or texts as :func:`nearprint.dedup` takes them.
    k
        The radius in bits: by default 3 for fingerprints. For texts it replaces a similarity.
    text, similarity, recall, recipe, width, verify, equal, progress
        Of texts, as for :func:`nearprint.dedup`.
    cluster_rule
        Of texts: ``"connected"`` by default, or ``"star"`` for the groups that :func:`nearprint.dedup` makes by default.
    threads
        Worker threads. By default one for each processor.

    Returns
    -------
    numpy.ndarray
        For each row the number of its group, from 0 in the order of their first rows; -1 for one that is near no
        other. These are labels as scikit-learn has them.

    Examples
    --------
    >>> import numpy as np
    >>> import nearprint
    >>> nearprint.clusters(np.array([0, 0xFFFF, 1, 0xFFFE, 0xFF00FF], dtype="uint64"), k=1).tolist()
    [0, 1, 0, 1, -1]
    >>> nearprint.clusters(["one two three", "four five six", "One, two, three!"]).tolist()
    [0, -1, 0]
    """
    if not are_texts(codes):
        star = None if cluster_rule == "connected" else cluster_rule
        _refuse_texts_of(
            "clusters", text=text, similarity=similarity, recall=recall, recipe=recipe, width=width, verify=verify, equal=equal,
            cluster_rule=star,
        )  # fmt: skip
        return _native.clusters(codes, 3 if k is None else k, threads)
    return _found(
        codes, text, similarity, recall, recipe, progress, k=k, width=width, verify=verify, equal=equal,
        threads=threads, cluster_rule="connected" if cluster_rule is None else cluster_rule,
    ).cluster  # fmt: skip


def _refuse_texts_of(call: str, **given: object) -> None:
    """Refuse what is asked of fingerprints and is for texts."""
    wrong = next((name for name, value in given.items() if value is not None), None)
    if wrong is not None:
        raise TypeError(
            f"{wrong}= is for texts, and these are fingerprints: leave it out, or call nearprint.{call}(texts, {wrong}=...)"
        )


def _found(
    texts: Any,
    text: str | Sequence[str] | None,
    similarity: float | None,
    recall: float | str | None,
    recipe: str | Recipe | None,
    progress: Told,
    *,
    id: str | None = None,
    within: str | None = None,
    across: str | None = None,
    **more: Any,
) -> _native.Found:
    """What a search finds among texts."""
    table, column = held_with_text(texts, text)
    data, name, own = one_text(table, column, id, within, across)
    with heard(progress) as told:
        return _native.dedup(
            handed(data, name, own, within, across),
            recipe_of("text" if recipe is None else recipe),
            text=name,
            id=own,
            within=within,
            across=across,
            similarity=similarity,
            recall=None if recall is None else str(recall),
            progress=told,
            **more,
        )
