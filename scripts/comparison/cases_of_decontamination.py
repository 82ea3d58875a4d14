"""Cases of `decontaminate` and `contamination`: rules, actions, formats and outputs. Rows of corpora are the items."""

from .case import case

REPORTS = "--removed removed.jsonl --items items.jsonl --summary run.summary.json --report page.html"


def decontaminate(name, flags, given="in/rows.jsonl", out="clean.jsonl", evals="in/new.jsonl", **how):
    return case(f"decontaminate/{name}", f"decontaminate {given} --against {evals} -o {out} {REPORTS} {flags}", **how)


def rules():
    yield decontaminate("plain", "", quick=True)
    for share, bits in ((0.4, 30), (0.9, 30), (0.6, 5), (0.6, 200)):
        yield decontaminate(f"share-{share}-bits-{bits}", f"--share {share} --bits {bits}")
    for short in ("flag", "report", "skip"):
        yield decontaminate(f"short-{short}", f"--short {short}")
    for common in ("flag", "keep"):
        yield decontaminate(f"common-{common}", f"--common {common}")
    for threads in (1, 3):
        yield decontaminate(f"threads-{threads}", f"--threads {threads}", quick=True)
    yield decontaminate("memory", "--memory 100M --threads 2 --work-dir .", quick=True)
    yield decontaminate("fields", "--item-fields question=text,answer=id")
    yield decontaminate("no-field", "--item-fields question=none", code=1)
    for recipe in ("words", "code", "zh"):
        yield decontaminate(f"recipe-{recipe}", f"--recipe {recipe}", "in/news.jsonl in/zh.jsonl", evals="in/zh.jsonl")


def outputs():
    for action in ("drop", "cut", "cut --margin 50", "annotate"):
        name = action.replace(" --", "-").replace(" ", "-")
        yield decontaminate(f"action-{name}", f"--action {action}", quick=True)
        yield decontaminate(f"action-{name}-folder", f"--action {action}", "in/parts", "out/")
    yield decontaminate("bytes", "--offsets bytes", "in/edges.jsonl in/zh.jsonl")
    yield case("decontaminate/self-test", "decontaminate in/rows.jsonl --against in/new.jsonl --self-test 20", quick=True)
    yield case("contamination/plain", "contamination in/new.jsonl --in in/rows.jsonl", quick=True)


CASES = [*rules(), *outputs()]
