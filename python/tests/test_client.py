"""The client of the service: the answers of a store, and no call that waits for ever."""

import asyncio
import doctest
import json
import logging
import os
import pathlib
import re
import socket
import ssl
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from hostile_server import Hostile, answers, closing, deaf, problem, read, says, silent

import nearprint
from nearprint.client import AsyncClient, Client, Row, _documents, _exchange
from nearprint.errors import ServiceError, ServiceTimeoutError

# To load them takes longer than most tests.
CERTIFICATES = ssl.create_default_context()
PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python" / "client.md"
FREE = [f"word{number} " * 3 + f"another{number} third{number} last{number}" for number in range(3000)]


@contextmanager
def serving(folder, *flags):
    """The command serves a store on a free port."""
    args = [sys.executable, "-m", "nearprint", "serve", os.fspath(folder), "--listen", "127.0.0.1:0", *flags]
    with subprocess.Popen(args, stderr=subprocess.PIPE, text=True) as process:
        try:
            # A replica says first what it copied.
            address = next(line for line in process.stderr if ": http://" in line)
            yield re.search(r"http://\S+", address)[0], process
        finally:
            process.kill()


@pytest.fixture(scope="session")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("service") / "store"
    nearprint.Store.create(folder, similarity=0.8).close()
    with serving(folder) as (url, _):
        yield url


@pytest.fixture
def empty(service):
    """The service, of which a test before may have left documents: their ids are deleted."""
    yield service
    with Client(service, verify=CERTIFICATES) as client:
        client.delete(SENT)
    SENT.clear()


SENT: list[str] = []


@pytest.fixture(params=["sync", "async"])
def ask(request):
    """Make one call by a client of its own, of either kind."""

    def call(url, method, *args, timeout=5.0, retries=2, **more):
        settings = {"timeout": timeout, "retries": retries, "verify": CERTIFICATES}
        if request.param == "sync":
            with Client(url, **settings) as client:
                return getattr(client, method)(*args, **more)

        async def run():
            async with AsyncClient(url, **settings) as client:
                return await getattr(client, method)(*args, **more)

        return asyncio.run(run())

    return call


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setattr(_exchange, "PAUSE", 0.01)


def row(id, verdict="new", **more):
    return json.dumps({"id": id, "verdict": verdict, **more}) + "\n"


def columns(rows):
    return {name: [getattr(row, name) for row in rows] for name in type(rows[0]).__slots__}


def test_the_answers_are_those_of_a_store(ask, empty, texts, tmp_path):
    ids = [f"answers {number}" for number in range(len(texts))]
    SENT.extend(ids)
    with nearprint.Store.create(tmp_path / "store", similarity=0.8) as store:
        for method in ("check_and_add", "add", "check_and_add"):
            there, here = ask(empty, method, ids, texts), getattr(store, method)(ids, texts)
            for name in ("id", "outcome", "near", "distance", "measure"):
                assert columns(there)[name] == here.to_pyarrow()[name].to_pylist(), (method, name)
            assert columns(there)["similarity"] == pytest.approx(here.to_pyarrow()["similarity"].to_pylist())
        there, here = ask(empty, "check", [*texts, None]), store.check([*texts, None]).to_pyarrow()
        assert columns(there)["near"] == here["near"].to_pylist()
        for top, expected in ((1, 1), (100, 2)):
            there, here = ask(empty, "query", texts[0], top=top), store.query(texts[0], top=top).to_pyarrow()
            assert [(it.id, it.distance) for it in there] == list(zip(*here.select([0, 1]).to_pydict().values()))
            assert len(there) == expected
        assert ask(empty, "fingerprint", ids[1]) == store.fingerprint(ids[1])
        changed = [f"{text} and something new" for text in texts[:9]]
        assert ask(empty, "update", ids[:9], changed) == [Row(id, "updated") for id in ids[:9]]
        store.update(ids[:9], changed)
        assert ask(empty, "delete", [*ids[:20], "absent"]) == store.delete([*ids[:20], "absent"]) == 20
        assert ask(empty, "stats")["documents"] == len(store)
        assert ask(empty, "fingerprint", ids[1]) is store.fingerprint(ids[1]) is None


def test_single_documents(ask, empty):
    SENT.extend(["single", "pair", "mapping"])
    text = "A text of several words that nobody else has sent before."
    assert ask(empty, "add", "single", text).outcome == "new"
    assert ask(empty, "add", "single", text).outcome == "exists"
    found = ask(empty, "check", text)
    assert (found.id, found.outcome, found.near, found.distance) == (None, "duplicate", "single", 0)
    assert ask(empty, "check_and_add", "pair", text).near == "single"
    document = {"id": "mapping", "text": "Quite another text, with things about it.", "metadata": {"url": "x"}}
    assert [row.outcome for row in ask(empty, "add", [("pair", text), document])] == ["new", "new"]
    stored = ask(empty, "get", "mapping")
    assert stored.metadata == {"url": "x"} and abs(stored.time.timestamp() - time.time()) < 60
    assert ask(empty, "get", "absent") is None
    with pytest.raises(ServiceError, match="status 409") as taken:
        ask(empty, "add", "single", "another text under the same id, which is taken")
    assert (taken.value.status, taken.value.code, taken.value.field) == (409, "conflict", "/id")
    refused = ask(empty, "add", ["single"], ["another text under the same id, which is taken"])[0]
    assert refused.outcome == "refused" and "single" in refused.reason
    with pytest.raises(ServiceError, match="leave out the radius"):
        ask(empty, "query", text, 3)
    assert ask(empty, "delete", "single") == 1
    with pytest.raises(ServiceError, match="0 bytes") as unnamed:
        ask(empty, "delete", ["pair", ""])
    assert [row.outcome for row in unnamed.value.rows] == ["deleted", "refused"]
    assert ask(empty, "ready") is True
    with pytest.raises(ServiceError, match="nothing at this path"):
        ask(empty + "/v1", "get", "single")


def test_compaction(service):
    with Client(service, verify=CERTIFICATES) as client:
        client.compact()


def test_a_compaction_that_is_under_way(ask):
    with Hostile(answers(202), problem(409, "under-way")) as server:
        assert ask(server.url, "compact") is None
        with pytest.raises(ServiceError, match="under-way"):
            ask(server.url, "compact")


@pytest.mark.parametrize("id", [".", "..", "a/b", "a//b", "%", "%2e", "ü", "a?b#c", "a+b c", "\x01", "x" * 4096])
def test_ids_of_every_kind(empty, id):
    SENT.append(id)
    with Client(empty, verify=CERTIFICATES) as client:
        assert client.update(id, f"the text of {id}").id == id
        assert client.get(id).id == id
        assert client.add([(id, f"the text of {id}")])[0].outcome == "exists"
        assert client.delete(id) == 1


def test_whole_numbers_are_ids_of_their_digits(ask, empty):
    SENT.extend(["17", "18", "19", "20"])
    texts = [f"{text} of a number" for text in FREE[:4]]
    frame = pandas.DataFrame({"id": [18, 19], "text": texts[1:3]})
    assert ask(empty, "add", 17, texts[0]).id == "17"
    assert [row.id for row in ask(empty, "add", frame.id, frame.text)] == ["18", "19"]
    for records in (frame.to_dict("records"), list(zip(frame.id.astype(float), frame.text)), [{"id": np.int64(18), "text": texts[1]}]):
        for method in ("add", "check_and_add"):
            assert {row.outcome for row in ask(empty, method, records)} == {"exists"}
    assert [row.id for row in ask(empty, "update", [{"id": 19.0, "text": texts[3]}])] == ["19"]
    assert ask(empty, "update", 20, texts[2]).id == ask(empty, "get", 20).id == "20"
    assert [row.id for row in ask(empty, "check", [{"id": 7, "text": texts[0]}])] == ["7"]
    assert ask(empty, "fingerprint", 17) == ask(empty, "fingerprint", "17")
    # What is no whole number is for the service to refuse.
    assert [row.outcome for row in ask(empty, "add", [{"id": 1.5, "text": "one"}])] == ["refused"]
    assert ask(empty, "delete", 17) == 1 and ask(empty, "delete", [18, np.int64(19), "20"]) == 3


def test_a_store_names_documents_by_digits_too(tmp_path):
    with nearprint.Store.create(tmp_path / "store") as store:
        columns = (list, tuple, iter, np.array, pyarrow.array, pandas.Series, pandas.Index, polars.Series)
        for kind in (*columns, lambda ids: pandas.Series(ids, dtype="Int64"), lambda ids: pandas.Series(ids, dtype=float)):
            for method in (store.add, store.check_and_add, store.update):
                assert method(kind([30, 31]), FREE[:2])["id"].tolist() == ["30", "31"], kind
        assert len(store) == 2 and 30 in store and store.fingerprint(30) == store.fingerprint("30")
        assert store.delete(np.array([30, 31])) == 2
        for wrong in ([True], [1.5], ["a", 1.5], np.array([1.5])):
            with pytest.raises(TypeError):
                store.add(wrong, FREE[: len(wrong)])


def test_columns_of_every_library(empty):
    ids, texts = [f"column {number}" for number in range(3)], FREE[:3]
    SENT.extend([*ids, "none", "pair"])
    with Client(empty, verify=CERTIFICATES) as client:
        for kind in (
            list,
            iter,
            np.array,
            pyarrow.array,
            pandas.Series,
            polars.Series,
            lambda column: pyarrow.chunked_array([column]),
        ):
            assert [row.id for row in client.add(kind(ids), kind(texts))] == ids, kind
        # A missing text is one without a word.
        for missing in ((["none"], [None]), ([("pair", None)],)):
            assert columns(client.add(*missing))["outcome"] == ["new"]
        rows = client.check(pyarrow.array([texts[1], None]))
        assert columns(rows)["near"] == ["column 1", None]
        for frame in (polars.DataFrame(rows), pandas.DataFrame(rows)):
            assert list(frame.columns) == ["id", "outcome", "near", "distance", "similarity", "measure", "reason"]
            assert list(frame["near"])[0] == "column 1" and list(frame["distance"])[0] == 0


def test_arguments():
    with Hostile(silent) as server, Client(server.url, timeout=1) as client:
        for documents in ("abc", ["ab"], {"a": "text"}, {("a", "text")}, 7, [7]):
            with pytest.raises((TypeError, ValueError)) as refused:
                client.add(documents)
            assert not isinstance(refused.value, ServiceError)
        with pytest.raises(TypeError, match="row 1: the text is of type float, not str; a missing text is None"):
            client.add(["a", "b"], ["one", float("nan")])
        with pytest.raises(TypeError, match="row 0: the id is of type bool"):
            client.add([True], ["one"])
        with pytest.raises(ValueError, match="row 0 has no id"):
            client.add([None], ["one"])
        with pytest.raises(ValueError, match="2 ids for 1 texts"):
            client.add(["a", "b"], ["one"])
        with pytest.raises(ValueError, match="shorter"):
            client.add(iter(["a", "b"]), ["one"])
        with pytest.raises(ValueError, match="3 values"):
            client.add([("a", "b", "c")])
        with pytest.raises(ValueError, match="no id"):
            client.update([{"text": "one"}])
        with pytest.raises(UnicodeEncodeError) as unwritable:
            client.add([("a", "one"), ("b", "\ud800")])
        assert "in row 1" in unwritable.value.__notes__[0]
        assert client.add([]) == [] == client.check(iter([])) and client.delete([]) == 0
        assert server.requests == []
    for url in ("localhost:7878", "ftp://127.0.0.1", "http://", "http://host:port"):
        with pytest.raises(ValueError, match="address"):
            Client(url)
    with pytest.raises(ValueError, match="token="):
        Client("http://name:password@127.0.0.1")
    with pytest.raises(ValueError, match="above 0"):
        Client("http://127.0.0.1", timeout=0)
    with pytest.raises(ValueError, match="line feeds") as refused:
        Client("http://127.0.0.1", token="nearprint_secret\n")
    assert "secret" not in str(refused.value)


def test_tokens(tmp_path, command, caplog):
    caplog.set_level(logging.DEBUG)
    made = command("token", "reader", "--scope", "read")
    token = made.stderr.split()[-1]
    (tmp_path / "tokens.toml").write_text(made.stdout)
    nearprint.Store.create(tmp_path / "store").close()
    with serving(tmp_path / "store", "--tokens", tmp_path / "tokens.toml") as (url, _):
        with Client(url) as client, pytest.raises(ServiceError, match="status 401, unauthenticated"):
            client.stats()
        with Client(url, token=token) as client:
            assert client.stats()["documents"] == 0
            for call in (lambda: client.add("a", "one"), lambda: client.add(["a"], ["one"])):
                with pytest.raises(ServiceError, match="scope write") as forbidden:
                    call()
                assert forbidden.value.status == 403 and token not in str(forbidden.value)
            assert token not in repr(client)
    assert token not in caplog.text


@pytest.mark.parametrize(("near", "documents"), [("n" * 4096, 10_000), ("\x01" * 4096, 1000)])
def test_long_answers_do_not_stop_a_batch(empty, near, documents):
    """Each answer has an id of 4 or 24 KB, and the client reads no answer before it has sent a request."""
    SENT.append(near)
    same = "the same text for all of them"
    with Client(empty, timeout=20) as client:
        client.add(near, same)
        padded = [same + " " * 1000] * documents
        assert {row.near for row in client.check(padded)} == {near}
        rows = client.check_and_add([str(number).ljust(4096) for number in range(300)], [same] * 300)
        assert {(row.outcome, row.near) for row in rows} == {("duplicate", near)}


def test_requests_are_bounded():
    long = [("x" * 4096, "short"), ("a", "y" * (3 << 20))] * 20 + [("a", "z" * 30_000)] * 90 + [("a", "b")] * 3000
    portions = list(_documents.portions(_documents.documents(iter(long), None)))
    assert [id for portion in portions for id in portion.ids] == [id for id, _ in long]
    for portion in portions:
        assert len(portion.body) <= 1 << 20 or len(portion.ids) == 1
        assert portion.answer <= 256 << 10 and portion.body.count(b"\n") == len(portion.ids) <= 1024
    assert len(portions) < 50


@pytest.mark.parametrize("script", [silent, deaf])
@pytest.mark.parametrize("call", [("stats",), ("add", "a", "one"), ("add", ["a"] * 400, ["x" * 100_000] * 400)])
def test_a_service_that_never_answers(ask, script, call):
    begun = time.monotonic()
    with Hostile(script) as server, pytest.raises(ServiceTimeoutError) as late:
        ask(server.url, *call, timeout=0.5)
    # The scripts hang up after 20 s: a later end would be another error.
    assert time.monotonic() - begun > 0.4
    assert isinstance(late.value, TimeoutError) and "timeout=" in str(late.value)
    assert ("stored or not" in str(late.value)) is (call[0] == "add")


def test_an_answer_that_never_ends(ask, monkeypatch):
    monkeypatch.setattr(_exchange, "LARGEST", 4 << 20)

    def trickle(server, connection):
        read(server, connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        for _ in range(200):
            connection.sendall(b" ")
            time.sleep(0.05)

    def flood(server, connection):
        read(server, connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            connection.sendall(b" " * (1 << 20))

    with Hostile(trickle) as server, pytest.raises(ServiceTimeoutError):
        ask(server.url, "stats", timeout=0.5)
    with Hostile(flood) as server, pytest.raises(ServiceError, match="more than"):
        ask(server.url, "compact", timeout=10)


def test_a_head_that_never_ends():
    def trickle(server, connection):
        read(server, connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nSlow: ")
        for _ in range(200):
            connection.sendall(b"x")
            time.sleep(0.05)

    async def run(url):
        async with AsyncClient(url, timeout=0.5, verify=CERTIFICATES) as client:
            await client.stats()

    with Hostile(trickle) as server, pytest.raises(ServiceTimeoutError):
        asyncio.run(run(server.url))


def test_a_service_that_dies_in_the_middle_of_an_answer(ask):
    half = answers(200, row("a") + row("b", "exists") + '{"id":"c","ver', length=1000)
    with Hostile(half) as server:
        with pytest.raises(ServiceError, match="2 documents were answered before .*stored or not") as error:
            ask(server.url, "add", list("abcd"), FREE[:4])
        assert [(row.id, row.outcome) for row in error.value.rows] == [("a", "new"), ("b", "exists")]
        assert len(server.requests) == 1, "a write is not sent again"
    found = answers(200, row(None) + row(None, "duplicate", near={"id": "a", "distance": 2}))
    with Hostile(answers(200, row(None), length=1000), found) as server:
        assert columns(ask(server.url, "check", FREE[:2]))["near"] == [None, "a"]
        assert len(server.requests) == 2


def test_a_service_that_closes(ask):
    with Hostile(closing) as server:
        for method, sent in (("add", 1), ("check_and_add", 1), ("update", 1), ("check", 3), ("get", 3)):
            del server.requests[:]
            with pytest.raises(ServiceError, match="broke"):
                ask(server.url, method, "a", *["text"][: method not in ("check", "get")])
            assert len(server.requests) == sent, method


def test_a_service_that_stops(ask):
    stopped = row("a") + row(None, "refused", error="the server is being stopped")
    with Hostile(answers(200, stopped)) as server:
        with pytest.raises(ServiceError, match="1 of 3 .*being stopped; 1 documents were answered") as error:
            ask(server.url, "add", list("abc"), FREE[:3])
        assert [row.id for row in error.value.rows] == ["a"]
        assert len(ask(server.url, "add", ["a"], FREE[:1])) == 1, "the refusal is of a line that was not sent"


@pytest.mark.parametrize(
    "script",
    [
        says(b"220 mail.example.org ESMTP\r\n"),
        answers(200, "<html>"),
        answers(200, "[" * 100_000),
        answers(200, row("another")),
        answers(200, row(None)),
        answers(200, '{"id":"a"}\n'),
        answers(404, "<html>not here"),
        answers(302, location="http://127.0.0.1:1/"),
        answers(500, '{"error":"no problem of nearprint"}'),
    ],
)
def test_what_is_no_service(ask, script):
    with Hostile(script) as server:
        for call in (("add", ["a"], ["one"]), ("add", "b", "one"), ("stats",), ("get", "a"), ("ready",)):
            with pytest.raises(ServiceError) as error:
                ask(server.url, *call, retries=0)
            assert server.url in str(error.value), call


@pytest.mark.parametrize("status", [429, 503])
def test_a_service_that_is_busy(ask, status, caplog):
    caplog.set_level(logging.INFO, "nearprint.client")
    for call, wait in ((("add", ["a"], ["one"]), 1), (("add", "a", "one"), 0)):
        begun = time.monotonic()
        with Hostile(problem(status, "busy", Retry_After=wait), answers(200, row("a"))) as server:
            ask(server.url, *call)
            assert time.monotonic() - begun >= wait
            assert len(server.requests) == 2 and server.requests[0][1] == server.requests[1][1]
        assert f"status {status}; attempt 2 follows in {wait}.0 s" in caplog.text
    with Hostile(problem(status, "busy")) as server:
        with pytest.raises(ServiceError, match=f"a problem of busy .status {status}, busy.; 0 documents") as error:
            ask(server.url, "check", ["one"])
        assert (error.value.status, error.value.code, len(server.requests)) == (status, "busy", 3)
    with Hostile(problem(status, "busy", Retry_After=86400)) as server:
        with pytest.raises(ServiceError, match="busy"):
            ask(server.url, "add", "a", "one")
        assert len(server.requests) == 1


def test_writes_that_took_too_long_are_not_sent_again(ask):
    with Hostile(problem(503, "timeout", Retry_After=0)) as server:
        for call, sent in ((("add", "a", "one"), 1), (("check", "one"), 3)):
            del server.requests[:]
            with pytest.raises(ServiceError, match="a problem of timeout"):
                ask(server.url, *call)
            assert len(server.requests) == sent


def test_a_service_that_is_not_there(ask, caplog):
    caplog.set_level(logging.INFO, "nearprint.client")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = "http://127.0.0.1:{}".format(taken.getsockname()[1])
    with pytest.raises(ServiceError, match="cannot connect .*nearprint serve") as error:
        ask(url, "add", ["a"], ["one"])
    assert "stored or not" not in str(error.value) and error.value.status is None
    assert sum("attempt" in line for line in caplog.messages) == 2
    assert ask(url, "ready") is False
    with Hostile(problem(503, "read-only")) as server:
        assert ask(server.url, "ready") is False


def test_a_service_that_is_killed(ask, tmp_path):
    nearprint.Store.create(tmp_path / "store", similarity=0.8).close()
    with serving(tmp_path / "store") as (url, process):

        def documents():
            for number, text in enumerate(FREE):
                if number == 2500:
                    process.kill()
                    process.wait()
                yield str(number), text

        with pytest.raises(ServiceError, match=r"(\d+) documents were answered") as error:
            ask(url, "add", documents(), retries=0)
    rows = error.value.rows
    assert 0 < len(rows) <= 2500 and f"{len(rows)} documents" in str(error.value)
    with nearprint.Store.open(tmp_path / "store") as store:
        assert all(row.id in store and row.outcome == "new" for row in rows)


def test_an_iterator_that_raises(ask, empty):
    SENT.extend(f"raises {number}" for number in range(2000))

    def documents():
        for number in range(2000):
            yield f"raises {number}", FREE[number]
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more") as error:
        ask(empty, "add", documents())
    answered = int(re.search(r"(\d+) documents were answered", error.value.__notes__[0])[1])
    assert 0 < answered < 2000
    assert ask(empty, "delete", SENT) == answered


def test_a_task_that_is_cancelled_closes_its_connection():
    async def run(url):
        async with AsyncClient(url) as client:
            task = asyncio.create_task(client.add(["a"], ["one"]))
            await asyncio.sleep(0.2)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return await asyncio.to_thread(server.gone.wait, 3)

    with Hostile(silent) as server:
        assert asyncio.run(run(server.url)), "the connection is open while the client is"


def test_tasks_and_threads_share_a_client(empty):
    async def run():
        async with AsyncClient(empty, verify=CERTIFICATES) as client:
            return await asyncio.gather(*(client.check(text) for text in FREE[:50]))

    SENT.extend(FREE[:50])
    with Client(empty, verify=CERTIFICATES) as client:
        client.add(FREE[:50], FREE[:50])
        assert [row.near for row in asyncio.run(run())] == FREE[:50]
        found = {}

        def check(at):
            found[at] = client.check(FREE[at])

        threads = [threading.Thread(target=check, args=(at,)) for at in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [found[at].near for at in range(20)] == FREE[:20]


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_client_in_a_forked_process(empty):
    with Client(empty, verify=CERTIFICATES) as client:
        client.stats()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                client.stats()
            except RuntimeError as error:
                status = 0 if "after a fork" in str(error) else 2
            os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert client.ready() and client.ready("reads")


def test_a_replica_is_ready_for_reads_alone(ask, service, tmp_path):
    with serving(tmp_path / "replica", "--follow", service) as (url, _):
        end = time.monotonic() + 30
        while not ask(url, "ready", "reads"):
            assert time.monotonic() < end
            time.sleep(0.1)
        assert not ask(url, "ready") and ask(service, "ready") and ask(service, "ready", "reads")
        with pytest.raises(ValueError, match="what is 'reads' or 'writes', not 'tea'"):
            ask(url, "ready", "tea")


def test_the_examples_of_the_guide(tmp_path):
    nearprint.Store.create(tmp_path / "store", similarity=0.8).close()
    with serving(tmp_path / "store") as (url, _):
        text = PAGE.read_text(encoding="utf-8").replace("http://127.0.0.1:7878", url)
        examples = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, os.fspath(PAGE), 0)
        assert len(examples.examples) > 8
        assert doctest.DocTestRunner().run(examples).failed == 0
