"""The parts of :func:`nearprint.dedup` that an engine moves between machines.

Each part is a function from record batches of pyarrow to record batches, as ``mapInArrow`` of Spark and
``map_batches`` of other engines call it. It holds no state between calls and looks at nothing but its input.

1. :func:`route`, on any share of the documents: texts to entries, by range.
2. :func:`link`, on all entries of a range or of several: entries to links.
3. :func:`shards`, on all links, in one place: the documents that have links, each with its shard.
4. :func:`solve`, on all documents of a shard or of several: what becomes of each. :func:`pairs` in its place: which
   are near-duplicates.

:func:`sketch` gives the fingerprints of documents, and :func:`components` joins pairs from anywhere.

Documents go by an *address* between these parts: 64 bits that the caller makes, such as a hash of the id. Documents
that share an address are decided together, which does no harm. A document that has no shard is not a near-duplicate of
any other. :mod:`nearprint.spark` runs these parts on Spark.

Examples
--------
>>> import pyarrow as pa
>>> from nearprint import kernels
>>> search = kernels.Search(similarity=0.8)
>>> texts = ["one two three four five", "six seven", "One, two, three, four, five!"]
>>> documents = pa.record_batch({"address": pa.array([7, 8, 9]), "text": texts})
>>> entries = kernels.route([documents], search, ranges=4)
>>> entries = pa.Table.from_batches(entries).sort_by("range").to_batches()
>>> links = kernels.link(entries, search)
>>> pa.Table.from_batches(kernels.shards(links)).to_pylist()
[{'address': 7, 'shard': 0}, {'address': 9, 'shard': 0}]
>>> shard = pa.record_batch({"shard": pa.array([0, 0], pa.int32()), "id": ["a", "c"], "text": texts[::2]})
>>> solved = pa.Table.from_batches(kernels.solve([shard], search))
>>> solved.select(["id", "representative", "keep"]).to_pylist()
[{'id': 'a', 'representative': 'a', 'keep': True}, {'id': 'c', 'representative': 'a', 'keep': False}]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]

from nearprint import _native
from nearprint._arguments import public, public_class
from nearprint._kinds import COLUMN, COLUMNS, FLAG, KINDS, RECALL_OF_BANDS, Kind
from nearprint._rows import fingerprinted
from nearprint._values import best_first
from nearprint.recipe import Recipe, as_recipe, recipe_of

__all__ = ["RANGES", "Search", "components", "link", "pairs", "route", "shards", "sketch", "solve"]

#: Parts of the entries, where nobody says: of a billion documents each takes some 150 MB at 128 bits.
RANGES = 4096
# Bytes of entries that wait before they are handed out.
_HELD = 64 << 20
# Of a shard the documents at most, and the bytes of text by the mean; a component is never divided.
_DOCUMENTS = 16_384
_BYTES = 64 << 20


@public_class(recall=RECALL_OF_BANDS)
@dataclass(frozen=True)
class Search:
    """What makes texts near-duplicates, and which of a group is kept: the options of :func:`nearprint.dedup`.

    All parts of a job take the same. ``k=`` and ``recall="exact"`` are not options here, as such pairs are not found
    by bands.
    """

    similarity: float | None = None
    recall: float | None = None
    recipe: str | Recipe = "text"
    width: int | None = None
    verify: str | None = None
    keep: str | None = None
    cluster_rule: str | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be done before anything is read."""
        recipe = as_recipe(self.recipe)
        if isinstance(self.recipe, str) and recipe.name != self.recipe:
            # Other machines do not have the file.
            object.__setattr__(self, "recipe", recipe)
        _native.Linker(recipe_of(self.recipe), **self._likeness())
        self._found(pa.table({"text": pa.array([], pa.string())}), "text")

    def _likeness(self) -> dict[str, Any]:
        recall = None if self.recall is None else str(self.recall)
        return {"similarity": self.similarity, "recall": recall, "width": self.width, "verify": self.verify}

    def _found(
        self, documents: pa.Table, text: str, reference: int = 0, pairs: bool = False, fold_equal: bool = False,
        order: list[int] | None = None, within: str | None = None, across: str | None = None,
        count_by: str | None = None,
    ) -> _native.Found:
        labels = (name for name in (within, across, count_by) if name is not None)
        columns = dict.fromkeys([text, *labels])
        return _native.dedup(
            documents.select(list(columns)),
            recipe_of(self.recipe),
            text=text,
            **self._likeness(),
            keep=self.keep if order is None else "first",
            order=order,
            cluster_rule=self.cluster_rule,
            threads=1,
            pairs=pairs,
            fold_equal=fold_equal,
            reference=reference,
            within=within,
            across=across,
            count_by=count_by,
        )


_BATCHES = Kind("are record batches of pyarrow", "batches", lambda value: hasattr(value, "__iter__") and not isinstance(value, (str, bytes)))
_OF_DOCUMENTS: dict[str, Kind] = {
    **dict.fromkeys(("text", "address", "id", "reference"), COLUMN),
    "batches": _BATCHES,
    "search": Kind("is a nearprint.kernels.Search", "search", lambda value: isinstance(value, Search)),
    "ranges": KINDS["copies"],
    "carried": COLUMNS,
    "copies": FLAG,
    "keep_by": Kind("are columns, each with 'max' or 'min'", "[('date', 'max')]", lambda value: isinstance(value, (list, tuple))),
}


@public(**_OF_DOCUMENTS)
def route(
    batches: Iterable[pa.RecordBatch],
    search: Search,
    *,
    text: str = "text",
    address: str = "address",
    within: str | None = None,
    ranges: int = RANGES,
) -> Iterator[pa.RecordBatch]:
    """Make entries of texts.

    Parameters
    ----------
    batches
        Documents: a column of texts, and one of addresses (``int64``).
    search
        What makes texts near-duplicates.
    text, address
        The names of these columns.
    within
        A column of labels, as for :func:`nearprint.dedup`: documents of other labels get no link.
    ranges
        Parts of the entries that :func:`link` takes apart from each other; the same for all documents.

    Yields
    ------
    RecordBatch
        ``range`` (``int32``), ``documents`` and ``bytes`` that were read (``int64``, in sum), and ``entries``
        (``binary``): for each document and band 16 bytes and a fingerprint.
    """
    router = _native.Router(recipe_of(search.recipe), ranges, **search._likeness(), within=within)
    for batch in batches:
        router.push(batch, text, address)
        if router.held >= _HELD:
            yield from pa.table(router.take()).to_batches()
    yield from pa.table(router.take()).to_batches()


@public(**_OF_DOCUMENTS)
def link(
    batches: Iterable[pa.RecordBatch], search: Search, *, within: str | None = None
) -> Iterator[pa.RecordBatch]:
    """Find the links among entries.

    Parameters
    ----------
    batches
        What :func:`route` gave: all entries of some ranges, those of a range one after the other.
    search
        What makes texts near-duplicates.
    within
        What :func:`route` was given: entries with labels and entries without are refused in each other's place.

    Yields
    ------
    RecordBatch
        ``documents`` and ``bytes`` (in sum), and ``links`` (``binary``): pairs of addresses, so few that they join
        what all of them join.
    """
    linker = _native.Linker(recipe_of(search.recipe), **search._likeness(), within=within)
    documents = size = 0
    for _, entries in _runs(batches, "range"):
        linker.push(entries["entries"].cast(pa.binary()))
        documents += int(np.sum(entries["documents"].to_numpy()))
        size += int(np.sum(entries["bytes"].to_numpy()))
    links = linker.take() or [b""]
    counts = [pa.array([count, *[0] * (len(links) - 1)], pa.int64()) for count in (documents, size)]
    for at, some in enumerate(links):
        columns = [*(count.slice(at, 1) for count in counts), pa.array([some], pa.binary())]
        yield pa.RecordBatch.from_arrays(columns, ["documents", "bytes", "links"])


@public(**_OF_DOCUMENTS)
def shards(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Join all links, and give the documents of each connected component a shard.

    Memory: some 100 bytes a document that has a link.

    Parameters
    ----------
    batches
        What all calls of :func:`link` gave, in any order.

    Yields
    ------
    RecordBatch
        ``address`` (``int64``) and ``shard`` (``int32``), by address: the documents that have links. A shard has
        some 16 384 documents or 64 MiB of text, or one larger component.
    """
    components = _native.Components()
    documents = size = 0
    for batch in batches:
        components.push(batch.column("links").cast(pa.binary()))
        documents += int(np.sum(batch.column("documents").to_numpy()))
        size += int(np.sum(batch.column("bytes").to_numpy()))
    mean = max(size // max(documents, 1), 1)
    yield from pa.table(components.shards(max(min(_DOCUMENTS, _BYTES // mean), 1))).to_batches()


@public(**_OF_DOCUMENTS)
def solve(
    batches: Iterable[pa.RecordBatch],
    search: Search,
    *,
    text: str = "text",
    id: str = "id",
    reference: str | None = None,
    carried: Sequence[str] = (),
    within: str | None = None,
    across: str | None = None,
    copies: bool = False,
    count_by: str | None = None,
    keep_by: Sequence[tuple[str, str]] = (),
) -> Iterator[pa.RecordBatch]:
    """Decide what becomes of the documents of some shards.

    Parameters
    ----------
    batches
        Documents: a column ``shard`` (``int32``), those of a shard one after the other and in the order of the
        corpus; texts, and ids.
    search
        What makes texts near-duplicates, and which of a group is kept.
    text, id
        The names of these columns.
    reference
        A column that says which documents are only compared with (``bool``): they come first in their shard, and are
        kept.
    carried
        Columns that are handed on as they are.
    within, across, count_by
        Columns of labels, as for :func:`nearprint.dedup`.
    copies
        Count the documents that each one stands for.
    keep_by
        Columns that choose the kept document of a group, each with ``max`` or ``min``: the later ones break ties.

    Yields
    ------
    RecordBatch
        A row for each document that has near-duplicates: the id, the columns ``carried``, ``cluster`` (``int64``,
        other numbers than on one machine), ``first`` (whether it is the first of its cluster), ``representative``
        (the id of the document that is kept for it), ``distance``, ``similarity``, ``keep``. With ``copies`` also that
        column (``int64``), 0 for a removed document; with ``count_by`` also ``sources``, a map of labels to numbers of
        documents, null for a removed document.
    """
    for shard, documents in _runs(batches, "shard"):
        order = _kept_first(documents, _first(documents, reference), keep_by)
        found = search._found(
            documents, text, _first(documents, reference), order=order, within=within, across=across, count_by=count_by
        )
        removed, rows = found.removed, len(documents)
        distance, similarity = np.zeros(rows, np.int32), np.ones(rows, np.float32)
        distance[removed["row"]] = removed["distance"]
        similarity[removed["row"]] = removed["similarity"]
        clustered = np.flatnonzero(found.cluster >= 0)
        cluster = found.cluster[clustered]
        first = np.zeros(len(cluster), bool)
        first[np.unique(cluster, return_index=True)[1]] = True
        solved = documents.select([id, *carried]).take(clustered)
        for name, column in (
            ("cluster", (shard << 32) + cluster),
            ("first", first),
            ("representative", documents[id].take(found.representative[clustered])),
            ("distance", distance[clustered]),
            ("similarity", similarity[clustered]),
            ("keep", found.mask[clustered]),
        ):
            solved = solved.append_column(name, column if isinstance(column, pa.ChunkedArray) else [column])
        if copies:
            solved = solved.append_column("copies", [found.copies[clustered]])
        if count_by is not None:
            counted = dict(zip(np.flatnonzero(found.mask).tolist(), found.sources or [], strict=True))
            maps = [list(counted[row].items()) if row in counted else None for row in clustered.tolist()]
            solved = solved.append_column("sources", [pa.array(maps, pa.map_(pa.string(), pa.int64()))])
        yield from solved.to_batches()


@public(**_OF_DOCUMENTS)
def pairs(
    batches: Iterable[pa.RecordBatch],
    search: Search,
    *,
    text: str = "text",
    id: str = "id",
    reference: str | None = None,
    fold_equal: bool = False,
    within: str | None = None,
    across: str | None = None,
) -> Iterator[pa.RecordBatch]:
    """Find all pairs of near-duplicates in some shards.

    Parameters
    ----------
    batches
        As for :func:`solve`.
    search
        What makes texts near-duplicates.
    text, id, reference
        The names of these columns. Two documents of the reference are never a pair.
    fold_equal
        List documents of equal content once: the first of them has a pair with each of the others, and it alone has
        pairs with further ones.
    within, across
        Columns of labels, as for :func:`nearprint.dedup`.

    Yields
    ------
    RecordBatch
        ``a`` and ``b`` (ids, in the order of the corpus), ``distance`` and ``similarity``: each pair once.
    """
    for _, documents in _runs(batches, "shard"):
        first = _first(documents, reference)
        found = search._found(documents, text, first, True, fold_equal, within=within, across=across).pairs
        ids = documents[id]
        yield from pa.table(
            {
                "a": ids.take(found["a"]),
                "b": ids.take(found["b"]),
                "distance": found["distance"].astype(np.int32),
                "similarity": pa.table(found)["similarity"],
            }
        ).to_batches()


@public(**_OF_DOCUMENTS)
def sketch(
    batches: Iterable[pa.RecordBatch], recipe: str | Recipe = "text", *, width: int | None = None, text: str = "text"
) -> Iterator[pa.RecordBatch]:
    """Fingerprint texts.

    Parameters
    ----------
    batches
        Documents with a column of texts.
    recipe, width
        As for :func:`nearprint.fingerprint`.
    text
        The name of the column.

    Yields
    ------
    RecordBatch
        The other columns as they are, and ``fingerprint``: at 64 bits ``int64``, the bits as they are, else
        ``binary``, the most significant byte first; null where the text is.
    """
    chosen = recipe_of(recipe)
    bits = width or chosen.width or 64
    for batch in batches:
        codes = pa.array(fingerprinted(batch.select([text]), chosen, f"the column {text!r}", text, bits, 1))
        codes = codes.view(pa.int64()) if bits == 64 else codes.cast(pa.binary())
        yield batch.drop_columns([text]).append_column("fingerprint", codes)


@public(**_OF_DOCUMENTS)
def components(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Join pairs to connected components.

    Memory: some 100 bytes a number.

    Parameters
    ----------
    batches
        Pairs: ``a`` and ``b`` (``int64``).

    Yields
    ------
    RecordBatch
        ``address``, each number once, and ``component``: the least number of its component.
    """
    joined = _native.Components()
    for batch in batches:
        pairs = np.stack([batch.column("a").to_numpy(), batch.column("b").to_numpy()], axis=1)
        joined.push(pa.array([pairs.astype("<i8").tobytes()], pa.binary()))
    yield from pa.table(joined.labels()).to_batches()


def _first(documents: pa.Table, reference: str | None) -> int:
    """Count the documents of the reference, which come first."""
    if reference is None:
        return 0
    told = documents[reference].to_numpy()
    count = int(np.sum(told))
    if not told[:count].all():
        raise ValueError("documents of the reference come first in their shard: sort them so")
    return count


def _kept_first(documents: pa.Table, first: int, keep_by: Sequence[tuple[str, str]]) -> list[int] | None:
    """Give the rows with those first that stay by some columns, behind those of the reference; none without columns."""
    if not keep_by:
        return None
    order = best_first(documents.slice(first), keep_by)
    return [*range(first), *(first + row for row in order)]


def _shard(batches: Iterable[pa.RecordBatch], arguments: list[str], task: str) -> Iterator[pa.RecordBatch]:
    """Run the command ``nearprint shard`` for each task number, in a process of its own, and tell what it prints."""
    # An executor may have the package in an archive alone.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    for batch in batches:
        for number in batch.column(0).to_pylist():
            given = [argument.replace(task, str(number)) for argument in arguments]
            ran = subprocess.run(
                [sys.executable, "-m", "nearprint", "shard", *given], capture_output=True, text=True, env=environment
            )
            if ran.returncode != 0:
                raise RuntimeError(ran.stderr.strip() or f"nearprint shard ended with {ran.returncode}")
            yield pa.record_batch({"answer": [ran.stdout]})


def _put(batches: Iterable[pa.RecordBatch], path: str) -> Iterator[pa.RecordBatch]:
    """Write what is in a row to a file, whole; a task that comes again writes the same."""
    for batch in batches:
        for content in batch.column(0).to_pylist():
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=os.path.dirname(path), prefix=".", delete=False) as file:
                file.write(content)
            os.replace(file.name, path)
            yield pa.record_batch({"written": pa.array([len(content)], pa.int64())})


def _identity(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Tell the release, and what it makes of a text."""
    for _ in batches:
        pass
    code = int(_native.fingerprint_text("one two three four", recipe_of("text"), 64))
    told = f"nearprint {metadata.version('nearprint')} ({code:016x})"
    yield pa.record_batch({"identity": [told]})


def _runs(batches: Iterable[pa.RecordBatch], column: str) -> Iterator[tuple[int, pa.Table]]:
    """Put together the rows that have the same value in a column, where they follow each other."""
    held: list[pa.RecordBatch] = []
    value = 0
    for batch in batches:
        values = batch.column(column).to_numpy()
        ends = [*(np.flatnonzero(np.diff(values)) + 1), len(values)]
        start = 0
        for end in ends if len(values) else []:
            if held and values[start] != value:
                yield value, pa.Table.from_batches(held)
                held = []
            value = int(values[start])
            held.append(batch.slice(start, end - start))
            start = end
    if held:
        yield value, pa.Table.from_batches(held)
