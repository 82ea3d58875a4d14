"""The parts of a search, with partitions, shuffles and executors in plain Python, beside the search of the whole."""

import json
import random

import nearprint
import numpy as np
import pyarrow as pa
import pytest
from nearprint import kernels

def texts(seed: int = 1, count: int = 2400) -> list[str | None]:
    """Edited copies of pages, equal and short texts, missing ones, some without a feature, and a crowd."""
    draw = random.Random(seed)

    def edited(page: int) -> str:
        words = [f"page{page}x{at}" for at in range(80)]
        for _ in range(draw.randrange(4)):
            words[draw.randrange(80)] = f"edit{draw.random()}"
        return " ".join(words)

    short = [None, "", "...", "one two", "One; two!", "three"]
    pages = (lambda: 0, lambda: draw.randrange(60), draw.random)
    kinds = (lambda: draw.choice(short), *(lambda page=page: edited(page()) for page in pages))
    return [draw.choice(kinds)() for _ in range(count)]


def in_parts(documents, search, parts, ranges, shuffled):
    """The rows that ``solve`` gives, by id, with what an engine does in between."""
    table = pa.table({"id": np.arange(len(documents)), "text": pa.array(documents, pa.string())})
    # Two documents share an address.
    address = np.arange(len(documents)) * 0x9E37_79B9
    address[5:6] = address[:1]
    table = table.append_column("address", pa.array(address))
    order = list(range(parts))
    shuffled.shuffle(order)
    routed = []
    for part in order:
        batches = table.take(np.arange(part, len(table), parts)).to_batches(max_chunksize=97)
        routed.extend(kernels.route(batches, search, ranges=ranges))
    shuffled.shuffle(routed)
    routed = pa.Table.from_batches(routed).sort_by("range")
    links = []
    for some in range(3):
        own = routed.filter(pa.compute.equal(pa.array(routed["range"].to_numpy() % 3), some))
        links.extend(kernels.link(own.to_batches(max_chunksize=5), search))
    shuffled.shuffle(links)
    labels = pa.Table.from_batches(kernels.shards(links))
    joined = table.join(labels, "address", join_type="inner").sort_by([("shard", "ascending"), ("id", "ascending")])
    solved = pa.Table.from_batches(kernels.solve(joined.to_batches(max_chunksize=61), search, carried=["address"]))
    assert solved["address"].equals(pa.chunked_array([pa.array(address[solved["id"].to_numpy()])]))
    return {row["id"]: row for row in solved.to_pylist()}


@pytest.mark.parametrize("parts, ranges", [(1, 1), (7, 64), (64, 5)])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"keep": "first", "cluster_rule": "connected"},
        {"keep": "longest", "width": 64},
        {"keep": "none", "recall": 0.9},
    ],
)
def test_parts_come_to_what_the_whole_comes_to(parts, ranges, options, monkeypatch):
    # Several shards.
    monkeypatch.setattr(kernels, "_DOCUMENTS", 100)
    documents = texts()
    whole = nearprint.dedup(documents, progress=False, **options)
    solved = in_parts(documents, kernels.Search(**options), parts, ranges, random.Random(parts))
    removed = {row: at for at, row in enumerate(whole.removed["row"])}
    assert len(removed) > 500 and whole.summary["crowded"] > 256
    clusters = {}
    for row, cluster in enumerate(whole.cluster):
        if cluster < 0:
            assert row not in solved
            continue
        own = solved.pop(row)
        assert own["keep"] == whole.keep[row]
        assert own["representative"] == whole.representative[row]
        assert own["first"] == (own["cluster"] not in clusters)
        assert clusters.setdefault(own["cluster"], cluster) == cluster
        if row in removed:
            assert own["distance"] == whole.removed["distance"][removed[row]]
            assert own["similarity"] == whole.removed["similarity"][removed[row]]
        else:
            assert (own["distance"], own["similarity"]) == (0, 1)
    assert not solved
    assert len(set(clusters.values())) == len(clusters)


def test_a_reference_stays_and_comes_first():
    documents = texts(seed=3, count=400)
    table = pa.table({"shard": pa.array([0] * 400, pa.int32()), "id": range(400), "text": pa.array(documents)})
    table = table.append_column("reference", [np.arange(400) < 150])
    last = kernels.Search(keep="last")
    solved = pa.Table.from_batches(kernels.solve(table.to_batches(), last, reference="reference"))
    keep = dict(zip(solved["id"].to_pylist(), solved["keep"].to_pylist(), strict=True))
    assert all(keep[row] for row in keep if row < 150) and not all(keep.values())
    pairs = pa.Table.from_batches(kernels.pairs(table.to_batches(), kernels.Search(), reference="reference"))
    assert pairs.num_rows and min(pairs["b"].to_pylist()) >= 150
    with pytest.raises(ValueError, match="come first in their shard"):
        list(kernels.solve(table.take(np.arange(400)[::-1]).to_batches(), kernels.Search(), reference="reference"))


def test_what_is_no_entry_of_the_job_is_refused():
    search = kernels.Search(similarity=0.8)
    documents = pa.record_batch({"address": pa.array([1, 2]), "text": ["one two three four", "five six seven eight"]})
    entries = list(kernels.route([documents], search, ranges=1))
    assert [row["links"] for row in pa.Table.from_batches(kernels.link(entries, search)).to_pylist()] == [b""]
    with pytest.raises(nearprint.NearprintError, match="another recipe, width or similarity"):
        list(kernels.link(entries, kernels.Search(similarity=0.9)))
    with pytest.raises(nearprint.NearprintError, match="not found by bands"):
        kernels.Search(recall="exact")
    with pytest.raises(ValueError, match='keep is "newest"'):
        kernels.Search(keep="newest")
    with pytest.raises(TypeError, match="column of int64 without nulls"):
        nameless = pa.record_batch({"address": pa.array([1, None]), "text": ["a", "b"]})
        list(kernels.route([nameless], search))
    with pytest.raises(ValueError, match="ranges is 0"):
        list(kernels.route([documents], search, ranges=0))


def test_only_documents_of_one_label_are_linked():
    copies = pa.record_batch({
        "address": pa.array([1, 2, 3, 4, 5]), "text": ["one two three four five six"] * 5,
        "site": ["a", "b", "a", None, None],
    })
    search, linked = kernels.Search(), {}
    for within in (None, "site"):
        routed = pa.Table.from_batches(kernels.route([copies], search, within=within)).sort_by("range")
        links = kernels.link(routed.to_batches(), search, within=within)
        rows = pa.Table.from_batches(kernels.shards(links)).to_pylist()
        linked[within] = [row["address"] for row in rows]
        other = "site" if within is None else None
        with pytest.raises(nearprint.NearprintError, match="with labels where the job has none"):
            list(kernels.link(routed.to_batches(), search, within=other))
    assert linked == {None: [1, 2, 3, 4, 5], "site": [1, 3, 4, 5]}
    # Labels are what they say: numbers and texts that read alike are one.
    both = [copies.select(["address", "text"]).slice(0, 2).append_column("site", column) for column in
            (pa.array([7, 8]), pa.array(["8", "7"]))]
    both[1] = both[1].set_column(0, "address", pa.array([3, 4]))
    routed = pa.Table.from_batches(kernels.route(both, search, within="site")).sort_by("range")
    links = b"".join(row["links"] for batch in kernels.link(routed.to_batches(), search, within="site")
                     for row in batch.to_pylist())
    linked = {tuple(sorted(pair)) for pair in np.frombuffer(links, np.int64).reshape(-1, 2).tolist()}
    assert {(a, b) for a, b in linked if a != b} == {(1, 4), (2, 3)}


def test_messages_in_strings_of_json_are_read_where_their_column_is_called_so():
    said = ["one two three four five", "six seven", "One, two, three, four, five!"]
    listed = [json.dumps([{"role": "user", "content": text, "id": at}]) for at, text in enumerate(said)]
    search, codes = kernels.Search(), nearprint.fingerprint(said).astype("int64").tolist()
    for name, texts in (("messages", listed), ("text", said)):
        batch = pa.record_batch({"address": pa.array([7, 8, 9]), name: texts})
        (made,) = kernels.sketch([batch], text=name)
        assert made["fingerprint"].to_pylist() == codes
        routed = pa.Table.from_batches(kernels.route([batch], search, text=name, ranges=1)).to_batches()
        linked = pa.Table.from_batches(kernels.shards(kernels.link(routed, search))).to_pylist()
        assert [row["address"] for row in linked] == [7, 9]
        batch = pa.record_batch({"shard": pa.array([0, 0, 0], pa.int32()), "id": ["a", "b", "c"], name: texts})
        solved = pa.Table.from_batches(kernels.solve([batch], search, text=name)).to_pylist()
        assert [(row["id"], row["representative"]) for row in solved] == [("a", "a"), ("c", "a")]


def test_nothing_comes_of_nothing():
    search = kernels.Search()
    assert sum(batch.num_rows for batch in kernels.route([], search)) == 0
    links = list(kernels.link([], search))
    assert sum(batch.num_rows for batch in kernels.shards(links)) == 0
    assert list(kernels.solve([], search)) == []


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: kernels.Search(similarty=0.9), "Search has no argument similarty=: did you mean similarity=?"),
        (lambda: kernels.Search(k=3), "Search has no argument k=: it goes by similarity="),
        (lambda: kernels.Search("0.9"), "not '0.9' (str): write nearprint.kernels.Search(similarity=0.9)"),
        (lambda: kernels.Search(width=65), "width is 64, 128 or 256, not 65 (int): write nearprint.kernels.Search(width=128)"),
        (lambda: kernels.Search(similarity=0.1), "similarity 0.1: a similarity is from 0.3 to 1"),
        (lambda: kernels.route([], kernels.Search(), txt="a"), "route has no argument txt=: did you mean text=?"),
        (lambda: kernels.route([], 0.8), "search is a nearprint.kernels.Search, not 0.8 (float): write nearprint.kernels.route(batches, search)"),
        (lambda: kernels.link(), "link needs batches: write nearprint.kernels.link(batches, search)"),
        (lambda: kernels.pairs([], kernels.Search(), id=0), "id is the name of a column (str), not 0 (int): write nearprint.kernels.pairs("),
        (lambda: kernels.solve([], kernels.Search(), copies=1), "copies is True or False, not 1 (int)"),
        (lambda: kernels.sketch([], recipe=5), "recipe is the name of a recipe, "),
        (lambda: kernels.shards("links"), "batches are record batches of pyarrow, not 'links' (str)"),
        (lambda: kernels.components(), "components needs batches"),
        (lambda: list(kernels.sketch([pa.record_batch({"text": [1]})])), "the column 'text': texts are strings, not Int64"),
    ],
)
def test_a_wrong_argument_is_told_in_one_sentence(call, said):
    with pytest.raises((TypeError, ValueError)) as refused:
        call()
    assert said in str(refused.value)
