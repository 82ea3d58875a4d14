"""A corpus of files cleaned by dedup, passages and decontaminate, one after the other."""

from __future__ import annotations

import os

from nearprint import _native
from nearprint._arguments import public
from nearprint._kinds import FILE
from nearprint._command import Summary, arguments_of, summary_of
from nearprint.progress import Told, heard


@public("clean", corpus=FILE)
def clean_files(
    corpus: str | bytes | os.PathLike[str],
    output: str | bytes | os.PathLike[str],
    *,
    progress: Told = None,
    **options: object,
) -> Summary:
    """Do what ``nearprint clean`` does: dedup, passages and, with ``evals``, decontaminate over one corpus.

    Parameters
    ----------
    corpus
        A folder or a file of rows or texts.
    output
        A file, or a folder.
    progress
        As for :func:`nearprint.dedup`.
    **options
        The options of the command, with ``_`` for ``-``: ``evals=["evals/"]``, ``dedup="--similarity 0.9"``,
        ``lists="lists/"``, ``report="clean.html"``, ``work_dir="/scratch"`` with ``resume=True``.
        ``nearprint clean --help`` lists them.

    Returns
    -------
    dict
        The figures, as ``summary=`` writes them: ``"steps"`` has ``documents``, ``bytes`` of text and ``tokens`` before
        and behind each step, and the ``summary`` of its verb.

    Raises
    ------
    NearprintError
        What the command says; see :mod:`nearprint.errors`.

    Examples
    --------
    >>> import nearprint, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     texts, cleaned = os.path.join(folder, "texts.jsonl"), os.path.join(folder, "cleaned.jsonl")
    ...     with open(texts, "w") as file:
    ...         _ = file.write(('{"text":"one two three four"}' + chr(10)) * 3)
    ...     [(step["after"], step["tokens"]) for step in nearprint.clean_files(texts, cleaned)["steps"]]
    [(None, 12), ('dedup', 4), ('passages', 4)]
    """
    with heard(progress) as told:
        return summary_of(_native.clean_files(arguments_of(options, corpus, output), told))
