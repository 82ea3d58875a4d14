"""Objects of Python in the one form that the command writes a value of their kind in: see docs/rows.md."""

from __future__ import annotations

import operator
import sys
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any


def form_of(value: Any) -> Any:
    """An object of Python as the command writes a value of its kind; any other object as it is."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, (numpy.datetime64, numpy.timedelta64)):
        return _of_numpy(value)
    if numpy is not None and isinstance(value, numpy.generic):
        # Of numbers of more bits than Python has it is the value itself.
        plain = value.item()
        return value if isinstance(plain, numpy.generic) else form_of(plain)
    if isinstance(value, bytes):
        return _of_bytes(value)
    if isinstance(value, datetime):
        return _of_moment(value)
    if isinstance(value, time):
        return value.isoformat("microseconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        # Those of pandas have nanoseconds.
        nanos = getattr(value, "nanoseconds", 0)
        micros = value // timedelta(microseconds=1)
        return f"{micros * 1000 + nanos}ns" if nanos else f"{micros}us"
    if isinstance(value, Decimal):
        # The digits of one that no double is near to say nothing.
        return format(value, "f") if value.is_finite() and abs(value.adjusted()) < 400 else str(value)
    uuid = sys.modules.get("uuid")
    return str(value) if uuid is not None and isinstance(value, uuid.UUID) else value


def id_of(value: Any) -> Any:
    """What names a document for good, in text: of a whole number its digits, as of an id in JSON. Any other value stays."""
    if is_whole(value):
        return str(operator.index(value))
    # JSON has an exponent from there on.
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        return str(int(value))
    return value


def is_whole(value: Any) -> bool:
    """Say whether this is a whole number of any library, and no truth value."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return False
    try:
        operator.index(value)
    except TypeError:
        return False
    return True


def _of_bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        from base64 import b64encode

        return b64encode(value).decode()


def _of_moment(value: datetime) -> str:
    """A moment in UTC, as which one without a zone is read."""
    digits = "nanoseconds" if getattr(value, "nanosecond", 0) else "microseconds"
    try:
        plain = value if value.tzinfo is None else value.astimezone(timezone.utc).replace(tzinfo=None)
    except OverflowError:
        # In UTC it is beyond the years of Python.
        return value.isoformat(" ", digits)
    return plain.isoformat(" ", digits) + " +00:00"


def _of_numpy(value: Any) -> Any:
    """A date, a moment or a duration of NumPy."""
    import numpy as np

    if np.isnat(value):
        return None
    unit, _ = np.datetime_data(value.dtype)
    if isinstance(value, np.timedelta64):
        if unit not in ("s", "ms", "us", "ns"):
            if unit not in ("W", "D", "h", "m"):
                return str(value)
            value, unit = value.astype("timedelta64[s]"), "s"
        whole, (_, parts) = int(value.astype(np.int64)), np.datetime_data(value.dtype)
        return f"{whole * parts}{unit}"
    text = np.datetime_as_string(value)
    if unit in ("Y", "M", "W", "D"):
        return text
    return f"{text.replace('T', ' ')}{':00' * (unit == 'm')} +00:00"
