"""Texts to fingerprints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, overload

from nearprint import _native
from nearprint._arguments import public
from nearprint._kinds import COLUMN, ROWS_OR_ONE
from nearprint._native import Array
from nearprint._rows import handed
from nearprint.recipe import Recipe, recipe_of
from nearprint.table import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@overload
def fingerprint(data: str | Mapping[str, float], recipe: str | Recipe = "text", *, width: int | None = None) -> int: ...


@overload
def fingerprint(
    data: Any,
    recipe: str | Recipe = "text",
    *,
    text: str | None = None,
    width: int | None = None,
    threads: int | None = None,
) -> NDArray[np.uint64] | Array: ...


@public(data=ROWS_OR_ONE, text=COLUMN)
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
        Missing texts are ``None`` or null, and in pandas what counts as missing there. For a recipe of pages, such
        as ``"web"``, the markup. For a recipe of features that come with their weights, such as ``"vectors"``, a
        mapping or a list of mappings.
    recipe
        How a text becomes a fingerprint: the name of a built-in one, the path of its TOML, or a :class:`Recipe`.
    text
        The column of a table that has the texts. Not needed where only one column has texts.
    width
        Bits of a fingerprint: 64, 128 or 256. By default those of the recipe, or 64.
    threads
        Worker threads. By default one for each processor.

    Returns
    -------
    int, numpy.ndarray or Array
        For a ``str`` a number. For a column at 64 bits an array of ``uint64``, masked where texts are missing;
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
        if text is not None or threads is not None:
            raise TypeError("text= and threads= are for a column of texts, and this is one text")
        return _native.fingerprint_text(data, chosen, width)
    if isinstance(data, Mapping):
        (words,) = _of_features([dict(data)], chosen, width).to_numpy().reshape(1, -1).tolist()
        code: int = sum(word << 64 * at for at, word in enumerate(words))
        return code
    if chosen.takes_features and isinstance(data, (list, tuple)):
        rows: list[Any] = [dict(row) if isinstance(row, Mapping) else row for row in data]
        made = _of_features(rows, chosen, width)
    else:
        made = _native.fingerprint_column(handed(data, text), chosen, text, width, threads)
    return made.to_numpy() if made.dtype == "UInt64" else made


def _of_features(rows: list[Any], recipe: _native.Recipe, width: int | None) -> Array:
    """The fingerprints of rows of features; what is none of these is told by its row."""
    try:
        return _native.fingerprint_vectors(rows, recipe, width)
    except TypeError:
        for number, row in enumerate(rows):
            if row is not None and not isinstance(row, dict):
                raise TypeError(
                    f"row {number} is of type {type(row).__name__}, and the recipe {recipe.name} takes features: a dict of their "
                    "names and weights, such as {'x': 0.5}"
                ) from None
            for name, weight in (row or {}).items():
                if not isinstance(name, str) or not hasattr(type(weight), "__float__") and not hasattr(type(weight), "__index__"):
                    raise TypeError(
                        f"row {number}: a feature has a name (str) and a weight, which is a number (float), not {name!r}: {weight!r}"
                    ) from None
        raise


def recipes() -> Table:
    """List the built-in recipes: name, description and id.

    Examples
    --------
    >>> import nearprint
    >>> "words" in nearprint.recipes()["name"]
    True
    """
    return Table(_native.recipes(), "nearprint.Recipe(name).to_toml() shows one")


@public()
def set_threads(threads: int | None = None) -> None:
    """Set the threads that calls take which name none; ``None`` for all processors.

    Results do not depend on them.

    Examples
    --------
    >>> import nearprint
    >>> nearprint.set_threads(2)
    >>> nearprint.set_threads(None)
    """
    _native.set_threads(threads)
