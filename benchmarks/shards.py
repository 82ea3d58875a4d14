#!/usr/bin/env python3
"""Short documents through `nearprint shard` by two workers of one thread, beside `nearprint dedup` on two threads.

The documents are those of the benchmark `scale`, in files of 250 000. Each stage is done by two processes at once, a
task each, and ends when both have ended; `cluster` is one. Both ways must write the same bytes. A worker's memory is
the greatest of all its processes.
"""
import argparse
import filecmp
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import time

import measure
import result
import scale

DATA = result.BENCHMARKS / "data"
WORK, BY_DEDUP, BY_SHARDS = DATA / "shards-work", DATA / "shards-dedup", DATA / "shards-out"
SIZES = {"1M": 1_000_000, "4M": 4_000_000, "10M": 10_000_000}
FILE = 250_000
WORKERS = 2
STAGES = ["sketch", "join", "cluster", "gather", "solve", "write"]


def corpus(size):
    """The folder of so many documents."""
    folder = DATA / f"short-{size}"
    if folder.exists():
        return folder
    partial = folder.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    rows = scale.documents(SIZES[size])
    for number in range(SIZES[size] // FILE):
        with open(partial / f"{number:03}.jsonl", "w", encoding="utf-8", buffering=1 << 20) as out:
            out.writelines(itertools.islice(rows, FILE))
    partial.rename(folder)
    return folder


def together(commands):
    """Runs commands at once: wall seconds, CPU seconds of all, peak bytes of one."""
    start, started = time.perf_counter(), {}
    for command in commands:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        started[process.pid] = command
    cpu, peak = 0.0, 0
    while started:
        pid, status, usage = os.wait3(0)
        command = started.pop(pid)
        if status:
            sys.exit(f"{' '.join(map(str, command))}\nended with {os.waitstatus_to_exitcode(status)}")
        cpu, peak = cpu + usage.ru_utime + usage.ru_stime, max(peak, usage.ru_maxrss * measure.RSS_UNIT)
    return time.perf_counter() - start, cpu, peak


def by_shards(nearprint, folder):
    """The figures of a whole job in shards, and the seconds of each stage."""
    shutil.rmtree(WORK, ignore_errors=True)
    shutil.rmtree(BY_SHARDS, ignore_errors=True)
    create = [nearprint, "shard", "create", WORK, folder, "-o", f"{BY_SHARDS}/", "--threads", "1"]
    total = {"wall_s": 0.0, "cpu_s": 0.0, "peak_bytes": 0, "stages": {}}
    for name in ["create", *STAGES]:
        commands = {"create": [create], "cluster": [[nearprint, "shard", "cluster", WORK]]}.get(
            name, [[nearprint, "shard", name, WORK, "--task", f"{task}/{WORKERS}"] for task in range(1, WORKERS + 1)])
        wall, cpu, peak = together(commands)
        total["wall_s"] += wall
        total["cpu_s"] += cpu
        total["peak_bytes"] = max(total["peak_bytes"], peak)
        total["stages"][name] = round(wall, 2)
    total["work_bytes"] = sum(path.stat().st_size for path in WORK.rglob("*.parquet"))
    return total


def same(one, other):
    """Whether two folders have the same files."""
    names = sorted(path.name for path in one.iterdir())
    if names != sorted(path.name for path in other.iterdir()):
        return False
    return not any(map(len, filecmp.cmpfiles(one, other, names, shallow=False)[1:]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--runs", type=int, default=1, help="runs of each size (default: 1)")
    parser.add_argument("--sizes", default="1M,4M", help="of 1M, 4M, 10M (default: 1M,4M)")
    parser.add_argument("--prepare", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    sizes = args.sizes.split(",")
    if args.prepare:
        for size in sizes:
            corpus(size)
        return
    subprocess.run([sys.executable, result.BENCHMARKS / "corpus.py"], check=True)
    # In a process of its own: what it holds would count as held by every child.
    again = [sys.executable, __file__, "--nearprint", args.nearprint, "--sizes", args.sizes, "--prepare"]
    subprocess.run(again, check=True)
    before, measured, rows, bars = result.machine(), {}, [], []
    for size in sizes:
        folder = corpus(size)
        # From memory where it fits: a folder of its size decides otherwise how much of the time is the disk's.
        subprocess.run(f"cat {folder}/* > /dev/null", shell=True, check=True)
        dedup = [args.nearprint, "dedup", folder, "-o", f"{BY_DEDUP}/", "--force", "--quiet", "--threads", "2"]
        whole = [measure.run(dedup) for _ in range(args.runs)]
        parts = [by_shards(args.nearprint, folder) for _ in range(args.runs)]
        if not same(BY_DEDUP, BY_SHARDS):
            sys.exit(f"{size}: dedup and shards write different files")
        measured[size] = {"dedup": whole, "shards": parts}
        figures = {name: {key: measure.spread(runs, key)["median"] for key in ("wall_s", "cpu_s", "peak_bytes")}
                   for name, runs in measured[size].items()}
        for name, figure in figures.items():
            rows.append([f"{size}, {name}", f"{figure['wall_s']:.1f}", f"{figure['cpu_s']:.1f}",
                         f"{figure['peak_bytes'] / 1e6:.0f}"])
        of_whole, of_parts = figures["dedup"], figures["shards"]
        bars += [(f"{size}: time beside dedup", 1.5, of_parts["wall_s"] / of_whole["wall_s"]),
                 (f"{size}: CPU beside dedup", 1.3, of_parts["cpu_s"] / of_whole["cpu_s"]),
                 (f"{size}: memory of a worker, GB", 1, of_parts["peak_bytes"] / 1e9)]
        measured[size]["bytes_a_document"] = parts[-1]["work_bytes"] / SIZES[size]
    if {"1M", "4M"} <= measured.keys():
        taken = {size: measure.spread(measured[size]["shards"], "wall_s")["median"] for size in ("1M", "4M")}
        bars.append(("4M documents: times the time of 1M", 4.5, taken["4M"] / taken["1M"]))
    bars = [{"what": what, "bar": f"<= {bar}", "value": round(value, 3), "met": value <= bar}
            for what, bar, value in bars]
    print(result.table(["job", "s", "CPU s", "MB"], rows))
    for size in sizes:
        print(f"{size}: {measured[size]['bytes_a_document']:.0f} bytes a document between stages; "
              f"{measured[size]['shards'][-1]['stages']}")
    print(result.bars_text(bars))
    print("written:", result.write("shards", {"machine": before, "measured": measured, "bars": bars}))


if __name__ == "__main__":
    main()
