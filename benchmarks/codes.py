#!/usr/bin/env python3
"""Write test fingerprints of 64 bits, raw little-endian words, to benchmarks/data.

uniform-N.u64: uniform random, 1 % of them planted: copies of another fingerprint at distance 0 to 3
    in turn, at random places. uniform-N.planted.npy holds the rows of each planted pair.
clustered-N.u64: closer to fingerprints of real text. Every bit has a balance of its own between
    20 and 80 %, so some prefixes are far more common than others; half of the rows form clusters
    with a heavy tail of sizes; 1000 rows are one and the same value, as of an empty page.

The same N and seed give the same files. Files that are there are left alone.
"""
import argparse
import pathlib

import numpy as np

DATA = pathlib.Path(__file__).resolve().parent / "data"
SEED = 1
LARGEST_CLUSTER = 40
EQUAL_ROWS = 1000


def single_bits(places):
    """One-bit words with the bit at each place."""
    return np.uint64(1) << places.astype(np.uint64)


def uniform(n, rng):
    """Uniform fingerprints and the (row, row) of each planted pair."""
    planted = n // 100
    originals = rng.integers(0, 2**64, size=n - planted, dtype=np.uint64)
    sources = rng.integers(0, len(originals), size=planted)
    distances = np.arange(planted) % 4
    places = np.argsort(rng.random((planted, 64)), axis=1)  # distinct bits for each copy
    copies = originals[sources]
    for flip in range(3):
        copies ^= np.where(distances > flip, single_bits(places[:, flip]), np.uint64(0))
    shuffle = rng.permutation(n)
    row_of = np.empty(n, dtype=np.int64)
    row_of[shuffle] = np.arange(n)
    pairs = np.stack([row_of[sources], row_of[len(originals) + np.arange(planted)]], axis=1)
    return np.concatenate([originals, copies])[shuffle], pairs


def clustered(n, rng):
    """Fingerprints with uneven bits, clusters, and one large group of equal values."""
    codes = np.zeros(n, dtype=np.uint64)
    for bit, balance in enumerate(rng.uniform(0.2, 0.8, size=64)):
        codes |= (rng.random(n) < balance).astype(np.uint64) << np.uint64(bit)
    members = n // 2
    sizes = np.minimum(2 + 2 * rng.pareto(1.5, size=members), LARGEST_CLUSTER).astype(np.int64)
    centres = np.repeat(np.arange(members), sizes)[:members]
    codes[:members] = codes[members:][centres]
    flips = rng.integers(0, 4, size=members)
    for flip in range(3):
        noise = single_bits(rng.integers(0, 64, size=members))
        codes[:members] ^= np.where(flips > flip, noise, np.uint64(0))
    codes[members:members + EQUAL_ROWS] = codes[-1]
    return rng.permutation(codes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=1_000_000, help="fingerprints a set (default: 1000000)")
    n = parser.parse_args().n
    if n < 10_000:
        parser.error("-n must be at least 10000")
    DATA.mkdir(exist_ok=True)
    planted_file = DATA / f"uniform-{n}.planted.npy"
    if not planted_file.exists():
        codes, pairs = uniform(n, np.random.default_rng(SEED))
        codes.astype("<u8").tofile(DATA / f"uniform-{n}.u64")
        np.save(planted_file, pairs)
    clustered_file = DATA / f"clustered-{n}.u64"
    if not clustered_file.exists():
        clustered(n, np.random.default_rng(SEED)).astype("<u8").tofile(clustered_file)


if __name__ == "__main__":
    main()
