"""How far a job is, for those who wait."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Progress:
    """How far a job is.

    Attributes
    ----------
    stage
        What the job is doing: ``"fingerprint"``, ``"join"``, ``"verify"``, ``"write"`` and others.
    share
        The share of the stage that is done, from 0 to 1, or ``None`` if it is not known.
    documents
        Documents that are done in this stage.
    """

    stage: str
    share: float | None
    documents: int


Told = bool | Callable[[Progress], object] | None


@contextmanager
def heard(progress: Told) -> Iterator[Callable[[str, float | None, int], object] | None]:
    """Give the function that a job calls: the caller's, or one that moves a bar of ``tqdm``."""
    if callable(progress):
        yield lambda stage, share, documents: progress(Progress(stage, share, documents))
        return
    wanted = progress or (progress is None and sys.stderr is not None and sys.stderr.isatty())
    bar = _Bar.made() if wanted else None
    if bar is None:
        yield None
        return
    try:
        yield bar.move
    finally:
        bar.close()


class _Bar:
    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._stage = ""
        self._bar: Any = None

    @classmethod
    def made(cls) -> _Bar | None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return None
        return cls(tqdm)

    def move(self, stage: str, share: float | None, documents: int) -> None:
        if stage != self._stage:
            self.close()
            self._stage = stage
            self._bar = self._tqdm(desc=stage, total=None if share is None else 1.0, leave=False, delay=1)
        done = documents if share is None else share
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
