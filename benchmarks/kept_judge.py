"""Judges exactly what a program removed of a corpus, for the benchmark kept. Nothing is estimated, nothing is sampled.

A notion of likeness is the features of a document, as a set, and the least Jaccard similarity of two such sets. Runs of
five words and of 24 characters stand as hashes of 64 bits; words and runs of three words stand for themselves. What is
simplified is so as datatrove does it: no accents, and every number is 0.
"""
import collections
import random
import re
import unicodedata

import numpy as np

import answers

WORDS = {"1 word": 1, "3 words": 3, "5 words": 5, "3 words, simplified": 3, "5 words, simplified": 5}
CHARACTERS = {"24 characters": 24}
SHORT = 50  # words below which a document is short
SHARED_BY, SHARED = 10, 0.5  # of a page of a template so much is in so many documents
KINDS = ("equal", "short", "template", "other")

MIX = np.uint64(0x9E3779B97F4A7C15)


def simplified(text):
    """Without accents, and with 0 for every number."""
    plain = "".join(one for one in unicodedata.normalize("NFD", text) if unicodedata.category(one) != "Mn")
    return re.sub(r"\d+", "0", plain)


def runs(values, length):
    """A hash of each run of `length` values; of fewer values one hash."""
    length = min(length, len(values))
    found = np.zeros(len(values) - length + 1, dtype=np.uint64)
    for at in range(length):
        found = (found ^ values[at:at + len(found)]) * MIX
        found ^= found >> np.uint64(29)
    return found


class Features:
    """The sets of features of the documents of a corpus, by notion; each set is a sorted array."""

    def __init__(self, texts):
        self.texts, self.numbers = texts, collections.defaultdict(lambda: len(self.numbers))
        self.made = {}

    def of(self, document, notion):
        key = document, notion
        if key not in self.made:
            self.made[key] = self.make(self.texts[document], notion)
        return self.made[key]

    def make(self, text, notion):
        if notion in CHARACTERS:
            values = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
            return np.unique(runs(values, CHARACTERS[notion]))
        if notion.endswith("simplified"):
            text = simplified(text)
        words = np.fromiter((self.numbers[word] for word in text.split()), dtype=np.uint64)
        if len(self.numbers) >= 1 << 21:
            raise OverflowError(f"{len(self.numbers)} different words do not fit into 21 bits")
        if notion == "1 word":
            return np.unique(words)
        if WORDS[notion] == 3:
            return np.unique(words[:-2] << np.uint64(42) | words[1:-1] << np.uint64(21) | words[2:])
        return np.unique(runs(words, WORDS[notion]))

    def forget(self, notion):
        """Free the sets of a notion."""
        self.made = {key: found for key, found in self.made.items() if key[1] != notion}

    def similarity(self, one, other, notion):
        one, other = self.of(one, notion), self.of(other, notion)
        shared = np.intersect1d(one, other, assume_unique=True).size
        return shared / (len(one) + len(other) - shared)


def nearest(features, notion, queries, others):
    """For each query the one of `others` that is most similar, and how similar it is; -1 and 0 where they share nothing."""
    sets = [features.make(features.texts[one], notion) for one in queries]
    sizes = np.array([len(one) for one in sets])
    keys = np.concatenate(sets)
    order = np.argsort(keys, kind="stable")
    owners = np.repeat(np.arange(len(sets)), sizes)[order]
    keys, firsts, counts = np.unique(keys[order], return_index=True, return_counts=True)
    best, which = np.zeros(len(sets)), np.full(len(sets), -1)
    for other in others:
        found = features.made.get((other, notion))
        if found is None:
            found = features.make(features.texts[other], notion)
        places = np.minimum(np.searchsorted(keys, found), len(keys) - 1)
        places = places[keys[places] == found]
        if not len(places):
            continue
        many = counts[places]
        ends = np.cumsum(many)
        at = np.arange(ends[-1]) + np.repeat(firsts[places] - ends + many, many)
        shared = np.bincount(owners[at], minlength=len(sets))
        touched = np.flatnonzero(shared)
        similarity = shared[touched] / (sizes[touched] + len(found) - shared[touched])
        better = similarity > best[touched]
        best[touched[better]], which[touched[better]] = similarity[better], other
    return which, best


class Judge:
    """Judges programs over one corpus by what they keep."""

    def __init__(self, texts, least, notion="3 words"):
        self.least, self.notion = least, notion
        self.features = Features(texts)
        self.count = len(texts)
        sets = [self.features.of(one, notion) for one in range(self.count)]
        self.pairs, _ = answers.joined(sets, least)
        self.near = collections.defaultdict(list)
        for one, other in self.pairs:
            self.near[one].append(other)
            self.near[other].append(one)
        self.repeated = {max(pair) for pair in self.pairs}
        self.kinds = self.kinds_of(sets)

    def kinds_of(self, sets):
        """The kind of each document: the first of KINDS that it is."""
        texts = self.features.texts
        twice = {text for text, times in collections.Counter(texts).items() if times > 1}
        keys, counts = np.unique(np.concatenate(sets), return_counts=True)
        shared = keys[counts >= SHARED_BY]

        def kind(one):
            if texts[one] in twice:
                return "equal"
            if len(texts[one].split()) < SHORT:
                return "short"
            of = np.isin(sets[one], shared, assume_unique=True).mean()
            return "template" if of >= SHARED else "other"

        return [kind(one) for one in range(self.count)]

    def wrong(self, stay):
        """The documents removed of which no near-duplicate is kept."""
        return [one for one in range(self.count) if one not in stay and not any(other in stay for other in self.near[one])]

    def left(self, stay):
        """The documents kept although a near-duplicate before them is kept."""
        return [one for one in sorted(stay) if any(other in stay and other < one for other in self.near[one])]

    def wrong_by(self, stay, notion, least):
        """As `wrong`, by another notion of likeness."""
        if (notion, least) == (self.notion, self.least):
            return self.wrong(stay)
        # Most removals have a kept document that the one or the other notion calls near: one that serves is enough.
        open_ = [one for one in range(self.count) if one not in stay and not any(
            self.features.similarity(one, other, notion) >= least for other in self.near[one][:20] if other in stay)]
        self.features.forget(notion)
        if not open_:
            return []
        _, best = nearest(self.features, notion, open_, sorted(stay))
        return [one for one, similarity in zip(open_, best) if similarity < least]

    def lonely(self, wrong):
        """Those of them that have no near-duplicate in the whole corpus."""
        return [one for one in wrong if not self.near[one]]


def slow_check(texts, least, seed):
    """Compare the judge with Python sets and loops over a sample of texts, of which a third is removed at random."""
    chance = random.Random(seed)
    texts = [" ".join(text.split()[:200]) for text in chance.sample(texts, min(120, len(texts)))]
    # Parts of some, as similar as they are long: a sample of a large corpus has no pairs, and few near the limit.
    texts += [" ".join(words[:round(chance.uniform(least - 0.15, 1) * len(words))])
              for text in texts[:60] if len(words := text.split()) > 20]
    stay = {one for one in range(len(texts)) if chance.random() < 0.67}
    judge = Judge(texts, least)

    def of(text, notion):
        if notion in CHARACTERS:
            return {text[at:at + CHARACTERS[notion]] for at in range(max(1, len(text) - CHARACTERS[notion] + 1))}
        words, length = (simplified(text) if "simplified" in notion else text).split(), WORDS[notion]
        return {tuple(words[at:at + length]) for at in range(max(1, len(words) - length + 1))}

    found = {}
    for notion in (*WORDS, *CHARACTERS):
        sets = [of(text, notion) for text in texts]
        like = [[len(one & other) / len(one | other) for other in sets] for one in sets]
        gone = [one for one in range(len(texts)) if one not in stay]
        wrong = [one for one in gone if max(like[one][other] for other in stay) < least]
        found[f"{notion}: wrong"] = wrong, judge.wrong_by(stay, notion, least)
        best = [max(like[one][other] for other in stay) for one in gone]
        found[f"{notion}: nearest"] = best, nearest(judge.features, notion, gone, sorted(stay))[1].tolist()
        if notion == judge.notion:
            left = [one for one in sorted(stay) if any(like[one][other] >= least for other in stay if other < one)]
            found["left in"] = left, judge.left(stay)
            pairs = {(one, other) for other in range(len(texts)) for one in range(other) if like[one][other] >= least}
            found["pairs"] = pairs, judge.pairs
    return [f"{what}: the judge says {told}, loops say {plain}" for what, (plain, told) in found.items() if plain != told]
