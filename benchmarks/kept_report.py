"""The result of the benchmark kept as Markdown, for docs/evidence/benchmarks.md. scripts/check-figures compares the page."""
import json
import math
import re

import result

BEGIN, END = "<!-- kept: written by scripts/bench kept --page -->", "<!-- kept: end -->"
PAGE = result.REPOSITORY / "docs" / "evidence" / "benchmarks.md"
LABELS = {"licences": "licences", "records": "works"}
Z = 1.959964  # of the normal distribution, 95 %


def newest():
    """The newest result."""
    path = max((result.BENCHMARKS / "results").glob("*-kept.json"))
    return json.loads(path.read_text(encoding="utf-8"))


def interval(part, whole):
    """The 95 % interval of Wilson of a share."""
    if whole == 0:
        return None
    share, squared = part / whole, Z * Z / whole
    middle = (share + squared / 2) / (1 + squared)
    half = Z * math.sqrt(share * (1 - share) / whole + squared / (4 * whole)) / (1 + squared)
    return max(0.0, middle - half), min(1.0, middle + half)


def share(part, whole):
    """`12.3 % (11.0 to 13.7)`."""
    if whole == 0:
        return "none"
    low, high = interval(part, whole)
    return f"{100 * part / whole:.2f} % ({100 * low:.2f} to {100 * high:.2f})"


def figures(of):
    """The table of the programs over one corpus."""
    rows = []
    for name, told in of["programs"].items():
        own = told["own"]
        rows.append([f"*{name}*" if told["control"] else name, told["told"], f"{told['removed']:,}", f"{told['wrong']:,}",
                     share(told["wrong"], told["removed"]), f"{told['lonely']:,}",
                     f"{told['nearest_by_tenths'][7]:,}", f"{told['far']:,}",
                     "" if own is None else f"{own['wrong']:,}", f"{told['left_in']:,}",
                     share(told["left_in"], of["repeated"])])
    return result.markdown(["program", "setting", "removed", "wrongly", "of the removed", "lonely", "close", "far",
                            "wrong by its own measure", "left in", "of the repeated"], rows)


def kinds(of):
    """Wrong removals and removals by kind."""
    names = {"equal": "equal text", "short": "short", "template": "template", "other": "other"}
    rows = [[f"*{name}*" if told["control"] else name,
             *(f"{found['wrong']:,} of {found['removed']:,}" for found in told["by_kind"].values())]
            for name, told in of["programs"].items()]
    head = [f"{names[kind]} ({count:,})" for kind, count in of["kinds"].items()]
    return result.markdown(["wrongly removed", *head], rows)


def labels(corpora):
    """How many labels of people vanish from what is kept."""
    named = [name for name in corpora if name in LABELS]
    programs = next(iter(corpora.values()))["programs"]
    rows = [[f"*{program}*" if told["control"] else program,
             *(f"{corpora[name]['programs'][program]['labels_lost']:,}" for name in named)]
            for program, told in programs.items()]
    head = [f"{name}: {LABELS[name]} of {corpora[name]['labels']:,} of which nothing is kept" for name in named]
    return result.markdown(["program", *head], rows)


def quoted(words):
    """An excerpt, without addresses of people."""
    return "…" + re.sub(r"\b\S+ \S+ (com|org|net)\b", "(address)", words) + "…"


def examples(of):
    """The drawn examples as a table."""
    rows = [[str(number), row["program"], quoted(row["says"]), f"{row['similarity']:.3f}",
             quoted(row["nearest_says"]) if row["nearest"] else "nothing in common with any"]
            for number, row in enumerate(of["examples"], 1)]
    return result.markdown(["", "removed by", "what the removed document says and the nearest kept one does not",
                            "similarity", "the nearest kept one says instead"], rows)


def markdown(measured):
    """All tables."""
    parts = []
    for name, of in measured["corpora"].items():
        parts.append(f"**{name}**: {of['documents']:,} documents, {of['bytes'] / 1e6:.1f} MB, {of['pairs']:,} pairs at 0.8 "
                     f"or more; {of['repeated']:,} documents repeat an earlier one.")
        parts += [figures(of), kinds(of)]
    if any(name in LABELS for name in measured["corpora"]):
        parts += ["**What people labelled:**", labels(measured["corpora"])]
    for name, of in measured["corpora"].items():
        if name not in LABELS:
            parts += [f"**Ten examples**, drawn by the seed {measured['seed']} from the wrong removals in {name}, of each program in "
                      "turn. What is quoted begins where the document has three words in a row that the other does not:",
                      examples(of)]
    return "\n\n".join(parts)


def block(measured):
    """What stands between the marks of the page."""
    date = measured["date"]
    return (f"`scripts/bench kept`, {date}, a binary of commit {measured['commit'][:7]}, {measured['machine']['cpu']} (virtual), "
            f"{measured['machine']['cores']} cores ([raw](../../benchmarks/results/{date}-kept.json)). Other work ran "
            "beside it; no figure depends on time.\n\n"
            "![Wrongly removed and left in, by program, with intervals](../../benchmarks/results/kept.svg)\n\n"
            f"{markdown(measured)}")


def shown(page):
    """What stands between the marks."""
    return page.split(BEGIN)[1].split(END)[0].strip()


def write_page(measured):
    """Put the tables where the page has its marks for them."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n\n{block(measured)}\n\n{END}{after}", encoding="utf-8")
