#!/usr/bin/env python3
"""Text in memory to 64-bit fingerprints: every class of features, against chdb, find-simdoc, simhash and jieba.

A row is a class of features on a set of texts: all of the corpus, its ASCII documents, its Chinese
ones. Every program reads the texts into memory first; then one pass is timed, on one thread, each
program in turn, `--runs` times. MB are 10^6 bytes of UTF-8 text. nearprint's `plain-` recipes count
what the rivals count (text as it stands, each occurrence); the built-in ones normalise, map case
and weigh. A sample of nearprint's fingerprints is checked against the definition in each run.

The rows `sketch` say what the sketch for bands adds to the default fingerprint of `dedup`. One process
fingerprints the texts without and with it in turn, 4 MB at a time.
"""
import argparse
import dataclasses
import json
import pathlib
import statistics
import subprocess
import sys
import time

import fingerprint_texts
import measure
import result

BEGIN, END = "<!-- fingerprint: written by scripts/bench fingerprint -->", "<!-- fingerprint: end -->"
PAGE = result.REPOSITORY / "docs" / "evidence" / "benchmarks.md"
RECIPES = result.BENCHMARKS / "fingerprint" / "recipes"
PEERS = result.BENCHMARKS / "peers"
USER = result.BENCHMARKS / "fingerprint" / "user.txt"


@dataclasses.dataclass(frozen=True)
class Row:
    """A class of features on a set of texts: our recipes, the first of which is held to the bar."""
    what: str
    texts: str
    recipes: list
    rivals: list  # (program, name) pairs
    bar: float  # times the best rival


def plain(name):
    return str(RECIPES / f"plain-{name}.toml")


WORDS = [("chdb", "wordShingleSimHash(text, 1)"), ("crates", "simhash-words"), ("crates", "find-simdoc-words")]
SHINGLES = [("chdb", "wordShingleSimHash(text, 3)"), ("crates", "find-simdoc-shingles-3")]
GRAMS = [("chdb", "ngramSimHash(text, 4)"), ("crates", "simhash-chars-4"), ("crates", "find-simdoc-chars-4")]
ROWS = [
    Row("words", "all", [plain("words"), "words"], WORDS, 2),
    Row("words", "ascii", [plain("words"), "words"], WORDS, 2),
    Row("word 3-shingles", "all", [plain("shingles-3"), "text", "text:128", "text:256", "text:64:2"], SHINGLES, 2.5),
    Row("word 3-shingles", "ascii", [plain("shingles-3"), "text"], SHINGLES, 2.5),
    Row("4-grams", "all", [plain("gram-4"), plain("chars-4"), "chars-5"], GRAMS[:1], 4),  # the others take a minute a run
    Row("4-grams", "ascii", [plain("gram-4"), plain("chars-4"), "chars-5"], GRAMS, 4),
    Row("4-grams", "chinese", [plain("gram-4"), plain("chars-4"), "chars-5"], [("chdb", "ngramSimHashUTF8(text, 4)")], 3),
    Row("keywords", "200 chinese", ["zh-keywords"], [("jieba", "keywords")], 25),
    Row("keywords by a user dictionary", "200 chinese", [f"zh-keywords+{USER}"], [("jieba", f"keywords+{USER}")], 25),
    Row("textrank", "200 chinese", ["zh-textrank"], [("jieba", "textrank")], 20),
]
# A recipe of ours and a rival that must give the same fingerprints.
SAME = [(("200 chinese", "nearprint", ours), ("200 chinese", "jieba", theirs))
        for ours, theirs in [("zh-keywords", "keywords"), (f"zh-keywords+{USER}", f"keywords+{USER}"),
                             ("zh-textrank", "textrank")]]
# The default recipe beside itself at 64 bits on one thread: the cost at most, the speed at least.
BESIDE = [("text:128", "text", "<=", 1.5), ("text:256", "text", "<=", 2.2), ("text:64:2", "text", ">=", 1.8)]

# What a sketch adds at most to the time of a fingerprint, by the texts; and how often both are timed.
SKETCH, SKETCHED, SKETCH_COSTS, SKETCH_TIMES = "sketch", "text:128", {"all": 0.15, "short": 0.35}, 9


def commands(rows, sets, programs):
    """One command for each set of texts and program: its key, what it measures, and the command."""
    for texts in dict.fromkeys(row.texts for row in rows):
        chosen = [row for row in rows if row.texts == texts]
        ours = list(dict.fromkeys(recipe for row in chosen for recipe in row.recipes))
        yield (texts, "nearprint"), ours, [*programs["nearprint"], sets[texts]["path"], *ours]
        for program in ("chdb", "crates", "jieba"):
            names = list(dict.fromkeys(name for row in chosen for by, name in row.rivals if by == program))
            # A user dictionary stays: what goes without it is measured before.
            names.sort(key=lambda name: "+" in name)
            if names:
                yield (texts, program), names, [*programs[program], sets[texts]["path"], *names]


def run(command):
    """The lines of JSON that a program prints, and the share of the machine that others used."""
    busy, start = measure.busy_seconds(), time.perf_counter()
    before = measure.children_seconds()
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, timeout=measure.TIMEOUT, check=False)
    wall, own = time.perf_counter() - start, measure.children_seconds() - before
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}")
    others = None if busy is None else max(0.0, measure.busy_seconds() - busy - own)
    return [json.loads(line) for line in done.stdout.splitlines()], {"wall_s": wall, "others_cpu_s": others}


def measured(rows, sets, programs, runs):
    """Seconds of each run by set, program and name, and what others used."""
    seconds, noise, xors = {}, [], {}
    for turn in range(runs):
        for key, names, command in commands(rows, sets, programs):
            print(f"run {turn + 1} of {runs}: {key[1]}, {key[0]}", file=sys.stderr)
            lines, used = run(command)
            noise.append(used)
            for name, line in zip(names, lines, strict=True):
                seconds.setdefault((*key, name), []).append(line["seconds"])
                if xors.setdefault((*key, name), line["xor"]) != line["xor"]:
                    sys.exit(f"{name} on {key[0]}: another answer than in the run before")
    for recipe, other, sign, _ in BESIDE:
        answers = {xors.get(("all", "nearprint", name)) for name in (recipe, other)}
        if sign == ">=" and len(answers) > 1:
            sys.exit(f"{short(recipe)}: another answer than on one thread")
    for ours, theirs in SAME:
        if xors.get(ours) != xors.get(theirs):
            sys.exit(f"{ours[2]} and {theirs[2]} give different fingerprints")
    return seconds, {"runs": noise}


def short(name):
    """A recipe or call as people read it."""
    name, _, user = name.partition("+")
    path, *rest = name.split(":")
    width, threads = [*rest, *["64", "1"][len(rest):]]
    said = pathlib.Path(path).stem if path.endswith(".toml") else path
    said += ", user dictionary" if user else ""
    said += "" if width == "64" else f", {width} bits"
    return said + ("" if threads == "1" else f", {threads} threads")


def judge(rows, sets, seconds):
    """The table and the bars."""
    table, bars = [], []

    def median(*key):
        return measure.spread([{"s": value} for value in seconds[key]], "s")["median"]

    def bar(what, sign, limit, value):
        met = value >= limit if sign == ">=" else value <= limit
        bars.append({"what": what, "bar": f"{sign} {limit}", "value": round(value, 3), "met": met})

    for row in rows:
        size = sets[row.texts]["bytes"] / 1e6
        best = min(median(row.texts, *rival) for rival in row.rivals)
        contenders = [("nearprint", recipe) for recipe in row.recipes] + row.rivals
        for program, name in contenders:
            runs = seconds[row.texts, program, name]
            middle = median(row.texts, program, name)
            rate = {"median": size / middle, "min": size / max(runs), "max": size / min(runs)}
            said = name if program in ("chdb", "crates") else short(name)
            said += ", jieba and simhash" if program == "jieba" else ""
            table.append([f"{row.what}, {row.texts}: {said}", result.span(rate, 0), f"{best / middle:.2f}"])
        bar(f"{row.what}, {row.texts}: times the best rival", ">=", row.bar,
            best / median(row.texts, "nearprint", row.recipes[0]))
    for recipe, other, sign, limit in BESIDE:
        if ("all", "nearprint", recipe) in seconds:
            mine, beside = median("all", "nearprint", recipe), median("all", "nearprint", other)
            if sign == "<=":
                bar(f"{short(recipe)}: times the cost of 64", sign, limit, mine / beside)
            else:
                bar(f"{short(recipe)}: times the speed of one", sign, limit, beside / mine)
    return table, bars


def sketches(bench, wanted, sets):
    """What sketches cost by set of texts: seconds without and with them, rows, bars, and what others used."""
    seconds, table, bars, noise = {}, [], [], []
    for texts, most in SKETCH_COSTS.items():
        if wanted and not {SKETCH, texts} & set(wanted):
            continue
        print(f"{SKETCH_TIMES} times in turn: without and with sketches, {texts}", file=sys.stderr)
        lines, used = run([bench, "--sketches", SKETCH_TIMES, sets[texts]["path"], SKETCHED])
        noise.append(used)
        seconds[texts] = line = lines[0]
        size = sets[texts]["bytes"] / 1e6
        for name, said in [("without", short(SKETCHED)), ("with", f"{short(SKETCHED)}, with its sketch")]:
            rates = measure.spread([{"rate": size / value} for value in line[name]], "rate")
            table.append([f"{SKETCH}, {texts}: {said}", result.span(rates, 0), ""])
        cost = statistics.median(after / before - 1 for before, after in zip(line["without"], line["with"]))
        bars.append({"what": f"{SKETCH}, {texts}: share of the fingerprint's time", "bar": f"<= {most}",
                     "value": round(cost, 3), "met": cost <= most})
    return seconds, table, bars, noise


HEADER = ["features, texts: program", "MB/s", "x best rival"]


def write_page(table, bars):
    """Put the tables where docs/evidence/benchmarks.md has its marks for them."""
    judged = [[bar["what"], bar["bar"], f"{bar['value']:g}", "met" if bar["met"] else "**missed**"] for bar in bars]
    text = "\n\n".join([result.markdown(["bar", "at", "measured", ""], judged), result.markdown(HEADER, table)])
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.split(END)[1]}", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=pathlib.Path, required=True, help="the binary of benchmarks/fingerprint")
    parser.add_argument("--peer", type=pathlib.Path, required=True, help="the binary of peers/text-peers")
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each program (default: 5)")
    parser.add_argument("--rows", help="some of the rows, by the texts or the features: ascii,4-grams,sketch")
    parser.add_argument("--page", action="store_true", help="put the tables into docs/evidence/benchmarks.md")
    parser.add_argument("--from", dest="source", help="JSONL with a `text` field, in place of the corpus")
    args = parser.parse_args()
    subprocess.run([sys.executable, result.BENCHMARKS / "corpus.py", *(["--from", args.source] if args.source else [])],
                   check=True)
    corpus = fingerprint_texts.DATA.parent / "corpus.jsonl"
    sets = fingerprint_texts.write(corpus)
    wanted = args.rows.split(",") if args.rows else None
    rows = [row for row in ROWS if not wanted or {row.what, row.texts} & set(wanted)]
    rows = [row for row in rows if sets[row.texts]["documents"]]
    if not rows and not {SKETCH, *SKETCH_COSTS} & set(wanted):
        sys.exit("no row of that name, or no text of that kind")

    programs = {"nearprint": [args.bench], "crates": [args.peer],
                "chdb": [sys.executable, PEERS / "chdb_fingerprint.py"],
                "jieba": [sys.executable, PEERS / "jieba_simhash.py"]}
    before = result.machine()
    seconds, noise = measured(rows, sets, programs, args.runs)
    table, bars = judge(rows, sets, seconds)
    sketched, sketch_table, sketch_bars, sketch_noise = sketches(args.bench, wanted, sets)
    table, bars, noise["runs"] = table + sketch_table, bars + sketch_bars, noise["runs"] + sketch_noise
    share = measure.others_share(noise)
    path = result.write("fingerprint", {
        "machine": before, "others_cpu_share": share, "runs_each": args.runs, "bars": bars,
        "input": json.loads((corpus.with_name("corpus.json")).read_text()),
        "texts": {name: {key: facts[key] for key in ("documents", "bytes")} for name, facts in sets.items()},
        "seconds": [{"texts": texts, "program": program, "name": short(name), "seconds": runs}
                    for (texts, program, name), runs in seconds.items()],
        "sketch_seconds": sketched,
    })
    print(f"\nfingerprint: median (min-max) of {args.runs} runs, of {SKETCH_TIMES} for {SKETCH}\n")
    print(result.table(HEADER, table))
    print(f"\n{result.bars_text(bars)}\n{result.noise(share)}\nwritten: {path}")
    if args.page:
        write_page(table, bars)


if __name__ == "__main__":
    main()
