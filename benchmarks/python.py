#!/usr/bin/env python3
"""The Python package: fingerprints of a column, dedup of a table, an index, joins, beside the Rust crate and peers.

The texts are those of the throughput corpus, in memory as an Arrow column. Each program gets them in the form
that is fastest for it; reading them is not timed. rensa compares sets of single words by MinHash, and `words` is of
its class: 64 bits, k = 3. text-dedup and datatrove take files and nothing else, so their whole runs are timed, on
every tenth document, once; the default is timed on that tenth too. `caught` is what the benchmark `dedup` calls
so: the share of the pairs of that tenth with a Jaccard similarity of 0.8 or more of which at most one document is
kept. faiss and the joins get uniform codes of 64 bits; half of the queries are one bit from a stored code.
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time

import numpy as np
import orjson
import pyarrow

import dedup
import fingerprint_texts
import measure
import result

CODES, QUERIES, RADIUS = 10_000_000, 1_000_000, 3
IMPORT = "import time; t = time.perf_counter(); import nearprint; print(time.perf_counter() - t)"
# The self join of codes in a file.
JOIN = """
import json, sys, time
import nearprint, numpy
codes, seconds = numpy.fromfile(sys.argv[1], "<u8"), []
for _ in range(int(sys.argv[3])):
    begun = time.perf_counter()
    pairs = len(nearprint.pairs(codes, int(sys.argv[2]), threads=1))
    seconds.append(time.perf_counter() - begun)
print(json.dumps({"seconds": seconds, "pairs": pairs}))
"""
# Texts of some ten words, as many as make memory of a document stand out; a tenth repeat others.
MEMORY = """
import re, sys
import numpy, pyarrow, nearprint
def resident(key):
    return int(re.search(key + r":\\s+(\\d+)", open("/proc/self/status").read())[1]) * 1024
count = int(sys.argv[1])
def text(number):
    return " ".join(f"w{number * 2654435761 % 2**32 >> 7 * at & 16383}x{number >> 14}" for at in range(3)) * 4
table = pyarrow.table({"text": pyarrow.array((text(n - n % 10 // 9) for n in range(count)), pyarrow.large_string())})
nearprint.dedup(table.slice(0, 10000), threads=2, progress=False)
before = resident("VmRSS")
open("/proc/self/clear_refs", "w").write("5")
found = nearprint.dedup(table, threads=2, progress=False)
print((resident("VmHWM") - before) / count, found.summary["removed"])
"""


def once(work):
    """Seconds, and what `work` gives."""
    begun = time.perf_counter()
    given = work()
    return time.perf_counter() - begun, given


def alternately(works, runs):
    """The median seconds of each of some works, and what it gave; in turn, after a run that is not counted."""
    taken, given = {name: [] for name in works}, {}
    for turn in range(runs + 1):
        for name, work in works.items():
            spent, given[name] = once(work)
            if turn:
                taken[name].append(spent)
    return {name: statistics.median(spent) for name, spent in taken.items()}, given


def rensa_words(texts):
    """The rows that rensa keeps; driven as benchmarks/peers/rensa_dedup.py says why."""
    from rensa import RMinHash, RMinHashDeduplicator

    deduplicator, kept = RMinHashDeduplicator(0.8, 128, True, 16), []
    for number, text in enumerate(texts):
        sketch = RMinHash(128, 42)
        sketch.update(text.split())
        if deduplicator.add(str(number), sketch):
            kept.append(number)
    return kept


def caught(kept, ids, pairs):
    """The share of the pairs of which at most one document is among the rows kept."""
    stay = {ids[row] for row in kept}
    return sum(not (a in stay and b in stay) for a, b in pairs) / len(pairs)


def texts_deduplicated(nearprint, binary, runs):
    """Seconds of each program, and the share of the pairs that it caught."""
    rows = [orjson.loads(row) for row in dedup.CORPUS.read_bytes().splitlines()]
    ids, texts = [row["id"] for row in rows], [row["text"] for row in rows]
    dedup.prepare()
    dedup.near_pairs(binary)
    pairs = [(pair["a"], pair["b"]) for pair in map(orjson.loads, dedup.PAIRS.read_bytes().splitlines())]
    table = pyarrow.table({"text": pyarrow.array(texts, type=pyarrow.large_string())})
    tenth = pyarrow.table({"text": pyarrow.array(texts[::10], type=pyarrow.large_string())})

    def run(given, **options):
        return lambda: nearprint.dedup(given, progress=False, **options).rows.tolist()

    seconds, kept = alternately({
        "nearprint, default, 2 threads": run(table, threads=2),
        "nearprint, default, 1 thread": run(table, threads=1),
        "nearprint, words, 1 thread": run(table, recipe="words", width=64, k=3, threads=1),
        "rensa, words, 1 thread": lambda: rensa_words(texts),
        "nearprint, default, 2 threads, a tenth": run(tenth, threads=2),
    }, runs)
    shares = {name: caught(rows, ids[::10] if name.endswith("a tenth") else ids, pairs)
              for name, rows in kept.items()}
    for name, program in dedup.slow().items():
        if name == dedup.TEXT_DEDUP_SIMHASH:
            continue
        print(f"once: {name}", file=sys.stderr)
        shutil.rmtree(dedup.SCRATCH, ignore_errors=True)
        seconds[name] = measure.run(list(map(str, program.command)))["wall_s"]
        shares[name] = dedup.survivors(name, program)["caught"]
    shutil.rmtree(dedup.SCRATCH, ignore_errors=True)
    return seconds, shares, sum(len(text.encode()) for text in texts), texts


def searched(nearprint, time_join, runs):
    """Seconds of queries and of a self join by nearprint and by peers, on one thread. All must find the same."""
    import faiss

    chance = np.random.default_rng(7)
    codes = chance.integers(0, 2**64, CODES, dtype="uint64")
    queries = chance.integers(0, 2**64, QUERIES, dtype="uint64")
    near = chance.integers(0, CODES, QUERIES // 2)
    queries[: QUERIES // 2] = codes[near] ^ (np.uint64(1) << chance.integers(0, 64, QUERIES // 2, dtype="uint64"))
    faiss.omp_set_num_threads(1)
    peer = faiss.IndexBinaryMultiHash(64, 2, 32)
    peer.nflip = 1
    peer.add(codes.view("uint8").reshape(-1, 8))
    asked = queries.view("uint8").reshape(-1, 8)
    built = nearprint.Index.build(codes, k=RADIUS)
    seconds, found = alternately({
        "query, nearprint": lambda: len(built.query(queries, threads=1)),
        # faiss takes distances below the radius, not at it.
        "query, faiss MultiHash": lambda: int(peer.range_search(asked, RADIUS + 1)[0][-1]),
    }, runs)
    del peer, built
    # Each join has a process of its own for all its runs, as the peer's program has.
    path = result.BENCHMARKS / "data" / "python-join.u64"
    codes.astype("<u8").tofile(path)
    for name, command in {"self join, nearprint": [sys.executable, "-c", JOIN],
                          "self join, all-pairs-hamming": [time_join]}.items():
        command += [path, str(RADIUS), str(runs)]
        told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        seconds[name], found[name] = statistics.median(told["seconds"]), told["pairs"]
    path.unlink()
    for kind in ("query", "self join"):
        counts = {name: count for name, count in found.items() if name.startswith(kind)}
        if len(set(counts.values())) != 1:
            sys.exit(f"they find different numbers: {counts}")
    return seconds


def interrupted(work):
    """The longest time from Ctrl-C to its exception, of signals at ten moments of a call."""
    taken, _ = once(work)
    worst = 0.0
    for part in range(10):
        sent = []

        def send():
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(taken * (part + 0.5) / 10, send)
        try:
            timer.start()
            work()
            timer.join()
            time.sleep(0.1)
        except KeyboardInterrupt:
            worst = max(worst, time.perf_counter() - sent[0])
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=pathlib.Path, required=True, help="the wheel that is installed")
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the command, which lists the pairs")
    parser.add_argument("--bench", type=pathlib.Path, required=True, help="the program that measures the Rust crate")
    parser.add_argument("--peer", type=pathlib.Path, required=True, help="time_join of all-pairs-hamming")
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each")
    args = parser.parse_args()
    import nearprint

    subprocess.run([sys.executable, result.BENCHMARKS / "corpus.py"], check=True)
    before = result.machine()
    imports = [float(subprocess.check_output([sys.executable, "-c", IMPORT])) for _ in range(7)]
    memory = subprocess.check_output([sys.executable, "-c", MEMORY, "2000000"], text=True).split()
    seconds, shares, size, texts = texts_deduplicated(nearprint, args.nearprint, args.runs)
    path, column = fingerprint_texts.write(dedup.CORPUS)["all"]["path"], pyarrow.array(texts, pyarrow.large_string())

    def rust():
        told = subprocess.run([args.bench, path, "text:64:1"], check=True, capture_output=True, text=True).stdout
        return json.loads(told.splitlines()[-1])["seconds"]

    # The Rust crate says itself what its pass took: starting and reading are not counted.
    passes, prints = [], {"column": lambda: nearprint.fingerprint(column, threads=1),
                          "list": lambda: nearprint.fingerprint(texts, threads=1)}
    for _ in range(args.runs):
        passes.append((rust(), *(once(work)[0] for work in prints.values())))
    of_rust, of_column, of_list = (statistics.median(taken) for taken in zip(*passes))
    codes = np.random.default_rng(1).integers(0, 2**64, CODES, dtype="uint64")
    table = pyarrow.table({"text": column})
    waits = {name: interrupted(work) for name, work in {
        "fingerprint": lambda: nearprint.fingerprint(table),
        "dedup": lambda: nearprint.dedup(table, progress=False),
        "pairs": lambda: nearprint.pairs(codes, RADIUS),
        "clusters": lambda: nearprint.clusters(codes, RADIUS),
        "Index.build": lambda: nearprint.Index.build(codes, k=RADIUS),
    }.items()}
    del texts, column, table, codes
    search = searched(nearprint, args.peer, args.runs)

    figures = {
        "wheel_mb": args.wheel.stat().st_size / 1e6, "import_ms": statistics.median(imports) * 1e3,
        "dedup_bytes_a_document": float(memory[0]),
        "fingerprint_mb_per_s": {"Rust crate": size / of_rust / 1e6, "column": size / of_column / 1e6,
                                 "list": size / of_list / 1e6},
        "dedup_s": seconds, "caught": shares, "search_s": search, "ctrl_c_s": waits,
    }
    default, tenth = seconds["nearprint, default, 2 threads"], seconds["nearprint, default, 2 threads, a tenth"]
    rensa = seconds["rensa, words, 1 thread"]
    bars = [
        ("wheel, MB", "<=", 20, figures["wheel_mb"]),
        ("import, ms", "<=", 100, figures["import_ms"]),
        ("dedup of two million short texts: bytes a document beside the table", "<=", 60, float(memory[0])),
        ("Ctrl-C in fingerprint, dedup, pairs, clusters, Index.build: s at most", "<=", 0.2, max(waits.values())),
        ("fingerprints of a column: share of the Rust crate's speed", ">=", 0.95, of_rust / of_column),
        ("fingerprints of a list of str: share of the Rust crate's speed", ">=", 0.7, of_rust / of_list),
        ("dedup of a table, 2 threads: times rensa", ">=", 3, rensa / default),
        ("words, 1 thread: times rensa", ">=", 2, rensa / seconds["nearprint, words, 1 thread"]),
        ("dedup of a tenth: times text-dedup minhash", ">=", 50, seconds[dedup.TEXT_DEDUP] / tenth),
        ("dedup of a tenth: times datatrove minhash", ">=", 100, seconds[dedup.DATATROVE] / tenth),
        ("a million queries of ten million codes: times faiss MultiHash", ">=", 6,
         search["query, faiss MultiHash"] / search["query, nearprint"]),
        ("self join of ten million codes: times all-pairs-hamming", ">=", 3,
         search["self join, all-pairs-hamming"] / search["self join, nearprint"]),
    ]
    bars = [{"what": what, "bar": f"{sign} {bar}", "value": round(value, 3),
             "met": value >= bar if sign == ">=" else value <= bar} for what, sign, bar, value in bars]
    rows = [[name, f"{spent:.2f}", f"{shares[name]:.4f}" if name in shares else ""]
            for name, spent in {**seconds, **search}.items()]
    speeds = [[name, f"{speed:.0f}", ""] for name, speed in figures["fingerprint_mb_per_s"].items()]
    written = result.write("python", {"machine": before, "runs_each": args.runs, "figures": figures, "bars": bars})
    print(result.table(["program", "s", "caught"], rows))
    print(f"\nCtrl-C, s at most: {waits}")
    print(f"\n{result.table(['fingerprints, 1 thread', 'MB/s', ''], speeds)}\n\n{result.bars_text(bars)}")
    print(f"written: {written}")


if __name__ == "__main__":
    main()
