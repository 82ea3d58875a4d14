"""A list of dicts is a table: what is found in it is what is found in a table of Arrow."""

import pyarrow
import pytest

import nearprint

ROWS = [
    {"url": "a", "body": "one two three four five six", "n": 1, "meta": {"x": [1]}},
    {"url": "b", "body": None, "n": 2.5},
    None,
    {"url": "c", "body": "One two three, four five six!", "extra": True},
    {"body": "another text that is alone", 7: "no name"},
]


def test_near_duplicates_are_those_of_a_table():
    columns = {name: [row and row.get(name) for row in ROWS] for name in ("url", "body")}
    whole = nearprint.dedup(pyarrow.table(columns), text="body", id="url", progress=False)
    for rows in (ROWS, tuple(ROWS), iter(ROWS)):
        found = nearprint.dedup(rows, text="body", id="url", progress=False)
        assert pyarrow.table(found.removed).to_pylist() == pyarrow.table(whole.removed).to_pylist()
        assert found.keep.tolist() == whole.keep.tolist() and not all(found.keep)
        assert found.filter() == [row for row, kept in zip(ROWS, whole.keep, strict=True) if kept]


def test_a_text_need_not_be_named_where_one_column_has_some():
    rows = [{"body": row["body"], "n": row.get("n"), "meta": row.get("meta")} for row in ROWS if row]
    assert nearprint.dedup(rows, progress=False).keep.tolist() == [True, True, False, True]
    with pytest.raises(ValueError, match='which column has the texts\\? There are "url", "body"; name one by text='):
        nearprint.dedup(ROWS, progress=False)
    with pytest.raises(ValueError, match="no column of strings"):
        nearprint.dedup([{"n": 1}, {"n": 2}], progress=False)
    with pytest.raises(ValueError, match="no column of strings"):
        nearprint.dedup([{}, {"meta": []}], progress=False)


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (["a", "b"], ["b"]),
        ([7, -3], [-3]),
        ([7, 2.5], [2.5]),
        ([7, "b"], ["b"]),
        (["a", 7], ["7"]),
        ([False, True], [True]),
        ([1, 2**70], [str(2**70)]),
        ([1, None], [None]),
        ([None, None], [None]),
    ],
)
def test_ids_are_texts_numbers_or_truths(ids, expected):
    rows = [{"id": id, "text": "one two three four five"} for id in ids]
    removed = nearprint.dedup(rows, text="text", id="id", progress=False).removed
    # 1 is True, and it is not.
    assert repr(pyarrow.table(removed)["id"].to_pylist()) == repr(expected)


@pytest.mark.parametrize(
    ("rows", "names", "error", "said"),
    [
        (ROWS, {"text": "title"}, ValueError, 'no column "title"; there are "url", "body", "n", "meta", "extra"'),
        (ROWS, {"text": "body", "id": "key"}, ValueError, 'no column "key"'),
        (ROWS, {"text": "meta"}, TypeError, 'row 0 has a value of type dict in "meta", which text= names, not str'),
        (ROWS, {"text": "n"}, TypeError, 'row 0 has a value of type int in "n", which text= names, not str'),
        (ROWS, {"text": "body", "id": "meta"}, TypeError, "which id= names, not str, a number or a bool"),
        ([*ROWS, "text"], {"text": "body"}, TypeError, "row 5 is of type str, where the first is a dict"),
        (["text", ROWS[0]], {}, TypeError, "row 1 is of type dict, not str"),
        ([{"body": "a\ud800"}], {"text": "body"}, UnicodeEncodeError, r"\(row 0\)"),
    ],
)
def test_what_cannot_be_read_is_told(rows, names, error, said):
    with pytest.raises(error, match=said):
        nearprint.dedup(rows, progress=False, **names)


def test_other_columns_may_hold_anything():
    rows = [{"body": "one", "odd": "\ud800", "object": object()}, {"body": "two"}]
    assert nearprint.dedup(rows, text="body", progress=False).filter() == rows
