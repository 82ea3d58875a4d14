"""What callers should not do, and do: an exception of the right type, and never a wrong answer."""

import os
import resource
import subprocess
import sys

import numpy as np
import pyarrow
import pytest

import nearprint


def test_missing_fingerprints_are_no_fingerprints():
    masked = nearprint.fingerprint(["a b c d e", None, None, "x y z w v"])
    for call in (nearprint.pairs, nearprint.clusters, nearprint.Index.build):
        with pytest.raises(ValueError, match="missing"):
            call(masked)
    with pytest.raises(ValueError, match="missing"):
        nearprint.pairs(nearprint.fingerprint(["a", None], width=128))
    assert len(nearprint.pairs(masked.compressed())) == 0


@pytest.mark.parametrize("codes", [[1.7, 1.2], [True], [None], {"a": 1}.items()])
def test_lists_that_hold_no_fingerprints(codes):
    with pytest.raises(TypeError):
        nearprint.pairs(codes)


def test_numbers_of_more_than_64_bits():
    for codes in ([1, 2**64], [1, -(2**63) - 1]):
        with pytest.raises(ValueError, match="fingerprints"):
            nearprint.pairs(codes)


def test_negative_numbers_are_no_ids():
    codes = np.array([1, 2], dtype="uint64")
    assert nearprint.Index.build(codes, np.array([7, 9])).query(codes)["id"].tolist() == [7, 9, 9, 7]
    for ids in ([1, -1], np.array([1, -1]), pyarrow.array([1, -1]), np.ma.array([1, -1])):
        with pytest.raises(ValueError, match="negative|are whole numbers"):
            nearprint.Index.build(codes, ids)


def test_what_looks_like_texts():
    for data in ("hello", np.array("hello"), b"", b"abc", {"a": "b"}, {"a", "b"}):
        if isinstance(data, str):
            continue
        with pytest.raises(TypeError):
            nearprint.fingerprint(data)
        with pytest.raises(TypeError):
            nearprint.dedup(data)


def test_a_column_without_rows_keeps_its_type():
    empty, some = nearprint.fingerprint([], width=128), nearprint.fingerprint(["one"], width=128)
    assert len(nearprint.pairs(empty, other=some)) == 0
    assert nearprint.Index.build(empty).width == 128
    table = pyarrow.table({"n": pyarrow.array([], pyarrow.int64())})
    with pytest.raises(ValueError, match="no column of strings"):
        nearprint.fingerprint(table)


def test_a_column_of_nulls_is_not_the_texts():
    table = pyarrow.table({"text": ["one two three"], "note": pyarrow.nulls(1)})
    assert nearprint.fingerprint(table).tolist() == [nearprint.fingerprint("one two three")]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": ["one two three"]}, index=["first"])
    assert nearprint.fingerprint(frame).tolist() == [nearprint.fingerprint("one two three")]


@pytest.mark.parametrize("kind", ["int32", "uint8", "float64", "int64", "string"])
def test_ids_of_every_kind(kind, texts):
    ids = pyarrow.array(range(len(texts))).cast(kind if len(texts) < 256 or kind != "uint8" else "int16")
    found = nearprint.dedup(pyarrow.table({"text": texts, "key": ids}), text="text", id="key")
    expected = ids.to_numpy(zero_copy_only=False)
    assert found.removed["id"].tolist() == expected[found.removed["row"]].tolist() != []
    assert found.removed["kept_id"].tolist() == expected[found.removed["kept"]].tolist()


def test_ids_come_with_their_texts(texts):
    read_once = pyarrow.RecordBatchReader.from_batches(
        pyarrow.schema({"text": "string", "key": "string"}),
        pyarrow.table({"text": texts, "key": texts}).to_batches(max_chunksize=7),
    )
    found = nearprint.dedup(read_once, text="text", id="key")
    assert found.removed["id"].tolist() == [texts[row] for row in found.removed["row"]] != []
    assert found.filter()["text"].to_pylist() == [texts[row] for row in found.rows]
    with pytest.raises(TypeError, match="id="):
        nearprint.dedup(["one"], id="key")


def test_what_can_be_read_once_is_held(texts):
    found = nearprint.dedup(text for text in texts)
    assert found.filter() == [texts[row] for row in found.rows]


def test_explanations(texts):
    rows = [*texts, None]
    for data in (rows, pyarrow.array(rows).dictionary_encode(), pyarrow.array(rows)):
        found = nearprint.dedup(data)
        row = int(found.removed["row"][0])
        assert found.explain(row).jaccard == pytest.approx(found.removed["similarity"][0], abs=1e-4)
        assert "<table" in found.explain(row)._repr_html_()
        assert found.explain(len(rows) - 1).distance == 0
        for beyond in (-1, len(rows)):
            with pytest.raises(IndexError):
                found.explain(beyond)
    shown = found._repr_html_()
    gone = (~found.keep).nonzero()[0].tolist()
    # Equal texts too: what goes is shown beside what stays, at most five of it.
    assert "kept" in shown and shown.count("<details>") == min(5, len(gone)) > 0
    row = gone[0]
    assert f"row {row}, like row {found.representative[row]}</summary>" in shown


def test_a_notebook_says_which_rows_and_how_to_go_on(texts):
    import pandas

    rows = pandas.DataFrame({"id": [f"d{at}" for at in range(len(texts))], "text": texts})
    others = rows.iloc[:50].assign(id=lambda table: "old-" + table["id"])
    found = nearprint.dedup(rows, text="text", id="id", against=others)
    shown, gone = found._repr_html_(), found.removed
    exact, near = found.summary["exact"], len(gone) - found.summary["exact"]
    assert f"<th>exact duplicates</th><td>{exact}</td></tr><tr><th>near-duplicates</th><td>{near}</td>" in shown
    assert "row 0 (d0), like row 0 of against (old-d0)</summary>" in shown
    assert ">row 0 of against (old-d0): kept</th>" in shown and ">row 0 (d0): removed</th>" in shown
    assert ".filter()" in shown and ".removed" in shown and ".explain(row)" in shown
    kept = int(found.rows[found.copies[found.rows] > 1][0])
    (other, *_) = (found.representative == kept).nonzero()[0][1:].tolist()
    assert f">row {kept} (d{kept}): kept</th>" in found.explain(other)._repr_html_()
    # Among bare texts no row has an id, and with keep="none" no row is kept.
    bare = nearprint.dedup(rows, text="text", id="id", against=texts[:1])
    assert ">row 0 of against: kept</th>" in bare.explain(0)._repr_html_()
    none = nearprint.dedup(texts, keep="none")
    row = int(none.removed["row"][0])
    assert f">row {none.removed['near'][0]}: removed</th>" in none.explain(row)._repr_html_()


def test_a_row_that_is_kept_is_explained_as_kept(texts):
    found = nearprint.dedup([{"id": f"d{at}", "text": text} for at, text in enumerate(texts)], text="text", id="id")
    alone, stands = (int(found.rows[found.copies[found.rows] == copies][0]) for copies in (1, 2))
    why = found.explain(alone)
    assert repr(why) == f"<Kept row {alone} (d{alone}): no row is removed because of it>" and why.stands_for == []
    why = found.explain(stands)
    (other,) = why.stands_for
    assert found.representative[other] == stands != other and not found.keep[other]
    assert repr(why) == f"<Kept row {stands} (d{stands}): it stands for 1 removed row, {other}>"
    assert f"Kept row {stands} (d{stands})" in why._repr_html_()
    many = nearprint.dedup(["one two three"] * 30).explain(0)
    assert len(many.stands_for) == 29 and repr(many).endswith("29 removed rows, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...>")
    assert nearprint.dedup(["one two three"] * 2 + ["four"], keep="none").explain(2).stands_for == []


def test_a_table_shows_its_rows():
    names = ["<b>", "b" * 300, *(f"d{at}" for at in range(2, 30))]
    found = nearprint.dedup([{"id": name, "text": "one two three"} for name in names], text="text", id="id")
    gone = found.removed
    shown = gone._repr_html_()
    assert "<th>id</th><th>kept_id</th>" in shown and shown.count("<tr>") == 11 and "the first 10 of 29 rows" in shown
    assert ".to_pandas()" in shown and "explain(row)" in shown and "b" * 101 not in shown
    assert "&lt;b&gt;" in shown and "<b>" not in shown
    rows = list(gone)
    assert len(rows) == 29 and rows[1]["id"] == "d2" and rows[1]["kept_id"] == "<b>" and rows == gone.to_pyarrow().to_pylist()
    assert list(gone.head(3)) == rows[:3] and len(gone.head(100)) == 29 and len(gone.head(-1)) == len(gone.head(0)) == 0
    for table in (nearprint.pairs(["one two three"] * 3), nearprint.recipes(), nearprint.passages(["a b c", "a b c"], length=2).cuts):
        assert f"{len(table)} rows" in table._repr_html_() or "of " in table._repr_html_()
    cut = nearprint.passages(["a b c", "a b c"], length=2)
    leaks = nearprint.decontaminate(["one two three four five six seven"], [{"question": "one two three four five six seven"}])
    for found, table, more in ((cut, cut.cuts, "apply()"), (leaks, leaks.removed, "filter()")):
        shown = found._repr_html_()
        assert repr(found)[1:20] in shown and table._repr_html_() in shown and more in shown
    assert leaks.self_test(1)._repr_html_().startswith("<pre>")
    with pytest.raises(TypeError, match=r"as table\['id'\], and not by 0: head\(rows\) gives the first rows"):
        gone[0]
    with pytest.raises(KeyError, match="no column 'keep'; there are 'id', 'kept_id', 'row'"):
        gone["keep"]


def test_a_difference_is_shown_as_text():
    words = " ".join(f"word{number}" for number in range(40))
    shown = nearprint.compare(f"one <b>two</b> {words} end", f"one <i>two</i> {words} close")._repr_html_()
    assert "<i>" not in shown and "&lt;" in shown
    assert shown.count("<del ") >= 1 <= shown.count("<ins ") and " words alike</td>" in shown
    assert "No word differs" in nearprint.compare("one two", "one two")._repr_html_()


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is Linux's")
def test_more_pairs_than_memory():
    program = (
        "import numpy, nearprint\n"
        "try: nearprint.pairs(numpy.zeros(200_000, dtype='uint64'))\n"
        "except nearprint.errors.MemoryBudgetError as error: print(error)\n"
    )
    limit = 6 << 30
    ran = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    assert ran.returncode == 0, ran.stderr
    assert "19999900000 pairs" in ran.stdout


def test_ids_of_a_store(tmp_path):
    with nearprint.Store.create(tmp_path / "store") as store:
        store.add(["a", "b", "ab"], ["one two three", "four five six", "seven eight nine"])
        for call in (lambda: store.delete("ab"), lambda: store.add("xyz", ["1", "2", "3"])):
            with pytest.raises(TypeError):
                call()
        assert len(store) == 3
        assert store.delete(pyarrow.array(["ab"])) == 1
        with pytest.raises(ValueError, match="row 0 has no id"):
            store.add([None], ["ten"])
        with pytest.raises(ValueError, match="1 ids for 2 texts"):
            store.add(["c"], ["ten", "eleven"])
        assert len(store) == 2 and store
        assert store.check(["one two three", None])["near"].tolist() == ["a", None]


def test_a_missing_text_of_a_store_is_one_without_a_word(tmp_path):
    with nearprint.Store.create(tmp_path / "store") as store:
        for write in (store.add, store.check_and_add, store.update):
            name = write.__name__
            assert "refused" not in write([name, name + " again"], [None, "..."])["outcome"].tolist()
            assert write(pyarrow.array([name + " of arrow"]), pyarrow.array([None], "string"))["outcome"].tolist() != ["refused"]
            assert store.fingerprint(name) == store.fingerprint(name + " again") == store.fingerprint(name + " of arrow")
        assert store.check([None, ""])["near"].tolist() == [None, None]
    with pytest.raises(ValueError, match="closed"):
        store.__enter__()
    with pytest.raises(TypeError, match="Store.open"):
        nearprint.Store("folder")


def test_arguments_of_files(tmp_path, rows):
    for inputs in ((path for path in [rows]), [os.fspath(rows).encode()], os.fspath(rows).encode()):
        assert nearprint.dedup_files(inputs, tmp_path / "out.jsonl", force=True)["kept"] > 0
    with pytest.raises(nearprint.errors.InputError, match="0 to 1|above 0"):
        nearprint.dedup_files(rows, tmp_path / "out.jsonl", force=True, similarity=-1)
    with pytest.raises(TypeError, match="similarity"):
        nearprint.dedup_files(rows, tmp_path / "out.jsonl", similarity=object())
    with pytest.raises(nearprint.errors.InputError, match="estimate"):
        nearprint.dedup_files(rows, tmp_path / "new.jsonl", estimate=True)
    assert not (tmp_path / "new.jsonl").exists()
    with pytest.raises(nearprint.errors.InputError, match="is the same file as"):
        nearprint.dedup_files(rows, tmp_path / "none.jsonl", against=[rows])
    old = tmp_path / "old.jsonl"
    old.write_bytes(rows.read_bytes())
    assert nearprint.dedup_files(rows, tmp_path / "none.jsonl", against=[old])["reference"] > 0


def test_recipes_survive_their_own_text():
    for recipe in (nearprint.Recipe("text"), nearprint.Recipe("words", width=256)):
        again = nearprint.Recipe.from_toml(recipe.to_toml())
        assert again == recipe and again.width == recipe.width
    assert nearprint.Recipe("text") != nearprint.Recipe("text", width=64)
