#!/usr/bin/env python3
"""Corpora on which the pairs of a join grow with the square: `nearprint dedup` must not.

Five corpora of words, each a feature by the recipe `words`: pages that share 70 of 100 words with all others
(boilerplate), copies of one text with a word in twenty replaced (cluster), 200 texts of 75 words with 25 fields
of 40 values (templates), 40 of 5000 stock phrases of three words by Zipf's law (phrases), one text of 75 words
with 25 fields of 4 values (form). Each has 100 000 documents, then 200 000: twice the documents may take at most
2.6 times the time.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys

import measure
import result

DATA = result.BENCHMARKS / "data"
KEPT, SUMMARY = DATA / "kept-hostile.jsonl", DATA / "summary-hostile.json"
SIZES = (100_000, 200_000)
MOST_SECONDS, MOST_GROWTH = 10, 2.6


def boilerplate(chance, number):
    return [f"all{at}" for at in range(70)] + [f"own{number}x{at}" for at in range(30)]


def cluster(chance, number):
    return [f"text{at}" if chance.random() > 0.05 else f"new{number}x{at}" for at in range(200)]


def templates(chance, number):
    template = chance.randrange(200)
    fields = [f"field{at}value{chance.randrange(40)}" for at in range(25)]
    return [f"template{template}x{at}" for at in range(75)] + fields


def phrases(chance, number, weights=[1 / rank for rank in range(1, 5001)]):
    picked = chance.choices(range(5000), weights, k=40)
    return [f"phrase{phrase}x{at}" for phrase in picked for at in range(3)]


def form(chance, number):
    return [f"form{at}" for at in range(75)] + [f"field{at}value{chance.randrange(4)}" for at in range(25)]


def boilerplate_rows(count):
    """Pages of `boilerplate` as rows of JSONL, whose ids are numbers from 0."""
    for number in range(count):
        yield f'{{"id":{number},"text":"{" ".join(boilerplate(None, number))}"}}\n'


SETS = {"boilerplate": boilerplate, "cluster": cluster, "templates": templates, "phrases": phrases, "form": form}


def corpus(name, size):
    """The file of such a corpus, the same every time."""
    path = DATA / f"hostile-{name}-{size}.jsonl"
    if not path.exists():
        chance = random.Random(11)
        partial = path.with_suffix(".partial")
        with open(partial, "w", encoding="utf-8", buffering=1 << 20) as out:
            for number in range(size):
                text = " ".join(SETS[name](chance, number))
                out.write(f'{{"id":{number},"text":"{text}"}}\n')
        partial.rename(path)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--runs", type=int, default=1, help="timed runs of each size (default: 1)")
    parser.add_argument("--prepare", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.prepare:
        DATA.mkdir(exist_ok=True)
        for name in SETS:
            for size in SIZES:
                corpus(name, size)
        return
    # In a process of its own: what it holds would count as held by every child.
    subprocess.run([sys.executable, __file__, "--nearprint", args.nearprint, "--prepare"], check=True)

    before = result.machine()
    summary, rows, runs, bars = {}, [], {}, []
    for name in SETS:
        seconds = []
        for size in SIZES:
            command = [args.nearprint, "dedup", corpus(name, size), "-o", KEPT, "--force", "--quiet", "--recipe",
                       "words", "--summary", SUMMARY, "--threads", "2"]
            measured = [measure.run(command) for _ in range(args.runs)]
            told = json.loads(SUMMARY.read_text())
            wall, memory = measure.spread(measured, "wall_s"), measure.spread(measured, "peak_bytes")
            key = f"{name} {size // 1000}k"
            runs[key] = measured
            summary[key] = {"wall_s": wall, "peak_bytes": memory, "kept": told["kept"], "removed": told["removed"],
                            "candidates": told["candidates"], "crowded": told["crowded"],
                            "cut_short": told["cut_short"]}
            rows.append([key, result.span(wall, 2), f"{memory['max'] / 1e6:.0f}", str(told["kept"]),
                         str(told["candidates"]), str(told["crowded"]), str(told["cut_short"])])
            seconds.append(wall["median"])
        growth = seconds[1] / seconds[0]
        bars.append({"what": f"{name}, 100 000 documents: s", "bar": f"<= {MOST_SECONDS}", "value": seconds[0],
                     "met": seconds[0] <= MOST_SECONDS})
        bars.append({"what": f"{name}: growth for twice the documents", "bar": f"<= {MOST_GROWTH}",
                     "value": round(growth, 2), "met": growth <= MOST_GROWTH})
    path = result.write("hostile", {"machine": before, "bars": bars, "summary": summary, "runs": runs})
    print("\nhostile: dedup --recipe words, 2 threads\n")
    print(result.table(["documents", "wall s", "peak MB", "kept", "candidates", "crowded", "cut short"], rows))
    print(f"\n{result.bars_text(bars)}\nwritten: {path}")


if __name__ == "__main__":
    main()
