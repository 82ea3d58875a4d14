#!/usr/bin/env python3
"""Pages by recipe `web`: articles under the frames of two sites, a manual under two themes, and whole manuals.

- frames: articles of 90 to 600 words under frames of 0 to 240 words, by templates of four kinds, each article on two
  sites. `pairs`, `dedup`, `compare`, a store and shards are to find 99 % of the pairs, and no other.
- samples: the article and its reprint in samples/html.
- themes: a manual rendered by two themes of Sphinx. F1 of the pairs of one page is to be 0.98.
- packages: three Debian packages of very different pages. For every page that `dedup` removes the whole texts of the
  page and of the one that stays are compared, by the Jaccard similarity of runs of three words. No page of
  python3.11-doc may go, and of no pair may the whole texts share less than half.

Needs apt-get for the packages and Sphinx in benchmarks/.venv-web, which `scripts/bench web` makes.
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
import web_manual
import web_sites

PACKAGES = {"python3.11-doc": 0, "debian-handbook": None, "linux-doc-6.1": None}
LEAST = 0.5
FOUND = 0.99
F1 = 0.98
RECIPE = ["--recipe", "web"]
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


def run(room, *command):
    return subprocess.run(list(map(str, command)), cwd=room, check=True, capture_output=True, text=True).stdout


def rows_of(text):
    return [json.loads(line) for line in text.splitlines()]


def faces(nearprint, room, count):
    """The pairs that each command finds among `pages/a/N.html` and `pages/b/N.html`."""
    yield "pairs", {(row["a"], row["b"]) for row in rows_of(run(room, nearprint, "pairs", "pages", *RECIPE, "-q"))}
    run(room, nearprint, "dedup", "pages", *RECIPE, "-q", "-o", "kept", "--removed", "removed.jsonl")
    yield "dedup", {(row["kept"], row["id"]) for row in rows_of((room / "removed.jsonl").read_text())}
    found = set()
    for at in range(count):
        # Each page with its other copy, and with that of the next article.
        for other in (at, (at + 1) % count):
            pair = f"pages/a/{at:04}.html", f"pages/b/{other:04}.html"
            if json.loads(run(room, nearprint, "compare", *pair, *RECIPE, "--format", "json"))["near_duplicates"]:
                found.add(pair)
    yield "compare", found
    run(room, nearprint, "store", "init", "seen", *RECIPE)
    answers = rows_of(run(room, nearprint, "store", "add", "seen", "pages", "--unless-duplicate", "--format", "json", "-q"))
    yield "store", {(row["near"]["id"], row["id"]) for row in answers if row["verdict"] == "duplicate"}
    run(room, nearprint, "shard", "create", "work", "pages", *RECIPE, "-o", "clean/", "--removed", "away/")
    run(room, nearprint, "shard", "run", "work")
    removed = "".join(path.read_text() for path in sorted((room / "away").glob("*.jsonl")))
    yield "shards", {(row["kept"], row["id"]) for row in rows_of(removed)}


def of_sites(nearprint):
    with tempfile.TemporaryDirectory() as room:
        room = pathlib.Path(room)
        count = web_sites.write(room / "pages", pages("python3.11-doc"))
        right = {(f"pages/a/{at:04}.html", f"pages/b/{at:04}.html") for at in range(count)}
        rows = []
        for face, found in faces(nearprint, room, count):
            wrong = len(found - right)
            met = len(found & right) >= FOUND * count and wrong == 0
            rows.append({"face": face, "articles": count, "found": len(found & right), "wrong": wrong, "met": met})
        return rows


def of_samples(nearprint):
    found = rows_of(run(result.REPOSITORY, nearprint, "pairs", "samples/html", *RECIPE, "-q"))
    return {"pairs": [sorted((row["a"], row["b"])) for row in found],
            "met": [sorted((row["a"], row["b"])) for row in found]
            == [["samples/html/mill-reprint.html", "samples/html/mill.html"]]}


def of_themes(nearprint):
    folder = web_manual.write(corpus.DATA / "web" / "two-themes", pages("python3.11-doc")) / "pages"
    first, second = (folder / theme for theme in web_manual.THEMES)
    names = {path.relative_to(first) for path in first.rglob("*.html")}
    names &= {path.relative_to(second) for path in second.rglob("*.html")}
    found = {(row["a"], row["b"]) for row in
             rows_of(run(folder, nearprint, "pairs", *web_manual.THEMES, "--include", "*.html", *RECIPE, "-q"))}
    right = {tuple(f"{theme}/{name}" for theme in web_manual.THEMES) for name in names}
    f1 = 2 * len(found & right) / (len(found) + len(right))
    return {"pages": len(right), "found": len(found & right), "wrong": len(found - right), "f1": round(f1, 4),
            "missed": sorted(first for first, _ in right - found), "met": f1 >= F1}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--runs", type=int, default=1, help="ignored: nothing is timed")
    args = parser.parse_args()
    nearprint = args.nearprint.resolve()
    sites, samples, themes = of_sites(nearprint), of_samples(nearprint), of_themes(nearprint)
    packages = [measured(nearprint, package, most) for package, most in PACKAGES.items()]
    bar = lambda row: "met" if row["met"] else "MISSED"  # noqa: E731
    print(result.table(["frames", "articles", "found", "wrong", "bar"], [
        [row["face"], str(row["articles"]), str(row["found"]), str(row["wrong"]), bar(row)] for row in sites]))
    print(result.table(["", "pages", "found", "wrong", "F1", "bar"], [
        ["samples", "6", str(len(samples["pairs"])), "", "", bar(samples)],
        ["two themes", str(themes["pages"]), str(themes["found"]), str(themes["wrong"]), str(themes["f1"]), bar(themes)],
    ]))
    print(result.table(["package", "pages", "removed", "lowest similarity of whole texts", "bar"], [
        [row["package"], str(row["pages"]), str(row["removed"]), str(row["lowest"]), bar(row)] for row in packages]))
    print("written:", result.write("web", {"sites": sites, "samples": samples, "themes": themes, "rows": packages}))
    if not all(row["met"] for row in [*sites, samples, themes, *packages]):
        sys.exit("a bar is missed")


if __name__ == "__main__":
    main()
