#!/usr/bin/env python3
"""Precision and recall by radius, as a Markdown table.

usage: quality.py [--recipe NAME]... [--width BITS]... SET_DIR...

SET_DIR holds docs.jsonl or docs.jsonl.gz ({"id", "text"}) and pairs.tsv (header row; id1, id2,
label: dup, grey, neg or hardneg, further columns). Grey pairs count neither way; a pair that is not
listed is a negative. The command is run once a set, recipe and width at the largest radius; smaller
ones are cut from its distances, which is the same because the search is exact.
"""
import argparse, collections, json, pathlib, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RADII = {64: (1, 2, 3, 4, 6, 8, 9, 10, 12), 128: (3, 6, 9, 12, 16, 20, 21, 24, 28), 256: (6, 12, 24, 32, 40, 45, 48, 56)}

def labels(folder):
    found = {}
    with open(folder / "pairs.tsv", encoding="utf-8") as rows:
        next(rows)
        for row in rows:
            a, b, label = row.rstrip("\n").split("\t")[:3]
            found[min(a, b), max(a, b)] = label
    return found

def distances(folder, recipe, width):
    documents = next(p for p in (folder / "docs.jsonl", folder / "docs.jsonl.gz") if p.exists())
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch, "pairs.jsonl")
        subprocess.run([ROOT / "target/release/nearprint", "pairs", documents, "--recipe", recipe, "--width",
                        str(width), "-k", str(max(RADII[width])), "-q", "-o", out], check=True, timeout=600)
        with open(out, encoding="utf-8") as rows:
            for row in rows:
                pair = json.loads(row)
                a, b = str(pair["a"]), str(pair["b"])
                yield (min(a, b), max(a, b)), pair["distance"]

def curve(folder, recipe, width):
    known = labels(folder)
    duplicates = sum(label == "dup" for label in known.values())
    hits, misses = collections.Counter(), collections.Counter()
    for pair, distance in distances(folder, recipe, width):
        label = known.get(pair)
        if label == "dup":
            hits[distance] += 1
        elif label != "grey":
            misses[distance] += 1
    for k in RADII[width]:
        right, wrong = (sum(n for d, n in c.items() if d <= k) for c in (hits, misses))
        precision = right / (right + wrong) if right + wrong else 1.0
        recall = right / duplicates
        yield k, precision, recall, 2 * precision * recall / (precision + recall or 1.0)

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=pathlib.Path, metavar="SET_DIR")
    parser.add_argument("--recipe", action="append")
    parser.add_argument("--width", action="append", type=int, choices=sorted(RADII))
    args = parser.parse_args()
    print("| set | recipe | bits | k | precision | recall | F1 |\n|---|---|---:|---:|---:|---:|---:|")
    for folder in args.sets:
        for recipe in args.recipe or ["text"]:
            for width in args.width or sorted(RADII):
                for k, precision, recall, f1 in curve(folder, recipe, width):
                    print(f"| {folder.name} | {recipe} | {width} | {k} | {precision:.3f} | {recall:.3f} | {f1:.3f} |", flush=True)

if __name__ == "__main__":
    sys.exit(main())
