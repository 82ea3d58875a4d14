#!/usr/bin/env python3
"""Ten million short documents through `nearprint dedup` with its defaults within 2 GB, and a million beside them.

Each document is three passages of thirty words from the documentation corpus, drawn at random: its
own text. Of a hundred, ten are copies of an earlier one with a word in twelve changed at most, and
five are copies as they are. What a document costs must hardly grow with their number.

With --tiny a hundred million documents of fifteen words alone: three fragments of five from that corpus,
as many copies among them, one word changed; 13 GB of input, twice as much of disk in all.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys

import measure
import result

DATA = result.BENCHMARKS / "data"
CORPUS, KEPT, SUMMARY = DATA / "corpus.jsonl", DATA / "kept-scale.jsonl", DATA / "summary-scale.json"
PASSAGE, PASSAGES = 30, 3
SIZES = {"1M": 1_000_000, "10M": 10_000_000}
FRAGMENT, TINY = 5, 100_000_000
SETTING = ["--memory", "2G"]
MOST_SECONDS = {"1M": 6, "10M": 75}
CAP = 2 << 30


def documents(count):
    """Rows of JSONL, the same every time."""
    chance = random.Random(7)
    passages = []
    with open(CORPUS, encoding="utf-8") as rows:
        for row in rows:
            words = json.loads(row)["text"].split()
            passages += [" ".join(words[at:at + PASSAGE]) for at in range(0, len(words) - PASSAGE, PASSAGE)]
    passages = [json.dumps(passage, ensure_ascii=False)[1:-1] for passage in passages if len(passage) < 400]
    recent = []
    for number in range(count):
        kind = chance.random()
        if recent and kind < 0.15:
            text = recent[int(chance.random() * len(recent))]
            if kind < 0.10:
                words = text.split(" ")
                for _ in range(1 + int(chance.random() * 3)):
                    words[int(chance.random() * len(words))] = f"edit{number}"
                text = " ".join(words)
        else:
            text = " ".join(passages[int(chance.random() * len(passages))] for _ in range(PASSAGES))
        if len(recent) < 1_000_000:
            recent.append(text)
        else:
            recent[int(chance.random() * len(recent))] = text
        yield f'{{"id":{number},"text":"{text}"}}\n'


def tiny(count, step=100_000):
    """Rows of JSONL of fifteen words, the same every time."""
    chance = random.Random(8)
    fragments = []
    with open(CORPUS, encoding="utf-8") as rows:
        for row in rows:
            words = json.loads(row)["text"].split()
            parts = (" ".join(words[at:at + FRAGMENT]) for at in range(0, len(words) - FRAGMENT, FRAGMENT))
            fragments += [json.dumps(part, ensure_ascii=False)[1:-1] for part in parts if len(part) < 80]
    recent = []
    for start in range(0, count, step):
        picks = iter(chance.choices(fragments, k=3 * step))
        for number, kind in enumerate(chance.choices("new edited copy".split(), (85, 10, 5), k=step), start):
            if kind == "new" or not recent:
                text = f"{next(picks)} {next(picks)} {next(picks)}"
            else:
                text = recent[int(chance.random() * len(recent))]
            if kind == "edited":
                words = text.split(" ")
                words[int(chance.random() * len(words))] = f"edit{number}"
                text = " ".join(words)
            if len(recent) < 1_000_000:
                recent.append(text)
            elif number % 16 == 0:
                recent[int(chance.random() * len(recent))] = text
            yield f'{{"id":{number},"text":"{text}"}}\n'


def written(path, rows):
    """The file of these rows."""
    if not path.exists():
        partial = path.with_suffix(".partial")
        print(f"writing {path.name}", file=sys.stderr)
        with open(partial, "w", encoding="utf-8", buffering=1 << 20) as out:
            out.writelines(rows)
        partial.rename(path)
    return path


def corpus(size):
    """The file of so many documents, or of the tiny ones."""
    if size == "tiny":
        return written(DATA / "tiny-100M.jsonl", tiny(TINY))
    return written(DATA / f"short-{size}.jsonl", documents(SIZES[size]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--runs", type=int, default=1, help="timed runs of each size (default: 1)")
    parser.add_argument("--prepare", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--default", action="store_true", help="without a limit on memory too")
    parser.add_argument("--tiny", action="store_true", help="a hundred million documents of fifteen words alone")
    args = parser.parse_args()
    sizes = ["tiny"] if args.tiny else list(SIZES)
    args.default = args.default and not args.tiny
    if args.prepare:
        for size in sizes:
            corpus(size)
        return
    subprocess.run([sys.executable, result.BENCHMARKS / "corpus.py"], check=True)
    # In a process of its own: what it holds would count as held by every child.
    again = [sys.executable, __file__, "--nearprint", args.nearprint, "--prepare"]
    subprocess.run(again + ["--tiny"] * args.tiny, check=True)

    before = result.machine()

    def command(path, *setting):
        return [args.nearprint, "dedup", path, "-o", KEPT, "--force", "--quiet", "--summary", SUMMARY,
                "--threads", "2", *setting]

    summary, rows, runs = {}, [], {}
    first = [] if args.tiny else SETTING
    todo = [(size, size, first) for size in sizes]
    if args.default:
        todo += [(f"{size}, default memory", size, []) for size in sizes]
    for name, size, setting in todo:
        path = corpus(size)
        # From memory where it fits: a file of its size decides otherwise how much of the time is the disk's.
        subprocess.run(["cat", path], stdout=subprocess.DEVNULL, check=True)
        measured = [measure.run(command(path, *setting)) for _ in range(args.runs)]
        told = json.loads(SUMMARY.read_text())
        wall, memory = measure.spread(measured, "wall_s"), measure.spread(measured, "peak_bytes")
        megabytes = path.stat().st_size / 1e6
        runs[name] = measured
        summary[name] = {"wall_s": wall, "peak_bytes": memory, "megabytes": round(megabytes, 1),
                         "documents": told["documents"], "kept": told["kept"], "removed": told["removed"],
                         "candidates": told["candidates"], "seconds": told["seconds"]}
        rows.append([name, f"{megabytes:.0f}", result.span(wall, 1), f"{megabytes / wall['median']:.0f}",
                     f"{memory['max'] / 1e6:.0f}", str(told["kept"]), str(told["removed"])])
    peak = {size: summary[size]["peak_bytes"]["max"] for size in sizes}
    if args.tiny:
        each = peak["tiny"] / TINY
        long = summary["tiny"]["wall_s"]["median"]
        bars = [{"what": "bytes of memory a document", "bar": "<= 40", "value": round(each, 1), "met": each <= 40},
                {"what": "100M: s", "bar": "<= 900", "value": long, "met": long <= 900}]
    else:
        growth = summary["10M"]["wall_s"]["median"] / summary["1M"]["wall_s"]["median"] / 10
        share = max(peak.values()) / CAP
        bars = [
            {"what": "a document of 10M beside one of 1M, time", "bar": "<= 1.3", "value": round(growth, 2),
             "met": growth <= 1.3},
            {"what": "peak memory beside the cap of 2G", "bar": "<= 1.1", "value": round(share, 2),
             "met": share <= 1.1},
        ]
        for size, most in MOST_SECONDS.items():
            long = summary[size]["wall_s"]["median"]
            bars.append({"what": f"{size}: s", "bar": f"<= {most}", "value": long, "met": long <= most})
    if args.default:
        peaks = [summary[f"{size}, default memory"]["peak_bytes"]["max"] for size in sizes]
        each = (peaks[1] - peaks[0]) / 9e6
        bars.append({"what": "bytes of memory for each document more, default memory", "bar": "<= 40",
                     "value": round(each, 1), "met": each <= 40})
    path = result.write("scale-tiny" if args.tiny else "scale", {
        "machine": before, "setting": first, "bars": bars, "summary": summary, "runs": runs,
    })
    print(f"\nscale: short documents, default setting {' '.join(first)}\n")
    print(result.table(["documents", "MB", "wall s", "MB/s", "peak MB", "kept", "removed"], rows))
    print(f"\n{result.bars_text(bars)}\nwritten: {path}")


if __name__ == "__main__":
    main()
