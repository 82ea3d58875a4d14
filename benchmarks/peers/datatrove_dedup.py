#!/usr/bin/env python3
"""Deduplicate JSONL with datatrove: datatrove_dedup.py FOLDER SCRATCH TASKS [SHINGLE].

Its four steps of MinHash as its own example runs them: signatures, buckets, clusters, filter, with
14 buckets of 8 hashes of 64 bits over 5-grams of English words, or SHINGLE-grams. FOLDER has a file for each task.
What is kept goes to SCRATCH/kept, gzip-compressed JSONL. The example also counts the tokens of a
model, which deduplication does not need and which would be downloaded; this leaves them out.
"""
import pathlib
import shutil
import sys

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import (MinhashConfig, MinhashDedupBuckets, MinhashDedupCluster,
                                              MinhashDedupFilter)
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter
from datatrove.utils.hashing import HashConfig
from datatrove.utils.typeshelper import Languages


def main():
    source, scratch, tasks, *shingle = sys.argv[1:]
    scratch, tasks = pathlib.Path(scratch), int(tasks)
    shutil.rmtree(scratch, ignore_errors=True)  # it would go on from the steps that it finds there
    signatures, buckets, clusters = (str(scratch / step) for step in ("signatures", "buckets", "clusters"))
    config = MinhashConfig(hash_config=HashConfig(precision=64), num_buckets=14, hashes_per_bucket=8,
                           n_grams=int(shingle[0]) if shingle else 5)
    steps = {
        "1": (tasks, [JsonlReader(source),
                      MinhashDedupSignature(signatures, config=config, language=Languages.english)]),
        "2": (config.num_buckets, [MinhashDedupBuckets(signatures, buckets, config=config)]),
        "3": (1, [MinhashDedupCluster(buckets, clusters, config=config)]),
        "4": (tasks, [JsonlReader(source), MinhashDedupFilter(clusters), JsonlWriter(str(scratch / "kept"))]),
    }
    for name, (count, pipeline) in steps.items():
        # Forked processes are children of this one: what they use is counted as its own.
        LocalPipelineExecutor(pipeline, tasks=count, workers=min(tasks, count), start_method="fork",
                              logging_dir=str(scratch / "logs" / name)).run()


if __name__ == "__main__":
    main()
