"""Cases of `store` and `serve`: what one binary stores, itself or the other answers from."""

import json

from .case import TIME, Step, case, step

SIZES = ("bytes", "database_bytes", "bytes_per_document")
READ = [
    "store export pages -o all.export.jsonl",
    "store export pages --prefix doc-000 -o some.export.jsonl.gz",
    "store check pages in/new.jsonl --format json",
    "store query pages in/new.jsonl --top 3",
]


def reads(flags=""):
    yield from (step(command, second=True) for command in READ)
    # A store by similarity takes no radius.
    code = 0 if "-k" in flags else 2
    yield step("store query pages in/new.jsonl -k 5 -q", second=True, code=code)
    yield step("store stats pages --format json", second=True, ignoring=SIZES)
    yield step("store verify pages", second=True)


def stores():
    for name, flags in (
        ("text", ""),
        ("words-128", "--recipe words --width 128 -k 9"),
        ("256", "--width 256"),
        ("k-1", "-k 1 --width 64"),
    ):
        yield case(
            f"store/{name}",
            f"store init pages {flags}",
            "store add pages in/rows.jsonl --format json --threads 1",
            *reads(flags),
            step("store get pages doc-00000 doc-00001 absent", second=True, code=1, ignoring=TIME),
            step("store add pages in/new.jsonl --unless-duplicate --format json", second=True),
            step("store delete pages --ids-from in/gone.txt", second=True),
            step("store delete pages doc-00001 absent", second=True),
            step("store compact pages", second=True),
            *reads_again(flags),
            crossed=True,
            quick=True,
        )
    yield case(
        "store/update",
        "store init pages",
        "store add pages in/rows.jsonl -q",
        step("store add pages in/repeated.jsonl --format json", code=1),
        step("store add pages in/repeated.jsonl --update --format json", second=True),
        step("store rebuild pages", second=True),
        *reads(),
        crossed=True,
        quick=True,
    )
    yield case(
        "store/snapshot",
        "store init pages --width 128",
        "store add pages in/large.jsonl -q",
        "store snapshot pages copy",
        step("store export copy -o copy.export.jsonl", second=True),
        step("store compact copy", second=True),
        step("store export copy -o compacted.export.jsonl", second=True),
        *reads(),
        crossed=True,
    )
    for width in (64, 128, 256):
        yield case(
            f"store/ready-made-{width}",
            f"store init pages --ready-made --width {width}",
            f"store add pages in/codes-{width}.jsonl --fingerprints --unless-duplicate --format json",
            step(f"store query pages in/codes-{width}.jsonl --fingerprints", second=True),
            step("store export pages -o all.export.jsonl", second=True),
            step("store compact pages", second=True),
            crossed=True,
            quick=width == 64,
        )
    yield case(
        "store/stream",
        "store init pages",
        step("store add pages - --unless-duplicate", stdin="in/rows.jsonl"),
        step("store check pages -", stdin="in/new.jsonl", second=True),
        step("store export pages", second=True, ignoring=TIME),
        crossed=True,
    )
    for recipe, given in (
        ("web", "in/html in/pages in/crawl/a.warc"),
        ("zh", "in/zh.jsonl"),
        ("ja", "in/ja.jsonl"),
        ("vectors", "in/rows/vectors.jsonl"),
    ):
        yield case(
            f"store/recipe-{recipe}",
            f"store init pages --recipe {recipe}",
            f"store add pages {given} --format json",
            step(f"store query pages {given}", second=True),
            step("store export pages", second=True, ignoring=TIME),
            crossed=True,
            quick=recipe == "zh",
        )
    yield case(
        "store/edges",
        "store init pages",
        "store add pages in/edges.jsonl --format json --on-error skip",
        "store check pages in/edges.jsonl --format json",
        step("store export pages", ignoring=TIME),
    )
    yield case(
        "store/idf",
        "idf build in/rows.jsonl --recipe in/recipes/idf.toml -o rows.idf",
        "store init pages --recipe in/recipes/idf.toml --idf rows.idf",
        "store add pages in/rows.jsonl --idf rows.idf --format json",
        step("store export pages -o all.export.jsonl", second=True),
        crossed=True,
    )
    yield case(
        "store/memory",
        "store init pages",
        "store add pages in/large.jsonl --memory 64M -q",
        step("store verify pages", second=True),
        step("store export pages -o all.export.jsonl", second=True),
        crossed=True,
    )
    yield case("store/another-recipe", "store init pages", "store add pages in/news.jsonl --recipe words", code=1)
    yield case("store/init-twice", "store init pages", "store init pages", code=1)
    yield case("store/no-store", "store check absent in/news.jsonl", code=1)


def reads_again(flags):
    for one in reads(flags):
        yield Step(
            [arg.replace("all.", "later.").replace("some.", "later-some.") for arg in one.args],
            second=True,
            code=one.code,
            ignoring=one.ignoring,
        )


def asked():
    texts = [
        "The city council approved the new budget on Monday after a long debate about the roads.",
        "the city council approved the new budget on monday after a long debate about the roads",
        "Nothing of what the others say is said in this one, which is about a garden in May.",
    ]
    of = lambda n, **more: json.dumps({"id": f"t{n}", "text": texts[n], **more})
    batch = (
        "".join(of(n) + "\n" for n in range(3))
        + "{broken\n"
        + json.dumps({"id": "x", "text": texts[2] + " And more."})
        + "\n"
    )
    post = lambda path, body: ("POST", f"/v1/{path}", body if isinstance(body, str) else json.dumps(body))
    return (
        post("check", of(0)),
        post("add", of(0, metadata={"url": "http://example.org/"})),
        post("check", of(1)),
        post("check-and-add", of(1)),
        post("check-and-add", of(2)),
        ("GET", "/v1/documents/t0", ""),
        post("get", {"id": "t2"}),
        ("GET", "/v1/documents/absent", ""),
        post("query", {"text": texts[1], "explain": True}),
        post("query", {"id": "doc-00000", "k": 9, "limit": 5}),
        post("compare", {"a": {"text": texts[0]}, "b": {"text": texts[2]}, "difference": True, "limit": 4}),
        post("batch?op=check", batch),
        post("batch?op=add", batch),
        post("batch?op=check-and-add", batch),
        ("PUT", "/v1/documents/t1", json.dumps({"text": texts[2]})),
        ("DELETE", "/v1/documents/t0", ""),
        post("delete", {"id": "absent"}),
        ("GET", "/v1/recipe", ""),
        ("GET", "/v1/stats", ""),
        ("GET", "/v1/duplicates", ""),
        ("PUT", "/v1/documents/t3", json.dumps({"text": texts[2] + " And more."})),
        post("check-and-put", of(1)),
        ("GET", "/v1/documents?prefix=doc-000&limit=7&after=doc-00003", ""),
        ("GET", "/v1/export?prefix=doc-001", ""),
        *task("deletions", {"prefix": "doc-002"}),
        *task("clusters", ""),
        ("GET", "/v1/clusters/doc-00000?limit=9", ""),
        *task("verify", ""),
        *task("snapshots", {"name": "copy"}),
        *task("compact", ""),
        ("GET", "/v1/changes", ""),
        ("GET", "/openapi.json", ""),
        ("GET", "/healthz", ""),
        ("GET", "/readyz", ""),
        ("GET", "/metrics", ""),
        ("GET", "/v1/absent", ""),
        ("DELETE", "/v1/check", ""),
        post("check", {"text": 3}),
        post("query", {"id": "absent"}),
    )


def task(name, body):
    """A task of an administrator: begun, and asked for until it has ended."""
    return ("POST", f"/v1/{name}", json.dumps(body) if body else ""), ("WAIT", f"/v1/{name}", "")


def services():
    serve = Step(
        ["serve", "pages", "--listen", "127.0.0.1:0", "--log", "warn", "--keep-text", "4K", "--snapshots", "copies"],
        requests=asked(),
        second=True,
        ignoring=(*TIME, *SIZES, "since", "begun", "seconds"),
    )
    for width in (64, 128, 256):
        yield case(
            f"serve/{width}",
            f"store init pages --width {width}",
            "store add pages in/rows.jsonl -q",
            serve,
            step("store export pages -o all.export.jsonl", second=True),
            crossed=True,
            quick=width == 64,
        )


CASES = [*stores(), *services()]
