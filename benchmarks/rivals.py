#!/usr/bin/env python3
"""The table of README.md: deduplication by nearprint, rensa, datasketch and text-dedup, and how much of it is right.

The corpus is that of answers.py: over 80 000 pages of documentation, reduced to words of letters between blanks. So one
feature, three words in a row, means the same to every program, and each is asked for a Jaccard similarity of 0.8 of
these features, on two cores. What else they can be told is as their documentation has it.

A plain join that compares sets of features exactly, and shares nothing with nearprint, finds every pair of documents at
a similarity of 0.8 or more. Of what a program keeps, survivors.py counts by these pairs:

- wrong: the documents removed of which no near-duplicate is kept: their content is gone.
- chained: those of them that a chain of near-duplicates joins to a document that is kept. text-dedup means such chains.
- left in: the pairs of near-duplicates of which both documents are kept.

Whole processes are timed, in turn, and the fastest run of each is told: on a machine that does other things too, it is
the one that was disturbed least. The memory of a program of several processes is that of its largest.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys

import measure
import result

DATA, PEERS = result.BENCHMARKS / "data", result.BENCHMARKS / "peers"
CORPUS, PAIRS = DATA / "rivals.jsonl", DATA / "rivals-pairs.jsonl"
KEPT, SCRATCH = DATA / "rivals-kept.jsonl", DATA / "rivals-scratch"
SIMILARITY, SHINGLE, CORES = 0.8, 3, 2
NEARPRINT, EXACT = "nearprint", "nearprint, all pairs"


def prepare():
    """Write the corpus, and every pair of it that is near."""
    if PAIRS.exists():
        return
    import answers

    sets = answers.written(CORPUS)
    pairs, _ = answers.joined(sets, SIMILARITY)
    partial = PAIRS.with_suffix(".partial")
    with open(partial, "w", encoding="utf-8") as out:
        out.writelines(json.dumps({"a": a, "b": b}) + "\n" for a, b in sorted(pairs))
    partial.rename(PAIRS)


def programs(nearprint):
    """For each program what it is told in words, its command, and where it leaves what it keeps."""
    def dedup(*flags):
        return " ".join(["nearprint dedup pages.jsonl -o kept.jsonl", *flags]), [
            nearprint, "dedup", CORPUS, "-o", KEPT, "--force", "--quiet", "--threads", CORES, *flags], KEPT

    def peer(name):
        return [sys.executable, PEERS / name, CORPUS, KEPT, CORES, SHINGLE]

    told = f"--ngram {SHINGLE} --threshold {SIMILARITY} --min_length 1"
    text_dedup = [result.BENCHMARKS / ".venv-text-dedup/bin/python", "-m", "text_dedup.minhash", "--path", "json",
                  "--data_files", CORPUS, "--split", "train", "--cache_dir", SCRATCH / "cache", "--output",
                  SCRATCH / "kept", "--column", "text", "--num_proc", CORES, *told.split()]
    return {
        NEARPRINT: dedup(),
        EXACT: dedup("--recall", "exact"),
        "rensa 0.5.0": ("RMinHashDeduplicator(0.8, 128, True, 16)", peer("rensa_parallel.py"), KEPT),
        "datasketch 2.0.0": ("MinHashLSH(threshold=0.8)", peer("datasketch_dedup.py"), KEPT),
        "text-dedup 0.4.0": (f"python -m text_dedup.minhash {told}", text_dedup, SCRATCH / "kept"),
    }


def judged(kept):
    """What was kept, and how much of it is right."""
    # In a process of its own: what it holds would count as held by every child.
    command = [sys.executable, result.BENCHMARKS / "survivors.py", CORPUS, kept, "--pairs", PAIRS, "--all-pairs"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--runs", type=int, default=3, help="timed runs of each program (default: 3)")
    args = parser.parse_args()
    DATA.mkdir(exist_ok=True)
    subprocess.run([sys.executable, "-c", "import rivals; rivals.prepare()"], check=True, cwd=result.BENCHMARKS)

    machine, contenders = result.machine(), programs(args.nearprint)
    measured, found = {name: [] for name in contenders}, {}
    for turn in range(1, args.runs + 1):
        for name, (_, command, kept) in contenders.items():
            print(f"run {turn} of {args.runs}: {name}", file=sys.stderr)
            shutil.rmtree(SCRATCH, ignore_errors=True)  # text-dedup would take what it finds there
            measured[name].append(measure.run(list(map(str, command))))
            figures = judged(kept)
            if found.setdefault(name, figures) != figures:
                print(f"note: {name} kept other documents than before: {figures}", file=sys.stderr)
    shutil.rmtree(SCRATCH, ignore_errors=True)

    summary = {}
    for name, runs in measured.items():
        summary[name] = {"told": contenders[name][0], "wall_s": min(run["wall_s"] for run in runs),
                         "peak_bytes": max(run["peak_bytes"] for run in runs), **found[name]}
    rows = [[name, figures["told"], f"{figures['wall_s']:.1f} s", f"{figures['peak_bytes'] / 1e6:.0f} MB",
             *(f"{figures[key]:,}" for key in ("kept", "wrong", "chained", "left_in"))]
            for name, figures in summary.items()]
    documents, pairs = found[NEARPRINT]["documents"], sum(1 for _ in open(PAIRS, "rb"))
    bars = result.judged([(NEARPRINT, "wrong", "nearprint: wrong", "<=", 0),
                          (EXACT, "wrong", "nearprint, all pairs: wrong", "<=", 0),
                          (EXACT, "left_in", "nearprint, all pairs: left in", "<=", 0)], summary)
    path = result.write("rivals", {
        "machine": machine, "others_cpu_share": measure.others_share(measured), "documents": documents,
        "bytes": CORPUS.stat().st_size, "near_pairs": pairs, "runs_each": args.runs, "bars": bars, "summary": summary,
        "runs": measured,
    })
    print(f"\nrivals: {documents} documents, {CORPUS.stat().st_size / 1e6:.0f} MB, {pairs} pairs at a Jaccard "
          f"similarity of {SIMILARITY} or more by word {SHINGLE}-shingles; fastest of {args.runs} runs\n")
    print(result.markdown(["tool", "told", "time", "peak memory", "kept", "wrong", "chained", "left in"], rows))
    print(f"\n{result.bars_text(bars)}\n{result.noise(measure.others_share(measured))}\nwritten: {path}")


if __name__ == "__main__":
    main()
