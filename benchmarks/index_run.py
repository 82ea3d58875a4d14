"""Run one step of the index benchmark: a program that prints lines of JSON, within a time limit."""
import json
import os
import signal
import subprocess
import tempfile
import threading
import time

import measure

MEMINFO = "/proc/meminfo"


def available():
    """Bytes of memory that programs can still take, or None where the system does not say."""
    try:
        with open(MEMINFO, encoding="ascii") as info:
            return next(int(line.split()[1]) * 1024 for line in info if line.startswith("MemAvailable"))
    except OSError:
        return None


def run(command, limit):
    """Run a command to its end, or to `limit` seconds: its lines, how it ended, and what it used."""
    busy, start = measure.busy_seconds(), time.perf_counter()
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=out,
                                   start_new_session=True)
        overdue = threading.Timer(limit, os.killpg, (process.pid, signal.SIGKILL))
        overdue.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except KeyboardInterrupt:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        finally:
            overdue.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        lines = [json.loads(line) for line in out if line.startswith("{")]
    wall, cpu = time.perf_counter() - start, usage.ru_utime + usage.ru_stime
    share = None
    if busy is not None:
        others = max(0.0, measure.busy_seconds() - busy - cpu)
        share = round(others / (wall * os.cpu_count()), 4)
    ended = "ok" if process.returncode == 0 else f"ended with {process.returncode}"
    if process.returncode == -signal.SIGKILL:
        ended = f"killed after {wall:.0f} s: over the limit of {limit} s, or out of memory"
    return {"status": ended, "wall_s": round(wall, 2), "cpu_s": round(cpu, 2),
            "peak_bytes": usage.ru_maxrss * measure.RSS_UNIT, "others_cpu_share": share, "lines": lines}
