#!/usr/bin/env python3
"""Stages: what each stage of `nearprint dedup` takes a byte or a document, what its busiest thread takes, and a forecast.

Runs with 4, 16 and 64 threads, on whatever cores there are, and looks every few milliseconds at the processor time of each
thread (/proc, so Linux alone). Two forecasts for more cores bound what is to be expected:

- the upper one: a stage takes the time in which one thread alone used the processor between two looks, and its share of the
  rest. That is too fast where one thread does more than its share on more cores, or is alone for shorter than a look.
- the lower one: that, or the time of its busiest thread if it is greater. On a machine of few cores that is too slow: a
  thread that begins short parallel work does most of it itself before the others get a core.

They know nothing of memory bandwidth, of the kernel's own locks, or of disks; other work on the machine changes them little.

Long documents are those of the 300 MB corpus, short ones the million of scripts/bench scale (400 bytes each), in a file
system in memory where there is one.

    scripts/bench stages                  some five minutes
    scripts/bench stages --old PROGRAM    beside an older nearprint: with a twentieth more processor time, it fails
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import result
import scale

CORPUS = result.BENCHMARKS / "data" / "corpus.jsonl"
THREADS = (4, 16, 64)
LOOK = 0.005
STAGES = ("fingerprint", "join", "write")
# Of the processor time of a run so much must have been seen in its threads.
SEEN = 0.93
# A thread is alone between two looks if it used so much of the processor time of all.
ALONE = 0.95
WORSE = 1.05
# The busiest thread of long documents by the byte, of short ones by the document, with 16 threads, in nanoseconds; and forecasts.
BARS = (
    ("long", "busiest_ns", "ns a byte of the busiest threads, long documents", "<=", 0.15),
    ("short", "busiest_ns", "ns a document of the busiest threads, documents of 400 bytes", "<=", 150),
    ("long", "forecast_16", "MB/s forecast for 16 cores, long documents", ">=", 2500),
    ("short", "forecast_16", "documents a second forecast for 16 cores, in millions", ">=", 4),
)


def seconds_of(pid):
    """Processor time of each thread, by its number."""
    found = {}
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            try:
                with open(f"/proc/{pid}/task/{thread}/schedstat", "rb") as stat:
                    found[thread] = int(stat.read().split()[0]) / 1e9
            except (OSError, IndexError):  # it has ended
                continue
    except OSError:
        pass
    return found


def looked_at(command, summary, folder):
    """A run with its temporary files in a folder: the processor time of each thread in each stage, of all together, and of
    the clock."""
    began = time.perf_counter()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(folder)})
    looks = []
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        looks.append((time.perf_counter() - began, seconds_of(process.pid)))
        time.sleep(LOOK)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nended with {process.returncode}")
    took = json.loads(summary.read_text())["seconds"]
    # The stages end with the run.
    ends, end = {}, wall - took["total"]
    for stage in STAGES:
        end += took[stage]
        ends[stage] = end
    threads, alone = {stage: {} for stage in STAGES}, dict.fromkeys(STAGES, 0.0)
    before = {}
    for at, now in looks:
        stage = next((stage for stage in STAGES if at <= ends[stage]), STAGES[-1])
        used = {thread: seconds - before.get(thread, 0.0) for thread, seconds in now.items()}
        for thread, seconds in used.items():
            threads[stage][thread] = threads[stage].get(thread, 0.0) + seconds
        most = max(used.values(), default=0.0)
        if most >= ALONE * sum(used.values()):
            alone[stage] += most
        before.update(now)
    cpu = usage.ru_utime + usage.ru_stime
    seen = sum(sum(used.values()) for used in threads.values())
    if seen < SEEN * cpu:
        print(f"warning: of {cpu:.2f} s of processor time {seen:.2f} were seen in threads", file=sys.stderr)
    return {"wall_s": wall, "cpu_s": cpu, "system_s": usage.ru_stime, "seen": seen / cpu,
            "stages": {stage: {"wall_s": took[stage], "cpu_s": sum(used.values()), "busiest_s": max(used.values(), default=0.0),
                               "alone_s": alone[stage]}
                       for stage, used in threads.items()}}


def told(runs, threads):
    """The medians of some runs."""
    stages = {stage: {key: statistics.median(run["stages"][stage][key] for run in runs)
                      for key in ("wall_s", "cpu_s", "busiest_s", "alone_s")} for stage in STAGES}
    for figures in stages.values():
        figures["upper_s"] = figures["alone_s"] + (figures["cpu_s"] - figures["alone_s"]) / threads
        figures["forecast_s"] = max(figures["busiest_s"], figures["upper_s"])
    return {"threads": threads, "cpu_s": statistics.median(run["cpu_s"] for run in runs),
            "system_s": statistics.median(run["system_s"] for run in runs), "stages": stages,
            **{key: sum(figures[key] for figures in stages.values())
               for key in ("forecast_s", "upper_s", "busiest_s", "alone_s")}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--old", type=pathlib.Path, metavar="PROGRAM", help="an older one, to compare with")
    parser.add_argument("--runs", type=int, default=5, help="runs of each")
    args = parser.parse_args()
    programs = {"nearprint": args.nearprint.resolve(), **({"old": args.old.resolve()} if args.old else {})}
    memory = pathlib.Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        folder = pathlib.Path(folder)
        inputs = {"long": (CORPUS, CORPUS.stat().st_size), "short": (scale.corpus("1M"), scale.SIZES["1M"])}
        found, summary = {}, {}
        for name, (source, units) in inputs.items():
            copy = folder / "in.jsonl"
            copy.write_bytes(source.read_bytes())
            runs = {(program, threads): [] for threads in THREADS for program in programs}
            for turn in range(args.runs):
                for (program, threads), done in runs.items():
                    print(f"run {turn + 1} of {args.runs}: {name}, {program}, {threads} threads", file=sys.stderr)
                    output, summary_file = folder / "out.jsonl", folder / "s.json"
                    for old in (output, summary_file):
                        old.unlink(missing_ok=True)
                    command = [programs[program], "dedup", copy, "-o", output, "--summary", summary_file, "-q",
                               "--threads", threads]
                    done.append(looked_at(command, summary_file, folder))
            medians = {(program, threads): told(done, threads) for (program, threads), done in runs.items()}
            unit, scaled = ("MB/s", 1e6) if name == "long" else ("million documents a second", 1e6)
            ours = {threads: medians["nearprint", threads] for threads in THREADS}
            summary[name] = {
                **{f"{key}_ns": round(ours[16][f"{key}_s"] / units * 1e9, 3) for key in ("busiest", "alone", "cpu")},
                **{f"{key}_{threads}": round(units / scaled / ours[threads][f"{key}_s"], 2)
                   for threads in THREADS for key in ("forecast", "upper")}}
            if args.old:
                summary[name]["of_old"] = round(ours[4]["cpu_s"] / medians["old", 4]["cpu_s"], 3)
            header = ["stage", "processor ns", "busiest thread ns", "one thread alone ns",
                      *(f"forecast {threads} cores, ms" for threads in THREADS)]
            between = [[f"{ours[threads]['stages'][stage]['forecast_s'] * 1e3:.0f} to {ours[threads]['stages'][stage]['upper_s'] * 1e3:.0f}"
                        for threads in THREADS] for stage in STAGES]
            rows = [[stage, *(f"{ours[16]['stages'][stage][key] / units * 1e9:.3f}" for key in ("cpu_s", "busiest_s", "alone_s")),
                     *forecasts] for stage, forecasts in zip(STAGES, between)]
            print(f"{name} documents, ns for each {'byte' if name == 'long' else 'document'} with 16 threads; forecasts in {unit}: "
                  + ", ".join(f"{threads} cores {summary[name][f'forecast_{threads}']} to {summary[name][f'upper_{threads}']}"
                              for threads in THREADS))
            print(result.table(header, rows))
            found[name] = [{"program": program, "threads": threads, **median} for (program, threads), median in medians.items()]
    bars = result.judged(BARS, summary)
    print(result.bars_text(bars))
    print("written:", result.write("stages", {"machine": result.machine(), "medians": found, "summary": summary, "bars": bars}))
    worse = [name for name, figures in summary.items() if figures.get("of_old", 0) > WORSE]
    if worse:
        sys.exit(f"slower than the old one: {', '.join(worse)}")


if __name__ == "__main__":
    main()
