"""Frames and expressions of polars."""

import polars
import pytest

import nearprint
import nearprint.integrations.polars


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_an_expression(engine, texts):
    frame = polars.LazyFrame({"text": [*texts, None]})
    asked = frame.select(polars.col("text").nearprint.fingerprint(), n=polars.lit(1))
    codes = asked.collect(engine=engine)["text"].to_list()
    assert codes == [*nearprint.fingerprint(texts).tolist(), None]
    wide = frame.select(polars.col("text").nearprint.fingerprint("words", width=128)).collect(engine=engine)
    expected = [nearprint.fingerprint(text, "words", width=128) for text in texts]
    assert [int.from_bytes(code, "big") for code in wide["text"].to_list()[:-1]] == expected


def test_an_expression_takes_the_width_of_the_recipe():
    recipe = nearprint.Recipe("text", width=128)
    made = polars.select(polars.lit("one two three").nearprint.fingerprint(recipe)).item()
    assert int.from_bytes(made, "big") == nearprint.fingerprint("one two three", recipe)
    assert nearprint.fingerprint("one two three", recipe) >= 2**64


def test_an_expression_of_categories(texts):
    expected = nearprint.fingerprint(texts).tolist()
    for kind in (polars.Categorical, polars.Enum(list(dict.fromkeys(texts)))):
        frame = polars.DataFrame({"text": texts}, schema={"text": kind})
        assert frame.select(polars.col("text").nearprint.fingerprint())["text"].to_list() == expected


def test_an_expression_of_what_are_no_texts():
    with pytest.raises(TypeError, match="strings, not Int64"):
        polars.DataFrame({"n": [1]}).select(polars.col("n").nearprint.fingerprint())


def test_an_expression_of_a_column_of_messages():
    said = '[{"role": "user", "content": "one two three", "id": "m1"}]'
    frame = polars.LazyFrame({"messages": [said, None], "text": [said, None]})
    made = frame.select(polars.col("messages", "text").nearprint.fingerprint()).collect()
    assert made["messages"].to_list() == [nearprint.fingerprint("one two three"), None]
    assert made["text"].to_list() == [nearprint.fingerprint(said), None]


@pytest.mark.parametrize("call", [nearprint.dedup, nearprint.fingerprint])
def test_a_lazy_frame_is_collected(call, texts):
    lazy = polars.LazyFrame({"text": texts})
    assert len(call(lazy, text="text")) == len(texts)
    found = nearprint.dedup(texts)
    assert found.filter(lazy)["text"].to_list() == found.filter()


def test_no_more_columns_than_are_needed_are_handed_over(texts):
    anything = polars.Series([object() for _ in texts], dtype=polars.Object)
    frame = polars.DataFrame({"text": texts, "n": range(len(texts))}).with_columns(anything.alias("any"))
    found = nearprint.dedup(frame, text="text", id="n")
    assert found.removed["id"].tolist() == found.removed["row"].tolist() != []
    stays = found.filter()
    assert stays.columns == ["text", "n", "any"] and stays["n"].to_list() == found.rows.tolist()
    with pytest.raises(ValueError, match='no column "body"; there are "text", "n"'):
        nearprint.dedup(frame.drop("any"), text="body")


def test_categories_and_enums(texts):
    for kind in (polars.Categorical, polars.Enum(list(dict.fromkeys(texts)))):
        found = nearprint.dedup(polars.Series("text", texts, dtype=kind))
        stays = found.filter()
        assert stays.dtype == kind and stays.to_list() == nearprint.dedup(texts).filter()


def test_a_wrong_argument_is_told_with_the_call_on_a_column():
    column = polars.col("n").nearprint
    with pytest.raises(ValueError, match=r"not 3 \(int\): write pl\.col\('text'\)\.nearprint\.fingerprint\(width=128\)$"):
        column.fingerprint(width=3)
    with pytest.raises(TypeError, match="^Fingerprints.fingerprint has no argument bits=: did you mean width=\\?$"):
        column.fingerprint(bits=64)
    with pytest.raises(TypeError, match="the column 'n': texts are strings, not Int64: convert this column"):
        polars.DataFrame({"n": [1, 2]}).select(column.fingerprint())
