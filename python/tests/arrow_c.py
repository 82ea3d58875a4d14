"""Arrow arrays and streams of the C data interface, made by hand: they may lie, and they count their releases."""

import ctypes
import itertools
import sys
import weakref
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p


class ArrowSchema(Structure):
    """The type of an array."""


class ArrowArray(Structure):
    """An array."""


class ArrowArrayStream(Structure):
    """A stream of arrays."""


RELEASE_SCHEMA = CFUNCTYPE(None, POINTER(ArrowSchema))
RELEASE_ARRAY = CFUNCTYPE(None, POINTER(ArrowArray))
RELEASE_STREAM = CFUNCTYPE(None, POINTER(ArrowArrayStream))
GET_SCHEMA = CFUNCTYPE(c_int, POINTER(ArrowArrayStream), POINTER(ArrowSchema))
GET_NEXT = CFUNCTYPE(c_int, POINTER(ArrowArrayStream), POINTER(ArrowArray))
GET_LAST_ERROR = CFUNCTYPE(c_void_p, POINTER(ArrowArrayStream))

ArrowSchema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_char_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(ArrowSchema))),
    ("dictionary", POINTER(ArrowSchema)),
    ("release", RELEASE_SCHEMA),
    ("private_data", c_void_p),
]
ArrowArray._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(ArrowArray))),
    ("dictionary", POINTER(ArrowArray)),
    ("release", RELEASE_ARRAY),
    ("private_data", c_void_p),
]
ArrowArrayStream._fields_ = [
    ("get_schema", GET_SCHEMA),
    ("get_next", GET_NEXT),
    ("get_last_error", GET_LAST_ERROR),
    ("release", RELEASE_STREAM),
    ("private_data", c_void_p),
]

DESTROY = CFUNCTYPE(None, c_void_p)
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [c_void_p, c_char_p, DESTROY]

# A capsule keeps the pointer to its name, and not the name.
SCHEMA, ARRAY, STREAM, OTHER = b"arrow_schema", b"arrow_array", b"arrow_array_stream", b"dltensor"

# Who handed out what, until it is released; and the capsules that are there.
_owners, _capsules = {}, {}
_keys = itertools.count(1)
# Structures that were released when they had been already.
released_again = []


class Owner:
    """Who hands out structures, which keep it alive. It counts how many of each kind were released."""

    def __init__(self):
        self.schemas = self.arrays = self.streams = 0

    def own(self, struct, release):
        """Give a structure its release callback; its memory is this owner's."""
        struct.private_data, struct.release = next(_keys), release
        _owners[struct.private_data] = self

    def capsule(self, struct, name):
        """A capsule of this name, which releases the structure where nobody has taken it."""
        made = _new_capsule(ctypes.addressof(struct), name, _destroy)
        _capsules[id(made)] = struct, self
        return made


def _release_by(kind, count):
    def release(struct):
        owner = _owners.pop(struct.contents.private_data, None)
        if owner is None:
            released_again.append(count)
        else:
            setattr(owner, count, getattr(owner, count) + 1)
        struct.contents.release = kind()

    return kind(release)


@DESTROY
def _destroy(address):
    struct, owner = _capsules.pop(address)
    if struct.release:
        struct.release(struct)
    del owner


_release_schema = _release_by(RELEASE_SCHEMA, "schemas")
_release_array = _release_by(RELEASE_ARRAY, "arrays")
_release_stream = _release_by(RELEASE_STREAM, "streams")


class Column(Owner):
    """An array with its type. ``buffers`` are bytes or ``None``; all else by the names of fields, to lie in any."""

    def __init__(self, kind=b"u", buffers=(None, b"\0\0\0\0", b""), length=0, of_schema=None, **of_array):
        super().__init__()
        self._buffers = [None if it is None else ctypes.create_string_buffer(it, max(len(it), 1)) for it in buffers]
        addresses = [None if it is None else ctypes.addressof(it) for it in self._buffers]
        self._held = [(c_void_p * max(len(addresses), 1))(*addresses)]
        self.schema = ArrowSchema(format=kind, name=b"", flags=2)
        self.array = ArrowArray(length=length, n_buffers=len(addresses))
        self.array.buffers = self._held[0]
        self.fields = (self.schema, of_schema or {}), (self.array, of_array)
        self.lie()

    def lie(self):
        for struct, fields in self.fields:
            for name, value in fields.items():
                setattr(struct, name, value)

    def with_children(self, *children, schemas=None, arrays=None):
        """Columns below this one; their counts may be told otherwise."""
        schema_pointers = _pointers(ArrowSchema, [child.schema for child in children])
        array_pointers = _pointers(ArrowArray, [child.array for child in children])
        self._held += [children, schema_pointers, array_pointers]
        self.schema.children, self.array.children = schema_pointers, array_pointers
        self.schema.n_children = len(children) if schemas is None else schemas
        self.array.n_children = len(children) if arrays is None else arrays
        return self

    def with_dictionary(self, values, *, schema=True, array=True):
        """The values that the keys of this column name."""
        self._held.append(values)
        if schema:
            self.schema.dictionary = ctypes.pointer(values.schema)
        if array:
            self.array.dictionary = ctypes.pointer(values.array)
        return self

    def without(self, *pointers):
        """The same array with these pointers null."""
        for name in pointers:
            setattr(self.array, name, None)
        return self

    def of_schema(self):
        """The type, to be released."""
        self.own(self.schema, _release_schema)
        self.lie()
        return self.schema

    def of_array(self):
        """The array, to be released."""
        self.own(self.array, _release_array)
        self.lie()
        return self.array

    def capsules(self, schema=SCHEMA, array=ARRAY):
        """Both in capsules of these names."""
        return self.capsule(self.of_schema(), schema), self.capsule(self.of_array(), array)

    def __arrow_c_array__(self, requested_schema=None):
        return self.capsules()


def _pointers(kind, structs):
    return (POINTER(kind) * max(len(structs), 1))(*map(ctypes.pointer, structs))


def integers(*numbers, size=4):
    """Numbers as bytes of a buffer."""
    return b"".join(number.to_bytes(size, sys.byteorder, signed=True) for number in numbers)


def texts_of(*texts, large=False, **more):
    """A column of strings that tells the truth, but for what ``more`` says."""
    rows = [text.encode() for text in texts]
    ends = [sum(map(len, rows[:row])) for row in range(len(rows) + 1)]
    offsets = integers(*ends, size=8 if large else 4)
    true = {"kind": b"U" if large else b"u", "length": len(rows), "buffers": (None, offsets, b"".join(rows))}
    return Column(**true | more)


class Stream(Owner):
    """A stream of columns. A number among them is an error that ``get_next`` returns."""

    def __init__(self, first, columns, *, said=b"said by the stream", schema_error=0, **fields):
        super().__init__()
        self.first, self.columns, self.schema_error, self.fields = first, iter(columns), schema_error, fields
        self.said = None if said is None else ctypes.create_string_buffer(said)
        self.handed = []
        self.stream = ArrowArrayStream(_get_schema, _get_next, _get_last_error)

    def __arrow_c_stream__(self, requested_schema=None):
        self.own(self.stream, _release_stream)
        for name, value in self.fields.items():
            setattr(self.stream, name, value)
        return self.capsule(self.stream, STREAM)


@GET_SCHEMA
def _get_schema(stream, out):
    own = _owners[stream.contents.private_data]
    if own.schema_error == 0:
        out[0] = own.first.of_schema()
    return own.schema_error


@GET_NEXT
def _get_next(stream, out):
    own = _owners[stream.contents.private_data]
    column = next(own.columns, None)
    if isinstance(column, int):
        return column
    if column is None:
        ctypes.memset(out, 0, ctypes.sizeof(ArrowArray))
    else:
        own.handed.append(weakref.ref(column))
        out[0] = column.of_array()
    return 0


@GET_LAST_ERROR
def _get_last_error(stream):
    said = _owners[stream.contents.private_data].said
    return None if said is None else ctypes.addressof(said)
