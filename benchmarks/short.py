#!/usr/bin/env python3
"""Are pairs at exactly the similarity found as often as is stated, however short the documents are?

For each similarity S of 0.5, 0.7, 0.8 and 0.9, all pairs of lengths from 1 to 50 features are made whose Jaccard
similarity is exactly S: two sets of a and b features that share c, with c / (a + b - c) = S. Each is checked by its
sets before it is written. No two pairs have anything in common. Recipes: `text` (runs of three words, as a set),
`words` with set weights, `words` as it is (each word counts by the logarithm of how often it occurs) and with counts;
in the latter two each text repeats each of its words some times, the two of a pair not alike.

Vectors of 2 to 50 dimensions at a cosine of exactly S come beside them, by the recipe `vectors`: equal weights,
normal ones, ones of which a few are heavy, and ones of which the heaviest has about half of all.

`pairs` must list, and `dedup` must remove one document of, at least as many of these pairs as the closing line
states: the share of the summary, `recall_at_similarity`. For each recipe, similarity, width and range of lengths the
table has the share found with its 95 % interval (Wilson). A statement is false where an interval is below what is
stated that covers with such a probability that one in twenty whole runs has one by chance (Bonferroni).

    scripts/bench short                       20,000 pairs for each similarity and recipe, some ten minutes
    scripts/bench short --pairs 2000
"""
import argparse
import json
import math
import pathlib
import random
import statistics
import subprocess
import tempfile

import result

SIMILARITIES, WIDTHS, LONGEST = (0.5, 0.7, 0.8, 0.9), (64, 128, 256), 50
RANGES = ((1, 5), (6, 10), (11, 20), (21, 50))
RECIPES = ("text", "words, set", "words", "words, count", "vectors")
TEXT_RUN = 3  # words of a feature of `text`


def sizes(similarity):
    """All sizes of two sets, and what they share, at exactly this Jaccard similarity."""
    tenths = round(10 * similarity)
    return [(a, b, c) for b in range(1, LONGEST + 1) for a in range(1, b + 1) for c in range(1, a + 1)
            if 10 * c == tenths * (a + b - c)]


def words_of(chance, count):
    return ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=12)) for _ in range(count)]


def pair_of_texts(chance, recipe, size):
    """Two texts of these sizes, checked by their features."""
    a, b, c = size
    if recipe == "text":
        shared = words_of(chance, c + TEXT_RUN - 1)
        texts = [shared + words_of(chance, own) for own in (a - c, b - c)]
        sets = [set(zip(*(text[at:] for at in range(TEXT_RUN)))) for text in texts]
    else:
        shared = words_of(chance, c)
        texts = [shared + words_of(chance, own) for own in (a - c, b - c)]
        sets = [set(text) for text in texts]
        if recipe != "words, set":
            # The one repeats some words often, the other some others.
            texts = [[word for word in text for _ in range(chance.choice((1, 1, 2, 9, 40)))] for text in texts]
        for text in texts:
            chance.shuffle(text)
    assert [len(one) for one in sets] == [a, b] and len(sets[0] & sets[1]) == c
    return [{"text": " ".join(text)} for text in texts]


def weights_of(chance, dimensions):
    """The weights of a vector, of one of four kinds."""
    kind = chance.randrange(4)
    if kind == 0:
        return [chance.choice((-1.0, 1.0)) for _ in range(dimensions)]
    weights = [chance.gauss(0, 1) for _ in range(dimensions)]
    if kind == 2:
        weights = [weight * math.exp(chance.gauss(0, 2)) for weight in weights]
    if kind == 3:
        # About half of all, a little more or less.
        weights[0] = sum(abs(weight) for weight in weights[1:]) * chance.uniform(0.9, 1.1)
    return weights


def pair_of_vectors(chance, dimensions, cosine):
    """Two vectors at this cosine: the other is turned by the angle in a random direction."""
    dot = lambda one, other: math.fsum(x * y for x, y in zip(one, other))
    unit = lambda one: [x / math.sqrt(dot(one, one)) for x in one]
    while True:
        one, other = unit(weights_of(chance, dimensions)), weights_of(chance, dimensions)
        along = dot(one, other)
        across = [y - along * x for x, y in zip(one, other)]
        if dot(across, across) > 1e-6:
            break
    across = unit(across)
    # A little above, so that no rounding puts it below.
    sine, cosine = math.sqrt(1 - (cosine + 1e-9) ** 2), cosine + 1e-9
    other = [cosine * x + sine * y for x, y in zip(one, across)]
    assert abs(dot(unit(one), unit(other)) - cosine) < 1e-10
    names = words_of(chance, dimensions)
    return [{"features": dict(zip(names, vector))} for vector in (one, other)]


def write_pairs(path, recipe, similarity, count, seed):
    """Writes pairs of all lengths in turn; returns the length of the longer document of each."""
    chance, lengths, rows = random.Random(f"{seed} {recipe} {similarity}"), [], []
    all_sizes = sizes(similarity)
    # Each length as often as any other.
    by_length = {}
    for size in all_sizes:
        by_length.setdefault(size[1], []).append(size)
    possible = sorted(by_length) if recipe != "vectors" else list(range(2, LONGEST + 1))
    for number in range(count):
        length = possible[number % len(possible)]
        if recipe == "vectors":
            pair = pair_of_vectors(chance, length, similarity)
        else:
            pair = pair_of_texts(chance, recipe, chance.choice(by_length[length]))
        lengths.append(length)
        rows.extend({"id": f"{number}{end}", **row} for end, row in zip("ab", pair))
    chance.shuffle(rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return lengths


def recipe_flags(nearprint, recipe, folder):
    if recipe in ("text", "words", "vectors"):
        return ["--recipe", recipe]
    name, weights = recipe.split(", ")
    shown = subprocess.run([nearprint, "recipe", "show", name], check=True, capture_output=True, text=True).stdout
    assert 'weights = "log"' in shown
    path = pathlib.Path(folder, f"{name}-{weights}.toml")
    path.write_text(shown.replace('weights = "log"', f'weights = "{weights}"'))
    return ["--recipe", path]


def number_of(identifier):
    return int(identifier[:-1])


def ask(nearprint, documents, flags, folder):
    """The pairs that `pairs` lists and those that `dedup` takes one of, and the share that is stated."""
    listed, removed, summary = (pathlib.Path(folder, name) for name in ("pairs", "removed", "summary"))
    subprocess.run([nearprint, "pairs", documents, "-o", listed, "--force", "-q", *flags], check=True)
    subprocess.run([nearprint, "dedup", documents, "-o", pathlib.Path(folder, "kept.jsonl"), "--force", "-q",
                    "--removed", removed, "--summary", summary, *flags], check=True)
    found = {}
    for verb, path, ends in (("pairs", listed, ("a", "b")), ("dedup", removed, ("id", "kept"))):
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        ids = [[row[end] for end in ends] for row in rows]
        wrong = [pair for pair in ids if number_of(pair[0]) != number_of(pair[1])]
        if wrong:
            raise SystemExit(f"{verb}: {wrong[0]} have nothing in common")
        found[verb] = {number_of(pair[0]) for pair in ids}
    return found, json.loads(summary.read_text())["method"]["recall_at_similarity"]


def wilson(found, of, z):
    share = found / of
    centre, spread = share + z * z / (2 * of), z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return (centre - spread) / (1 + z * z / of), min(1.0, (centre + spread) / (1 + z * z / of))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--runs", type=int, default=1, help="of no use here: an answer is the same each time")
    parser.add_argument("--pairs", type=int, default=20_000, help="pairs for each similarity and recipe")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dry", action="store_true", help="write no file of results")
    args = parser.parse_args()
    nearprint = args.nearprint.resolve()
    before, cells = result.machine(), []
    for recipe in RECIPES:
        for similarity in SIMILARITIES:
            with tempfile.TemporaryDirectory() as folder:
                documents = pathlib.Path(folder, "in.jsonl")
                lengths = write_pairs(documents, recipe, similarity, args.pairs, args.seed)
                flags = [*recipe_flags(nearprint, recipe, folder), "--similarity", str(similarity)]
                for width in WIDTHS:
                    if recipe == "vectors" and width < 256 and similarity < 0.7:
                        continue  # Fewer bits do not tell so low a cosine, and are refused.
                    found, stated = ask(nearprint, documents, [*flags, "--width", str(width)], folder)
                    for verb, numbers in found.items():
                        for low, high in RANGES:
                            of = [number for number, length in enumerate(lengths) if low <= length <= high]
                            if of:
                                cells.append({"recipe": recipe, "similarity": similarity, "width": width, "verb": verb,
                                              "lengths": [low, high], "pairs": len(of),
                                              "found": sum(number in numbers for number in of), "stated": stated})
                print(f"done: {recipe}, {similarity}", flush=True)
    strict = statistics.NormalDist().inv_cdf(1 - 0.05 / len(cells))
    for cell in cells:
        cell["recall"] = round(cell["found"] / cell["pairs"], 5)
        cell["interval"] = [round(end, 5) for end in wilson(cell["found"], cell["pairs"], 1.96)]
        cell["below"] = cell["interval"][1] < cell["stated"]
        cell["false"] = wilson(cell["found"], cell["pairs"], strict)[1] < cell["stated"]
    rows = [[f"{cell['recipe']}, {cell['similarity']}", str(cell["width"]), cell["verb"],
             "{}-{}".format(*cell["lengths"]), str(cell["pairs"]), f"{cell['recall']:.4f}",
             "{:.4f}-{:.4f}".format(*cell["interval"]), f"{cell['stated']:.4f}",
             "FALSE" if cell["false"] else "below" if cell["below"] else ""] for cell in cells]
    print("\nshort: pairs found at exactly the similarity\n")
    print(result.table(["recipe and similarity", "bits", "verb", "features", "pairs", "found", "95 %", "stated", ""],
                       rows))
    false, below = (sum(cell[key] for cell in cells) for key in ("false", "below"))
    bars = [{"what": "short: cells where fewer are found than stated, by an interval for all cells together",
             "bar": "<= 0", "value": false, "met": false == 0},
            {"what": f"short: of {len(cells)} cells those whose own 95 % interval is below; by chance up to 2.5 %",
             "bar": f"<= {math.ceil(0.05 * len(cells))}", "value": below, "met": below <= math.ceil(0.05 * len(cells))}]
    print(f"\n{result.bars_text(bars)}")
    if not args.dry:
        print(f"written: {result.write('short', {'machine': before, 'bars': bars, 'pairs': args.pairs, 'cells': cells})}")
    if false:
        raise SystemExit("short: fewer pairs are found than is stated")


if __name__ == "__main__":
    main()
