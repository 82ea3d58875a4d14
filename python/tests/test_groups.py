"""Rows that are compared within and across the values of a column, copies, groups for a split, and decisions."""

import collections
import json
from datetime import date, datetime
from decimal import Decimal

import nearprint
import numpy as np
import pytest

FOX = "the quick brown fox jumps over the lazy dog at noon"
SNOW = "snow fell on the upper pastures before anybody was awake"

ROWS = [
    {"id": 0, "text": FOX, "dump": "a"},
    {"id": 1, "text": SNOW, "dump": "b"},
    {"id": 2, "text": FOX, "dump": "b"},
    {"id": 3, "text": FOX, "dump": "b"},
    {"id": 4, "text": SNOW, "dump": "b"},
    {"id": 5, "text": "", "dump": "a"},
    {"id": 6, "text": FOX, "dump": None},
    {"id": 7, "text": FOX, "dump": None},
]


def files(folder, **options):
    """Give the rows that the command writes, and its figures."""
    corpus, out = folder / "in.jsonl", folder / "out.jsonl"
    corpus.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    summary = nearprint.dedup_files(corpus, out, force=True, **options)
    return [json.loads(line) for line in out.read_text().splitlines()], summary


@pytest.mark.parametrize("options", [{}, {"within": "dump"}, {"across": "dump"}])
@pytest.mark.parametrize("rule", ["star", "connected"])
def test_a_table_fares_as_the_command_has_it(tmp_path, options, rule):
    found = nearprint.dedup(ROWS, text="text", count_by="dump", cluster_rule=rule, keep="first", **options)
    kept, summary = files(tmp_path, count_by="dump", cluster_rule=rule, keep="first", **options)
    assert found.rows.tolist() == [row["id"] for row in kept]
    assert found.copies[found.rows].tolist() == [row["nearprint"]["copies"] for row in kept]
    assert found.sources == [row["nearprint"]["sources"] for row in kept]
    assert found.summary["exact"] == summary["exact"]
    assert found.copies.sum() == len(ROWS)
    assert set(found.copies[~found.keep]) <= {0}


def test_values_are_texts_numbers_or_truth_values():
    texts = [FOX] * 4
    for values in [["x", "y", "x", None], [1, 2, 1, None], [True, False, True, None], [0.5, 1.5, 0.5, None]]:
        rows = [{"text": text, "by": value} for text, value in zip(texts, values, strict=True)]
        assert nearprint.dedup(rows, text="text", within="by").rows.tolist() == [0, 1, 3]
        sources = nearprint.dedup(rows, text="text", count_by="by").sources
        assert sorted(sources[0].values()) == [1, 1, 2]
    with pytest.raises(TypeError, match="within= names"):
        nearprint.dedup([{"text": FOX, "by": [1]}], text="text", within="by")
    with pytest.raises((ValueError, TypeError), match="dmup"):
        nearprint.dedup(ROWS, text="text", within="dmup")
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"text": texts, "by": pyarrow.array([1, 2, 1, None], pyarrow.int8())})
    assert nearprint.dedup(table, text="text", within="by").rows.tolist() == [0, 1, 3]
    days = pyarrow.array([1, 2, 1, None], pyarrow.date32())
    assert nearprint.dedup(table.set_column(1, "by", days), text="text", within="by").rows.tolist() == [0, 1, 3]
    with pytest.raises(TypeError, match="grouped by texts, numbers or truth values"):
        nearprint.dedup(table.set_column(1, "by", pyarrow.array([[1]] * 4)), text="text", within="by")
    assert nearprint.dedup(texts).sources is None


def test_groups_are_what_pairs_connect():
    texts = [row["text"] for row in ROWS] + ["", None, f"{FOX} or later"]
    found = nearprint.groups(texts, similarity=0.5)
    assert found.dtype == np.int64
    assert found.tolist() == [0, 1, 0, 0, 1, 5, 0, 0, 5, found[9], 0]
    assert nearprint.groups(texts, equal="bytes")[10] == 10
    assert nearprint.groups(texts, verify="jaccard=0.2").tolist() == nearprint.groups(texts, similarity=0.2).tolist()
    assert [nearprint.groups(texts, similarity=0.9, **how)[10] for how in ({}, {"verify": "none"})] == [10, 0]
    pairs = nearprint.dedup(texts, recall="exact", cluster_rule="connected", similarity=0.5)
    for row, cluster in enumerate(pairs.cluster.tolist()):
        if cluster >= 0:
            assert found[row] == pairs.cluster.tolist().index(cluster)
    sizes = collections.Counter(found.tolist())
    assert sum(sizes.values()) == len(texts)


def test_a_splitter_of_scikit_learn_takes_them():
    model_selection = pytest.importorskip("sklearn.model_selection")
    texts = [f"{row['text']} {number // 4}" for number in range(40) for row in ROWS[:2]]
    groups = nearprint.groups(texts, similarity=0.6)
    split = model_selection.GroupShuffleSplit(test_size=0.3, random_state=1)
    for train, test in split.split(texts, groups=groups):
        assert not set(groups[train]) & set(groups[test])


def test_a_decision_is_made_again(tmp_path):
    _, summary = files(tmp_path, similarity=0.5, decisions=tmp_path / "d", count_by="dump")
    again = nearprint.decide(tmp_path / "d")
    assert again["kept"] == summary["kept"]
    within = nearprint.decide(tmp_path / "d", within="dump", kept=tmp_path / "kept")
    expected, _ = files(tmp_path, within="dump")
    assert within["kept"] == len(expected)
    out = tmp_path / "again.jsonl"
    nearprint.decide(tmp_path / "d", out, corpus=tmp_path / "in.jsonl", across="dump")
    rows, _ = files(tmp_path, across="dump")
    assert [json.loads(line) for line in out.read_text().splitlines()] == rows
    with pytest.raises(nearprint.errors.InputError, match="the file has pairs from 0.5 on"):
        nearprint.decide(tmp_path / "d", similarity=0.4)
    with pytest.raises(nearprint.errors.InputError, match="corpus= is needed"):
        nearprint.decide(tmp_path / "d", tmp_path / "other.jsonl")
    with pytest.raises(nearprint.errors.InputError, match="sweep='0.6': use FROM:TO:STEP"):
        nearprint.decide(tmp_path / "d", sweep="0.6")
    with pytest.raises(nearprint.errors.InputError, match="sweep= and output= are both given"):
        nearprint.decide(tmp_path / "d", out, corpus=tmp_path / "in.jsonl", sweep="0.6:1.0:0.1")
    with pytest.raises(TypeError, match="sweep is similarities as first, last and step .* write nearprint.decide"):
        nearprint.decide(tmp_path / "d", sweep=0.6)


def test_a_sweep_is_the_table_of_the_command(tmp_path, command):
    files(tmp_path, similarity=0.5, decisions=tmp_path / "d")
    swept = nearprint.decide(tmp_path / "d", sweep="0.6:1.0:0.1", keep="first", plot=tmp_path / "sweep.svg")
    told = command("decide", tmp_path / "d", "--sweep", "0.6:1.0:0.1", "--keep", "first", "--format", "json").stdout
    assert swept == json.loads(told)
    assert [row["similarity"] for row in swept] == [0.6, 0.7, 0.8, 0.9, 1.0]
    assert swept[2]["kept"] == nearprint.decide(tmp_path / "d", similarity=0.8, keep="first")["kept"]
    assert (tmp_path / "sweep.svg").exists()


def test_losses_are_warned_of(tmp_path, caplog):
    corpus = tmp_path / "many.jsonl"
    corpus.write_text("".join(json.dumps({"id": number, "text": FOX}) + "\n" for number in range(30)))
    with caplog.at_level("WARNING", "nearprint"):
        summary = nearprint.dedup_files(corpus, tmp_path / "out.jsonl")
    assert [one["warning"] for one in summary["warnings"]] == ["source", "cluster", "short-documents"]
    assert any("29 of 30 documents of" in message for message in caplog.messages)


def test_a_split_and_a_clean_corpus_are_those_of_the_command(tmp_path, command):
    corpus = tmp_path / "in.jsonl"
    corpus.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    summary = nearprint.split_files(corpus, ours, parts={"train": 50, "test": 50}, seed=3)
    command("split", corpus, "-o", theirs, "--parts", "train=50,test=50", "--seed", 3, "--summary", tmp_path / "s.json")
    assert summary == json.loads((tmp_path / "s.json").read_text())
    assert sum(part["documents"] for part in summary["parts"]) == len(ROWS)
    for part in ("train", "test"):
        assert (ours / f"{part}.jsonl").read_bytes() == (theirs / f"{part}.jsonl").read_bytes()
    with pytest.raises(nearprint.NearprintError, match="parts"):
        nearprint.split_files(corpus, ours, parts="train=50,test=40", force=True)
    steps = nearprint.clean_files(corpus, tmp_path / "ours.jsonl", dedup="--keep last")["steps"]
    command("clean", corpus, "-o", tmp_path / "theirs.jsonl", "--dedup=--keep last", "--summary", tmp_path / "c.json")
    assert (tmp_path / "ours.jsonl").read_bytes() == (tmp_path / "theirs.jsonl").read_bytes()
    told = json.loads((tmp_path / "c.json").read_text())["steps"]
    figures = ("after", "documents", "bytes", "tokens")
    assert [[step[name] for name in figures] for step in steps] == [[step[name] for name in figures] for step in told]
    assert [step["after"] for step in steps] == [None, "dedup", "passages"]


def test_a_paper_says_what_the_command_says_of_a_run(tmp_path, command):
    _, summary = files(tmp_path)
    (tmp_path / "run.json").write_text(json.dumps(summary))
    for format in ("markdown", "latex"):
        assert nearprint.methods(tmp_path / "run.json", format=format) == nearprint.methods(summary, format=format)
        assert nearprint.methods(summary, format=format) == command("methods", tmp_path / "run.json", "--format", format).stdout
    with pytest.raises(nearprint.NearprintError, match="not the summary of a run"):
        nearprint.methods({})
    with pytest.raises(ValueError, match='"markdown" or "latex", not \'html\''):
        nearprint.methods(summary, format="html")


def test_columns_in_runs_and_of_decimals_are_read():
    pyarrow = pytest.importorskip("pyarrow")
    compute = pytest.importorskip("pyarrow.compute")
    texts = compute.run_end_encode(pyarrow.array([FOX, FOX, FOX]))
    prices = [Decimal("1.50"), Decimal("1.50"), None]
    for by in (
        pyarrow.array(prices),
        pyarrow.array(prices, pyarrow.decimal256(50, 2)),
        compute.run_end_encode(pyarrow.array(["1.50", "1.50", None])),
    ):
        table = pyarrow.table({"text": texts, "by": by})
        assert nearprint.dedup(table, text="text", within="by").rows.tolist() == [0, 2]
        found = nearprint.dedup(table, text="text", count_by="by")
        assert (found.rows.tolist(), found.sources) == ([0], [{"1.50": 2, "null": 1}])
    assert nearprint.dedup(texts).rows.tolist() == [0]
    assert nearprint.dedup(pyarrow.table({"text": texts}).slice(1)).rows.tolist() == [0]


def test_labels_of_any_type_are_those_of_the_command(command, tmp_path):
    pyarrow, polars = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    parquet = pytest.importorskip("pyarrow.parquet")
    for values, label in (
        (pyarrow.array([date(2024, 5, 1)] * 2 + [None]), "2024-05-01"),
        (pyarrow.array([datetime(2024, 5, 1, 12)] * 2 + [None]), "2024-05-01 12:00:00"),
        (pyarrow.array([-0.0, 0.0, None]), "0"),
        (pyarrow.array([2.5, 2.5, None], pyarrow.float32()), "2.5"),
        (pyarrow.array([b"ab", b"ab", None]), "ab"),
        (pyarrow.array([2.5, 2.5, None]).dictionary_encode(), "2.5"),
    ):
        table = pyarrow.table({"text": [FOX, FOX, FOX], "by": values})
        found = nearprint.dedup(table, text="text", count_by="by")
        assert list(found.sources[0].values()) == [2, 1] and next(iter(found.sources[0])).startswith(label)
        parquet.write_table(table, tmp_path / "by.parquet")
        command("dedup", tmp_path / "by.parquet", "-o", tmp_path / "kept.jsonl", "--force", "--count-by", "by")
        row = json.loads((tmp_path / "kept.jsonl").read_text())
        assert row["nearprint"]["sources"] == found.sources[0]
    wide = polars.DataFrame({"text": [FOX, FOX, FOX], "by": polars.Series([2**100, 2**100, None], dtype=polars.Int128)})
    assert nearprint.dedup(wide, text="text", count_by="by").sources == [{str(2**100): 2, "null": 1}]
    with pytest.raises(TypeError, match="count_by= names a column of .*: rows are grouped by texts, numbers or truth values"):
        nearprint.dedup(pyarrow.table({"text": [FOX], "by": [[1]]}), text="text", count_by="by")
