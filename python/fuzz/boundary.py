"""Fuzz what Python hands over: texts, codes and what holds them, structures of Arrow that lie, files, options.

    python fuzz/boundary.py --seconds 60                  # hypothesis, no more to install
    python fuzz/boundary.py --atheris -max_total_time=60  # coverage of the Python side; pip install atheris==3.0.0

A finding is an end of the process, an exception of no sensible type, or an answer that another holder does not give.
"""

import argparse
import faulthandler
import inspect
import os
import pathlib
import sys
import tempfile
import time

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

sys.path.insert(0, os.fspath(pathlib.Path(__file__).parent.parent / "tests"))

import arrow_c
import numpy as np
import pyarrow
from test_properties import TEXT, WORDS, adversarial, array_of, holders, listed, rows_of, scan

import nearprint

SENSIBLE = (TypeError, ValueError, OverflowError, MemoryError, LookupError, nearprint.NearprintError)
ANY = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=20),
    st.binary(max_size=20),
    st.lists(st.integers(0, 2**64) | TEXT | st.none(), max_size=5),
    st.dictionaries(TEXT, TEXT, max_size=2),
)
ROWS = st.lists(st.none() | TEXT | WORDS, max_size=8)
NAME = st.sampled_from(["text", "words", "web", "no-such", ""]) | TEXT
OPTIONS = {
    "text": TEXT,
    "id": TEXT,
    "similarity": st.floats() | st.floats(0.3, 1),
    "recall": st.floats() | st.sampled_from(["exact", "0.9"]),
    "k": st.integers(-1, 300),
    "recipe": NAME,
    "width": st.sampled_from([64, 128, 256, 0, -1, 65]),
    "verify": st.sampled_from(["jaccard=0.8", "containment=0.9", "cosine=0.5", "none", "jaccard"]) | TEXT,
    "keep": st.sampled_from(["central", "first", "last", "longest", "shortest", "none"]) | TEXT,
    "cluster_rule": st.sampled_from(["star", "connected"]) | TEXT,
    "threads": st.integers(-1, 3),
}
# Kinds of columns with their numbers of buffers. No length reaches beyond a buffer: that cannot be known, and may end
# the process. Lies about the numbers themselves are in tests/test_arrow_c.py.
KINDS = {b"u": 3, b"U": 3, b"z": 3, b"Z": 3, b"L": 2, b"w:8": 2, b"w:16": 2, b"i": 2, b"n": 0, b"qq": 3, b"": 3}


@st.composite
def columns(draw):
    """Columns of structures: offsets, masks and bytes of any kind, in buffers of their true sizes."""
    kind = draw(st.sampled_from(list(KINDS)))
    first, second, last = draw(st.tuples(st.integers(-2, 12), st.integers(-2, 80), st.integers(0, 64)))
    offsets = arrow_c.integers(first, second, last, size=8 if kind in (b"U", b"Z") else 4)
    mask, bytes_of = draw(st.none() | st.binary(min_size=1, max_size=1)), draw(st.binary(min_size=64, max_size=64))
    buffers = mask, offsets + bytes(64), bytes_of
    lies = draw(st.fixed_dictionaries({}, optional={"null_count": st.integers(-2, 3)}))
    column = arrow_c.Column(kind, buffers[: KINDS[kind]], 2, **lies)
    if draw(st.booleans()):
        return column
    chunks = [column] if draw(st.booleans()) else [column, draw(st.integers(1, 40))]
    return arrow_c.Stream(arrow_c.Column(kind), chunks)


def sensible(call, *arguments, **named):
    try:
        made = call(*arguments, **named)
    except SENSIBLE as error:
        str(error)
        return None
    repr(made)
    return made


@given(ROWS, NAME, st.sampled_from([64, 128, 256]))
def fuzz_texts(rows, recipe, width):
    first = None
    for held in [rows, *holders(rows)]:
        made = sensible(nearprint.fingerprint, held, recipe, width=width)
        if made is None:
            return
        codes = listed(made) if width == 64 else pyarrow.array(made).to_pylist()
        first = first or codes
        assert codes == first, type(held)


@given(ROWS, st.fixed_dictionaries({}, optional=OPTIONS))
def fuzz_dedup(rows, options):
    found = sensible(nearprint.dedup, rows, **options)
    if found is not None:
        kept = len(found.rows) + len(found.removed)
        assert kept == len(rows) and sum(found.keep) == len(found.rows)
        for row in range(len(rows)):
            found.explain(row)._repr_html_()


@given(st.data(), st.sampled_from([64, 128, 256]), st.integers(0, 12))
def fuzz_codes(data, width, k):
    numbers = data.draw(adversarial(width))
    codes = array_of(numbers, width)
    expected = [(a, b, distance) for a, b, distance in scan(numbers, numbers, k) if a < b]
    assert rows_of(nearprint.pairs(codes, k), "a", "b", "distance") == expected
    found = rows_of(nearprint.Index.build(codes, k=k).query(codes), "id", "query", "distance")
    assert sorted(found) == scan(numbers, numbers, k)


@given(st.data(), ANY, ANY)
def fuzz_anything(data, first, second):
    calls = nearprint.fingerprint, nearprint.dedup, nearprint.pairs, nearprint.clusters, nearprint.Index.build
    more = nearprint.Recipe, nearprint.Recipe.from_toml, nearprint.Index.open, nearprint.Store.open
    call = data.draw(st.sampled_from(calls + more))
    sensible(call, first)
    for call in (nearprint.distance, nearprint.compare, nearprint.pairs):
        sensible(call, first, second)


@given(columns(), st.sampled_from([nearprint.fingerprint, nearprint.dedup, nearprint.pairs]))
def fuzz_arrow(column, call):
    sensible(call, column)
    assert not arrow_c.released_again


@given(st.data(), st.integers(1, 60), st.integers(0, 20))
def fuzz_files(data, rows, k):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "index")
        nearprint.Index.build(np.arange(rows, dtype="uint64"), k=k).save(path)
        with open(path, "rb") as file:
            whole = bytearray(file.read())
        for at, byte in data.draw(st.lists(st.tuples(st.integers(0, len(whole) - 1), st.integers(0, 255)), max_size=4)):
            whole[at] = byte
        with open(path, "wb") as file:
            file.write(whole[: data.draw(st.integers(0, len(whole)))] if data.draw(st.booleans()) else whole)
        index = sensible(nearprint.Index.open, path)
        if index is not None:
            sensible(index.query, np.arange(rows, dtype="uint64"))


TARGETS = [fuzz_texts, fuzz_dedup, fuzz_codes, fuzz_anything, fuzz_arrow, fuzz_files]


def by_time(seconds):
    """Run every target in turn, for so long."""
    unlike = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    phases = [Phase.generate, Phase.shrink]
    once = settings(max_examples=100, deadline=None, database=None, suppress_health_check=unlike, phases=phases)
    targets = [once(target) for target in TARGETS]
    end, rounds = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        for target in targets:
            target()
        rounds += 1
    print(f"{rounds} rounds of {len(TARGETS)} targets, 100 examples each: no finding")


def by_coverage(arguments):
    """Let atheris choose the bytes that hypothesis draws from."""
    import atheris

    for module in [it for name, it in sys.modules.items() if name.startswith("nearprint.")]:
        for name, thing in vars(module).items():
            if inspect.isfunction(thing) and thing.__module__ == module.__name__:
                setattr(module, name, atheris.instrument_func(thing))

    def one(data):
        if data:
            TARGETS[data[0] % len(TARGETS)].hypothesis.fuzz_one_input(data[1:])

    atheris.Setup([sys.argv[0], *arguments], one)
    atheris.Fuzz()


def main():
    faulthandler.enable()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="how long hypothesis draws")
    parser.add_argument("--atheris", action="store_true", help="use atheris; more arguments are those of libFuzzer")
    args, more = parser.parse_known_args()
    if args.atheris:
        by_coverage(more)
    else:
        by_time(args.seconds)


if __name__ == "__main__":
    main()
