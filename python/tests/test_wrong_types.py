"""Every argument of every public call, given what it cannot be: an exception of Python, and no other end."""

import inspect

import numpy as np
import pyarrow
import pytest

import nearprint
from nearprint import _native


class Raising:
    """It raises whatever it is asked for."""

    def __index__(self):
        raise LookupError("index")

    __str__ = __fspath__ = __iter__ = __len__ = __bool__ = __float__ = __index__

    def __getattr__(self, name):
        raise LookupError(name)


WRONG = [
    *(0, -1, 2**31, 2**32, 2**63, 2**64, 2**70, -(2**70), True, float("nan"), float("inf"), 1e308, 1j),
    *("", "a\0b", "\ud800", "no-such" * 1000, b"", b"\xff", bytearray(b"ab"), memoryview(b"ab")),
    *([], {}, set(), (), [None], [[]], iter([]), range(3), object(), type, len, Raising(), NotImplemented, ...),
    *(np.array(0), np.array(float("nan")), np.zeros((0, 3)), np.array([1], dtype=">u8"), np.array(["a"])),
    *(pyarrow.array([1.5]), pyarrow.nulls(2), pyarrow.table({}), pyarrow.scalar("a")),
]
CODES = np.arange(10, dtype="uint64")
RECIPE = nearprint.Recipe("text")
FOUND = nearprint.dedup(["one two three", "one two three"])
CUT = nearprint.passages(["one two three", "one two three"], length=2)
LEAKS = nearprint.decontaminate(["one two three", "one two"], [{"question": "one two three"}])
WIDE = nearprint.fingerprint(["one"], width=128)
INDEX = nearprint.Index.build(CODES)


def public():
    """Each public call, with arguments that are right."""
    missing, made = "missing.jsonl", "made"
    yield nearprint.fingerprint, {"data": ["one"], "recipe": "text", "text": None, "width": 64, "threads": 1}
    yield nearprint.distance, {"a": CODES, "b": CODES}
    yield nearprint.pairs, {"codes": CODES, "k": 1, "other": CODES, "threads": 1}
    yield nearprint.clusters, {"codes": CODES, "k": 1, "threads": 1}
    yield nearprint.compare, {"a": "one", "b": "two", "recipe": "text", "width": 64}
    some = {"text": None, "id": None, "similarity": None, "recall": None, "recipe": "text", "width": None}
    some |= {"verify": None, "keep": None, "cluster_rule": None, "threads": 1, "progress": None}
    some |= {"against": None, "keep_by": None}
    yield nearprint.dedup, {"data": ["one", "two"], "k": None} | some
    groups = {"text": None, "similarity": None, "recall": None, "k": None, "recipe": "text", "width": None}
    groups |= {"verify": None, "equal": None, "threads": 1, "progress": None}
    yield nearprint.groups, {"data": ["one", "two"]} | groups
    yield nearprint.decide, {"file": missing, "output": None, "corpus": None, "progress": None, "similarity": 0.9}
    yield nearprint.tune, {"data": ["one", "two"], "text": None, "id": None}
    labels = [{"a": 0, "b": 1, "same": True}]
    yield nearprint.evaluate, {"data": ["one", "two"], "labels": labels, "text": None, "id": None}
    more = {"similarity": 0.8, "removed": "removed.jsonl", "threads": 1, "no_such_option": None}
    yield nearprint.dedup_files, {"inputs": missing, "output": "out.jsonl", "progress": None} | more
    yield nearprint.split_files, {"inputs": missing, "output": "parts", "progress": None} | more
    yield nearprint.clean_files, {"corpus": missing, "output": "out.jsonl", "progress": None, "evals": None, "dedup": None}
    yield nearprint.methods, {"summary": {"version": "1"}, "format": "latex"}
    cut = {"unit": None, "length": 2, "similarity": None, "copies": None, "keep": None, "keep_by": None, "inside": None}
    cut |= {"digits": None, "whole": None, "joint": None, "min_left": None, "against": None, "source_field": None}
    cut |= {"text": None, "id": None, "recipe": "text", "threads": 1, "memory": None, "work_dir": None, "progress": None}
    yield nearprint.passages, {"data": ["one", "two"]} | cut
    yield nearprint.passages_files, {"inputs": missing, "output": "out.jsonl", "progress": None} | more
    yield nearprint.Passages, {"found": CUT._found, "data": []}
    items = {"question": None, "choices": None, "answer": None, "context": None, "item_id": None, "share": None}
    items |= {"bits": None, "short": None, "common": None, "action": "cut", "margin": None, "text": None, "id": None}
    items |= {"recipe": "text", "threads": 1, "memory": None, "work_dir": None, "progress": None}
    items |= {"delimiter": None, "quote": None, "escape": None, "encoding": None}
    yield nearprint.decontaminate, {"data": ["one", "two"], "against": [{"question": "one two"}]} | items
    more = {"against": missing, "removed": "removed.jsonl", "threads": 1, "no_such_option": None}
    yield nearprint.decontaminate_files, {"inputs": missing, "output": "out.jsonl", "progress": None} | more
    yield nearprint.Decontaminated, {"found": LEAKS._found, "data": []}
    yield LEAKS.self_test, {"items": 1, "progress": None}
    files = {"dictionary": None, "stop_words": None, "idf": None}
    yield nearprint.Recipe, {"name": "text", "width": 64} | files
    yield nearprint.Recipe.from_toml, {"text": RECIPE.to_toml()} | files
    _, (toml, names_width, id, contents) = RECIPE.__reduce__()
    pickled = {"toml": toml, "names_width": names_width, "id": id, "files": contents}
    yield nearprint.Recipe._restored, pickled
    yield RECIPE.with_width, {"width": 64}
    yield RECIPE.features, {"text": "one"}
    yield nearprint.set_threads, {"threads": None}
    yield nearprint.Index.build, {"codes": CODES, "ids": CODES, "k": 1, "threads": 1}
    yield nearprint.Index.open, {"path": missing, "width": 64}
    yield INDEX.save, {"path": "index"}
    yield INDEX.query, {"codes": CODES, "k": 1, "top": 1, "threads": 1}
    yield nearprint.Store, {"store": None}
    yield (
        nearprint.Store.create,
        {"path": made, "recipe": "text", "similarity": None, "k": None, "width": None, "estimate": False},
    )
    yield nearprint.Store.open, {"path": missing} | files
    yield nearprint.Deduplicated, {"found": FOUND._found, "data": [], "recipe": RECIPE}
    yield FOUND.filter, {"data": ["one", "two"]}
    yield FOUND.explain, {"row": 0}
    yield nearprint.Comparison, {"found": nearprint.compare("one", "two")._found}
    yield FOUND.removed.__getitem__, {"key": "row"}
    yield FOUND.removed.__arrow_c_stream__, {"requested_schema": None}
    yield WIDE.__arrow_c_array__, {"requested_schema": None}
    yield nearprint.Array, {}
    yield nearprint.Table, {}
    yield _native.take, {"data": FOUND.removed, "rows": np.array([0])}


def of_store(store):
    for write in (store.add, store.check_and_add, store.update):
        yield write, {"ids": ["a"], "texts": ["one two"]}
    yield store.check, {"texts": ["one two"]}
    yield store.query, {"text": "one two", "k": 1, "top": 3}
    yield store.delete, {"ids": ["a"]}
    yield store.fingerprint, {"id": "a"}
    yield store.snapshot, {"path": "made"}
    yield store.__contains__, {"id": "a"}


# Any data is held, and looked at where it is asked for.
HOLDERS = (FOUND.filter, nearprint.Deduplicated, nearprint.Passages, nearprint.Decontaminated)
SENSIBLE = (TypeError, ValueError, OverflowError, nearprint.NearprintError, LookupError)


def tried(call, arguments):
    """Calls with each argument wrong; returns how many calls were refused."""
    refused = 0
    by_place = not inspect.isfunction(call) and "__" in call.__name__
    for name in arguments:
        for wrong in WRONG:
            if name == "threads" and isinstance(wrong, int) and wrong > 100:
                continue  # the system has so many, and they would start
            given = arguments | {name: wrong}
            try:
                made = call(*given.values()) if by_place else call(**given)
            except SENSIBLE as error:
                assert str(error), (call, name, wrong)
                refused += 1
            else:
                repr(made)
                if isinstance(made, nearprint.Store):
                    made.close()
    return refused


def test_wrong_arguments(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tested = 0
    try:
        for call, arguments in public():
            refused = tried(call, arguments)
            assert refused >= len(arguments) * 10 or call in HOLDERS, (call, refused)
            tested += 1
    finally:
        nearprint.set_threads(None)
    assert tested > 25


def test_wrong_arguments_of_a_store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with nearprint.Store.create(tmp_path / "store") as store:
        store.add(["a"], ["one two three"])
        for call, arguments in of_store(store):
            assert tried(call, arguments) > len(arguments) * 10, call
        assert store.query("one two three")["id"].tolist() in (["a"], [])
        store.verify()


def test_every_public_name_is_tried():
    named = {getattr(call, "__name__", "") for call, _ in public()}
    functions = {name for name in nearprint.__all__ if inspect.isroutine(getattr(nearprint, name))}
    assert functions - {"recipes"} <= named


@pytest.mark.parametrize(
    "call",
    [
        lambda: nearprint.fingerprint("one", text="body"),
        lambda: nearprint.fingerprint("one", threads=2),
        lambda: nearprint.dedup(["one"], progress=7),
        lambda: nearprint.dedup_files("a", "b", progress="bar"),
        lambda: FOUND.explain(0.0),
        lambda: FOUND.explain(float("nan")),
        lambda: nearprint.Deduplicated(None, [], RECIPE),
        lambda: nearprint.Passages(None, []),
        lambda: nearprint.passages(["one"], text="body"),
        lambda: nearprint.Decontaminated(None, []),
        lambda: nearprint.decontaminate(["one"], [{"question": "one"}], text="body"),
        lambda: nearprint.decontaminate(["one"], [{"question": "one"}], question=7),
        lambda: nearprint.decontaminate([[{"role": "user", "content": "one"}]], [{"question": "one"}], action="cut"),
        lambda: nearprint.passages([[{"role": "user", "content": "one"}]]),
        lambda: nearprint.Comparison(None),
    ],
)
def test_arguments_that_mean_nothing(call):
    with pytest.raises(TypeError):
        call()
