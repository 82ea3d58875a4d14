#!/usr/bin/env python3
"""What tools delete: every removal of nearprint, rensa, datasketch, text-dedup, datatrove and NeMo's rule, judged exactly.

Three corpora (kept_corpora.py): pages of documentation, licence texts that people labelled, and bibliographic records
that people labelled. All are words of letters between blanks. Every tool runs at its own defaults, and, where these
differ, at the setting that all share: features of three words in a row, a similarity of 0.8.

kept_judge.py compares sets of features exactly and shares nothing with nearprint. By features of three words at 0.8, and
of each program,

- wrong: documents removed of which no near-duplicate is kept; lonely: those of them that have none in the corpus; far:
  those of them of which no kept document has a similarity of half.
- left in: documents kept although a near-duplicate before them is kept.
- by its own: wrong by the features and the similarity that the program itself compares by.
- labels lost: labels that people gave of which no document is kept.

Intervals are those of Wilson at 95 %. Two programs are controls: one keeps all, one removes as many as nearprint at
random. The benchmark fails unless they, a plain greedy answer, spoilt answers and Python sets in loops over a sample are
judged as they must be.

    scripts/bench kept                      some forty minutes on two cores
    scripts/bench kept --page               and put table, chart and examples into docs/evidence/benchmarks.md
    scripts/bench kept --page-only          put those of the newest result there, and measure nothing
"""
import argparse
import hashlib
import json
import pathlib
import random
import shutil
import subprocess
import sys

import answers
import kept_corpora
import kept_judge
import kept_report
import result
import survivors

DATA, PEERS = kept_corpora.DATA, result.BENCHMARKS / "peers"
RUNS = DATA / "kept-runs"  # what programs kept: whatever stops the benchmark, the next run goes on from there
SIMILARITY, SHINGLE, COMMON = 0.8, 3, ("3 words", 0.8)
NEARPRINT, ALL, RANDOM = "nearprint", "keeps all", "removes at random"
CONTROLS = (ALL, RANDOM)
SEED, EXAMPLES, EXCERPT = 20261128, 10, 15
FAR = 0.5
MISSED = 0.001  # of the near-duplicates so many may be left in by nearprint: what its default recall of 0.999 allows


def python_of(environment):
    return result.BENCHMARKS / f".venv-{environment}/bin/python"


def scratch_of(source):
    """The folder in which a program leaves what it writes."""
    return DATA / f"{source.stem}-scratch"


def programs(nearprint, source):
    """For each program: what it is told, the features and the least similarity it compares by, its command, its output."""
    scratch = scratch_of(source)
    out = scratch / "kept.jsonl"

    def peer(name, *arguments):
        return [sys.executable, PEERS / name, *arguments]

    def text_dedup(*flags):
        return [python_of("text-dedup"), "-m", "text_dedup.minhash", "--path", "json", "--data_files", source, "--split",
                "train", "--cache_dir", scratch / "cache", "--output", scratch / "kept", "--column", "text", *flags]

    def datatrove(*flags):
        return [python_of("datatrove"), PEERS / "datatrove_dedup.py", scratch / "in", scratch / "out", "1", *flags]

    shared = f"--ngram {SHINGLE} --threshold {SIMILARITY} --min_length 1"
    words, fives = ("1 word", 0.8), ("5 words", 0.7)
    buckets = round((1 / 14) ** (1 / 8), 3)  # where the curve of 14 bands of 8 is steepest
    return {
        NEARPRINT: ("its defaults: features of 3 words, 0.8", COMMON,
                    [nearprint, "dedup", source, "-o", out, "--force", "--quiet"], out),
        "rensa 0.5.0": ("as in its README: words, 0.8", words, peer("rensa_ways.py", "stream", source, out), out),
        "rensa 0.5.0, union-find": ("3 words, 0.8, links between all candidates", COMMON,
                                    peer("rensa_ways.py", "union", source, out), out),
        "datasketch 2.0.0": ("3 words, `MinHashLSH(threshold=0.8)`", COMMON,
                             peer("datasketch_dedup.py", source, out, "1", SHINGLE), out),
        "text-dedup 0.4.0": ("its defaults: 5 words, 0.7", fives, text_dedup(), scratch / "kept"),
        "text-dedup 0.4.0, shared": (f"`{shared}`", COMMON, text_dedup(*shared.split()), scratch / "kept"),
        "datatrove 0.10.1": ("its defaults: 5 words, 14 bands of 8", ("5 words, simplified", buckets), datatrove(), scratch / "out/kept"),
        "datatrove 0.10.1, shared": ("3 words, 14 bands of 8", ("3 words, simplified", buckets), datatrove(str(SHINGLE)),
                                     scratch / "out/kept"),
        "NeMo Curator's rule": ("its defaults: 24 characters, 20 bands of 13", ("24 characters", 0.8),
                                peer("nemo_rule.py", source, out), out),
    }


def made_of(command):
    """What decides what a command keeps: its words, the files it names, and the pinned packages."""
    files = [pathlib.Path(word) for word in map(str, command) if pathlib.Path(word).is_file()]
    pins = sorted(result.BENCHMARKS.glob("requirements*.txt"))
    return {"command": list(map(str, command)),
            "files": {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in [*files, *pins]}}


def kept_by(program, command, output, source, ids):
    """The numbers of the documents that a program keeps. What was asked before is not asked again."""
    memo = RUNS / f"{source.stem} {program}.json"
    of = made_of(command)
    if memo.exists():
        before = json.loads(memo.read_text())
        if before["made_of"] == of:
            return set(before["kept"])
    scratch = scratch_of(source)
    shutil.rmtree(scratch, ignore_errors=True)  # text-dedup and datatrove would take what they find there
    (scratch / "in").mkdir(parents=True)
    (scratch / "in/0.jsonl").symlink_to(source)
    log = RUNS / f"{source.stem} {program}.log"
    with open(log, "w", encoding="utf-8") as out:
        done = subprocess.run(list(map(str, command)), stdout=out, stderr=subprocess.STDOUT, cwd=DATA)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}; {log} has what it said")
    _, stay = survivors.survivors(source, output, rewritten=True)
    shutil.rmtree(scratch)
    kept = [number for number, identity in enumerate(ids) if identity in stay]
    memo.write_text(json.dumps({"made_of": of, "kept": kept}))
    return set(kept)


def controls(judge, of_nearprint):
    """What the two controls keep."""
    gone = random.Random(SEED).sample(range(judge.count), judge.count - len(of_nearprint))
    return {ALL: ("control", None, set(range(judge.count))),
            RANDOM: ("control: as many as nearprint", None, set(range(judge.count)) - set(gone))}


def check(judge, texts, found):
    """Fail unless what is known beforehand is judged as it must be."""
    wrong = kept_judge.slow_check(texts, SIMILARITY, SEED)

    def must(what, is_so):
        if not is_so:
            wrong.append(what)

    everything, at_random = found[ALL][2], found[RANDOM][2]
    must("who keeps all removes nothing", not judge.wrong(everything))
    must("who keeps all leaves every near-duplicate in", set(judge.left(everything)) == judge.repeated)
    greedy = set(answers.kept_first(judge.count, judge.pairs))
    must("the greedy answer removes nothing wrongly and leaves nothing in",
         not judge.wrong(greedy) and not judge.left(greedy))
    lonely = [one for one in range(judge.count) if not judge.near[one]]
    told = set(judge.wrong(at_random))
    must("what is removed at random and has no near-duplicate is wrong", {one for one in lonely if one not in at_random} <= told)
    removed, share = judge.count - len(at_random), len(lonely) / judge.count
    spread = 6 * (removed * share * (1 - share)) ** 0.5 + 1
    must("chance removes as many documents without a near-duplicate as there are",
         abs(len(judge.lonely(sorted(told))) - removed * share) <= spread)
    must("one document more that is removed is one wrong more", judge.wrong(greedy - {lonely[0]}) == [lonely[0]])
    back = next(one for one in range(judge.count) if one not in greedy)
    must("one document that comes back is left in", judge.left(greedy | {back}))
    if wrong:
        sys.exit("the judge is not to be trusted:\n" + "\n".join(wrong))


def figures(judge, corpus, stay, own):
    """All that is told of one program over one corpus, and its wrong removals with the nearest kept document."""
    gone = [one for one in range(judge.count) if one not in stay]
    wrong, left = judge.wrong(stay), judge.left(stay)
    which, best = kept_judge.nearest(judge.features, COMMON[0], wrong, sorted(stay)) if wrong else ([], [])
    kept_labels = {corpus.labels[one] for one in stay}
    tenths = [0] * 10
    for similarity in best:
        tenths[min(9, int(10 * similarity))] += 1
    return {
        "kept": len(stay), "removed": len(gone), "wrong": len(wrong), "lonely": len(judge.lonely(wrong)),
        "far": sum(float(similarity) < FAR for similarity in best), "nearest_by_tenths": tenths, "left_in": len(left),
        "own": None if own is None else {"features": own[0], "least": own[1], "wrong": len(judge.wrong_by(stay, *own))},
        "labels_lost": len({corpus.labels[one] for one in gone} - kept_labels),
        "by_kind": {kind: {"removed": sum(judge.kinds[one] == kind for one in gone),
                           "wrong": sum(judge.kinds[one] == kind for one in wrong)} for kind in kept_judge.KINDS},
    }, list(zip(wrong, which, best))


def excerpt(text, other):
    """The words of a text from the first three in a row that the other does not have."""
    words, others = text.split(), other.split()
    has = set(zip(others, others[1:], others[2:]))
    at = next((at for at, run in enumerate(zip(words, words[1:], words[2:])) if run not in has), 0)
    return " ".join(words[at:at + EXCERPT])


def examples(corpus, removals):
    """Wrong removals drawn by chance, of each program in turn."""
    chance, drawn, rows = random.Random(SEED), set(), []
    of = {name: found for name, found in removals.items() if found and name not in CONTROLS}
    for turn in range(EXAMPLES):
        if not of:
            break
        name = list(of)[turn % len(of)]
        one, other, similarity = chance.choice([found for found in of[name] if found[0] not in drawn] or of[name])
        drawn.add(one)
        kept = corpus.texts[other] if other >= 0 else ""
        rows.append({"program": name, "removed": corpus.ids[one], "label": corpus.labels[one],
                     "words": len(corpus.texts[one].split()), "says": excerpt(corpus.texts[one], kept),
                     "nearest": corpus.ids[other] if other >= 0 else None, "similarity": round(float(similarity), 3),
                     "nearest_says": excerpt(kept, corpus.texts[one]) if kept else ""})
    return rows


def judged(name, nearprint):
    """Everything about one corpus."""
    kept_corpora.write(name)
    corpus, source = kept_corpora.read(name), kept_corpora.path(name)
    found = {}
    for program, (told, own, command, output) in programs(nearprint, source).items():
        print(f"{name}: {program}", file=sys.stderr)
        found[program] = told, own, kept_by(program, command, output, source, corpus.ids)
    print(f"{name}: every pair at {SIMILARITY} or more", file=sys.stderr)
    judge = kept_judge.Judge(corpus.texts, SIMILARITY)
    found |= controls(judge, found[NEARPRINT][2])
    check(judge, corpus.texts, found)
    told, removals = {}, {}
    for program, (setting, own, stay) in found.items():
        print(f"{name}: judging {program}", file=sys.stderr)
        of, removals[program] = figures(judge, corpus, stay, own)
        told[program] = {"told": setting, "control": program in CONTROLS, **of}
    return {
        "documents": judge.count, "bytes": source.stat().st_size, "pairs": len(judge.pairs),
        "repeated": len(judge.repeated), "labels": len(set(corpus.labels)),
        "kinds": {kind: judge.kinds.count(kind) for kind in kept_judge.KINDS}, "programs": told,
        "examples": examples(corpus, removals),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary that is judged")
    parser.add_argument("--runs", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--corpus", action="append", choices=kept_corpora.MADE, help="this corpus alone, written nowhere")
    parser.add_argument("--page", action="store_true", help="put the result into docs/evidence/benchmarks.md")
    parser.add_argument("--page-only", action="store_true", help="put the newest result there, and measure nothing")
    args = parser.parse_args()
    if not args.page_only:
        RUNS.mkdir(parents=True, exist_ok=True)
        machine = result.machine()
        corpora = {name: judged(name, args.nearprint.resolve()) for name in args.corpus or kept_corpora.MADE}
        bars = []
        for name, of in corpora.items():
            ours = of["programs"][NEARPRINT]
            for what, value, most in (("wrong", ours["wrong"], 0),
                                      ("left in", ours["left_in"], int(MISSED * of["repeated"]))):
                bars.append({"what": f"{name}: nearprint: {what}", "bar": f"<= {most}", "value": value, "met": value <= most})
        measured = {"machine": machine, "seed": SEED, "bars": bars, "corpora": corpora}
        print(f"\n{kept_report.markdown(measured)}\n\n{result.bars_text(bars)}")
        if args.corpus:
            return
        print(f"written: {result.write('kept', measured)}")
    newest = kept_report.newest()
    import kept_chart

    kept_chart.draw(newest)
    if args.page or args.page_only:
        kept_report.write_page(newest)


if __name__ == "__main__":
    main()
