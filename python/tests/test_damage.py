"""Files and pickles that are cut, changed or of another kind: an error of the package, and never a wrong answer."""

import os
import pickle
import random
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest

import nearprint
from nearprint.errors import CorruptError, NearprintError, RecipeError

CODES = np.arange(300, dtype="uint64") * np.uint64(0x9E3779B97F4A7C15)


def index_file(path):
    nearprint.Index.build(CODES, k=2).save(path)
    return path.read_bytes()


def ask(path):
    index = nearprint.Index.open(path)
    return len(index), index.k, index.query(CODES)["id"].tolist()


def test_an_index_file_that_is_cut(tmp_path):
    path = tmp_path / "index"
    whole = index_file(path)
    chance = random.Random(1)
    cuts = {0, 1, 7, 8, len(whole) - 1, *range(0, 200, 5), *range(len(whole) - 200, len(whole), 5)}
    for cut in cuts | {chance.randrange(len(whole)) for _ in range(100)}:
        path.write_bytes(whole[:cut])
        with pytest.raises(CorruptError, match="index"):
            ask(path)
    path.write_bytes(whole + b"more")
    with pytest.raises(CorruptError):
        ask(path)


def test_an_index_file_with_a_changed_bit(tmp_path, command):
    """Opening reads the footer alone, so a changed section may change answers: `index verify` finds all of it."""
    path = tmp_path / "index"
    whole = index_file(path)
    expected = ask(path)
    chance = random.Random(2)
    caught, other = 0, []
    for at in {*range(0, 256, 3), *(chance.randrange(len(whole)) for _ in range(150))}:
        changed = bytearray(whole)
        changed[at] ^= 1 << chance.randrange(8)
        path.write_bytes(changed)
        try:
            if ask(path) != expected:
                other.append(bytes(changed))
        except NearprintError:
            caught += 1
    assert caught > 0 and other
    for changed in other[:: len(other) // 5 + 1]:
        path.write_bytes(changed)
        assert command("index", "verify", path, check=False).returncode != 0
    path.write_bytes(whole)
    command("index", "verify", path)


@pytest.mark.parametrize("made", [b"", b"\0" * 4096, os.urandom(4096), b"\x93NUMPY" * 100])
def test_files_that_are_no_index(made, tmp_path):
    (tmp_path / "file").write_bytes(made)
    with pytest.raises(CorruptError):
        nearprint.Index.open(tmp_path / "file")
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(NearprintError):
            nearprint.Index.open(path)


def test_an_index_of_another_width(tmp_path):
    path = tmp_path / "index"
    index_file(path)
    for width in (128, 256):
        with pytest.raises(CorruptError, match="64"):
            nearprint.Index.open(path, width=width)
    wide = np.zeros((3, 2), dtype="uint64")
    with pytest.raises(ValueError, match="128 bits for an index of 64"):
        nearprint.Index.open(path).query(wide)


@pytest.mark.skipif(sys.platform == "win32", reason="a mapped file cannot be cut")
def test_an_index_file_that_is_cut_while_it_is_mapped(tmp_path):
    """The system ends the process: the file of an open index belongs to the index."""
    path = tmp_path / "index"
    nearprint.Index.build(np.arange(100_000, dtype="uint64") * np.uint64(0x9E3779B97F4A7C15), k=2).save(path)
    program = (
        "import nearprint, numpy, os, sys\n"
        "index = nearprint.Index.open(sys.argv[1])\n"
        "os.truncate(sys.argv[1], 4096)\n"
        "index.query(numpy.arange(10, dtype='uint64'))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program, path], capture_output=True)
    assert ran.returncode == -signal.SIGBUS


def test_saving_over_an_open_index(tmp_path):
    path = tmp_path / "index"
    index_file(path)
    opened = nearprint.Index.open(path)
    nearprint.Index.build(CODES[:5], k=1).save(path)
    assert len(opened) == 300 and opened.query(CODES)["id"].tolist() == list(range(300))
    assert len(nearprint.Index.open(path)) == 5


@pytest.mark.parametrize(
    "change",
    [
        lambda toml, width, id: ("", width, id),
        lambda toml, width, id: (toml[: len(toml) // 2], width, id),
        lambda toml, width, id: (toml + "\nunknown = 1", width, id),
        lambda toml, width, id: (toml.replace("words", "others"), width, "0" * len(id)),
        lambda toml, width, id: (toml, width, ""),
        lambda toml, width, id: (toml, width, id.upper() + "0"),
        lambda toml, width, id: ("\0", width, id),
    ],
)
def test_pickles_of_other_recipes(change):
    make, (toml, names_width, id, files) = nearprint.Recipe("words").__reduce__()
    with pytest.raises(RecipeError):
        make(*change(toml, names_width, id), files)


@pytest.mark.parametrize("thing", [nearprint.Recipe("words"), nearprint.Recipe("text", width=256)])
def test_pickles_with_a_changed_byte(thing):
    whole = pickle.dumps(thing)
    for at in range(len(whole)):
        changed = bytearray(whole)
        changed[at] ^= 1
        try:
            made = pickle.loads(bytes(changed))
        except Exception:
            continue
        if isinstance(made, nearprint.Recipe):
            assert made.id == thing.id


def test_a_pickle_of_an_index_whose_file_is_gone(tmp_path):
    path = tmp_path / "index"
    index_file(path)
    pickled = pickle.dumps(nearprint.Index.open(path))
    path.unlink()
    with pytest.raises(nearprint.errors.IoError, match="index"):
        pickle.loads(pickled)


@pytest.mark.parametrize("thing", [nearprint.Array, nearprint.Table, nearprint.Store, nearprint.Deduplicated])
def test_what_is_not_pickled(thing, tmp_path):
    if thing is nearprint.Store:
        made = nearprint.Store.create(tmp_path / "store")
    else:
        found = nearprint.dedup(["one", "one"])
        wide = nearprint.fingerprint(["one"], width=128)
        made = {nearprint.Array: wide, nearprint.Table: found.removed, nearprint.Deduplicated: found}[thing]
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(made)


def files_of(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A store with a segment and documents beside it."""
    folder = tmp_path_factory.mktemp("stores") / "kept"
    with nearprint.Store.create(folder) as store:
        store.add([str(at) for at in range(50)], [f"text {at} of many words {at * 7}" for at in range(50)])
        store.compact()
        store.add(["more"], ["another text of several words"])
    return folder


def look(folder):
    """All that a store says; damage that it does not notice may change nothing."""
    with nearprint.Store.open(folder) as store:
        store.verify()
        near = store.check([f"text {at} of many words {at * 7}" for at in range(50)])["near"].tolist()
        return len(store), near, [store.fingerprint(str(at)) for at in range(50)]


@pytest.mark.parametrize("damage", ["cut", "changed", "emptied", "gone"])
def test_a_store_with_a_damaged_file(damage, kept, tmp_path):
    expected = look(kept)
    assert expected[0] == 51
    chance = random.Random(3)
    noticed = 0
    for number, file in enumerate(files_of(kept)):
        for round in range(3 if damage in ("cut", "changed") else 1):
            copy = tmp_path / f"{number}-{round}"
            shutil.copytree(kept, copy)
            path = copy / file.relative_to(kept)
            whole = path.read_bytes()
            if damage == "gone":
                path.unlink()
            elif damage == "changed":
                changed = bytearray(whole)
                changed[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
                path.write_bytes(changed)
            else:
                path.write_bytes(whole[: 0 if damage == "emptied" else chance.randrange(len(whole))])
            try:
                assert look(copy) == expected, (file.name, damage)
            except NearprintError:
                noticed += 1
    assert noticed > 0


def test_a_store_without_a_part_of_its_database_is_damaged(kept, tmp_path):
    shutil.copytree(kept, tmp_path / "copy")
    (tmp_path / "copy" / "truth" / "version").unlink()
    with pytest.raises(CorruptError, match="version is missing"):
        nearprint.Store.open(tmp_path / "copy")


def test_a_store_keeps_its_recipe(tmp_path):
    with nearprint.Store.create(tmp_path / "store", "words", k=3, width=64):
        pass
    with pytest.raises(NearprintError):
        nearprint.Store.create(tmp_path / "store", "text")
    with nearprint.Store.open(tmp_path / "store") as store:
        store.add(["a"], ["one two three"])
        assert int(store.fingerprint("a"), 16) == nearprint.fingerprint("one two three", "words")


@pytest.mark.parametrize("path", ["missing", "file", "empty", "a\0b"])
def test_what_is_no_store(path, tmp_path):
    (tmp_path / "file").write_bytes(b"no store")
    (tmp_path / "empty").mkdir()
    with pytest.raises((NearprintError, ValueError)):
        nearprint.Store.open(os.path.join(tmp_path, path))
