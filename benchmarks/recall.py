#!/usr/bin/env python3
"""Which pairs of a similarity `nearprint dedup` finds, by band of similarity, as a Markdown table.

usage: recall.py [--nearprint FILE] [--large] DOCS...

DOCS is a file of documents, a few thousand: the truth is every pair at a Jaccard similarity of 0.8 and more,
compared one by one (a radius of all bits, verified). `bands` is the default, `radius` the radius that holds
95 % of the pairs at 0.8, `exact` is `--recall exact`. With --large the truth is what `exact` lists, for the recipe
`text` alone: all pairs of a large file take days.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

from quality import ROOT

RECIPES = ["text", "words", "chars-5"]
METHODS = {"bands": ["--similarity", "0.8"], "bands, recall 0.99": ["--similarity", "0.8", "--recall", "0.99"],
           "exact": ["--recall", "exact"], "radius": ["-k", "26", "--verify", "jaccard=0.8"]}
TRUTH = ["-k", "128", "--verify", "jaccard=0.8"]
EDGES = [0.8, 0.85, 0.9, 1.01]


def pairs(nearprint, documents, flags):
    """The pairs with their similarities, and what the run says of itself."""
    with tempfile.TemporaryDirectory() as scratch:
        found, summary = pathlib.Path(scratch, "pairs"), pathlib.Path(scratch, "summary")
        subprocess.run([nearprint, "dedup", documents, "-q", "-o", pathlib.Path(scratch, "kept.jsonl"), "--width",
                        "128", "--pairs", found, "--summary", summary, *flags], check=True)
        with open(found, encoding="utf-8") as lines:
            rows = map(json.loads, lines)
            similarities = {(str(row["a"]), str(row["b"])): row["similarity"] for row in rows}
        return similarities, json.loads(summary.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="+", type=pathlib.Path, metavar="DOCS")
    parser.add_argument("--nearprint", default=ROOT / "target/release/nearprint", type=pathlib.Path)
    parser.add_argument("--large", action="store_true", help="compare with --recall exact, by one recipe")
    args = parser.parse_args()
    recipes, truth_flags = (RECIPES[:1], METHODS["exact"]) if args.large else (RECIPES, TRUTH)
    methods = {name: flags for name, flags in METHODS.items() if not args.large or name.startswith("bands")}
    heads = [f"[{low}, {min(high, 1)}{')' if high < 1 else ']'}" for low, high in zip(EDGES, EDGES[1:])]
    print(f"| set | recipe | method | candidates | crowded | all | {' | '.join(heads)} |")
    print(f"|---|---|---|---:|---:|---:|{'---:|' * len(heads)}")
    for documents in args.documents:
        for recipe in recipes:
            truth, _ = pairs(args.nearprint, documents, ["--recipe", recipe, *truth_flags])
            for name, flags in methods.items():
                found, summary = pairs(args.nearprint, documents, ["--recipe", recipe, *flags])
                wrong = found.keys() - truth.keys()
                if wrong:
                    raise SystemExit(f"{name} found {len(wrong)} pairs that are none")
                shares = []
                for low, high in [(EDGES[0], EDGES[-1]), *zip(EDGES, EDGES[1:])]:
                    of_band = [pair for pair, similarity in truth.items() if low <= similarity < high]
                    right = sum(pair in found for pair in of_band)
                    shares.append(f"{right / len(of_band):.4f} of {len(of_band)}" if of_band else "none")
                name_of_set = documents.parent.name if documents.stem.startswith("docs") else documents.stem
                print(f"| {name_of_set} | {recipe} | {name} | {summary['candidates']} | {summary['crowded']} | "
                      f"{' | '.join(shares)} |", flush=True)


if __name__ == "__main__":
    main()
