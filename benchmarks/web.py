#!/usr/bin/env python3
"""Pages that recipe `web` removes from manuals in HTML, beside the similarity of their whole texts.

Three Debian packages of very different pages are downloaded and taken apart. `dedup --recipe web` goes over each.
For every page that it removes the whole texts of the page and of the one that stays are compared, by the Jaccard
similarity of runs of three words. No page of python3.11-doc may go, and of no pair may the whole texts share less
than half.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import corpus
import result

PACKAGES = {"python3.11-doc": 0, "debian-handbook": None, "linux-doc-6.1": None}
LEAST = 0.5
WORD = re.compile(r"\w+")


def pages(package):
    """The folder with the pages of a package, downloaded where it is not there."""
    folder = corpus.DATA / "web" / package
    if not folder.exists():
        found = corpus.downloaded(corpus.DATA / "debs", [package])[package]
        unpacked = folder.with_suffix(".new")
        shutil.rmtree(unpacked, ignore_errors=True)
        unpacked.mkdir(parents=True)
        subprocess.run(["dpkg-deb", "-x", found, unpacked], check=True)
        unpacked.rename(folder)
    return folder


def shingles(text):
    words = WORD.findall(text.lower())
    return {tuple(words[at:at + 3]) for at in range(len(words) - 2)} or {tuple(words)}


def jaccard(nearprint, one, other):
    """The similarity of the whole texts of two pages."""
    told = [subprocess.run([nearprint, "text", page, "--html", "full", "-q"], check=True, capture_output=True, text=True)
            for page in (one, other)]
    a, b = (shingles(it.stdout) for it in told)
    return len(a & b) / len(a | b)


def measured(nearprint, package, most):
    with tempfile.TemporaryDirectory() as room:
        room = pathlib.Path(room)
        removed, summary = room / "removed.jsonl", room / "summary.json"
        command = [nearprint, "dedup", pages(package), "--include", "*.html", "--recipe", "web", "-q",
                   "-o", room / "kept", "--removed", removed, "--summary", summary]
        subprocess.run(list(map(str, command)), check=True)
        rows = [json.loads(line) for line in removed.read_text().splitlines()]
        figures = json.loads(summary.read_text())
    alike = sorted((jaccard(nearprint, row["id"], row["kept"]), row["id"]) for row in rows)
    lowest = alike[0] if alike else (1.0, None)
    met = lowest[0] >= LEAST and (most is None or len(rows) <= most)
    return {"package": package, "pages": figures["documents"], "whole_texts": figures["pages"], "removed": len(rows),
            "lowest": round(lowest[0], 3), "lowest_page": lowest[1] and pathlib.Path(lowest[1]).name, "met": met}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--runs", type=int, default=1, help="ignored: nothing is timed")
    args = parser.parse_args()
    nearprint = args.nearprint.resolve()
    rows = [measured(nearprint, package, most) for package, most in PACKAGES.items()]
    header = ["package", "pages", "removed", "lowest similarity of whole texts", "bar"]
    print(result.table(header, [
        [row["package"], str(row["pages"]), str(row["removed"]), str(row["lowest"]), "met" if row["met"] else "MISSED"]
        for row in rows]))
    print("written:", result.write("web", {"rows": rows}))
    if not all(row["met"] for row in rows):
        sys.exit("over the bar")


if __name__ == "__main__":
    main()
