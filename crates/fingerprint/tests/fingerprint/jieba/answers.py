"""What jieba 0.42.1 answers about texts: the reference of what is cut, chosen, weighed and ranked as jieba does it.

    pip install jieba==0.42.1
    python answers.py IN.jsonl [--user FILE] [--stop FILE] [--idf FILE] > OUT.jsonl

writes for each row that has a "text", joined by the character ¦:

    words       jieba.cut
    tagged      jieba.posseg.cut, each word with / and its part of speech
    keywords    jieba.analyse.extract_tags, 20 of them, each with / and the shortest digits of its weight
    nouns       the same of allowPOS ("n", "nr", "ns", "nz")
    textrank    jieba.analyse.textrank, 20 of them, likewise
    fingerprint a SimHash of ten lines of the keywords

The files are given to load_userdict, set_stop_words and set_idf_path.
"""

import argparse
import json
from fractions import Fraction

import jieba
import jieba.analyse
import jieba.posseg

assert jieba.__version__ == "0.42.1", jieba.__version__
jieba.setLogLevel(60)


def fnv1a(data):
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 % 2**64
    return h


def simhash(keywords):
    # Exact: of equal weights as many may push up as down.
    v = [Fraction(0)] * 64
    for word, weight in keywords:
        weight = Fraction(weight)
        h = fnv1a(word.encode())
        for i in range(64):
            v[i] += weight if h >> i & 1 else -weight
    return sum(1 << i for i in range(64) if v[i] > 0)


def joined(pairs):
    return "¦".join(f"{word}/{value}" for word, value in pairs)


def digits(pairs):
    return joined((word, repr(weight)) for word, weight in pairs)


parser = argparse.ArgumentParser()
parser.add_argument("texts")
parser.add_argument("--user")
parser.add_argument("--stop")
parser.add_argument("--idf")
arguments = parser.parse_args()
if arguments.user:
    jieba.load_userdict(arguments.user)
if arguments.stop:
    jieba.analyse.set_stop_words(arguments.stop)
    jieba.analyse.default_textrank.set_stop_words(arguments.stop)
if arguments.idf:
    jieba.analyse.set_idf_path(arguments.idf)
for line in open(arguments.texts, encoding="utf-8"):
    text = json.loads(line).get("text")
    if not text:
        continue
    assert "¦" not in text, text
    keywords = jieba.analyse.extract_tags(text, topK=20, withWeight=True)
    nouns = jieba.analyse.extract_tags(text, topK=20, withWeight=True, allowPOS=("n", "nr", "ns", "nz"))
    row = {
        "words": "¦".join(jieba.cut(text)),
        "tagged": joined(jieba.posseg.cut(text)),
        "keywords": digits(keywords),
        "nouns": digits(nouns),
        "textrank": digits(jieba.analyse.textrank(text, topK=20, withWeight=True)),
        "fingerprint": f"{simhash(keywords):016x}",
    }
    print(json.dumps(row, ensure_ascii=False))
