#!/usr/bin/env python3
"""Similarity by weights: what the check of a cosine takes beside that of Jaccard, and vectors at known angles.

On the 300 MB corpus `nearprint dedup` looks for pairs at 0.8 in three ways, each with both checks. By the recipe
`text` all features weigh the same, and each measure is found as it is by default. By `words` features weigh by how
often they occur: there both checks get the same candidates, those within 26 of 128 bits, and each measure is found as
it is by default. A check of a cosine may take at most 1.5 times the time of Jaccard.

Of 60 pairs of vectors at each of 10, 20, 30 and 45 degrees `dedup --recipe vectors --similarity 0.9` must remove
exactly those whose cosine is at least 0.9, which a plain double loop over the file tells.
"""
import argparse
import json
import math
import pathlib
import random
import subprocess
import sys

import measure
import result

DATA = result.BENCHMARKS / "data"
CORPUS, KEPT, SUMMARY = DATA / "corpus.jsonl", DATA / "kept-weighted.jsonl", DATA / "summary-weighted.json"
VECTORS, REMOVED = DATA / "vectors.jsonl", DATA / "removed-vectors.jsonl"
ANGLES, PAIRS, DIMENSIONS = (10, 20, 30, 45), 60, 300
MOST = 1.5
WAYS = {
    "text, as by default": [],
    "words, k = 26": ["--recipe", "words", "-k", "26", "--width", "128"],
    "words, as by default": ["--recipe", "words"],
}
CHECKS = ("jaccard=0.8", "cosine=0.8")


def command(nearprint, way, check):
    return [nearprint, "dedup", CORPUS, "-o", KEPT, "--force", "--quiet", "--summary", SUMMARY, "--threads", "2",
            *WAYS[way], "--verify", check]


def unit(vector):
    length = math.sqrt(sum(x * x for x in vector))
    return [x / length for x in vector]


def vectors():
    """Pairs at the angles, one behind the other, of normal random directions."""
    chance = random.Random(25)
    for degrees in ANGLES:
        for _ in range(PAIRS):
            first, other = (unit([chance.gauss(0, 1) for _ in range(DIMENSIONS)]) for _ in range(2))
            along = sum(x * y for x, y in zip(first, other))
            across = unit([y - along * x for x, y in zip(first, other)])
            sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
            yield first
            yield [cosine * x + sine * y for x, y in zip(first, across)]


def check_vectors(nearprint):
    """How many of the pairs of each angle were removed, and whether these are those of the double loop."""
    rows = list(vectors())
    with open(VECTORS, "w", encoding="utf-8") as out:
        for number, row in enumerate(rows):
            features = {f"d{at}": weight for at, weight in enumerate(row)}
            out.write(json.dumps({"id": number, "features": features}) + "\n")
    subprocess.run([nearprint, "dedup", VECTORS, "-o", KEPT, "--force", "--quiet", "--recipe", "vectors",
                    "--similarity", "0.9", "--removed", REMOVED], check=True)
    # What is removed, with what it is removed for.
    removed = {frozenset((row["id"], row["kept"])) for row in map(json.loads, REMOVED.read_text().splitlines())}
    expected = set()
    lengths = [math.sqrt(sum(x * x for x in row)) for row in rows]
    for a, first in enumerate(rows):
        for b in range(a + 1, len(rows)):
            dot = sum(x * y for x, y in zip(first, rows[b]))
            if dot / (lengths[a] * lengths[b]) >= 0.9:
                expected.add(frozenset((a, b)))
    of_angle = {degrees: sum(frozenset((first, first + 1)) in removed for first in
                             range(2 * PAIRS * at, 2 * PAIRS * (at + 1), 2)) for at, degrees in enumerate(ANGLES)}
    return of_angle, removed == expected


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--runs", type=int, default=3, help="timed runs of each (default: 3)")
    args = parser.parse_args()
    DATA.mkdir(exist_ok=True)
    subprocess.run([sys.executable, result.BENCHMARKS / "corpus.py"], check=True)
    before = result.machine()
    of_angle, are_exact = check_vectors(args.nearprint)
    print("\nvectors: pairs of 60 removed at similarity 0.9, by their angle")
    print(result.table(["degrees", "cosine", "removed"],
                       [[str(degrees), f"{math.cos(math.radians(degrees)):.3f}", str(count)]
                        for degrees, count in of_angle.items()]))
    bars = [{"what": "vectors: exactly those at a cosine of 0.9 or more are removed", "bar": "yes",
             "value": "yes" if are_exact else "no", "met": are_exact}]
    summary, rows = {"vectors": of_angle}, []

    contenders = {f"{way}: {check}": command(args.nearprint, way, check) for way in WAYS for check in CHECKS}
    told = {}

    def keep_summary(name):
        told[name] = json.loads(SUMMARY.read_text())

    measured = measure.interleaved(contenders, args.runs, keep_summary)
    for way in WAYS:
        walls = []
        for check in CHECKS:
            name = f"{way}: {check}"
            wall, memory = (measure.spread(measured[name], key) for key in ("wall_s", "peak_bytes"))
            figures = {key: told[name][key] for key in ("kept", "removed", "candidates", "compared", "crowded", "k")}
            summary[name] = {"wall_s": wall, "peak_bytes": memory, "method": told[name]["method"], **figures}
            rows.append([name, result.span(wall, 2), f"{memory['max'] / 1e6:.0f}",
                         *(str(figures[key]) for key in ("k", "candidates", "compared", "removed"))])
            walls.append(wall["median"])
        times = walls[1] / walls[0]
        bars.append({"what": f"{way}: cosine, times Jaccard", "bar": f"<= {MOST}", "value": round(times, 2),
                     "met": times <= MOST})
    share = measure.others_share(measured)
    path = result.write("weighted", {"machine": before, "bars": bars, "summary": summary, "runs": measured,
                                     "others_share": share})
    print("\nweighted: dedup of the 300 MB corpus at 0.8, 2 threads\n")
    print(result.table(["recipe and check", "wall s", "peak MB", "k", "candidates", "compared", "removed"], rows))
    print(f"\n{result.bars_text(bars)}\n{result.noise(share)}\nwritten: {path}")
    if not are_exact:
        sys.exit("vectors: others were removed than those at a cosine of 0.9 or more")


if __name__ == "__main__":
    main()
