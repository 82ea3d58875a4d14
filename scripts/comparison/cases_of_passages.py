"""Cases of `passages`: units, rules, formats and outputs."""

from .case import case, step

REPORTS = "--removed removed.jsonl --passages passages.jsonl --summary run.summary.json --report page.html"


def passages(name, flags, given="in/rows.jsonl", out="cut.jsonl", reports=REPORTS, **how):
    return case(f"passages/{name}", f"passages {given} -o {out} {reports} {flags}", **how)


def rules():
    for unit, lengths in (("token", (2, 5, 8, 20, 50)), ("line", (1, 2)), ("sentence", (1, 3)), ("paragraph", (1, 2))):
        for length in lengths:
            yield passages(f"{unit}-{length}", f"--unit {unit} --length {length}", quick=length in (1, 8))
            yield passages(f"{unit}-{length}-digits", f"--unit {unit} --length {length} --digits one")
    for keep in ("first", "last", "longest", "shortest", "none"):
        yield passages(f"keep-{keep}", f"--length 8 --keep {keep}", quick=True)
    for by in ("score:min", "score:max", "day:max"):
        yield passages(f"keep-by-{by.replace(':', '-')}", f"--length 8 --keep-by {by}")
    yield passages("keep-central", "--keep central", code=2)
    yield passages("inside", "--length 8 --inside keep")
    for copies in (2, 3, 10):
        yield passages(f"copies-{copies}", f"--length 8 --copies {copies}")
    for threads in (1, 3):
        yield passages(f"threads-{threads}", f"--length 8 --threads {threads}", quick=True)
    yield passages("memory", "--length 8 --memory 100M --threads 2 --work-dir .", quick=True)
    yield passages("against", "--length 8 --against in/new.jsonl --against in/parts", quick=True)
    for recipe in ("words", "zh", "ja", "code", "chars-5"):
        yield passages(f"recipe-{recipe}", f"--length 20 --recipe {recipe}", "in/news.jsonl in/zh.jsonl in/ja.jsonl")
    for recipe in ("vectors", "python-128", "zh-keywords-mix"):
        yield passages(f"recipe-{recipe}", f"--recipe {recipe}", code=1)


def outputs():
    for name in ("rows.jsonl.gz", "rows.csv", "rows.tsv", "rows.csv.gz"):
        yield passages(f"format-{name}", "--length 8", f"in/{name}", f"cut{name[name.index('.'):]}", quick=True)
        yield passages(f"format-{name}-annotate", "--length 8 --annotate", f"in/{name}", f"cut{name[name.index('.'):]}")
    for name in ("rows", "zstd", "plain"):
        yield passages(f"parquet-{name}", "--length 8", f"in/{name}.parquet", "cut.parquet", needs="parquet", quick=True)
        yield passages(f"parquet-{name}-folder", "--length 8", f"in/{name}.parquet", "out/", needs="parquet")
    for name in ("text", "files", "parts"):
        yield passages(f"folder-{name}", "--length 8", f"in/{name}", "out/", quick=True)
        yield passages(f"folder-{name}-to-rows", "--length 8", f"in/{name}", "cut.jsonl")
    yield passages("lines", "--lines --length 3", "in/lines.txt", "cut.txt", quick=True)
    yield passages("html", "--recipe web", "in/html", "out/", code=2)
    yield case("passages/html-reports", f"passages in/html in/pages --recipe web --length 8 {REPORTS}", quick=True)
    yield passages("warc", "--recipe web", "in/crawl/a.warc", "cut.warc", code=2)
    for whole in ("sentence", "line", "paragraph"):
        yield passages(f"whole-{whole}", f"--length 8 --whole {whole}", quick=True)
    yield passages("joint", "--length 8 --joint ' [...] '")
    yield passages("min-left", "--length 8 --min-left 20", quick=True)
    yield passages("bytes", "--length 8 --offsets bytes", "in/edges.jsonl in/zh.jsonl")
    yield passages("annotate", "--length 8 --annotate", quick=True)
    yield passages("source-field", "--length 8 --source-field lang", "in/languages.jsonl")
    yield passages("shard-size", "--length 8 --shard-size 50K")
    for name in ("edges", "escaped", "repeated", "crlf", "equal", "empty"):
        yield passages(f"rows-{name}", "--length 2", f"in/{name}.jsonl", quick=True)
    for name in ("broken.jsonl", "broken.csv", "ragged.csv"):
        end = name[name.index(".") :]
        yield passages(f"rows-{name}-skip", "--length 2 --on-error skip", f"in/{name}", f"cut{end}", quick=True)
        yield passages(f"rows-{name}-fail", "", f"in/{name}", f"cut{end}", code=1)
    yield case("passages/stream", step(f"passages - -o - --length 8 {REPORTS}", stdin="in/rows.jsonl"), quick=True)
    yield case("passages/nothing", "passages in/rows.jsonl", code=2)


CASES = [*rules(), *outputs()]
