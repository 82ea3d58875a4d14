"""Cases of the verbs that fingerprint, search and describe: all but `dedup`, `store` and `serve`."""

from .case import case, step
from .corpora import RECIPES

WIDTHS = (64, 128, 256)
TEXTS = "in/news.jsonl in/zh.jsonl in/ja.jsonl in/edges.jsonl"
BUILT_IN = [
    "text",
    "words",
    "chars-5",
    "python-128",
    "shingles-3",
    "web",
    "zh",
    "zh-keywords",
    "zh-keywords-mix",
    "ja",
    "code",
    "vectors",
]


def fingerprints():
    for recipe in BUILT_IN:
        given = {
            "vectors": "in/rows/vectors.jsonl",
            "web": "in/html in/pages in/crawl",
            "code": f"in/rows/code.jsonl {TEXTS}",
        }.get(recipe, TEXTS)
        for width in WIDTHS:
            yield case(
                f"fingerprint/{recipe}-{width}", f"fingerprint {given} --recipe {recipe} --width {width}", quick=True
            )
    for recipe, keys in RECIPES.items():
        flags = f"--recipe in/recipes/{recipe}.toml"
        if keys.get("weights") in ("idf", "bm25") or "phrases" in keys:
            yield case(
                f"fingerprint/own-{recipe}",
                f"idf build in/rows.jsonl in/zh.jsonl {flags} -o rows.idf",
                step("idf show rows.idf --format json", second=True),
                step("idf show rows.idf", second=True),
                *(step(f"{verb} {TEXTS} {flags} --idf rows.idf", second=True) for verb in ("fingerprint", "pairs")),
                step(f"dedup in/rows.jsonl {flags} --idf rows.idf -o kept.jsonl --removed removed.jsonl", second=True),
                step(
                    f"compare --text 'the council of the town' 'council and town' {flags} --idf rows.idf", second=True
                ),
                f"idf build in/rows.jsonl in/zh.jsonl {flags} -o common.idf --min-documents 3 --threads 1",
                crossed=True,
                quick=True,
            )
            continue
        given = "in/html in/pages.jsonl" if "content" in keys else f"{TEXTS} in/languages.jsonl"
        yield case(
            f"fingerprint/own-{recipe}",
            *(f"fingerprint {given} {flags} --width {width} --threads {width // 64}" for width in WIDTHS),
            quick=True,
        )
    yield case(
        "fingerprint/language-field",
        "fingerprint in/languages.jsonl --recipe in/recipes/auto.toml --language-field lang --on-error skip",
    )
    yield case(
        "fingerprint/language",
        *(
            f"fingerprint in/languages.jsonl --recipe in/recipes/auto.toml --language {code}"
            for code in ("en", "ru", "auto")
        ),
    )
    for name in (
        "rows.csv",
        "rows.tsv",
        "rows.jsonl.gz",
        "rows.jsonl.bz2",
        "rows.jsonl.xz",
        "crlf.jsonl",
        "escaped.jsonl",
        "repeated.jsonl",
        "parts",
        "files",
        "texts.warc.wet",
    ):
        yield case(f"fingerprint/of-{name}", f"fingerprint in/{name} -o out.jsonl", quick=name == "rows.csv")
    yield case("fingerprint/of-rows.jsonl.zst", "fingerprint in/rows.jsonl.zst", needs="zstd")
    yield case("fingerprint/of-rows.parquet", "fingerprint in/rows.parquet", needs="parquet", quick=True)
    yield case("fingerprint/lines", "fingerprint in/lines.txt --lines", "fingerprint in/rows.csv --input-format text")
    yield case(
        "fingerprint/both",
        "fingerprint in/html in/pages --recipe web --both",
        "fingerprint in/pages.jsonl --recipe web --both --width 256",
        quick=True,
    )
    yield case(
        "fingerprint/html", "fingerprint in/html --html full", "fingerprint in/pages.jsonl --html main --width 128"
    )
    yield case(
        "fingerprint/stream",
        step("fingerprint - -o -", stdin="in/rows.jsonl.gz"),
        step("fingerprint -", stdin="in/edges.jsonl"),
        quick=True,
    )
    yield case("fingerprint/web", "fingerprint WEB/rows.jsonl.xz WEB/edges.jsonl -o out.jsonl")
    yield case(
        "fingerprint/packed", *(f"fingerprint in/rows.jsonl -o out.jsonl.{end}" for end in ("gz", "zst", "bz2", "xz"))
    )
    yield case("fingerprint/fields", "fingerprint in/named.jsonl --id-field key --text-field body --threads 1")
    yield case(
        "fingerprint/skip",
        *(
            f"fingerprint in/{name} --on-error skip"
            for name in ("broken.jsonl", "broken.csv", "cut.jsonl.gz", "latin1")
        ),
    )
    yield case("fingerprint/broken", "fingerprint in/broken.jsonl -o out.jsonl", code=1)
    yield case("fingerprint/html-as-text", "fingerprint in/html", code=1)


def searches():
    for verb in ("pairs", "clusters"):
        for width, radii in ((64, (0, 1, 3, 6, 10)), (128, (0, 6, 14)), (256, (0, 12, 30))):
            raw = f"in/codes.u{width} --input-format u{width}"
            for k in radii:
                quick = k == radii[1]
                yield case(
                    f"{verb}/text-{width}-k-{k}",
                    f"{verb} in/rows.jsonl --width {width} -k {k} -o out.jsonl",
                    quick=quick,
                )
                yield case(
                    f"{verb}/raw-{width}-k-{k}",
                    f"{verb} {raw} -k {k}",
                    f"{verb} {raw} -k {k} --memory 8M --threads 1",
                    quick=quick,
                )
            yield case(
                f"{verb}/rows-{width}",
                f"{verb} in/codes-{width}.jsonl",
                f"{verb} in/codes-{width}.jsonl --fingerprints -k 5 -q",
                f"{verb} in/codes-{width}.jsonl --memory 16M --work-dir work",
                quick=True,
            )
            yield case(
                f"{verb}/raw-{width}",
                f"{verb} {raw}",
                step(f"{verb} - --input-format u{width}", stdin=f"in/codes.u{width}"),
            )
        yield case(f"{verb}/default", f"{verb} in/rows.jsonl", f"{verb} {TEXTS} --threads 1", quick=True)
        yield case(
            f"{verb}/spilled",
            *(
                f"{verb} in/large.u64 --input-format u64 -k 3 --memory {size} --work-dir work -o out-{size}.jsonl"
                for size in ("4M", "64M")
            ),
        )
        for k in ("", "-k 3", "-k 3 --width 64"):
            short = ["--fold-equal"] if verb == "pairs" else []
            yield case(
                f"{verb}/equal{k.replace(' ', '')}",
                *(
                    f"{verb} in/equal.jsonl in/rows.jsonl {k} {flags} -o out-{number}.jsonl"
                    for number, flags in enumerate(["", "--memory 64M", "--threads 1", *short])
                ),
                quick=True,
            )
        yield case(
            f"{verb}/large",
            f"{verb} in/large.jsonl -o out.jsonl",
            f"{verb} in/large.jsonl -k 6 --width 128 -o out.jsonl.gz",
        )
        yield case(f"{verb}/memory-too-small", f"{verb} in/codes.u64 --input-format u64 --memory 2K", code=2)
        yield case(f"{verb}/cut", f"{verb} in/cut.u64 --input-format u64", code=1)
        yield case(
            f"{verb}/degenerate",
            *(f"{verb} in/edges.jsonl --recipe in/recipes/{recipe}.toml" for recipe in ("apart", "join", "short")),
        )
        yield case(
            f"{verb}/of-fingerprints",
            "fingerprint in/edges.jsonl in/news.jsonl -o out.jsonl",
            step(f"{verb} out.jsonl", second=True),
            step(f"{verb} out.jsonl --memory 16M", second=True),
            crossed=True,
            quick=True,
        )
        yield case(
            f"{verb}/recipes",
            *(
                f"{verb} {given} --recipe {recipe}"
                for recipe, given in (
                    ("web", "in/html in/pages"),
                    ("zh", "in/zh.jsonl"),
                    ("ja", "in/ja.jsonl"),
                    ("vectors", "in/rows/vectors.jsonl"),
                    ("code", "in/rows/code.jsonl"),
                )
            ),
        )
        for name in ("rows.csv", "rows.tsv", "parts", "files", "text", "texts.warc.wet", "repeated.jsonl"):
            yield case(f"{verb}/of-{name}", f"{verb} in/{name}")
        yield case(
            f"{verb}/of-parquet",
            f"{verb} in/rows.parquet",
            f"{verb} in/codes.parquet --fingerprints -k 20",
            needs="parquet",
            quick=True,
        )
        yield case(
            f"{verb}/stream", step(f"{verb} -", stdin="in/rows.jsonl.gz"), step(f"{verb} -", stdin="in/codes-128.jsonl")
        )
        yield case(
            f"{verb}/exists",
            f"{verb} in/news.jsonl -o out.jsonl",
            f"{verb} in/zh.jsonl -o out.jsonl --force",
            f"{verb} in/ja.jsonl -o out.jsonl",
            code=1,
        )


def indexes():
    for width, radii in ((64, (1, 3, 6)), (128, (6, 12)), (256, (12,))):
        codes, queries = f"in/codes.u{width} --input-format u{width}", f"in/queries.u{width} --input-format u{width}"
        for k in radii:
            ask = lambda flags: step(f"index query codes.seg {queries} {flags}", second=True)
            yield case(
                f"index/raw-{width}-k-{k}",
                f"index build {codes} -o codes.seg -k {k}",
                ask(""),
                ask("-k 0"),
                ask(f"-k {k + 2} --scan"),
                ask("--limit 1"),
                ask("--limit 3 --scan"),
                ask("--threads 1 -o near.jsonl.gz"),
                step("index stats codes.seg", second=True),
                step("index stats codes.seg --format json", second=True),
                step("index verify codes.seg --sample 500 --seed 7", second=True, silent=True),
                crossed=True,
                quick=True,
            )
            yield case(
                f"index/stream-{width}-k-{k}",
                *(
                    f"index query --stream in/codes.u{width} {queries} -k {k} {flags}"
                    for flags in ("", "--memory 1M", "--limit 2", "--threads 1")
                ),
            )
        yield case(
            f"index/text-{width}",
            f"index build in/rows.jsonl --width {width} -o rows.seg",
            step(f"index query rows.seg in/new.jsonl --width {width}", second=True),
            step(f"index query rows.seg in/new.jsonl --width {width} --scan", second=True),
            step("index stats rows.seg", second=True),
            crossed=True,
            quick=True,
        )
        yield case(
            f"index/rows-{width}",
            f"index build in/codes-{width}.jsonl -o rows.seg --fingerprints",
            step(f"index query rows.seg in/codes-{width}.jsonl", second=True),
            crossed=True,
        )
    for plan in (
        "parts-1",
        "parts-2",
        "parts-3",
        "parts-4",
        "paper-4",
        "paper-10",
        "paper-16",
        "paper-20",
        "cover-5",
        "cover-6",
        "scan",
    ):
        yield case(
            f"index/plan-{plan}",
            f"index build in/codes.u64 --input-format u64 -k 3 --plan {plan} -o codes.seg",
            step(
                f"index query codes.seg in/queries.u64 --input-format u64 {'--scan -k 3' if plan == 'scan' else ''}",
                second=True,
            ),
            step("index stats codes.seg", second=True),
            crossed=True,
            quick=plan == "paper-10",
        )
    yield case(
        "index/any",
        "index build in/codes.u64 --input-format u64 -o codes.seg",
        "index query codes.seg in/queries.u64 --input-format u64 --any",
    )
    yield case(
        "index/memory",
        *(
            f"index build in/large.u64 --input-format u64 -o large-{size}.seg --memory {size} --work-dir work"
            for size in ("5M", "8M", "64M")
        ),
    )
    yield case("index/memory-too-small", "index build in/large.u64 --input-format u64 -o large.seg --memory 1M", code=2)
    yield case(
        "index/stream-of-standard-input",
        step("index build - --input-format u128 -o codes.seg", stdin="in/codes.u128"),
        step("index query codes.seg - --input-format u128", stdin="in/queries.u128"),
    )
    yield case(
        "index/recipes",
        *(f"index build in/{recipe}.jsonl --recipe {recipe} -o {recipe}.seg --threads 2" for recipe in ("zh", "ja")),
        *(f"index query {recipe}.seg in/{recipe}.jsonl --recipe {recipe}" for recipe in ("zh", "ja")),
    )
    yield case(
        "index/another-recipe",
        "index build in/zh.jsonl -o zh.seg",
        "index query zh.seg in/zh.jsonl --recipe words",
        code=2,
    )
    yield case("index/no-segment", "index stats in/codes.u64", code=1)


def descriptions():
    for docs, flags in (
        ("1000", ""),
        ("10M", ""),
        ("8e9", "-k 3 --memory 200G"),
        ("1M", "-k 24 --width 128 --job join"),
        ("1e9", "--all"),
        ("50M", "--width 256 --job query"),
        ("2e6", "-k 1 --job batch --memory 100M"),
    ):
        name = f"{docs}{flags}".replace("--", "-").replace(" ", "")
        yield case(
            f"plan/{name}", f"plan --docs {docs} {flags}", f"plan --docs {docs} {flags} --format json", quick=True
        )
    yield case("plan/wrong", "plan --docs 0", code=2)
    for width in WIDTHS:
        raw = f"in/codes.u{width} --input-format u{width}"
        yield case(
            f"stats/raw-{width}",
            f"stats {raw}",
            f"stats {raw} --format json --top 20",
            f"stats {raw} --plot codes.svg",
            quick=True,
        )
        yield case(
            f"stats/rows-{width}",
            f"stats in/codes-{width}.jsonl --format json",
            f"stats in/rows.jsonl --width {width} --threads 1 --format json",
        )
    yield case(
        "stats/samples",
        f"stats {TEXTS}",
        f"stats {TEXTS} --format json --plot texts.svg",
        "stats in/html --recipe web",
        quick=True,
    )
    yield case("stats/degenerate", *(f"stats in/{name}.jsonl --format json" for name in ("equal", "empty", "repeated")))
    files = "in/text/town/allotments.txt in/text/club/allotments-revised.txt"
    pages = "in/html/mill.html in/html/mill-reprint.html --recipe web"
    for width in WIDTHS:
        for form in ("table", "json"):
            yield case(
                f"compare/{form}-{width}",
                *(f"compare {both} --width {width} --format {form}" for both in (files, pages)),
                f"compare {files} --width {width} --format {form} --top 3 -k 20 --recipe words",
                f"compare --text 'the quick brown fox' 'the quick red fox' --recipe chars-5 --width {width} --format {form}",
                quick=True,
            )
    for form in ("table", "json"):
        yield case(
            f"compare/fingerprints-{form}",
            f"compare 5f2c7d0e9b1a4c38 5f2c7d0e9b1a4c3a --format {form}",
            f"compare {'5f2c7d0e9b1a4c38' * 2} {'5f2c7d0e9b1a4c3a' * 2} -k 1 --format {form}",
            f"compare {'0' * 64} {'f' * 64} --format {form}",
            quick=True,
        )
        yield case(
            f"compare/languages-{form}",
            *(
                f"compare --text '{one}' '{other}' --recipe {recipe} --format {form}"
                for recipe, one, other in (
                    ("zh", "北京的天气很好今天", "今天北京的天气好"),
                    ("zh-keywords", "北京的天气很好今天", "今天北京的天气好"),
                    ("ja", "東京都の予算", "東京の予算"),
                    ("code", "a = b(c);", "a=b( d )"),
                    ("text", "", "a b c d"),
                )
            ),
            quick=True,
        )
        yield case(
            f"compare/html-{form}",
            f"compare in/html/mill.html in/html/viaduct.html --html full --format {form}",
            f"compare in/html/cafe.html in/html/chaguan.html --recipe web --format {form}",
        )
    yield case("compare/rows", "compare in/news.jsonl in/zh.jsonl", code=2)
    yield case("recipe/list", "recipe list", "recipe list --format json", quick=True)
    yield case(
        "recipe/show",
        *(f"recipe show {recipe}" for recipe in BUILT_IN),
        *(f"recipe show {recipe} --format json" for recipe in BUILT_IN),
        quick=True,
    )
    yield case("recipe/show-own", *(f"recipe show in/recipes/{recipe}.toml" for recipe in RECIPES), quick=True)
    yield case("recipe/bad", "recipe show in/recipes/bad.toml", code=2)
    yield case("idf/stream", step("idf build - --recipe in/recipes/phrases.toml -o rows.idf", stdin="in/rows.jsonl"))
    yield case("idf/skip", "idf build in/broken.jsonl --recipe in/recipes/idf.toml -o out.idf --on-error skip")
    yield case("idf/broken", "idf build in/broken.jsonl --recipe in/recipes/idf.toml -o out.idf", code=1)


CASES = [*fingerprints(), *searches(), *indexes(), *descriptions()]
