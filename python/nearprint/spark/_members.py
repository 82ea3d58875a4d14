"""The documents of a DataFrame that may have near-duplicates, each with its shard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark import StorageLevel
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, DataType, IntegralType, MapType, StringType, StructType

from nearprint.kernels import Search
from nearprint.spark._stage import stage

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

# Labels that are sent to all executors at most, of 12 bytes each.
_BROADCAST = 16_000_000
# What the name of the column of texts begins with. No other column has it.
_TEXT = "text "


def documents_of(
    df: DataFrame,
    text: str,
    id: str,
    order: str | Sequence[str] | None = None,
    labels: Mapping[str, str] | None = None,
    scores: Mapping[str, str] | None = None,
) -> tuple[DataFrame, list[str]]:
    """Give the documents as ``address``, ``id``, :func:`texts_in` and columns of their order, and the names of what orders.

    Columns of ``labels`` are there by the arguments that name them, those of ``scores`` by other names.
    """
    orders = [] if order is None else [order] if isinstance(order, str) else list(order)
    labels, scores = labels or {}, scores or {}
    for name in (text, id, *orders, *labels.values(), *scores.values()):
        if name not in df.columns:
            raise ValueError(f"no column {name!r}; there are {', '.join(map(repr, df.columns))}")
    found = df.schema[text].dataType
    if not isinstance(found, StringType):
        raise TypeError(f"the texts in {text!r} are strings, not {found.simpleString()}")
    for argument, name in labels.items():
        kind = df.schema[name].dataType
        # What the text of any other value is, the native module says.
        if isinstance(kind, (ArrayType, MapType, StructType)):
            raise TypeError(
                f"{argument}= names a column of {kind.simpleString()}: rows are grouped by texts, numbers or truth values"
            )
    ordered = [f"order{at}" for at in range(len(orders))]
    documents = df.select(
        address_of(df[id], id).alias("address"),
        df[id].alias("id"),
        df[text].alias(f"{_TEXT}{text}"),
        *(df[name].alias(alias) for name, alias in zip(orders, ordered, strict=True)),
        *(df[name].alias(alias) for alias, name in [*labels.items(), *scores.items()]),
    )
    return documents, [*ordered, "id"]


def texts_in(documents: DataFrame) -> str:
    """Give the column of the texts of documents. Its name ends with the one that it had, which may say that it has messages."""
    return next(str(name) for name in documents.columns if name.startswith(_TEXT))


def labels_of(search: Search, fold_equal: bool = False, **columns: str | None) -> dict[str, str]:
    """Give the columns of labels by the arguments that name them; refuse what makes no sense before anything is read."""
    labels = {argument: name for argument, name in columns.items() if name is not None}
    none = pa.array([], pa.string())
    table = pa.table({"text": none, **{f"label {name}": none for name in labels.values()}})
    asked = {argument: f"label {name}" for argument, name in labels.items()}
    search._found(
        table, "text", fold_equal=fold_equal, within=asked.get("within"), across=asked.get("across"),
        count_by=asked.get("count_by"),
    )
    return labels


def address_of(column: Column, name: str) -> Column:
    """Give the address of each document: the same on all machines, whatever the order of rows."""
    refused = F.raise_error(F.lit(f"a document has no id: {name} is null in a row; fill it, or leave the row out"))
    return F.when(column.isNull(), refused.cast("bigint")).otherwise(F.xxhash64(column))


def entries_of(documents: DataFrame, search: Search, within: str | None = None) -> DataFrame:
    """Give what is known of documents in their bands, and among those of the same value of ``within``."""
    schema = "range int, documents bigint, bytes bigint, entries binary"
    text = texts_in(documents)
    columns = documents.select("address", text, *([] if within is None else [within]))
    return columns.mapInArrow(stage("route", search=search, text=text, within=within), schema)


def shards_of(entries: DataFrame, search: Search, within: str | None = None) -> DataFrame:
    """Give the documents that have candidates, by address, each with its shard."""
    linked = (
        entries.repartition("range")
        .sortWithinPartitions("range")
        .mapInArrow(stage("link", search=search, within=within), "documents bigint, bytes bigint, links binary")
    )
    labels = linked.repartition(1).mapInArrow(stage("shards"), "address bigint, shard int")
    return labels.persist(StorageLevel.MEMORY_AND_DISK)


def members_of(
    documents: DataFrame,
    against: DataFrame | None,
    entries: DataFrame | None,
    search: Search,
    ordered: Sequence[str],
    labels: Iterable[str] = (),
) -> DataFrame:
    """Give the documents that have candidates: those of a shard in one partition, in their order.

    Those of ``against`` come first. ``entries`` are those of ``against``, where they are known. Columns of ``labels``
    are handed on, and documents have candidates of the same ``within`` where it is among them.
    """
    if against is None and entries is not None:
        raise ValueError("entries are those of the documents of against=: give these too")
    labels = list(labels)
    within = "within" if "within" in labels else None
    known = entries_of(documents, search, within)
    documents = documents.withColumn("later", F.lit(True))
    if against is not None:
        for argument in labels:
            _check_alike(argument, documents.schema[argument].dataType, against.schema[argument].dataType)
        known = known.union(entries_of(against, search, within) if entries is None else entries)
        documents = documents.union(against.withColumn("later", F.lit(False)))
    shard_of = shards_of(known, search, within)
    count, shards = shard_of.agg(F.count("*"), F.count_distinct("shard")).first() or (0, 0)
    members = documents.join(F.broadcast(shard_of) if count <= _BROADCAST else shard_of, "address")
    members = members.withColumn("reference", ~F.col("later"))
    # Adaptive execution coalesces no partition of what is persisted: there is one a shard.
    members = members.select("shard", "reference", texts_in(documents), *ordered, *labels)
    members = members.repartition(max(shards, 1), "shard")
    return members.sortWithinPartitions("shard", F.desc("reference"), *ordered)


def _check_alike(argument: str, first: DataType, second: DataType) -> None:
    """Refuse labels of two types: of a number and a text nobody knows whether they are the same."""
    if first != second and not (isinstance(first, IntegralType) and isinstance(second, IntegralType)):
        raise TypeError(
            f"the column of {argument}= has {first.simpleString()} and, in against=, {second.simpleString()}: "
            "cast one of them"
        )
