"""Wrong arguments of the client, which no service hears of."""

import asyncio
import inspect

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
        ("get", {"id": 5}, "id is one text (str), not 5 (int)"),
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


def test_both_clients_take_the_same():
    for name, call in inspect.getmembers(Client, inspect.isfunction):
        if not name.startswith("_") or name == "__init__":
            assert inspect.signature(call).parameters.keys() == inspect.signature(getattr(AsyncClient, name)).parameters.keys()
