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

import importlib
from typing import Any

from nearprint import _native
from nearprint._native import Recipe
from nearprint._recipes import recipe_of

__all__ = ["register"]


def register(connection: Any, recipe: str | Recipe = "text", *, threads: int | None = None) -> None:
    """Add the functions to a connection. pyarrow has to be installed.

    ``simhash(text)`` is the fingerprint of 64 bits by ``recipe``, a ``UBIGINT``; of NULL it is NULL.
    ``hamming(a, b)`` counts the bits in which two fingerprints differ.
    """
    pyarrow = importlib.import_module("pyarrow")
    chosen = recipe_of(recipe)

    def simhash(texts: Any) -> Any:
        return pyarrow.array(_native.fingerprint_column(texts, chosen, None, 64, threads))

    connection.create_function("simhash", simhash, ["VARCHAR"], "UBIGINT", type="arrow")
    connection.execute("CREATE OR REPLACE TEMP MACRO hamming(a, b) AS bit_count(xor(a, b))")
