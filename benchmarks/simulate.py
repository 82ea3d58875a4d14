#!/usr/bin/env python3
"""Jobs in shards on many workers, simulated from the measured costs of units: hours, bytes, largest units, cost.

The plan is that of `nearprint shard create` (`shard_plan.py`), and what a unit costs is fitted to the newest result of
`shards.py` (`shard_costs.py`). A simulated corpus is like a measured one: as many bytes a document, as many documents in
components, files as unlike each other. Components larger than any measured one follow the tail of the measured ones.
Each run draws these anew, and slow workers and failures too.

    scripts/bench simulate                                      the sizes of docs/scale.md; --page writes them there
    scripts/bench simulate --documents 8e9 --workers 200 --cores 2
    scripts/bench simulate --work work/ --workers 20            a job that `create` made
"""
import argparse
import heapq
import json
import math
import pathlib
import random
import re
import statistics
import sys

import result
import shard_costs
import shard_plan

PAGE = result.REPOSITORY / "docs" / "scale.md"
BEGIN, END = "<!-- simulate: begin -->", "<!-- simulate: end -->"
SIZES = "10M,1B,8B,100B"
UNITS = {"k": 10**3, "M": 10**6, "B": 10**9, "G": 10**9, "T": 10**12}
DRAWN = 20_000  # largest components that are drawn one by one
TAIL = 50  # measured components that the tail is fitted to
BAR = 1.3
MONTH = 30 * 24  # hours


def number(text):
    """A number such as 8e9, 8B or 250k."""
    found = re.fullmatch(r"([0-9.]+(?:e[0-9]+)?)([kMBGT]?)", text)
    try:
        return float(found[1]) * UNITS.get(found[2], 1)
    except (TypeError, ValueError):
        raise argparse.ArgumentTypeError(f"{text!r} is no number; write 8e9, 8B or 250k") from None


def count(text):
    """A number from 1."""
    if number(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return round(number(text))


def share(text):
    """A number from 0 to less than 1."""
    if not 0 <= number(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no share: give 0 or more, and less than 1")
    return number(text)


class Tail:
    """The sizes of the largest components of a corpus like a measured one."""

    def __init__(self, like):
        sizes = sorted((int(size) for size, many in like["components"].items() for _ in range(many)), reverse=True)
        self.components, self.documents = len(sizes), sum(like["file_documents"])
        highest = sizes[:min(TAIL, max(1, len(sizes) // 10))]
        self.least, self.share = highest[-1], len(highest) / len(sizes)
        # Hill's estimate of the exponent.
        above = statistics.fmean(math.log(size / self.least) for size in highest)
        self.exponent = 1 / above if above else math.inf

    def largest(self, documents, joined, chance):
        """Sizes of the largest components of so many documents, the greatest first."""
        many = self.components * self.share * documents / self.documents
        found, arrived = [], 0.0
        for _ in range(min(DRAWN, math.ceil(many))):
            arrived += chance.expovariate(1.0)
            size = self.least * (many / arrived) ** (1 / self.exponent)
            found.append(min(round(max(size, self.least)), joined))
        return found


def drawn(documents, like, tail, args, chance):
    """A job of so many documents, like a measured one."""
    of_document = args.document_bytes or sum(like["file_bytes"]) / tail.documents
    size = documents * of_document
    files = max(1, round(size / args.file_bytes))
    mean = statistics.fmean(like["file_bytes"])
    unlike = [chance.choice(like["file_bytes"]) / mean for _ in range(files)]
    scale = documents / sum(unlike)
    joined_share = sum(like["file_members"]) / tail.documents
    rows = [[round(one * scale), round(one * scale * of_document), round(one * scale * joined_share)] for one in unlike]
    joined = sum(members for _, _, members in rows)
    largest = tail.largest(documents, joined, chance)
    if args.largest:
        largest.insert(0, round(args.largest * documents))
    shards = shard_plan.packed(joined, largest, shard_plan.shards_of(round(size)))
    job = shard_plan.Job(rows, like["bands"], shard_plan.ranges_of(round(size)), shards)
    job.largest = max(largest, default=0)
    job.written = size * like["out_bytes"] / sum(like["file_bytes"])
    return job


def of_folder(folder, costs, like, tail):
    """The job of a folder: its plan, and what its files tell of the stages that are done."""
    plan = json.loads((folder / "plan.json").read_text())
    sizes = [int(version.split()[0]) for _, version, _ in plan["job"]["input"]]

    def undone(stage, units, quantity, otherwise):
        """So much of a quantity in each unit as the size of its file tells; `otherwise` where there is none."""
        coefficients, found = costs.written[stage], []
        for unit in range(units):
            path = folder / stage / f"{unit:05}.parquet"
            known = path.exists() and coefficients.get(quantity)
            found.append(round(max(0, path.stat().st_size - coefficients["unit"]) / coefficients[quantity])
                         if known else otherwise(unit))
        return found

    of_document = sum(like["file_bytes"]) / tail.documents
    documents = undone("sketch", len(sizes), "documents", lambda unit: round(sizes[unit] / of_document))
    joined_share = sum(like["file_members"]) / tail.documents
    members = [round(joined_share * many) for many in documents]
    shards = undone("solve", plan["shards"], "members", lambda unit: sum(members) // plan["shards"])
    if not plan["job"]["candidates"].split()[0].isdigit():
        sys.exit(f"{folder}: candidates are {plan['job']['candidates']}; only jobs by bands are measured")
    job = shard_plan.Job(list(zip(documents, sizes, members)), int(plan["job"]["candidates"].split()[0]),
                         plan["ranges"], shards)
    job.largest = 0
    job.written = sum(sizes) * like["out_bytes"] / sum(like["file_bytes"])
    return job


class Fleet:
    """Workers of some cores, some of them slow; each core does one task at a time."""

    def __init__(self, args, chance):
        slow = [args.slow if chance.random() < args.stragglers else 1.0 for _ in range(args.workers)]
        self.factors = [factor for factor in slow for _ in range(args.cores)]
        self.bandwidth = args.bandwidth / args.cores
        self.start, self.failures, self.tasks, self.chance = args.start, args.failures, args.tasks, chance

    def run(self, seconds):
        """Does a stage of units of so many seconds: seconds of wall, of cores at work, and failures."""
        tasks = min(len(seconds), self.tasks or 4 * len(self.factors))
        free = [(0.0, core) for core in range(len(self.factors))]
        self.chance.shuffle(free)
        heapq.heapify(free)
        busy, failed = 0.0, 0
        for task in range(tasks):
            begun, core = heapq.heappop(free)
            taken = self.start
            for unit in range(task, len(seconds), tasks):
                while self.failures and self.chance.random() < self.failures:
                    # The task ends with the unit, and is started again.
                    taken += self.chance.random() * seconds[unit] * self.factors[core] + self.start
                    failed += 1
                taken += seconds[unit] * self.factors[core]
            busy += taken
            heapq.heappush(free, (begun + taken, core))
        return max(end for end, _ in free), busy, failed


def replay(job, costs, fleet, chance=None):
    """A run of a job: of each stage its figures. Units differ from their costs where there is chance."""
    found = {}
    for stage in shard_plan.STAGES:
        units = job.units(stage)
        written = [shard_costs.total(costs.written[stage], unit) for unit in units]
        reads = [costs.read(stage, unit) for unit in units]
        if stage in ("sketch", "gather", "write"):
            reads = [read + unit["bytes"] for read, unit in zip(reads, units)]
        if stage == "cluster":
            reads = [reads[0] + found["join"]["written_bytes"]]
        if stage == "write":
            written = [one + job.written * unit["bytes"] / job.bytes for one, unit in zip(written, units)]
        spread = costs.spread[stage] if chance else 0.0
        processor = [shard_costs.total(costs.seconds[stage], unit)
                     * (math.exp(chance.gauss(-spread * spread / 2, spread)) if spread else 1.0) for unit in units]
        seconds = [cpu + (read + write) / fleet.bandwidth for cpu, read, write in zip(processor, reads, written)]
        wall, busy, failed = fleet.run(seconds)
        found[stage] = {
            "units": len(units), "wall_s": wall, "busy_s": busy, "cpu_s": sum(processor), "failures": failed,
            "read_bytes": sum(reads), "written_bytes": sum(written), "unit_s": max(seconds),
            "unit_bytes": max(shard_costs.total(costs.memory[stage], unit) for unit in units)}
    return found


def simulated(documents, costs, like, args):
    """The figures of a corpus of so many documents: medians over the runs, and percentiles of the wall time."""
    tail = Tail(like)
    jobs = 1 if args.work else math.ceil(documents / shard_plan.MOST_DOCUMENTS)
    runs = []
    for run in range(args.runs):
        chance = random.Random(f"{args.seed} {documents} {run}")
        fleet, parts = Fleet(args, chance), []
        for _ in range(jobs):
            job = (of_folder(args.work, costs, like, tail) if args.work
                   else drawn(documents / jobs, like, tail, args, chance))
            parts.append((job, replay(job, costs, fleet, chance)))
        runs.append((parts, {stage: {key: (max if key.startswith("unit_") else sum)(part[stage][key] for _, part in parts)
                                     for key in parts[0][1][stage]} for stage in shard_plan.STAGES}))
    job = runs[0][0][0][0]
    stages = {stage: {key: statistics.median(whole[stage][key] for _, whole in runs) for key in runs[0][1][stage]}
              for stage in shard_plan.STAGES}
    walls = sorted(sum(stage["wall_s"] for stage in whole.values()) / 3600 for _, whole in runs)
    total = {key: sum(stage[key] for stage in stages.values()) for key in ("cpu_s", "busy_s", "read_bytes", "written_bytes")}
    reserved = statistics.median(walls) * args.workers * args.cores
    # Files of a job go when the next begins.
    stored = (total["written_bytes"] - stages["write"]["written_bytes"]) / jobs
    moved = total["read_bytes"] + total["written_bytes"]
    largest = max(part[0].largest for parts, _ in runs for part in parts)
    solve, of_document = costs.seconds["solve"], job.bytes / job.documents
    giant = {"unit": 1, "opened": len(job.files), "members": job.documents / 1000,
             "member_bytes": job.documents / 1000 * of_document}
    cost = {"cores": reserved * args.core_hour, "storage": stored / 1e9 * statistics.median(walls) / MONTH * args.gb_month,
            "transfer": moved / 1e9 * args.transfer_gb}
    return {
        "documents": round(documents), "jobs": jobs, "documents_a_job": job.documents, "bytes": job.bytes * jobs,
        "files_a_job": len(job.files), "ranges": job.ranges, "shards": job.shards,
        "hours": {"median": statistics.median(walls), "p5": walls[round(0.05 * (len(walls) - 1))],
                  "p95": walls[round(0.95 * (len(walls) - 1))]},
        "core_hours": {"processor": total["cpu_s"] / 3600, "at_work": total["busy_s"] / 3600, "reserved": reserved},
        "stored_bytes": stored, "moved_bytes": moved, "moved_bytes_a_document": moved / documents,
        "stored_bytes_a_document": stored * jobs / documents, "processor_s_a_document": total["cpu_s"] / documents,
        "largest_component": largest,
        "component_of_a_thousandth": {"documents": round(job.documents / 1000), "hours": shard_costs.total(solve, giant) / 3600,
                                      "bytes": shard_costs.total(costs.memory["solve"], giant)},
        "cost": cost | {"all": sum(cost.values())}, "stages": stages}


def checked(figures):
    """Simulated beside measured: jobs of two workers of one core, the costs fitted without the job that is checked."""
    bars = []
    for name, measured in figures["measured"].items():
        one = figures["units"][name]
        # Another job of short documents has to be there, or all jobs are fitted.
        others = [other for other in figures["measured"] if other != name]
        costs = shard_costs.Costs(figures["units"], but=[name] if others else [])
        still = argparse.Namespace(workers=2, cores=1, stragglers=0.0, slow=1.0, bandwidth=math.inf, failures=0.0,
                                   start=costs.start, tasks=2)
        job = shard_plan.measured(one)
        for stage, units in one["stages"].items():
            if len(units["cpu_s"]) != len(job.units(stage)):
                sys.exit(f"{name}: {stage} was measured with {len(units['cpu_s'])} units, and the simulation has "
                         f"{len(job.units(stage))}; bring benchmarks/shard_plan.py up to date, or measure shards again")
        job.written = one["out_bytes"]
        found = replay(job, costs, Fleet(still, random.Random(0)))
        runs = measured["shards"]
        for what, key, value in (("wall", "wall_s", sum(stage["wall_s"] for stage in found.values())),
                                 ("processor", "cpu_s", sum(stage["busy_s"] for stage in found.values()))):
            ratio = value / statistics.median(run[key] for run in runs)
            bars.append({"what": f"{name}: simulated {what} beside measured", "bar": f"within {BAR} times",
                         "value": round(ratio, 3), "met": 1 / BAR <= ratio <= BAR})
    return bars


def size_text(size):
    """Bytes in the unit that fits."""
    for power, name in ((15, "PB"), (12, "TB"), (9, "GB"), (6, "MB")):
        if size >= 10**power:
            return f"{size / 10**power:.3g} {name}"
    return f"{size:.0f} B"


def many_text(many):
    """A number of documents: 8B, 10M."""
    name, unit = next(((name, UNITS[name]) for name in "BMk" if many >= UNITS[name]), ("", 1))
    return f"{many / unit:.4g}{name}"


def show(one, args):
    """Prints the figures of one size."""
    print(f"\n{many_text(one['documents'])} documents, {size_text(one['bytes'])}, on {args.workers} workers of "
          f"{args.cores} cores: {one['files_a_job']} files, {one['ranges']} ranges and {one['shards']} shards a job")
    if one["jobs"] > 1:
        print(f"A job takes at most {shard_plan.MOST_DOCUMENTS} documents today. These are {one['jobs']} jobs, one after "
              "the other;\nnear-duplicates in different jobs are not found. Cut where there are few: by language, or by "
              "host.")
    rows = [[stage, str(round(figure["units"])), f"{figure['wall_s'] / 3600:.3f}", f"{figure['cpu_s'] / 3600:.2f}",
             size_text(figure["read_bytes"]), size_text(figure["written_bytes"]), f"{figure['unit_s']:.1f}",
             size_text(figure["unit_bytes"])] for stage, figure in one["stages"].items()]
    print(result.table(["stage", "units", "hours", "core-hours", "read", "written", "largest unit, s", "its memory"], rows))
    hours, cores, cost, giant = one["hours"], one["core_hours"], one["cost"], one["component_of_a_thousandth"]
    print(f"hours: {hours['median']:.2f} ({hours['p5']:.2f} to {hours['p95']:.2f}); core-hours: "
          f"{cores['processor']:.1f} of processor, {cores['reserved']:.1f} reserved; {one['processor_s_a_document'] * 1e6:.1f} "
          "us of processor a document")
    print(f"bytes: {size_text(one['stored_bytes'])} stored between stages, {size_text(one['moved_bytes'])} moved; a document: "
          f"{one['stored_bytes_a_document']:.0f} stored, {one['moved_bytes_a_document']:.0f} moved")
    print(f"cost: {cost['all']:.2f} at the prices given: cores {cost['cores']:.2f}, storage {cost['storage']:.2f}, transfer "
          f"{cost['transfer']:.2f}")
    print(f"components: the largest has {one['largest_component']} documents; one of a thousandth of a job, "
          f"{giant['documents']} documents, would take one unit {giant['hours']:.2f} hours and {size_text(giant['bytes'])}")


def page(sizes, args, source, bars):
    """The table of docs/scale.md."""
    header = ["documents", "input", "jobs", "hours", "core-hours", "stored", "moved", "units a job", "largest unit",
              "its memory", "`cluster`: time, memory", "cost"]
    rows = []
    for one in sizes:
        others = {stage: figure for stage, figure in one["stages"].items() if stage != "cluster"}
        longest = max(others, key=lambda stage: others[stage]["unit_s"])
        greatest = max(others, key=lambda stage: others[stage]["unit_bytes"])
        cluster = one["stages"]["cluster"]
        rows.append([
            many_text(one["documents"]), size_text(one["bytes"]), str(one["jobs"]),
            f"{one['hours']['median']:.2g} ({one['hours']['p5']:.2g}-{one['hours']['p95']:.2g})",
            f"{one['core_hours']['processor']:.3g}", size_text(one["stored_bytes"]), size_text(one["moved_bytes"]),
            str(round(sum(figure["units"] for figure in one["stages"].values()) / one["jobs"])),
            f"{longest}, {others[longest]['unit_s']:.0f} s", f"{greatest}, {size_text(others[greatest]['unit_bytes'])}",
            f"{cluster['unit_s'] / 60:.1f} min, {size_text(cluster['unit_bytes'])}", f"{one['cost']['all']:,.2f}"])
    a_document = [[many_text(one["documents"]), f"{one['processor_s_a_document'] * 1e6:.1f}",
                   f"{one['stored_bytes_a_document']:.0f}", f"{one['moved_bytes_a_document']:.0f}"] for one in sizes]
    judged = [[bar["what"], bar["bar"], f"{bar['value']:g}", "met" if bar["met"] else "**missed**"] for bar in bars]
    begun = (f"Calculated for {args.workers} workers of {args.cores} cores and a corpus like the measured `{args.like}` from "
             f"[the measured units](../{source}):")
    text = "\n\n".join([begun, result.markdown(header, rows), "For a document:",
                        result.markdown(["of", "us of processor", "bytes stored", "bytes moved"], a_document),
                        "The costs beside measured jobs of two workers of one core, which they were not fitted to:",
                        result.markdown(["job", "bar", "ratio", ""], judged)])
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.split(END)[1]}", encoding="utf-8")


def parser():
    """The flags."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)

    def flag(name, kind, default, text):
        flags.add_argument(name, type=kind, default=default, help=f"{text} (default: {default})")

    flags.add_argument("--documents", default=SIZES, help=f"sizes, by commas (default: {SIZES})")
    flags.add_argument("--work", type=pathlib.Path, help="the folder of a job, in place of --documents")
    flag("--workers", count, 200, "workers")
    flag("--cores", count, 2, "cores of a worker, each with a task of one thread")
    flags.add_argument("--tasks", type=count, help="tasks of a stage (default: four a core)")
    flag("--like", str, "pages", "the measured job that the corpus is like")
    flags.add_argument("--document-bytes", type=number, help="bytes of input a document (default: as measured)")
    flag("--file-bytes", number, 1e9, "bytes of an input file")
    flag("--largest", share, 0.0, "share of the documents of a job that are one component more")
    flag("--bandwidth", number, 1.25e9, "bytes a second between a worker and the folder, both ways together")
    flag("--start", number, 5.0, "seconds to start a task")
    flag("--stragglers", share, 0.05, "share of workers that are slow")
    flag("--slow", number, 3.0, "how many times slower")
    flag("--failures", share, 0.01, "share of attempts at a unit that fail")
    flag("--core-hour", number, 0.04, "price of a core for an hour")
    flag("--gb-month", number, 0.023, "price of a GB stored for a month")
    flag("--transfer-gb", number, 0.0, "price of a GB moved")
    flag("--runs", count, 20, "simulated runs")
    flag("--seed", int, 1, "what chance begins with")
    flags.add_argument("--costs", type=pathlib.Path, help="result of shards.py (default: the newest with units)")
    flags.add_argument("--page", action="store_true", help="put the table into docs/scale.md")
    flags.add_argument("--self-test", action="store_true", help="check the simulation itself, and end")
    return flags


def main():
    flags = parser()
    args = flags.parse_args()
    if args.self_test:
        import simulate_test  # not part of a simulation
        return simulate_test.run()
    source = args.costs or shard_costs.newest()
    if source is None:
        sys.exit("no result of shards.py has figures of units; run scripts/bench shards")
    figures = json.loads(source.read_text())
    if "components" not in figures["units"].get(args.like, {}):
        flags.error(f"--like: measured are {', '.join(name for name, one in figures['units'].items() if 'components' in one)}")
    try:
        sizes = [0] if args.work else [count(size) for size in args.documents.split(",")]
    except argparse.ArgumentTypeError as problem:
        flags.error(f"--documents: {problem}")
    costs, like, bars = shard_costs.Costs(figures["units"]), figures["units"][args.like], checked(figures)
    source = source.resolve().relative_to(result.REPOSITORY) if source.resolve().is_relative_to(result.REPOSITORY) else source
    print(f"costs: {source}, measured {figures['date']} with commit {figures['commit'][:10]}")
    found = []
    for size in sizes:
        found.append(simulated(size, costs, like, args))
        show(found[-1], args)
    print(f"\n{result.bars_text(bars)}")
    if args.page:
        page(found, args, source, bars)
    told = {key: str(value) if isinstance(value, pathlib.Path) else value for key, value in vars(args).items()}
    print("written:", result.write("simulate", {"costs_from": str(source), "setting": told, "costs": costs.told(),
                                                "simulated": found, "bars": bars}))


if __name__ == "__main__":
    main()
