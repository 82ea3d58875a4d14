#!/usr/bin/env python3
"""Is what `nearprint tune` predicts what then happens? On labelled sets and generated corpora, over ten seeds.

Of each corpus all pairs of similarity 0.3 and more are found (`pairs --recall exact`). Then each setting that `tune`
tells of is run (`pairs` for recall and precision, `dedup` for the share that goes) and compared with what `tune`
predicted from a sample: 2,000 documents of a labelled set, 10,000 of a generated corpus.

    scripts/bench tune                                   generated corpora alone
    NEARPRINT_LABELLED=DIR scripts/bench tune            and DIR/{licences,debguide,biblio}/docs.jsonl.gz
    scripts/bench tune --speed --large                   and the time on 300 MB, and on 10M documents

The suggested threshold is that of simulated answers, to which the script of the page is put (needs Node.js).
"""
import argparse
import collections
import gzip
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import time

import result

SETS = ("licences", "debguide", "biblio")
POINTS, SEEDS_OF_TEN = 0.02, 0.9
LEAST = 0.3
FIGURES = ("recall", "precision", "goes")
MISTAKES, ANSWERS, FAR = 0.05, 60, 0.02
SPEED, LARGE = 30, 120  # seconds


def generated(path, kind, documents):
    """A corpus with known edits: groups whose members share a text of which some words were replaced."""
    chance = random.Random(kind)
    vocabulary = [f"{kind}{number}" for number in range(60_000)]
    boilerplate = chance.choices(vocabulary, k=30)
    with open(path, "w", encoding="utf-8") as out:
        number = 0
        while number < documents:
            length = 200 if kind == "articles" else 50
            text = chance.choices(vocabulary, k=length)
            members = 1 if chance.random() < 0.6 else min(40, 2 + int(chance.expovariate(0.6)))
            for _ in range(members):
                edited = list(text)
                for _ in range(int(length * chance.random() ** 2 * 0.15)):
                    edited[chance.randrange(length)] = chance.choice(vocabulary)
                words = edited if kind == "articles" else boilerplate + edited
                out.write(json.dumps({"id": f"d{number}", "text": " ".join(words)}) + "\n")
                number += 1


def pairs_of(nearprint, corpus, flags, threads):
    command = [nearprint, "pairs", corpus, *flags, "-q", "--threads", str(threads)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [json.loads(row) for row in done.stdout.splitlines()]


class Truth:
    """All pairs of a corpus: documents of equal content stand for each other."""

    def __init__(self, rows):
        times = collections.Counter(row[side] for row in rows for side in ("a", "b"))
        # A document of the content of an earlier one is in a pair with that alone.
        self.first = {row["b"]: row["a"] for row in rows
                      if row["similarity"] == 1 and row["distance"] == 0 and times[row["b"]] == 1}
        self.members = collections.defaultdict(list)
        for document, first in self.first.items():
            self.members[first].append(document)
        self.similarity = self.spread(rows)

    def spread(self, rows):
        """The similarity of each pair, with the pairs of those of equal content."""
        found = {}

        def group(document):
            first = self.first.get(document, document)
            return [first, *self.members.get(first, ())]

        for row in rows:
            a, b = group(row["a"]), group(row["b"])
            if a[0] == b[0]:
                for one in a:
                    for other in a:
                        if one < other:
                            found[one, other] = 1.0
                continue
            for one in a:
                for other in b:
                    found[min(one, other), max(one, other)] = row.get("similarity")
        return found


def measured(nearprint, corpus, truth, prediction, threads, folder):
    """Recall and precision of a setting, and the share that goes."""
    flags, least = prediction["flags"].split(), prediction["similarity"]
    found = truth.spread(pairs_of(nearprint, corpus, flags, threads))
    alike = {pair for pair, similarity in truth.similarity.items() if similarity >= least}
    right = len(alike & found.keys())
    summary = folder / "summary.json"
    command = [nearprint, "dedup", corpus, "-o", folder / "kept.jsonl", "--force", "--summary", summary, *flags, "-q"]
    subprocess.run([*command, "--threads", str(threads)], check=True)
    run = json.loads(summary.read_text())
    return {"recall": right / max(1, len(alike)) if alike else 1.0,
            "precision": right / len(found) if found else 1.0,
            "goes": run["removed"] / run["documents"]}


def tuned(nearprint, corpus, documents, seed, threads):
    command = [nearprint, "tune", corpus, "--documents", str(documents), "--seed", str(seed), "--format", "json", "-q"]
    start = time.monotonic()
    done = subprocess.run([*command, "--threads", str(threads)], check=True, capture_output=True, text=True)
    return json.loads(done.stdout), time.monotonic() - start


def compare(nearprint, corpus, documents, seeds, threads, folder):
    """For each setting the greatest gap between prediction and measurement in each seed."""
    truth = Truth(pairs_of(nearprint, corpus, ["--similarity", str(LEAST), "--recall", "exact"], threads))
    found, known = [], {}
    for seed in range(1, seeds + 1):
        tuning, seconds = tuned(nearprint, corpus, documents, seed, threads)
        for at, prediction in enumerate(tuning["predictions"]):
            flags = prediction["flags"]
            is_recommended = at == tuning["recommended"]
            if not is_recommended and "--similarity" in flags and "exact" not in flags:
                continue
            if flags not in known:
                known[flags] = measured(nearprint, corpus, truth, prediction, threads, folder)
            row = {"seed": seed, "flags": flags, "recommended": is_recommended, "looked_at": tuning["looked_at"]}
            for figure, value in known[flags].items():
                told = prediction[figure]
                row[figure] = {"measured": value, "predicted": told["value"], "low": told["low"], "high": told["high"]}
            found.append({**row, "seconds": seconds})
    return found


def gap(row, figure):
    return abs(row[figure]["predicted"] - row[figure]["measured"])


def summed(rows):
    """What all seeds together say of each setting of a corpus."""
    kept = []
    for flags in dict.fromkeys(row["flags"] for row in rows):
        ours = [row for row in rows if row["flags"] == flags]
        inside = {figure: sum(row[figure]["low"] - 1e-3 <= row[figure]["measured"] <= row[figure]["high"] + 1e-3
                              for row in ours) for figure in FIGURES}
        kept.append({"flags": flags, "recommended": any(row["recommended"] for row in ours), "seeds": len(ours),
                     "within": sum(max(gap(row, "recall"), gap(row, "precision")) <= POINTS for row in ours),
                     "measured": {figure: round(ours[0][figure]["measured"], 5) for figure in FIGURES},
                     "greatest_gap": {figure: round(max(gap(row, figure) for row in ours), 5) for figure in FIGURES},
                     "in_interval": inside, "seconds": round(max(row["seconds"] for row in ours), 1)})
    return kept


def said(name, rows):
    """A line for each setting of a corpus."""
    return [[f"{name} {'*' if one['recommended'] else ' '} {one['flags']}", f"{one['within']} of {one['seeds']}",
             *(f"{100 * one['measured'][figure]:.1f}" for figure in FIGURES),
             *(f"{100 * one['greatest_gap'][figure]:.2f}" for figure in FIGURES),
             "/".join(str(one["in_interval"][figure]) for figure in FIGURES)] for one in summed(rows)]


def thresholds():
    """How far suggested thresholds are from those of exact answers; none without Node.js."""
    node = shutil.which("node")
    if node is None:
        return []
    script = result.BENCHMARKS / "tune_answers.mjs"
    done = subprocess.run([node, script, "10", str(ANSWERS), str(MISTAKES)], check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    return [{**one, "isotonic": isotonic(one.pop("answers"))} for one in found]


def isotonic(answers):
    """The threshold by isotonic regression of scikit-learn; none where that is not installed."""
    try:
        from sklearn.isotonic import IsotonicRegression
    except ImportError:
        return None
    answers.sort(key=lambda one: one["similarity"])
    similarities = [one["similarity"] for one in answers]
    curve = IsotonicRegression(y_min=0, y_max=1).fit_transform(similarities, [float(one["same"]) for one in answers])
    above = next((at for at, chance in enumerate(curve) if chance >= 0.5), len(curve))
    if above in (0, len(curve)):
        return similarities[min(above, len(curve) - 1)]
    return (similarities[above - 1] + similarities[above]) / 2


def words(path, documents, length):
    """Many documents, quickly: runs of words of one text, a tenth of them again with a word more."""
    chance = random.Random(5)
    text = [f"w{chance.randrange(200_000)}" for _ in range(2_000_000)]
    with open(path, "w", encoding="utf-8") as out:
        for number in range(documents):
            at = chance.randrange(len(text) - length)
            row = " ".join(text[at:at + length])
            out.write(f'{{"id":{number},"text":"{row}"}}\n')
            if number % 10 == 0:
                out.write(f'{{"id":"{number}b","text":"{row} more"}}\n')


def timed(nearprint, path, seconds):
    tuning, took = tuned(nearprint, path, 2000, 1, 2)
    return {"bytes": path.stat().st_size, "documents": tuning["documents"], "seconds": round(took, 1), "bar": seconds,
            "visible": tuning["visible"], "read": tuning["read"]}


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("--nearprint", type=pathlib.Path, required=True)
    arguments.add_argument("--runs", type=int, help=argparse.SUPPRESS)
    arguments.add_argument("--sets", type=pathlib.Path, default=os.environ.get("NEARPRINT_LABELLED"),
                           help="folder of labelled sets [default: NEARPRINT_LABELLED]")
    arguments.add_argument("--seeds", type=int, default=10)
    arguments.add_argument("--documents", type=int, default=20_000, help="documents of a generated corpus")
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--speed", action="store_true", help="also the time on 300 MB")
    arguments.add_argument("--large", action="store_true", help="also the time on 10M documents (3 GB)")
    arguments = arguments.parse_args()
    nearprint, seeds = arguments.nearprint.resolve(), arguments.seeds
    rows, lines, bars, missing, speed = {}, [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        corpora = []
        for name in SETS:
            packed = pathlib.Path(arguments.sets or folder) / name / "docs.jsonl.gz"
            if not packed.exists():
                missing.append(name)
                continue
            (folder / f"{name}.jsonl").write_bytes(gzip.decompress(packed.read_bytes()))
            corpora.append((name, 2000))
        for kind in ("articles", "templates"):
            generated(folder / f"{kind}.jsonl", kind, arguments.documents)
            corpora.append((kind, 10_000))
        for name, documents in corpora:
            rows[name] = compare(nearprint, folder / f"{name}.jsonl", documents, seeds, arguments.threads, folder)
            lines += said(name, rows[name])
            ours = [row for row in rows[name] if row["recommended"]]
            within = sum(max(gap(row, "recall"), gap(row, "precision")) <= POINTS for row in ours)
            bars.append({"what": f"{name}: seeds whose recall and precision are within 2 points",
                         "bar": f"{SEEDS_OF_TEN:.0%}", "value": f"{within} of {len(ours)}",
                         "met": within >= SEEDS_OF_TEN * len(ours)})
        for asked, count, length, most in ((arguments.speed, 900_000, 40, SPEED), (arguments.large, 10_000_000, 35, LARGE)):
            if asked:
                path = folder / "large.jsonl"
                words(path, count, length)
                speed.append(timed(nearprint, path, most))
                bars.append({"what": f"seconds on {speed[-1]['documents']:,} documents", "bar": f"at most {most}",
                             "value": speed[-1]["seconds"], "met": speed[-1]["seconds"] <= most})
    answers = thresholds()
    if answers:
        far = [abs(one["value"] - one["exact"]) for one in answers]
        within = sum(one <= FAR for one in far)
        bars.append({"what": f"thresholds within {FAR} of exact answers', {ANSWERS} answers, {MISTAKES:.0%} mistakes",
                     "bar": f"{SEEDS_OF_TEN:.0%}", "value": f"{within} of {len(far)}, the farthest {max(far):.3f}",
                     "met": within >= SEEDS_OF_TEN * len(far)})
        if answers[0]["isotonic"] is not None:
            other = [abs(one["isotonic"] - one["exact"]) for one in answers]
            print(f"By isotonic regression (scikit-learn) of the same answers {sum(one <= FAR for one in other)} of "
                  f"{len(other)} thresholds are within {FAR}, the farthest {max(other):.3f}.\n")
    header = ["setting (* recommended)", "within 2", "recall %", "precision %", "goes %", "gap", "gap", "gap", "in interval"]
    print(result.table(header, lines))
    print("\nGaps are the greatest of all seeds, in points: of recall, of precision, of what goes.")
    for name in missing:
        print(f"not run: {name} (no {name}/docs.jsonl.gz in --sets or NEARPRINT_LABELLED)")
    print(result.bars_text(bars))
    kept = {"machine": result.machine(), "seeds": seeds, "threads": arguments.threads,
            "corpora": {name: summed(ours) for name, ours in rows.items()}, "speed": speed,
            "thresholds": [[one["value"], one["exact"], one["isotonic"]] for one in answers], "not_run": missing,
            "bars": bars}
    print(f"\nwritten: {result.write('tune', kept)}")


if __name__ == "__main__":
    main()
