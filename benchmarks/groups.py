#!/usr/bin/env python3
"""Groups: what `--copies`, `--within`, `--across` and `--decisions` of `nearprint dedup` cost, and `nearprint decide`.

Costs are those of whole runs over the 300 MB corpus, with a field "dump" of a hundred values added, beside the same run
without the flag: their processor time, which other work on the machine changes least. Decisions are made again from
pairs of generated documents: groups of twelve near-duplicates, each pair of which was kept. The bars are those of two
threads on a quiet machine.

    scripts/bench groups                    the corpus and ten million pairs, five runs, some three minutes
    scripts/bench groups --documents 5000   the first documents of the corpus, and as many pairs in proportion
"""
import argparse
import itertools
import json
import pathlib
import random
import subprocess
import tempfile

import measure
import result

DATA = result.BENCHMARKS / "data"
CORPUS = DATA / "corpus.jsonl"
DOCUMENTS = 50_000
PAIRS = 10_000_000
GROUP = 12  # documents, and so 66 pairs
DUMPS = 100
FLAGS = {
    "dedup": [],
    "--copies": ["--copies"],
    "--count-by": ["--count-by", "dump"],
    "--within": ["--within", "dump"],
    "--across": ["--across", "dump"],
    "--group-by": ["--group-by", "dump"],
    "--decisions": ["--decisions", "{folder}/kept.decisions"],
}
DECISIONS = {
    "decide 0.9": ["--similarity", "0.9", "--removed", "{folder}/removed.jsonl"],
    "decide connected": ["--cluster-rule", "connected", "--removed", "{folder}/removed.jsonl"],
    "decide, 300 MB": ["--similarity", "0.9", "--removed", "{folder}/removed.jsonl", "--memory", "300MB"],
}
BARS = (
    ("--copies", "cost", "processor time of --copies, of dedup's", "<=", 1.05),
    ("--count-by", "cost", "processor time of --count-by, of dedup's", "<=", 1.05),
    ("--within", "cost", "processor time of --within, of dedup's", "<=", 1.05),
    ("decide 0.9", "wall_s", "seconds to decide again", "<=", 10),
    ("decide, 300 MB", "peak_mb", "peak MB within 300", "<=", 300),
)


def labelled(documents, out):
    """The first documents of the corpus, each of one of the dumps; returns how many there are."""
    dice, count = random.Random(7), 0
    with open(CORPUS, encoding="utf-8") as lines, open(out, "w", encoding="utf-8") as target:
        for line in itertools.islice(lines, documents):
            row = json.loads(line)
            row["dump"] = f"dump-{dice.randrange(DUMPS):02}"
            target.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count


def near(pairs, out):
    """Documents of 60 words in groups, of which each has one word of its own."""
    dice = random.Random(11)
    with open(out, "w", encoding="ascii") as target:
        for group in range(pairs // (GROUP * (GROUP - 1) // 2)):
            words = [f"w{group}x{at}" for at in range(60)]
            for number in range(GROUP):
                own = list(words)
                own[dice.randrange(60)] = f"own{number}"
                target.write(json.dumps({"id": f"{group}-{number}", "text": " ".join(own)}) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each")
    parser.add_argument("--documents", type=int, default=DOCUMENTS, help="only the first documents of the corpus")
    args = parser.parse_args()
    nearprint = args.nearprint.resolve()
    with tempfile.TemporaryDirectory(dir=DATA) as folder:
        source, pairs = pathlib.Path(folder, "corpus.jsonl"), pathlib.Path(folder, "near.jsonl")
        documents = labelled(args.documents, source)
        near(PAIRS * documents // DOCUMENTS, pairs)
        kept = pathlib.Path(folder, "near.decisions")
        subprocess.run([nearprint, "dedup", pairs, "--similarity", "0.6", "--decisions", kept, "-q"], check=True)
        common = ["-q", "--force", "--threads", "2", "--work-dir", folder]
        filled = {name: [flag.replace("{folder}", folder) for flag in flags]
                  for name, flags in (FLAGS | DECISIONS).items()}
        contenders = {name: [nearprint, "dedup", source, "-o", f"{folder}/out.jsonl", *common, *filled[name]]
                      for name in FLAGS}
        told = f"{folder}/summary.json"
        contenders |= {name: [nearprint, "decide", kept, "--summary", told, *common, *filled[name]]
                       for name in DECISIONS}
        known = {}
        figures = measure.interleaved(
            contenders, args.runs,
            lambda name: known.update({name: json.loads(pathlib.Path(told).read_text())} if name in DECISIONS else {}))
    summary = {}
    for name, runs in figures.items():
        middle = {key: measure.spread(runs, key)["median"] for key in ("wall_s", "cpu_s")}
        summary[name] = {**middle, "peak_mb": round(max(run["peak_bytes"] for run in runs) / 1e6, 1)}
        if name in DECISIONS:
            summary[name]["pairs"] = known[name]["candidates"]
            summary[name]["removed"] = known[name]["removed"]
        else:
            summary[name]["cost"] = round(middle["cpu_s"] / summary["dedup"]["cpu_s"], 3)
    header = ["wall_s", "cpu_s", "peak_mb", "cost", "pairs", "removed"]
    rows = [[name, *(str(row.get(key, "")) for key in header)] for name, row in summary.items()]
    print(result.table(["run", *header], rows))
    bars = result.judged(BARS, summary)
    print(result.bars_text(bars))
    print("written:", result.write("groups", {"documents": documents, "runs": figures, "summary": summary, "bars": bars}))


if __name__ == "__main__":
    main()
