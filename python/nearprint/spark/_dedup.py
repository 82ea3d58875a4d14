"""What becomes of the documents of a DataFrame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyspark import StorageLevel
from pyspark.sql import functions as F
from pyspark.sql.types import (
    BooleanType,
    FloatType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
)

from nearprint._native import Recipe
from nearprint.kernels import Search
from nearprint.spark._numbers import numbered
from nearprint.spark._stage import stage

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Labels that are sent to all executors: of 12 bytes each.
_BROADCAST = 16_000_000
_RANGES = 1024


def dedup(
    df: DataFrame,
    *,
    text: str = "text",
    id: str = "id",
    order: str | Sequence[str] | None = None,
    similarity: float | None = None,
    recall: float | None = None,
    recipe: str | Recipe = "text",
    width: int | None = None,
    verify: str | None = None,
    keep: str | None = None,
    cluster_rule: str | None = None,
    ranges: int = _RANGES,
) -> DataFrame:
    """Find the near-duplicates among the rows of a DataFrame, and which one of each group stays.

    The result is that of :func:`nearprint.dedup` and of the command ``nearprint dedup`` for the same documents in the
    order ``order``.

    Parameters
    ----------
    df
        The documents. It is read twice, and has to give the same ids and texts both times: write out what draws or
        asks the time. The order of its rows does not matter.
    text
        The column of texts, strings. A missing text has no near-duplicates.
    id
        The column of ids, of any type that can be sorted: null is none. Ids are unique; documents that share one are
        told apart in the result by nothing.
    order
        The column, or columns, by which documents come first, as the first lines of a file do. Documents of the same
        order come by their ids. By default the id alone.
    similarity, recall, recipe, width, verify, keep, cluster_rule
        As for :func:`nearprint.dedup`.
    ranges
        Parts of the sketches, of which an executor holds one at a time: about 600 bytes a document at 128 bits,
        divided by this.

    Returns
    -------
    DataFrame
        A row for each document that has near-duplicates: the id, ``cluster`` (a number, in the order of the first
        documents), ``representative`` (the id of the document that stays for it), ``distance`` (bits), ``similarity``,
        ``keep``. Documents that are alone have no row, and stay.

    Notes
    -----
    The first call of an action computes all of it. What was found waits in the executors' storage (memory and disk)
    for the next: ``spark.catalog.clearCache()`` drops it.

    One task joins the links of the whole corpus, with about 100 bytes a document that has candidates:
    ``spark.executor.memoryOverhead`` has room for it. Shuffles are left to adaptive execution; raise
    ``spark.sql.shuffle.partitions`` where a partition of the sketches would be larger than an executor's memory.
    """
    search = Search(similarity, recall, recipe, width, verify, keep, cluster_rule)
    documents, ordered = _documents(df, text, id, order)
    solved = _solved(documents, _labels(documents, search, ranges), search, ordered)
    solved = solved.persist(StorageLevel.MEMORY_AND_DISK)
    first = solved.filter("first").select("cluster", *ordered)
    numbers = numbered(first, ordered, "number").select("cluster", "number")
    return solved.join(numbers, "cluster").select(
        F.col("id").alias(id),
        F.col("number").alias("cluster"),
        "representative",
        "distance",
        "similarity",
        "keep",
    )


def _documents(
    df: DataFrame, text: str, id: str, order: str | Sequence[str] | None
) -> tuple[DataFrame, list[str]]:
    """Give the documents as address, id, text and the columns of the order, and the names of these."""
    orders = [] if order is None else [order] if isinstance(order, str) else list(order)
    for name in (text, id, *orders):
        if name not in df.columns:
            raise ValueError(f"no column {name!r}; there are {', '.join(map(repr, df.columns))}")
    found = df.schema[text].dataType
    if not isinstance(found, StringType):
        raise TypeError(f"the texts in {text!r} are strings, not {found.simpleString()}")
    no_id = F.raise_error(F.lit(f"a document has no id: {id} is null in a row; fill it or leave the row out"))
    # Of the same ids on all machines, and nothing of the order of rows.
    address = F.when(F.col(id).isNull(), no_id.cast("bigint")).otherwise(F.xxhash64(F.col(id)))
    ordered = [f"order{at}" for at in range(len(orders))]
    return df.select(
        address.alias("address"),
        F.col(id).alias("id"),
        F.col(text).alias("text"),
        *(F.col(name).alias(alias) for name, alias in zip(orders, ordered, strict=True)),
    ), [*ordered, "id"]


def _labels(documents: DataFrame, search: Search, ranges: int) -> DataFrame:
    """Give the documents that have candidates, by address, each with its shard."""
    routed = documents.select("address", "text").mapInArrow(
        stage("route", search=search, ranges=ranges), "range int, documents bigint, bytes bigint, entries binary"
    )
    linked = (
        routed.repartition("range")
        .sortWithinPartitions("range")
        .mapInArrow(stage("link", search=search), "documents bigint, bytes bigint, links binary")
    )
    labels = linked.repartition(1).mapInArrow(stage("shards"), "address bigint, shard int")
    # Documents that share an address are one.
    return labels.persist(StorageLevel.MEMORY_AND_DISK)


def _members(documents: DataFrame, labels: DataFrame, ordered: list[str]) -> DataFrame:
    """Give the documents of each shard together, in their order."""
    small = labels.count() <= _BROADCAST
    members = documents.join(F.broadcast(labels) if small else labels, "address")
    return members.select("shard", "text", *ordered).repartition("shard").sortWithinPartitions("shard", *ordered)


def _solved(documents: DataFrame, labels: DataFrame, search: Search, ordered: list[str]) -> DataFrame:
    """Give what became of the documents that have candidates."""
    fields = [StructField(name, documents.schema[name].dataType) for name in ["id", *ordered[:-1]]]
    schema = StructType(
        [
            *fields,
            StructField("cluster", LongType()),
            StructField("first", BooleanType()),
            StructField("representative", documents.schema["id"].dataType),
            StructField("distance", IntegerType()),
            StructField("similarity", FloatType()),
            StructField("keep", BooleanType()),
        ]
    )
    members = _members(documents, labels, ordered)
    return members.mapInArrow(stage("solve", search=search, carried=ordered[:-1]), schema)
