"""The items of eval sets in documents, removed: from texts in memory, and from files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nearprint import _native
from nearprint._arguments import public
from nearprint._command import Paths, Summary, arguments_of, flags_of, summary_of, tell
from nearprint._evals import Fields, eval_sets, item_fields
from nearprint._kinds import EVALS, FILES
from nearprint._native import Array
from nearprint._rows import handed, held_with_text, retold, taken
from nearprint._values import one_text
from nearprint.progress import Told, heard
from nearprint.recipe import Recipe, recipe_of
from nearprint.table import Table, headed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class SelfTest:
    """How many of the items that were put into documents are found. :meth:`Decontaminated.self_test` makes it.

    As a ``str`` it is what ``nearprint decontaminate --self-test`` prints.

    Attributes
    ----------
    forms
        Of each form in which items were planted a dict: ``form``, ``planted``, ``found``, ``recall`` (``None`` where none
        was planted), and ``low`` and ``high``, between which the recall lies with 95 % (Wilson's interval).
    alarms
        How many of the same rows are contaminated as they are.
    nearest
        A table of the places in untouched rows that are nearest to an item: ``row``, ``item``, ``eval``, ``share``,
        ``bits``, ``verdict``, ``question``, ``text``, and with ``id=`` also ``id``.
    summary
        The figures, as the command writes them.
    """

    def __init__(self, figures: str, told: str, nearest: _native.Table) -> None:
        """Take what a self-test told: use :meth:`Decontaminated.self_test`."""
        self.summary: Summary = summary_of(figures)
        self.forms: list[dict[str, Any]] = self.summary["forms"]
        self.alarms: int = self.summary["alarms"]
        self.nearest = Table(nearest)
        self._told = str(told)

    def __str__(self) -> str:
        return self._told

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(self._told)}</pre>"

    def __repr__(self) -> str:
        planted = [form for form in self.forms if form["planted"]]
        recall = ", ".join(f"{form['form']} {form['recall']:.3f}" for form in planted[:2])
        return f"<SelfTest {self.summary['items']:,} items: {recall}, ...; {self.alarms:,} alarms>"


class Decontaminated:
    """The items of eval sets that occur in some texts. :func:`decontaminate` makes it.

    Attributes
    ----------
    removed
        A table of everything that was found, with the evidence: ``row``, ``item``, ``eval``, ``equal`` (how many other items
        are equal to this one), ``share``, ``bits``, ``of_bits``, ``answers``, ``of_answers``, ``verdict``, ``start``, ``end``
        (as slices of the text count), ``text``, ``removed``, and with ``id=`` also ``id``.
    items
        A table of every item, in the order of the eval sets, also of clean ones: ``item``, ``eval``,
        ``documents``, ``best_share``, ``best`` (the row that has most of it), ``of_bits``, ``verdict``, and with ``id=`` also
        ``best_id``.
    keep
        For each row whether it is free of items: a mask.
    rows
        The rows that are, ascending.
    notes
        With ``action="annotate"`` for each row what was found in it, as JSON: the column ``nearprint_contamination``
        of the command.
    summary
        The figures, as the command writes them.
    """

    def __init__(self, found: _native.FoundContamination, data: Any, *, text: str | None = None) -> None:
        """Take what was found in the column ``text`` of the rows of ``data``: use :func:`decontaminate`."""
        if not isinstance(found, _native.FoundContamination):
            raise TypeError("what stands in some texts is found by decontaminate(data, against)")
        self._found = found
        self._data = data
        self._text = text or found.name
        self.summary: Summary = summary_of(found.summary)

    @property
    def removed(self) -> Table:
        """Everything that was found, with the evidence."""
        return Table(self._found.removed, "filter() gives the rows that are free of items")

    @property
    def items(self) -> Table:
        """Every item with what is known of it."""
        return Table(self._found.items)

    @property
    def keep(self) -> NDArray[np.bool_]:
        """For each row whether it is free of items."""
        return self._found.mask

    @property
    def rows(self) -> NDArray[np.int64]:
        """The rows that are free of items, ascending."""
        return self._found.kept

    @property
    def notes(self) -> Array:
        """What was found in each row, as JSON."""
        if self.summary["action"] != "annotate":
            raise ValueError('there are no notes: give action="annotate", or see removed')
        return self._found.notes

    def filter(self) -> Any:
        """Give the rows of the data that are free of items.

        The result is of the type of the data, as that of :meth:`Deduplicated.filter`.
        """
        self._check()
        return taken(self._data, self.rows, self.keep)

    def apply(self) -> Any:
        """Give all rows of the data, the lines with items cut out of their texts: with ``action="cut"``.

        The result is of the type of the data, as that of :meth:`Passages.apply`.
        """
        import numpy as np

        if self.summary["action"] != "cut":
            raise ValueError('nothing was cut: give action="cut", or call filter()')
        self._check()
        rows = np.arange(len(self))
        return retold(self._data, self._text, self._found.texts, rows, rows >= 0)

    @public()
    def self_test(self, items: int, *, progress: Told = None) -> SelfTest:
        """Put so many items into rows, in memory and in nine forms, and say how many are found.

        What is drawn is the same in every call.

        Raises
        ------
        NearprintError
            No row with a word, into which an item could be put.
        """
        with heard(progress) as told:
            return SelfTest(*self._found.self_test(items, told))

    def _check(self) -> None:
        if len(self._data) != len(self):
            raise ValueError(f"the data has {len(self._data)} rows by now, and had {len(self)}")

    def __len__(self) -> int:
        return len(self._found)

    def _repr_html_(self) -> str:
        return headed(self, self.removed)

    def __repr__(self) -> str:
        figures = self.summary
        return (
            f"<Decontaminated {len(self):,} rows: {figures['contaminated_documents']:,} contaminated, "
            f"by {figures['contaminated'] + figures['common']:,} of {figures['items']:,} items; "
            f"recipe {figures['recipe']}, share {figures['share']}, {figures['bits']:g} bits>"
        )


@public(against=EVALS)
def decontaminate(
    data: Any,
    against: Any = None,
    *,
    index: str | os.PathLike[str] | None = None,
    text: str | Sequence[str] | None = None,
    id: str | None = None,
    question: Fields = None,
    choices: Fields = None,
    answer: Fields = None,
    context: Fields = None,
    item_id: str | None = None,
    delimiter: str | None = None,
    quote: str | None = None,
    escape: str | None = None,
    encoding: str | None = None,
    share: float | None = None,
    bits: float | None = None,
    short: str | None = None,
    common: str | None = None,
    action: str | None = None,
    margin: int | None = None,
    recipe: str | Recipe = "text",
    threads: int | None = None,
    memory: int | str | None = None,
    work_dir: str | os.PathLike[str] | None = None,
    progress: Told = None,
) -> Decontaminated:
    """Find the items of eval sets that occur in texts, and what is left without them.

    Settings are those of ``nearprint decontaminate``, with its defaults; what is found in rows is what the command finds in a
    file of these rows.

    Parameters
    ----------
    data
        A table or column of any library of Arrow, a list of dicts, a NumPy array or a sequence of ``str``. Missing texts
        are ``None`` or null, and are kept.
    against
        The eval sets: the path of a file or folder, a list of paths, a table of any library of Arrow, or a list of dicts;
        or a dict of these, by the name of each set. A row is an item. Files have the names that the command gives them,
        a table or list without a name is called ``against``. Not needed where there is an index of them.
    index
        A file that keeps the prepared items: written where it is not there, else read, which takes a second for a million
        items. Where eval sets are given too, it must be the index of these.
    text
        The column of a table that has the texts. Not needed where only one column has texts. Several columns, as
        ``["title", "body"]``, are one text, a line each. Of these and of conversations nothing can be cut.
    id
        The column of a table that has ids, for :attr:`Decontaminated.removed` and :attr:`Decontaminated.items`.
    question, choices, answer, context
        The fields of an item, each one or several; a name with dots is a nested field. By default
        those with usual names. With ``answer`` alone the answers are searched for.
    item_id
        The field by which several rows are of one item. By default each row is one.
    delimiter, quote, escape, encoding
        How the tables among the files of eval sets are written, such as ``";"``, ``"none"``, and ``"latin1"``.
    share
        The share of an item that a text must contain in order, of its weight and of its words; by default 0.55.
    bits
        The bits of evidence; by default 30.
    short
        What becomes of items too short or too common to decide: ``"report"`` (the default), ``"flag"`` or ``"skip"``.
    common
        Rows with an item that occurs in very many: ``"flag"`` (the default) or ``"keep"``.
    action
        What becomes of a contaminated row: ``"drop"`` (the default), ``"cut"``, which takes the lines with the item out of
        its text (:meth:`Decontaminated.apply`), or ``"annotate"`` (:attr:`Decontaminated.notes`).
    margin
        With ``action="cut"``: so many characters on each side of an item go, in place of its whole lines.
    recipe
        How a text becomes tokens: the name of a built-in recipe, the path of its TOML, or a :class:`Recipe`.
    threads
        Worker threads. By default one for each processor.
    memory
        Bytes that this process may take, with what it takes already, such as ``"4G"``. What there is no room for goes
        to ``work_dir``.
    work_dir
        The folder for temporary files; by default the system's. It holds a copy of the texts meanwhile.
    progress
        As for :func:`dedup`.

    Raises
    ------
    NearprintError
        What the command says; see :mod:`nearprint.errors`.

    Examples
    --------
    >>> import nearprint
    >>> question = "Which of the planets turns around the sun in the shortest time?"
    >>> texts = ["Nothing of it.", f"A quiz. {question.upper()} Say it!", "And here is nothing."]
    >>> found = nearprint.decontaminate(texts, {"planets": [{"id": 7, "question": question}]})
    >>> found.filter()
    ['Nothing of it.', 'And here is nothing.']
    >>> found.removed["row"].tolist(), found.removed["item"].tolist(), found.removed["verdict"].tolist()
    ([1], ['7'], ['contaminated'])
    >>> found.items["eval"].tolist(), found.items["documents"].tolist()
    (['planets'], [1])
    """
    chosen = recipe_of(recipe)
    data, text = held_with_text(data, text if text is None or isinstance(text, str) else list(text))
    settings = {
        "item_fields": item_fields(question=question, choices=choices, answer=answer, context=context),
        "item_id": item_id,
        "index": index,
        "delimiter": delimiter,
        "quote": quote,
        "escape": escape,
        "encoding": encoding,
        "share": share,
        "bits": bits,
        "short": short,
        "common": common,
        "threads": threads,
        "memory": memory,
    }
    if action == "cut" and isinstance(text, list):
        raise TypeError('items cannot be cut out of several columns: name one of them by text=, or leave action="cut" out')
    if action == "cut" and isinstance(data, (list, tuple)) and any(isinstance(one, list) for one in data):
        raise TypeError(
            "items cannot be cut out of lists of texts or messages: give each of these texts as a row, or leave "
            'action="cut" out'
        )
    rows, name, own = one_text(data, text, id, said=action != "cut")
    with heard(progress) as told:
        found = _native.decontaminate(
            handed(rows, name, own),
            chosen,
            flags_of(settings),
            flags_of({"action": action, "margin": margin}),
            eval_sets(against),
            text=name,
            id=own,
            work_dir=work_dir,
            progress=told,
        )
    return Decontaminated(found, data, text=text if isinstance(text, str) and name is not None else None)


@public("decontaminate", against=FILES)
def decontaminate_files(
    inputs: Paths,
    output: str | bytes | os.PathLike[str] | None,
    *,
    against: Paths | None = None,
    progress: Told = None,
    **options: object,
) -> Summary:
    """Do what ``nearprint decontaminate`` does: the same bytes, the same messages, every option but ``--self-test``.

    Parameters
    ----------
    inputs, output, progress, **options
        As for :func:`dedup_files`; ``nearprint decontaminate --help`` lists the options. With ``None`` for an output the
        reports are all that is written.
    against
        The eval sets: files or folders, one or several. Not needed with ``index=``.

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
    >>> import json, nearprint, os, tempfile
    >>> question = "Which of the planets turns around the sun in the shortest time?"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     texts, evals, kept = (os.path.join(folder, name) for name in ("texts.jsonl", "evals.jsonl", "kept.jsonl"))
    ...     with open(texts, "w") as file:
    ...         _ = file.write(json.dumps({"text": f"A quiz. {question}"}) + chr(10))
    ...     with open(evals, "w") as file:
    ...         _ = file.write(json.dumps({"question": question}) + chr(10))
    ...     nearprint.decontaminate_files(texts, kept, against=evals)["removed"]
    1
    """
    with heard(progress) as told:
        arguments = arguments_of({"against": against, **options}, inputs, output)
        done, remarks = _native.decontaminate_files(arguments, told)
    tell(remarks, [])
    return summary_of(done)
