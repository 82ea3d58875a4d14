#!/usr/bin/env python3
"""The service under all attacks at once: the memory of its process, and the answers that others get meanwhile.

A store of a million fingerprints is served. For --seconds, these come together, each again and again:

- batches whose few bytes decompress to 10, 50 and 200 million lines, as zstd and as gzip, and to 4 GB of blank lines;
- bodies that decompress to the greatest size a body may have, JSON nested a million deep, numbers of 4 MB;
- pages of HTML with 100 000 elements in each other and with 500 000 attributes;
- questions beyond the radius of the store;
- batches whose answers nobody reads;
- connections by the thousand that send the head of a request a byte at a time.

One more client checks fingerprints, one after the other; its times are printed. The bars: the process holds at most
300 MB more of its own than --memory, and answers when all have gone. Mapped files are not its own: the system takes
them back.
"""
import argparse
import contextlib
import gzip
import json
import pathlib
import resource
import shutil
import socket
import subprocess
import sys
import threading
import time

import result
from server import Server

DATA = result.BENCHMARKS / "data" / "attacks"
MEMORY = 512 << 20
BODY = 8 << 20  # the greatest body that the service takes by default
SLOW = 4000  # connections; they and the answers to them fit into the open files of a process here
PATIENCE = 60


def zstd(piece, count):
    """The same frame again and again: as dense as a body may be."""
    import pyarrow

    return pyarrow.compress(piece, codec="zstd", asbytes=True) * count


def attacks():
    """Each attack by name: path, content type, content coding, body."""
    ones, blanks = b"1\n" * 500_000, b"\n" * 1_000_000
    lines, text = "application/x-ndjson", "application/json"
    deep = b"[" * 1_000_000
    nested = json.dumps({"html": "<div>" * 100_000 + "text" + "</div>" * 100_000}).encode()
    attributes = json.dumps({"html": "<p " + " ".join(f"a{n}=1" for n in range(500_000)) + ">text</p>"}).encode()
    batch = "/v1/batch?op=check"
    return {
        "10M lines, zstd": (batch, lines, "zstd", zstd(ones, 20)),
        "50M lines, zstd": (batch, lines, "zstd", zstd(ones, 100)),
        "200M lines, zstd": (batch, lines, "zstd", zstd(ones, 400)),
        "50M lines, gzip": (batch, lines, "gzip", gzip.compress(b"1\n" * 50_000_000, 9)),
        "4 GB of blank lines": (batch, lines, "zstd", zstd(blanks, 4000)),
        "8 MB of spaces": ("/v1/check", text, "gzip", gzip.compress(b" " * (BODY - 1), 9)),
        "nested a million deep": ("/v1/check", text, "gzip", gzip.compress(b'{"metadata":' + deep, 9)),
        "a number of 4 MB": ("/v1/check", text, "gzip", gzip.compress(b'{"text":' + b"9" * (BODY // 2) + b"}", 9)),
        "elements in elements": ("/v1/check", text, "gzip", gzip.compress(nested, 6)),
        "attributes": ("/v1/check", text, "gzip", gzip.compress(attributes, 6)),
        "beyond the radius": ("/v1/query", text, None, b'{"fingerprint":"00000000000000ff","k":16}'),
    }


def head(path, kind, coding, length):
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Type: {kind}", f"Content-Length: {length}"]
    return "\r\n".join([*lines, *([f"Content-Encoding: {coding}"] if coding else []), "", ""]).encode()


def place_of(address):
    host, port = address.rsplit(":", 1)
    return host, int(port)


def attack(address, request, over, counts, name):
    """Sends a request again and again and reads what comes, for 2 s at most each time."""
    path, kind, coding, body = request
    while not over.is_set():
        with contextlib.suppress(OSError), socket.create_connection(place_of(address), timeout=2) as peer:
            sending = threading.Thread(target=quietly, args=(peer, head(path, kind, coding, len(body)) + body))
            sending.start()
            until = time.monotonic() + 2
            with contextlib.suppress(OSError):
                while time.monotonic() < until and peer.recv(1 << 16):
                    counts[name] = counts.get(name, 0) + 1
            with contextlib.suppress(OSError):
                peer.shutdown(socket.SHUT_RDWR)
            sending.join()


def quietly(peer, data):
    with contextlib.suppress(OSError):
        peer.sendall(data)


def never_read(address, over):
    """Batches whose answers nobody reads."""
    line = b'{"fingerprint":"00000000000000ff"}\n'
    body = line * 200_000
    while not over.is_set():
        with contextlib.ExitStack() as stack:
            for _ in range(8):
                with contextlib.suppress(OSError):
                    peer = stack.enter_context(socket.create_connection(place_of(address), timeout=0.2))
                    quietly(peer, head("/v1/batch?op=check", "application/x-ndjson", None, len(body)) + body)
            over.wait(2)


def slow(address, over):
    """Connections that send the head of a request a byte at a time."""
    peers, at, wanted = [], 0, b"POST /v1/check HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: " + b"a" * 60_000
    while not over.is_set():
        while len(peers) < SLOW:
            try:
                peers.append(socket.create_connection(place_of(address), timeout=2))
            except OSError:
                break
        left = []
        for peer in peers:
            try:
                peer.sendall(wanted[at % len(wanted):][:1])
                left.append(peer)
            except OSError:
                peer.close()
        peers, at = left, at + 1
        over.wait(0.2)
    for peer in peers:
        peer.close()


def check(address, over, times):
    """Checks a fingerprint again and again, on a connection that stays."""
    body = b'{"fingerprint":"00000000000000ff"}'
    ask = head("/v1/check", "application/json", None, len(body)) + body
    while not over.is_set():
        with contextlib.suppress(OSError), socket.create_connection(place_of(address), timeout=PATIENCE) as peer:
            while not over.is_set():
                begun = time.perf_counter()
                peer.sendall(ask)
                answer = peer.recv(1 << 16)
                if not answer.startswith(b"HTTP/1.1 200"):
                    break
                times.append(time.perf_counter() - begun)
                over.wait(0.002)


def checked(address, seconds):
    """The times of checks in so many seconds."""
    times, over = [], threading.Event()
    checker = threading.Thread(target=check, args=(address, over, times))
    checker.start()
    time.sleep(seconds)
    over.set()
    checker.join()
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=pathlib.Path, required=True, help="the program that makes the store")
    parser.add_argument("--nearprint", type=pathlib.Path, required=True)
    parser.add_argument("--documents", type=int, default=1_000_000, help="fingerprints stored (default: 1000000)")
    parser.add_argument("--seconds", type=int, default=60, help="seconds of attacks (default: 60)")
    args = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    before = result.machine()
    shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir(parents=True)
    command = [args.bench, "store", DATA / "store", args.documents, args.seconds]
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
    over, counts, times, own = threading.Event(), {}, [], []
    with Server(args.nearprint, DATA / "store", "--memory", str(MEMORY)) as server:
        quiet = checked(server.address, 2)
        at_rest = server.own_bytes()
        work = [threading.Thread(target=attack, args=(server.address, request, over, counts, name))
                for name, request in attacks().items()]
        work += [threading.Thread(target=run, args=(server.address, over)) for run in (never_read, slow)]
        work.append(threading.Thread(target=check, args=(server.address, over, times)))
        for thread in work:
            thread.start()
        until = time.monotonic() + args.seconds
        while time.monotonic() < until:
            own.append(server.own_bytes())
            time.sleep(0.1)
        over.set()
        for thread in work:
            thread.join()
        time.sleep(5)
        late = checked(server.address, 2)
        afterwards = server.own_bytes()
    if not quiet or not late:
        sys.exit("the service did not answer before or after the attacks")

    def figures(seconds):
        seconds = sorted(seconds)
        at = lambda share: round(seconds[min(len(seconds) - 1, int(share * len(seconds)))] * 1e3, 2)
        return {"checks": len(seconds), "p50_ms": at(0.5), "p99_ms": at(0.99), "max_ms": at(1)} if seconds else {}

    bar = (MEMORY + 300e6) / 1e6
    bars = [{"what": "memory of the process of its own under all attacks, MB", "bar": f"<= {bar:.0f}",
             "value": round(max(own) / 1e6, 1), "met": max(own) / 1e6 <= bar}]
    missing = sorted(set(attacks()) - set(counts))
    summary = {"at_rest_mb": round(at_rest / 1e6, 1), "most_mb": round(max(own) / 1e6, 1),
               "afterwards_mb": round(afterwards / 1e6, 1), "quiet": figures(quiet), "under_attack": figures(times),
               "afterwards": figures(late), "answers_read": counts, "never_answered": missing}
    path = result.write("attacks", {"machine": before, "documents": args.documents, "seconds": args.seconds,
                                    "bars": bars, "summary": summary})
    shutil.rmtree(DATA)
    print(f"\nattacks: {args.documents} documents of 64 bits, k = 3, {SLOW} slow connections\n")
    print(result.table(["what", "figure"], [[name, json.dumps(value)] for name, value in summary.items()]))
    print(f"\n{result.bars_text(bars)}\nwritten: {path}")


if __name__ == "__main__":
    main()
