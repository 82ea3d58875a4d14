"""Datasets of Hugging Face: given to dedup as they are, mapped and filtered in batches and processes."""

import json

import datasets
import numpy as np
import pyarrow
import pytest
from datasets.fingerprint import Hasher

import nearprint
from nearprint._rows import handed
from nearprint.integrations.datasets import Fingerprints, Unseen

datasets.disable_progress_bars()


@pytest.fixture
def pages(texts):
    rows = [*texts, None]
    return datasets.Dataset.from_dict({"text": rows, "n": range(len(rows)), "note": ["same"] * len(rows)})


def with_indices(pages):
    yield "as it is", pages
    yield "shuffled", pages.shuffle(seed=1)
    yield "selected", pages.select([300, 5, 0, 301, 302, 5])
    yield "filtered", pages.filter(lambda row: row["n"] % 3 == 0)
    yield "of a format", pages.with_format("numpy", columns=["n"])
    yield "in parts", datasets.concatenate_datasets([pages, pages.select(range(5))])
    yield "empty", pages.select([])


def test_dedup_gives_a_dataset_of_the_rows_that_are_seen(pages):
    tried = 0
    for kind, data in with_indices(pages):
        rows = data.with_format(None)["text"][:]
        expected = nearprint.dedup(rows)
        found = nearprint.dedup(data, text="text", id="n")
        assert found.rows.tolist() == expected.rows.tolist(), kind
        numbers = data.with_format(None)["n"][:]
        assert found.removed["id"].tolist() == [numbers[row] for row in expected.removed["row"]], kind
        stays = found.filter()
        assert type(stays) is datasets.Dataset and stays.format["type"] == data.format["type"], kind
        assert stays.with_format(None)["text"][:] == expected.filter(), kind
        assert nearprint.fingerprint(data, text="text").tolist() == nearprint.fingerprint(rows).tolist(), kind
        tried += len(expected.removed) > 0
    assert tried > 5


def test_texts_do_not_become_python_objects(pages, monkeypatch):
    def fails(*_):
        raise AssertionError("rows were made Python objects")

    for method in ("extract_row", "extract_column", "extract_batch"):
        monkeypatch.setattr(datasets.formatting.formatting.PythonArrowExtractor, method, fails)
    for data in (pages.select_columns(["text", "n"]), pages.shuffle(seed=1)["text"], pages["text"]):
        found = nearprint.dedup(data)
        assert 0 < len(found.filter()) < len(pages)
        assert len(nearprint.fingerprint(data)) == len(pages)


def test_texts_are_copied_for_indices_alone(pages):
    before = pyarrow.total_allocated_bytes()
    plain = handed(pages, "text", "n")
    assert pyarrow.total_allocated_bytes() == before
    assert plain.column_names == ["text", "n"] and plain["text"].to_pylist() == pages["text"][:]
    # A chunk a row would be validated with all texts before it.
    large = pages.select(list(range(len(pages)))[::-1] * 60)
    assert handed(large, "text")["text"].num_chunks == 3


def test_a_column_gives_a_column(pages):
    found = nearprint.dedup(pages["text"])
    stays = found.filter()
    assert type(stays) is type(pages["text"])
    assert stays[:] == nearprint.dedup(pages, text="text").filter()["text"][:]
    nested = datasets.Dataset.from_dict({"page": [{"text": text} for text in ("a b", "c d", "A b!")]})
    assert nearprint.dedup(nested["page"]["text"]).filter() == ["a b", "c d"]


def test_which_column_has_the_texts(pages):
    with pytest.raises(ValueError, match='There are "text", "note"'):
        nearprint.dedup(pages)
    with pytest.raises(ValueError, match='no column "body"; there are "text", "n", "note"'):
        nearprint.dedup(pages, text="body")
    with pytest.raises(TypeError, match="strings, not Int64"):
        nearprint.dedup(pages, text="n")
    only = pages.remove_columns("note")
    assert nearprint.dedup(only, id="n").removed["id"].tolist() == nearprint.dedup(only).removed["row"].tolist() != []


def test_what_is_no_dataset(pages):
    both = datasets.DatasetDict(train=pages, test=pages)
    with pytest.raises(TypeError, match=r"'train', 'test'.*concatenate_datasets"):
        nearprint.dedup(both, text="text")
    for call in (nearprint.dedup, nearprint.fingerprint):
        with pytest.raises(TypeError, match="without streaming=True"):
            call(pages.to_iterable_dataset(), text="text")
    together = datasets.concatenate_datasets(list(both.values()))
    assert len(nearprint.dedup(together, text="text").filter()) < len(pages)


@pytest.mark.parametrize("options", [{}, {"num_proc": 2}, {"batch_size": 7}])
@pytest.mark.parametrize("width", [64, 128])
def test_map_gives_what_one_call_gives(pages, width, options):
    pages = pages.select(range(250, len(pages)))
    made = pages.with_format("arrow").map(Fingerprints(width=width), batched=True, **options).with_format(None)
    assert made.column_names == ["text", "n", "note", "fingerprint"]
    assert made.remove_columns("fingerprint")[:] == pages[:]
    codes = [None if text is None else nearprint.fingerprint(text, width=width) for text in pages["text"]]
    found = made["fingerprint"][:]
    assert [code if code is None or width == 64 else int.from_bytes(code, "big") for code in found] == codes
    again = made.with_format("arrow").map(Fingerprints(recipe="words", width=64), batched=True)
    assert again.column_names == made.column_names
    assert again.with_format(None)[0]["fingerprint"] == nearprint.fingerprint(pages[0]["text"], "words")


def test_map_of_a_stream(pages):
    stream = pages.to_iterable_dataset().with_format("arrow").map(Fingerprints(), batched=True, batch_size=50)
    codes = [row["fingerprint"] for row in stream.with_format(None)]
    assert codes == nearprint.fingerprint(pages, text="text").tolist()


def test_map_without_arrow_is_refused(pages):
    with pytest.raises(TypeError, match='with_format."arrow".'):
        pages.map(Fingerprints(), batched=True)


@pytest.mark.parametrize("width", [64, 128])
@pytest.mark.parametrize("options", [{}, {"num_proc": 2}, {"batch_size": 7, "format": "arrow"}])
def test_filter_is_exact(pages, texts, tmp_path, width, options):
    known = [*texts[40:90], ""]
    codes = nearprint.fingerprint(known, width=width)
    nearprint.Index.build(codes, k=6).save(tmp_path / "known.seg")
    index = nearprint.Index.open(tmp_path / "known.seg")
    options = dict(options)
    stays = pages.with_format(options.pop("format", None)).filter(Unseen(index), batched=True, **options)
    own = nearprint.fingerprint([text or "" for text in pages["text"]], width=width)
    near = set(nearprint.pairs(own, 6, other=codes)["a"].tolist())
    empty = {row for row, text in enumerate(pages["text"]) if text in ("", "...", None)}
    assert len(empty & near) > 0
    expected = [row for row in range(len(pages)) if row not in near - empty]
    assert stays.with_format(None)["n"][:] == expected and len(expected) < len(pages) - 50


def test_messages_are_those_of_a_list_where_the_column_has_strings_of_json():
    said = ["one two three four", "five six seven eight", "One, two, three, four!"]
    lists = [[{"role": "user", "content": text}] for text in said]
    rows = {"messages": [json.dumps(one) for one in lists], "n": [0, 1, 2]}
    pages = datasets.Dataset.from_dict(rows)
    for data in (pages, pages.select([0, 1, 2])):
        assert nearprint.dedup(data, text="messages", id="n").filter()["n"][:] == [0, 1]
        assert nearprint.fingerprint(data, text="messages").tolist() == nearprint.fingerprint(said).tolist()
    made = pages.with_format("arrow").map(Fingerprints("messages"), batched=True).with_format(None)
    assert made["fingerprint"][:] == nearprint.fingerprint(said).tolist()
    index = nearprint.Index.build(nearprint.fingerprint(said[:1]), k=3)
    for kept in (pages, datasets.Dataset.from_dict({"messages": lists, "n": [0, 1, 2]})):
        assert kept.filter(Unseen(index, "messages"), batched=True)["n"][:] == [1]


def test_results_are_kept_by_what_a_function_holds(tmp_path):
    def opened(texts):
        nearprint.Index.build(nearprint.fingerprint(texts)).save(tmp_path / "known.seg")
        return Unseen(nearprint.Index.open(tmp_path / "known.seg"))

    first = Hasher.hash(opened(["one two three four"]))
    assert first == Hasher.hash(Unseen(nearprint.Index.open(tmp_path / "known.seg")))
    assert first != Hasher.hash(opened(["five six seven eight", "nine"]))
    assert Hasher.hash(Fingerprints()) == Hasher.hash(Fingerprints()) != Hasher.hash(Fingerprints(recipe="words"))


def test_an_index_in_memory_does_not_go_to_processes(pages):
    index = nearprint.Index.build(np.array([1], dtype="uint64"))
    with pytest.raises(TypeError, match="save it to a file"):
        pages.filter(Unseen(index), batched=True, num_proc=2)
