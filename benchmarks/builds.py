#!/usr/bin/env python3
"""What is published (profile dist) beside what a clone gets (release), and beside an older program: size and speed.

Each task of a program runs in turn with that of the others, so that a machine that slows down does so for all. A ratio
is the median over the turns of one program's processor time over that of `release` in the same turn: wall time of two
threads on a busy machine says less.

- dedup: the default, of the corpus of scripts/bench dedup.
- fingerprint: the same texts to rows.
- join: all pairs within 3 bits of a million fingerprints of 64 bits, as raw words: half of them uniform, half within 6
  bits of one of 50,000 centres.
- store: a tenth of the fingerprints into an empty store, then a check of each.
"""
import argparse
import pathlib
import random
import shutil
import statistics
import struct
import subprocess
import sys

import measure
import result

DATA = result.BENCHMARKS / "data"
CORPUS, WORDS, ROWS = DATA / "corpus.jsonl", DATA / "builds.u64", DATA / "builds.jsonl"
KEPT, STORE = DATA / "builds-kept.jsonl", DATA / "builds-store"
CODES, CENTRES = 1_000_000, 50_000


def prepare():
    """Write the corpus and the fingerprints."""
    subprocess.run([sys.executable, result.BENCHMARKS / "corpus.py"], check=True)
    drawn = random.Random(44)
    centres = [drawn.getrandbits(64) for _ in range(CENTRES)]

    def near(code):
        for bit in drawn.sample(range(64), drawn.randrange(7)):
            code ^= 1 << bit
        return code

    codes = [near(drawn.choice(centres)) if at % 2 else drawn.getrandbits(64) for at in range(CODES)]
    WORDS.write_bytes(struct.pack(f"<{CODES}Q", *codes))
    with open(ROWS, "w", encoding="ascii") as out:
        out.writelines(f'{{"id":"{at}","fingerprint":"{code:016x}"}}\n' for at, code in enumerate(codes[:CODES // 10]))


def tasks(program):
    """The commands of each task: what comes before it and is not timed, and what is."""
    out = ["-o", KEPT, "--force", "--quiet"]
    init = [program, "store", "init", STORE, "--ready-made", "--width", 64, "-k", 3, "--quiet"]
    feed = [ROWS, "--fingerprints", "--quiet", "--format", "none"]
    add = [program, "store", "add", STORE, *feed]
    return {
        "dedup": ([], [program, "dedup", CORPUS, *out]),
        "fingerprint": ([], [program, "fingerprint", CORPUS, *out]),
        "join": ([], [program, "pairs", WORDS, "--input-format", "u64", "-k", 3, *out]),
        "store add": ([init], add),
        "store check": ([init, add], [program, "store", "check", STORE, *feed]),
    }


def stripped(program):
    """Bytes of the program without its symbols."""
    copy = DATA / "builds-stripped"
    subprocess.run(["strip", "-o", copy, program], check=True)
    size = copy.stat().st_size
    copy.unlink()
    return size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the program of the profile release")
    parser.add_argument("--dist", type=pathlib.Path, help="that of the profile dist")
    parser.add_argument("--old", type=pathlib.Path, help="an older one")
    parser.add_argument("--runs", type=int, default=9, help="timed runs of each (default: 9)")
    args = parser.parse_args()
    DATA.mkdir(exist_ok=True)
    # In a process of its own: what it holds would count as held by every child.
    subprocess.run([sys.executable, "-c", "import builds; builds.prepare()"], check=True, cwd=result.BENCHMARKS)
    programs = {"release": args.nearprint, "dist": args.dist, "old": args.old}
    programs = {name: program.resolve() for name, program in programs.items() if program}
    machine, measured = result.machine(), {}
    for task in tasks(""):
        for turn in range(args.runs + 1):
            print(f"{task}: run {turn} of {args.runs}" if turn else f"{task}: warm-up", file=sys.stderr)
            for name, program in programs.items():
                before, timed = tasks(program)[task]
                shutil.rmtree(STORE, ignore_errors=True)
                for command in before:
                    subprocess.run(list(map(str, command)), check=True)
                figures = measure.run(list(map(str, timed)))
                if turn:
                    measured.setdefault(f"{task}, {name}", []).append(figures)
    shutil.rmtree(STORE, ignore_errors=True)
    KEPT.unlink(missing_ok=True)

    summary = {name: {"stripped_bytes": stripped(program)} for name, program in programs.items()}
    rows = []
    for task in tasks(""):
        base = [run["cpu_s"] for run in measured[f"{task}, release"]]
        for name in programs:
            own = [run["cpu_s"] for run in measured[f"{task}, {name}"]]
            ratio = statistics.median(one / other for one, other in zip(own, base))
            wall = statistics.median(run["wall_s"] for run in measured[f"{task}, {name}"])
            summary[name][task] = {"cpu_s": statistics.median(own), "wall_s": wall, "ratio": round(ratio, 4)}
            rows.append([task, name, f"{statistics.median(own):.2f} s", f"{wall:.2f} s", f"{ratio:.3f}"])
    path = result.write("builds", {
        "machine": machine, "others_cpu_share": measure.others_share(measured), "runs_each": args.runs,
        "summary": summary, "runs": measured,
    })
    print(f"\nbuilds: median of {args.runs} runs; ratio of processor time to that of release, by turns\n")
    print(result.markdown(["task", "build", "processor", "wall", "ratio"], rows))
    for name, figures in summary.items():
        print(f"{name}: {figures['stripped_bytes'] / 1e6:.1f} MB stripped")
    print(f"{result.noise(measure.others_share(measured))}\nwritten: {path}")


if __name__ == "__main__":
    main()
