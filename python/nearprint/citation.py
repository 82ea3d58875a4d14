"""What a paper says of a run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Literal

from nearprint import _native, errors
from nearprint._arguments import public
from nearprint._kinds import Kind


_FORMAT = Kind('is "markdown" or "latex"', "'latex'", lambda value: isinstance(value, str), ("markdown", "latex").__contains__)


@public(format=_FORMAT)
def methods(summary: Mapping[str, Any] | str | os.PathLike[str], *, format: Literal["markdown", "latex"] = "markdown") -> str:
    """Do what ``nearprint methods`` does: a sentence for a paper, a table, and the entries to cite.

    Parameters
    ----------
    summary
        What :func:`nearprint.dedup_files` returns, the ``summary`` of :func:`nearprint.dedup` or
        :func:`nearprint.decontaminate`, or the path of a file of ``--summary``. Of items of eval sets, the table is one for a model card.
    format
        ``"markdown"``, or ``"latex"`` for a tabular of booktabs.

    Returns
    -------
    str
        The sentence has the version, the recipe with its id, all settings, the recall, and what was removed.

    Raises
    ------
    NearprintError
        The figures are of no such run.

    Examples
    --------
    >>> import nearprint, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     texts, kept = os.path.join(folder, "texts.jsonl"), os.path.join(folder, "kept.jsonl")
    ...     with open(texts, "w") as file:
    ...         _ = file.write(('{"text":"one two three four"}' + chr(10)) * 3)
    ...     said = nearprint.methods(nearprint.dedup_files(texts, kept))
    >>> said[said.index("we removed"):][:56]
    'we removed 2 of 3 documents (66.7 %): 2 exact duplicates'
    """
    import json

    if isinstance(summary, (str, os.PathLike)):
        if not os.path.isfile(summary):
            raise ValueError(f"no file {os.fspath(summary)!r}: methods takes the figures of a run, or the path of a file of summary=")
        with open(summary, encoding="utf-8") as file:
            try:
                summary = json.load(file)
            except ValueError as wrong:
                raise errors.InputError(
                    f"{file.name} is not the summary of a run ({wrong}): nearprint.dedup_files(..., summary=FILE) writes one"
                ) from None
    return _native.methods(json.dumps(summary), format == "latex")
