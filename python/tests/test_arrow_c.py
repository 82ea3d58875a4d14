"""What hands over Arrow and lies: an exception, every structure released once, and never a wrong answer.

The C data interface carries no sizes of buffers. A length, or a last offset, that is too large but possible cannot be
told from a true one: no test here is about those.
"""

import gc
import struct
import weakref

import arrow_c
import numpy as np
import pyarrow
import pytest
from arrow_c import ARRAY, OTHER, SCHEMA, Column, Stream, integers, texts_of

import nearprint


def good(**lies):
    return texts_of("one two", "three", **lies)


def table(*children, **counts):
    children = children or (good(of_schema={"name": b"text"}),)
    return Column(b"+s", (None,), 2).with_children(*children, **counts)


def keys(kind=b"i", numbers=(0, 1, 0), **lies):
    return Column(kind, (None, integers(*numbers)), len(numbers), **lies)


def views(*buffers, length=20, at=0, from_=0, prefix=b"abcd"):
    return Column(b"vu", (None, struct.pack("i4sii", length, prefix, at, from_) * 2, *buffers), 2)


LONG = b"abcdefghijklmnopqrst"

TRUE = {
    "strings": (good, ["one two", "three"]),
    "large strings": (lambda: good(large=True), ["one two", "three"]),
    "table": (table, ["one two", "three"]),
    "keys": (lambda: keys().with_dictionary(good()), ["one two", "three", "one two"]),
    "keys of keys": (
        lambda: keys().with_dictionary(keys(numbers=(1, 0)).with_dictionary(good())),
        ["three", "one two", "three"],
    ),
    "views": (lambda: views(LONG, integers(20, size=8)), [LONG.decode()] * 2),
    "nulls alone": (lambda: Column(b"n", (), 2), [None, None]),
    "an offset": (lambda: good(length=1, offset=1), ["three"]),
    "nulls not counted": (lambda: good(null_count=-1), ["one two", "three"]),
    "no name": (lambda: good(of_schema={"name": None}), ["one two", "three"]),
    "no bytes": (lambda: Column(b"u", (None, integers(0, 0), None), 1), [""]),
}

LIES = {
    "offset negative": lambda: good(buffers=(None, integers(0, -5, 12), b"one twothree")),
    "offsets decrease": lambda: good(buffers=(None, integers(0, 12, 7), b"one twothree")),
    "no UTF-8": lambda: good(buffers=(None, integers(0, 7, 12), b"one tw\xffthree")),
    "no buffers": lambda: good(buffers=(None, None, None)),
    "no offsets": lambda: good(buffers=(None, None, b"one twothree")),
    "no text": lambda: good(buffers=(None, integers(0, 7, 12), None)),
    "too many buffers": lambda: good(n_buffers=5),
    "a negative number of buffers": lambda: good(n_buffers=-1),
    "an unknown type": lambda: good(kind=b"qq"),
    "an empty type": lambda: good(kind=b""),
    "a type of no width": lambda: good(kind=b"w:"),
    "union without children": lambda: good(kind=b"+ud:0,1"),
    "a struct of bytes": lambda: good(kind=b"+s"),
    "numbers": lambda: Column(b"L", (None, bytes(16)), 2),
    "metadata": lambda: good(of_schema={"metadata": integers(-1)}),
    "a key beyond": lambda: keys(numbers=(0, 7)).with_dictionary(good()),
    "a negative key": lambda: keys(numbers=(0, -7)).with_dictionary(good()),
    "keys without values": lambda: keys().with_dictionary(good(), array=False),
    "values without keys": lambda: keys().with_dictionary(good(), schema=False),
    "a table without columns": lambda: table(schemas=0, arrays=0),
    "a view of no buffer": lambda: views(LONG, integers(20, size=8), at=9),
    "a view beyond": lambda: views(LONG, integers(20, size=8), from_=5),
    "a view of a negative length": lambda: views(LONG, integers(20, size=8), length=-20),
    "a view of another prefix": lambda: views(LONG, integers(20, size=8), prefix=b"zzzz"),
    "negative length": lambda: good(length=-1),
    "least length": lambda: good(length=-(2**63)),
    "negative offset": lambda: good(offset=-1),
    "greatest length": lambda: good(length=2**63 - 1),
    "greatest offset": lambda: good(offset=2**63 - 1),
    "a dictionary's negative length": lambda: keys().with_dictionary(good(length=-1)),
    "too few buffers": lambda: good(n_buffers=1),
    "no list of buffers": lambda: good().without("buffers"),
    "too few buffers of views": lambda: Column(b"vu", (None,), 2),
    "no type": lambda: good(kind=None),
    "a type that is no UTF-8": lambda: good(kind=b"\xff"),
    "a name that is no UTF-8": lambda: good(of_schema={"name": b"\xff"}),
    "a negative width": lambda: Column(b"w:-1", (None, bytes(64)), 2),
    "a list of nothing": lambda: good(kind=b"+l"),
    "more arrays than types": lambda: table(arrays=2),
    "fewer arrays than types": lambda: table(arrays=0),
    "children that are not there": lambda: table().without("children"),
    "a short child": lambda: Column(b"+s", (None,), 5).with_children(good()),
    "a last offset that is negative": lambda: good(buffers=(None, integers(0, 7, -12), b"one twothree")),
    "lengths of views that are not there": lambda: views(LONG, None),
    "a negative length of a buffer of views": lambda: views(LONG, integers(-20, size=8)),
    "much metadata": lambda: good(of_schema={"metadata": integers(2**31 - 1)}),
    "keys that are no integers": lambda: keys(kind=b"f").with_dictionary(good()),
}


def released_once(column):
    gc.collect()
    assert (column.schemas, column.arrays) == (1, 1)
    assert not arrow_c.released_again


@pytest.mark.parametrize("name", TRUE)
def test_columns_that_tell_the_truth(name):
    make, texts = TRUE[name]
    column = make()
    made = np.ma.asarray(nearprint.fingerprint(column))
    expected = [7 if text is None else nearprint.fingerprint(text) for text in texts]
    assert made.filled(7).tolist() == expected
    released_once(column)
    column = make()
    found = nearprint.dedup(column)
    assert len(found) == len(texts)
    # Nulls alone have no buffers to keep.
    assert column.arrays == (name == "nulls alone")
    del found
    released_once(column)


@pytest.mark.parametrize("call", [nearprint.fingerprint, nearprint.dedup, nearprint.pairs])
@pytest.mark.parametrize("name", LIES)
def test_columns_that_lie(name, call):
    column = LIES[name]()
    if call is nearprint.pairs and name == "numbers":
        assert len(call(column)) == 1
    else:
        with pytest.raises((TypeError, ValueError)):
            call(column)
    released_once(column)


class Handing:
    """An object that hands over what it was given."""

    def __init__(self, array=None, stream=None):
        self.array, self.stream = array, stream
        if stream is not None:
            self.__class__ = HandingStream

    def __arrow_c_array__(self, requested_schema=None):
        return self.array


class HandingStream:
    def __arrow_c_stream__(self, requested_schema=None):
        return self.stream


@pytest.mark.parametrize("names", [(b"schema\0", ARRAY), (SCHEMA, OTHER), (None, None), (ARRAY, SCHEMA)])
def test_capsules_of_other_names(names):
    column = good()
    with pytest.raises(TypeError, match="incorrect name"):
        nearprint.fingerprint(Handing(column.capsules(*names)))
    released_once(column)


@pytest.mark.parametrize("array", [None, (), (1,), (1, 2), (1, 2, 3), [1, 2], "ab", 7, object()])
def test_what_is_no_pair_of_capsules(array):
    for call in (nearprint.fingerprint, nearprint.pairs, nearprint.Index.build):
        with pytest.raises(TypeError, match="as Arrow cannot be read"):
            call(Handing(array))
    if array is not None:
        with pytest.raises(TypeError, match="as Arrow cannot be read"):
            nearprint.fingerprint(Handing(stream=array))


def test_a_column_that_is_taken_twice():
    column = good()
    capsules = column.capsules()
    assert len(nearprint.fingerprint(Handing(capsules))) == 2
    with pytest.raises((TypeError, ValueError)):
        nearprint.fingerprint(Handing(capsules))


def test_a_stream_that_is_taken_twice():
    stream = Stream(good(), [good()])
    capsule = stream.__arrow_c_stream__()
    assert len(nearprint.fingerprint(Handing(stream=capsule))) == 2
    with pytest.raises(TypeError, match="released"):
        nearprint.fingerprint(Handing(stream=capsule))
    del capsule
    assert stream.streams == 1 and not arrow_c.released_again


def test_streams_release_every_array_once():
    columns = [good() for _ in range(5)]
    stream = Stream(good(), columns)
    assert len(nearprint.fingerprint(stream)) == 10
    assert ([column.arrays for column in columns], stream.streams, stream.first.schemas) == ([1] * 5, 1, 1)
    assert len(nearprint.fingerprint(Stream(good(), []))) == 0
    assert len(nearprint.fingerprint(Stream(good(), [texts_of()] * 3 + [good()] + [texts_of()] * 3))) == 2


@pytest.mark.parametrize("said, message", [(b"the disk is gone", "disk is gone"), (b"\xff\xfe", "read"), (b"", "read")])
def test_streams_that_end_by_an_error(said, message):
    columns = [good(), 5]
    stream = Stream(good(), columns, said=said)
    with pytest.raises(TypeError, match=message):
        nearprint.fingerprint(stream)
    assert (columns[0].arrays, stream.streams) == (1, 1)


@pytest.mark.parametrize(
    "lies",
    [{"said": None}, {"get_last_error": arrow_c.GET_LAST_ERROR()}, {"get_next": arrow_c.GET_NEXT()}],
    ids=["says nothing", "cannot say", "gives nothing"],
)
def test_streams_that_do_not_say_their_error(lies):
    stream = Stream(good(), [good(), 5], **lies)
    with pytest.raises((TypeError, ValueError)):
        nearprint.fingerprint(stream)


def test_streams_without_a_type():
    for lie in ({"schema_error": 22}, {"release": arrow_c.RELEASE_STREAM()}):
        stream = Stream(good(), [good()], **lie)
        with pytest.raises(TypeError):
            nearprint.fingerprint(stream)


@pytest.mark.parametrize("other", [table, lambda: Column(b"i", (None, integers(1, 2)), 2)])
def test_chunks_of_another_type(other):
    with pytest.raises((TypeError, ValueError)):
        nearprint.fingerprint(Stream(good(), [good(), other()]))


def reader(error):
    def batches():
        yield pyarrow.record_batch({"text": ["one two"]})
        raise error

    return pyarrow.RecordBatchReader.from_batches(pyarrow.schema({"text": "string"}), batches())


def test_what_a_reader_raises_comes_out():
    with pytest.raises(LookupError, match="no more"):
        nearprint.dedup(reader(LookupError("no more")))
    with pytest.raises(TypeError, match="no more"):
        nearprint.fingerprint(reader(LookupError("no more")))


@pytest.mark.parametrize("error", [ZeroDivisionError("mine"), KeyboardInterrupt(), MemoryError("mine"), SystemExit(3)])
def test_what_an_object_raises_comes_out(error):
    class Raising:
        def __arrow_c_array__(self, requested_schema=None):
            raise error

    with pytest.raises(type(error)) as raised:
        nearprint.fingerprint(Raising())
    assert raised.value is error


def test_what_was_handed_over_is_kept_no_longer_than_its_result():
    column = good()
    gone = weakref.ref(column)
    found = nearprint.dedup(column)
    found.filter(["a", "b"])
    del column, found
    gc.collect()
    assert gone() is None and not arrow_c.released_again
