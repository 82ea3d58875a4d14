"""Which documents are kept, decided again from the pairs that a job over files kept."""

from __future__ import annotations

import os
from typing import overload

from nearprint import _native
from nearprint._arguments import public
from nearprint._command import Paths, Summary, arguments_of, printed, summary_of, tell
from nearprint.progress import Told, heard


@overload
def decide(
    file: str | os.PathLike[str],
    output: None = None,
    *,
    corpus: None = None,
    sweep: str,
    progress: Told = None,
    **options: object,
) -> list[Summary]: ...


@overload
def decide(
    file: str | os.PathLike[str],
    output: str | bytes | os.PathLike[str] | None = None,
    *,
    corpus: Paths | None = None,
    sweep: None = None,
    progress: Told = None,
    **options: object,
) -> Summary: ...


@public("decide")
def decide(
    file: str | os.PathLike[str],
    output: str | bytes | os.PathLike[str] | None = None,
    *,
    corpus: Paths | None = None,
    sweep: str | None = None,
    progress: Told = None,
    **options: object,
) -> Summary | list[Summary]:
    """Do what ``nearprint decide`` does: decide again which documents are kept, without their texts.

    Parameters
    ----------
    file
        What :func:`nearprint.dedup_files` wrote with ``decisions=``.
    output
        Where survivors go, which ``corpus`` must be there for.
    corpus
        The files of that job, in the same order, without those of ``against``.
    sweep
        Similarities as first, last and step, ``"0.6:1.0:0.02"``: what each of them would leave. Nothing is written.
    progress
        As for :func:`nearprint.dedup`.
    **options
        The options of the command, with ``_`` for ``-``: ``similarity=0.9``, ``target="30%"``, ``keep="longest"``,
        ``within="dump"``, ``across="dump"``, ``removed="removed.jsonl"``, and with ``sweep`` ``plot="sweep.svg"``.
        ``nearprint decide --help`` lists them.

    Returns
    -------
    dict, or list of dict
        The figures, as ``summary=`` writes them; of ``sweep`` those of each similarity, in a row. With ``target=`` their ``verify`` has the similarity, and ``target_met``
        says whether it leaves no more than that and is the highest (``"yes"``), or in which way not quite.

    Raises
    ------
    NearprintError
        What the command says, and that even the lowest similarity leaves more than ``target=``; see
        :mod:`nearprint.errors`.

    Examples
    --------
    >>> import nearprint, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     texts, pairs = os.path.join(folder, "texts.jsonl"), os.path.join(folder, "texts.decisions")
    ...     with open(texts, "w") as file:
    ...         _ = file.write('{"text":"one two three four"}' + chr(10) + '{"text":"One two three four!"}' + chr(10))
    ...     _ = nearprint.dedup_files(texts, os.path.join(folder, "kept.jsonl"), similarity=0.6, decisions=pairs)
    ...     swept = nearprint.decide(pairs, sweep="0.6:1.0:0.2")
    ...     nearprint.decide(pairs, similarity=0.9)["kept"], [row["kept"] for row in swept]
    (1, [1, 1, 1])
    """
    if sweep is not None:
        swept: list[Summary] = printed("decide", {"sweep": sweep, "in": corpus, "output": output, **options}, file)
        return swept
    inputs = [] if corpus is None else [corpus] if isinstance(corpus, (str, bytes, os.PathLike)) else list(corpus)
    named = {"in": inputs, **options} if inputs else options
    with heard(progress) as told:
        done, warned = _native.decide(arguments_of(named, file, output), told)
    tell([], warned)
    return summary_of(done)
