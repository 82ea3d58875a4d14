#!/usr/bin/env python3
"""Passages: is what `nearprint passages` cuts the truth, how fast is it, and does it keep to --memory?

Truth, on the words in ASCII, lower case, of all the documentation that the benchmarks download, as rows: all windows of
50 words are told apart exactly, without a hash, by the ranks of runs of 1, 2, 4 up to 32 words (prefix doubling). Of
equal windows all but the first are later copies, and their words go, but for those of the first where a text repeats
itself. --annotate must name these words, no more and no fewer, also within little memory.

With --suffix-array PROGRAM, the dedup_dataset of https://github.com/google-research/deduplicate-text-datasets, built
there by `cargo build --release`, finds the repeated windows of the same words too. It reads bytes: four for each word, a
number that is mixed, so that parts of other words are equal by chance alone, and one of its own behind each document.
What it names must be the words of all windows that occur twice. Its processor time is that of three steps in memory
(make, self-similar, collect); ours is that of the command, which also reads JSONL and writes the texts that it cut.

Speed and peak memory are those of whole runs: on the corpus as it is, on what `nearprint dedup` leaves of it, on what
`nearprint passages` leaves, in which nearly nothing repeats, and on one passage in every document. MB are 10^6 bytes of
the input; the bars are those of two threads on a quiet machine.

    scripts/bench passages                    the corpus, five runs, some fifteen minutes
    scripts/bench passages --documents 5000   the first documents of it
"""
import argparse
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy  # some 30 MB, which is less than any run takes

import answers
import corpus
import measure
import result

DATA = result.BENCHMARKS / "data"
CORPUS = DATA / "corpus.jsonl"
LENGTH = 50
WORD = re.compile(r"[a-z0-9]+")
MEMORIES = ("none", "200 MB")
BARS = (
    ("as it is", "mb_per_s", "MB/s on the corpus as it is", ">=", 90),
    ("after dedup", "mb_per_s", "MB/s after dedup", ">=", 110),
    ("little repeats", "mb_per_s", "MB/s where little repeats", ">=", 220),
    ("as it is, 200 MB", "peak_of_memory", "peak of what --memory allows", "<=", 1.0),
    ("truth", "words", "words whose fate is known", ">=", 50_000_000),
)
OF_SUFFIX_ARRAY = (
    ("suffix array", "times_cpu", "processor time of the suffix array over ours", ">=", 10),
    ("suffix array", "times_memory", "peak memory of the suffix array over ours", ">=", 5),
)


def rows(path, documents):
    with open(path, encoding="utf-8") as lines:
        for line in itertools.islice(lines, documents):
            yield json.loads(line)


def texts(documents):
    """The texts of all packages, whole."""
    debs = corpus.downloaded(DATA / "debs", sorted({*corpus.PACKAGES, *answers.PACKAGES}))
    found = itertools.chain.from_iterable(corpus.texts_of(deb, sys.maxsize) for deb in debs.values())
    return itertools.islice(found, documents)


def plain(documents, out):
    """Writes rows of words in ASCII; returns the number of each word and of each document, one behind the other."""
    known, words, owners = {}, [], []
    with open(out, "w", encoding="ascii") as target:
        for number, text in enumerate(texts(documents)):
            found = WORD.findall(text.lower().encode("ascii", "ignore").decode("ascii"))
            target.write(json.dumps({"id": number, "text": " ".join(found)}) + "\n")
            words.append(numpy.array([known.setdefault(word, len(known)) for word in found], dtype=numpy.int64))
            owners.append(numpy.full(len(found), number, dtype=numpy.int64))
    return numpy.concatenate(words), numpy.concatenate(owners)


def ranked(first, second):
    """A number for each pair, equal for equal ones alone."""
    return numpy.unique(first * (second.max(initial=0) + 1) + second, return_inverse=True)[1]


def windows(words, length):
    """A number for each run of so many words, equal for equal ones alone."""
    ranks, run = words, 1
    while 2 * run <= length:
        ranks, run = ranked(ranks[: len(ranks) - run], ranks[run:]), 2 * run
    rest = length - run
    return ranked(ranks[: len(ranks) - rest], ranks[rest:]) if rest else ranks


def covered(count, begins, ends):
    """Which of so many places are within one of the spans."""
    change = numpy.zeros(count + 1, dtype=numpy.int64)
    numpy.add.at(change, begins, 1)
    numpy.add.at(change, ends, -1)
    return numpy.cumsum(change[:-1]) > 0


def truth(words, owners):
    """Which words go, and which are in a window that occurs twice."""
    found = windows(words, LENGTH)
    starts = numpy.flatnonzero(owners[: len(found)] == owners[LENGTH - 1 :])
    _, firsts, of, counts = numpy.unique(found[starts], return_index=True, return_inverse=True, return_counts=True)
    twice = starts[counts[of] > 1]
    first = starts[firsts][of]
    later = starts != first
    starts, first = starts[later], first[later]
    begin = numpy.where(owners[starts] == owners[first], numpy.maximum(starts, first + LENGTH), starts)
    return covered(len(words), begin, starts + LENGTH), covered(len(words), twice, twice + LENGTH)


def noted(path):
    """Which words are named by the notes of a run, document after document."""
    gone = []
    for row in rows(path, None):
        starts = numpy.array([0, *(at + 1 for at, c in enumerate(row["text"]) if c == " ")])
        mask = numpy.zeros(len(starts) if row["text"] else 0, dtype=bool)
        for start, end, _ in row["nearprint"]["passages"]:
            mask[numpy.searchsorted(starts, start) : numpy.searchsorted(starts, end)] = True
        gone.append(mask)
    return numpy.concatenate(gone)


def by_suffix_array(program, words, owners, folder):
    """Which words the suffix array names, and what each of its three steps used."""
    tokens = numpy.arange(len(words) + int(owners[-1]) + 1, dtype=numpy.uint64) + (int(words.max()) + 1)
    places = numpy.arange(len(words)) + owners
    tokens[places] = words
    tokens = tokens.astype(numpy.uint32)
    for factor, shift in ((0x9E3779B1, 16), (0x85EBCA6B, 13)):  # each has an inverse: no two become one
        tokens *= numpy.uint32(factor)
        tokens ^= tokens >> numpy.uint32(shift)
    source, cache = folder / "tokens", folder / "suffixes"
    tokens.tofile(source)
    cache.mkdir()
    threshold = ["--length-threshold", str(4 * LENGTH), "--cache-dir", str(cache)]
    used = [measure.run_apart([program, "make", "--data-file", source]),
            measure.run_apart([program, "self-similar", "--data-file", source, *threshold, "--num-threads", "2"])]
    ranges = folder / "ranges"
    used.append(measure.run_apart(["sh", "-c", 'exec "$@" >"$0"', ranges, program, "collect", "--data-file", source, *threshold]))
    lines = ranges.read_text().partition("out\n")[2].split()
    begins, ends = (numpy.array(lines[at::2], dtype=numpy.int64) for at in (0, 1))
    return covered(len(tokens), -(-begins // 4), ends // 4)[places], used


def check(nearprint, documents, suffix_array, folder):
    """How many words are missed and wrong, for each memory and of the suffix array."""
    source = folder / "words.jsonl"
    words, owners = plain(documents, source)
    (expected, twice), told, used = truth(words, owners), [], []

    def tell(name, expected, found):
        told.append({"what": name, "words": len(words), "go": int(expected.sum()),
                     "missed": int((expected & ~found).sum()), "wrong": int((found & ~expected).sum())})

    command = [str(nearprint), "passages", str(source), "-q", "--force", "--threads", "2", "--length", str(LENGTH),
               "--recipe", "words", "--work-dir", str(folder)]
    for memory in MEMORIES:
        limit = [] if memory == "none" else ["--memory", memory.replace(" ", "")]
        subprocess.run([*command, "-o", str(folder / "noted.jsonl"), "--annotate", *limit], check=True)
        tell(f"--memory {memory}", expected, noted(folder / "noted.jsonl"))
    if suffix_array:
        found, used = by_suffix_array(suffix_array, words, owners, folder)
        tell("suffix array", twice, found)
        used = {"suffix_array": used, "ours": [measure.run_apart([*command, "-o", str(folder / "cut.jsonl")])]}
    return {"told": told, "used": used}


def skewed(out, documents=100_000):
    """One passage of sixty words in every document, between words of its own."""
    passage = " ".join(f"said{at}" for at in range(60))
    with open(out, "w", encoding="ascii") as target:
        for number in range(documents):
            own = " ".join(f"w{number}x{at}" for at in range(30))
            target.write(json.dumps({"id": number, "text": f"{own} {passage} {own}"}) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each input")
    parser.add_argument("--documents", type=int, help="only the first documents of the corpus")
    parser.add_argument("--suffix-array", type=pathlib.Path, metavar="PROGRAM", help="dedup_dataset, to compare with")
    parser.add_argument("--truth", type=pathlib.Path, metavar="FOLDER", help="compare with the truth there, and no more")
    args = parser.parse_args()
    nearprint = args.nearprint.resolve()
    if args.truth:
        checked = check(nearprint, args.documents, args.suffix_array, args.truth)
        (args.truth / "truth.json").write_text(json.dumps(checked))
        return
    with tempfile.TemporaryDirectory(dir=DATA) as folder:
        folder = pathlib.Path(folder)
        # In a process of its own: no peak is reported below what this one holds.
        apart = [sys.executable, __file__, "--nearprint", nearprint, "--truth", folder]
        apart += ["--documents", str(args.documents)] if args.documents else []
        apart += ["--suffix-array", args.suffix_array.resolve()] if args.suffix_array else []
        subprocess.run(apart, check=True)
        checked = json.loads((folder / "truth.json").read_text())
        told, used = checked["told"], checked["used"]
        header = ["what", "words", "go", "missed", "wrong"]
        print(result.table(header, [[str(row[key]) for key in header] for row in told]))
        source = folder / "corpus.jsonl"
        with open(CORPUS, "rb") as lines, open(source, "wb") as target:
            target.writelines(itertools.islice(lines, args.documents))
        subprocess.run([nearprint, "dedup", source, "-o", folder / "deduped.jsonl", "-q"], check=True)
        subprocess.run([nearprint, "passages", source, "-o", folder / "little.jsonl", "-q"], check=True)
        skewed(folder / "skewed.jsonl")
        # Not --work-dir, which also keeps a copy of each stage.
        os.environ["TMPDIR"] = str(folder)
        command = [nearprint, "passages", "-q", "--force", "--threads", "2", "-o", folder / "cut.jsonl",
                   "--removed", folder / "removed.jsonl", "--summary", folder / "s.json"]
        inputs = {"as it is": (source, 0), "as it is, 200 MB": (source, 200_000_000),
                  "after dedup": (folder / "deduped.jsonl", 0), "little repeats": (folder / "little.jsonl", 0),
                  "one passage everywhere": (folder / "skewed.jsonl", 0)}
        contenders = {name: [*command, path, *(["--memory", str(memory)] if memory else [])]
                      for name, (path, memory) in inputs.items()}
        stages = {}
        figures = measure.interleaved(
            contenders, args.runs, lambda name: stages.update({name: json.loads((folder / "s.json").read_text())}))
        summary = {}
        for name, runs in figures.items():
            path, memory = inputs[name]
            size, peak = path.stat().st_size, max(run["peak_bytes"] for run in runs)
            wall = sorted(run["wall_s"] for run in runs)[len(runs) // 2]
            cpu = sorted(run["cpu_s"] for run in runs)[len(runs) // 2]
            summary[name] = {"mb": round(size / 1e6, 1), "wall_s": wall, "cpu_s": cpu,
                             "mb_per_s": round(size / 1e6 / wall, 1), "peak_mb": round(peak / 1e6, 1),
                             "peak_of_memory": round(peak / memory, 3) if memory else 0,
                             "spilled_mb": round(stages[name]["spilled"] / 1e6, 1),
                             "cut_share": round(stages[name]["cut_tokens"] / max(stages[name]["tokens"], 1), 4),
                             "seconds": stages[name]["seconds"]}
    summary["truth"] = {"words": told[0]["words"]}
    if used:
        cpu, peak = ({who: many(run[key] for run in used[who]) for who in used}
                     for key, many in (("cpu_s", sum), ("peak_bytes", max)))
        summary["suffix array"] = {"cpu_s": round(cpu["suffix_array"], 1), "our_cpu_s": round(cpu["ours"], 1),
                                   "times_cpu": round(cpu["suffix_array"] / cpu["ours"], 1),
                                   "peak_mb": round(peak["suffix_array"] / 1e6), "our_peak_mb": round(peak["ours"] / 1e6),
                                   "times_memory": round(peak["suffix_array"] / peak["ours"], 1)}
        print(summary["suffix array"])
    header = ["mb", "wall_s", "cpu_s", "mb_per_s", "peak_mb", "spilled_mb", "cut_share"]
    print(result.table(["input", *header], [[name, *(str(summary[name][key]) for key in header)] for name in figures]))
    bars = result.judged(BARS + (OF_SUFFIX_ARRAY if used else ()), summary)
    print(result.bars_text(bars))
    found = {"truth": told, "used": used, "runs": figures, "summary": summary, "bars": bars}
    print("written:", result.write("passages", found))
    if any(row["missed"] or row["wrong"] for row in told):
        raise SystemExit("what was cut is not the truth")


if __name__ == "__main__":
    main()
