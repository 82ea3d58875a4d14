"""Blocks of datatrove in pipelines that its own executor runs over files."""

import json
import pickle

import pytest
from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

import nearprint
from nearprint.integrations.datatrove import NearprintDedup, NearprintFilter


@pytest.fixture
def crawl(tmp_path, texts):
    """Three files of documents, and the documents in their order. A reader leaves out empty texts."""
    folder = tmp_path / "crawl"
    folder.mkdir()
    documents = [{"id": f"page {row}", "text": text, "site": row % 3} for row, text in enumerate(texts) if text]
    for part in range(3):
        rows = documents[part * 150 : (part + 1) * 150]
        (folder / f"{part}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder, documents


def ran(tmp_path, crawl, block, tasks=1, workers=1):
    """Run a block over the files: its statistics, the documents that stay, and those that go."""
    executor = LocalPipelineExecutor(
        [JsonlReader(str(crawl)), block, JsonlWriter(str(tmp_path / "kept"), compression=None)],
        tasks=tasks,
        workers=workers,
        logging_dir=str(tmp_path / "logs"),
    )
    stats = executor.run()
    read = [
        [json.loads(line) for path in sorted((tmp_path / name).glob("*")) for line in path.read_text().splitlines()]
        for name in ("kept", "gone")
    ]
    return {name: stat.total for name, stat in stats.stats[1].stats.items()}, *read


def gone_to(tmp_path):
    return JsonlWriter(str(tmp_path / "gone"), compression=None)


@pytest.mark.parametrize("options", [{}, {"similarity": 0.6, "keep": "last"}, {"k": 12, "keep": "none"}])
def test_dedup_of_a_pipeline_is_dedup(options, crawl, tmp_path):
    folder, documents = crawl
    block = NearprintDedup(**options, exclusion_writer=gone_to(tmp_path))
    stats, kept, gone = ran(tmp_path, folder, block)
    found = nearprint.dedup([row["text"] for row in documents], **options)
    assert [row["id"] for row in kept] == [documents[row]["id"] for row in found.rows]
    assert all(row["metadata"]["site"] == int(row["id"][5:]) % 3 for row in kept)
    table = found.removed
    assert [row["id"] for row in gone] == [documents[row]["id"] for row in table["row"]] != []
    told = [row["metadata"] for row in gone]
    near = "near" if options.get("keep") == "none" else "kept"
    assert [it["representative"] for it in told] == [documents[row]["id"] for row in table[near]]
    for name in ("cluster", "distance", "similarity", "measure"):
        assert [it[name] for it in told] == table[name].tolist(), name
    assert {it["filter_reason"] for it in told} == {"near_duplicate"}
    assert stats["total"] == len(documents) and stats["clusters"] == found.summary["clusters"]
    assert stats["forwarded"] == len(kept)
    assert stats["dropped"] == stats["dropped_near_duplicate"] == len(gone) == len(documents) - len(kept)


def test_dedup_without_a_writer_changes_no_document():
    documents = [Document("one two three", "a"), Document("One, two, three!", "b")]
    assert [document.id for document in NearprintDedup()(iter(documents))] == ["a"]
    assert [document.metadata for document in documents] == [{}, {}]
    assert list(NearprintDedup()([])) == []


def test_dedup_in_several_tasks_is_refused(crawl, tmp_path):
    with pytest.raises(ValueError, match="tasks=1"):
        ran(tmp_path, crawl[0], NearprintDedup(), tasks=2)


def test_options_are_looked_at_before_the_input_is():
    with pytest.raises(ValueError, match="keep is"):
        NearprintDedup(keep="best")
    with pytest.raises(nearprint.errors.RecipeError, match="no-such"):
        NearprintDedup(recipe="no-such")


@pytest.mark.parametrize("width", [64, 128])
def test_documents_near_an_index_are_dropped(crawl, tmp_path, width):
    folder, documents = crawl
    known = [row["text"] for row in documents[40:90]]
    codes = nearprint.fingerprint(known, width=width)
    index = nearprint.Index.build(codes, k=6)
    block = NearprintFilter(index, batch_size=100, exclusion_writer=gone_to(tmp_path))
    stats, kept, gone = ran(tmp_path, folder, block)
    pairs = nearprint.pairs(nearprint.fingerprint([row["text"] for row in documents], width=width), 6, other=codes)
    columns = (pairs[name].tolist() for name in ("a", "distance", "b"))
    near = {}
    for row, distance, id in sorted(zip(*columns)):
        near.setdefault(row, (id, distance))
    empty = {row for row, document in enumerate(documents) if document["text"] == "..."}
    rows = sorted(set(near) - empty)
    assert [row["id"] for row in gone] == [documents[row]["id"] for row in rows] != []
    assert [(row["metadata"]["near"], row["metadata"]["distance"]) for row in gone] == [near[row] for row in rows]
    assert len(kept) + len(gone) == len(documents) == stats["total"]
    assert stats["dropped"] == stats["dropped_near_duplicate"] == len(gone)
    assert stats["batches"] == -(-len(documents) // 100)


def test_an_index_by_its_path_in_several_processes(crawl, tmp_path):
    folder, documents = crawl
    codes = nearprint.fingerprint([row["text"] for row in documents[:50]])
    nearprint.Index.build(codes).save(tmp_path / "known.seg")
    block = NearprintFilter(tmp_path / "known.seg", k=8)
    _, kept, _ = ran(tmp_path, folder, block, tasks=3, workers=2)
    near = nearprint.pairs(nearprint.fingerprint([row["text"] for row in documents]), 8, other=codes)["a"]
    assert sorted(row["id"] for row in kept) == sorted(
        row["id"] for at, row in enumerate(documents) if at not in set(near.tolist())
    )


def test_documents_near_a_store_are_dropped(crawl, tmp_path):
    folder, documents = crawl
    with nearprint.Store.create(tmp_path / "store") as store:
        store.add(["seen before"], [documents[3]["text"]])
        _, kept, gone = ran(tmp_path, folder, NearprintFilter(store, exclusion_writer=gone_to(tmp_path)))
        assert len(store) == 1
        expected = store.check([row["text"] for row in documents])["near"]
    assert [row["id"] for row in gone] == [row["id"] for row, near in zip(documents, expected) if near] != []
    assert {row["metadata"]["near"] for row in gone} == {"seen before"}
    assert gone[0]["metadata"]["similarity"] == 1 and gone[0]["metadata"]["distance"] == 0
    assert len(kept) + len(gone) == len(documents)


def test_documents_that_stay_are_stored(crawl, tmp_path):
    folder, documents = crawl
    with nearprint.Store.create(tmp_path / "one by one") as store:
        outcomes = store.check_and_add([row["id"] for row in documents], [row["text"] for row in documents])["outcome"]
    nearprint.Store.create(tmp_path / "store").close()
    expected = [row["id"] for row, outcome in zip(documents, outcomes) if outcome == "new"]
    assert 100 < len(expected) < len(documents)
    for run in ("first", "again"):
        block = NearprintFilter(tmp_path / "store", add=True, batch_size=64)
        _, kept, _ = ran(tmp_path / run, folder, block, tasks=3)
        assert [row["id"] for row in kept] == expected, run
    with nearprint.Store.open(tmp_path / "store") as store:
        assert len(store) == len(expected)


def test_what_cannot_be_seen(tmp_path):
    index = nearprint.Index.build(nearprint.fingerprint(["one two three"]))
    with pytest.raises(TypeError, match="not list"):
        NearprintFilter(["one two three"])
    with pytest.raises(FileNotFoundError, match="no-such"):
        NearprintFilter(tmp_path / "no-such")
    with pytest.raises(ValueError, match="add=True"):
        NearprintFilter(index, add=True)
    with nearprint.Store.create(tmp_path / "store") as store:
        with pytest.raises(ValueError, match="k= is for an index"):
            NearprintFilter(store, k=3)
        with pytest.raises(TypeError, match="give its path"):
            pickle.dumps(NearprintFilter(store))
        block = NearprintFilter(store, add=True)
        assert block.filter(Document("one two three", "a")) is True
        with pytest.raises(ValueError, match="stored with another fingerprint"):
            block.filter(Document("four five six", "a"))
