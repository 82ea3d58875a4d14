"""Charts of the index benchmark, as SVG in benchmarks/results."""
import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "nearprint"
from matplotlib import pyplot

import index_report
import index_steps
import result

FOLDER = result.BENCHMARKS / "results"
OURS = "nearprint"
PEERS = {"hammingbird": "hammingbird", "faiss-multihash": "faiss MultiHash 2x32", "faiss-hash": "faiss Hash b=24"}


def by_size(measured, kind, ours, peers):
    """{name: [(n, figure)]} of the steps kind/SIZE/...; `ours` and `peers` are (suffix, what, key)."""
    series = {}
    for size, n in index_steps.SIZES.items():
        for name, suffix, what, key in [ours, *peers]:
            wanted = {"k": 3} if what == "search" else {}
            value = index_report.figure(measured, f"{kind}/{size}/{suffix}", what, key, **wanted)
            if value is not None:
                series.setdefault(name, []).append((n, value))
    return series


def chart(name, title, across, up, series, logarithmic):
    """Draw lines through the points of each series, where there are any."""
    if not series:
        return
    figure, axes = pyplot.subplots(figsize=(6, 4))
    for label, points in series.items():
        axes.plot(*zip(*points), marker="o", label=label)
    axes.set_xscale("log" if logarithmic else "linear")
    axes.set_yscale("log")
    axes.set(title=title, xlabel=across, ylabel=up)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(FOLDER / f"index-{name}.svg", metadata={"Date": None})
    pyplot.close(figure)


def draw(measured):
    """Every chart of which there are figures."""
    peers = [(label, step, "peer", "batch_us") for step, label in PEERS.items()]
    chart("search", "Search, 64 bits, k = 3, one thread", "fingerprints", "us a query, batch with ids",
          by_size(measured, "search", (OURS, "memory", "search", "batch_with_ids_us"), peers), True)
    peers = [(label, step, "peer", "bytes_each") for step, label in PEERS.items()]
    chart("bytes", "Size of the index, 64 bits, k = 3", "fingerprints", "bytes a fingerprint, with ids",
          by_size(measured, "search", (OURS, "memory", "build", "bytes_with_ids"), peers), True)
    peers = [("nearprint, 2 threads", "2", "join", "seconds"),
             ("all-pairs-hamming", "all-pairs-hamming", "peer", "seconds")]
    chart("join", "Self join, 64 bits, k = 3", "fingerprints", "seconds",
          by_size(measured, "join", (OURS, "1", "join", "seconds"), peers), True)
    steps = {size: f"search/{size}/memory" for size in index_steps.SIZES} | {"real 10M": "real/search"}
    radii = {name: [(k, value) for k in range(1, 8)
                    if (value := index_report.figure(measured, step, "search", "batch_with_ids_us", k=k)) is not None]
             for name, step in steps.items()}
    chart("radius", "Search, 64 bits, one thread", "k", "us a query, batch with ids",
          {name: points for name, points in radii.items() if points}, False)
