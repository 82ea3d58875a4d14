"""Fields within columns, as the command takes them by names with dots."""

import pandas
import polars
import pyarrow
import pytest

import nearprint

TEXTS = [
    "the ferry leaves at noon from the pier below the old mill",
    "snow fell on the upper pastures until the herds came down",
    "The ferry leaves at noon from the pier, below the old mill!",
    "the ferry leaves at noon from the pier below the old mill.",
]
ROWS = [
    {"doc": {"text": text, "title": f"page {number}", "q": number}, "meta": {"id": f"d{number}", "dump": "ab"[number % 2]}}
    for number, text in enumerate(TEXTS)
]
FORMS = {
    "rows": ROWS,
    "pandas": pandas.DataFrame(ROWS),
    "polars": polars.DataFrame(ROWS),
    "pyarrow": pyarrow.Table.from_pylist(ROWS),
}


@pytest.fixture(params=FORMS)
def data(request):
    return FORMS[request.param]


def test_texts_and_ids_may_be_within_columns(data):
    found = nearprint.dedup(data, text="doc.text", id="meta.id", similarity=0.6)
    assert found.keep.tolist() == nearprint.dedup(TEXTS, similarity=0.6).keep.tolist() == [True, True, False, False]
    assert pyarrow.table(found.removed)["id"].to_pylist() == ["d2", "d3"]
    assert len(found.filter()) == 2 and "d2" in found._repr_html_()
    both = nearprint.dedup(data, text=["doc.title", "doc.text"], similarity=0.6)
    flat = nearprint.dedup([f"page {number}\n{text}" for number, text in enumerate(TEXTS)], similarity=0.6)
    assert both.keep.tolist() == flat.keep.tolist()
    assert nearprint.groups(data, text="doc.text").tolist() == nearprint.groups(TEXTS).tolist()


def test_rows_are_grouped_and_counted_by_fields_within_columns(data):
    flat = [{**row["doc"], **row["meta"]} for row in ROWS]
    for named in ({"within": "dump"}, {"across": "dump"}, {"count_by": "dump"}, {"keep_by": "q:max"}):
        nested = {name: ("doc." if of.startswith("q") else "meta.") + of for name, of in named.items()}
        found = nearprint.dedup(data, text="doc.text", id="meta.id", similarity=0.6, **nested)
        expected = nearprint.dedup(flat, text="text", id="id", similarity=0.6, **named)
        assert found.keep.tolist() == expected.keep.tolist(), named
        assert pyarrow.table(found.removed) == pyarrow.table(expected.removed), named
    assert nearprint.dedup(data, text="doc.text", within="meta.dump", similarity=0.6).keep.tolist() == [True, True, False, True]


def test_what_rows_are_compared_with_has_the_same_fields(data):
    found = nearprint.dedup([ROWS[2]], text="doc.text", id="meta.id", against=data, similarity=0.6)
    removed = pyarrow.table(found.removed)
    assert removed["id"].to_pylist() == ["d2"] and removed["kept_id"].to_pylist()[0] in ("d0", "d2", "d3")


def test_a_field_that_no_row_has_is_named(data):
    with pytest.raises(ValueError, match='^text=: no column "doc.body", nor a row with such a field within a column'):
        nearprint.dedup(data, text="doc.body")
    with pytest.raises(ValueError, match='^within=: no column "meta.none"'):
        nearprint.dedup(data, text="doc.text", within="meta.none")
