"""Tables of Arrow columns: what calls find, for any library of Arrow and for notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nearprint import _native
from nearprint._arguments import public
from nearprint._kinds import ROW_COUNT

# Rows and characters of a text that a notebook shows.
_ROWS, _TEXT = 10, 100


class Table:
    """A table of Arrow columns.

    ``pyarrow.table``, ``polars.DataFrame``, ``pandas.DataFrame.from_arrow`` and DuckDB take it without a copy.
    ``table["a"]`` is a column as a NumPy array, ``len(table)`` the number of rows, and ``for row in table`` gives each as
    a dict. A notebook shows the first rows.

    Examples
    --------
    >>> import nearprint
    >>> found = nearprint.pairs(nearprint.fingerprint(["one two three", "One, two, three!"]))
    >>> found
    <nearprint.Table 1 rows: a, b, distance>
    >>> found["distance"].tolist(), list(found)
    ([0], [{'a': 0, 'b': 1, 'distance': 0}])
    """

    def __init__(self, table: _native.Table, more: str = "") -> None:
        """Take what a call found, with what to do next with it."""
        if not isinstance(table, _native.Table):
            raise TypeError("a table is made by a call that finds something: pyarrow.table and others make those of your own")
        self._table = table
        self._more = more

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return self._table.column_names

    @public(rows=ROW_COUNT)
    def head(self, rows: int = 5) -> Table:
        """The first rows."""
        import numpy as np

        return Table(_native.take(self._table, np.arange(min(max(rows, 0), len(self)))), self._more)

    def to_pyarrow(self) -> Any:
        """The table in pyarrow."""
        return self._table.to_pyarrow()

    def to_polars(self) -> Any:
        """The table in polars."""
        return self._table.to_polars()

    def to_pandas(self) -> Any:
        """The table in pandas."""
        return self._table.to_pandas()

    def __len__(self) -> int:
        return len(self._table)

    def __getitem__(self, key: str) -> Any:
        """A column as a NumPy array; of numbers with nulls a masked array, of fingerprints of more than 64 bits rows of
        words, the lowest first. Dates, times, decimals, UUIDs and other bytes come as the command writes them in JSON.

        Raises
        ------
        KeyError
            The table has no such column.
        """
        if not isinstance(key, str):
            raise TypeError(
                f"a table gives a column by its name, as table[{self.column_names[0]!r}], and not by {key!r}: "
                "head(rows) gives the first rows, and list(table) all as dicts"
            )
        if key not in self.column_names:
            raise KeyError(f"no column {key!r}; there are {', '.join(map(repr, self.column_names))}")
        return self._table[key]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        names = self.column_names
        columns = (self._table[name].tolist() for name in names)
        return (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return repr(self._table)

    def _repr_html_(self) -> str:
        import html

        def cell(value: Any) -> str:
            if value is None:
                return ""
            shown = f"{value:.4g}" if isinstance(value, float) else str(value)
            return html.escape(shown if len(shown) <= _TEXT else shown[:_TEXT] + "…")

        first = self.head(_ROWS)
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.column_names)
        rows = "".join("<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row.values()) + "</tr>" for row in first)
        shown = f"{len(self):,} rows" if len(self) == len(first) else f"the first {len(first)} of {len(self):,} rows"
        more = html.escape(self._more and f". {self._more}")
        return (
            f"<table><tr>{head}</tr>{rows}</table>"
            f"<p>{shown}; <code>.to_pandas()</code>, <code>.to_polars()</code> or <code>.to_pyarrow()</code> gives all{more}</p>"
        )


def headed(result: object, table: Table) -> str:
    """A result and a table of it, as a notebook shows them."""
    import html

    return f"<p>{html.escape(repr(result)[1:-1])}</p>{table._repr_html_()}"
