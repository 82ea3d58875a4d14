#!/usr/bin/env python3
"""PySpark's own MinHashLSH over word 3-shingles: minhash_lsh.py INPUT KEPT PAIRS TABLES FROM

The pairs of documents whose estimated Jaccard similarity is FROM or more go to the folder PAIRS. Every document goes
that is in such a pair with an earlier one; the others go to the folder KEPT. The pipeline is that of Spark's guide:
RegexTokenizer, NGram, HashingTF, MinHashLSH with TABLES tables of one hash each, approxSimilarityJoin of the documents
with themselves. MinHashLSH takes no document without a feature.
"""
import sys

from pyspark.ml import Pipeline
from pyspark.ml.feature import HashingTF, MinHashLSH, NGram, RegexTokenizer
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

source, kept, pairs, tables, least = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
documents = spark.read.parquet(source)
features = Pipeline(stages=[
    RegexTokenizer(inputCol="text", outputCol="words", pattern=r"(?U)\W+"),
    NGram(n=3, inputCol="words", outputCol="shingles"),
    HashingTF(inputCol="shingles", outputCol="features", numFeatures=1 << 20, binary=True),
]).fit(documents).transform(documents).filter(F.size("shingles") > 0).select("id", "number", "features")
hashed = MinHashLSH(inputCol="features", outputCol="hashes", numHashTables=int(tables), seed=1).fit(features)
found = hashed.approxSimilarityJoin(features, features, 1 - float(least), distCol="distance")
found = found.filter("datasetA.number < datasetB.number")
found.select(F.col("datasetA.id").alias("a"), F.col("datasetB.id").alias("b"), "distance").write.parquet(pairs)
gone = spark.read.parquet(pairs).select(F.col("b").alias("id")).distinct()
documents.join(gone, "id", "left_anti").write.parquet(kept)
spark.stop()
