"""Frames and columns of pandas: every type of strings, what is missing, and the index."""

import numpy as np
import pandas
import pyarrow
import pytest

import nearprint

TYPES = ["object", "str", "string[python]", "string[pyarrow]", "category", pandas.ArrowDtype(pyarrow.large_string())]
if pandas.__version__ < "3":
    # There a cast to str makes texts of what is missing.
    TYPES.remove("str")


@pytest.mark.parametrize("kind", TYPES, ids=str)
@pytest.mark.parametrize("missing", [None, np.nan, pandas.NA])
def test_missing_texts_of_every_type(kind, missing, texts):
    rows = [missing if row % 7 == 3 else text for row, text in enumerate(texts)]
    column = pandas.Series(rows, index=[f"row {row}" for row in range(len(rows))][::-1], name="body").astype(kind)
    expected = nearprint.dedup([None if row % 7 == 3 else text for row, text in enumerate(texts)])
    assert 0 < len(expected.rows) < len(texts)
    codes = nearprint.fingerprint(column)
    assert np.ma.getmaskarray(codes).tolist() == [row % 7 == 3 for row in range(len(texts))]
    for data in (column, column.to_frame(), column.array, column.to_frame().assign(n=1, other="x")):
        text = "body" if getattr(data, "ndim", 1) == 2 else None
        found = nearprint.dedup(data, text=text)
        assert found.rows.tolist() == expected.rows.tolist()
        stays = found.filter()
        assert type(stays) is type(data)
        if hasattr(data, "index"):
            assert stays.index.tolist() == [f"row {len(rows) - 1 - row}" for row in expected.rows]
            pandas.testing.assert_series_equal(stays if data is column else stays["body"], column.iloc[expected.rows])


def test_an_index_of_texts(texts):
    index = pandas.Index([*texts, None], dtype="str")
    stays = nearprint.dedup(index).filter()
    assert type(stays) is pandas.Index and stays[:-1].tolist() == nearprint.dedup(texts).filter()
    frame = pandas.DataFrame({"n": range(len(texts))}, index=pandas.Index(texts, name="text"))
    found = nearprint.dedup(frame, text="text", id="n")
    assert found.removed["id"].tolist() == found.removed["row"].tolist() != []
    assert found.filter()["n"].tolist() == nearprint.dedup(texts).rows.tolist()


@pytest.mark.parametrize(
    "index",
    [
        pandas.Index(["a"] * 406),
        pandas.Index([1, "a", None, (2, 3)] * 101 + [1, 2], dtype="object"),
        pandas.period_range("2020-01", periods=406, freq="M"),
        pandas.MultiIndex.from_product([range(203), ["a", "b"]], names=["n", "text"]),
    ],
    ids=["repeated", "mixed", "periods", "levels"],
)
def test_the_index_stays(index, texts):
    frame = pandas.DataFrame({"text": texts}, index=index)
    rows = nearprint.dedup(texts).rows
    stays = nearprint.dedup(frame, text="text").filter()
    pandas.testing.assert_frame_equal(stays, frame.iloc[rows])


def test_other_columns_hold_anything(texts):
    numbers = range(len(texts))
    frame = pandas.DataFrame({"text": texts, "any": [{1: row} for row in numbers], "z": 1j, "n": numbers})
    found = nearprint.dedup(frame, text="text", id="n")
    assert found.removed["id"].tolist() == found.removed["row"].tolist() != []
    assert found.filter()["any"].tolist() == [{1: row} for row in found.rows]
    assert nearprint.fingerprint(frame, text="text").tolist() == nearprint.fingerprint(texts).tolist()
    plain = frame[["text", "n"]]
    assert nearprint.dedup(plain, id="n").removed["id"].tolist() == found.removed["id"].tolist()
    for names in ({"text": "body"}, {"text": "text", "id": "body"}):
        with pytest.raises(ValueError, match='no column "body"; there are "text", "n"'):
            nearprint.dedup(plain, **names)


@pytest.mark.parametrize("value", [3, 1.5, b"bytes", ["a"], {"a": 1}])
def test_objects_that_are_no_texts(value):
    column = pandas.Series(["a", None, np.nan, value], dtype="object")
    for data, text in ((column, None), (column.array, None), (column.to_frame("body"), "body")):
        with pytest.raises(TypeError, match=f"row 3.* is of type {type(value).__name__}, not str"):
            nearprint.dedup(data, text=text)


def test_texts_among_lists_of_texts_are_named():
    with pytest.raises(TypeError, match="row 2 is of type str, not list"):
        nearprint.dedup(pandas.Series([["a", "b"], None, "c"], dtype="object"))


def test_other_data_of_as_many_rows(texts):
    found = nearprint.dedup(texts)
    vectors = np.arange(3 * len(texts)).reshape(-1, 3)
    assert found.filter(vectors).tolist() == vectors[found.rows].tolist()
