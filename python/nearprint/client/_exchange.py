"""One request and its answer, without a connection: when to send again, and what an answer means."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from typing import TypeVar

import httpx

from nearprint._answers import Row, parsed
from nearprint.errors import ServiceError, ServiceTimeoutError

T = TypeVar("T")

# Statuses by which the service says that it did not begin, with one exception: an answer that took too long.
NOT_BEGUN = (429, 503)
TOO_LONG = "timeout"
# What a write that broke off left behind.
UNKNOWN = (
    "; what the request would write may be stored or not: send it again, then a document that is stored comes "
    'back as "exists"'
)
# Seconds before the second attempt, twice as many before the third, and so on.
PAUSE = 0.25
# The longest pause that the service may ask for, in seconds.
LONGEST = 60.0
# Bytes of an answer.
LARGEST = 64 << 20

log = logging.getLogger("nearprint.client")


@dataclass(frozen=True)
class Request:
    """A request, and how long to wait before it.

    ``repeatable`` requests only read: sent twice they do no harm, and the second answer is as good.
    """

    method: str
    path: str
    content: bytes | None = None
    kind: str = "application/json"
    repeatable: bool = False
    wait: float = 0.0


@dataclass
class Answer:
    """What arrived, and why no more did."""

    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytearray = field(default_factory=bytearray)
    broken: Exception | None = None

    def add(self, piece: bytes, deadline: float) -> None:
        """Take a piece of the body, unless there is too much of it, or it is too late."""
        self.body += piece
        if len(self.body) > LARGEST:
            raise httpx.RemoteProtocolError(f"the answer has more than {LARGEST} bytes")
        if time.monotonic() > deadline:
            raise httpx.ReadTimeout("the answer did not end in time")

    @property
    def code(self) -> str | None:
        """The name of the problem, as ``docs/api.md`` lists them."""
        return parsed(self.body, lambda problem: str(problem["type"]).rpartition(":")[2])

    @property
    def detail(self) -> str | None:
        """What the service says about the problem."""
        return parsed(self.body, lambda problem: str(problem["detail"]))


    @property
    def undecided(self) -> bool:
        """Whether a request of which this is not the answer hoped for may be done all the same."""
        if self.broken is not None:
            return not isinstance(self.broken, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
        not_begun = self.status in NOT_BEGUN and self.code != TOO_LONG
        return self.status is not None and not 300 <= self.status < 500 and not not_begun


# Requests in the order in which they are sent, each sent as soon as the answer to the one before is there.
Plan = Generator[Request, Answer, T]


def exchange(request: Request, retries: int) -> Plan[Answer]:
    """Send a request, and again as long as that may help; the last answer, good or bad."""
    for attempt in range(retries + 1):
        answer = yield request
        pause = _pause(request, answer, attempt)
        if pause is None or attempt == retries:
            return answer
        why = answer.broken or f"status {answer.status}"
        log.info("%s %s: %s; attempt %d follows in %.1f s", request.method, request.path, why, attempt + 2, pause)
        request = replace(request, wait=pause)
    raise AssertionError("a request is sent at least once")


def _pause(request: Request, answer: Answer, attempt: int) -> float | None:
    """Seconds to wait before the request is sent again; ``None`` if it must not be, or need not."""
    usual = PAUSE * 2.0**attempt * random.uniform(0.5, 1.0)
    if isinstance(answer.broken, httpx.ConnectError):
        return usual
    if answer.broken is not None:
        return usual if request.repeatable and not isinstance(answer.broken, httpx.TimeoutException) else None
    if answer.status not in NOT_BEGUN or (answer.undecided and not request.repeatable):
        return None
    asked = _seconds(answer.headers.get("retry-after"))
    if asked is None:
        return usual
    return asked if asked <= LONGEST else None


def _seconds(after: str | None) -> float | None:
    """The seconds of a header ``Retry-After``, which may also be a date."""
    if after is None:
        return None
    if after.isascii() and after.isdigit():
        return float(after)
    try:
        return max(0.0, parsedate_to_datetime(after).timestamp() - time.time())
    except ValueError:
        return None


def failure(
    answer: Answer, url: str, request: Request, rows: Sequence[Row] = (), note: str = "", said: str | None = None
) -> ServiceError:
    """The error that an answer is which is not the one hoped for; ``said`` is what a body that came whole says."""
    if answer.undecided and not request.repeatable:
        note += UNKNOWN
    broken, status, detail = answer.broken, answer.status, answer.detail
    if isinstance(broken, httpx.ConnectError):
        text = f"cannot connect to {url}: {broken}; is `nearprint serve` running there?"
        return ServiceError(text + note, rows=rows)
    if isinstance(broken, httpx.TimeoutException):
        text = f"{url} did not answer in time ({type(broken).__name__}): see timeout= of the client"
        return ServiceTimeoutError(text + note, status=status, rows=rows)
    if broken is not None:
        return ServiceError(f"the connection to {url} broke: {broken}{note}", status=status, rows=rows)
    if detail is None:
        begin = answer.body[:80].decode(errors="replace")
        said = said or f"{begin!r}, as no nearprint does: is this the address of a service?"
        return ServiceError(f"{url} answered {status}: {said}{note}", status=status, rows=rows)
    at = parsed(answer.body, lambda problem: str(problem["field"]))
    place = f"{at}: " if at else ""
    text = f"{place}{detail} (status {status}, {answer.code})"
    return ServiceError(text + note, status=status, code=answer.code, field=at, rows=rows)
