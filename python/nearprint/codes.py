"""Fingerprints beside each other: distances, pairs and groups.

Fingerprints are NumPy ``uint64``: of shape ``(n,)`` for 64 bits, ``(n, 2)`` or ``(n, 4)`` for wider ones, the
lowest word first. Or they are an Arrow column of ``uint64`` or fixed-size binary, as
:func:`nearprint.fingerprint` gives it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nearprint import _native
from nearprint._native import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def distance(a: Any, b: Any) -> NDArray[np.uint16]:
    """Count the bits in which fingerprints differ, row by row.

    Parameters
    ----------
    a, b
        Fingerprints of one width. One alone stands for as many as there are of the others.

    Examples
    --------
    >>> import numpy as np
    >>> import nearprint
    >>> nearprint.distance(np.array([1, 7], dtype="uint64"), [0]).tolist()
    [1, 3]
    """
    return _native.distance(a, b)


def pairs(
    codes: Any, k: int = 3, *, other: Any = None, threads: int | None = None, fold_equal: bool = False
) -> Table:
    """Find every pair of fingerprints that differ in at most ``k`` bits: always all of them.

    Parameters
    ----------
    codes
        Fingerprints.
    k
        The radius in bits.
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
        Rows of ``codes`` (``a``) and of ``other`` or ``codes`` (``b``), and their ``distance``; sorted. Equal
        fingerprints are pairs at distance 0: of m equal ones there are m (m - 1) / 2.

    Examples
    --------
    >>> import numpy as np
    >>> import nearprint
    >>> found = nearprint.pairs(np.array([0xFF, 0x0F, 0xFF, 0x1F], dtype="uint64"), k=1)
    >>> found["a"].tolist(), found["b"].tolist(), found["distance"].tolist()
    ([0, 1], [2, 3], [0, 1])
    >>> len(nearprint.pairs([7, 7, 7])), len(nearprint.pairs([7, 7, 7], fold_equal=True))
    (3, 2)
    """
    return _native.pairs(codes, k, other, threads, fold_equal)


def clusters(codes: Any, k: int = 3, *, threads: int | None = None) -> NDArray[np.int64]:
    """Number the groups that pairs within ``k`` bits connect.

    Parameters
    ----------
    codes
        Fingerprints.
    k
        The radius in bits.
    threads
        Worker threads. By default one for each processor.

    Returns
    -------
    numpy.ndarray
        For each fingerprint the number of its group, from 0 in the order of their first rows; -1 for one that
        is near no other. These are labels as scikit-learn has them.

    Examples
    --------
    >>> import numpy as np
    >>> import nearprint
    >>> nearprint.clusters(np.array([0, 0xFFFF, 1, 0xFFFE, 0xFF00FF], dtype="uint64"), k=1).tolist()
    [0, 1, 0, 1, -1]
    """
    return _native.clusters(codes, k, threads)
