"""Thresholds and labels over rows in memory: their fields, and what is said of them."""

import ast
import inspect

import pandas
import pytest

import nearprint

WORDS = [f"word{number}" for number in range(2000)]


def text_of(number, end=""):
    return " ".join(WORDS[(number * 37 + at * 7) % len(WORDS)] for at in range(40)) + end


ROWS = [
    {"id": f"d{number}", "text": text_of(number // 2, " end" * (number % 2)), "set": f"s{number // 2}", "meta": {"lang": "en"}}
    for number in range(60)
]


@pytest.mark.parametrize("data", [ROWS, pandas.DataFrame(ROWS)], ids=["rows", "frame"])
def test_options_name_fields_of_rows(data, tmp_path):
    for field in ("set", "meta.lang"):
        judged = nearprint.evaluate(data, text="text", id="id", cluster_field=field, similarity=0.6)
        assert judged["documents"] == 60
    page = tmp_path / "pairs.html"
    nearprint.tune(data, text="text", page=page, by="set")
    assert '"s3"' in page.read_text()


def test_fields_may_be_called_as_those_that_hold_ids_and_texts():
    rows = [{"id": row["set"], "body": row["text"], "text": row["set"]} for row in ROWS]
    for field in ("id", "text"):
        judged = nearprint.evaluate(rows, text="body", cluster_field=field, similarity=0.6)
        by_set = nearprint.evaluate(ROWS, text="text", cluster_field="set", similarity=0.6)
        assert judged["evaluations"][0]["dedup"] == by_set["evaluations"][0]["dedup"]
    same = [{"id": row["set"], "text": row["text"]} for row in ROWS]
    assert nearprint.evaluate(same, text="text", cluster_field="id", recipe="text")["documents"] == 60


def test_a_recommendation_for_rows_is_a_call_over_them(tmp_path):
    page = tmp_path / "pairs.html"
    told = nearprint.tune(ROWS, text="text", id="id", page=page, similarity=0.7)["recommendation"]
    call = told.splitlines()[-1]
    assert call == "  nearprint.dedup(data, text='text', id='id', similarity=0.7)"
    named = [one.arg for one in ast.parse(call.strip()).body[0].value.keywords]
    assert set(named) <= set(inspect.signature(nearprint.dedup).parameters)
    assert "nearprint-rows-" not in page.read_text() and "-- IN" in page.read_text()
    wide = nearprint.tune(ROWS, text="text", similarity=0.7, recipe="words", width=128)["recommendation"]
    assert wide.splitlines()[-1] == "  nearprint.dedup(data, text='text', recipe='words', width=128, similarity=0.7)"
    # What the call over rows does not take.
    other = nearprint.tune(ROWS, text="text", similarity=0.7, null_text="skip")["recommendation"]
    assert other.splitlines()[-1] == "  nearprint dedup --null-text=skip -o OUT --similarity 0.7 -- IN"


def test_a_verdict_is_read_by_its_name_alone():
    rows = [{"a": "d0", "b": "d1", "same": True}, {"a": "d2", "b": "d3", "same": None}, {"a": "d0", "b": "d2", "same": False}]
    judged = [nearprint.evaluate(ROWS, labels, text="text", id="id") for labels in (rows, pandas.DataFrame(rows))]
    assert judged[0] == judged[1] and judged[0]["labels"]["same"] == 1
    others = [{"a": row["a"], "b": row["b"], "is_duplicate": bool(row["same"])} for row in rows]
    for labels in (others, pandas.DataFrame(others)):
        with pytest.raises(nearprint.errors.InputError, match='^labels:1: the row has "is_duplicate" and neither "same" nor "label"'):
            nearprint.evaluate(ROWS, labels, text="text", id="id")


def test_no_page_is_served_where_nobody_is_told_its_address():
    with pytest.raises(nearprint.errors.InputError, match="^serve=True: .* run `nearprint tune IN --serve` in a shell"):
        nearprint.tune(ROWS, text="text", serve=True)


def test_the_options_in_the_help_are_there(tmp_path):
    for call, options in ((nearprint.tune, {}), (nearprint.evaluate, {"cluster_field": "set"})):
        assert "svg=" not in call.__doc__ and "plot=" in call.__doc__
        call(ROWS, text="text", plot=tmp_path / f"{call.__name__}.svg", **options)
        assert (tmp_path / f"{call.__name__}.svg").exists()
