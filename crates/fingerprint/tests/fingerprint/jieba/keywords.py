"""The reference of the recipe zh-keywords: jieba 0.42.1 and a SimHash of ten lines.

    python keywords.py IN.jsonl [FIRST] > OUT.jsonl

writes {"text", "keywords", "fingerprint"} for each row (the first FIRST rows) that has a "text".
"""

import json
import sys

import jieba.analyse


def fnv1a(data):
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 % 2**64
    return h


def simhash(keywords):
    v = [0.0] * 64
    for word, weight in keywords:
        h = fnv1a(word.encode())
        for i in range(64):
            v[i] += weight if h >> i & 1 else -weight
    return sum(1 << i for i in range(64) if v[i] > 0)


first = int(sys.argv[2]) if len(sys.argv) > 2 else None
for line in open(sys.argv[1], encoding="utf-8").readlines()[:first]:
    text = json.loads(line)["text"]
    keywords = jieba.analyse.extract_tags(text, topK=20, withWeight=True)
    digits = [(word, repr(weight)) for word, weight in keywords]
    row = {"text": text, "keywords": digits, "fingerprint": f"{simhash(keywords):016x}"}
    print(json.dumps(row, ensure_ascii=False))
