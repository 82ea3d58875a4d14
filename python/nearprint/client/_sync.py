"""The client that waits."""

from __future__ import annotations

import os
import ssl
import time
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, overload

import httpx

from nearprint._answers import Document, Neighbor, Row
from nearprint._arguments import public
from nearprint.client._calls import Calls
from nearprint.client._exchange import Answer, Plan, Request, T
from nearprint.client._settings import CALLS, SETTINGS, check_process, settings

if TYPE_CHECKING:
    from typing_extensions import Self


class Client:
    """A client of ``nearprint serve``. Threads may share it. It is a context manager, which closes it.

    Parameters
    ----------
    url
        The address of the service, such as ``http://127.0.0.1:7878``.
    token
        The token that the service asks for.
    timeout
        Seconds that one request may take, of which at most 10 to connect. A batch is many requests.
    retries
        How often a request is sent again where that does no harm; see :mod:`nearprint.client`.
    verify
        How certificates are checked, where the service has one that the system does not know:
        ``ssl.create_default_context(cafile="authority.pem")``.

    Notes
    -----
    Every call may raise :class:`nearprint.errors.ServiceError`.
    """

    @public(**SETTINGS)
    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        timeout: float = 60.0,
        retries: int = 4,
        verify: ssl.SSLContext | None = None,
    ) -> None:
        """Take the address; the first call connects."""
        self._http = httpx.Client(**settings(url, token, timeout, verify))
        self._url = url
        self._calls = Calls(url, retries)
        self._timeout = timeout
        self._process = os.getpid()

    @overload
    def add(self, ids: str | int, texts: str) -> Row: ...

    @overload
    def add(self, ids: Any, texts: Any = None) -> list[Row]: ...

    @public(**CALLS)
    def add(self, ids: Any, texts: Any = None) -> Row | list[Row]:
        """Store documents, near-duplicate or not.

        Parameters
        ----------
        ids, texts
            An id and a text; or a column of ids and one of texts; or in place of both any iterable of pairs
            ``(id, text)``. A whole number is the id of its digits. A pair may also be a mapping with the fields that the service takes, such as
            ``{"id": "a", "html": page, "metadata": {"url": url}}``.

        Returns
        -------
        Row or list of Row
            What became of each document, in their order: ``"new"``, ``"exists"`` or, in a batch, ``"refused"``
            with the reason. One document that is refused is a :class:`nearprint.errors.ServiceError`.
        """
        return self._run(self._calls.write("add", ids, texts))

    @overload
    def check_and_add(self, ids: str | int, texts: str) -> Row: ...

    @overload
    def check_and_add(self, ids: Any, texts: Any = None) -> list[Row]: ...

    @public(**CALLS)
    def check_and_add(self, ids: Any, texts: Any = None) -> Row | list[Row]:
        """Store documents without a stored near-duplicate, each in one step: as :meth:`add`.

        The outcome may also be ``"duplicate"``; then ``near`` names the nearest stored document.
        """
        return self._run(self._calls.write("check-and-add", ids, texts))

    @overload
    def update(self, ids: str | int, texts: str) -> Row: ...

    @overload
    def update(self, ids: Any, texts: Any = None) -> list[Row]: ...

    @public(**CALLS)
    def update(self, ids: Any, texts: Any = None) -> Row | list[Row]:
        """Store documents in place of those that have their ids: as :meth:`add`, by one request for each.

        A document that is refused ends a batch.
        """
        return self._run(self._calls.update(ids, texts))

    @overload
    def check(self, texts: str) -> Row: ...

    @overload
    def check(self, texts: Any) -> list[Row]: ...

    @public(**CALLS)
    def check(self, texts: Any) -> Row | list[Row]:
        """Find the nearest stored near-duplicate of each text: ``near`` is ``None`` where there is none."""
        return self._run(self._calls.check(texts))

    @public(**CALLS)
    def query(self, text: str, k: int | None = None, *, top: int = 100) -> list[Neighbor]:
        """Find the stored documents near one text, by the store's rule or within ``k`` bits; at most 1000."""
        return self._run(self._calls.query(text, k, top))

    @public(**CALLS)
    def delete(self, ids: str | int | Iterable[str | int]) -> int:
        """Remove a document or several; returns how many were there."""
        return self._run(self._calls.delete(ids))

    @public(**CALLS)
    def get(self, id: str | int) -> Document | None:
        """Read the document that is stored with an id, or ``None``."""
        return self._run(self._calls.get(id))

    @public(**CALLS)
    def fingerprint(self, id: str | int) -> str | None:
        """The fingerprint that is stored with an id, in hexadecimal digits, or ``None``."""
        return self._run(self._calls.fingerprint(id))

    def stats(self) -> dict[str, Any]:
        """The figures of the store, as the service lists them: ``stats()["documents"]`` and others."""
        return self._run(self._calls.stats())

    @public(**CALLS)
    def ready(self, what: Literal["reads", "writes"] = "writes") -> bool:
        """Whether the service can be reached and takes writes, or ``"reads"`` alone as a replica. It asks once."""
        return self._run(self._calls.ready(what))

    def compact(self) -> None:
        """Merge the store into one segment, in the background: answers stay the same, and come faster."""
        self._run(self._calls.compact())

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<nearprint.Client {self._url}>"

    def _run(self, plan: Plan[T]) -> T:
        try:
            request = next(plan)
            while True:
                request = plan.send(self._send(request))
        except StopIteration as end:
            value: T = end.value
            return value

    def _send(self, request: Request) -> Answer:
        check_process(self._process, os.getpid())
        time.sleep(request.wait)
        answer, deadline = Answer(), time.monotonic() + self._timeout
        headers = {} if request.content is None else {"Content-Type": request.kind}
        sent = self._http.stream(request.method, request.path, content=request.content, headers=headers)
        try:
            with sent as response:
                answer.status, answer.headers = response.status_code, response.headers
                for piece in response.iter_raw():
                    answer.add(piece, deadline)
        except httpx.TransportError as error:
            answer.broken = error
        return answer
