"""Files of jieba that a recipe takes words from: the same as by the command, also where the files are not."""

import copy
import json
import logging
import multiprocessing
import os
import pickle

import pytest

import nearprint
from nearprint.errors import InputError, IoError, RecipeError

TEXTS = ["区块链的共识算法决定性能", "共识机制决定性能，算法决定区块链"]
FILES = {"dictionary": "区块链 nz\n共识算法\n", "stop_words": "性能\n", "idf": "区块链 5\n共识算法 4\n决定 3\n"}


@pytest.fixture
def files(tmp_path):
    """The files by the names of the arguments."""
    paths = {name: tmp_path / f"{name}.txt" for name in FILES}
    for name, path in paths.items():
        path.write_bytes(FILES[name].encode())
    return paths


def flags(files):
    return [it for name, path in files.items() for it in (f"--{name.replace('_', '-')}", path)]


def moved(files, folder):
    """Nothing is where the files were; returns where they are."""
    folder.mkdir()
    return {name: path.rename(folder / path.name) for name, path in files.items()}


def prints(recipe):
    """The fingerprints, as the command writes them."""
    return [f"{code:016x}" for code in nearprint.fingerprint(TEXTS, recipe).tolist()]


@pytest.mark.parametrize(
    ("recipe", "given"),
    [
        ("zh", ["dictionary"]),
        ("zh", ["dictionary", "stop_words"]),
        ("zh-textrank", ["dictionary", "stop_words"]),
        *(("zh-keywords", [name]) for name in FILES),
        ("zh-keywords", list(FILES)),
        ("zh-keywords-go", ["idf"]),
    ],
)
def test_ids_and_fingerprints_are_those_of_the_command(recipe, given, files, command, tmp_path):
    files = {name: files[name] for name in given}
    rows = tmp_path / "texts.jsonl"
    rows.write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    # As str and as a path.
    own = nearprint.Recipe(recipe, **{name: os.fspath(path) if name == "idf" else path for name, path in files.items()})
    assert own.id == json.loads(command("recipe", "show", recipe, *flags(files), "--format", "json").stdout)["id"]
    assert own.id != nearprint.Recipe(recipe).id
    told = command("fingerprint", rows, "--recipe", recipe, *flags(files), "--quiet").stdout
    by_command = [json.loads(line)["fingerprint"] for line in told.splitlines()]
    assert prints(own) == by_command
    assert prints(recipe) != by_command
    # By the TOML of the command, which names the files.
    toml = command("recipe", "show", recipe, *flags(files)).stdout
    assert prints(nearprint.Recipe.from_toml(toml, **files)) == by_command


def test_features_of_the_files(files):
    own = nearprint.Recipe("zh-keywords", **files)
    assert [word for word, _ in own.features(TEXTS[0])] == ["共识算法", "决定", "区块链"]
    left_out = nearprint.Recipe("words", language="en", stop_words=True)
    assert [word for word, _ in left_out.features("the storm")] == ["storm"]
    assert left_out == nearprint.Recipe.from_toml(left_out.to_toml())
    assert nearprint.Recipe("words", stop_words=False) == nearprint.Recipe("words")


def test_recipes_stay_equal_and_are_copied(files, tmp_path):
    own = nearprint.Recipe("zh-keywords", **files)
    expected = prints(own)
    for name, path in files.items():
        path.write_bytes(FILES[name].encode() + "城市 2\n".encode())
        assert nearprint.Recipe("zh-keywords", **files) != own
        path.write_bytes(FILES[name].encode())
    again = nearprint.Recipe("zh-keywords", **files)
    assert again == own and hash(again) == hash(own) and repr(again) == repr(own)
    wide = own.with_width(128)
    pickled, moved_to = pickle.dumps((own, wide)), moved(files, tmp_path / "elsewhere")
    for again in (*pickle.loads(pickled), copy.copy(own), copy.deepcopy(own), own.with_width(64)):
        assert prints(again.with_width(64)) == expected
        assert pickle.dumps(again.with_width(64)) == pickle.dumps(own.with_width(64))
    assert pickle.loads(pickled) == (own, wide) and repr(pickle.loads(pickled)[0]) == repr(own)
    assert {own, pickle.loads(pickled)[0], copy.deepcopy(own)} == {own}
    assert str(tmp_path).encode() not in pickled and copy.copy(own) is copy.deepcopy(own) is own
    named = nearprint.Recipe.from_toml(own.to_toml())
    assert named == own and pickle.loads(pickle.dumps(named)) == own
    with pytest.raises(RecipeError, match="user dictionary with identity [0-9a-f]{32}, which is not given; .* dictionary"):
        prints(named)
    with pytest.raises(RecipeError, match="stop-word file .* stop_words$"):
        prints(nearprint.Recipe.from_toml(own.to_toml(), dictionary=moved_to["dictionary"]))
    with pytest.raises(RecipeError, match="needs an idf file; give it as idf$"):
        prints(nearprint.Recipe("zh-keywords", unlisted_idf="mean"))


def test_a_process_without_the_files(files, tmp_path):
    own = nearprint.Recipe("zh-keywords", **files)
    expected = prints(own)
    moved(files, tmp_path / "elsewhere")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(prints, (own,)) == expected


@pytest.mark.parametrize("name", FILES)
def test_a_pickle_with_another_file(name, files):
    make, (toml, names_width, id, contents) = nearprint.Recipe("zh-keywords", **files).__reduce__()
    at = list(FILES).index(name)
    assert contents[at] == FILES[name].encode()
    for other in (b"\xff", contents[at] + "城市 2\n".encode(), b"a" * (65 << 20)):
        with pytest.raises(RecipeError):
            make(toml, names_width, id, (*contents[:at], other, *contents[at + 1 :]))
    plain = nearprint.Recipe("zh-keywords")
    with pytest.raises(RecipeError, match="would be others"):
        make(plain.to_toml(), names_width, plain.id, contents)


def test_all_that_takes_a_recipe(files, tmp_path):
    own = nearprint.Recipe("zh-keywords", **files)
    a, b = "区块链的共识算法决定性能", "共识算法的区块链决定"
    found = nearprint.dedup([a, b, "城市决定"], recipe=own, similarity=0.99)
    assert found.keep.tolist() == [True, False, True]
    assert nearprint.dedup([a, b], recipe="zh-keywords", similarity=0.99).keep.all()
    assert nearprint.compare(a, b, own).jaccard == 1.0
    assert {one.feature for one in nearprint.explain(a, own).features} == {"区块链", "共识算法", "决定"}
    index = nearprint.Index.build(nearprint.fingerprint([a, b], own))
    assert index.query(nearprint.fingerprint([b], own))["id"].tolist() == [0, 1]


def test_a_store_keeps_the_names_and_asks_for_the_files(files, command, tmp_path):
    own, path = nearprint.Recipe("zh-keywords", **files), tmp_path / "pages"
    with nearprint.Store.create(path, own, k=3) as store:
        assert store.check_and_add(["a", "b"], [TEXTS[0], "共识算法的区块链决定"])["near"].tolist() == [None, "a"]
    command("store", "init", tmp_path / "by-command", "--recipe", "zh-keywords", *flags(files), "-k", 3)
    settings = [(tmp_path / name / "store.toml").read_text() for name in ("pages", "by-command")]
    assert settings[0] == settings[1]
    with nearprint.Store.open(path) as store:
        assert "a" in store and len(store) == 1
        with pytest.raises(RecipeError, match="user dictionary .* not given; give it as dictionary"):
            store.check([TEXTS[0]])
    with nearprint.Store.open(path, **files) as store:
        assert store.check([TEXTS[0]])["near"].tolist() == ["a"]
    with pytest.raises(RecipeError, match="idf file .* not given"):
        nearprint.Store.open(path, dictionary=files["dictionary"], stop_words=files["stop_words"])
    with pytest.raises(RecipeError, match="made for the stop-word file"):
        nearprint.Store.open(path, **(files | {"stop_words": files["idf"]}))
    nearprint.Store.create(tmp_path / "plain", "zh").close()
    with pytest.raises(InputError, match="user-dictionary"):
        nearprint.Store.open(tmp_path / "plain", dictionary=files["dictionary"])
    # What the command refuses to make, too.
    for missing in (nearprint.Recipe.from_toml(own.to_toml()), nearprint.Recipe("zh-keywords", unlisted_idf="mean")):
        with pytest.raises(RecipeError, match="give it as"):
            nearprint.Store.create(tmp_path / "without", missing, k=3)
    assert not (tmp_path / "without").exists()
    command("store", "init", tmp_path / "codes", "--ready-made", "--width", 64, "-k", 3)
    with pytest.raises(ValueError, match="ready-made"):
        nearprint.Store.open(tmp_path / "codes", idf=files["idf"])


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("idf", "区块链 9.5\n共识\t4\n".encode(), 2),
        ("idf", b"\n", None),
        ("stop_words", b"\xe6\x80\xa7\n\xff\n", 2),
        ("dictionary", b"a 1\nb 1234567890123456 n\n", 2),
        ("dictionary", b"\xff", 1),
    ],
)
def test_a_broken_file_is_named_as_by_the_command(name, content, line, files, command):
    files[name].write_bytes(content)
    with pytest.raises(InputError) as error:
        nearprint.Recipe("zh-keywords", **{name: files[name]})
    assert (error.value.file, error.value.line) == (files[name], line)
    told = command("recipe", "show", "zh-keywords", *flags({name: files[name]}), check=False)
    assert told.returncode == 1 and told.stderr == f"error: {error.value}\n"


@pytest.mark.parametrize(("name", "most"), [("dictionary", 16 << 20), ("stop_words", 16 << 20), ("idf", 64 << 20)])
def test_files_that_are_too_large(name, most, files, command, tmp_path):
    large = files[name]
    with open(large, "r+b") as file:
        file.truncate(1 << 40)
    with pytest.raises(InputError, match=f"{1 << 40} bytes; such a file has at most {most}") as error:
        nearprint.Recipe("zh-keywords", **{name: large})
    assert error.value.file == large
    told = command("recipe", "show", "zh-keywords", *flags({name: large}), check=False)
    assert told.stderr == f"error: {error.value}\n"


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="a device of Unix")
def test_files_without_an_end():
    with pytest.raises(InputError, match="16777217 bytes"):
        nearprint.Recipe("zh", stop_words="/dev/zero")


@pytest.mark.parametrize("name", FILES)
def test_files_that_the_system_refuses(name, tmp_path):
    toml = nearprint.Recipe("zh-keywords").to_toml()
    for path in (tmp_path / "missing.txt", tmp_path):
        for make, argument in [(nearprint.Recipe, "zh-keywords"), (nearprint.Recipe.from_toml, toml)]:
            with pytest.raises(OSError, match=path.name) as error:
                make(argument, **{name: path})
            assert isinstance(error.value, IoError) and error.value.file == path


@pytest.mark.parametrize("recipe", ["text", "words", "vectors", "ja"])
def test_recipes_that_take_no_such_files(recipe, files):
    for name, kind in [("dictionary", "a user dictionary"), ("stop_words", "a stop-word file"), ("idf", "an idf file")]:
        with pytest.raises(ValueError, match=f"does not use {kind}; .* does") as error:
            nearprint.Recipe(recipe, **{name: files[name]})
        assert isinstance(error.value, RecipeError) and error.value.file == files[name]
    with pytest.raises(RecipeError, match="keywords"):
        nearprint.Recipe("zh", idf=files["idf"])


def test_a_word_that_no_text_has_is_told(files, caplog, command):
    files["dictionary"].write_text("云计算 5\nEdu Trust认证 2000\n韩玉\t3\n", encoding="utf-8")
    with caplog.at_level(logging.WARNING, "nearprint"):
        own = nearprint.Recipe("zh", dictionary=files["dictionary"])
        pickle.loads(pickle.dumps(own))
    told = command("recipe", "show", "zh", "--dictionary", files["dictionary"]).stderr
    assert "line 2: jieba finds" in told and [record.message + "\n" for record in caplog.records] == [told]
