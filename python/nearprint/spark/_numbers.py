"""Rows numbered in their order, without a task that sees all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyspark import StorageLevel
from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Bits of a row's place in `monotonically_increasing_id`, under those of its partition.
_PLACE = 33
# Rows of a partition, in the mean.
_ROWS = 1_000_000


def numbered(df: DataFrame, order: Sequence[str], name: str) -> DataFrame:
    """Add a column of the numbers of the rows, from 0, in an order that no two rows share.

    The rows of each partition are counted, and the counts come to the driver: some bytes a partition. The rows are
    computed twice: to be counted, and to be ordered in as many partitions as their count asks for.
    """
    ordered = df.repartitionByRange(1 + df.count() // _ROWS, *order).sortWithinPartitions(*order)
    ordered = ordered.withColumn("place", F.monotonically_increasing_id())
    ordered = ordered.persist(StorageLevel.MEMORY_AND_DISK)
    partition = F.shiftright("place", _PLACE)
    counts = ordered.groupBy(partition.alias("partition")).count().collect()
    before, first = 0, {}
    for row in sorted(counts):
        first[row["partition"]] = before
        before += row["count"]
    spark = df.sparkSession
    offsets = spark.createDataFrame(sorted(first.items()) or [(0, 0)], "partition bigint, offset bigint")
    return (
        ordered.withColumn("partition", partition)
        .join(F.broadcast(offsets), "partition")
        .withColumn(name, F.col("offset") + F.col("place").bitwiseAND((1 << _PLACE) - 1))
        .drop("place", "partition", "offset")
    )
