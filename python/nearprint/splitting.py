"""Train, validation and test sets of files, without near-duplicates across them."""

from __future__ import annotations

import os

from nearprint import _native
from nearprint._arguments import public
from nearprint._command import Paths, Summary, arguments_of, summary_of, tell
from nearprint.progress import Told, heard


@public("split")
def split_files(
    inputs: Paths,
    output: str | bytes | os.PathLike[str],
    *,
    progress: Told = None,
    **options: object,
) -> Summary:
    """Do what ``nearprint split`` does: cut a corpus into parts that share no near-duplicates.

    For rows in memory, :func:`nearprint.groups` gives the groups that scikit-learn's splitters take.

    Parameters
    ----------
    inputs
        Files, folders (read recursively) or patterns: one, or several.
    output
        A folder for the parts, or a path with ``{part}`` in it.
    progress
        As for :func:`nearprint.dedup`.
    **options
        The options of the command, with ``_`` for ``-``: ``parts="train=90,valid=5,test=5"``, ``seed=7``,
        ``stratify="language"``, ``similarity=0.7``, ``assignments="parts.jsonl"``. ``nearprint split --help`` lists them.

    Returns
    -------
    dict
        The figures, as ``summary=`` writes them: ``parts`` with their ``documents``, and ``largest_leak``, the most
        similar of the documents that were compared and are in two parts.

    Raises
    ------
    NearprintError
        What the command says; see :mod:`nearprint.errors`.

    Examples
    --------
    >>> import nearprint, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     texts, parts = os.path.join(folder, "texts.jsonl"), os.path.join(folder, "parts")
    ...     with open(texts, "w") as file:
    ...         _ = file.write(('{"text":"one two three four"}' + chr(10)) * 3)
    ...     figures = nearprint.split_files(texts, parts, parts="train=80,test=20")
    >>> sorted(part["documents"] for part in figures["parts"])
    [0, 3]
    """
    with heard(progress) as told:
        done, passed_over = _native.split_files(arguments_of(options, inputs, output), told)
    tell([], passed_over)
    return summary_of(done)
