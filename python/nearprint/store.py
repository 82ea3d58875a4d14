"""Documents that were seen, kept on disk."""

from __future__ import annotations

import os
from types import TracebackType
from typing import TYPE_CHECKING, Any

from nearprint import _native
from nearprint._arguments import public
from nearprint._forms import id_of
from nearprint._kinds import ID, TEXT
from nearprint._values import ids_of
from nearprint.recipe import Recipe, recipe_of
from nearprint.table import Table

if TYPE_CHECKING:
    from typing_extensions import Self


class Store:
    """Documents that were seen, on disk: "have we seen this page?"

    Nothing that was answered is lost, whatever happens to the process. One process at a time has a store
    open; threads share it. A store is a context manager, which closes it.

    Examples
    --------
    >>> import nearprint, os, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with nearprint.Store.create(os.path.join(folder.name, "pages")) as store:
    ...     first = store.check_and_add(["a"], ["A storm is expected to reach the coast tonight."])
    ...     again = store.check_and_add(["b"], ["a storm is expected to reach the coast tonight"])
    ...     (first["outcome"][0], again["outcome"][0], again["near"][0], "a" in store, len(store))
    ('new', 'duplicate', 'a', True, 1)
    >>> folder.cleanup()
    """

    def __init__(self, store: _native.Store) -> None:
        """Take an open store: use :meth:`create` or :meth:`open`."""
        if not isinstance(store, _native.Store):
            raise TypeError("a store is made by Store.create(path), and opened by Store.open(path)")
        self._store = store

    @classmethod
    @public()
    def create(
        cls,
        path: str | os.PathLike[str],
        recipe: str | Recipe = "text",
        *,
        similarity: float | None = None,
        k: int | None = None,
        width: int | None = None,
        estimate: bool = False,
    ) -> Self:
        """Make a store in a new folder.

        Near-duplicates share at least the part ``similarity`` of their features (by default 0.8), for recipes of
        real weights by the cosine of the weights; or with ``k`` they are documents whose fingerprints differ in at
        most ``k`` bits. Where neither ``width`` nor the recipe names the bits, there are 64 with ``k``, 256 for a
        cosine, and else 128. The store keeps the features of each document, 8 bytes each, and compares them exactly.
        With ``estimate`` it keeps sketches alone: that is smaller and faster, and errs near the similarity.
        """
        made = _native.Store.create(
            path, recipe_of(recipe), similarity=similarity, k=k, width=width, estimate=estimate
        )
        return cls(made)

    @classmethod
    @public()
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        dictionary: str | os.PathLike[str] | None = None,
        stop_words: str | os.PathLike[str] | None = None,
        idf: str | os.PathLike[str] | None = None,
    ) -> Self:
        """Open a store.

        A store keeps the names of the files that its recipe takes words from, and not their content: without
        them, as :class:`Recipe` takes them, it refuses texts.
        """
        return cls(_native.Store.open(path, dictionary=dictionary, stop_words=stop_words, idf=idf))

    @classmethod
    @public()
    def open_or_create(
        cls,
        path: str | os.PathLike[str],
        recipe: str | Recipe = "text",
        *,
        similarity: float | None = None,
        k: int | None = None,
        width: int | None = None,
        estimate: bool = False,
    ) -> Self:
        """Open the store in a folder, or make one where the folder is missing or empty.

        A store that is there keeps the recipe and the threshold that it was made with: the arguments, which are those
        of :meth:`create`, are for a new one.
        """
        if os.path.isdir(path) and os.listdir(path):
            return cls.open(path)
        return cls.create(path, recipe, similarity=similarity, k=k, width=width, estimate=estimate)

    @public()
    def add(self, ids: Any, texts: Any) -> Table:
        """Store documents, near-duplicate or not.

        The table has for each id the ``outcome``: ``"new"``, ``"exists"`` (with the same fingerprint) or
        ``"refused"``, with the ``reason``. A missing text is one without a word. A whole number is the id of its digits.
        """
        return Table(self._store.add(ids_of(ids), texts))

    @public()
    def check_and_add(self, ids: Any, texts: Any) -> Table:
        """Store documents without a stored near-duplicate, each in one step.

        The outcome is ``"new"``, ``"exists"``, ``"duplicate"`` or ``"refused"``. For a duplicate ``near`` names the
        nearest stored document, ``distance`` the bits in which they differ, and ``similarity`` how alike they are by
        the ``measure``: ``"jaccard"``, ``"cosine"`` or ``"estimated-jaccard"``.
        """
        return Table(self._store.check_and_add(ids_of(ids), texts))

    @public()
    def update(self, ids: Any, texts: Any) -> Table:
        """Store documents in place of those that have their ids."""
        return Table(self._store.update(ids_of(ids), texts))

    @public()
    def check(self, texts: Any) -> Table:
        """Find the nearest stored near-duplicate of each text: ``near`` is null where there is none."""
        return Table(self._store.check(texts))

    @public(text=TEXT)
    def query(self, text: str, k: int | None = None, *, top: int = 100) -> Table:
        """Find the stored documents near one text, by the store's rule or within ``k`` bits."""
        return Table(self._store.query(text, k, top=top))

    @public()
    def delete(self, ids: Any) -> int:
        """Remove documents; returns how many were there."""
        return self._store.delete(ids_of(ids))

    @public(id=ID)
    def fingerprint(self, id: str | int) -> str | None:
        """The fingerprint that is stored with an id, in hexadecimal digits, or ``None``."""
        return self._store.fingerprint(id_of(id))

    @public()
    def snapshot(self, path: str | os.PathLike[str]) -> None:
        """Copy the store to a new folder, whole or not at all."""
        self._store.snapshot(path)

    def verify(self) -> None:
        """Compare all that is stored with its checksums; damage is a :class:`CorruptError`."""
        self._store.verify()

    def compact(self) -> None:
        """Make one segment of all documents: answers stay the same, and come faster."""
        self._store.compact()

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def __len__(self) -> int:
        return len(self._store)

    def __contains__(self, id: str | int) -> bool:
        return id_of(id) in self._store

    def __bool__(self) -> bool:
        return True

    def __enter__(self) -> Self:
        len(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<nearprint.Store {os.fspath(self._store.path)}>"
