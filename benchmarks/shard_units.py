#!/usr/bin/env python3
"""Measure each unit of a job in shards: every unit as a process of its own, as many at a time as there are workers.

`simulate.py` fits costs to these figures. Run as a program it prints what the files of a job hold, as JSON; in a
process of its own, because what it holds would count as held by every child of the measuring one.
"""
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import measure

STAGES = ["sketch", "join", "cluster", "gather", "solve", "write"]


def run_all(commands, at_once):
    """Runs commands, so many at once: of each its wall and CPU seconds and its peak bytes."""
    figures, running, coming = [None] * len(commands), {}, enumerate(commands)
    while True:
        for at, command in itertools.islice(coming, at_once - len(running)):
            start = time.perf_counter()
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            running[process.pid] = at, start, process
        if not running:
            return figures
        pid, status, usage = os.wait3(0)
        at, start, process = running.pop(pid)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{' '.join(map(str, commands[at]))}\nended with {process.returncode}")
        figures[at] = {"wall_s": round(time.perf_counter() - start, 3),
                       "cpu_s": round(usage.ru_utime + usage.ru_stime, 3),
                       "peak_bytes": usage.ru_maxrss * measure.RSS_UNIT}


def of_job(nearprint, work, out, folder, workers, stages=tuple(STAGES), options=()):
    """Figures of all units of a new job in shards over a folder."""
    shutil.rmtree(work, ignore_errors=True)
    shutil.rmtree(out, ignore_errors=True)
    shard = [nearprint, "shard"]
    run_all([[*shard, "create", *options, work, folder, "-o", f"{out}/", "--threads", "1"]], 1)
    units = {}
    for stage in stages:
        # Units are known once the stages before are done: those of a task of one unit each.
        count = counted(nearprint, work)[stage]
        tasks = [[]] if stage == "cluster" else [["--task", f"{unit}/{count}"] for unit in range(1, count + 1)]
        figures = run_all([[*shard, stage, work, *task] for task in tasks], workers)
        files = sorted((work / stage).glob("*.parquet"))
        if len(files) != count:
            sys.exit(f"{work / stage} has {len(files)} files, and the stage has {count} units")
        units[stage] = {name: [figure[name] for figure in figures] for name in ("wall_s", "cpu_s", "peak_bytes")}
        units[stage]["bytes"] = [file.stat().st_size for file in files]
    start = run_all([[*shard, "status", work]], 1)[0]["cpu_s"]
    return described(work, out, folder) | {"start_s": start, "stages": units}


def described(work, out, folder):
    """A job over a folder, at least up to `cluster`: its input, its plan, and what its files hold."""
    said = subprocess.run([sys.executable, __file__, work], check=True, capture_output=True, text=True)
    return {"file_bytes": [path.stat().st_size for path in sorted(folder.iterdir())],
            "out_bytes": sum(path.stat().st_size for path in out.iterdir()) if out.exists() else None,
            **json.loads(said.stdout)}


def counted(nearprint, work):
    """The units of each stage, as the command says."""
    said = subprocess.run([nearprint, "shard", "status", work], check=True, capture_output=True, text=True).stdout
    return {line.split()[0]: int(line.split()[3]) for line in said.splitlines() if " of " in line}


def held(work):
    """What the files of a job hold: documents and members by file and shard, components, bytes a value of columns."""
    import numpy
    import pyarrow.parquet as parquet

    plan = json.loads((work / "plan.json").read_text())
    told = {"bands": int(plan["job"]["candidates"].split()[0]), "ranges": plan["ranges"],
            "together": plan["together"], "shards": plan["shards"]}
    files = {stage: [parquet.ParquetFile(path) for path in sorted((work / stage).glob("*.parquet"))]
             for stage in STAGES}
    heads = [json.loads(file.metadata.metadata[b"nearprint"]) for file in files["sketch"]]
    documents = [head["counts"]["documents"] for head in heads]
    told |= {"units": {stage: len(of_stage) for stage, of_stage in files.items()}, "file_documents": documents,
             "groups": {}, "column_bytes": {}, "group_bytes": {}}
    for stage in STAGES[:-1]:
        sums, rows = {}, sum(file.metadata.num_rows for file in files[stage])
        groups = told["groups"][stage] = sum(file.metadata.num_row_groups for file in files[stage])
        for file in files[stage]:
            for group in map(file.metadata.row_group, range(file.metadata.num_row_groups)):
                for column in map(group.column, range(group.num_columns)):
                    sums[column.path_in_schema] = sums.get(column.path_in_schema, 0) + column.total_compressed_size
        told["column_bytes"][stage] = {name: round(total / rows, 3) for name, total in sums.items() if rows}
        size = sum(path.stat().st_size for path in (work / stage).glob("*.parquet"))
        told["group_bytes"][stage] = round((size - sum(sums.values())) / max(groups, 1))
    members = files["cluster"][0].read()
    numbers, shards = members["number"].to_numpy(), members["shard"].to_numpy()
    ends = numpy.cumsum(documents)
    told["file_members"] = numpy.bincount(numpy.searchsorted(ends, numbers, side="right"),
                                          minlength=len(documents)).tolist()
    told["shard_members"] = numpy.bincount(shards, minlength=plan["shards"]).tolist()
    links = [file.read(["a", "b"]) for file in files["join"]]
    a, b = (numpy.concatenate([table[name].to_numpy() for table in links]) for name in ("a", "b"))
    sizes, counts = numpy.unique(component_sizes(numpy, int(ends[-1]), a, b), return_counts=True)
    told["components"] = {str(size): int(count) for size, count in zip(sizes, counts) if size > 1}
    if sum(int(size) * count for size, count in told["components"].items()) != len(numbers):
        sys.exit(f"{work}: the links join other documents than those in components")
    return told


def component_sizes(numpy, count, a, b):
    """The sizes of the connected components of so many documents and these links."""
    roots = numpy.arange(count)
    while True:
        # Each root goes below the least root that a link shows it; then every document to its root.
        least = numpy.minimum(roots[a], roots[b])
        before = roots.copy()
        numpy.minimum.at(roots, before[a], least)
        numpy.minimum.at(roots, before[b], least)
        while True:
            further = roots[roots]
            if numpy.array_equal(further, roots):
                break
            roots = further
        if numpy.array_equal(before, roots):
            return numpy.bincount(roots)


if __name__ == "__main__":
    print(json.dumps(held(pathlib.Path(sys.argv[1]))))
