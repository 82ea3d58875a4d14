"""What the index benchmark measures: rows of steps, each one run of one program.

A step has a name, a command, the bytes of memory that it needs, the files of counts that it writes
and the step whose counts must equal its own.
"""
import dataclasses
import pathlib
import sys

import result

DATA = result.BENCHMARKS / "data" / "index"
GB = 10**9
SIZES = {"1M": 10**6, "10M": 10**7, "20M": 2 * 10**7, "100M": 10**8, "1000M": 10**9}
ROWS = ["search", "join", "stream", "wide", "loose", "real", "compact", "billion"]
MAIN = "10M"  # the size of the rows that have one size
# Parts that the fingerprint is cut into, by width and radius.
WIDE = [(128, 3, "10M", "parts:4"), (128, 8, "10M", "parts:5"), (256, 16, "1M", "parts:8")]
COPIES_OF_REAL = 10**7
BILLION_SORTING = 4 * GB  # the whole build takes about half as much again


@dataclasses.dataclass(frozen=True)
class Codes:
    """A file of codes with queries beside it."""
    name: str
    n: int
    width: int = 64
    flips: int = 3
    base: pathlib.Path | None = None
    asked: int = 1_000_000

    @property
    def path(self):
        return DATA / f"{self.name}.u64"

    @property
    def queries(self):
        return DATA / f"{self.name}.queries.u64"

    def generate(self, bench):
        """The command that writes both files."""
        command = [bench, "generate", self.path, "--n", self.n, "--width", self.width,
                   "--flips", self.flips, "--queries", self.queries, "--asked", self.asked]
        return command + (["--base", self.base] if self.base else [])


@dataclasses.dataclass(frozen=True)
class Step:
    """One run of one program."""
    name: str
    codes: Codes
    command: list
    memory: int
    counts: pathlib.Path | None = None
    equal_counts: str | None = None  # the step whose counts must be the same
    equal_pairs: str | None = None  # the step whose pairs must be the same
    scratch: pathlib.Path | None = None  # a file to delete afterwards


def uniform(size):
    return Codes(f"uniform-{size}", SIZES[size])


def tag(name):
    """A step's name as part of a file's."""
    return name.replace("/", "-")


class Programs:
    """The programs that steps run."""

    def __init__(self, bench, time_join, runs):
        self.bench, self.time_join, self.runs = bench, time_join, runs

    def search(self, name, codes, ks, layout="parts:2", asked=10_000, runs=None, needs=None, **options):
        """Our search; the counts of the last radius are kept."""
        counts = DATA / f"{tag(name)}.counts"
        command = [self.bench, "search", codes.path, "--width", codes.width, "--queries", codes.queries,
                   "--k", ",".join(map(str, ks)), "--layout", layout, "--asked", asked,
                   "--runs", runs or self.runs, "--counts", counts]
        for option, value in options.items():
            command += [f"--{option}", value]
        k = 3 if 3 in ks else ks[-1]
        # A segment of two tables, what sorts one, and queries.
        needed = needs or 3 * codes.n * codes.width // 8 + min(4 * GB, codes.n * (codes.width // 8 + 8)) + GB // 2
        scratch = options.get("segment")
        return Step(name, codes, command, needed, counts.with_name(f"{counts.name}.k{k}"), scratch=scratch)

    def peer_search(self, name, codes, peer, equal, bytes_each, asked=10_000, runs=None, cold=False):
        counts = DATA / f"{tag(name)}.counts"
        command = [sys.executable, result.BENCHMARKS / "peers" / "search_peer.py", peer, codes.path,
                   codes.queries, counts, "--asked", asked, "--runs", runs or self.runs]
        command += ["--cold"] if cold else []
        return Step(name, codes, command, codes.n * bytes_each + GB, counts, equal_counts=equal)

    def join(self, name, codes, k, threads, by="plan", runs=None, equal=None):
        command = [self.bench, "join", codes.path, "--width", codes.width, "--k", k, "--by", by,
                   "--threads", threads, "--runs", runs or self.runs]
        return Step(name, codes, command, codes.n * (codes.width // 2 + 16) + GB, equal_pairs=equal)

    def peer_join(self, name, codes, equal):
        runs = self.runs if codes.n <= 10**7 else 3
        return Step(name, codes, [self.time_join, codes.path, 3, runs], codes.n * 85 + GB, equal_pairs=equal)

    def stream(self, name, codes, threads, equal):
        counts = DATA / f"{tag(name)}.counts"
        command = [self.bench, "stream", codes.path, "--queries", codes.queries, "--k", 3,
                   "--threads", threads, "--runs", self.runs, "--counts", counts]
        return Step(name, codes, command, GB, counts, equal_counts=equal)


def search(programs, sizes, optional):
    for size in sizes:
        codes, own = uniform(size), f"search/{size}/memory"
        yield programs.search(own, codes, range(1, 8))
        yield programs.search(f"search/{size}/mapped", codes, [3], segment=DATA / f"{size}.segment")
        yield programs.peer_search(f"search/{size}/hammingbird", codes, "hammingbird", own, 80)
        if codes.n <= 10**7:
            yield programs.peer_search(f"search/{size}/faiss-multihash", codes, "faiss-multihash", own, 250)
        if optional:
            yield programs.peer_search(f"search/{size}/faiss-hash", codes, "faiss-hash", own, 80)


def join(programs, sizes, _optional):
    for size in sizes:
        codes, own = uniform(size), f"join/{size}/1"
        runs = programs.runs if codes.n <= 10**7 else 3
        yield programs.join(own, codes, 3, 1, runs=runs)
        yield programs.join(f"join/{size}/2", codes, 3, 2, runs=runs, equal=own)
        yield programs.peer_join(f"join/{size}/all-pairs-hamming", codes, own)


def stream(programs, _sizes, optional):
    codes, own = uniform(MAIN), "stream/search"
    # A million queries in all, by another method: the counts to compare with.
    yield programs.search(own, codes, [3], asked=100_000, runs=9)
    yield programs.stream("stream/1", codes, 1, own)
    yield programs.stream("stream/2", codes, 2, own)
    if optional:
        for peer, bytes_each in (("faiss-multihash", 250), ("hammingbird", 80)):
            yield programs.peer_search(f"stream/{peer}", codes, peer, own, bytes_each, 1_000_000, 1, cold=True)


def wide(programs, _sizes, _optional):
    for width, k, size, layout in WIDE:
        codes = Codes(f"uniform-{size}-{width}-{k}", SIZES[size], width, k, asked=60_000)
        yield programs.search(f"wide/{width}/{k}", codes, [k], layout, asked=2000)


def loose(programs, _sizes, _optional):
    codes, own = Codes("uniform-1M-128-24", 10**6, 128, 24, asked=1000), "loose/plan/1"
    yield programs.join(own, codes, 24, 1, runs=3)
    yield programs.join("loose/plan/2", codes, 24, 2, runs=3, equal=own)
    yield programs.join("loose/scan/1", codes, 24, 1, by="scan", runs=1, equal=own)
    yield programs.join("loose/scan/2", codes, 24, 2, by="scan", runs=1, equal=own)


def real(programs, _sizes, _optional):
    codes, own = Codes("real-10M", COPIES_OF_REAL, base=DATA / "real.u64"), "real/join/1"
    yield programs.search("real/search", codes, range(1, 8))
    yield programs.search("real/stream/search", codes, [3], asked=100_000, runs=9)
    yield programs.stream("real/stream", codes, 1, "real/stream/search")
    yield programs.join(own, codes, 3, 1)
    yield programs.join("real/join/2", codes, 3, 2, equal=own)
    yield programs.peer_join("real/join/all-pairs-hamming", codes, own)


def compact(programs, sizes, _optional):
    for size in sizes:
        if SIZES[size] >= 10**7:
            yield programs.search(f"compact/{size}", uniform(size), [1, 2, 3], "parts:1", asked=2000)


def billion(programs, size):
    codes = uniform(size)
    yield programs.search(
        f"billion/{size}", codes, [3], segment=DATA / f"billion-{size}.segment", checked=20,
        threads=2, batch=1_000_000, needs=3 * BILLION_SORTING, memory=BILLION_SORTING)


def steps(programs, rows, sizes, billion_size, optional):
    """Every step of the rows asked for, in order."""
    makers = {"search": search, "join": join, "stream": stream, "wide": wide, "loose": loose,
              "real": real, "compact": compact}
    for row in rows:
        if row == "billion":
            yield from billion(programs, billion_size)
        else:
            yield from makers[row](programs, sizes, optional)
