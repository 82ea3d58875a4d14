#!/usr/bin/env python3
"""Jobs in shards on many workers, simulated from the measured costs of units: hours, bytes, largest units, cost.

The plan is that of `nearprint shard create` (`shard_plan.py`), and what a unit costs is fitted to the newest result of
`shards.py` (`shard_costs.py`). A simulated corpus is like a measured one: as many bytes a document, as many documents
in components, files as unlike each other. Components larger than any measured one follow the tail of the measured ones.
Each run draws these anew, and slow workers and failures too.

    scripts/bench simulate                                      the sizes of docs/evidence/simulation.md
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
import textwrap

import result
import shard_costs
import shard_plan

PAGE = result.REPOSITORY / "docs" / "evidence" / "simulation.md"
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


def joined_share(like):
    """The share of documents that are in components."""
    return sum(like["file_members"]) / sum(like["file_documents"])


def drawn(documents, like, tail, args, chance):
    """A job of so many documents, like a measured one."""
    of_document = args.document_bytes or sum(like["file_bytes"]) / tail.documents
    size = documents * of_document
    files = max(1, round(size / args.file_bytes))
    mean = statistics.fmean(like["file_bytes"])
    unlike = [chance.choice(like["file_bytes"]) / mean for _ in range(files)]
    scale, joined = documents / sum(unlike), joined_share(like)
    rows = [[round(one * scale), round(one * scale * of_document), round(one * scale * joined)] for one in unlike]
    joined = sum(members for _, _, members in rows)
    largest = tail.largest(documents, joined, chance)
    if args.largest:
        largest.insert(0, round(args.largest * documents))
    shards = shard_plan.packed(joined, largest, shard_plan.shards_of(round(size)))
    stays = size * like["out_bytes"] / sum(like["file_bytes"])
    ranges = shard_plan.ranges_of(round(size))
    together = shard_plan.together_of(ranges)
    return shard_plan.Job(rows, like["bands"], ranges, together, shards, stays, max(largest))


def of_folder(folder, costs, like, tail):
    """The job of a folder: its plan, and what its files tell of the stages that are done."""
    try:
        plan = json.loads((folder / "plan.json").read_text())
    except (OSError, ValueError) as problem:
        sys.exit(f"{folder}: no job in shards: {problem}")
    if "together" not in plan:
        sys.exit(f"{folder}: an older nearprint made this job; make it anew")
    sizes = [int(version.split()[0]) for _, version, _ in plan["job"]["input"]]
    if not plan["job"]["candidates"].split()[0].isdigit():
        sys.exit(f"{folder}: candidates are {plan['job']['candidates']}; only jobs by bands are measured")

    def of_files(stage, expected, quantity):
        """So much of a quantity in each unit as the size of its file tells; as expected where it is not done."""
        coefficients, found = costs.written[stage], []
        for unit, otherwise in enumerate(expected):
            path = folder / stage / f"{unit:05}.parquet"
            rows = (path.stat().st_size - coefficients["unit"]) / coefficients[quantity] if path.exists() else otherwise
            found.append(max(1, round(rows)))
        return found

    of_document = sum(like["file_bytes"]) / tail.documents
    documents = of_files("sketch", [size / of_document for size in sizes], "documents")
    members = [round(joined_share(like) * many) for many in documents]
    shards = of_files("solve", shard_plan.packed(sum(members), [], plan["shards"]), "members")
    stays = sum(sizes) * like["out_bytes"] / sum(like["file_bytes"])
    return shard_plan.Job(list(zip(documents, sizes, members)), int(plan["job"]["candidates"].split()[0]),
                          plan["ranges"], plan["together"], shards, stays)


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
            reads = [reads[0] + 2 * found["join"]["written_bytes"]]
        if stage == "write":
            written = [one + job.out_bytes * unit["bytes"] / job.bytes for one, unit in zip(written, units)]
        spread = costs.spread[stage] if chance else 0.0
        processor = [shard_costs.total(costs.seconds[stage], unit)
                     * (math.exp(chance.gauss(-spread * spread / 2, spread)) if spread else 1.0) for unit in units]
        seconds = [cpu + (read + write) / fleet.bandwidth for cpu, read, write in zip(processor, reads, written)]
        wall, busy, failed = fleet.run(seconds)
        found[stage] = {
            "units": len(units), "wall_s": wall, "busy_s": busy, "cpu_s": sum(processor), "failures": failed,
            "opened": sum(unit["opened"] for unit in units), "read_bytes": sum(reads), "written_bytes": sum(written),
            "unit_s": max(seconds),
            "unit_bytes": max(shard_costs.total(costs.memory[stage], unit) for unit in units)}
    return found


def simulated(documents, costs, like, args):
    """The figures of a corpus of so many documents: medians over the runs, and percentiles of the wall time."""
    tail, runs = Tail(like), []
    jobs = 1 if args.work else max(args.jobs or 1, shard_plan.jobs_of(documents, joined_share(like)))
    for run in range(args.runs):
        chance = random.Random(f"{args.seed} {documents} {run}")
        job = (of_folder(args.work, costs, like, tail) if args.work
               else drawn(documents / jobs, like, tail, args, chance))
        runs.append((job, replay(job, costs, Fleet(args, chance), chance)))
    job, first = runs[0]
    # All jobs of a run are like its first.
    stages = {stage: {key: statistics.median(found[stage][key] for _, found in runs)
                      * (1 if key.startswith("unit_") else jobs) for key in first[stage]} for stage in first}
    walls = sorted(jobs * sum(stage["wall_s"] for stage in found.values()) / 3600 for _, found in runs)
    hours = {name: walls[round(at * (len(walls) - 1))] for name, at in (("p5", 0.05), ("median", 0.5), ("p95", 0.95))}
    sums = {key: sum(stage[key] for stage in stages.values()) for key in first["sketch"] if not key.startswith("unit")}
    reserved = hours["median"] * args.workers * args.cores
    # Files of a job go when the next begins.
    stored = (sums["written_bytes"] - stages["write"]["written_bytes"]) / jobs
    moved, all_documents = sums["read_bytes"] + sums["written_bytes"], documents or job.documents
    members = job.documents / 1000
    giant = job.units("solve")[0] | {"members": members, "member_bytes": members * job.bytes / job.documents}
    cost = {"cores": reserved * args.core_hour, "transfer": moved / 1e9 * args.transfer_gb,
            "storage": stored / 1e9 * hours["median"] / MONTH * args.gb_month}
    return {
        "documents": all_documents, "jobs": jobs, "documents_a_job": job.documents, "bytes": job.bytes * jobs,
        "joined": job.joined, "files_a_job": len(job.files), "ranges": job.ranges, "shards": job.shards, "hours": hours,
        "core_hours": {"processor": sums["cpu_s"] / 3600, "at_work": sums["busy_s"] / 3600, "reserved": reserved},
        "failures": sums["failures"], "opened_files": sums["opened"], "stored_bytes": stored, "moved_bytes": moved,
        "of_document": {"cpu_s": sums["cpu_s"] / all_documents, "stored_bytes": stored * jobs / all_documents,
                        "moved_bytes": moved / all_documents},
        "largest_component": max(job.largest for job, _ in runs),
        "component_of_a_thousandth": {"documents": round(members),
                                      "hours": shard_costs.total(costs.seconds["solve"], giant) / 3600,
                                      "bytes": shard_costs.total(costs.memory["solve"], giant)},
        "cost": cost | {"all": sum(cost.values())}, "stages": stages}


def checked(figures):
    """Simulated beside measured: jobs of two workers of one core, the costs fitted without the job that is checked."""
    bars = []
    for name, measured in figures["measured"].items():
        one = measured["job"]
        # Another job of short documents has to be there, or all jobs are fitted.
        others = [other for other in figures["measured"] if other != name and other in figures["units"]]
        costs = shard_costs.Costs(figures["units"], but=[name] if others else [])
        still = argparse.Namespace(workers=2, cores=1, stragglers=0.0, slow=1.0, bandwidth=math.inf, failures=0.0,
                                   start=costs.start, tasks=2)
        job = shard_plan.measured(one)
        units, planned = one["units"], {stage: len(job.units(stage)) for stage in shard_plan.STAGES}
        ranges = shard_plan.ranges_of(job.bytes)
        parts = ranges, shard_plan.together_of(ranges), shard_plan.shards_of(job.bytes)
        if (units, (job.ranges, job.together, job.shards)) != (planned, parts):
            sys.exit(f"{name} was measured with {units}, {job.ranges} ranges, {job.together} bands together and "
                     f"{job.shards} shards, and would be simulated with {planned}, {parts[0]}, {parts[1]} and "
                     f"{parts[2]}; bring benchmarks/shard_plan.py up to date, or measure shards again")
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


def few(value):
    """A number in three digits, or all before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def show(one, args):
    """Prints the figures of one size."""
    print(f"\n{many_text(one['documents'])} documents, {size_text(one['bytes'])}, on {args.workers} workers of "
          f"{args.cores} cores: {one['files_a_job']} files, {one['ranges']} ranges and {one['shards']} shards a job")
    if one["jobs"] > 1:
        print(f"{one['jobs']} jobs, one after the other. A job takes at most {shard_plan.MOST_LINKED} documents that "
              "are linked to others.\nNear-duplicates in different jobs are not found: cut where there are "
              "few, by language or by host.")
    header = ["stage", "units", "hours", "core-hours", "read", "written", "largest unit, s", "its memory"]
    print(result.table(header, [
        [stage, str(round(figure["units"])), f"{figure['wall_s'] / 3600:.3f}", f"{figure['cpu_s'] / 3600:.2f}",
         size_text(figure["read_bytes"]), size_text(figure["written_bytes"]), f"{figure['unit_s']:.1f}",
         size_text(figure["unit_bytes"])] for stage, figure in one["stages"].items()]))
    hours, cores, of, cost = one["hours"], one["core_hours"], one["of_document"], one["cost"]
    print(f"hours: {few(hours['median'])} ({few(hours['p5'])} to {few(hours['p95'])}); core-hours: "
          f"{few(cores['processor'])} of processor, {few(cores['reserved'])} reserved; failures: "
          f"{one['failures']:.0f}; files opened: {one['opened_files']:.3g}")
    print(f"stored between stages: {size_text(one['stored_bytes'])}; moved: {size_text(one['moved_bytes'])}; a "
          f"document: {few(of['cpu_s'] * 1e6)} us of processor, {few(of['stored_bytes'])} bytes stored, "
          f"{few(of['moved_bytes'])} moved")
    print(f"cost at the prices given: {cost['all']:,.2f}: cores {cost['cores']:,.2f}, storage {cost['storage']:,.2f}, "
          f"transfer {cost['transfer']:,.2f}")
    giant = one["component_of_a_thousandth"]
    largest = one["largest_component"] or "an unknown number of"
    print(f"components: the largest has {largest} documents; one of a thousandth of a job, "
          f"{giant['documents']}, would take one unit {few(giant['hours'] * 60)} minutes and "
          f"{size_text(giant['bytes'])}")


def setting(sizes, args, source, costs):
    """What the tables of the page are calculated for."""
    one = sizes[0]
    said = (f"Calculated for {args.workers} workers of {args.cores} cores from [measured units](../{source}) of jobs "
            f"of {many_text(costs.documents)} documents at most, for a corpus like the measured `{args.like}`: "
            f"{one['bytes'] / one['documents']:.0f} bytes a document in files of {size_text(args.file_bytes)}, "
            f"{one['joined'] / one['documents_a_job']:.0%} of the documents in components. {args.stragglers:.0%} of "
            f"the workers take {args.slow:g} times as long; {args.failures:.0%} of the attempts fail. A "
            f"worker moves {args.bandwidth / 1e9:g} GB a second; a task starts in "
            f"{args.start:g} s. "
            f"A core-hour costs {args.core_hour:g}, a GB and month {args.gb_month:g}, a GB moved {args.transfer_gb:g}. "
            f"Hours are the median of {args.runs} runs, with the 5th and 95th percentile.")
    return "\n".join(textwrap.wrap(said, 120, break_on_hyphens=False))


def page(sizes, args, source, costs, bars):
    """Puts the tables into docs/evidence/simulation.md."""
    whole, by_stage, a_document = [], [], []
    for one in sizes:
        name, hours, cluster = many_text(one["documents"]), one["hours"], one["stages"]["cluster"]
        others = {stage: figure for stage, figure in one["stages"].items() if stage != "cluster"}
        longest, greatest = (max(others, key=lambda stage: others[stage][key]) for key in ("unit_s", "unit_bytes"))
        whole.append([
            name, size_text(one["bytes"]), str(one["jobs"]),
            f"{few(hours['median'])} ({few(hours['p5'])}-{few(hours['p95'])})", few(one["core_hours"]["processor"]),
            size_text(one["stored_bytes"]), size_text(one["moved_bytes"]),
            str(round(sum(figure["units"] for figure in one["stages"].values()) / one["jobs"])),
            f"{longest}, {others[longest]['unit_s']:.0f} s", f"{greatest}, {size_text(others[greatest]['unit_bytes'])}",
            f"{cluster['unit_s'] / 60:.1f} min, {size_text(cluster['unit_bytes'])}", f"{one['cost']['all']:,.2f}"])
        by_stage.append([name, *(few(figure["wall_s"] / 3600) for figure in one["stages"].values())])
        of = one["of_document"]
        a_document.append([name, few(of["cpu_s"] * 1e6), few(of["stored_bytes"]), few(of["moved_bytes"])])
    judged = [[bar["what"], bar["bar"], f"{bar['value']:g}", "met" if bar["met"] else "**missed**"] for bar in bars]
    text = "\n\n".join([
        setting(sizes, args, source, costs),
        result.markdown(["documents", "input", "jobs", "hours", "core-hours of processor", "stored", "moved",
                         "units a job", "longest unit", "memory of the largest", "`cluster`: time, memory", "cost"],
                        whole),
        "Hours by stage:", result.markdown(["documents", *shard_plan.STAGES], by_stage),
        "For each document:",
        result.markdown(["documents", "µs of processor", "bytes stored", "bytes moved"], a_document),
        "Simulated beside measured, two workers of one core, by costs that were fitted without the job:",
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
    flags.add_argument("--jobs", type=count, help="jobs that the corpus is cut into (default: as few as can be)")
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
    flags.add_argument("--costs", type=pathlib.Path,
                       help="result of shards.py (default: the newest of jobs as they are planned)")
    flags.add_argument("--output", type=pathlib.Path, metavar="FILE", help="put all figures there, as JSON")
    flags.add_argument("--page", action="store_true",
                       help="put the tables into docs/evidence/simulation.md, and the figures into benchmarks/results")
    return flags


def main():
    flags = parser()
    args = flags.parse_args()
    source = (args.costs or shard_costs.newest() or pathlib.Path()).resolve()
    if not source.is_file():
        flags.error("--costs: no result of shards.py has figures of units of jobs as they are planned now; run "
                    "scripts/bench shards")
    figures = json.loads(source.read_text())
    if not shard_costs.is_planned(figures):
        flags.error(f"--costs: {source} has no figures of units of jobs as they are planned now; run "
                    "scripts/bench shards")
    likes = [name for name, one in figures["units"].items() if shard_costs.is_whole(one)]
    if args.like not in likes:
        flags.error(f"--like: measured are {', '.join(likes)}")
    try:
        sizes = [0] if args.work else [count(size) for size in args.documents.split(",")]
    except argparse.ArgumentTypeError as problem:
        flags.error(f"--documents: {problem}")
    costs, like, bars = shard_costs.Costs(figures["units"]), figures["units"][args.like], checked(figures)
    if source.is_relative_to(result.REPOSITORY):
        source = source.relative_to(result.REPOSITORY)
    print(f"costs: {source}, measured {figures['date']} with commit {figures['commit'][:10]}; jobs of "
          f"{many_text(costs.documents)} documents at most")
    found = []
    for size in sizes:
        found.append(simulated(size, costs, like, args))
        show(found[-1], args)
    print(f"\n{result.bars_text(bars)}")
    told = {key: str(value) if isinstance(value, pathlib.Path) else value for key, value in vars(args).items()}
    figures = {"costs_from": str(source), "setting": told, "costs": costs.told(), "simulated": found, "bars": bars}
    if args.output:
        args.output.write_text(json.dumps(figures, indent=1) + "\n")
    if args.page:
        page(found, args, source, costs, bars)
        print("written:", PAGE.relative_to(result.REPOSITORY), "and", result.write("simulate", figures))


if __name__ == "__main__":
    main()
