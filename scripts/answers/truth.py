"""The plain answer: every two documents compared by the features that `explain` shows. No search, no sketch."""

import json
import math
from dataclasses import dataclass

# A cosine this near the threshold may be rounded either way.
ROUNDING = 1e-9


@dataclass
class Truth:
    """Pairs of positions, each with its value; `open` ones are so near the threshold that both answers are right."""

    count: int
    pairs: dict
    open: set

    def kept_first(self):
        """What greedy deduplication in input order keeps."""
        near = {}
        for a, b in self.pairs:
            near.setdefault(b, []).append(a)
        kept = []
        staying = set()
        for document in range(self.count):
            if not any(one in staying for one in near.get(document, ())):
                staying.add(document)
                kept.append(document)
        return kept

    def clusters(self):
        """The connected components of two documents and more."""
        roots = list(range(self.count))

        def root(one):
            while roots[one] != one:
                roots[one] = roots[roots[one]]
                one = roots[one]
            return one

        for a, b in self.pairs:
            a, b = root(a), root(b)
            roots[max(a, b)] = min(a, b)
        groups = {}
        for document in range(self.count):
            groups.setdefault(root(document), []).append(document)
        return sorted(tuple(group) for group in groups.values() if len(group) > 1)


def jaccard(a, b):
    shared = len(a.keys() & b.keys())
    return shared / (len(a) + len(b) - shared) if shared else 0.0


def cosine(a, b):
    if len(b) < len(a):
        a, b = b, a
    product = math.fsum(weight * b[name] for name, weight in a.items() if name in b)
    norms = math.fsum(w * w for w in a.values()) * math.fsum(w * w for w in b.values())
    return product / math.sqrt(norms) if norms else 0.0


MEASURES = {"jaccard": jaccard, "cosine": cosine}


def by_similarity(documents, measure, least):
    """The pairs at `least` and above. A document without features is near nothing, and one that is shorter than a
    shingle is near those of the same words in the same order alone."""
    value_of, pairs, unsure = MEASURES[measure], {}, set()
    features = [document.features for document in documents]
    for b, of_b in enumerate(features):
        for a in range(b):
            if not of_b or not features[a]:
                continue
            if documents[a].words is not None or documents[b].words is not None:
                if documents[a].words == documents[b].words:
                    pairs[a, b] = 1.0
                continue
            value = value_of(features[a], of_b)
            if measure != "jaccard" and abs(value - least) < ROUNDING:
                unsure.add((a, b))
            if value >= least:
                pairs[a, b] = value
    return Truth(len(features), pairs, unsure)


def by_radius(rows, k):
    """The pairs of rows of `fingerprint` within `k` bits; of documents with too little in them those of equal content."""
    codes = [int(row["fingerprint"], 16) for row in rows]
    pairs = {}
    for b, row in enumerate(rows):
        for a in range(b):
            if codes[a] == 0 or codes[b] == 0:
                continue
            one, other = rows[a].get("content"), row.get("content")
            distance = (codes[a] ^ codes[b]).bit_count()
            near = one == other != "apart" if one is not None or other is not None else distance <= k
            if near:
                pairs[a, b] = distance
    return Truth(len(rows), pairs, set())


@dataclass(frozen=True)
class Document:
    """What `explain` shows of a document: its features with their weights, and its words where it is too short for
    these to say much."""

    features: dict
    words: tuple | None


def documents_of(nearprint, corpus, recipe, path):
    """The documents of a corpus as `explain` shows them; of equal ones one is asked."""
    told, found = {}, []
    for row in corpus.rows:
        content = json.dumps([value for key, value in row.items() if key != "id"])
        if content not in told:
            why = json.loads(nearprint.run("explain", path, "--id", row["id"], "--format", "json", *recipe))
            features = {one["feature"]: one["weight"] for one in why["features"] if one["weight"] != 0}
            told[content] = Document(features, tuple(why["tokens"]) if "short" in why["flags"] else None)
        found.append(told[content])
    return found
