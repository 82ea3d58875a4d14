"""What becomes of the documents of a DataFrame, and which of them are near-duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyspark import StorageLevel
from pyspark.sql import functions as F
from pyspark.sql.types import (
    BooleanType,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
)

from nearprint._arguments import public
from nearprint._columns import rules_of
from nearprint._kinds import COLUMN, COLUMNS, FLAG, RECALL_OF_BANDS, SPARK, Kind
from nearprint.kernels import Search
from nearprint.recipe import Recipe
from nearprint.spark._members import documents_of, labels_of, members_of, texts_in
from nearprint.spark._numbers import numbered
from nearprint.spark._stage import stage

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("df", "against", "entries"), SPARK),
    "text": COLUMN,
    "order": COLUMNS,
    "copies": FLAG,
    "recall": RECALL_OF_BANDS,
}


@public(**_KINDS)
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
    keep_by: str | Sequence[str] | None = None,
    cluster_rule: str | None = None,
    within: str | None = None,
    across: str | None = None,
    copies: bool = False,
    count_by: str | None = None,
    against: DataFrame | None = None,
    entries: DataFrame | None = None,
) -> DataFrame:
    """Find the near-duplicates among the rows of a DataFrame, and which one of each group is kept.

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
    keep_by
        In place of ``keep``: a column of numbers, dates or times and ``max`` or ``min``, such as ``"crawled:max"``, or a list
        of such, of which the later ones break ties.
    within, across
        A column of texts, numbers or truth values: only rows with equal values are compared, or only rows with
        different ones. Rows without a value have one in common.
    copies
        Count the documents that each one stands for.
    count_by
        A column of such values: count by these too.
    against
        Documents to compare with, in the same columns, such as those of an archive: documents near one of them are
        removed, and they are kept.
    entries
        The :func:`entries` of ``against``, which somebody saved: the texts of ``against`` are then read for those
        documents alone that may be near one of ``df``, or near each other.

    Returns
    -------
    DataFrame
        A row for each document that has near-duplicates: the id, ``cluster`` (a number, in the order of the first
        documents), ``representative`` (the id of the document that is kept for it), ``distance`` (bits),
        ``similarity``, ``keep``. Documents that are alone have no row, and are kept. With ``copies`` or ``count_by`` there
        is ``copies``: how many documents it stands for, itself included; 0 if it is removed. With ``count_by`` there is
        ``sources``, a map: how many of each value, ``"null"`` of rows without one; null if it is removed. A document that
        is alone stands for itself.

    Notes
    -----
    The call computes all of it. What was found waits in the executors' storage, in memory and on disk:
    ``spark.catalog.clearCache()`` drops it.

    Documents of ``against`` have no row. One task joins the links of the whole corpus, with about 100 bytes a document
    that has candidates: ``spark.executor.memoryOverhead`` has room for it. Shuffles are left to adaptive execution;
    raise ``spark.sql.shuffle.partitions`` where a partition of the sketches would be larger than an executor's memory.
    """
    search = Search(similarity, recall, recipe, width, verify, keep, cluster_rule)
    labels = labels_of(search, within=within, across=across, count_by=count_by)
    copies = copies or count_by is not None
    if keep is not None and keep_by is not None:
        raise TypeError("keep= and keep_by= both say which document is kept: give one of them")
    rules = [] if keep_by is None else rules_of(keep_by)
    scores = {f"score{at}": column for at, (column, _) in enumerate(rules)}
    documents, ordered = documents_of(df, text, id, order, labels, scores)
    known = None if against is None else documents_of(against, text, id, order, labels, scores)[0]
    members = members_of(documents, known, entries, search, ordered, [*labels, *scores])
    counts = [StructField("copies", LongType())] if copies else []
    if count_by is not None:
        counts.append(StructField("sources", MapType(StringType(), LongType())))
    kind = documents.schema["id"].dataType
    schema = StructType(
        [
            StructField("id", kind),
            StructField("reference", BooleanType()),
            *(StructField(name, documents.schema[name].dataType) for name in ordered[:-1]),
            StructField("cluster", LongType()),
            StructField("first", BooleanType()),
            StructField("representative", kind),
            StructField("distance", IntegerType()),
            StructField("similarity", FloatType()),
            StructField("keep", BooleanType()),
            *counts,
        ]
    )
    asked = {argument: argument for argument in labels}
    solve = stage(
        "solve",
        search=search,
        text=texts_in(documents),
        reference="reference",
        carried=["reference", *ordered[:-1]],
        copies=copies,
        keep_by=[(alias, rule) for alias, (_, rule) in zip(scores, rules, strict=True)],
        **asked,
    )
    solved = members.mapInArrow(solve, schema).persist(StorageLevel.MEMORY_AND_DISK)
    first = solved.filter("first").select("cluster", (~F.col("reference")).alias("later"), *ordered)
    numbers = numbered(first, ["later", *ordered], "number").select("cluster", "number")
    return solved.filter("not reference").join(numbers, "cluster").select(
        F.col("id").alias(id),
        F.col("number").alias("cluster"),
        "representative",
        "distance",
        "similarity",
        "keep",
        *(count.name for count in counts),
    )


@public(**_KINDS)
def pairs(
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
    within: str | None = None,
    across: str | None = None,
    against: DataFrame | None = None,
    entries: DataFrame | None = None,
    fold_equal: bool = False,
) -> DataFrame:
    """Find all pairs of near-duplicates among the rows of a DataFrame.

    Parameters
    ----------
    df, text, id, order, similarity, recall, recipe, width, verify, within, across, against, entries
        As for :func:`dedup`. Two documents of ``against`` are never a pair.
    fold_equal
        List documents of equal content once: the first of them has a pair with each of the others, and it alone has
        pairs with further ones.

    Returns
    -------
    DataFrame
        ``a`` and ``b``, the ids of the earlier and the later document, ``distance`` (bits) and ``similarity``: each
        pair once, as ``nearprint dedup --pairs`` writes them.
    """
    search = Search(similarity, recall, recipe, width, verify)
    labels = labels_of(search, fold_equal, within=within, across=across)
    documents, ordered = documents_of(df, text, id, order, labels)
    known = None if against is None else documents_of(against, text, id, order, labels)[0]
    members = members_of(documents, known, entries, search, ordered, labels)
    kind = documents.schema["id"].dataType
    schema = StructType(
        [
            StructField("a", kind),
            StructField("b", kind),
            StructField("distance", IntegerType()),
            StructField("similarity", FloatType()),
        ]
    )
    asked = {argument: argument for argument in labels}
    find = stage(
        "pairs", search=search, text=texts_in(documents), reference="reference", fold_equal=fold_equal, **asked
    )
    return members.mapInArrow(find, schema)
