"""What repeats inside the texts of a table is what the command finds in a file of the same rows."""

import json

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import nearprint

NOTICE = "All rights are reserved by us, and no part of this may be copied. "
TEXTS = [
    NOTICE + "The first text begins so.",
    "Naïve café — 漢字。\n" + NOTICE.upper() + "\nAnd it ends.",
    None,
    "",
    "ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha",
    "Short. " + NOTICE,
    "One line that stands alone.\nAll rights are reserved by us, and no part of this may be copied.\nfin",
    NOTICE,
]
SCORES = [3, 1, 9, 9, 2, 8, 8, 0]
IDS = [f"page-{at}" for at in range(len(TEXTS))]
SITES = ["a", "a", "b", "b", "c", "c", "d", "d"]
TABLE = {"url": IDS, "body": TEXTS, "score": SCORES, "site": SITES}
OPTIONS = [
    {"length": 6},
    {"length": 6, "keep": "last", "inside": "keep"},
    {"length": 6, "keep": "none"},
    {"length": 6, "keep_by": "score:max", "joint": " […] "},
    {"length": 6, "keep_by": ["score:min", "score:max"]},
    {"length": 6, "min_left": 3, "digits": "one"},
    {"length": 6, "whole": "line", "copies": 3, "source_field": "site"},
    {"unit": "line", "threads": 1, "memory": "2G"},
    {"unit": "sentence", "length": 1, "keep": "longest"},
    {"unit": "line", "similarity": 0.5},
]


def of_command(command, folder, options, against=None):
    """What is left, what was cut and what repeats, by the command."""
    rows, cut, removed, passages = (folder / f"{name}.jsonl" for name in ("rows", "cut", "removed", "passages"))
    table = pyarrow.table(TABLE)
    rows.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    told = {name: ",".join(value) if isinstance(value, list) else value for name, value in options.items()}
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in told.items()]
    flags += [] if "similarity" in options else ["--passages", passages]
    if against is not None:
        (folder / "against.jsonl").write_text("".join(json.dumps(row) + "\n" for row in against))
        flags += ["--against", folder / "against.jsonl"]
    command("passages", rows, "-o", cut, "--removed", removed, "--id-field=url", "--text-field=body", "-q", *flags)
    read = lambda path: [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []  # noqa: E731
    return read(cut), read(removed), read(passages)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_table_is_cut_as_a_file_is(options, command, tmp_path):
    left, removed, passages = of_command(command, tmp_path, options)
    found = nearprint.passages(pyarrow.table(TABLE), text="body", id="url", **options, progress=False)
    assert found.apply().to_pylist() == left
    assert found.rows.tolist() == [IDS.index(row["url"]) for row in left]
    assert len(removed) > 1
    near = "near" if options.get("keep") == "none" else "kept"
    cuts = pyarrow.table(found.cuts).to_pylist()
    assert len(cuts) == len(removed)
    for cut, row in zip(cuts, removed, strict=True):
        assert cut["row"] == IDS.index(row["id"])
        other = row.get(near)
        told = {"id": cut[f"{near}_id"], "start": cut[f"{near}_start"], "end": cut[f"{near}_end"]}
        assert other == (None if cut[near] is None else told)
        assert cut[near] is None or IDS[cut[near]] == other["id"]
        for name in ("id", "start", "end", "tokens", "copies", "documents", "measure", "left"):
            assert cut.get(name) == row.get(name)
        assert cut.get("similarity") == pytest.approx(row.get("similarity"))
    if "similarity" in options:
        with pytest.raises(ValueError, match="no passages"):
            _ = found.passages
    else:
        listed = pyarrow.table(found.passages).to_pylist()
        assert len(listed) == len(passages) > 0
        for mine, row in zip(listed, passages, strict=True):
            first = {"id": mine["first_id"], "start": mine["first_start"], "end": mine["first_end"]}
            assert first == row.pop("first") and IDS[mine["first"]] == first["id"]
            # One table is one source, as one file is.
            assert {name: mine[name] for name in row} == row


def test_rows_of_another_table_come_first(command, tmp_path):
    other = [{"url": "old", "body": NOTICE}, {"url": "older", "body": None}]
    left, removed, passages = of_command(command, tmp_path, {"length": 6}, other)
    found = nearprint.passages(
        pyarrow.table(TABLE), text="body", id="url", length=6, against=polars.DataFrame(other), progress=False
    )
    assert found.apply().to_pylist() == left and len(left) == len(TEXTS)
    cuts = pyarrow.table(found.cuts).to_pylist()
    assert [cut["kept_id"] for cut in cuts] == [row["kept"]["id"] for row in removed]
    assert {cut["kept_against"] for cut in cuts} == {0, None} and {cut["kept"] for cut in cuts} == {4, None}
    first = [(row["first_id"], row["first"], row["first_against"]) for row in pyarrow.table(found.passages).to_pylist()]
    assert first == [("page-4", 4, None), ("old", None, 0)]
    assert found.passages["copies"].tolist() == [row["copies"] for row in passages]
    texts = nearprint.passages(TEXTS, length=6, against=[NOTICE], progress=False)
    assert texts.apply() == [row["body"] for row in left]


def test_the_result_is_of_the_type_that_came():
    options = {"text": "body", "length": 6, "min_left": 3, "progress": False}
    expected = nearprint.passages(pyarrow.table(TABLE), **options).apply().to_pylist()
    texts = [row["body"] for row in expected]
    assert len(texts) == len(TEXTS) - 2
    frame = pandas.DataFrame(TABLE, index=range(10, 18))
    cut = nearprint.passages(frame, **options).apply()
    assert cut.index.tolist() == [10, 11, 12, 13, 14, 16] and cut.columns.tolist() == list(TABLE)
    assert cut.dtypes.tolist() == frame.dtypes.tolist() and cut["body"].fillna("").tolist() == [t or "" for t in texts]
    assert frame["body"].fillna("").tolist() == [text or "" for text in TEXTS]
    assert nearprint.passages(polars.DataFrame(TABLE), **options).apply().to_dicts() == expected
    del options["text"]
    series = nearprint.passages(pandas.Series(TEXTS, name="body", dtype=object), **options).apply()
    assert series.tolist() == texts and series.name == "body"
    column = nearprint.passages(polars.Series("body", TEXTS), **options).apply()
    assert column.to_list() == texts and column.name == "body"
    for kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.dictionary(pyarrow.int32(), pyarrow.string())):
        array = pyarrow.array(TEXTS, pyarrow.string()).cast(kind)
        cut = nearprint.passages(array, **options).apply()
        assert cut.type == kind and cut.to_pylist() == texts
        chunked = nearprint.passages(pyarrow.chunked_array([array[:3], array[3:]]), **options).apply()
        assert chunked.type == kind and chunked.to_pylist() == texts
    assert nearprint.passages(tuple(TEXTS), **options).apply() == texts
    plain = [text or "" for text in TEXTS]
    cut = nearprint.passages(np.array(plain), **options).apply()
    assert cut.dtype.kind == "U" and cut.tolist() == [text or "" for text in texts]
    assert nearprint.passages(np.array(TEXTS, object), **options).apply().dtype == object

    class Handed:
        """What only hands over Arrow."""

        def __arrow_c_stream__(self, requested_schema=None):
            return pyarrow.table(TABLE).__arrow_c_stream__(requested_schema)

        def __len__(self):
            return len(TEXTS)

    assert pyarrow.table(nearprint.passages(Handed(), text="body", **options).apply()).to_pylist() == expected


def test_a_dataset_and_a_recipe_of_ones_own():
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset.from_dict(TABLE)
    options = {"text": "body", "length": 6, "min_left": 3, "progress": False}
    cut = nearprint.passages(dataset, **options).apply()
    assert cut.features == dataset.features
    assert cut.to_list() == nearprint.passages(pyarrow.table(TABLE), **options).apply().to_pylist()
    upper = nearprint.Recipe("text", case="keep")
    assert len(nearprint.passages(dataset, **options, recipe=upper).cuts) < len(nearprint.passages(dataset, **options).cuts)


def test_tables_that_have_little():
    for texts in ([], [None], ["", "..."]):
        found = nearprint.passages(texts, progress=False)
        assert found.apply() == texts and len(found.cuts) == len(found.passages) == 0 and len(found) == len(texts)
    columns = nearprint.passages([], progress=False).cuts.column_names
    assert columns == nearprint.passages(TEXTS, length=6, progress=False).cuts.column_names


@pytest.mark.parametrize(
    "options, said",
    [
        ({"length": 1}, "a length of 1 tokens is not between 2 and 10000"),
        ({"unit": "word"}, "use token, line, sentence or paragraph"),
        ({"keep": "central"}, "use first, last, longest, shortest or none"),
        ({"keep_by": "score"}, "use FIELD:max or FIELD:min"),
        ({"keep_by": "site:max"}, 'the data:1: the field "site" must be a number'),
        ({"keep_by": "rank:max"}, 'no column "rank"; there are "url", "body", "score", "site"'),
        ({"source_field": "rank"}, 'no column "rank"'),
        ({"copies": 0}, "use a whole number from 1 on"),
        ({"memory": "1M"}, "more memory than the 1 MB allowed"),
        ({"similarity": 0.9}, "single lines or paragraphs"),
        ({"recipe": "web"}, "a page cannot be rebuilt from its text"),
        ({"work_dir": "/dev/null/folder"}, "no folder for temporary files"),
    ],
    ids=str,
)
def test_what_is_refused(options, said):
    with pytest.raises((nearprint.NearprintError, ValueError)) as refused:
        nearprint.passages(pyarrow.table(TABLE), text="body", progress=False, **options)
    assert said in str(refused.value) and "/tmp" not in str(refused.value)


def test_files_are_cut_as_by_the_command(command, tmp_path):
    left, removed, _ = of_command(command, tmp_path, {"length": 6})
    told = []
    summary = nearprint.passages_files(
        tmp_path / "rows.jsonl", tmp_path / "package.jsonl", length=6, id_field="url", text_field="body",
        progress=told.append,
    )  # fmt: skip
    assert (tmp_path / "package.jsonl").read_bytes() == (tmp_path / "cut.jsonl").read_bytes()
    assert summary["cuts"] == len(removed) and summary["kept"] == len(left)
    with pytest.raises(nearprint.NearprintError, match="word"):
        nearprint.passages_files(tmp_path / "rows.jsonl", tmp_path / "x.jsonl", unit="word")


@pytest.mark.parametrize("options", OPTIONS[:4], ids=str)
def test_a_list_of_dicts_is_a_table(options):
    table = pyarrow.table(TABLE)
    against = [{"url": "old", "body": NOTICE, "score": 1}]
    for known in (None, against):
        whole = nearprint.passages(
            table, text="body", id="url", against=known and pyarrow.Table.from_pylist(known), progress=False, **options
        )
        found = nearprint.passages(table.to_pylist(), text="body", id="url", against=known, progress=False, **options)
        assert found.apply() == whole.apply().to_pylist()
        for table_of in (lambda passages: passages.cuts, lambda passages: passages.passages):
            assert pyarrow.table(table_of(found)).to_pylist() == pyarrow.table(table_of(whole)).to_pylist()
