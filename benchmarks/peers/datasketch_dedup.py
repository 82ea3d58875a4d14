#!/usr/bin/env python3
"""Deduplicate JSONL with datasketch on several processes: datasketch_dedup.py IN OUT PROCESSES SHINGLE.

The way datasketch's own documentation goes: MinHash of 128 permutations, MinHashLSH at threshold 0.8. A document is kept
where the LSH finds none of those kept before. A feature is SHINGLE words in a row, cut at blanks. As in
rensa_parallel.py each process reads, parses and sketches parts of the file, and the parent does the LSH and writes.
"""
import functools
import multiprocessing
import sys

from datasketch import LeanMinHash, MinHash, MinHashLSH
from rensa_parallel import features, lines_of, parts

PERMUTATIONS, THRESHOLD = 128, 0.8


def sketches(shingle, part):
    """The sketch of each line."""
    texts = ([feature.encode() for feature in features(line, shingle)] for line in lines_of(part))
    return [LeanMinHash(sketch) for sketch in MinHash.generator(texts, num_perm=PERMUTATIONS)]


def main():
    source, target, processes, shingle = sys.argv[1:]
    kept = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)
    number = 0
    cut = list(parts(source))
    with multiprocessing.Pool(int(processes)) as pool, open(target, "wb") as survivors:
        for part, found in zip(cut, pool.imap(functools.partial(sketches, int(shingle)), cut)):
            for line, sketch in zip(lines_of(part), found, strict=True):
                if not kept.query(sketch):
                    kept.insert(number, sketch, check_duplication=False)
                    survivors.write(line)
                number += 1


if __name__ == "__main__":
    main()
