#!/usr/bin/env python3
"""What a program kept of its input: survivors.py INPUT KEPT --pairs PAIRS [--rewritten] [--all-pairs]

Prints {"documents": of the input, "kept": of them, "caught": share of the pairs}. INPUT is JSONL. KEPT is
JSONL, a folder of .jsonl.gz as datatrove writes it, or a folder of .arrow as text-dedup writes it. Each
document kept must be one of the input, in its order. A line of JSONL must be the input's byte for byte,
unless --rewritten is given.

PAIRS has the pairs of near-duplicates, rows of {"a", "b"}. `caught` is the share of the pairs of INPUT of
which at most one document is kept. With --all-pairs, which says that no pair of INPUT is missing, it prints too:
"wrong", the documents removed of which no near-duplicate is kept; "chained", those of them that a chain of pairs joins
to a document kept; "left_in", the pairs of which both documents are kept.
"""
import argparse
import collections
import gzip
import json
import pathlib
import sys

import orjson


def documents(path):
    """The ids of the documents in order, as strings, each with its line where it is JSONL."""
    if path.is_file():
        with open(path, "rb") as lines:
            for line in lines:
                yield str(orjson.loads(line)["id"]), line
    for part in sorted(path.glob("*.jsonl.gz")):
        with gzip.open(part) as lines:
            for line in lines:
                yield str(orjson.loads(line)["id"]), None
    for part in sorted(path.glob("*.arrow")):
        import pyarrow

        with pyarrow.memory_map(str(part)) as source:
            for batch in pyarrow.ipc.open_stream(source):
                yield from ((str(identity), None) for identity in batch.column("id"))


def survivors(source, kept, rewritten):
    """The ids of the input and of what was kept."""
    ids, stay = [], []
    rows = documents(source)
    for identity, line in documents(kept):
        for row_identity, row in rows:
            ids.append(row_identity)
            if row_identity == identity and (rewritten or line is None or line == row):
                break
        else:
            sys.exit(f"document {len(stay) + 1} of {kept} ({identity}) is not the input's, or out of order")
        stay.append(identity)
    ids += (identity for identity, _ in rows)
    return set(ids), set(stay)


def caught(pairs, ids, stay):
    """The share of the pairs of which at most one document stays."""
    found = of = 0
    with open(pairs, "rb") as rows:
        for row in rows:
            pair = orjson.loads(row)
            a, b = str(pair["a"]), str(pair["b"])
            if a in ids and b in ids:
                of += 1
                found += not (a in stay and b in stay)
    return found / of if of else None


def judged(pairs, ids, stay):
    """What was removed without a near-duplicate that stays, and the pairs that stay whole."""
    near, left_in = collections.defaultdict(list), 0
    with open(pairs, "rb") as rows:
        for row in rows:
            pair = orjson.loads(row)
            a, b = str(pair["a"]), str(pair["b"])
            near[a].append(b)
            near[b].append(a)
            left_in += a in stay and b in stay
    wrong = {one for one in ids - stay if not any(other in stay for other in near[one])}
    joined, ahead = set(stay), list(stay)
    while ahead:
        ahead = {other for one in ahead for other in near[one]} - joined
        joined |= ahead
    return {"wrong": len(wrong), "chained": len(wrong & joined), "left_in": left_in}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path, metavar="INPUT")
    parser.add_argument("kept", type=pathlib.Path, metavar="KEPT")
    parser.add_argument("--pairs", type=pathlib.Path, required=True)
    parser.add_argument("--rewritten", action="store_true", help="lines were written anew: compare ids alone")
    parser.add_argument("--all-pairs", action="store_true", help="PAIRS has all pairs of INPUT: count what is wrong")
    args = parser.parse_args()
    ids, stay = survivors(args.source, args.kept, args.rewritten)
    share = caught(args.pairs, ids, stay)
    figures = {"documents": len(ids), "kept": len(stay), "caught": share}
    print(json.dumps(figures | (judged(args.pairs, ids, stay) if args.all_pairs else {})))


if __name__ == "__main__":
    main()
