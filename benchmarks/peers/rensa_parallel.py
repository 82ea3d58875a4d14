#!/usr/bin/env python3
"""Deduplicate JSONL with rensa on several processes: rensa_parallel.py IN OUT PROCESSES [SHINGLE].

The same sketches and LSH as rensa_dedup.py, and so the same lines kept. With SHINGLE a feature is so many words in a
row, cut at blanks, in place of one. rensa makes a sketch on the thread
that asks, and holds Python's lock; its deduplicator does so for a batch of token sets too. So this takes
processes. Each reads, parses and sketches parts of the file. The parent takes the sketches in order,
looks them up, and writes what stays.
"""
import functools
import multiprocessing
import sys

import orjson
from rensa import RMinHash, RMinHashDeduplicator
from rensa_dedup import BANDS, PERMUTATIONS, SEED, THRESHOLD

PART = 4 << 20  # bytes that a process takes at a time


def lines_of(part):
    """The lines of a part of the file: its path, start and size."""
    path, start, size = part
    with open(path, "rb") as rows:
        rows.seek(start)
        return rows.read(size).splitlines(keepends=True)


def features(line, shingle):
    """Each run of `shingle` words of the text of a line."""
    words = orjson.loads(line)["text"].split()
    return words if shingle == 1 else list(map(" ".join, zip(*(words[at:] for at in range(shingle)))))


def sketches(shingle, part):
    """The sketch of each line."""
    found = []
    for line in lines_of(part):
        sketch = RMinHash(PERMUTATIONS, SEED)
        sketch.update(features(line, shingle))
        found.append(sketch)
    return found


def parts(path):
    """The file cut at ends of lines."""
    with open(path, "rb") as rows:
        start = 0
        while rows.read(PART):
            rows.readline()
            yield path, start, rows.tell() - start
            start = rows.tell()


def main():
    source, target, processes, shingle = (sys.argv[1:] + ["1"])[:4]
    sketch = functools.partial(sketches, int(shingle))
    kept = RMinHashDeduplicator(THRESHOLD, PERMUTATIONS, True, BANDS)
    number = 0
    cut = list(parts(source))
    with multiprocessing.Pool(int(processes)) as pool, open(target, "wb") as survivors:
        for part, found in zip(cut, pool.imap(sketch, cut)):
            for line, sketch in zip(lines_of(part), found, strict=True):
                if kept.add(str(number), sketch):
                    survivors.write(line)
                number += 1


if __name__ == "__main__":
    main()
