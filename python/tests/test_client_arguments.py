"""Wrong arguments of the client, which no service hears of."""

import asyncio
import inspect
import subprocess
import sys

import pandas
import polars
import pyarrow
import pytest

from nearprint.client import AsyncClient, Client

URL = "http://127.0.0.1:9"


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize(
    "given, said",
    [
        ({}, "{kind} needs url: write nearprint.client.{kind}('http://127.0.0.1:7878')"),
        ({"url": 7878}, "url is the address of a service (str), not 7878 (int): write nearprint.client.{kind}('http"),
        ({"url": URL, "tokn": "x"}, "{kind} has no argument tokn=: did you mean token=?"),
        ({"address": URL}, "{kind} has no argument address=: did you mean url=?"),
        ({"url": URL, "timeout": "5"}, "timeout is a number, not '5' (str): write nearprint.client.{kind}('http://127.0.0.1:7878', timeout=5)"),
        ({"url": URL, "retries": -1}, "retries is a whole number, not -1 (int)"),
        ({"url": URL, "verify": "ca.pem"}, "verify is an ssl.SSLContext, not 'ca.pem' (str): write "),
        ({"url": URL, "retries": "2"}, "retries=2)"),
        ({"url": URL, "token": b"secret"}, "token is a str, as `nearprint token` shows it, not of type bytes"),
    ],
)
def test_what_makes_a_client(kind, given, said):
    with pytest.raises((TypeError, ValueError)) as refused:
        kind(**given)
    assert said.format(kind=kind.__name__) in str(refused.value) and "secret" not in str(refused.value)


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_token_is_not_shown(kind):
    with pytest.raises(TypeError, match=r"takes url by place, and what follows by name: write .*, token=\.\.\.\)$"):
        kind(URL, "secret")


@pytest.mark.parametrize(
    "method, given, said",
    [
        ("query", {"text": ["a"]}, "text is one text (str), not ['a'] (list): write client.query('a text')"),
        ("query", {"text": "a", "k": "3"}, "k is a number of bits, from 0 on, not '3' (str): write client.query('a text', k=3)"),
        ("query", {"text": "a", "limit": 3}, "query has no argument limit=: did you mean top=?"),
        ("check", {"text": "a"}, "check has no argument text=: did you mean texts=?"),
        ("add", {"id": "a", "texts": "a"}, "add has no argument id=: did you mean ids=?"),
        ("get", {"id": 5.5}, "id is one id (str or int), not 5.5 (float): write client.get('a')"),
        ("ready", {"what": "tea"}, "what is 'reads' or 'writes', not 'tea' (str): write client.ready(what='reads')"),
    ],
)
def test_what_a_call_takes(method, given, said):
    with Client(URL, retries=0) as client, pytest.raises((TypeError, ValueError)) as refused:
        getattr(client, method)(**given)
    assert said in str(refused.value)

    async def asked():
        async with AsyncClient(URL, retries=0) as client:
            await getattr(client, method)(**given)

    with pytest.raises((TypeError, ValueError)) as refused:
        asyncio.run(asked())
    assert said in str(refused.value)


@pytest.mark.parametrize("table", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
def test_a_table_is_no_column(table):
    frame = table({"id": ["a", "b"], "text": ["one", "two"]})
    of_ids, of_texts = "ids are .*, as df\\['id'\\]$", "texts are .*, as df\\['text'\\]$"
    of_both = "documents are .*, as df\\['id'\\], df\\['text'\\]$"
    with Client(URL, retries=0) as client:
        for call in (client.add, client.check_and_add, client.update):
            for given, said in (((frame,), of_both), ((frame, frame["text"]), of_ids), ((frame["id"], frame), of_texts)):
                with pytest.raises(TypeError, match=said):
                    call(*given)
        with pytest.raises(TypeError, match=of_texts):
            client.check(frame)
        with pytest.raises(TypeError, match=of_ids):
            client.delete(frame)


def test_one_document_is_no_list():
    with Client(URL, retries=0) as client:
        for call in (client.add, client.check_and_add, client.update, client.check):
            with pytest.raises(TypeError, match="not one dict: put it in a list$"):
                call({"id": "a", "text": "one"})
        with pytest.raises(TypeError, match=r"check takes texts alone, and was given 2 arguments: write client.check\(texts\)$"):
            client.check("one", "two")
        with pytest.raises(TypeError, match=r"was given 3 arguments: write client.add\(ids, texts\)$"):
            client.add("a", "one", "two")


@pytest.mark.parametrize("module, library, extra", [("client", "httpx", "client"), ("spark", "pyspark", "spark")])
def test_the_extra_of_a_missing_library_is_named(module, library, extra):
    code = f"import sys; sys.modules[{library!r}] = None; import nearprint.{module}"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stderr.splitlines()
    assert said[-1].endswith(f"{library} is not installed: install the extra '{extra}', as by pip install 'nearprint[{extra}]'")


def test_both_clients_take_the_same():
    for name, call in inspect.getmembers(Client, inspect.isfunction):
        if not name.startswith("_") or name == "__init__":
            assert inspect.signature(call).parameters.keys() == inspect.signature(getattr(AsyncClient, name)).parameters.keys()
