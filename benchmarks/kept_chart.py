"""The chart of the benchmark kept, as SVG in benchmarks/results."""
import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "nearprint"
from matplotlib import pyplot

import kept_report
import result

PATH = result.BENCHMARKS / "results" / "kept.svg"


def draw(measured):
    """Two panels: of what is removed the share that is wrong, and of what repeats the share that is left in."""
    corpora = measured["corpora"]
    names = [name for name, told in next(iter(corpora.values()))["programs"].items() if not told["control"]]
    figure, panels = pyplot.subplots(1, 2, figsize=(10, 4.5), sharey=True)
    for panel, title, part, whole in ((panels[0], "wrongly removed, % of the removed", "wrong", "removed"),
                                      (panels[1], "left in, % of the repeated", "left_in", None)):
        for row, (corpus, of) in enumerate(corpora.items()):
            points = []
            for place, name in enumerate(names):
                told = of["programs"][name]
                count = told[whole] if whole else of["repeated"]
                if count:
                    low, high = kept_report.interval(told[part], count)
                    value = told[part] / count
                    points.append((place + 0.22 * (row - 1), 100 * value, 100 * (value - low), 100 * (high - value)))
            if points:
                places, values, below, above = zip(*points)
                panel.errorbar(values, places, xerr=[[max(0, one) for one in below], [max(0, one) for one in above]],
                               fmt="o", markersize=4, capsize=2, label=corpus)
        panel.set_title(title, fontsize=10)
        panel.set_xlim(left=-1)
        panel.grid(alpha=0.3)
    panels[0].set_yticks(range(len(names)), names)
    panels[0].invert_yaxis()
    panels[1].legend()
    figure.tight_layout()
    figure.savefig(PATH, metadata={"Date": None})
    pyplot.close(figure)
