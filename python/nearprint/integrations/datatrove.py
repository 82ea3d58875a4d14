"""Blocks of datatrove: documents that were seen dropped, and an input cleaned of its near-duplicates.

Examples
--------
>>> import nearprint
>>> from datatrove.data import Document
>>> from nearprint.integrations.datatrove import NearprintDedup
>>> texts = ["one two three four", "five six seven eight", "One, two, three, four!"]
>>> documents = (Document(text=text, id=str(row)) for row, text in enumerate(texts))
>>> [document.id for document in NearprintDedup()(documents)]
['0', '1']
"""

from __future__ import annotations

import contextlib
import os
from typing import Any

from datatrove.data import Document, DocumentsPipeline  # type: ignore[import-untyped]
from datatrove.pipeline.base import PipelineStep  # type: ignore[import-untyped]
from datatrove.pipeline.filters.base_filter import BaseFilter  # type: ignore[import-untyped]
from datatrove.pipeline.writers.disk_base import DiskWriter  # type: ignore[import-untyped]
from datatrove.utils.typeshelper import StatHints  # type: ignore[import-untyped]

from nearprint._arguments import public
from nearprint._kinds import FLAG
from nearprint.deduplication import dedup
from nearprint.index import Index
from nearprint.integrations._near import Near, nearest_of_answer, nearest_of_index
from nearprint.recipe import Recipe, as_recipe
from nearprint.store import Store

__all__ = ["NearprintDedup", "NearprintFilter"]

_REASON = "near_duplicate"


class NearprintFilter(BaseFilter):  # type: ignore[misc]
    """Drop documents that are near-duplicates of documents that were seen.

    What was dropped goes to the exclusion writer with the nearest document that was seen in its metadata:
    ``near`` (the id), ``distance``, and ``similarity`` where the store goes by similarity.

    Parameters
    ----------
    seen
        A :class:`nearprint.Store` or :class:`nearprint.Index`, or the path of one: a folder is a store, a file an
        index. Several workers need a path: that of an index, since one process at a time has a store open.
    recipe
        The recipe of the fingerprints of an index. A store knows its own.
    k
        The radius in which an index is asked; by default its own.
    add
        Store the kept documents, so that later ones are compared with them too; ids are those of the
        documents. A document that is stored under its own id is kept: a task that runs again gives the same.
    exclusion_writer
        What writes the documents that are dropped.
    batch_size
        Documents that are asked about in one call.

    Examples
    --------
    >>> import nearprint
    >>> from datatrove.data import Document
    >>> from nearprint.integrations.datatrove import NearprintFilter
    >>> index = nearprint.Index.build(nearprint.fingerprint(["one two three four"]))
    >>> documents = [Document("One, two, three, four!", "a"), Document("five six seven", "b")]
    >>> [document.id for document in NearprintFilter(index)(documents)]
    ['b']
    """

    name = "🔍 nearprint"

    @public(add=FLAG)
    def __init__(
        self,
        seen: Store | Index | str | os.PathLike[str],
        recipe: str | Recipe = "text",
        *,
        k: int | None = None,
        add: bool = False,
        exclusion_writer: DiskWriter | None = None,
        batch_size: int = 1000,
    ) -> None:
        super().__init__(exclusion_writer, batch_size)
        self._seen = _Seen(seen)
        if add and self._seen.is_index:
            raise ValueError("an index takes no more documents: give a store for add=True")
        if k is not None and not self._seen.is_index:
            raise ValueError("a store is asked by its own rule: k= is for an index")
        self._recipe = as_recipe(recipe)
        self._k = k
        self._add = add

    def filter(self, doc: Document) -> bool | tuple[bool, str]:
        """Say whether one document is kept."""
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch: list[Document]) -> list[bool | tuple[bool, str]]:
        """Say which documents are kept."""
        answers: list[bool | tuple[bool, str]] = []
        for document, near in zip(batch, self._nearest(batch), strict=True):
            if near is not None:
                told = {"near": near.id, "distance": near.distance, "similarity": near.similarity}
                document.metadata |= {name: value for name, value in told.items() if value is not None}
            answers.append(True if near is None else (False, _REASON))
        return answers

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Pass on the kept documents. What was given as a path is open meanwhile."""
        try:
            yield from super().run(data, rank, world_size)
        finally:
            self._seen.close()

    def _nearest(self, batch: list[Document]) -> list[Near | None]:
        texts, seen = [document.text for document in batch], self._seen.opened()
        if isinstance(seen, Index):
            return nearest_of_index(seen, self._recipe, self._k, texts)
        if not self._add:
            return nearest_of_answer(seen.check(texts))
        answer = seen.check_and_add([document.id for document in batch], texts)
        for reason in answer["reason"]:
            if reason is not None:
                raise ValueError(f"a document cannot be stored: {reason}")
        return nearest_of_answer(answer)


class NearprintDedup(PipelineStep):  # type: ignore[misc]
    """Pass on one of each group of near-duplicates, in the order of the input: what :func:`nearprint.dedup` keeps.

    Removed documents are written by the exclusion writer, with ``representative`` (the id of the document that is kept
    for it), ``cluster``, ``distance``, ``similarity`` and ``measure`` in its metadata.

    It reads its whole input once, in one task, and holds all documents until the last one was read, with a copy
    of their texts: memory is two to three times the input. For more, :func:`nearprint.dedup_files` streams files.

    Parameters
    ----------
    similarity, recall, k, recipe, width, verify, keep, cluster_rule, threads
        As for :func:`nearprint.dedup`.
    exclusion_writer
        What writes the documents that go.

    Examples
    --------
    >>> from datatrove.data import Document
    >>> from nearprint.integrations.datatrove import NearprintDedup
    >>> documents = [Document("one two three four", "a"), Document("One, two, three, four!", "b")]
    >>> [document.id for document in NearprintDedup(keep="last")(documents)]
    ['b']
    """

    type = "🫂 - DEDUPS"
    name = "🔍 nearprint"

    @public()
    def __init__(
        self,
        *,
        similarity: float | None = None,
        recall: float | str | None = None,
        k: int | None = None,
        recipe: str | Recipe = "text",
        width: int | None = None,
        verify: str | None = None,
        keep: str | None = None,
        cluster_rule: str | None = None,
        threads: int | None = None,
        exclusion_writer: DiskWriter | None = None,
    ) -> None:
        super().__init__()
        self.exclusion_writer = exclusion_writer
        self._options: dict[str, Any] = {
            "similarity": similarity,
            "recall": recall,
            "k": k,
            "recipe": as_recipe(recipe),
            "width": width,
            "verify": verify,
            "keep": keep,
            "cluster_rule": cluster_rule,
            "threads": threads,
        }
        # What cannot be is said before the input is read.
        dedup([], **self._options)

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Read all documents, and pass on the kept ones."""
        if world_size != 1:
            raise ValueError(
                f"NearprintDedup is one of {world_size} tasks, and would miss the near-duplicates between them: "
                "run it in a pipeline of its own with tasks=1"
            )
        documents = list(data)
        with self.track_time("input"):
            found = dedup([document.text for document in documents], progress=False, **self._options)
            removed = found.removed
            near = "kept" if "kept" in removed.column_names else "near"
            columns = [removed[name].tolist() for name in ("row", near, "cluster", "distance", "similarity", "measure")]
        gone = {row[0]: row[1:] for row in zip(*columns, strict=True)}
        self.stat_update("clusters", value=found.summary["clusters"], unit="input")
        with self.exclusion_writer or contextlib.nullcontext():
            for row, document in enumerate(documents):
                self.stat_update(StatHints.total)
                if row not in gone:
                    self.stat_update(StatHints.forwarded)
                    self.update_doc_stats(document)
                    yield document
                    continue
                self.stat_update(StatHints.dropped, f"{StatHints.dropped}_{_REASON}")
                if self.exclusion_writer:
                    near, cluster, distance, similarity, measure = gone[row]
                    document.metadata |= {
                        "representative": documents[near].id,
                        "cluster": cluster,
                        "distance": distance,
                        "similarity": similarity,
                        "measure": measure,
                        "filter_reason": _REASON,
                    }
                    self.exclusion_writer.write(document, rank)


class _Seen:
    """An index or a store, given or opened: the copies of a pipeline in one process share it."""

    def __init__(self, given: Store | Index | str | os.PathLike[str]) -> None:
        if isinstance(given, (str, os.PathLike)):
            if not os.path.exists(given):
                raise FileNotFoundError(f"no store or index is at {os.fspath(given)}")
            self.is_index = not os.path.isdir(given)
        elif isinstance(given, (Store, Index)):
            self.is_index = isinstance(given, Index)
        else:
            raise TypeError(f"seen is a Store, an Index or the path of one, not {type(given).__name__}")
        self._given = given
        self._opened: Store | Index | None = None

    def opened(self) -> Store | Index:
        if isinstance(self._given, (Store, Index)):
            return self._given
        if self._opened is None:
            self._opened = Index.open(self._given) if self.is_index else Store.open(self._given)
        return self._opened

    def close(self) -> None:
        if isinstance(self._opened, Store):
            self._opened.close()
        self._opened = None

    def __repr__(self) -> str:
        return str(self._given)

    def __deepcopy__(self, memo: dict[int, object]) -> _Seen:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if isinstance(self._given, Store):
            raise TypeError("an open store does not go to other processes: give its path, and workers=1")
        return _Seen, (self._given,)
