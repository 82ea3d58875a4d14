#!/usr/bin/env python3
"""Labelled sets of real Chinese and Japanese: the Debian installation guide of several architectures.

usage: labelled_guide.py [--language LANG]... [--architecture ARCH]... OUT_DIR

The guide of each architecture is a package of Debian (GPL-2, the Debian Installer team), which
`apt-get download` fetches into OUT_DIR/packages unless it is there; `dpkg-deb` unpacks it. The same section of two
architectures differs in what is profiled for them, in section numbers and in the navigation: natural
near-duplicates. OUT_DIR/LANG then holds what benchmarks/quality.py reads:

docs.jsonl  a page a line: id (architecture/language/page), section (its anchor), text, html
pairs.tsv   id1, id2, label, j5, c5: every pair whose Jaccard similarity j5 is at least 0.3
            dup: at least 0.8; grey: at least 0.5, which counts neither way; neg: less
            c5 is the share of the smaller one's shingles that the larger one has

Similarities are exact, of the sets of runs of five tokens: NFKC, lower case, each run of letters and digits a token,
and each Han or Kana character one. Labels say that text is alike, not that a person thinks so.
"""
import argparse
import html.parser
import itertools
import json
import pathlib
import re
import subprocess
import sys
import unicodedata

ARCHITECTURES = ["amd64", "arm64", "armel", "armhf", "i386", "mips64el", "mipsel", "ppc64el", "s390x"]
LANGUAGES = ["zh_CN", "ja"]
SHINGLE, LEAST, GREY, DUPLICATE = 5, 0.3, 0.5, 0.8
TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\W_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
BLOCKS = {"p", "div", "h1", "h2", "h3", "h4", "h5", "li", "dt", "dd", "tr", "td", "th", "pre", "br", "title", "table"}


class Page(html.parser.HTMLParser):
    """The text of a page, a line for each block, and the first anchor in its body."""

    def __init__(self, source):
        super().__init__()
        self.lines, self.line, self.section = [], [], None
        self.feed(source)
        self.end_line()

    def end_line(self):
        line = " ".join("".join(self.line).split())
        self.lines += [line] if line else []
        self.line = []

    def handle_starttag(self, tag, attributes):
        if tag in BLOCKS:
            self.end_line()
        if tag == "a" and self.section is None:
            self.section = dict(attributes).get("name")

    def handle_endtag(self, tag):
        if tag in BLOCKS:
            self.end_line()

    def handle_data(self, data):
        self.line.append(data)


def unpacked(folder, architecture):
    """The folder of the guide's pages, one folder a language."""
    package, packages = f"installation-guide-{architecture}", folder / "packages"
    target = packages / architecture
    if not target.exists():
        packages.mkdir(parents=True, exist_ok=True)
        found = sorted(packages.glob(f"{package}_*.deb"))
        if not found:
            subprocess.run(["apt-get", "download", package], cwd=packages, check=True)
            found = sorted(packages.glob(f"{package}_*.deb"))
        subprocess.run(["dpkg-deb", "-x", found[-1], target], check=True)
        print(found[-1].name, file=sys.stderr)
    return target / "usr/share/doc" / package


def shingles(text):
    tokens = TOKEN.findall(unicodedata.normalize("NFKC", text).lower())
    return frozenset(zip(*(tokens[at:] for at in range(SHINGLE))))


def documents(folder, language, architectures):
    for architecture in architectures:
        for path in sorted((unpacked(folder, architecture) / language).glob("*.html")):
            source = path.read_text(encoding="utf-8")
            page = Page(source)
            yield {"id": f"{architecture}/{language}/{path.stem}", "section": page.section,
                   "text": "\n".join(page.lines), "html": source}


def pairs(rows):
    sets = [shingles(row["text"]) for row in rows]
    for (row, ours), (other, theirs) in itertools.combinations(zip(rows, sets), 2):
        least, most = sorted((len(ours), len(theirs)))
        if least < LEAST * most or not least:
            continue
        shared = len(ours & theirs)
        jaccard = shared / (least + most - shared)
        if jaccard >= LEAST:
            label = "dup" if jaccard >= DUPLICATE else "grey" if jaccard >= GREY else "neg"
            yield row["id"], other["id"], label, f"{jaccard:.4f}", f"{shared / least:.4f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path, metavar="OUT_DIR")
    parser.add_argument("--language", action="append", help=f"default: {', '.join(LANGUAGES)}")
    parser.add_argument("--architecture", action="append", help="default: all nine of Debian 12")
    args = parser.parse_args()
    for language in args.language or LANGUAGES:
        rows = list(documents(args.out, language, args.architecture or ARCHITECTURES))
        if not rows:
            sys.exit(f"no page in the language {language}")
        labelled = sorted(pairs(rows))
        folder = args.out / language
        folder.mkdir(exist_ok=True)
        with open(folder / "docs.jsonl", "w", encoding="utf-8") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        with open(folder / "pairs.tsv", "w", encoding="utf-8") as file:
            file.write("id1\tid2\tlabel\tj5\tc5\n")
            file.writelines("\t".join(pair) + "\n" for pair in labelled)
        labels = [label for _, _, label, *_ in labelled]
        size = sum(len(row["text"].encode()) for row in rows) / 1e6
        print(f"{language}: {len(rows)} documents, {size:.2f} MB of text, " +
              ", ".join(f"{labels.count(label)} {label}" for label in ("dup", "grey", "neg")))


if __name__ == "__main__":
    main()
