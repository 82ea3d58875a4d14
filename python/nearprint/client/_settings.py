"""How both clients connect."""

from __future__ import annotations

import re
import ssl
from typing import Any

import httpx

from nearprint._kinds import ANY, ID, KINDS, NUMBER, TEXT, Kind

# Seconds to connect, at most.
CONNECT = 10.0


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


# The arguments that make a client, and those of its calls; documents, which come in many forms, are looked at one by one.
SETTINGS = {
    "url": Kind("is the address of a service (str)", "'http://127.0.0.1:7878'", _is_text),
    # A message does not show it.
    "token": ANY,
    "timeout": NUMBER,
    "retries": KINDS["top"],
    "verify": Kind(
        "is an ssl.SSLContext",
        "ssl.create_default_context(cafile='authority.pem')",
        lambda value: isinstance(value, (bool, ssl.SSLContext)),
    ),
}
CALLS = {
    **{"ids": ANY._replace(like="ids"), "texts": ANY._replace(like="texts"), "text": TEXT, "id": ID},
    "what": Kind("is 'reads' or 'writes'", "'reads'", _is_text, ("reads", "writes").__contains__),
}


def settings(url: str, token: str | None, timeout: float, verify: ssl.SSLContext | None) -> dict[str, Any]:
    """The settings of a client of httpx."""
    try:
        parts = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ValueError(f"{url!r} is no address: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.host:
        raise ValueError(f"expected the address of a service, such as http://127.0.0.1:7878, not {url!r}")
    if parts.userinfo:
        raise ValueError("the address has a name or a password in it: a service takes a token, by token=")
    if not timeout > 0:
        raise ValueError(f"timeout is {timeout}: expected seconds above 0")
    # Anything else would be quoted in the error of httpx.
    if token is not None and not isinstance(token, str):
        raise TypeError(f"token is a str, as `nearprint token` shows it, not of type {type(token).__name__}")
    if token is not None and not re.fullmatch(r"[!-~]+", token):
        raise ValueError("the token is empty or has spaces or line feeds: give it as `nearprint token` shows it")
    headers = {"Accept-Encoding": "identity"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    return {
        "base_url": url,
        "headers": headers,
        "timeout": httpx.Timeout(timeout, connect=min(timeout, CONNECT)),
        "verify": True if verify is None else verify,
    }


def check_process(process: int, own: int) -> None:
    """Refuse to share connections with the process that this one was forked from."""
    if process != own:
        raise RuntimeError("a client is used in a process forked from the one that made it: make clients after a fork")
