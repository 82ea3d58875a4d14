#!/usr/bin/env python3
"""A copy that follows the service: its lag under writes, how fast it catches up, and kills of both sides.

Leader and copy run on this machine. The load is batches of 100 documents, kept at a rate. A probe is a document of its
own: its lag is the time from the leader's answer until the copy has it, looked for every 2 ms.
"""
import argparse
import http.client
import json
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import measure
import result

DATA = result.BENCHMARKS / "data" / "follow"
LINES = 100  # documents of a batch
THREADS = 4
LOOK = 0.002
BARS = [
    ("lag", "max_ms", "lag of the copy while documents are written at the rate, most of all probes, ms", "<=", 1000),
    ("lag", "writes_per_second", "documents written, /s", ">=", 9_900),
    ("kills", "different", "exports that differ after all kills", "<=", 0),
]


class Served:
    """`nearprint serve`, started again after a kill at the same port."""

    def __init__(self, nearprint, store, *more):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.command = [nearprint, "serve", store, "--listen", self.address, "--log", "error", *more]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True)
        first = self.process.stderr.readline()
        if "://" not in first:
            sys.exit(first + self.process.stderr.read())

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait(timeout=120)
        self.process.stderr.close()

    def ask(self, method, path, body=None, connection=None):
        one = connection or http.client.HTTPConnection(self.address, timeout=60)
        kind = "application/x-ndjson" if path.startswith("/v1/batch") else "application/json"
        one.request(method, path, body, {"Content-Type": kind})
        answer = one.getresponse()
        text = answer.read()
        if connection is None:
            one.close()
        return answer.status, text

    def position(self):
        return json.loads(self.ask("GET", "/v1/stats")[1])["position"]


class Load:
    """Batches at a rate, until the end of a `with`. One that meets a killed server is sent to the next one."""

    def __init__(self, served, rate):
        self.served, self.rate = served, rate
        self.written, self.next, self.ended = 0, 0, False
        self.lock = threading.Lock()

    def __enter__(self):
        self.begun = time.monotonic()
        self.threads = [threading.Thread(target=self.run) for _ in range(THREADS)]
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ended = True
        for thread in self.threads:
            thread.join()
        self.seconds = time.monotonic() - self.begun

    def run(self):
        connection = None
        while not self.ended:
            with self.lock:
                turn, self.next = self.next, self.next + 1
            wait = self.begun + turn * LINES / self.rate - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            lines = "".join(
                f'{{"id":"load/{turn}/{at}","fingerprint":"{random.getrandbits(64):016x}"}}\n' for at in range(LINES))
            try:
                connection = connection or http.client.HTTPConnection(self.served.address, timeout=60)
                status, _ = self.served.ask("POST", "/v1/batch?op=add&rows=none", lines, connection)
                if status == 200:
                    with self.lock:
                        self.written += LINES
            except (OSError, http.client.HTTPException):
                connection = None
                time.sleep(0.05)


def caught_up(copy, leader):
    """Waits until the copy is at the position of the leader, which nobody writes to."""
    begun, position = time.monotonic(), leader.position()
    while copy.position() != position:
        if time.monotonic() - begun > 300:
            sys.exit("the copy does not catch up: " + copy.ask("GET", "/v1/stats")[1].decode())
        time.sleep(0.01)
    return time.monotonic() - begun


def lag(leader, copy, rate, seconds):
    """The lag of probes, one after another, while documents are written."""
    lags = []
    with Load(leader, rate) as load:
        until, number = time.monotonic() + seconds, 0
        at_copy = http.client.HTTPConnection(copy.address, timeout=60)
        at_leader = http.client.HTTPConnection(leader.address, timeout=60)
        while time.monotonic() < until:
            number += 1
            probe = json.dumps({"id": f"probe-{number}", "fingerprint": f"{random.getrandbits(64):016x}"})
            status, text = leader.ask("POST", "/v1/add", probe, at_leader)
            if status != 200:
                sys.exit(text.decode())
            written = time.monotonic()
            while copy.ask("GET", f"/v1/documents/probe-{number}", None, at_copy)[0] != 200:
                time.sleep(LOOK)
            lags.append((time.monotonic() - written) * 1000)
    lags.sort()
    share = lambda part: round(lags[min(len(lags) - 1, int(part * len(lags)))], 1)
    return {"probes": len(lags), "p50_ms": share(0.5), "p99_ms": share(0.99), "max_ms": round(lags[-1], 1),
            "writes_per_second": round(load.written / load.seconds), "seconds": round(load.seconds, 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True)
    parser.add_argument("--documents", type=int, default=1_000_000,
                        help="documents stored before, and again while the copy is away (default: 1000000)")
    parser.add_argument("--rate", type=int, default=10_000, help="documents written a second (default: 10000)")
    parser.add_argument("--seconds", type=int, default=20, help="seconds of writing (default: 20)")
    parser.add_argument("--kills", type=int, default=20, help="kills of leader and copy (default: 20)")
    args = parser.parse_args()
    before = result.machine()
    shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir(parents=True)
    busy, own = measure.busy_seconds(), measure.children_seconds() + time.process_time()
    summary = {}

    def run(*words, text=None):
        subprocess.run([args.nearprint, *map(str, words)], check=True, input=text, text=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def bulk(prefix):
        return "".join(f'{{"id":"{prefix}/{at}","fingerprint":"{random.getrandbits(64):016x}"}}\n'
                       for at in range(args.documents))

    run("store", "init", DATA / "leader", "--ready-made", "--width", 64, "-k", 3)
    run("store", "add", DATA / "leader", "-", "--fingerprints", text=bulk("first"))
    leader = Served(args.nearprint, DATA / "leader")
    begun = time.monotonic()
    copy = Served(args.nearprint, DATA / "copy", "--follow", f"http://{leader.address}")
    caught_up(copy, leader)
    seconds = time.monotonic() - begun
    summary["copied"] = {"seconds": round(seconds, 2), "per_second": round(args.documents / seconds)}
    summary["lag"] = lag(leader, copy, args.rate, args.seconds)
    copy.end()
    lines = bulk("second").splitlines(keepends=True)
    for at in range(0, len(lines), 10_000):
        leader.ask("POST", "/v1/batch?op=add&rows=none", "".join(lines[at:at + 10_000]))
    begun = time.monotonic()
    copy.start()
    caught_up(copy, leader)
    seconds = time.monotonic() - begun
    summary["caught_up"] = {"seconds": round(seconds, 2), "per_second": round(args.documents / seconds)}
    with Load(leader, args.rate):
        for kill in range(args.kills):
            time.sleep(0.2 + random.random())
            killed = [leader, copy][kill % 2]
            killed.end(signal.SIGKILL)
            killed.start()
    waited = caught_up(copy, leader)
    ours, theirs = copy.ask("GET", "/v1/export"), leader.ask("GET", "/v1/export")
    whole = ours[0] == theirs[0] == 200
    summary["kills"] = {"kills": args.kills, "different": int(not whole or ours != theirs),
                        "documents": theirs[1].count(b"\n"), "caught_up_seconds": round(waited, 2)}
    copy.end()
    leader.end()
    share = measure.share_of_others(busy, measure.children_seconds() + time.process_time() - own)
    bars = result.judged(BARS, summary)
    path = result.write("follow", {"machine": before, "documents": args.documents, "rate": args.rate, "bars": bars,
                                   "others_share": share, "summary": summary})
    print(f"\nfollow: {args.documents} documents of 64 bits, k = 3\n")
    print(result.table(["what", "figures"], [[name, json.dumps(figures)] for name, figures in summary.items()]))
    print(f"\n{result.bars_text(bars)}\n{result.noise(share)}\nwritten: {path}")
    shutil.rmtree(DATA)


if __name__ == "__main__":
    main()
