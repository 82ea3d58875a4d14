#!/usr/bin/env python3
"""Precision and recall of what `nearprint dedup` removes, as a Markdown table, by `nearprint evaluate`.

usage: dedup_quality.py [--nearprint FILE] SET_DIR... [-- FLAG...]

SET_DIR is that of quality.py. `pairs` are those that dedup finds; `clusters` every two documents of one cluster.
Grey pairs count neither way; a pair that is not listed is a negative. What follows -- is handed to `evaluate`.
"""
import argparse, pathlib, sys, tempfile

from quality import ROOT, documents, evaluate, write_labels

RUNS = [[], ["--width", "64"], ["--width", "256"], ["--keep", "first"], ["--cluster-rule", "connected"], ["--verify", "none"]]

def measure(nearprint, folder, flags):
    with tempfile.TemporaryDirectory() as scratch:
        labels = pathlib.Path(scratch, "labels.jsonl")
        write_labels(folder, False, labels)
        dedup = evaluate(nearprint, documents(folder), labels, "--only", "dedup", *flags)["dedup"]
    return [score[name]["value"] for score in (dedup["pairs"], dedup["clusters"]["pairs"])
            for name in ("precision", "recall", "f1")]

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
            figures = [f"{figure:.3f}" for figure in measure(args.nearprint, folder, flags)]
            print(f"| {folder.name} | {' '.join(flags)} | {' | '.join(figures)} |", flush=True)

if __name__ == "__main__":
    main()
