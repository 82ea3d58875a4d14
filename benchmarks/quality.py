#!/usr/bin/env python3
"""Precision and recall of recipes by radius, as Markdown tables, by `nearprint evaluate`.

usage: quality.py [--recipe NAME|FILE]... [--width BITS]... [--edit] SET_DIR...

SET_DIR holds docs.jsonl or docs.jsonl.gz ({"id", "text"}) and pairs.tsv (header row; id1, id2,
label: dup, grey, neg or hardneg, j5, c5, edit, further columns). Grey pairs count neither way; a
pair that is not listed is a negative. With --edit a listed pair is a duplicate where its edit
similarity is at least 0.9, and grey from 0.7. A recipe that weighs by statistics gets those of the set. A
recipe of HTML reads the pages in the field html, of a set that has them.

The first table has for each recipe the one radius that is best for all sets given, by the mean of
their F1. A fingerprint of 256 bits holds four of 64 bits by independent hashes, or two of 128: F1 is
the mean over them, with half of the range between the least and the greatest; chance decides that
much. The tables by radius are those of the fingerprint that the recipe makes at the width.
"""
import argparse, json, pathlib, subprocess, sys, tempfile, tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
CANDIDATES = ["text", *sorted(ROOT.glob("benchmarks/quality/*.toml")), "words", "chars-5"]
SHOWN = {64: (1, 2, 3, 4, 6, 8, 10, 12), 128: (3, 6, 12, 16, 18, 20, 22, 24, 28),
         256: (6, 12, 24, 32, 36, 40, 43, 48, 56)}
WIDEST = max(SHOWN)
SAME = {"dup": True, "grey": None}

def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=pathlib.Path, metavar="SET_DIR")
    parser.add_argument("--recipe", action="append", help="default: text, words, chars-5 and all of benchmarks/quality")
    parser.add_argument("--width", action="append", type=int, choices=sorted(SHOWN))
    parser.add_argument("--edit", action="store_true", help="judge by edit similarity, in place of the labels")
    parser.add_argument("--nearprint", default=ROOT / "target/release/nearprint", type=pathlib.Path)
    return parser.parse_args()

def documents(folder):
    """The file of the documents of a set."""
    for name in ("docs.jsonl", "docs.jsonl.gz"):
        if (folder / name).exists() and (folder / "pairs.tsv").exists():
            return folder / name
    sys.exit(f"{folder}: a set is a folder with docs.jsonl or docs.jsonl.gz and pairs.tsv; docs/evidence/quality.md says where "
             "the sets come from, and samples/labelled holds parts of two of them")

def write_labels(folder, by_edit, path):
    """The pairs of a set as labels."""
    with open(folder / "pairs.tsv", encoding="utf-8") as rows, open(path, "w", encoding="utf-8") as out:
        next(rows)
        for row in rows:
            a, b, label, *more = row.rstrip("\n").split("\t")
            if by_edit and len(more) > 2 and more[2]:
                edit = float(more[2])
                label = "dup" if edit >= 0.9 else "grey" if edit >= 0.7 else "neg"
            out.write(json.dumps({"a": a, "b": b, "same": SAME.get(label, False)}) + "\n")

def evaluate(nearprint, documents, labels, *flags):
    """What `nearprint evaluate` says; pairs that are not listed are negatives."""
    command = [nearprint, "evaluate", documents, "--labels", labels, "--unlisted", "different", "--format", "json", "-q"]
    return json.loads(subprocess.run([*command, *flags], check=True, capture_output=True).stdout)["evaluations"][0]

def fingerprints(nearprint, folder, recipe, scratch):
    """The rows of a set, at the greatest width."""
    shown = subprocess.run([nearprint, "recipe", "show", recipe], check=True, capture_output=True, text=True).stdout \
        if not pathlib.Path(recipe).exists() else pathlib.Path(recipe).read_text(encoding="utf-8")
    flags = ["--recipe", recipe, "--width", str(WIDEST)]
    keys = tomllib.loads(shown)
    if keys.get("content", "text") != "text":
        flags += ["--text-field", "html"]
    if keys["weights"] in ("idf", "bm25"):
        statistics = scratch / "statistics"
        subprocess.run([nearprint, "idf", "build", documents(folder), *flags, "-q", "--force", "-o", statistics],
                       check=True)
        flags += ["--idf", statistics]
    made = subprocess.run([nearprint, "fingerprint", documents(folder), *flags, "-q"], check=True, capture_output=True)
    return [json.loads(row) for row in made.stdout.splitlines()]

def curve(nearprint, rows, width, part, labels, scratch):
    """(precision, recall, F1) for every radius from 0, by one part of the bits: the lowest are what a narrower
    recipe makes."""
    digits = width // 4
    end = WIDEST // 4 - part * digits
    source = scratch / "rows.jsonl"
    with open(source, "w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row | {"fingerprint": row["fingerprint"][end - digits:end]}) + "\n")
    points = evaluate(nearprint, source, labels, "--max-k", str(width // 4))["by_radius"]["points"]
    return [tuple(point["pairs"][name]["value"] for name in ("precision", "recall", "f1")) for point in points]

def table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + "---|" + "---:|" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print(flush=True)

def best(curves, sets, recipes, widths):
    rows = []
    for recipe in recipes:
        for width in widths:
            of = [curves[folder, recipe, width] for folder in sets]
            mean = lambda parts, k: sum(points[k][2] for points in parts) / len(parts)
            k = max(range(min(len(points) for parts in of for points in parts)),
                    key=lambda k: sum(mean(parts, k) for parts in of))
            scores = []
            for parts in of:
                f1 = [points[k][2] for points in parts]
                spread = f" ± {(max(f1) - min(f1)) / 2:.3f}" if len(f1) > 1 else ""
                scores.append(f"{mean(parts, k):.3f}{spread}")
            rows.append([pathlib.Path(recipe).stem, str(width), str(k), *scores])
    table(["recipe", "bits", "k", *(f"{folder.name} F1" for folder in sets)], rows)

def main():
    args = arguments()
    recipes, widths = [str(r) for r in args.recipe or CANDIDATES], args.width or sorted(SHOWN)
    curves = {}
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for folder in args.sets:
            documents(folder)
            labels = scratch / "labels.jsonl"
            write_labels(folder, args.edit, labels)
            for recipe in recipes:
                rows = fingerprints(args.nearprint, folder, recipe, scratch)
                for width in widths:
                    curves[folder, recipe, width] = [
                        curve(args.nearprint, rows, width, part, labels, scratch) for part in range(WIDEST // width)]
    best(curves, args.sets, recipes, widths)
    for folder in args.sets:
        for width in widths:
            print(f"{folder.name}, {width} bits, precision / recall:\n")
            at = lambda recipe, k: "{:.3f} / {:.3f}".format(*curves[folder, recipe, width][0][k][:2])
            table(["k", *(pathlib.Path(r).stem for r in recipes)],
                  [[str(k), *(at(recipe, k) for recipe in recipes)] for k in SHOWN[width]])

if __name__ == "__main__":
    sys.exit(main())
