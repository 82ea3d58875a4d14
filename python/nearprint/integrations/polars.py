"""Expressions of polars: ``pl.col("text").nearprint.fingerprint()``.

Importing this module adds the namespace ``nearprint`` to expressions. They run in lazy queries too, batch by
batch, in the streaming engine as well.

Examples
--------
>>> import polars as pl
>>> import nearprint.integrations.polars
>>> frame = pl.LazyFrame({"text": ["one two three", None, "One, two, three!"]})
>>> codes = frame.select(pl.col("text").nearprint.fingerprint()).collect()["text"]
>>> codes[0] == codes[2], codes[1]
(True, None)
"""

from __future__ import annotations

import polars as pl

from nearprint._arguments import public
from nearprint._rows import fingerprinted
from nearprint.recipe import Recipe, as_recipe, recipe_of

__all__ = ["Fingerprints"]


@pl.api.register_expr_namespace("nearprint")
class Fingerprints:
    """What nearprint does to a column of texts."""

    def __init__(self, expr: pl.Expr) -> None:
        """Take the expression that gives the texts."""
        self._expr = expr

    @public(None, "pl.col('text').nearprint")
    def fingerprint(
        self, recipe: str | Recipe = "text", *, width: int | None = None, threads: int | None = None
    ) -> pl.Expr:
        """Fingerprint the texts: ``UInt64``, or ``Binary`` at 128 and 256 bits; null where a text is null.

        ``width`` is by default that of the recipe, or 64. The bits in which two columns of 64 bits differ are
        ``(pl.col("a") ^ pl.col("b")).bitwise_count_ones()``.
        """
        chosen = as_recipe(recipe)
        bits = width or chosen.width or 64

        def of(texts: pl.Series) -> pl.Series:
            table, name = texts.to_frame(), texts.name
            return pl.Series(fingerprinted(table, recipe_of(chosen), f"the column {name!r}", name, bits, threads))

        kind = pl.UInt64 if bits == 64 else pl.Binary
        return self._expr.map_batches(of, return_dtype=kind, is_elementwise=True)
