"""An index of fingerprints: built once, kept in a file, mapped anywhere."""

from __future__ import annotations

import os
from typing import Any

from nearprint import _native
from nearprint._arguments import public
from nearprint._kinds import NUMBERS
from nearprint.table import Table


class Index:
    """Fingerprints that can be asked which of them are within a radius of others: always all of them.

    An index is built once, by :meth:`build`. :meth:`save` writes it to a file, and :meth:`open` maps that file:
    it need not fit in memory. An index that was opened from a file can be pickled.

    Examples
    --------
    >>> import numpy as np
    >>> import nearprint
    >>> index = nearprint.Index.build(np.array([0xFF, 0x0F, 0xFFFF], dtype="uint64"), k=3)
    >>> found = index.query(np.array([0xFE], dtype="uint64"))
    >>> found["query"].tolist(), found["id"].tolist(), found["distance"].tolist()
    ([0], [0], [1])
    """

    def __init__(self, index: _native.Index) -> None:
        """Take an index: use :meth:`build` or :meth:`open`."""
        if not isinstance(index, _native.Index):
            raise TypeError("an index is made by Index.build(codes), and opened by Index.open(path)")
        self._index = index

    @staticmethod
    @public(ids=NUMBERS)
    def build(codes: Any, ids: Any = None, *, k: int = 3, threads: int | None = None) -> Index:
        """Build an index.

        Parameters
        ----------
        codes
            Fingerprints.
        ids
            A number for each fingerprint (``uint64``). Without them a fingerprint goes by its row.
        k
            The radius in bits.
        threads
            Worker threads. By default one for each processor.
        """
        return Index(_native.Index.build(codes, ids, k=k, threads=threads))

    @staticmethod
    @public()
    def open(path: str | os.PathLike[str], *, width: int | None = None) -> Index:
        """Open a file by mapping it.

        Parameters
        ----------
        path
            A file that :meth:`save`, or ``nearprint index build``, has written.
        width
            The bits that its fingerprints must have. By default any.

        Raises
        ------
        nearprint.errors.CorruptError
            The file is damaged, or is not an index.
        """
        return Index(_native.Index.open(path, width=width))

    @public()
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the index to a file: the whole file, or nothing."""
        self._index.save(path)

    @public()
    def query(self, codes: Any, k: int | None = None, *, top: int | None = None, threads: int | None = None) -> Table:
        """Find what is within ``k`` bits of each of ``codes``: the row of the query, the id, the distance; nearest first.

        Parameters
        ----------
        codes
            Fingerprints of the width of the index.
        k
            The radius in bits. By default that of the index; at any other each query looks at every fingerprint.
        top
            How many to give of each query at most. By default all.
        threads
            Worker threads. By default one for each processor.

        Returns
        -------
        Table
            The columns ``query``, ``id`` and ``distance``.
        """
        return Table(self._index.query(codes, k, top=top, threads=threads))

    def verify(self) -> None:
        """Read the whole index and compare it with its checksums; ``open`` reads its last bytes alone.

        Raises
        ------
        CorruptError
            The index is damaged; the message names the part.
        """
        self._index.verify()

    def __len__(self) -> int:
        return len(self._index)

    @property
    def k(self) -> int:
        """The radius in bits."""
        return self._index.k

    @property
    def width(self) -> int:
        """Bits of a fingerprint."""
        return self._index.width

    @property
    def path(self) -> os.PathLike[str] | None:
        """The file that it was opened from."""
        return self._index.path

    def __reduce__(self) -> tuple[Any, ...]:
        _, file = self._index.__reduce__()
        return Index.open, file

    def __repr__(self) -> str:
        return repr(self._index)
