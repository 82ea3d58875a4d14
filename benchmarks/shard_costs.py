"""What a unit of a job in shards costs: coefficients, fitted to the units that `shards.py` measured."""
import json
import math
import statistics

import result
import shard_plan

LEAST = 0.0001  # seconds of processor of a unit, at least
SPREAD_OF = 0.005  # seconds under which a unit tells nothing about how units differ
# What costs the same in these stages: one alone has too little of it beside other costs to tell them apart.
ALIKE, ALIKE_IN = ("opened", "groups"), ("solve", "write")


class Costs:
    """Coefficients by stage: seconds of processor, bytes of memory, bytes written. Jobs have `documents` at most."""

    def __init__(self, figures, but=()):
        """Fits them to the figures of jobs by name, but some."""
        jobs = {name: one for name, one in figures.items() if name not in but}
        self.start = statistics.median(one["start_s"] for one in jobs.values())
        self.seconds, self.memory, self.written, self.spread = {}, {}, {}, {}
        rows = {}
        for stage in shard_plan.STAGES:
            of_stage = [(shard_plan.measured(one).units(stage), one["stages"][stage]) for one in jobs.values()
                        if stage in one["stages"]]
            seconds = [(units, [max(value - self.start, LEAST) for value in figures["cpu_s"]])
                       for units, figures in of_stage]
            memory = [(units, figures["peak_bytes"]) for units, figures in of_stage]
            written = [(units, figures["bytes"]) for units, figures in of_stage]
            rows[stage] = [*units_of(seconds), *sums_of(seconds)]
            if stage not in ALIKE_IN:
                self.seconds[stage] = fitted(rows[stage], shard_plan.QUANTITIES[stage])
            elif stage == ALIKE_IN[-1]:
                self.seconds |= fitted_alike({one: rows[one] for one in ALIKE_IN})
            found, least = fitted(units_of(memory), shard_plan.MEMORY[stage]), shard_plan.MEMORY_LEAST.get(stage, {})
            found = {name: max(coefficient, least.get(name, 0.0)) for name, coefficient in found.items()}
            self.memory[stage] = covering(units_of(memory), found)
            self.written[stage] = fitted([*units_of(written), *sums_of(written)], shard_plan.WRITTEN[stage])
        for stage, of_stage in rows.items():
            # How much units differ from what they cost, as a standard deviation of the logarithm.
            differ = [math.log(value / total(self.seconds[stage], unit)) for unit, value, _ in of_stage
                      if min(value, total(self.seconds[stage], unit)) > SPREAD_OF]
            self.spread[stage] = statistics.pstdev(differ) if len(differ) > 1 else 0.0
        # Bytes a value takes in files: of the job with the most documents.
        most = max(jobs.values(), key=lambda one: sum(one["file_documents"]) * is_whole(one))
        self.documents = sum(most["file_documents"])
        self.columns, self.group_bytes = most["column_bytes"], most["group_bytes"]
        keys = [size for name, size in self.columns["sketch"].items() if name.startswith("band")]
        self.of_band = {"band": sum(keys) / most["bands"]}

    def read(self, stage, unit):
        """Bytes that a unit reads, but those of links and of its input file."""
        found = unit["opened"] * shard_plan.TAIL
        if stage in shard_plan.GROUPS_OF:
            found += unit["groups"] * self.group_bytes[shard_plan.GROUPS_OF[stage]]
        for of, names, quantity in shard_plan.READ[stage]:
            columns = self.columns[of]
            found += unit[quantity] * sum((columns | self.of_band)[name] for name in names or columns)
        return found

    def told(self):
        """All coefficients, for the result."""
        return {"fitted_to_documents_at_most": self.documents, "process_start_s": self.start,
                "cpu_seconds": self.seconds, "memory_bytes": self.memory,
                "written_bytes": self.written, "column_bytes": self.columns, "group_bytes": self.group_bytes,
                "spread": {stage: round(spread, 3) for stage, spread in self.spread.items()}}


def total(coefficients, unit):
    """What a unit comes to."""
    return sum(coefficient * unit[name] for name, coefficient in coefficients.items())


def units_of(jobs):
    """Rows to fit, one a unit; all units of a job weigh as much as its sum."""
    return [(unit, value, 1 / len(units)) for units, values in jobs for unit, value in zip(units, values)]


def sums_of(jobs):
    """Rows to fit, one a job."""
    return [({name: sum(unit[name] for unit in units) for name in units[0]}, sum(values), 1.0)
            for units, values in jobs]


def fitted(rows, names):
    """The coefficients from 0 on that make the squares of relative errors least, for rows of (unit, value, weight)."""
    scales = [max(unit[name] for unit, _, _ in rows) or 1 for name in names]
    count = len(names)
    squares, products = [[0.0] * count for _ in names], [0.0] * count
    for unit, value, weight in rows:
        line = [unit[name] / scale / value for name, scale in zip(names, scales)]
        for i in range(count):
            products[i] += weight * line[i]
            for j in range(count):
                squares[i][j] += weight * line[i] * line[j]
    # Coordinate descent: the problem is convex, so it ends at the least.
    found = [0.0] * count
    for _ in range(20_000):
        moved = 0.0
        for i in range(count):
            if squares[i][i] == 0:
                continue
            others = sum(squares[i][j] * found[j] for j in range(count) if j != i)
            better = max(0.0, (products[i] - others) / squares[i][i])
            moved = max(moved, abs(better - found[i]) / (abs(better) + 1e-12))
            found[i] = better
        if moved < 1e-9:
            break
    return {name: coefficient / scale for name, coefficient, scale in zip(names, found, scales)}


def fitted_alike(rows):
    """The coefficients of seconds of some stages, by the rows of each; what is alike has one for all of them."""
    def key(stage, name):
        return name if name in ALIKE else (stage, name)

    names = list(dict.fromkeys(key(stage, name) for stage in rows for name in shard_plan.QUANTITIES[stage]))
    joined = [(dict.fromkeys(names, 0) | {key(stage, name): unit[name] for name in shard_plan.QUANTITIES[stage]},
               value, weight) for stage, of_stage in rows.items() for unit, value, weight in of_stage]
    found = fitted(joined, names)
    return {stage: {name: found[key(stage, name)] for name in shard_plan.QUANTITIES[stage]} for stage in rows}


def covering(rows, coefficients):
    """The coefficients times what makes them reach every value."""
    least = max(value / total(coefficients, unit) for unit, value, _ in rows)
    return {name: max(least, 1.0) * coefficient for name, coefficient in coefficients.items()}


def is_whole(one):
    """Whether all stages of a job were measured."""
    return shard_plan.STAGES[-1] in one["stages"]


def is_planned(figures):
    """Whether a result has figures of units, of jobs as they are planned now."""
    units = figures.get("units", {}).values()
    return bool(units) and all(one.get("together") == shard_plan.together_of(one["ranges"]) for one in units)


def newest():
    """The newest result of the benchmark `shards` that is of jobs as they are planned now."""
    for path in sorted((result.BENCHMARKS / "results").glob("*-shards.json"), reverse=True):
        if is_planned(json.loads(path.read_text())):
            return path
    return None
