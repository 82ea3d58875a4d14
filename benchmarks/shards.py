#!/usr/bin/env python3
"""Short documents through `nearprint shard` by two workers of one thread, beside `nearprint dedup` on two threads.

The documents are those of the benchmark `scale`, in files of 250 000. Each stage is done by two processes at once, a
task each, and ends when both have ended; `cluster` is one. Both ways must write the same bytes. A worker's memory is
the greatest of all its processes. `--boilerplate` does the same for a million and four million pages of 100 words that
have 70 in common with all others, as in the benchmark `hostile`.
"""
import argparse
import hashlib
import itertools
import math
import pathlib
import shutil
import subprocess
import sys
import time

import hostile
import measure
import result
import scale
import shard_units

DATA = result.BENCHMARKS / "data"
WORK, BY_DEDUP, BY_SHARDS = DATA / "shards-work", DATA / "shards-dedup", DATA / "shards-out"
SIZES = {"100k": 100_000, "1M": 1_000_000, "4M": 4_000_000, "10M": 10_000_000}
BOILERPLATE = {f"boilerplate-{size}": SIZES[size] for size in ("1M", "4M")}
FILE, SMALL_FILE, FILES = 250_000, 1_000, 4  # documents of a file, of a small one; files at least
WORKERS = 2
RANGES, SHARDS = 16, 128  # of the jobs that have more of them
OF_UNITS = 4_000_000  # documents of a job of which each unit is measured, at most


def corpus(size, file=None):
    """The folder of so many documents, of so many a file; of the pages of manuals for the size `pages`."""
    if size == "pages":
        with open(scale.CORPUS, encoding="utf-8") as rows:
            count = sum(1 for _ in rows)
            rows.seek(0)
            return parts("pages", rows, 1 + count // FILES)
    if size in BOILERPLATE:
        return parts(size, hostile.boilerplate_rows(BOILERPLATE[size]), FILE)
    count = SIZES[size]
    return parts(f"short-{size}", scale.documents(count), file or min(FILE, count // FILES))


def parts(name, rows, file):
    """The folder of a name and size of file, made of rows unless it is there."""
    folder = DATA / f"{name}-by-{file}"
    if folder.exists():
        return folder
    partial = folder.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for number, first in enumerate(rows):
        with open(partial / f"{number:03}.jsonl", "w", encoding="utf-8", buffering=1 << 20) as out:
            out.write(first)
            out.writelines(itertools.islice(rows, file - 1))
    partial.rename(folder)
    return folder


def by_shards(nearprint, folder):
    """The figures of a whole job in shards, and those of each stage."""
    shutil.rmtree(WORK, ignore_errors=True)
    shutil.rmtree(BY_SHARDS, ignore_errors=True)
    create = [nearprint, "shard", "create", WORK, folder, "-o", f"{BY_SHARDS}/", "--threads", "1"]
    total = {"wall_s": 0.0, "cpu_s": 0.0, "peak_bytes": 0, "stages": {}}
    for name in ["create", *shard_units.STAGES]:
        commands = {"create": [create], "cluster": [[nearprint, "shard", "cluster", WORK]]}.get(
            name, [[nearprint, "shard", name, WORK, "--task", f"{task}/{WORKERS}"] for task in range(1, WORKERS + 1)])
        start = time.perf_counter()
        figures = shard_units.run_all(commands, WORKERS)
        stage = {"wall_s": round(time.perf_counter() - start, 3),
                 "cpu_s": round(sum(figure["cpu_s"] for figure in figures), 3),
                 "peak_bytes": max(figure["peak_bytes"] for figure in figures),
                 "bytes": sum(path.stat().st_size for path in (WORK / name).glob("*.parquet"))}
        total["wall_s"] += stage["wall_s"]
        total["cpu_s"] += stage["cpu_s"]
        total["peak_bytes"] = max(total["peak_bytes"], stage["peak_bytes"])
        total["stages"][name] = stage
    total["work_bytes"] = sum(stage["bytes"] for stage in total["stages"].values())
    return total


def by_units(nearprint, sizes):
    """The figures of each unit, by job."""
    least = min(sizes, key=SIZES.get)
    jobs = {size: (corpus(size), {}) for size in sizes if SIZES[size] <= OF_UNITS}
    jobs["small files"] = corpus("100k", SMALL_FILE), {}
    jobs["shards"] = corpus("100k", SMALL_FILE), {"options": ("--shards", str(SHARDS))}
    jobs["pages"] = corpus("pages"), {}
    jobs["ranges"] = corpus(least), {"stages": shard_units.STAGES[:3], "options": ("--ranges", str(RANGES))}
    return {name: shard_units.of_job(nearprint, WORK, BY_SHARDS, folder, WORKERS, **how)
            for name, (folder, how) in jobs.items()}


def both_ways(nearprint, size, runs):
    """The figures of all runs by `dedup` and in shards, and the median of each by name."""
    folder = corpus(size)
    # From memory where it fits: a folder of its size decides otherwise how much of the time is the disk's.
    subprocess.run(f"cat {folder}/* > /dev/null", shell=True, check=True)
    dedup = [nearprint, "dedup", folder, "-o", f"{BY_DEDUP}/", "--force", "--quiet", "--threads", "2"]
    whole = [measure.run(dedup) for _ in range(runs)]
    by_dedup = digests(BY_DEDUP)
    shutil.rmtree(BY_DEDUP)
    measured = {"dedup": whole, "shards": [by_shards(nearprint, folder) for _ in range(runs)]}
    if digests(BY_SHARDS) != by_dedup:
        sys.exit(f"{size}: dedup and shards write different files")
    return measured, {name: {key: measure.spread(figures, key)["median"] for key in ("wall_s", "cpu_s", "peak_bytes")}
                      for name, figures in measured.items()}


def digests(folder):
    """A digest of each file of a folder."""
    found = {}
    for path in folder.iterdir():
        with open(path, "rb") as file:
            found[path.name] = hashlib.file_digest(file, "blake2b").hexdigest()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--runs", type=int, default=1, help="runs of each size (default: 1)")
    parser.add_argument("--sizes", default="1M,4M", help=f"of {', '.join(SIZES)} (default: 1M,4M)")
    parser.add_argument("--boilerplate", action="store_true", help="pages that share most of their words too")
    parser.add_argument("--prepare", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    sizes = args.sizes.split(",")
    if not any(SIZES.get(size, math.inf) <= OF_UNITS for size in sizes) or not SIZES.keys() >= set(sizes):
        parser.error(f"--sizes: name some of {', '.join(SIZES)}, with one of {OF_UNITS} documents at most")
    if args.prepare:
        for size in [*sizes, *(BOILERPLATE if args.boilerplate else ())]:
            corpus(size)
        corpus("100k", SMALL_FILE)
        corpus("pages")
        return
    subprocess.run([sys.executable, result.BENCHMARKS / "corpus.py"], check=True)
    # In a process of its own: what it holds would count as held by every child.
    again = [sys.executable, __file__, "--nearprint", args.nearprint, "--sizes", args.sizes, "--prepare"]
    again += ["--boilerplate"] * args.boilerplate
    subprocess.run(again, check=True)
    before, measured, rows, bars = result.machine(), {}, [], []
    medians, boilerplate = {}, {}
    for size in [*sizes, *(BOILERPLATE if args.boilerplate else ())]:
        of_size, figures = both_ways(args.nearprint, size, args.runs)
        medians[size] = figures
        (measured if size in SIZES else boilerplate)[size] = of_size
        for name, figure in figures.items():
            rows.append([f"{size}, {name}", f"{figure['wall_s']:.1f}", f"{figure['cpu_s']:.1f}",
                         f"{figure['peak_bytes'] / 1e6:.0f}"])
        if size in BOILERPLATE:
            continue
        of_whole, of_parts = figures["dedup"], figures["shards"]
        bars += [(f"{size}: time beside dedup", 1.5, of_parts["wall_s"] / of_whole["wall_s"]),
                 (f"{size}: CPU beside dedup", 1.3, of_parts["cpu_s"] / of_whole["cpu_s"]),
                 (f"{size}: memory of a worker, GB", 1, of_parts["peak_bytes"] / 1e9)]
        measured[size]["job"] = shard_units.described(WORK, BY_SHARDS, corpus(size))
        measured[size]["bytes_a_document"] = of_size["shards"][-1]["work_bytes"] / SIZES[size]
    for small, large in (("1M", "4M"), BOILERPLATE):
        if {small, large} <= medians.keys():
            taken = [medians[size]["shards"]["wall_s"] for size in (large, small)]
            bars.append((f"{large}: times the time of {small}", 4.5, taken[0] / taken[1]))
    bars = [{"what": what, "bar": f"<= {bar}", "value": round(value, 3), "met": value <= bar}
            for what, bar, value in bars]
    units = by_units(args.nearprint, sizes)
    print(result.table(["job", "s", "CPU s", "MB"], rows))
    for size in sizes:
        stages = measured[size]["shards"][-1]["stages"].items()
        print(f"{size}: {measured[size]['bytes_a_document']:.0f} bytes a document between stages; "
              + ", ".join(f"{name} {stage['wall_s']:.2f} s" for name, stage in stages))
    print(result.bars_text(bars))
    print("written:", result.write("shards", {"machine": before, "measured": measured, "boilerplate": boilerplate,
                                              "units": units, "bars": bars}))


if __name__ == "__main__":
    main()
