"""What can go wrong: one tree of exceptions, with the messages of the library.

An error about one file names it in ``file``, and one about a line of it names that in ``line``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nearprint._answers import Row

__all__ = [
    "BusyError",
    "CorruptError",
    "InputError",
    "IoError",
    "MemoryBudgetError",
    "NearprintError",
    "RecipeError",
    "ServiceError",
    "ServiceTimeoutError",
]


class NearprintError(Exception):
    """Above all errors of the package; raised itself for a bug of nearprint, and where a part is not ready.

    Attributes
    ----------
    file
        The file that the error is about, or ``None``.
    line
        The line of that file, from 1, or ``None``.
    """

    file: os.PathLike[str] | None = None
    line: int | None = None


class RecipeError(NearprintError, ValueError):
    """A recipe that contradicts itself, or cannot be used."""


class InputError(NearprintError, ValueError):
    """An input or an option that cannot be used; the message says what to do."""


class CorruptError(NearprintError):
    """A file of nearprint or compressed data is damaged, or a file is not one of nearprint."""


class BusyError(NearprintError):
    """The store is open already, here or in another process, or too many writes wait."""


class MemoryBudgetError(NearprintError, MemoryError):
    """The job needs more memory than allowed; the message says how much."""


class IoError(NearprintError, OSError):
    """The system refused a file, the network or threads."""


class ServiceError(NearprintError):
    """A service refused a request, or gave no answer; :mod:`nearprint.client` raises it.

    Attributes
    ----------
    status
        The status of the answer, or ``None`` if none came.
    code
        The kind of the problem, such as ``"field"``, ``"conflict"`` or ``"busy"``, or ``None``.
    field
        The field of the request that is wrong, as a JSON pointer, or ``None``.
    rows
        Of a batch, the answers to the documents before the error, in their order: what they say is done.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        field: str | None = None,
        rows: Sequence[Row] = (),
    ) -> None:
        """Take what the service said."""
        super().__init__(message)
        self.status = status
        self.code = code
        self.field = field
        self.rows = rows


class ServiceTimeoutError(ServiceError, TimeoutError):
    """A service did not answer in time."""
