#!/usr/bin/env python3
"""A corpus in, survivors out: `nearprint dedup` against rensa and text-dedup, on 300 MB of text.

The whole process is timed: start, read, fingerprint, search, write. MB are 10^6 bytes of the input
as plain JSONL. rensa compares sets of single words by MinHash, on one thread, and nearprint's recipe
`words` is of its class; the default recipe makes word 3-shingles and verifies what it finds.
text-dedup's SimHash is given every tenth document, since all of them take it minutes. A gzip file is
read twice, so what `gzip -dc` takes for one reading says how much of that run is unpacking.
"""
import argparse
import gzip
import json
import pathlib
import subprocess
import sys

import measure
import result

DATA = result.BENCHMARKS / "data"
CORPUS, KEPT, SUMMARY = DATA / "corpus.jsonl", DATA / "kept.jsonl", DATA / "summary.json"
TENTH, TENTH_KEPT = DATA / "corpus-tenth.jsonl", DATA / "kept-tenth"
FORMATS = {"gzip": DATA / "corpus.jsonl.gz", "Parquet": DATA / "corpus.parquet"}
RENSA = "rensa 0.5.0, words"
UNPACK = "gzip -dc, which unpacks the gzip file once and does no more"
WORDS, DEFAULT, UNVERIFIED = "words", "default", "default, not verified"
SHINGLES = "3-shingles, 64 bits, k = 3"  # what text-dedup's simhash does by default
RECIPES = {
    WORDS: ["--recipe", "words", "--width", "64", "-k", "3"],
    SHINGLES: ["--width", "64", "-k", "3"],
    UNVERIFIED: ["--verify", "none"],
    DEFAULT: [],
}


def named(recipe, threads=2, format=None):
    """The name of a row."""
    s = "" if threads == 1 else "s"
    return f"nearprint, {recipe}, {threads} thread{s}" + (f", {format}" if format else "")


def contenders(nearprint):
    """The commands by name."""
    def command(recipe, threads=2, source=CORPUS):
        return [nearprint, "dedup", source, "-o", KEPT, "--force", "--quiet", "--summary", SUMMARY,
                "--threads", str(threads), *RECIPES[recipe]]
    return {
        named(WORDS, 1): command(WORDS, 1),
        **{named(recipe): command(recipe) for recipe in RECIPES},
        **{named(WORDS, 2, format): command(WORDS, 2, source) for format, source in FORMATS.items()},
        RENSA: [sys.executable, result.BENCHMARKS / "peers" / "rensa_dedup.py", CORPUS, KEPT],
        UNPACK: ["gzip", "-dc", FORMATS["gzip"]],
    }


def survivors(name, documents):
    """The number of lines kept by the last run, which must be lines of the input in its order."""
    kept = 0
    with open(CORPUS, "rb") as rows, open(KEPT, "rb") as lines:
        for line in lines:
            # Rows of Parquet are written anew: their ids alone are compared.
            same = json.loads(line)["id"] if "Parquet" in name else None
            found = any(json.loads(row)["id"] == same for row in rows) if "Parquet" in name else line in rows
            if not found:  # reads on until the line is found
                sys.exit(f"{name}: line {kept + 1} of the output is not the input's, or out of order")
            kept += 1
    if name != RENSA:
        summary = json.loads(SUMMARY.read_text())
        if (summary["documents"], summary["kept"], summary["removed"]) != (documents, kept, documents - kept):
            sys.exit(f"{name}: {documents} documents in, {kept} lines out, but the summary says {summary}")
    return kept


def prepare():
    """The corpus in other formats, and a tenth of it."""
    if all(path.exists() and path.stat().st_mtime >= CORPUS.stat().st_mtime
           for path in [*FORMATS.values(), TENTH]):
        return
    import pyarrow
    import pyarrow.parquet

    with open(CORPUS, "rb") as rows, open(TENTH, "wb") as tenth:
        for number, row in enumerate(rows):
            if number % 10 == 0:
                tenth.write(row)
    with open(CORPUS, "rb") as rows, gzip.open(FORMATS["gzip"], "wb", 6) as packed:
        while part := rows.read(1 << 20):
            packed.write(part)
    with open(CORPUS, "rb") as rows:
        table = pyarrow.Table.from_pylist([json.loads(row) for row in rows])
    pyarrow.parquet.write_table(table, FORMATS["Parquet"], compression="zstd", row_group_size=5000)


def text_dedup():
    """One run of text-dedup's SimHash with its defaults on two processes: its figures, or why not."""
    python = result.BENCHMARKS / ".venv-text-dedup" / "bin" / "python"
    if not python.exists():
        return None
    command = [python, "-m", "text_dedup.simhash", "--path", "json", "--data_files", TENTH, "--split", "train",
               "--cache_dir", DATA / "text-dedup-cache", "--output", TENTH_KEPT, "--column", "text",
               "--batch_size", "10000", "--num_proc", "2"]
    return measure.run([str(part) for part in command])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each program (default: 5)")
    args = parser.parse_args()
    subprocess.run([sys.executable, result.BENCHMARKS / "corpus.py"], check=True)
    corpus = json.loads((DATA / "corpus.json").read_text())
    megabytes = corpus["bytes"] / 1e6
    # In a process of its own: what it holds would count as held by every child.
    subprocess.run([sys.executable, "-c", "import dedup; dedup.prepare()"], check=True, cwd=result.BENCHMARKS)

    before = result.machine()
    kept = {}

    def check(name):
        kept[name] = "" if name == UNPACK else survivors(name, corpus["documents"])

    measured = measure.interleaved(contenders(args.nearprint), args.runs, check)
    print("once: text-dedup, a tenth", file=sys.stderr)
    slow = text_dedup()
    summary, rows = {}, []
    rensa = measure.spread(measured[RENSA], "wall_s")["median"]
    for name, runs in measured.items():
        wall, cpu = measure.spread(runs, "wall_s"), measure.spread(runs, "cpu_s")
        memory = measure.spread(runs, "peak_bytes")
        summary[name] = {
            "wall_s": wall, "cpu_s": cpu, "peak_bytes": memory, "kept": kept[name],
            "mb_per_s": round(megabytes / wall["median"], 1),
            "times_rensa": round(rensa / wall["median"], 2),
        }
        rows.append([name, result.span(wall, 2), f"{summary[name]['mb_per_s']:.1f}", f"{cpu['median']:.2f}",
                     f"{memory['max'] / 1e6:.0f}", f"{summary[name]['times_rensa']:.2f}", str(kept[name])])

    def bar(what, value, bar, least=True):
        met = value >= bar if least else value <= bar
        return {"what": what, "bar": f"{'>=' if least else '<='} {bar}", "value": round(value, 2), "met": met}

    speed = {name: figures["mb_per_s"] for name, figures in summary.items()}
    memory = {name: figures["peak_bytes"]["median"] for name, figures in summary.items()}
    words = named(WORDS)
    bars = [
        bar("words, 2 threads: times rensa", summary[words]["times_rensa"], 4),
        bar("default, not verified, 2 threads: MB/s", speed[named(UNVERIFIED)], 200),
        bar("verification: times as long", speed[named(UNVERIFIED)] / speed[named(DEFAULT)], 1.4, least=False),
        bar("words: peak memory beside rensa", memory[words] / memory[RENSA], 0.25, least=False),
        bar("default: peak memory beside rensa", memory[named(DEFAULT)] / memory[RENSA], 0.25, least=False),
        *(bar(f"{format}: documents a second beside JSONL", speed[named(WORDS, 2, format)] / speed[words], 0.7)
          for format in FORMATS),
    ]
    if slow:
        slow["mb_per_s"] = round(TENTH.stat().st_size / 1e6 / slow["wall_s"], 2)
        bars.insert(1, bar("3-shingles, 64 bits, k = 3, 2 threads: times text-dedup simhash, MB/s",
                           speed[named(SHINGLES)] / slow["mb_per_s"], 150))
        rows.append(["text-dedup 0.4.0 simhash, a tenth", f"{slow['wall_s']:.1f}", f"{slow['mb_per_s']:.2f}",
                     f"{slow['cpu_s']:.1f}", f"{slow['peak_bytes'] / 1e6:.0f}", "", ""])
    share = measure.others_share(measured)
    path = result.write("dedup", {
        "machine": before, "others_cpu_share": share, "input": corpus, "runs_each": args.runs,
        "bars": bars, "summary": summary, "text_dedup": slow, "runs": measured,
    })
    print(f"\ndedup: {corpus['documents']} documents, {megabytes:.1f} MB; median (min-max) of {args.runs} runs\n")
    print(result.table(["program", "wall s", "MB/s", "CPU s", "peak MB", "x rensa", "kept"], rows))
    print(f"\n{result.bars_text(bars)}\n{result.noise(share)}\nwritten: {path}")


if __name__ == "__main__":
    main()
