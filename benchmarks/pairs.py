#!/usr/bin/env python3
"""Self join: `nearprint pairs`, k = 3, on a million 64-bit fingerprints, against all-pairs-hamming.

Two sets: uniform random with 1 % planted, and clustered with uneven bits (see codes.py). The whole
process is timed: read the raw words, join, write the rows. Every output is then checked against an
independent exact join in numpy (check_pairs.py): the same pairs, or the benchmark fails.
"""
import argparse
import pathlib
import subprocess
import sys

import measure
import result

DATA = result.BENCHMARKS / "data"
N = 1_000_000
K = 3
PEER = "all-pairs-hamming 0.1.0"
BAR_SET, BAR_RUN, BAR_WALL = "uniform", "nearprint, 2 threads", 2  # seconds at most


def contenders(nearprint, peer, codes):
    """The commands and the file each writes its pairs to, by name."""
    outputs = {name: DATA / f"pairs.{number}.jsonl"
               for number, name in enumerate(["nearprint, 1 thread", BAR_RUN, PEER])}
    commands = {
        name: [nearprint, "pairs", codes, "--input-format", "u64", "-k", str(K), "--quiet", "--force",
               "--threads", str(threads), "-o", outputs[name]]
        for threads, name in ((1, "nearprint, 1 thread"), (2, BAR_RUN))
    }
    commands[PEER] = [peer, codes, str(K), outputs[PEER]]
    return commands, outputs


def checked(codes, outputs):
    """Check every output against the independent join; returns the number of pairs."""
    command = [sys.executable, result.BENCHMARKS / "check_pairs.py", codes, *outputs, "-k", str(K)]
    planted = codes.with_suffix(".planted.npy")
    if planted.exists():
        command += ["--planted", planted]
    print("checking against the independent join", file=sys.stderr)
    return int(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=900).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--peer", type=pathlib.Path, required=True, help="the binary of peers/all-pairs-hamming")
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each program (default: 5)")
    args = parser.parse_args()
    subprocess.run([sys.executable, result.BENCHMARKS / "codes.py", "-n", str(N)], check=True)

    before = result.machine()
    everything, sets, rows = {}, {}, []
    for name in ("uniform", "clustered"):
        codes = DATA / f"{name}-{N}.u64"
        commands, outputs = contenders(args.nearprint, args.peer, codes)
        measured = measure.interleaved(commands, args.runs)
        sets[name] = {"pairs": checked(codes, outputs.values()), "exact": True, "summary": {}}
        peer = measure.spread(measured[PEER], "wall_s")["median"]
        for program, runs in measured.items():
            everything[f"{name}: {program}"] = runs
            wall, cpu = measure.spread(runs, "wall_s"), measure.spread(runs, "cpu_s")
            memory = measure.spread(runs, "peak_bytes")
            times = round(peer / wall["median"], 2)
            sets[name]["summary"][program] = {
                "wall_s": wall, "cpu_s": cpu, "peak_bytes": memory, "times_all_pairs_hamming": times}
            rows.append([f"{name}: {program}", result.span(wall, 3), f"{cpu['median']:.2f}",
                         f"{memory['max'] / 1e6:.0f}", f"{times:.2f}", str(sets[name]["pairs"])])

    wall = sets[BAR_SET]["summary"][BAR_RUN]["wall_s"]["median"]
    bars = [{"what": f"{BAR_SET}: {BAR_RUN}, s", "bar": f"< {BAR_WALL}", "value": wall, "met": wall < BAR_WALL}]
    share = measure.others_share(everything)
    path = result.write("pairs", {
        "machine": before, "others_cpu_share": share, "fingerprints": N, "k": K, "runs_each": args.runs,
        "bars": bars, "sets": sets, "runs": everything,
    })
    print(f"\npairs: {N} fingerprints of 64 bits, k = {K}; median (min-max) of {args.runs} runs; "
          "all outputs equal the independent join\n")
    print(result.table(["set: program", "wall s", "CPU s", "peak MB", "x peer", "pairs"], rows))
    print(f"\n{result.bars_text(bars)}\n{result.noise(share)}\nwritten: {path}")


if __name__ == "__main__":
    main()
