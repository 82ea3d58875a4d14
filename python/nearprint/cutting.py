"""What repeats inside documents, cut out: of texts in memory, and of files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nearprint import _native
from nearprint._arguments import about, public
from nearprint._command import Paths, Summary, arguments_of, flags_of, summary_of, tell
from nearprint._kinds import COLUMN
from nearprint._columns import named_columns
from nearprint._rows import handed, held_with_text, retold
from nearprint._values import texts_of
from nearprint.progress import Told, heard
from nearprint.recipe import Recipe, recipe_of
from nearprint.table import Table, headed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Passages:
    """What repeats inside some texts, and what is cut. :func:`passages` makes it.

    Attributes
    ----------
    cuts
        A table of what is cut: ``row``, ``start``, ``end`` (as slices of the text count), ``tokens``, ``kept``,
        ``kept_start``, ``kept_end`` (where it is kept), ``copies``, ``documents``, and with ``id=`` also ``id`` and
        ``kept_id``. With ``keep="none"`` the names begin with ``near``; with ``similarity=`` there are ``similarity`` and
        ``measure`` in place of ``documents``. For a row that is removed (``min_left=``) a line says the tokens that
        were ``left``. With ``against=`` what is kept there has its row in ``kept_against``, and none in ``kept``.
    passages
        A table of each passage that repeats, most copies first: ``text``, ``tokens``, ``copies``, ``documents``,
        ``sources``, ``first``, ``first_start``, ``first_end``, and with ``id=`` also ``first_id``.
    keep
        For each row whether it is kept: a mask. All are, except for ``min_left=``.
    rows
        The kept rows, ascending.
    summary
        The figures, as the command writes them.
    """

    def __init__(self, found: _native.FoundPassages, data: Any) -> None:
        """Take what was found among the rows of ``data``: use :func:`passages`."""
        if not isinstance(found, _native.FoundPassages):
            raise TypeError("what repeats inside some texts is found by passages(data)")
        self._found = found
        self._data = data
        self.summary: Summary = summary_of(found.summary)

    @property
    def cuts(self) -> Table:
        """What is cut, and where it is kept."""
        return Table(self._found.cuts, "apply() gives the texts without what is cut")

    @property
    def passages(self) -> Table:
        """Each passage that repeats, most copies first."""
        found = self._found.passages
        if found is None:
            raise ValueError("with similarity= there are no passages that are equal to be listed: see cuts")
        return Table(found, "cuts has each place, and apply() gives the texts without what is cut")

    @property
    def keep(self) -> NDArray[np.bool_]:
        """For each row whether it is kept."""
        return self._found.mask

    @property
    def rows(self) -> NDArray[np.int64]:
        """The kept rows, ascending."""
        return self._found.kept

    def apply(self) -> Any:
        """Give the data with the texts that are left, without rows that go as a whole.

        The result is of the type of the data, as that of :meth:`Deduplicated.filter`.
        """
        if len(self._data) != len(self):
            raise ValueError(f"the data has {len(self._data)} rows by now, and had {len(self)}")
        return retold(self._data, self._found.name, self._found.texts, self.rows, self.keep)

    def __len__(self) -> int:
        return len(self._found)

    def _repr_html_(self) -> str:
        return headed(self, self.cuts)

    def __repr__(self) -> str:
        figures = self.summary
        return (
            f"<Passages {len(self):,} rows: {figures['cut_tokens']:,} of {figures['tokens']:,} tokens cut, "
            f"in {figures['cuts']:,} places of {figures['cut_documents']:,} rows; "
            f"recipe {figures['recipe']}, {figures['length']:,} {figures['unit']}s>"
        )


@public(text=COLUMN)
def passages(
    data: Any,
    *,
    text: str | None = None,
    id: str | None = None,
    unit: str | None = None,
    length: int | None = None,
    similarity: float | None = None,
    copies: int | None = None,
    keep: str | None = None,
    keep_by: str | Sequence[str] | None = None,
    inside: str | None = None,
    digits: str | None = None,
    whole: str | None = None,
    joint: str | None = None,
    min_left: int | None = None,
    against: Any = None,
    source_field: str | None = None,
    recipe: str | Recipe = "text",
    threads: int | None = None,
    memory: int | str | None = None,
    work_dir: str | os.PathLike[str] | None = None,
    progress: Told = None,
) -> Passages:
    """Find what repeats inside texts, and what is left of them without it.

    Settings are those of ``nearprint passages``, with its defaults; what is cut of rows is what the command cuts of a
    file of these rows.

    Parameters
    ----------
    data
        A table or column of any library of Arrow, a list of dicts, a NumPy array or a sequence of ``str``. Missing texts
        are ``None`` or null, and are kept.
    text
        The column of a table that has the texts. Not needed where only one column has texts.
    id
        The column of a table that has ids, for :attr:`Passages.cuts` and :attr:`Passages.passages`.
    unit
        What a passage is measured in: ``"token"`` (the default), ``"line"``, ``"sentence"`` or ``"paragraph"``.
    length
        Units of a passage, at least: by default 50 tokens, 3 sentences, 1 line or paragraph.
    similarity
        Cut lines or paragraphs that are near-duplicates: those of at least this similarity, from 0 to 1.
    copies
        Cut only what at least this many rows contain; by default 1.
    keep
        Which passage is kept: ``"first"`` (the default), ``"last"``, ``"longest"``, ``"shortest"`` (of the first row,
        the longest, and so on), or ``"none"``.
    keep_by
        In place of this: that of the row with the highest or lowest value in a column: ``"score:max"``. Of a list of
        such the later ones break ties.
    inside
        What repeats within one row only: ``"cut"`` (the default) or ``"keep"``.
    digits
        Digits of tokens: ``"keep"`` (the default), or ``"one"``, which makes all digits alike.
    whole
        Cut only whole ones of these: ``"sentence"``, ``"line"`` or ``"paragraph"``.
    joint
        Text to put where something was cut. By default nothing at the start or the end of a line or next to
        white space, a line break if one was cut, and else a space.
    min_left
        A row that was cut and has fewer tokens left is removed, unless it has the kept copy of another's passage.
    against
        Rows of the same columns, or texts, which are there to be compared with: their passages come before all others.
    source_field
        The column that says which source a row is of, for :attr:`Passages.passages`.
    recipe
        How a text becomes tokens: the name of a built-in recipe, the path of its TOML, or a :class:`Recipe`.
    threads
        Worker threads. By default one for each processor.
    memory
        Bytes that this process may take, with what it takes already, such as ``"4G"``. What there is no room for goes
        to ``work_dir``.
    work_dir
        The folder for temporary files; by default the system's. It holds two copies of the texts meanwhile.
    progress
        As for :func:`dedup`.

    Raises
    ------
    NearprintError
        What the command says; see :mod:`nearprint.errors`.

    Examples
    --------
    >>> import nearprint
    >>> texts = ["All rights reserved by us. One.", "Two. All rights reserved by us.", "Three, all rights reserved!"]
    >>> found = nearprint.passages(texts, length=5)
    >>> found.apply()
    ['All rights reserved by us. One.', 'Two. .', 'Three, all rights reserved!']
    >>> found.cuts["row"].tolist(), found.cuts["kept"].tolist(), found.cuts["start"].tolist()
    ([1], [0], [5])
    >>> found.passages["text"].tolist(), found.passages["copies"].tolist()
    (['All rights reserved by us'], [2])
    """
    chosen = recipe_of(recipe)
    data, own = held_with_text(data, text)
    if against is not None:
        against, theirs = held_with_text(against, text)
        # Of a file beside texts without a name no other column may be taken for them.
        against = texts_of(against, theirs) if own is None and theirs is not None else against
    text = own
    settings = {
        "unit": unit,
        "length": length,
        "similarity": similarity,
        "copies": copies,
        "keep": keep,
        "keep_by": keep_by,
        "inside": inside,
        "digits": digits,
        "whole": whole,
        "joint": joint,
        "min_left": min_left,
        "source_field": source_field,
        "threads": threads,
        "memory": memory,
    }
    columns: dict[str, str] = {}
    if keep_by is not None:
        columns |= dict.fromkeys((column for column, _ in named_columns(keep_by)), "keep_by")
    if isinstance(source_field, str):
        columns[source_field] = "source_field"
    rows = handed(data, text, id, *columns)
    if isinstance(rows, (list, tuple)) and any(isinstance(one, list) for one in rows):
        raise TypeError("passages cannot be cut out of lists of texts or messages: give each of these texts as a row")
    with about("against"):
        others = None if against is None else handed(against, text, id, *columns)
    with heard(progress) as told:
        found = _native.passages(
            rows,
            chosen,
            flags_of(settings),
            [(argument, name) for name, argument in columns.items()],
            text=text,
            id=id,
            against=others,
            work_dir=work_dir,
            progress=told,
        )
    return Passages(found, data)


@public("passages")
def passages_files(
    inputs: Paths, output: str | bytes | os.PathLike[str], *, progress: Told = None, **options: object
) -> Summary:
    """Do what ``nearprint passages`` does: the same bytes, the same messages, every option.

    Parameters
    ----------
    inputs, output, progress, **options
        As for :func:`dedup_files`; ``nearprint passages --help`` lists the options.

    Returns
    -------
    dict
        The figures of the run, as ``--summary`` writes them.

    Raises
    ------
    NearprintError
        What the command says; see :mod:`nearprint.errors`.

    Examples
    --------
    >>> import nearprint, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     texts, cut = os.path.join(folder, "texts.jsonl"), os.path.join(folder, "cut.jsonl")
    ...     with open(texts, "w") as file:
    ...         _ = file.write(('{"text":"one two three four"}' + chr(10)) * 2)
    ...     nearprint.passages_files(texts, cut, length=4)["cut_tokens"]
    4
    """
    with heard(progress) as told:
        done, remarks = _native.passages_files(arguments_of(options, inputs, output), told)
    tell(remarks, [])
    return summary_of(done)
