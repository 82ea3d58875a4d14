#!/usr/bin/env python3
"""Deduplicate JSONL with rensa in another way than rensa_dedup.py: rensa_ways.py WAY IN OUT. Kept lines leave as they came.

- stream: what README of rensa 0.5.0 shows under "Keep unique documents". Features are single words.
- union: sketches of three words in a row, every candidate of the LSH with an estimate of 0.8 or more is a link, and of
  the documents that links connect the first stays.
"""
import sys

import orjson
from rensa import RMinHash, RMinHashDeduplicator, RMinHashLSH

from rensa_parallel import features

PERMUTATIONS, SEED, THRESHOLD = 128, 42, 0.8


def stream(lines):
    kept = RMinHashDeduplicator(threshold=THRESHOLD, num_perm=PERMUTATIONS, use_lsh=True)
    return kept.add_pairs((str(number), orjson.loads(line)["text"].split()) for number, line in enumerate(lines))


def union(lines):
    sketches = RMinHash.from_token_sets((features(line, 3) for line in lines), PERMUTATIONS, SEED)
    index = RMinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS, num_bands=16)
    index.insert_many(sketches)
    heads = list(range(len(lines)))

    def head(one):
        while heads[one] != one:
            heads[one] = heads[heads[one]]
            one = heads[one]
        return one

    for one, sketch in enumerate(sketches):
        for other in index.query(sketch):
            if other < one and head(other) != head(one) and sketch.jaccard(sketches[other]) >= THRESHOLD:
                first, second = sorted((head(one), head(other)))
                heads[second] = first
    return [head(one) == one for one in range(len(lines))]


def main():
    way, source, target = sys.argv[1:]
    with open(source, "rb") as rows:
        lines = rows.readlines()
    kept = {"stream": stream, "union": union}[way](lines)
    with open(target, "wb") as survivors:
        survivors.writelines(line for line, stays in zip(lines, kept, strict=True) if stays)


if __name__ == "__main__":
    main()
