#!/usr/bin/env python3
"""Fingerprints of 64 bits of 20 words of each text by jieba and simhash (leonsim), on one thread: jieba_simhash.py TEXTS NAME...

TEXTS is a file of rows of one string: its length as LEB128, then its bytes. NAME is `keywords` (TF-IDF, as in the
recipe `zh-keywords`), `textrank` (as in `zh-textrank`) or `keywords+FILE`, with FILE as user dictionary, which stays
for the names behind it. Hashes are FNV-1a of 64 bits, for textrank with a finaliser. What is printed to compare with is summed exactly, after the
clock has stopped: simhash's own sums are rounded, and where one should be 0 or nearly so they may
come out on the other side.
"""
import fractions
import functools
import json
import logging
import operator
import sys
import time

import jieba
import jieba.analyse
from simhash import Simhash

KEYWORDS = 20


def fnv1a(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return value


def fnv1a_mix(data):
    value = fnv1a(data)
    for factor in 0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53:
        value = (value ^ value >> 33) * factor & (1 << 64) - 1
    return value ^ value >> 33


def exact(keywords, hashed):
    """The fingerprint by the definition, without rounding."""
    sums = [fractions.Fraction(0)] * 64
    for word, weight in keywords:
        value, weight = hashed(word.encode()), fractions.Fraction(weight)
        sums = [total + weight if value >> bit & 1 else total - weight for bit, total in enumerate(sums)]
    return sum(1 << bit for bit, total in enumerate(sums) if total > 0)


def rows(path):
    with open(path, "rb") as file:
        while first := file.read(1):
            size, shift = first[0] & 127, 7
            while first[0] & 128:
                first = file.read(1)
                size, shift = size | (first[0] & 127) << shift, shift + 7
            yield file.read(size).decode()


def measured(texts, name):
    kind, _, user = name.partition("+")
    extract, hashed = {"keywords": (jieba.analyse.extract_tags, fnv1a),
                       "textrank": (jieba.analyse.textrank, fnv1a_mix)}[kind]
    if user:
        jieba.load_userdict(user)
    extract("预热", KEYWORDS)  # loads the dictionary and the frequencies
    start = time.perf_counter()
    keywords = [extract(text, KEYWORDS, withWeight=True) for text in texts]
    found = [Simhash(words, hashfunc=hashed).value for words in keywords]
    seconds = time.perf_counter() - start
    expected = [exact(words, hashed) for words in keywords]
    xor = functools.reduce(operator.xor, expected, 0)
    return {"name": name, "seconds": round(seconds, 6), "xor": f"{xor:016x}",
            "rounded_otherwise": sum(map(operator.ne, found, expected))}


def main():
    texts = list(rows(sys.argv[1]))
    jieba.setLogLevel(logging.ERROR)
    for name in sys.argv[2:]:
        print(json.dumps(measured(texts, name)))


if __name__ == "__main__":
    main()
