"""Functions for ``map`` and ``filter`` of datasets, which run in batches and in several processes.

:func:`nearprint.dedup` takes a ``Dataset`` itself, and its ``filter`` gives one.

Examples
--------
>>> import datasets, nearprint
>>> from nearprint.integrations.datasets import Fingerprints
>>> datasets.disable_progress_bars()
>>> texts = ["one two three four", "five six seven eight", "One, two, three, four!"]
>>> pages = datasets.Dataset.from_dict({"text": texts})
>>> nearprint.dedup(pages, text="text").filter().num_rows
2
>>> made = pages.with_format("arrow").map(Fingerprints(), batched=True).with_format(None)
>>> made["fingerprint"][:] == nearprint.fingerprint(texts).tolist()
True
"""

from __future__ import annotations

import os
from typing import Any

import pyarrow  # type: ignore[import-untyped]

from nearprint._arguments import public
from nearprint._kinds import COLUMN, Kind
from nearprint._rows import fingerprinted
from nearprint._values import texts_called
from nearprint.index import Index
from nearprint.integrations._near import nearest_of_index
from nearprint.recipe import Recipe, as_recipe, recipe_of

__all__ = ["Fingerprints", "Unseen"]

_INDEX = Kind("is a nearprint.Index", "index", lambda value: isinstance(value, Index))


class Fingerprints:
    """A column of fingerprints, for ``dataset.with_format("arrow").map(Fingerprints(), batched=True)``.

    It is ``uint64``, or ``binary`` at 128 and 256 bits with the most significant byte first, and null where the
    text is. It depends neither on ``batch_size`` nor on ``num_proc``. An ``IterableDataset`` takes it too.

    Parameters
    ----------
    text
        The column that has the texts.
    recipe
        How a text becomes a fingerprint.
    width
        Bits of a fingerprint; by default those of the recipe, or 64.
    column
        The name of the column to add, or to replace.

    Examples
    --------
    >>> import pyarrow
    >>> from nearprint.integrations.datasets import Fingerprints
    >>> Fingerprints(column="code")(pyarrow.table({"text": ["", None]})).to_pylist()
    [{'text': '', 'code': 0}, {'text': None, 'code': None}]
    """

    @public(text=COLUMN, column=COLUMN)
    def __init__(
        self,
        text: str = "text",
        recipe: str | Recipe = "text",
        *,
        width: int | None = None,
        column: str = "fingerprint",
    ) -> None:
        self._text = text
        self._recipe = as_recipe(recipe)
        self._width = width
        self._column = column

    def __call__(self, batch: pyarrow.Table) -> pyarrow.Table:
        """Add the fingerprints of a batch."""
        if not isinstance(batch, pyarrow.Table):
            raise TypeError(
                f'batches are tables of Arrow, not {type(batch).__name__}: map dataset.with_format("arrow") with '
                "batched=True"
            )
        made = pyarrow.array(fingerprinted(batch, recipe_of(self._recipe), f"the column {self._text!r}", self._text, self._width))
        # datasets knows no binary of a fixed size.
        made = made if made.type == pyarrow.uint64() else made.cast(pyarrow.binary())
        if self._column in batch.column_names:
            return batch.set_column(batch.column_names.index(self._column), self._column, made)
        return batch.append_column(self._column, made)


class Unseen:
    """What is near nothing in an index, for ``dataset.filter(Unseen(index), batched=True)``.

    With ``num_proc=`` it needs an index that was opened from a file. Rows without a text, or whose text has no
    features, stay.

    Parameters
    ----------
    index
        The fingerprints to stay away from: of a test set, or of pages that are there already.
    text
        The column that has the texts.
    recipe
        The recipe of the fingerprints of the index.
    k
        The radius; by default that of the index.

    Examples
    --------
    >>> import datasets, nearprint
    >>> from nearprint.integrations.datasets import Unseen
    >>> questions = nearprint.Index.build(nearprint.fingerprint(["One two three four?"]), k=3)
    >>> pages = datasets.Dataset.from_dict({"text": ["one two three four", "five six seven eight"]})
    >>> pages.filter(Unseen(questions), batched=True)["text"][:]
    ['five six seven eight']
    """

    @public(index=_INDEX, text=COLUMN)
    def __init__(
        self, index: Index, text: str = "text", recipe: str | Recipe = "text", *, k: int | None = None
    ) -> None:
        self._index = index
        self._text = text
        self._recipe = as_recipe(recipe)
        self._k = k

    def __call__(self, batch: Any) -> list[bool]:
        """Say which rows of a batch are kept."""
        column = batch[self._text]
        texts = column.to_pylist() if hasattr(column, "to_pylist") else column
        texts = [text or "" for text in texts_called(texts, self._text)]
        nearest = nearest_of_index(self._index, self._recipe, self._k, texts)
        return [near is None for near in nearest]

    def __getstate__(self) -> dict[str, Any]:
        """Say with the path of the index which file it was: datasets keeps results by what a function holds."""
        path = self._index.path
        file = None if path is None else os.stat(path)
        return self.__dict__ | {"_file": None if file is None else (file.st_size, file.st_mtime_ns)}
