#!/usr/bin/env python3
"""Build the throughput corpus: about 300 MB of real multilingual text, 50 000 documents.

The text comes from Debian documentation packages: manual pages, handbooks and reference pages in
ten languages. `apt-get download` fetches them into benchmarks/data/debs; nothing is installed. The
corpus is benchmarks/data/corpus.jsonl, rows of {"id", "text", "src"}, and corpus.json beside it
tells its size, checksum and package versions. It is left alone where it is already there.

The text holds very dense groups of near-duplicates (templates, translations left in English,
generated reference pages), which is what makes it a fair test of deduplication.
"""
import argparse
import hashlib
import gzip
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

DATA = pathlib.Path(__file__).resolve().parent / "data"
PACKAGES = """
    debian-handbook linux-doc-6.1 python3.11-doc
    libreoffice-help-en-us libreoffice-help-zh-cn libreoffice-help-ja libreoffice-help-de
    gnome-user-docs installation-guide-amd64
    manpages manpages-dev manpages-de manpages-fr manpages-es manpages-ja manpages-zh manpages-pl
    manpages-ru perl-doc postgresql-doc-15 developers-reference
    debian-reference-zh-cn debian-reference-ja debian-reference-en openjdk-17-doc
""".split()
# Bytes of text taken at most from packages that would outweigh the others.
CAP = {"linux-doc-6.1": 60 << 20, "openjdk-17-doc": 45 << 20}
SHORTEST = 200  # characters of a document

INVISIBLE = re.compile(r"<(script|style|head)\b.*?</\1>", re.S | re.I)
TAG = re.compile(r"<[^>]+>")
ROFF_LINE = re.compile(r"^[.'][^\n]*$", re.M)
ROFF_ESCAPE = re.compile(r"\\f[A-Z]|\\[-&e]|\\\([a-z]{2}")
BLANKS = re.compile(r"[ \t\r\f\v]+")
LINES = re.compile(r"\s*\n\s*")


def text_of(name, data):
    """The plain text of a documentation file, or None where it is not one."""
    if name.endswith(".gz"):
        name, data = name[:-3], gzip.decompress(data)
    extension = name.rsplit(".", 1)[-1].lower()
    if extension in ("html", "htm", "xhtml", "page"):
        page = data.decode("utf-8", "ignore")
        text = html.unescape(TAG.sub(" ", INVISIBLE.sub(" ", page)))
    elif extension in ("txt", "rst", "pod", "md"):
        text = data.decode("utf-8", "ignore")
    elif "/man/" in name and extension[:1] in "123456789n":
        text = ROFF_ESCAPE.sub("", ROFF_LINE.sub("", data.decode("utf-8", "ignore")))
    else:
        return None
    text = LINES.sub("\n", BLANKS.sub(" ", text)).strip()
    return text.encode("utf-8", "replace").decode("utf-8")  # a page may name half a surrogate pair


def texts_of(deb, cap):
    """The texts of a package until `cap` bytes of them, in its order, without unpacking it to disk."""
    taken = 0
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE) as process:
        with tarfile.open(fileobj=process.stdout, mode="r|") as archive:
            for member in archive:
                if taken > cap or not member.isfile():
                    continue
                try:
                    text = text_of(member.name, archive.extractfile(member).read())
                except (OSError, EOFError):  # not gzip after all
                    continue
                if text is not None and len(text) >= SHORTEST:
                    taken += len(text.encode())
                    yield text
        process.stdout.read()
    if process.returncode != 0:
        sys.exit(f"{deb} cannot be read: dpkg-deb ended with {process.returncode}; delete the file and try again")


def downloaded(folder, packages=PACKAGES):
    """The package files by name, downloading what is missing."""
    for tool in ("apt-get", "dpkg-deb"):
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is not here: the corpus is made of Debian packages.\n"
                     "Build it on Debian and copy benchmarks/data/corpus.jsonl over, or use JSONL of "
                     "your own with a `text` field: benchmarks/corpus.py --from FILE")
    folder.mkdir(parents=True, exist_ok=True)
    debs = {}
    for package in packages:
        if not any(folder.glob(f"{package}_*.deb")):
            print(f"downloading {package}", file=sys.stderr)
            subprocess.run(["apt-get", "download", "-qq", package], cwd=folder, check=False, timeout=900)
        found = sorted(folder.glob(f"{package}_*.deb"))
        if found:
            debs[package] = found[-1]
        else:
            print(f"warning: {package} cannot be downloaded, the corpus goes without it "
                  "(apt-get update may help; delete the corpus to build it again)", file=sys.stderr)
    if not debs:
        sys.exit("no package could be downloaded: is there a network, and has `apt-get update` been run?")
    return debs


def build(out):
    """Write the corpus of all packages to `out`; returns the version of each package."""
    debs = downloaded(DATA / "debs")
    number = 0
    partial = out.with_suffix(".partial")
    with open(partial, "w", encoding="utf-8") as rows:
        for package, deb in debs.items():
            print(f"reading {deb.name}", file=sys.stderr)
            for text in texts_of(deb, CAP.get(package, sys.maxsize)):
                rows.write(json.dumps({"id": number, "text": text, "src": package}, ensure_ascii=False) + "\n")
                number += 1
    os.replace(partial, out)
    return {package: deb.name.split("_")[1] for package, deb in debs.items()}


def describe(path, origin):
    """Count the corpus and write what it is to corpus.json."""
    documents = text_bytes = file_bytes = 0
    checksum = hashlib.sha256()
    with open(path, "rb") as rows:
        for line in rows:
            text = json.loads(line).get("text")
            if not isinstance(text, str):
                sys.exit(f"{path}, line {documents + 1}: no `text` field that is a string")
            documents += 1
            text_bytes += len(text.encode())
            file_bytes += len(line)
            checksum.update(line)
    facts = {"documents": documents, "bytes": file_bytes, "text_bytes": text_bytes,
             "sha256": checksum.hexdigest(), **origin}
    (DATA / "corpus.json").write_text(json.dumps(facts, indent=1) + "\n")
    print(f"{path}: {documents} documents, {file_bytes / 1e6:.1f} MB, {text_bytes / 1e6:.1f} MB of text",
          file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="source", type=pathlib.Path, metavar="FILE",
                        help="use this JSONL with a `text` field, in place of any corpus that is there")
    source = parser.parse_args().source
    corpus = DATA / "corpus.jsonl"
    DATA.mkdir(exist_ok=True)
    if source is not None:
        if not source.is_file():
            sys.exit(f"{source} is not a file")
        target = source.resolve()
        if target != corpus.resolve():
            corpus.unlink(missing_ok=True)
            corpus.symlink_to(target)
        describe(corpus, {"source": source.name})
    elif not corpus.exists():
        describe(corpus, {"packages": build(corpus)})
    elif not (DATA / "corpus.json").exists():
        describe(corpus, {"source": "found in benchmarks/data"})


if __name__ == "__main__":
    main()
