#!/usr/bin/env python3
"""JSONL in, survivors out: `nearprint dedup` against rensa, on 300 MB of text.

The whole process is timed: start, read, fingerprint, search, write. MB are 10^6 bytes of the input
file. rensa compares sets of single words by MinHash, on one thread; nearprint's default recipe
makes word 3-shingles and is the harder work, its recipe `words` is of rensa's class.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import measure
import result

DATA = result.BENCHMARKS / "data"
CORPUS, KEPT, SUMMARY = DATA / "corpus.jsonl", DATA / "kept.jsonl", DATA / "summary.json"
RENSA = "rensa 0.5.0, words"
BAR_RUN = "nearprint, 2 threads"
BAR_SPEED, BAR_MEMORY = 50, 500  # MB/s at least, MB at most


def contenders(nearprint):
    """The commands by name."""
    def command(threads, *options):
        return [nearprint, "dedup", CORPUS, "-o", KEPT, "--force", "--quiet",
                "--summary", SUMMARY, "--threads", str(threads), "--width", "64", "-k", "3", *options]
    return {
        "nearprint, 1 thread": command(1),
        BAR_RUN: command(2),
        "nearprint, words, 1 thread": command(1, "--recipe", "words"),
        "nearprint, words, 2 threads": command(2, "--recipe", "words"),
        RENSA: [sys.executable, result.BENCHMARKS / "peers" / "rensa_dedup.py", CORPUS, KEPT],
    }


def survivors(name, documents):
    """The number of lines kept by the last run, which must be lines of the input in its order."""
    kept = 0
    with open(CORPUS, "rb") as rows, open(KEPT, "rb") as lines:
        for line in lines:
            if line not in rows:  # reads on until the line is found
                sys.exit(f"{name}: line {kept + 1} of the output is not the input's, or out of order")
            kept += 1
    if name != RENSA:
        summary = json.loads(SUMMARY.read_text())
        if (summary["documents"], summary["kept"], summary["removed"]) != (documents, kept, documents - kept):
            sys.exit(f"{name}: {documents} documents in, {kept} lines out, but the summary says {summary}")
    return kept


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each program (default: 5)")
    args = parser.parse_args()
    subprocess.run([sys.executable, result.BENCHMARKS / "corpus.py"], check=True)
    corpus = json.loads((DATA / "corpus.json").read_text())
    megabytes = corpus["bytes"] / 1e6

    before = result.machine()
    kept = {}

    def check(name):
        kept[name] = survivors(name, corpus["documents"])

    measured = measure.interleaved(contenders(args.nearprint), args.runs, check)
    summary, rows = {}, []
    rensa = measure.spread(measured[RENSA], "wall_s")["median"]
    for name, runs in measured.items():
        wall, cpu = measure.spread(runs, "wall_s"), measure.spread(runs, "cpu_s")
        memory = measure.spread(runs, "peak_bytes")
        summary[name] = {
            "wall_s": wall, "cpu_s": cpu, "peak_bytes": memory, "kept": kept[name],
            "mb_per_s": round(megabytes / wall["median"], 1),
            "times_rensa": round(rensa / wall["median"], 2),
        }
        rows.append([name, result.span(wall, 2), f"{summary[name]['mb_per_s']:.1f}", f"{cpu['median']:.2f}",
                     f"{memory['max'] / 1e6:.0f}", f"{summary[name]['times_rensa']:.2f}", str(kept[name])])

    speed = summary[BAR_RUN]["mb_per_s"]
    memory = round(summary[BAR_RUN]["peak_bytes"]["max"] / 1e6, 1)
    bars = [
        {"what": f"{BAR_RUN}, MB/s", "bar": f">= {BAR_SPEED}", "value": speed, "met": speed >= BAR_SPEED},
        {"what": f"{BAR_RUN}, peak MB", "bar": f"< {BAR_MEMORY}", "value": memory, "met": memory < BAR_MEMORY},
    ]
    share = measure.others_share(measured)
    path = result.write("dedup", {
        "machine": before, "others_cpu_share": share, "input": corpus, "runs_each": args.runs,
        "bars": bars, "summary": summary, "runs": measured,
    })
    print(f"\ndedup: {corpus['documents']} documents, {megabytes:.1f} MB; median (min-max) of {args.runs} runs\n")
    print(result.table(["program", "wall s", "MB/s", "CPU s", "peak MB", "x rensa", "kept"], rows))
    print(f"\n{result.bars_text(bars)}\n{result.noise(share)}\nwritten: {path}")


if __name__ == "__main__":
    main()
