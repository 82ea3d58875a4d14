#!/usr/bin/env python3
"""A corpus in, survivors out: `nearprint dedup` against rensa, text-dedup and datatrove, on 300 MB of text.

The whole process is timed: start, read, fingerprint, search, write. MB are 10^6 bytes of the input
as plain JSONL. rensa compares sets of single words by MinHash, on one thread and on two processes, and
nearprint's recipe `words` is of its class. The default makes word 3-shingles, finds candidates by bands
of MinHash and verifies them exactly. text-dedup and datatrove get every tenth document and run once,
since the whole corpus takes them minutes; the default is timed on that tenth too. A gzip file is read
twice, so what `gzip -dc` takes for one reading says how much of that run is unpacking. The peak memory
of several processes is that of the largest.

`caught` is recall. Its pairs are all pairs of documents with a Jaccard similarity of 0.8 or more; caught is
the share of them of which at most one document is kept. For every program the similarity is that of
nearprint's features, word 3-shingles. So the figure says what a program leaves to somebody who means
these near-duplicates. It does not say how well a program does what it set out to do: rensa counts single
words, text-dedup and datatrove count n-grams of their own and aim at other thresholds. It does not say either
what a program removes without such a pair. A group of n documents has n(n-1)/2 pairs, so large groups weigh most.
The pairs are those of every two documents of the tenth, compared one by one, for all programs.
"""
import argparse
import dataclasses
import gzip
import json
import math
import pathlib
import shutil
import subprocess
import sys

import measure
import result

DATA = result.BENCHMARKS / "data"
PEERS = result.BENCHMARKS / "peers"
CORPUS, KEPT, SUMMARY = DATA / "corpus.jsonl", DATA / "kept.jsonl", DATA / "summary.json"
TENTH, HALVES = DATA / "corpus-tenth.jsonl", DATA / "corpus-tenth"  # the halves are for two tasks of datatrove
PAIRS, SCRATCH = DATA / "near-pairs.jsonl", DATA / "dedup-scratch"
FORMATS = {"gzip": DATA / "corpus.jsonl.gz", "Parquet": DATA / "corpus.parquet"}
RENSA, RENSA_2 = "rensa 0.5.0, words", "rensa 0.5.0, words, 2 processes"
UNPACK = "gzip -dc, which unpacks the gzip file once and does no more"
TEXT_DEDUP_SIMHASH, TEXT_DEDUP = "text-dedup 0.4.0 simhash, a tenth", "text-dedup 0.4.0 minhash, a tenth"
DATATROVE = "datatrove 0.10.1 minhash, a tenth"
WORDS, DEFAULT, UNVERIFIED, EXACT = "words", "default", "default, not verified", "exact"
SHINGLES = "3-shingles, 64 bits, k = 3"  # text-dedup's simhash by default: 64 bits, k = 3, of 3-grams of characters
RECIPES = {
    WORDS: ["--recipe", "words", "--width", "64", "-k", "3"],
    SHINGLES: ["--width", "64", "-k", "3"],
    UNVERIFIED: ["--verify", "none"],
    DEFAULT: [],
    EXACT: ["--recall", "exact"],
}


@dataclasses.dataclass(frozen=True)
class Program:
    """A command, the JSONL that it reads or that holds the same, and what it leaves."""
    command: list
    source: pathlib.Path = CORPUS
    kept: pathlib.Path = KEPT


def named(recipe, threads=2, what=None):
    """The name of a row of nearprint."""
    s = "" if threads == 1 else "s"
    return f"nearprint, {recipe}, {threads} thread{s}" + (f", {what}" if what else "")


DEFAULT_TENTH = named(DEFAULT, what="a tenth")


def dedup(nearprint, recipe, threads=2, source=CORPUS):
    """The command of nearprint."""
    return [nearprint, "dedup", source, "-o", KEPT, "--force", "--quiet", "--summary", SUMMARY,
            "--threads", str(threads), *RECIPES[recipe]]


def contenders(nearprint):
    """The programs by name that take turns."""
    return {
        named(WORDS, 1): Program(dedup(nearprint, WORDS, 1)),
        **{named(recipe): Program(dedup(nearprint, recipe)) for recipe in RECIPES},
        **{named(WORDS, 2, format): Program(dedup(nearprint, WORDS, 2, source))
           for format, source in FORMATS.items()},
        RENSA: Program([sys.executable, PEERS / "rensa_dedup.py", CORPUS, KEPT]),
        RENSA_2: Program([sys.executable, PEERS / "rensa_parallel.py", CORPUS, KEPT, "2"]),
        UNPACK: Program(["gzip", "-dc", FORMATS["gzip"]]),
        DEFAULT_TENTH: Program(dedup(nearprint, DEFAULT, 2, TENTH), TENTH),
    }


def slow():
    """The programs by name that run once, on two processes each, with their defaults."""
    def text_dedup(method):
        kept = SCRATCH / f"text-dedup-{method}"
        python = result.BENCHMARKS / ".venv-text-dedup" / "bin" / "python"
        return Program([python, "-m", f"text_dedup.{method}", "--path", "json", "--data_files", TENTH,
                        "--split", "train", "--cache_dir", SCRATCH / "cache", "--output", kept, "--column", "text",
                        "--batch_size", "10000", "--num_proc", "2"], TENTH, kept)
    datatrove = [result.BENCHMARKS / ".venv-datatrove" / "bin" / "python", PEERS / "datatrove_dedup.py", HALVES,
                 SCRATCH / "datatrove", "2"]
    return {TEXT_DEDUP_SIMHASH: text_dedup("simhash"), TEXT_DEDUP: text_dedup("minhash"),
            DATATROVE: Program(datatrove, TENTH, SCRATCH / "datatrove" / "kept")}


def survivors(name, program):
    """What the last run kept, and its share of the pairs: the output is checked first."""
    command = [sys.executable, result.BENCHMARKS / "survivors.py", program.source, program.kept, "--pairs", PAIRS]
    # Rows of Parquet are written anew: their ids alone are compared.
    command += ["--rewritten"] * ("Parquet" in name)
    # In a process of its own: what it holds would count as held by every child.
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"{name}: wrong output")
    figures = json.loads(done.stdout)
    if name.startswith("nearprint"):
        summary = json.loads(SUMMARY.read_text())
        documents, kept = figures["documents"], figures["kept"]
        if (summary["documents"], summary["kept"], summary["removed"]) != (documents, kept, documents - kept):
            sys.exit(f"{name}: {documents} documents in, {kept} lines out, but the summary says {summary}")
    return figures


def prepare():
    """The corpus in other formats, and a tenth of it, whole and in halves."""
    halves = [HALVES / f"{half}.jsonl" for half in range(2)]
    if all(path.exists() and path.stat().st_mtime >= CORPUS.stat().st_mtime
           for path in [*FORMATS.values(), TENTH, *halves]):
        return
    import pyarrow
    import pyarrow.parquet

    with open(CORPUS, "rb") as rows, open(TENTH, "wb") as tenth:
        for number, row in enumerate(rows):
            if number % 10 == 0:
                tenth.write(row)
    HALVES.mkdir(exist_ok=True)
    with open(TENTH, "rb") as rows, open(halves[0], "w", encoding="utf-8") as first, \
            open(halves[1], "w", encoding="utf-8") as second:
        done, size = 0, TENTH.stat().st_size
        for row in rows:
            done += len(row)
            document = json.loads(row)
            document["id"] = str(document["id"])  # as datatrove expects: it drops the number 0
            line = json.dumps(document, ensure_ascii=False) + "\n"
            (first if 2 * done <= size else second).write(line)
    with open(CORPUS, "rb") as rows, gzip.open(FORMATS["gzip"], "wb", 6) as packed:
        while part := rows.read(1 << 20):
            packed.write(part)
    with open(CORPUS, "rb") as rows:
        table = pyarrow.Table.from_pylist([json.loads(row) for row in rows])
    pyarrow.parquet.write_table(table, FORMATS["Parquet"], compression="zstd", row_group_size=5000)


def near_pairs(nearprint):
    """Write the pairs that are near-duplicates, all of them, compared one by one, and say how many of what."""
    command = [nearprint, "dedup", TENTH, "-o", KEPT, "--force", "--quiet", "--summary", SUMMARY,
               "--pairs", PAIRS, "-k", "128", "--width", "128", "--verify", "jaccard=0.8"]
    subprocess.run(command, check=True)
    return f"{json.loads(SUMMARY.read_text())['pairs']} pairs of a tenth of the corpus"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each program (default: 5)")
    args = parser.parse_args()
    subprocess.run([sys.executable, result.BENCHMARKS / "corpus.py"], check=True)
    corpus = json.loads((DATA / "corpus.json").read_text())
    # In a process of its own: what it holds would count as held by every child.
    subprocess.run([sys.executable, "-c", "import dedup; dedup.prepare()"], check=True, cwd=result.BENCHMARKS)

    truth = near_pairs(args.nearprint)
    before = result.machine()
    programs = contenders(args.nearprint)
    kept = {UNPACK: {"kept": "", "caught": None}}

    def check(name):
        if name not in kept:
            kept[name] = survivors(name, programs[name])

    commands = {name: program.command for name, program in programs.items()}
    measured = measure.interleaved(commands, args.runs, check)
    for name, program in slow().items():
        print(f"once: {name}", file=sys.stderr)
        shutil.rmtree(SCRATCH, ignore_errors=True)
        programs[name], measured[name] = program, [measure.run(list(map(str, program.command)))]
        check(name)
    shutil.rmtree(SCRATCH, ignore_errors=True)

    summary, rows, speed = {}, [], {}
    rensa = measure.spread(measured[RENSA], "wall_s")["median"]
    for name, runs in measured.items():
        wall, cpu = measure.spread(runs, "wall_s"), measure.spread(runs, "cpu_s")
        memory, share = measure.spread(runs, "peak_bytes"), kept[name]["caught"]
        speed[name] = programs[name].source.stat().st_size / 1e6 / wall["median"]
        times = rensa / wall["median"] if programs[name].source == CORPUS and name != UNPACK else None
        summary[name] = {
            "wall_s": wall, "cpu_s": cpu, "peak_bytes": memory, **kept[name],
            "mb_per_s": round(speed[name], 2), "times_rensa": times and round(times, 2),
        }
        rows.append([name, result.span(wall, 2) if len(runs) > 1 else f"{wall['median']:.2f}", f"{speed[name]:.1f}",
                     f"{cpu['median']:.2f}", f"{memory['max'] / 1e6:.0f}", f"{times:.2f}" if times else "",
                     str(kept[name]["kept"]), "" if share is None else f"{math.floor(1e4 * share) / 1e4:.4f}"])

    def bar(what, value, bar, least=True):
        met = value >= bar if least else value <= bar
        return {"what": what, "bar": f"{'>=' if least else '<='} {bar}", "value": round(value, 2), "met": met}

    memory = {name: figures["peak_bytes"]["median"] for name, figures in summary.items()}
    words, default = named(WORDS), named(DEFAULT)
    bars = [
        bar("default, 2 threads: MB/s", speed[default], 220),
        bar("default, 2 threads: peak MB", summary[default]["peak_bytes"]["max"] / 1e6, 60, least=False),
        bar("default, 2 threads: times rensa", speed[default] / speed[RENSA], 3),
        bar("default, 2 threads: times rensa, 2 processes", speed[default] / speed[RENSA_2], 1.5),
        bar("default, a tenth: times text-dedup minhash", speed[DEFAULT_TENTH] / speed[TEXT_DEDUP], 100),
        bar("default, a tenth: times datatrove minhash", speed[DEFAULT_TENTH] / speed[DATATROVE], 100),
        bar("words, 2 threads: times rensa", speed[words] / speed[RENSA], 4),
        bar("3-shingles, 64 bits, k = 3, 2 threads: times text-dedup simhash, MB/s",
            speed[named(SHINGLES)] / speed[TEXT_DEDUP_SIMHASH], 150),
        bar("default, not verified, 2 threads: MB/s", speed[named(UNVERIFIED)], 200),
        bar("default: times as long as not verified", speed[named(UNVERIFIED)] / speed[default], 1.4, least=False),
        bar("words: peak memory beside rensa", memory[words] / memory[RENSA], 0.25, least=False),
        bar("default: peak memory beside rensa", memory[default] / memory[RENSA], 0.25, least=False),
        *(bar(f"{format}: documents a second beside JSONL", speed[named(WORDS, 2, format)] / speed[words], 0.7)
          for format in FORMATS),
    ]
    slower = speed[default] / speed[named(EXACT)]
    bars.insert(4, bar("exact: times as long as default", slower, 2.5, least=False))
    share = measure.others_share(measured)
    path = result.write("dedup", {
        "machine": before, "others_cpu_share": share, "input": corpus, "runs_each": args.runs,
        "near_pairs": truth, "bars": bars, "summary": summary, "runs": measured,
    })
    print(f"\ndedup: {corpus['documents']} documents, {corpus['bytes'] / 1e6:.1f} MB; "
          f"median (min-max) of {args.runs} runs; text-dedup and datatrove once\n")
    print(result.table(["program", "wall s", "MB/s", "CPU s", "peak MB", "x rensa", "kept", "caught"], rows))
    print(f"\ncaught: share, rounded down, of the {truth} at a Jaccard similarity of 0.8 or more by\n"
          "word 3-shingles, of which at most one document is kept. rensa and `words` count single words, text-dedup\n"
          "and datatrove n-grams of their own: their features differ, the pairs are the same.")
    print(f"\n{result.bars_text(bars)}\n{result.noise(share)}\nwritten: {path}")


if __name__ == "__main__":
    main()
