"""The corpora of the benchmark kept, as JSONL of {"id", "text", "label"} in benchmarks/data.

All are reduced to words of letters between blanks, in lower case, and in the records of digits too: what a word is then
needs no tokenizer, so three words in a row are the same feature to every program.

- pages: documentation of Debian packages in several languages, and the installation guide as built for five
  architectures. The label is the package.
- licences: the licence texts of the PyPI package licensedcode-data (ScanCode). The label is the licence, which people
  gave to each text.
- records: the bibliographic records of samples/labelled. The label is the record that people call the same.
"""
import collections
import gzip
import json
import re
import subprocess
import sys
import unicodedata
import zipfile

import answers
import corpus
import result

DATA = result.BENCHMARKS / "data"
PACKAGES = """
    debian-handbook python3.11-doc postgresql-doc-15 gnome-user-docs openjdk-17-doc manpages-de
    installation-guide-amd64 installation-guide-arm64 installation-guide-i386 installation-guide-ppc64el
    installation-guide-s390x libreoffice-help-en-us libreoffice-help-ca libreoffice-help-pt libreoffice-help-pt-br
    libreoffice-help-sl
""".split()
MOST = 5 << 20  # bytes of text taken from a package
LICENCES = "licensedcode-data==32.1.0"
RECORDS = result.REPOSITORY / "samples/labelled"
FRONT = re.compile(r"---\n(.*?\n)---\n(.*)", re.DOTALL)


def pages():
    """(label, text) of the pages of documentation."""
    debs = corpus.downloaded(DATA / "debs", PACKAGES)
    for package, deb in debs.items():
        yield from ((package, text) for text in corpus.texts_of(deb, MOST))


def licences():
    """(label, text) of the licence texts."""
    folder = DATA / "packages"
    wheels = list(folder.glob("licensedcode_data-*.whl"))
    if not wheels:
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, LICENCES], check=True)
        wheels = list(folder.glob("licensedcode_data-*.whl"))
    with zipfile.ZipFile(wheels[0]) as wheel:
        for name in sorted(wheel.namelist()):
            if "/inactive/" in name or not name.endswith((".LICENSE", ".RULE")):
                continue
            parts = FRONT.fullmatch(wheel.read(name).decode("utf-8"))
            front = dict(line.split(": ", 1) for line in parts[1].splitlines() if re.match(r"\w+: ", line)) if parts else {}
            if "key" in front or (front.get("is_license_text") == "yes" and "license_expression" in front):
                yield front.get("key") or front["license_expression"], parts[2]


def records():
    """(label, text) of the bibliographic records."""
    with gzip.open(RECORDS / "bibliography.jsonl.gz", "rt", encoding="utf-8") as rows:
        texts = {row["id"]: row["text"] for row in map(json.loads, rows)}
    with gzip.open(RECORDS / "bibliography.pairs.tsv.gz", "rt", encoding="utf-8") as rows:
        pairs = [row.rstrip("\n").split("\t") for row in rows][1:]
    numbers = {identity: number for number, identity in enumerate(texts)}
    same = [(numbers[a], numbers[b]) for a, b, label, *_ in pairs if label == "dup"]
    roots = answers.roots(len(texts), same)
    yield from ((str(root), text) for root, text in zip(roots, texts.values()))


MADE = {"pages": pages, "licences": licences, "records": records}
# A year or a page tells records apart; in documentation numbers hold versions and dates.
WORD = {"records": re.compile(r"[^\W_]+")}


def path(name):
    return DATA / f"kept-{name}.jsonl"


def write(name):
    """Write a corpus unless it is there. Texts of less than three words are left out."""
    if path(name).exists():
        return
    partial, number = path(name).with_suffix(".partial"), 0
    with open(partial, "w", encoding="utf-8") as out:
        for label, text in MADE[name]():
            words = WORD.get(name, answers.LETTERS).findall(unicodedata.normalize("NFKC", text).lower())
            if len(words) < 3:
                continue
            row = {"id": f"{name}-{number}", "text": " ".join(words), "label": label}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
            number += 1
    partial.rename(path(name))


def read(name):
    """The ids, texts and labels of a corpus."""
    Corpus = collections.namedtuple("Corpus", "ids texts labels")
    with open(path(name), encoding="utf-8") as rows:
        rows = [json.loads(row) for row in rows]
    return Corpus([row["id"] for row in rows], [row["text"] for row in rows], [row["label"] for row in rows])
