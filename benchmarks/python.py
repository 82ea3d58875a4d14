#!/usr/bin/env python3
"""The Python package: fingerprints of a column, dedup of a table, an index, beside the Rust crate and peers.

The texts are those of the throughput corpus, in memory as an Arrow column. Each program gets them in the form
that is fastest for it; reading them is not timed. rensa compares sets of single words, and so does `words` here.
faiss searches random codes of 64 bits, of which some are near stored ones.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np
import pyarrow

import corpus
import fingerprint_texts
import result

CODES, QUERIES, RADIUS = 10_000_000, 1_000_000, 3
IMPORT = "import time; t = time.perf_counter(); import nearprint; print(time.perf_counter() - t)"


def seconds(work, runs):
    """The median of some runs, after one that is not counted."""
    work()
    taken = []
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def rensa_words(texts):
    from rensa import RMinHash, RMinHashDeduplicator

    kept = RMinHashDeduplicator(0.8, 128, True, 16)
    for number, text in enumerate(texts):
        sketch = RMinHash(128, 42)
        sketch.update(text.split())
        kept.add(str(number), sketch)


def of_rust(bench, path):
    """Seconds of a pass by the Rust crate, one thread: the median of five."""
    def once():
        told = subprocess.run([bench, path, "text:64:1"], check=True, capture_output=True, text=True).stdout
        return json.loads(told.splitlines()[-1])["seconds"]
    return statistics.median(once() for _ in range(5))


def index(nearprint, runs):
    import faiss

    chance = np.random.default_rng(7)
    codes = chance.integers(0, 2**64, CODES, dtype="uint64")
    queries = chance.integers(0, 2**64, QUERIES, dtype="uint64")
    near = chance.integers(0, CODES, QUERIES // 2)
    queries[: QUERIES // 2] = codes[near] ^ (np.uint64(1) << chance.integers(0, 64, QUERIES // 2, dtype="uint64"))
    built = nearprint.Index.build(codes, k=RADIUS)
    found = built.query(queries, threads=1)
    own = seconds(lambda: built.query(queries, threads=1), runs)
    faiss.omp_set_num_threads(1)
    peer = faiss.IndexBinaryMultiHash(64, 2, 32)
    peer.nflip = 1
    peer.add(codes.view("uint8").reshape(-1, 8))
    share = np.ascontiguousarray(queries[::10]).view("uint8").reshape(-1, 8)
    # faiss takes distances below the radius, not at it.
    begun = time.perf_counter()
    limits, _, _ = peer.range_search(share, RADIUS + 1)
    taken = (time.perf_counter() - begun) * 10
    of_share = len(built.query(queries[::10], threads=1))
    if of_share != int(limits[-1]):
        sys.exit(f"nearprint found {of_share} of a tenth of the queries, faiss {int(limits[-1])}")
    return {"nearprint_s": own, "found": len(found), "faiss_s": taken}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=pathlib.Path, required=True, help="the wheel that is installed")
    parser.add_argument("--bench", type=pathlib.Path, required=True, help="the program that measures the Rust crate")
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each")
    args = parser.parse_args()
    import nearprint

    path = corpus.DATA / "corpus.jsonl"
    sets = fingerprint_texts.write(path)
    texts = [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]
    column = pyarrow.array(texts, type=pyarrow.large_string())
    size = sum(len(text.encode()) for text in texts)
    imports = [float(subprocess.check_output([sys.executable, "-c", IMPORT])) for _ in range(7)]
    rust = of_rust(args.bench, sets["all"]["path"])
    of_column = seconds(lambda: nearprint.fingerprint(column, threads=1), args.runs)
    of_list = seconds(lambda: nearprint.fingerprint(texts, threads=1), args.runs)
    table = pyarrow.table({"text": column})
    whole = seconds(lambda: nearprint.dedup(table, threads=2, progress=False), args.runs)
    words = seconds(lambda: nearprint.dedup(table, recipe="words", threads=1, progress=False), args.runs)
    rensa = seconds(lambda: rensa_words(texts), 1)
    searched = index(nearprint, 1)
    figures = {
        "wheel_mb": args.wheel.stat().st_size / 1e6,
        "import_ms": statistics.median(imports) * 1e3,
        "fingerprint_mb_per_s": {"rust": size / rust / 1e6, "column": size / of_column / 1e6,
                                 "list": size / of_list / 1e6},
        "dedup_s": {"default, 2 threads": whole, "words, 1 thread": words, "rensa, words, 1 thread": rensa},
        "index": searched,
    }
    bars = [
        ("wheel, MB", "<=", 20, figures["wheel_mb"]),
        ("import, ms", "<=", 100, figures["import_ms"]),
        ("fingerprints of a column: share of the Rust crate's speed", ">=", 0.95, rust / of_column),
        ("fingerprints of a list of str: share of the Rust crate's speed", ">=", 0.7, rust / of_list),
        ("dedup of a table, 2 threads: times rensa", ">=", 3, rensa / whole),
        ("words, 1 thread: times rensa", ">=", 2, rensa / words),
        ("a million queries of ten million codes: times faiss MultiHash", ">=", 6,
         searched["faiss_s"] / searched["nearprint_s"]),
    ]
    bars = [{"what": what, "bar": f"{sign} {bar}", "value": round(value, 3),
             "met": value >= bar if sign == ">=" else value <= bar} for what, sign, bar, value in bars]
    print(json.dumps(figures, indent=1))
    print(result.bars_text(bars))
    print("written:", result.write("python", {"figures": figures, "bars": bars}))


if __name__ == "__main__":
    main()
