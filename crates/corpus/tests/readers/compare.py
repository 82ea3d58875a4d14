"""Compares what nearprint reads of random files with what the reference libraries read of them (samples.py), document
by document; and what it makes of files that are empty, cut, or have garbage around them.

usage: compare.py NEARPRINT [--files N] [--cuts N] [--seed N] [--format NAME]...
"""

import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

from samples import FORMATS


def run(program, *args):
    """Exit status, and what was said."""
    done = subprocess.run([program, "text", "--format", "json", *map(str, args)], capture_output=True, timeout=600)
    return done.returncode, done.stderr.decode(errors="replace")


def documents(path):
    """The ids and texts of rows, in order; the id of a document without one is its place."""
    if not path.exists():
        return []
    with open(path) as rows:
        return [(row["id"], row["text"]) for row in map(json.loads, rows)]


def same(expected, found):
    """Whether a document that was read is the one that was expected; none has an id that is its place."""
    return expected[1] == found[1] and expected[0] in (None, found[0])


def begins(expected, found, format):
    """Whether a document is the one that was expected, or of a text without an end of its own the beginning of it."""
    if format.name in ("jsonl", "warc", "arc"):
        return same(expected, found)
    return expected[1].startswith(found[1])


def compare(program, format, seed, files, folder):
    """The documents of many files, and how many of them differ."""
    inputs, out = folder / "in", folder / "out.jsonl"
    inputs.mkdir()
    expected = []
    for at in range(files):
        rng = random.Random(f"{seed} {format.name} {at}")
        place = inputs / f"{at:06}"
        expected += [(at, document) for document in format.write(rng, place)]
    status, said = run(program, inputs, "-o", out, *format.flags)
    found = documents(out)
    differences = [] if status == 0 else [f"status {status}: {said.strip()[:500]}"]
    for (at, wanted), got in zip(expected, found):
        if not same(wanted, got):
            differences.append(f"file {at:06}: expected {wanted!r:.300}, found {got!r:.300}")
            break
    if len(expected) != len(found):
        differences.append(f"{len(expected)} documents expected, {len(found)} found")
    return len(expected), differences


def sample(format, seed, folder):
    """A file of several documents, not compressed as a whole."""
    for at in range(1000):
        place = folder / f"{at:06}"
        rng = random.Random(f"{seed} {format.name} cut {at}")
        expected = format.write(rng, place)
        [path] = folder.glob(f"{at:06}*")
        packed = path.suffix in (".gz", ".bz2", ".xz", ".zst")
        if (len(expected) > 3 or format.name == "text" and expected[0][1]) and not packed:
            return path, expected
    raise SystemExit(f"no sample of {format.name}")


def hurt(program, format, seed, cuts, folder):
    """What is wrong with the reading of a damaged file: a panic, or fewer documents in silence."""
    path, expected = sample(format, seed, folder)
    data, rng = path.read_bytes(), random.Random(f"{seed} {format.name} hurt")
    garbage = [b"\x00\x01garbage", b"garbage\n", rng.randbytes(100), b"{\n", b"\xff" * 9]
    cases = [("empty", b""), ("one byte", data[:1]), ("another byte", b"\xff"), ("a NUL", b"\0")]
    cases += [(f"cut at {at}", data[:at]) for at in sorted(rng.sample(range(1, len(data)), min(cuts, len(data) - 1)))]
    cases += [(f"{it!r:.20} before", it + data) for it in garbage] + [(f"{it!r:.20} behind", data + it) for it in garbage]
    differences, out = [], folder / "hurt.jsonl"
    place = folder / ("hurt" + "".join(path.suffixes))
    for name, bytes in cases:
        place.write_bytes(bytes)
        for how in ("fail", "skip"):
            out.unlink(missing_ok=True)
            began = time.monotonic()
            status, said = run(program, place, "-o", out, "--on-error", how, *format.flags)
            if time.monotonic() - began > SLOW:
                differences.append(f"{name} ({how}): {time.monotonic() - began:.1f} seconds")
            found = documents(out)
            fewer = len(found) < len(expected)
            # A cut between two records cannot be seen, nor one in a text that ends where the file ends.
            whole = format.name in ENDLESS and all(same(*pair) for pair in zip(expected, found[:-1]))
            whole = whole and (not found or any(begins(it, found[-1], format) for it in expected[len(found) - 1 :]))
            if status not in (0, 1) or "panicked" in said or status == 1 and out.exists():
                differences.append(f"{name} ({how}): status {status}: {said.strip()[:300]}")
            elif format.name in ("lines", "text") and not name.startswith("cut"):
                # Anything is a text.
                continue
            elif status == 0 and fewer and not said and not (whole and len(found) >= records(format, bytes)):
                differences.append(f"{name} ({how}): {len(found)} of {len(expected)} documents, and not a word")
    return len(cases), differences


# Seconds that no file of a few kilobytes takes.
SLOW = 3

def spoiled(program, format, seed, files, folder):
    """What is wrong with one reading of many files that are damaged anywhere: it ends of itself, and without a bug."""
    samples, inputs = folder / "samples", folder / "spoiled"
    samples.mkdir()
    inputs.mkdir()
    rng = random.Random(f"{seed} {format.name} spoiled")
    for at in range(20):
        format.write(rng, samples / f"{at:06}")
    paths = sorted(samples.iterdir())
    for at in range(files):
        path = rng.choice(paths)
        data = bytearray(path.read_bytes())
        for _ in range(rng.choice([1, 1, 2, 8])):
            place = rng.randrange(len(data) + 1)
            size = rng.choice([0, 1, 1, 4])
            data[place : place + size] = rng.choice([b"", b"\0", b"\xff", b"\n", b'"', rng.randbytes(size)])
        (inputs / f"{at:06}{''.join(path.suffixes)}").write_bytes(data)
    status, said = run(program, inputs, "-o", folder / "spoiled.jsonl", "--on-error", "skip", *format.flags)
    # A ZIP file without its directory ends the search for files.
    if status == 0 or status == 1 and format.name == "wacz" and "panicked" not in said:
        return []
    return [f"spoiled files: status {status}: {said.strip()[-500:]}"]


# Formats whose files have no end of their own.
ENDLESS = {"jsonl", "lines", "text", "warc", "arc"} | {it.name for it in FORMATS if it.name.startswith(("csv", "tsv"))}


def records(format, data):
    """Documents that are whole in a part of a file, at least."""
    if format.name == "jsonl":
        return sum(1 for line in data.split(b"\n") if line.strip().endswith(b"}"))
    if format.name == "lines":
        return data.count(b"\n")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--files", type=int, default=200, help="random files of each format")
    parser.add_argument("--cuts", type=int, default=20, help="places where a file of each format is cut")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--format", action="append", choices=[it.name for it in FORMATS])
    args = parser.parse_args()
    program = pathlib.Path(args.program).resolve()
    failed = False
    print(f"{'format':<14}{'files':>8}{'documents':>11}{'damaged':>9}{'seconds':>9}  differences")
    for format in FORMATS:
        if args.format and format.name not in args.format:
            continue
        folder, began = pathlib.Path(tempfile.mkdtemp(prefix="readers-")), time.monotonic()
        read, differences = compare(program, format, args.seed, args.files, folder)
        (folder / "hurt").mkdir()
        cases, more = hurt(program, format, args.seed, args.cuts, folder / "hurt")
        (folder / "more").mkdir()
        differences += more + spoiled(program, format, args.seed, args.files, folder / "more")
        seconds = time.monotonic() - began
        print(f"{format.name:<14}{args.files:>8}{read:>11}{cases:>9}{seconds:>9.1f}  {len(differences)}", flush=True)
        for line in differences[:10]:
            print(f"    {line}", flush=True)
        if differences:
            failed = True
            print(f"    files: {folder}", flush=True)
        else:
            shutil.rmtree(folder)
    sys.exit(failed)


main()
