#!/usr/bin/env python3
"""The durable store at ten million documents: bulk load, opening, checks, adds from 32 threads, disk.

Each job is one run of benchmarks/store, which checks its answers. The rate of raw syncs of this disk
is measured before and after: what is durable goes by it. `--soak SECONDS` measures a mixed load instead:
the memory that it holds, every ten seconds. `--similarity` measures a store that answers by similarity: checks,
bytes, which pairs it finds and what its estimate calls wrongly.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

import measure
import result

DATA = result.BENCHMARKS / "data" / "store"
SYNCS = 500
OPENINGS = 5
JOBS = ["load", "open", "settle", "check", "mixed", "add", "verify"]
# An arena of glibc a core, as `nearprint` has it.
ENVIRONMENT = {**os.environ, "MALLOC_ARENA_MAX": str(len(os.sched_getaffinity(0)))}
# What a store is given by default, in bytes.
MEMORY = 512 << 20
# What is measured, under which name of a job's line, and its bar.
BARS = [
    ("load", "per_second", "bulk load, documents/s", ">=", 150_000),
    ("open", "open_seconds", "opening after a kill, s, the median", "<=", 1),
    ("settle", "bytes_beyond_ids", "bytes a document on disk beyond its id", "<=", 60),
    ("check", "p50", "check on one thread, p50 in us", "<=", 20),
    ("check", "p99", "check on one thread, p99 in us", "<=", 200),
    ("mixed", "checks_per_second", "checks/s on two threads while documents are added", ">=", 100_000),
    ("add", "per_second", "check and add on 32 threads, durable, /s", ">=", 20_000),
]
# Memory of the process without mapped files, which the system takes back when it is short.
SOAK_BARS = [
    ("soak", "most_of_memory", "mixed load: most memory, of what the store is given", "<=", 1),
    ("soak", "late_to_early", "mixed load: most memory of the second half to that of the first", "<=", 1.05),
]


# By similarity; the ids and all else of the database are apart.
ALIKE_JOBS = ["alike-load", "settle", "alike-check", "alike-pairs", "verify"]
ALIKE_BARS = [
    ("alike-check", "p50", "check by similarity on one thread, p50 in us", "<=", 60),
    ("alike-check", "p99", "check by similarity on one thread, p99 in us", "<=", 400),
    ("settle", "bytes_in_segments", "bytes a document of what is searched, on disk and mapped", "<=", 180),
    ("alike-pairs", "recall", "pairs at similarity 0.8 to 0.9 that are found before the estimate", ">=", 0.999),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=pathlib.Path, required=True, help="the program that measures")
    parser.add_argument("--documents", type=int, default=10_000_000, help="documents to store (default: 10000000)")
    parser.add_argument("--seconds", type=int, default=10, help="seconds of each timed load (default: 10)")
    parser.add_argument("--soak", type=int, default=0, metavar="SECONDS", help="measure a mixed load of so long instead")
    parser.add_argument("--similarity", action="store_true", help="measure a store by similarity instead")
    args = parser.parse_args()
    jobs, asked_bars = JOBS, BARS
    if args.similarity:
        jobs, asked_bars = ALIKE_JOBS, ALIKE_BARS
    elif args.soak:
        jobs, asked_bars = ["load", "soak"], SOAK_BARS
    before = result.machine()
    shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir(parents=True)
    store, busy, used_before = DATA / "store", measure.busy_seconds(), measure.children_seconds()

    def job(name, folder=store, number=args.documents, seconds=args.seconds):
        print(name, file=sys.stderr)
        done = subprocess.run([args.bench, name, folder, str(number), str(seconds)], check=True,
                              capture_output=True, text=True, env=ENVIRONMENT)
        return json.loads(done.stdout)

    def opened():
        """Opens copies of the store as the kill left it, then itself: an opening mends what the next would."""
        copy, runs = DATA / "copy", []
        for _ in range(OPENINGS - 1):
            shutil.copytree(store, copy)
            os.sync()
            runs.append(job("open", folder=copy))
            shutil.rmtree(copy)
        runs.append(job("open"))
        runs.sort(key=lambda run: run["open_seconds"])
        seconds = [run["open_seconds"] for run in runs]
        return {**runs[len(runs) // 2], "every_open_seconds": seconds}

    summary = {"sync": job("sync", DATA, SYNCS)}
    for name in jobs:
        summary[name] = opened() if name == "open" else job(name, seconds=args.soak or args.seconds)
    if "soak" in summary:
        own = summary["soak"]["own_bytes"]
        half = len(own) // 2
        summary["soak"]["most_of_memory"] = max(own) / MEMORY
        summary["soak"]["late_to_early"] = max(own[half:]) / max(own[:half])
    summary["sync_after"] = job("sync", DATA, SYNCS)
    share = measure.share_of_others(busy, measure.children_seconds() - used_before)
    bars = result.judged(asked_bars, summary)
    kind = "store-similarity" if args.similarity else "store-soak" if args.soak else "store"
    path = result.write(kind, {"machine": before, "documents": args.documents, "bars": bars,
                                  "others_share": share, "summary": summary})
    what = "128 bits and 18 bands of 5 rows" if args.similarity else "64 bits, k = 3"
    print(f"\nstore: {args.documents} documents of {what}, ids of 16 random characters\n")
    rows = [[name, json.dumps(figures)] for name, figures in summary.items()]
    print(result.table(["job", "figures"], rows))
    print(f"\n{result.bars_text(bars)}\n{result.noise(share)}\nwritten: {path}")
    shutil.rmtree(DATA)


if __name__ == "__main__":
    main()
