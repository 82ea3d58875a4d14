"""Ctrl-C, forks, threads, pickles, errors: what a library must not do to its host."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import nearprint


def test_ctrl_c_ends_a_long_job():
    program = """
import nearprint, numpy, sys, time
codes = numpy.random.default_rng(1).integers(0, 2**64, 3_000_000, dtype="uint64")
print("begun", flush=True)
try:
    nearprint.pairs(codes, 16)
except KeyboardInterrupt:
    print("ended", flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "begun\n"
        time.sleep(2)
        child.send_signal(signal.SIGINT)
        # To its end the job takes hours. How soon it stops, a benchmark measures.
        stuck = threading.Timer(60, child.kill)
        stuck.start()
        assert child.stdout.readline() == "ended\n"
        stuck.cancel()


def test_a_callback_hears_and_ends_a_job(texts):
    heard = []
    many = [f"{text} {number}" for number in range(40) for text in texts]
    found = nearprint.dedup(many, progress=heard.append)
    assert len(found) == len(many)
    assert all(isinstance(it, nearprint.Progress) and it.documents >= 0 for it in heard)

    def stop(_):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        nearprint.dedup(many * 5, progress=stop)


def test_other_threads_run_meanwhile(texts):
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    nearprint.fingerprint(texts * 300)
    done.set()
    thread.join()
    assert len(ticks) > 5


def pairs_of(codes):
    return len(nearprint.pairs(codes, 3))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes(method):
    codes = np.arange(5000, dtype="uint64")
    expected = pairs_of(codes)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(pairs_of, [codes] * 4) == [expected] * 4
    assert pairs_of(codes) == expected


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_number_of_threads_changes_nothing(threads, texts):
    one = nearprint.dedup(texts, threads=threads)
    assert one.representative.tolist() == nearprint.dedup(texts).representative.tolist()
    codes = nearprint.fingerprint(texts, threads=threads)
    assert codes.tolist() == nearprint.fingerprint(texts).tolist()
    assert nearprint.pairs(codes, 6, threads=threads)["b"].tolist() == nearprint.pairs(codes, 6)["b"].tolist()


def test_threads_are_checked(monkeypatch):
    with pytest.raises(ValueError, match="at most 1024"):
        nearprint.fingerprint(["a"], threads=100_000)
    for call in (lambda: nearprint.set_threads(0), lambda: nearprint.fingerprint(["a"], threads=0)):
        with pytest.raises(ValueError, match="at least one"):
            call()
    monkeypatch.setenv("NEARPRINT_THREADS", "many")
    with pytest.raises(ValueError, match="NEARPRINT_THREADS"):
        nearprint.fingerprint(["a"])


def test_recipes():
    recipe = nearprint.Recipe("words", width=128)
    assert pickle.loads(pickle.dumps(recipe)) == recipe != nearprint.Recipe("text", width=128)
    assert len({recipe, pickle.loads(pickle.dumps(recipe))}) == 1
    other = nearprint.Recipe.from_toml(recipe.to_toml())
    assert other.id == recipe.id and other.width == 128
    with pytest.raises(nearprint.errors.RecipeError, match="no-such"):
        nearprint.Recipe("no-such")
    with pytest.raises(ValueError, match="64, 128 or 256"):
        nearprint.Recipe("text", width=100)
    own = nearprint.Recipe("text", shingle=2, weights="log")
    assert own.id != nearprint.Recipe("text").id and "shingle = 2" in own.to_toml()
    assert own.width is None and own == nearprint.Recipe.from_toml(own.to_toml())
    assert [name for name, _ in own.features("one two three")] == ["one two", "two three"]
    for keys, said in [({"shingle": "two"}, "shingle"), ({"no_such": 1}, "no key no_such="), ({"shingle": None}, "shingle is None")]:
        with pytest.raises(nearprint.errors.RecipeError, match=said):
            nearprint.Recipe("text", **keys)
    restored = recipe.__reduce__()
    with pytest.raises(nearprint.errors.RecipeError, match="in this release"):
        restored[0](restored[1][0], True, "0" * 32, (None, None, None))


def test_pages_and_features_that_are_given(texts, tmp_path):
    page = f"<nav>Home News</nav><article><p>{texts[0]}</p></article>"
    assert nearprint.fingerprint(page, "web") == nearprint.fingerprint(texts[0])
    assert nearprint.compare(page, texts[0], "web").distance == 0
    with nearprint.Store.create(tmp_path / "pages", recipe="web") as store:
        store.add(["page"], [page])
        assert store.check_and_add(["again"], [texts[0]])["near"].tolist() == ["page"]
        assert store.check([page])["near"].tolist() == store.query(page)["id"].tolist() == ["page"]
    features = [{"x": 3.0, "y": -2.0}, None, {"y": -4, "x": 6}]
    codes = nearprint.fingerprint(features, "vectors", width=128).to_numpy()
    assert codes.mask[:, 0].tolist() == [False, True, False] and codes[0].tolist() == codes[2].tolist()
    for data, recipe, said in [
        ({"x": 1.0}, "text", "takes texts"),
        ("words", "vectors", "takes features"),
        ({"x": float("nan")}, "vectors", "row 0"),
        ({"x": "1"}, "vectors", "float|real"),
        ([{"x": 1.0}, "words"], "vectors", "dict|mapping"),
    ]:
        with pytest.raises((TypeError, ValueError), match=said):
            nearprint.fingerprint(data, recipe)


def test_an_index_in_a_file(tmp_path):
    codes = np.arange(1000, dtype="uint64") * np.uint64(0x9E3779B97F4A7C15)
    index = nearprint.Index.build(codes, np.arange(1000, dtype="uint64") + 7, k=3)
    with pytest.raises(TypeError, match="save it"):
        pickle.dumps(index)
    index.save(tmp_path / "codes.seg")
    again = pickle.loads(pickle.dumps(nearprint.Index.open(tmp_path / "codes.seg")))
    assert (len(again), again.k, again.width) == (1000, 3, 64)
    assert again.query(codes[:3])["id"].tolist() == [7, 8, 9]
    with pytest.raises(ValueError, match="for an index of 64"):
        again.query(np.zeros((1, 2), dtype="uint64"))
    with pytest.raises(nearprint.errors.IoError, match="missing.seg") as error:
        nearprint.Index.open(tmp_path / "missing.seg")
    assert os.fspath(error.value.file) == os.fspath(tmp_path / "missing.seg")
    (tmp_path / "bad.seg").write_bytes(b"no index")
    with pytest.raises(nearprint.errors.CorruptError, match="bad.seg"):
        nearprint.Index.open(tmp_path / "bad.seg")
    wide = nearprint.Index.build(np.zeros((4, 4), dtype="uint64"))
    wide.save(tmp_path / "wide.seg")
    assert nearprint.Index.open(tmp_path / "wide.seg").width == 256


def test_a_store(tmp_path, texts):
    with nearprint.Store.create(tmp_path / "store", similarity=0.8) as store:
        ids = [str(number) for number in range(len(texts))]
        added = store.check_and_add(ids, texts)
        outcomes = added["outcome"].tolist()
        assert outcomes.count("new") == len(store) < len(texts)
        assert added["near"][outcomes.index("duplicate")] in ids
        taken = store.add(["0"], ["another text under an id that is taken already"])
        assert taken["outcome"].tolist() == ["refused"] and '"0"' in taken["reason"][0]
        with pytest.raises(nearprint.errors.BusyError):
            nearprint.Store.open(tmp_path / "store")
        assert store.delete(["0", "absent"]) == 1 and "0" not in store
    with pytest.raises(ValueError, match="closed"):
        len(store)
    with nearprint.Store.open(tmp_path / "store") as store:
        assert store.check([texts[1]])["near"].tolist() == ["1"]
        store.verify()
        store.snapshot(tmp_path / "copy")
    with nearprint.Store.open(tmp_path / "copy") as copy:
        assert copy.query(texts[1])["id"][0] == "1"


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_store_in_a_forked_process(tmp_path):
    with nearprint.Store.create(tmp_path / "store") as store:
        read, write = os.pipe()
        if os.fork() == 0:
            try:
                len(store)
            except RuntimeError as error:
                os.write(write, str(error).encode())
            os._exit(0)
        os.close(write)
        assert b"after a fork" in os.read(read, 1000)
        os.wait()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_store_after_a_fork(tmp_path, texts):
    with nearprint.Store.create(tmp_path / "parent") as parent:
        ids = [str(number) for number in range(len(texts))]
        expected = parent.check_and_add(ids, texts)["outcome"].tolist()
        read, write = os.pipe()
        if (child := os.fork()) == 0:
            signal.alarm(60)
            with nearprint.Store.create(tmp_path / "child") as own:
                same = own.check_and_add(ids, texts)["outcome"].tolist() == expected
            os.write(write, b"same" if same else b"other")
            os._exit(0)
        os.close(write)
        assert os.read(read, 100) == b"same"
        os.waitpid(child, 0)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_the_tables_of_a_store_after_a_fork(tmp_path):
    # So many that the store makes tables of them, with several threads.
    ids = [str(number) for number in range(9000)]
    texts = [" ".join(str(number * times) for times in range(1, 20)) for number in range(9000)]
    with nearprint.Store.create(tmp_path / "parent", k=3) as parent:
        parent.add(ids, texts)
        read, write = os.pipe()
        if (child := os.fork()) == 0:
            signal.alarm(60)
            with nearprint.Store.create(tmp_path / "child", k=3) as own:
                own.add(ids, texts)
            with nearprint.Store.open(tmp_path / "child") as own:
                os.write(write, str(len(own)).encode())
            os._exit(0)
        os.close(write)
        assert os.read(read, 100) == b"9000"
        os.waitpid(child, 0)


def test_errors_of_files(tmp_path):
    with pytest.raises(nearprint.NearprintError, match="missing.jsonl"):
        nearprint.dedup_files(tmp_path / "missing.jsonl", tmp_path / "out.jsonl")
    for call in (nearprint.dedup_files, nearprint.split_files, nearprint.clean_files, nearprint.decide, nearprint.passages_files):
        with pytest.raises(TypeError, match=f"^{call.__name__} has no argument no_such=: "):
            call(tmp_path / "missing.jsonl", tmp_path / "out.jsonl", no_such=1)
    (tmp_path / "bad.jsonl").write_text('{"text":"fine"}\n{"text":\n')
    with pytest.raises(nearprint.errors.InputError, match="bad.jsonl:2") as error:
        nearprint.dedup_files(tmp_path / "bad.jsonl", tmp_path / "out.jsonl")
    assert (os.fspath(error.value.file), error.value.line) == (os.fspath(tmp_path / "bad.jsonl"), 2)
    assert not (tmp_path / "out.jsonl").exists()
    with pytest.raises(ValueError, match="give one"):
        nearprint.dedup(["a"], similarity=0.8, k=3)
    with pytest.raises(ValueError, match="keep is"):
        nearprint.dedup(["a"], keep="best")


def test_the_logger_hears_what_files_hold(tmp_path, caplog):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.jsonl").write_text('{"text":"one two three"}\n{"text":7}\n{"text":""}\n')
    (folder / "b.bin").write_bytes(bytes(100))
    with caplog.at_level("INFO", "nearprint"):
        nearprint.dedup_files(folder, tmp_path / "out", on_error="skip")
    said = [(record.levelname, record.message) for record in caplog.records]
    assert ("INFO", "1 document with nothing to compare (kept)") in said
    warned = [message for level, message in said if level == "WARNING"]
    assert len(warned) == 2 and "passed over 1" in warned[0] and "a.jsonl:2" in warned[1]


def test_an_index_that_is_damaged(tmp_path):
    path = tmp_path / "codes.seg"
    nearprint.Index.build(np.arange(1000, dtype="uint64")).save(path)
    nearprint.Index.open(path).verify()
    damaged = bytearray(path.read_bytes())
    damaged[100] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(nearprint.errors.CorruptError, match="ids|table"):
        nearprint.Index.open(path).verify()


def told(program, *flags):
    command = [sys.executable, *flags, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def test_importing_takes_neither_numpy_nor_a_library_of_arrow():
    libraries = ("numpy", "pyarrow", "pandas", "polars", "tqdm", "datasets", "datatrove", "duckdb", "httpx", "sklearn")
    libraries += ("typing_extensions", "pyspark")
    program = (
        "import sys, nearprint; nearprint.fingerprint('one');"
        f"print(*(name for name in {libraries} if name in sys.modules))"
    )
    assert told(program) == []


def test_importing_takes_little_of_python():
    # Each costs milliseconds, and only some calls need it.
    heavy = ("asyncio", "email", "html", "http", "json", "logging", "multiprocessing", "pathlib", "random", "socket")
    heavy += ("ssl", "subprocess", "tempfile", "threading", "urllib", "zipfile")
    # Without what the environment loads at the start of Python.
    program = (
        f"import sys; sys.path = {sys.path}; before = set(sys.modules); import nearprint;"
        f"print(*(name for name in {heavy} if name in set(sys.modules) - before))"
    )
    assert told(program, "-S") == []
