#!/usr/bin/env python3
"""The rules of version 1 of the recipes beside the newest, and tokens with places beside fingerprints, by language.

One process makes texts of each language (benchmarks/fingerprint/src/languages.rs) and does one thing and the other in turn,
16 documents at a time. The least time of each turn counts, so that what other programs do at one moment counts little.
"""
import argparse
import json
import pathlib
import subprocess

import measure
import result

RECIPES = ["text", "words"]
# Turns are repeated so often for each run that is asked for.
TIMES = 20
# Seconds of the newest rules by those of version 1, at most. Where signs of typography stand in every tenth word, or
# joiners, the newest rules rewrite or look up what version 1 takes as it stands.
MOST = {"ascii": 1.01, "english, typographic": 1.2, "french, typographic": 1.2, "persian, joiners": 1.2}
OTHERS = 1.03
# MB/s of tokens with places, at least.
LEAST = {"ascii": 300}


def measured(bench, what, times):
    """The lines that the program prints: recipe, texts, bytes and the seconds of each contender."""
    command = [bench, what, str(times), *RECIPES]
    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=measure.TIMEOUT, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=pathlib.Path, required=True, help="the binary of benchmarks/fingerprint")
    parser.add_argument("--runs", type=int, default=5, help=f"{TIMES} repetitions of each turn for each (default: 5)")
    args = parser.parse_args()
    before, times = result.machine(), TIMES * args.runs
    lines = {what: measured(args.bench, f"--{what}", times) for what in ("versions", "places")}
    table, bars = [], []
    for what, found in lines.items():
        for line in found:
            megabytes, (first, second) = line["bytes"] / 1e6, line["seconds"].items()
            name, ratio = f"{line['recipe']}, {line['texts']}", second[1] / first[1]
            table.append([f"{what}, {name}", *(f"{megabytes / seconds:.0f}" for _, seconds in (first, second)),
                          f"{ratio:.3f}"])
            if what == "versions":
                most = MOST.get(line["texts"], OTHERS)
                bars.append({"what": f"{name}: seconds by those of version 1", "bar": f"<= {most}",
                             "value": round(ratio, 3), "met": ratio <= most})
            elif line["texts"] in LEAST:
                least, rate = LEAST[line["texts"]], megabytes / second[1]
                bars.append({"what": f"{name}: MB/s of tokens with places", "bar": f">= {least}",
                             "value": round(rate), "met": rate >= least})
    path = result.write("versions", {"machine": before, "times": times, "bars": bars, "lines": lines})
    print(f"\nversions: MB/s, least of {times} times; version 1 and newest rules, fingerprints and places\n")
    print(result.table(["what, recipe, texts", "first", "second", "seconds, second by first"], table))
    print(f"\n{result.bars_text(bars)}\nwritten: {path}")


if __name__ == "__main__":
    main()
