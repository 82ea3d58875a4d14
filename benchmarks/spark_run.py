"""Run a program of PySpark on two executors of one core within a time limit, and tell what its event log says.

Seconds are those from the moment when both executors were there to the end of the last job or query: the start of
the session counts for no program. Bytes shuffled are those that all tasks wrote for others to fetch. Memory is the
greatest sum of what the processes of the program had resident, the driver and the executors with it; pages that some
of them share count for each. CPU seconds and memory are of samples, taken every fifth of a second.
"""
import json
import os
import shutil
import signal
import subprocess
import time

import result

DATA = result.BENCHMARKS / "data"
SCRATCH = DATA / "spark-scratch"
LOG = SCRATCH / "program.log"
EXECUTORS, MEGABYTES = 2, 4096
MASTER = f"local-cluster[{EXECUTORS},1,{MEGABYTES}]"
CLOCK_TICKS, PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
SAMPLE = 0.2  # seconds
WANTED = tuple(f'{{"Event":"{name}"' for name in (
    "SparkListenerExecutorAdded", "SparkListenerJobEnd", "SparkListenerTaskEnd",
    "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd"))


def used(session):
    """CPU seconds and resident bytes of each process of a session that runs now, by number and start."""
    found = {}
    for folder in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{folder}/stat", encoding="utf-8", errors="replace") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
        except OSError:  # it has ended
            continue
        # Fields 6, 14, 15, 22 and 24 of proc(5); the first of these is field 3.
        if int(fields[3]) == session:
            found[int(folder), fields[19]] = (int(fields[11]) + int(fields[12])) / CLOCK_TICKS, int(fields[21]) * PAGE
    return found


def environment(python):
    """Where PySpark is, and the settings under which a program finds its session: the same for all."""
    home = next((python.parent.parent / "lib").glob("python*")) / "site-packages" / "pyspark"
    settings = {
        "spark.driver.host": "127.0.0.1", "spark.ui.enabled": "false", "spark.local.dir": SCRATCH / "local",
        "spark.ui.showConsoleProgress": "false",
        "spark.eventLog.enabled": "true", "spark.eventLog.dir": (SCRATCH / "events").as_uri(),
        "spark.eventLog.compress": "false", "spark.eventLog.rolling.enabled": "false",
    }
    options = ["--master", MASTER, "--driver-memory", "4g"]
    for name, value in settings.items():
        options += ["--conf", f"{name}={value}"]
    return home, {**os.environ, "SPARK_HOME": str(home), "PYSPARK_PYTHON": str(python),
                  "PYTHONPATH": str(result.BENCHMARKS / "peers" / "spark"), "SPARK_LOCAL_IP": "127.0.0.1",
                  "PYSPARK_SUBMIT_ARGS": " ".join([*options, "pyspark-shell"])}


def end(session):
    """Kill what is left of a session."""
    for number, _start in used(session):
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            pass


def told(log, killed_at=None):
    """What an event log says: seconds, to the moment of the kill if there was one, and bytes shuffled."""
    executors, ends, shuffled = [], [], 0
    with open(log, encoding="utf-8") as events:
        for line in events:
            # Some events are large and nobody's here; the last one of a program that was killed may be cut.
            if not line.startswith(WANTED) or not line.endswith("\n"):
                continue
            event = json.loads(line)
            match event["Event"]:
                case "SparkListenerExecutorAdded":
                    executors.append(event["Timestamp"])
                case "SparkListenerJobEnd":
                    ends.append(event["Completion Time"])
                case "SparkListenerTaskEnd":
                    metrics = event.get("Task Metrics") or {}
                    shuffled += metrics.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0)
                case _:
                    ends.append(event["time"])
    return ((killed_at or max(ends)) - sorted(executors)[EXECUTORS - 1]) / 1000, shuffled


def run(command, python, limit):
    """The figures of a program, which has a session of its own, and how it ended: `ok`, `killed` after `limit` seconds
    from the start of its process, or `failed`."""
    shutil.rmtree(SCRATCH, ignore_errors=True)
    (SCRATCH / "events").mkdir(parents=True)
    home, settings = environment(python)
    cpu, peak, begun = {}, 0, time.perf_counter()
    with open(LOG, "wb") as log:
        process = subprocess.Popen([python, *command], env=settings, cwd=SCRATCH, stdin=subprocess.DEVNULL, stdout=log,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        while process.poll() is None and time.perf_counter() - begun < limit:
            time.sleep(SAMPLE)
            sample = used(process.pid)
            cpu.update((key, seconds) for key, (seconds, _) in sample.items())
            peak = max(peak, sum(resident for _, resident in sample.values()))
        killed_at = 1000 * time.time() if process.poll() is None else None
        end(process.pid)
        process.wait()
    # What Spark copies for its executors.
    shutil.rmtree(home / "work", ignore_errors=True)
    figures = {"cpu_s": round(sum(cpu.values()), 2), "peak_bytes": peak}
    if process.returncode and not killed_at:
        return {**figures, "ended": "failed", "wall_s": None, "shuffled_bytes": None}
    seconds, shuffled = told(next((SCRATCH / "events").iterdir()), killed_at)
    return {**figures, "ended": "killed" if killed_at else "ok", "wall_s": round(seconds, 3),
            "shuffled_bytes": shuffled}
