"""Nothing that a call takes stays taken: memory, objects, references, structures of Arrow."""

import collections
import ctypes
import gc
import os
import sys
import time
import weakref

import arrow_c
import numpy as np
import pyarrow
import pytest
from arrow_c import Stream, integers, texts_of

import nearprint

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")

TEXTS = [f"text {at} of several words {at * 7}" for at in range(20)] * 2
BAD = ["fine", 7]
CODES = np.arange(50, dtype="uint64")
COLUMN = pyarrow.array(TEXTS)
TABLE = pyarrow.table({"text": COLUMN, "key": COLUMN})
INDEX = nearprint.Index.build(CODES)
FOUND = nearprint.dedup(TEXTS)
INPUTS = [TEXTS, BAD, CODES, COLUMN, TABLE, INDEX, FOUND, *TEXTS]


def refused(call, *arguments, **named):
    try:
        call(*arguments, **named)
    except (TypeError, ValueError):
        return
    raise AssertionError(f"{call} refuses nothing")


def deduplicated():
    found = nearprint.dedup(TABLE, text="text", id="key", threads=1)
    found.filter(), found.keep, found.cluster, found.representative, found.removed["id"], found.explain(20)
    repr(found), found._repr_html_()


def made_table():
    table = nearprint.pairs(CODES, 2, threads=1)
    table["a"], pyarrow.table(table), table.column_names, repr(table)


def made_array():
    wide = nearprint.fingerprint(TEXTS, width=128, threads=1)
    pyarrow.array(wide), nearprint.distance(wide, wide), repr(wide)


def compared():
    why = nearprint.compare("one two three", "one two four")
    why.differences, why.fingerprints, why._repr_html_()


def recipe():
    made = nearprint.Recipe("words", width=128)
    made.features("one two"), hash(made), made.to_toml(), made.__reduce__()
    nearprint.Recipe.from_toml(made.to_toml())


def handed_over():
    column = texts_of("one two", "three")
    nearprint.fingerprint(column, threads=1)
    nearprint.fingerprint(Stream(texts_of("one"), [texts_of("two"), texts_of("three")]), threads=1)


def handed_over_and_refused():
    refused(nearprint.fingerprint, texts_of("one", "two", buffers=(None, integers(0, 9, 4), b"onetwo")))
    refused(nearprint.fingerprint, Stream(texts_of("one"), [texts_of("two"), 5]))


CALLS = {
    "one text": lambda: nearprint.fingerprint("one two three"),
    "a list": lambda: nearprint.fingerprint(TEXTS, threads=1),
    "a column": lambda: nearprint.fingerprint(COLUMN, threads=1),
    "a wrong list": lambda: refused(nearprint.fingerprint, BAD),
    "a wrong column": lambda: refused(nearprint.fingerprint, TABLE),
    "no object of Arrow": lambda: refused(nearprint.fingerprint, object()),
    "distance": lambda: nearprint.distance(CODES, [0]),
    "clusters": lambda: nearprint.clusters(CODES, 2, threads=1),
    "wrong codes": lambda: refused(nearprint.pairs, BAD),
    "index": lambda: nearprint.Index.build(CODES, CODES, k=2, threads=1).query(CODES, 3, threads=1),
    "query": lambda: INDEX.query(CODES, threads=1),
    "recipes": nearprint.recipes,
    "dedup": deduplicated,
    "pairs": made_table,
    "wide": made_array,
    "compare": compared,
    "recipe": recipe,
    "structures": handed_over,
    "refused structures": handed_over_and_refused,
}


def resident():
    """Bytes of memory that the process has in use: what is free goes back to the system."""
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def objects():
    # The collector looks no more at an empty dict that it met once.
    gc.collect()
    gc.collect()
    return collections.Counter(type(it).__qualname__ for it in gc.get_objects())


def references():
    return [sys.getrefcount(it) for it in INPUTS]


def grown(call, times):
    """How much memory, which objects and which references so many calls leave behind."""
    memory, there, held = resident(), objects(), references()
    for _ in range(times):
        call()
    now, then = objects(), references()
    # The first counts are objects themselves.
    now.subtract(["Counter", "list"])
    return resident() - memory, now - there, np.subtract(then, held).tolist()


def leaks(call, times=60, bound=1 << 20):
    """What is wrong; what the first calls leave behind is theirs to keep."""
    for _ in range(20):
        call()
    grown(call, 1)
    memory, more, references = grown(call, times)
    # A second look is for what an allocator takes for itself, and what another thread holds, once: what calls leave
    # behind is there again.
    if memory > bound or +more:
        memory, more, again = grown(call, times)
        references = [*references, *again]
    return [*more.items(), *filter(None, references)] + ([memory] if memory > bound else [])


@pytest.mark.parametrize("name", CALLS)
def test_calls_leave_nothing_behind(name):
    handed, again = len(arrow_c._owners) + len(arrow_c._capsules), len(arrow_c.released_again)
    assert leaks(CALLS[name]) == []
    assert (len(arrow_c._owners) + len(arrow_c._capsules), len(arrow_c.released_again)) == (handed, again)


def test_a_store_leaves_nothing_behind(tmp_path):
    with nearprint.Store.create(tmp_path / "store", k=3) as store:
        store.add(["a"], ["one two three"])

        def ask():
            store.check(TEXTS), store.query("one two three"), store.fingerprint("a"), "a" in store, len(store)
            store.check_and_add(["a"], ["one two three"])
            refused(store.add, ["a"], [7])

        assert leaks(ask, times=40) == []


def settled():
    """How many files and threads are there, once threads that were told to end have ended."""
    counts = []
    while len(counts) < 20 or len(set(counts[-20:])) > 1:
        counts.append(tuple(len(os.listdir(f"/proc/self/{what}")) for what in ("fd", "task")))
        time.sleep(0.01)
    return counts[-1]


def test_stores_that_are_opened_leave_nothing_behind(tmp_path):
    nearprint.Store.create(tmp_path / "store").close()

    def opened():
        with nearprint.Store.open(tmp_path / "store") as store:
            len(store)

    opened()
    before = settled()
    assert leaks(opened, times=15, bound=4 << 20) == []
    assert settled() == before


def test_results_go_with_their_inputs():
    column = texts_of("one", "two")
    found, gone = nearprint.dedup(column), weakref.ref(column)
    del column
    gc.collect()
    assert gone() is not None
    del found
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize(
    "leak",
    [
        lambda kept: kept.append(CODES),
        lambda kept: kept.append([]),
        lambda kept: kept.append(bytearray(50_000)),
    ],
    ids=["a reference", "an object", "memory"],
)
def test_a_leak_is_found(leak):
    kept = []
    assert leaks(lambda: (CALLS["a list"](), leak(kept))) != []
