#!/usr/bin/env python3
"""What SciPy and scikit-learn say of cases that the tests of this crate compute too.

usage: statistics.py [--write] GOLDEN

Computes every case and compares it with GOLDEN, or writes GOLDEN. B-cubed is computed from its definition,
document by document: neither library has it.
"""
import itertools, json, pathlib, sys

import numpy
import scipy
import sklearn
from scipy import stats
from sklearn import metrics

def wilson():
    cases = []
    for right, of in [(0, 1), (1, 1), (0, 10), (10, 10), (9, 10), (50, 100), (999, 1000), (1, 100000)]:
        told = stats.binomtest(right, of).proportion_ci(method="wilson")
        cases.append({"right": right, "of": of, "low": told.low, "high": told.high})
    return cases

def b_cubed(groups, clusters):
    same = lambda labels: labels[:, None] == labels[None, :]
    groups, clusters = same(groups), same(clusters)
    both = (groups & clusters).sum(axis=1)
    return (both / clusters.sum(axis=1)).mean(), (both / groups.sum(axis=1)).mean()

def clusterings():
    random, cases = numpy.random.default_rng(7), []
    for documents, groups, moved in [(6, 2, 1), (30, 8, 6), (30, 30, 10), (200, 60, 40), (200, 5, 0)]:
        truth = random.integers(0, groups, documents)
        found = truth.copy()
        some = random.choice(documents, moved, replace=False)
        found[some] = random.integers(0, groups + 5, moved)
        pairs = list(itertools.combinations(range(documents), 2))
        is_same = [bool(truth[a] == truth[b]) for a, b in pairs]
        is_found = [bool(found[a] == found[b]) for a, b in pairs]
        precision, recall, f1, _ = metrics.precision_recall_fscore_support(
            is_same, is_found, average="binary", zero_division=1.0)
        cubed = b_cubed(truth, found)
        cases.append({
            "groups": truth.tolist(), "clusters": found.tolist(),
            "pairs": [precision, recall, f1], "adjusted_rand": metrics.adjusted_rand_score(truth, found),
            "b_cubed": [*cubed, stats.hmean(cubed)],
        })
    return cases

def bootstraps():
    """Intervals of a share whose observations come in groups: groups are drawn with replacement."""
    random, cases = numpy.random.default_rng(11), []
    for groups in (60, 400):
        of = random.integers(1, 12, groups)
        right = random.binomial(of, random.beta(4, 1, groups))
        told = stats.bootstrap(
            (right, of), lambda right, of, axis: right.sum(axis=axis) / of.sum(axis=axis), paired=True,
            n_resamples=20000, method="percentile", rng=numpy.random.default_rng(3))
        low, high = told.confidence_interval
        cases.append({"right": right.tolist(), "of": of.tolist(), "low": low, "high": high})
    return cases

def differs(a, b):
    if isinstance(a, dict):
        return a.keys() != b.keys() or any(differs(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) != len(b) or any(map(differs, a, b))
    return abs(a - b) > 1e-9

def main(arguments):
    *flags, path = arguments
    computed = {"wilson": wilson(), "clusterings": clusterings(), "bootstraps": bootstraps()}
    computed = json.loads(json.dumps(computed, default=float))
    golden = pathlib.Path(path)
    if flags == ["--write"]:
        golden.write_text(json.dumps(computed, separators=(",", ":")) + "\n", encoding="utf-8")
        return None
    if differs(computed, json.loads(golden.read_text(encoding="utf-8"))):
        return f"statistics.py: {golden} is not what SciPy and scikit-learn say"
    print(f"statistics.py: {golden} is what SciPy {scipy.__version__} and scikit-learn {sklearn.__version__} say")
    return None

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
