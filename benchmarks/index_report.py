"""The figures of the index benchmark as tables and bars, from the steps that were measured."""
import statistics

import result

BEGIN, END = "<!-- index: written by scripts/bench index -->", "<!-- index: end -->"
PAGE = result.REPOSITORY / "docs" / "evidence" / "benchmarks.md"


def line(measured, step, what, **wanted):
    """The line of a step that measured `what`, or None where there is no result."""
    row = measured.get(step, {})
    lines = row.get("lines", []) if row.get("status") == "ok" else []
    return next((found for found in lines if found["what"] == what
                 and all(found[key] == value for key, value in wanted.items())), None)


def median(values):
    return statistics.median(values)


def span(values):
    """`median (least-greatest)`, with three digits that count."""
    return f"{median(values):.3g} ({min(values):.3g}-{max(values):.3g})"


def figure(measured, step, what, key, **wanted):
    """One figure of a step, the median where it has several; None where there is no result."""
    found = line(measured, step, what, **wanted)
    if found is None:
        return None
    return median(found[key]) if isinstance(found[key], list) else found[key]


def ratio(ours, theirs):
    return None if ours is None or theirs is None else theirs / ours


PLANNED = {"plan_batch_us": "batch_us", "plan_query_us": "p50_us", "plan_bytes": "bytes", "plan_s": "seconds"}


def plan_misses(measured, prefix):
    """By how many times each figure of some steps is over or under what the planner predicted."""
    for step, row in measured.items():
        for found in row.get("lines", []) if step.startswith(prefix) and row["status"] == "ok" else []:
            for predicted, name in PLANNED.items():
                if predicted in found and found.get("threads", 1) == 1:
                    value = median(found[name]) if isinstance(found[name], list) else found[name]
                    yield max(found[predicted] / value, value / found[predicted])


def plan_bar(measured, prefix, what):
    misses = list(plan_misses(measured, prefix))
    return f"plan, {what}: times off, worst of {len(misses)} figures", "<=", 2, max(misses, default=None)


def bars(measured):
    """Every bar of which the figures are there."""
    def us(size, k=3, key="batch_with_ids_us"):
        return figure(measured, f"search/{size}/memory", "search", key, k=k)

    def bytes_each(size):
        return figure(measured, f"search/{size}/memory", "build", "bytes_with_ids")

    def peer(step, key="batch_us"):
        return figure(measured, step, "peer", key)

    def seconds(step):
        return figure(measured, step, "join", "seconds")

    def bound(size):
        return figure(measured, f"compact/{size}", "build", "bits_over_bound")

    found = [
        ("1M: us a query, batch with ids", "<=", 1.2, us("1M")),
        ("1M: bytes a fingerprint, with ids", "<=", 32, bytes_each("1M")),
        ("10M: times faiss MultiHash", ">=", 6, ratio(us("10M"), peer("search/10M/faiss-multihash"))),
        ("10M: bytes a fingerprint, with ids", "<=", 20, bytes_each("10M")),
        ("100M: times hammingbird", ">=", 100, ratio(us("100M"), peer("search/100M/hammingbird"))),
        ("100M: us a query, batch with ids", "<=", 3, us("100M")),
        ("100M: bytes a fingerprint, with ids", "<=", 18, bytes_each("100M")),
        ("1000M: us a query, batch with ids", "<=", 8,
         figure(measured, "billion/1000M", "search", "batch_with_ids_us", k=3)),
        ("1000M: s for 1M queries, 2 threads", "<=", 10, figure(measured, "billion/1000M", "parallel", "seconds")),
        *((f"10M, k = {k}: us a query, batch with ids", "<=", most, us("10M", k))
          for k, most in ((5, 25), (6, 60), (7, 120))),
        ("1M queries streamed past 10M: s", "<=", 2.5, figure(measured, "stream/1", "stream", "seconds")),
        *((f"self join of {size}: times all-pairs-hamming", ">=", least,
           ratio(seconds(f"join/{size}/1"), peer(f"join/{size}/all-pairs-hamming", "seconds")))
          for size, least in (("1M", 2), ("10M", 3), ("100M", 2))),
        *((f"self join of {size}: 2 threads, times 1", ">=", 1.6,
           ratio(seconds(f"join/{size}/2"), seconds(f"join/{size}/1"))) for size in ("1M", "10M", "100M")),
        ("loose self join: times the scan, 1 thread", ">=", 2, ratio(seconds("loose/plan/1"), seconds("loose/scan/1"))),
        ("loose self join: s, 2 threads", "<=", 60, seconds("loose/plan/2")),
        ("real, search k = 3: times uniform", "<=", 3,
         ratio(us("10M"), figure(measured, "real/search", "search", "batch_with_ids_us", k=3))),
        ("real, self join: times uniform", "<=", 3, ratio(seconds("join/10M/1"), seconds("real/join/1"))),
        ("real, stream: times uniform", "<=", 3, ratio(figure(measured, "stream/1", "stream", "seconds"),
                                                       figure(measured, "real/stream", "stream", "seconds"))),
        *((f"compact {size}: bits a fingerprint, times the bound", "<=", 1.25, bound(size))
          for size in ("10M", "100M")),
        *(plan_bar(measured, f"{row}/{size}/", f"{row} {size}") for row in ("search", "join")
          for size in ("1M", "10M", "100M")),
        plan_bar(measured, "wide/", "wide"),
        plan_bar(measured, "loose/", "loose"),
        plan_bar(measured, "compact/", "compact"),
    ]
    met = {"<=": lambda value, bar: value <= bar, ">=": lambda value, bar: value >= bar}
    return [{"what": what, "bar": f"{sign} {bar}", "value": float(f"{value:.4g}"), "met": met[sign](value, bar)}
            for what, sign, bar, value in found if value is not None]


def noise(measured, step):
    share = measured[step].get("others_cpu_share")
    return "" if share is None else f"{share:.0%}"


def search_rows(measured):
    """A row for each radius of each search, and for each rival."""
    rows = []
    for step, row in measured.items():
        if row["status"] != "ok":
            continue
        build = line(measured, step, "build")
        for found in row["lines"]:
            if found["what"] == "search":
                rows.append([step, f"k = {found['k']}", span(found["batch_us"]), span(found["batch_with_ids_us"]),
                             f"{found['p50_us']:.3g} / {found['p99_us']:.3g}", f"{build['bytes_with_ids']:.1f}",
                             f"{build['seconds']:.3g}", noise(measured, step)])
            elif found["what"] == "peer" and "batch_us" in found:
                rows.append([f"{step} ({found['peer']})", f"k = {found['k']}", "", span(found["batch_us"]),
                             f"{found['p50_us']:.3g} / {found['p99_us']:.3g}", f"{found['bytes_each']:.1f}",
                             f"{found['build_s']:.3g}", noise(measured, step)])
    return rows


def join_rows(measured):
    """A row for each join, streamed or not, and for each rival."""
    rows = []
    for step, row in measured.items():
        for found in row.get("lines", []) if row["status"] == "ok" else []:
            if found["what"] in ("join", "stream", "peer") and "seconds" in found:
                rows.append([step, span(found["seconds"]), str(found.get("tables", "")), str(found["pairs"]),
                             f"{row['peak_bytes'] / 1e6:.0f}", noise(measured, step)])
            elif found["what"] == "parallel":
                rows.append([f"{step}, {found['queries']} queries, {found['threads']} threads",
                             f"{found['seconds']:.3g}", "", str(found["documents"]),
                             f"{row['peak_bytes'] / 1e6:.0f}", noise(measured, step)])
    return rows


def compact_rows(measured):
    """Bits a fingerprint of one table, beside the bound."""
    return [[step, f"{found['bits']:.2f}", f"{found['bound_bits']:.2f}", f"{found['bits_over_bound']:.3f}"]
            for step in measured if step.startswith("compact/") and (found := line(measured, step, "build"))]


TABLES = [
    (["search", "radius", "us/query", "us/query with ids", "single p50 / p99 us", "bytes each", "build s", "noise"],
     search_rows),
    (["join", "seconds", "tables", "pairs", "peak MB", "noise"], join_rows),
    (["one table", "bits each", "bound", "ratio"], compact_rows),
]


def text(measured):
    """All tables, the bars, and what has no result."""
    parts = [result.table(header, rows(measured)) for header, rows in TABLES if rows(measured)]
    parts.append(result.bars_text(bars(measured)))
    parts.extend(f"{step}: {row['status']}" for step, row in measured.items() if row["status"] != "ok")
    return "\n\n".join(part for part in parts if part)


def markdown(measured):
    """The same for the page of results."""
    judged = [[bar["what"], bar["bar"], f"{bar['value']:g}", "met" if bar["met"] else "**missed**"]
              for bar in bars(measured)]
    parts = [result.markdown(["bar", "at", "measured", ""], judged)]
    parts += [result.markdown(header, rows(measured)) for header, rows in TABLES if rows(measured)]
    return "\n\n".join(parts)


def write_page(measured):
    """Put the tables where docs/evidence/benchmarks.md has its marks for them."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n\n{markdown(measured)}\n\n{END}{after}", encoding="utf-8")
