#!/usr/bin/env python3
"""Precision and recall of recipes by radius, as Markdown tables.

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
import argparse, collections, json, pathlib, subprocess, sys, tempfile, tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
CANDIDATES = ["text", *sorted(ROOT.glob("benchmarks/quality/*.toml")), "words", "chars-5"]
SHOWN = {64: (1, 2, 3, 4, 6, 8, 10, 12), 128: (3, 6, 12, 16, 18, 20, 22, 24, 28),
         256: (6, 12, 24, 32, 36, 40, 43, 48, 56)}
WIDEST = max(SHOWN)

def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=pathlib.Path, metavar="SET_DIR")
    parser.add_argument("--recipe", action="append", help="default: text, words, chars-5 and all of benchmarks/quality")
    parser.add_argument("--width", action="append", type=int, choices=sorted(SHOWN))
    parser.add_argument("--edit", action="store_true", help="judge by edit similarity, in place of the labels")
    parser.add_argument("--nearprint", default=ROOT / "target/release/nearprint", type=pathlib.Path)
    return parser.parse_args()

def labels(folder, by_edit):
    found = {}
    with open(folder / "pairs.tsv", encoding="utf-8") as rows:
        next(rows)
        for row in rows:
            a, b, label, *more = row.rstrip("\n").split("\t")
            if by_edit and len(more) > 2 and more[2]:
                edit = float(more[2])
                label = "dup" if edit >= 0.9 else "grey" if edit >= 0.7 else "neg"
            found[min(a, b), max(a, b)] = label
    return found

def fingerprints(nearprint, folder, recipe, scratch):
    """The rows of a set, at the greatest width."""
    documents = next(p for p in (folder / "docs.jsonl", folder / "docs.jsonl.gz") if p.exists())
    shown = subprocess.run([nearprint, "recipe", "show", recipe], check=True, capture_output=True, text=True).stdout \
        if not pathlib.Path(recipe).exists() else pathlib.Path(recipe).read_text(encoding="utf-8")
    flags = ["--recipe", recipe, "--width", str(WIDEST)]
    keys = tomllib.loads(shown)
    if keys.get("content", "text") != "text":
        flags += ["--text-field", "html"]
    if keys["weights"] in ("idf", "bm25"):
        statistics = scratch / "statistics"
        subprocess.run([nearprint, "idf", "build", documents, *flags, "-q", "--force", "-o", statistics], check=True)
        flags += ["--idf", statistics]
    made = subprocess.run([nearprint, "fingerprint", documents, *flags, "-q"], check=True, capture_output=True)
    return [json.loads(row) for row in made.stdout.splitlines()]

def distances(nearprint, rows, width, part, scratch):
    """Pairs within the greatest radius, by the bits of one part: the lowest are what a narrower recipe makes."""
    digits = width // 4
    end = WIDEST // 4 - part * digits
    source, out = scratch / "rows.jsonl", scratch / "pairs.jsonl"
    with open(source, "w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row | {"fingerprint": row["fingerprint"][end - digits:end]}) + "\n")
    subprocess.run([nearprint, "pairs", source, "-k", str(width // 4), "-q", "--force", "-o", out], check=True)
    with open(out, encoding="utf-8") as file:
        for row in file:
            pair = json.loads(row)
            a, b = str(pair["a"]), str(pair["b"])
            yield (min(a, b), max(a, b)), pair["distance"]

def curve(pairs, known, width):
    """(precision, recall, F1) for every radius from 0."""
    duplicates = sum(label == "dup" for label in known.values())
    hits, misses = collections.Counter(), collections.Counter()
    for pair, distance in pairs:
        label = known.get(pair)
        if label == "dup":
            hits[distance] += 1
        elif label != "grey":
            misses[distance] += 1
    points, right, wrong = [], 0, 0
    for k in range(width // 4 + 1):
        right, wrong = right + hits[k], wrong + misses[k]
        precision, recall = right / (right + wrong) if right + wrong else 1.0, right / duplicates
        points.append((precision, recall, 2 * precision * recall / (precision + recall or 1.0)))
    return points

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
            k = max(range(width // 4 + 1), key=lambda k: sum(mean(parts, k) for parts in of))
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
            known = labels(folder, args.edit)
            for recipe in recipes:
                rows = fingerprints(args.nearprint, folder, recipe, scratch)
                for width in widths:
                    curves[folder, recipe, width] = [
                        curve(distances(args.nearprint, rows, width, part, scratch), known, width)
                        for part in range(WIDEST // width)]
    best(curves, args.sets, recipes, widths)
    for folder in args.sets:
        for width in widths:
            print(f"{folder.name}, {width} bits, precision / recall:\n")
            at = lambda recipe, k: "{:.3f} / {:.3f}".format(*curves[folder, recipe, width][0][k])
            table(["k", *(pathlib.Path(r).stem for r in recipes)],
                  [[str(k), *(at(recipe, k) for recipe in recipes)] for k in SHOWN[width]])

if __name__ == "__main__":
    sys.exit(main())
