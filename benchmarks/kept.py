#!/usr/bin/env python3
"""What a program kept of its input: kept.py INPUT KEPT --pairs PAIRS [--rewritten]

Prints {"documents": of the input, "kept": of them, "caught": share of the pairs}. INPUT is JSONL. KEPT is
JSONL, a folder of .jsonl.gz as datatrove writes it, or a folder of .arrow as text-dedup writes it. Each
document kept must be one of the input, in its order. A line of JSONL must be the input's byte for byte,
unless --rewritten is given.

PAIRS has the pairs of near-duplicates, rows of {"a", "b"}. `caught` is the share of the pairs of INPUT of
which at most one document is kept.
"""
import argparse
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path, metavar="INPUT")
    parser.add_argument("kept", type=pathlib.Path, metavar="KEPT")
    parser.add_argument("--pairs", type=pathlib.Path, required=True)
    parser.add_argument("--rewritten", action="store_true", help="lines were written anew: compare ids alone")
    args = parser.parse_args()
    ids, stay = survivors(args.source, args.kept, args.rewritten)
    share = caught(args.pairs, ids, stay)
    print(json.dumps({"documents": len(ids), "kept": len(stay), "caught": share}))


if __name__ == "__main__":
    main()
