"""Run whole programs and measure what the system says they used.

Only the standard library is imported, and nothing large is held: on Linux the peak memory of a
child is never reported below what its parent had resident when it started it.
"""
import json
import os
import statistics
import subprocess
import sys
import threading
import time

TIMEOUT = 900  # seconds a run may take
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
RSS_UNIT = 1 if sys.platform == "darwin" else 1024


def busy_seconds():
    """CPU seconds this machine has spent on anything, or None where it does not say."""
    try:
        with open("/proc/stat", encoding="ascii") as stat:
            user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, stat.readline().split()[1:9])
    except OSError:
        return None
    return (user + nice + system + irq + softirq + steal) / CLOCK_TICKS


def share_of_others(busy, own):
    """The share of the CPU time since `busy` that other programs used, where ours used `own` seconds; None if unknown."""
    if busy is None:
        return None
    used = busy_seconds() - busy
    return max(0.0, used - own) / max(used, 1e-9)


def children_seconds():
    """CPU seconds of the children that have ended."""
    used = os.times()
    return used.children_user + used.children_system


def run(command):
    """Run a command to its end: wall and CPU seconds, peak resident bytes, CPU used by others.

    Ends the benchmark where the command fails.
    """
    busy = busy_seconds()
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    overdue = threading.Timer(TIMEOUT, process.kill)
    overdue.start()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    overdue.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nended with {process.returncode} after {wall:.1f} s")
    cpu = usage.ru_utime + usage.ru_stime
    others = None if busy is None else max(0.0, busy_seconds() - busy - cpu)
    return {"wall_s": round(wall, 4), "cpu_s": round(cpu, 4), "peak_bytes": usage.ru_maxrss * RSS_UNIT,
            "others_cpu_s": None if others is None else round(others, 2)}


def run_apart(command):
    """The same of a command that a process of its own starts: no peak is told below what that one holds, and it holds little."""
    script = "import json, sys, measure; print(json.dumps(measure.run(sys.argv[1:])))"
    done = subprocess.run([sys.executable, "-c", script, *map(str, command)], cwd=os.path.dirname(os.path.abspath(__file__)),
                          check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def interleaved(contenders, runs, check=None):
    """Measure {name: command} `runs` times each, in turn, after one run of each that is not counted.

    In turn, so that a machine that slows down does so for everyone. `check(name)` is called after
    the run that is not counted, while its outputs are there.
    """
    measured = {name: [] for name in contenders}
    for turn in range(runs + 1):
        for name, command in contenders.items():
            what = "warm-up" if turn == 0 else f"run {turn} of {runs}"
            print(f"{what}: {name}", file=sys.stderr)
            figures = run(command)
            if turn > 0:
                measured[name].append(figures)
            elif check:
                check(name)
    return measured


def spread(figures, key):
    """Median, least and greatest of one figure over the runs."""
    values = [figure[key] for figure in figures]
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def others_share(measured):
    """Share of the machine's CPU time that other programs took while these ran, or None."""
    figures = [figure for runs in measured.values() for figure in runs]
    if any(figure["others_cpu_s"] is None for figure in figures):
        return None
    total = sum(figure["wall_s"] for figure in figures) * os.cpu_count()
    return round(sum(figure["others_cpu_s"] for figure in figures) / total, 4)
