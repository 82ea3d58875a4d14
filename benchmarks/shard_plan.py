"""The units of a job in shards, as `crates/dedup/src/shards/plan.rs` decides them, and what their costs depend on.

What a unit costs is a sum over the names of QUANTITIES, MEMORY and WRITTEN: so much of each for the unit, times a
coefficient that `shard_costs.py` fits to measured units.
"""
import dataclasses
import math

STAGES = ("sketch", "join", "cluster", "gather", "solve", "write")
# As in plan.rs: bytes of input to a range and to a shard, and how many there are.
RANGE, RANGES = 8 << 30, 256
TOGETHER = 3  # bands of a unit of `join`, where there is one range
SHARD, SHARDS = 1 << 30, (4, 4096)
# As in cluster.rs: documents that are linked have places of 32 bits, and the last of these is no place.
MOST_LINKED = (1 << 32) - 2
# As in unit_file.rs and gather.rs: bytes of rows that wait to be written, at most, and what a row takes besides.
GROUP, HELD, OF_ROW = 16 << 20, 128 << 20, 256
# As in unit_file.rs: bytes of a file that are read to open it.
TAIL = 1 << 16
# As in gather.rs: row groups of a file, and the part of those left that documents that wait are written in.
GATHER_GROUPS, GATHER_PART = 1 << 14, 32
# As in solve.rs: row groups of a file, where input files end.
SOLVE_GROUPS = 256
# As in schema.rs: bytes of a row in memory, about; of a sketch without its bands.
SKETCH_ROW, BAND, LINK_ROW, CLUSTER_ROW, SOLVE_ROW = 72, 5, 16, 16, 128

# What seconds of processor depend on. `opened`: files of units that the unit opens; `groups`: their row groups; `made`:
# row groups that it writes; `corpus` and `joined`: documents of the corpus, and of them those in components; `range`:
# documents of a range, and `range_joined` of them those in components; `keyed`, `range_keyed` and `joined_keyed`: the
# same for each band, of the corpus, a range, and those in components; `sorted`: those of a range for each band, times
# the logarithm that sorting takes; `coded`: documents whose fingerprints are read; `linked`: documents in components
# for each unit that links them; `looked`: rows of another stage that are read to find those of the unit; the others are
# of the unit itself.
QUANTITIES = {
    "sketch": ("unit", "documents", "bytes"),
    "join": ("unit", "opened", "corpus", "keyed", "sorted"),
    "cluster": ("unit", "opened", "corpus", "joined", "linked"),
    "gather": ("unit", "made", "documents", "bytes", "members", "member_bytes", "looked"),
    "solve": ("unit", "opened", "groups", "made", "members", "member_bytes"),
    "write": ("unit", "opened", "groups", "bytes", "looked"),
}
MEMORY = {
    "sketch": ("unit", "held_bytes"),
    "join": ("unit", "range", "range_keyed"),
    "cluster": ("unit", "corpus", "joined", "held_bytes"),
    "gather": ("unit", "members", "held_bytes"),
    "solve": ("unit", "members", "member_bytes"),
    "write": ("unit", "members", "held_bytes"),
}
# As in join.rs and cluster.rs: bytes of memory at least, which small jobs do not show; every document with an id.
MEMORY_LEAST = {"join": {"range": 56, "range_keyed": 5}, "cluster": {"corpus": 12 / 64 + 1 / 2, "joined": 8}}
WRITTEN = {
    "sketch": ("unit", "documents"),
    "join": ("unit", "range_joined", "joined_keyed"),
    "cluster": ("unit", "joined"),
    "gather": ("unit", "made", "members", "member_bytes"),
    "solve": ("unit", "made", "members"),
    "write": ("unit",),
}
# Columns of other stages that a unit reads, and for each row of what.
READ = {
    "sketch": (),
    "join": (("sketch", ("state", "content"), "corpus"), ("sketch", ("fingerprint",), "coded"),
             ("sketch", ("band",), "keyed")),
    "cluster": (("sketch", ("id_hashes",), "corpus"),),
    "gather": (("sketch", None, "documents"), ("cluster", None, "looked")),
    "solve": (("gather", None, "looked"),),
    "write": (("sketch", ("state",), "documents"), ("solve", ("number", "removed"), "looked")),
}
# The stage of which a unit opens so many row groups that what is said of them counts.
GROUPS_OF = {"solve": "gather", "write": "solve"}


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
        return getattr(self, f"_{stage}")({"unit": 1, "opened": 0, "groups": 0, "corpus": self.documents,
                                           "joined": self.joined})

    def _sketch(self, whole):
        row = SKETCH_ROW + BAND * self.bands
        return [unit | {"held_bytes": min(unit["documents"] * row, GROUP)} for unit in self._of_files(whole)]

    def _join(self, whole):
        of_range, joined = self.documents / self.ranges, self.joined / self.ranges
        effort = of_range * math.log2(of_range + 1)
        whole |= {"opened": len(self.files), "range": of_range, "range_joined": joined}
        # Contents are sorted as a band is.
        return [whole | {"sorted": max(bands, 1) * effort, "keyed": bands * self.documents,
                         "coded": self.documents if bands else 0, "range_keyed": bands * of_range,
                         "joined_keyed": bands * joined}
                for bands in self.join_units() for _ in range(self.ranges)]

    def _cluster(self, whole):
        links = len(self.join_units())
        return [whole | {"opened": len(self.files) + 2 * links * self.ranges, "linked": links * self.joined,
                         "held_bytes": min(self.joined * CLUSTER_ROW, GROUP)}]

    def _gather(self, whole):
        return [unit | {"opened": 2, "held_bytes": min(held(unit), HELD), "made": self._gathered(unit)[0],
                        "looked": min(self.joined, unit["members"] + GROUP // CLUSTER_ROW)}
                for unit in self._of_files(whole)]

    def _solve(self, whole):
        count, of_document = len(self.files), self.bytes / max(self.documents, 1)
        files = [self._gathered(unit) for unit in self._of_files(whole)]
        # Every file is opened for its documents, and once more for their features.
        whole |= {"opened": 2 * count + 1, "groups": 2 * sum(groups for groups, _ in files)}
        runs = sum(run for _, run in files) / max(count, 1)
        return [whole | {"members": members, "member_bytes": members * of_document, "made": self._solved(members),
                         "looked": min(self.joined, runs * members)} for members in self.shard_members]

    def _write(self, whole):
        # A file of a shard is opened for its row groups, and once more for the one with documents of the unit.
        run = -(-len(self.files) // SOLVE_GROUPS)
        groups = sum(map(self._solved, self.shard_members)) / self.shards
        opened = [self.shards + min(self.shards, members) for _, _, members in self.files]
        return [unit | {"opened": 2 + files, "groups": files * groups,
                        "looked": min(self.joined, run * unit["members"]),
                        "held_bytes": min(run * unit["members"] / self.shards * SOLVE_ROW, GROUP)}
                for unit, files in zip(self._of_files(whole), opened)]

    def _of_files(self, whole):
        """What there is of each input file."""
        return [whole | {"documents": documents, "bytes": size, "members": members,
                         "member_bytes": members * size / max(documents, 1)}
                for documents, size, members in self.files]

    def _gathered(self, unit):
        """Row groups that `gather` makes of an input file, and the shards that one covers."""
        groups, left = 0, held(unit)
        shards = min(self.shards, unit["members"])
        run = 1
        while left > 0 and shards:
            waiting = min(left, HELD)
            most = max(GATHER_GROUPS - groups, 0) // GATHER_PART + 1
            run = max(run, shards // most + 1)
            groups += max(-(-shards // run), round(waiting / GROUP))
            left -= waiting
        return groups, run

    def _solved(self, members):
        """Row groups that `solve` makes of a shard with so many documents in components."""
        count = len(self.files)
        by_files = min(-(-count // -(-count // SOLVE_GROUPS)), members)
        return max(by_files, round(members * SOLVE_ROW / GROUP))

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


def jobs_of(documents, joined_share):
    """The jobs that so many documents are at least, of which such a share is in components."""
    return max(1, math.ceil(documents * joined_share / MOST_LINKED))


def held(unit):
    """Bytes in memory of the documents in components of an input file, about."""
    return unit["member_bytes"] + OF_ROW * unit["members"]


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
    files = list(zip(figures["file_documents"], figures["file_bytes"], figures["file_members"]))
    return Job(files, figures["bands"], figures["ranges"], figures["together"], figures["shard_members"],
               figures["out_bytes"] or 0)
