"""A threshold from a sample, and how well a setting finds what people label: ``nearprint tune`` and ``evaluate``.

Both are the command, in a process of its own, over files or over rows in memory.
"""

from __future__ import annotations

# What is not needed by every call is imported where it is: `import nearprint` stays light.
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from nearprint import errors
from nearprint._arguments import public
from nearprint._command import Summary, printed
from nearprint._columns import are_paths, has_column
from nearprint._rows import held
from nearprint._values import records, texts_of, values_of

# What the command advises where labels name no document.
_NAME_IDS = "; name the field of the ids with "


@public("tune")
def tune(data: Any, *, text: str | list[str] | None = None, id: str | None = None, **options: object) -> Summary:
    """Propose a similarity for these texts, by a sample of them: what ``nearprint tune`` prints.

    Parameters
    ----------
    data
        Files, folders or patterns (paths), or rows in memory as :func:`nearprint.dedup` takes them.
    text
        The field or column of the texts; several are one text.
    id
        The field or column of the ids. Rows in memory without one go by their number.
    **options
        The options of the command, with ``_`` for ``-``: ``similarity=0.7``, ``documents=5000``, ``recipe="web"``,
        ``page="pairs.html"``, ``by="source"``, ``plot="similarities.svg"``. ``nearprint tune --help`` lists them.

    Returns
    -------
    dict
        What ``--format json`` prints: the predictions for each threshold, the threshold in the valley where there is
        one, and the ``recommendation`` in words.

    Raises
    ------
    nearprint.errors.InputError
        What the command says of a wrong input or option.

    Examples
    --------
    >>> import nearprint
    >>> texts = [f"A text of some words about the number {number % 7} and its neighbours" for number in range(40)]
    >>> nearprint.tune(texts)["documents"]
    40
    """
    if options.get("serve"):
        raise errors.InputError(
            "serve=True: nothing tells the address of the page here: run `nearprint tune IN --serve` in a shell, or write the "
            "page with page='pairs.html'"
        )
    with _files(data, text, id, options) as (inputs, fields):
        answer: Summary = printed("tune", {**fields, **options}, inputs)
        if not are_paths(data):
            answer["recommendation"] = _call_for(answer["recommendation"], inputs, text, id)
            if isinstance(page := options.get("page"), (str, bytes, os.PathLike)):
                _rename(page, inputs)
        return answer


@public("evaluate")
def evaluate(
    data: Any,
    labels: Any = None,
    *,
    text: str | list[str] | None = None,
    id: str | None = None,
    **options: object,
) -> Summary:
    """Judge settings by labels: precision and recall with their intervals, as ``nearprint evaluate`` prints them.

    Parameters
    ----------
    data
        Files, folders or patterns (paths), or rows in memory as :func:`nearprint.dedup` takes them.
    labels
        A path, or rows: ``{"a": id, "b": id, "same": True}`` for pairs or ``{"id": id, "cluster": name}`` for
        documents, as a list of dicts or a table. Left out where ``cluster_field=`` names a field of the documents.
    text
        The field or column of the texts; several are one text.
    id
        The field or column of the ids. Rows in memory without one go by their number.
    **options
        The options of the command, with ``_`` for ``-``: ``similarity=0.9``, ``recipe=["text", "words"]``,
        ``missed="missed.jsonl"``, ``plot="curves.svg"``. ``nearprint evaluate --help`` lists them.

    Returns
    -------
    dict
        What ``--format json`` prints.

    Raises
    ------
    nearprint.errors.InputError
        What the command says of a wrong input, label or option.

    Examples
    --------
    >>> import nearprint
    >>> texts = ["one two three four five six", "One, two, three, four, five, six!", "seven eight nine ten eleven"]
    >>> judged = nearprint.evaluate(texts, [{"a": 0, "b": 1, "same": True}, {"a": 0, "b": 2, "same": False}])
    >>> judged["evaluations"][0]["recipe"]
    'text'
    """
    with _files(data, text, id, options) as (inputs, fields):
        named: dict[str, object] = {**fields, **options}
        are_rows = not are_paths(data)
        if labels is None:
            judged: Summary = printed("evaluate", named, inputs)
            return judged
        if are_paths(labels):
            return _judged({**named, "labels": labels}, inputs, are_rows, id)
        import tempfile

        with tempfile.TemporaryDirectory(prefix="nearprint-labels-") as folder:
            path = os.path.join(folder, "labels.jsonl")
            _write(path, records(labels))
            try:
                return _judged({**named, "labels": path}, inputs, are_rows, id)
            except errors.InputError as refusal:
                # The caller knows rows, and no such file.
                raise errors.InputError(str(refusal).replace(path, "labels")) from None


def _judged(options: dict[str, object], inputs: Any, are_rows: bool, id: str | None) -> Summary:
    """Run `evaluate`; where no label is about a document, say what the ids of rows are."""
    try:
        judged: Summary = printed("evaluate", options, inputs)
        return judged
    except errors.InputError as refusal:
        said = str(refusal)
        fact, advice, _ = said.partition(_NAME_IDS)
        if not advice or not are_rows:
            raise
        if id is None:
            said = f"{fact}; rows go by their numbers, from 0, unless id= names the column of their ids"
        else:
            said = f"{fact} in the column {id!r}: name the column of the ids by id="
        raise errors.InputError(said) from None


def _call_for(recommendation: str, path: str, text: str | list[str] | None, id: str | None) -> str:
    """Give a recommendation for rows: the call over them, or the command without their file where no call has its flags."""
    import inspect
    import shlex

    from nearprint.deduplication import dedup

    said, _, command = recommendation.rpartition("\n")
    if path not in command:
        return recommendation
    takes = inspect.signature(dedup).parameters
    given: dict[str, object] = {name: value for name, value in (("text", text), ("id", id)) if value is not None}
    words = iter(shlex.split(command)[2:])
    for word in words:
        flag, parted, value = word.partition("=")
        if word == "--":
            break
        if flag in ("-o", "--text-field", "--id-field"):
            parted or next(words, None)
            continue
        name = flag.lstrip("-").replace("-", "_")
        if name not in takes:
            return f"{said}\n{command.replace(path, 'IN')}"
        given[name] = _literal(value if parted else next(words, ""))
    return f"{said}\n  nearprint.dedup({', '.join(['data', *(f'{name}={value!r}' for name, value in given.items())])})"


def _literal(word: str) -> int | float | str:
    """Give a number that a word is, or the word."""
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    return word


def _rename(page: str | bytes | os.PathLike[str], path: str) -> None:
    """Let a page name the input as its command names the output, and no file that is gone."""
    with open(page, "rb") as file:
        told = file.read()
    with open(page, "wb") as file:
        file.write(told.replace(path.encode(), b"IN"))


@contextmanager
def _files(
    data: Any, text: str | list[str] | None, id: str | None, options: dict[str, object]
) -> Iterator[tuple[Any, dict[str, object]]]:
    """The inputs of the command, and the names of their fields."""
    if are_paths(data):
        names = text if text is None or isinstance(text, str) else ",".join(text)
        yield data, {"text_field": names, "id_field": id}
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="nearprint-rows-") as folder:
        path = os.path.join(folder, "rows.jsonl")
        rows, fields = _rows(held(data), text, id, options)
        _write(path, rows)
        try:
            yield path, fields
        except errors.InputError as refusal:
            # The caller knows rows, and no such file.
            row = re.compile(rf"{re.escape(path)}:(\d+)")
            said = row.sub(lambda place: f"row {int(place[1]) - 1}", str(refusal))
            raise errors.InputError(said.replace(path, "data")) from None


def _rows(
    data: Any, text: str | list[str] | None, id: str | None, options: dict[str, object]
) -> tuple[Iterator[dict[str, Any]], dict[str, object]]:
    """Rows of an id, a text and what the options name, with the names of the fields of ids and texts."""
    # These have their usual names already.
    there = [usual for usual, name in (("text", text or "text"), ("id", id)) if name == usual]
    named = {name: values_of(data, name) for name in _named_in(data, options) if name not in there}
    fields: dict[str, object] = {}

    def own(usual: str) -> str:
        name = usual
        while name in named:
            name = f"_{name}"
        if name != usual:
            fields[f"{usual}_field"] = name
        return name

    id_field, text_field = own("id"), own("text")
    ids = None if id is None else values_of(data, id)
    rows = (
        {id_field: row if ids is None else ids[row], text_field: one, **{name: of[row] for name, of in named.items()}}
        for row, one in enumerate(texts_of(data, text))
    )
    return rows, fields


def _named_in(data: Any, options: dict[str, object]) -> list[str]:
    """The columns that options name as fields, alone, with a rule, or by what is inside of them."""
    texts = (one for value in options.values() for one in (value if isinstance(value, (list, tuple)) else [value]))
    fields = (field.strip() for one in texts if isinstance(one, str) for field in one.split(","))
    paths = (path for field in fields for path in (field, field.rpartition(":")[0]))
    names = (name for path in paths for name in (path, path.partition(".")[0]))
    return [name for name in dict.fromkeys(names) if has_column(data, name)]


def _write(path: str, rows: Iterable[dict[str, Any]]) -> None:
    import json

    with open(path, "w", encoding="utf-8", errors="surrogatepass") as file:
        for row in rows:
            file.write(json.dumps(row, default=str) + "\n")
