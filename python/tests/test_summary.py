"""The figures of rows in memory, and what a paper says of them, are those of the command over a file of these rows."""

import json

import nearprint
import pandas
import polars
import pyarrow
import pytest
from conftest import text

TEXTS = [text(number) for number in range(30)] + [text(number, number % 6) for number in range(0, 30, 3)] + ["", "..", "a b"]
ROWS = [
    {
        "id": at,
        "text": one,
        "body": one,
        "title": f"A title {at % 3}",
        "meta": {"body": one, "dump": "ab"[at % 2]},
        "day": at * 7 % 40,
        "size": at % 4,
        "dump": ["a", "b", None][at % 3],
        "site": "xy"[at // 2 % 2],
    }
    for at, one in enumerate(TEXTS)
]
OLD = [{**row, "id": f"old{row['id']}"} for row in ROWS[:4]]

# What is of a file alone, or of a run of this moment.
OF_FILES = {"bytes", "by_source", "warnings", "seconds", "peak_memory"}
# As the command names them.
FLAGS = {"text": "text_field"}


def by_command(folder, options):
    """The figures of the command."""
    corpus, old = folder / "in.jsonl", folder / "old.jsonl"
    for path, rows in ((corpus, ROWS), (old, OLD)):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    flags = {FLAGS.get(name, name): ",".join(value) if isinstance(value, list) else value for name, value in options.items()}
    flags |= {"copies": True} if "count_by" in options else {}
    flags |= {"against": old} if "against" in options else {}
    return nearprint.dedup_files(corpus, folder / "out.jsonl", force=True, **flags)


def shared(summary):
    told = {name: value for name, value in summary.items() if name not in OF_FILES}
    if "of_reference" in told:
        told["of_reference"] = {name: value for name, value in told["of_reference"].items() if name not in OF_FILES}
    return told


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"keep": "longest"},
        {"keep": "last"},
        {"keep": "none"},
        {"keep_by": "day:max"},
        {"keep_by": ["size:min", "day:max"]},
        {"keep_by": "size:max", "cluster_rule": "connected"},
        {"keep_by": "day:min", "against": "old"},
        {"cluster_rule": "connected"},
        {"text": "body"},
        {"text": ["title", "body"], "keep_by": "day:max"},
        {"text": "meta.body", "within": "meta.dump"},
        {"within": "dump"},
        {"across": "dump"},
        {"within": "dump", "across": "site", "count_by": "site"},
        {"count_by": "dump"},
        {"against": "old"},
        {"similarity": 0.9, "recall": 0.999},
        {"similarity": 0.5, "recall": "exact", "width": 256},
        {"k": 3},
        {"k": 3, "verify": "jaccard=0.8"},
        {"verify": "containment=0.9"},
        {"verify": "none", "width": 64},
        {"equal": "bytes"},
        {"recipe": "words"},
    ],
    ids=str,
)
def test_figures_of_rows_are_those_of_the_command(options, tmp_path):
    expected = by_command(tmp_path, options)
    found = nearprint.dedup(ROWS, **{"text": "text", **options, **({"against": OLD} if "against" in options else {})})
    assert expected["removed"] > 0
    assert shared(found.summary) == shared(expected)
    for form in ("markdown", "latex"):
        assert nearprint.methods(found.summary, format=form) == nearprint.methods(expected, format=form)


@pytest.mark.parametrize("table", [pandas.DataFrame, polars.DataFrame, pyarrow.Table.from_pylist, list])
def test_a_column_that_is_found_is_told(table):
    rows = [{"at": row["id"], "body": row["text"]} for row in ROWS]
    assert nearprint.dedup(table(rows)).summary["text_field"] == "body"
    assert "text_field" not in nearprint.dedup(table([{"text": row["text"]} for row in ROWS])).summary


def test_texts_without_a_column_have_no_field():
    for data in (TEXTS, pandas.Series(TEXTS, name="body"), pyarrow.array(TEXTS)):
        assert not {"text_field", "within", "across", "count_by", "of_reference"} & nearprint.dedup(data).summary.keys()


def test_the_rule_that_chose_is_told():
    said = nearprint.methods(nearprint.dedup(ROWS, text="body", keep_by="day:max").summary)
    assert "the document with the highest day" in said and "in its field body" in said
    with pytest.raises(ValueError, match="keep_by= names 5 columns, and at most 4 are read"):
        nearprint.dedup(ROWS, text="text", keep_by=[f"{name}:max" for name in ("day", "size", "id", "day", "size")])
