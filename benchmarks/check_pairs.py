#!/usr/bin/env python3
"""Check files of pairs against an independent exact join, written in numpy.

Two words of 64 bits that differ in at most 3 bits agree in one of their four 16-bit blocks. So all
rows that share a block are compared with each other, block by block, and nothing can be missed.
A file of pairs passes where it holds the very pairs of that join, each once, a before b, each with
its distance; planted pairs are looked for by themselves too. Prints the number of pairs. Exit
status 1 and a message where a file is wrong.
"""
import argparse
import pathlib
import sys

import numpy as np
import orjson

BLOCKS = 4


def exact_join(codes, k):
    """Every pair of rows within k bits, as sorted numbers first * len(codes) + second."""
    n = len(codes)
    found = []
    for block in range(BLOCKS):
        keys = (codes >> np.uint64(16 * block)).astype(np.uint16)
        order = np.argsort(keys, kind="stable")
        keys, sorted_codes = keys[order], codes[order]
        ends = np.searchsorted(keys, keys, side="right")
        left, step = np.arange(n), 1
        while True:  # compare every row with the row `step` places on in its bucket
            left = left[left + step < ends[left]]
            if not len(left):
                break
            near = left[np.bitwise_count(sorted_codes[left] ^ sorted_codes[left + step]) <= k]
            a, b = order[near], order[near + step]
            found.append(np.minimum(a, b) * n + np.maximum(a, b))
            step += 1
    return np.unique(np.concatenate(found))


def read_pairs(path):
    """The columns a, b and distance of a JSONL file of pairs."""
    with open(path, "rb") as rows:
        pairs = [(row["a"], row["b"], row["distance"]) for row in map(orjson.loads, rows)]
    return np.array(pairs, dtype=np.int64).reshape(-1, 3).T


def fault(path, codes, k, truth, planted):
    """What is wrong with a file of pairs, or None."""
    n = len(codes)
    a, b, distance = read_pairs(path)
    if not (np.all(0 <= a) and np.all(a < b) and np.all(b < n)):
        return "a pair is not two rows in input order"
    real = np.bitwise_count(codes[a] ^ codes[b])
    if np.any(real != distance) or np.any(real > k):
        return "a distance is wrong"
    reported = np.sort(a * n + b)
    if np.any(reported[1:] == reported[:-1]):
        return "a pair is reported twice"
    lost = int(np.isin(planted, reported, invert=True).sum())
    if lost:
        return f"{lost} of {len(planted)} planted pairs are missing"
    if not np.array_equal(reported, truth):
        return f"{len(reported)} pairs, the independent join finds {len(truth)}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("codes", type=pathlib.Path, help="raw little-endian words of 64 bits")
    parser.add_argument("pairs", type=pathlib.Path, nargs="+", help="JSONL rows of a, b, distance")
    parser.add_argument("-k", type=int, default=3, choices=range(BLOCKS))
    parser.add_argument("--planted", type=pathlib.Path, help="rows of the planted pairs (.npy)")
    args = parser.parse_args()
    codes = np.fromfile(args.codes, dtype="<u8")
    truth = exact_join(codes, args.k)
    planted = np.empty(0, dtype=np.int64)
    if args.planted:
        rows = np.sort(np.load(args.planted), axis=1)
        planted = rows[:, 0] * len(codes) + rows[:, 1]
    faults = {path: fault(path, codes, args.k, truth, planted) for path in args.pairs}
    for path, what in faults.items():
        if what:
            print(f"{path}: {what}", file=sys.stderr)
    if any(faults.values()):
        sys.exit(1)
    print(len(truth))


if __name__ == "__main__":
    main()
