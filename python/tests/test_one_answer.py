"""The command and the package give the same: fingerprints, pairs, clusters, what stays."""

import json

import numpy as np
import pytest

import nearprint

# Recipes that take texts and need no file beside them.
RECIPES = [
    name
    for name in nearprint.recipes()["name"]
    if not any(word in nearprint.Recipe(name).to_toml() for word in ['"given"', '"idf"', "statistics"])
]


def test_there_are_recipes():
    assert len(RECIPES) > 5


@pytest.mark.parametrize("width", [64, 128, 256])
@pytest.mark.parametrize("recipe", RECIPES)
def test_fingerprints(recipe, width, rows, texts, command):
    told = command("fingerprint", rows, "--recipe", recipe, "--width", width, "--quiet")
    expected = [int(json.loads(line)["fingerprint"], 16) for line in told.stdout.splitlines()]
    html = "content" in nearprint.Recipe(recipe).to_toml()
    if html:
        pytest.skip("rows of pages: the package takes texts")
    assert [nearprint.fingerprint(text, recipe, width=width) for text in texts] == expected
    column = nearprint.fingerprint(texts, recipe, width=width)
    if width == 64:
        assert column.tolist() == expected
    else:
        import pyarrow

        values = pyarrow.array(column).to_pylist()
        assert [int.from_bytes(value, "big") for value in values] == expected


@pytest.mark.parametrize("options", [{}, {"similarity": 0.6}, {"k": 20}, {"recall": "exact"}, {"keep": "longest"}])
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
    assert [row["kept"] for row in gone] == table["kept"].tolist()
    assert [row["distance"] for row in gone] == table["distance"].tolist()
    assert [row["cluster"] for row in gone] == table["cluster"].tolist()
    # Files have four digits.
    np.testing.assert_allclose([row["similarity"] for row in gone], table["similarity"], atol=5.1e-5, rtol=0)


def test_dedup_files_writes_the_same_bytes(rows, command, tmp_path):
    by_command, by_package = tmp_path / "command.jsonl", tmp_path / "package.jsonl"
    command("dedup", rows, "-o", by_command, "--similarity", 0.7, "--quiet")
    removed = tmp_path / "removed.jsonl"
    summary = nearprint.dedup_files(rows, by_package, similarity=0.7, removed=removed)
    assert by_command.read_bytes() == by_package.read_bytes()
    assert summary["removed"] == len(removed.read_text().splitlines()) > 0


@pytest.mark.parametrize("width", [64, 128, 256])
@pytest.mark.parametrize("k", [0, 3, 8])
def test_pairs_and_clusters_are_those_of_a_scan(width, k):
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
