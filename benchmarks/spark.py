#!/usr/bin/env python3
"""`nearprint.spark.dedup` beside `nearprint dedup`, text-dedup's Spark job and PySpark's own MinHashLSH.

Every program of Spark has a process of its own, two executors of one core (local-cluster), and the documents as
Parquet; it writes what stays as Parquet. Its seconds are counted from the moment when both executors are there, for
all programs alike: the start of a session is not in them, the start of Python on the executors is. `nearprint dedup`
has two threads and the same documents as JSONL; its whole process is timed. benchmarks/spark_run.py says how the rest
is measured.

The sizes: 1M and 4M are the documents of the benchmark `scale`; corpus is 300 MB of documentation; boilerplate-1M and
boilerplate-4M are pages of 100 words that have 70 in common with all others, as in the benchmark `hostile`.

- text-dedup 0.4.0, its job for Spark with its defaults: 25 bands of 10 hashes, 5-grams of words.
- MinHashLSH.approxSimilarityJoin over word 3-shingles at a distance of 0.2 or less. A pair at a similarity of 0.8 is a
  candidate with a chance of 1 - 0.2^TABLES.

A peer that has not ended after --limit seconds is killed; its bar counts the seconds until then.

`caught`: of the pairs at a Jaccard similarity of 0.8 or more that `nearprint dedup --recall exact --pairs` lists, the
share of which a program keeps at most one document. `listed`: the share that MinHashLSH lists. nearprint.spark must
keep the documents that `nearprint dedup` keeps.
"""
import argparse
import itertools
import json
import pathlib
import shutil
import subprocess
import sys

import measure
import result
import spark_run

DATA, PEERS = result.BENCHMARKS / "data", result.BENCHMARKS / "peers"
CORPUS = DATA / "corpus.jsonl"
DEDUP, SPARK, TEXT_DEDUP, LSH = "nearprint dedup", "nearprint.spark", "text-dedup 0.4.0", "PySpark MinHashLSH"
PYTHON = {SPARK: result.BENCHMARKS / ".venv-spark/bin/python", LSH: result.BENCHMARKS / ".venv-spark/bin/python",
          TEXT_DEDUP: result.BENCHMARKS / ".venv-text-dedup/bin/python"}
SHORT = {"10k": 10_000, "100k": 100_000, "1M": 1_000_000, "4M": 4_000_000}
BOILERPLATE = {f"boilerplate-{name}": count for name, count in SHORT.items()}
SIMILARITY, TABLES, FILE = 0.8, 5, 250_000
# Bytes a document of `scale`, as docs/scale.md says.
SHUFFLED = 770
# Peers run where they can end; growth is nearprint's.
WITH_PEERS = ("10k", "100k", "1M", "corpus")
GROWTH = [("1M", "4M"), ("boilerplate-1M", "boilerplate-4M")]


def count_of(size):
    """The number of documents of a size."""
    if size == "corpus":
        return json.loads((DATA / "corpus.json").read_text())["documents"]
    return SHORT.get(size) or BOILERPLATE[size]


def rows_of(size):
    """The documents as rows of JSONL, whose ids are numbers from 0."""
    if size == "corpus":
        return open(CORPUS, encoding="utf-8")
    if size in SHORT:
        import scale
        return scale.documents(count_of(size))
    import hostile
    return hostile.boilerplate_rows(count_of(size))


def folders(size):
    """Where the documents are as JSONL, and as Parquet."""
    return DATA / f"spark-{size}" / "jsonl", DATA / f"spark-{size}" / "parquet"


def prepare(size):
    """Write the documents both ways, in four files or more."""
    import orjson
    import pyarrow
    import pyarrow.parquet

    whole = DATA / f"spark-{size}"
    if whole.exists():
        return
    print(f"writing {whole.name}", file=sys.stderr)
    partial = whole.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    for name in ("jsonl", "parquet"):
        (partial / name).mkdir(parents=True)
    rows, count, begun = rows_of(size), count_of(size), 0
    each = min(FILE, -(-count // 4))
    for part in range(-(-count // each)):
        lines = list(itertools.islice(rows, each))
        (partial / "jsonl" / f"{part:03}.jsonl").write_text("".join(lines), encoding="utf-8")
        documents = [orjson.loads(line) for line in lines]
        table = pyarrow.table({
            "id": [document["id"] for document in documents], "text": [document["text"] for document in documents],
            "number": pyarrow.array(range(begun, begun + len(lines)), pyarrow.int64())})
        path = partial / "parquet" / f"{part:03}.parquet"
        pyarrow.parquet.write_table(table, path, compression="zstd", row_group_size=max(1, each // 10))
        begun += len(lines)
    partial.rename(whole)


def kept(program):
    """Where a program leaves what it keeps."""
    return spark_run.SCRATCH / "kept" if program != DEDUP else DATA / "spark-kept"


def dedup(nearprint, size, *options):
    """The command of one machine."""
    return [nearprint, "dedup", folders(size)[0], "-o", f"{kept(DEDUP)}/", "--force", "--quiet", "--threads", "2",
            "--similarity", str(SIMILARITY), *options]


def run(program, nearprint, size, limit):
    """One run of a program: its figures."""
    parquet, out = folders(size)[1], kept(program)
    if program == DEDUP:
        return {**measure.run(dedup(nearprint, size)), "ended": "ok", "shuffled_bytes": None}
    command = {
        SPARK: [result.BENCHMARKS / "spark_dedup.py", parquet, out],
        TEXT_DEDUP: ["-m", "text_dedup.minhash_spark", "--input", parquet, "--output", out, "--column", "text",
                     "--checkpoint_dir", spark_run.SCRATCH / "checkpoints"],
        LSH: [PEERS / "spark" / "minhash_lsh.py", parquet, out, spark_run.SCRATCH / "pairs", TABLES, SIMILARITY],
    }[program]
    return spark_run.run(list(map(str, command)), PYTHON[program], limit)


def quality(program, size, pairs):
    """What a run kept, beside the pairs and beside what nearprint dedup kept. In a process of its own: what it holds
    would count as held by every child."""
    command = [sys.executable, result.BENCHMARKS / "spark_kept.py", str(count_of(size)), kept(program), kept(DEDUP),
               pairs]
    command += ["--listed", spark_run.SCRATCH / "pairs"] * (program == LSH)
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        sys.exit(f"{size}, {program}: wrong output")
    return json.loads(done.stdout)


def measured(program, nearprint, size, args, pairs):
    """The runs of a program, the median of each figure, and what it kept."""
    turns = args.runs if program in (DEDUP, SPARK) else 1
    runs = []
    for _ in range(turns):
        print(f"{size}: {program}", file=sys.stderr)
        runs.append(run(program, nearprint, size, args.limit))
    told = {**runs[-1], "runs": runs}
    if told["ended"] == "ok":
        told.update((key, measure.spread(runs, key)["median"]) for key in ("wall_s", "cpu_s", "peak_bytes"))
        told.update(quality(program, size, pairs))
    else:
        said = spark_run.LOG.read_text(errors="replace")[-2000:]
        print(f"{size}: {program} {told['ended']}: {said}", file=sys.stderr)
    if program == SPARK and not told.get("same"):
        sys.exit(f"{size}: nearprint.spark has not kept what nearprint dedup keeps")
    return told


def bars_of(figures):
    """The bars of all sizes that were measured."""
    bars = []

    def bar(what, value, bar, least=True):
        met = value >= bar if least else value <= bar
        bars.append({"what": what, "bar": f"{'>=' if least else '<='} {bar}", "value": round(value, 3), "met": met})

    for size, of in figures.items():
        ours = of[SPARK]
        for peer in (TEXT_DEDUP, LSH):
            ended = of[peer]["ended"] if peer in of else "failed"
            if ended != "failed":
                killed = ", which was killed" if ended == "killed" else ""
                bar(f"{size}: times {peer}{killed}", of[peer]["wall_s"] / ours["wall_s"], 5)
            if ended == "ok":
                bar(f"{size}: caught beside {peer}", ours["caught"] / of[peer]["caught"], 1)
        if size in WITH_PEERS:
            bar(f"{size}: time beside nearprint dedup", ours["wall_s"] / of[DEDUP]["wall_s"], 4, least=False)
        if size in SHORT:
            shuffled = ours["shuffled_bytes"] / count_of(size)
            bar(f"{size}: bytes shuffled beside docs/scale.md", shuffled / SHUFFLED, 1.3, least=False)
    for small, large in GROWTH:
        if {small, large} <= figures.keys():
            growth = figures[large][SPARK]["wall_s"] / figures[small][SPARK]["wall_s"]
            bar(f"{large}: times the time of {small}", growth, 4.5, least=False)
    return bars


def table(figures):
    """A row for each program of each size."""
    def cell(value, form):
        return "" if value is None else format(value, form)

    rows = []
    for size, of in figures.items():
        for program, told in of.items():
            shuffled = told["shuffled_bytes"]
            rows.append([
                f"{size}, {program}", {"ok": "", "killed": "> ", "failed": "failed"}[told["ended"]]
                + cell(told["wall_s"], ".1f"), cell(told["cpu_s"], ".1f"), cell(told["peak_bytes"] / 1e6, ".0f"),
                cell(shuffled and shuffled / count_of(size), ".0f"), cell(told.get("kept"), "d"),
                cell(told.get("caught"), ".5f"), cell(told.get("listed"), ".5f")])
    return result.table(["program", "s", "CPU s", "peak MB", "shuffled B a document", "kept", "caught", "listed"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the command of the wheel")
    parser.add_argument("--runs", type=int, default=1, help="runs of nearprint (default: 1); peers run once")
    parser.add_argument("--sizes", default="1M,corpus,4M,boilerplate-1M,boilerplate-4M",
                        help=f"of {', '.join([*SHORT, 'corpus', *BOILERPLATE])} (default: %(default)s)")
    parser.add_argument("--limit", type=int, default=1200, help="seconds that a process of Spark gets (default: 1200)")
    parser.add_argument("--prepare", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    sizes = args.sizes.split(",")
    unknown = [size for size in sizes if size != "corpus" and size not in SHORT and size not in BOILERPLATE]
    if unknown:
        parser.error(f"no size {', '.join(unknown)}")
    if args.prepare:
        for size in sizes:
            prepare(size)
        return
    subprocess.run([sys.executable, result.BENCHMARKS / "corpus.py"], check=True)
    # In a process of its own: what it holds would count as held by every child.
    again = [sys.executable, __file__, "--nearprint", args.nearprint, "--sizes", args.sizes, "--prepare"]
    subprocess.run(again, check=True)
    before, figures, pairs = result.machine(), {}, DATA / "spark-pairs.jsonl"
    for size in sizes:
        # From memory where it fits: a folder of its size decides otherwise how much of the time is the disk's.
        subprocess.run(f"cat {DATA}/spark-{size}/*/* > /dev/null", shell=True, check=True)
        subprocess.run(dedup(args.nearprint, size, "--recall", "exact", "--pairs", pairs), check=True)
        programs = [DEDUP, SPARK, *((TEXT_DEDUP, LSH) if size in WITH_PEERS else ())]
        figures[size] = {program: measured(program, args.nearprint, size, args, pairs) for program in programs}
        print(f"{table({size: figures[size]})}\n", file=sys.stderr)
    shutil.rmtree(spark_run.SCRATCH, ignore_errors=True)
    bars = bars_of(figures)
    print(table(figures))
    print(f"\n{result.bars_text(bars)}")
    print("written:", result.write("spark", {
        "machine": before, "executors": spark_run.MASTER, "tables_of_minhash_lsh": TABLES, "limit_s": args.limit,
        "figures": figures, "bars": bars}))


if __name__ == "__main__":
    main()
