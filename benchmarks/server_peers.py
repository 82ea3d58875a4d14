#!/usr/bin/env python3
"""The service beside what people would build of Redis or of PostgreSQL: a million fingerprints of 64 bits, k = 3.

Redis: four tables of 16 bits, each bucket a string of packed fingerprints, searched by a script in Lua; what is added is
durable by `appendfsync always`. PostgreSQL: an index over each 16 bits, the distance by bit_count, and a function that
adds in one step. The load is that of benchmarks/server for all three, over 64 connections that stay open, one request
under way on each, the three in turn. Every other query has a neighbour; answers are checked. Then the service alone: at
half its greatest rate, and while a snapshot, an export and a compaction run.

It needs redis-server and PostgreSQL (on Debian: apt-get install redis-server postgresql).
"""
import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
import urllib.request

import measure
import result
from server import Server

DATA = result.BENCHMARKS / "data" / "server-peers"
CONNECTIONS = 64
RATE = 20_000  # adds a second at which the tail is measured
SCHEMA = """
CREATE TABLE docs (id bigint PRIMARY KEY, code bigint NOT NULL);
\\copy docs from '{rows}'
CREATE INDEX ON docs (((code >> 48) & 65535)); CREATE INDEX ON docs (((code >> 32) & 65535));
CREATE INDEX ON docs (((code >> 16) & 65535)); CREATE INDEX ON docs ((code & 65535));
CREATE FUNCTION near(q bigint) RETURNS bigint STABLE LANGUAGE plpgsql AS $$ BEGIN RETURN (
 SELECT id FROM docs WHERE ((code >> 48) & 65535) = ((q >> 48) & 65535) AND bit_count((code # q)::bit(64)) <= 3
 UNION ALL
 SELECT id FROM docs WHERE ((code >> 32) & 65535) = ((q >> 32) & 65535) AND bit_count((code # q)::bit(64)) <= 3
 UNION ALL
 SELECT id FROM docs WHERE ((code >> 16) & 65535) = ((q >> 16) & 65535) AND bit_count((code # q)::bit(64)) <= 3
 UNION ALL
 SELECT id FROM docs WHERE (code & 65535) = (q & 65535) AND bit_count((code # q)::bit(64)) <= 3
 LIMIT 1); END $$;
CREATE FUNCTION check_and_add(new bigint, q bigint) RETURNS bigint LANGUAGE plpgsql AS $$
 DECLARE found bigint := near(q);
 BEGIN IF found IS NULL THEN INSERT INTO docs VALUES (new, q) ON CONFLICT DO NOTHING; END IF;
 RETURN coalesce(found, new); END $$;
ANALYZE docs;
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def program(name):
    """A program of the path, or of the folder where Debian has those of PostgreSQL."""
    found = shutil.which(name) or next(map(str, pathlib.Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), None)
    return found or sys.exit(f"no {name}: install it (on Debian: apt-get install redis-server postgresql)")


def answers(port):
    """Waits for a server."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port)).close()
            return
        time.sleep(0.05)
    sys.exit(f"nothing answers at port {port}")


@contextlib.contextmanager
def redis(folder):
    """Redis, every write synced."""
    port = free_port()
    folder.mkdir()
    command = [program("redis-server"), "--port", str(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "",
               "--appendonly", "yes", "--appendfsync", "always"]
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL) as process:
        try:
            answers(port)
            yield f"127.0.0.1:{port}"
        finally:
            process.terminate()


@contextlib.contextmanager
def postgres(folder, rows):
    """PostgreSQL with the fingerprints, as it is by default: every commit synced."""
    port = free_port()
    folder.mkdir()
    owner = {}
    if os.geteuid() == 0:
        # It refuses to run as root.
        shutil.chown(folder, "postgres", "postgres")
        owner = {"user": "postgres", "group": "postgres"}
    place = {"stdout": subprocess.DEVNULL, "cwd": folder, **owner}
    quiet = {"check": True, **place}
    data = folder / "data"
    subprocess.run([program("initdb"), "-D", data, "-U", "bench", "--auth", "trust"], **quiet)
    options = ["-p", str(port)]
    for setting in ("listen_addresses=127.0.0.1", f"unix_socket_directories={folder}", "shared_buffers=512MB"):
        options += ["-c", setting]
    # A process of this one, so that its time is not taken for that of others.
    serving = subprocess.Popen([program("postgres"), "-D", data, *options], stderr=subprocess.DEVNULL, **place)
    try:
        answers(port)
        to = ["-h", "127.0.0.1", "-p", str(port), "-U", "bench"]
        subprocess.run([program("createdb"), *to, "bench"], **quiet)
        subprocess.run([program("psql"), *to, "-q", "-v", "ON_ERROR_STOP=1", "bench"],
                       input=SCHEMA.format(rows=rows), text=True, **quiet)
        yield f"127.0.0.1:{port}"
    finally:
        serving.send_signal(signal.SIGINT)
        serving.wait()


def ask(address, path, body=None):
    """The answer of the service to a request; reads all of it."""
    head = {"content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"http://{address}{path}", body, head), timeout=600) as answer:
        last = b""
        while part := answer.read(1 << 20):
            last = part
        return last


def work(address, over):
    """Snapshots, exports and compactions, one after the other, until `over`; how many of each ended."""
    ended = {"snapshot": 0, "export": 0, "compact": 0}
    while not over.is_set():
        ask(address, "/v1/export")
        ended["export"] += 1
        for name, path, body in [("snapshot", "/v1/snapshots", {"name": f"s{ended['snapshot']}"}),
                                 ("compact", "/v1/compact", {})]:
            ask(address, path, json.dumps(body).encode())
            while json.loads(ask(address, path))["running"]:
                time.sleep(0.02)
            state = json.loads(ask(address, path))
            if state["failed"]:
                sys.exit(f"{name}: {state['failed']}")
            ended[name] += 1
    return ended


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=pathlib.Path, required=True, help="the program that makes the load")
    parser.add_argument("--nearprint", type=pathlib.Path, required=True)
    parser.add_argument("--documents", type=int, default=1_000_000, help="fingerprints stored (default: 1000000)")
    parser.add_argument("--seconds", type=int, default=8, help="seconds of each load (default: 8)")
    parser.add_argument("--rounds", type=int, default=3, help="loads of each system (default: 3)")
    args = parser.parse_args()
    before, busy, own = result.machine(), measure.busy_seconds(), measure.children_seconds()
    shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir(parents=True)

    def job(name, place, *more):
        command = [args.bench, name, place, args.documents, args.seconds, *more]
        print(*map(str, command[1:]), file=sys.stderr)
        return json.loads(subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout)

    rows = DATA / "rows"
    with rows.open("wb") as out:
        subprocess.run([args.bench, "postgres-rows", "-", str(args.documents), "0"], check=True, stdout=out)
    rows.chmod(0o644)
    job("store", DATA / "store")
    loads = {name: [] for name in ["check", "redis-check", "postgres-check", "add", "redis-add", "postgres-add"]}
    with contextlib.ExitStack() as stack:
        service = stack.enter_context(Server(args.nearprint, DATA / "store", "--snapshots", DATA / "snapshots"))
        places = {"": service.address, "redis-": stack.enter_context(redis(DATA / "redis")),
                  "postgres-": stack.enter_context(postgres(DATA / "postgres", rows))}
        job("redis-fill", places["redis-"])
        paced = {}
        for what in ["check", "add"]:
            for _ in range(args.rounds):
                for prefix, place in places.items():
                    loads[prefix + what].append(job(prefix + what, place, CONNECTIONS))
            # Half the greatest rate of checks before anything is added: what is added is merged later.
            if what == "check":
                greatest = statistics.median(load["per_second"] for load in loads["check"])
                paced["check"] = job("check", places[""], CONNECTIONS, greatest / 2)
        paced["add"] = job("add", places[""], CONNECTIONS, RATE)
        over, ended = threading.Event(), {}
        worker = threading.Thread(target=lambda: ended.update(work(places[""], over)))
        worker.start()
        paced["check while a snapshot, an export and a compaction run"] = job(
            "check", places[""], CONNECTIONS, greatest / 4)
        over.set()
        worker.join()
    shutil.rmtree(DATA)
    rate = {name: statistics.median(load["per_second"] for load in all_of) for name, all_of in loads.items()}
    bars = []
    for what, peer, least in [("check", "redis", 2.5), ("check", "postgres", 3), ("add", "redis", 4)]:
        ratio = round(rate[what] / rate[f"{peer}-{what}"], 2)
        bars.append({"what": f"{what}: times {peer}", "bar": f">= {least}", "value": ratio, "met": ratio >= least})
    for name, most in [("check", 5), ("add", 20), ("check while a snapshot, an export and a compaction run", 10)]:
        value = paced[name]["p99_ms"]
        bars.append({"what": f"{name}, at a given rate: p99 in ms", "bar": f"<= {most}", "value": value,
                     "met": value <= most})
    bars.append({"what": "adds answered a second, of 20 000 asked for", "bar": ">= 19800",
                 "value": paced["add"]["per_second"], "met": paced["add"]["per_second"] >= 19_800})
    share = None
    if busy is not None:
        used = measure.busy_seconds() - busy
        share = max(0.0, used - (measure.children_seconds() - own)) / max(used, 1e-9)
    path = result.write("server-peers", {
        "machine": before, "documents": args.documents, "seconds": args.seconds, "rounds": args.rounds,
        "connections": CONNECTIONS, "versions": {"redis": result.output_of("redis-server", "--version"),
                                                 "postgres": result.output_of("psql", "--version")},
        "bars": bars, "others_share": share, "loads": loads, "paced": paced, "ended_meanwhile": ended})
    print(f"\nserver beside its peers: {args.documents} documents of 64 bits, k = 3, {CONNECTIONS} connections\n")
    figures = [[name, f"{rate[name]:,.0f}", *(f"{statistics.median(load[key] for load in all_of):.2f}"
                                              for key in ("p50_ms", "p99_ms"))] for name, all_of in loads.items()]
    figures += [[f"{name}, paced", f"{load['per_second']:,.0f}", f"{load['p50_ms']:.2f}", f"{load['p99_ms']:.2f}"]
                for name, load in paced.items()]
    print(result.table(["job", "a second", "p50 ms", "p99 ms"], figures))
    print(f"\nmeanwhile: {ended}\n{result.bars_text(bars)}\n{result.noise(share)}\nwritten: {path}")


if __name__ == "__main__":
    main()
