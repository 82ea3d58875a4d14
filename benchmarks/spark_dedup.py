#!/usr/bin/env python3
"""`nearprint.spark.dedup` over Parquet, survivors to Parquet: spark_dedup.py INPUT KEPT"""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import nearprint.spark

source, kept = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
documents = spark.read.parquet(source)
found = nearprint.spark.dedup(documents, text="text", id="id", order="number")
gone = found.filter("not keep").select("id")
documents.join(F.broadcast(gone), "id", "left_anti").write.parquet(kept)
spark.stop()
