"""Parts of a search on their own: fingerprints, what may be near, and groups of any pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark import StorageLevel
from pyspark.sql import functions as F
from pyspark.sql.types import BinaryType, LongType, StructField, StructType

from nearprint._arguments import public
from nearprint._kinds import COLUMN, RECALL_OF_BANDS, SPARK
from nearprint.kernels import Search
from nearprint.recipe import Recipe, as_recipe
from nearprint.spark._members import documents_of, entries_of, labels_of, shards_of, texts_in
from nearprint.spark._numbers import numbered
from nearprint.spark._stage import stage

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_KINDS = {"df": SPARK, "text": COLUMN, "recall": RECALL_OF_BANDS}


@public(**_KINDS)
def sketch(
    df: DataFrame, *, text: str = "text", id: str = "id", recipe: str | Recipe = "text", width: int | None = None
) -> DataFrame:
    """Fingerprint the texts of a DataFrame.

    Parameters
    ----------
    df, text, id
        As for :func:`dedup`.
    recipe, width
        As for :func:`nearprint.fingerprint`.

    Returns
    -------
    DataFrame
        The id, and ``fingerprint``: at 64 bits a ``bigint``, so that ``bit_count(a ^ b)`` of SQL is a distance; else
        ``binary``, the most significant byte first. Null where the text is.
    """
    documents, _ = documents_of(df, text, id)
    column = texts_in(documents)
    documents = documents.select("id", column)
    chosen = as_recipe(recipe)
    kind = LongType() if (width or chosen.width or 64) == 64 else BinaryType()
    schema = StructType([StructField("id", documents.schema["id"].dataType), StructField("fingerprint", kind)])
    return documents.mapInArrow(stage("sketch", recipe=chosen, width=width, text=column), schema).withColumnRenamed("id", id)


@public(**_KINDS)
def entries(
    df: DataFrame,
    *,
    text: str = "text",
    id: str = "id",
    similarity: float | None = None,
    recall: float | None = None,
    recipe: str | Recipe = "text",
    width: int | None = None,
    within: str | None = None,
) -> DataFrame:
    """Sketch the documents of an archive, to be saved: :func:`dedup` compares with them day after day.

    Parameters
    ----------
    df, text, id, similarity, recall, recipe, width, within
        As for :func:`dedup`, which has to be called with the same.

    Returns
    -------
    DataFrame
        ``range``, ``documents``, ``bytes``, ``entries``: some 600 bytes a document at 128 bits, in few rows. Those of
        several days together are their union.
    """
    search = Search(similarity, recall, recipe, width)
    documents, _ = documents_of(df, text, id, labels=labels_of(search, within=within))
    return entries_of(documents, search, None if within is None else "within")


@public(**_KINDS)
def candidates(
    df: DataFrame,
    *,
    text: str = "text",
    id: str = "id",
    similarity: float | None = None,
    recall: float | None = None,
    recipe: str | Recipe = "text",
    width: int | None = None,
) -> DataFrame:
    """Find the documents of a DataFrame that may have near-duplicates, before any text is compared.

    Parameters
    ----------
    df, text, id, similarity, recall, recipe, width
        As for :func:`dedup`.

    Returns
    -------
    DataFrame
        The id, and ``shard``: documents that may be near each other have the same. A document that has no row has no
        near-duplicate.
    """
    search = Search(similarity, recall, recipe, width)
    documents, _ = documents_of(df, text, id)
    labels = shards_of(entries_of(documents, search), search)
    return documents.select("address", F.col("id").alias(id)).join(labels, "address").select(id, "shard")


@public(pairs=SPARK, a=COLUMN, b=COLUMN)
def clusters(pairs: DataFrame, *, a: str = "a", b: str = "b") -> DataFrame:
    """Group documents by pairs of them: the connected components.

    Parameters
    ----------
    pairs
        Pairs of ids of one type, from :func:`pairs` or from elsewhere.
    a, b
        The columns of the two ids.

    Returns
    -------
    DataFrame
        ``id`` and ``cluster``: numbers from 0, in the order of the least id of each cluster.

    Notes
    -----
    One task joins all pairs, with about 100 bytes a document.
    """
    for name in (a, b):
        if name not in pairs.columns:
            raise ValueError(f"no column {name!r}; there are {', '.join(map(repr, pairs.columns))}")
    pairs = pairs.select(pairs[a].alias("a"), pairs[b].alias("b"))
    ids = pairs.select(F.col("a").alias("id")).union(pairs.select("b")).distinct()
    ids = ids.persist(StorageLevel.MEMORY_AND_DISK)
    ids = numbered(ids, ["id"], "number")
    number_of = [ids.withColumnsRenamed({"id": name, "number": f"{name}_number"}) for name in ("a", "b")]
    links = pairs.join(number_of[0], "a").join(number_of[1], "b")
    links = links.select(F.col("a_number").alias("a"), F.col("b_number").alias("b"))
    joined = links.repartition(1).mapInArrow(stage("components"), "address bigint, component bigint")
    joined = joined.withColumnRenamed("address", "number").persist(StorageLevel.MEMORY_AND_DISK)
    numbers = numbered(joined.select("component").distinct(), ["component"], "cluster")
    return ids.join(joined, "number").join(numbers, "component").select("id", "cluster")
