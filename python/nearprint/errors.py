"""What can go wrong: one tree of exceptions, with the messages of the library.

An error about one file that could not be opened, read or written names it in ``file``.
"""

from __future__ import annotations

import os

__all__ = [
    "BusyError",
    "CorruptError",
    "InputError",
    "IoError",
    "MemoryBudgetError",
    "NearprintError",
    "RecipeError",
]


class NearprintError(Exception):
    """Above all errors of the package.

    Attributes
    ----------
    file
        The file that the error is about, or ``None``.
    """

    file: os.PathLike[str] | None = None


class RecipeError(NearprintError, ValueError):
    """A recipe that contradicts itself, or cannot be used."""


class InputError(NearprintError, ValueError):
    """An input or an option that cannot be used; the message says what to do."""


class CorruptError(NearprintError):
    """A file of nearprint is damaged, or is none."""


class BusyError(NearprintError):
    """The store is open already, here or in another process, or too many writes wait."""


class MemoryBudgetError(NearprintError, MemoryError):
    """A job needs more memory than it was allowed; the message says how much."""


class IoError(NearprintError, OSError):
    """The system refused a file."""
