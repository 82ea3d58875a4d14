"""More than 2^31 bytes of text in one column, and in the chunks of one: the same fingerprints as of few texts.

    python fuzz/large.py    # takes 12 GB of memory and a few minutes
"""

import sys

import numpy as np
import pyarrow

import nearprint

ROWS = 2300
TEXT = "one two three four five six seven eight nine ten " * 20_000
TEXTS = [f"{at % 3} {TEXT}" for at in range(3)]


def column(kind, rows):
    """Rows of three texts, by turns, in a column of one piece."""
    size = 8 if pyarrow.types.is_large_string(kind) else 4
    bytes_of = [text.encode() for text in TEXTS]
    data = b"".join(bytes_of[at % 3] for at in range(rows))
    ends = np.cumsum([0] + [len(bytes_of[at % 3]) for at in range(rows)])
    offsets = pyarrow.py_buffer(ends.astype(f"i{size}").tobytes())
    return pyarrow.Array.from_buffers(kind, rows, [None, offsets, pyarrow.py_buffer(data)])


def told(name, codes, expected):
    if codes.tolist() != expected:
        sys.exit(f"{name}: other fingerprints than those of single texts")
    print(f"{name}: {len(codes)} texts as expected", flush=True)


def main():
    single = [nearprint.fingerprint(text, "words") for text in TEXTS]
    expected = [single[at % 3] for at in range(ROWS)]
    large = column(pyarrow.large_string(), ROWS)
    print(f"{large.nbytes:,} bytes", flush=True)
    told("large_string", nearprint.fingerprint(large, "words"), expected)
    told("sliced beyond 2^31", nearprint.fingerprint(large[ROWS - 100 :], "words"), expected[ROWS - 100 :])
    del large
    # A string column ends before 2^31 bytes: its chunks go on.
    chunk = column(pyarrow.string(), 2100)
    chunks = pyarrow.chunked_array([chunk, chunk])
    told("chunks of string", nearprint.fingerprint(chunks, "words"), [single[at % 3] for at in range(2100)] * 2)
    found = nearprint.dedup(chunk, k=0, recipe="words")
    if found.rows.tolist() != sorted({single[at % 3]: at for at in reversed(range(2100))}.values()):
        sys.exit(f"dedup keeps {found.rows.tolist()}")
    print(f"dedup of {chunk.nbytes:,} bytes: {found!r}", flush=True)


if __name__ == "__main__":
    main()
