"""Columns of every type that Arrow has: their rows are taken, whichever library holds them."""

import json
from datetime import date, datetime, time
from decimal import Decimal
from uuid import UUID

import numpy as np
import pytest

import nearprint

pa = pytest.importorskip("pyarrow")

VIEW, BYTES_VIEW = pa.string_view(), pa.binary_view()
TEXTS = ["the same few words again", "the same few words again", None, "others that come last"]


def whole(kind):
    """Values of a type that integers stand for."""
    return pa.array([1, 86_400_000, None, 3], pa.int64()).cast(kind)


def runs(values, ends=None):
    return pa.RunEndEncodedArray.from_arrays(pa.array([1, 2, 3, 4], ends or pa.int32()), values)


def lists(values):
    return pa.ListArray.from_arrays(pa.array([0, 1, 2, 3, 4], pa.int32()), values)


def dictionary(values, keys=None):
    return pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 0], keys or pa.int32()), values)


def union(kind, of=None):
    kinds, places = pa.array([0, 1, 0, 1], pa.int8()), pa.array([0, 0, 1, 1], pa.int32())
    if kind == "sparse":
        return pa.UnionArray.from_sparse(kinds, [pa.array([1, 2, 3, 4]), pa.array(["a", "b", "c", "d"], of)])
    return pa.UnionArray.from_dense(kinds, places, [pa.array([1, 2]), pa.array(["a", None], of)])


def columns():
    """Columns of four rows, of which the third is missing where it can be."""
    texts, words = pa.array(["a", "b" * 30, None, "c"]), ["a", "b" * 30, None, "c"]
    yield pa.nulls(4)
    yield pa.array([True, False, None, True])
    for kind in ("int8", "uint16", "int32", "uint64", "float16", "float32", "float64"):
        yield pa.array([1, 2, None, 3], kind)
    yield pa.array([2**64 - 1, 0, None, 2**63], "uint64")
    for kind in (pa.timestamp("s"), pa.timestamp("ns", "UTC"), pa.duration("us"), pa.duration("ns"), pa.time64("ns"), pa.date32()):
        yield whole(kind) if kind != pa.date32() else pa.array([1, 2, None, 3], pa.int32()).cast(kind)
    yield pa.array([(1, 2, 3), (4, 5, 6), None, (7, 8, 9)], pa.month_day_nano_interval())
    for kind in (pa.decimal128(38, 3), pa.decimal256(76, 3)):
        yield pa.array([Decimal("1.5"), Decimal("2.25"), None, Decimal("-3")], kind)
    for kind in (pa.string(), pa.large_string(), VIEW):
        yield texts.cast(kind)
    for kind in (pa.binary(), pa.large_binary(), BYTES_VIEW):
        yield pa.array([b"a", b"\xff" * 30, None, b"c"], kind)
    yield pa.array([b"ab", b"cd", None, b"ef"], pa.binary(2))
    for of in (pa.string(), VIEW, pa.list_(VIEW)):
        nested = [["a"], ["b", None], None, []] if of != pa.list_(VIEW) else [[["a"]], [None, []], None, []]
        for kind in (pa.list_, pa.large_list, pa.list_view, pa.large_list_view):
            yield pa.array(nested, kind(of))
    yield pa.array([["a", "b"], ["c", None], None, ["e", "f"]], pa.list_(VIEW, 2))
    fields = pa.struct([pa.field("n", pa.int8()), pa.field("view", VIEW, nullable=False, metadata={"a": "b"})])
    yield pa.array([{"n": 1, "view": "a"}, {"n": None, "view": "b"}, None, {"n": 2, "view": "c" * 30}], fields)
    yield pa.array([{}, {}, None, {}], pa.struct([]))
    for kind in (pa.map_("string", "int8"), pa.map_(VIEW, pa.list_(VIEW)), pa.map_(VIEW, pa.field("of", VIEW), keys_sorted=True)):
        value = {pa.int8(): 1, VIEW: "v"}.get(kind.item_type, ["v"])
        yield pa.array([[("k", value)], [], None, [("a", value), ("b", None)]], kind)
    for values in (texts.drop_null(), texts.drop_null().cast(VIEW), pa.array([5, 7]), pa.array([{"a": 1}, {"a": 2}])):
        yield dictionary(values)
        yield dictionary(values, pa.uint8())
        yield lists(dictionary(values))
    for values in (texts, texts.cast(VIEW), pa.array([["a"], [], None, ["b"]], pa.list_(VIEW))):
        yield runs(values)
        yield runs(values, pa.int16())
        yield lists(runs(values, pa.int64()))
        yield pa.StructArray.from_arrays([runs(values)], ["runs"])
    for kind in ("dense", "sparse"):
        yield union(kind)
        yield union(kind, VIEW)
    yield pa.FixedShapeTensorArray.from_numpy_ndarray(np.arange(16.0).reshape(4, 2, 2))
    if hasattr(pa, "uuid"):
        uuids = pa.array([bytes([number] * 16) for number in range(4)], pa.uuid())
        yield from (uuids, lists(uuids), pa.StructArray.from_arrays([uuids], ["id"]))
        yield pa.ExtensionArray.from_storage(pa.opaque(VIEW, "a", "b"), pa.array(words, VIEW))
        yield pa.array(words, pa.json_())


COLUMNS = list(columns())
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: str(column.type))
def test_rows_of_every_type_are_taken(column):
    expected = [column.to_pylist()[row] for row in (0, 2, 3)]
    table = pa.table({"text": TEXTS, "column": column})
    twice = pa.concat_tables([table, table])
    for data in (table, table.to_batches()[0], twice.slice(4), twice):
        stays = nearprint.dedup(data, text="text").filter()
        stays.validate(full=True)
        assert type(stays) is type(data) and stays.schema == data.schema
        # Missing texts are no copies of each other.
        both = expected if len(data) == 4 else [*expected, expected[1]]
        assert stays.column(1).to_pylist() == both
    found = nearprint.dedup(TEXTS)
    for data in (column, pa.chunked_array([column.slice(0, 1), column.slice(1)])):
        stays = found.filter(data)
        assert type(stays) is type(data) and stays.type == data.type and stays.to_pylist() == expected


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: str(column.type))
def test_rows_of_every_type_are_taken_in_pandas(column):
    pandas = pytest.importorskip("pandas")
    values = pandas.arrays.ArrowExtensionArray(pa.chunked_array([column]))
    frame = pandas.DataFrame({"text": TEXTS, "column": values}, index=["a", "b", "b", "c"])
    found = nearprint.dedup(frame, text="text")
    for stays in (found.filter()["column"], found.filter(frame["column"])):
        assert stays.dtype == values.dtype and stays.index.tolist() == ["a", "b", "c"]
        assert stays.array.__arrow_array__().to_pylist() == [column.to_pylist()[row] for row in (0, 2, 3)]


NOTICE = "All rights are reserved by us and nobody else."
LONG = [f"{NOTICE} One.", f"{NOTICE} Two.", None, "Three, alone."]
CUT = [f"{NOTICE} One.", ". Two.", None, "Three, alone."]


def cut(data, text=None):
    return nearprint.passages(data, text=text, length=5).apply()


def test_texts_of_every_type_stay_of_it_when_they_are_cut():
    texts = pa.array(LONG)
    kinds = [texts.cast(kind) for kind in (pa.string(), pa.large_string(), VIEW)]
    kinds += [texts.dictionary_encode(), dictionary(pa.array(LONG[:2], VIEW), pa.int8())]
    for column in kinds:
        expected = CUT if len(column.unique()) == 4 else [CUT[0], CUT[1], None, CUT[0]]
        left = cut(column)
        assert left.type == column.type
        if column.type != kinds[-1].type:
            assert left.to_pylist() == expected
            table = pa.table({"n": [1, 2, 3, 4], "text": column})
            assert cut(table, "text").to_pydict() == {"n": [1, 2, 3, 4], "text": expected}
    table = pa.table({"text": runs(texts)})
    left = cut(table, "text")
    assert left.schema == table.schema and left["text"].to_pylist() == CUT
    nothing = pa.table({"text": pa.nulls(2)})
    assert cut(nothing, "text") == nothing


def test_categories_get_the_texts_that_are_left():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    of_pandas = pandas.Series(LONG, dtype="category", name="text")
    for left in (cut(of_pandas), cut(of_pandas.to_frame(), "text")["text"]):
        assert left.dtype == "category" and [text if isinstance(text, str) else None for text in left] == CUT
    for kind in (polars.Categorical, polars.Enum([text for text in LONG if text])):
        left = cut(polars.Series(LONG, dtype=kind))
        assert left.to_list() == CUT and isinstance(left.dtype, (polars.Categorical, polars.Enum))


def of_bytes(texts):
    """Texts as columns of bytes."""
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    array = pa.array([None if text is None else text.encode() for text in texts], pa.binary())
    yield array
    yield pa.concat_arrays([pa.array([b"\xff"]), array]).slice(1)
    yield pa.chunked_array([array.slice(0, 1), array.slice(1)])
    yield from (array.cast(pa.large_binary()), array.cast(BYTES_VIEW), array.dictionary_encode())
    yield polars.Series(array)
    yield from (pandas.Series(array.to_pylist()), pandas.Series(array.to_pylist(), dtype="category"))
    yield np.array(array.to_pylist(), dtype="object")


def test_bytes_that_are_utf8_are_texts():
    texts = ["naïve café, déjà vu", "naïve café, déjà vu", None, "中文文本在这里，还有更多的文字。"]
    for column in of_bytes(texts):
        made = nearprint.fingerprint(column)
        assert made.mask.tolist() == [False, False, True, False], type(column)
        assert made.filled(0).tolist() == nearprint.fingerprint([text or "" for text in texts]).tolist(), type(column)
        stays = nearprint.dedup(column).filter()
        assert type(stays) is type(column) and len(stays) == 3
    encoded = np.array([text.encode() for text in texts if text])
    assert nearprint.dedup(encoded).filter().tolist() == encoded[1:].tolist()
    left = nearprint.passages(np.array([text.encode() for text in LONG if text]), length=5).apply()
    assert left.tolist() == [text.encode() for text in CUT if text]


def test_tables_of_bytes_that_are_utf8(tmp_path, command):
    duckdb, pandas, polars = map(pytest.importorskip, ("duckdb", "pandas", "polars"))
    parquet = pytest.importorskip("pyarrow.parquet")
    encoded = [None if text is None else text.encode() for text in LONG]
    table = pa.table({"id": [1, 2, 3, 4], "text": encoded})
    path = tmp_path / "texts.parquet"
    parquet.write_table(table, path)
    expected = [None if text is None else text.encode() for text in CUT]
    relation = duckdb.sql(f"SELECT * FROM '{path}'")
    tables = (path, table, pandas.read_parquet(path), polars.read_parquet(path), relation)
    for data in tables:
        assert len(nearprint.dedup(data)) == 4
        left = nearprint.passages(data, text="text", length=5).apply()
        column = left["text"]
        values = column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()
        assert [value if isinstance(value, bytes) else None for value in values] == expected, type(data)
    # The command cuts the same of the file.
    nearprint.passages_files(path, tmp_path / "cut.parquet", length=5)
    cut_by_command = parquet.read_table(tmp_path / "cut.parquet")["text"].to_pylist()
    assert [text or b"" for text in cut_by_command] == [text or b"" for text in expected]


def test_a_string_that_is_not_utf8_is_told_by_its_row():
    bytes_of = pa.chunked_array([[b"one two"], [None, b"\xff\xfe"]])
    for kind in (pa.string(), pa.large_string()):
        wide = pa.large_binary() if kind == pa.large_string() else pa.binary()
        chunks = bytes_of.cast(wide).chunks
        broken = pa.chunked_array([pa.Array.from_buffers(kind, len(one), one.buffers(), one.null_count) for one in chunks])
        for data in (broken, pa.table({"text": broken})):
            with pytest.raises(ValueError, match="the text in row 2 is not UTF-8"):
                nearprint.dedup(data)


def test_a_string_within_a_list_that_is_not_utf8_is_told_by_its_row():
    values = pa.array([b"one two", b"three", b"\xff\xfe"])
    texts = pa.Array.from_buffers(pa.string(), 3, values.buffers())
    message = pa.StructArray.from_arrays([texts], ["content"])
    for broken in (
        pa.ListArray.from_arrays([0, 1, 1, 3], texts),
        pa.LargeListArray.from_arrays([0, 1, 1, 3], texts),
        pa.ListArray.from_arrays([0, 1, 1, 3], message),
        pa.FixedSizeListArray.from_arrays(texts, 1),
    ):
        for data, row in ((broken, 2), (pa.table({"text": broken}), 2), (broken.slice(1), 1)):
            with pytest.raises(ValueError, match=f"a text in row {row} is not UTF-8"):
                nearprint.dedup(data)


def test_rows_of_dicts_may_hold_lists_of_texts():
    rows = [{"m": ["one two three", "four five"]}, {"m": ["one two three", None, "four five"]}, {"m": [{"content": "six"}]}]
    assert nearprint.dedup(rows, text="m").keep.tolist() == [True, False, True]


def test_bytes_that_are_no_texts_are_told_by_their_row():
    broken = pa.chunked_array([[b"one two"], [None, b"\xff\xfe"]])
    for data in (broken, pa.table({"text": broken}), broken.cast(BYTES_VIEW), np.array([b"one", None, b"\xff"], dtype="object")):
        with pytest.raises(TypeError, match="row 2 has bytes that are not UTF-8"):
            nearprint.dedup(data)
    # What stands where a text is missing is none.
    offsets, masked = pa.py_buffer(np.array([0, 1, 3], dtype="int32")), pa.py_buffer(bytes([1]))
    column = pa.Array.from_buffers(pa.binary(), 2, [masked, offsets, pa.py_buffer(b"a\xff\xfe")])
    assert nearprint.fingerprint(column).mask.tolist() == [False, True]
    of_one_length = pa.array([b"one two", None, b"one two", b"a b c d"], pa.binary(7))
    for data, text in ((of_one_length, None), (pa.table({"t": of_one_length}), "t")):
        assert nearprint.dedup(data, text=text).keep.tolist() == [True, True, False, True]
    with pytest.raises(TypeError, match="row 0 has bytes that are not UTF-8"):
        nearprint.dedup(pa.array([b"\xff\xff"], pa.binary(2)))


def test_a_column_without_any_value_has_no_texts_whatever_its_type():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for kind in (pa.float64(), pa.int8(), pa.list_(pa.int8()), pa.date32(), pa.dictionary(pa.int8(), pa.int64())):
        for data in (pa.table({"text": pa.nulls(2, kind)}), pa.table({"text": pa.array([], kind)})):
            assert len(nearprint.dedup(data, text="text").filter()) == len(data)
    for data in (pandas.DataFrame({"text": [np.nan, np.nan]}), polars.DataFrame({"text": [None, None]}, {"text": polars.Float64})):
        assert len(nearprint.dedup(data, text="text").filter()) == 2
        assert len(nearprint.passages(data, text="text").apply()) == 2


def test_strings_come_before_bytes():
    table = pa.table({"image": [b"\xff", b"\xfe"], "body": ["one two", "one two"], "note": pa.nulls(2)})
    assert nearprint.dedup(table).keep.tolist() == [True, False]


def tables_of_two(column):
    """Tables with a column of strings that are ids, and another column."""
    datasets, polars = pytest.importorskip("datasets"), pytest.importorskip("polars")
    table = pa.table({"id": ["a", "b"], "x": column})
    yield table
    if isinstance(column.type, pa.BaseExtensionType):
        return
    yield from (table.to_pandas(), polars.from_arrow(table), datasets.Dataset(table))


def columns_that_hold_texts():
    texts = ["one two three", "one two three"]
    yield pa.array([None, texts[1].encode()])
    yield pa.array([[{"role": "user", "content": text}] for text in texts])
    if hasattr(pa, "json_"):
        yield pa.array([json.dumps(text) for text in texts]).cast(pa.json_())


def test_texts_in_another_form_than_strings_are_asked_for_beside_ids():
    for column in columns_that_hold_texts():
        for table in tables_of_two(column):
            with pytest.raises(ValueError, match='which column has the texts\\? There are "id", "x"; name one by text='):
                nearprint.dedup(table)
            assert len(nearprint.dedup(table, text="x")) == 2


def test_what_holds_no_texts_is_not_asked_for():
    columns = [pa.array([b"\xff\xd8", b"one"]), pa.array([b"\0\1", b"one"]), pa.array([["x"], ["y"]]), pa.array([[{"href": "x"}]] * 2)]
    columns += [pa.array(['{"a": 1}', '"one"']).cast(pa.json_())] if hasattr(pa, "json_") else []
    for column in columns:
        for table in tables_of_two(column):
            assert nearprint.dedup(table).keep.tolist() == [True, True], column.type


@pytest.mark.skipif(not hasattr(pa, "json_"), reason="this pyarrow knows no JSON")
def test_json_is_what_it_says():
    texts = ['one "two"\nthree', "\u4e94\u516d"]
    parts = [{"type": "text", "text": texts[1]}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBO"}}]
    contents = pa.array([json.dumps(content) for content in (texts[0], parts)], pa.string()).cast(pa.json_())
    roles = pa.array(["system", "user"])
    turns = pa.StructArray.from_arrays([roles, contents], ["role", "content"])
    for column, expected in [
        (pa.array([json.dumps(text) for text in texts]).cast(pa.json_()), texts),
        (pa.ListArray.from_arrays([0, 2], turns), ["\n".join(texts)]),
    ]:
        table = pa.table({"m": column})
        assert nearprint.fingerprint(table, text="m").tolist() == nearprint.fingerprint(expected).tolist()
    objects = pa.table({"m": pa.array(["{}"]).cast(pa.json_())})
    with pytest.raises(TypeError, match="the column \"m\" is marked as JSON, and has a value that is no text"):
        nearprint.dedup(objects, text="m")


@pytest.mark.skipif(not hasattr(pa, "uuid"), reason="this pyarrow knows no UUIDs")
def test_ids_have_the_form_of_rows_of_json(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    text = "one and the same text of three rows"
    kinds = {
        "uuid": pa.array([bytes([number] * 16) for number in range(3)], pa.uuid()),
        "eight": pa.array([bytes([number] * 8) for number in range(3)], pa.binary(8)),
        "bytes": pa.array([b"a", b"\xff\xfe", b"c"]),
        "view": pa.array(["a", "b", "c"], VIEW),
        "words": pa.array(["a", "b", "c"]).dictionary_encode(),
        "codes": pa.array([7, 8, 9]).dictionary_encode(),
        "day": pa.array([1, 2, 3_000_000], pa.int32()).cast(pa.date32()),
        "time": pa.array([1, 2, 3]).cast(pa.time64("ns")),
        "moment": pa.array([1, 2, 2**62]).cast(pa.timestamp("us", "Asia/Tokyo")),
        "number": pa.array([1, 2, 2**64 - 1], pa.uint64()),
        "decimal": pa.array([Decimal("1.50"), Decimal("2.25"), Decimal("-3")], pa.decimal128(38, 2)),
        "runs": pa.RunEndEncodedArray.from_arrays([1, 2, 3], ["a", "b", "c"]),
    }
    for name, ids in kinds.items():
        table, path = pa.table({"text": [text] * 3, "id": ids}), tmp_path / f"{name}.parquet"
        # Parquet has no runs.
        plain = table.set_column(1, "id", pa.array(ids.to_pylist())) if name == "runs" else table
        parquet.write_table(plain, path)
        nearprint.dedup_files(path, tmp_path / "kept.jsonl", removed=tmp_path / "removed.jsonl", force=True)
        lines = (tmp_path / "removed.jsonl").read_text().splitlines()
        expected = [(row["id"], row["kept"]) for row in map(json.loads, lines)]
        found = nearprint.dedup(table, text="text", id="id")
        gone = found.removed
        assert list(zip(gone["id"].tolist(), gone["kept_id"].tolist(), strict=True)) == expected, name
        passages = nearprint.passages(table, text="text", id="id", length=5)
        assert passages.cuts["id"].tolist() == [told for told, _ in expected], name
    nested = pa.table({"text": [text] * 2, "id": [[1], [2]]})
    with pytest.raises(TypeError, match="has no NumPy form"):
        nearprint.dedup(nested, text="text", id="id").removed["id"]


def test_fingerprints_of_every_type_that_the_command_reads(tmp_path, command):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    parquet = pytest.importorskip("pyarrow.parquet")
    codes = [2**64 - 1, 2**64 - 2, 7]
    signed = pa.array([-1, -2, 7])
    plain = pa.array(codes, pa.uint64())
    eight = pa.array([code.to_bytes(8, "big") for code in codes], pa.binary(8))
    columns = [plain, signed, eight, eight.cast(pa.binary()), eight.cast(pa.binary()).cast(BYTES_VIEW)]
    columns += [column.dictionary_encode() for column in (plain, signed, eight)]
    columns += [pa.RunEndEncodedArray.from_arrays([1, 2, 3], column) for column in (plain, signed, eight)]
    for column in columns:
        path = tmp_path / "codes.parquet"
        # Parquet has no runs.
        of_file = column.values if pa.types.is_run_end_encoded(column.type) else column
        parquet.write_table(pa.table({"id": [0, 1, 2], "fingerprint": of_file}), path)
        expected = [json.loads(line) for line in command("pairs", path, "-k", 1).stdout.splitlines()]
        assert [(row["a"], row["b"], row["distance"]) for row in expected] == [(0, 1, 1)]
        for data in (column, pa.chunked_array([column.slice(0, 1), column.slice(1)])):
            found = nearprint.pairs(data, 1)
            assert (found["a"].tolist(), found["b"].tolist(), found["distance"].tolist()) == ([0], [1], [1]), column.type
    numbers = signed.to_pylist()
    others = [pandas.Series(numbers), pandas.Series(codes), pandas.Series(numbers, dtype="Int64"), pandas.Index(codes)]
    for data in (*others, polars.Series(numbers), polars.Series(codes, dtype=polars.UInt64), polars.Series(eight)):
        assert nearprint.pairs(data, 1)["b"].tolist() == [1], type(data)
    for other in (pa.array([1.0]), pa.array([1], pa.int32()), pa.array([Decimal(1)]), pa.array([[1]])):
        with pytest.raises(TypeError, match="fingerprints"):
            nearprint.pairs(other, 1)
    for missing in (pa.array([1, None]), pa.nulls(2), pa.array([1, None]).dictionary_encode()):
        with pytest.raises(ValueError, match="a fingerprint is missing"):
            nearprint.pairs(missing, 1)


def test_fingerprints_that_are_digits_as_bytes(tmp_path, command):
    parquet = pytest.importorskip("pyarrow.parquet")
    digits = pa.array([b"ffff000011119999", b"FFFF000011119998", b"00000000000000aa"])
    fixed = digits.cast(pa.binary(16))
    for column in (digits, digits.cast(pa.large_binary()), digits.cast(BYTES_VIEW), fixed, fixed.dictionary_encode()):
        path = tmp_path / "codes.parquet"
        parquet.write_table(pa.table({"id": [0, 1, 2], "fingerprint": column}), path)
        rows = [json.loads(line) for line in command("pairs", path, "-k", 1).stdout.splitlines()]
        assert [(row["a"], row["b"], row["distance"]) for row in rows] == [(0, 1, 1)], column.type
        for data in (column, pa.chunked_array([column.slice(0, 0), column.slice(0, 1), column.slice(1)])):
            found = nearprint.pairs(data, 1)
            assert (found["a"].tolist(), found["b"].tolist(), found["distance"].tolist()) == ([0], [1], [1]), column.type
    bits = pa.array([bytes([number] * 16) for number in (1, 3)])
    assert nearprint.pairs(pa.chunked_array([bits.slice(0, 0), bits, bits.slice(0, 0)]), 16)["distance"].tolist() == [16]
    with pytest.raises(ValueError, match='hexadecimal digits here; one is "ffff00001111999z"'):
        nearprint.pairs(pa.array([b"ffff000011119999", b"ffff00001111999z"]), 1)


def values():
    """Columns of three values each, the second of which is the greatest and the third the least."""
    yield "date32", pa.array([5, 3_000_000, -4_000_000], pa.int32()).cast(pa.date32())
    for unit in ("s", "ms", "us", "ns"):
        yield f"timestamp {unit}", pa.array([5, 7, -3]).cast(pa.timestamp(unit))
        yield f"timestamp {unit} of a zone", pa.array([5, 7, -3]).cast(pa.timestamp(unit, "America/New_York"))
        yield f"duration {unit}", pa.array([5, 7, -3]).cast(pa.duration(unit))
    yield "timestamp far away", pa.array([5, 2**62, -(2**62)]).cast(pa.timestamp("us"))
    yield "time32", pa.array([5, 7, 3], pa.int32()).cast(pa.time32("ms"))
    yield "time64", pa.array([5, 7, 3]).cast(pa.time64("ns"))
    yield "uint64", pa.array([2**64 - 2, 2**64 - 1, 2**64 - 3], pa.uint64())
    yield "int64", pa.array([2**53, 2**53 + 1, 2**53 - 1])
    yield "float16", pa.array([1.0, 1.5, -2.0], pa.float16())
    yield "float32", pa.array([1.0, float("inf"), float("-inf")], pa.float32())
    digits = ["1.5", "1.500000000000000001", "-1"]
    yield "decimal", pa.array(list(map(Decimal, digits)), pa.decimal128(38, 18))
    yield "wide decimal", pa.array(list(map(Decimal, digits)), pa.decimal256(76, 20))
    texts = ["2024-05-01", "2024-05-01T00:00:01Z", "2023"]
    yield "string", pa.array(texts)
    yield "view", pa.array(texts, VIEW)
    yield "binary", pa.array([text.encode() for text in texts])
    yield "dictionary", pa.array(texts).dictionary_encode()
    yield "dictionary of dates", pa.array([5, 7, 3], pa.int32()).cast(pa.date32()).dictionary_encode()


@pytest.mark.parametrize("name, column", list(values()), ids=lambda value: value if isinstance(value, str) else "")
def test_rows_are_kept_by_values_of_every_type(name, column, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pa.table({"id": [0, 1, 2], "text": ["one and the same text of three rows"] * 3, "value": column})
    path, kept = tmp_path / "rows.parquet", tmp_path / "kept.parquet"
    parquet.write_table(table, path)
    spread = table.set_column(2, "value", pa.RunEndEncodedArray.from_arrays([1, 2, 3], column))
    for rule, best in (("max", 1), ("min", 2)):
        nearprint.dedup_files(path, kept, keep_by=f"value:{rule}", force=True)
        assert parquet.read_table(kept)["id"].to_pylist() == [best]
        for data in (table, spread, table.to_batches()[0], path):
            assert nearprint.dedup(data, text="text", keep_by=f"value:{rule}").rows.tolist() == [best]


def test_rows_of_pandas_and_polars_are_kept_by_values_of_every_type():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    text = ["one and the same text of three rows"] * 3
    moments = [pandas.Timestamp(5), pandas.Timestamp(7), pandas.NaT]
    of_pandas = [
        pandas.to_timedelta([5, 7, None]),
        pandas.to_datetime(pandas.Series(moments)).dt.tz_localize("Asia/Tokyo"),
        pandas.Series(moments, dtype=object),
        pandas.Series([pandas.Timedelta(5), pandas.Timedelta(7), pandas.NaT], dtype=object),
        pandas.Series([date(2024, 1, 1), datetime(2024, 1, 1, 12), None], dtype=object),
        pandas.Series([np.timedelta64(5, "m"), np.timedelta64(1, "h"), np.timedelta64("NaT")], dtype=object),
        pandas.Series([b"5", b"7", None], dtype=object),
        pandas.Series([2**70, 2**70 + 1, None], dtype=object),
        pandas.Series([1, "2.5", None], dtype=object),
        pandas.array([5, 7, None], dtype="Int64"),
        pandas.array([False, True, None], dtype="boolean"),
        pandas.Categorical([5, 7, None]),
        pandas.period_range("2024-01", periods=2, freq="M").append(pandas.PeriodIndex([pandas.NaT], freq="M")),
    ]
    for values in of_pandas:
        frame = pandas.DataFrame({"text": text, "value": values})
        assert nearprint.dedup(frame, text="text", keep_by="value:max").rows.tolist() == [1], values
    whole = polars.Series([5, 7, None])
    of_polars = [whole.cast(kind) for kind in (polars.Time, polars.Date, polars.Int128, polars.Datetime("ns"), polars.Duration("ns"))]
    of_polars += [polars.Series([1, 3_000_000, None]).cast(polars.Date), polars.Series([b"5", b"7", None])]
    for values in of_polars:
        frame = polars.DataFrame({"text": text, "value": values})
        assert nearprint.dedup(frame, text="text", keep_by="value:max").rows.tolist() == [1], values.dtype
    for other in (polars.Series([object()] * 3, dtype=polars.Object), polars.Series([[1]] * 3), polars.Series(["soon"] * 3)):
        frame = polars.DataFrame({"text": text, "value": other})
        with pytest.raises((TypeError, ValueError), match="the column 'value'"):
            nearprint.dedup(frame, text="text", keep_by="value:max")


@pytest.mark.parametrize("name, column", list(values()), ids=lambda value: value if isinstance(value, str) else "")
def test_labels_of_every_type_are_those_of_the_command(name, column, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pa.table({"text": ["one and the same text of three rows"] * 3, "value": column})
    if name.startswith("duration"):
        # Parquet has none: there they are numbers.
        table = table.set_column(1, "value", column.cast(pa.int64()))
    parquet.write_table(table, tmp_path / "rows.parquet")
    stored = parquet.read_table(tmp_path / "rows.parquet")
    nearprint.dedup_files(tmp_path / "rows.parquet", tmp_path / "kept.jsonl", count_by="value", copies=True)
    expected = json.loads((tmp_path / "kept.jsonl").read_text())["nearprint"]["sources"]
    for text in ("text", ["text"]):
        assert nearprint.dedup(stored, text=text, count_by="value").sources == [expected]
        assert len(nearprint.dedup(stored, text=text, within="value").rows) == len(set(expected))


def test_objects_of_pandas_are_labels_without_a_loss():
    pandas = pytest.importorskip("pandas")
    text = ["one and the same text of two rows"] * 2
    for values in (
        [pandas.Timestamp(5), pandas.Timestamp(7)],
        [pandas.Timedelta(5), pandas.Timedelta(7)],
        [date(2024, 1, 1), datetime(2024, 1, 1, 12)],
        [UUID(int=1), UUID(int=2)],
        [2**70, 2**70 + 1],
        [Decimal("1.5"), Decimal(2)],
        [time(1), time(2)],
    ):
        frame = pandas.DataFrame({"text": text, "value": pandas.Series(values, dtype=object)})
        found = nearprint.dedup(frame, text="text", within="value", count_by="value")
        assert found.rows.tolist() == [0, 1] and len({*found.sources[0], *found.sources[1]}) == 2, values
        assert len(set(nearprint.dedup(frame, text="text", id="value").removed["id"].tolist())) == 1
    days = pandas.Series([date(2024, 1, 1), datetime(2024, 1, 1, 12)], dtype=object).astype("category")
    for values in (days, pandas.arrays.SparseArray([1, 2])):
        frame = pandas.DataFrame({"text": text, "value": values})
        assert nearprint.dedup(frame, text="text", within="value").rows.tolist() == [0, 1]
        assert nearprint.dedup(frame, text="text", keep_by="value:max").rows.tolist() == [1]
    for kind in ("complex128", "longdouble"):
        frame = pandas.DataFrame({"text": text, "value": np.array([1, 2], dtype=kind)})
        with pytest.raises(TypeError, match=f"the column 'value' is one of {np.dtype(kind)}"):
            nearprint.dedup(frame, text="text", within="value")
    mixed = pandas.DataFrame({"text": pandas.Series(["a", 1]).astype("category")})
    with pytest.raises(TypeError, match="row 1 .*is of type int, not str"):
        nearprint.dedup(mixed, text="text")
    for values, kinds in (([[1], [2]], "list"), ([True, 1], "bool and int")):
        frame = pandas.DataFrame({"text": text, "value": pandas.Series(values, dtype=object)})
        with pytest.raises(TypeError, match=f"the column 'value' has values of type {kinds}"):
            nearprint.dedup(frame, text="text", within="value")


def test_columns_of_categories_are_texts_and_no_fingerprints():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    texts = ["one two three four", "five six seven", "one two three four"]
    columns = [pandas.Series(texts, dtype="category"), polars.Series(texts, dtype=polars.Categorical)]
    columns += [polars.Series(texts, dtype=polars.Enum(texts[:2])), pa.array(texts).dictionary_encode()]
    for column in columns:
        assert nearprint.pairs(column)["b"].tolist() == [2] and nearprint.clusters(column).tolist() == [0, -1, 0]
    assert nearprint.pairs(pandas.Series([7, 7], dtype="category"))["b"].tolist() == [1]


def test_explain_and_notebooks_tell_ids_of_every_type():
    for ids, told in (
        (pa.array([b"\x01" * 8, b"\xff" * 8], pa.binary(8)), "//////////8="),
        (pa.array([1, 3_000_000], pa.int32()).cast(pa.date32()), "+10183-09-21"),
        (pa.array([1, 2]).cast(pa.duration("ns")), "2ns"),
    ):
        table = pa.table({"text": ["one and the same text of two rows"] * 2, "id": ids})
        found = nearprint.dedup(table, text="text", id="id")
        assert told in found.removed["id"].tolist() and told in found._repr_html_()
