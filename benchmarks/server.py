#!/usr/bin/env python3
"""The service at ten million documents: checks, texts, durable adds, batches, and checks beside adds.

The load comes from benchmarks/server, a process of its own on the same machine, over 64 connections that
stay open, each with one request under way; it checks the answers. The files of the store are read before each
load, so that it meets them in memory. The rate of requests that ask for nothing
(`empty`) is what this machine can answer at all at the time; that of raw syncs of its disk is measured before
and after: what is durable goes by it.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time
import urllib.request

import measure
import result

DATA = result.BENCHMARKS / "data" / "server"
CONNECTIONS = 64
STREAMS = 4  # batches under way
SYNCS = 500
# What is measured, under which name of a job's line, and its bar.
BARS = [
    ("check", "per_second", "checks of ready fingerprints, /s", ">=", 40_000),
    ("check", "p99_ms", "checks of ready fingerprints, p99 in ms", "<=", 5),
    ("text", "per_second", "checks of 2 KB texts, /s", ">=", 20_000),
    ("add", "per_second", "check and add, durable, /s", ">=", 10_000),
    ("add", "p99_ms", "check and add, durable, p99 in ms", "<=", 25),
    ("batch", "per_second", "lines of batches added, /s", ">=", 100_000),
    ("mixed", "p99_ms", "checks while documents are added and segments made, p99 in ms", "<=", 10),
    ("memory", "beyond_store_mb", "memory of the idle server beyond the store, MB", "<=", 50),
    ("page", "kilobytes", "the page and the files that it names, KB", "<=", 100),
]


class Server:
    """`nearprint serve` on a free port, until the end of a `with`."""

    def __init__(self, nearprint, store, *more):
        self.command = [nearprint, "serve", store, "--listen", "127.0.0.1:0", "--log", "warn", *more]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True)
        first = self.process.stderr.readline()
        if "://" not in first:
            sys.exit(first + self.process.stderr.read())
        self.address = first.strip().rsplit("/", 1)[1]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        if self.process.wait(timeout=120) != 0:
            sys.exit(f"the server ended with {self.process.returncode}")

    def own_bytes(self):
        """Resident memory that is no mapped file's."""
        return int(result.field_of(f"/proc/{self.process.pid}/status", "RssAnon").split()[0]) * 1024


def page(address):
    """The bytes of the page and of all that it names; `scripts/check-page` counts its questions as well."""
    def fetch(path):
        with urllib.request.urlopen(f"http://{address}{path}", timeout=30) as answer:
            return answer.read()

    first = fetch("/")
    files = sorted(set(re.findall(r'(?:href|src)="(/[\w.]+)"', first.decode())))
    total = len(first) + sum(len(fetch(path)) for path in files)
    return {"files": ["/", *files], "kilobytes": round(total / 1e3, 1)}


def read(folder):
    """Reads every file, so that the system holds them: some take back what lay unread for a minute."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                while file.read(1 << 20):
                    pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=pathlib.Path, required=True, help="the program that makes the load")
    parser.add_argument("--syncs", type=pathlib.Path, required=True, help="the program of benchmarks/store")
    parser.add_argument("--nearprint", type=pathlib.Path, required=True)
    parser.add_argument("--documents", type=int, default=10_000_000, help="documents stored (default: 10000000)")
    parser.add_argument("--seconds", type=int, default=60, help="seconds of each load (default: 60)")
    args = parser.parse_args()
    before = result.machine()
    shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir(parents=True)
    store, busy, own = DATA / "store", measure.busy_seconds(), measure.children_seconds()

    def line(*command):
        print(*command[1:], file=sys.stderr)
        done = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True)
        return json.loads(done.stdout)

    def job(name, place, connections=CONNECTIONS):
        return line(args.bench, name, place, args.documents, args.seconds, connections)

    summary = {"sync": line(args.syncs, "sync", DATA, SYNCS)}
    summary["store"] = job("store", store)
    alone = job("open", store)["own_bytes"]
    with Server(args.nearprint, store) as server:
        time.sleep(2)
        idle = server.own_bytes()
        summary["memory"] = {"store_bytes": alone, "server_bytes": idle,
                             "beyond_store_mb": round((idle - alone) / 1e6, 1)}
        summary["page"] = page(server.address)
        for name in ["check", "text", "add", "mixed", "batch", "empty"]:
            read(store)
            summary[name] = job(name, server.address, STREAMS if name == "batch" else CONNECTIONS)
        summary["memory"]["after_load_bytes"] = server.own_bytes()
    summary["sync_after"] = line(args.syncs, "sync", DATA, SYNCS)
    share = measure.share_of_others(busy, measure.children_seconds() - own)
    bars = result.judged(BARS, summary)
    path = result.write("server", {"machine": before, "documents": args.documents, "seconds": args.seconds,
                                   "connections": CONNECTIONS, "bars": bars, "others_share": share,
                                   "summary": summary})
    print(f"\nserver: {args.documents} documents of 64 bits, k = 3, {CONNECTIONS} connections\n")
    rows = [[name, json.dumps(figures)] for name, figures in summary.items()]
    print(result.table(["job", "figures"], rows))
    print(f"\n{result.bars_text(bars)}\n{result.noise(share)}\nwritten: {path}")
    shutil.rmtree(DATA)


if __name__ == "__main__":
    main()
