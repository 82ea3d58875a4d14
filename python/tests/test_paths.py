"""Paths in place of rows: what is read as tables, the column of texts, and the call for what is no table."""

import csv
import gzip
import io
import json
import os
import pathlib
import sys

import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

import nearprint

ROWS = [{"id": "a", "text": "one two three four"}, {"id": "b", "text": "One, two three four!"}, {"id": "c", "text": "other words here"}]
QUESTIONS = [{"question": "which words are here now?"}]


@pytest.fixture
def paths(tmp_path, monkeypatch):
    """A folder of the same rows as JSONL and Parquet, of lines of text, and of a damaged file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), tmp_path / "rows.parquet")
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), tmp_path / "rows.without-a-name")
    table = pyarrow.Table.from_pylist(ROWS)
    for name in ("stream.arrow", "stream.arrows", "stream.ipc", "stream"):
        with pyarrow.ipc.new_stream(name, table.schema) as stream:
            stream.write_table(table)
    for name in ("file.arrow", "file.ipc", "file"):
        with pyarrow.ipc.new_file(name, table.schema) as file:
            file.write_table(table)
    pyarrow.feather.write_feather(table, "rows.feather")
    tabbed = "id\ttext\n" + "".join(f"{row['id']}\t{row['text']}\n" for row in ROWS)
    (tmp_path / "rows.tsv").write_text(tabbed)
    (tmp_path / "rows.tab.gz").write_bytes(gzip.compress(tabbed.encode()))
    (tmp_path / "lines.txt").write_text("one two\nthree four\n")
    (tmp_path / "broken.jsonl").write_text('{"text": "a"}\n{"text":\n')
    (tmp_path / "broken.parquet").write_text("no Parquet")
    return tmp_path


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.parquet", "rows.without-a-name"])
def test_the_field_text_is_that_of_texts_as_for_the_command(paths, name):
    texts = [row["text"] for row in ROWS]
    assert nearprint.dedup(name).keep.tolist() == nearprint.dedup(texts).keep.tolist()
    assert nearprint.dedup(name, id="id").removed["id"].tolist() == ["b"]
    assert nearprint.groups(name).tolist() == nearprint.groups(texts).tolist()
    assert nearprint.clusters(name).tolist() == nearprint.clusters(texts).tolist()
    assert list(nearprint.pairs(name)) == list(nearprint.pairs(texts)) != []
    assert nearprint.passages(name, length=3).summary["cut_tokens"] == nearprint.passages(texts, length=3).summary["cut_tokens"] > 0
    assert len(nearprint.decontaminate(name, QUESTIONS)) == len(ROWS)
    assert nearprint.dedup(texts, against=name).rows.tolist() == []
    assert nearprint.dedup(name, against=name).rows.tolist() == []
    alone = nearprint.passages(texts[1:2], against=name, length=3)
    assert alone.cuts["kept_against"].tolist() == [0]
    with pytest.raises(ValueError, match='no column "body"'):
        nearprint.dedup(name, text="body")


@pytest.mark.parametrize(
    "name",
    ["stream.arrow", "stream.arrows", "stream.ipc", "stream", "file.arrow", "file.ipc", "file"]
    + ["rows.feather", "rows.tsv", "rows.tab.gz"],
)
def test_every_form_of_tables_is_read(paths, name):
    assert nearprint.dedup(name, id="id").removed["id"].tolist() == ["b"]


@pytest.mark.parametrize("name", ["rows.csv", "rows.csv.gz", "rows.tsv", "rows.jsonl", "rows.jsonl.gz"])
def test_texts_of_several_lines_and_of_megabytes_are_read(paths, name):
    texts = {"a": "one\n\ntwo, three\r\nfour", "b": "One; two\nthree \"four\"", "c": "long " * 500_000}
    rows = [{"id": id, "text": text} for id, text in texts.items()]
    written = io.StringIO(newline="")
    if "json" in name:
        written.writelines(json.dumps(row) + "\n" for row in rows)
    else:
        table = csv.DictWriter(written, ["id", "text"], delimiter="\t" if "tsv" in name else ",")
        table.writeheader()
        table.writerows(rows)
    content = written.getvalue().encode()
    (paths / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    found = nearprint.dedup(name, id="id")
    assert found.removed["id"].tolist() == ["b"]
    assert found.filter()["text"].to_pylist() == [texts["a"], texts["c"]]
    assert nearprint.dedup_files(name, f"kept-{name}")["kept"] == len(found.rows)


def test_a_folder_that_datasets_saved_is_read_as_by_the_command(paths):
    table = pyarrow.Table.from_pylist(ROWS)
    for at in range(2):
        folder = paths / "saved" / "train"
        folder.mkdir(parents=True, exist_ok=True)
        with pyarrow.ipc.new_stream(folder / f"data-{at:05}-of-00002.arrow", table.schema) as stream:
            stream.write_table(table.slice(2 * at, 2))
    (folder / "state.json").write_text('{\n  "_split": null\n}')
    # What was computed of the data set is none of it.
    (folder / "cache-0123.arrow").write_bytes((folder / "data-00000-of-00002.arrow").read_bytes())
    (folder / "dataset_info.json").write_text('{\n  "features": {}\n}')
    (paths / "saved" / "dataset_dict.json").write_text('{"splits": ["train"]}')
    for name in ("saved", "saved/train"):
        assert nearprint.dedup(name, id="id").removed["id"].tolist() == ["b"]
        told = nearprint.dedup_files(name, "kept.jsonl", force=True)
        assert told["documents"] == len(nearprint.dedup(name).keep) == len(ROWS)
    (paths / "void").mkdir()
    with pytest.raises(ValueError, match="the folder 'void' holds no file to read"):
        nearprint.dedup("void")


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are Unicode elsewhere")
@pytest.mark.parametrize("name", ["rows.jsonl", "rows.parquet", "rows.tsv", "stream.arrow", "file", "rows.tab.gz", "rows.feather"])
def test_a_name_that_is_not_utf8_is_one(paths, name):
    path = pathlib.Path(os.fsdecode(b"caf\xe9-" + name.encode()))
    path.write_bytes((paths / name).read_bytes())
    assert nearprint.dedup(path, id="id").removed["id"].tolist() == ["b"]
    path.with_suffix(".jsonl").write_text('{"text":\n')
    with pytest.raises(TypeError, match="is not read by pyarrow as JSON"):
        nearprint.dedup(path.with_suffix(".jsonl"))


def test_another_column_is_not_taken_for_texts(paths):
    table = pyarrow.Table.from_pylist(ROWS)
    for call in (nearprint.dedup, nearprint.pairs, nearprint.groups):
        with pytest.raises(ValueError, match='There are "id", "text"; name one by text='):
            call(table)


@pytest.mark.parametrize(
    "call, told",
    [
        (lambda path: nearprint.dedup(path), "nearprint.dedup_files({path!r}, output), which reads all formats"),
        (lambda path: nearprint.dedup(ROWS, against=path), "nearprint.dedup_files(inputs, output, against={path!r}), which reads"),
        (lambda path: nearprint.passages(path), "nearprint.passages_files({path!r}, output), which reads all formats"),
        (lambda path: nearprint.passages(ROWS, against=path), "nearprint.passages_files(inputs, output, against={path!r}), which"),
        (lambda path: nearprint.decontaminate(path, QUESTIONS), "nearprint.decontaminate_files({path!r}, output, against=...)"),
        (lambda path: nearprint.groups(path), "nearprint.split_files({path!r}, output), which reads all formats"),
        (lambda path: nearprint.pairs(path), "run `nearprint pairs` in a shell"),
        (lambda path: nearprint.clusters(path), "run `nearprint clusters` in a shell"),
        (lambda path: nearprint.dedup(["one"]).filter(path), "give texts as a list, or a table"),
    ],
)
def test_the_call_for_a_file_that_is_no_table(paths, call, told):
    for path in ("lines.txt", "broken.jsonl", "broken.parquet"):
        with pytest.raises(TypeError) as refused:
            call(path)
        said = str(refused.value)
        assert type(refused.value) is TypeError and "\n" not in said and f"the file {path!r} is " in said, said
        assert told.format(path=path) in said, said


def test_the_call_for_a_file_that_is_not_there(paths):
    with pytest.raises(TypeError, match=r"^against: the text 'none.jsonl' .*dedup_files\(inputs, output, against='none.jsonl'\), which takes"):
        nearprint.dedup(ROWS, against="none.jsonl")
    with pytest.raises(TypeError, match="no list of texts, and no file has that name: give texts as a list, a table or a path$"):
        nearprint.dedup("a text of several words")
