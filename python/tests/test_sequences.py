"""Sequences and NumPy arrays that are odd, change while they are read, or lie: the right answer, or an exception."""

import array
import sys
import threading

import numpy as np
import pytest

import nearprint

ONE = nearprint.fingerprint("one two three")


class Named(str):
    """A str that says it is another one."""

    def __str__(self):
        return "another"

    def encode(self, *_):
        return b"another"

    def __len__(self):
        return 10**9


class Lying:
    """A sequence that is longer, or shorter, than it says."""

    def __init__(self, rows, length):
        self.rows, self.length = rows, length

    def __len__(self):
        return self.length

    def __getitem__(self, at):
        return self.rows[at]


class Growing(list):
    """A list that grows while it is read."""

    def __iter__(self):
        for at in range(3):
            self.append(f"row {at}")
            yield self[at]


class Raising:
    """Rows that end by an exception."""

    def __iter__(self):
        yield "one"
        raise LookupError("no more")


def test_subclasses_of_str_go_by_their_characters():
    assert nearprint.fingerprint(Named("one two three")) == ONE
    assert nearprint.fingerprint([Named("one two three")]).tolist() == [ONE]


@pytest.mark.parametrize("length", [0, 1, 5, 2**40, sys.maxsize])
def test_lengths_that_are_not_true(length):
    made = nearprint.fingerprint(Lying(["one two three", None], length))
    assert (made.filled(7).tolist(), made.mask.tolist()) == ([ONE, 7], [False, True])
    assert nearprint.distance(Lying([1, 2], length), [3, 3]).tolist() == [1, 1]


def test_lists_that_change_while_they_are_read():
    assert len(nearprint.fingerprint(Growing())) == 3

    class Clearing(list):
        def __iter__(self):
            for text in self[:]:
                self.clear()
                yield text

    assert nearprint.fingerprint(Clearing(["one two three", "four"])).tolist()[0] == ONE

    class Number:
        def __index__(self):
            codes.clear()
            return 1

    codes = [Number(), 2, 3]
    assert nearprint.distance(codes, [0]).tolist() == [1]


@pytest.mark.parametrize("call", [nearprint.fingerprint, nearprint.dedup, nearprint.pairs])
def test_exceptions_of_the_caller_come_out(call):
    class Refusing:
        def __getattr__(self, name):
            raise ZeroDivisionError(name)

    with pytest.raises((LookupError, TypeError)) as error:
        call(Raising())
    assert call is nearprint.pairs or error.type is LookupError
    with pytest.raises(ZeroDivisionError):
        call(Refusing())


def test_a_list_that_holds_itself():
    rows = ["one"]
    rows.append(rows)
    for call in (nearprint.fingerprint, nearprint.dedup):
        with pytest.raises(TypeError, match="row 1 is of type list"):
            call(rows)
    codes = [1]
    codes.append(codes)
    with pytest.raises(TypeError):
        nearprint.pairs(codes)


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "\udc80" * 1000])
def test_lone_surrogates_have_no_bytes(text, tmp_path):
    calls = [
        lambda: nearprint.fingerprint(text),
        lambda: nearprint.fingerprint(["fine", text]),
        lambda: nearprint.fingerprint(np.array([text])),
        lambda: nearprint.dedup(["fine", text]),
        lambda: nearprint.compare(text, "a"),
        lambda: nearprint.Recipe(text),
        lambda: nearprint.Recipe("text").features(text),
    ]
    for call in calls:
        with pytest.raises(UnicodeEncodeError):
            call()
    with nearprint.Store.create(tmp_path / "store") as store:
        for call in (lambda: store.add([text], ["a"]), lambda: store.query(text), lambda: text in store):
            with pytest.raises(UnicodeEncodeError):
                call()


def test_nul_is_a_character(tmp_path):
    texts = ["one\0two", "\0", "one two"]
    made = nearprint.fingerprint(np.array(texts, dtype="object")).tolist()
    assert made == [nearprint.fingerprint(text) for text in texts]
    with nearprint.Store.create(tmp_path / "store") as store:
        store.add(["a\0", "a\0b"], ["one two three", "four five six"])
        assert "a\0" in store and "a" not in store


@pytest.mark.parametrize("row", [float("nan"), np.float64("nan"), np.nan, b"bytes", 7, np.str_, object()])
def test_mixed_rows(row):
    for data in (["one", row], np.array(["one", row], dtype="object")):
        with pytest.raises(TypeError, match="row 1 is of type"):
            nearprint.fingerprint(data)


def test_masked_texts_are_missing():
    masked = np.ma.array(["one two three", "four"], mask=[False, True], dtype="object")
    made = nearprint.fingerprint(masked)
    assert (made.filled(7).tolist(), made.mask.tolist()) == ([ONE, 7], [False, True])


@pytest.mark.parametrize("data", [np.array("one"), np.array(None), np.str_("one"), np.array(["one"])[0]])
def test_arrays_without_rows_or_columns(data):
    if isinstance(data, str):
        assert nearprint.fingerprint(data) == nearprint.fingerprint("one")
    else:
        with pytest.raises(TypeError):
            nearprint.fingerprint(data)
    with pytest.raises(TypeError):
        nearprint.pairs(data)


NUMBERS = [kind for kind in np.typecodes["All"] if np.dtype(kind) not in (np.uint64, np.int64)]


@pytest.mark.parametrize("kind", [*NUMBERS, [("a", "u8")], [("a", "u8"), ("b", "u8")], "S8", "U8", ">f8"])
@pytest.mark.parametrize("rows", [0, 2])
def test_arrays_of_other_types_are_no_fingerprints(kind, rows):
    # Pairs and groups are found of texts, too.
    of_texts = () if np.dtype(kind).kind == "U" else (nearprint.pairs, nearprint.clusters)
    for call in (*of_texts, nearprint.Index.build):
        with pytest.raises(TypeError, match="array of uint64"):
            call(np.zeros(rows, dtype=kind))


@pytest.mark.parametrize("shape", [(), (0, 0), (0, 3), (2, 0), (2, 3), (2, 5), (1, 2, 2), (2**40, 0)])
def test_shapes_of_no_fingerprints(shape):
    for call in (nearprint.pairs, nearprint.clusters, nearprint.Index.build):
        with pytest.raises(ValueError, match="shape"):
            call(np.zeros(shape, dtype="uint64"))


@pytest.mark.parametrize("shape, width", [((0,), 64), ((0, 1), 64), ((0, 2), 128), ((0, 4), 256)])
def test_no_rows_keep_their_width(shape, width):
    codes = np.zeros(shape, dtype="uint64")
    assert nearprint.Index.build(codes).width == width
    assert len(nearprint.pairs(codes)) == len(nearprint.clusters(codes)) == len(nearprint.distance(codes, codes)) == 0


def test_ways_to_lie_in_memory(chance=np.random.default_rng(3)):
    plain = chance.integers(0, 2**64, (40, 4), dtype="uint64")
    other = chance.integers(0, 2**64, (40, 4), dtype="uint64")
    expected = nearprint.distance(plain, other).tolist()
    frozen, wide = plain.copy(), np.zeros((80, 8), dtype="uint64")
    frozen.flags.writeable = False
    wide[::2, ::2] = plain
    backwards = np.ascontiguousarray(plain[::-1, ::-1])[::-1, ::-1]
    once = np.broadcast_to(plain[0], (40, 4))
    held = frozen, np.asfortranarray(plain), wide[::2, ::2], backwards, plain.view(Matrix)
    for codes in held:
        assert nearprint.distance(codes, other).tolist() == expected
    assert nearprint.distance(once, other).tolist() == nearprint.distance(plain[:1], other).tolist()


class Matrix(np.ndarray):
    """An array that says its rows are others."""

    def __iter__(self):
        return iter([])

    def __len__(self):
        return 7

    @property
    def shape(self):
        return (7, 7, 7)


def test_an_array_that_is_not_aligned():
    packed = np.zeros(40, dtype=[("pad", "u1"), ("code", "u8")])
    packed["code"] = range(40)
    assert nearprint.distance(packed["code"], range(40)).tolist() == [0] * 40


def test_the_other_order_of_bytes():
    codes = np.array([1, 7], dtype=">u8")
    with pytest.raises(TypeError, match=">u8"):
        nearprint.distance(codes, [0])


@pytest.mark.parametrize("codes", [[np.uint64(7)], (np.int8(7),), range(7, 8), array.array("Q", [7]), iter([7])])
def test_sequences_of_numbers(codes):
    assert nearprint.distance(codes, [0]).tolist() == [3]


def test_integers_with_a_sign_are_the_bits_that_they_have():
    signed = np.array([-1, -2, 7, -(2**63)])
    packed = np.zeros(4, dtype=[("pad", "u1"), ("code", "i8")])
    packed["code"] = signed
    for codes in (signed, signed[::-1].copy()[::-1], packed["code"], signed.tolist(), np.ma.array(signed)):
        assert nearprint.distance(codes, [0]).tolist() == [64, 63, 3, 1]
        found = nearprint.pairs(codes, 1)
        assert found["a"].tolist() == [0] and found["b"].tolist() == [1]
    wide = np.array([[-1, 0], [-1, 1]])
    assert nearprint.distance(wide[:1], wide[1:]).tolist() == [1]


def test_elements_of_arrays_are_fingerprints():
    codes = nearprint.fingerprint(["one two three", "four five six"])
    expected = nearprint.distance(codes[:1], codes[1:]).tolist()
    signed = codes.view("int64")
    assert nearprint.distance(codes[0], codes[1]).tolist() == nearprint.distance(signed[0], signed[1]).tolist() == expected
    assert nearprint.distance(codes[0], codes).tolist() == [0, *expected]
    for other in (np.float64(1), np.int32(1), np.bool_(True)):
        with pytest.raises(TypeError, match="array of uint64"):
            nearprint.distance(other, codes)


def test_lists_of_arrays_are_no_fingerprints():
    for codes in ([np.array([1, 2])], [None], [[1, 2]]):
        with pytest.raises(TypeError, match="array of uint64 or a column of Arrow, not "):
            nearprint.distance(codes, [0])


@pytest.mark.parametrize("codes", [np.array([1], dtype="object"), array.array("d", [7]), [7.0], [np.float64(7)], ["7"]])
def test_what_is_no_sequence_of_numbers(codes):
    with pytest.raises(TypeError):
        nearprint.distance(codes, [0])


@pytest.mark.parametrize("codes", [bytearray(b"ab"), memoryview(b"ab"), {1, 2}, frozenset({1}), {1: 2}])
def test_bytes_and_sets_are_no_sequences_of_numbers(codes):
    with pytest.raises(TypeError):
        nearprint.pairs(codes)


def test_masks():
    codes = np.ma.array(np.arange(3, dtype="uint64"), mask=[0, 1, 0])
    with pytest.raises(ValueError, match="missing"):
        nearprint.pairs(codes)
    assert len(nearprint.pairs(np.ma.array(np.arange(3, dtype="uint64")), 1)) == 2


def test_arrays_that_another_thread_changes():
    codes, texts = np.zeros((2000, 2), dtype="uint64"), np.array(["one two"] * 500, dtype="object")
    done = threading.Event()

    def change():
        number = 0
        while not done.is_set():
            number += 1
            codes[number % 2000] = number
            texts[number % 500] = "three " * (number % 50)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(10):
            labels = nearprint.clusters(codes, 2)
            assert len(labels) == 2000 and labels.min() >= -1
            assert len(nearprint.fingerprint(texts)) == 500
            found = nearprint.dedup(texts)
            assert sorted([*found.rows, *found.removed["row"]]) == list(range(500))
    finally:
        done.set()
        thread.join()
