"""The stages of ``nearprint shard`` as tasks of Spark.

They hand lists to each other by files of a folder that all machines see, of which each task reads its part alone: Spark
schedules, and moves no row between them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nearprint._command import Summary
from nearprint.spark._members import documents_of
from nearprint.spark._stage import stage

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# What comes behind a task number that Spark puts in.
_TASK = "{task}"
# Spark leaves no file that says that it wrote all others: it would be one of the corpus.
_MARK = "mapreduce.fileoutputcommitter.marksuccessfuljobs"


def seen(path: str) -> str:
    """Give a path of Spark as the command has it."""
    return path.removeprefix("file://").replace("s3a://", "s3://", 1)


def write_documents(df: DataFrame, text: str, id: str, order: str | Sequence[str] | None, path: str) -> None:
    """Write documents as files whose order is theirs."""
    documents_of(df, text, id, order)
    ordered = [id] if order is None else [*([order] if isinstance(order, str) else order), id]
    write_rows(df.repartitionByRange(*ordered).sortWithinPartitions(*ordered), path)


def write_rows(df: DataFrame, path: str) -> None:
    """Write rows as files of Parquet, a file for each partition."""
    df.write.option(_MARK, "false").parquet(path)


def put(spark: SparkSession, content: bytes, path: str) -> None:
    """Write a file on a disk that all machines see."""
    rows = spark.createDataFrame([(content,)], "content binary")
    rows.mapInArrow(stage("_put", path=path), "written bigint").collect()


def run(spark: SparkSession, job: str, work: str, flags: list[str], outputs: Mapping[str, str]) -> None:
    """Do a job over the documents in ``work/in``: all of its stages, whose outputs go to these places in ``work``."""
    there = seen(work)
    named = [f"--{flag}={there}/{place}" for flag, place in outputs.items()]
    _run(spark, ["create", f"{there}/job", "--job", job, *flags, *named, "--", f"{there}/in"], 1)
    while stages := [found for found in _status(spark, f"{there}/job") if found["missing"]]:
        # Where windows share a hash that are not equal, an earlier stage has units more.
        name, units = stages[0]["stage"], stages[0]["units"]
        _run(spark, [name, f"{there}/job", "--task", f"{_TASK}/{units}"], units)


def summary_of(spark: SparkSession, work: str) -> Summary:
    """Give the figures of a job that wrote them to ``summary.json``."""
    (row,) = spark.read.text(f"{work}/summary.json", wholetext=True).collect()
    summary: Summary = json.loads(row[0])
    return summary


def _run(spark: SparkSession, arguments: list[str], tasks: int) -> list[str]:
    """Run ``nearprint shard`` in tasks of Spark; each has its number from 1."""
    rows = spark.range(1, tasks + 1, 1, tasks)
    found = rows.mapInArrow(stage("_shard", arguments=arguments, task=_TASK), "answer string").collect()
    return [row["answer"] for row in found]


def _status(spark: SparkSession, work: str) -> list[dict[str, Any]]:
    """Tell what is done of each stage."""
    (answer,) = _run(spark, ["status", work, "--format", "json"], 1)
    status: list[dict[str, Any]] = json.loads(answer)
    return status
