"""The units of a job in shards, as `crates/dedup/src/shards/plan.rs` decides them, and what their costs depend on.

What a unit costs is a sum over the names of QUANTITIES, MEMORY and WRITTEN: so much of each for the unit, times a
coefficient that `shard_costs.py` fits to measured units.
"""
import dataclasses
import itertools
import math

STAGES = ("sketch", "join", "cluster", "gather", "solve", "write")
# As in plan.rs: bytes of input to a range and to a shard, and how many there are.
RANGE, RANGES = 8 << 30, 256
TOGETHER = 1  # bands of a unit of `join`, where there is one range
SHARD, SHARDS = 1 << 30, (4, 4096)
# As in shard_job.rs: documents have numbers of 32 bits, and the last of these is no number.
MOST_DOCUMENTS = (1 << 32) - 2
# As in unit_file.rs and gather.rs: bytes of rows that wait to be written, at most.
GROUP, HELD = 16 << 20, 128 << 20
# As in schema.rs: bytes of a row in memory, about.
SKETCH_ROW, BAND, SOLVE_ROW = 56, 5, 128

# What seconds of processor depend on. `opened`: files of units that the unit opens; `corpus` and `joined`: documents of
# the corpus, and of them those in components; `range`: documents of a range; `sorted`: these times the logarithm that
# sorting takes, for each band; `keys`: documents of the corpus for each band; the others are of the unit itself.
QUANTITIES = {
    "sketch": ("unit", "documents", "bytes"),
    "join": ("unit", "opened", "corpus", "sorted"),
    "cluster": ("unit", "opened", "corpus", "joined"),
    "gather": ("unit", "opened", "documents", "bytes", "members", "member_bytes"),
    "solve": ("unit", "opened", "members", "member_bytes"),
    "write": ("unit", "opened", "bytes", "joined"),
}
MEMORY = {
    "sketch": ("unit", "held_bytes"),
    "join": ("unit", "range"),
    "cluster": ("unit", "corpus", "joined"),
    "gather": ("unit", "members", "held_bytes"),
    "solve": ("unit", "members", "member_bytes"),
    "write": ("unit", "joined", "held_bytes"),
}
WRITTEN = {
    "sketch": ("unit", "documents"),
    "join": ("unit", "range"),
    "cluster": ("unit", "joined"),
    "gather": ("unit", "members", "member_bytes"),
    "solve": ("unit", "members"),
    "write": ("unit",),
}
# Columns of other stages that a unit reads, and for each row of what.
READ = {
    "sketch": (),
    "join": (("sketch", ("state", "fingerprint", "content"), "corpus"), ("sketch", ("band",), "keys")),
    "cluster": (("sketch", ("id_hashes",), "corpus"),),
    "gather": (("sketch", None, "documents"), ("cluster", None, "members")),
    "solve": (("gather", None, "members"),),
    "write": (("sketch", ("state",), "documents"), ("solve", ("number", "head"), "joined")),
}


@dataclasses.dataclass
class Job:
    """A job: its input files, as documents, bytes and documents in components of each; its ranges and shards."""
    files: list
    bands: int
    ranges: int
    together: int  # bands of a unit of `join`
    shard_members: list  # documents in components, by shard
    out_bytes: float = 0  # what stays of the input
    largest: int = 0  # documents of the largest component

    def __post_init__(self):
        self.documents, self.bytes, self.joined = (sum(column) for column in zip(*self.files))
        self.shards = len(self.shard_members)

    def units(self, stage):
        """Of each unit of a stage how much there is of each quantity."""
        count, document_bytes = len(self.files), self.bytes / max(self.documents, 1)
        whole = {"unit": 1, "corpus": self.documents, "joined": self.joined}
        if stage == "cluster":
            return [whole | {"opened": 3 * count + len(self.join_units()) * self.ranges}]
        if stage == "join":
            of_range = self.documents / self.ranges
            whole |= {"opened": count, "range": of_range}
            effort = of_range * math.log2(of_range + 1)
            # Contents are sorted as a band is.
            return [whole | {"sorted": max(bands, 1) * effort, "keys": bands * self.documents}
                    for bands in self.join_units() for _ in range(self.ranges)]
        if stage == "solve":
            return [whole | {"opened": count, "members": members, "member_bytes": members * document_bytes}
                    for members in self.shard_members]
        # To number its documents, a unit opens the sketches of all files before its own.
        opened = {"sketch": lambda _: 0, "gather": lambda number: number + 2,
                  "write": lambda number: number + 2 + self.shards}[stage]
        units = [whole | {"opened": opened(number), "documents": documents, "bytes": size, "members": members,
                          "member_bytes": members * size / max(documents, 1)}
                 for number, (documents, size, members) in enumerate(self.files)]
        for unit in units:
            unit["held_bytes"] = {"sketch": min(unit["documents"] * (SKETCH_ROW + BAND * self.bands), GROUP),
                                  "gather": min(unit["member_bytes"], HELD),
                                  "write": min(self.joined / self.shards * SOLVE_ROW, GROUP)}[stage]
        return units

    def join_units(self):
        """The bands of each unit of `join` of a range; of contents none."""
        return [min(self.together, self.bands - first) for first in range(0, self.bands, self.together)] + [0]


def ranges_of(size):
    """The ranges of a job over so many bytes."""
    return min(size // RANGE + 1, RANGES)


def together_of(ranges):
    """The bands of a unit of `join` of a job with so many ranges."""
    return TOGETHER if ranges == 1 else 1


def shards_of(size):
    """The shards of a job over so many bytes."""
    return min(max(size // SHARD, SHARDS[0]), SHARDS[1])


def jobs_of(documents):
    """The jobs that so many documents are at least."""
    return -(-documents // MOST_DOCUMENTS)


def packed(joined, largest, shards):
    """Documents in components by shard, as `cluster` packs them: the largest components, and all others evenly."""
    loads = []
    for size in sorted(largest, reverse=True):
        if len(loads) == shards - 1 or size * (shards - len(loads)) <= joined - sum(loads):
            break
        loads.append(min(size, joined - sum(loads)))
    rest, left = joined - sum(loads), shards - len(loads)
    return loads + [rest // left + (at < rest % left) for at in range(left)]


def measured(figures):
    """The job of which figures were measured."""
    members = figures.get("file_members", itertools.repeat(0))
    files = list(zip(figures["file_documents"], figures["file_bytes"], members))
    shards = figures.get("shard_members", [0] * figures["shards"])
    return Job(files, figures["bands"], figures["ranges"], figures["together"], shards, figures["out_bytes"] or 0)
