"""What each call asks of the service: plans of requests, the same for both clients."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar
from urllib.parse import quote

import httpx

from nearprint._answers import Document, Neighbor, Row, parsed
from nearprint._forms import id_of
from nearprint.client._documents import Line, checks, document, documents, encoded, names, note, portions, string
from nearprint.client._exchange import Answer, Plan, Request, exchange, failure
from nearprint.errors import ServiceError

V = TypeVar("V")


class Calls:
    """The plans of requests to one service."""

    def __init__(self, url: str, retries: int) -> None:
        self._url = url
        self._retries = retries

    def write(self, op: str, ids: Any, texts: Any) -> Plan[Row | list[Row]]:
        """Add documents: one, or a batch of them."""
        if isinstance(id := id_of(ids), str):
            return self._one(Request("POST", f"/v1/{op}", document(0, id, texts).json), id)
        return self._batch(op, documents(ids, texts))

    def update(self, ids: Any, texts: Any) -> Plan[Row | list[Row]]:
        """Store documents in place of others."""
        if isinstance(id := id_of(ids), str):
            return self._one(_put(document(0, id, texts)), id)
        return self._updates(documents(ids, texts))

    def check(self, texts: Any) -> Plan[Row | list[Row]]:
        """Check texts: one, or a batch of them."""
        if isinstance(texts, str):
            return self._one(Request("POST", "/v1/check", encoded(0, {"text": texts}), repeatable=True), None)
        return self._batch("check", checks(texts))

    def delete(self, ids: Any) -> Plan[int]:
        """Remove documents."""
        rows = yield from self._batch("delete", names(ids))
        for row in rows:
            if row.outcome == "refused":
                raise ServiceError(f"{row.reason}; the other {len(rows) - 1} ids were looked at", rows=rows)
        return sum(row.outcome == "deleted" for row in rows)

    def query(self, text: str, k: int | None, top: int) -> Plan[list[Neighbor]]:
        """Find documents near a text."""
        asked = {"text": text, "limit": top} | ({} if k is None else {"k": k})
        request = Request("POST", "/v1/query", encoded(0, asked), repeatable=True)
        return self._read(request, lambda value: [Neighbor._of(one) for one in value["neighbors"]])

    def get(self, id: str | int) -> Plan[Document | None]:
        """Read a stored document."""
        request = Request("POST", "/v1/get", encoded(0, {"id": id_of(id)}), repeatable=True)
        try:
            return (yield from self._read(request, Document._of))
        except ServiceError as error:
            # A path that the service does not have has the same code.
            if error.code == "not-found" and "no document" in str(error):
                return None
            raise

    def fingerprint(self, id: str | int) -> Plan[str | None]:
        """Read the fingerprint of a stored document."""
        found = yield from self.get(id)
        return None if found is None else found.fingerprint

    def stats(self) -> Plan[dict[str, Any]]:
        """Read the figures of the store."""
        request = Request("GET", "/v1/stats", repeatable=True)
        return self._read(request, lambda value: dict(value, documents=int(value["documents"])))

    def ready(self, what: str) -> Plan[bool]:
        """Ask whether the store takes reads, or writes."""
        request = Request("GET", f"/readyz?for={what}", repeatable=True)
        answer = yield request
        if answer.status == 503 or isinstance(answer.broken, httpx.ConnectError):
            return False
        if answer.broken is not None or not answer.body.startswith(b"ready"):
            raise failure(answer, self._url, request)
        return True

    def compact(self) -> Plan[None]:
        """Have the store compacted."""
        yield from self._answered(Request("POST", "/v1/compact"))

    def _answered(self, request: Request) -> Plan[Answer]:
        """Send a request for an answer that is whole and good."""
        answer = yield from exchange(request, self._retries)
        if answer.broken is not None or answer.status not in (200, 202):
            raise failure(answer, self._url, request)
        return answer

    def _read(self, request: Request, shape: Callable[[Any], V | None]) -> Plan[V]:
        """Send a request for an answer of this shape."""
        answer = yield from self._answered(request)
        value = parsed(answer.body, shape)
        if value is None:
            raise failure(answer, self._url, request)
        return value

    def _one(self, request: Request, id: str | None) -> Plan[Row]:
        """Send one document; its row has its id."""

        def shape(value: Any) -> Row | None:
            row = Row._of(value)
            return row if row.id == id else None

        return self._read(request, shape)

    def _batch(self, op: str, lines: Iterator[Line]) -> Plan[list[Row]]:
        """Send documents in requests of bounded size, one after another."""
        rows: list[Row] = []
        for portion in _noting(portions(lines), rows):
            path, kind = f"/v1/batch?op={op}", "application/x-ndjson"
            request = Request("POST", path, bytes(portion.body), kind, repeatable=op == "check")
            answer = yield from exchange(request, self._retries)
            found, whole, said = _rows(answer, portion.ids)
            rows += found
            if not whole:
                raise failure(answer, self._url, request, rows, _acknowledged(rows), said)
        return rows

    def _updates(self, lines: Iterator[Line]) -> Plan[list[Row]]:
        """Replace documents, each by a request of its own: the service has no batch of updates."""
        rows: list[Row] = []
        for line in _noting(lines, rows):
            try:
                rows.append((yield from self._one(_put(line), line.id)))
            except ServiceError as error:
                error.rows = rows
                error.args = (str(error) + _acknowledged(rows),)
                raise
        return rows


def _rows(answer: Answer, ids: list[str | None]) -> tuple[list[Row], bool, str | None]:
    """The rows of an answer in the order of their ids, whether they all came, and what is wrong if they did not."""
    # What follows the last line feed did not arrive whole.
    lines = answer.body.split(b"\n")[:-1] if answer.status == 200 else []
    found: list[Row] = []
    for line, id in zip(lines, ids, strict=False):
        row = parsed(line, Row._of)
        # A refused line may be one of which the service could not read the id.
        if row is None or (row.id != id and (row.id, row.outcome) != (None, "refused")):
            place = f"line {len(found) + 1}"
            return found, False, f"{place} is no answer to its document: is this the address of a service?"
        found.append(row)
    if answer.broken is None and len(found) == len(ids):
        return found, True, None
    # A service that stops refuses the line after the last one that it took.
    stopped = found.pop() if found and found[-1].outcome == "refused" and found[-1].id is None else None
    why = f": {stopped.reason}" if stopped else ""
    said = f"{len(found)} of {len(ids)} documents of a request{why}" if lines else None
    return found, False, said


def _put(line: Line) -> Request:
    """The request that puts a document in the place of another one."""
    fields = dict(line.fields)
    id = string(line.row, "id", fields.pop("id", None))
    # A dot alone would be a step in the path.
    path = quote(id, safe="").replace(".", "%2E")
    return Request("PUT", f"/v1/documents/{path}", encoded(line.row, fields))


def _noting(items: Iterator[V], rows: list[Row]) -> Iterator[V]:
    """The items; an error of the one who makes them says how many documents were answered before."""
    try:
        yield from items
    except Exception as error:
        note(error, f"nearprint: {len(rows)} documents were answered before this")
        raise


def _acknowledged(rows: list[Row]) -> str:
    return f"; {len(rows)} documents were answered before (error.rows)"
