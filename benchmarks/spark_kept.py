#!/usr/bin/env python3
"""What a program of spark.py kept: spark_kept.py COUNT KEPT REFERENCE PAIRS [--listed FOLDER]

KEPT and REFERENCE are folders of JSONL or of Parquet; the documents are the numbers from 0 to COUNT, each at most once.
Prints {"kept": documents, "caught": share of the pairs of which at most one document is kept, "same": whether these are
the documents of REFERENCE}, and with --listed "listed": share of the pairs that are rows {"a","b"} of the Parquet in
FOLDER. PAIRS has the pairs of near-duplicates as JSONL, rows of {"a", "b"}.
"""
import argparse
import json
import pathlib
import sys

import numpy as np
import orjson
import pyarrow.parquet


def ids(folder):
    """The documents of a folder."""
    parts = sorted(folder.glob("*.jsonl"))
    if parts:
        return np.array([orjson.loads(line)["id"] for part in parts for line in part.open("rb")], dtype=np.int64)
    return columns(folder, ["id"])[0]


def columns(folder, names):
    """Columns of whole numbers of the Parquet of a folder and the folders in it, whatever their names."""
    parts = [pyarrow.parquet.ParquetFile(part).read(columns=names) for part in sorted(folder.rglob("*.parquet"))]
    table = pyarrow.concat_tables(parts)
    return [table[name].to_numpy().astype(np.int64) for name in names]


def stays(folder, count):
    """Of each document, whether it is in the folder."""
    found = ids(folder)
    if len(found) and not (0 <= found.min() and found.max() < count and len(np.unique(found)) == len(found)):
        sys.exit(f"{folder} has a document that the input has not, or one twice")
    stay = np.zeros(count, bool)
    stay[found] = True
    return stay


def both_ways(a, b, count):
    """Pairs as one number each, whichever document comes first."""
    return np.minimum(a, b) * count + np.maximum(a, b)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, metavar="COUNT")
    parser.add_argument("kept", type=pathlib.Path, metavar="KEPT")
    parser.add_argument("reference", type=pathlib.Path, metavar="REFERENCE")
    parser.add_argument("pairs", type=pathlib.Path, metavar="PAIRS")
    parser.add_argument("--listed", type=pathlib.Path, metavar="FOLDER")
    args = parser.parse_args()
    stay, reference = stays(args.kept, args.count), stays(args.reference, args.count)
    with open(args.pairs, "rb") as rows:
        pairs = np.array([(row["a"], row["b"]) for row in map(orjson.loads, rows)], dtype=np.int64).reshape(-1, 2)
    a, b = pairs.T
    told = {
        "kept": int(np.count_nonzero(stay)),
        "caught": float(np.mean(~(stay[a] & stay[b]))) if len(pairs) else None,
        "same": bool(np.array_equal(stay, reference)),
    }
    if args.listed:
        listed = both_ways(*columns(args.listed, ["a", "b"]), args.count)
        told["listed"] = float(np.mean(np.isin(both_ways(a, b, args.count), listed))) if len(pairs) else None
    print(json.dumps(told))


if __name__ == "__main__":
    main()
