#!/usr/bin/env python3
"""Deduplicate JSONL by the rule of NeMo Curator's fuzzy deduplication: nemo_rule.py IN OUT. NeMo itself needs a GPU.

FuzzyDeduplicationWorkflow with its defaults, as nemo_curator/stages/deduplication/fuzzy of NVIDIA-NeMo/Curator and
nvtext::minhash of rapidsai/cudf (2025) have them, written anew in numpy:

- Features are runs of 24 characters; a text that is shorter is one feature. A feature is hashed by MurmurHash3 of 32 bits.
- 260 minima of (a * hash + b) mod (2^61 - 1), of which 32 bits count; a and b are drawn as NeMo draws them, from seed 42.
- 20 bands of 13 minima. Documents that are equal in a band are linked; nothing compares them.
- Of the documents that links connect one stays. NeMo leaves open which; here it is the first.
"""
import random
import sys

import numpy as np
import orjson

WIDTH, BANDS, ROWS, SEED = 24, 20, 13, 42
PRIME, LOW = np.uint64((1 << 61) - 1), np.uint32(0xFFFFFFFF)
AT_ONCE = 256  # features that are hashed by all functions at once, so that they stay in the cache


def functions():
    """The a and b of every hash function, and the seed of MurmurHash3."""
    draw, most = np.random.RandomState(SEED), np.uint32((1 << 31) - 1)
    seeds = np.array([(draw.randint(1, most, dtype=np.uint32), draw.randint(0, most, dtype=np.uint32))
                      for _ in range(BANDS * ROWS)], dtype=np.uint32)
    return seeds[:, :1].astype(np.uint64), seeds[:, 1:].astype(np.uint64), seeds[0, 0]


def turned(value, bits):
    return value << np.uint32(bits) | value >> np.uint32(32 - bits)


def murmur(data, starts, length, seed):
    """MurmurHash3 (x86, 32 bits) of `length` bytes from each of `starts`."""
    state = np.full(len(starts), seed, dtype=np.uint32)

    def mixed(block):
        return turned(block * np.uint32(0xCC9E2D51), 15) * np.uint32(0x1B873593)

    for at in range(0, length - 3, 4):
        block = sum(data[starts + at + byte] << np.uint32(8 * byte) for byte in range(4))
        state = turned(state ^ mixed(block), 13) * np.uint32(5) + np.uint32(0xE6546B64)
    if length % 4:
        at = length - length % 4
        state ^= mixed(sum(data[starts + at + byte] << np.uint32(8 * byte) for byte in range(length % 4)))
    state ^= np.uint32(length)
    state = (state ^ state >> np.uint32(16)) * np.uint32(0x85EBCA6B)
    state = (state ^ state >> np.uint32(13)) * np.uint32(0xC2B2AE35)
    return state ^ state >> np.uint32(16)


def hashes(text, seed):
    """The hash of each feature of a text."""
    data = np.frombuffer(text, dtype=np.uint8)
    begins = np.append(np.flatnonzero(data & 0xC0 != 0x80), len(data))
    width = min(WIDTH, len(begins) - 1)
    starts, lengths = begins[:-width], begins[width:] - begins[:-width]
    data = data.astype(np.uint32)
    return np.unique(np.concatenate([murmur(data, starts[lengths == length], int(length), seed)
                                     for length in np.unique(lengths)]))


def minima(text, a, b, seed):
    """The signature of a text."""
    least = np.full(BANDS * ROWS, LOW, dtype=np.uint32)
    if text:
        found = hashes(text, seed).astype(np.uint64)
        for at in range(0, len(found), AT_ONCE):
            value = a * found[at:at + AT_ONCE]
            value += b
            value = (value & PRIME) + (value >> np.uint64(61))
            np.minimum(least, value.astype(np.uint32).min(axis=1), out=least)
    return least


def self_test():
    """Values that MurmurHash3 is known for, a text of other than ASCII against a loop, and estimates beside the truth."""
    for text, seed, known in ((b"hello", 0, 0x248BFA47), (b"Hello, world!", 0x9747B28C, 0x24884CBA),
                              (b"The quick brown fox jumps over the lazy dog", 0x9747B28C, 0x2FA826CD)):
        data = np.frombuffer(text, dtype=np.uint8).astype(np.uint32)
        found = murmur(data, np.array([0]), len(text), np.uint32(seed))[0]
        if found != known:
            sys.exit(f"MurmurHash3 of {text} is {found:#x}, not {known:#x}")
    text = "ein schöner Text, der länger ist als vierundzwanzig Zeichen und жук"
    one_by_one = set()
    for at in range(len(text) - WIDTH + 1):
        data = np.frombuffer(text[at:at + WIDTH].encode(), dtype=np.uint8).astype(np.uint32)
        one_by_one.add(int(murmur(data, np.array([0]), len(data), np.uint32(7))[0]))
    if set(hashes(text.encode(), np.uint32(7)).tolist()) != one_by_one:
        sys.exit("the hashes of the features of a text are not those of the features one by one")
    chance, (a, b, seed) = random.Random(SEED), functions()
    for same in (300, 600, 900):
        shared = "".join(chance.choices("abcdefgh ", k=same))
        texts = [shared + "".join(chance.choices("abcdefgh ", k=1000 - same)) for _ in range(2)]
        one, other = ({text[at:at + WIDTH] for at in range(1000 - WIDTH + 1)} for text in texts)
        true = len(one & other) / len(one | other)
        told = np.mean(minima(texts[0].encode(), a, b, seed) == minima(texts[1].encode(), a, b, seed))
        if abs(told - true) > 5 * (true * (1 - true) / (BANDS * ROWS)) ** 0.5:
            sys.exit(f"of two texts {told:.3f} of the minima are equal; their similarity is {true:.3f}")


def main():
    source, target = sys.argv[1:]
    self_test()
    a, b, seed = functions()
    heads, buckets = [], {}

    def head(one):
        while heads[one] != one:
            heads[one] = heads[heads[one]]
            one = heads[one]
        return one

    with open(source, "rb") as rows:
        lines = rows.readlines()
    for number, line in enumerate(lines):
        signature = minima(orjson.loads(line)["text"].encode(), a, b, seed)
        heads.append(number)
        for band in range(BANDS):
            other = buckets.setdefault((band, signature[band * ROWS:][:ROWS].tobytes()), number)
            first, second = sorted((head(other), head(number)))
            heads[second] = first
    with open(target, "wb") as survivors:
        survivors.writelines(line for number, line in enumerate(lines) if head(number) == number)


if __name__ == "__main__":
    main()
