"""Shares of 1 as callers give them."""

from __future__ import annotations


def checked(name: str, share: float | None) -> None:
    """Refuse what is not a share, with what was probably meant."""
    if share is None:
        return
    if isinstance(share, (str, bytes, bool)):
        raise TypeError(f"{name}= is a number from 0 to 1, not {share!r}")
    if not isinstance(share, (int, float)) or not 2 <= share <= 100:
        return
    raise ValueError(f"{name}={share:g}: a share is from 0 to 1; did you mean {name}={share / 100:g}?")
