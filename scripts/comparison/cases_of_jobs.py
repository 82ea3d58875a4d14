"""Cases of jobs in shards, of the verbs that judge and show, and of the tables of the Python package."""

import json

from .case import Step, case, step

# No two runs share them.
SECONDS = ("seconds",)


def job(name, flags, given="in/parts in/new.jsonl", units=3, outputs="", **how):
    """A job in shards: the first stages by one binary, the others by the other; its folder is compared too."""
    folders = "-o kept/ --removed removed/ --clusters clusters/ --pairs pairs/ --summary out.summary.json"
    create = f"shard create --ranges {units} --shards {units} work/job {given} {folders} {outputs} {flags} --threads 1"
    stages = [step(f"shard {stage} work/job", second=stage in ("gather", "solve", "write")) for stage in STAGES]
    status = step("shard status work/job --format json", second=True)
    return case(f"shard/{name}", create, *stages[:3], status, *stages[3:], crossed=True, **how)


STAGES = ("sketch", "join", "cluster", "gather", "solve", "write")


def shards():
    for width in (64, 128, 256):
        for units in (1, 3, 7):
            yield job(f"{width}-{units}", f"--width {width}", units=units, quick=units == 3)
    yield job("radius-64", "-k 3 --width 64", quick=True)
    yield job("radius-128", "-k 9 --width 128 --verify jaccard=0.7")
    yield job("equal", "-k 3 --width 64", "in/equal.jsonl in/rows.jsonl", quick=True)
    yield job("equal-similarity", "--keep none", "in/equal.jsonl in/repeated.jsonl in/edges.jsonl")
    yield job("connected", "--cluster-rule connected --keep last", quick=True)
    yield job("keep-by", "--keep-by score:max", "in/rows.jsonl in/rows.csv")
    yield job("against", "--against in/rows.jsonl --width 128", "in/new.jsonl in/edges.jsonl")
    yield job("featureless", "--featureless collapse --on-error skip", "in/broken.jsonl in/edges.jsonl", quick=True)
    yield job("segments", "--width 128", outputs="--index-out segments/")
    yield job("zh", "--recipe zh --width 128", "in/zh.jsonl in/news.jsonl", quick=True)
    yield job("vectors", "--recipe vectors", "in/rows/vectors.jsonl", quick=True)
    yield job("web", "--recipe web", "in/html in/pages in/crawl/a.warc")
    run = "shard create --ranges 2 --shards 2 work/job in/rows.jsonl -o kept/ --removed removed/"
    yield case("shard/run", run, "shard run work/job --tasks 3", step("shard status work/job", second=True), quick=True)
    yield case("shard/too-early", run, step("shard solve work/job", code=3), quick=True)
    yield case("shard/again", run, run, code=1)
    yield case("shard/none", "shard status work/absent", code=1)


def evaluations():
    labels = "--labels in/news.labels.jsonl"
    pages = "--plot curve.svg --page page.html --missed missed.jsonl --wrong wrong.jsonl"
    for width in (64, 128, 256):
        yield case(
            f"evaluate/{width}",
            f"evaluate in/news.jsonl {labels} --width {width} --format json",
            f"evaluate in/news.jsonl {labels} --width {width} {pages}",
            f"evaluate in/news.jsonl {labels} --width {width} -k 6 --max-k 12 --format json --memory 64M",
            quick=width == 128,
        )
    yield case(
        "evaluate/recipes",
        f"evaluate in/news.jsonl {labels} --recipe text --recipe words --recipe shingles-3 --format json",
        f"evaluate in/news.jsonl {labels} --similarity 0.6 --cluster-rule connected --format json --threads 1",
        quick=True,
    )
    for name in ("licences", "bibliography"):
        given = f"in/labelled/{name}.jsonl.gz --labels in/labelled/{name}.labels.jsonl"
        yield case(f"evaluate/{name}", f"evaluate {given} --format json", f"evaluate {given} {pages}")
    yield case("evaluate/no-labels", "evaluate in/news.jsonl", code=2)
    for name, flags in (
        ("rows", "in/rows.jsonl"),
        ("words", "in/rows.jsonl --recipe words --width 128"),
        ("zh", "in/zh.jsonl --recipe zh"),
    ):
        again = [
            step(f"tune {flags} --seed 7 --documents 200 --format json --threads {threads}", ignoring=SECONDS)
            for threads in (1, 2)
        ]
        yield case(f"tune/{name}", *again, quick=name == "rows")


def shown():
    recipes = [
        ("text", "in/news.jsonl:3"),
        ("words", "in/rows.jsonl:9"),
        ("shingles-3", "in/rows.csv:4"),
        ("web", "in/html/mill.html"),
        ("zh", "in/zh.jsonl:2"),
        ("zh-keywords", "in/zh.jsonl:5"),
        ("zh-textrank", "in/zh.jsonl:5"),
        ("ja", "in/ja.jsonl:1"),
        ("code", "in/rows/code.jsonl:7"),
        ("vectors", "in/rows/vectors.jsonl:2"),
    ]
    for recipe, given in recipes:
        yield case(
            f"explain/{recipe}",
            *(
                f"explain {given} --recipe {recipe} --width {width} --format {form}"
                for width in (64, 128, 256)
                for form in ("table", "json")
            ),
            quick=True,
        )
    yield case(
        "explain/by-hand",
        "explain --features a=3 b=-1.5 c=2 --format json",
        "explain --bits a=100110:1 b=110000:2 c=001001:3",
        "explain --bits a=100110:1 b=110000:2 c=001001:3 --format json",
        "explain --text 'a text of a few words'",
        quick=True,
    )
    yield case("explain/none", "explain in/news.jsonl:100000", code=2)
    for recipe, given in (
        ("text", "in/news.jsonl in/edges.jsonl in/text"),
        ("web", "in/html in/pages in/crawl"),
        ("code", "in/rows/code.jsonl"),
    ):
        yield case(f"text/{recipe}", f"text {given} --recipe {recipe}", quick=recipe == "text")


def tables():
    for name, given, asked in (
        ("text", "rows", {}),
        ("words-128", "rows", {"recipe": "words", "width": 128, "keep": "first"}),
        ("64", "rows", {"width": 64, "cluster_rule": "connected"}),
        ("radius", "rows", {"width": 64, "k": 3, "keep": "longest"}),
        ("edges", "edges", {"similarity": 0.6}),
        ("equal", "equal", {"width": 128}),
        ("zh", "zh", {"recipe": "zh", "width": 256}),
    ):
        yield case(
            f"python/{name}", Step([f"in/{given}.jsonl", json.dumps(asked), "answers"], python=True), quick=name == "text"
        )


CASES = [*shards(), *evaluations(), *shown(), *tables()]
