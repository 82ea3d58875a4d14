#!/usr/bin/env python3
"""Keep `nearprint dedup` to its --memory: peak resident memory by format, compression, record length and number of files.

Each row is an input and a cap. A run either keeps to the cap, by the bar of 1.1, or is refused before it writes
anything, with a message that names what it needs; that much is then given and is the cap of the next row. The
estimate is that of `--estimate` with this output and without a cap, beside the peak of such a run.
"""
import argparse
import bz2
import gzip
import json
import lzma
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

import result

DATA = result.BENCHMARKS / "data" / "memory"
MOST_OVER_CAP, MOST_OVER_ESTIMATE = 1.1, 1.3
UNITS = {"kB": 10**3, "MB": 10**6, "GB": 10**9}
TEXTS = 20_000


def words(chance, number):
    return " ".join(f"w{int(chance.paretovariate(0.4)) % 60_000}" for _ in range(number))


def texts(number=TEXTS, length=300, seed=1):
    chance = random.Random(seed)
    return [{"id": i, "text": words(chance, length)} for i in range(number)]


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def parquet(path, rows, group):
    import pyarrow
    import pyarrow.parquet
    table = pyarrow.Table.from_pylist(rows)
    pyarrow.parquet.write_table(table, path, row_group_size=group, compression="zstd")


def zstd(path, rows, log):
    command = ["zstd", "-q", "-f", f"--long={log}", *(["--ultra"] if log > 27 else []), "-o", path]
    subprocess.run(command, input=lines(rows), check=True)


def files(path, number):
    path.mkdir()
    chance = random.Random(2)
    for at in range(number):
        folder = path / f"{at // 1000:03}"
        folder.mkdir(exist_ok=True)
        (folder / f"{at:06}.txt").write_text(words(chance, 40), encoding="ascii")


def pages(number=2000):
    chance = random.Random(3)
    page = lambda i: "<html><body><nav>menu</nav>" + "".join(
        f"<p>{words(chance, 60)}</p>" for _ in range(30)) + f"<footer>{i}</footer></body></html>"
    return [{"id": i, "text": page(i)} for i in range(number)]


def long_row(megabytes):
    return [*texts(2000), {"id": "long", "text": words(random.Random(4), megabytes * 180_000)}]


INPUTS = {
    "docs.jsonl": lambda path: path.write_bytes(lines(texts())),
    "short.jsonl": lambda path: path.write_bytes(lines(texts(300_000, 20))),
    "docs.jsonl.gz": lambda path: path.write_bytes(gzip.compress(lines(texts()), 1)),
    "docs.jsonl.bz2": lambda path: path.write_bytes(bz2.compress(lines(texts()), 1)),
    "docs.jsonl.xz": lambda path: path.write_bytes(lzma.compress(lines(texts()), preset=1)),
    "docs9.jsonl.xz": lambda path: path.write_bytes(lzma.compress(lines(texts()), preset=9)),
    "docs27.jsonl.zst": lambda path: zstd(path, texts(100_000), 27),
    "one-group.parquet": lambda path: parquet(path, texts(), TEXTS),
    "groups.parquet": lambda path: parquet(path, texts(), 1000),
    "long-10MB.jsonl": lambda path: path.write_bytes(lines(long_row(10))),
    "long-120MB.jsonl": lambda path: path.write_bytes(lines(long_row(120))),
    "files": lambda path: files(path, 100_000),
    "pages.jsonl": lambda path: path.write_bytes(lines(pages())),
}
# Input, output, cap, further flags.
ROWS = [
    ("docs.jsonl", "out.jsonl", "64MB"),
    ("docs.jsonl", "out.jsonl", "200MB"),
    ("short.jsonl", "out.jsonl", "64MB"),
    ("docs.jsonl.gz", "out.jsonl.gz", "64MB"),
    ("docs.jsonl.bz2", "out.jsonl.bz2", "64MB"),
    ("docs.jsonl.xz", "out.jsonl", "64MB"),
    ("docs9.jsonl.xz", "out.jsonl", "64MB"),
    ("docs.jsonl", "out.jsonl.xz", "64MB"),
    ("docs27.jsonl.zst", "out.jsonl.zst", "64MB"),
    ("one-group.parquet", "out.parquet", "64MB"),
    ("one-group.parquet", "out.jsonl", "128MB"),
    ("groups.parquet", "out.parquet", "64MB"),
    ("long-10MB.jsonl", "out.jsonl", "128MB"),
    ("long-120MB.jsonl", "out.jsonl", "64MB"),
    ("long-120MB.jsonl", "out.jsonl", "1GB"),
    ("files", "out/", "64MB"),
    ("pages.jsonl", "out.jsonl", "64MB", "--recipe", "web"),
]


def run(command):
    """The exit status, the peak and what was said, of a child of its own: peaks of children are never below ours."""
    code = ("import resource,subprocess,sys;r=subprocess.run(sys.argv[1:],capture_output=True,text=True);"
            "print(r.returncode,resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss,r.stderr[-500:])")
    told = subprocess.run([sys.executable, "-c", code, *map(str, command)], capture_output=True, text=True, check=True)
    status, peak, *said = told.stdout.split(" ", 2)
    return int(status), int(peak) * (1 if sys.platform == "darwin" else 1024), "".join(said)


def size(text):
    number, unit = re.fullmatch(r"([\d.]+) ?([kMG]B)", text).groups()
    return float(number) * UNITS[unit]


def megabytes(number):
    return f"{number / 1e6:.0f}"


def prepared(name):
    path = DATA / name
    if not path.exists():
        DATA.mkdir(parents=True, exist_ok=True)
        print(f"making {name}", file=sys.stderr)
        INPUTS[name](path)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--runs", type=int, default=1, help="ignored: a peak is the same each time")
    parser.add_argument("--rows", help="only rows whose input begins so")
    args = parser.parse_args()
    nearprint = args.nearprint.resolve()
    told, bad = [], []
    for name, output, cap, *flags in ROWS:
        if args.rows and not name.startswith(args.rows):
            continue
        source = prepared(name)
        with tempfile.TemporaryDirectory(dir=DATA) as folder:
            folder = pathlib.Path(folder)
            base = [nearprint, "dedup", source, "--threads", 2, "-q", *flags]
            where = ["-o", f"{folder}/{output}", "--work-dir", folder]
            estimate = json.loads(subprocess.run(list(map(str, [*base, *where, "--estimate", "--format", "json"])),
                                                 capture_output=True, check=True).stdout)
            caps = [cap]
            while caps:
                cap = caps.pop()
                status, peak, said = run([*base, *where, "--memory", cap.replace(" ", ""), "--force"])
                ratio = peak / size(cap)
                row = {"input": name, "output": output, "cap": cap, "peak_bytes": peak, "status": status,
                       "ratio": round(ratio, 3), "estimate_bytes": estimate["memory"]}
                if status == 0:
                    verdict = "held" if ratio <= MOST_OVER_CAP else "OVER"
                else:
                    needed = re.search(r"allow ([\d.]+ [kMG]B) or more", said)
                    # These do not know what all of the input needs.
                    early = re.search(r"the record is longer than|of memory to list", said)
                    verdict = (f"refused, needs {needed[1]}" if needed else "refused" if early
                               else f"FAILED: {said.strip()}")
                    if needed and cap != needed[1]:
                        caps.append(needed[1])
                row["verdict"] = verdict
                told.append(row)
                if verdict.startswith(("OVER", "FAILED")):
                    bad.append(f"{name} {cap}: {verdict}")
            for left in folder.iterdir():
                shutil.rmtree(left) if left.is_dir() else left.unlink()
            status, free, said = run([*base, *where])
            over = free / estimate["memory"]
            if status != 0 or over > MOST_OVER_ESTIMATE:
                bad.append(f"{name}: {megabytes(free)} MB, estimate {megabytes(estimate['memory'])} MB {said}")
            told.append({"input": name, "output": output, "cap": None, "peak_bytes": free, "status": status,
                         "ratio": round(over, 3), "estimate_bytes": estimate["memory"], "verdict": "of the estimate"})
    header = ["input", "output", "--memory", "peak MB", "ratio", "estimate MB", ""]
    print(result.table(header, [
        [row["input"], row["output"], row["cap"] or "none", megabytes(row["peak_bytes"]), f"{row['ratio']:.2f}",
         megabytes(row["estimate_bytes"]), row["verdict"]] for row in told]))
    if not args.rows:
        result.write("memory", {"rows": told})
    if bad:
        sys.exit("over the bar:\n" + "\n".join(bad))


if __name__ == "__main__":
    main()
