"""The client for asyncio."""

from __future__ import annotations

import asyncio
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


class AsyncClient:
    """A client of ``nearprint serve`` for asyncio: :class:`Client`, with calls to await.

    Tasks may share it. It is an asynchronous context manager, which closes it. A task that is cancelled closes the
    connection of its request. What a batch iterates is iterated on the event loop: it should not block.

    Parameters
    ----------
    url, token, timeout, retries, verify
        As of :class:`Client`.
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
        self._http = httpx.AsyncClient(**settings(url, token, timeout, verify))
        self._url = url
        self._calls = Calls(url, retries)
        self._timeout = timeout
        self._process = os.getpid()

    @overload
    async def add(self, ids: str | int, texts: str) -> Row: ...

    @overload
    async def add(self, ids: Any, texts: Any = None) -> list[Row]: ...

    @public(None, "client", **CALLS)
    async def add(self, ids: Any, texts: Any = None) -> Row | list[Row]:
        """Store documents, near-duplicate or not: as :meth:`Client.add`."""
        return await self._run(self._calls.write("add", ids, texts))

    @overload
    async def check_and_add(self, ids: str | int, texts: str) -> Row: ...

    @overload
    async def check_and_add(self, ids: Any, texts: Any = None) -> list[Row]: ...

    @public(None, "client", **CALLS)
    async def check_and_add(self, ids: Any, texts: Any = None) -> Row | list[Row]:
        """Store documents without a stored near-duplicate: as :meth:`Client.check_and_add`."""
        return await self._run(self._calls.write("check-and-add", ids, texts))

    @overload
    async def update(self, ids: str | int, texts: str) -> Row: ...

    @overload
    async def update(self, ids: Any, texts: Any = None) -> list[Row]: ...

    @public(None, "client", **CALLS)
    async def update(self, ids: Any, texts: Any = None) -> Row | list[Row]:
        """Store documents in place of those that have their ids: as :meth:`Client.update`."""
        return await self._run(self._calls.update(ids, texts))

    @overload
    async def check(self, texts: str) -> Row: ...

    @overload
    async def check(self, texts: Any) -> list[Row]: ...

    @public(None, "client", **CALLS)
    async def check(self, texts: Any) -> Row | list[Row]:
        """Find the nearest stored near-duplicate of each text: as :meth:`Client.check`."""
        return await self._run(self._calls.check(texts))

    @public(None, "client", **CALLS)
    async def query(self, text: str, k: int | None = None, *, top: int = 100) -> list[Neighbor]:
        """Find the stored documents near one text: as :meth:`Client.query`."""
        return await self._run(self._calls.query(text, k, top))

    @public(None, "client", **CALLS)
    async def delete(self, ids: str | int | Iterable[str | int]) -> int:
        """Remove a document or several; returns how many were there."""
        return await self._run(self._calls.delete(ids))

    @public(None, "client", **CALLS)
    async def get(self, id: str | int) -> Document | None:
        """Read the document that is stored with an id, or ``None``."""
        return await self._run(self._calls.get(id))

    @public(None, "client", **CALLS)
    async def fingerprint(self, id: str | int) -> str | None:
        """The fingerprint that is stored with an id, in hexadecimal digits, or ``None``."""
        return await self._run(self._calls.fingerprint(id))

    async def stats(self) -> dict[str, Any]:
        """The figures of the store, as the service lists them."""
        return await self._run(self._calls.stats())

    @public(None, "client", **CALLS)
    async def ready(self, what: Literal["reads", "writes"] = "writes") -> bool:
        """Whether the service can be reached and takes writes, or ``"reads"`` alone as a replica. It asks once."""
        return await self._run(self._calls.ready(what))

    async def compact(self) -> None:
        """Have the store made one segment, in the background."""
        await self._run(self._calls.compact())

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<nearprint.AsyncClient {self._url}>"

    async def _run(self, plan: Plan[T]) -> T:
        try:
            request = next(plan)
            while True:
                request = plan.send(await self._send(request))
        except StopIteration as end:
            value: T = end.value
            return value

    async def _send(self, request: Request) -> Answer:
        check_process(self._process, os.getpid())
        await asyncio.sleep(request.wait)
        answer, deadline = Answer(), time.monotonic() + self._timeout
        headers = {} if request.content is None else {"Content-Type": request.kind}
        sent = self._http.stream(request.method, request.path, content=request.content, headers=headers)

        async def read() -> None:
            async with sent as response:
                answer.status, answer.headers = response.status_code, response.headers
                async for piece in response.aiter_raw():
                    answer.add(piece, deadline)

        try:
            await asyncio.wait_for(read(), self._timeout)
        except httpx.TransportError as error:
            answer.broken = error
        except asyncio.TimeoutError:
            answer.broken = httpx.ReadTimeout("the answer did not come in time")
        return answer
