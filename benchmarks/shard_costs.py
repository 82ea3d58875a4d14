"""What a unit of a job in shards costs: coefficients, fitted to the units that `shards.py` measured."""
import json
import math
import statistics

import result
import shard_plan

SPREAD_OF = 0.005  # seconds of processor under which a unit tells nothing about how units differ


class Costs:
    """Coefficients by stage: seconds of processor, bytes of memory, bytes written."""

    def __init__(self, figures, but=()):
        """Fits them to the figures of jobs by name, but some."""
        jobs = {name: one for name, one in figures.items() if name not in but}
        self.start = statistics.median(one["start_s"] for one in jobs.values())
        self.seconds, self.memory, self.written, self.spread = {}, {}, {}, {}
        for stage in shard_plan.STAGES:
            units = [(unit, one["stages"][stage], at, weight) for one in jobs.values() if stage in one["stages"]
                     for all_units in [shard_plan.measured(one).units(stage)]
                     for weight in [1 / len(all_units)] for at, unit in enumerate(all_units)]

            def rows(key, less=0.0):
                return [(unit, max(figure[key][at] - less, 1e-4), weight) for unit, figure, at, weight in units]

            seconds = rows("cpu_s", self.start)
            self.seconds[stage] = fitted(seconds, shard_plan.QUANTITIES[stage])
            self.memory[stage] = fitted(rows("peak_bytes"), shard_plan.MEMORY[stage])
            self.written[stage] = fitted(rows("bytes"), shard_plan.WRITTEN[stage])
            # How much units differ from what they cost, as a standard deviation of the logarithm.
            differ = [math.log(value / total(self.seconds[stage], unit)) for unit, value, _ in seconds
                      if min(value, total(self.seconds[stage], unit)) > SPREAD_OF]
            self.spread[stage] = statistics.pstdev(differ) if len(differ) > 1 else 0.0
        # Bytes a value takes in files: of the job with the most documents.
        most = max(jobs.values(), key=lambda one: sum(one["file_documents"]) * ("components" in one))
        self.columns = most["column_bytes"]

    def read(self, stage, unit):
        """Bytes that a unit reads, but those of links and of its input file."""
        found = 0
        for of, names, quantity in shard_plan.READ[stage]:
            columns = self.columns[of]
            found += unit[quantity] * sum(columns[name] for name in names or columns)
        return found

    def told(self):
        """All coefficients, for the result."""
        return {"process_start_s": self.start, "cpu_seconds": self.seconds, "memory_bytes": self.memory,
                "written_bytes": self.written, "column_bytes": self.columns,
                "spread": {stage: round(spread, 3) for stage, spread in self.spread.items()}}


def total(coefficients, unit):
    """What a unit comes to."""
    return sum(coefficient * unit[name] for name, coefficient in coefficients.items())


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


def newest():
    """The newest result of the benchmark `shards` with figures of units."""
    for path in sorted((result.BENCHMARKS / "results").glob("*-shards*.json"), reverse=True):
        if "units" in json.loads(path.read_text()):
            return path
    return None
