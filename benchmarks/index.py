#!/usr/bin/env python3
"""The index at scale: search, joins, streams, wide and loose radii, real text, against faiss, hammingbird, all-pairs-hamming.

A row is a list of steps, each one run of one program (index_steps.py), and each answer is checked.
A step that was measured today with the same code is kept, so that a run that was interrupted goes
on where it ended; `--force` measures again. A step that fails, takes longer than `--limit` or
needs more memory than there is does not stop the others.
"""
import argparse
import datetime
import hashlib
import json
import pathlib
import subprocess
import sys

import index_charts
import index_real
import index_report
import index_run
import index_steps
import result

CODE = ["crates/index", "crates/fingerprint", "benchmarks/index"]  # what is measured
DEFAULT_ROWS = [row for row in index_steps.ROWS if row != "billion"]


def code():
    """Names the code that is measured, changes that are not committed included."""
    commit = result.output_of("git", "log", "-1", "--format=%h", "--", *CODE)
    changes = result.output_of("git", "diff", "HEAD", "--", *CODE)
    return commit + (f"+{hashlib.sha256(changes.encode()).hexdigest()[:8]}" if changes else "")


def say(text):
    print(f"{datetime.datetime.now():%H:%M:%S} {text}", file=sys.stderr, flush=True)


def prepare(codes, bench, args):
    """Make the files of a set of codes, where they are not there."""
    if codes.base and not codes.base.exists():
        index_real.write(args.nearprint, codes.base, args.source)
    if not codes.path.exists() or not codes.queries.exists():
        say(f"making {codes.n} codes of {codes.width} bits: {codes.name}")
        subprocess.run(list(map(str, codes.generate(bench))), check=True, timeout=3600)


def differs(step, done, measured):
    """What is wrong with the answer of a step, beside another's; None where they are equal."""
    if step.equal_counts:
        other = measured[step.equal_counts]["counts"]
        mine, theirs = step.counts.read_bytes(), pathlib.Path(other).read_bytes()
        least = min(len(mine), len(theirs))
        if least == 0 or mine[:least] != theirs[:least]:
            return f"the counts differ from those of {step.equal_counts}"
    if step.equal_pairs:
        mine, theirs = done["lines"][-1], measured[step.equal_pairs]["lines"][-1]
        if (mine["pairs"], mine["sum"]) != (theirs["pairs"], theirs["sum"]):
            return f"the pairs differ from those of {step.equal_pairs}"
    return None


def measure_step(step, args, measured):
    """Run a step and check it: what is kept of it."""
    free = index_run.available()
    if free is not None and free < step.memory:
        return {"status": f"skipped: needs {step.memory / 1e9:.1f} GB of memory, {free / 1e9:.1f} are free"}
    for other in (step.equal_counts, step.equal_pairs):
        if other and measured.get(other, {}).get("status") != "ok":
            return {"status": f"skipped: nothing to check it by, {other} has no result"}
    prepare(step.codes, args.bench, args)
    load = result.machine()["load_average"]
    try:
        done = {"load_average": load, **index_run.run(step.command, args.limit)}
    finally:
        if step.scratch:
            step.scratch.unlink(missing_ok=True)
    if step.counts:
        done["counts"] = str(step.counts.relative_to(result.REPOSITORY))
    if done["status"] == "ok":
        wrong = differs(step, done, measured)
        if wrong:
            done["status"] = f"WRONG: {wrong}"
    return done


def options(step):
    """What a step asks of its program, wherever that and its files are."""
    return " ".join(pathlib.Path(str(word)).name for word in step.command[1:])


def kept(step, row, now):
    """Whether the result of a step still stands."""
    same = row is not None and (row["code"], row["options"]) == (now, options(step))
    return same and row["status"] == "ok" and (step.counts is None or step.counts.exists())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary of nearprint")
    parser.add_argument("--bench", type=pathlib.Path, required=True, help="the binary of benchmarks/index")
    parser.add_argument("--peer", type=pathlib.Path, required=True, help="the binary of peers/all-pairs-hamming")
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each figure (default: 5)")
    parser.add_argument("--sizes", default="1M,10M,100M", help="of search, join and compact (default: 1M,10M,100M)")
    parser.add_argument("--rows", default=",".join(DEFAULT_ROWS), help=f"some of {','.join(index_steps.ROWS)}")
    parser.add_argument("--billion", default="1000M", choices=index_steps.SIZES, help="size of the row billion")
    parser.add_argument("--optional", action="store_true", help="slow rivals too")
    parser.add_argument("--limit", type=int, default=3600, help="seconds a step may take (default: 3600)")
    parser.add_argument("--force", action="store_true", help="measure what was measured today again")
    parser.add_argument("--page", action="store_true", help="put the tables into docs/evidence/benchmarks.md")
    parser.add_argument("--from", dest="source", help="text for the row real, where the corpus is not built yet")
    args = parser.parse_args()
    sizes, rows = args.sizes.split(","), args.rows.split(",")
    if not set(sizes) <= index_steps.SIZES.keys() or not set(rows) <= set(index_steps.ROWS):
        parser.error(f"sizes are of {','.join(index_steps.SIZES)}; rows are of {','.join(index_steps.ROWS)}")
    index_steps.DATA.mkdir(parents=True, exist_ok=True)

    today = datetime.date.today().isoformat()
    earlier = result.BENCHMARKS / "results" / f"{today}-index.json"
    measured = json.loads(earlier.read_text())["steps"] if earlier.exists() else {}
    now, failed = code(), []
    programs = index_steps.Programs(args.bench, args.peer.with_name("time_join"), args.runs)
    for step in index_steps.steps(programs, rows, sizes, args.billion, args.optional):
        if not args.force and kept(step, measured.get(step.name), now):
            say(f"{step.name}: kept")
            continue
        say(f"{step.name}: measuring")
        done = measure_step(step, args, measured)
        measured[step.name] = {"code": now, "options": options(step), **done}
        say(f"{step.name}: {done['status']}" + (f", {done['wall_s']} s" if "wall_s" in done else ""))
        if done["status"] != "ok":
            failed.append(step.name)
        bars = index_report.bars(measured)
        path = result.write("index", {"machine": result.machine(), "runs_each": args.runs, "bars": bars,
                                      "steps": measured})
        say(f"written: {path}")
    if not measured:
        sys.exit("nothing was measured")
    print(index_report.text(measured))
    index_charts.draw(measured)
    if args.page:
        index_report.write_page(measured)
    stale = [name for name, row in measured.items() if row["code"] != now]
    if stale:
        say(f"measured with other code, to be repeated: {', '.join(stale)}")
    if failed:
        sys.exit(f"no result: {', '.join(failed)}")


if __name__ == "__main__":
    main()
