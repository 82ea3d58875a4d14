"""Cases of `dedup`: rules, flags, formats and outputs."""

from .case import Step, case, step

FIGURES = "--summary run.summary.json"
REPORTS = f"--removed removed.jsonl --pairs pairs.jsonl --clusters clusters.jsonl {FIGURES} --report report.html"


def dedup(name, flags, given="in/rows.jsonl", out="kept.jsonl", reports=REPORTS, **how):
    return case(f"dedup/{name}", f"dedup {given} -o {out} {reports} {flags}", **how)


def rules():
    for keep in ("central", "first", "last", "longest", "shortest", "none", "by-score"):
        flag = "--keep-by score:max" if keep == "by-score" else f"--keep {keep}"
        yield dedup(f"keep-{keep}", flag, quick=True)
        # The default with connected groups is another: central belongs to stars.
        yield dedup(
            f"keep-{keep}-connected",
            f"{flag} --cluster-rule connected",
            quick=keep in ("last", "by-score"),
            code=2 if keep == "central" else 0,
        )
        yield dedup(f"keep-{keep}-radius", f"{flag} -k 12 --width 128")
    for by in ("score:min", "day:max", "day:min"):
        yield dedup(f"keep-by-{by.replace(':', '-')}", f"--keep-by {by}")
    yield dedup("keep-by-absent", "--keep-by absent:max", code=1)
    yield dedup("cluster-rule-star", "--cluster-rule star")
    yield dedup("cluster-rule-connected", "--cluster-rule connected", quick=True)
    for similarity in ("0.5", "0.6", "0.7", "0.9", "0.95", "1"):
        yield dedup(f"similarity-{similarity}", f"--similarity {similarity}", quick=similarity == "0.7")
        for width in (64, 256):
            yield dedup(f"similarity-{similarity}-width-{width}", f"--similarity {similarity} --width {width}")
    for width, radii in ((64, (0, 1, 3, 6, 9)), (128, (0, 6, 13, 26)), (256, (0, 12, 20, 52))):
        yield dedup(f"width-{width}", f"--width {width}", quick=True)
        for k in radii:
            yield dedup(f"width-{width}-k-{k}", f"--width {width} -k {k}", quick=k == radii[1])
            yield dedup(f"width-{width}-k-{k}-connected", f"--width {width} -k {k} --cluster-rule connected")
    for verify in ("none", "jaccard=0.5", "jaccard=0.9", "containment=0.8", "containment=1"):
        yield dedup(f"verify-{verify}", f"--width 64 -k 6 --verify {verify}", quick="8" in verify)
        yield dedup(f"verify-{verify}-connected", f"--width 128 -k 20 --verify {verify} --cluster-rule connected")
    yield dedup("verify-with-similarity", "--similarity 0.9 --verify containment=0.9")
    for threads in (1, 2, 3):
        yield dedup(f"threads-{threads}", f"--threads {threads}", quick=threads == 1)


def formats():
    for name in (
        "rows.jsonl.gz",
        "rows.jsonl.bz2",
        "rows.jsonl.xz",
        "rows.jsonl.zst",
        "members.jsonl.gz",
        "rows.csv",
        "rows.tsv",
        "rows.csv.gz",
    ):
        end = name[name.index(".") :]
        needs = "zstd" if end.endswith("zst") else ""
        yield dedup(f"format-{name}", "", f"in/{name}", f"kept{end}", quick=True, needs=needs)
        yield dedup(f"format-{name}-annotate", "--annotate", f"in/{name}", f"kept{end}", needs=needs)
    for packed in ("gz", "zst", "bz2", "xz"):
        yield dedup(
            f"to-{packed}",
            "",
            out=f"kept.jsonl.{packed}",
            quick=packed == "zst",
            reports=f"--removed removed.jsonl.{packed} --pairs pairs.jsonl.{packed} --clusters clusters.jsonl.{packed}",
        )
    for name in ("rows", "zstd", "plain"):
        given = f"in/{name}.parquet"
        yield dedup(f"parquet-{name}", "", given, "kept.parquet", needs="parquet", quick=True)
        yield dedup(f"parquet-{name}-connected", "--cluster-rule connected --keep last", given, "out/", needs="parquet")
    yield dedup("parquet-shards", "--shard-size 200K", "in/rows.parquet", "kept.parquet", needs="parquet")
    yield dedup("parquet-annotate", "--annotate", "in/rows.parquet", "kept.parquet", needs="parquet", code=2)
    yield dedup("parquet-to-rows", "", "in/rows.parquet", "kept.jsonl", needs="parquet")
    yield dedup("samples", "", "in/news.jsonl in/zh.jsonl in/ja.jsonl", quick=True)
    yield dedup("samples-by-file", "", "in/news.jsonl in/zh.jsonl in/ja.jsonl", "out/", quick=True)
    yield dedup("folder-of-rows", "", "in/parts", "out/", quick=True)
    yield dedup("folder-of-rows-to-one", "", "in/parts", "kept.jsonl")
    yield dedup("folder-of-rows-annotate", "--annotate", "in/parts", "out/")
    yield dedup("pattern", "", "'in/parts/*.jsonl' 'in/*/deep/*.jsonl'", "out/")
    for name in ("text", "files"):
        yield dedup(f"{name}-to-folder", "", f"in/{name}", "out/", quick=True)
        yield dedup(f"{name}-to-rows", "", f"in/{name}", "kept.jsonl", quick=True)
        yield dedup(f"{name}-to-rows-annotate", "--annotate", f"in/{name}", "kept.jsonl")
    yield dedup("lines", "--lines", "in/lines.txt", "kept.txt", quick=True)
    yield dedup("lines-annotate", "--lines --annotate", "in/lines.txt", "kept.txt", code=2)
    yield dedup("tables-as-text", "--input-format text --lines", "in/rows.csv", "kept.txt")
    for recipe in ("--recipe web", "--html main", "--html full", "--recipe web --html full"):
        name = recipe.replace("--", "").replace(" ", "-")
        yield dedup(f"html-{name}", recipe, "in/html in/pages", "out/", quick="web" in name)
        yield dedup(f"html-{name}-rows", recipe, "in/pages.jsonl", "kept.jsonl")
    yield dedup("html-to-rows", "--recipe web", "in/html in/pages", "kept.jsonl")
    yield dedup("html-annotate", "--recipe web --annotate", "in/html in/pages", "kept.jsonl")
    yield dedup("warc", "--recipe web", "in/crawl/a.warc", "kept.warc", quick=True)
    yield dedup("warc-gz", "--recipe web", "in/crawl/b.warc.gz", "kept.warc.gz", quick=True)
    yield dedup("warc-folder", "--recipe web --id-field WARC-Target-URI", "in/crawl", "out/")
    yield dedup("warc-wet", "", "in/texts.warc.wet", "kept.warc.wet", quick=True)
    yield dedup("warc-broken", "--recipe web --on-error skip", "in/broken.warc", "kept.warc")
    yield dedup("warc-broken-fail", "--recipe web", "in/broken.warc", "kept.warc", code=1)
    for verb, given in (("gz", "in/rows.jsonl.gz"), ("jsonl", "in/rows.jsonl"), ("csv", "in/rows.csv")):
        how = "--input-format csv " if verb == "csv" else ""
        yield case(
            f"dedup/stream-{verb}",
            step(f"dedup - -o - {how}--removed removed.jsonl {FIGURES}", stdin=given),
            quick=True,
        )
    yield dedup("web", "--against WEB/rows.csv", "WEB/new.jsonl WEB/rows.jsonl.gz", quick=True)
    yield case("dedup/stream-both-outputs", step("dedup - -o - --removed -", stdin="in/rows.jsonl", code=1))


def rows_of_all_kinds():
    for name in ("edges", "escaped", "repeated", "crlf", "equal", "empty"):
        yield dedup(f"rows-{name}", "", f"in/{name}.jsonl", quick=True)
        yield dedup(f"rows-{name}-radius", "-k 3 --width 64 --cluster-rule connected", f"in/{name}.jsonl")
        yield dedup(f"rows-{name}-annotate", "--annotate", f"in/{name}.jsonl")
    for name in ("broken.jsonl", "broken.csv", "ragged.csv", "cut.jsonl.gz"):
        end = name[name.index(".") :]
        yield dedup(f"rows-{name}-skip", "--on-error skip", f"in/{name}", f"kept{end}", quick=True)
        yield dedup(f"rows-{name}-fail", "", f"in/{name}", f"kept{end}", code=1)
    yield dedup("latin1-skip", "--on-error skip", "in/latin1", "out/")
    yield dedup("latin1-fail", "", "in/latin1", "out/", code=1)
    yield dedup("named-fields", "--id-field key --text-field body", "in/named.jsonl")
    yield dedup("max-record", "--max-record 1K --on-error skip", "in/edges.jsonl")
    yield dedup("max-record-fail", "--max-record 1K", "in/edges.jsonl", code=1)
    recipes = [
        ("words", "in/rows.jsonl"),
        ("chars-5", "in/rows.jsonl"),
        ("zh", "in/zh.jsonl"),
        ("zh-keywords-mix", "in/zh.jsonl"),
        ("ja", "in/ja.jsonl"),
        ("code", "in/rows/code.jsonl"),
        ("vectors", "in/rows/vectors.jsonl"),
        ("python-128", "in/news.jsonl"),
    ]
    for recipe, given in recipes:
        yield dedup(f"recipe-{recipe}", f"--recipe {recipe}", given, quick=True)
        yield dedup(f"recipe-{recipe}-256", f"--recipe {recipe} --width 256 --similarity 0.7", given)
    for recipe in ("apart", "join", "short", "gram-9", "english", "nfc", "bare"):
        yield dedup(f"recipe-own-{recipe}", f"--recipe in/recipes/{recipe}.toml", "in/news.jsonl in/edges.jsonl")
    yield dedup("language-field", "--recipe in/recipes/auto.toml --language-field lang", "in/languages.jsonl")
    yield dedup("language", "--recipe in/recipes/auto.toml --language de", "in/languages.jsonl")


def outputs():
    for size in ("50K", "300K", "1"):
        given = "in/news.jsonl" if size == "1" else "in/rows.jsonl"
        yield dedup(f"shard-size-{size}", f"--shard-size {size}", given, quick=size == "50K")
    yield dedup("shard-size-gz", "--shard-size 100K", "in/parts", "kept.jsonl.gz")
    yield dedup("shard-size-folder", "--shard-size 100K", "in/parts", "out/", code=2)
    for flags in ("", "--cluster-rule connected", "--keep none", "-k 3 --width 64", "--keep-by score:min"):
        yield dedup(f"annotate {flags}".strip().replace(" ", "_"), f"--annotate {flags}", quick=not flags)
    yield dedup("quiet", "--quiet")
    yield case(
        "dedup/force",
        f"dedup in/rows.jsonl -o kept.jsonl {REPORTS}",
        f"dedup in/news.jsonl -o kept.jsonl {REPORTS} --force",
    )
    yield case(
        "dedup/exists",
        f"dedup in/rows.jsonl -o kept.jsonl {REPORTS}",
        f"dedup in/news.jsonl -o kept.jsonl {REPORTS}",
        code=1,
    )
    yield dedup("no-reports", "", reports="", quick=True)
    yield dedup(
        "report-of-samples",
        "--cluster-rule connected",
        "in/news.jsonl in/zh.jsonl in/ja.jsonl in/edges.jsonl",
        quick=True,
    )
    for width, flags in ((64, "-k 3"), (128, ""), (256, "-k 12")):
        yield dedup(f"index-out-{width}", f"--index-out kept.seg --width {width} {flags}", quick=True)


def against():
    yield dedup("against-file", "--against in/rows.jsonl", "in/new.jsonl", quick=True)
    yield dedup(
        "against-folder", "--against in/parts --against 'in/ne?s.jsonl' --cluster-rule connected", "in/new.jsonl"
    )
    yield dedup("against-annotate", "--against in/rows.jsonl --annotate", "in/new.jsonl")
    yield dedup("against-csv", "--against in/rows.csv", "in/new.jsonl")
    yield dedup("against-keep-none", "--against in/rows.jsonl --keep none -k 6 --width 128", "in/new.jsonl")
    yield dedup("against-itself", "--against in/rows.jsonl", "in/rows.jsonl")
    for width, flags in ((64, ""), (64, "-k 3"), (128, ""), (128, "-k 6 --verify jaccard=0.7"), (256, "-k 12")):
        name = f"{width}{flags.replace(' ', '').replace('--', '-')}"
        yield case(
            f"dedup/against-segment-{name}",
            f"dedup in/rows.jsonl -o first.jsonl --index-out first.seg --width {width} {flags} -q",
            step(
                f"dedup in/new.jsonl -o kept.jsonl --against first.seg --index-out second.seg --width {width} {flags} {REPORTS}",
                second=True,
            ),
            step(
                f"dedup in/rows.jsonl -o none.jsonl --against second.seg --against first.seg --width {width} {flags}",
                second=True,
            ),
            crossed=True,
            quick=not flags,
        )
    yield case(
        "dedup/against-segment-of-another-recipe",
        "dedup in/news.jsonl -o first.jsonl --index-out first.seg",
        "dedup in/rows.jsonl -o kept.jsonl --against first.seg --recipe words",
        code=1,
    )


def resources():
    for memory in ("34M", "64M", "1G"):
        yield dedup(f"memory-{memory}", f"--memory {memory} --threads 2", "in/large.jsonl")
        yield dedup(
            f"memory-{memory}-connected",
            f"--memory {memory} --threads 2 -k 3 --width 64 --cluster-rule connected",
            "in/large.jsonl",
        )
    yield dedup("memory-work-dir", "--memory 34M --work-dir work", "in/rows.jsonl", quick=True)
    yield dedup("memory-against", "--memory 34M --against in/rows.jsonl", "in/large.jsonl")
    yield dedup("memory-too-small", "--memory 1M", "in/large.jsonl", code=1)
    for flags in ("", "-k 3 --width 64", "--cluster-rule connected --keep last"):
        run = f"dedup in/large.jsonl -o kept.jsonl --removed removed.jsonl --pairs pairs.jsonl --report report.html --work-dir work {flags}"
        killed = Step(step(run).args, code=-25, silent=True, file_limit=4_000_000, leaves="work/*/manifest.json")
        resumed = step(run + " --resume", second=True)
        yield case(
            f"dedup/resume {flags}".strip().replace(" ", "_"), killed, resumed, crossed=True, quick=not flags
        )
    yield dedup("resume-nothing", "--resume --work-dir work")
    for name, flags in (("", ""), ("-radius", "-k 3 --width 64"), ("-memory", "--memory 64M")):
        for given in ("in/rows.jsonl", "in/parts in/news.jsonl", "in/large.jsonl"):
            unstable = ("seconds", "fingerprint_seconds", "join_seconds", "verify_seconds", "write_seconds")
            yield case(
                f"dedup/estimate{name}-{given.split('/')[1].split()[0]}",
                step(f"dedup {given} -o out/ --estimate --format json --threads 2 {flags}", ignoring=unstable),
            )


def wrong():
    for name, flags, code in (
        ("no-input", "dedup -o kept.jsonl", 2),
        ("absent", "dedup absent.jsonl -o kept.jsonl", 1),
        ("twice", "dedup in/rows.jsonl in/../in/rows.jsonl -o kept.jsonl", 1),
        ("no-rule", "dedup in/rows.jsonl -o kept.jsonl --keep best", 2),
        ("both", "dedup in/rows.jsonl -o kept.jsonl -k 3 --similarity 0.8", 2),
        ("width", "dedup in/rows.jsonl -o kept.jsonl --width 96", 2),
        ("similarity", "dedup in/rows.jsonl -o kept.jsonl --similarity 1.5", 2),
        ("recipe", "dedup in/rows.jsonl -o kept.jsonl --recipe in/recipes/bad.toml", 2),
        ("same-output", "dedup in/rows.jsonl -o kept.jsonl --removed kept.jsonl", 1),
        ("no-text", "dedup in/named.jsonl -o kept.jsonl", 1),
        ("pages", "dedup in/html -o out/", 1),
        ("estimate-stream", "dedup - -o kept.jsonl --estimate", 2),
        ("resume", "dedup in/rows.jsonl -o kept.jsonl --resume", 2),
    ):
        yield case(f"dedup/wrong-{name}", step(flags, code=code), quick=True)


CASES = [*rules(), *formats(), *rows_of_all_kinds(), *outputs(), *against(), *resources(), *wrong()]
