"""What the command can, Python can: pairs of texts, other texts to compare with, the newest row, files, labels."""

import json
from datetime import datetime, timedelta
from decimal import Decimal

import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet
import pytest

import nearprint
from conftest import text


@pytest.fixture
def rows():
    """Rows of which every third has a near-duplicate, with a day each."""
    texts = [text(number) for number in range(60)] + [text(number, 1) for number in range(0, 60, 3)]
    return [{"id": f"d{at}", "text": one, "day": (at * 7) % 40} for at, one in enumerate(texts)]


def by_command(command, folder, rows, *flags, name="in.jsonl"):
    """The rows that the command removes, with the rows that are kept for them."""
    path, removed = folder / name, folder / "removed.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    command("dedup", path, "-o", folder / "out.jsonl", "--removed", removed, "--force", *flags)
    return {row["id"]: row["kept"] for row in map(json.loads, removed.read_text().splitlines())}


def named(table):
    return dict(zip(table["id"].tolist(), table["kept_id"].tolist(), strict=True))


@pytest.mark.parametrize("rule", ["day:max", "day:min"])
def test_the_row_of_the_greatest_value_stays(rows, command, tmp_path, rule):
    rows[5]["day"] = rows[62]["day"] = None
    expected = by_command(command, tmp_path, rows, "--keep-by", rule)
    assert len(expected) == 20
    found = nearprint.dedup(rows, text="text", id="id", keep_by=rule)
    assert named(found.removed) == expected
    assert found.removed["row"].tolist() == sorted(found.removed["row"].tolist())
    kept = [row["id"] for row in found.filter()]
    assert kept == [row["id"] for row in rows if row["id"] not in expected]
    for data in (pandas.DataFrame(rows), polars.DataFrame(rows), pyarrow.Table.from_pylist(rows)):
        assert named(nearprint.dedup(data, text="text", id="id", keep_by=rule).removed) == expected
    # Weeks come several times: in these the length decides, and then the day.
    for at, row in enumerate(rows):
        row["length"], row["week"] = at * 7 % 5, None if row["day"] is None else row["day"] // 5
    for rules in (["week:max", "length:min"], [f"week:{rule[-3:]}", "length:max", "day:min"]):
        expected = by_command(command, tmp_path, rows, "--keep-by", ",".join(rules))
        for given in (rules, ",".join(rules), ", ".join(rules)):
            assert named(nearprint.dedup(rows, text="text", id="id", keep_by=given).removed) == expected
        repeated = [flag for one in rules for flag in ("--keep-by", one)]
        assert by_command(command, tmp_path, rows, *repeated) == expected
        assert expected != named(nearprint.dedup(rows, text="text", id="id", keep_by=rules[:1]).removed)
    for wrong, error in [([], ValueError), ([1], TypeError), ("day", ValueError), (["day:max", "length"], ValueError)]:
        with pytest.raises(error, match="keep_by"):
            nearprint.dedup(rows, text="text", keep_by=wrong)
    both = found.cluster[found.cluster >= 0]
    assert sorted(set(both.tolist())) == list(range(20))
    assert np.array_equal(found.cluster, nearprint.dedup(rows, text="text", keep="first").cluster)
    with pytest.raises(TypeError, match="give one of them"):
        nearprint.dedup(rows, text="text", keep_by=rule, keep="first")
    with pytest.raises(ValueError, match='no column "date"; there are "id", "text", "day"'):
        nearprint.dedup(rows, text="text", keep_by="date:max")
    with pytest.raises(ValueError, match='no row has a value in the column "day", which keep_by= names'):
        nearprint.dedup([row | {"day": None} for row in rows], text="text", keep_by=["week:max", "day:max"])


@pytest.mark.parametrize("rule", ["meta.day:max", "meta.in.day:min"])
def test_the_value_may_lie_within_a_column(rows, command, tmp_path, rule):
    nested = [{"id": row["id"], "text": row["text"], "meta": {"day": row["day"], "in": {"day": row["day"]}}} for row in rows]
    nested[5]["meta"] = None
    expected = by_command(command, tmp_path, nested, "--keep-by", rule)
    for data in (nested, pandas.DataFrame(nested), polars.DataFrame(nested), pyarrow.Table.from_pylist(nested)):
        assert named(nearprint.dedup(data, text="text", id="id", keep_by=rule).removed) == expected, type(data)


@pytest.mark.parametrize(
    "values",
    [
        ["9", "10", "2"],
        ["2024-05-01T10:00:00+09:00", "2024-05-01T05:00:00Z", "2024-05-01T04:00:00Z"],
        [9, "10", 2.5],
        [False, True, None],
        ["-1e3", "inf", "17ms"],
        ["NaN", 1, 2],
        [1, None, "nan"],
        [5e-324, 0, 1e-320],
        ["2020-02-29T12:00:00Z", 2020, "2020-03"],
        ["2020", "2019-12-31", "2020-01"],
    ],
)
@pytest.mark.parametrize("rule", ["max", "min"])
def test_texts_are_kept_by_what_they_stand_for(rows, command, tmp_path, values, rule):
    same = [{**rows[0], "id": str(at), "day": value} for at, value in enumerate(values)]
    expected = by_command(command, tmp_path, same, "--keep-by", f"day:{rule}")
    assert named(nearprint.dedup(same, text="text", id="id", keep_by=f"day:{rule}").removed) == expected
    assert len(expected) == 2


def test_values_that_stand_for_nothing_are_refused(rows):
    for value in ("1e-400", "1e400", Decimal("0." + "1" * 36)):
        with pytest.raises(ValueError, match="row 1: the column 'day' of keep_by= holds .*compared to 35 digits"):
            nearprint.dedup([rows[0] | {"day": 1}, {**rows[1], "day": value}], text="text", keep_by="day:max")
    for value in ("01/02/2024", "soon"):
        with pytest.raises(ValueError, match=f"row 1: the column 'day' of keep_by= must have numbers.*found '{value}'"):
            nearprint.dedup([rows[0], {**rows[1], "day": value}], text="text", keep_by="day:max")
    for number in (1709210096, "12:00", True, 202):
        values = ["2020-02-29", 2020, number]
        with pytest.raises(ValueError, match="the column 'day' of keep_by= is a date in row 0, and a number or a time in row 2"):
            nearprint.dedup([{"text": "a", "day": value} for value in values], text="text", keep_by="day:max")
    moments = [datetime(2024, 5, 1), datetime(2024, 5, 2, 12), None]
    lengths = [timedelta(seconds=2), timedelta(milliseconds=3), timedelta(0)]
    for values, best in ((moments, 1), (lengths, 0), ([Decimal("1.5"), Decimal("1e2"), Decimal(3)], 1)):
        same = [{"text": rows[0]["text"], "day": value} for value in values]
        assert nearprint.dedup(same, text="text", keep_by="day:max").rows.tolist() == [best]


def test_rows_near_others_go(rows, command, tmp_path):
    old, new = rows[:60], [{**row, "id": "n" + row["id"]} for row in rows[50:]]
    (tmp_path / "old.jsonl").write_text("".join(json.dumps(row) + "\n" for row in old))
    expected = by_command(command, tmp_path, new, "--against", tmp_path / "old.jsonl")
    frame = polars.DataFrame(new)
    found = nearprint.dedup(frame, text="text", id="id", against=polars.DataFrame(old))
    gone = found.removed
    assert "against" in gone.column_names
    assert set(gone["id"].tolist()) == set(expected) and len(expected) == 30
    for id, row, kept in zip(gone["id"].tolist(), gone["against"].tolist(), gone["kept_id"].tolist(), strict=True):
        assert expected[id] == kept and (row is None or old[row]["id"] == kept)
    assert found.filter()["id"].to_list() == [row["id"] for row in new if row["id"] not in expected]
    assert found.representative[0] == -1 and found.explain(0).jaccard == 1.0
    for kind in (pyarrow.Table.from_pylist, pandas.DataFrame, list):
        assert named(nearprint.dedup(kind(new), text="text", id="id", against=kind(old)).removed) == expected
    bare = nearprint.dedup(new, text="text", id="id", against=[row["text"] for row in old]).removed
    assert set(bare["kept_id"].tolist()) == {None} | {kept for kept in expected.values() if kept in {row["id"] for row in new}}
    again = nearprint.dedup([row["text"] for row in new], against=[row["text"] for row in old])
    assert again.rows.tolist() == found.rows.tolist()
    newest = nearprint.dedup(new, text="text", against=[row["text"] for row in old], keep_by="day:max")
    assert newest.rows.tolist() == found.rows.tolist()
    # What is only compared with is not of the figures.
    assert found.summary["kept"] == len(found.rows) and found.summary["kept"] + found.summary["removed"] == len(new)
    assert f"{len(found.rows)} kept" in repr(found)
    (tmp_path / "old.parquet").unlink(missing_ok=True)
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(old), tmp_path / "old.parquet")
    from_file = nearprint.dedup(frame, text="text", against=str(tmp_path / "old.parquet"))
    assert from_file.rows.tolist() == found.rows.tolist()
    assert str(found.explain("nd53")) == str(found.explain(3)) and found.explain("nd53")._repr_html_() == found.explain(3)._repr_html_()
    with pytest.raises(ValueError, match="no row has the id 'n3' in the column 'id'"):
        found.explain("n3")
    with pytest.raises(ValueError, match="2 rows have the id '7' in the column 'id': give the number of a row"):
        nearprint.dedup([{"id": 7, "text": "a"}] * 2, text="text", id="id").explain("7")
    with pytest.raises(TypeError, match="row is the number of a row, not 'n3': rows have ids where dedup is given id="):
        nearprint.dedup(frame, text="text").explain("n3")
    with pytest.raises(TypeError, match="row is the number of a row, or its id"):
        found.explain(None)


def test_pairs_of_texts_are_those_of_the_command(rows, command, tmp_path):
    texts = [row["text"] for row in rows]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    told = command("pairs", tmp_path / "in.jsonl", "--quiet", "--similarity", 0.7).stdout
    expected = {(row["a"], row["b"], row["similarity"]) for row in map(json.loads, told.splitlines())}
    assert len(expected) == 20
    for data, more in ((texts, {}), (pandas.DataFrame(rows), {"text": "text"}), (np.array(texts), {}), (rows, {"text": "text"})):
        found = nearprint.pairs(data, similarity=0.7, **more)
        places = zip(found["a"].tolist(), found["b"].tolist(), found["similarity"].tolist(), strict=True)
        assert {(rows[a]["id"], rows[b]["id"], round(similarity, 4)) for a, b, similarity in places} == expected
    with pytest.raises(TypeError, match="similarity= is for texts"):
        nearprint.pairs([1, 2], similarity=0.7)
    with pytest.raises(TypeError, match="id= is for texts"):
        nearprint.pairs([1, 2], id="id")
    with pytest.raises(TypeError, match="against=others"):
        nearprint.pairs(texts, other=texts)


@pytest.mark.parametrize("flags", [{}, {"within": "dump"}, {"across": "dump"}, {"within": "meta.dump", "across": "dump"}])
def test_pairs_of_rows_with_ids_are_named_by_them(rows, command, tmp_path, flags):
    rows = [{**row, "dump": "ab"[at // 40], "meta": {"dump": at % 2, "id": row["id"]}} for at, row in enumerate(rows)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    by_flags = [part for name, value in flags.items() for part in (f"--{name}", value)]
    told = command("pairs", tmp_path / "in.jsonl", "--quiet", "--similarity", 0.7, *by_flags).stdout
    expected = [(row["a"], row["b"], row["distance"]) for row in map(json.loads, told.splitlines())]
    assert len(expected) > 5
    for data in (rows, pandas.DataFrame(rows), polars.DataFrame(rows), pyarrow.Table.from_pylist(rows)):
        for id in ("id", "meta.id"):
            found = nearprint.pairs(data, text="text", id=id, similarity=0.7, **flags)
            assert found.column_names == ["a", "b", "distance", "similarity", "measure"]
            named = zip(found["a"].tolist(), found["b"].tolist(), found["distance"].tolist(), strict=True)
            assert sorted(named) == sorted(expected), (type(data), id)
    numbered = [{**row, "id": 100 + at} for at, row in enumerate(rows)]
    assert min(nearprint.pairs(numbered, text="text", id="id")["a"].tolist()) == 100


def test_several_columns_are_one_text(tmp_path, command):
    rows = [
        {"id": at, "title": title, "body": body}
        for at, (title, body) in enumerate([("one two three", "four five six"), (None, "seven"), ("one two", "x y z w")])
    ]
    rows.append({"id": 3, "title": "one two three four", "body": "five six"})
    expected = by_command(command, tmp_path, rows, "--text-field", "title,body")
    for data in (rows, pandas.DataFrame(rows), polars.DataFrame(rows)):
        assert named(nearprint.dedup(data, text=["title", "body"], id="id").removed) == expected == {3: 0}
    assert len(nearprint.pairs(rows, text=["title", "body"])) == 1
    assert nearprint.groups(rows, text=["title", "body"]).tolist() == [0, 1, 2, 0]


def test_files_and_lazy_tables_are_taken_where_tables_are(rows, tmp_path):
    table = pyarrow.Table.from_pylist(rows)
    expected = nearprint.dedup(table, text="text").rows.tolist()
    path = tmp_path / "a.parquet"
    pyarrow.parquet.write_table(table, path)
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    frames = (path, str(path), tmp_path / "a.jsonl", pyarrow.dataset.dataset(path), polars.scan_parquet(path))
    for data in frames:
        found = nearprint.dedup(data, text="text")
        assert found.rows.tolist() == expected and len(found.filter()) == len(expected), data
    assert nearprint.dedup([path, path], text="text").rows.tolist() == expected
    with pytest.raises(TypeError, match="no file has that name: give texts as a list, a table or a path"):
        nearprint.dedup("One text where many were meant.")


def test_what_was_meant_is_said():
    with pytest.raises(ValueError, match=r"did you mean similarity=0\.9"):
        nearprint.dedup(["one"], similarity=90)
    with pytest.raises(TypeError, match="similarity is a number from 0.3 to 1, not '0.9'"):
        nearprint.dedup(["one"], similarity="0.9")
    with pytest.raises((ValueError, nearprint.NearprintError)) as refused:
        nearprint.dedup(["one"], similarity=1.1)
    assert "did you mean" not in str(refused.value)
    assert nearprint.__version__.count(".") == 2


def test_decisions_need_no_output(rows, tmp_path):
    path, decisions = tmp_path / "rows.jsonl", tmp_path / "rows.decisions"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    told = nearprint.dedup_files(path, None, similarity=0.6, decisions=decisions)
    assert decisions.exists() and told["kept"] == nearprint.dedup_files(path, tmp_path / "kept.jsonl", similarity=0.6)["kept"]
    again = nearprint.decide(decisions, tmp_path / "again.jsonl", corpus=path, similarity=0.6)
    assert again["kept"] == told["kept"]
    with pytest.raises(nearprint.errors.InputError, match="estimate="):
        nearprint.dedup_files(path, None, estimate=True)


def test_a_store_is_opened_or_made(tmp_path):
    for expected in (1, 1):
        with nearprint.Store.open_or_create(tmp_path / "pages") as store:
            store.add(["a"], ["one two three four"])
            assert len(store) == expected


def test_settings_are_judged_by_labels(rows, tmp_path):
    labels = [{"a": f"d{at}", "b": f"d{60 + at // 3}", "same": True} for at in range(0, 60, 3)]
    labels += [{"a": f"d{at}", "b": f"d{at + 1}", "same": False} for at in range(0, 58, 3)]
    judged = nearprint.evaluate(rows, labels, text="text", id="id", similarity=0.6)
    assert judged["labels"]["same"] == 20 and judged["labels"]["unknown_ids"] == []
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labels))
    of_files = nearprint.evaluate(tmp_path / "rows.jsonl", tmp_path / "labels.jsonl", similarity=0.6)
    assert judged == of_files == nearprint.evaluate(pandas.DataFrame(rows), pandas.DataFrame(labels), text="text", id="id", similarity=0.6)
    tuned = nearprint.tune(polars.DataFrame(rows), text="text", id="id")
    assert tuned["documents"] == 80 and "similarity" in tuned["recommendation"]
    with pytest.raises(nearprint.errors.InputError, match="^similarity="):
        nearprint.tune(rows, text="text", similarity=7)


def test_labels_of_rows_hold_whatever_the_order_and_the_columns_of_texts():
    rows = [
        {"title": "A", "body": text(1), "dump": "a", "day": 1},
        {"title": "A", "body": text(1), "dump": "b", "day": 2},
        {"title": "A", "body": text(1), "dump": "b", "day": 3},
        {"title": "A", "body": text(1), "dump": None, "day": 4},
    ]
    newest = {"text": ["title", "body"], "keep_by": "day:max"}
    within = nearprint.dedup(rows, within="dump", **newest)
    assert (within.rows.tolist(), within.copies.tolist()) == ([0, 2, 3], [1, 0, 2, 1])
    counted = nearprint.dedup(rows, count_by="dump", **newest)
    assert (counted.rows.tolist(), counted.sources) == ([3], [{"b": 2, "a": 1, "null": 1}])
    across = nearprint.dedup(rows[1:3], across="dump", **newest)
    assert across.rows.tolist() == [0, 1]


def test_copies_count_rows_alone_where_others_are_compared_with():
    found = nearprint.dedup([text(1), text(2), text(2)], against=[text(1)], keep="first")
    assert (found.rows.tolist(), found.copies.tolist()) == ([1], [0, 2, 0])
    rows = [{"text": text(1), "dump": "a"}, {"text": text(1), "dump": "b"}]
    with pytest.raises(TypeError, match="give a table, or leave one of them out"):
        nearprint.dedup(rows, text="text", within="dump", against=[text(1)])


def test_rows_and_others_are_compared_within_a_column_of_both_and_across_it(tmp_path):
    old = [{"text": text(1), "dump": "a"}, {"text": text(2), "dump": "b"}]
    new = [{"text": text(at), "dump": dump} for at, dump in [(1, "a"), (1, "b"), (2, "a"), (2, "b"), (3, "a")]]
    for name, rows in [("old", old), ("new", new)]:
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for options in [{"within": "dump"}, {"across": "dump"}]:
        found = nearprint.dedup(new, text="text", against=old, keep="first", **options)
        paths = [tmp_path / "new.jsonl", tmp_path / "out.jsonl"]
        nearprint.dedup_files(*paths, against=tmp_path / "old.jsonl", keep="first", force=True, **options)
        kept = [json.loads(line) for line in paths[1].read_text().splitlines()]
        assert [new[row] for row in found.rows] == kept, options


def test_labels_are_those_of_the_command(tmp_path):
    pa = pyarrow
    columns = [
        pa.array([0.0, -0.0, 1.5, 1.0]),
        pa.array([0.1, -0.0, 0.0, 1.0], pa.float32()),
        pa.array(np.array([0.1, -0.0, 0.0, 1.0], np.float16)),
        pa.array(["a", "null", None, "1"]),
        pa.array([True, False, None, True]),
        pa.array([Decimal("1.50"), Decimal("0.00"), None, Decimal("1.50")]),
        pa.array([0, 19_723, None, 0], pa.date32()),
        pa.array([0, 1, None, 0], pa.timestamp("us", "UTC")),
        pa.array([0, 1, None, 0], pa.duration("ms")),
        pa.array([b"a", b"\xff", None, b"a"]),
    ]
    for column in columns:
        table = pa.table({"text": [text(1)] * 4, "by": column})
        paths = [tmp_path / "in.arrow", tmp_path / "out.arrow"]
        with pa.ipc.new_file(paths[0], table.schema) as file:
            file.write_table(table)
        nearprint.dedup_files(*paths, count_by="by", keep="first", force=True)
        told = json.loads(pa.ipc.open_file(paths[1]).read_all()["nearprint_sources"][0].as_py())
        assert nearprint.dedup(table, text="text", count_by="by", keep="first").sources == [told], column.type
    mixed = [True, 1.0, 1, "1", 0.5, None, "true", -0.0]
    rows = [{"text": text(1), "by": value} for value in mixed]
    paths = [tmp_path / "in.jsonl", tmp_path / "out.jsonl"]
    paths[0].write_text("".join(json.dumps(row) + "\n" for row in rows))
    nearprint.dedup_files(*paths, count_by="by", keep="first", force=True)
    told = json.loads(paths[1].read_text())["nearprint"]["sources"]
    assert nearprint.dedup(rows, text="text", count_by="by", keep="first").sources == [told]


def test_a_target_that_is_not_met_is_an_error(tmp_path):
    texts, decisions = tmp_path / "in.jsonl", tmp_path / "in.decisions"
    texts.write_text("".join(json.dumps({"text": text(at)}) + "\n" for at in range(4)))
    nearprint.dedup_files(texts, tmp_path / "out.jsonl", similarity=0.6, decisions=decisions)
    with pytest.raises(nearprint.NearprintError, match="leaves more than 1 document: the file cannot get closer"):
        nearprint.decide(decisions, target="1-documents")
    assert nearprint.decide(decisions, target="100%")["target_met"] == "yes"
