"""Cases over corpora that the caller gives."""

import gzip
import json

from .case import case, step
from .cases_of_dedup import REPORTS


def opened(path):
    return gzip.open(path, "rb") if path.name.endswith(".gz") else open(path, "rb")


def lack(path):
    """Why the rows of `path` cannot be compared; empty where they can."""
    try:
        with opened(path) as rows:
            row = json.loads(rows.readline())
    except (OSError, EOFError, ValueError):
        return "its first line is no JSON"
    return "" if isinstance(row, dict) and isinstance(row.get("text"), str) else 'its first row has no "text"'


def cases(folder, corpora):
    """The cases of each .jsonl and .jsonl.gz of `folder` and below, linked into the corpora; what was left out, and why."""
    made, left_out = [], {}
    for path in sorted(path for end in ("*.jsonl", "*.jsonl.gz") for path in folder.rglob(end)):
        name = str(path.relative_to(folder)).replace("/", "-")
        if reason := lack(path):
            left_out[f"corpus/{name}"] = reason
            continue
        link = corpora / "given" / name
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(path.resolve())
        made += of_corpus(name, f"in/given/{name}")
    if not made and not left_out:
        left_out[str(folder)] = "it holds no .jsonl and no .jsonl.gz"
    return made, left_out


def of_corpus(name, given):
    end = name[name.index(".jsonl") :]
    for width in (64, 128, 256):
        yield case(f"corpus/{name}/fingerprint-{width}", f"fingerprint {given} --width {width} -o out.jsonl")
        yield case(
            f"corpus/{name}/search-{width}",
            *(f"{verb} {given} --width {width} -o {verb}.jsonl" for verb in ("pairs", "clusters")),
        )
        yield case(
            f"corpus/{name}/index-{width}",
            f"index build {given} --width {width} -o rows.seg",
            step(f"index query rows.seg {given} --width {width} --limit 5 -o near.jsonl", second=True),
            crossed=True,
        )
    for flags in (
        "",
        "--cluster-rule connected",
        "--keep longest --similarity 0.6",
        "-k 3 --width 64 --annotate",
        "--recipe words --width 128",
        "--memory 200M --threads 1",
    ):
        yield case(f"corpus/{name}/dedup_{flags.replace(' ', '_')}", f"dedup {given} -o kept{end} {REPORTS} {flags}")
    yield case(
        f"corpus/{name}/store",
        "store init pages",
        f"store add pages {given} --unless-duplicate --format json",
        step("store export pages -o all.export.jsonl", second=True),
        crossed=True,
    )
