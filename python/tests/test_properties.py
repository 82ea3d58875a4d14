"""Whatever the texts, the fingerprints, and what holds them: one answer, and that of a scan of everything."""

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nearprint

# All of Unicode but surrogates, which have no UTF-8; NUL too.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
WORDS = st.lists(st.sampled_from(["one", "two", "three", "four", "\0", "é", "中文"]), max_size=12).map(" ".join)
ROWS = st.lists(st.none() | TEXT | WORDS, max_size=12)
FEW = settings(max_examples=40, deadline=None, derandomize=True)


def holders(rows):
    """The same rows as each library has them."""
    column = pyarrow.array(rows, pyarrow.string())
    yield tuple(rows)
    yield iter(rows)
    yield np.array([*rows, None], dtype="object")[:-1]
    yield column
    yield column.cast(pyarrow.large_string())
    yield column.cast(pyarrow.string_view())
    yield column.dictionary_encode()
    yield pyarrow.chunked_array([column[:1], column[1:1], column[1:]], pyarrow.string())
    yield pyarrow.concat_arrays([pyarrow.array(["x", None]), column])[2:]
    yield pyarrow.table({"text": column, "row": range(len(rows))})
    yield pyarrow.RecordBatchReader.from_stream(pyarrow.table({"text": column}))
    yield polars.Series(rows, dtype=polars.String)
    yield pandas.Series(rows, dtype="str")


def listed(codes):
    return np.ma.asarray(codes).filled(0).tolist(), np.ma.getmaskarray(codes).tolist()


@FEW
@given(ROWS, st.sampled_from(["text", "words"]))
def test_every_holder_gives_the_same_fingerprints(rows, recipe):
    expected = [0 if row is None else nearprint.fingerprint(row, recipe) for row in rows], [row is None for row in rows]
    for held in holders(rows):
        assert listed(nearprint.fingerprint(held, recipe)) == expected, type(held)


@FEW
@given(ROWS)
def test_every_holder_gives_the_same_duplicates(rows):
    expected = nearprint.dedup(rows)
    assert sorted([*expected.rows, *expected.removed["row"]]) == list(range(len(rows)))
    for held in holders(rows):
        assert nearprint.dedup(held).representative.tolist() == expected.representative.tolist(), type(held)


@FEW
@given(TEXT, TEXT, st.sampled_from([64, 128, 256]))
def test_a_comparison_is_of_the_fingerprints(a, b, width):
    why = nearprint.compare(a, b, width=width)
    codes = [nearprint.fingerprint(text, width=width) for text in (a, b)]
    assert why.distance == (codes[0] ^ codes[1]).bit_count()
    assert [int(code, 16) for code in why.fingerprints] == codes
    assert 0 <= why.jaccard <= why.containment + 1e-9 <= 1 + 2e-9
    why._repr_html_()


@st.composite
def adversarial(draw, width):
    """Numbers of few bases, each changed in few bits: anywhere, in one bit alone, or in one block alone."""
    bases = draw(st.lists(st.integers(0, 2**width - 1), min_size=1, max_size=3))
    block = draw(st.sampled_from([8, 16, 32]))
    at = draw(st.integers(0, width // block - 1)) * block
    bit = draw(st.integers(0, width - 1))
    change = st.one_of(
        st.just(0),
        st.just(1 << bit),
        st.integers(0, 2**block - 1).map(lambda bits: bits << at),
        st.lists(st.integers(0, width - 1), max_size=6).map(lambda bits: sum(1 << it for it in set(bits))),
    )
    changed = st.tuples(st.sampled_from(bases), change).map(lambda it: it[0] ^ it[1])
    return draw(st.lists(changed, min_size=0, max_size=25))


def array_of(numbers, width):
    words = [[number >> (64 * word) & (2**64 - 1) for word in range(width // 64)] for number in numbers]
    made = np.array(words, dtype="uint64").reshape(len(numbers), width // 64)
    return made[:, 0] if width == 64 else made


def scan(a, b, k):
    distances = ((at, to, (x ^ y).bit_count()) for at, x in enumerate(a) for to, y in enumerate(b))
    return [found for found in distances if found[2] <= k]


def rows_of(table, *names):
    return list(zip(*(table[name].tolist() for name in names)))


@pytest.mark.parametrize("width", [64, 128, 256])
@settings(FEW, max_examples=25)
@given(st.data(), st.integers(0, 7))
def test_what_is_near_is_what_a_scan_finds(width, data, k):
    numbers, others = data.draw(adversarial(width)), data.draw(adversarial(width))
    codes, asked = array_of(numbers, width), array_of(numbers[:5] + others, width)
    index = nearprint.Index.build(codes, k=k)
    for radius in (k, k + 1):
        near = scan(numbers, numbers, radius)
        pairs = [(a, b, distance) for a, b, distance in near if a < b]
        assert rows_of(nearprint.pairs(codes, radius), "a", "b", "distance") == pairs
        between = scan(numbers, numbers[:5] + others, radius)
        assert rows_of(nearprint.pairs(codes, radius, other=asked), "a", "b", "distance") == between
        labels = nearprint.clusters(codes, radius).tolist()
        assert labels == groups(len(numbers), pairs)
        found = rows_of(index.query(asked, radius), "id", "query", "distance")
        assert sorted(found) == between
        nearest = rows_of(index.query(asked, radius, top=1), "query", "distance")
        least = {query: distance for _, query, distance in sorted(between, key=lambda it: -it[2])}
        assert nearest == sorted(least.items())


def groups(rows, pairs):
    """Numbers of the groups that pairs connect, by the first row of each; -1 alone."""
    least = list(range(rows))
    for _ in range(rows):
        for a, b, _ in pairs:
            least[a] = least[b] = min(least[a], least[b])
    numbers = {}
    return [-1 if least.count(root) < 2 else numbers.setdefault(root, len(numbers)) for root in least]
