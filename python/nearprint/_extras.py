"""Libraries that the extras of the package install."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def of_extra(extra: str) -> Iterator[None]:
    """Import what an extra installs; what is missing is told with how to install it."""
    try:
        yield
    except ModuleNotFoundError as missing:
        library = (missing.name or "").partition(".")[0]
        if library in ("", "nearprint"):
            raise
        said = f"{library} is not installed: install the extra {extra!r}, as by pip install 'nearprint[{extra}]'"
        raise ModuleNotFoundError(said, name=missing.name, path=missing.path) from None
