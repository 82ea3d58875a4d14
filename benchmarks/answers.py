#!/usr/bin/env python3
"""One count from every verb: over 80 000 pages of documentation, in several languages and versions.

The pages are reduced to words of letters between blanks, so that what a feature of the recipe `text` is needs no
tokenizer: three words in a row. A join of its own, by the rarest features of each document, finds every pair at the
similarity; it shares nothing with nearprint. `pairs`, `dedup --pairs`, `clusters`, `evaluate` and `tune` must count
these pairs, and `dedup --keep first`, a store and shards keep the same documents.
"""
import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata

import numpy as np

import corpus
import result

PACKAGES = """
    debian-handbook debian-reference-en developers-reference linux-doc-6.1 python3.11-doc postgresql-doc-15 perl-doc gnome-user-docs installation-guide-amd64
    libreoffice-help-en-us libreoffice-help-de libreoffice-help-fr libreoffice-help-es libreoffice-help-it
    libreoffice-help-pt libreoffice-help-pt-br libreoffice-help-ca libreoffice-help-nl libreoffice-help-pl
    libreoffice-help-cs libreoffice-help-hu libreoffice-help-ru libreoffice-help-sl libreoffice-help-sk
    manpages manpages-dev manpages-de manpages-fr manpages-es manpages-pl manpages-ru openjdk-17-doc
""".split()
CAP = {"openjdk-17-doc": 60 << 20}
DOCUMENTS = 80_000
SIMILARITY = 0.8
# Of the pairs at exactly the similarity so many may be missed by default, in parts of one.
MISSED = 0.001
# The share of the pairs by which a prediction from 2000 documents may be off.
OFF = 0.2
LETTERS = re.compile(r"[a-zß-öø-ÿāăąćčďđēęěğīįıłńňőœřśšşťūůűźżžа-яё]+")


def written(path):
    """Writes the corpus, and returns the shingles of each document as sorted arrays of numbers, with the number of all."""
    debs = corpus.downloaded(corpus.DATA / "debs", PACKAGES)
    numbers, sets = collections.defaultdict(lambda: len(numbers)), []
    with open(path, "w", encoding="utf-8") as out:
        for package, deb in debs.items():
            for text in corpus.texts_of(deb, CAP.get(package, sys.maxsize)):
                words = LETTERS.findall(unicodedata.normalize("NFKC", text).lower())
                if len(words) < 3:
                    continue
                out.write(json.dumps({"id": len(sets), "text": " ".join(words)}, ensure_ascii=False) + "\n")
                ids = np.fromiter((numbers[word] for word in words), dtype=np.uint64, count=len(words))
                keys = ids[:-2] << np.uint64(42) | ids[1:-1] << np.uint64(21) | ids[2:]
                sets.append(np.unique(keys))
    if len(numbers) >= 1 << 21:
        sys.exit(f"{len(numbers)} different words do not fit into 21 bits")
    return sets


def joined(sets, least):
    """Every pair of documents whose sets have a Jaccard similarity of `least` or more, and the number of documents
    that stand for the others of equal sets."""
    classes = collections.defaultdict(list)
    for number, keys in enumerate(sets):
        classes[keys.tobytes()].append(number)
    firsts = sorted(members[0] for members in classes.values())
    members = {group[0]: group for group in classes.values()}
    keys, counts = np.unique(np.concatenate([sets[one] for one in firsts]), return_counts=True)
    order = np.empty(len(keys), dtype=np.uint32)
    order[np.argsort(counts, kind="stable")] = np.arange(len(keys), dtype=np.uint32)
    ranked = {one: np.sort(order[np.searchsorted(keys, sets[one])]) for one in firsts}
    del keys, counts, order
    postings, pairs = collections.defaultdict(list), []
    for one in sorted(firsts, key=lambda one: len(ranked[one])):
        features = ranked[one]
        size = len(features)
        prefix = features[: size - int(np.ceil(least * size - 1e-9)) + 1]
        candidates = set()
        for feature in prefix.tolist():
            candidates.update(other for other in postings[feature] if len(ranked[other]) >= least * size)
            postings[feature].append(one)
        for other in candidates:
            shared = np.intersect1d(features, ranked[other], assume_unique=True).size
            if shared / (size + len(ranked[other]) - shared) >= least:
                pairs += [(min(a, b), max(a, b)) for a in members[one] for b in members[other]]
    for group in members.values():
        pairs += [(a, b) for at, a in enumerate(group) for b in group[at + 1:]]
    return set(pairs), len(firsts)


def kept_first(count, pairs):
    """What greedy deduplication in input order keeps."""
    near, stays = collections.defaultdict(list), [True] * count
    for a, b in pairs:
        near[b].append(a)
    for one in range(count):
        stays[one] = not any(stays[other] for other in near[one])
    return [one for one in range(count) if stays[one]]


def roots(count, pairs):
    """For each document the first of those that chains of pairs join to it."""
    heads = list(range(count))

    def root(one):
        while heads[one] != one:
            heads[one] = heads[heads[one]]
            one = heads[one]
        return one

    for a, b in pairs:
        a, b = root(a), root(b)
        heads[max(a, b)] = min(a, b)
    return [root(one) for one in range(count)]


def components(count, pairs):
    sizes = collections.Counter(roots(count, pairs))
    return sum(size > 1 for size in sizes.values()), sum(size for size in sizes.values() if size > 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to ask")
    parser.add_argument("--runs", type=int, default=1, help=argparse.SUPPRESS)
    nearprint = parser.parse_args().nearprint.resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        sets = written(folder / "in.jsonl")
        begun = time.monotonic()
        truth, distinct = joined(sets, SIMILARITY)
        print(f"{len(sets)} documents, {distinct} of distinct content; {len(truth)} pairs by the plain join in "
              f"{time.monotonic() - begun:.0f} s", file=sys.stderr)
        table, bars = ask(nearprint, folder, sets, truth)
    bars.append({"what": "documents", "bar": f">= {DOCUMENTS}", "value": len(sets), "met": len(sets) >= DOCUMENTS})
    summary = {"documents": len(sets), "distinct": distinct, "pairs": len(truth)}
    path = result.write("answers", {"machine": result.machine(), "bars": bars, "summary": summary})
    print(result.table(["answer", "found", "expected"], table))
    print(f"\n{result.bars_text(bars)}\nwritten: {path}")


def ask(nearprint, folder, sets, truth):
    """What each verb answers beside what it should."""
    table, bars = [], []

    def run(*command):
        done = subprocess.run([nearprint, *map(str, command)], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"nearprint {' '.join(map(str, command))}: {done.stderr.strip()}")
        return done.stdout

    def rows(path):
        with open(folder / path, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    def tell(what, found, expected, may_differ=0):
        table.append([what, str(found), str(expected)])
        bars.append({"what": f"{what}: differs by", "bar": f"<= {may_differ}", "value": abs(found - expected),
                     "met": abs(found - expected) <= may_differ})

    def pairs_of(path):
        return {(min(row["a"], row["b"]), max(row["a"], row["b"])) for row in rows(path)}

    few = int(MISSED * len(truth))
    for name, flags, may_miss in [("pairs --recall exact", ["--recall", "exact"], 0), ("pairs", [], few)]:
        run("pairs", "in.jsonl", *flags, "-o", "pairs.jsonl", "--force", "-q")
        found = pairs_of("pairs.jsonl")
        tell(f"{name}: wrong", len(found - truth), 0)
        tell(name, len(found), len(truth), may_miss)
    kept = kept_first(len(sets), found)
    run("dedup", "in.jsonl", "--keep", "first", "-o", "kept.jsonl", "--pairs", "deduped.jsonl", "-q")
    tell("dedup --pairs", len(pairs_of("deduped.jsonl")), len(found))
    left = [row["id"] for row in rows("kept.jsonl")]
    tell("dedup --keep first: other documents", len(set(left) ^ set(kept)), 0)
    run("clusters", "in.jsonl", "-o", "clusters.jsonl", "-q")
    clustered = rows("clusters.jsonl")
    clusters, members = components(len(sets), found)
    tell("clusters", len({row["cluster"] for row in clustered}), clusters)
    tell("clusters: documents", len(clustered), members)
    run("shard", "create", "--ranges", 2, "--shards", 3, "work", "in.jsonl", "--keep", "first", "-o", "shards/")
    run("shard", "run", "work")
    tell("shards: other documents", len({row["id"] for row in rows("shards/in.jsonl")} ^ set(left)), 0)
    run("store", "init", "store", "-q")
    added = run("store", "add", "store", "in.jsonl", "--unless-duplicate", "--format", "json", "-q").splitlines()
    new = {int(row["id"]) for row in map(json.loads, added) if row["verdict"] == "new"}
    tell("store: other documents", len(new ^ set(left)), 0)
    with open(folder / "labels.jsonl", "w", encoding="utf-8") as out:
        out.writelines(json.dumps({"a": a, "b": b}) + "\n" for a, b in truth)
    judged = json.loads(run("evaluate", "in.jsonl", "--labels", "labels.jsonl", "--only", "dedup", "--format", "json", "-q"))
    told = judged["evaluations"][0]["dedup"]["pairs"]
    tell("evaluate: pairs of dedup", told["right"] + told["wrong"], len(found))
    tuned = json.loads(run("tune", "in.jsonl", "--similarity", SIMILARITY, "--format", "json", "-q"))
    setting = next(one for one in tuned["predictions"] if one["similarity"] == SIMILARITY)
    share = abs(setting["pairs"] - len(truth)) / len(truth)
    table.append(["tune: pairs", f"{setting['pairs']:.0f}", str(len(truth))])
    bars.append({"what": f"tune: share of the pairs by which its prediction from {tuned['looked_at']} documents is off",
                 "bar": f"<= {OFF}", "value": round(share, 4), "met": share <= OFF})
    return table, bars


if __name__ == "__main__":
    if shutil.which("apt-get") is None:
        sys.exit("the corpus is made of Debian packages: run this on Debian")
    main()
