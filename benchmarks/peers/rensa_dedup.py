#!/usr/bin/env python3
"""Deduplicate JSONL with rensa: rensa_dedup.py IN OUT. Lines that are kept leave as they came.

The way rensa's own documentation goes: the set of words of a text, MinHash of 128 permutations,
threshold 0.8, LSH of 16 bands, one document after another. Of the ways tried (batches of token
sets, C-MinHash, the standard json module) this one is the fastest; it runs on one thread.
"""
import sys

import orjson
from rensa import RMinHash, RMinHashDeduplicator

PERMUTATIONS, SEED, THRESHOLD, BANDS = 128, 42, 0.8, 16


def main():
    source, target = sys.argv[1:]
    kept = RMinHashDeduplicator(THRESHOLD, PERMUTATIONS, True, BANDS)
    with open(source, "rb") as rows, open(target, "wb") as survivors:
        for number, line in enumerate(rows):
            sketch = RMinHash(PERMUTATIONS, SEED)
            sketch.update(orjson.loads(line)["text"].split())
            if kept.add(str(number), sketch):
                survivors.write(line)


if __name__ == "__main__":
    main()
