"""How both clients connect."""

from __future__ import annotations

import re
import ssl
from typing import Any

import httpx

# Seconds to connect, at most.
CONNECT = 10.0


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
