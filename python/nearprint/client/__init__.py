"""A client of the service that ``nearprint serve`` runs: :class:`Client`, and :class:`AsyncClient` for asyncio.

Methods that :class:`nearprint.Store` has too answer as it does, in lists of frozen dataclasses: one
:class:`Row` for each document, with the columns of the store's tables. ``polars.DataFrame(rows)`` and
``pandas.DataFrame(rows)`` take such a list as it is::

    from nearprint.client import Client

    with Client("http://127.0.0.1:7878") as client:
        row = client.check_and_add("a", "A storm is expected to reach the coast tonight.")
        rows = client.check_and_add(ids, texts)

Batches may be of any length. They go as many small requests, one after another, in the order of the documents.
No call waits for ever:

- One request takes at most ``timeout`` seconds, else :class:`nearprint.errors.ServiceTimeoutError` is raised.
- Where the service says that it did not begin (429, 503) or cannot be reached, the client tries again, at most
  ``retries`` times. A request that only reads (``check``, ``query``, ``get``, ``fingerprint``, ``stats``) is also
  sent again if the connection breaks. A write is not: it may be done already.
- An error in the middle of a batch has the rows that were answered before it: ``error.rows``.

It needs httpx, which the extra ``client`` installs.
"""

from nearprint._answers import Document, Neighbor, Row
from nearprint._extras import of_extra

with of_extra("client"):
    from nearprint.client._async import AsyncClient
    from nearprint.client._sync import Client

__all__ = ["AsyncClient", "Client", "Document", "Neighbor", "Row"]
