#!/usr/bin/env python3
"""The same question put to every verb: which texts of day two are near-duplicates of one of day one?

Three thousand texts of 300 words, each the same on both days but for three words changed a day: a Jaccard
similarity of 0.88 or so. `dedup --against` with texts and with a segment, `pairs`, `clusters`, a store, and `compare`
must find the same. Then four days of real passages: a chain of `dedup`, each day against all before, by
texts and by segments. Of what a chain leaves, `--recall exact` tells which documents are near-duplicates still.
With `--keep first` a chain leaves what one run over all four leaves.
"""
import argparse
import json
import pathlib
import random
import subprocess
import tempfile

import result
import scale

TEXTS, LEAST, COMPARED = 3000, 2990, 20
DAYS, PASSAGES = 4, 10_000
MOST_MISSED = 0.002


def days(folder):
    """Two files of texts; text `i` of one is an edit of the same text as text `i` of the other."""
    chance = random.Random(3)
    words = [f"w{number}" for number in range(50_000)]

    def edited(text):
        text = list(text)
        for _ in range(3):
            text[chance.randrange(len(text))] = f"x{chance.randrange(10**6)}"
        return " ".join(text)

    texts = [chance.choices(words, k=300) for _ in range(TEXTS)]
    for day in (1, 2):
        with open(folder / f"day{day}.jsonl", "w", encoding="utf-8") as out:
            for number, text in enumerate(texts):
                out.write(json.dumps({"id": f"{day}-{number}", "text": edited(text)}) + "\n")


def passages(folder):
    """Four files of real passages, of which some are copies and edits of earlier ones."""
    rows = scale.documents(DAYS * PASSAGES)
    for day in range(1, DAYS + 1):
        with open(folder / f"{day}.jsonl", "w", encoding="utf-8") as out:
            out.writelines(next(rows) for _ in range(PASSAGES))


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def found(nearprint, folder):
    """How many texts of day two each way finds, of the compared ones for `compare`."""
    def run(*arguments, stdin=""):
        done = subprocess.run([nearprint, *arguments], cwd=folder, check=True, capture_output=True, text=True,
                              input=stdin)
        return done.stdout

    def removed(against):
        run("dedup", "day2.jsonl", "-o", "kept.jsonl", "--force", "--quiet", "--against", against,
            "--summary", "summary.json", "--removed", "removed.jsonl")
        return sum(row["kept"].startswith("1-") for row in rows(folder / "removed.jsonl"))

    run("dedup", "day1.jsonl", "-o", "new1.jsonl", "--quiet", "--index-out", "1.seg")
    counts = {"dedup --against texts": removed("new1.jsonl"), "dedup --against segment": removed("1.seg")}
    run("pairs", "day1.jsonl", "day2.jsonl", "-o", "pairs.jsonl", "--quiet")
    of_both = [row for row in rows(folder / "pairs.jsonl") if row["a"][0] != row["b"][0]]
    counts["pairs"] = len({row["b"] for row in of_both})
    run("clusters", "day1.jsonl", "day2.jsonl", "-o", "clusters.jsonl", "--quiet")
    clusters = {}
    for row in rows(folder / "clusters.jsonl"):
        clusters.setdefault(row["cluster"], set()).add(row["id"])
    counts["clusters"] = sum(id.startswith("2-") for ids in clusters.values() for id in ids)
    run("store", "init", "store", "--quiet")
    run("store", "add", "store", "day1.jsonl", "--quiet")
    asked = (folder / "day2.jsonl").read_text(encoding="utf-8")
    answers = [json.loads(line) for line in run("store", "check", "store", "-", "--quiet", stdin=asked).splitlines()]
    counts["store, by estimate"] = sum(answer["verdict"] == "duplicate" for answer in answers)
    near = 0
    one, two = rows(folder / "day1.jsonl"), rows(folder / "day2.jsonl")
    for a, b in list(zip(one, two))[:COMPARED]:
        answer = run("compare", "--text", a["text"], b["text"], "--format", "json")
        near += json.loads(answer)["near_duplicates"]
    return counts, near


def chain(nearprint, folder, setting, against):
    """What is left of four days, each against all before: `against` names what a day leaves for later ones."""
    left, before = [], []
    for day in range(1, DAYS + 1):
        command = [nearprint, "dedup", f"{day}.jsonl", "-o", f"left{day}.jsonl", "--force", "--quiet",
                   "--index-out", f"left{day}.seg", *setting]
        for name in before:
            command += ["--against", name]
        subprocess.run(command, cwd=folder, check=True)
        left += [row["id"] for row in rows(folder / f"left{day}.jsonl")]
        before.append(against.format(day))
    return left


def summary_of(nearprint, folder, pattern):
    """What `dedup --recall exact` finds in these files."""
    subprocess.run([nearprint, "dedup", pattern, "-o", "again.jsonl", "--force", "--quiet", "--recall", "exact",
                    "--summary", "summary.json"], cwd=folder, check=True)
    return json.loads((folder / "summary.json").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to ask")
    parser.add_argument("--runs", type=int, default=1, help=argparse.SUPPRESS)
    nearprint = parser.parse_args().nearprint.resolve()
    subprocess.run(["python3", result.BENCHMARKS / "corpus.py"], check=True)
    table, bars, summary = [], [], {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        days(folder)
        counts, near = found(nearprint, folder)
        for way, count in counts.items():
            table.append([way, f"{count} of {TEXTS}"])
            bars.append({"what": f"{way}: found", "bar": f">= {LEAST}", "value": count, "met": count >= LEAST})
        table.append(["compare", f"{near} of {COMPARED}"])
        bars.append({"what": "dedup: texts and segments differ by", "bar": "0",
                     "value": abs(counts["dedup --against texts"] - counts["dedup --against segment"]),
                     "met": counts["dedup --against texts"] == counts["dedup --against segment"]})
        summary["found"] = counts | {f"compare, of {COMPARED}": near}
        passages(folder)
        for setting in ([], ["--keep", "first"], ["--keep", "first", "--recall", "exact"]):
            every = [f"{day}.jsonl" for day in range(1, DAYS + 1)]
            subprocess.run([nearprint, "dedup", *every, "-o", "once.jsonl", "--force", "--quiet", *setting],
                           cwd=folder, check=True)
            once = len(rows(folder / "once.jsonl"))
            by_texts = chain(nearprint, folder, setting, "left{}.jsonl")
            by_segments = chain(nearprint, folder, setting, "left{}.seg")
            name = " ".join(["four days", *setting])
            removed = DAYS * PASSAGES - once
            still = summary_of(nearprint, folder, "left*.jsonl")["removed"]
            missed = still / removed
            table += [[f"{name}: one run leaves", str(once)], [f"{name}: a chain by texts", str(len(by_texts))],
                      [f"{name}: a chain by segments", str(len(by_segments))]]
            bars += [{"what": f"{name}: share of what one run removes that segments leave", "bar": f"<= {MOST_MISSED}",
                      "value": round(missed, 5), "met": missed <= MOST_MISSED},
                     {"what": f"{name}: chains by texts and by segments differ by", "bar": "0",
                      "value": len(set(by_texts) ^ set(by_segments)), "met": by_texts == by_segments}]
            if setting:
                bars.append({"what": f"{name}: a chain by segments and one run differ by", "bar": "0",
                             "value": abs(once - len(by_segments)), "met": once == len(by_segments)})
            summary[name] = {"once": once, "by_texts": len(by_texts), "by_segments": len(by_segments),
                             "near_duplicates_left": still}
    path = result.write("one-answer", {"machine": result.machine(), "bars": bars, "summary": summary})
    print(result.table(["way", "texts"], table))
    print(f"\n{result.bars_text(bars)}\nwritten: {path}")


if __name__ == "__main__":
    main()
