"""What repeats inside the documents of a DataFrame, cut out of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped]

import nearprint
from nearprint._arguments import public
from nearprint._columns import named_columns
from nearprint._command import Summary, flags_of
from nearprint._kinds import BUILT_IN, COLUMN, COLUMNS, FOLDER, SPARK
from nearprint.spark._shards import run, seen, summary_of, write_documents

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Passages:
    """What repeats inside the documents of a DataFrame. :func:`passages` makes it.

    All of it is read from the folder of the job, as often as it is used.

    Attributes
    ----------
    cuts
        A DataFrame of what was cut: the rows of ``nearprint passages --removed``.
    passages
        A DataFrame of each passage that repeats: the rows of ``nearprint passages --passages``.
    summary
        The figures, as the command writes them.
    """

    def __init__(self, spark: SparkSession, work: str, kind: Any) -> None:
        """Read what is in the folder of a job: use :func:`passages`."""
        self._spark, self._work, self._kind = spark, work, kind

    @property
    def cuts(self) -> DataFrame:
        """What was cut, and where it is kept."""
        return self._spark.read.json(f"{self._work}/removed")

    @property
    def passages(self) -> DataFrame:
        """Each passage that repeats."""
        return self._spark.read.json(f"{self._work}/passages.jsonl")

    @property
    def summary(self) -> Summary:
        """The figures, as the command writes them."""
        return summary_of(self._spark, self._work)

    def apply(self) -> DataFrame:
        """Give the documents with the texts that are left, without those that are removed."""
        return self._spark.read.schema(self._kind).parquet(f"{self._work}/cut")


@public(df=SPARK, against=SPARK, work=FOLDER, text=COLUMN, order=COLUMNS, recipe=BUILT_IN)
def passages(
    df: DataFrame,
    *,
    work: str,
    text: str = "text",
    id: str = "id",
    order: str | Sequence[str] | None = None,
    unit: str | None = None,
    length: int | None = None,
    copies: int | None = None,
    keep: str | None = None,
    keep_by: str | Sequence[str] | None = None,
    inside: str | None = None,
    digits: str | None = None,
    whole: str | None = None,
    joint: str | None = None,
    min_left: int | None = None,
    against: DataFrame | None = None,
    source_field: str | None = None,
    recipe: str = "text",
    threads: int = 1,
    memory: int | str | None = None,
) -> Passages:
    """Find what repeats inside the documents of a DataFrame, and cut it out.

    The result is that of :func:`nearprint.passages` and of the command ``nearprint passages`` for the same documents in
    the order ``order``.

    Parameters
    ----------
    df
        The documents. It is read once, and written to ``work``.
    work
        A new folder that all machines see by this name: on a disk (``file:///shared/work``) or in object storage
        (``s3a://bucket/work``). It holds the documents twice, and the files of all stages: delete it when the result is
        saved elsewhere.
    text
        The column of texts, strings. A missing text is kept.
    id
        The column of ids, by which :attr:`Passages.cuts` names documents: strings or numbers.
    order
        The column, or columns, by which documents come first. Documents of the same order come by their ids. By default
        the id alone.
    unit, length, copies, keep, keep_by, inside, digits, whole, joint, min_left, source_field
        As for :func:`nearprint.passages`.
    against
        Documents to compare with, in the same columns: their passages come before all others, and they are not in the
        result.
    recipe
        The name of a built-in recipe.
    threads, memory
        What a task may take, as of the command.

    Notes
    -----
    The call computes all of it. Lost executors and repeated tasks change nothing: a unit that is done is not done
    again.
    """
    settings = {
        "unit": unit,
        "length": length,
        "copies": copies,
        "keep": keep,
        "keep_by": keep_by,
        "inside": inside,
        "digits": digits,
        "whole": whole,
        "joint": joint,
        "min_left": min_left,
        "source_field": source_field,
        "threads": threads,
        "memory": memory,
    }
    _refuse(settings, recipe)
    spark, flags = df.sparkSession, flags_of({**settings, "recipe": recipe, "text_field": text, "id_field": id})
    work = work.rstrip("/")
    write_documents(df, text, id, order, f"{work}/in")
    if against is not None:
        write_documents(against, text, id, order, f"{work}/against")
        flags.append(f"--against={seen(work)}/against")
    outputs = {"output": "cut/", "removed": "removed", "passages": "passages.jsonl", "summary": "summary.json"}
    run(spark, "passages", work, flags, outputs)
    return Passages(spark, work, df.schema)


def _refuse(settings: dict[str, Any], recipe: str) -> None:
    """Refuse what makes no sense, before anything is read."""
    keep_by = settings["keep_by"]
    scores = [] if keep_by is None else [column for column, _ in named_columns(keep_by)]
    columns = {**dict.fromkeys(scores, [0]), settings["source_field"]: [""], "text": [""]}
    table = pa.table({name: column for name, column in columns.items() if name})
    nearprint.passages(table, text="text", recipe=recipe, progress=False, **settings)
