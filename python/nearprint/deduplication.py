"""Near-duplicates removed: from texts in memory, and from files."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from nearprint import _native
from nearprint._arguments import about, public
from nearprint._command import Summary, arguments_of, summary_of, tell
from nearprint._columns import has_column, rules_of
from nearprint._kinds import ANY_ROWS, ROW_OR_ID
from nearprint._rows import handed, held, held_with_text, taken
from nearprint._values import best_first, is_nested, one_text, values_of
from nearprint.comparison import Comparison, Kept
from nearprint.progress import Told, heard
from nearprint.recipe import Recipe, recipe_of
from nearprint.table import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Rows that go, of which a notebook shows why.
_SHOWN = 5


class Deduplicated:
    """What is kept of some texts, and what is removed because of which. :func:`dedup` makes it.

    Attributes
    ----------
    keep
        For each row whether it is kept: a mask.
    rows
        The kept rows, ascending.
    cluster
        The number of each row's cluster; -1 for a row without near-duplicates.
    representative
        The row that is kept for each row; -1 if that is one of ``against=``.
    copies
        How many rows each row represents, itself included: 0 for a removed row.
    sources
        With ``count_by=``, for each row of :attr:`rows` how many rows of each value it represents, as
        ``{"cc-2024-10": 3, "cc-2024-18": 1}``; rows without a value are counted as ``"null"``, and the text ``null`` in quotes of its
        own. Else ``None``.
    removed
        A table of what was removed: ``row``, ``kept``, ``distance``, ``similarity``, ``measure``, ``cluster``, and with
        ``id=`` also ``id`` and ``kept_id``. With ``against=`` also ``against``: the row there, if a row is
        removed because of it; then ``kept`` is null, and ``kept_id`` the id there, if there is such a column. If none is kept
        (``keep="none"``), ``near`` and ``near_id`` name another row of the cluster in place of the one that is kept.
    summary
        The figures, as the command writes them.
    """

    def __init__(
        self, found: _native.Found, data: Any, recipe: str | Recipe | _native.Recipe, *, id: str | None = None, against: Any = None
    ) -> None:
        """Take what was found among the rows of ``data``, and of ``against``: use :func:`dedup`."""
        if not isinstance(found, _native.Found):
            raise TypeError("what stays of some texts is found by dedup(data)")
        self._found = found
        self._data = data
        self._recipe = recipe_of(recipe)
        self._id = id
        self._against = against
        self.summary: Summary = summary_of(found.summary)

    @property
    def keep(self) -> NDArray[np.bool_]:
        """For each row whether it is kept."""
        return self._found.mask

    @property
    def rows(self) -> NDArray[np.int64]:
        """The kept rows, ascending."""
        return self._found.kept

    @property
    def cluster(self) -> NDArray[np.int64]:
        """The number of each row's cluster; -1 for a row without near-duplicates."""
        return self._found.cluster

    @property
    def representative(self) -> NDArray[np.int64]:
        """The row that is kept for each row; for a kept row, the row itself."""
        return self._found.representative

    @property
    def copies(self) -> NDArray[np.int64]:
        """How many rows each row represents, itself included; 0 for a removed row."""
        return self._found.copies

    @property
    def sources(self) -> list[dict[str, int]] | None:
        """For each kept row how many rows of each value it represents, if ``count_by`` names a column."""
        return self._found.sources

    @property
    def removed(self) -> Table:
        """What is removed, and because of which row."""
        return Table(self._found.removed, "explain(row) compares a row with the kept one, and filter() gives the kept rows")

    @public(data=ANY_ROWS)
    def filter(self, data: Any = None) -> Any:
        """Take the kept rows: of the data that was given, or of other data of as many rows.

        The result is of the type of the data: a list, a NumPy array, or a table or column of pandas (with its
        index), polars, pyarrow or datasets. Of a relation of DuckDB or a reader it is a table of pyarrow, of what
        else hands over Arrow a :class:`Table`.
        """
        data = self._data if data is None else held(data)
        if len(data) != len(self):
            raise ValueError(f"data of {len(data)} rows for a result of {len(self)}")
        return taken(data, self.rows, self.keep)

    @public(row=ROW_OR_ID)
    def explain(self, row: int | str) -> Comparison:
        """Compare a row with the row that is kept for it. With ``id=``, a text is the id of a row.

        A kept row is compared with itself: it says so, and its ``stands_for`` has the rows that are removed because of it.
        """
        row = self._row_of(row) if isinstance(row, str) else operator.index(row)
        if not 0 <= row < len(self):
            raise IndexError(f"row {row} of {len(self)}: the rows are 0 to {len(self) - 1}")
        near, own = self._found.kept_text(row), self._found.text(row)
        found = _native.compare(near or "", own or "", self._recipe, self.summary["width"])
        gone = self._gone
        at = int(gone["row"].searchsorted(row))
        if at == len(gone) or gone["row"][at] != row:
            stands_for = [int(other) for other in (self.representative == row).nonzero()[0] if other != row]
            return Kept(found, self._called(row), stands_for if self._is_kept else [])
        kept = "kept" if self._is_kept else "removed"
        return Comparison(found, (f"{self._other(at)}: {kept}", f"{self._called(row)}: removed"))

    @cached_property
    def _gone(self) -> Table:
        return self.removed

    @property
    def _is_kept(self) -> bool:
        """Whether one of each cluster is kept."""
        return "kept" in self._gone.column_names

    def _row_of(self, id: str) -> int:
        """The row of an id."""
        if self._id is None:
            raise TypeError(f"row is the number of a row, not {id!r}: rows have ids where dedup is given id=")
        rows = [row for row, own in enumerate(self._ids) if own is not None and str(own) == id]
        if len(rows) != 1:
            what = f"{len(rows)} rows have" if rows else "no row has"
            raise ValueError(f"{what} the id {id!r} in the column {self._id!r}: give the number of a row")
        return rows[0]

    @cached_property
    def _ids(self) -> list[Any]:
        return [] if self._id is None else values_of(self._data, self._id)

    def _called(self, row: int) -> str:
        """A row as one calls it."""
        return f"row {row:,}" + _id_of(self._data, self._id, row)

    def _other(self, at: int) -> str:
        """The row because of which another is removed, as one calls it."""
        gone = self._gone
        if "against" in gone.column_names and (there := gone["against"].tolist()[at]) is not None:
            return f"row {there:,} of against" + _id_of(self._against, self._id, there)
        return self._called(gone["kept" if self._is_kept else "near"].tolist()[at])

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        kept, clusters = self.summary["kept"], self.summary["clusters"]
        gone = self.summary["removed"]
        return (
            f"<Deduplicated {len(self):,} rows: {kept:,} kept, {gone:,} removed, {clusters:,} clusters; "
            f"recipe {self.summary['recipe']}, {self.summary['width']} bits>"
        )

    def _repr_html_(self) -> str:
        import html

        counts = self.summary
        figures = {
            "kept": counts["kept"],
            "removed": counts["removed"],
            "exact duplicates": counts["exact"],
            "near-duplicates": counts["removed"] - counts["exact"],
            "clusters": counts["clusters"],
            "largest cluster": counts["largest_cluster"],
        }
        cells = "".join(f"<tr><th>{name}</th><td>{number:,}</td></tr>" for name, number in figures.items())
        rows = self._gone["row"][:_SHOWN].tolist()
        shown = "".join(
            f"<details><summary>{html.escape(f'{self._called(row)}, like {self._other(at)}')}</summary>"
            f"{self.explain(row)._repr_html_()}</details>"
            for at, row in enumerate(rows)
        )
        return (
            f"<p>{html.escape(repr(self)[1:-1])}</p><table>{cells}</table>{shown}"
            "<p><code>.filter()</code> gives the kept rows, <code>.removed</code> all that are removed, and "
            "<code>.explain(row)</code> compares one with the kept row</p>"
        )


def _id_of(data: Any, name: str | None, row: int) -> str:
    """The id of a row behind its number, where the data has such a column."""
    if name is None or data is None:
        return ""
    import numpy as np

    mask = np.zeros(len(data), bool)
    mask[row] = True
    return f" ({values_of(taken(data, np.array([row]), mask), name)[0]})"


@public()
def dedup(
    data: Any,
    *,
    text: str | Sequence[str] | None = None,
    id: str | None = None,
    against: Any = None,
    similarity: float | None = None,
    recall: float | str | None = None,
    k: int | None = None,
    recipe: str | Recipe = "text",
    width: int | None = None,
    verify: str | None = None,
    equal: str | None = None,
    keep: str | None = None,
    keep_by: str | Sequence[str] | None = None,
    cluster_rule: str | None = None,
    within: str | None = None,
    across: str | None = None,
    count_by: str | None = None,
    threads: int | None = None,
    progress: Told = None,
) -> Deduplicated:
    """Find the near-duplicates among texts, and which one of each group is kept.

    Parameters
    ----------
    data
        A table or column of any library of Arrow, a list of dicts, a NumPy array or a sequence of ``str``. It is not copied,
        unless it is a list or an array of Python objects. Missing texts are ``None`` or null, and in pandas
        what counts as missing there. A path is read as a table by pyarrow, and a ``LazyFrame`` of polars is collected.
    text
        The column of a table that has the texts; ``text_field``, as for :func:`dedup_files`, is another name of it. Not needed
        where only one column has texts, nor for files whose column is called ``text``. Several columns, as ``["title", "body"]``, are one text, a line each. A name with dots, as
        ``doc.text``, is a field within a column; so are those of ``id``, ``within``, ``across``, ``keep_by`` and ``count_by``.
    id
        The column of a table that has ids, for :attr:`Deduplicated.removed` and :meth:`Deduplicated.explain`.
    against
        Other texts, such as last month's table: rows near one of these go, too. They have the columns of ``data``, or are
        texts. Which of them a row is near is in the column ``against`` of :attr:`Deduplicated.removed`.
    similarity
        Near-duplicates share at least this part of their features (Jaccard); by default 0.8. For recipes of real
        weights it is the cosine of the weights. ``threshold`` is another name of it, in all calls.
    recall
        The share of the pairs of exactly that similarity that is found at least, or ``"exact"`` for all.
    k
        In place of a similarity: near-duplicates are texts whose fingerprints differ in at most ``k`` bits.
    recipe
        How a text becomes a fingerprint: the name of a built-in one, the path of its TOML, or a :class:`Recipe`.
    width
        Bits of a fingerprint; by default those of the recipe. A recipe that names none has 64 with ``k``,
        256 where pairs of a cosine are found by their fingerprints, and else 128.
    verify
        What a pair must pass, as on the command line: ``"jaccard=0.8"``, ``"containment=0.9"``,
        ``"cosine=0.9"``, ``"weighted-jaccard=0.7"``; the last two go by the weights of the features. Pairs are looked
        for at that number, and a ``similarity`` that differs is refused.
    equal
        ``"bytes"``: only equal texts are duplicates, in place of a similarity or a radius. Nothing is fingerprinted.
    keep
        Which of a group is kept: ``"central"`` (the default), ``"first"``, ``"last"``, ``"longest"``,
        ``"shortest"`` or ``"none"``. The central one has the most near-duplicates; many hundreds are estimated. With
        ``"none"`` all of a group go; what is near others of a star than its centre may stay.
    keep_by
        In place of ``keep``: a column and ``max`` or ``min``, such as ``"date:max"`` for the newest: of numbers, truth values,
        dates, times or durations of any type, which are ordered exactly. The first row of
        equal values is kept; a row without a value only if no row of its group has one. Of several (at most four), such as
        ``["date:max", "rating:max"]`` or ``"date:max,rating:max"``, the later ones break ties.
    cluster_rule
        What makes a group: ``"star"`` (the default) or ``"connected"``.
    within
        A column of texts, numbers or truth values: only rows of equal value are compared, such as those of one dump, site
        or language. Rows without a value are compared with each other. ``against`` has the column too.
    across
        Such a column: only rows of different values are compared, so that a row goes only because of one with another
        value. All pairs are listed first.
    count_by
        Such a column, by which :attr:`Deduplicated.sources` counts copies.
    threads
        Worker threads. By default one for each processor.
    progress
        ``True`` for a bar of ``tqdm``, a function that takes a :class:`Progress`, ``False`` for neither. By
        default a bar where standard error is a terminal and ``tqdm`` is there.

    Examples
    --------
    >>> import nearprint
    >>> texts = ["one two three four five six", "seven eight nine ten", "One two three four, five six!"]
    >>> found = nearprint.dedup(texts)
    >>> found.keep.tolist(), found.representative.tolist()
    ([True, True, False], [0, 1, 0])
    """
    chosen = recipe_of(recipe)
    asked = text if text is None or isinstance(text, str) else list(text)
    data, text = held_with_text(data, asked)
    order, rules = None, None
    if keep_by is not None:
        if keep is not None:
            raise TypeError("keep= and keep_by= both say which row stays: give one of them")
        rules = rules_of(keep_by)
        order = best_first(data, rules, are_all=True)
    rows, name, own = one_text(data, text, id, within, across, count_by)
    others, of_others, theirs = None, None, None
    if against is not None:
        grouped = within is not None or across is not None
        if grouped and _are_bare(against):
            raise TypeError("within= and across= go by a column, and against= has none: give a table, or leave one of them out")
        against, asked = held_with_text(against, asked)
        # What rows are compared with may have no ids.
        theirs = id if id is not None and (has_column(against, id) or is_nested(against, id)) else None
        bare = None if _are_bare(against) else asked
        with about("against"):
            others, of_others, theirs = one_text(against, bare, theirs, within, across)
            others = handed(others, of_others, theirs, within, across)
    with heard(progress) as told:
        found = _native.dedup(
            handed(rows, name, own, within, across, count_by),
            chosen,
            text=name,
            id=own,
            against=others,
            against_text=of_others,
            order=order,
            keep_by=None if rules is None else [(column, rule == "min") for column, rule in rules],
            text_field=_field_of(text, name),
            similarity=similarity,
            recall=None if recall is None else str(recall),
            k=k,
            width=width,
            verify=verify,
            equal=equal,
            keep=keep,
            cluster_rule=cluster_rule,
            within=within,
            across=across,
            count_by=count_by,
            threads=threads,
            progress=told,
        )
    return Deduplicated(found, data, chosen, id=id, against=None if theirs is None else against)


def _field_of(text: str | Sequence[str] | None, name: str | None) -> str | None:
    """The field of texts as the command names it, where that is not the column that is found. `name` is what holds them."""
    if text is None:
        # A column that was made here is called as nothing is.
        return None if name is None else "text"
    return text if isinstance(text, str) else ",".join(text)


def _are_bare(data: Any) -> bool:
    """Say whether these are texts without a table."""
    if isinstance(data, (list, tuple)):
        return not any(isinstance(row, dict) for row in data)
    return not (isinstance(data, (str, bytes)) or hasattr(data, "columns") or hasattr(data, "column_names") or hasattr(data, "__fspath__"))


@public("dedup")
def dedup_files(
    inputs: str | bytes | os.PathLike[str] | Iterable[str | bytes | os.PathLike[str]],
    output: str | bytes | os.PathLike[str] | None,
    *,
    progress: Told = None,
    **options: object,
) -> Summary:
    """Do what ``nearprint dedup`` does: the same bytes, the same messages, every option.

    Parameters
    ----------
    inputs
        Files, folders (read recursively), patterns or URLs of object storage: one, or several.
    output
        A file, or a folder; ``None`` where ``decisions=`` names a file for :func:`decide`.
    progress
        As for :func:`dedup`.
    **options
        The options of the command, with ``_`` for ``-``: ``text_field="body"`` (the ``text`` of :func:`dedup`),
        ``similarity=0.9``, ``removed="removed.jsonl"``, ``annotate=True``, ``against=["a.jsonl", "b.jsonl"]``. ``nearprint dedup --help`` lists them.

    Notes
    -----
    The logger ``nearprint`` hears what the command says of the input; what was left out of it is a warning.

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
    ...     texts, kept = os.path.join(folder, "texts.jsonl"), os.path.join(folder, "kept.jsonl")
    ...     with open(texts, "w") as file:
    ...         _ = file.write('{"text":"one two three four"}' + chr(10)) * 1
    ...     nearprint.dedup_files(texts, kept, keep="first")["kept"]
    1
    """
    args = arguments_of(options, inputs, output)
    with heard(progress) as told:
        done, remarks, left_out = _native.dedup_files(args, told)
    tell(remarks, left_out)
    return summary_of(done)
