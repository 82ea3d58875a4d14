"""Functions of DuckDB: ``simhash(text)`` and ``hamming(a, b)`` in SQL.

Examples
--------
>>> import duckdb
>>> import nearprint.integrations.duckdb
>>> connection = duckdb.connect()
>>> nearprint.integrations.duckdb.register(connection)
>>> connection.sql("SELECT hamming(simhash('one two three'), simhash('One, two, three!'))").fetchall()
[(0,)]
"""

from __future__ import annotations

import contextlib
import importlib
from typing import Any

import duckdb

from nearprint import _native
from nearprint._arguments import public
from nearprint.recipe import Recipe, recipe_of

__all__ = ["register"]


@public()
def register(connection: Any, recipe: str | Recipe = "text", *, threads: int | None = None) -> None:
    """Add the functions to a connection, in place of those of an earlier call. pyarrow has to be installed.

    ``simhash(text)`` is the fingerprint of 64 bits by ``recipe``, a ``UBIGINT``; of NULL it is NULL.
    ``hamming(a, b)`` counts the bits in which two fingerprints differ. DuckDB's own ``hamming`` of two strings
    is called ``mismatches`` too. A cursor has ``simhash`` of its connection, but not ``hamming``.
    """
    pyarrow = importlib.import_module("pyarrow")
    chosen = recipe_of(recipe)

    def simhash(texts: Any) -> Any:
        return pyarrow.array(_native.fingerprint_column(texts, chosen, None, 64, threads))

    # Without an earlier call there is none to remove.
    with contextlib.suppress(duckdb.InvalidInputException):
        connection.remove_function("simhash")
    connection.create_function("simhash", simhash, ["VARCHAR"], "UBIGINT", type="arrow")
    connection.execute("CREATE OR REPLACE TEMP MACRO hamming(a, b) AS bit_count(xor(a, b))")
