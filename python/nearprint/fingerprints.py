"""Texts to fingerprints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from nearprint import _native
from nearprint._native import Array, Recipe
from nearprint._recipes import recipe_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@overload
def fingerprint(data: str, recipe: str | Recipe = "text", *, width: int | None = None) -> int: ...


@overload
def fingerprint(
    data: Any,
    recipe: str | Recipe = "text",
    *,
    text: str | None = None,
    width: int | None = None,
    threads: int | None = None,
) -> NDArray[np.uint64] | Array: ...


def fingerprint(
    data: Any,
    recipe: str | Recipe = "text",
    *,
    text: str | None = None,
    width: int | None = None,
    threads: int | None = None,
) -> int | NDArray[np.uint64] | Array:
    """Fingerprint a text, or a column of texts.

    Parameters
    ----------
    data
        A ``str``; or a column or table of any library of Arrow, a NumPy array or a sequence of ``str``.
        Missing texts are ``None`` or null.
    recipe
        How a text becomes a fingerprint: the name of a built-in one, or a :class:`Recipe`.
    text
        The column of a table that has the texts. Not needed where only one column has strings.
    width
        Bits of a fingerprint: 64, 128 or 256. By default those that the recipe names, or 64.
    threads
        Worker threads. By default one for each processor.

    Returns
    -------
    int, numpy.ndarray or Array
        Of a ``str`` a number. Of a column at 64 bits an array of ``uint64``, masked where texts are missing;
        at other widths an Arrow array of fixed-size binary, the most significant byte first, null where
        texts are missing.

    Examples
    --------
    >>> import nearprint
    >>> one = nearprint.fingerprint("The quick brown fox jumps over the lazy dog.")
    >>> codes = nearprint.fingerprint(["the quick  brown fox jumps over the LAZY dog", ""])
    >>> int(codes[0]) == one, int(codes[1])
    (True, 0)
    """
    chosen = recipe_of(recipe)
    if isinstance(data, str):
        return _native.fingerprint_text(data, chosen, width)
    made = _native.fingerprint_column(data, chosen, text, width, threads)
    return made.to_numpy() if made.dtype == "UInt64" else made
