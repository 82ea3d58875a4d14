"""The command and the package give the same: fingerprints, pairs, clusters, what stays."""

import json
from zlib import crc32

import numpy as np
import pytest

import nearprint

RECIPES = nearprint.recipes()["name"].tolist()
NOUNS = "经济 文化 城市 历史 科学 教育 音乐 电影 医院 汽车 银行 政府 公司 学生 老师 农民 工人 市场 产品 价格".split()


def documents_of(recipe, texts):
    """The texts as documents of the kind that a recipe takes: texts, pages, or features with weights."""
    toml = nearprint.Recipe(recipe).to_toml()
    if '"given"' in toml:
        return [{word: 1.0 + len(word) for word in text.split()} for text in texts]
    if '"textrank"' in toml:
        # It takes nouns alone.
        return ["，".join(NOUNS[crc32(word.encode()) % len(NOUNS)] for word in text.split()) for text in texts]
    if "\ncontent" in toml:
        menu = "<nav><a href=/>home</a> <a href=/news>news</a></nav>"
        return [f"<html><body>{menu}<article><p>{text}</p></article></body></html>" for text in texts]
    return texts


def test_there_are_recipes_of_each_kind(texts):
    kinds = {type(documents_of(recipe, texts[:1])[0]) for recipe in RECIPES}
    assert kinds == {str, dict} and "web" in RECIPES and len(RECIPES) >= 12


@pytest.mark.parametrize("width", [64, 128, 256])
@pytest.mark.parametrize("recipe", RECIPES)
def test_fingerprints_pairs_and_clusters(recipe, width, texts, command, tmp_path):
    documents, path = documents_of(recipe, texts), tmp_path / "documents.jsonl"
    field = "text" if isinstance(documents[0], str) else "features"
    path.write_text("".join(json.dumps({"id": at, field: one}) + "\n" for at, one in enumerate(documents)))
    told = command("fingerprint", path, "--recipe", recipe, "--width", width, "--text-field", field, "--quiet").stdout
    expected = [int(json.loads(line)["fingerprint"], 16) for line in told.splitlines()]
    assert [nearprint.fingerprint(one, recipe, width=width) for one in documents] == expected
    codes = nearprint.fingerprint(documents, recipe, width=width)
    words = codes.reshape(-1, 1) if width == 64 else codes.to_numpy()
    assert [sum(word << 64 * at for at, word in enumerate(row)) for row in words.tolist()] == expected
    # What has no feature is near nothing for the command, and no fingerprint like another for a join.
    rows = [row for row, code in enumerate(expected) if code]
    prints = tmp_path / "fingerprints.jsonl"
    prints.write_text("".join(told.splitlines(keepends=True)[row] for row in rows))
    given = words[rows, 0] if width == 64 else words[rows]
    by_command = [json.loads(line) for line in command("pairs", prints, "-k", width // 8, "-q").stdout.splitlines()]
    found = nearprint.pairs(given, width // 8)
    by_package = list(zip(found["a"].tolist(), found["b"].tolist(), found["distance"].tolist()))
    assert sorted((row["a"], row["b"], row["distance"]) for row in by_command) == [
        (rows[a], rows[b], distance) for a, b, distance in by_package
    ]
    assert len(by_package) > 20
    told = command("clusters", prints, "-k", width // 8, "-q").stdout
    by_command = {row["id"]: row["cluster"] for row in map(json.loads, told.splitlines())}
    labels = nearprint.clusters(given, width // 8).tolist()
    assert by_command == {rows[at]: label for at, label in enumerate(labels) if label >= 0}


@pytest.mark.parametrize("options", [{}, {"similarity": 0.6}, {"k": 12}, {"recall": "exact"}, {"keep": "longest"}, {"keep": "none"}])
def test_dedup_of_texts_is_that_of_files(options, rows, texts, command, tmp_path):
    flags = [it for name, value in options.items() for it in (("-" if name == "k" else "--") + name, value)]
    kept, removed = tmp_path / "kept.jsonl", tmp_path / "removed.jsonl"
    command("dedup", rows, "-o", kept, "--removed", removed, "--quiet", *flags)
    found = nearprint.dedup(texts, **options)
    assert found.rows.tolist() == [json.loads(line)["id"] for line in kept.read_text().splitlines()]
    gone = [json.loads(line) for line in removed.read_text().splitlines()]
    table = found.removed
    assert len(gone) > 30
    assert [row["id"] for row in gone] == table["row"].tolist()
    near = "near" if options.get("keep") == "none" else "kept"
    assert [row[near] for row in gone] == table[near].tolist()
    assert [row["measure"] for row in gone] == table["measure"].tolist()
    assert [row["distance"] for row in gone] == table["distance"].tolist()
    assert [row["cluster"] for row in gone] == table["cluster"].tolist()
    # Files have four digits.
    np.testing.assert_allclose([row["similarity"] for row in gone], table["similarity"], atol=5.1e-5, rtol=0)


@pytest.mark.parametrize("keep, near", [("first", "kept"), ("none", "near")])
def test_the_columns_of_what_goes_do_not_depend_on_whether_anything_goes(keep, near):
    for texts in (["one two three four", "five six seven eight"], ["one two three four"] * 2):
        found = nearprint.dedup(texts, keep=keep, progress=False)
        assert found.removed.column_names == ["row", near, "distance", "similarity", "measure", "cluster"]


def test_dedup_files_writes_the_same_bytes(rows, command, tmp_path):
    by_command, by_package = tmp_path / "command.jsonl", tmp_path / "package.jsonl"
    command("dedup", rows, "-o", by_command, "--similarity", 0.7, "--quiet")
    removed = tmp_path / "removed.jsonl"
    summary = nearprint.dedup_files(rows, by_package, similarity=0.7, removed=removed)
    assert by_command.read_bytes() == by_package.read_bytes()
    assert summary["removed"] == len(removed.read_text().splitlines()) > 0


@pytest.mark.parametrize("width", [64, 128, 256])
@pytest.mark.parametrize("k", [0, 3, 8, 20])
def test_pairs_and_clusters_are_those_of_a_scan(tmp_path, width, k):
    chance = np.random.default_rng(width + k)
    words = width // 64
    codes = chance.integers(0, 2**64, (400, words), dtype="uint64")
    near = codes[chance.integers(0, 400, 300)].copy()
    for row in near:
        for bit in chance.integers(0, width, k):
            row[bit // 64] ^= np.uint64(1) << np.uint64(bit % 64)
    codes = np.concatenate([codes, near])
    distances = np.bitwise_count(codes[:, None, :] ^ codes[None, :, :]).sum(axis=2)
    expected = [(a, b) for a, b in np.argwhere(distances <= k).tolist() if a < b]
    given = codes[:, 0] if words == 1 else codes
    found = nearprint.pairs(given, k)
    assert list(zip(found["a"].tolist(), found["b"].tolist())) == expected
    assert found["distance"].tolist() == [int(distances[pair]) for pair in expected]
    labels = nearprint.clusters(given, k)
    for a, b in expected:
        assert labels[a] == labels[b] >= 0
    assert (labels >= 0).sum() == len({row for pair in expected for row in pair})
    between = nearprint.pairs(given[:400], k, other=given[400:])
    both = [(a, b - 400) for a, b in expected if a < 400 <= b]
    assert list(zip(between["a"].tolist(), between["b"].tolist())) == both
    index = nearprint.Index.build(given[:400], k=k)
    asked = index.query(given[400:])
    assert sorted(zip(asked["id"].tolist(), asked["query"].tolist())) == both
    # Kept in a file, it knows its radius, also where it is so large that there are no tables.
    index.save(tmp_path / "index.seg")
    opened = nearprint.Index.open(tmp_path / "index.seg")
    again = opened.query(given[400:])
    assert opened.k == k and sorted(zip(again["id"].tolist(), again["query"].tolist())) == both


def test_a_radius_without_a_width_is_of_the_fingerprints_that_are_made(tmp_path):
    texts = [f"a text of some words, the last of which is {number % 4}" for number in range(9)]
    for recipe, width in [("text", 64), ("python-128", 128), (nearprint.Recipe("text", width=256), 256)]:
        found = nearprint.dedup(texts, k=3, recipe=recipe, cluster_rule="connected")
        labels = nearprint.clusters(nearprint.fingerprint(texts, recipe), 3)
        assert found.summary["width"] == width
        assert (found.cluster >= 0).tolist() == (labels >= 0).tolist()
        with nearprint.Store.create(tmp_path / f"store-{width}", recipe, k=3) as store:
            store.add(["a"], texts[:1])
            assert 4 * len(store.fingerprint("a")) == width
    assert nearprint.dedup(texts).summary["width"] == 128


def test_a_recipe_that_names_no_version_has_the_newest_rules():
    keys = 'split = "zh"\nweights = "textrank"\ntop = 20\nnormalize = "keep"\ncase = "keep"\nhash = "fnv1a-mix"'
    newest = nearprint.Recipe("zh-textrank")
    assert nearprint.Recipe.from_toml(keys).id == newest.id
    assert nearprint.Recipe.from_toml(f"version = 1\n{keys}").id != newest.id
    changed = {"split": "zh", "weights": "textrank", "top": 20, "normalize": "keep", "case": "keep", "shingle": 1}
    assert nearprint.Recipe("text", **changed, hash="fnv1a-mix").id == newest.id
    assert nearprint.Recipe("text", content="html-main").id == nearprint.Recipe("web").id
