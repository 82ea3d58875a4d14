#!/usr/bin/env python3
"""Exact range search by a rival, on one thread: search_peer.py NAME CODES QUERIES COUNTS.

NAME is `faiss-multihash` (faiss IndexBinaryMultiHash, 2 x 32 bits, 1 flip), `faiss-hash`
(IndexBinaryHash, 24 bits, 3 flips) or `hammingbird` (Index). Codes and queries are raw
little-endian words of 64 bits; codes get their row as id. Each run asks `--asked` queries that no
other run asked. Writes to COUNTS, as 32-bit words, how many ids were found for each query, and
prints one line of JSON.
"""
import argparse
import importlib.metadata
import json
import os
import time

os.environ.update(OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")  # before the libraries start threads

import numpy as np

WIDTH = 64
CHUNK = 1_000_000  # codes added at a time


class Faiss:
    """A binary hash index of faiss. Its radius is exclusive."""

    def __init__(self, codes, k, make):
        import faiss

        faiss.omp_set_num_threads(1)
        self.version = "faiss-cpu " + faiss.__version__
        self.index, self.k = make(faiss), k
        for start in range(0, len(codes), CHUNK):
            self.index.add(codes[start:start + CHUNK])

    def batch(self, queries):
        """Number of ids found for each query."""
        limits, _, _ = self.index.range_search(queries, self.k + 1)
        return np.diff(limits)

    def one(self, query):
        self.index.range_search(query, self.k + 1)


class Hammingbird:
    """The index of hammingbird."""

    def __init__(self, codes, k):
        import hammingbird

        self.version = "hammingbird " + importlib.metadata.version("hammingbird")
        self.index = hammingbird.Index(d_bytes=WIDTH // 8, k=k)
        for start in range(0, len(codes), CHUNK):
            self.index.add_batch(codes[start:start + CHUNK])

    def batch(self, queries):
        """Number of ids found for each query."""
        return np.array([len(found) for found in self.index.query_batch(queries)])

    def one(self, query):
        self.index.query(query[0])


def multihash(faiss):
    index = faiss.IndexBinaryMultiHash(WIDTH, 2, 32)
    index.nflip = 1
    return index


def singlehash(faiss):
    index = faiss.IndexBinaryHash(WIDTH, 24)
    index.nflip = 3
    return index


PEERS = {
    "faiss-multihash": lambda codes, k: Faiss(codes, k, multihash),
    "faiss-hash": lambda codes, k: Faiss(codes, k, singlehash),
    "hammingbird": Hammingbird,
}


def resident():
    """Resident bytes of this process that belong to no file."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("RssAnon"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=PEERS)
    parser.add_argument("codes")
    parser.add_argument("queries")
    parser.add_argument("counts")
    parser.add_argument("-k", type=int, default=3)
    parser.add_argument("--asked", type=int, default=10_000, help="queries a run")
    parser.add_argument("--runs", type=int, default=5, help="runs beside the one that is not counted")
    parser.add_argument("--cold", action="store_true", help="count the first run too")
    args = parser.parse_args()
    codes = np.memmap(args.codes, dtype=np.uint8, mode="r").reshape(-1, WIDTH // 8)
    turns = args.runs + (0 if args.cold else 1)
    queries = np.fromfile(args.queries, dtype=np.uint8, count=turns * args.asked * WIDTH // 8)
    queries = queries.reshape(turns, args.asked, WIDTH // 8)

    before, start = resident(), time.perf_counter()
    peer = PEERS[args.name](codes, args.k)
    build, held = time.perf_counter() - start, resident() - before
    seconds, counts = [], []
    for own in queries:
        start = time.perf_counter()
        counts.append(peer.batch(own))
        seconds.append(time.perf_counter() - start)
    alone = []
    for at in range(min(1000, args.asked)):
        start = time.perf_counter()
        peer.one(queries[0, at:at + 1])
        alone.append((time.perf_counter() - start) * 1e6)
    counts = np.concatenate(counts)
    counts.astype("<u4").tofile(args.counts)
    counted = seconds if args.cold else seconds[1:]
    print(json.dumps({
        "what": "peer", "peer": peer.version, "name": args.name, "k": args.k, "codes": len(codes),
        "build_s": round(build, 3), "bytes_each": round(held / len(codes), 1), "asked": args.asked,
        "batch_us": [round(run * 1e6 / args.asked, 4) for run in counted],
        "p50_us": round(float(np.percentile(alone, 50)), 2), "p99_us": round(float(np.percentile(alone, 99)), 2),
        "found": int(counts.sum()),
    }))


if __name__ == "__main__":
    main()
