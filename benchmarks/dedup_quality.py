#!/usr/bin/env python3
"""Precision and recall of what `nearprint dedup` removes, as a Markdown table.

usage: dedup_quality.py [--nearprint FILE] SET_DIR... [-- FLAG...]

SET_DIR is that of quality.py. `pairs` are those of --pairs; `clusters` every two documents of one
cluster of --clusters. Grey pairs count neither way; a pair that is not listed is a negative. What
follows -- is handed to `dedup`.
"""
import argparse, collections, itertools, json, pathlib, subprocess, sys, tempfile

from quality import ROOT, labels

RUNS = [[], ["--width", "64"], ["--width", "256"], ["--keep", "first"], ["--cluster-rule", "connected"], ["--verify", "none"]]

def rows(path):
    with open(path, encoding="utf-8") as lines:
        yield from map(json.loads, lines)

def ordered(a, b):
    return (min(a, b), max(a, b))

def scores(predicted, known):
    duplicates = {pair for pair, label in known.items() if label == "dup"}
    grey = {pair for pair, label in known.items() if label == "grey"}
    right, wrong = len(predicted & duplicates), len(predicted - duplicates - grey)
    precision = right / (right + wrong) if right + wrong else 1.0
    recall = right / len(duplicates)
    return precision, recall, 2 * precision * recall / (precision + recall or 1.0)

def measure(nearprint, folder, flags):
    documents = next(p for p in (folder / "docs.jsonl", folder / "docs.jsonl.gz") if p.exists())
    with tempfile.TemporaryDirectory() as scratch:
        pairs, clusters = pathlib.Path(scratch, "pairs"), pathlib.Path(scratch, "clusters")
        subprocess.run([nearprint, "dedup", documents, "-q", "-o", pathlib.Path(scratch, "kept.jsonl"),
                        "--pairs", pairs, "--clusters", clusters, *flags], check=True)
        found = {ordered(str(row["a"]), str(row["b"])) for row in rows(pairs)}
        members = collections.defaultdict(list)
        for row in rows(clusters):
            members[row["cluster"]].append(str(row["id"]))
    within = {ordered(*two) for group in members.values() for two in itertools.combinations(group, 2)}
    known = labels(folder, False)
    return scores(found, known), scores(within, known)

def main():
    mine, theirs = sys.argv[1:], []
    if "--" in mine:
        at = mine.index("--")
        mine, theirs = mine[:at], mine[at + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=pathlib.Path, metavar="SET_DIR")
    parser.add_argument("--nearprint", default=ROOT / "target/release/nearprint", type=pathlib.Path)
    args = parser.parse_args(mine)
    print("| set | flags | pairs: precision | recall | F1 | clusters: precision | recall | F1 |\n"
          "|---|---|---:|---:|---:|---:|---:|---:|")
    for folder in args.sets:
        for flags in [theirs] if theirs else RUNS:
            figures = [f"{figure:.3f}" for score in measure(args.nearprint, folder, flags) for figure in score]
            print(f"| {folder.name} | {' '.join(flags)} | {' | '.join(figures)} |", flush=True)

if __name__ == "__main__":
    main()
