"""The items of eval sets in the documents of a DataFrame, removed from them."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql.types import IntegralType, LongType, StringType, StructField, StructType

import nearprint
from nearprint._arguments import public
from nearprint._command import Summary, flags_of
from nearprint._evals import Fields, eval_set, item_fields
from nearprint._kinds import BUILT_IN, COLUMN, COLUMNS, EVALS, FOLDER, SPARK
from nearprint.spark._shards import put, run, seen, summary_of, write_documents, write_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_REMOVED = (
    "item string, eval string, equal bigint, share double, bits double, of_bits double, answers bigint, "
    "of_answers bigint, verdict string, start bigint, end bigint, text string, removed boolean"
)
_NOTES = "nearprint_contamination"


class Decontaminated:
    """The items of eval sets that occur in the documents of a DataFrame. :func:`decontaminate` makes it.

    All of it is read from the folder of the job, as often as it is used.

    Attributes
    ----------
    removed
        A DataFrame of everything that was found, with the evidence: the rows of ``nearprint decontaminate --removed``.
    items
        A DataFrame of every item, also of clean ones: the rows of ``nearprint decontaminate --items``.
    notes
        With ``action="annotate"`` all documents, with what was found in each as JSON: the column
        ``nearprint_contamination`` of the command.
    summary
        The figures, as the command writes them.
    """

    def __init__(self, spark: SparkSession, work: str, kind: StructType, id: str) -> None:
        """Read what is in the folder of a job: use :func:`decontaminate`."""
        self._spark, self._work, self._kind = spark, work, kind
        self._id = LongType() if isinstance(kind[id].dataType, IntegralType) else StringType()

    @property
    def removed(self) -> DataFrame:
        """Everything that was found, with the evidence."""
        return self._rows("removed", f"id {self._id.simpleString()}, {_REMOVED}")

    @property
    def items(self) -> DataFrame:
        """Every item with what is known of it."""
        best = f"documents bigint, best_share double, best_id {self._id.simpleString()}, of_bits double"
        return self._rows("items.jsonl", f"item string, eval string, {best}, verdict string")

    @property
    def notes(self) -> DataFrame:
        """All documents, with what was found in each."""
        self._check("annotate", "there are no notes", "see removed")
        return self._left(StructType([*self._kind.fields, StructField(_NOTES, StringType())]))

    @property
    def summary(self) -> Summary:
        """The figures, as the command writes them."""
        return summary_of(self._spark, self._work)

    def filter(self) -> DataFrame:
        """Give the documents that are free of items: without ``action``, or with ``action="drop"``."""
        self._check("drop", "no document went", "take the ids of removed")
        return self._left(self._kind)

    def apply(self) -> DataFrame:
        """Give all documents, the lines with items cut out of their texts: with ``action="cut"``."""
        self._check("cut", "nothing was cut", "call filter()")
        return self._left(self._kind)

    def _check(self, action: str, problem: str, other: str) -> None:
        """Refuse what the job did not write."""
        if self.summary["action"] != action:
            raise ValueError(f'{problem}: give action="{action}", or {other}')

    def _left(self, kind: StructType) -> DataFrame:
        return self._spark.read.schema(kind).parquet(f"{self._work}/left")

    def _rows(self, place: str, columns: str) -> DataFrame:
        return self._spark.read.schema(columns).json(f"{self._work}/{place}")


@public(df=SPARK, against=EVALS, work=FOLDER, index=FOLDER, text=COLUMN, order=COLUMNS, recipe=BUILT_IN)
def decontaminate(
    df: DataFrame,
    against: Any = None,
    *,
    work: str,
    index: str | None = None,
    text: str = "text",
    id: str = "id",
    order: str | Sequence[str] | None = None,
    question: Fields = None,
    choices: Fields = None,
    answer: Fields = None,
    context: Fields = None,
    item_id: str | None = None,
    delimiter: str | None = None,
    quote: str | None = None,
    escape: str | None = None,
    encoding: str | None = None,
    share: float | None = None,
    bits: float | None = None,
    short: str | None = None,
    common: str | None = None,
    action: str | None = None,
    margin: int | None = None,
    recipe: str = "text",
    threads: int = 1,
    memory: int | str | None = None,
) -> Decontaminated:
    """Find the items of eval sets that occur in the documents of a DataFrame, and what is left without them.

    The result is that of the command ``nearprint decontaminate`` for the same documents in the order ``order``, as files of
    Parquet.

    Parameters
    ----------
    df
        The documents. It is read once, and written to ``work``.
    against
        The eval sets: the path of a file or folder that all machines see, or a list of paths; a DataFrame, a table of any
        library of Arrow, or a list of dicts; or a dict of such rows, by the name of each set. A row is an item. Files have
        the names that the command gives them, rows without a name are called ``against``. Not needed where there is an
        index of them.
    work
        A new folder that all machines see by this name: on a disk (``file:///shared/work``) or in object storage
        (``s3a://bucket/work``). It holds the documents twice: delete it when the result is saved elsewhere. Eval sets that
        are no DataFrames and no paths need one on a disk.
    index
        A file on a disk that all machines see, which keeps the prepared items: written where it is not there, else read.
        Without it every task reads the eval sets.
    text
        The column of texts, strings. A missing text is kept.
    id
        The column of ids, by which :attr:`Decontaminated.removed` names documents: strings or numbers, each once.
    order
        The column, or columns, by which documents come first. Documents of the same order come by their ids. By default
        the id alone.
    question, choices, answer, context, item_id, share, bits, short, common, action, margin
        As for :func:`nearprint.decontaminate`.
    delimiter, quote, escape, encoding
        The same, of eval sets that are files.
    recipe
        The name of a built-in recipe.
    threads, memory
        What a task may take, as of the command.

    Notes
    -----
    The call computes all of it. Lost executors and repeated tasks change nothing: a unit that is done is not done
    again.
    """
    parts = {"question": question, "choices": choices, "answer": answer, "context": context}
    settings = {
        "item_id": item_id,
        "delimiter": delimiter,
        "quote": quote,
        "escape": escape,
        "encoding": encoding,
        "share": share,
        "bits": bits,
        "short": short,
        "common": common,
        "action": action,
        "margin": margin,
        "threads": threads,
        "memory": memory,
    }
    _refuse(parts, {**settings, "recipe": recipe})
    spark, work = df.sparkSession, work.rstrip("/")
    flags = flags_of({**settings, "item_fields": item_fields(**parts), "recipe": recipe, "text_field": text, "id_field": id})
    flags += [] if index is None else [f"--index={seen(index)}"]
    sets = _eval_sets(against, work)
    write_documents(df, text, id, order, f"{work}/in")
    flags += [f"--against={path}" for path in _written(spark, sets, work)]
    outputs = {"output": "left/", "removed": "removed", "items": "items.jsonl", "summary": "summary.json"}
    run(spark, "decontaminate", work, flags, outputs)
    return Decontaminated(spark, work, df.schema, id)


def _refuse(parts: Mapping[str, Fields], settings: Mapping[str, Any]) -> None:
    """Refuse what makes no sense, before anything is read."""
    fields = [name for names in [*parts.values(), settings["item_id"]] for name in _listed(names)]
    row = dict.fromkeys(fields or ["question"], "one two three four")
    arguments: dict[str, Any] = {**parts, **settings}
    nearprint.decontaminate(["five"], [row], progress=False, **arguments)


def _listed(names: Fields) -> list[str]:
    return [] if names is None else [names] if isinstance(names, str) else list(names)


def _eval_sets(against: Any, work: str) -> dict[str | None, Any]:
    """Give the rows of eval sets by their names, and without a name the paths of others."""
    sets = against if isinstance(against, Mapping) else {"against": against}
    found: dict[str | None, Any] = {}
    for name, rows in {} if against is None else sets.items():
        if not isinstance(name, str):
            raise TypeError(f"the name of an eval set is a str, and {name!r} is of type {type(name).__name__}")
        if not name.strip() or "/" in name or name.startswith((".", "_")):
            raise ValueError(f"an eval set has the name of a folder here, and {name!r} is none")
        given = rows if hasattr(rows, "sparkSession") else eval_set(rows)
        if not isinstance(given, list):
            if not hasattr(given, "sparkSession") and not os.path.isabs(seen(work)):
                raise ValueError(
                    f"the rows of the eval set {name!r} are written to a disk that all machines see, and {work} is none: "
                    "give them as a DataFrame, or as files"
                )
            found[name] = given
        elif isinstance(against, Mapping):
            raise TypeError(f"the files of {name!r} have the names that the command gives them: give their paths in a list")
        else:
            found[None] = given
    return found


def _written(spark: SparkSession, sets: Mapping[str | None, Any], work: str) -> list[str]:
    """Write the rows of eval sets, each to a folder of its name; the paths of all sets."""
    paths = []
    for name, given in sets.items():
        folder = f"{work}/evals/{name}"
        if name is None:
            paths += [seen(path) for path in given]
            continue
        if hasattr(given, "sparkSession"):
            write_rows(given.coalesce(1), folder)
        elif isinstance(given, bytes):
            put(spark, given, f"{seen(folder)}/part-00000.jsonl")
        else:
            table, file = pa.table(given), io.BytesIO()
            with pa.ipc.new_stream(file, table.schema) as writer:
                writer.write_table(table)
            put(spark, file.getvalue(), f"{seen(folder)}/part-00000.arrow")
        paths.append(seen(folder))
    return paths
